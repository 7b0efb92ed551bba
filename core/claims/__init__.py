"""Published claims against published numbers: could these p-values come from these scores?"""

from __future__ import annotations

from core.claims.attainment import Attainment, PossibleP
from core.claims.check import check_claims
from core.claims.claim import Claim, parse_claims
from core.claims.explain import (
    RowExplanation,
    TableExplanation,
    Variant,
    VariantExplanation,
    explain_row,
    explain_table,
    variants_of,
)
from core.claims.possible import possible_p_values, possible_t_p_values
from core.claims.samples import sample_claims, sample_metric
from core.claims.sizes import PossibleSizes, n_at_which_possible, n_at_which_t_possible
from core.claims.verdicts import ClaimReport, Finding

__all__ = [
    "Attainment",
    "Claim",
    "ClaimReport",
    "Finding",
    "PossibleP",
    "PossibleSizes",
    "RowExplanation",
    "TableExplanation",
    "Variant",
    "VariantExplanation",
    "check_claims",
    "explain_row",
    "explain_table",
    "n_at_which_possible",
    "n_at_which_t_possible",
    "parse_claims",
    "possible_p_values",
    "possible_t_p_values",
    "sample_claims",
    "sample_metric",
    "variants_of",
]
