"""What the tables of a report have in common: how long, how cells are written, what is left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..content import Grid, Paragraph, Part

if TYPE_CHECKING:
    import pandas as pd

# Of tables that only explain an answer no more rows are shown; those of results are whole.
MOST_ROWS = 200
# Embeddings, overrides and isolates but for the pair that `display_name` sets.
_TURNS_TEXT = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067")


def clean(text: str) -> str:
    """A sentence that may hold a file's own words, without controls; isolated names stay isolated."""
    kept = []
    for character in text:
        if character in _TURNS_TEXT:
            continue
        control = unicodedata.category(character) in {"Cc", "Zl", "Zp"}
        kept.append(" " if control else character)
    return "".join(kept).strip()


def grid_of_frame(
    frame: pd.DataFrame,
    *,
    numeric: Sequence[bool],
    caption: str,
    name: str,
) -> Grid:
    """A table of text made from a frame whose cells are text already, or whole numbers."""
    return Grid(
        header=tuple(str(column) for column in frame.columns),
        rows=tuple(tuple(str(cell) for cell in row) for row in frame.itertuples(index=False)),
        numeric=tuple(numeric),
        caption=caption,
        name=name,
    )


def left_out_part(n_left_out: int, what: str) -> list[Part]:
    """State how many rows a table leaves out; nothing where it is whole."""
    if n_left_out <= 0:
        return []
    return [
        Paragraph(
            text=f"The table ends here: {n_left_out:,} further {what} are left out of it.",
            tone="quiet",
        )
    ]
