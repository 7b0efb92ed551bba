"""Tables on the page: numbers rounded for reading, marks as sign, word and colour; and files to take away."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.data import PValueTable, ResultSet
from core.export.tables import frame_csv, grid_html, marked_markdown, records_csv, workbook_of
from core.sections.marked import MarkedTable
from core.sections.parts import Table
from core.words.formatting import format_p_value
from pages.ui.frame import limits, prose, state
from pages.ui.frame.widgets import section

# Longer ones are scrolled: where the table is the answer, and where it stands aside.
_ROWS, _HEIGHT = 25, 600
_FEW_ROWS, _LOW = 12, 420
# Pixels of a character, and of a first column that stays in sight.
_CHARACTER, _BESIDE, _NARROWEST, _WIDEST = 7, 28, 70, 220


def frame(
    found: pd.DataFrame, *, aside: bool = False, columns: Mapping[str, Any] | None = None
) -> None:
    """A table, as high as it needs to be up to a screen; less `aside`, where it is looked up."""
    most, height = (_FEW_ROWS, _LOW) if aside else (_ROWS, _HEIGHT)
    st.dataframe(
        found,
        hide_index=True,
        height="content" if len(found) <= most else height,
        column_config=columns,
    )


def searched(table: Table, *, key: str, height: int = _HEIGHT) -> None:
    """A table whose first column stays in sight; a long one is searched by it.

    `key` is that of the search, `height` in pixels that of a long table.
    """
    found = table.frame
    first = str(found.columns[0])
    shown = _found(found, first, key=key, of=table.of) if len(found) > _ROWS else found
    if shown.empty:
        prose.paragraph(f"No {table.of} has these words in its name.")
        return
    longest = max(len(str(name)) for name in found[first])
    # Wide enough for its names, narrow enough to leave room for another column beside it.
    width = min(max(_CHARACTER * longest + _BESIDE, _NARROWEST), _WIDEST)
    columns: dict[str, Any] = {
        str(name): _column(str(name), own, table.meanings.get(str(name)))
        for name, own in shown.items()
    }
    columns[first] = st.column_config.TextColumn(pinned=True, width=width)
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="–",
        height="content" if len(shown) <= min(_ROWS, height // 24) else height,
        column_config=columns,
    )


def printed(whom: str, found: pd.DataFrame, note: str, *, key: str) -> None:
    """Behind a click, a table as a paper prints it."""

    def show() -> None:
        frame(found)
        prose.paragraph(note, quiet=True)

    section(f"As printed by {whom}", show, key=key)


def _column(name: str, own: pd.Series, meaning: str | None) -> Any:
    if not pd.api.types.is_numeric_dtype(own):
        return st.column_config.TextColumn(help=meaning)
    form = "%.2f" if "rank" in name else "%.4g"
    whole = pd.api.types.is_integer_dtype(own)
    return st.column_config.NumberColumn(help=meaning, format=None if whole else form)


def _found(found: pd.DataFrame, first: str, *, key: str, of: str) -> pd.DataFrame:
    """Rows whose first column has every word asked for."""
    key = state.of_file(f"{key}-find")
    st.text_input(
        f"Find a {of}",
        key=key,
        type="search",
        placeholder="words of its name",
        persist_state="session",
        width=300,
    )
    words = str(state.value(key, "") or "").casefold().split()
    names = [str(name).casefold() for name in found[first]]
    shown = found[[all(word in name for word in words) for name in names]]
    number = f"{len(shown):,} of {len(found):,}" if words else f"{len(found):,}"
    prose.paragraph(f"{number} {of}s. A click on a heading sorts by it.", quiet=True)
    return shown


def preview(data: PValueTable | ResultSet) -> None:
    """What was read, in the digits it was given in."""
    found = data.to_frame() if isinstance(data, ResultSet) else _as_printed(data)
    frame(found, aside=True)


def _as_printed(data: PValueTable) -> pd.DataFrame:
    low, high = data.p_value_bounds
    columns: dict[str, list[str]] = {"dataset": list(data.datasets)}
    if data.printed_scores_a is not None:
        columns["A"] = list(data.printed_scores_a)
    if data.printed_scores_b is not None:
        columns["B"] = list(data.printed_scores_b)
    columns["p as printed"] = list(data.printed)
    columns["it lies between"] = [format_p_value(float(p), digits=6) for p in low]
    columns["and"] = [format_p_value(float(p), digits=6) for p in high]
    if data.n_examples is not None:
        columns["n"] = [str(n) for n in data.n_examples]
    if any(data.notes):
        columns["note"] = list(data.notes)
    return pd.DataFrame(columns)


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
