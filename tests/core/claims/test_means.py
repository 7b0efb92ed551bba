from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.claims.possible import possible_t_p_values
from core.claims.sizes import n_at_which_t_possible
from core.claims.splits import ClaimAlternative

SIDES: tuple[ClaimAlternative, ...] = ("greater", "two-sided")


@pytest.mark.parametrize("alternative", SIDES)
@given(seed=st.integers(0, 10**6), decimals=st.integers(1, 4))
def test_the_p_value_of_real_scores_is_always_possible(
    alternative: ClaimAlternative, seed: int, decimals: int
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 200))
    shared = rng.normal(size=n)
    a = 2 + shared * rng.uniform(0, 2) + rng.normal(size=n)
    b = 2 + shared * rng.uniform(-2, 2) + rng.normal(size=n)
    p = float(stats.ttest_rel(a, b, alternative=alternative).pvalue)
    means = {"mean_a": f"{a.mean():.{decimals}f}", "mean_b": f"{b.mean():.{decimals}f}"}
    for spreads in (
        {"sd_a": f"{a.std(ddof=1):.{decimals}f}", "sd_b": f"{b.std(ddof=1):.{decimals}f}"},
        {"sd_difference": f"{(a - b).std(ddof=1):.{decimals}f}"},
    ):
        possible = possible_t_p_values(n=n, alternative=alternative, **means, **spreads)  # type: ignore[arg-type]
        found = possible.attains(max(0.0, p - 5e-5), min(1.0, p + 5e-5))
        assert found.verdict == "attainable"
    exact = possible_t_p_values(
        float(a.mean()), float(b.mean()), n,
        sd_a=float(a.std(ddof=1)), sd_b=float(b.std(ddof=1)), alternative=alternative,
    ).attains(p * 0.999, min(1.0, p * 1.001))  # fmt: skip
    ((low, high),) = exact.correlations
    assert low - 1e-6 <= np.corrcoef(a, b)[0, 1] <= high + 1e-6


def test_the_range_is_that_of_correlations_from_minus_one_to_one() -> None:
    n, sd_a, sd_b = 40, 0.3, 0.2
    found = possible_t_p_values(0.55, 0.5, n, sd_a=sd_a, sd_b=sd_b)
    base = np.tile([1.0, -1.0], n // 2) / np.tile([1.0, -1.0], n // 2).std(ddof=1)
    ends = [
        stats.ttest_rel(0.55 + sd_a * base, 0.5 + sign * sd_b * base, alternative="greater").pvalue
        for sign in (1, -1)
    ]
    assert (found.low, found.high) == pytest.approx(sorted(ends))


def test_means_hostile_to_division_have_answers() -> None:
    for options in ({"sd_a": 0, "sd_b": 0}, {"sd_difference": 0.0}, {"sd_difference": "0.0"}):
        for n in (1, 2, 100):
            for mean in (0.5, 0.6, 0.4):
                found = possible_t_p_values(mean, 0.5, n, **options)
                assert 0.0 <= found.low <= found.high <= 1.0
    assert possible_t_p_values(0.6, 0.5, 1, sd_difference=0.1).low == 1.0


def test_spreads_are_checked() -> None:
    for options, message in [
        ({}, "Give either"),
        ({"sd_a": 1.0}, "Give either"),
        ({"sd_a": 1.0, "sd_b": 1.0, "sd_difference": 1.0}, "Give either"),
        ({"sd_a": 1.0, "sd_difference": 1.0}, "Give either"),
        ({"sd_difference": -1.0}, "`sd_difference` must not be negative"),
        ({"sd_difference": "wide"}, "`sd_difference` must be a printed number"),
    ]:
        with pytest.raises(ValueError, match=message):
            possible_t_p_values(0.6, 0.5, 10, **options)  # type: ignore[arg-type]


def test_the_n_that_makes_a_p_value_possible_is_the_nearest() -> None:
    def largest(n: int) -> float:
        return float(stats.t.sf(0.1 / 0.2 * n**0.5, n - 1))

    found = n_at_which_t_possible(0.6, 0.5, 200, (0.01, 0.02), sd_a=0.1, sd_b=0.1)
    assert not found.possible
    assert found.largest_below is not None
    assert largest(found.largest_below) >= 0.01 > largest(found.largest_below + 1)
    assert found.smallest_above is None
