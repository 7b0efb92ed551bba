"""Remarks on columns that are not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.data.tables.raw_table import RawTable
from core.data.words import listed


def remarks_on_unread(raw: RawTable, unread: Sequence[str]) -> Iterator[str]:
    """Which columns are not read, and which of them are empty: they may be meant for a system."""
    held = [column for column in unread if not raw.is_blank(column)]
    empty = [column for column in unread if raw.is_blank(column)]
    if held:
        yield f"Not read: {listed(held)}."
    if empty:
        yield f"{listed(empty)} {'is' if len(empty) == 1 else 'are'} empty."
