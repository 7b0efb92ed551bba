"""Every piece that goes into a paper, alone or as one zip archive."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass

from ...analysis import Analysis
from ...methods import bibtex_of, methods_latex, results_sentences
from ...version import __version__
from ...words.formatting import latex, whole_name
from ..as_json import to_json
from .figures import paper_plots, pgfplots, svg
from .table import Form, paper_table

# The same bytes for the same analysis; a zip archive knows no earlier date.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPiece:
    """One file for a paper.

    Attributes
    ----------
    name : str
        Of the file.
    title : str
        What it is, in a few words.
    text : str
        Its content.
    needs : str
        What a document must load for it; may be empty.
    """

    name: str
    title: str
    text: str
    needs: str = ""


def paper_pieces(analysis: Analysis, *, form: Form = "wide") -> tuple[PaperPiece, ...]:
    """The pieces in the order in which a paper uses them.

    Parameters
    ----------
    analysis : Analysis
        With its question and procedure as its settings have them.
    form : {"wide", "narrow"}
        Whether the table goes over both columns of a page or fits in one.

    Raises
    ------
    ValueError
        If there is no such form.
    """
    pieces = [
        PaperPiece(
            name="table.tex",
            title="Table of the datasets",
            text=paper_table(analysis, form=form),
            needs="booktabs",
        ),
        PaperPiece(
            name="results.tex",
            title="Results, in a few sentences",
            text=f"{latex(' '.join(results_sentences(analysis)))}\n",
        ),
        PaperPiece(
            name="methods.tex",
            title="Methods, in past tense",
            text=methods_latex(analysis),
            needs="natbib",
        ),
        PaperPiece(
            name="references.bib", title="References of the methods", text=bibtex_of(analysis)
        ),
    ]
    for plot in paper_plots(analysis):
        title = {"forest": "Forest plot of the differences", "staircase": "Staircase of the count"}
        pieces += [
            PaperPiece(
                name=f"{plot.name}.tex",
                title=f"{title[plot.name]} (pgfplots)",
                text=pgfplots(plot),
                needs="pgfplots",
            ),
            PaperPiece(name=f"{plot.name}.svg", title=f"{title[plot.name]} (SVG)", text=svg(plot)),
        ]
    return tuple(pieces)


def paper_zip(analysis: Analysis, *, form: Form = "wide", bundle: bytes | None = None) -> bytes:
    """All pieces, the analysis as JSON, and a README, in one zip archive.

    Parameters
    ----------
    analysis : Analysis
        With its question and procedure as its settings have them.
    form : {"wide", "narrow"}
        Whether the table goes over both columns of a page or fits in one.
    bundle : bytes, optional
        From `write_bundle`; restores the analysis.

    Raises
    ------
    ValueError
        If there is no such form.
    """
    pieces = paper_pieces(analysis, form=form)
    members: dict[str, bytes] = {piece.name: piece.text.encode() for piece in pieces}
    members["analysis.json"] = to_json(analysis).encode()
    if bundle is not None:
        members["bundle.zip"] = bundle
    members["README.txt"] = _readme(analysis, pieces, with_bundle=bundle is not None).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            about = zipfile.ZipInfo(name, _DATE)
            about.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(about, content)
    return packed.getvalue()


def _readme(analysis: Analysis, pieces: tuple[PaperPiece, ...], *, with_bundle: bool) -> str:
    needs = dict.fromkeys(piece.needs for piece in pieces if piece.needs)
    lines = [
        "Pieces for a paper",
        "",
        *filter(None, [whole_name(analysis.origin.title)]),
        analysis.signature(analysis.question),
        f"Written by the replicability dashboard, version {__version__}.",
        "",
        *(f"  {piece.name}: {piece.title}" for piece in pieces),
        "  analysis.json: every number and setting",
        *(["  bundle.zip: data and settings; drop it on the Upload page"] if with_bundle else []),
        "",
        "In the preamble:",
        r"  \usepackage[T1]{fontenc}",
        *(f"  \\usepackage{{{name}}}" for name in needs),
        *([r"  \pgfplotsset{compat=1.17}"] if "pgfplots" in needs else []),
        "",
        "In the text:",
        r"  \input{table}  \input{results}  \input{methods}  \bibliography{references}",
        "",
        "Names in scripts other than Latin need XeLaTeX or LuaLaTeX with a font that has them.",
    ]
    return "\n".join(lines) + "\n"
