"""What a check of claims found, to be read in a sentence, as tables, and taken into a review."""

from __future__ import annotations

from core.export.claims.grids import claims_grid, possible_grid, variants_grid
from core.export.claims.lead import lead_sentence
from core.export.claims.rows import PossibleRow, VariantRow, possible_rows, variant_rows
from core.export.claims.texts import (
    findings_csv,
    review_latex,
    review_markdown,
    review_text,
)
from core.export.claims.words import (
    CLAIM_VERDICT_RULES,
    CLAIM_VERDICT_WORDS,
    VERDICT_RULES,
    VERDICT_WORDS,
)

__all__ = [
    "CLAIM_VERDICT_RULES",
    "CLAIM_VERDICT_WORDS",
    "VERDICT_RULES",
    "VERDICT_WORDS",
    "PossibleRow",
    "VariantRow",
    "claims_grid",
    "findings_csv",
    "lead_sentence",
    "possible_grid",
    "possible_rows",
    "review_latex",
    "review_markdown",
    "review_text",
    "variant_rows",
    "variants_grid",
]
