"""Taking a table away: a preview of each form, and a button."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.export.tables import MarkedTable
from core.export.tables_text import frame_csv
from pages.ui.frame import limits


def table(write: Callable[[], pd.DataFrame], *, name: str, what: str = "these numbers") -> None:
    """A button that takes a table away with all its digits; it is made at the click."""
    st.download_button(
        f"Download {what} (CSV)",
        data=lambda: frame_csv(write()),
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"download-{name}",
    )


def marked_table(table: MarkedTable, *, name: str) -> None:
    """A marked table in each form, with a preview where it is text."""
    forms = (
        ("CSV", table.to_csv, "csv", "text/csv"),
        ("Markdown", table.to_markdown, "md", "text/markdown"),
        ("LaTeX", table.to_latex, "tex", "text/x-tex"),
        ("HTML", table.to_html, "html", "text/html"),
    )
    *tabs, workbook_tab = st.tabs([*(label for label, *_ in forms), "Excel"])
    for tab, (label, write, ending, mime) in zip(tabs, forms, strict=True):
        with tab:
            text = write()
            st.download_button(
                f"Download {label}",
                data=text.encode("utf-8"),
                file_name=f"{name}.{ending}",
                mime=mime,
                key=f"download-{name}-{ending}",
                on_click="ignore",
            )
            # Wrapped and short rather than scrolling: what scrolls must be reachable by keyboard.
            lines = text.splitlines()
            more = len(lines) - limits.MAX_LINES_PREVIEWED
            ending = f"\n… and {more} more lines" if more > 0 else ""
            st.code(
                "\n".join(lines[: limits.MAX_LINES_PREVIEWED]) + ending,
                language=None,
                wrap_lines=True,
            )
    with workbook_tab:
        st.download_button(
            "Download Excel",
            data=table.to_workbook,
            file_name=f"{name}.xlsx",
            key=f"download-{name}-xlsx",
            on_click="ignore",
        )
