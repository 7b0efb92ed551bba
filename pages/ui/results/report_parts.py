"""A part of a report on the page: text, a table, a figure."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis import Analysis
from core.export.content import Bullets, Figure, Grid, Paragraph, Part, Verbatim
from core.export.sections import tests_grid
from core.export.tables_text import grid_html
from pages.ui.frame import figures, prose, state, tables

# A table of sentences is read, not scrolled: its cells wrap.
_LONG_CELL, _MOST_ROWS = 40, 25
_WRAPPED = (
    "<style>.wrapped table{border-collapse:collapse;width:100%;font-size:.9rem}"
    ".wrapped th,.wrapped td{text-align:left;vertical-align:top;padding:.35rem .6rem;"
    "border-bottom:1px solid rgba(128,128,128,.35);font-weight:400;overflow-wrap:anywhere}"
    ".wrapped thead th,.wrapped .marked th{font-weight:600}"
    ".wrapped caption{caption-side:bottom;text-align:left;opacity:.8;padding-top:.4rem}</style>"
)


def show_part(part: Part) -> None:
    """Draw it."""
    if isinstance(part, Paragraph):
        if part.tone == "caution":
            prose.notice(part.text)
        else:
            prose.paragraph(part.text, quiet=part.tone == "quiet", strong=part.tone == "lead")
    elif isinstance(part, Bullets):
        prose.bullets(part.items)
    elif isinstance(part, Figure):
        figures.show(part.draw, name=f"report-{part.name}", alt=part.alt)
    elif isinstance(part, Grid):
        _grid(part)
    elif isinstance(part, Verbatim):
        st.code(part.text, language=None, wrap_lines=True)


def tests(analysis: Analysis) -> None:
    """One row a dataset: p-values, scores, difference with interval, effect size, notes."""
    parts = state.session().latest.result(
        "tests",
        made_of=(analysis.table, analysis.data, analysis.settings),
        compute=lambda: tests_grid(analysis),
    )
    for part in parts:
        show_part(part)


def _grid(grid: Grid) -> None:
    longest = max((len(cell) for row in grid.rows for cell in row), default=0)
    if not any(grid.numeric) and longest > _LONG_CELL and len(grid.rows) <= _MOST_ROWS:
        st.html(f"{_WRAPPED}<div class='wrapped'>{grid_html(grid)}</div>")
        return
    # Two systems may have one name but for blanks; a table's headings must differ.
    headings: list[str] = []
    for heading in grid.header:
        while heading in headings:
            heading += "\u200b"
        headings.append(heading)
    tables.frame(pd.DataFrame(list(grid.rows), columns=headings))
    if grid.caption:
        prose.paragraph(grid.caption, quiet=True)
