"""The words of the verdicts of a check of claims."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from core.claims.claim_verdicts import VerdictKey
from core.claims.findings import CAVEAT, ClaimVerdict


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
        "impossible": VerdictWords("✗", "not by a test on these examples"),
    }
)
VERDICT_RULES: Mapping[ClaimVerdict, str] = MappingProxyType(
    {
        "confirmed": "every value that the digits allow gives what is claimed.",
        "at-least-that-much": "of a claim of exactly so many, or of exactly these, read by "
        "direction: so many or these and more come out, so that it holds as “at least” only.",
        "not-excluded": "some value or reading that the numbers allow may give it, and "
        "others do not.",
        "not-supported": "nothing that the numbers allow gives it, read as is said beside: as they "
        "stand, or by direction. That is no evidence for the opposite.",
        "contradicted": "no value that the digits allow gives it, by no reading of direction, "
        "one- or two-sided.",
        "cannot-be-decided": "something that it depends on is not in the table.",
        "impossible": "of a printed p-value: no test in use on these n examples gives it beside these "
        "scores, one- or two-sided, for either system, by any rounding and with any number of "
        f"resamples from 100 to 100,000. {CAVEAT}",
    }
)

CLAIM_VERDICT_WORDS: Mapping[VerdictKey, VerdictWords] = MappingProxyType(
    {
        "impossible": VerdictWords("✗", "impossible"),
        "contradicted": VerdictWords("✗", "contradicted"),
        "not-shown": VerdictWords("!", "not shown by these numbers"),
        "depends": VerdictWords("○", "depends on how the p-values are read"),
        "holds": VerdictWords("✓", "holds"),
    }
)
CLAIM_VERDICT_RULES: Mapping[VerdictKey, str] = MappingProxyType(
    {
        "impossible": "of a claim: it speaks of more datasets than there are, or of a p-value that no "
        "test in use on these examples gives.",
        "contradicted": "of a claim: no reading of direction, sidedness, counting and rounding allows "
        "it.",
        "not-shown": "of a claim: these numbers do not carry it. That is no evidence against it.",
        "depends": "of a claim: some reading, rounding or assumption allows it, and others do not.",
        "holds": "of a claim: every reading and rounding that the numbers allow gives it.",
    }
)
