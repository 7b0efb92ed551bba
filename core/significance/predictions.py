"""Tests of numeric predictions that are correlated with gold scores.

The tests from the three correlations are in `correlation`. Resampling: the
bootstrap computes the correlations anew in each resample, Spearman's with new
midranks; randomization swaps the systems' midranks (Spearman) or standardised
scores (Pearson), since raw scores on two scales could not be exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.metrics.registry import Correlation, correlation_with, standing
from core.significance.choose import CORRELATION_TESTS
from core.significance.comparison import ALL_ZERO, Comparison
from core.significance.correlation import ONE, approximation_of, correlation_outcome
from core.significance.counts import size_notes
from core.significance.resamples import DeltasOf, basic_interval_of, bootstrap_deltas
from core.significance.result import NO_INTERVAL, Outcome, Sides
from core.significance.settings import Settings
from core.significance.stopping import KeepGoing
from core.significance.sums import (
    SummedStatistics,
    drawn_deltas,
    equal_under_bootstrap,
    judged,
    randomization_of_sums,
)
from core.types import FloatArray

# Draws for an interval beside another test's p-value: one or two seconds of
# them, new midranks taking longer than sums.
_MAX_INTERVAL_DRAWS = {"spearman": 1 << 25, "pearson": 1 << 26}
# A variance below this share of the mean square is none: rounding.
_NO_VARIANCE = 1e-12
NOT_APART = "r(A, B) = 1: the two systems cannot be told apart"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Predictions:
    """Standings of gold, A and B, shape (3, n), and what is known of them."""

    kind: Correlation
    standings: FloatArray
    sums: SummedStatistics
    comparison: Comparison


def compare_predictions(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    settings: Settings,
    *,
    kind: Correlation,
    higher_is_better: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' predictions, shape (n,), by their correlations with gold.

    Raises
    ------
    ValueError
        If gold or predictions are constant, "exact" is asked for in vain, or
        a correlation does not suit the test.
    Stopped
        If `keep_going` says so.
    """
    predictions = _predictions(a, b, gold, kind=kind, sign=1.0 if higher_is_better else -1.0)
    comparison = predictions.comparison
    if comparison.alike:
        if settings.test == "paired-bootstrap":
            return comparison, equal_under_bootstrap(settings)
        equal = Outcome(p_values=Sides(1.0, 1.0, 1.0), exact=True, statistic=0.0)
        if settings.test in CORRELATION_TESTS:
            used = approximation_of(settings.test)
            return comparison, replace(equal, approximation=used)
        return comparison, equal
    if settings.test == "paired-bootstrap":
        return comparison, _bootstrap(predictions, settings, rng=rng, keep_going=keep_going)
    if settings.test in CORRELATION_TESTS:
        sign = predictions.sums.sign
        test = next(name for name in CORRELATION_TESTS if name == settings.test)
        assert comparison.correlation_ab is not None
        outcome = correlation_outcome(
            test,
            sign * comparison.score_a,
            sign * comparison.score_b,
            comparison.correlation_ab,
            comparison.n,
        )
    else:
        outcome = randomization_of_sums(predictions.sums, settings, rng=rng, keep_going=keep_going)
        if not outcome.exact and settings.method == "auto":
            why = "Monte Carlo: too many examples differ to try all swaps"
            outcome = replace(outcome, notes=(why, *outcome.notes))
        outcome = replace(outcome, statistic=comparison.difference)
    return comparison, _with_interval(
        outcome, predictions, settings, rng=rng, keep_going=keep_going
    )


def _predictions(
    a: FloatArray, b: FloatArray, gold: FloatArray, *, kind: Correlation, sign: float
) -> _Predictions:
    standings = []
    for name, scores in (("gold", gold), ("a", a), ("b", b)):
        stands = standing(scores, kind=kind)
        if stands is None:
            raise ValueError(
                f"`{name}` must not be the same number for every example; a correlation is then "
                "not defined."
            )
        standings.append(stands)
    right, stands_a, stands_b = standings
    r_a, r_b, r_ab = (
        correlation_with(gold, a, kind=kind),
        correlation_with(gold, b, kind=kind),
        correlation_with(a, b, kind=kind),
    )
    # Midranks are whole numbers; standardised scores are off by roundings.
    same = bool((stands_a == stands_b).all()) if kind == "spearman" else r_ab >= ONE
    if same:
        stands_b, r_b, r_ab = stands_a, r_a, 1.0
    sums = SummedStatistics(
        a=_statistics(right, stands_a),
        b=_statistics(right, stands_b),
        score=_pearson_of_sums,
        sign=sign,
        scale=1.0,
        farthest=2.0,
    )
    alike = ALL_ZERO if bool((a == b).all()) else NOT_APART
    comparison = replace(sums.compared(r_a, r_b), alike=alike if same else "", correlation_ab=r_ab)
    return _Predictions(
        kind=kind,
        standings=np.stack([right, stands_a, stands_b]),
        sums=sums,
        comparison=comparison,
    )


