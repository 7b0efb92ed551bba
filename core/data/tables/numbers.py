"""Numbers and p-values as files print them, with the range that a p-value's digits allow.

Separators of thousands are read where they cannot be taken for anything else.

A *mark* stands between digits: a comma, a point, a space or an apostrophe; "1,234" and "1.234" have
*two readings*, 1234, or 1 and some decimals.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any, Literal

import pyarrow.compute as pc

from ...errors import quoted
from ...metrics.per_example import LARGEST_SCORE

# Every dash and minus that documents print.
_DASHES = (0x2D, *range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D)
# The same inside a class of a regular expression.
DASH_CLASS = "\\" + "".join(map(chr, _DASHES))
_TO_ASCII = {**dict.fromkeys(_DASHES, "-"), 0xAD: None}
# With these a file says that there is no value.
NOTHING_WORDS = frozenset(
    {"nan", "null", "na", "n/a", "none", "nil", "missing", "?", ".", *map(chr, _DASHES)}
)
_NUMBER_CELL = re.compile(
    rf"[+{DASH_CLASS}]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+{DASH_CLASS}]?[0-9]+)?\s*%?"
)
# What may stand between thousands and is no decimal mark: space, no-break space,
# thin spaces, apostrophes.
APART = " \xa0\u2009\u202f'’"
MARKS = {",": "commas", ".": "points"}

# Threes of digits, kept apart by one and the same mark, and perhaps decimals after another one.
_SEPARATED = re.compile(
    rf"(?P<sign>[+-]?)(?P<digits>[1-9][0-9]{{0,2}}(?P<mark>[.,{APART}])[0-9]{{3}}"
    r"(?:(?P=mark)[0-9]{3})*(?:(?!(?P=mark))(?P<decimal>[.,])[0-9]+)?)"
)
# A comma that can only be a decimal mark, and one that may separate thousands.
_SURE_COMMA = (
    r"^[^0-9.,]*([0-9]*,([0-9]{1,2}|[0-9]{4,})|0[0-9]*,[0-9]+|[0-9]{4,},[0-9]+|,[0-9]+)"
    r"([eE·*×x ][^,]*)?[^0-9.,]*$"
)
_GROUPING_POINT = r"^[^0-9.,]*[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]+|\.[0-9]{3})[^0-9.,]*$"
_OPEN_COMMA = r"^[^0-9.,]*[1-9][0-9]{0,2},[0-9]{3}[^0-9.,]*$"
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+[.,][0-9]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """What commas and points mean in a column, as far as its texts leave no doubt."""

    # The marks that separate thousands in some text, and those before decimals.
    grouping: frozenset[str]
    decimal: frozenset[str]


def notation_of(texts: Iterable[str]) -> Notation:
    """What commas and points mean in these texts; those with two readings do not count."""
    grouping: set[str] = set()
    decimal: set[str] = set()
    for text in texts:
        bare = bare_number(text)
        match = _SEPARATED.fullmatch(bare)
        if match is None:
            decimal.update(mark for mark in MARKS if mark in bare and _DECIMAL.fullmatch(bare))
        elif not _has_two_readings(match):
            grouping.add(match["mark"])
            decimal.update(match["decimal"] or ())
    return Notation(grouping=frozenset(grouping), decimal=frozenset(decimal))


def _has_two_readings(match: re.Match[str]) -> bool:
    """Whether the one comma or point of a text stands before three digits."""
    return (
        match["mark"] in MARKS
        and match["decimal"] is None
        and match["digits"].count(match["mark"]) == 1
    )


def shows_decimal_comma(columns: Iterable[Any]) -> bool:
    """Whether commas are decimal marks: some cell shows it, as 0,123 or 12,5, or none leaves it open."""
    open_ones = False
    for column in columns:
        if pc.any(pc.match_substring_regex(column, _SURE_COMMA)).as_py():
            return True
        open_ones |= bool(pc.any(pc.match_substring_regex(column, _OPEN_COMMA)).as_py())
    return not open_ones


def has_grouping_points(columns: Iterable[Any]) -> bool:
    """Whether a point separates thousands in some cell, as in 1.234,5 and 1.234.567."""
    return any(pc.any(pc.match_substring_regex(c, _GROUPING_POINT)).as_py() for c in columns)


def bare_number(text: str) -> str:
    """A text without its '%' and with the minus sign of ASCII."""
    return ascii_dashes(text).removesuffix("%").strip()


def readings_of(bare: str) -> tuple[str, ...]:
    """What digits with separators of thousands say: a number, or one with decimals and a whole one."""
    match = _SEPARATED.fullmatch(bare)
    if match is None:
        return ()
    sign, mark, digits = match["sign"].strip("+"), match["mark"], match["digits"]
    whole = sign + digits.replace(mark, "").replace(",", ".")
    return (sign + digits.replace(mark, "."), whole) if _has_two_readings(match) else (whole,)


def without_thousands(text: str) -> str:
    """A whole number's digits alone; any other text as it is."""
    match = _SEPARATED.fullmatch(text)
    # '2.000' may be a rounded 2; a size has no decimals after a comma.
    if match is None or match["decimal"] or (match["mark"] == "." and _has_two_readings(match)):
        return text
    return match["sign"] + match["digits"].replace(match["mark"], "")


