"""Remarks on columns that are not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.data.overlap.inputs import INPUT_HEADINGS
from core.data.tables.columns import heading
from core.data.tables.raw_table import RawTable
from core.data.words import listed


def remarks_on_unread(
    raw: RawTable, unread: Sequence[str], *, of_examples: bool = False
) -> Iterator[str]:
    """Which columns are not read, and which of them are empty: they may be meant for a system.

    Of examples, what systems were given is read to find examples that datasets share.
    """
    held = [
        column
        for column in unread
        if not raw.is_blank(column) and not (of_examples and heading(column) in INPUT_HEADINGS)
    ]
    empty = [column for column in unread if raw.is_blank(column)]
    if held:
        yield f"Not read: {listed(held)}."
    if empty:
        yield f"{listed(empty)} {'is' if len(empty) == 1 else 'are'} empty."
