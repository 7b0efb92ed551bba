"""Numbers as files print them; p-values, which may be bounds or zeros, are in `printed_p_values`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.data.tables.thousands import (
    Notation,
    are_mixed,
    bare_number,
    grouped_digits,
    two_readings,
    without_thousands,
)
from core.data.words import quoted
from core.metrics.per_example import LARGEST_SCORE

# No score is further from 1; exact differences stay short.
MAX_EXPONENT = 400

# Python's own float() and int() also take '1_000', 'nan', 'inf' and digits of
# other scripts; a file that holds those means something else.
DIGITS = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
NUMBER = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{DIGITS})(?P<exponent>[eE][+-]?[0-9]{{1,5}})?")
# Every dash and minus that documents print, inside a class of a regular expression.
DASH_CLASS = "\\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_TO_ASCII = {
    **dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-"),
    0xAD: None,
}
_WHOLE = re.compile(r"\+?(?P<digits>[0-9]{1,15})(?:\.0)?")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
# After a number: marks of significance, or its spread in words of any paper.
_TRAIL = re.compile(
    r"(?<=[0-9.%])\s*(?:[*†‡§¶∗⋆★]+|(?:±|\+/-|\+-)\s*[0-9.,]*[0-9]%?"
    r"|\((?:±\s*)?[0-9.,]*[0-9]%?\))$"
)


class UnreadableNumber(ValueError):
    """A cell that does not say the number it should.

    Attributes
    ----------
    what, remedy : str
        As in `core.errors.Problem`.
    """

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(f"{what} {remedy}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedNumber:
    """A number with the digits that were given.

    Attributes
    ----------
    value : float
        Finite; with '%' the number before it, not a hundredth of it.
    digits : str
        As printed, with '.' as decimal mark and without '+' and '%'.
    percent, comma : bool
        Whether '%' followed, and whether the decimal mark was a comma, with
        nothing that separates thousands beside it.
    is_grouped : bool
        Whether thousands were separated, as in 1,234.5.
    trail : str
        What followed the number and is no part of it: stars and daggers, or a
        spread such as '± 0.3' or '(0.3)'.
    """

    value: float
    digits: str
    percent: bool
    comma: bool
    is_grouped: bool = False
    trail: str = ""


def read_number(
    text: str, *, decimal_comma: bool = False, notation: Notation | None = None
) -> PrintedNumber:
    """Read a plain or scientific number, with or without '%'.

    Thousands may be separated where that cannot be mistaken: 1,234,567 and
    1.234,5 and 1 234. Marks and spreads that papers print after a score, as in
    91.2* and 91.2 ± 0.3, are kept apart.

    Parameters
    ----------
    text : str
        Without outer white space.
    decimal_comma : bool
        Whether 1,234 has a decimal comma, as it has where the comma does not
        separate columns.
    notation : Notation, optional
        What the other numbers of the column show.

    Raises
    ------
    UnreadableNumber
        If the text is no finite number in digits 0 to 9, or has two readings.
    """
    bare = ascii_signs(text)
    trailing = _TRAIL.search(bare)
    if trailing is not None:
        number = read_number(
            bare[: trailing.start()].rstrip(), decimal_comma=decimal_comma, notation=notation
        )
        return replace(number, trail=trailing[0].strip())
    percent = bare.endswith("%")
    unsigned = bare[:-1].rstrip() if percent else bare
    if are_mixed(unsigned, notation):
        readings = two_readings(unsigned)
        assert readings is not None
        why = "the column has the same mark between thousands and before decimals"
        raise _undecided(text, readings, why)
    grouped = grouped_digits(unsigned, notation)
    if grouped is not None and float(grouped) <= LARGEST_SCORE:
        return PrintedNumber(
            value=float(grouped), digits=grouped, percent=percent, comma=False, is_grouped=True
        )
    match = NUMBER.fullmatch(unsigned)
    if match is None:
        raise UnreadableNumber(f"{quoted(text)} is not a number.", "Give a number such as 90.7.")
    comma = "," in match["digits"]
    if comma and not decimal_comma:
        raise comma_refused(text)
    sign = "-" if match["sign"] == "-" else ""
    digits = f"{sign}{match['digits'].replace(',', '.')}{match['exponent'] or ''}"
    value = float(digits)
    if abs(value) > LARGEST_SCORE or abs(int((match["exponent"] or "e0")[1:])) > MAX_EXPONENT:
        raise UnreadableNumber(f"{quoted(text)} is out of range.", "Give a number such as 90.7.")
    return PrintedNumber(value=value, digits=digits, percent=percent, comma=comma)


def read_whole_number(text: str) -> int:
    """Read a positive whole number; '2000.0' and '2,000' are one, '2.000' is not.

    Raises
    ------
    UnreadableNumber
        If the text is none.
    """
    match = _WHOLE.fullmatch(without_thousands(text))
    if match is None or int(match["digits"]) == 0:
        raise UnreadableNumber(
            f"{quoted(text)} is not a positive whole number.",
            "Give the number of examples in digits alone, for example 2000.",
        )
    return int(match["digits"])


def ascii_signs(text: str) -> str:
    """The text with a minus as in ASCII, and a power above the line as after "^"."""
    powers = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    return ascii_dashes(powers).strip()


def ascii_dashes(text: str) -> str:
    """The text with "-" for every dash and minus, and without soft hyphens."""
    return text if text.isascii() else text.translate(_TO_ASCII)


def comma_refused(text: str) -> UnreadableNumber:
    """Why a comma is not read where it separates columns."""
    readings = two_readings(bare_number(text))
    if readings is not None:
        why = "nothing in the file shows which the comma means"
        return _undecided(text, readings, why)
    return UnreadableNumber(
        f"{quoted(text)} is not a number where the comma separates columns.",
        "Write a decimal point.",
    )


def _undecided(text: str, readings: tuple[str, str], why: str) -> UnreadableNumber:
    point, whole = readings
    return UnreadableNumber(
        f"{quoted(text)} may be {point} or {whole}: {why}.", f"Write {point} or {whole}."
    )
