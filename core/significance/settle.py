"""More resamples where a decision is not settled, from the same streams.

A p-value from b resamples is an estimate. Robbins' confidence sequence holds what
it would settle to with more of them, at every number of resamples at once, so
that one may look, go on and look again. A decision at a threshold is settled
where the threshold lies outside that interval.

The resamples of a larger number begin with those of a smaller one. So a p-value
depends on the seed, the dataset, the test and the total number, and not on how
often one went on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.data.p_value_table import PValueTable
from core.metrics.registry import CORRELATIONS
from core.significance.choose import significance_tests
from core.significance.plan import ComparedSystems
from core.significance.result import (
    TEST_ALTERNATIVES,
    SignificanceResult,
    TestAlternative,
    confidence_sequence,
)
from core.significance.run import table_of
from core.significance.settings import positive_number
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from core.significance.streams import dataset_stream
from core.types import BoolArray, FloatArray
from core.validation import check_alpha, check_choice

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


def settled(
    result: SignificanceResult, threshold: float, *, alternative: TestAlternative | None = None
) -> bool:
    """Whether more resamples would leave the p-value on its side of a threshold.

    True of p-values that are free of Monte Carlo error. A settled decision is
    wrong with a chance of at most .001, whenever one looks.

    Parameters
    ----------
    result : SignificanceResult
        Of one test.
    threshold : float
        What p is compared with, between 0 and 1.
    alternative : {"greater", "less", "two-sided"}, optional
        Of which p-value; by default the result's own.

    Raises
    ------
    ValueError
        If `threshold` does not lie strictly between 0 and 1, or there is no
        such alternative.

    References
    ----------
    Robbins (Annals of Mathematical Statistics 1970), section 2.
    """
    try:
        check_alpha(threshold)
    except ValueError:
        raise ValueError(
            f"`threshold` must lie strictly between 0 and 1; got {threshold!r}."
        ) from None
    low, high = _ends(result, alternative or result.alternative)
    return low == high or threshold <= low or threshold >= high


def p_value_ends(table: PValueTable) -> tuple[FloatArray, FloatArray]:
    """Where each p-value of a table of tests may settle: lowest and highest, each shape (N,).

    What is monotone in all p-values, as k̂ and lists by Holm are, is settled
    where both ends give the same answer.

    Raises
    ------
    ValueError
        If the table is not of tests that were run here.
    """
    results, side = _results_and_side(table)
    ends = [_ends(result, side) for result in results]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def settle(
    result_set: ComparedSystems,
    table: PValueTable,
    *,
    thresholds: Thresholds | Mapping[str, Thresholds],
    up_to: int,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Settlement:
    """Extend the tests whose decisions are not settled to `up_to` resamples.

    A test extended has the p-value that it would have if so many resamples had
    been asked for at once.

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
        As they were given to `run_dataset_tests`.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets that
        are extended, also between chunks within one. Returning False stops.

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
    up_to = positive_number("up_to", up_to)
    results, side = _results_and_side(table)
    limits = tuple(_limits(thresholds, dataset) for dataset in table.datasets)

    def done(result: SignificanceResult, at: tuple[float, ...]) -> bool:
        return all(settled(result, threshold, alternative=side) for threshold in at)

    systems = (table.system_a, table.system_b)
    a, b = systems if side == "greater" else systems[::-1]
    due = [
        i
        for i, result in enumerate(results)
        if not done(result, limits[i]) and (result.n_resamples or 0) < up_to
    ]
    number = 0

    def keep_going() -> bool:
        return on_progress is None or on_progress(number, len(due)) is not False

    complete = True
    for i in due:
        try:
            if not keep_going():
                raise Stopped("The tests were stopped.")
            results[i] = _extended(
                result_set,
                table.datasets[i],
                results[i],
                a=a,
                b=b,
                n_resamples=up_to,
                clusters=None if clusters is None else clusters.get(table.datasets[i]),
                keep_going=keep_going,
            )
        except Stopped:
            complete = False
            break
        number += 1
    if complete and on_progress is not None:
        on_progress(len(due), len(due))
    extended = table_of(table.datasets, results, a=a, b=b, complete=table.complete)
    extended = replace(extended if side == "greater" else extended.swapped(), reading=table.reading)
    decided = np.array([done(r, at) for r, at in zip(results, limits, strict=True)], dtype=np.bool_)
    return Settlement(table=extended, thresholds=limits, settled=decided, complete=complete)


