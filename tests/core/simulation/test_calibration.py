"""What simulation says of the guarantee: where it holds, and where it must be seen to fail.

Every rate is judged by an exact binomial test. `SMALLEST_P_VALUE` is its level, for all of the
some eighty rates of this file together at most .008.
"""

import math
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm

from core.simulation.batch import estimator_names
from core.simulation.results import Simulation
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import (
    PRESETS,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    Preset,
    Scenario,
    mcnemar_datasets,
)
from tests.core.simulation.theory import agrees, chance_of_fisher, holds

MANY = 1_000_000
SOME = 100_000

INDEPENDENT = {
    "no effect": Scenario((Block(100),)),
    "50 of 100": Scenario((Block(50, effect=3.0), Block(50))),
    "1 of 20": Scenario((Block(1, effect=4.0), Block(19))),
    "19 of 20": Scenario((Block(19, effect=5.0), Block(1))),
    "B better on some": Scenario((Block(5, effect=3.0), Block(5, effect=-1.0), Block(5))),
    "one dataset": Scenario((Block(1),)),
}
DEPENDENT = {
    "10 blocks of 10": Scenario(tuple(Block(10, rho=0.8) for _ in range(10))),
    "one block of 100": Scenario((Block(100, rho=0.8),)),
    "half of a block": Scenario((Block(50, rho=0.5, effect=3.0), Block(50, rho=0.5))),
    "the paper's": TOY_DEPENDENT.scenario,
    "all the same": Scenario((Block(30, rho=1.0),)),
}


@cache
def simulated(scenario: Scenario, n_repetitions: int = SOME, alpha: float = 0.05) -> Simulation:
    return simulate_k_hat(scenario, n_repetitions=n_repetitions, alpha=alpha, rng=2017)


def chance_of_all_between(low: float, high: float, n: int = 100) -> float:
    """P(at least two of n uniform p-values in (low, high], and none at most low)."""
    none_below = (1.0 - low) ** n
    share = (high - low) / (1.0 - low)
    return none_below * float(binom.sf(1, n, share))


@pytest.mark.parametrize("preset", PRESETS, ids=["independent", "dependent"])
def test_the_papers_examples_agree_with_theory(preset: Preset) -> None:
    n_repetitions = MANY if preset is TOY_INDEPENDENT else 2 * SOME
    simulation = simulated(preset.scenario, n_repetitions)
    assert simulation.n_repetitions == n_repetitions
    for estimator, probability in preset.theory.items():
        assert agrees(simulation.overcount(estimator), probability), estimator


def test_what_the_paper_prints_for_independent_datasets_is_the_chance_of_more_than_one() -> None:
    simulation = simulated(TOY_INDEPENDENT.scenario, MANY)
    at_most_one = float(binom.cdf(1, 100, 0.05))
    assert agrees(simulation.overcount("count", beyond=1), 1.0 - at_most_one)
    # Bonferroni's count exceeds 1 where p_(1) <= .05 / 100 and p_(2) <= .05 / 99.
    small, wide = 0.05 / 100, 0.05 / 99
    none = (1.0 - wide) ** 100
    one = 100 * wide * (1.0 - wide) ** 99
    all_between = 1.0 - none - one - chance_of_all_between(small, wide)
    assert round(all_between, 4) == 0.0012
    assert agrees(simulation.overcount("bonferroni", beyond=1), all_between)
    assert agrees(simulation.overcount("fisher", beyond=1), 0.0180)
    for estimator, rate in TOY_INDEPENDENT.more_than_one.items():
        assert abs(simulation.overcount(estimator, beyond=1).rate - rate) < 0.0005
    for estimator, printed in TOY_INDEPENDENT.printed.items():
        assert not agrees(simulation.overcount(estimator), printed), estimator


@pytest.mark.parametrize(
    ("name", "alpha"),
    [*((name, 0.05) for name in INDEPENDENT), ("no effect", 0.01), ("1 of 20", 0.01)],
)
def test_k_hat_overstates_the_truth_no_more_often_than_alpha(name: str, alpha: float) -> None:
    simulation = simulated(INDEPENDENT[name], SOME, alpha)
    for estimator in estimator_names()[1:]:
        assert holds(simulation.overcount(estimator), alpha), estimator


@pytest.mark.parametrize("name", DEPENDENT)
def test_bonferroni_and_simes_hold_under_positive_dependence(name: str) -> None:
    simulation = simulated(DEPENDENT[name])
    assert holds(simulation.overcount("bonferroni"))
    assert holds(simulation.overcount("simes"))


