"""What is said of repeated runs, and of wins looked for on other datasets."""

from __future__ import annotations

import numpy as np
from scipy import stats

from core.reliability.across_domains import across_domains
from core.reliability.repeated_runs import RunStudy, run_to_run
from core.words.reliability_runs import (
    bins_with,
    domains_frame,
    domains_sentence,
)


def runs(shifts: tuple[float, ...], seed: int) -> RunStudy:
    rng = np.random.default_rng(seed)
    base = rng.normal(0.0, 1.0, 80)
    a = np.column_stack([base + shift + rng.normal(0.0, 0.5, 80) for shift in shifts])
    b = np.column_stack([base + rng.normal(0.0, 0.5, 80) for _ in range(2)])
    return run_to_run(a, b, test="paired-t", n_resamples=499, rng=seed)


def test_wins_that_hold_are_counted_up_to_the_level_itself() -> None:
    # One pair of systems on three datasets; A wins on the first with p = .045, loses on the third.
    p_values = np.array([[0.045, 0.2, 0.9]])
    found = across_domains(p_values, np.array([[1.0, 0.5, -0.4]]), bins=bins_with(0.05))
    assert "50% of 2" in domains_sentence(found, alpha=0.05)
    frame = domains_frame(found)
    assert list(frame["p on one dataset"]) == [".04–.05"]
    low, high = stats.binomtest(1, 2).proportion_ci()
    assert frame["95% interval"][0] == f"{100 * low:.0f}% to {100 * high:.0f}%"
