"""What the ways of combining p-values are called in sentences, and what each assumes of dependence."""

from __future__ import annotations

from core.types import Combination

COMBINATION_NAMES: dict[Combination, str] = {
    "bonferroni": "Bonferroni",
    "fisher": "Fisher",
    "simes": "Simes",
}
ASSUMPTION_CLAUSES: dict[Combination, str] = {
    "bonferroni": "however the datasets depend on each other (Bonferroni)",
    "fisher": "if the datasets are independent (Fisher)",
    "simes": "if the tests are independent or positively dependent (Simes)",
}
