"""Scores of summed statistics, of shape (..., s) to scores of shape (...)."""

from __future__ import annotations

import numpy as np

from core.types import FloatArray


def divided(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """A quotient, nan where the denominator is 0."""
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
    return 1.0 - divided(in_sure + in_possible, n_proposed + n_sure)


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
