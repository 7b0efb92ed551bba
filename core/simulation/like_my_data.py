"""Studies like one's own, in which no dataset has a difference: A and B change places at random.

Vocabulary
----------
flip
    A fair coin that makes A and B change places on a unit (see `flip_units`), in
    every dataset that holds it: shared examples keep their dependence.
contribution
    By how much a unit speaks for A on a dataset (see `flip_differences`).
pattern
    A unit's contributions to all datasets; equal ones are drawn together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise

import numpy as np

from ..data.result_set import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN
from ..signature import short_fingerprint
from ..significance.lattice import point_probabilities, upper_tails_of, whole_numbers
from ..significance.stopping import Stopped
from ..types import BoolArray, IntArray
from .flip_studies import (
    LikeMyData,
    Measure,
    contributions,
    correlations_of,
    patterns_of,
    units_of,
)
from .scenarios import may_share_more


def like_my_data(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    without: Collection[str] = (),
    on_progress: Callable[[int, int], object] | None = None,
) -> LikeMyData:
    """Make a scenario like one's own data, in which every null hypothesis is true.

    Parameters
    ----------
    result_set : ResultSet
        Scores of both systems on every example.
    a, b : str
        The two systems.
    metric : str, optional
        By default the first.
    without : collection of str
        Datasets that take no part.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` after each dataset, which takes up
        to a tenth of a second; False stops. Before the first is done all are
        gone through once, which is told of as 0.

    Raises
    ------
    Stopped
        If `on_progress` says so: half a scenario is none.
    ValueError
        If the systems or the metric are unknown or the same, no dataset is left,
        or a score is not defined on one.
    """
    if a == b:
        raise ValueError(f"`a` and `b` must be two systems; got {a!r} twice.")
    unknown = [name for name in without if name not in result_set.datasets]
    if unknown:
        raise ValueError(f"`without` must name datasets of the results; got {unknown[0]!r}.")
    datasets = tuple(name for name in result_set.datasets if name not in without)
    if not datasets:
        raise ValueError("`without` must leave at least one dataset; it names all of them.")
    units = units_of(result_set, datasets)
    rows, columns, values, exact, differing = [], [], [], [], []
    for index, dataset in enumerate(datasets):
        _tell(on_progress, 0, len(datasets))
        given, integers = contributions(result_set, dataset, a, b, metric)
        held, place = np.unique(units[index], return_inverse=True)
        sums = np.bincount(place, weights=given, minlength=held.size).astype(np.float64)
        whole = None
        if integers is not None:
            # Sums of whole numbers below 2**53 are exact in floats.
            whole = np.bincount(place, weights=integers, minlength=held.size).astype(np.int64)
        rounded, own = whole_numbers(sums, whole)
        # Some are too small for a step of their own, and so for the sum.
        differing.append(held[(sums if whole is None else whole) != 0])
        speaks = rounded != 0
        rows.append(np.full(int(speaks.sum()), index))
        columns.append(held[speaks])
        values.append(rounded[speaks])
        exact.append(own and integers is not None)
    n_shared = int(np.count_nonzero(np.bincount(np.concatenate(differing)) > 1))
    # Where some are known to be shared no more is proved of those that are not.
    more = may_share_more(result_set, datasets, thoroughly=not n_shared)
    signature = (
        f"like {short_fingerprint(result_set.fingerprint)}: {a} and {b} "
        f"exchanged by {metric or result_set.metrics[0]}"
    )
    if len(datasets) < result_set.n_datasets:
        places = [str(i) for i, name in enumerate(result_set.datasets, 1) if name in without]
        # By their places in the file, as names may be long.
        signature += f", without {','.join(places)}"
    return _assembled(
        datasets,
        np.concatenate(rows),
        np.concatenate(columns),
        np.concatenate(values),
        np.array(exact, dtype=np.bool_),
        np.array([found.size for found in differing]),
        n_shared,
        more,
        _measure_of(result_set.kind_of(metric)),
        signature,
        on_progress,
    )


def _measure_of(kind: str) -> Measure:
    if kind == MEAN:
        return "difference"
    return "correlation" if kind in CORRELATIONS else "metric"


def _tell(on_progress: Callable[[int, int], object] | None, done: int, total: int) -> None:
    if on_progress is not None and on_progress(done, total) is False:
        raise Stopped


def _assembled(
    datasets: tuple[str, ...],
    dataset: IntArray,
    unit: IntArray,
    value: IntArray,
    exact: BoolArray,
    n_units: IntArray,
    n_shared: int,
    more: bool,
    measure: Measure,
    signature: str,
    on_progress: Callable[[int, int], object] | None,
) -> LikeMyData:
    from scipy import sparse

    n_datasets = len(datasets)
    n_holders = np.bincount(unit, minlength=1)
    shared = n_holders[unit] > 1
    own, tails, observed = [], [], []
    # Datasets come one after the other.
    bounds = np.searchsorted(dataset, np.arange(n_datasets + 1))
    for start, stop in pairwise(bounds.tolist()):
        signed, alone = value[start:stop], ~shared[start:stop]
        points = point_probabilities(np.abs(signed))
        tails.append(upper_tails_of(points))
        picked = (int(signed.sum()) + int(np.abs(signed).sum())) // 2
        observed.append(float(tails[-1][picked]))
        if not alone.all():
            points = point_probabilities(np.abs(signed[alone]))
        own.append(np.cumsum(points))
        _tell(on_progress, len(own), n_datasets)
    patterns, times = patterns_of(dataset[shared], unit[shared], value[shared])
    table = sparse.csc_array(
        (
            np.array([v for pattern in patterns for _, v in pattern], dtype=np.float64),
            np.array([d for pattern in patterns for d, _ in pattern], dtype=np.int64),
            np.cumsum([0, *(len(pattern) for pattern in patterns)]),
        ),
        shape=(n_datasets, len(patterns)),
    ).tocsr()
    weights = value.astype(np.float64) ** 2
    squares = np.bincount(dataset, weights=weights, minlength=n_datasets).astype(np.float64)
    return LikeMyData(
        datasets=datasets,
        n_units=n_units,
        n_shared=n_shared,
        may_share_more=more,
        measure=measure,
        is_exact=exact,
        observed_p_values=np.array(observed),
        correlations=correlations_of(table, times, squares),
        signature=signature,
        _own=tuple(own),
        _tails=tuple(tails),
        _patterns=table,
        _times=times,
    )
