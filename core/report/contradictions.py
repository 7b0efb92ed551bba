"""Where an answer that was given contradicts the data."""

from __future__ import annotations

from core.data.overlap.find import Overlap
from core.report.overlap import overlap_sentence

# Findings that speak against independence, and do not only leave it open.
_SHARING = frozenset({"union", "within", "shared", "texts-shared", "translations"})


def contradicted_sentence(overlap: Overlap) -> str:
    """State that datasets answered to be independent share examples; else empty."""
    if overlap.recommendation.reason not in _SHARING:
        return ""
    return (
        f"{overlap_sentence(overlap)} That speaks against the answer “No, independent”: Fisher's "
        "count can then overstate, and its guarantee rests on that answer."
    )
