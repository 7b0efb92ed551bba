"""What simulation says of names: errors where their level bounds them, and where it does not.

Rates are judged by exact binomial tests at 1e-4, means by a normal approximation at as much.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from core.replicability.identification import all_procedures, procedure_names
from core.simulation.results import IdentificationSimulation, Mean
from core.simulation.runs import simulate_identification
from core.simulation.scenarios import Block, Scenario
from tests.core.simulation.theory import SMALLEST_P_VALUE, agrees, holds

REPETITIONS = 20_000
NOTHING = Scenario((Block(20),))
MIXTURE = Scenario((Block(12, effect=2.5), Block(8)))
FAMILY_WISE = [each.name for each in all_procedures() if each.bounds_each_list]


@cache
def simulated(scenario: Scenario) -> IdentificationSimulation:
    return simulate_identification(scenario, n_repetitions=REPETITIONS, rng=2017)


def mean_agrees(mean: Mean, expected: float) -> bool:
    return abs(mean.value - expected) <= norm.isf(SMALLEST_P_VALUE / 2) * mean.standard_error


@pytest.mark.parametrize("procedure", FAMILY_WISE)
@pytest.mark.parametrize("scenario", [NOTHING, MIXTURE], ids=["nothing", "mixture"])
def test_a_wrong_name_is_as_rare_as_the_level_says_for_independent_datasets(
    procedure: str, scenario: Scenario
) -> None:
    assert holds(simulated(scenario).summaries[procedure].family_wise_error)


def test_fishers_names_are_seen_to_be_wrong_too_often_under_dependence() -> None:
    # In a single common factor all p-values are small together, without any difference.
    scenario = Scenario((Block(10, rho=0.9),))
    summary = simulated(scenario).summaries["fisher-closed"]
    assert summary.position == "above"
    assert not holds(summary.family_wise_error)


def test_benjamini_and_hochbergs_false_discovery_rate_is_the_share_of_true_nulls_of_alpha() -> None:
    # Exactly so for independent uniform p-values; and Yekutieli's with alpha / H_N.
    found = simulated(MIXTURE).summaries
    rate = found["benjamini-hochberg"].false_discovery_proportion
    assert mean_agrees(rate, 0.05 * 8 / 20)
    harmonic = float(np.sum(1.0 / np.arange(1, 21)))
    rate = found["benjamini-yekutieli"].false_discovery_proportion
    assert mean_agrees(rate, 0.05 / harmonic * 8 / 20)
    # It is no bound on the chance of any wrong name.
    assert found["benjamini-hochberg"].family_wise_error.confidence_interval[0] > 0.05
    assert found["benjamini-hochberg"].position == "below"


def test_without_any_effect_rates_are_those_of_theory_and_there_is_no_power() -> None:
    found = simulated(NOTHING).summaries
    any_small = 1.0 - (1.0 - 0.05 / 20) ** 20
    assert agrees(found["bonferroni"].family_wise_error, any_small)
    assert agrees(found["holm"].family_wise_error, any_small)
    # Each rejects the whole family by Simes' test, of level alpha.
    for procedure in ("hommel", "benjamini-hochberg"):
        assert agrees(found[procedure].family_wise_error, 0.05)
        assert found[procedure].position != "above"
    for procedure in procedure_names():
        assert found[procedure].power is None
        # Every name is wrong: the proportion is 1 or 0.
        error = found[procedure].family_wise_error
        assert found[procedure].false_discovery_proportion.value == pytest.approx(error.rate)


def test_bonferronis_power_and_number_of_names_are_those_of_single_tests() -> None:
    found = simulated(MIXTURE).summaries["bonferroni"]
    power = float(norm.sf(norm.isf(0.05 / 20) - 2.5))
    assert mean_agrees(found.power, power)
    assert mean_agrees(found.mean_named, 12 * power + 8 * 0.05 / 20)


def test_a_stop_keeps_what_was_done() -> None:
    stopped = simulate_identification(
        MIXTURE, n_repetitions=REPETITIONS, rng=1, on_progress=lambda done, _total: done < 7000
    )
    assert not stopped.complete
    assert 7000 <= stopped.n_repetitions < REPETITIONS
    assert stopped.summaries["holm"].family_wise_error.n == stopped.n_repetitions
    whole = simulate_identification(MIXTURE, n_repetitions=stopped.n_repetitions, rng=1)
    assert stopped.summaries == whole.summaries
    assert f"|repetitions:20000|done:{stopped.n_repetitions}|seed:1" in stopped.signature


def drawing(k: int = 0, **more: Any) -> Any:
    """A scenario of one's own."""
    return SimpleNamespace(
        **{"k": k, "proved": (), "draw": lambda rng, n: rng.random((n, 3)), **more}
    )


def test_a_scenario_that_does_not_say_where_a_is_better_is_refused() -> None:
    with pytest.raises(ValueError, match="truly_better` must say on which datasets"):
        simulate_identification(drawing(1), n_repetitions=10, rng=0)
    of_two = drawing(1, truly_better=[True, True, False])
    with pytest.raises(ValueError, match="of 3 datasets which 1 are meant; got 2 of 3"):
        simulate_identification(of_two, n_repetitions=10, rng=0)
    with pytest.raises(ValueError, match="`n_repetitions` must be at least 1; got 0"):
        simulate_identification(drawing(), n_repetitions=0, rng=0)
    # On none, or on all, is said by k alone.
    for k, n, wrong in ((0, 1, 1.0), (0, 3, 1.0), (1, 1, 0.0), (3, 3, 0.0)):
        named = drawing(k, draw=lambda _rng, size, n=n: np.zeros((size, n)))
        found = simulate_identification(named, n_repetitions=10, rng=0).summaries["holm"]
        assert (found.family_wise_error.rate, found.mean_named.value) == (wrong, n)
        interval = found.family_wise_error.confidence_interval
        assert found.false_discovery_proportion.confidence_interval == interval
        assert k == 0 or (found.power.value, found.power.largest) == (1.0, 1.0)


def test_procedures_keep_by_theory_what_their_condition_gives() -> None:
    dependent = tuple(p.name for p in all_procedures() if p.dependence != "independent")
    for scenario, proved in (
        (Scenario((Block(4, effect=2.0), Block(3))), procedure_names()),
        (Scenario((Block(4, rho=0.5), Block(3, effect=2.0))), dependent),
        (drawing(), ()),
        (drawing(proved=("bonferroni",)), ("holm", "bonferroni", "benjamini-yekutieli")),
    ):
        found = simulate_identification(scenario, n_repetitions=50, rng=1).proved
        assert set(found) == set(proved)
