"""Monte Carlo p-values at a threshold: which decisions are settled, and going on where one is not.

A p-value from b resamples is an estimate. Robbins' confidence sequence holds what
it would settle to with more of them, at every number of resamples at once, so
that one may look, go on and look again. A decision at a threshold is settled
where the threshold lies outside that interval.

The resamples of a larger number begin with those of a smaller one. So a p-value
depends on the seed, the dataset, the test and the total number, and not on how
often one went on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..data.p_value_table import PValueTable
from ..data.result_set import ResultSet
from ..types import BoolArray, FloatArray
from ..validation import check_open_share
from .plan import PlannedTest, clusters_by_dataset
from .result import SignificanceResult
from .run import run_planned_tests, table_of
from .settings import TestAlternative, positive_number
from .stopping import Stopped


def settled(
    result: SignificanceResult, threshold: float, *, alternative: TestAlternative | None = None
) -> bool:
    """Whether more resamples would leave the p-value on its side of a threshold.

    A settled decision is wrong with a chance of at most .001, whenever one looks (Robbins, Annals of
    Mathematical Statistics 1970, section 2).
    """
    check_open_share(threshold, name="threshold")
    low, high = result.ends_of(alternative or result.alternative)
    return low == high or threshold <= low or threshold >= high


def p_value_ends(table: PValueTable) -> tuple[FloatArray, FloatArray]:
    """Where each p-value of a table of tests may settle: lowest and highest, each shape (N,).

    What is monotone in all p-values, as k̂ and lists by Holm are, is settled where both ends agree.
    One that is taken as 1, as of a dataset not tested yet, stays there.
    """
    rows, side = _rows_and_side(table)
    ends = []
    for result, p in zip(rows, table.p_values.tolist(), strict=True):
        kept_out = result is not None and p == 1.0 and result.is_out_of_reach(side)
        ends.append((p, p) if result is None or kept_out else result.ends_of(side))
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _rows_and_side(
    table: PValueTable,
) -> tuple[list[SignificanceResult | None], TestAlternative]:
    """Each dataset's result, None where untested, and whether p speaks for their A or B."""
    given = table.results or ()
    rows = [result for result in given if result is None or isinstance(result, SignificanceResult)]
    if len(rows) != table.n_datasets:
        raise ValueError("`table` must hold the results of tests that were run here.")
    side: TestAlternative = "less" if table.exchanged else "greater"
    for result, p in zip(rows, table.p_values.tolist(), strict=True):
        may_be_1 = result is None or result.is_out_of_reach(side)
        if (result is None or p != result.p_value_of(side)) and not (may_be_1 and p == 1.0):
            raise ValueError("`table` must have the p-values of its results.")
    return rows, side


Thresholds = float | Iterable[float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settlement:
    """What more resamples have settled, of each dataset's thresholds; `complete` if not stopped."""

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
    result_set: ResultSet,
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

    Examples
    --------
    >>> from replicability import ResultSet, run_dataset_tests, settle
    >>> results = ResultSet.from_scores({"x": {"P": [.31, .52, .23, .64, .4], "Q": [.2, .4, .3, .5, .33]}})
    >>> table = run_dataset_tests(results, a="P", b="Q", test="paired-bootstrap", n_resamples=99)
    >>> settle(results, table, thresholds=0.05, up_to=999).settled.tolist()
    [True]
    """
    limits = _limits(thresholds, table.datasets)
    up_to = positive_number("up_to", up_to)
    rows, side = _rows_and_side(table)
    results = [result for result in rows if result is not None]
    if len(results) < len(rows):
        raise ValueError(
            "`table` must be as `run_dataset_tests` made it: without untested datasets."
        )
    together = clusters_by_dataset(result_set, clusters)

    def done(result: SignificanceResult, at: tuple[float, ...]) -> bool:
        return all(settled(result, threshold, alternative=side) for threshold in at)

    plans: dict[str, PlannedTest] = {}
    for name, before, at in zip(table.datasets, results, limits, strict=True):
        # Exact p-values have no resamples to go on with.
        if done(before, at) or (before.n_resamples or up_to) >= up_to:
            continue
        if before.seed is None:
            raise ValueError(
                f"`table` must have the seed of its resamples; that of {name!r} is not known."
            )
        if (before.n_clusters is None) != (name not in together):
            raise ValueError(
                f"`clusters` must be those that the table was made with; {name!r} was tested "
                f"{'without' if before.n_clusters is None else 'with'} clusters."
            )
        plans[name] = PlannedTest(
            test=before.test,
            metric=before.metric,
            clusters=together.get(name),
            settings=replace(before.settings, n_resamples=up_to),
            seed=before.seed,
        )

    systems = (table.system_a, table.system_b)
    a, b = systems if side == "greater" else systems[::-1]
    extended: dict[str, SignificanceResult] = {}
    if plans:
        with suppress(Stopped):
            part = run_planned_tests(
                result_set,
                plans,
                a=a,
                b=b,
                n_threads=n_threads,
                on_progress=on_progress,
                on_result=None,
            )
            extended = dict(zip(part.datasets, part.results or (), strict=True))
    now = dict(zip(table.datasets, results, strict=True))
    for name, result in extended.items():
        if _of_scores(result) != _of_scores(now[name]):
            raise ValueError(
                "`result_set` must hold the scores that the table was made from; those of "
                f"{name!r} are others."
            )
    now |= extended
    found = table_of(table.datasets, list(now.values()), a=a, b=b, complete=table.complete)
    found = found if side == "greater" else found.swapped()
    return Settlement(
        table=replace(found, reading=table.reading),
        thresholds=limits,
        settled=np.array([done(r, at) for r, at in zip(now.values(), limits, strict=True)]),
        complete=len(extended) == len(plans),
    )


def _of_scores(result: SignificanceResult) -> tuple[int, int | None, float, float]:
    """What tells other scores apart."""
    return result.n_examples, result.n_clusters, result.score_a, result.score_b


def _limits(
    thresholds: Thresholds | Mapping[str, Thresholds], datasets: Sequence[str]
) -> tuple[tuple[float, ...], ...]:
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
