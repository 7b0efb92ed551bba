"""A printed interval against its estimate, and what two means with their spreads leave open."""

import re
from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.claims.check import check_claims
from core.claims.means import check_means, possible_t_p_values
from core.claims.possible import SpeaksFor
from tests.core.claims.made_tables import keys


def verdict_of(low: str, high: str, estimate: str) -> str:
    (verdict,) = keys(check_claims(None, f"interval {low} to {high} about {estimate}"))
    return verdict


def test_an_honest_interval_is_never_doubted() -> None:
    rng = np.random.default_rng(2013)
    for _ in range(300):
        estimate, error = rng.normal(0, 5), rng.uniform(0.2, 5)
        half = error * stats.norm.ppf(0.975)
        places = int(rng.integers(0, 4))
        low, high, middle = (
            f"{x:.{places}f}" for x in (estimate - half, estimate + half, estimate)
        )
        if float(low) < float(high):
            assert verdict_of(low, high, middle) == "holds", (low, high, middle)


def test_the_verdict_is_that_of_every_choice_within_the_rounding() -> None:
    """Brute force in fractions, over the ends of what the digits allow."""
    seen = set()
    for low, high, estimate in product(
        ("-1.0", "0.5", ".25"), ("1.5", "2", "2.75"), ("1", ".4", "0.83", "3.1", "-2")
    ):
        ranges = [ends(text) for text in (low, high, estimate)]
        middles = [(a + b) / 2 for a in ranges[0] for b in ranges[1]]
        e_low, e_high = ranges[2]
        if e_high < ranges[0][0] or e_low > ranges[1][1]:
            expected = "contradicted"
        elif e_low <= max(middles) and e_high >= min(middles):
            expected = "holds"
        elif ranges[0][0] > 0 and float(e_high) >= min(
            stats.gmean([float(a), float(b)]) for a in ranges[0] for b in ranges[1]
        ):
            # Limits turned back from logarithms lie about their geometric mean.
            expected = "depends" if e_low < max(middles) else "not-shown"
        else:
            expected = "not-shown"
        assert verdict_of(low, high, estimate) == expected, (low, high, estimate)
        seen.add(expected)
    assert len(seen) == 4


def test_the_middle_and_the_width_are_told_on_the_side_where_they_lie() -> None:
    for estimate, side, reach in (("2.8", "below", "1.8 to 3.8"), ("1.2", "above", ".2 to 2.2")):
        report = check_claims(None, f"interval 1.0 to 3.0 about {estimate}")
        (verdict,) = report.verdicts
        assert f"is 2 (1.95 to 2.05 within rounding), .8 {side} {estimate}." in verdict.why
        said = "".join((*verdict.behind, verdict.settle))
        # 1 / 1.96 is .510.
        assert "half-width of 1 is that of a standard error of .51 (normal, 95%)" in said
        assert f"About {estimate} the same width would reach from {reach}" in said
    # All of what a share can be.
    assert verdict_of("0.0", "100.0", "50.0") == "holds"


def ends(printed: str) -> tuple[Fraction, Fraction]:
    half = Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))
    return Fraction(printed) - half, Fraction(printed) + half


def test_intervals_of_shares_and_correlations_as_software_computes_them_are_not_accused() -> None:
    share = stats.binomtest(828, 872).proportion_ci(0.95, method="wilson")
    z, half = np.arctanh(0.68), stats.norm.ppf(0.975) / np.sqrt(48 - 3)
    cases = [
        (f"{100 * share.low:.1f}", f"{100 * share.high:.1f}", f"{100 * 828 / 872:.1f}", "Wilson's"),
        (f"{np.tanh(z - half):.2f}", f"{np.tanh(z + half):.2f}", ".68", "Fisher's z"),
        ("0.80", "3.10", "1.57", "log"),
    ]
    for low, high, estimate, form in cases:
        report = check_claims(None, f"interval {low} to {high} about {estimate}")
        assert keys(report) == ("depends",), (low, high, estimate)
        assert f"{form}" in report.verdicts[0].behind[0]
        assert " the estimate there." in report.verdicts[0].behind[0]


def test_wilsons_intervals_are_never_doubted() -> None:
    rng = np.random.default_rng(1927)
    for _ in range(150):
        n = int(rng.integers(20, 3000))
        right = int(rng.integers(0, n + 1))
        places = int(rng.integers(1, 4))
        found = stats.binomtest(right, n).proportion_ci(0.95, method="wilson")
        low, high, middle = (f"{100 * x:.{places}f}" for x in (found.low, found.high, right / n))
        if float(low) < float(high):
            assert verdict_of(low, high, middle) in ("holds", "depends"), (low, high, middle)


