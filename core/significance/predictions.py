"""Tests of numeric predictions that are correlated with gold scores.

The tests from the three correlations are in `correlation`. Resampling: the
bootstrap computes the correlations anew in each resample, Spearman's with new
midranks; randomization swaps the systems' midranks and ranks anew after each swap
(Spearman), or swaps standardised scores (Pearson), since raw scores on two scales
could not be exchanged (Deutsch, Dror and Roth, TACL 2021, "PERM-BOTH").

Both are approximate. Where normal triples have the same correlations, they reject
at α = .05 (.01) more often than α: the bootstrap by at most .020 (.010) for
n = 50, randomization by at most .010 (.005) for n = 50.

Where both systems correlate with gold alike, at n = 12 to 400 and α = .05, randomization
rejects (two-sided in brackets):

- Spearman, correlations of .6, .9 and .98, five grades: .04 to .065 (.04 to .07). Without
  ranking anew .06 to .07 (.06 to .08) at n = 12;
- Pearson, normal scores: .04 to .06 (.045 to .06), at correlations of .98 .04 to .07
  (.05 to .075);
- Pearson, lognormal scores: .055 to .075 (.06 to .07), at correlations near 1 .07 to .10
  (.07 to .14), most at n = 12.

There A and B could be exchanged, which is randomization's null hypothesis. Where only
the correlations with gold are equal, as A errs by normal noise and B in another way, it
rejects for B at n = 25, 100 and 400 (Williams' test in brackets):

- Spearman: .13, .09, .08 (.16, .16, .16) where a fifth of B's outputs is noise; .10, .06,
  .05 (.13, .13, .09) where a fifth has the lowest score; .29, .10, .09 (.36, .23, .27)
  where B errs at the extremes;
- Pearson: .18, .10, .07 (.22, .19, .18) where a fifth is noise; .24, .29, .30
  (.23, .27, .31) where B's outputs are lognormal.

``./run.sh calibrate correlations`` prints these, and those of Williams, Steiger and Meng.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.metrics.formulas import pearson
from core.metrics.registry import ONE, Correlation, correlation_with, standing
from core.significance.bootstrap_notes import size_notes
from core.significance.clusters import Clusters
from core.significance.comparison import ALL_ZERO, Comparison
from core.significance.rank_resamples import ranked_deltas, swapped_deltas
from core.significance.resamples import CHUNK_DRAWS, DeltasOf, bootstrap_deltas
from core.significance.result import NO_INTERVAL, Outcome, Sides
from core.significance.settings import Settings
from core.significance.stopping import KeepGoing
from core.significance.summed_statistics import SummedStatistics
from core.significance.sums import (
    drawn_deltas,
    equal_under_bootstrap,
    judged,
    randomization_by_swaps,
    randomization_of_sums,
    tries_all_swaps,
    with_interval_of,
)
from core.types import FloatArray

# Draws for an interval beside another test's p-value: one or two seconds of
# them, new midranks taking longer than sums.
_MAX_INTERVAL_DRAWS = {"spearman": 1 << 25, "pearson": 1 << 26}
NOT_APART = "r(A, B) = 1: the two systems cannot be told apart"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """Two systems' numeric predictions, by how they stand beside gold.

    Attributes
    ----------
    kind : {"spearman", "pearson"}
        The correlation.
    standings : ndarray, shape (3, n)
        Of gold, A and B: midranks, or standardised scores.
    sums : SummedStatistics
        Of the standings, over examples, or over clusters where there are such.
    comparison : Comparison
        The correlations and their difference.
    clusters : Clusters or None
        Where they hold more than one example each.
    """

    kind: Correlation
    standings: FloatArray
    sums: SummedStatistics
    comparison: Comparison
    clusters: Clusters | None = None


def predictions_of(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    *,
    kind: Correlation,
    higher_is_better: bool,
    clusters: Clusters | None = None,
) -> Predictions:
    """Two systems' predictions beside gold, each of shape (n,).

    With clusters, a resample's correlations are computed from all examples of
    the clusters drawn, and standings change places on whole clusters.

    Raises
    ------
    ValueError
        If gold or predictions are constant.
    """
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
        score=pearson,
        sign=1.0 if higher_is_better else -1.0,
        scale=1.0,
        farthest=2.0,
    )
    alike = ALL_ZERO if bool((a == b).all()) else NOT_APART
    comparison = replace(sums.compared(r_a, r_b), alike=alike if same else "", correlation_ab=r_ab)
    own = None
    if clusters is not None:
        sums = replace(sums, a=clusters.summed(sums.a), b=clusters.summed(sums.b), unit="clusters")
        # With one example each, clusters are drawn as examples are.
        own = clusters if clusters.n_clusters < comparison.n else None
    return Predictions(
        kind=kind,
        standings=np.stack([right, stands_a, stands_b]),
        sums=sums,
        comparison=comparison,
        clusters=own,
    )


def _statistics(gold: FloatArray, scores: FloatArray) -> FloatArray:
    """Statistics whose sums give Pearson's r, as `pearson` takes them, shape (n, 6)."""
    ones = np.ones(gold.size)
    return np.column_stack([ones, gold, gold**2, scores, scores**2, gold * scores])


