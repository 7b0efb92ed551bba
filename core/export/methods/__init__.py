"""How an analysis was done and what it found, to be put into a paper, with the works it rests on."""

from core.export.methods.paragraphs import (
    methods_latex,
    methods_paragraphs,
    methods_passages,
    result_paragraph,
)
from core.export.methods.references import bibtex_of, references_of

__all__ = [
    "bibtex_of",
    "methods_latex",
    "methods_paragraphs",
    "methods_passages",
    "references_of",
    "result_paragraph",
]
