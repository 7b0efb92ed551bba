"""Sentences of the app's pages in words that hold where there is no page."""

from __future__ import annotations

from collections.abc import Mapping

# What speaks of a place on a page, and the same without it.
_OF_PAGES: Mapping[str, str] = {
    "declare under “How this was read” that no column holds clusters.": (
        "declare that no column holds clusters (the role cluster, left empty)."
    ),
    "say under “How this was read” below what they lie.": (
        "state below what they lie (the role zero_reads_below)."
    ),
}


def away_from_pages(sentence: str) -> str:
    """A sentence as a report or a terminal says it."""
    for on_page, elsewhere in _OF_PAGES.items():
        sentence = sentence.replace(on_page, elsewhere)
    return sentence
