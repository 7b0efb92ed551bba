"""Parts of a section on the page: the same that a report prints."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

import pandas as pd
import streamlit as st

from core.analysis import Analysis
from core.export.tables import grid_html
from core.sections.marked import Marks
from core.sections.parts import (
    Bullets,
    Card,
    Download,
    Figure,
    Grid,
    Paragraph,
    Part,
    Signature,
    Table,
    Verbatim,
)
from pages.ui.frame import figures, prose, state, tables
from pages.ui.results import result_table

Of = TypeVar("Of")

# A table of sentences is read, not scrolled: its cells wrap.
_LONG_CELL, _MOST_ROWS, _MOST_PREVIEWED = 40, 25, 60
_MARK = re.compile("(?<=[0-9])([★†]+)(?=</t[dh]>)")
_WRAPPED = (
    "<style>.wrapped{overflow-x:auto;position:relative;container-type:inline-size}"
    ".wrapped table{border-collapse:collapse;width:100%;font-size:.9rem;"
    "font-variant-numeric:tabular-nums}"
    ".wrapped th,.wrapped td{text-align:left;vertical-align:top;padding:.35rem .6rem;"
    "border-bottom:1px solid rgba(128,128,128,.35);font-weight:400;overflow-wrap:anywhere}"
    # Names break between words; a caption is as wide as its box, not as its table.
    ".wrapped th{overflow-wrap:break-word}"
    ".wrapped th.n,.wrapped td.n{text-align:right;white-space:nowrap}.wrapped .over{position:absolute}"
    ".wrapped thead th,.wrapped .marked th{font-weight:600}"
    ".wrapped caption{caption-side:bottom;text-align:left;opacity:.8;padding-top:.4rem;"
    "max-width:100cqi;position:sticky;left:0}</style>"
)


def show(parts: Iterable[Part], *, is_preview: bool = False) -> None:
    """Draw them in reading order; in a preview the lead is not the page's own."""
    for part in parts:
        if isinstance(part, Card):
            prose.verdict(part.statement, part.tiles, notes=part.notes, so_far=part.so_far)
        elif isinstance(part, Marks):
            result_table.show(part.analysis, part.tables, in_detail=part.in_detail)
        elif isinstance(part, Paragraph):
            _paragraph(part, is_preview=is_preview)
        elif isinstance(part, Bullets):
            prose.bullets(part.items)
        elif isinstance(part, Figure):
            _figure(part, f"{'report-' if is_preview else ''}{part.name}")
        elif isinstance(part, Table):
            tables.searched(part, key=f"{'report-' if is_preview else ''}{part.name}")
            prose.paragraphs([part.caption] if part.caption else [], quiet=True)
        elif isinstance(part, Download):
            tables.download(part.write, name=part.name, what=part.what)
        elif isinstance(part, Signature):
            prose.paragraph(f"Signature: reproduces {part.of}.", quiet=True)
            st.code(part.line, language=None, wrap_lines=True)
        elif isinstance(part, Grid):
            _grid(part, is_preview=is_preview)
        elif isinstance(part, Verbatim):
            st.code(part.text, language=None, wrap_lines=True)


def kept(
    name: str, make: Callable[[Analysis], tuple[Part, ...]], analysis: Analysis
) -> tuple[Part, ...]:
    """The parts as they were made last, unless data, settings or answers have changed since."""
    return state.session().latest.result(
        f"parts-{name}",
        made_of=(analysis.table, analysis.data, analysis.settings, analysis.assessment),
        compute=lambda: make(analysis),
    )


def shown(make: Callable[[Of], Iterable[Part]], of: Of) -> Callable[[], None]:
    """What makes and draws them when it is opened."""
    return lambda: show(make(of))


def _paragraph(part: Paragraph, *, is_preview: bool) -> None:
    if part.tone == "caution":
        prose.notice(part.text)
    elif part.tone == "lead" and not is_preview:
        prose.lead(part.text)
    else:
        strong = part.tone in ("lead", "strong")
        prose.paragraph(part.text, quiet=part.tone == "quiet", strong=strong)


def _figure(part: Figure, name: str) -> None:
    """A chart; where it does not fit it scrolls sideways."""
    if not part.least_width:
        figures.show(part.draw, name=name, alt=part.alt)
        return
    with figures.wide(name, part.least_width):
        figures.show(part.draw, name=name, alt=part.alt)


def _grid(grid: Grid, *, is_preview: bool) -> None:
    longest = max((len(cell) for row in grid.rows for cell in row), default=0)
    is_prose = not any(grid.numeric) and longest > _LONG_CELL
    if (is_prose or is_preview) and len(grid.rows) <= (
        _MOST_PREVIEWED if is_preview else _MOST_ROWS
    ):
        # A mark stands beside its number, so that the digits of a column align.
        table = _MARK.sub(r"<span class='over'>\1</span>", grid_html(grid))
        # What scrolls must be reached by the keyboard.
        st.html(
            f"{_WRAPPED}<div class='wrapped' tabindex='0' role='region' "
            f"aria-label='{html.escape(grid.name or 'Table')}'>{table}</div>"
        )
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
