"""Tables on the page: numbers rounded for reading, marks as sign, word and colour; and files to take away."""

import mimetypes
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.export.tables import frame_csv, grid_html, marked_markdown, records_csv, workbook_of
from core.sections.marked import MarkedTable
from core.words.formatting import form_of
from pages.ui.frame import limits

# Higher ones are scrolled: where a table is the answer, and where it is looked up.
HIGH, LOW, _ROW = 600, 420, 24
# Pixels of a character, and of a first column that stays in sight.
_CHARACTER, _BESIDE, _NARROWEST, _WIDEST = 7, 28, 70, 220
_FIRST = 10


def frame(
    found: pd.DataFrame, *, height: int = HIGH, columns: Mapping[str, Any] | None = None
) -> None:
    """A table, as high as it needs to be up to so many pixels; its toolbar searches it."""
    widths = {
        str(name): st.column_config.Column(width=_width(str(name), own))
        for name, own in found.items()
    }
    st.dataframe(
        found,
        hide_index=True,
        placeholder="–",
        height="content" if len(found) <= height // _ROW else height,
        column_config={**widths, **(columns or {})},
    )


def _width(name: str, own: pd.Series) -> int | None:
    """Of a column with longer texts than those by which it takes its own width: the first, without the longest."""
    is_text = not pd.api.types.is_numeric_dtype(own)
    lengths = list(map(len, map(str, own.tolist()))) if is_text else []
    first = lengths[:_FIRST]
    looked_at = [len(name), *(n for n in first if n * len(first) < 2 * sum(first))]
    longest = max(lengths, default=0)
    is_wider = longest > max(looked_at)
    return min(_CHARACTER * longest + _BESIDE, 2 * _WIDEST) if is_wider else None


def pinned(
    found: pd.DataFrame, *, meanings: Mapping[str, str] | None = None, height: int = HIGH
) -> None:
    """A table whose first column stays in sight, its numbers rounded; what its headings mean."""
    first, known = str(found.columns[0]), meanings or {}
    longest = max(len(str(name)) for name in [first, *found[first]])
    # Wide enough for its heading and names, narrow enough to leave room for another column beside it.
    width = min(max(_CHARACTER * longest + _BESIDE, _NARROWEST), _WIDEST)
    columns: dict[str, Any] = {
        str(name): _column(str(name), own, known.get(str(name))) for name, own in found.items()
    }
    columns[first] = st.column_config.TextColumn(pinned=True, width=width)
    frame(found, height=height, columns=columns)


def _column(name: str, own: pd.Series, meaning: str | None) -> Any:
    if not pd.api.types.is_numeric_dtype(own):
        return st.column_config.TextColumn(help=meaning, width=_width(name, own))
    form = "%.2f" if "rank" in name else form_of(own.dropna(), digits=4)
    whole = pd.api.types.is_integer_dtype(own)
    return st.column_config.NumberColumn(help=meaning, format=None if whole else form)


def file(
    label: str, write: Callable[[], str | bytes], name: str, *, note: str | None = None
) -> None:
    """A button that takes a file away; it is made at the click, in a thread that knows no session."""
    st.download_button(
        label,
        data=write,
        file_name=name,
        mime=mimetypes.guess_type(name)[0],
        on_click="ignore",
        key=f"download-{name}",
        help=note,
    )


def download(write: Callable[[], pd.DataFrame], *, name: str, what: str = "these numbers") -> None:
    """A button that takes a table away with all its digits."""
    file(f"Download {what} (CSV)", lambda: frame_csv(write()), f"{name}.csv")


def beginning(text: str) -> None:
    """A file's first lines, to be looked at and copied; its download has them all."""
    # Wrapped and short rather than scrolling: what scrolls must be reachable by keyboard.
    lines = text.splitlines()
    more = len(lines) - limits.MAX_LINES_PREVIEWED
    ending = f"\n… and {more} more lines" if more > 0 else ""
    shown = "\n".join(lines[: limits.MAX_LINES_PREVIEWED]) + ending
    st.code(shown, language=None, wrap_lines=True)


def download_marked(marked: MarkedTable, *, latex: str) -> None:
    """A table of marks in each form, `latex` as a paper prints it, with a preview where it is text."""
    forms: dict[str, tuple[str, Callable[[], str | bytes]]] = {
        "CSV": ("csv", lambda: records_csv(marked.records())),
        "Markdown": ("md", lambda: marked_markdown(marked)),
        "LaTeX": ("tex", lambda: latex),
        "HTML": ("html", lambda: grid_html(marked.grid())),
        "Excel": ("xlsx", lambda: workbook_of({"names": marked.records()})),
    }
    for tab, (label, (ending, write)) in zip(st.tabs(list(forms)), forms.items(), strict=True):
        with tab:
            file(f"Download {label}", write, f"identification.{ending}")
            if label != "Excel":
                beginning(str(write()))