@pytest.mark.parametrize(
    ("speaks_for", "alternative"), [("a", "greater"), ("b", "less"), ("either", "two-sided")]
)
@given(seed=st.integers(0, 10**6), decimals=st.integers(1, 4))
def test_the_p_value_of_real_scores_is_always_possible(
    speaks_for: SpeaksFor,
    alternative: Literal["greater", "less", "two-sided"],
    seed: int,
    decimals: int,
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
        possible = possible_t_p_values(n=n, speaks_for=speaks_for, **means, **spreads)
        found = possible.attains(max(0.0, p - 5e-5), min(1.0, p + 5e-5))
        assert found.verdict == "attainable"
    exact = possible_t_p_values(
        float(a.mean()), float(b.mean()), n,
        sd_a=float(a.std(ddof=1)), sd_b=float(b.std(ddof=1)), speaks_for=speaks_for,
    ).attains(p * 0.999, min(1.0, p * 1.001))  # fmt: skip
    ((low, high),) = exact.correlations
    assert low - 1e-6 <= np.corrcoef(a, b)[0, 1] <= high + 1e-6


def test_the_n_that_would_make_a_printed_p_value_possible_is_the_nearest_of_all_that_are_tried():
    every, seen = np.arange(2, 3000), set()
    sides: tuple[SpeaksFor, ...] = ("a", "either")
    for printed, mean, side in product(("0.04", "0.5", "0.0001", "1.0"), (0.1, 0.3, -0.1), sides):
        t = mean * np.sqrt(every)
        p = stats.t.sf(t, every - 1) if side == "a" else 2 * stats.t.sf(abs(t), every - 1)
        low, high = (float(end) for end in ends(printed))
        # Of one example p is 1.
        fits = [*([1] if high >= 1.0 else []), *every[(p >= low) & (p <= high)].tolist()]
        for n in {1, 2, 12, 60, 150, *(max(1, m + step) for m in fits[:1] for step in (-1, 1))}:
            possible = possible_t_p_values(mean, 0.0, n, speaks_for=side, sd_difference=1.0)
            said = check_means(possible, printed, side)
            nearest = [*[m for m in fits if m < n][-1:], *[m for m in fits if m > n][:1]]
            told = re.findall(r"n = ([\d,]+)(?= or| would)", said)
            expected = [] if n in fits else [f"{m:,}" for m in nearest]
            assert told == expected, (printed, mean, side, n)
            assert ("is possible" in said) == (n in fits)
            seen.add(len(told))
    assert seen == {0, 1, 2}
    with pytest.raises(ValueError, match="`low` and `high` must be an interval"):
        possible.attains(0.5, 0.4)


def test_means_hostile_to_division_have_answers() -> None:
    for options in ({"sd_a": 0, "sd_b": 0}, {"sd_difference": 0.0}, {"sd_difference": "0.0"}):
        for n in (1, 2, 100):
            for mean in (0.5, 0.6, 0.4):
                found = possible_t_p_values(mean, 0.5, n, speaks_for="either", **options)
                assert 0.0 <= found.low <= found.high <= 1.0
                assert mean != 0.5 or found.high == 1.0
    assert possible_t_p_values(0.6, 0.5, 1, sd_difference=0.1).low == 1.0
    with pytest.raises(ValueError, match="Give either"):
        possible_t_p_values(0.6, 0.5, 20, sd_a=1.0)
    with pytest.raises(ValueError, match="`sd_difference` must not be negative"):
        possible_t_p_values(0.6, 0.5, 20, sd_difference="-1")
    of_both = possible_t_p_values(0.6, 0.5, 20, sd_a=1, sd_b=1)
    for possible, depends in (
        (of_both, True),
        (possible_t_p_values(0.6, 0.5, 20, sd_difference=1), False),
    ):
        said = check_means(possible, "0.5", "a")
        assert ("depending on the correlation between" in said) == depends
        assert ("it takes a correlation of " in said) == ("is possible; it" in said)
    # Of 1 printed with no decimal the spread lies from .5 to 1.5; of 3 and 1 from 2 to 4.
    for found, nearest, furthest in (
        (possible_t_p_values("0.6", "0.1", 20, sd_difference="1"), 0.4 / 1.5, 0.6 / 0.5),
        (possible_t_p_values(0.6, 0.1, 20, sd_a=3, sd_b=1), 0.5 / 4, 0.5 / 2),
        (possible_t_p_values(0.6, 0.1, 20, sd_a=1, sd_b=3), 0.5 / 4, 0.5 / 2),
    ):
        expected = [stats.t.sf(effect * 20**0.5, 19) for effect in (furthest, nearest)]
        assert [found.low, found.high] == pytest.approx(expected)
    # Means alike to all their digits give one half whatever the correlation, and others never.
    halves = possible_t_p_values("0.6", "0.5", 20, sd_a="1", sd_b="1").attains(0.4999, 0.5)
    assert halves.correlations == ((-1.0, 1.0),)
    assert "it takes a correlation of −1.000 to 1.000." in check_means(halves.possible, "0.5", "a")
