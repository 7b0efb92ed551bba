"""One-sided p-values of all ordered pairs of systems on one dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..comparison import comparison_named
from ..significance.counting import CountingTest
from ..significance.outcome import Outcome
from ..significance.resamples import product
from ..significance.settings import Method, Settings
from ..significance.significance_test import HasMargin
from ..significance.stopping import check_going
from ..significance.tails import outcomes_at_least
from ..types import FloatArray, IntArray
from ..validation import check_choice
from .bootstrap import beyond_averages, beyond_sums, times_at_least_twice
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
        wins = _wins(columns)
        p_values = outcomes_at_least(wins, wins.T, columns.n, keep_going=keep_going)
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
    wins = _wins(columns)
    p_values = kernel.p_of_counts(wins, wins.T, alternative="greater")
    return _pairs(p_values, kernel.approximation or "exact")


def pairs_at_margin(
    columns: AveragedColumns, kernel: HasMargin, settings: Settings
) -> PairsOfOneDataset:
    """A test of wins and losses at a margin of all pairs of 0/1 outcomes."""
    wins = _wins(columns)
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


def pairs_one_by_one(
    m: int,
    outcome_of: Callable[[int, int], tuple[Outcome, tuple[bool, bool]]],
    *,
    rng: np.random.Generator,
    keep_going: Callable[[], bool],
    on_share: Callable[[float], None] = _unheard,
) -> PairsOfOneDataset:
    """Any test, pair by pair; each pair begins with the same random numbers.

    Parameters
    ----------
    m : int
        Number of systems.
    outcome_of : callable
        From two systems' places to what the test finds, with random numbers from `rng`,
        and whether either p-value is out of its reach.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    p_values = np.ones((m, m))
    methods: set[str] = set()
    beyond: list[tuple[int, int]] = []
    resamples: int | None = None
    begun, n_pairs = rng.bit_generator.state, m * (m - 1) // 2
    for place, (i, j) in enumerate(combinations(range(m), 2)):
        on_share(place / n_pairs)
        check_going(keep_going)
        rng.bit_generator.state = begun
        outcome, (ahead, behind) = outcome_of(i, j)
        p_values[i, j], p_values[j, i] = outcome.p_values.greater, outcome.p_values.less
        methods.add(outcome.method)
        resamples = outcome.n_resamples or resamples
        beyond += [(i, j)] * ahead + [(j, i)] * behind
    return _pairs(
        p_values,
        methods.pop() if len(methods) == 1 else "mixed",
        n_resamples=resamples,
        out_of_reach=np.array(beyond, dtype=np.intp).reshape(-1, 2),
    )


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


def _wins(columns: AveragedColumns) -> IntArray:
    """On how many examples the row is right and the column wrong, shape (m, m), of outcomes."""
    lowest, highest = float(columns.values.min()), float(columns.values.max())
    right = (columns.values - lowest) / max(highest - lowest, 1.0)
    # Whole numbers below 2**24 are exact in 32-bit floats, which multiply quicker.
    kind = np.float32 if columns.n < 1 << 24 else np.float64
    wins = product(right.T.astype(kind), (1.0 - right).astype(kind))
    return np.rint(wins).astype(np.intp)
