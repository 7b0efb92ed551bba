"""Roles as the command line's `--role` has them, written and read.

The form
--------
ROLE=TEXT
    A text; nothing is None. Of "systems" and "scores" names parted by commas
    or a JSON list, of "higher_is_better" true, false or a JSON object, of
    "turned" true or false, of new names a JSON object, of "zero_reads_below" a number.
ROLE:=JSON
    Any value, as JSON: what the first form cannot say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from ..data.roles import SEVERAL


def role_in_words(role: str, value: object) -> str:
    """A role and its value in the shortest form that is read back the same."""
    short = _short(value)
    if short is not None and short.isprintable():
        text = f"{role}={short}"
        try:
            if _same(role_of_words(text)[1], value):
                return text
        except ValueError:
            pass
    plain = dict(value) if isinstance(value, Mapping) else value
    written = json.dumps(plain, ensure_ascii=False)
    # Controls and halves of letters come back from their escapes.
    return f"{role}:={written if written.isprintable() else json.dumps(plain)}"


def role_of_words(text: str) -> tuple[str, object]:
    """A role and its value.

    Raises
    ------
    ValueError
        If it is neither of the two forms, or its JSON is none; with the reason.
    """
    role, equals, value = text.partition("=")
    if not equals or role in ("", ":"):
        raise ValueError(f"--role must be ROLE=VALUE or ROLE:=JSON; got {text!r}")
    if role.endswith(":"):
        role = role.removesuffix(":")
        return role, _json(role, value)
    return role, _value(role, value)


def _value(role: str, text: str) -> object:
    if not text:
        return None
    if role in SEVERAL:
        if text.startswith("["):
            return _json(role, text, list)
        return tuple(part.strip() for part in text.split(","))
    if role in ("higher_is_better", "turned"):
        if text.startswith("{"):
            return _json(role, text, dict)
        return {"true": True, "false": False}.get(text.lower(), text)
    if role in ("dataset_names", "system_names"):
        return _json(role, text, dict)
    if role == "zero_reads_below":
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        # What is no number is refused where roles are checked.
        return text if math.isnan(value) else value
    return text


def _json(role: str, text: str, kind: type = object) -> object:
    wrong = f"the role {role!r} must be JSON; got {text!r}"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(wrong) from None
    if not isinstance(value, kind):
        raise ValueError(wrong)
    return tuple(value) if isinstance(value, list) else value


def _short(value: object) -> str | None:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence) and all(isinstance(entry, str) for entry in value):
        return ",".join(value)
    return None


def _same(one: object, other: object) -> bool:
    """Whether two values mean the same role: a list is a tuple, and 1 is not true."""
    if isinstance(one, tuple) and isinstance(other, Sequence) and not isinstance(other, str):
        return one == tuple(other)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other
