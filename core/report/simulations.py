"""What simulated counts are called, and their chances in theory."""

from __future__ import annotations

from core.replicability.counting import chance_of_a_false_win
from core.report.formatting import format_level
from core.report.sentences import COMBINATION_NAMES
from core.simulation import Estimator


def estimator_name(estimator: Estimator, *, alpha: float) -> str:
    """Write "Fisher", or "count of p ≤ .05"."""
    if estimator == "count":
        return f"count of p ≤ {format_level(alpha)}"
    return COMBINATION_NAMES[estimator]


def rate_without_effects(estimator: Estimator, n_datasets: int, *, alpha: float) -> float:
    """P(k̂ > 0) on N independent datasets without a difference, p-values uniform.

    Fisher's and Simes' tests of all datasets at once have level alpha exactly;
    Bonferroni's rejects where the smallest p-value is at most alpha / N.
    """
    if estimator == "count":
        return chance_of_a_false_win(n_datasets, alpha=alpha)
    if estimator == "bonferroni":
        return chance_of_a_false_win(n_datasets, alpha=alpha / n_datasets)
    return alpha
