"""Published claims against published numbers: could these p-values come from these scores?

The names are loaded where they are first used: a claim as text needs no distributions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.claims.check import check_claims
    from core.claims.claim import Claim
    from core.claims.claim_lines import parse_claims
    from core.claims.claim_report import ClaimReport
    from core.claims.desk import (
        ClaimsWithoutTable,
        sample_claims,
        sample_metric,
        samples_without_table,
    )
    from core.claims.explain import (
        RowExplanation,
        Variant,
        VariantExplanation,
        explain_row,
        explain_table,
        variants_of,
    )
    from core.claims.findings import Finding
    from core.claims.marks import MarkBounds, marks_alone, marks_of
    from core.claims.possible import Attainment, PossibleP, possible_p_values, possible_t_p_values
    from core.claims.sizes import PossibleSizes, n_at_which_possible, n_at_which_t_possible
    from core.claims.verdicts import Verdict

_HOMES = {
    "Attainment": "core.claims.possible",
    "Claim": "core.claims.claim",
    "ClaimReport": "core.claims.claim_report",
    "ClaimsWithoutTable": "core.claims.desk",
    "Finding": "core.claims.findings",
    "MarkBounds": "core.claims.marks",
    "PossibleP": "core.claims.possible",
    "PossibleSizes": "core.claims.sizes",
    "RowExplanation": "core.claims.explain",
    "Variant": "core.claims.explain",
    "VariantExplanation": "core.claims.explain",
    "Verdict": "core.claims.verdicts",
    "check_claims": "core.claims.check",
    "explain_row": "core.claims.explain",
    "explain_table": "core.claims.explain",
    "marks_alone": "core.claims.marks",
    "marks_of": "core.claims.marks",
    "n_at_which_possible": "core.claims.sizes",
    "n_at_which_t_possible": "core.claims.sizes",
    "parse_claims": "core.claims.claim_lines",
    "possible_p_values": "core.claims.possible",
    "possible_t_p_values": "core.claims.possible",
    "sample_claims": "core.claims.desk",
    "sample_metric": "core.claims.desk",
    "samples_without_table": "core.claims.desk",
    "variants_of": "core.claims.explain",
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
        raise AttributeError(f"module 'core.claims' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
