"""Metrics as functions of per-example statistics that are summed over examples.

Resampling is quick with them, as a resample's score needs sums alone
(Berg-Kirkpatrick et al. 2012, footnote 4). Correlations with gold are no such
sums and are listed apart.

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

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from ..types import FloatArray
from ..validation import check_choice

Score = Callable[[FloatArray], FloatArray]
# One for each statistic.
Weights = tuple[float, ...]
# A variance below this share of the mean square is none: rounding.
_NO_VARIANCE = 1e-12
# Recall weighs twice as much as precision.
_CHRF_BETA = 2.0


def divided(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """A quotient, nan where the denominator is not above 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: FloatArray = np.where(denominator > 0.0, numerator / denominator, np.nan)
    return quotient


def _quotient(counted: Weights, size: Weights, times: float = 1.0) -> Score:
    """The score that is one weighted sum of the summed statistics over another."""

    def score(sums: FloatArray) -> FloatArray:
        return times * divided(_weighted(sums, counted), _weighted(sums, size))

    return score


def _weighted(sums: FloatArray, weights: Weights) -> FloatArray:
    parts = (sums[..., i] if w == 1.0 else w * sums[..., i] for i, w in enumerate(weights) if w)
    return reduce(np.add, parts)


def bleu(sums: FloatArray) -> FloatArray:
    """Corpus BLEU without smoothing (Papineni et al. 2002).

    0 where no n-gram of an order matches, nan where there is none of an order:
    tools print 0 there as well, but a precision of 0/0 is no score.
    """
    system, reference = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2:6], sums[..., 6:10]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_precisions = np.log(divided(matches, totals)).mean(axis=-1)
        log_penalty = np.minimum(0.0, divided(system - reference, system))
    score: FloatArray = 100.0 * np.exp(log_penalty + log_precisions)
    return score


def chrf(sums: FloatArray) -> FloatArray:
    """Corpus chrF of n-grams in the output, in the reference and in both, order by order.

    Orders without any match score 0, orders that are not there nothing; nan
    where there is no order at all (Popović 2015).
    """
    square = _CHRF_BETA**2
    by_order = sums.reshape(*sums.shape[:-1], -1, 3)
    output, reference, match = (by_order[..., i] for i in range(3))
    counts = (output > 0.0) & (reference > 0.0)
    number = counts.sum(axis=-1).astype(np.float64)
    precision, recall = (
        divided(np.where(counts, match / np.where(counts, total, 1.0), 0.0).sum(axis=-1), number)
        for total in (output, reference)
    )
    f = divided((1.0 + square) * precision * recall, square * precision + recall)
    return np.where((number > 0.0) & np.isnan(f), 0.0, 100.0 * f)


def pearson(sums: FloatArray) -> FloatArray:
    """Pearson's r of n, Σx, Σx², Σy, Σy² and Σxy; nan where x or y does not vary."""
    n, x, xx, y, yy, xy = (sums[..., i] for i in range(6))
    of_x, of_y = n * xx - x**2, n * yy - y**2
    varies = (of_x > _NO_VARIANCE * n * xx) & (of_y > _NO_VARIANCE * n * yy)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (n * xy - x * y) / np.sqrt(of_x * of_y)
    return np.where(varies, np.clip(r, -1.0, 1.0), np.nan)


MEAN = "mean"
Correlation = Literal["spearman", "pearson"]
CORRELATIONS: tuple[Correlation, ...] = get_args(Correlation)
# Correlations nearer to 1 than this are 1: a few roundings of their sums.
ONE = 1.0 - 1e-14


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticMetric:
    """A metric that is a function of summed statistics.

    Attributes
    ----------
    key : str
        Its kind, or any name for a metric of one's own.
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
    smallest, largest : float or None
        The ends of the scores where counts are what they are said to be; None
        where there is none.
    between : bool
        Whether examples put together score no lower than the lowest of them and
        no higher than the highest, as ratios of sums do.
    counts : bool
        Whether statistics are at least 0.
    sizes : tuple of float
        Weights of the statistics that add up to an example's size: the
        denominator of a ratio, else a length; () where all count the same.
    """

    key: str
    name: str
    statistics: tuple[str, ...]
    higher_is_better: bool
    formula: str
    score: Score
    smallest: float | None = 0.0
    largest: float | None = None
    between: bool = False
    counts: bool = True
    sizes: Weights = ()


# Squares of larger ones are no sensible weights.
_LARGEST_BETA = 1000.0
CHRF_ORDERS = 6


