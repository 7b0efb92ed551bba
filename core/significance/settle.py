"""Which decisions at a threshold are settled, and more resamples where one is not.

A p-value from b resamples is an estimate. Robbins' confidence sequence holds what
it would settle to with more of them, at every number of resamples at once, so
that one may look, go on and look again. A decision at a threshold is settled
where the threshold lies outside that interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.data.p_value_table import PValueTable
from core.significance.ends import settled
from core.significance.extension import extend_rows, made_here
from core.significance.plan import ComparedSystems
from core.significance.result import SignificanceResult
from core.types import BoolArray
from core.validation import check_open_share

Thresholds = float | Iterable[float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settlement:
    """What more resamples have settled.

    Attributes
    ----------
    table : PValueTable
        With the results that were extended; the others are as they were.
    thresholds : tuple of tuple of float
        What each dataset's p-value is compared with.
    settled : ndarray of bool, shape (N,)
        Whether every decision on the dataset is settled.
    complete : bool
        False if it was stopped before every unsettled dataset was extended.
    """

    table: PValueTable
    thresholds: tuple[tuple[float, ...], ...]
    settled: BoolArray
    complete: bool

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The datasets whose decisions are still open."""
        return tuple(
            name
            for name, done in zip(self.table.datasets, self.settled.tolist(), strict=True)
            if not done
        )


def settle(
    result_set: ComparedSystems,
    table: PValueTable,
    *,
    thresholds: Thresholds | Mapping[str, Thresholds],
    up_to: int,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    n_threads: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
) -> Settlement:
    """Extend the tests whose decisions are not settled to `up_to` resamples.

    A test extended has the p-value that it would have if so many resamples had
    been asked for at once, and the settings that it was made with.

    Parameters
    ----------
    result_set : ResultSet
        The scores that the table was made from.
    table : PValueTable
        From `run_dataset_tests`, also after `swapped`.
    thresholds : float, several, or mapping of dataset to such
        What p-values are compared with: α, or each step of Holm's procedure.
    up_to : int
        Resamples in all. Tests that have as many stay as they are.
    clusters : mapping of dataset to array_like, optional
        As they were given to `run_dataset_tests`: by default the set's own.
    n_threads : int
        How many datasets are extended at once; the results are the same.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets that
        are extended, also within one. Returning False stops.

    Returns
    -------
    Settlement
        With what was extended before a stop.

    Raises
    ------
    ValueError
        If an argument is not as described, or the scores are not those of the
        table.
    """
    results, side = made_here(table)
    limits = _limits(thresholds, table.datasets)

    def done(result: SignificanceResult, at: tuple[float, ...]) -> bool:
        return all(settled(result, threshold, alternative=side) for threshold in at)

    due = [i for i, result in enumerate(results) if not done(result, limits[i])]
    extended, complete = extend_rows(
        result_set,
        table,
        due,
        up_to=up_to,
        clusters=clusters,
        n_threads=n_threads,
        on_progress=on_progress,
    )
    now = made_here(extended)[0]
    decided = np.array([done(r, at) for r, at in zip(now, limits, strict=True)], dtype=np.bool_)
    return Settlement(table=extended, thresholds=limits, settled=decided, complete=complete)


def _limits(
    thresholds: Thresholds | Mapping[str, Thresholds], datasets: Sequence[str]
) -> tuple[tuple[float, ...], ...]:
    """What each dataset's p-value is compared with."""
    if not isinstance(thresholds, Mapping):
        # Read once for all: several may come one by one.
        return (_levels(thresholds, name="thresholds"),) * len(datasets)
    missing = [dataset for dataset in datasets if dataset not in thresholds]
    if missing:
        raise ValueError(
            f"`thresholds` must name each dataset of the table; got none for {missing[0]!r}."
        )
    return tuple(
        _levels(thresholds[dataset], name=f"thresholds[{dataset!r}]") for dataset in datasets
    )


def _levels(given: Thresholds, *, name: str) -> tuple[float, ...]:
    several = given if isinstance(given, Iterable) else (given,)
    return tuple(check_open_share(level, name=name) for level in several)
