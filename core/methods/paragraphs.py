"""The methods section of an analysis, as plain text and LaTeX, and the works that it cites."""

from __future__ import annotations

from ..analysis import Analysis
from ..version import __version__
from .bibliography import WORKS
from .counting import counting_passage
from .data import data_passage
from .passages import (
    Passage,
    Verbatim,
    cited_keys,
    in_latex,
    in_plain_text,
    passage,
)
from .testing import testing_passage
from .works import Reference

NAME = "replicability dashboard"


def methods_passages(analysis: Analysis) -> tuple[Passage, ...]:
    """The methods section, a passage a paragraph: what both renderings and the references take."""
    found = (
        data_passage(analysis),
        testing_passage(analysis),
        counting_passage(analysis),
        passage(
            (
                f"Analyses were made with the {NAME}, version {__version__} (",
                Verbatim(analysis.signature(analysis.question)),
                ").",
            )
        ),
    )
    return tuple(pieces for pieces in found if pieces)


def methods_paragraphs(analysis: Analysis) -> tuple[str, ...]:
    """How the analysis was done, in plain paragraphs with works cited by author and year.

    Data, tests, counting and identifying, software; each statement only where it applies.
    """
    return tuple(in_plain_text(pieces) for pieces in methods_passages(analysis))


def methods_latex(analysis: Analysis) -> str:
    r"""The same paragraphs as LaTeX, works cited by ``\citep``.

    `bibtex_of` gives the entries that are cited. Letters
    beyond ASCII in names stay as they are, for an engine that reads UTF-8.
    """
    paragraphs = "\n\n".join(in_latex(pieces) for pieces in methods_passages(analysis))
    return f"% needs \\usepackage[T1]{{fontenc}} and \\usepackage{{natbib}}\n{paragraphs}\n"


def references_of(analysis: Analysis) -> tuple[Reference, ...]:
    """The works of the methods used in this analysis, in the order of their first citation."""
    return tuple(WORKS[key] for key in cited_keys(methods_passages(analysis)))


def bibtex_of(analysis: Analysis) -> str:
    """Their BibTeX entries, in the same order."""
    return "\n".join(work.bibtex + "\n" for work in references_of(analysis))
