"""Cells and names inside messages."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 60
MOST = 10


def quoted(text: str) -> str:
    """One cell or name."""
    return f"'{text}'" if len(text) <= LONGEST else f"'{text[:LONGEST]}…'"


def listed(names: Sequence[str]) -> str:
    """Several of them, the first ten by name."""
    shown = ", ".join(quoted(name) for name in names[:MOST])
    return f"{shown} and {len(names) - MOST} more" if len(names) > MOST else shown


# What results are called whose file has no name.
NO_NAME = "results"
