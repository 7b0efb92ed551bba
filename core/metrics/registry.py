"""Metrics as functions of per-example statistics that are summed over examples.

Resampling is quick with them, as a resample's score needs sums alone
(Berg-Kirkpatrick et al. 2012, footnote 4). Correlations with gold are no such
sums and stand beside them.

Vocabulary
----------
statistics
    What is counted on each example; one column for each.
kind
    A metric's key in `STATISTIC_METRICS`, "mean" for scores that are averaged,
    or one of `CORRELATIONS`. A set of results may call the same kind otherwise:
    "UAS" is of kind "ratio".
undefined
    A score whose denominator is zero: nan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from core.types import FloatArray

MEAN = "mean"
Correlation = Literal["spearman", "pearson"]
CORRELATIONS: tuple[Correlation, ...] = get_args(Correlation)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticMetric:
    """A metric that is a function of summed statistics.

    Attributes
    ----------
    key : str
        Its kind.
    name : str
        As a person calls it.
    statistics : tuple of str
        Names of the statistics, in the order of the last axis.
    higher_is_better : bool
        Whether a higher score is the better one.
    formula : str
        For a person.
    score : callable
        Sums of shape (..., s) to scores of shape (...); nan where undefined.
    largest : float or None
        The largest score where counts are what they are said to be, the
        smallest being 0; None where there is no largest.
    """

    key: str
    name: str
    statistics: tuple[str, ...]
    higher_is_better: bool
    formula: str
    score: Callable[[FloatArray], FloatArray]
    largest: float | None = 1.0


def _divided(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: FloatArray = np.where(denominator > 0.0, numerator / denominator, np.nan)
    return quotient


def _ratio(sums: FloatArray) -> FloatArray:
    return _divided(sums[..., 0], sums[..., 1])


def _f1(sums: FloatArray) -> FloatArray:
    tp, fp, fn = (sums[..., i] for i in range(3))
    return _divided(2.0 * tp, 2.0 * tp + fp + fn)


def _precision(sums: FloatArray) -> FloatArray:
    return _divided(sums[..., 0], sums[..., 0] + sums[..., 1])


def _recall(sums: FloatArray) -> FloatArray:
    return _divided(sums[..., 0], sums[..., 0] + sums[..., 2])


def _aer(sums: FloatArray) -> FloatArray:
    in_sure, in_possible, n_proposed, n_sure = (sums[..., i] for i in range(4))
    return 1.0 - _divided(in_sure + in_possible, n_proposed + n_sure)


def _bleu(sums: FloatArray) -> FloatArray:
    """Corpus BLEU without smoothing (Papineni et al. 2002).

    0 where no n-gram of an order matches, nan where there is none of an order:
    tools print 0 there as well, but a precision of 0/0 is no score.
    """
    system, reference = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2:6], sums[..., 6:10]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_precisions = np.log(_divided(matches, totals)).mean(axis=-1)
        log_penalty = np.minimum(0.0, 1.0 - _divided(reference, system))
    score: FloatArray = 100.0 * np.exp(log_penalty + log_precisions)
    return score


_TPFPFN = ("tp", "fp", "fn")

STATISTIC_METRICS: Mapping[str, StatisticMetric] = MappingProxyType(
    {
        metric.key: metric
        for metric in (
            StatisticMetric(
                key="ratio",
                name="accuracy",
                statistics=("correct", "total"),
                higher_is_better=True,
                formula="sum of correct / sum of total",
                score=_ratio,
                # Errors for each word, for one, may be more than the words.
                largest=None,
            ),
            StatisticMetric(
                key="f1",
                name="F1",
                statistics=_TPFPFN,
                higher_is_better=True,
                formula="2·tp / (2·tp + fp + fn), of the sums",
                score=_f1,
            ),
            StatisticMetric(
                key="precision",
                name="precision",
                statistics=_TPFPFN,
                higher_is_better=True,
                formula="tp / (tp + fp), of the sums",
                score=_precision,
            ),
            StatisticMetric(
                key="recall",
                name="recall",
                statistics=_TPFPFN,
                higher_is_better=True,
                formula="tp / (tp + fn), of the sums",
                score=_recall,
            ),
            StatisticMetric(
                key="aer",
                name="AER",
                statistics=("in_sure", "in_possible", "n_proposed", "n_sure"),
                higher_is_better=False,
                formula="1 − (|A∩S| + |A∩P|) / (|A| + |S|), of the sums (Och & Ney 2003)",
                score=_aer,
            ),
            StatisticMetric(
                key="bleu",
                name="BLEU",
                statistics=(
                    "sys_len",
                    "ref_len",
                    *(f"match{order}" for order in range(1, 5)),
                    *(f"total{order}" for order in range(1, 5)),
                ),
                higher_is_better=True,
                formula="100 · brevity penalty · exp(mean log n-gram precision), of the sums",
                score=_bleu,
                largest=100.0,
            ),
        )
    }
)

KINDS: tuple[str, ...] = (MEAN, *STATISTIC_METRICS, *CORRELATIONS)


def n_statistics(kind: str) -> int | None:
    """How many statistics an example has for a metric of this kind; None where it has one score."""
    metric = STATISTIC_METRICS.get(kind)
    return None if metric is None else len(metric.statistics)


def correlation_with(gold: FloatArray, scores: FloatArray, *, kind: Correlation) -> float:
    """Correlation of one system's scores with gold, both of shape (n,); nan where one is constant.

    Spearman's is Pearson's of midranks.
    """
    x, y = standing(gold, kind=kind), standing(scores, kind=kind)
    if x is None or y is None:
        return float("nan")
    size = np.sqrt(float(x @ x)) * np.sqrt(float(y @ y))
    return float(np.clip(float(x @ y) / size, -1.0, 1.0))


def standing(scores: FloatArray, *, kind: Correlation) -> FloatArray | None:
    """Where each score stands among the others, shape (n,): what is correlated. None where constant.

    "pearson": standardised scores, of mean 0 and variance 1 (over n).
    "spearman": twice the midranks less their middle, n + 1, which are whole
    numbers, so that ties and sums of squares stay exact.
    """
    # By comparison: the deviations of .1, .1, .1 from their float mean are not all zero.
    if bool((scores == scores[0]).all()):
        return None
    if kind == "spearman":
        from scipy.stats import rankdata

        ranks: FloatArray = 2.0 * rankdata(scores) - (scores.size + 1.0)
        return ranks
    # The largest deviation to 1 first, so that squares neither overflow nor vanish.
    halves = 0.5 * scores
    deviations = halves - halves.mean()
    deviations /= np.abs(deviations).max()
    deviations -= deviations.mean()
    standardised: FloatArray = deviations / np.sqrt(float(deviations @ deviations) / scores.size)
    return standardised


def aggregate(kind: str, scores: FloatArray, *, gold: FloatArray | None = None) -> float:
    """One system's score on one dataset, as given, from what is known of each example.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    scores : ndarray, shape (n,) or (n, s)
        Scores, or statistics in the registry's order.
    gold : ndarray, shape (n,), optional
        Gold scores, for correlations.

    Raises
    ------
    ValueError
        If gold scores are missing where the kind needs them.
    """
    if kind in STATISTIC_METRICS:
        return float(STATISTIC_METRICS[kind].score(scores.sum(axis=0)))
    if kind == MEAN:
        return float(scores.mean())
    if gold is None:
        raise ValueError(f"`gold` must be given for a metric of kind {kind!r}.")
    return correlation_with(gold, scores, kind="pearson" if kind == "pearson" else "spearman")
