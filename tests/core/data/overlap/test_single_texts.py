"""Datasets whose examples share a part are not called independent, however they were written."""

import csv
import io

from core.data import ResultSet, read_results
from core.data.overlap.find import find_overlap

N = 50


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


def test_other_questions_on_the_same_passages_are_not_independent():
    for questions_each in [1, 5, 25]:
        passages = [f"passage {i // questions_each}" for i in range(N)]
        given = {"x": [numbered("who"), passages], "y": [numbered("where"), passages]}
        assert recommended(["question", "passage"], **given) == ("not-known", "texts-shared"), (
            questions_each
        )
        given["y"] = [numbered("where"), [f"other {passage}" for passage in passages]]
        assert recommended(["question", "passage"], **given) == ("independent", "none-shared"), (
            questions_each
        )


def test_queries_that_stand_before_many_candidates_are_compared():
    queries = [f"query {i // 30}" for i in range(900)]
    given = {"x": [queries, numbered("one", 900)], "y": [queries, numbered("other", 900)]}
    assert recommended(["query", "text"], **given) == ("not-known", "texts-shared")
