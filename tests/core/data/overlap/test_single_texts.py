"""Datasets whose examples share a part are not called independent, however they were written."""

import csv
import io

import pytest

from core.data import ResultSet, read_results
from core.data.overlap.find import find_overlap

N = 50
WORDS = ("car", "sea", "gem", "boy", "oven", "bird", "tool", "monk", "food", "hill")


def numbered(word, n=N, start=0):
    return [f"{word} number {i}" for i in range(start, start + n)]


def found(columns, **datasets):
    """Datasets as columns of texts, one for each name in `columns`."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["dataset", "example", *columns, "A", "B"])
    for dataset, texts in datasets.items():
        for i, cells in enumerate(zip(*texts, strict=True)):
            writer.writerow([dataset, i, *cells, 1, 0])
    results = read_results(text.getvalue().encode())
    assert isinstance(results, ResultSet)
    return find_overlap(results)


def recommended(columns, **datasets):
    recommendation = found(columns, **datasets).recommendation
    return recommendation.dependence, recommendation.reason


def test_the_same_texts_are_found_where_one_dataset_leaves_the_other_column_empty():
    overlap = found(
        ["text", "context"],
        x=[numbered("text"), numbered("context")],
        y=[numbered("text"), [""] * N],
        z=[numbered("other"), numbered("another")],
    )
    assert (overlap.recommendation.dependence, overlap.recommendation.reason) == (
        "not-known",
        "texts-shared",
    )
    assert not overlap.shares_any
    assert (overlap.texts.first.tolist(), overlap.texts.second.tolist()) == ([0], [1])
    assert overlap.texts.n_common.tolist() == [N]


def test_a_single_text_in_common_is_enough():
    assert recommended(
        ["text", "context"],
        x=[numbered("text"), numbered("context")],
        y=[[*numbered("more", N - 1), "text number 7"], numbered("further")],
    ) == ("not-known", "texts-shared")


@pytest.mark.parametrize(
    "columns", [("premise", "hypothesis"), ("question1", "question2"), ("text", "question")]
)
def test_the_same_texts_are_found_in_the_other_order(columns):
    one, other = numbered("one"), numbered("other")
    assert recommended(columns, x=[one, other], y=[other, one]) == ("not-known", "texts-shared")


def test_the_same_text_is_found_in_a_column_that_the_other_dataset_leaves_empty():
    texts, none = numbered("text"), [""] * N
    assert recommended(["text", "question"], x=[texts, none], y=[none, texts])[1] == "texts-shared"


@pytest.mark.parametrize("questions_each", [1, 5, 25])
def test_other_questions_on_the_same_passages_are_not_independent(questions_each):
    passages = [f"passage {i // questions_each}" for i in range(N)]
    given = {"x": [numbered("who"), passages], "y": [numbered("where"), passages]}
    assert recommended(["question", "passage"], **given) == ("not-known", "texts-shared")
    given["y"] = [numbered("where"), [f"other {passage}" for passage in passages]]
    assert recommended(["question", "passage"], **given) == ("independent", "none-shared")


def test_passages_show_where_nothing_else_can_be_compared():
    passages = [f"passage {i // 25}" for i in range(N)]
    assert recommended(["passage"], x=[passages], y=[passages]) == ("not-known", "texts-shared")


def test_queries_that_stand_before_many_candidates_are_compared():
    queries = [f"query {i // 30}" for i in range(900)]
    given = {"x": [queries, numbered("one", 900)], "y": [queries, numbered("other", 900)]}
    assert recommended(["query", "text"], **given) == ("not-known", "texts-shared")


def test_an_instruction_in_common_ties_no_datasets():
    given = {"x": [numbered("one"), ["Read this."] * N], "y": [numbered("two"), ["Read this."] * N]}
    assert recommended(["text", "prompt"], **given) == ("independent", "none-shared")


def test_words_count_by_their_pairs_in_either_order():
    pairs = {"x": [WORDS[:5], WORDS[5:]], "y": [WORDS[:5], (*WORDS[6:], WORDS[5])]}
    assert recommended(["word1", "word2"], **pairs) == ("independent", "none-shared")
    pairs["y"] = [WORDS[5:], WORDS[:5]]
    assert recommended(["word1", "word2"], **pairs) == ("not-known", "texts-shared")


def test_whole_examples_in_common_are_the_stronger_reason():
    given = {"x": [numbered("a"), numbered("b")], "y": [numbered("a"), numbered("b", start=1)]}
    given["y"][1][0] = "b number 0"
    overlap = found(["premise", "hypothesis"], **given)
    assert overlap.recommendation.reason == "shared"
    assert overlap.shares_texts


def test_one_column_of_texts_is_compared_once():
    overlap = found(["text"], x=[numbered("a")], y=[numbered("b")])
    assert (overlap.text_columns, overlap.texts.first.size) == ((), 0)
    assert overlap.recommendation.reason == "none-shared"
