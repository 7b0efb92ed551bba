"""What simulated counts are called, their chances in theory, and how rates are written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..replicability.combinations import combination_named
from ..replicability.counting import chance_of_a_false_win
from ..simulation.batch import estimator_names
from ..validation import check_choice
from .formatting import format_level, format_p_value

# Four decimals say nothing of a level below this.
FINE_LEVEL = 0.001


def estimator_name(estimator: str, *, alpha: float) -> str:
    """Write "Fisher", or "count of one-sided p ≤ .05"."""
    if estimator == "count":
        return f"count of one-sided p ≤ {format_level(alpha)}"
    return combination_named(estimator).title


def rate_without_effects(estimator: str, n_datasets: int, *, alpha: float) -> float:
    """P(k̂ > 0) on N independent datasets without a difference, p-values uniform.

    For a combination the chance that its test of all datasets at once rejects.
    """
    check_choice(estimator, estimator_names(), name="estimator")
    if estimator == "count":
        return chance_of_a_false_win(n_datasets, alpha=alpha)
    return combination_named(estimator).local.size(n_datasets, alpha)


def joined(parts: Sequence[str]) -> str:
    """Write "x", "x and y", "x, y and z"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def interval_text(interval: tuple[float, float], *, level: float | None = None) -> str:
    """Write an interval of shares as ".0203 to .0426", with more digits beside a tiny level."""
    low, high = interval
    if level is not None and level < FINE_LEVEL:
        return " to ".join(
            np.format_float_positional(end, 3, fractional=False, trim="-").removeprefix("0") or "0"
            for end in interval
        )
    return f"{format_p_value(low)} to {format_p_value(high)}"