SEPARATORS_LEFT_OUT = "Separators of thousands in {} are left out"


def grouping_remark(
    column: str, texts: Sequence[str], numbers: Sequence[float], said: str = SEPARATORS_LEFT_OUT
) -> str:
    """A remark on numbers of a column, such as those whose thousands are separated."""
    shown = ", ".join(
        f"{quoted(text)} as {number:.15g}"
        for text, number in zip(texts[:3], numbers[:3], strict=True)
    )
    more = f" and {len(texts) - 3:,} more" if len(texts) > 3 else ""
    return f"{said.format(quoted(column))}: {shown}{more}."


# No score is further from 1; exact differences stay short.
MAX_EXPONENT = 400

# Python's own float() and int() also take '1_000', 'nan', 'inf' and digits of
# other scripts; a file that holds those means something else.
DIGITS = r"(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
NUMBER = re.compile(rf"(?P<sign>[+-]?)(?P<digits>{DIGITS})(?P<exponent>[eE][+-]?[0-9]{{1,5}})?")
_WHOLE = re.compile(r"\+?(?P<digits>[0-9]{1,15})(?:\.0)?")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
# After a number: marks of significance, its spread in words of any paper, a gain, "(+1.1)", or an interval.
_SPREAD = re.compile(r"(?:(?:±|\+/-|\+-)\s*|\((?=[0-9.,]*[0-9]%?\)))([0-9.,]*[0-9])")
# Stars begin at a number alone: to try each of many takes time with their square.
_TRAIL = re.compile(
    r"(?:(?<=[0-9.%])\s*[*†‡§¶∗⋆★]+|(?<=[0-9.%*†‡§¶∗⋆★])\s*(?:(?:±|\+/-|\+-)\s*[0-9.,]*[0-9]%?"
    r"|[↑↓▲▼](?:\s*[0-9.,]*[0-9]%?)?|\((?:[-+±↑↓]\s*)?[0-9.,]*[0-9]%?\)"
    r"|[(\[]\s*[-+]?[0-9.,]*[0-9]%?\s*(?:[,;-]|to)\s*[-+]?[0-9.,]*[0-9]%?\s*[)\]]))$"
)


# Of two metrics or two test sets: "88.9/84.8".
_TWO_NUMBERS = re.compile(r"[0-9]*[.,][0-9]+%?\s*[/|]\s*[0-9]*[.,][0-9]+%?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\b")


