"""What is said of repeated runs, and of wins looked for on other datasets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import stats

from core.reliability.across_domains import across_domains
from core.reliability.repeated_runs import RunStudy, run_to_run
from core.words.reliability_runs import (
    bins_with,
    dataset_runs_sentence,
    domains_frame,
    domains_sentence,
    pairs_frame,
    runs_frame,
    runs_sentence,
)


def runs(shifts: tuple[float, ...], seed: int) -> RunStudy:
    rng = np.random.default_rng(seed)
    base = rng.normal(0.0, 1.0, 80)
    a = np.column_stack([base + shift + rng.normal(0.0, 0.5, 80) for shift in shifts])
    b = np.column_stack([base + rng.normal(0.0, 0.5, 80) for _ in range(2)])
    return run_to_run(a, b, test="paired-t", n_resamples=499, rng=seed)


STUDIES = {"lucky": runs((0.6, 0.0, -0.5), 1), "steady": runs((0.8, 0.8, 0.8), 2)}


def test_differences_of_averages_are_printed_with_few_decimals_and_the_answer_first() -> None:
    frame = runs_frame(STUDIES)
    assert list(frame.columns)[1:3] == ["p, all together", "variance from runs"]
    assert all(len(cell) <= 6 for cell in frame["A − B"])
    study = STUDIES["steady"]
    small = replace(study, difference=study.difference / 1e4, differences=study.differences / 1e4)
    assert len(runs_frame({"small": small})["A − B"][0].partition(".")[2]) == 6


def test_stopped_runs_have_the_p_value_of_all_together() -> None:
    study = STUDIES["steady"]
    p_values = study.p_values.copy()
    p_values[1:] = np.nan
    stopped = replace(study, p_values=p_values, complete=False)
    sentence = runs_sentence({"steady": stopped})
    assert sentence.startswith("Stopped early")
    assert "1 of 1: steady" in sentence


def test_the_tables_tell_the_p_value_of_each_pair() -> None:
    study = STUDIES["lucky"]
    frame = pairs_frame(study, ["1", "2", "3"], ["1", "2"])
    assert frame.shape == (3, 3)
    stars = sum(cell.startswith("★") for cell in frame.iloc[:, 1:].to_numpy().ravel())
    assert stars == int(np.sum(study.p_values <= 0.05))
    row = runs_frame(STUDIES).set_index("dataset").loc["lucky"]
    assert row["pairs with p ≤ .05"] == f"{stars} of 6"
    assert f"p ≤ .05 in {stars}." in dataset_runs_sentence("lucky", study)


def test_runs_whose_names_are_cut_to_the_same_keep_their_columns() -> None:
    study = STUDIES["lucky"]
    names = ["n" * 70 + "1", "n" * 70 + "2"]
    assert pairs_frame(study, ["1", "2", "3"], names).columns.is_unique


def test_wins_that_hold_are_counted_up_to_the_level_itself() -> None:
    # One pair of systems on three datasets; A wins on the first with p = .045, loses on the third.
    p_values = np.array([[0.045, 0.2, 0.9]])
    found = across_domains(p_values, np.array([[1.0, 0.5, -0.4]]), bins=bins_with(0.05))
    assert "50% of 2" in domains_sentence(found, alpha=0.05)
    frame = domains_frame(found)
    assert list(frame["p on one dataset"]) == [".04–.05"]
    low, high = stats.binomtest(1, 2).proportion_ci()
    assert frame["95% interval"][0] == f"{100 * low:.0f}% to {100 * high:.0f}%"
