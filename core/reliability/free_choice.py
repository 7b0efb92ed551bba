"""What a free choice among metrics and tests does to the rate of false positives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.result_set import ResultSet
from core.errors import DataError, Problem
from core.reliability.choice_rates import FreeChoice, free_choice_rate
from core.reliability.flipped_choices import FlippedChoice, flipped_choice, n_units, notes_on
from core.reliability.pairs import (
    LeftOut,
    Progress,
    checked_metrics,
    checked_tests,
    fitting_tests,
    left_out_of,
)
from core.significance.plan import PlannedTest
from core.significance.settings import positive_number
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.types import FloatArray
from core.validation import check_alpha, check_choice, check_two_systems

__all__ = ["FreeChoice", "free_choice_rate", "simulated_free_choice"]

# Signs thrown at once, 8 bytes each.
_SIGNS = 1 << 20


def simulated_free_choice(
    result_set: ResultSet,
    dataset: str,
    *,
    a: str,
    b: str,
    metrics: Sequence[str] | None = None,
    tests: str | Sequence[str] = "auto",
    alpha: float = 0.05,
    n_repetitions: int = 1000,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> FreeChoice:
    """How often the best of several metrics and tests is "significant" by chance, on these data.

    In every repetition a fair coin for each example, or each cluster of them,
    makes A and B change places in all metrics at once. So no metric has a
    difference, and what the metrics have in common is that of the data.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    dataset : str
        Which of its datasets.
    a, b : str
        Names of the systems.
    metrics, tests
        As of `core.reliability.metrics.metric_study`.
    alpha : float
        In (0, 1); `FreeChoice.at_level` changes it without a new run.
    n_repetitions : int
        Fewer are the first of more.
    rng : int or Generator
        Seed.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of repetitions.
        Returning False stops and keeps what is done.

    Raises
    ------
    DataError
        If no test fits any metric.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one repetition was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; Westfall and Young (1993).
    """
    check_choice(dataset, result_set.datasets, name="dataset")
    check_two_systems(a, b, result_set.systems)
    level = check_alpha(alpha)
    asked = checked_tests(tests)
    total = positive_number("n_repetitions", n_repetitions)
    seed = seed_of(rng)
    plans: list[PlannedTest] = []
    choices: list[FlippedChoice] = []
    left_out: list[LeftOut] = []
    problems: list[Problem] = []
    for metric in checked_metrics(result_set, metrics):
        found, wrong = fitting_tests(result_set, dataset, metric, a=a, b=b, tests=asked)
        problems += wrong
        if wrong:
            left_out.append(left_out_of(wrong, dataset, metric))
        plans += [plan for plan, _ in found]
        choices += [flipped_choice(result_set, dataset, plan, a=a, b=b) for plan, _ in found]
    if not choices:
        raise DataError(problems)
    units = n_units(result_set, dataset)
    p_values = _drawn(choices, units, total, dataset_stream(seed, dataset, "flips"), on_progress)
    observed = np.array([float(one.p_values(np.ones((1, units)))[0]) for one in choices])
    for array in (p_values, observed):
        array.flags.writeable = False
    return FreeChoice(
        dataset=dataset,
        system_a=a,
        system_b=b,
        choices=tuple((one.metric, one.test) for one in choices),
        alpha=level,
        p_values=p_values,
        observed=observed,
        n_units=units,
        of_clusters=result_set.clusters_of(dataset) is not None,
        n_asked=total,
        seed=seed,
        left_out=tuple(left_out),
        notes=notes_on(plans, choices),
        fingerprint=result_set.fingerprint,
    )


def _drawn(
    choices: Sequence[FlippedChoice],
    units: int,
    total: int,
    rng: np.random.Generator,
    on_progress: Progress | None,
) -> FloatArray:
    """P-values of all repetitions that were done, shape (done, n_choices)."""
    p_values = np.empty((total, len(choices)))
    # In words of eight bytes, so that fewer repetitions are the first of more.
    width = 8 * -(-units // 64)
    step = max(1, min(_SIGNS // units, 1 + total // 20))
    done = 0
    for start in range(0, total, step):
        if on_progress is not None and on_progress(start, total) is False:
            break
        stop = min(start + step, total)
        drawn = np.frombuffer(rng.bytes((stop - start) * width), dtype=np.uint8)
        coins = np.unpackbits(drawn.reshape(stop - start, width), axis=1, count=units)
        signs = 2.0 * coins.astype(np.float64) - 1.0
        for place, choice in enumerate(choices):
            p_values[start:stop, place] = choice.p_values(signs)
        done = stop
    if done == 0:
        raise Stopped("The simulation was stopped before one repetition was done.")
    if on_progress is not None and done == total:
        on_progress(total, total)
    return p_values[:done].copy() if done < total else p_values
