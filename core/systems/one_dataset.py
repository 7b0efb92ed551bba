"""One-sided p-values of all ordered pairs of systems on one dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.significance.choose import SignificanceTest
from core.significance.clusters import Clusters, clusters_of
from core.significance.differences import Differences
from core.significance.mcnemar import mcnemar
from core.significance.randomization import approximate_randomization
from core.significance.reach import has_witness
from core.significance.result import Outcome
from core.significance.sign import sign
from core.significance.single import run_significance_test
from core.significance.stopping import check_going
from core.significance.streams import dataset_stream
from core.significance.summed_statistics import SummedStatistics
from core.significance.t import paired_t
from core.significance.wilcoxon import EXACT_UP_TO, wilcoxon
from core.systems.outcomes import bootstrap_of_outcomes, fair_coin_tails, wins_of_outcomes
from core.systems.shared_resamples import times_at_least_twice
from core.systems.side_by_side import AveragedColumns, SummedColumns
from core.types import FloatArray, IntArray

PairMethod = Literal["auto", "exact", "monte-carlo"]
MethodOfPairs = Literal["exact", "monte-carlo", "normal", "student", "mixed"]
_LOOK = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsOfOneDataset:
    """What is known of all pairs on one dataset.

    Attributes
    ----------
    p_values : ndarray, shape (m, m)
        Entry (i, j) is of "i is better than j"; nan on the diagonal.
    method : {"exact", "monte-carlo", "normal", "student", "mixed"}
        How they were computed; "mixed" where pairs differ.
    n_resamples : int or None
        Of Monte Carlo.
    shared : bool
        Whether all pairs were judged on the same resamples.
    out_of_reach : ndarray of int, shape (k, 2)
        Ordered pairs whose p-value is of a bootstrap that cannot reach twice
        the observed difference, and says nothing about the evidence.
    """

    p_values: FloatArray
    method: MethodOfPairs
    n_resamples: int | None
    shared: bool
    out_of_reach: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenSystems:
    """One dataset's systems as a test is given them, one by one.

    Attributes
    ----------
    given : tuple of ndarray
        Scores, statistics or labels of each.
    gold : array or None
        Gold numbers or labels, where the metric is of them.
    kind : str
        The metric's kind.
    higher_is_better : bool
        Whether a higher score is the better one.
    labels : ndarray or None
        The clusters' labels, one an example.
    """

    given: tuple[object, ...]
    gold: object
    kind: str
    higher_is_better: bool
    labels: object


def bootstrap_pairs(
    columns: AveragedColumns | SummedColumns,
    *,
    method: PairMethod,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: Callable[[], bool],
) -> PairsOfOneDataset:
    """The paired bootstrap of all pairs: exact of outcomes, else on shared resamples.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    if method == "auto" and isinstance(columns, AveragedColumns) and columns.binary:
        wins = wins_of_outcomes(_as_outcomes(columns))
        p_values = bootstrap_of_outcomes(wins, columns.n, keep_going=keep_going)
        return _pairs(p_values, "exact", out_of_reach=np.argwhere(p_values == 0.0))
    extreme = times_at_least_twice(columns, n_resamples, rng, keep_going=keep_going)
    p_values = ((extreme + 1.0) / (n_resamples + 1.0)).astype(np.float64)
    np.fill_diagonal(extreme, 1)
    unseen = extreme == 0
    out_of_reach = (
        _beyond_averages(columns, unseen)
        if isinstance(columns, AveragedColumns)
        else _beyond_sums(columns, unseen)
    )
    return _pairs(
        p_values, "monte-carlo", n_resamples=n_resamples, shared=True, out_of_reach=out_of_reach
    )


def mcnemar_pairs(columns: AveragedColumns) -> PairsOfOneDataset:
    """McNemar's exact test of all pairs of outcomes."""
    return _pairs(fair_coin_tails(wins_of_outcomes(_as_outcomes(columns))), "exact")


def averaged_pairs(
    columns: AveragedColumns,
    test: SignificanceTest,
    *,
    method: PairMethod,
    n_resamples: int,
    stream: Callable[[], np.random.Generator],
    keep_going: Callable[[], bool],
) -> PairsOfOneDataset:
    """A test of differences, pair by pair; each pair begins with the same random numbers.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """

    def outcome_of(differences: Differences) -> tuple[Outcome, MethodOfPairs]:
        if test == "wilcoxon":
            outcome = wilcoxon(
                differences, method="exact" if method == "exact" else "auto", keep_going=keep_going
            )
            few = differences.wins + differences.losses <= EXACT_UP_TO
            return outcome, "exact" if few or method == "exact" else "normal"
        if test == "sign":
            return sign(differences), "exact"
        if test == "paired-t":
            return paired_t(differences), "student"
        if test == "approximate-randomization":
            outcome = approximate_randomization(
                differences,
                method=method,
                n_resamples=n_resamples,
                rng=stream(),
                keep_going=keep_going,
            )
            return outcome, "exact" if outcome.exact else "monte-carlo"
        if test == "mcnemar-mid-p":
            return mcnemar(differences, variant="mid-p"), "exact"
        corrected = test == "mcnemar-chi2-corrected"
        return mcnemar(differences, variant="chi2-corrected" if corrected else "chi2"), "normal"

    m = columns.values.shape[1]
    p_values = np.ones((m, m))
    methods: set[MethodOfPairs] = set()
    for i, j in _all_pairs(m):
        check_going(keep_going)
        outcome, used = outcome_of(columns.differences(i, j))
        p_values[i, j], p_values[j, i] = outcome.p_values.greater, outcome.p_values.less
        methods.add(used)
    drawn = "monte-carlo" in methods
    return _pairs(p_values, _one_of(methods), n_resamples=n_resamples if drawn else None)


