"""Power at a stated effect: against enumeration by hand, printed figures and simulation."""

from functools import cache
from itertools import product
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from core.comparison import COMPARISONS
from core.reliability import power as power_of_tests
from core.reliability.power import StatedEffect, examples_needed, power_at
from core.significance.counting import melded_p_values, tango_p_values
from core.significance.single import run_significance_test

UNLIKELY = 1e-4
# Those that are the binomial test.
BINOMIAL = ("mcnemar", "approximate-randomization")


@cache
def p_of_split(test: str, wins: int, losses: int) -> float:
    """By SciPy, or by the test itself where SciPy has none; the same splits come in every case."""
    if not wins + losses:
        return 1.0
    if test in BINOMIAL:
        return float(stats.binomtest(wins, wins + losses, 0.5, alternative="greater").pvalue)
    a = np.repeat([1.0, 0.0], [wins, losses])
    return run_significance_test(a, 1.0 - a, test=test).p_value


def by_hand(test: str, effect: float, n: int, q: float, alpha: float) -> float:
    """Every split of n examples into wins, losses and ties."""
    right, wrong = (q + effect) / 2, (q - effect) / 2
    power = 0.0
    for wins, losses in product(range(n + 1), repeat=2):
        if wins + losses > n:
            continue
        if p_of_split(test, wins, losses) <= alpha * (1 + 1e-12):
            ways = comb(n, wins) * comb(n - wins, losses)
            power += ways * right**wins * wrong**losses * (1 - q) ** (n - wins - losses)
    return power


@pytest.mark.parametrize(("effect", "q"), [(0.3, 0.4), (0.0, 0.5), (-0.2, 0.6), (0.5, 0.5), (0, 1)])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_power_on_outcomes_is_the_sum_over_every_split(
    effect: float, q: float, alpha: float
) -> None:
    sizes = [1, 4, 13]
    for test in (*BINOMIAL, "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected"):
        expected = [by_hand(test, effect, n, q, alpha) for n in sizes]
        chance = [by_hand(test, 0.0, n, q, alpha) for n in sizes]
        found = power_at(
            StatedEffect(effect=effect, test=test, disagreement=q, alpha=alpha),
            sizes,
        )
        assert found.power.tolist() == pytest.approx(expected, abs=1e-12), test
        assert found.attained_level.tolist() == pytest.approx(chance, abs=1e-12), test


@pytest.mark.parametrize("shift", [-0.3, 0.0, 0.1, 0.5])
def test_student_power_is_that_of_statsmodels(shift: float) -> None:
    sizes = [2, 5, 30, 200]
    found = power_at(StatedEffect(effect=2 * shift, test="paired-t", standard_deviation=2.0), sizes)
    expected = [TTestPower().power(shift, n, 0.05, alternative="larger") for n in sizes]
    assert found.power.tolist() == pytest.approx(expected, abs=1e-9)
    assert found.attained_level.tolist() == pytest.approx([0.05] * 4, abs=1e-9)
    # Far out, where nothing can be missed, or nothing found.
    far = power_at(StatedEffect(effect=shift, test="paired-t", standard_deviation=1.0), [10**6])
    assert far.power[0] == pytest.approx(float(shift > 0.0) if shift else 0.05, abs=1e-9)


def test_the_examples_needed_for_a_medium_effect_are_those_of_the_tables() -> None:
    # Cohen's d_z = .5, power .8, α = .05, one-sided.
    stated = StatedEffect(effect=0.5, test="paired-t", standard_deviation=1.0)
    assert examples_needed(stated, 0.8).n_examples == 27


def test_the_examples_needed_reach_the_power_and_fewer_do_not() -> None:
    found = examples_needed(StatedEffect(effect=0.05, test="mcnemar", disagreement=0.2), 0.9)
    n = found.n_examples
    around = power_at(
        StatedEffect(effect=0.05, test="mcnemar", disagreement=0.2), list(range(n - 1, n + 11))
    ).power.tolist()
    assert around[0] < 0.9
    assert min(around[1:]) >= 0.9
    # McNemar's own approximation (Miettinen 1968), which leaves discreteness out.
    z_alpha, z_power = stats.norm.isf(0.05), stats.norm.isf(0.1)
    approximate = (z_alpha * sqrt(0.2) + z_power * sqrt(0.2 - 0.05**2)) ** 2 / 0.05**2
    assert approximate < n < 1.08 * approximate
    # No number of examples finds what is not there.
    none = examples_needed(
        StatedEffect(effect=0.0, test="mcnemar", disagreement=0.2), 0.8, most=4_000
    )
    assert none.n_examples is None


@pytest.mark.parametrize("test", ["paired-bootstrap", "paired-t"])
def test_approximate_power_on_outcomes_is_near_what_simulation_finds(test: str) -> None:
    rng = np.random.default_rng(1)
    n, q, effect, n_repetitions = 400, 0.2, 0.05, 400
    count = 0
    for _ in range(n_repetitions):
        difference = rng.choice([1.0, -1.0, 0.0], n, p=[(q + effect) / 2, (q - effect) / 2, 1 - q])
        a, b = np.maximum(difference, 0), np.maximum(-difference, 0)
        result = run_significance_test(a, b, test=test, n_resamples=99, rng=0)
        count += result.p_value <= 0.05
    found = power_at(StatedEffect(effect=effect, test=test, disagreement=q), n)
    assert found.stated.approximation
    interval = stats.binomtest(count, n_repetitions).proportion_ci(1 - UNLIKELY)
    # The approximation itself is off by some hundredths.
    assert interval.low - 0.02 <= found.power[0] <= interval.high + 0.02


