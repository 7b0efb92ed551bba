"""The works that an analysis rests on, as a list and as BibTeX."""

from __future__ import annotations

from core.analysis import Analysis
from core.export.methods.bibliography import WORKS
from core.export.methods.paragraphs import methods_passages
from core.export.methods.passages import cited_keys
from core.export.methods.works import Reference

__all__ = ["Reference", "bibtex_of", "references_of"]


def references_of(analysis: Analysis) -> tuple[Reference, ...]:
    """The works of the methods used in this analysis, in the order of their first citation."""
    return tuple(WORKS[key] for key in cited_keys(methods_passages(analysis)))


def bibtex_of(analysis: Analysis) -> str:
    """Their BibTeX entries, in the same order."""
    return "\n".join(work.bibtex + "\n" for work in references_of(analysis))