def single_pairs(
    systems: GivenSystems,
    test: SignificanceTest,
    *,
    method: PairMethod,
    n_resamples: int,
    stream: Callable[[], np.random.Generator],
    keep_going: Callable[[], bool],
) -> PairsOfOneDataset:
    """Any test, by the test of a single pair; each pair begins with the same random numbers.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    m = len(systems.given)
    p_values = np.ones((m, m))
    methods: set[MethodOfPairs] = set()
    beyond: list[tuple[int, int]] = []
    resamples: int | None = None
    for i, j in _all_pairs(m):
        check_going(keep_going)
        result = run_significance_test(
            systems.given[i],  # type: ignore[arg-type]
            systems.given[j],  # type: ignore[arg-type]
            test=test,
            metric=systems.kind,
            gold=systems.gold,  # type: ignore[arg-type]
            clusters=systems.labels,  # type: ignore[arg-type]
            higher_is_better=systems.higher_is_better,
            method=method,
            n_resamples=n_resamples,
            rng=stream(),
            keep_going=keep_going,
        )
        p_values[i, j], p_values[j, i] = result.p_value_greater, result.p_value_less
        methods.add(result.method)
        resamples = result.n_resamples or resamples
        ahead, behind = result.out_of_reach
        beyond += [(i, j)] * ahead + [(j, i)] * behind
    return _pairs(
        p_values,
        _one_of(methods),
        n_resamples=resamples,
        out_of_reach=np.array(beyond, dtype=np.intp).reshape(-1, 2),
    )


def stream_of(seed: int, dataset: str, test: str) -> np.random.Generator:
    """The stream of one dataset, which all of its pairs share."""
    return dataset_stream(seed, dataset, f"all-pairs|{test}")


def clusters_for(labels: object, n_examples: int) -> Clusters | None:
    """The clusters of one dataset, or None without labels."""
    return None if labels is None else clusters_of(labels, n_examples=n_examples)  # type: ignore[arg-type]


def _pairs(
    p_values: FloatArray,
    method: MethodOfPairs,
    *,
    n_resamples: int | None = None,
    shared: bool = False,
    out_of_reach: IntArray | None = None,
) -> PairsOfOneDataset:
    np.fill_diagonal(p_values, np.nan)
    none = np.empty((0, 2), dtype=np.intp)
    return PairsOfOneDataset(
        p_values=p_values,
        method=method,
        n_resamples=n_resamples,
        shared=shared,
        out_of_reach=none if out_of_reach is None else out_of_reach,
    )


def _as_outcomes(columns: AveragedColumns) -> FloatArray:
    """0 and 1, whatever the step and the direction."""
    lowest, highest = float(columns.values.min()), float(columns.values.max())
    return np.asarray((columns.values - lowest) / max(highest - lowest, 1.0), dtype=np.float64)


def _one_of(methods: set[MethodOfPairs]) -> MethodOfPairs:
    return next(iter(methods)) if len(methods) == 1 else "mixed"


def _all_pairs(m: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(m) for j in range(i + 1, m))


def _beyond_averages(columns: AveragedColumns, unseen: np.ndarray) -> IntArray:
    """Of ordered pairs without an extreme resample those of which none can be extreme."""
    found: list[tuple[int, int]] = []
    values = np.ascontiguousarray(columns.values.T)
    narrow = values.astype(np.int32) if columns.step is not None and _small(values) else values
    totals, n = values.sum(axis=1), columns.n
    room = 0.0 if columns.step is not None else 1e-12 * float(np.abs(values).sum())
    for i in np.flatnonzero(unseen.any(axis=1)).tolist():
        others = np.flatnonzero(unseen[i])
        needed = 2.0 * (totals[i] - totals[others]) - room
        # Most are shown within reach by a few examples.
        few = narrow[i, :_LOOK] - narrow[others, :_LOOK]
        far = n * few.max(axis=1).astype(np.float64) < needed
        others, needed = others[far], needed[far]
        for j, least in zip(others.tolist(), needed.tolist(), strict=True):
            if n * float((narrow[i] - narrow[j]).max()) < least:
                found.append((i, j))
    return np.array(found, dtype=np.intp).reshape(-1, 2)


def _small(values: FloatArray) -> bool:
    return float(np.abs(values).max(initial=0.0)) < 2.0**30


def _beyond_sums(columns: SummedColumns, unseen: np.ndarray) -> IntArray:
    found: list[tuple[int, int]] = []
    for i, j in np.argwhere(unseen).tolist():
        statistics = SummedStatistics(
            a=columns.of(i),
            b=columns.of(j),
            score=columns.score,
            sign=columns.sign,
            scale=columns.room / 1e-12,
            farthest=np.inf,
        )
        if not has_witness(statistics):
            found.append((i, j))
    return np.array(found, dtype=np.intp).reshape(-1, 2)
