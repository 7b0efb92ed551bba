"""What is said along a covariate: whether the difference depends on it, and what chance does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.reliability.cut_offs import CutOffStudy
from core.report.reliability_covariates import (
    cut_off_sentence,
    cut_offs_frame,
    cut_offs_sentence,
    parts_frame,
    why_not_read,
)
from tests.core.reliability.along import cut_off_study


def along(dataset: str, *, planted: bool, seed: int) -> CutOffStudy:
    rng = np.random.default_rng(seed)
    length = np.tile(np.arange(1.0, 41.0), 5)
    shift = np.where(length <= 20, 2.0, 0.0) if planted else np.full(length.size, 1.0)
    return cut_off_study(
        rng.normal(shift, 1.0),
        np.zeros(length.size),
        length,
        test="paired-t",
        n_random=99,
        rng=seed,
        dataset=dataset,
        name="length",
    )


STUDIES = {
    "planted": along("planted", planted=True, seed=1),
    "even": along("even", planted=False, seed=2),
}


def test_a_planted_cut_off_is_named_and_an_even_difference_is_not() -> None:
    sentence = cut_offs_sentence(STUDIES)
    assert "depends on length on 1 of 2 datasets (planted; p ≤ .05 each" in sentence
    assert "Holm names planted" in sentence
    assert "even" not in sentence


def test_without_any_dependence_the_sentence_says_only_that_none_is_shown() -> None:
    sentence = cut_offs_sentence({"even": STUDIES["even"], "again": STUDIES["even"]})
    assert "do not show on any of 2 datasets" in sentence


def test_one_dataset_is_told_with_what_choosing_the_cut_off_gives() -> None:
    sentence = cut_off_sentence(STUDIES["planted"])
    assert "(p = .01, all cut-offs together)" in sentence
    assert "furthest apart at 20" in sentence
    side, cut = STUDIES["planted"].smallest_at
    assert f"at length {side} {cut:g}" in sentence
    assert "do not show that the difference depends" in cut_off_sentence(STUDIES["even"])


def test_the_tables_hold_a_row_for_each_dataset_and_for_each_part() -> None:
    frame = cut_offs_frame(STUDIES).set_index("dataset")
    assert frame.loc["planted", "depends on it"] == "★ yes"
    assert frame.loc["even", "depends on it"] == "– not shown"
    assert "without a value" not in frame.columns
    study = STUDIES["planted"]
    parts = parts_frame(study)
    assert len(parts) == 2 * study.cut_offs.size
    first = study.cut_offs[0]
    assert parts["examples with"][0] == f"at most {first:g}"
    assert int(parts["n"][0]) == int(np.sum(np.tile(np.arange(1.0, 41.0), 5) <= first))


def test_another_level_may_end_the_dependence() -> None:
    strict = {name: study.at_level(0.005) for name, study in STUDIES.items()}
    assert "do not show on any of 2 datasets" in cut_offs_sentence(strict)


def test_examples_without_a_value_are_counted() -> None:
    length = np.r_[np.full(3, np.nan), np.arange(30.0)]
    study = cut_off_study(
        np.arange(length.size, dtype=float) % 7,
        np.full(length.size, 2.0),
        length,
        test="paired-t",
        n_random=19,
        dataset="d",
        name="length",
    )
    assert cut_offs_frame({"d": study})["without a value"][0] == "3 of 33"


def test_stopped_studies_say_so_in_the_sentence_of_all_and_of_each() -> None:
    begun = replace(STUDIES["even"], n_asked=200)
    assert cut_off_sentence(begun).startswith("Stopped early, after 99 of 200 random orders. even:")
    assert cut_offs_sentence({**STUDIES, "even": begun}).startswith("Stopped early. ")
    assert cut_offs_sentence(STUDIES, complete=False).startswith("Stopped early. ")
    assert "Stopped" not in cut_offs_sentence(STUDIES)


def test_where_b_is_ahead_on_every_part_the_sentence_points_to_the_swap() -> None:
    rng = np.random.default_rng(1)
    length = np.tile(np.arange(1.0, 11.0), 20)
    behind = cut_off_study(
        rng.normal(-2.0, 1.0, 200), np.zeros(200), length, test="paired-t", n_random=19
    )
    assert "swap A and B in the sidebar" in cut_off_sentence(behind)
    assert "The smallest" not in cut_off_sentence(behind)
    assert "swap" not in cut_off_sentence(STUDIES["even"])


def test_of_remarks_those_on_columns_that_describe_no_examples_are_kept() -> None:
    told = "“length” is not read as describing the examples, as “x” on line 3 is no number."
    assert why_not_read([told, "One row is empty."]) == [told]