class UnreadableNumber(ValueError):
    """A cell that does not say the number it should, with what a `Problem` says of it."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(f"{what} {remedy}")


class OutsideZeroToOne(UnreadableNumber):
    """A number that no p-value can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedNumber:
    """A number with the digits that were given."""

    # Finite; with '%' the number before it, not a hundredth of it.
    value: float
    # As printed, with '.' as decimal mark and without '+' and '%'.
    digits: str
    # Whether '%' followed, and whether the decimal mark was a comma, with nothing that separates
    # thousands beside it.
    percent: bool
    comma: bool
    # Whether thousands were separated, as in 1,234.5.
    is_grouped: bool = False
    # What followed the number and is no part of it: stars and daggers, a spread such as '± 0.3' or
    # '(0.3)', or both; a gain such as '(+1.1)'; or an interval.
    trail: str = ""

    @property
    def spread(self) -> str:
        """The digits of a spread such as '± 0.3' or '(0.3)', with '.' as decimal mark; '' without."""
        found = _SPREAD.search(self.trail)
        return "" if found is None else found[1].replace(",", ".")


def read_number(
    text: str, *, decimal_comma: bool = False, notation: Notation | None = None
) -> PrintedNumber:
    """Read a plain or scientific number, with or without '%', stars or a spread behind it.

    Raises `UnreadableNumber` if the text is no finite number in digits 0 to 9, or has two readings.
    It has no outer white space; with `decimal_comma` 1,234 has one reading, as where commas separate
    no columns; `notation` is what the other numbers of the column show.
    """
    bare = ascii_signs(text)
    trail = ""
    # A spread, and marks before and behind it.
    for _ in range(3):
        if (trailing := _TRAIL.search(bare)) is not None:
            trail = f"{trailing[0].strip()} {trail}".rstrip()
            text = bare = bare[: trailing.start()].rstrip()
    percent = bare.endswith("%")
    unsigned = bare[:-1].rstrip() if percent else bare
    readings = readings_of(unsigned)
    grouping, decimal = (notation.grouping, notation.decimal) if notation else (set(), set())
    # Other numbers of the column speak for either.
    if len(readings) == 2 and not (grouping & decimal).isdisjoint(unsigned):
        why = "the column has the same mark between thousands and before decimals"
        raise _undecided(text, why)
    # Or for one of them.
    is_sure = len(readings) == 1 or not (grouping - decimal).isdisjoint(unsigned)
    if readings and is_sure and float(readings[-1]) <= LARGEST_SCORE:
        return PrintedNumber(
            value=float(readings[-1]),
            digits=readings[-1],
            percent=percent,
            comma=False,
            is_grouped=True,
            trail=trail,
        )
    match = NUMBER.fullmatch(unsigned)
    if match is None and _DATE.match(text):
        raise UnreadableNumber(
            f"{quoted(text)} is a date and not a number.",
            "Give a number such as 90.7; where a spreadsheet made a date of it, format the cell as "
            "text or as a number first.",
        )
    if match is None and _TWO_NUMBERS.fullmatch(text):
        raise UnreadableNumber(
            f"{quoted(text)} is two numbers.",
            "Give each a dataset of its own, such as 'MRPC (F1)' and 'MRPC (accuracy)', or keep one.",
        )
    if match is None:
        raise UnreadableNumber(f"{quoted(text)} is not a number.", "Give a number such as 90.7.")
    comma = "," in match["digits"]
    if comma and not decimal_comma:
        raise comma_refused(text)
    sign = "-" if match["sign"] == "-" else ""
    digits = f"{sign}{match['digits'].replace(',', '.')}{match['exponent'] or ''}"
    value = float(digits)
    if abs(value) > LARGEST_SCORE or abs(int((match["exponent"] or "e0")[1:])) > MAX_EXPONENT:
        raise UnreadableNumber(
            f"{quoted(text)} is out of range.",
            "Give a number such as 90.7, or the whole column in a larger unit.",
        )
    return PrintedNumber(value=value, digits=digits, percent=percent, comma=comma, trail=trail)


def read_whole_number(text: str) -> int:
    """Read a positive whole number, else raise `UnreadableNumber`; '2,000' is one, '2.000' is not."""
    match = _WHOLE.fullmatch(without_thousands(text))
    if match is None or int(match["digits"]) == 0:
        raise UnreadableNumber(
            f"{quoted(text)} is not a positive whole number.",
            "Give the number of examples in digits alone, for example 2000.",
        )
    return int(match["digits"])


