"""JSON of a bundle: bounded before it is parsed, as a few bytes can ask for a lot of memory."""

from __future__ import annotations

import json
import re
from itertools import accumulate

from ...data.words import quoted
from ...errors import DataError, Problem

REMEDY = "Take the bundle anew from the analysis that wrote it."
# Deeper than anything in a bundle; the results go down seven levels.
MOST_NESTED = 20

# Possessive, so that a quotation mark without its end costs one pass and no more.
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_PARTS = b"{[,:"
_STEPS = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _STEPS)


class TooMuchError(ValueError):
    """JSON that has more parts than expected, or is nested more deeply."""


def n_parts(content: bytes) -> int:
    """How many values and keys JSON may hold: brackets, commas and colons outside its texts."""
    bare = _TEXT.sub(b"", content)
    return sum(bare.count(part) for part in _PARTS)


def parsed(content: bytes, *, most_parts: int) -> object:
    """Parse JSON without NaN, Infinity or a key twice.

    Raises
    ------
    TooMuchError
        If it has more parts than `most_parts` or is nested too deeply; before
        anything is parsed.
    ValueError
        If it is no such JSON.
    """
    bare = _TEXT.sub(b"", content)
    if sum(bare.count(part) for part in _PARTS) > most_parts:
        raise TooMuchError("too many parts")
    brackets = bare.translate(None, _NO_BRACKETS)
    if max(accumulate(_STEPS[byte] for byte in brackets), default=0) > MOST_NESTED:
        raise TooMuchError("nested too deeply")
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_pairs
        )
    except RecursionError:
        raise TooMuchError("nested too deeply") from None


def strict_json(content: bytes, member: str, *, most_parts: int) -> object:
    """As `parsed`, for a member of a bundle.

    Raises
    ------
    DataError
        If it is no such JSON, or more of it than any bundle has.
    """
    try:
        return parsed(content, most_parts=most_parts)
    except TooMuchError:
        raise refused(f"The bundle's {quoted(member)} holds more than any bundle's does.") from None
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
