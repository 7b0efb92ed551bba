"""Runs: seeds, chunks, stopping, and what is told of the counts."""

import pickle
import tracemalloc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from core.replicability.combinations import combination_names
from core.replicability.counting import count_datasets
from core.simulation.batch import estimator_names
from core.simulation.results import OvercountRate, clopper_pearson
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import TOY_DEPENDENT, TOY_INDEPENDENT, Block, Scenario
from core.version import __version__
from tests.core.simulation.theory import same

MIXTURE = Scenario((Block(8, effect=2.5), Block(4, rho=0.5), Block(8)))


def test_a_generator_and_no_seed_at_all_tell_the_seed_that_gives_the_same_again() -> None:
    drawn = simulate_k_hat(MIXTURE, n_repetitions=500, rng=np.random.default_rng(7))
    generator = np.random.default_rng(7)
    first, second, free, other = (
        simulate_k_hat(MIXTURE, n_repetitions=500, rng=rng)
        for rng in (generator, generator, None, None)
    )
    assert same(first, drawn)
    assert len({first.seed, second.seed, free.seed, other.seed}) == 4
    for simulation in (first, second, free):
        assert same(simulation, simulate_k_hat(MIXTURE, n_repetitions=500, rng=simulation.seed))


def test_a_scenario_of_ones_own_needs_only_draw_and_k_and_its_studies_are_counted() -> None:
    class Recorded:
        k = 2

        def __init__(self) -> None:
            self.rows: list[np.ndarray] = []

        def draw(self, rng: np.random.Generator, n: int) -> np.ndarray:
            self.rows.append(rng.random((n, 6)) ** 3)
            return self.rows[-1]

    scenario = Recorded()
    simulation = simulate_k_hat(scenario, n_repetitions=300, alpha=0.1, rng=1)
    assert (simulation.k, simulation.n_datasets, simulation.scenario) == (2, 6, "Recorded")
    # From single studies the width is read; a chunk is drawn whole.
    rows = np.concatenate([drawn for drawn in scenario.rows if len(drawn) > 1])[:300]
    for combination in combination_names():
        one_by_one = [count_datasets(row, alpha=0.1, combination=combination).k_hat for row in rows]
        assert simulation.k_hat[combination].tolist() == one_by_one


@pytest.mark.parametrize("scenario", [TOY_DEPENDENT.scenario, Scenario((Block(5000, rho=0.5),))])
def test_a_stop_is_heard_after_no_more_than_a_million_p_values(scenario: Scenario) -> None:
    heard: list[int] = []

    def listen(done: int, _total: int) -> bool:
        heard.append(done)
        return len(heard) < 9

    simulate_k_hat(scenario, n_repetitions=1_000_000, rng=1, on_progress=listen)
    # Two threads may have done several pieces before one of them is told of.
    assert np.median(np.diff([0, *heard])) * scenario.n_datasets <= 1 << 20


def test_memory_is_bounded_whatever_the_number_of_repetitions() -> None:
    tracemalloc.start()
    simulation = simulate_k_hat(TOY_DEPENDENT.scenario, n_repetitions=50_000, rng=1)
    for estimator in estimator_names():
        simulation.mean_k_hat(estimator)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept = sum(counts.nbytes for counts in simulation.k_hat.values())
    assert kept == 50_000 * len(estimator_names()) * 2
    assert peak - kept < 64 << 20


def test_a_result_tells_everything_it_depends_on() -> None:
    simulation = simulate_k_hat(MIXTURE, n_repetitions=100, alpha=0.01, rng=0)
    assert (simulation.k, simulation.n_datasets, simulation.alpha) == (8, 20, 0.01)
    assert simulation.signature == (
        "scenario:8 effect=2.5 + 4 rho=0.5 + 8|datasets:20|k:8|alpha:0.01"
        f"|repetitions:100|seed:0|v:{__version__}"
    )
    for counts in simulation.k_hat.values():
        assert counts.shape == (100,)
        assert counts.dtype == np.int16
        with pytest.raises(ValueError, match="read-only"):
            counts[0] = 1
    assert same(simulation, pickle.loads(pickle.dumps(simulation)))  # noqa: S301


def test_intervals_are_those_of_clopper_and_pearson_against_scipy() -> None:
    for n in (1, 10, 1000, 1_000_000):
        for count in sorted({0, 1, n // 20, n // 3, n - 1, n}):
            rate = OvercountRate(estimator="fisher", count=count, n=n, alpha=0.05)
            reference = binomtest(count, n).proportion_ci(0.95, method="exact")
            assert rate.rate == count / n
            assert rate.confidence_interval == pytest.approx(
                # SciPy's own interval is the root of a search that ends within 1e-12.
                (reference.low, reference.high),
                rel=1e-9,
                abs=1e-12,
            ), (count, n)
    # Beyond SciPy's digits, by the closed forms of none, one and all of a million.
    ends = [clopper_pearson(count, n) for count in (0, 1, n)]
    one_sided = float(-np.expm1(np.log(0.025) / n))
    assert ends[0] == pytest.approx((0.0, one_sided), rel=1e-9, abs=0.0)
    assert ends[1][0] == pytest.approx(float(-np.expm1(np.log1p(-0.025) / n)), rel=1e-9)
    assert ends[2] == pytest.approx((1.0 - one_sided, 1.0), rel=1e-12)


def drawing(p_values: Any, *, k: int = 0, **attributes: Any) -> Any:
    """A scenario that draws `p_values` in every study."""
    rows = np.asarray([p_values])
    return SimpleNamespace(k=k, draw=lambda _rng, n: np.repeat(rows, n, axis=0), **attributes)


def test_a_scenario_that_draws_no_p_values_is_refused() -> None:
    for scenario, message in (
        (drawing([0.5, np.nan]), "between 0 and 1"),
        (drawing([0.5, 1.5]), "between 0 and 1"),
        (drawing(0.5), r"shape \(1, N\); got shape \(1,\)"),
        (drawing([0.5], n_datasets=2), r"shape \(n, 2\); got \(9, 1\)"),
        (drawing([]), "between 1 and 32,767; got 0"),
        (drawing([0.5, 0.5], k=3), "`scenario.k` .* got 3"),
        (drawing([0.5, 0.5], k=-1), "`scenario.k`"),
    ):
        with pytest.raises(ValueError, match=message):
            simulate_k_hat(scenario, n_repetitions=9, rng=0)


def test_arguments_out_of_range_are_refused() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"n_repetitions": 0}, "`n_repetitions` must be at least 1; got 0"),
        ({"n_repetitions": 1.5}, "`n_repetitions`"),
        ({"alpha": 0.0}, "`alpha` must lie strictly between 0 and 1"),
        ({"alpha": 1.0}, "`alpha`"),
        ({"rng": -1}, "`rng` must be a seed of at least 0 or a Generator; got -1"),
        ({"rng": 0.5}, "`rng`"),
    )
    for arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            simulate_k_hat(TOY_INDEPENDENT.scenario, **{"n_repetitions": 10, "rng": 0, **arguments})
