"""How often each test rejects where it must not, and where it must.

Under a true null hypothesis an exact test rejects at level α with chance at most α, an approximate
one with at most α and the margin that its module states. A rate is judged by a binomial test: it
fails if a test that keeps its promise would reject so often with a chance below `JUDGED_AT`,
Bonferroni's share of .001 for all judgements here. A planted effect must be found at least as often
as `POWER` says, so that a test that always gives 1 fails.

``./run.sh calibrate`` prints the rates from more repetitions.
"""

import importlib

import pytest
from scipy.stats import binom

from core.significance.known_tests import significance_tests
from tests.calibration import correlations
from tests.calibration.promises import LEVELS, as_stated, margins, promised, stated_in
from tests.calibration.rates import SIDES, p_values, rejected
from tests.calibration.scenarios import KINDS, MEASURES, OUTCOMES, RATINGS

# At α = .05. Of an effect of three standard errors a normal test would find .91. The sign test does
# not look at sizes, which costs it a third on normal measurements.
POWER = {"sign": 0.55}
LEAST_POWER = 0.75
# Of so many a true .91 would miss LEAST_POWER by chance once in 600 times; the seed is fixed.
LEAST_DRAWN = 40

CASES = [(test, kind, n) for kind, own in KINDS.items() for n in own.sizes for test in own.tests]
N_JUDGEMENTS = len(CASES) * len(LEVELS) * len(SIDES)
JUDGED_AT = 0.001 / N_JUDGEMENTS


@pytest.mark.parametrize(("test", "kind", "n"), CASES)
def test_a_true_null_hypothesis_is_rejected_as_seldom_as_promised(
    test: str, kind: str, n: int
) -> None:
    found = p_values(test, kind, n, 0.0, KINDS[kind].quick[n])
    for level in LEVELS:
        for side, number in zip(SIDES, rejected(found, level).tolist(), strict=True):
            chance = binom.sf(number - 1, len(found), promised(test, kind, n, level))
            assert chance > JUDGED_AT, (side, level, number / len(found))


@pytest.mark.parametrize(("test", "kind", "n"), CASES)
def test_a_planted_effect_is_found_in_its_own_direction(test: str, kind: str, n: int) -> None:
    # That B's is found as well: `tests/core/significance/test_run_significance_test.py`.
    found = p_values(test, kind, n, KINDS[kind].ahead, LEAST_DRAWN)
    toward, away, two_sided = (found <= 0.05).mean(axis=0)
    enough = POWER.get(test, LEAST_POWER)
    assert toward >= enough
    assert two_sided >= enough - 0.15
    assert away <= 0.01


def test_every_test_is_judged_on_every_kind_of_scores_that_it_takes() -> None:
    # Tango's test is of claims at a margin, where its level is enumerated.
    assert {test for test, _, _ in CASES} == set(significance_tests) - {"tango"}
    assert len({(test, kind) for test, kind, _ in CASES}) == 9 + 2 * 5 + 6 * 2 + 2 * 5
    assert all(KINDS[kind].sizes == (50, 200, 1000) for kind in (OUTCOMES, RATINGS))
    assert tuple(KINDS[MEASURES].thorough) == (50, 200, 1000)
    assert all(set(own.quick) <= set(own.thorough) for own in KINDS.values())


@pytest.mark.parametrize(
    ("test", "kind"), [(test, kind) for kind in KINDS for test in margins(kind)]
)
def test_a_tests_module_states_its_margin(test: str, kind: str) -> None:
    module = importlib.import_module(f"core.significance.{stated_in(test, kind)}")
    stated = " ".join((module.__doc__ or "").split())
    assert as_stated(margins(kind)[test]) in stated


def test_randomization_of_few_ranks_near_1_keeps_its_level_and_williams_does_not() -> None:
    draws = 250
    by_swaps, by_formula = correlations.rates("Spearman, .98", 12, draws, correlations.TESTS[:2])
    # As the modules state: at most .065 and .07 two-sided; .15 and .21.
    for found, most in zip(by_swaps, (0.065, 0.07), strict=True):
        assert binom.sf(round(found * draws) - 1, draws, most) > 0.001
    for found, least in zip(by_formula, (0.15, 0.21), strict=True):
        assert binom.cdf(round(found * draws), draws, least) > 0.001
        assert binom.sf(round(found * draws) - 1, draws, 0.07) < 0.001


def test_equal_correlations_of_systems_that_err_in_different_ways_differ_too_often() -> None:
    # As the module states of n = 25: .29 with Spearman's, .24 with Pearson's.
    for case, rate in (("Spearman, B wrong at extremes", 0.29), ("Pearson, B lognormal", 0.24)):
        draws = 80
        ((of_a, of_b),) = correlations.unlike_rates(case, 25, draws, correlations.TESTS[:1])
        found = round(of_b * draws)
        assert binom.sf(found - 1, draws, rate) > 0.001, (case, of_b)
        assert binom.cdf(found, draws, rate) > 0.001, (case, of_b)
        assert binom.sf(found - 1, draws, 0.075) < 0.001, (case, of_b)
        assert of_a <= 0.05, (case, of_a)


def test_the_judgement_itself_finds_a_test_that_is_far_too_eager() -> None:
    for kind, own in KINDS.items():
        for n, repetitions in own.quick.items():
            allowed = binom.isf(JUDGED_AT, repetitions, 0.05)
            eager = 0.10 if kind == OUTCOMES else 0.3
            assert binom.sf(allowed, repetitions, eager) > 0.8, (kind, n)
