"""A column of cells as numbers, judged by its different texts and not cell by cell."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...metrics.per_example import LARGEST_SCORE
from ...types import BoolArray, FloatArray
from .cutting import LARGE_POOL, bytes_of, consists_of, in_pieces
from .headings import (
    LANGUAGES,
    find_column,
    heading,
    is_covariate,
    is_named,
    is_no_score,
    names_p_values,
    spread_columns,
)
from .numbers import (
    APART,
    DASH_CLASS,
    NOTHING_WORDS,
    SEPARATORS_LEFT_OUT,
    Notation,
    UnreadableNumber,
    grouping_remark,
    notation_of,
    read_number,
)
from .raw_table import CodedColumn, RawTable

# Of the notations that `read_number` takes the usual ones, which a typed
# parser reads to the same float.
_USUAL = r"^-?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]{1,2})?%?$"

# Nothing else is a number to `read_number`; what is none is not tried one by one.
_PLAIN_NUMBER = (
    rf"^[+{DASH_CLASS}]?[0-9]*[.,]?[0-9]*([eE][+{DASH_CLASS}]?[0-9]{{1,5}})?([^0-9]*%)?$"
)
_MAY_TRAIL = rf"[0-9.%*†‡§¶∗⋆★]\s*([*†‡§¶∗⋆★]+|(±|\+/?[{DASH_CLASS}])\s*[0-9.,]+%?|[↑↓▲▼]\s*[0-9.,]*%?|[(\[]([^()\[\]a-zA-Z]|to)*[)\]])$"
_MAY_BE_GROUPED = rf"^[+{DASH_CLASS}]?[0-9]{{1,3}}([.,{APART}][0-9]{{3}})+([.,][0-9]+)?([^0-9]*%)?$"
_POSSIBLE = f"{_PLAIN_NUMBER}|{_MAY_TRAIL}|{_MAY_BE_GROUPED}"
_TWO_READINGS = rf"^[+{DASH_CLASS}]?[1-9][0-9]{{0,2}}\.[0-9]{{3}}([^0-9]|$)"
_LARGEST_LEVEL = 0.1
# Tables in which a column is held against the differences of others; papers print no larger ones.
_FEWEST_ROWS, _MOST_COMPARED = 3, 1_000
_MOST_BESIDE = 20
_FEW = 4
# "<.001" and "n.s." are p-values and no numbers.
_BOUND_OF_P = r"^(?i:p\s*)?[<>≤≥⩽⩾]\s*0?[.,]?[0-9]|^(?i:n\.?\s?s\.?)$"
# Beside recall and one of these "P" is precision.
_F_SCORES = frozenset({"f", "f1", "f 1", "f score", "f1 score", "f measure"})
# A typed parser reads texts of these bytes alone as `read_number` does, or not at all.
_PLAIN = b"0123456789.-"
# A number with decimals, then a mark, and more marks, digits and single letters. Brackets
# may hold an interval, which is another column's matter.
_MARKED = (
    rf"^[*_]{{0,3}}[+{DASH_CLASS}]?[0-9]*"
    r"[.,][0-9]+%?\s*[\^_*†‡§¶∗⋆★#$\\{]"
    r"([\^_*†‡§¶∗⋆★#+$\\{}±,.0-9\s]|\b[a-zA-Z]\b)*$"
    # Two metrics in one cell, or a number and whose it is: "88.9/84.8", "80.1 (Smith, 2020)".
    r"|^[0-9]*[.,][0-9]+%?\s*([/|]\s*[0-9]*[.,][0-9]+%?|[(\[].*[)\]])$"
    r"|^[0-9]*[.,]?[0-9]+%?\s*±.*$"
)
_NO_VALUE = rf"^(?i:{'|'.join(map(re.escape, sorted(NOTHING_WORDS)))}|[+{DASH_CLASS}]*inf(inity)?)$"
# A cell that would hold a number, were it not too large for a float or to compute with.
_VAST = rf"^[+{DASH_CLASS}]?[0-9]*[.,]?[0-9]*[eE]\+?[0-9]{{3,}}%?$"


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberColumn:
    """What each different text of a column says as a number."""

    # The texts, and which row holds which; of a column that hardly repeats any, every row's text.
    coded: CodedColumn
    # Shape (n_texts,): nan where the text is no number.
    text_values: FloatArray
    # Shape (n_texts,): whether the text is empty, ends with '%', has a decimal comma.
    is_blank: BoolArray
    is_percent: BoolArray
    is_comma: BoolArray
    # Shape (n_texts,): how many decimals the number is given with, 0 where it is none.
    decimals: npt.NDArray[np.int32]
    # Shape (n_texts,): whether thousands are separated, be it by commas; empty where none are.
    is_grouped: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    # What commas and points mean, where thousands are separated somewhere.
    notation: Notation | None = None
    # Shape (n_texts,): whether stars or a spread follow the number; empty where none do.
    has_trail: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    @property
    def values(self) -> FloatArray:
        """Each row's number, nan where it is none; shape (n_rows,)."""
        if self.coded.one_each:
            return self.text_values
        values = np.empty(self.coded.codes.size)
        self.write(values)
        return values

    def write(self, values: FloatArray) -> None:
        """Write each row's number into an array, some at a time: as positions they take as much room."""
        if self.coded.one_each:
            values[:] = self.text_values
            return
        for rows in in_pieces(values.size):
            values[rows] = self.text_values[self.coded.codes[rows]]

    @cached_property
    def n_numbers(self) -> int:
        """Number of rows that hold a number."""
        return self.n_rows(np.isfinite(self.text_values))

    @cached_property
    def n_others(self) -> int:
        """Number of rows that hold something else and are not blank."""
        return self.n_rows(np.isnan(self.text_values) & ~self.is_blank)

    def grouping_remark(self, column: str) -> str | None:
        """Remarks on separators of thousands, and on what follows numbers."""
        remarks = []
        for chosen, say in (
            (self.is_grouped, SEPARATORS_LEFT_OUT),
            (self.has_trail, "What follows the numbers in {} is no part of them"),
        ):
            where = np.flatnonzero(chosen)
            if where.size:
                texts = self.coded.array.take(pa.array(where)).to_pylist()
                remarks.append(
                    grouping_remark(column, texts, self.text_values[where].tolist(), say)
                )
        return " ".join(remarks) or None

    def n_rows(self, chosen: BoolArray) -> int:
        """Number of rows that hold one of some texts."""
        if self.coded.one_each:
            return int(np.count_nonzero(chosen))
        return int(self.coded.counts[chosen].sum())


