"""The three p-values of a test, as oracles give them."""

from __future__ import annotations

from core.significance import SignificanceResult


def sides(result: SignificanceResult) -> tuple[float, float, float]:
    """Of "A is better", "B is better" and "they differ"."""
    return result.p_value_greater, result.p_value_less, result.p_value_two_sided