def _of_counts(key: str, name: str, formula: str, sizes: Weights) -> StatisticMetric:
    """A metric of tp, fp and fn: the share of tp among all that count, by their weights."""
    return StatisticMetric(
        key=key,
        name=name,
        statistics=("tp", "fp", "fn"),
        higher_is_better=True,
        formula=f"{formula}, of the sums",
        score=_quotient((sizes[0], 0.0, 0.0), sizes),
        largest=1.0,
        between=True,
        sizes=sizes,
    )


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
                score=_quotient((1.0, 0.0), (0.0, 1.0)),
                # No largest: errors for each word, for one, may be more than the words.
                between=True,
                sizes=(0.0, 1.0),
            ),
            _of_counts("f1", "F1", "2·tp / (2·tp + fp + fn)", (2.0, 1.0, 1.0)),
            _of_counts("precision", "precision", "tp / (tp + fp)", (1.0, 1.0, 0.0)),
            _of_counts("recall", "recall", "tp / (tp + fn)", (1.0, 0.0, 1.0)),
            StatisticMetric(
                key="aer",
                name="AER",
                statistics=("in_sure", "in_possible", "n_proposed", "n_sure"),
                higher_is_better=False,
                formula="1 − (|A∩S| + |A∩P|) / (|A| + |S|), of the sums (Och & Ney 2003)",
                # Whole numbers are subtracted: 1 less a quotient would lose the digits of a small
                # rate, and ties.
                score=_quotient((-1.0, -1.0, 1.0, 1.0), (0.0, 0.0, 1.0, 1.0)),
                largest=1.0,
                between=True,
                sizes=(0.0, 0.0, 1.0, 1.0),
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
                score=bleu,
                largest=100.0,
                sizes=(0.0, 1.0, *(0.0,) * 8),
            ),
            StatisticMetric(
                key="chrf",
                name="chrF",
                statistics=tuple(
                    f"chrf_char{order}_{what}"
                    for order in range(1, CHRF_ORDERS + 1)
                    for what in ("sys", "ref", "match")
                ),
                higher_is_better=True,
                formula="100 · F_2 of mean character n-gram precision and recall, of the sums",
                score=chrf,
                largest=100.0,
                sizes=(0.0, 1.0, 0.0) * CHRF_ORDERS,
            ),
            StatisticMetric(
                key="ter",
                name="TER",
                statistics=("ter_edits", "ter_ref_len"),
                higher_is_better=False,
                formula="100 · sum of edits / sum of reference lengths",
                score=_quotient((1.0, 0.0), (0.0, 1.0), times=100.0),
                sizes=(0.0, 1.0),
                # An example without reference words may have edits: so no `between`.
            ),
        )
    }
)

KINDS: tuple[str, ...] = (MEAN, *STATISTIC_METRICS, *CORRELATIONS)


# "f1" is in the registry; any other weight is in the name: "f2", "f0.5".
_F_BETA = re.compile(r"f(\d+(?:\.\d+)?)")


def f_beta(beta: float) -> StatisticMetric:
    """F_β of summed tp, fp and fn: recall weighs β times as much as precision.

    Its kind is "f" and the number, as "f2" or "f0.5" (van Rijsbergen, Information Retrieval
    1979, chapter 7).
    """
    weight = float(beta)
    if not 0.0 < weight <= _LARGEST_BETA:
        raise ValueError(
            f"`beta` must be a number above 0 and at most {_LARGEST_BETA:g}; got {beta!r}."
        )
    if weight == 1.0:
        return STATISTIC_METRICS["f1"]
    square = weight**2
    # Every digit, and no exponent: so that the key is read back as this weight.
    written = np.format_float_positional(weight, trim="-")
    formula = "(1 + β²)·tp / ((1 + β²)·tp + β²·fn + fp)"
    return _of_counts(f"f{written}", f"F{written}", formula, (1.0 + square, 1.0, square))


def statistic_metric(metric: str | StatisticMetric) -> StatisticMetric:
    """The metric of counted statistics that is meant: by its key, as "f" and a number, or itself."""
    if isinstance(metric, StatisticMetric):
        return metric
    number = None if metric in STATISTIC_METRICS else _F_BETA.fullmatch(metric)
    if number is not None:
        return f_beta(float(number[1]))
    return STATISTIC_METRICS[check_choice(metric, tuple(STATISTIC_METRICS), name="metric")]


def is_counted(kind: str) -> bool:
    """Whether a metric of this kind is computed from counted statistics."""
    number = _F_BETA.fullmatch(kind)
    is_f_beta = number is not None and 0.0 < float(number[1]) <= _LARGEST_BETA
    return kind in STATISTIC_METRICS or is_f_beta


def check_kind(kind: str, *, name: str = "kind") -> str:
    """Return `kind` if it is one of `KINDS`, or "f" and a number; `name` is the argument's."""
    return kind if is_counted(kind) else check_choice(kind, KINDS, name=name)


def n_statistics(kind: str) -> int | None:
    """How many statistics an example has for a metric of this kind; None where it has one score."""
    return len(statistic_metric(kind).statistics) if is_counted(check_kind(kind)) else None


def correlation_with(gold: FloatArray, scores: FloatArray, *, kind: Correlation) -> float:
    """Correlation of one system's scores with gold, both of shape (n,); nan where one is constant.

    Spearman's is Pearson's of midranks.
    """
    x, y = standing(gold, kind=kind), standing(scores, kind=kind)
    if x is None or y is None:
        return float("nan")
    size = np.sqrt(float(x @ x)) * np.sqrt(float(y @ y))
    return float(np.clip(float(x @ y) / size, -1.0, 1.0))


def correlation_of(kind: str) -> Correlation:
    """The correlation that a kind of metric is."""
    check_choice(kind, CORRELATIONS, name="kind")
    return next(name for name in CORRELATIONS if name == kind)


def standing(scores: FloatArray, *, kind: Correlation) -> FloatArray | None:
    """Where each score stands among the others, shape (n,): what is correlated. None where constant.

    "pearson": standardised scores, of mean 0 and variance 1 (over n).
    "spearman": twice the midranks less their middle, n + 1, which are whole
    numbers, so that ties and sums of squares stay exact.
    """
    check_choice(kind, CORRELATIONS, name="kind")
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
    """One system's score on one dataset from its scores or statistics, shape (n,) or (n, s)."""
    if is_counted(check_kind(kind)):
        return float(statistic_metric(kind).score(scores.sum(axis=0)))
    if kind == MEAN:
        return float(scores.mean())
    if gold is None:
        raise ValueError(f"`gold` must be given for a metric of kind {kind!r}.")
    return correlation_with(gold, scores, kind=correlation_of(kind))
