"""How many datasets a claim takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.simulation.batch import ESTIMATORS, Estimator
from core.simulation.rates import Rate
from core.simulation.runs import simulate_k_hat
from core.simulation.sources import PValueSource, positive_whole, seed_of
from core.simulation.told import Progress, Told
from core.validation import check_alpha, check_choice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetsNeeded:
    """The smallest number of datasets with which a claim is made often enough.

    Attributes
    ----------
    n_datasets : int or None
        The smallest whose simulated power reaches the one asked for; None where
        none up to `most` does, or the run was stopped before.
    low, high : int or None
        Where simulation leaves it: the smallest number whose 95% interval
        reaches up to the power asked for, and the smallest whose interval lies
        wholly at or above it; None where there is none up to `most`.
    at_least : int
        m, of the claim.
    power : float
        As asked for.
    estimator : {"count", "bonferroni", "fisher", "simes"}
        What counts.
    most : int
        The largest number tried.
    tried : mapping of int to Rate
        The power of each number that was simulated, by rising number.
    alpha : float
        In (0, 1).
    n_repetitions, seed : int
        Of each number tried; all from the same seed.
    complete : bool
        Whether the search came to its end.
    """

    n_datasets: int | None
    low: int | None
    high: int | None
    at_least: int
    power: float
    estimator: Estimator
    most: int
    tried: Mapping[int, Rate]
    alpha: float
    n_repetitions: int
    seed: int
    complete: bool


def datasets_needed(
    make_scenario: Callable[[int], PValueSource],
    at_least: int,
    *,
    power: float = 0.8,
    estimator: Estimator = "bonferroni",
    most: int = 1_000,
    n_repetitions: int = 2_000,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    on_progress: Progress | None = None,
) -> DatasetsNeeded:
    """Search for the number of datasets from which P(k̂ >= m) is large enough.

    The search doubles and halves, so that it takes power to rise with the
    number of datasets. Where it rises with small steps back, as where a share
    of them is rounded to whole datasets, the answer is good to such a step.

    Parameters
    ----------
    make_scenario : callable
        From a number of datasets to a scenario of as many.
    at_least : int
        m, at least 1.
    power : float
        In (0, 1).
    estimator : {"bonferroni", "fisher", "simes", "count"}
        What counts.
    most : int
        The largest number to try, at least m.
    n_repetitions : int
        Of each number tried.
    alpha, rng, on_progress : optional
        As for `simulate_k_hat`; the total is the most that the search can take.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    level = check_alpha(alpha)
    check_choice(estimator, ESTIMATORS, name="estimator")
    least = positive_whole(at_least, name="at_least")
    repetitions = positive_whole(n_repetitions, name="n_repetitions")
    if not 0.0 < power < 1.0:
        raise ValueError(f"`power` must lie strictly between 0 and 1; got {power!r}.")
    if positive_whole(most, name="most") < least:
        raise ValueError(f"`most` must be at least {least}, as `at_least` is; got {most}.")
    seed = seed_of(rng)
    tried: dict[int, Rate] = {}
    # Each of three searches doubles and halves.
    told = Told(on_progress, 3 * 2 * (most.bit_length() + 1) * repetitions)

    def rate_of(n: int) -> Rate:
        if n not in tried:
            if not told.going:
                raise _StoppedSearchError
            simulation = simulate_k_hat(
                make_scenario(n),
                n_repetitions=repetitions,
                alpha=level,
                rng=seed,
                on_progress=told.beyond(len(tried) * repetitions),
            )
            if not simulation.complete:
                raise _StoppedSearchError
            tried[n] = simulation.power(estimator, least)
        return tried[n]

    found: dict[str, int | None] = {"n_datasets": None, "low": None, "high": None}
    complete = True
    try:
        found["n_datasets"] = _smallest(lambda n: rate_of(n).rate >= power, least, most)
        # What reaches the power has an interval that does, and not the other way round.
        end = found["n_datasets"] or most
        found["low"] = _smallest(lambda n: rate_of(n).confidence_interval[1] >= power, least, end)
        if found["n_datasets"] is not None:
            found["high"] = _smallest(
                lambda n: rate_of(n).confidence_interval[0] >= power, end, most
            )
        told.finish()
    except _StoppedSearchError:
        complete = False
    return DatasetsNeeded(
        **found,
        at_least=least,
        power=power,
        estimator=estimator,
        most=most,
        tried=dict(sorted(tried.items())),
        alpha=level,
        n_repetitions=repetitions,
        seed=seed,
        complete=complete,
    )


class _StoppedSearchError(Exception):
    """The caller wants no more."""


def _smallest(reaches: Callable[[int], bool], low: int, most: int) -> int | None:
    """The smallest number from `low` to `most` that reaches, where larger ones do too."""
    high, step = low, 1
    while not reaches(high):
        if high == most:
            return None
        low, high, step = high + 1, min(high + step, most), 2 * step
    while low < high:
        middle = (low + high) // 2
        if reaches(middle):
            high = middle
        else:
            low = middle + 1
    return high
