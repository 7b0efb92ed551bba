"""Published claims against published numbers: could these p-values come from these scores?

The names are loaded where they are first used: a claim as text needs no distributions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .check import check_claims
    from .claim import Claim
    from .claim_lines import parse_claims
    from .claim_report import ClaimReport
    from .desk import (
        ClaimsWithoutTable,
        sample_claims,
        sample_metric,
        samples_without_table,
    )
    from .explain import (
        RowExplanation,
        Variant,
        VariantExplanation,
        explain_row,
        explain_table,
        variants_of,
    )
    from .findings import Finding, Verdict
    from .marks import MarkBounds, marks_alone, marks_of
    from .possible import Attainment, PossibleP, possible_p_values, possible_t_p_values
    from .sizes import PossibleSizes, n_at_which_possible, n_at_which_t_possible

_HOMES = {
    "Attainment": ".possible",
    "Claim": ".claim",
    "ClaimReport": ".claim_report",
    "ClaimsWithoutTable": ".desk",
    "Finding": ".findings",
    "MarkBounds": ".marks",
    "PossibleP": ".possible",
    "PossibleSizes": ".sizes",
    "RowExplanation": ".explain",
    "Variant": ".explain",
    "VariantExplanation": ".explain",
    "Verdict": ".findings",
    "check_claims": ".check",
    "explain_row": ".explain",
    "explain_table": ".explain",
    "marks_alone": ".marks",
    "marks_of": ".marks",
    "n_at_which_possible": ".sizes",
    "n_at_which_t_possible": ".sizes",
    "parse_claims": ".claim_lines",
    "possible_p_values": ".possible",
    "possible_t_p_values": ".possible",
    "sample_claims": ".desk",
    "sample_metric": ".desk",
    "samples_without_table": ".desk",
    "variants_of": ".explain",
}

__all__ = [
    "Attainment",
    "Claim",
    "ClaimReport",
    "ClaimsWithoutTable",
    "Finding",
    "MarkBounds",
    "PossibleP",
    "PossibleSizes",
    "RowExplanation",
    "Variant",
    "VariantExplanation",
    "Verdict",
    "check_claims",
    "explain_row",
    "explain_table",
    "marks_alone",
    "marks_of",
    "n_at_which_possible",
    "n_at_which_t_possible",
    "parse_claims",
    "possible_p_values",
    "possible_t_p_values",
    "sample_claims",
    "sample_metric",
    "samples_without_table",
    "variants_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
