"""Scores of summed statistics, of shape (..., s) to scores of shape (...)."""

from __future__ import annotations

import numpy as np

from ..types import FloatArray

# A variance below this share of the mean square is none: rounding.
_NO_VARIANCE = 1e-12


def divided(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """A quotient, nan where the denominator is not above 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: FloatArray = np.where(denominator > 0.0, numerator / denominator, np.nan)
    return quotient


def ratio(sums: FloatArray) -> FloatArray:
    """Correct by total."""
    return divided(sums[..., 0], sums[..., 1])


def f1(sums: FloatArray) -> FloatArray:
    """F1 of tp, fp, fn."""
    tp, fp, fn = (sums[..., i] for i in range(3))
    return divided(2.0 * tp, 2.0 * tp + fp + fn)


def precision(sums: FloatArray) -> FloatArray:
    """Precision of tp, fp, fn."""
    return divided(sums[..., 0], sums[..., 0] + sums[..., 1])


def recall(sums: FloatArray) -> FloatArray:
    """Recall of tp, fp, fn."""
    return divided(sums[..., 0], sums[..., 0] + sums[..., 2])


def aer(sums: FloatArray) -> FloatArray:
    """Alignment error rate (Och & Ney 2003)."""
    in_sure, in_possible, n_proposed, n_sure = (sums[..., i] for i in range(4))
    n_links = n_proposed + n_sure
    # Whole numbers are subtracted: 1 less a quotient would lose the digits of a small rate, and ties.
    return divided(n_links - (in_sure + in_possible), n_links)


def bleu(sums: FloatArray) -> FloatArray:
    """Corpus BLEU without smoothing (Papineni et al. 2002).

    0 where no n-gram of an order matches, nan where there is none of an order:
    tools print 0 there as well, but a precision of 0/0 is no score.
    """
    system, reference = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2:6], sums[..., 6:10]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_precisions = np.log(divided(matches, totals)).mean(axis=-1)
        log_penalty = np.minimum(0.0, 1.0 - divided(reference, system))
    score: FloatArray = 100.0 * np.exp(log_penalty + log_precisions)
    return score


def chrf(sums: FloatArray, *, beta: float = 2.0) -> FloatArray:
    """Corpus chrF of n-grams in the output, in the reference and in both, order by order.

    Orders without any match score 0, orders that are not there nothing; nan
    where there is no order at all (Popović 2015).
    """
    square = beta**2
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


def ter(sums: FloatArray) -> FloatArray:
    """Translation edit rate of counted edits and the length of the references (Snover et al. 2006)."""
    return 100.0 * divided(sums[..., 0], sums[..., 1])
