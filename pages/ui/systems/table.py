"""Tables of many systems: a search, and a first column that stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.frame import prose, state, tables

# Longer ones are scrolled, and have a search.
TALL = 25
_CHARACTER, _MARGIN, _WIDTHS = 7, 28, (70, 220)


def show(
    frame: pd.DataFrame,
    *,
    key: str,
    of: str = "system",
    columns: Mapping[str, Any] | None = None,
) -> None:
    """A table whose first column stays in sight; a long one is searched by it.

    Parameters
    ----------
    frame : DataFrame
        A row for each.
    key : str
        Of the search.
    of : str
        What the first column names: "system".
    columns : mapping of str to column configuration, optional
        Of some columns.
    """
    first = str(frame.columns[0])
    shown = _found(frame, first, key=key, of=of) if len(frame) > TALL else frame
    if shown.empty:
        prose.paragraph(f"No {of} has these words in its name.")
        return
    longest = max(len(str(name)) for name in frame[first])
    # Wide enough for its names, narrow enough to leave room for another column beside it.
    width = int(np.clip(_CHARACTER * longest + _MARGIN, *_WIDTHS))
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="–",
        height="content" if len(shown) <= TALL else 600,
        column_config={
            first: st.column_config.TextColumn(pinned=True, width=width),
            **(columns or {}),
        },
    )
    tables.sideways(shown)


def _found(frame: pd.DataFrame, first: str, *, key: str, of: str) -> pd.DataFrame:
    """Rows whose first column has every word asked for."""
    st.text_input(
        f"Find a {of}",
        key=f"{key}-find",
        type="search",
        placeholder="words of its name",
        persist_state="session",
        width=300,
    )
    words = str(state.value(f"{key}-find", "") or "").casefold().split()
    names = [str(name).casefold() for name in frame[first]]
    shown = frame[[all(word in name for word in words) for name in names]]
    number = f"{len(shown):,} of {len(frame):,}" if words else f"{len(frame):,}"
    prose.paragraph(f"{number} {of}s. A click on a heading sorts by it.", quiet=True)
    return shown
