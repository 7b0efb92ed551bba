"""How much of a file is read, and how many of its problems are told one by one."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import Problem

# More rows than any results that are compared by example have.
MAX_ROWS = 2_000_000
# More would not fit into one column of text.
MAX_CHARACTERS = 500_000_000
# More columns than anyone compares systems and what goes with them.
MAX_COLUMNS = 1_000
# More problems than anyone mends one by one; the others are counted.
MAX_PROBLEMS = 1_000


def bounded(problems: Iterable[Problem], *, n_problems: int, of: str) -> list[Problem]:
    """The first thousand problems of one kind, and how many more there are."""
    listed = [problem for problem, _ in zip(problems, range(MAX_PROBLEMS), strict=False)]
    if n_problems > len(listed):
        listed.append(
            Problem(
                what=f"There are {n_problems - len(listed):,} more {of} with such problems.",
                remedy="Mend those above first.",
            )
        )
    return listed