def _extended(
    result_set: ComparedSystems,
    dataset: str,
    result: SignificanceResult,
    *,
    a: str,
    b: str,
    n_resamples: int,
    clusters: npt.ArrayLike | None,
    keep_going: Callable[[], bool],
) -> SignificanceResult:
    if result.seed is None:
        raise ValueError(
            f"`table` must have the seed of its resamples; that of {dataset!r} is not known."
        )
    if (result.n_clusters is None) != (clusters is None):
        raise ValueError(
            f"`clusters` must be those that the table was made with; {dataset!r} was tested "
            f"{'without' if result.n_clusters is None else 'with'} clusters."
        )
    extended = run_significance_test(
        result_set.scores(dataset, a, result.metric),
        result_set.scores(dataset, b, result.metric),
        test=next(known for known in significance_tests if known == result.test),
        metric=result.kind,
        gold=result_set.gold(dataset) if result.kind in CORRELATIONS else None,
        clusters=clusters,
        higher_is_better=result.higher_is_better,
        n_resamples=n_resamples,
        rng=dataset_stream(result.seed, dataset, result.test),
        keep_going=keep_going,
    )
    same = (extended.n_examples, extended.n_clusters, extended.score_a, extended.score_b) == (
        result.n_examples,
        result.n_clusters,
        result.score_a,
        result.score_b,
    )
    if not same:
        raise ValueError(
            f"`result_set` must hold the scores that the table was made from; those of {dataset!r} "
            "are others."
        )
    return replace(extended, metric=result.metric, seed=result.seed)


def _ends(result: SignificanceResult, alternative: TestAlternative) -> tuple[float, float]:
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    sides = (result.p_value_greater, result.p_value_less, result.p_value_two_sided)
    p = dict(zip(TEST_ALTERNATIVES, sides, strict=True))[alternative]
    b = result.n_resamples
    if b is None:
        return p, p
    n_extreme = round(p * b) if result.estimator == "berg-kirkpatrick" else round(p * (b + 1)) - 1
    return confidence_sequence(n_extreme, b)


def _results_and_side(table: PValueTable) -> tuple[list[SignificanceResult], TestAlternative]:
    results = [r for r in table.results or () if isinstance(r, SignificanceResult)]
    if len(results) != table.n_datasets:
        raise ValueError("`table` must hold the results of tests that were run here.")
    sides: tuple[tuple[TestAlternative, list[float]], ...] = (
        ("greater", [result.p_value_greater for result in results]),
        ("less", [result.p_value_less for result in results]),
    )
    for side, p_values in sides:
        if table.p_values.tolist() == p_values:
            return results, side
    raise ValueError("`table` must have the p-values of its results.")


def _limits(thresholds: Thresholds | Mapping[str, Thresholds], dataset: str) -> tuple[float, ...]:
    if isinstance(thresholds, Mapping):
        if dataset not in thresholds:
            raise ValueError(
                f"`thresholds` must name each dataset of the table; got none for {dataset!r}."
            )
        given: Thresholds = thresholds[dataset]
    else:
        given = thresholds
    limits: list[float] = []
    for limit in given if isinstance(given, Iterable) else (given,):
        if isinstance(limit, str | bool) or not 0.0 < limit < 1.0:
            raise ValueError(
                f"`thresholds` must lie strictly between 0 and 1; got {limit!r} for {dataset!r}."
            )
        limits.append(float(limit))
    return tuple(limits)