def _statistics(gold: FloatArray, scores: FloatArray) -> FloatArray:
    """Statistics whose sums give Pearson's r, shape (n, 6)."""
    ones = np.ones(gold.size)
    return np.column_stack([ones, gold, gold**2, scores, scores**2, gold * scores])


def _pearson_of_sums(sums: FloatArray) -> FloatArray:
    n, g, gg, x, xx, gx = (sums[..., i] for i in range(6))
    of_gold, of_scores = n * gg - g**2, n * xx - x**2
    varies = (of_gold > _NO_VARIANCE * n * gg) & (of_scores > _NO_VARIANCE * n * xx)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (n * gx - g * x) / np.sqrt(of_gold * of_scores)
    return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


def _bootstrap(
    predictions: _Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    if settings.method == "exact":
        raise ValueError(
            "`method` 'exact' must have an exact distribution; the bootstrap of a correlation has "
            "none."
        )
    comparison = predictions.comparison
    delta = comparison.difference
    if predictions.kind == "pearson":
        delta = predictions.sums.delta
    outcome = judged(
        _deltas(predictions, settings, rng=rng, keep_going=keep_going),
        delta,
        settings,
        room=predictions.sums.room,
        farthest=predictions.sums.farthest,
        constant=False,
    )
    size = settings.resample_size or comparison.n
    notes = (*size_notes(size, comparison.n), *outcome.notes)
    return replace(outcome, notes=notes, statistic=comparison.difference)


def _deltas(
    predictions: _Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> FloatArray:
    if predictions.kind == "pearson":
        return drawn_deltas(predictions.sums, settings, rng=rng, keep_going=keep_going)
    sign = predictions.sums.sign

    def deltas_from(rows: FloatArray) -> DeltasOf:
        gold, a, b = (_Ranker(column) for column in rows.T)

        def deltas_of(counts: FloatArray) -> FloatArray:
            right, spread = gold.ranks(counts)
            weighted = counts * right
            r_a, r_b = (
                _rank_correlation(weighted, spread, *ranker.ranks(counts)) for ranker in (a, b)
            )
            return sign * (r_a - r_b)

        return deltas_of

    return bootstrap_deltas(
        np.ascontiguousarray(predictions.standings.T),
        deltas_from,
        size=settings.resample_size or predictions.comparison.n,
        n_resamples=settings.n_resamples,
        rng=rng,
        keep_going=keep_going,
    )


class _Ranker:
    """Midranks of resamples from their counts, without sorting each."""

    def __init__(self, values: FloatArray) -> None:
        self._order = np.argsort(values, kind="stable")
        distinct, self._group, sizes = np.unique(values, return_inverse=True, return_counts=True)
        self._starts = np.cumsum(sizes) - sizes
        self._tied = distinct.size < values.size

    def ranks(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Midranks less their mean, shape (resamples, d), and their sums of squares."""
        number = counts[:, self._order]
        if self._tied:
            number = np.add.reduceat(number, self._starts, axis=1)
        upper = np.cumsum(number, axis=1)
        # A group's ranks run from `upper - number + 1` to `upper`.
        centred = upper - 0.5 * number - 0.5 * upper[:, -1:]
        squares = np.einsum("ij,ij,ij->i", number, centred, centred)
        return centred[:, self._group], squares


def _rank_correlation(
    weighted_gold: FloatArray, spread_gold: FloatArray, ranks: FloatArray, spread: FloatArray
) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.einsum("ij,ij->i", weighted_gold, ranks) / np.sqrt(spread_gold * spread)
    return np.where((spread_gold > 0.0) & (spread > 0.0), np.clip(r, -1.0, 1.0), np.nan)


def _with_interval(
    outcome: Outcome,
    predictions: _Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome with an interval; drawn after the p-value, so that it does not change it."""
    draws = predictions.comparison.n * settings.n_resamples
    if draws > _MAX_INTERVAL_DRAWS[predictions.kind]:
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    interval = basic_interval_of(
        _deltas(predictions, settings, rng=rng, keep_going=keep_going),
        predictions.comparison.difference,
        confidence_level=settings.confidence_level,
    )
    return replace(outcome, interval=interval)
