"""Roles: what each column is for, and what the file itself does not say.

Vocabulary
----------
column role
    Its value is a column's name, or None where the file has no such column.
declaration
    Its value is a fact that the file's owner states.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.data.words import listed
from core.errors import Problem
from core.types import ALTERNATIVES

Roles = Mapping[str, object]

COLUMN_ROLES = ("dataset", "system_a", "system_b", "p_value", "n_examples")
DECLARATIONS: Roles = {
    "alternative": "not-stated",
    "higher_is_better": True,
    "zero_reads_below": None,
    "metric": None,
}


def role_problems(roles: Roles, *, columns: Sequence[str]) -> list[Problem]:
    """Everything wrong with roles that a caller gave for a file with these columns."""
    problems = []
    for role, value in roles.items():
        if role in COLUMN_ROLES:
            problem = _column_problem(role, value, columns)
        elif role in DECLARATIONS:
            problem = _declaration_problem(role, value)
        else:
            known = listed((*COLUMN_ROLES, *DECLARATIONS))
            problem = Problem(what=f"There is no role {role!r}.", remedy=f"The roles are {known}.")
        if problem is not None:
            problems.append(problem)
    return problems


def column_of(roles: Roles, role: str) -> str | None:
    """The column with this role, None where there is none."""
    value = roles.get(role)
    return value if isinstance(value, str) else None


def shared_column_problems(roles: Roles) -> list[Problem]:
    """One problem for each column that has two roles."""
    by_column: dict[str, list[str]] = {}
    for role in COLUMN_ROLES:
        column = column_of(roles, role)
        if column is not None:
            by_column.setdefault(column, []).append(role)
    return [
        Problem(
            what=f"The column has several roles: {', '.join(held)}.",
            remedy="Choose another column for all but one of them.",
            column=column,
        )
        for column, held in by_column.items()
        if len(held) > 1
    ]


def _column_problem(role: str, value: object, columns: Sequence[str]) -> Problem | None:
    if value is None or (isinstance(value, str) and value in columns):
        return None
    return Problem(
        what=f"The role '{role}' names the column {value!r}, which the file does not have.",
        remedy=f"The file has the columns {listed(columns)}.",
    )


def _declaration_problem(role: str, value: object) -> Problem | None:
    expected = {
        "alternative": (
            isinstance(value, str) and value in ALTERNATIVES,
            f"one of {listed(ALTERNATIVES)}",
        ),
        "higher_is_better": (isinstance(value, bool), "True or False"),
        "zero_reads_below": (value is None or _is_probability(value), "None or from 0 to 1"),
        "metric": (value is None or isinstance(value, str), "None or a name"),
    }
    fits, wanted = expected[role]
    if fits:
        return None
    return Problem(
        what=f"`{role}` must be {wanted}; got {value!r}.", remedy="Correct this declaration."
    )


def _is_probability(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return math.isfinite(value) and 0 <= value <= 1
