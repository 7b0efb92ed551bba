"""The words of the verdicts of a check of claims."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from core.claims.findings import CAVEAT, ClaimVerdict
from core.claims.sentences_possible import NOT_TRIED


class VerdictWords(NamedTuple):
    """A verdict as it is shown: a sign and words, so that no colour is needed."""

    sign: str
    words: str


VERDICT_WORDS: Mapping[ClaimVerdict, VerdictWords] = MappingProxyType(
    {
        "confirmed": VerdictWords("✓", "confirmed"),
        "at-least-that-much": VerdictWords("≥", "at least that much"),
        "not-excluded": VerdictWords("○", "not excluded"),
        "not-supported": VerdictWords("!", "not supported"),
        "contradicted": VerdictWords("✗", "contradicted"),
        "cannot-be-decided": VerdictWords("?", "cannot be decided"),
        "impossible": VerdictWords("✗", "impossible"),
        "not-attainable": VerdictWords("≠", "given by no variant that was tried"),
    }
)
VERDICT_RULES: Mapping[ClaimVerdict, str] = MappingProxyType(
    {
        "confirmed": "every value that the printed digits allow gives what is claimed.",
        "at-least-that-much": "of a claim of exactly so many, or of exactly these, read by "
        "direction: so many or these and more come out, so that it holds as “at least” only.",
        "not-excluded": "some value or reading that the printed numbers allow may give it, and "
        "others do not.",
        "not-supported": "nothing that the printed numbers allow gives it, read as is said beside: "
        "as printed, or by direction. That is no evidence for the opposite.",
        "contradicted": "no value that the printed digits allow gives it, each p-value counted as "
        "printed; by direction it may still come out.",
        "cannot-be-decided": "something that it depends on is not in the table.",
        "impossible": "of a printed number: none of the tests tried gives a p-value near it beside "
        f"these scores, or no number of right answers gives the score. {CAVEAT}",
        "not-attainable": "of a printed p-value: it lies among those that are possible, but no "
        f"variant tried gives exactly its digits; of accuracies, {NOT_TRIED}. {CAVEAT}",
    }
)
