"""Separators of thousands: read where they cannot be taken for anything else.

Vocabulary
----------
mark
    What stands between digits: a comma, a point, a space or an apostrophe.
two readings
    "1,234" and "1.234" may be 1234, or 1 and some decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from core.data.words import quoted

# What may stand between thousands and is no decimal mark: space, no-break space,
# thin spaces, apostrophes.
APART = " \xa0\u2009\u202f'’"
MARKS = {",": "commas", ".": "points"}

# Threes of digits, kept apart by one and the same mark.
_START = r"(?P<sign>[+-]?)(?P<digits>"
_HEAD = "[1-9][0-9]{0,2}"
_GROUPED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_START}{_HEAD}(?:,[0-9]{{3}}){{2,}}(?:\.[0-9]+)?|{_HEAD}(?:,[0-9]{{3}})+\.[0-9]+)",
        rf"{_START}{_HEAD}(?:\.[0-9]{{3}}){{2,}}(?:,[0-9]+)?|{_HEAD}(?:\.[0-9]{{3}})+,[0-9]+)",
        rf"{_START}{_HEAD}(?P<mark>[{APART}])[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*(?:[.,][0-9]+)?)",
    )
)
_TWO_READINGS = re.compile(rf"{_START}{_HEAD}(?P<mark>[.,])[0-9]{{3}})")
# A comma that can only be a decimal mark, and one that may separate thousands.
_SURE_COMMA = (
    r"^[^0-9.,]*([0-9]*,([0-9]{1,2}|[0-9]{4,})|0[0-9]*,[0-9]+|[0-9]{4,},[0-9]+|,[0-9]+)"
    r"([eE·*×x ][^,]*)?[^0-9.,]*$"
)
_OPEN_COMMA = r"^[^0-9.,]*[1-9][0-9]{0,2},[0-9]{3}[^0-9.,]*$"
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+[.,][0-9]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """What commas and points mean in a column, as far as its texts leave no doubt.

    Attributes
    ----------
    grouping, decimal : frozenset of str
        The marks that separate thousands in some text, and those before decimals.
    """

    grouping: frozenset[str]
    decimal: frozenset[str]


def notation_of(texts: Iterable[str]) -> Notation:
    """What commas and points mean in these texts; those with two readings do not count."""
    grouping: set[str] = set()
    decimal: set[str] = set()
    for text in texts:
        bare = bare_number(text)
        if (match := _grouped(bare)) is not None:
            marks = _marks(match["digits"])
            grouping.add(marks[0])
            # The last mark of 1.234,5 is another than the first.
            decimal.update(marks[-1:] if marks[-1] != marks[0] else ())
        elif _DECIMAL.fullmatch(bare) and not _TWO_READINGS.fullmatch(bare):
            decimal.update(mark for mark in MARKS if mark in bare)
    return Notation(grouping=frozenset(grouping), decimal=frozenset(decimal))


def shows_decimal_comma(columns: Iterable[Any]) -> bool:
    """Whether commas between digits can be read as decimal marks.

    Parameters
    ----------
    columns : iterable of pyarrow arrays of strings
        All cells of a file.

    Returns
    -------
    bool
        True where some cell has a comma that can be nothing else, as in 0,123
        or 12,5, and where no cell leaves it open.
    """
    open_ones = False
    for column in columns:
        if pc.any(pc.match_substring_regex(column, _SURE_COMMA)).as_py():
            return True
        open_ones |= bool(pc.any(pc.match_substring_regex(column, _OPEN_COMMA)).as_py())
    return not open_ones


def bare_number(text: str) -> str:
    """A text without its '%' and with the minus sign of ASCII."""
    return text.replace("−", "-").removesuffix("%").strip()


def grouped_digits(bare: str, notation: Notation | None) -> str | None:
    """Digits without separators of thousands and with a decimal point; None where none is sure.

    A text with two readings is read as the others of its column show, if they
    have the mark between thousands and nowhere before decimals.
    """
    match = _grouped(bare)
    if match is not None:
        # Only the mark before decimals differs from the one between thousands.
        first = _marks(match["digits"])[0]
        return match["sign"].strip("+") + match["digits"].replace(first, "").replace(",", ".")
    match = _TWO_READINGS.fullmatch(bare)
    if match is None or notation is None:
        return None
    mark = match["mark"]
    if mark not in notation.grouping or mark in notation.decimal:
        return None
    return match["sign"].strip("+") + match["digits"].replace(mark, "")


def two_readings(bare: str) -> tuple[str, str] | None:
    """With a decimal point and as a whole number, None for a text with one reading."""
    match = _TWO_READINGS.fullmatch(bare)
    if match is None:
        return None
    sign = match["sign"].strip("+")
    return tuple(sign + match["digits"].replace(match["mark"], by) for by in (".", ""))  # type: ignore[return-value]


def are_mixed(bare: str, notation: Notation | None) -> bool:
    """Whether a text has two readings, and other numbers of its column speak for either."""
    match = _TWO_READINGS.fullmatch(bare)
    if match is None or notation is None:
        return False
    return match["mark"] in notation.grouping & notation.decimal


def without_thousands(text: str) -> str:
    """A whole number's digits alone; any other text as it is."""
    match = _grouped(text) or _TWO_READINGS.fullmatch(text)
    if match is None:
        return text
    marks = set(_marks(match["digits"]))
    # '2.000' may be a rounded 2; a size has no decimals after a comma.
    if len(marks) > 1 or (match.re is _TWO_READINGS and marks == {"."}):
        return text
    return match["sign"] + match["digits"].replace(marks.pop(), "")


def grouping_remark(column: str, texts: Sequence[str], numbers: Sequence[float]) -> str:
    """A remark on numbers of a column whose thousands are separated."""
    shown = _shown(texts, numbers)
    return f"Separators of thousands in {quoted(column)} are left out: {shown}."


def trail_remark(column: str, texts: Sequence[str], numbers: Sequence[float]) -> str:
    """A remark on numbers of a column that are followed by stars or by a spread."""
    shown = _shown(texts, numbers)
    return f"What follows the numbers in {quoted(column)} is left out: {shown}."


def _shown(texts: Sequence[str], numbers: Sequence[float]) -> str:
    shown = ", ".join(
        f"{quoted(text)} as {number:.15g}"
        for text, number in zip(texts[:3], numbers[:3], strict=True)
    )
    return f"{shown} and {len(texts) - 3:,} more" if len(texts) > 3 else shown


def _grouped(bare: str) -> re.Match[str] | None:
    for pattern in _GROUPED:
        if match := pattern.fullmatch(bare):
            return match
    return None


def _marks(digits: str) -> list[str]:
    return [mark for mark in digits if not mark.isdigit()]
