"""What is said of datasets that share examples, and which answer on dependence follows."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.labels import Inputs
from core.data.overlap.find import Overlap, find_overlap
from core.data.overlap.left_out import without_datasets
from core.data.result_set import ResultSet
from core.report.contradictions import (
    contradicted_sentence,
    copies_left_out,
    counted_twice_sentence,
)
from core.report.guarantees import left_out_sentence
from core.report.overlap import (
    no_examples_sentence,
    overlap_caveats,
    overlap_sentence,
    overlap_text,
)
from core.report.overlap_pairs import overlap_table

KEEP = "“Not known, or yes” is the safe answer: Bonferroni holds whatever the dependence."
LONG = 2_500


def overlap(
    codes: dict[str, list[int]] | None = None, ids: dict[str, list[str]] | None = None
) -> Overlap:
    given: dict[str, list[int]] | dict[str, list[str]] = codes or ids or {}
    return find_overlap(
        ResultSet(
            datasets=tuple(given),
            systems=("A", "B"),
            values={"score": tuple(np.zeros((len(each), 2)) for each in given.values())},
            higher_is_better={"score": True},
            inputs=None
            if codes is None
            else Inputs(columns=("text",), codes=tuple(np.array(c) for c in codes.values())),
            example_ids=None if ids is None else tuple(ids.values()),
        )
    )


def numbers(start: int, end: int) -> list[int]:
    return list(range(start, end))


def test_where_nothing_is_shared_fisher_may_be_used() -> None:
    text = overlap_text(overlap({"x": numbers(0, 9), "y": numbers(9, 20), "z": numbers(20, 40)}))
    assert text.verdict == (
        "No test example was found in two of the 3 datasets: independence is plausible."
    )
    assert text.reason == "40 examples were compared by the column text, letter by letter."
    assert text.effect == (
        "Fisher may then be used: the answer is “No, independent”, if nothing else ties "
        "these test sets to each other."
    )
    assert text.caveats[0].startswith("Only exact repeats are found: no paraphrase")
    assert text.caveats[-1].startswith("This is about test examples.")


def test_equally_large_datasets_are_pointed_out_before_they_are_called_independent() -> None:
    caveats = overlap_caveats(overlap({"x": numbers(0, 9), "y": numbers(9, 18), "z": [99]}))
    assert (
        "Equally many examples: x and y (9 each). Should they be the same ones in other languages, "
        "they depend on each other: keep “Not known, or yes” then."
    ) in caveats


def test_shared_examples_keep_bonferroni() -> None:
    text = overlap_text(overlap({"x": numbers(0, 10), "y": numbers(8, 12), "z": [50, 51]}))
    assert text.verdict == (
        "1 of 3 pairs of datasets has test examples in common: x and y (2, 50% of the smaller)."
    )
    assert text.effect == (
        f"Tests on shared examples depend on each other; Fisher's count can overstate. {KEEP}"
    )


def test_a_union_is_named_with_its_parts() -> None:
    text = overlap_text(
        overlap({"REL": numbers(0, 60), "WS": numbers(0, 100), "SIM": numbers(40, 100)})
    )
    assert text.verdict == "WS is made of REL and SIM."
    assert text.effect.endswith(KEEP)
    assert text.caveats[-1] == (
        "3 of 3 pairs of datasets have test examples in common: REL and WS (60, 100% of the "
        "smaller), WS and SIM (60, 100% of the smaller), REL and SIM (20, 33% of the smaller)."
    )


def test_a_union_that_lacks_examples_says_how_many() -> None:
    found = overlap({"a": numbers(0, 60), "all": numbers(0, 100), "b": numbers(40, 97)})
    assert overlap_sentence(found) == "all is nearly made of a and b (97 of its 100 examples)."


@pytest.mark.parametrize(
    ("inner", "outer", "sentence"),
    [
        ((0, 20), (0, 90), "inner lies wholly within outer."),
        ((1, 101), (3, 300), "inner lies with 98 of 100 examples within outer."),
        ((0, 20), (0, 20), "inner and outer hold the same examples."),
    ],
)
def test_a_dataset_within_another_is_named(
    inner: tuple[int, int], outer: tuple[int, int], sentence: str
) -> None:
    assert overlap_sentence(overlap({"inner": numbers(*inner), "outer": numbers(*outer)})) == (
        sentence
    )


def test_possible_translations_are_named_with_their_sign() -> None:
    text = overlap_text(overlap({"nli-de": numbers(0, 9), "nli-fr": numbers(9, 18)}))
    assert text.verdict == (
        "No test example was found in both datasets, but these may hold the same examples in other "
        "words: nli-de and nli-fr."
    )
    assert text.reason == (
        "What points to it: as many examples, and names that differ only in the language."
    )
    assert text.effect == KEEP


def test_where_nothing_could_be_compared_the_answer_stays() -> None:
    text = overlap_text(overlap(ids={"x": ["1", "2"], "y": ["1", "2", "3"]}))
    assert text.verdict == (
        "We cannot tell from this file whether the datasets share test examples."
    )
    assert text.reason.startswith("The file has no texts or distinctive ids.")
    assert text.effect == KEEP
    assert text.caveats == ()


def test_a_table_without_examples_keeps_the_answer() -> None:
    assert no_examples_sentence().endswith(KEEP)


def test_ids_say_that_they_alone_were_compared() -> None:
    text = overlap_text(overlap(ids={"x": ["car", "sea"], "y": ["gem", "boy"]}))
    assert text.verdict.endswith("independence is plausible.")
    assert text.reason == "4 examples were compared by their ids."
    assert text.caveats[0].startswith("Ids alone were compared")


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ({"x": [0, 1, -1], "y": [2, 3, 4]}, "1 example of x without a text could not be compared."),
        ({"x": [7, 7, 7, 7], "y": [2, 3, 4]}, "x repeats the same input"),
        ({"x": [7] * 4, "y": [8] * 4}, "x and y repeat the same input"),
    ],
)
def test_what_leaves_it_open_is_said(codes: dict[str, list[int]], words: str) -> None:
    text = overlap_text(overlap(codes))
    assert text.verdict == ("No test example was found in both datasets, but that decides nothing.")
    assert words in text.reason
    assert text.effect == KEEP


def test_ids_given_within_a_dataset_leave_it_open() -> None:
    text = overlap_text(overlap(ids={"x": ["a3f", "b77c", "c0d"], "y": ["gem", "boy", "oven"]}))
    assert text.reason.startswith("The ids of x may have been given within the dataset")


def test_repeated_examples_are_pointed_out() -> None:
    caveats = overlap_caveats(overlap({"x": [0, 0, 1, 2], "y": [5, 5, 5, 6, 7, 8]}))
    assert any(
        "3 examples repeat an earlier input (most of them in y: 2)" in caveat for caveat in caveats
    )


def test_one_dataset_needs_no_answer() -> None:
    text = overlap_text(overlap({"x": [0, 1]}))
    assert text.verdict == "One dataset: there is no other that it could depend on."
    assert text.effect == ""


@pytest.mark.parametrize("kind", ["chain", "pairs", "sizes", "languages"])
def test_sentences_stay_short_however_many_datasets_share_something(kind: str) -> None:
    n = 300
    codes = {
        "chain": {f"dataset number {i}": numbers(0, i + 1) for i in range(n)},
        "pairs": {f"dataset number {i}": numbers(5 * i, 5 * i + 9) for i in range(n)},
        "sizes": {f"dataset number {i}": numbers(9 * i, 9 * i + 3 + i % 4) for i in range(n)},
        "languages": {f"set {i} de": numbers(9 * i, 9 * i + 4) for i in range(n)}
        | {f"set {i} en": numbers(99_000 + 9 * i, 99_000 + 9 * i + 4) for i in range(n)},
    }[kind]
    text = overlap_text(overlap(codes))
    for sentence in (text.verdict, text.reason, text.effect, *text.caveats):
        assert len(sentence) < LONG
    assert " more" in " ".join((text.verdict, *text.caveats))


def test_what_hundreds_of_pairs_share_for_one_reason_is_one_line() -> None:
    def sets(n: int, *shared: int) -> dict[str, list[int]]:
        return {f"d{i}": [*shared, *numbers(100 * i, 100 * i + 20)] for i in range(1, n + 1)}

    def verdict(codes: dict[str, list[int]]) -> str:
        return overlap_text(overlap(codes)).verdict

    assert verdict(sets(18, 1, 2, 3)) == "All 18 datasets have the same 3 test examples in common."
    assert verdict(sets(18, 1)) == "All 18 datasets have 1 test example in common."
    # Some in all, others in many, and two that share more.
    codes = sets(18, 1)
    for i in range(1, 16):
        codes[f"d{i}"] += [2, 3]
    codes["d4"] += codes["d9"][3:10]
    said = verdict(codes)
    assert said.startswith("153 of 153 pairs of datasets have test examples in common")
    assert "1 test example stands in all 18 datasets" in said
    assert "2 test examples stand in 15 of them (d1, d2, d3 and 12 more)" in said
    assert "Beyond that, 1 pair has more in common: d4 and d9 (10," in said
    assert len(said) < 300
    # Pairs for reasons of their own are told one by one.
    own = {f"d{i}": numbers(5 * i, 5 * i + 9) for i in range(40)}
    assert verdict(own).count(" and ") == 11


def test_texts_that_all_datasets_have_are_one_line() -> None:
    given = {f"d{i}": (numbers(20 * i, 20 * i + 5), [1, 2, 900 + i]) for i in range(2, 12)}
    text = overlap_text(sharing_texts(x=(numbers(0, 9), [1, 2]), y=([9], [2, 1]), **given))
    assert text.verdict == "All 12 datasets have the same 2 texts in common."


def test_datasets_of_the_same_examples_or_within_one_other_are_told_together() -> None:
    same = {f"criterion {i}": numbers(0, 30) for i in range(8)}
    assert overlap_sentence(overlap(same)) == (
        f"{', '.join(list(same)[:-1])} and criterion 7 hold the same examples."
    )
    parts = {"x": numbers(0, 9), "y": numbers(0, 3), "all": numbers(0, 90), "copy": numbers(0, 90)}
    said = overlap_sentence(overlap(parts))
    assert "all and copy hold the same examples" in said
    assert "x and y lie wholly within all" in said
    assert said.count(" copy") == 1


def test_names_in_sentences_cannot_rearrange_them() -> None:
    found = overlap({"x\n\u202ey": numbers(0, 9), "z" * 90: numbers(0, 3)})
    assert "\u202e" not in overlap_sentence(found)
    assert "\n" not in overlap_sentence(found)
    assert "z" * 70 not in overlap_sentence(found)


def test_the_table_has_a_row_for_each_pair_those_that_share_most_first() -> None:
    found = overlap(
        {
            "REL": numbers(0, 60),
            "WS": numbers(0, 100),
            "SIM": numbers(40, 100),
            "far": [99, 500, 501, 502],
        }
    )
    table = overlap_table(found)
    assert list(table.columns) == ["dataset", "other", "shared", "share", "note"]
    assert table[["dataset", "other", "shared"]].to_numpy().tolist() == [
        ["REL", "WS", 60],
        ["WS", "SIM", 60],
        ["REL", "SIM", 20],
        ["WS", "far", 1],
        ["SIM", "far", 1],
    ]
    assert table["share"].tolist() == pytest.approx([1, 1, 1 / 3, 1 / 4, 1 / 4])
    assert table["note"].tolist() == [
        "REL lies wholly within WS; WS is made of REL and SIM",
        "SIM lies wholly within WS; WS is made of REL and SIM",
        "",
        "",
        "",
    ]


def test_the_table_lists_possible_translations_too() -> None:
    table = overlap_table(overlap({"nli-de": numbers(0, 9), "nli-fr": numbers(9, 18), "x": [50]}))
    ((dataset, other, shared, share, note),) = table.to_numpy().tolist()
    assert (dataset, other, shared, share) == ("nli-de", "nli-fr", 0, 0.0)
    assert note.startswith("possibly translations")


def test_the_table_is_empty_where_nothing_is_shared() -> None:
    assert overlap_table(overlap({"x": [0], "y": [1]})).empty


def sharing_texts(**more: tuple[list[int], list[int]]) -> Overlap:
    """Each dataset's examples and its texts, by numbers."""
    given = {"x": (numbers(0, 9), [1, 2, 3]), "y": (numbers(10, 19), [3, 2, 7]), **more}
    return find_overlap(
        ResultSet(
            datasets=tuple(given),
            systems=("A", "B"),
            values={"score": tuple(np.zeros((len(codes), 2)) for codes, _ in given.values())},
            higher_is_better={"score": True},
            inputs=Inputs(
                columns=("text", "context"),
                codes=tuple(np.array(codes) for codes, _ in given.values()),
                texts=tuple(np.array(texts) for _, texts in given.values()),
                text_columns=("text", "context"),
            ),
        )
    )


