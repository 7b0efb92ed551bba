"""A table pasted or typed in the page, which then works like a file."""

from __future__ import annotations

import csv
import io

import pandas as pd
import streamlit as st

from core.data import pasted_table
from core.errors import DataError
from pages.ui.frame import prose, state
from pages.ui.frame.session import Refused, Source
from pages.ui.intake import loading

_NAME_PASTED, _NAME_TYPED = "pasted table", "typed table"
_ROWS_AT_FIRST = 5
_COLUMNS = ("dataset", "A", "B", "p_value")


def show() -> None:
    """Two ways without a file: text from anywhere, and a grid."""
    # Its state is kept: where a table is refused, what was pasted stays in sight.
    with st.expander("Paste or type a table", key="paste", on_change="rerun"):
        generation = state.session().n_loaded
        text, grid = st.tabs(["Paste text", "Type into a grid"])
        with text:
            _text(f"pasted-{generation}")
        with grid:
            _grid(f"typed-{generation}")


def _text(key: str) -> None:
    st.text_area(
        "Rows from a spreadsheet, a CSV, a Markdown or LaTeX table, or a paper",
        key=key,
        height=180,
        placeholder="dataset\tours\tbaseline\tp_value\nSST-2\t93.1\t92.4\t.012",
    )
    st.button("Read the pasted table", on_click=_take_text, args=(key,))


def _take_text(key: str) -> None:
    text = str(state.value(key))
    if not text.strip():
        state.remark("There is nothing to read: paste a table first.")
        return
    source = Source(name=_NAME_PASTED, files=((_NAME_PASTED, text.encode("utf-8")),))
    try:
        found = pasted_table(text)
    except DataError as error:
        state.session().refused = Refused(source=source, error=error)
        return
    loading.load_files([(_NAME_PASTED, found.text.encode("utf-8"))])
    state.session().remarks += found.remarks


def _grid(key: str) -> None:
    prose.paragraph(
        "One row a dataset: its name, the score of A and of B, the p-value as printed, such as "
        "0.0018 or <.001. Columns that stay empty are left out; cells can be pasted from a "
        "spreadsheet.",
        quiet=True,
    )
    with st.container(horizontal=True):
        name_a = st.text_input("Name of A", value="A", key=f"{key}-a")
        name_b = st.text_input("Name of B", value="B", key=f"{key}-b")
    # Text columns: a number column would turn a typed 0,05 into 5 and <.001 into nothing.
    headings = dict(zip(_COLUMNS, ("dataset", "score of A", "score of B", "p-value"), strict=True))
    filled = st.data_editor(
        pd.DataFrame({column: [""] * _ROWS_AT_FIRST for column in _COLUMNS}),
        key=f"{key}-grid",
        num_rows="dynamic",
        hide_index=True,
        column_config={
            column: st.column_config.TextColumn(words) for column, words in headings.items()
        },
    )
    st.button("Read this table", on_click=_take_grid, args=(filled, name_a, name_b))


def _take_grid(filled: pd.DataFrame, name_a: str, name_b: str) -> None:
    cells = filled.fillna("").astype(str).map(str.strip)
    cells = cells[(cells != "").any(axis=1)]
    if cells.empty:
        state.remark("There is nothing to read: the grid is empty.")
        return
    kept = [column for column in _COLUMNS if (cells[column] != "").any()]
    names = {"A": name_a.strip() or "A", "B": name_b.strip() or "B"}
    text = io.StringIO()
    # Tabs leave the comma to the numbers: 0,05 is then read as typed.
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow([names.get(column, column) for column in kept])
    writer.writerows(cells[kept].to_numpy().tolist())
    loading.load_files([(_NAME_TYPED, text.getvalue().encode("utf-8"))])