def test_arguments_out_of_range_are_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"standard_deviation": 1.0}, "`disagreement` must be given"),
        ({"disagreement": 0.2, "test": "williams"}, "`test` must be one of"),
        ({"disagreement": 0.2, "test": "chi"}, "`test` must be one of"),
    )
    for settings, message in wrong:
        with pytest.raises(ValueError, match=message):
            power_at(StatedEffect(**{"effect": 0.1, "test": "mcnemar", **settings}), 10)


@pytest.mark.parametrize("claim", [one.name for one in COMPARISONS if one.takes_margin])
def test_power_at_a_margin_is_what_tests_do(claim: str) -> None:
    one_sided = "better-by" if claim == "better-by" else "not-worse"
    for n, effect, q, margin in ((30, 0.0, 0.2, 0.1), (41, 0.12, 0.3, 0.05), (9, -0.1, 0.1, 0.4)):
        wins, losses = (side.ravel() for side in np.mgrid[0 : n + 1, 0 : n + 1])
        there = wins + losses <= n
        wins, losses = wins[there], losses[there]
        for test, p_of in (("mcnemar", melded_p_values), ("tango", tango_p_values)):
            p = p_of(wins, losses, n, margin=margin, claim=one_sided)
            if claim == "equivalent":
                p = np.maximum(p, p_of(losses, wins, n, margin=margin, claim=one_sided))
            edge = margin if claim == "better-by" else -margin
            expected = []
            for true, differing in ((effect, q), (edge, max(q, margin))):
                shares = [(differing + true) / 2, (differing - true) / 2, 1.0 - differing]
                counts = np.column_stack([wins, losses, n - wins - losses])
                chances = stats.multinomial.pmf(counts, n, np.clip(shares, 0.0, 1.0))
                expected.append(float(chances[p <= 0.05].sum()))
            found = power_at(
                StatedEffect(effect=effect, test=test, disagreement=q, claim=claim, margin=margin),
                n,
            )
            assert [found.power[0], found.attained_level[0]] == pytest.approx(expected, abs=2e-6)
    # Means: t-tests of normal differences, drawn; the level is α at the margin.
    rng = np.random.default_rng(3)
    for n, effect, margin in ((12, 0.1, 0.7), (80, 0.05, 0.3)):
        true = effect + (2.0 * margin if claim == "better-by" else 0.0)
        d = rng.normal(true, 2.0, (20_000, n))
        t = stats.ttest_1samp(d, margin if claim == "better-by" else -margin, axis=1)
        above = stats.t.sf(t.statistic, n - 1)
        below = stats.t.cdf(stats.ttest_1samp(d, margin, axis=1).statistic, n - 1)
        rate = float(
            np.mean((np.maximum(above, below) if claim == "equivalent" else above) <= 0.05)
        )
        found = power_at(
            StatedEffect(
                effect=true, test="paired-t", standard_deviation=2.0, claim=claim, margin=margin
            ),
            n,
        )
        assert found.power[0] == pytest.approx(rate, abs=4.5 * sqrt(0.25 / 20_000))
        assert 0.0 < found.attained_level[0] <= 0.05 + 1e-9
        assert (found.stated.claim, found.stated.margin) == (claim, margin)


def test_wins_found_by_a_line_are_those_that_the_test_itself_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for test, (claim, n, q, m) in product(
        ("mcnemar", "tango"),
        (
            ("not-worse", 1_500, 0.12, 0.02),
            ("better-by", 700, 0.9, 0.1),
            ("equivalent", 1_100, 0.3, 0.04),
        ),
    ):
        asked: dict[str, Any] = {"test": test, "disagreement": q, "claim": claim, "margin": m}
        quick = power_at(StatedEffect(effect=0.01, **asked), n).power[0]
        with monkeypatch.context() as patched:
            patched.setattr(power_of_tests, "_SMOOTH_FROM", n)
            assert power_at(StatedEffect(effect=0.01, **asked), n).power[0] == quick


def test_the_examples_that_a_claim_at_a_margin_takes_reach_its_power() -> None:
    taken: tuple[dict[str, Any], ...] = (
        {"test": "mcnemar", "disagreement": 0.1, "claim": "not-worse", "margin": 0.1},
        {"test": "paired-t", "standard_deviation": 1.0, "claim": "equivalent", "margin": 0.3},
    )
    for given in taken:
        asked: dict[str, Any] = {"effect": 0.0, **given}
        found = examples_needed(StatedEffect(**asked), 0.8)
        before, *after = power_at(
            StatedEffect(**asked), range(found.n_examples - 1, found.n_examples + 11)
        ).power
        assert before < 0.8 <= min(after)
        assert f"claim:{given['claim']}|margin:{given['margin']}" in found.signature
    refused: tuple[dict[str, Any], ...] = (
        {"test": "sign", "disagreement": 0.1},
        {"test": "paired-t", "disagreement": 0.1},
        {"test": "tango", "standard_deviation": 1.0},
    )
    for given in refused:
        with pytest.raises(ValueError, match="must"):
            power_at(
                StatedEffect(effect=0.0, **{"claim": "not-worse", "margin": 0.05, **given}), 50
            )


@pytest.mark.parametrize("effect", [-1.0, 1.0])
def test_where_every_example_differs_one_way_the_side_decides(effect: float) -> None:
    power = power_at(StatedEffect(effect=effect, test="paired-t", disagreement=1.0), 20)
    assert power.power == (float(effect > 0),)


def test_no_more_examples_are_needed_than_were_to_be_tried() -> None:
    asked: dict[str, Any] = {"effect": 0.5, "test": "mcnemar", "disagreement": 1.0}
    assert examples_needed(StatedEffect(**asked), 0.8, most=100).n_examples == 28
    # 23 reach the power, but 24 do not.
    assert examples_needed(StatedEffect(**asked), 0.8, most=23).n_examples is None
