"""The words of the field, explained once; the pages' tooltips."""

from __future__ import annotations

TOOLTIPS: dict[str, str] = {
    "alpha": (
        "The level α: how often a statement may overstate the truth. At .05 each statement has "
        "95% confidence. Choose it before looking at the results."
    ),
    "dependence": (
        "Datasets depend on each other when they share texts, translations or test examples. "
        "Then Fisher's count can overstate. Bonferroni holds whatever the dependence."
    ),
    "direction": (
        "What a printed p-value speaks for. One-sided for A: small only where A is better. "
        "Two-sided: small wherever the systems differ. Toward the higher score: one-sided for "
        "whichever system is ahead on that dataset."
    ),
    "procedure": (
        "How datasets are named. Holm bounds the chance of any wrong name, whatever the "
        "dependence. Others need more, or promise less."
    ),
    "adjusted": "The smallest level at which this dataset would be named.",
    "threshold": "What this dataset's p-value is compared with at the chosen level.",
    "p_value": "The p-value used here: of the claim in question, on this dataset alone.",
    "partial_conjunction": (
        "The p-value of the claim “on at least u datasets”, made of the N − u + 1 largest "
        "p-values, with the running maximum over u."
    ),
    "zero": (
        "A p-value printed as 0.0 is not zero but too small for the digits printed. It is read "
        "as lying below half a unit of the column's last digit."
    ),
    "excluded": (
        "Datasets left out on every page. Leaving one out after looking at the results carries "
        "no guarantee."
    ),
}
