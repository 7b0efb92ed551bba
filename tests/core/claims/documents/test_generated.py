"""Sixty made tables and those of Dror et al. (2017), read from LaTeX and from two printers' PDFs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from core.claims.documents.latex import latex_tables
from core.claims.documents.pdf_page import read_page
from core.claims.documents.pdf_tables import tables_on
from core.claims.documents.table import DocumentTable
from tests.core.claims.documents.made import made_tables, tables_of_the_paper, tex_document
from tests.core.claims.documents.scoring import score

PRINTED = Path(__file__).parent / "printed"
# Raised digits, names over rows without rules, and the like; each is asked.
MOST_ASKED = 0.08


@cache
def tables(name: str) -> tuple[DocumentTable, ...]:
    if name == "latex":
        source = tex_document([*made_tables(), *tables_of_the_paper()])
        return tuple(latex_tables({"paper.tex": source}))
    document = pypdfium2.PdfDocument(PRINTED / name)
    return tuple(t for i in range(len(document)) for t in tables_on(read_page(document, i)))


@pytest.mark.parametrize("name", ["latex", "tex.pdf", "html.pdf"])
def test_of_sixty_tables_no_winner_is_wrong_and_99_percent_of_cells_are_right(name: str) -> None:
    made = [*made_tables(), *tables_of_the_paper()]
    found = score(tables(name), made)
    assert found.lost == []
    assert found.wrong_winners == []
    assert found.n_winners > 900
    assert found.share_right >= 0.99, found.wrong
    assert found.asked <= MOST_ASKED * (found.right + found.asked)
    print(name, found.right, found.asked, found.wrong, found.n_winners)  # noqa: T201
