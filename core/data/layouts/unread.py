"""Remarks on columns that are not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.data.overlap.inputs import INPUT_HEADINGS
from core.data.roles import Roles
from core.data.tables.columns import heading
from core.data.tables.raw_table import RawTable
from core.data.words import listed

MEANS_ELSEWHERE = (
    "No test is made here of what stands after ±. If these are standard deviations over runs, the "
    "page “Check a paper” tests means with them."
)


def remarks_on_unread(
    raw: RawTable, unread: Sequence[str], *, of_examples: Roles | None = None
) -> Iterator[str]:
    """Which columns are not read, and which of them are empty: they may be meant for a system.

    Of examples, whose roles are given, two kinds of columns are read that have no role: what
    systems were given, to find examples that datasets share, and the name of the scores' metric.
    """
    held = [
        column
        for column in unread
        if not raw.is_blank(column)
        and not (
            of_examples is not None
            and (heading(column) in INPUT_HEADINGS or _names_metric(raw, column, of_examples))
        )
    ]
    empty = [column for column in unread if raw.is_blank(column)]
    if held:
        yield f"Not read: {listed(held)}."
    if empty:
        yield f"{listed(empty)} {'is' if len(empty) == 1 else 'are'} empty."


def _names_metric(raw: RawTable, column: str, roles: Roles) -> bool:
    return heading(column) == "metric" and raw.coded(column).texts == [roles.get("metric")]
