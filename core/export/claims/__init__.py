"""What a check of claims found, to be read in a sentence, as tables, and taken into a review."""

from __future__ import annotations

from .grids import p_values_grid, possible_grid, reach_grid, verdicts_grid
from .rows import PossibleRow, possible_rows
from .texts import (
    findings_csv,
    of_tables,
    review_latex,
    review_markdown,
    review_text,
)

__all__ = [
    "PossibleRow",
    "findings_csv",
    "of_tables",
    "p_values_grid",
    "possible_grid",
    "possible_rows",
    "reach_grid",
    "review_latex",
    "review_markdown",
    "review_text",
    "verdicts_grid",
]
