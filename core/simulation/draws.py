"""One study at a time, for looking at."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass

from core.signature import signature_line
from core.simulation.batch import BatchCounter, estimator_names
from core.simulation.sources import (
    PValueSource,
    checked_k,
    chunk_size,
    drawn_chunk,
    name_of,
    seed_of,
    truth_of,
    width_of,
)
from core.types import BoolArray, FloatArray
from core.validation import check_alpha


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """One simulated study.

    Attributes
    ----------
    p_values : ndarray, shape (N,)
        In the scenario's order.
    k_hat : mapping of estimator to int
        "count" is the common practice #{p <= alpha}; the others have a guarantee.
    truly_better : ndarray of bool, shape (N,), or None
        On which datasets A is better; None where the scenario does not say.
    k : int
        On how many.
    alpha : float
        In (0, 1).
    seed, repetition : int
        Which study it is: that number, from 0, of `simulate_k_hat` with the seed.
    scenario : str
        The scenario's own line, or the name of its class.
    """

    p_values: FloatArray
    k_hat: Mapping[str, int]
    truly_better: BoolArray | None
    k: int
    alpha: float
    seed: int
    repetition: int
    scenario: str

    @property
    def signature(self) -> str:
        """The one line that names everything the study depends on."""
        return signature_line(
            scenario=self.scenario,
            datasets=self.p_values.size,
            k=self.k,
            alpha=self.alpha,
            repetition=self.repetition,
            seed=self.seed,
        )


def draw_one(
    scenario: PValueSource, seed: int, *, alpha: float = 0.05, repetition: int = 0
) -> Draw:
    """Draw one study and count it.

    Parameters
    ----------
    scenario : Scenario
        Or any object with ``draw(rng, n)`` and ``k``.
    seed : int
        At least 0.
    alpha : float
        In (0, 1).
    repetition : int
        Which study of a run with this seed, from 0.

    Raises
    ------
    ValueError
        If an argument is out of its range, or as `simulate_k_hat`.
    """
    level = check_alpha(alpha)
    place = operator.index(repetition)
    if place < 0:
        raise ValueError(f"`repetition` must be at least 0; got {repetition}.")
    start = seed_of(operator.index(seed))
    n_datasets = width_of(scenario, start)
    counter = BatchCounter(n_datasets, alpha=level)
    size = chunk_size(scenario, n_datasets)
    row = drawn_chunk(scenario, start, place // size, size)[place % size].copy()
    counts = counter.k_hat(row[None, :])
    row.flags.writeable = False
    return Draw(
        p_values=row,
        k_hat={estimator: int(counts[estimator][0]) for estimator in estimator_names()},
        truly_better=truth_of(scenario, n_datasets),
        k=checked_k(scenario, n_datasets),
        alpha=level,
        seed=start,
        repetition=place,
        scenario=name_of(scenario),
    )
