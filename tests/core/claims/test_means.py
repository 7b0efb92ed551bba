from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.claims.means import possible_t_p_values
from core.claims.printed_scores import ClaimAlternative

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
        possible = possible_t_p_values(n=n, alternative=alternative, **means, **spreads)
        found = possible.attains(max(0.0, p - 5e-5), min(1.0, p + 5e-5))
        assert found.verdict == "attainable"
    exact = possible_t_p_values(
        float(a.mean()), float(b.mean()), n,
        sd_a=float(a.std(ddof=1)), sd_b=float(b.std(ddof=1)), alternative=alternative,
    ).attains(p * 0.999, min(1.0, p * 1.001))  # fmt: skip
    ((low, high),) = exact.correlations
    assert low - 1e-6 <= np.corrcoef(a, b)[0, 1] <= high + 1e-6


def test_means_hostile_to_division_have_answers() -> None:
    for options in ({"sd_a": 0, "sd_b": 0}, {"sd_difference": 0.0}, {"sd_difference": "0.0"}):
        for n in (1, 2, 100):
            for mean in (0.5, 0.6, 0.4):
                found = possible_t_p_values(mean, 0.5, n, **options)
                assert 0.0 <= found.low <= found.high <= 1.0
    assert possible_t_p_values(0.6, 0.5, 1, sd_difference=0.1).low == 1.0
