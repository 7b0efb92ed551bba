"""JSON of a bundle, its settings and claims, each part checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from ...analysis import AnalysisSettings
from ...analysis.settings import CHOICES, Choice
from ...claims.desk import METRICS, ClaimDesk, may_be_typed
from ...comparison import COLUMN
from ...data.layouts.registry import LAYOUTS
from ...data.roles import role_problems
from ...errors import DataError, Problem, quoted

REMEDY = "Take the bundle anew from the analysis that wrote it."


def parsed(content: bytes) -> object:
    """Parse JSON without NaN, Infinity or a key twice; ValueError if it is none."""
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_pairs
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def strict_json(content: bytes, member: str) -> object:
    """As `parsed`, for a member of a bundle."""
    try:
        return parsed(content)
    except ValueError:
        raise refused(f"The bundle's {quoted(member)} is no JSON of the expected kind.") from None


def refused(what: str, remedy: str = REMEDY) -> DataError:
    """One problem of a bundle."""
    return DataError([Problem(what=what, remedy=remedy)])


def _refuse_constant(text: str) -> object:
    raise ValueError(text)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


# Beyond this a bundle would not ask for tests but keep a machine busy.
_MOST_RESAMPLES = 100_000_000
_LONGEST = 80

# What fits, and in words what would.
_Rule = tuple[Callable[[Any], bool], str]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: object, fits: Callable[[Any], bool], n: int | None = None) -> bool:
    """Whether it is a list, of `n` entries if so many are asked for, all of which fit."""
    return isinstance(value, list) and len(value) == (n or len(value)) and all(map(fits, value))


def _whole_from(least: int, most: int) -> _Rule:
    words = f"a whole number from {least} to {most:,}"
    return lambda value: _is_whole(value) and least <= value <= most, words


_RESAMPLES = _whole_from(1, _MOST_RESAMPLES)
_OWN_RULES: Mapping[str, _Rule] = {
    "alpha": (
        lambda value: isinstance(value, float) and 0.0 < value < 1.0,
        "a number strictly between 0 and 1",
    ),
    "excluded": (
        lambda value: (
            _is_list(value, lambda name: isinstance(name, str) and name != "")
            and len(set(value)) == len(value)
        ),
        "a list of datasets, each once",
    ),
    "margin": (
        lambda value: (
            value == COLUMN
            or ((isinstance(value, float) or _is_whole(value)) and 0 <= value < 1e300)
        ),
        f"a number of at least 0, or {quoted(COLUMN)}",
    ),
    "pair": (
        lambda value: _is_list(value, _is_whole, 2) and 0 <= value[0] < value[1],
        "two positions from 0, the smaller first",
    ),
    "n_resamples": _RESAMPLES,
    "seed": _whole_from(0, 2**63 - 1),
    "extended": (
        lambda value: _is_list(
            value,
            lambda pair: (
                _is_list(pair, lambda _: True, 2)
                and isinstance(pair[0], str)
                and _RESAMPLES[0](pair[1])
            ),
        ),
        f"a list of datasets, each with {_RESAMPLES[1]}",
    ),
}


def _rule_of(choice: Choice) -> _Rule:
    if choice.values:
        values = tuple(dict.fromkeys((*choice.values, choice.usual)))
        words = f"one of {', '.join(map(quoted, values))}"
        return lambda value: isinstance(value, str) and value in values, words
    if isinstance(choice.usual, bool):
        return lambda value: isinstance(value, bool), "true or false"
    if isinstance(choice.usual, str):
        return lambda value: isinstance(value, str), "a text"
    return _OWN_RULES[choice.name]


def settings_from_json(value: object) -> AnalysisSettings:
    """Settings as `settings_as_json` writes them; one that is left out has its usual value."""
    if not isinstance(value, dict):
        raise DataError([_problem("The settings are no JSON object.")])
    problems = []
    for name, given in value.items():
        if name not in CHOICES:
            problems.append(
                Problem(
                    what=f"The setting {quoted(name)} is not one that this version knows.",
                    remedy="Open the bundle with the version that wrote it, or a later one.",
                )
            )
            continue
        fits, expected = _rule_of(CHOICES[name])
        if not fits(given):
            problems.append(
                _problem(f"The setting {quoted(name)} must be {expected}; got {_shown(given)}.")
            )
    if problems:
        raise DataError(problems)
    return AnalysisSettings(**{name: _as_held(given) for name, given in value.items()})


def _as_held(given: Any) -> Any:
    """A value of JSON as settings hold it: tuples in place of lists."""
    return tuple(map(_as_held, given)) if isinstance(given, list) else given


def roles_from_json(value: object) -> dict[str, object]:
    """Roles as a bundle holds them."""
    if not isinstance(value, dict):
        raise DataError([_problem("The roles are no JSON object.")])
    unfit = [role for role, given in value.items() if not _is_role_value(given)]
    if unfit:
        raise DataError(
            [
                _problem(
                    f"The role {quoted(role)} must be a text, a number, true, false, null, a list "
                    "of texts, true or false for each metric, or a name for each name."
                )
                for role in unfit
            ]
        )
    roles = {
        role: tuple(given) if isinstance(given, list) else given for role, given in value.items()
    }
    layouts = tuple(layout.name for layout in LAYOUTS)
    problems = role_problems(roles, columns=None, layouts=layouts)
    if problems:
        raise DataError([_problem(problem.what) for problem in problems])
    return roles


def _is_role_value(value: object) -> bool:
    if value is None or isinstance(value, str | bool | int | float):
        return True
    if isinstance(value, dict):
        return all(isinstance(entry, bool | str) for entry in value.values())
    return isinstance(value, Sequence) and all(isinstance(entry, str) for entry in value)


def _shown(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _problem(what: str) -> Problem:
    return Problem(what=what, remedy=REMEDY)


# Ten thousand datasets have sizes of less.
MOST_CHARACTERS = 500_000


def claims_as_json(desk: ClaimDesk) -> dict[str, object]:
    """What is laid out, by its name; what is pasted may hold a page's end, which is a space there."""
    held = {field.name: getattr(desk, field.name) for field in fields(ClaimDesk)}
    return {
        name: _typed(value) if isinstance(value, str) else value for name, value in held.items()
    }


def _typed(text: str) -> str:
    return "".join(letter if may_be_typed(letter) else " " for letter in text)


def claims_from_json(value: object) -> ClaimDesk:
    """What a bundle holds of claims."""
    if not isinstance(value, dict):
        raise DataError([_problem("The claims are no JSON object.")])
    expected = {
        "lines": (value.get("lines") is None or _is_typed(value["lines"]), "null or a text"),
        "metric": (value.get("metric") in (None, *METRICS), f"null or one of {', '.join(METRICS)}"),
        "sizes": (_is_typed(value.get("sizes", "")), "a text"),
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


def _is_typed(value: object) -> bool:
    return (
        isinstance(value, str) and len(value) <= MOST_CHARACTERS and all(map(may_be_typed, value))
    )
