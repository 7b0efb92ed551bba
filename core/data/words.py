"""Cells and names inside messages, and names as the types hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def checked_names(names: Iterable[str], *, name: str) -> tuple[str, ...]:
    """The names as a tuple.

    Raises
    ------
    ValueError
        If there is none, or one is empty or given twice.
    """
    checked = tuple(names)
    if not checked:
        raise ValueError(f"`{name}` must not be empty.")
    seen: set[str] = set()
    for entry in checked:
        if not entry:
            raise ValueError(f"`{name}` must have names; got ''.")
        if entry in seen:
            raise ValueError(f"`{name}` must all differ; got {entry!r} twice.")
        seen.add(entry)
    return checked