def is_number_cell(cell: str) -> bool:
    """Whether a cell holds a number at first glance, before its column is read."""
    return _NUMBER_CELL.fullmatch(cell) is not None


def ascii_signs(text: str) -> str:
    """The text with a minus as in ASCII, and a power above the line as after "^"."""
    powers = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text)
    return ascii_dashes(powers).strip()


def ascii_dashes(text: str) -> str:
    """The text with "-" for every dash and minus, and without soft hyphens."""
    return text if text.isascii() else text.translate(_TO_ASCII)


def point_refused(text: str) -> UnreadableNumber:
    """Why a point before three digits is not read where others stand between thousands."""
    small, whole = (f"{float(reading):.15g}" for reading in readings_of(bare_number(text)))
    return UnreadableNumber(
        f"{quoted(text)} may be {small} or {whole}: commas are decimal marks here, and points may "
        "separate thousands.",
        f"Write {small.replace('.', ',')} or {whole}.",
    )


def comma_refused(text: str) -> UnreadableNumber:
    """Why a comma is not read where it separates columns."""
    if len(readings_of(bare_number(text))) == 2:
        return _undecided(text, "nothing in the file shows which the comma means")
    return UnreadableNumber(
        f"{quoted(text)} is not a number where the comma separates columns.",
        "Write a decimal point.",
    )


def _undecided(text: str, why: str) -> UnreadableNumber:
    point, whole = readings_of(bare_number(text))
    return UnreadableNumber(
        f"{quoted(text)} may be {point} or {whole}: {why}.", f"Write {point} or {whole}."
    )


PKind = Literal["number", "below", "above", "zero", "none"]

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
# .01 ≤ p < .05
_BETWEEN = re.compile(rf"(?P<low>{DIGITS})\s*(?P<sign><=|<|≤|⩽)\s*(?=p\s*[<≤⩽])", re.IGNORECASE)
_MARKS = "*†‡§¶#+∗⋆★"
NOT_SIGNIFICANT = frozenset({"ns", "n.s.", "n.s", "n. s.", "not significant", "non-significant"})

_AS_PRINTED = "Give the p-value as printed, between 0 and 1."

# Above what p lies where a table says no more than "not significant": the usual level.
NOT_SIGNIFICANT_ABOVE = Decimal("0.05")
# Beyond what passes for equal where p is compared with a level, and far below any printed digit.
_JUST_ABOVE = 1.0 + 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPValue:
    """A p-value and what its printed digits allow."""

    # What verdicts use: the printed number; the upper end for a bound or a zero, which is 1 where
    # only a lower end is printed.
    value: float
    # The true p-value lies between them.
    low: float
    high: float
    # "below" is printed as ``<0.001``, "above" as
    # ``>.05`` or ``n.s.``; "none" where nothing is, or a number outside 0 to 1.
    kind: PKind
    # The last printed digit counts units of ten to this power: of 0.0018 and 18e-4 it is -4.
    unit_exponent: int
    # Whether it has no power of ten.
    plain: bool
    # Stars or daggers that followed the number.
    mark: str = ""
    # Whether the decimal mark was a comma.
    comma: bool = False


