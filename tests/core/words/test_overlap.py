"""What is said of datasets that share examples, and which answer on dependence follows."""

import numpy as np

from core.data.overlap.find import find_overlap
from core.data.result_set import ResultSet
from core.words.counting import left_out_sentence
from core.words.overlap import (
    contradicted_sentence,
    effect_sentence,
    overlap_notes,
    overlap_sentence,
    overlap_table,
)
from core.words.testing import copies_left_out, counted_twice_sentence
from tests.core.data.overlap.test_overlap import matrix
from tests.core.words.made import overlap

LONG = 2_500


def test_sentences_stay_short_however_many_datasets_share_something() -> None:
    n = 150
    for kind, codes in {
        "chain": {f"dataset number {i}": range(i + 1) for i in range(n)},
        "pairs": {f"dataset number {i}": range(5 * i, 5 * i + 9) for i in range(n)},
        "sizes": {f"dataset number {i}": range(9 * i, 9 * i + 3 + i % 4) for i in range(n)},
        "languages": {f"set {i} de": range(9 * i, 9 * i + 4) for i in range(n)}
        | {f"set {i} en": range(99_000 + 9 * i, 99_000 + 9 * i + 4) for i in range(n)},
    }.items():
        found = overlap(codes)
        sentences = (overlap_sentence(found), effect_sentence(found), *overlap_notes(found))
        assert max(map(len, sentences)) < LONG, kind


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


def test_datasets_with_the_same_scores_contradict_independence() -> None:
    data = same_scores()
    found = find_overlap(data)
    assert overlap_table(found)[["dataset", "other"]].to_numpy().tolist() == [["hi", "hi_copy"]]
    assert contradicted_sentence(found)
    assert counted_twice_sentence(data, found.same_scores)
    assert counted_twice_sentence(data, ()) == ""
    # What is left out contradicts nothing, and counts once.
    for left_out in ("hi", "hi_copy"):
        assert contradicted_sentence(find_overlap(data, left_out=[left_out])) == ""
        assert counted_twice_sentence(data, found.same_scores, [left_out]) == ""
    without = find_overlap(data, left_out=["ja"])
    assert contradicted_sentence(without) == contradicted_sentence(found)


def test_leaving_out_a_copy_of_what_stays_chooses_nothing_among_the_results() -> None:
    data = same_scores("ja_copy")
    same = find_overlap(data).same_scores

    def said(*left_out: str) -> str:
        return left_out_sentence(left_out, copies_left_out(data, same, left_out))

    kept = "does not affect the guarantee"
    assert "hi_copy, which has the same scores as hi" in said("hi_copy")
    assert "hi, which has the same scores as hi_copy" in said("hi")
    assert "hi and ja_copy, which have the same scores as hi_copy and ja" in said("hi", "ja_copy")
    assert all(kept in said(*names) for names in (["hi_copy"], ["hi"], ["hi", "ja_copy"]))
    # Of what does not stay under any name something was chosen.
    both = said("hi", "hi_copy", "ja")
    lost, kept_too = both.split("no longer holds.")
    assert "hi and hi_copy" in lost
    assert "ja, which has the same scores as ja_copy" in kept_too
    assert kept in kept_too


def test_of_shared_examples_and_unions_only_those_that_count_contradict() -> None:
    def said(codes: dict[str, range], *left_out: str) -> str:
        return contradicted_sentence(overlap(codes, left_out))

    shared = {"x": range(9), "y": range(8, 20), "z": range(20, 40)}
    assert "x and y" in said(shared, "z")
    assert said(shared, "x") == said(shared, "y") == ""
    union = {"w": range(40), "x": range(20), "y": range(20, 40)}
    assert "union of" in said(union)
    assert "x lies wholly within w" in said(union, "y")
    assert said(union, "w") == ""


def test_without_datasets_the_same_is_said_as_of_a_file_that_never_had_them() -> None:
    for left_out in [["v"], ["x"], ["v", "y"], ["w", "z"], ["v", "w", "x", "y"]]:
        given = {
            "v": range(9),
            "w": [*range(5, 20), 5],
            "x": range(18, 40),
            "y": [*range(60, 75), -1],
            "z": range(20, 24),
        }
        kept = {name: codes for name, codes in given.items() if name not in left_out}
        found, expected = overlap(given, left_out), overlap(kept)
        for of in (overlap_sentence, effect_sentence, lambda one: [*overlap_notes(one)]):
            assert of(found) == of(expected), left_out
        assert overlap_table(found).equals(overlap_table(expected)), left_out
        assert matrix(found) == matrix(expected), left_out


def test_without_a_dataset_groups_with_the_same_scores_keep_their_names() -> None:
    data = same_scores("ja_copy")
    for left_out, stays in (("hi", "ja"), ("ja", "hi"), ("ja_copy", "hi")):
        found = find_overlap(data, left_out=[left_out])
        named = [tuple(found.datasets[index] for index in group) for group in found.same_scores]
        assert named == [(stays, f"{stays}_copy")], left_out
