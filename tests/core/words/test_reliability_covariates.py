"""What is said along a covariate: whether the difference depends on it, and what chance does."""

from __future__ import annotations

import numpy as np

from core.reliability.cut_offs import CutOffStudy
from core.words.reliability_runs import (
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
    assert "1 of 2" in sentence
    assert "Holm identifies planted" in sentence
    assert "even" not in sentence


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


def test_of_remarks_those_on_columns_that_describe_no_examples_are_kept() -> None:
    told = "“length” is not read as describing the examples, as “x” on line 3 is no number."
    assert why_not_read([told, "One row is empty."]) == [told]
