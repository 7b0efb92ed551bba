"""P-values as files print them, with the range that the digits allow.

Vocabulary
----------
unit
    The place value of a number's last printed digit: 0.0018 has unit 0.0001,
    2e-5 has unit 0.00001.
plain notation
    Digits and a decimal mark, without a power of ten.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Literal

from ..words import quoted
from .numbers import (
    DIGITS,
    NUMBER,
    UnreadableNumber,
    ascii_dashes,
    ascii_signs,
    comma_refused,
)

PKind = Literal["number", "below", "above", "zero"]

_POWER_OF_TEN = re.compile(
    rf"(?P<sign>[+-]?)(?:(?P<digits>{DIGITS})\s*(?:[·⋅•×xX*∗]|\\cdot|\\times)\s*)?"
    r"10\s*(?:\^|\*\*)\s*(?:\{\s*(?P<braced>[+-]?[0-9]{1,5})\s*\}|(?P<bare>[+-]?[0-9]{1,5}))"
)
# 2×10−5, copied from where the power stood above the line.
_FLAT_POWER = re.compile(r"([·⋅•×xX*∗]|\\cdot|\\times)\s*10\s*(?=-[0-9]{1,5}$)")
# 10−4 with a sign of minus: 10-4 may be something else.
_FLAT_POWER_ALONE = re.compile(r"10\s*−[0-9]{1,2}")
_RELATION = re.compile(
    r"(?:p(?:[-_ ]?val(?:ue)?)?\s*(?=[=<>≤≥⩽⩾]))?(?P<relation><=|>=|=|<|>|≤|≥|⩽|⩾|)\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MARKS = "*†‡§¶#+∗⋆★"
NOT_SIGNIFICANT = frozenset({"ns", "n.s.", "n.s", "n. s.", "not significant", "non-significant"})

_AS_PRINTED = "Give the p-value as printed, between 0 and 1."

# Above what p lies where a table says no more than "not significant": the usual level.
NOT_SIGNIFICANT_ABOVE = Decimal("0.05")
# Beyond what passes for equal where p is compared with a level, and far below any printed digit.
_JUST_ABOVE = 1.0 + 1e-10

_SAYS_ABOVE = re.compile(r"[^<>≥⩾]*[>≥⩾].*|n.*", re.IGNORECASE | re.DOTALL)
_OTHER_THAN_ZERO = re.compile(r"[<>=≤≥ ]*[0-9]*[.,]?[0-9]*[1-9][0-9]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPValue:
    """A p-value and what its printed digits allow.

    Attributes
    ----------
    value : float
        What verdicts use: the printed number; the upper end for a bound or a zero, which
        is 1 where only a lower end is printed.
    low, high : float
        The true p-value lies between them.
    kind : {"number", "below", "above", "zero"}
        "below" is printed as ``<0.001``, "above" as ``>.05`` or ``n.s.``.
    unit_exponent : int
        The last printed digit counts units of ten to this power.
    plain : bool
        Whether it is in plain notation.
    mark : str
        Stars or daggers that followed the number.
    comma : bool
        Whether the decimal mark was a comma.
    """

    value: float
    low: float
    high: float
    kind: PKind
    unit_exponent: int
    plain: bool
    mark: str = ""
    comma: bool = False


def read_p_value(text: str, *, decimal_comma: bool = False) -> PrintedPValue:
    """Read one printed p-value with the range that its digits allow.

    A number with unit u lies within u/2 of what is printed; ``<0.001`` lies in
    [0, 0.001], ``≥.05`` in [.05, 1], ``>.05`` and ``n.s.`` without the .05; a zero lies in [0, u/2] until its column says more
    (`zero_upper_end`).

    Raises
    ------
    UnreadableNumber
        If it is no p-value, with the reason and a remedy.
    """
    _refuse_words(text)
    if text.casefold() in NOT_SIGNIFICANT:
        return _above(NOT_SIGNIFICANT_ABOVE, strictly=True)
    bare = ascii_signs(text).strip("$").strip()
    unmarked = bare.rstrip(_MARKS).rstrip()
    mark = bare[len(unmarked) :].strip()
    split = _RELATION.fullmatch(unmarked)
    relation, rest = (split["relation"], split["rest"]) if split else ("", unmarked)
    if _FLAT_POWER_ALONE.search(text):
        rest = re.sub(r"^10\s*(?=-)", "10^", rest)
    rest = _FLAT_POWER.sub(r"\1 10^", rest)
    number, plain, comma = _exact(rest, text, decimal_comma=decimal_comma)
    if not 0 <= number <= 1:
        raise UnreadableNumber(f"{quoted(text)} lies outside 0 to 1.", _AS_PRINTED)
    if relation in (">", ">=", "≥", "⩾"):
        if number == 1:
            raise UnreadableNumber(f"{quoted(text)} is not possible for a p-value.", _AS_PRINTED)
        return replace(_above(number, strictly=relation == ">"), mark=mark, comma=comma)
    unit_exponent = _unit_exponent(number)
    kind: PKind
    if relation in ("<", "<=", "≤", "⩽"):
        if number == 0:
            raise UnreadableNumber(f"{quoted(text)} is not possible for a p-value.", _AS_PRINTED)
        kind, low, high = "below", 0.0, _upward(number)
        value = high
    else:
        lowest, highest = _rounding_range(number, unit_exponent)
        low, high = float(lowest), _upward(highest)
        kind, value = ("zero", high) if number == 0 else ("number", _upward(number))
    return PrintedPValue(
        value=value,
        low=low,
        high=high,
        kind=kind,
        unit_exponent=unit_exponent,
        plain=plain,
        mark=mark,
        comma=comma,
    )


def zero_upper_end(column: Sequence[PrintedPValue]) -> Decimal | None:
    """Below what a printed zero lies: half the finest unit that its column prints.

    Entries in plain notation count, zeros included; those with a power of ten
    count only where no other number than zero is in plain notation. Bounds
    such as ``<0.001`` and ``>.05`` do not count: they say how far p is known, not rounded.

    Returns
    -------
    Decimal or None
        None if the column has no printed zero.
    """
    if not any(entry.kind == "zero" for entry in column):
        return None
    printed = [entry for entry in column if entry.kind not in ("below", "above")]
    only_plain = any(entry.plain and entry.kind == "number" for entry in printed)
    finest = min(e.unit_exponent for e in printed if e.plain or not only_plain)
    return min(Decimal(1), Decimal(5).scaleb(finest - 1))


def zero_read_below(entry: PrintedPValue, upper_end: Decimal) -> PrintedPValue:
    """A printed zero with the range [0, `upper_end`] and its upper end as value."""
    high = _upward(upper_end)
    return replace(entry, value=high, low=0.0, high=high)


def is_printed_zero(text: str) -> bool:
    """Whether a text is a p-value printed as zero."""
    # Most are seen to be no zero at a glance; reading each would take longer than all else.
    if _OTHER_THAN_ZERO.fullmatch(text):
        return False
    try:
        return read_p_value(text, decimal_comma=True).kind == "zero"
    except UnreadableNumber:
        return False


def is_lower_end(text: str) -> bool:
    """Whether a text says no more of a p-value than what it lies above."""
    if not _SAYS_ABOVE.fullmatch(text):
        return False
    try:
        return read_p_value(text, decimal_comma=True).kind == "above"
    except UnreadableNumber:
        return False


def short_decimal(number: Decimal) -> str:
    """A probability as it is usually printed: .00005, 5E-9, 1."""
    if number and number.adjusted() < -7:
        return str(number.normalize())
    plain = format(number, "f")
    return plain.removeprefix("0") if plain.startswith("0.") else plain


def _refuse_words(text: str) -> None:
    if not text:
        raise UnreadableNumber("There is no p-value.", _AS_PRINTED)
    if ascii_dashes(text) == "-":
        raise UnreadableNumber(f"{quoted(text)} stands where a p-value should.", _AS_PRINTED)


def _above(number: Decimal, *, strictly: bool) -> PrintedPValue:
    """A p-value of which only a lower end is known, which itself is ruled out or not."""
    return PrintedPValue(
        value=1.0,
        low=float(number) * (_JUST_ABOVE if strictly else 1.0),
        high=1.0,
        kind="above",
        unit_exponent=_unit_exponent(number),
        plain=True,
    )


def _exact(rest: str, text: str, *, decimal_comma: bool) -> tuple[Decimal, bool, bool]:
    """The number, whether in plain notation, and whether with a decimal comma."""
    power = _POWER_OF_TEN.fullmatch(rest)
    match = power or NUMBER.fullmatch(rest)
    if match is None:
        raise UnreadableNumber(f"{quoted(text)} is not a p-value.", _AS_PRINTED)
    digits = match["digits"] or "1"
    comma = "," in digits
    if comma and not decimal_comma:
        raise comma_refused(text)
    exponent = f"e{power['braced'] or power['bare']}" if power else match["exponent"] or ""
    number = Decimal(f"{match['sign']}{digits.replace(',', '.')}{exponent}")
    return number, not exponent, comma


def _rounding_range(number: Decimal, unit_exponent: int) -> tuple[Decimal, Decimal]:
    with localcontext() as context:
        # Enough digits for an exact sum; then each end is the nearest float.
        context.prec = len(number.as_tuple().digits) + 3
        half = Decimal(5).scaleb(unit_exponent - 1)
        return max(Decimal(0), number - half), min(Decimal(1), number + half)


def _unit_exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # text such as 'NaN' never gets here
    return exponent


def _upward(number: Decimal) -> float:
    """The nearest float, but never 0 for what is above 0."""
    value = float(number)
    return math.ulp(0.0) if value == 0.0 and number > 0 else value
