"""Names of datasets, systems and metrics as the types hold them."""

from __future__ import annotations

from collections.abc import Iterable

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
