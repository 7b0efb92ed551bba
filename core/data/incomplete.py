"""Rows in which a score is missing: refused, or left out where that was chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.raw_table import RawTable
from core.data.roles import Roles
from core.data.words import listed
from core.errors import Choice
from core.types import BoolArray

# With these a file says that there is no value.
NOTHING_WORDS = frozenset(
    {"nan", "null", "na", "n/a", "none", "nil", "missing", "?", "-", "–", "—", "−", "."}
)


def incomplete_rows(raw: RawTable, columns: Sequence[str]) -> BoolArray:
    """For each row whether one of these columns is empty or says that there is no value."""
    incomplete: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        coded = raw.coded(column)
        # A word for a missing value is short; longer texts are not made into strings.
        nothing = np.array(
            [text == "" or text.casefold() in NOTHING_WORDS for text in coded.texts],
            dtype=np.bool_,
        )
        incomplete |= nothing[coded.codes]
    return incomplete


def without_incomplete(
    raw: RawTable, roles: Roles, columns: Sequence[str], *, unit: str = "example"
) -> tuple[RawTable, tuple[str, ...]]:
    """The table without its incomplete rows where that was chosen, and a remark that says so.

    `unit` is what a row stands for: an example or a dataset.
    """
    if roles.get("incomplete") != "leave-out":
        return raw, ()
    incomplete = incomplete_rows(raw, columns)
    n_left_out = int(incomplete.sum())
    if not n_left_out or n_left_out == raw.n_rows:
        return raw, ()
    lines = [str(line) for line in raw.lines[incomplete][:10].tolist()]
    more = f" and {n_left_out - len(lines):,} more" if n_left_out > len(lines) else ""
    remark = (
        f"Left out, as chosen: {counted(n_left_out, unit)} in which a value of {listed(columns)} "
        f"is missing (line{'s' if n_left_out != 1 else ''} {', '.join(lines)}{more}); "
        f"{counted(raw.n_rows - n_left_out, unit)} stay."
    )
    return raw.kept(~incomplete), (remark,)


def incomplete_choice(n_incomplete: int, *, unit: str = "example") -> Choice:
    """The question whether incomplete rows are to be left out."""
    return Choice(
        role="incomplete",
        question=f"A value is missing in {counted(n_incomplete, unit)}.",
        options=(("leave-out", f"Leave out {counted(n_incomplete, unit)}"),),
    )


def counted(number: int, unit: str) -> str:
    """A number with its unit in the right form."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"