def bootstrap_of_correlations(
    predictions: Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The paired bootstrap, with an interval.

    Raises
    ------
    ValueError
        If "exact" is asked for: there is no exact distribution.
    Stopped
        If `keep_going` says so.
    """
    if predictions.comparison.alike:
        return equal_under_bootstrap(settings)
    if settings.method == "exact":
        raise ValueError(
            "`method` 'exact' must have an exact distribution; the bootstrap of a correlation has "
            "none."
        )
    delta = predictions.comparison.difference
    outcome = judged(
        _deltas(predictions, settings, rng=rng, keep_going=keep_going),
        delta,
        settings,
        room=predictions.sums.room,
        statistics=predictions.sums,
        constant=False,
        jackknife=partial(_jackknife, predictions),
    )
    size = settings.resample_size or predictions.sums.n
    notes = (*size_notes(size, predictions.sums), *outcome.notes)
    return replace(outcome, notes=notes, statistic=delta)


def randomization_of_correlations(
    predictions: Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """Randomization of standings: of ranks, ranked anew after each swap, or of standardised scores.

    Raises
    ------
    ValueError
        If "exact" is asked for and too many units differ.
    Stopped
        If `keep_going` says so.
    """
    if predictions.comparison.alike:
        return Outcome(p_values=Sides(1.0, 1.0, 1.0), exact=True, statistic=0.0)
    swapped = _swapped_scores if predictions.kind == "pearson" else _swapped_ranks
    outcome = swapped(predictions, settings, rng=rng, keep_going=keep_going)
    notes = outcome.notes
    if not outcome.exact and settings.method == "auto":
        notes = (f"Monte Carlo: too many {predictions.sums.unit} differ to try all swaps", *notes)
    return replace(outcome, notes=notes, statistic=predictions.comparison.difference)


def _swapped_scores(
    predictions: Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    return randomization_of_sums(predictions.sums, settings, rng=rng, keep_going=keep_going)


def _swapped_ranks(
    predictions: Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    sums, clusters = predictions.sums, predictions.clusters
    codes = np.arange(sums.n) if clusters is None else clusters.codes
    _, a, b = predictions.standings
    apart = np.bincount(codes, a != b) > 0
    columns = np.where(apart, np.cumsum(apart) - 1, -1)
    n_differing = int(np.count_nonzero(apart))
    if tries_all_swaps(n_differing, sums, settings):
        columns[columns == n_differing - 1] = -1
    deltas_of = swapped_deltas(predictions.standings.T, columns[codes], sign=sums.sign)
    return randomization_by_swaps(
        deltas_of, n_differing, sums, settings, rng=rng, keep_going=keep_going
    )


def _deltas(
    predictions: Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> FloatArray:
    if predictions.kind == "pearson":
        return drawn_deltas(predictions.sums, settings, rng=rng, keep_going=keep_going)
    deltas_from = partial(ranked_deltas, sign=predictions.sums.sign)
    rows = np.ascontiguousarray(predictions.standings.T)
    clusters = predictions.clusters
    if clusters is None:
        draw: Callable[[FloatArray], DeltasOf] = deltas_from
    else:
        deltas_of_examples, codes = deltas_from(rows), clusters.codes
        # Each cluster is its own row, and all its examples come with it.
        rows = np.arange(float(clusters.n_clusters))[:, np.newaxis]

        def draw(_: FloatArray) -> DeltasOf:
            return lambda counts: deltas_of_examples(counts[:, codes])

    return bootstrap_deltas(
        rows,
        draw,
        breadth=predictions.comparison.n,
        size=settings.resample_size or predictions.sums.n,
        n_resamples=settings.n_resamples,
        rng=rng,
        keep_going=keep_going,
    )


def _jackknife(predictions: Predictions) -> FloatArray:
    """The difference without each example, or each cluster."""
    if predictions.kind == "pearson":
        return predictions.sums.jackknife()
    n, n_rows = predictions.comparison.n, predictions.sums.n
    clusters = predictions.clusters
    codes = np.arange(n) if clusters is None else clusters.codes
    rows = np.ascontiguousarray(predictions.standings.T)
    deltas_of = ranked_deltas(rows, sign=predictions.sums.sign)
    parts = max(1, CHUNK_DRAWS // n)
    left_out = np.arange(n_rows)[:, np.newaxis]
    return np.concatenate(
        [
            deltas_of((codes != left_out[start : start + parts]).astype(np.float64))
            for start in range(0, n_rows, parts)
        ]
    )


def with_interval_of_correlations(
    outcome: Outcome,
    predictions: Predictions,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome with an interval; drawn after the p-value, so that it does not change it."""
    if predictions.comparison.alike:
        return outcome
    draws = predictions.comparison.n * settings.n_resamples
    if draws > _MAX_INTERVAL_DRAWS[predictions.kind]:
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    return with_interval_of(
        _deltas(predictions, settings, rng=rng, keep_going=keep_going),
        predictions.comparison.difference,
        outcome,
        settings,
        room=predictions.sums.room,
        jackknife=partial(_jackknife, predictions),
    )