def test_texts_in_common_keep_bonferroni() -> None:
    text = overlap_text(sharing_texts(z=(numbers(20, 30), [99])))
    assert text.verdict == "Examples of these datasets have texts in common: x and y (2 texts)."
    assert text.reason.startswith(
        "No two examples agree in every column, but texts of text and context do"
    )
    assert text.effect.endswith(KEEP)
    assert "no text that is a part of a longer one" in text.caveats[0]


def test_texts_in_common_are_told_beside_whole_examples() -> None:
    text = overlap_text(sharing_texts(z=([0, 50], [1, 99])))
    assert text.verdict.startswith("1 of 3 pairs of datasets has test examples in common: x and z")
    assert any("x and y (2 texts)" in caveat for caveat in text.caveats)


def test_the_table_lists_pairs_that_share_texts_alone() -> None:
    table = overlap_table(sharing_texts(z=([0, 50], [1, 99])))
    assert table[["dataset", "other", "shared", "note"]].to_numpy().tolist() == [
        ["x", "z", 1, ""],
        ["x", "y", 0, "2 texts in common"],
    ]


def test_where_texts_were_compared_one_by_one_it_is_said() -> None:
    given = {name: (numbers(20 * i, 20 * i + 5 + i), [i]) for i, name in enumerate("xyz", start=4)}
    text = overlap_text(sharing_texts(**given))
    assert text.verdict.endswith("independence is plausible.")
    assert text.reason.endswith("and their texts one by one, whichever column they stand in.")