def read_p_value(text: str, *, decimal_comma: bool = False) -> PrintedPValue:
    """Read one printed p-value with the range that its digits allow.

    A number with unit u lies within u/2 of what is printed; ``<0.001`` lies in [0, 0.001],
    ``.01≤p<.05`` in [.01, .05], ``≥.05`` in [.05, 1], ``>.05`` and ``n.s.`` without the .05; a zero
    lies in [0, u/2] until its column says more (`zero_upper_end`). Raises `UnreadableNumber` if it
    is no p-value, with the reason and a remedy.
    """
    if not text:
        raise UnreadableNumber("There is no p-value.", _AS_PRINTED)
    if ascii_dashes(text) == "-":
        raise UnreadableNumber(f"{quoted(text)} stands where a p-value should.", _AS_PRINTED)
    if text.casefold() in NOT_SIGNIFICANT:
        return read_p_value(f">{NOT_SIGNIFICANT_ABOVE}")
    bare = ascii_signs(text).strip("$").strip()
    unmarked = bare.rstrip(_MARKS).rstrip()
    mark = bare[len(unmarked) :].strip()
    between = _BETWEEN.match(unmarked)
    unmarked = unmarked[between.end() :] if between else unmarked
    split = _RELATION.fullmatch(unmarked)
    relation, rest = (split["relation"], split["rest"]) if split else ("", unmarked)
    if _FLAT_POWER_ALONE.search(text):
        rest = re.sub(r"^10\s*(?=-)", "10^", rest)
    rest = _FLAT_POWER.sub(r"\1 10^", rest)
    number, plain, comma = _exact(rest, text, decimal_comma=decimal_comma)
    if not 0 <= number <= 1:
        raise OutsideZeroToOne(f"{quoted(text)} lies outside 0 to 1.", _AS_PRINTED)
    is_above, is_below = relation in (">", ">=", "≥", "⩾"), relation in ("<", "<=", "≤", "⩽")
    if (is_above and number == 1) or (is_below and number == 0):
        raise UnreadableNumber(f"{quoted(text)} is not possible for a p-value.", _AS_PRINTED)
    unit_exponent = int(number.as_tuple().exponent)
    kind: PKind = "number"
    lowest, highest = _rounding_range(number, unit_exponent)
    low, value, high = float(lowest), _upward(number), _upward(highest)
    if is_above:
        kind, value, high = "above", 1.0, 1.0
        low = float(number) * (_JUST_ABOVE if relation == ">" else 1.0)
    elif is_below:
        kind, low, high = "below", 0.0, value
        if between is not None:
            least = _exact(between["low"], text, decimal_comma=decimal_comma)[0]
            if least >= number:
                raise UnreadableNumber(f"{quoted(text)} is not a p-value.", _AS_PRINTED)
            low = float(least) * (_JUST_ABOVE if between["sign"] == "<" else 1.0)
    elif number == 0:
        kind, value = "zero", high
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
    """Below what a printed zero lies: half the finest unit that its column prints; None without a zero.

    Entries with a power of ten count only where zeros alone have none. Bounds such as ``<0.001`` and
    ``>.05`` do not count: they say how far p is known, not rounded.
    """
    if not any(entry.kind == "zero" for entry in column):
        return None
    printed = [entry for entry in column if entry.kind in ("number", "zero")]
    only_plain = any(entry.plain and entry.kind == "number" for entry in printed)
    finest = min(e.unit_exponent for e in printed if e.plain or not only_plain)
    return min(Decimal(1), Decimal(5).scaleb(finest - 1))


def zero_read_below(entry: PrintedPValue, upper_end: Decimal) -> PrintedPValue:
    """A printed zero with the range [0, `upper_end`] and its upper end as value."""
    high = _upward(upper_end)
    return replace(entry, value=high, low=0.0, high=high)


NO_P_VALUE = PrintedPValue(value=1.0, low=0.0, high=1.0, kind="none", unit_exponent=0, plain=True)


@lru_cache(maxsize=1 << 14)
def printed_kind(text: str) -> PKind | Literal[""]:
    """As `PrintedPValue.kind`, "none" also of a number outside 0 to 1; '' where it cannot be read."""
    if text == "" or text.casefold() in NOTHING_WORDS:
        return "none"
    try:
        return read_p_value(text, decimal_comma=True).kind
    except OutsideZeroToOne:
        return "none"
    except UnreadableNumber:
        return ""


def short_decimal(number: Decimal) -> str:
    """A probability as it is usually printed: .00005, 5E-9, 1."""
    if number and number.adjusted() < -7:
        return str(number.normalize())
    plain = format(number, "f")
    return plain.removeprefix("0") if plain.startswith("0.") else plain


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


def _upward(number: Decimal) -> float:
    """The nearest float, but never 0 for what is above 0."""
    value = float(number)
    return math.ulp(0.0) if value == 0.0 and number > 0 else value
