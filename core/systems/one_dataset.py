"""One-sided p-values of all ordered pairs of systems on one dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..comparison import comparison_named
from ..significance.clusters import Clusters, clusters_of
from ..significance.counting import CountingTest
from ..significance.settings import Method, Settings
from ..significance.significance_test import HasMargin, OfDifferences
from ..significance.single import run_with_settings
from ..significance.stopping import check_going
from ..significance.streams import dataset_stream
from ..significance.wilcoxon import SignedRankTest
from ..types import FloatArray, IntArray
from ..validation import check_choice
from .bootstrap import beyond_averages, beyond_sums, times_at_least_twice
from .exact import SignedRanks, bootstrap_of_outcomes, wins_of_outcomes
from .side_by_side import AveragedColumns, SummedColumns

# How the bootstrap and randomization get their p-values.
PAIR_METHODS: tuple[Method, ...] = ("auto", "exact", "monte-carlo")


def _unheard(_share: float) -> None:
    """Nobody asks how far it is."""


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
    method: str
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
    method: Method,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: Callable[[], bool],
    on_share: Callable[[float], None] = _unheard,
) -> PairsOfOneDataset:
    """The paired bootstrap of all pairs: exact of outcomes, else on shared resamples.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    check_choice(method, PAIR_METHODS, name="method")
    if method == "auto" and isinstance(columns, AveragedColumns) and columns.binary:
        wins = wins_of_outcomes(_as_outcomes(columns))
        p_values = bootstrap_of_outcomes(wins, columns.n, keep_going=keep_going)
        return _pairs(p_values, "exact", out_of_reach=np.argwhere(p_values == 0.0))
    extreme = times_at_least_twice(
        columns, n_resamples, rng, keep_going=keep_going, on_share=on_share
    )
    p_values = ((extreme + 1.0) / (n_resamples + 1.0)).astype(np.float64)
    np.fill_diagonal(extreme, 1)
    unseen = extreme == 0
    out_of_reach = (
        beyond_averages(columns, unseen, keep_going=keep_going)
        if isinstance(columns, AveragedColumns)
        else beyond_sums(columns, unseen, keep_going=keep_going)
    )
    return _pairs(
        p_values, "monte-carlo", n_resamples=n_resamples, shared=True, out_of_reach=out_of_reach
    )


def pairs_of_outcomes(columns: AveragedColumns, kernel: CountingTest) -> PairsOfOneDataset:
    """A test of wins and losses of all pairs of 0/1 outcomes."""
    wins = wins_of_outcomes(_as_outcomes(columns))
    p_values = kernel.p_of_counts(wins, wins.T, alternative="greater")
    return _pairs(p_values, kernel.approximation or "exact")


def pairs_at_margin(
    columns: AveragedColumns, kernel: HasMargin, settings: Settings
) -> PairsOfOneDataset:
    """A test of wins and losses at a margin of all pairs of 0/1 outcomes."""
    wins = wins_of_outcomes(_as_outcomes(columns))
    comparison = comparison_named(settings.claim)
    p_values = kernel.p_at_margin(
        wins,
        wins.T,
        columns.n,
        margin=settings.margin,
        claim="not-worse" if comparison.shift > 0 else "better-by",
    )
    if comparison.both_sides:
        p_values = np.maximum(p_values, p_values.T)
    return _pairs(p_values, "exact")


def averaged_pairs(
    columns: AveragedColumns,
    kernel: OfDifferences,
    settings: Settings,
    *,
    stream: Callable[[], np.random.Generator],
    keep_going: Callable[[], bool],
    on_share: Callable[[float], None] = _unheard,
) -> PairsOfOneDataset:
    """A test of differences, pair by pair; each pair begins with the same random numbers.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    m = columns.values.shape[1]
    p_values = np.ones((m, m))
    methods: set[str] = set()
    signed_ranks = SignedRanks() if isinstance(kernel, SignedRankTest) else None
    for i, j in _all_pairs(m, on_share, keep_going):
        own = columns.differences(i, j)
        if signed_ranks is not None:
            p_values[i, j], p_values[j, i], exact = signed_ranks.p_values(
                own, exact=settings.method == "exact", keep_going=keep_going
            )
            methods.add("exact" if exact else "normal")
            continue
        outcome = kernel.of_differences(own, settings, rng=stream(), keep_going=keep_going)
        p_values[i, j], p_values[j, i] = outcome.p_values.greater, outcome.p_values.less
        methods.add(outcome.method)
    drawn = "monte-carlo" in methods
    return _pairs(p_values, _one_of(methods), n_resamples=settings.n_resamples if drawn else None)


def single_pairs(
    systems: GivenSystems,
    test: str,
    settings: Settings,
    *,
    stream: Callable[[], np.random.Generator],
    keep_going: Callable[[], bool],
    on_share: Callable[[float], None] = _unheard,
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
    methods: set[str] = set()
    beyond: list[tuple[int, int]] = []
    resamples: int | None = None
    for i, j in _all_pairs(m, on_share, keep_going):
        result = run_with_settings(
            systems.given[i],  # type: ignore[arg-type]
            systems.given[j],  # type: ignore[arg-type]
            replace(settings, with_interval=False),
            test=test,
            metric=systems.kind,
            gold=systems.gold,  # type: ignore[arg-type]
            clusters=systems.labels,  # type: ignore[arg-type]
            higher_is_better=systems.higher_is_better,
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
    method: str,
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


def _one_of(methods: set[str]) -> str:
    return next(iter(methods)) if len(methods) == 1 else "mixed"


def _all_pairs(
    m: int, on_share: Callable[[float], None], keep_going: Callable[[], bool]
) -> Iterator[tuple[int, int]]:
    """Each pair, once the share of pairs that come before it is told."""
    n_pairs, done = m * (m - 1) // 2, 0
    for i in range(m):
        for j in range(i + 1, m):
            on_share(done / n_pairs)
            check_going(keep_going)
            yield i, j
            done += 1
