"""What an analysis found and how it was done, to be put into a paper, with the works it rests on."""

from .results import (
    bibtex_of,
    methods_latex,
    methods_paragraphs,
    methods_passages,
    references_of,
    results_sentences,
)

__all__ = [
    "bibtex_of",
    "methods_latex",
    "methods_paragraphs",
    "methods_passages",
    "references_of",
    "results_sentences",
]
