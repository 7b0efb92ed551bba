"""Power curves, numbers of datasets needed, chances of over-claims, and intervals."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from core.simulation.batch import estimator_names
from core.simulation.families import family_of
from core.simulation.planning import datasets_needed, over_claim_curve, power_curve
from core.simulation.results import Rate, clopper_pearson, mean_of, position_of
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import (
    MOST_EXAMPLES,
    Block,
    Difference,
    Scenario,
    mcnemar_datasets,
    shift_of,
)
from tests.core.simulation.theory import agrees


def power_of_one(n: int, effect: float) -> float:
    """P(Bonferroni's count >= 1) of n independent datasets, by hand."""
    return 1.0 - float(norm.cdf(norm.isf(0.05 / n) - effect)) ** n


def test_the_power_of_a_single_claim_is_that_of_theory() -> None:
    curve = power_curve(lambda n: family_of(int(n), effect=1.5), [1, 3, 10, 30], at_least=1, rng=1)
    assert curve.complete
    for point, n in zip(curve.points, (1, 3, 10, 30), strict=True):
        assert (point.n_datasets, point.k, point.at_least) == (n, n, 1)
        assert agrees(point.power["bonferroni"], power_of_one(n, 1.5))


def test_a_stopped_curve_keeps_its_points() -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 2500

    curve = power_curve(
        lambda e: family_of(5, effect=e),
        [1.0, 2.0, 3.0],
        n_repetitions=2000,
        rng=1,
        on_progress=stop,
    )
    assert not curve.complete
    assert [point.value for point in curve.points] == [1.0, 2.0]
    assert told[-1][1] == 6000
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_the_number_of_datasets_needed_is_where_theory_has_it() -> None:
    needed = datasets_needed(lambda n: family_of(n, effect=1.5), 1, n_repetitions=4000, rng=1)
    exact = next(n for n in range(1, 1000) if power_of_one(n, 1.5) >= 0.8)
    assert needed.low <= exact <= needed.high
    assert list(needed.tried) == sorted(needed.tried)


def reached_by(n: int, count: int) -> Any:
    """Studies in which A is better on a third of n datasets; `count` of each 50 show all of them."""

    def draw(_rng: np.random.Generator, size: int) -> np.ndarray:
        return np.repeat([[0.0], [1.0]], [count, size - count], axis=0).repeat(n, axis=1)

    return SimpleNamespace(k=n // 3, n_datasets=n, n_at_once=50, draw=draw)


def test_the_numbers_found_are_those_of_trying_every_number() -> None:
    rng = np.random.default_rng(7)
    numbers, seen = range(6, 62), set()
    told: list[tuple[int, int]] = []
    for _ in range(30):
        middle, width = rng.uniform(-20, 60), rng.uniform(1, 30)
        # Each third number adds to k, the others lower the power; chance does either to neighbours.
        rises = [norm.cdf((n - middle) / width) - 0.03 * (n % 3) for n in numbers]
        shares = np.clip(np.array(rises) + rng.normal(0.0, 0.05, size=len(numbers)), 0.0, 1.0)
        rates = {
            n: Rate(count=2 * round(50 * share), n=100)
            for n, share in zip(numbers, shares, strict=True)
        }

        def family(n: int, rates: dict[int, Rate] = rates) -> Any:
            return reached_by(n, rates[n].count // 2 if n in rates else 0)

        search = partial(datasets_needed, family, 2, most=61, n_repetitions=100, rng=1)
        found = search(on_progress=lambda *args: told.append(args))
        assert told[-1][0] == told[-1][1]
        assert {n: rates[n] for n in found.tried} == found.tried
        assert (found.least, found.guaranteed) == (6, False)
        steps = [n for n in numbers if n % 3 == 0]
        assert found.n_datasets == next((n for n in steps if rates[n].rate >= 0.8), None)
        fails = [n for n in numbers if n % 3 == 2 or n == 61 if rates[n].rate < 0.8]
        lasting = fails[-1] + 1 if fails else 6
        assert found.lasting == (lasting if lasting < 62 else None)
        for end, n, first in ((1, found.low, 6), (0, found.high, found.n_datasets)):
            reaches = {m: rates[m].confidence_interval[end] >= 0.8 for m in steps}
            assert n is None or (reaches[n] and (n == first or not reaches[n - 3]))
            assert n is not None or first is None or not reaches[60]
        seen.add((found.low is None, found.n_datasets is None, found.high is None, lasting < 62))
        # Of a search that is stopped only whole runs are kept.
        stopped = search(on_progress=lambda done, _: done < 150)
        assert not stopped.complete
        assert stopped.tried.items() <= found.tried.items()
    assert len(seen) > 3
    assert all(done <= total for done, total in told)


def test_a_claim_that_is_true_of_no_number_is_not_simulated() -> None:
    never = datasets_needed(family_of, 1, most=40, n_repetitions=500, rng=1)
    assert (never.least, never.n_datasets, dict(never.tried)) == (None, None, {})


def test_planning_draws_mcnemars_p_values_where_there_is_no_dependence() -> None:
    effect, shift = Difference(0.08, 50, 0.1), shift_of(0.08, 50, 0.1)
    exact = family_of(20, share_better=0.5, effect=effect)
    assert exact == mcnemar_datasets(20, 50, 0.1, 0.08, 10)
    dependent, shifted = (
        family_of(20, share_better=0.5, effect=one, rho=0.3) for one in (effect, shift)
    )
    assert dependent == shifted
    normal = simulate_k_hat(
        family_of(20, share_better=0.5, effect=shift), n_repetitions=4000, rng=1
    )
    drawn = simulate_k_hat(exact, n_repetitions=4000, rng=1)
    # Few differing examples: the approximation finds what no test of them can.
    assert drawn.power("fisher", 5).rate < 0.1 < 0.5 < normal.power("fisher", 5).rate
    large = family_of(4, effect=Difference(0.02, MOST_EXAMPLES + 1, 0.1))
    assert isinstance(large, Scenario)
    assert family_of(4, effect=Difference(0.0, 9, 0.5)).k == 0


@pytest.mark.parametrize("rho", [0.0, 0.6])
def test_over_claims_become_certain_with_the_number_of_datasets(rho: float) -> None:
    numbers = [100, 1, 5, 20]
    curve = over_claim_curve(numbers, n_repetitions=30_000, rho=rho, rng=3)
    assert list(curve.rates) == [1, 5, 20, 100]
    rates = [rate.rate for rate in curve.rates.values()]
    assert rates == sorted(rates)
    for n, rate in curve.rates.items():
        theory = 1.0 - 0.95**n
        if rho == 0.0:
            assert agrees(rate, theory)
        elif n > 1:
            # Dependent ones claim together, so less often any at all.
            assert rate.confidence_interval[1] < theory
    # As often as the common practice counts any, by the other way.
    direct = simulate_k_hat(Scenario((Block(20, rho=rho),)), n_repetitions=30_000, rng=4)
    assert agrees(curve.rates[20], direct.overcount("count").rate)


def test_a_summary_tells_power_mean_and_histogram_of_the_counts() -> None:
    simulation = simulate_k_hat(
        Scenario((Block(6, rho=0.4, effect=2.0), Block(6))),
        n_repetitions=5000,
        rng=1,
    )
    for estimator in estimator_names():
        counts = simulation.k_hat[estimator]
        assert simulation.overcount(estimator, 7).count == int((counts > 7).sum())
        reached = simulation.reached(estimator)
        assert reached.tolist() == [float((counts >= m).mean()) for m in range(1, 13)]
        assert reached[3] == simulation.power(estimator, 4).rate
        mean = simulation.mean_k_hat(estimator)
        assert mean.value == pytest.approx(counts.mean())
        assert mean.standard_error == pytest.approx(counts.std(ddof=1) / np.sqrt(5000))
        assert (
            simulation.histogram(estimator).tolist() == np.bincount(counts, minlength=13).tolist()
        )


def test_intervals_of_means_hold_the_truth_nineteen_times_of_twenty() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        sample = rng.binomial(10, 0.3, size=200).astype(np.float64)
        mean = mean_of(sample, largest=10.0)
        low, high = mean.confidence_interval
        held += low <= 3.0 <= high
    assert 0.935 < held / 2000 < 0.965


def test_equal_numbers_have_the_interval_of_as_many_that_are_0_or_the_largest() -> None:
    # Rounding leaves a spread of seven times a tenth.
    for n, value in ((1, 2.0), (7, 0.1), (50, 8.0)):
        mean = mean_of(np.full(n, value), largest=8.0)
        low, high = clopper_pearson(n * value / 8.0, n)
        assert mean.standard_error == 0.0
        assert mean.confidence_interval == pytest.approx((8.0 * low, 8.0 * high))
    assert mean_of(np.array([1.0, 3.0]), largest=8.0).standard_error == pytest.approx(1.0)


def test_an_interval_that_ends_at_the_level_does_not_decide() -> None:
    intervals = (0.0, 0.04), (0.0, 0.05), (0.05, 0.9), (0.06, 0.9)
    found = [position_of(interval, 0.05) for interval in intervals]
    assert found == ["below", "around", "around", "above"]
