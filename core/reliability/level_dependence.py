"""Whether a dataset's difference depends on the level, and which levels can reach alpha at all.

Vocabulary
----------
unit
    What is given a level: an example, or a cluster whose examples all have one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics.per_example import Metric, per_example_scores
from core.metrics.registry import MEAN
from core.reliability.level_parts import LevelPart
from core.replicability.identification import identify_datasets
from core.significance.clusters import clusters_of
from core.significance.counting import SIGN
from core.significance.known_tests import significance_test_named
from core.significance.significance_test import OfCounts, OfMoments, OfSigns
from core.significance.stopping import KeepGoing, check_going
from core.types import FloatArray, IntArray

# Orders at most; p is a multiple of 1/2000, which Holm's rule can use up to 100 datasets at .05.
MOST_ORDERS = 1999
_AVERAGED: dict[str, Metric] = {MEAN: "mean", "accuracy": "accuracy"}
_TOLERANCE = 1e-9
# Between two questions whether to go on.
_ASKED_EVERY = 50


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelledUnits:
    """The units of a dataset, level after level.

    Attributes
    ----------
    sums, sizes : ndarray, shape (n_units,)
        Of a unit's differences, and how many they are.
    starts : ndarray of int, shape (n_levels,)
        Where each level begins.
    """

    sums: FloatArray
    sizes: FloatArray
    starts: IntArray


def levelled_units(parts: Sequence[LevelPart]) -> LevelledUnits | str:
    """The units of one dataset's levels, or why the levels cannot be compared as a whole."""
    if len(parts) < 2:
        return "It has one level that can be tested, so there is none to compare it with."
    kind = _AVERAGED.get(parts[0].plan.kind)
    if kind is None:
        return "Its metric is no mean over examples, so that levels cannot be exchanged among them."
    seen: set[object] = set()
    sums, sizes = [], []
    for part in parts:
        first, second = per_example_scores(part.first, part.second, metric=kind, gold=part.gold)
        apart = first - second
        if part.plan.clusters is None:
            sums.append(apart)
            sizes.append(np.ones(apart.size))
            continue
        labels = np.asarray(part.plan.clusters)
        own = set(labels.tolist())
        if seen & own:
            return "Some of its clusters have examples of several levels."
        seen |= own
        clusters = clusters_of(labels, n_examples=apart.size)
        sums.append(clusters.summed(apart))
        sizes.append(clusters.sizes.astype(np.float64))
    lengths = [one.size for one in sums]
    return LevelledUnits(
        sums=np.concatenate(sums),
        sizes=np.concatenate(sizes),
        starts=np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp),
    )


def dependence_p_value(
    units: LevelledUnits, *, n_orders: int, rng: np.random.Generator, keep_going: KeepGoing
) -> float:
    """Whether the difference is further apart between levels than by chance.

    The levels are given to the units in random orders, the levels keeping
    their numbers of units. The statistic is Σ wₗ(dₗ − d̄)², with dₗ a level's
    difference, wₗ one over its own variance and d̄ the weighted mean: so that
    levels that merely spread more do not count as differing. Beside a level's
    own squares stands one of all units', so that a few units that happen to be
    alike are not endlessly far from the rest. p = (s + 1)/(b + 1).

    Raises
    ------
    Stopped
        If `keep_going` says so.

    References
    ----------
    Chung and Romano (Annals of Statistics 2013); Pauly, Brunner and Konietschke
    (JRSS B 2015), for permuting studentised statistics.
    """
    centred = units.sums - units.sums.sum() / units.sizes.sum() * units.sizes
    spread = float((centred**2).mean())
    if spread == 0.0 or not bool((np.abs(centred) > 1e-12 * np.abs(units.sums).max()).any()):
        return 1.0
    columns = np.column_stack(
        [centred, units.sizes, centred**2, centred * units.sizes, units.sizes**2]
    )
    observed = _between(columns, units.starts, spread) * (1.0 - _TOLERANCE)
    as_far = 0
    for place in range(n_orders):
        if place % _ASKED_EVERY == 0:
            check_going(keep_going)
        order = rng.permutation(units.sums.size)
        as_far += _between(columns[order], units.starts, spread) >= observed
    return (as_far + 1) / (n_orders + 1)


def _between(columns: FloatArray, starts: IntArray, spread: float) -> float:
    sums, sizes, squares, crossed, squared_sizes = np.add.reduceat(columns, starts, axis=0).T
    apart = sums / sizes
    own = np.maximum(0.0, squares - 2.0 * apart * crossed + apart**2 * squared_sizes)
    # Of k units Σe² · k/(k − 1)/n²; with one more square k − 1 becomes k.
    weights = sizes**2 / (own + spread)
    middle = float(weights @ apart) / float(weights.sum())
    return float(weights @ (apart - middle) ** 2)


def smallest_p_value(test: str, n_units: int) -> float:
    """The smallest that so many units can give, all of them for A; 0 where n sets no bound.

    Of wins and losses, ranks and random signs. A t-test of one unit and a
    bootstrap of one have p = 1.

    Raises
    ------
    ValueError
        If there is no such test.
    """
    kernel = significance_test_named(test).kernel
    if isinstance(kernel, OfCounts | OfSigns):
        counted = kernel if isinstance(kernel, OfCounts) else SIGN
        return float(
            counted.p_of_counts(np.array([n_units]), np.array([0]), alternative="greater")[0]
        )
    return 1.0 if n_units <= 1 and isinstance(kernel, OfMoments) else 0.0


def dependent_by_holm(p_values: Mapping[str, float], alpha: float) -> tuple[str, ...]:
    """The datasets that Holm's rule names at a level."""
    if not p_values:
        return ()
    named = identify_datasets(list(p_values.values()), alpha=alpha).rejected.tolist()
    return tuple(dataset for dataset, is_named in zip(p_values, named, strict=True) if is_named)


def units_of_part(part: LevelPart) -> int:
    """How many examples, or clusters, a level has."""
    if part.plan.clusters is None:
        return int(np.shape(part.first)[0])
    labels: npt.NDArray[np.generic] = np.asarray(part.plan.clusters)
    return len(set(labels.tolist()))
