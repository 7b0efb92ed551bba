"""Settings and roles out of a bundle, each checked before anything is done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...analysis import AnalysisSettings
from ...analysis.settings import CHOICES, Choice
from ...comparison import COLUMN
from ...data.layouts.registry import LAYOUTS
from ...data.roles import role_problems
from ...data.words import quoted
from ...errors import DataError, Problem
from .parsing import REMEDY

# Beyond this a bundle would not ask for tests but keep a machine busy.
MOST_RESAMPLES = 100_000_000
_LARGEST_SEED = 2**63 - 1
_LONGEST = 80

# What fits, and in words what would.
_Rule = tuple[Callable[[Any], bool], str]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_level(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 < value < 1.0


def _is_number_of_resamples(value: Any) -> bool:
    return _is_whole(value) and 1 <= value <= MOST_RESAMPLES


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(_is_whole(position) for position in value)
        and 0 <= value[0] < value[1]
    )


def _is_extended(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(entry, list)
        and len(entry) == 2
        and _is_text(entry[0])
        and _is_number_of_resamples(entry[1])
        for entry in value
    )


def _is_list_of_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(_is_text(name) and name for name in value)
        and len(set(value)) == len(value)
    )


def _is_margin(value: Any) -> bool:
    return value == COLUMN or (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e300
    )


def _one_of(*choices: str) -> _Rule:
    listed = ", ".join(quoted(choice) for choice in choices)
    return lambda value: _is_text(value) and value in choices, f"one of {listed}"


_RESAMPLES = f"a whole number from 1 to {MOST_RESAMPLES:,}"
_OWN_RULES: Mapping[str, _Rule] = {
    "alpha": (_is_level, "a number strictly between 0 and 1"),
    "excluded": (_is_list_of_names, "a list of datasets, each once"),
    "margin": (_is_margin, f"a number of at least 0, or {quoted(COLUMN)}"),
    "pair": (_is_pair, "two positions from 0, the smaller first"),
    "n_resamples": (_is_number_of_resamples, _RESAMPLES),
    "seed": (
        lambda value: _is_whole(value) and 0 <= value <= _LARGEST_SEED,
        f"a whole number from 0 to {_LARGEST_SEED}",
    ),
    "extended": (_is_extended, f"a list of datasets, each with {_RESAMPLES}"),
}


def _rule_of(choice: Choice) -> _Rule:
    if choice.values:
        return _one_of(*dict.fromkeys((*choice.values, choice.usual)))
    if isinstance(choice.usual, bool):
        return lambda value: isinstance(value, bool), "true or false"
    if isinstance(choice.usual, str):
        return _is_text, "a text"
    return _OWN_RULES[choice.name]


def settings_from_json(value: object) -> AnalysisSettings:
    """Settings as `settings_as_json` writes them; one that is left out has its usual value.

    Raises
    ------
    DataError
        With everything that is not as expected, unknown settings among it.
    """
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
    chosen = {name: _as_held(given) for name, given in value.items()}
    if "alpha" in chosen:
        chosen["alpha"] = float(chosen["alpha"])
    return AnalysisSettings(**chosen)


def _as_held(given: Any) -> Any:
    """A value of JSON as settings hold it: tuples in place of lists."""
    return tuple(map(_as_held, given)) if isinstance(given, list) else given


def roles_from_json(value: object) -> dict[str, object]:
    """Roles as a bundle holds them.

    Raises
    ------
    DataError
        With everything that no file could have.
    """
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