@pytest.mark.parametrize(
    ("name", "rate"), [("10 blocks of 10", 0.252), ("one block of 100", 0.315)]
)
def test_fisher_is_seen_to_fail_under_dependence_as_often_as_theory_says(
    name: str, rate: float
) -> None:
    theory = chance_of_fisher(DEPENDENT[name], 0.05)
    assert theory == pytest.approx(rate, abs=0.001)
    overcount = simulated(DEPENDENT[name]).overcount("fisher")
    assert agrees(overcount, theory)
    assert not agrees(overcount, theory + 0.01)
    assert overcount.rate == pytest.approx(rate, abs=0.006)
    assert overcount.position == "above"
    assert not holds(overcount)


@pytest.mark.parametrize("name", ["10 blocks of 10", "one block of 100", "the paper's"])
def test_stouffer_is_seen_to_fail_under_dependence_as_often_as_theory_says(name: str) -> None:
    # Without a difference the sum of all z is normal, and "at least 1" is claimed where it is
    # as large as independence makes it in a share alpha.
    blocks = DEPENDENT[name].blocks
    variance = sum(b.n_datasets * (1.0 + (b.n_datasets - 1) * b.rho) for b in blocks)
    n_datasets = sum(b.n_datasets for b in blocks)
    theory = float(norm.sf(norm.isf(0.05) * math.sqrt(n_datasets / variance)))
    overcount = simulated(DEPENDENT[name]).overcount("stouffer")
    assert agrees(overcount, theory)
    assert not agrees(overcount, theory + 0.01)
    assert not holds(overcount)


def test_stouffer_keeps_its_promise_where_p_values_are_discrete_or_never_small() -> None:
    for scenario in (
        mcnemar_datasets(30, n_examples=12, share_differing=0.3),
        mcnemar_datasets(20, n_examples=200, difference=0.1, n_better=8),
    ):
        assert holds(simulate_k_hat(scenario, n_repetitions=SOME, rng=4).overcount("stouffer"))


def no_effect(draw: Callable[[np.random.Generator, int], np.ndarray]) -> Any:
    """A scenario of one's own, with nothing to find."""
    return SimpleNamespace(k=0, draw=draw)


def opposite(rng: np.random.Generator, n: int) -> np.ndarray:
    """Two p-values as negatively dependent as can be: p and 1 - p."""
    p_values = rng.random((n, 1))
    return np.hstack([p_values, 1.0 - p_values])


def worst_for_simes(rng: np.random.Generator, n: int) -> np.ndarray:
    """Three uniform p-values made so that Simes' test rejects as often as it ever can.

    At an alpha of 0.3 either one p-value lies within alpha / 3, or two between alpha / 3 and
    2 alpha / 3, or all three between there and alpha, never in any other way: rejected with
    probability alpha (1 + 1/2 + 1/3).
    """
    third = 0.1
    # Each third holds a p-value of a given dataset with probability .1, as uniform ones must.
    sizes = rng.choice([1, 2, 3, 0], size=n, p=[0.3, 0.15, 0.1, 0.45])
    order = rng.permuted(np.tile([0, 1, 2], (n, 1)), axis=1)
    low = order < sizes[:, np.newaxis]
    inside = third * (np.maximum(sizes, 1)[:, np.newaxis] - 1 + rng.random((n, 3)))
    return np.where(low, inside, 0.3 + 0.7 * rng.random((n, 3)))


def test_bonferroni_holds_under_any_dependence_where_simes_need_not() -> None:
    found = simulate_k_hat(no_effect(opposite), n_repetitions=SOME, rng=1)
    assert agrees(found.overcount("bonferroni"), 0.05)
    worst = simulate_k_hat(no_effect(worst_for_simes), n_repetitions=SOME, alpha=0.3, rng=1)
    assert holds(worst.overcount("bonferroni"), 0.3)
    assert agrees(worst.overcount("simes"), 0.3 * (1.0 + 1.0 / 2.0 + 1.0 / 3.0))
    assert worst.overcount("simes").position == "above"


@pytest.mark.parametrize("estimator", estimator_names()[1:])
def test_a_level_a_tenth_too_large_would_be_seen(estimator: str) -> None:
    too_large = simulated(TOY_INDEPENDENT.scenario, SOME, 0.055).overcount(estimator)
    assert not holds(too_large)
