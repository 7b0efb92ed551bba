"""Of a finished test, what a study's alternative asks for: its p-value, and whether it is in reach."""

from __future__ import annotations

from core.significance.result import SignificanceResult, TestAlternative


def p_value_of(result: SignificanceResult, alternative: TestAlternative) -> float:
    """The p-value that speaks for this alternative, whatever the test was asked for."""
    return {
        "greater": result.p_value_greater,
        "less": result.p_value_less,
        "two-sided": result.p_value_two_sided,
    }[alternative]


def is_out_of_reach(result: SignificanceResult, alternative: TestAlternative) -> bool:
    """Whether that p-value says no more than that the bootstrap cannot reach so far."""
    greater, less = result.out_of_reach
    return {"greater": greater, "less": less, "two-sided": greater or less}[alternative]