def numbers_of(raw: RawTable, column: str) -> NumberColumn:
    """One column of a table as numbers, read once."""
    return raw.once(("numbers", column), lambda: read_numbers(raw.looked_at(column)))


def is_numeric(raw: RawTable, column: str) -> bool:
    """Whether nearly all cells that are not blank hold numbers, be they unreadable or out of range.

    One in five may be something else, and always one cell: it is then reported as wrong.
    """
    numbers = numbers_of(raw, column)
    marked = n_unread_numbers(numbers)
    n_others, n_numbers = numbers.n_others - marked, numbers.n_numbers + marked
    return n_numbers > 0 and n_others <= max(1, (n_numbers + n_others) // 5)


def doubtful_points(raw: RawTable, numbers: NumberColumn) -> BoolArray:
    """Which texts have a point that may as well separate thousands, by other commas and points here."""
    if raw.decimal_comma and not numbers.notation:
        pointed = (numbers.decimals > 0) & ~numbers.is_comma
        doubtful = pointed & _matches(numbers.coded.array, _TWO_READINGS)
        is_open = doubtful.any() and not (pointed & ~doubtful).any()
        if is_open and (numbers.is_comma.any() or raw.has_grouping_points):
            return doubtful
    return np.zeros(numbers.decimals.shape, dtype=np.bool_)


# Norwegian and Indonesian.
_ALSO_WORDS = frozenset({"no", "id"})


def language_columns(raw: RawTable) -> frozenset[str]:
    """Columns headed 'no' or 'id' that mean languages, as two others do, and hold no ids.

    Whole numbers may be ids, unless each row is another system's, and so may any that tell the
    rows of a dataset apart where nothing else does.
    """
    if len(LANGUAGES.intersection(map(heading, raw.header))) < 2:
        return frozenset()
    is_system_each = any(
        is_named(other, "system") and len(set(raw.cells(other))) == raw.n_rows
        for other in raw.header
    )
    return frozenset(
        column
        for column in raw.header
        if heading(column) in _ALSO_WORDS
        and (is_system_each or (numbers_of(raw, column).text_values % 1 > 0).any())
        and not _tells_rows_apart(raw, column)
    )


def _tells_rows_apart(raw: RawTable, column: str) -> bool:
    """Whether no two rows of a dataset have the same text here, where no column holds ids."""
    if find_column(raw.header, "example") is not None:
        return False
    names = find_column(raw.header, "dataset")
    if names is None:
        is_named = any(is_textual(raw, other) for other in raw.header)
        return not is_named and len(set(raw.cells(column))) == raw.n_rows
    pairs = set(zip(raw.cells(names), raw.cells(column), strict=True))
    return len(raw.coded(names).array) < raw.n_rows == len(pairs)


def may_hold_scores(raw: RawTable, column: str) -> bool:
    """Whether a column's heading does not say otherwise; under "alpha" that is for its numbers."""
    name = heading(column)
    if name == "alpha":
        # Levels of significance are small everywhere; a system of this name has scores.
        return bool((numbers_of(raw, column).text_values > _LARGEST_LEVEL).any())
    return (
        not is_no_score(column, raw.header)
        and column not in spread_columns(raw.header)
        and differing_columns(raw, column) is None
    )


def differing_columns(raw: RawTable, column: str) -> tuple[str, str] | None:
    """Two columns whose difference, or its share of the second, stands in every row of this one."""
    if not _FEWEST_ROWS <= raw.n_rows <= _MOST_COMPARED:
        return None
    # Once for all columns, of which there may be hundreds.
    return raw.once(("differences", raw.header), lambda: _differences(raw)).get(column)


def _differences(raw: RawTable) -> dict[str, tuple[str, str]]:
    """Each column of a table that holds the difference of two others, and these."""
    numbers = {c: numbers_of(raw, c) for c in raw.header if is_numeric(raw, c)}
    numbers = {column: own for column, own in numbers.items() if own.n_numbers}
    values = {column: own.values for column, own in numbers.items()}
    usual = {column: float(np.nanmedian(np.abs(own))) for column, own in values.items()}
    # The unit of the last digit that a column prints anywhere.
    last = {column: 10.0 ** -int(own.decimals.max(initial=0)) for column, own in numbers.items()}
    scores = [c for c in numbers if not is_covariate(c, raw.header) and not names_p_values(c)]
    found = {}
    for column, own in values.items():
        # A few whole numbers count something. A difference is smaller than what differs.
        if last[column] == 1.0 and usual[column] < _FEW:
            continue
        others = [c for c in scores if c != column and usual[c] > 2.0 * usual[column]]
        # The row that tells most: of nearly all pairs it is enough.
        far = np.nanargmax(np.abs(own))
        for first, second in permutations(others[:_MOST_BESIDE], 2):
            a, b = values[first], values[second]
            # Half a unit of each last digit; more than the difference itself tells nothing.
            units = (last[column], last[first] + last[second])
            if all(abs(gap) > slack for gap, slack in _gaps(own[far], a[far], b[far], units)):
                continue
            held = np.isfinite(own) & np.isfinite(a) & np.isfinite(b)
            if (
                held.sum() < _FEWEST_ROWS
                or not np.ptp(np.abs(own[held]))
                or not (a[held] % 1.0).any()
            ):
                continue
            # Three ranks, or shares of wins, ties and losses.
            if not np.ptp(np.abs(own[held]) + a[held] + b[held]) and np.ptp(a[held]):
                continue
            gaps = _gaps(own[held], a[held], b[held], units)
            if any(np.median(s) <= usual[column] and (np.abs(g) <= s).all() for g, s in gaps):
                found[column] = (first, second)
                break
    return found


def _gaps(
    own: FloatArray, a: FloatArray, b: FloatArray, units: tuple[float, float]
) -> list[tuple[FloatArray, FloatArray]]:
    """How far numbers are from |a - b|, and from its share and percentage of b, and may be."""
    printed, apart, of = np.abs(own), np.abs(a - b), np.abs(b)
    with np.errstate(all="ignore"):
        return [
            (printed - apart * scale, 0.5001 * (units[0] + units[1] * scale))
            for scale in (np.ones_like(of), 1.0 / of, 100.0 / of)
        ]


def headed_as_p_values(raw: RawTable, column: str) -> bool:
    """Whether a heading names p-values; under "P" alone may stand scores of a system or precision."""
    if not names_p_values(column):
        return False
    if heading(column) != "p":
        return True
    texts = raw.coded(column).array
    # Zeros and ones alone say of examples whether an answer was right.
    headings = set(map(heading, raw.header))
    if ("r" in headings and not headings.isdisjoint(_F_SCORES)) or (
        len(texts) == 2 and set(texts.to_pylist()) == {"0", "1"}
    ):
        return False
    numbers = numbers_of(raw, column)
    values = numbers.values
    n_outside = int(((values < 0.0) | (values > 1.0)).sum())
    if 2 * n_outside <= numbers.n_numbers + _n_unread(numbers, _BOUND_OF_P):
        return True
    # Scores of a system "P" are of the size of the others'.
    others = [
        np.nanmedian(numbers_of(raw, c).values) if numbers_of(raw, c).n_numbers else np.nan
        for c in raw.header
        if not names_p_values(c)
        and not is_covariate(c, raw.header)
        and c not in spread_columns(raw.header)
        and is_numeric(raw, c)
    ]
    return not others or bool(2 * np.nanmedian(values) < min(others))


def is_textual(raw: RawTable, column: str) -> bool:
    """Whether most cells are something else than numbers."""
    numbers = numbers_of(raw, column)
    marked = n_unread_numbers(numbers) if numbers.n_numbers < numbers.n_others else 0
    return numbers.n_numbers + marked < numbers.n_others - marked


def n_unread_numbers(numbers: NumberColumn) -> int:
    """Number of rows with a number out of range, or with decimals and an unreadable mark."""
    return _n_unread(numbers, _VAST) + _n_unread(numbers, _MARKED)


def n_without_value(numbers: NumberColumn) -> int:
    """Number of rows with a word for a value that is missing or infinite."""
    return _n_unread(numbers, _NO_VALUE)


def _n_unread(numbers: NumberColumn, pattern: str) -> int:
    """Number of rows that hold no number, and match."""
    if not numbers.n_others:
        return 0
    return numbers.n_rows(np.isnan(numbers.text_values) & _matches(numbers.coded.array, pattern))


def read_numbers(coded: CodedColumn) -> NumberColumn:
    """The texts of a column as numbers, commas as decimal marks, be they refused afterwards."""
    return _read_plain(coded) or _read_any(coded)


def _read_plain(coded: CodedColumn) -> NumberColumn | None:
    """The numbers of a column of nothing but digits, points and signs; None for another."""
    array = coded.array
    if not len(array) or not consists_of(array, _PLAIN):
        return None
    try:
        values = pc.cast(array, pa.float64(), memory_pool=LARGE_POOL).to_numpy()
    except pa.ArrowInvalid:
        return None
    # Hundreds of digits are out of range; "1.234.567" and "" have failed above, and
    # a sign alone as well.
    if not (np.abs(values) <= LARGEST_SCORE).all():
        return None
    none = np.broadcast_to(np.False_, values.shape)
    return NumberColumn(
        coded=coded,
        text_values=values,
        is_blank=none,
        is_percent=none,
        is_comma=none,
        decimals=_plain_decimals(array),
    )


def _plain_decimals(array: Any) -> npt.NDArray[np.int32]:
    """As `decimals_of`, for digits with at most one point."""
    ends, text = bytes_of(array)
    # Most columns print all numbers alike.
    n = np.int32(decimals_of(array[0].as_py()))
    if n and (np.diff(ends) > n).all() and (text[ends[1:] - n - 1] == ord(".")).all():
        return np.broadcast_to(n, len(array))
    points, lengths = pc.find_substring(array, ".").to_numpy(), pc.binary_length(array).to_numpy()
    decimals: npt.NDArray[np.int32] = np.where(points < 0, np.int32(0), lengths - points - 1)
    return decimals


def _read_any(coded: CodedColumn) -> NumberColumn:
    array = coded.array
    usual = _matches(array, _USUAL)
    values = np.full(len(array), np.nan)
    decimals = np.zeros(len(array), dtype=np.int32)
    plain = array.filter(pa.array(usual))
    plain = pc.utf8_rtrim(pc.replace_substring(plain, ",", "."), characters="%")
    values[usual] = plain.cast(pa.float64()).to_numpy()
    decimals[usual] = _decimals(plain)
    # What is out of range is no number.
    values[np.abs(values) > LARGEST_SCORE] = np.nan
    decimals[np.isnan(values)] = 0
    is_number = np.isfinite(values)
    comma = is_number & pc.match_substring(array, ",").to_numpy(zero_copy_only=False)
    percent = is_number & pc.ends_with(array, "%").to_numpy(zero_copy_only=False)
    grouped, has_trail = np.zeros((2, len(array)), dtype=np.bool_)
    # The other notations are rare, and read one by one.
    rest = ~is_number
    rest[rest] = _matches(array.filter(pa.array(rest)), _POSSIBLE)
    notation = notation_of(array.filter(pa.array(rest)).to_pylist())
    if notation.grouping:
        # One text that surely has separators of thousands shows how the others are meant.
        notation = notation_of(array.to_pylist())
        rest |= _matches(array, _MAY_BE_GROUPED)
    again = np.flatnonzero(rest)
    for index, text in zip(again.tolist(), array.take(pa.array(again)).to_pylist(), strict=True):
        try:
            number = read_number(text, decimal_comma=True, notation=notation)
        except UnreadableNumber:
            values[index], decimals[index] = np.nan, 0
            percent[index] = comma[index] = False
            continue
        values[index] = number.value
        percent[index] = number.percent
        comma[index] = number.comma
        grouped[index] = number.is_grouped
        has_trail[index] = bool(number.trail)
        decimals[index] = decimals_of(number.digits)
    return NumberColumn(
        coded=coded,
        text_values=values,
        is_blank=pc.equal(array, "").to_numpy(zero_copy_only=False),
        is_percent=percent,
        is_comma=comma,
        is_grouped=grouped,
        has_trail=has_trail,
        decimals=decimals,
        notation=notation if notation.grouping else None,
    )


def _matches(array: Any, pattern: str) -> BoolArray:
    found: BoolArray = pc.match_substring_regex(array, pattern).to_numpy(zero_copy_only=False)
    return found


def decimals_of(digits: str) -> int:
    """How many decimals a number in digits has; 1.5e-3 has four."""
    plain, _, exponent = digits.lower().partition("e")
    return max(0, len(plain.partition(".")[2]) - int(exponent or 0))


def _decimals(plain: Any) -> npt.NDArray[np.int32]:
    """As `decimals_of`, for texts in the usual notation with a decimal point."""
    decimals = np.array(_plain_decimals(plain)) if len(plain) else np.zeros(0, dtype=np.int32)
    with_power = np.flatnonzero(_matches(plain, "[eE]"))
    for index, text in zip(with_power, plain.take(pa.array(with_power)).to_pylist(), strict=True):
        decimals[index] = decimals_of(text)
    return decimals