def same_scores(*more: str) -> ResultSet:
    one = (np.random.default_rng(1).random((500, 2)) < 0.7).astype(float)
    other = (np.random.default_rng(2).random((500, 2)) < 0.7).astype(float)
    scores = {"hi": one, "ja": other, "hi_copy": one} | dict.fromkeys(more, other)
    return ResultSet(
        datasets=tuple(scores),
        systems=("A", "B"),
        values={"score": tuple(scores.values())},
        higher_is_better={"score": True},
    )


def test_datasets_with_the_same_scores_are_named_and_contradict_independence() -> None:
    data = same_scores()
    found = find_overlap(data)
    text = overlap_text(found)
    assert text.verdict == "hi and hi_copy have the same scores on all 500 examples."
    assert KEEP in text.effect
    assert overlap_table(found)[["dataset", "other", "note"]].to_numpy().tolist() == [
        ["hi", "hi_copy", "the same scores on all examples"]
    ]
    said = contradicted_sentence(found)
    assert said.startswith(text.verdict)
    assert "speaks against the answer" in said
    assert counted_twice_sentence(data, found.same_scores) == (
        "hi and hi_copy have the same scores on all 500 examples: what is one dataset under two "
        "names counts twice here. Leave one of them out."
    )
    assert counted_twice_sentence(data, ()) == ""


