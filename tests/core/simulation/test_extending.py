"""Fewer repetitions are the first of more, however a run was cut, stopped or shared among threads."""

from dataclasses import replace

import numpy as np
import pytest

from core.simulation.batch import estimator_names
from core.simulation.families import SHAPES, shared_test_sets, together, union_of_others
from core.simulation.runs import (
    draw_one,
    extend_simulation,
    simulate_identification,
    simulate_k_hat,
)
from core.simulation.scenarios import Block, PValueSource, Scenario, Source, mcnemar_datasets
from tests.core.simulation.theory import same

SCENARIOS: dict[str, PValueSource] = {
    "mixture": Scenario((Block(30, effect=2.5), Block(40, rho=0.5), Block(30))),
    "one factor": Scenario((Block(50, rho=0.3, effect=1.0), Block(50, rho=0.6)), one_factor=True),
    **SHAPES,
}
MIXTURE = SCENARIOS["mixture"]
SHAPED = Scenario((Block(3, rho=0.5),), one_factor=True)
# Enough chunks for threads, and a part of one.
PARTED = replace(together(Scenario((Block(30, effect=2.5), Block(70)))), n_at_once=250)
MANY = 10_100


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("first", [1, 1311])
def test_so_many_and_so_many_more_are_all_at_once(name: str, first: int) -> None:
    scenario = SCENARIOS[name]
    at_once = simulate_k_hat(scenario, n_repetitions=first + 1000, rng=4)
    begun = simulate_k_hat(scenario, n_repetitions=first, rng=4)
    for estimator in estimator_names():
        assert np.array_equal(begun.k_hat[estimator], at_once.k_hat[estimator][:first])
    extended = extend_simulation(begun, scenario, n_repetitions=1000)
    assert same(extended, at_once)
    assert extended.signature == at_once.signature
    assert begun.n_repetitions == first


def test_threads_change_no_result() -> None:
    alone, both, several = (
        simulate_k_hat(PARTED, n_repetitions=MANY, rng=7, n_threads=n) for n in (1, 2, 5)
    )
    assert same(alone, both)
    assert same(alone, several)
    names = [
        simulate_identification(PARTED, n_repetitions=MANY, rng=7, n_threads=n) for n in (1, 3)
    ]
    assert names[0].summaries == names[1].summaries


@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_stopped_run_keeps_the_first_repetitions_and_goes_on_to_the_whole(n_threads: int) -> None:
    whole = simulate_k_hat(PARTED, n_repetitions=MANY, rng=8)
    told: list[int] = []

    def stop(done: int, total: int) -> bool:
        assert total == MANY
        told.append(done)
        return len(told) < 3

    stopped = simulate_k_hat(
        PARTED, n_repetitions=MANY, rng=8, n_threads=n_threads, on_progress=stop
    )
    done = stopped.n_repetitions
    assert not stopped.complete
    assert told == sorted(set(told))
    assert told[2] <= done < MANY
    for estimator in estimator_names():
        assert np.array_equal(stopped.k_hat[estimator], whole.k_hat[estimator][:done])
    extended = extend_simulation(stopped, PARTED, n_repetitions=MANY - done, n_threads=n_threads)
    assert extended.complete
    assert same(extended, whole)


def test_progress_of_an_extension_begins_where_the_run_ended_and_ends_at_the_total() -> None:
    begun = simulate_k_hat(PARTED, n_repetitions=5_000, rng=8)
    told: list[tuple[int, int]] = []
    extend_simulation(
        begun, PARTED, n_repetitions=MANY, on_progress=lambda *args: told.append(args)
    )
    assert told[0][0] > 5_000
    assert told[-1] == (5_000 + MANY, 5_000 + MANY)


NEARLY = 0.5 + 1e-9


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (union_of_others(3, 4), union_of_others(3, 5)),
        (mcnemar_datasets(3, share_differing=0.5), mcnemar_datasets(3, share_differing=NEARLY)),
        (shared_test_sets(4, 3, rho=0.5), shared_test_sets(4, 3, rho=NEARLY)),
        (together(Scenario((Block(3),)), name="same"), together(SHAPED, name="same")),
    ],
)
def test_scenarios_that_only_look_alike_are_told_apart(
    one: Scenario | Source, other: Scenario | Source
) -> None:
    begun = simulate_k_hat(one, n_repetitions=10, rng=8)
    assert extend_simulation(begun, one, n_repetitions=1).n_repetitions == 11
    with pytest.raises(ValueError, match="`scenario` must be the simulation's own"):
        extend_simulation(begun, other, n_repetitions=10)


def test_one_draw_is_that_study_of_the_run() -> None:
    simulation = simulate_k_hat(MIXTURE, n_repetitions=3000, rng=5)
    for repetition in (0, 1, 1309, 1310, 2999):
        draw = draw_one(MIXTURE, 5, repetition=repetition)
        assert draw.p_values.shape == (100,)
        assert draw.k_hat == {n: int(simulation.k_hat[n][repetition]) for n in estimator_names()}
        assert draw.truly_better.tolist() == [True] * 30 + [False] * 70
        assert (draw.k, draw.seed) == (30, 5)
