"""What was claimed of the data, into a bundle and out of it, each part checked."""

from __future__ import annotations

from dataclasses import fields

from ...claims.desk import METRICS, ClaimDesk, may_be_typed
from ...data.words import quoted
from ...errors import DataError, Problem
from .parsing import REMEDY

# Ten thousand datasets have sizes of less.
MOST_CHARACTERS = 500_000


def claims_as_json(desk: ClaimDesk) -> dict[str, object]:
    """What is laid out, by its name."""
    return {field.name: getattr(desk, field.name) for field in fields(ClaimDesk)}


def claims_from_json(value: object) -> ClaimDesk:
    """What a bundle holds of claims.

    Raises
    ------
    DataError
        With everything that is not as expected.
    """
    if not isinstance(value, dict):
        raise DataError([_problem("The claims are no JSON object.")])
    expected = {
        "lines": (value.get("lines") is None or _is_text(value["lines"]), "null or a text"),
        "metric": (value.get("metric") in (None, *METRICS), f"null or one of {', '.join(METRICS)}"),
        "sizes": (_is_text(value.get("sizes", "")), "a text"),
        "swapped": (isinstance(value.get("swapped", False), bool), "true or false"),
    }
    unknown = [name for name in value if name not in expected]
    problems = [
        _problem(f"The claims hold {quoted(name)}, which is no part of them.") for name in unknown
    ]
    problems += [
        _problem(f"{quoted(name)} of the claims must be {words}.")
        for name, (fits, words) in expected.items()
        if not fits
    ]
    if problems:
        raise DataError(problems)
    return ClaimDesk(**value)


def _is_text(value: object) -> bool:
    return (
        isinstance(value, str) and len(value) <= MOST_CHARACTERS and all(map(may_be_typed, value))
    )


def _problem(what: str) -> Problem:
    return Problem(what=what, remedy=REMEDY)