def test_what_is_left_out_contradicts_nothing_and_counts_once() -> None:
    data = same_scores()
    found = find_overlap(data)
    for left_out in ("hi", "hi_copy"):
        assert contradicted_sentence(without_datasets(found, [left_out])) == ""
        assert counted_twice_sentence(data, found.same_scores, [left_out]) == ""
    assert contradicted_sentence(without_datasets(found, ["ja"])) == contradicted_sentence(found)


def test_leaving_out_a_copy_of_what_stays_chooses_nothing_among_the_results() -> None:
    data = same_scores("ja_copy")
    same = find_overlap(data).same_scores

    def said(*left_out: str) -> str:
        return left_out_sentence(left_out, copies_left_out(data, same, left_out))

    alone = "Left out by hand: hi_copy, with the same scores as hi, which stays. That chooses"
    assert said("hi_copy").startswith(alone)
    assert "hi, with the same scores as hi_copy, which stays." in said("hi")
    assert "guarantee" not in said("hi", "ja_copy")
    assert "hi and ja_copy, with the same scores as hi_copy and ja, which stay." in said(
        "hi", "ja_copy"
    )
    # Of what does not stay under any name something was chosen.
    both = said("hi", "hi_copy", "ja")
    assert both.startswith("Left out by hand: hi and hi_copy. Where that was decided after")
    assert "Left out by hand: ja, with the same scores as ja_copy, which stays." in both


def test_of_shared_examples_and_unions_only_those_that_count_contradict() -> None:
    def said(found: Overlap, *left_out: str) -> str:
        return contradicted_sentence(without_datasets(found, left_out))

    found = overlap({"x": numbers(0, 9), "y": numbers(8, 20), "z": numbers(20, 40)})
    assert "x and y" in said(found, "z")
    assert said(found, "x") == said(found, "y") == ""
    union = overlap({"w": numbers(0, 40), "x": numbers(0, 20), "y": numbers(20, 40)})
    assert "made of" in said(union)
    assert "x lies wholly within w" in said(union, "y")
    assert said(union, "w") == ""


@pytest.mark.parametrize("left_out", [["v"], ["x"], ["v", "y"], ["w", "z"], ["v", "w", "x", "y"]])
def test_without_datasets_the_same_is_said_as_of_a_file_that_never_had_them(
    left_out: list[str],
) -> None:
    given = {
        "v": numbers(0, 9),
        "w": [*numbers(5, 20), 5],
        "x": numbers(18, 40),
        "y": [*numbers(60, 75), -1],
        "z": numbers(20, 24),
    }
    kept = {name: codes for name, codes in given.items() if name not in left_out}
    found, expected = without_datasets(overlap(given), left_out), overlap(kept)
    assert found.pairs.held == expected.pairs.held
    assert overlap_text(found) == overlap_text(expected)
    assert overlap_table(found).equals(overlap_table(expected))
    assert (found.n_shared == expected.n_shared).all()


@pytest.mark.parametrize("left_out", ["hi", "ja", "ja_copy"])
def test_without_a_dataset_groups_with_the_same_scores_keep_their_names(left_out: str) -> None:
    whole = find_overlap(same_scores("ja_copy"))
    found = without_datasets(whole, [left_out])
    named = {tuple(found.datasets[index] for index in group) for group in found.same_scores}
    assert named == {("hi", "hi_copy"), ("ja", "ja_copy")} - {
        group for group in (("hi", "hi_copy"), ("ja", "ja_copy")) if left_out in group
    }


def test_several_copies_are_told_in_one_sentence() -> None:
    data = same_scores("ja_copy")
    assert counted_twice_sentence(data, find_overlap(data).same_scores) == (
        "hi and hi_copy have the same scores on all 500 examples; ja and ja_copy have the same "
        "scores on all 500 examples: what is one dataset under several names counts more than "
        "once here. Leave all but one of each out."
    )
