"""Columns of scores: what their cells hold, and on which scale.

Percent beside fractions compared as they stand would lose whatever the systems did,
so nothing is computed before someone has said that they are on one scale.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import LEFT_OUT, Choice, Problem, answers, listed, quoted
from ...types import BoolArray, FloatArray, IntArray
from ..roles import DIVIDED, ONE_SCALE, UNUSED
from ..tables.directions import lower_word, names_share
from ..tables.number_column import (
    NumberColumn,
    doubtful_points,
    n_unread_numbers,
    n_without_value,
    numbers_of,
)
from ..tables.numbers import NOTHING_WORDS, UnreadableNumber, point_refused, read_number
from ..tables.raw_table import RawTable
from .per_example import ExampleFindings
from .row_units import FEW_IN, candidates, nothing_texts


def notation_remarks(
    columns: Mapping[str, NumberColumn], *, commas: bool = False, points: bool = False
) -> Iterator[str]:
    """Remarks on signs of percent, decimal commas and separators of thousands."""
    held = list(columns.values())
    percent = [bool(numbers.is_percent.any()) for numbers in held]
    if any(percent):
        yield "Scores with '%' keep the number as printed" + (
            "." if all(percent) else "; others have no '%' and are taken to be on the same scale."
        )
    if commas or any(bool(numbers.is_comma.any()) for numbers in held):
        points |= any(bool(((numbers.decimals > 0) & ~numbers.is_comma).any()) for numbers in held)
        yield f"Commas in numbers are read as decimal marks{', and so are points' if points else ''}."
    for name, numbers in columns.items():
        remark = numbers.grouping_remark(name)
        if remark is not None:
            yield remark


def as_printed(
    raw: RawTable, column: str, rows: IntArray | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The digits of scores, with '.' as decimal mark, and those of the spreads behind them."""
    numbers = numbers_of(raw, column)
    texts = raw.column(column) if rows is None else raw.column(column).take(pa.array(rows))
    digits, spreads = [], []
    for text in texts.to_pylist():
        try:
            number = read_number(text, decimal_comma=True, notation=numbers.notation)
        except UnreadableNumber:
            digits.append("")
            spreads.append("")
        else:
            digits.append(number.digits)
            spreads.append(number.spread)
    return tuple(digits), tuple(spreads)


def has_percent(numbers: NumberColumn, rows: IntArray) -> bool:
    """Whether a number of these rows has a sign of percent."""
    return bool(numbers.is_percent.any() and numbers.is_percent[numbers.coded.codes[rows]].any())


# Beyond this a score is no fraction of 1, not by rounding nor by some metric's habit.
_PERCENT = 10.0
# Nor is a score beyond this percent, but for rates of errors, of which there may be more than words.
WHOLE = 100.0
# So far apart on a single dataset are percent and fractions of systems of which neither is more
# than twice as good; 0.7 beside 12 may be two systems that are bad there, both in percent.
_A_HUNDREDFOLD = (50.0, 200.0)
# Of the words for scores of which lower is better, those of shares that are written either way.
# Losses, times and distances are not: 0.9 beside 12 is one scale.
_SHARES = frozenset(
    {"aer", "wer", "cer", "ter", "der", "per", "mer", "far", "frr", "wil", "error", "errors",
     "err", "errs", "mape", "hter", "eer", "fpr", "fnr", "ece", "toxicity", "hallucination",
     "hallucinations", "disagreement"}
)  # fmt: skip

_CANNOT = "percent beside fractions cannot be compared."
_REMEDY = "Bring the scores of all systems to one scale; if they are on one, say so."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Extents:
    """How far the scores of each system go."""

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    # Shape (n_datasets, n_systems): NaN where there is no score.
    lowest: FloatArray
    highest: FloatArray
    # Shape (n_systems,): whether they are written with a sign of percent.
    percent: BoolArray
    # The column of each system's scores, where each has one for itself.
    columns: tuple[str, ...] = ()


# The question whether scores that lie far apart are on one scale.
SCALE_CHOICE = Choice(
    role="scales",
    question="Some scores go far beyond the others. Are all of them scores of systems, on one scale?",
    options=((ONE_SCALE, "Yes, compare them as they are"),),
)


def check_scales(
    found: ExampleFindings,
    extents: Extents,
    *,
    metric: str | None,
    of: str = "Scores",
) -> None:
    """Refuse scores of some systems in percent beside others in fractions of 1, unless told better.

    Of losses and times (`metric`) no scale is doubted; `of` is what the scores are called.
    """
    chosen = found.roles.get("scales") == ONE_SCALE
    if none := [] if chosen else _no_scores(extents):
        found.problems.extend(none)
        found.choices.append(NEGATIVE_CHOICE)
        return
    what, large = _apart(extents, of, metric)
    if not what:
        found.remarks.extend(_units_remarks(extents, of))
        return
    columns = tuple(dict.fromkeys(c for c, own in zip(extents.columns, large, strict=False) if own))
    options: list[tuple[str, object, str]] = []
    if chosen:
        found.remarks.append(f"{what}: they are compared, as chosen, as scores on one scale.")
    else:
        found.problems.append(Problem(f"{what}: {_CANNOT}", _REMEDY, mended_by=("scales", DIVIDED)))
        options = [(DIVIDED, columns, f"No, divide {listed(columns)} by 100")] if columns else []
    choices = (*answers(SCALE_CHOICE.question, *options), SCALE_CHOICE)
    found.choices.extend(choice for choice in choices if choice not in found.choices)


# Written where there is no score.
_STANDS_FOR_NONE = (-1.0, -9.0, -99.0, -999.0, -9999.0)
NEGATIVE_CHOICE = replace(SCALE_CHOICE, question="Are these negative numbers scores?")


def _no_scores(extents: Extents) -> list[Problem]:
    """One problem for each number that may stand for a missing score, as scores elsewhere are not negative."""
    low = extents.lowest
    # Scores that are all below 0, as logarithms of probabilities are, may well reach -9.
    alone = (low == extents.highest) | (extents.highest >= 0.0)
    none = np.isin(low, _STANDS_FOR_NONE) & alone
    if not none.any() or none.all() or (low[~none] < 0.0).any():
        return []
    return [
        Problem(
            f"'{low[place, index]:.10g}' may stand for a missing score of "
            f"{quoted(extents.systems[index])}: elsewhere no score is below 0.",
            "Leave its cell blank, or say that it is a score.",
            dataset=extents.datasets[place] or None,
            mended_by=("scales",),
        )
        for place, index in np.argwhere(none).tolist()
    ]


def _apart(extents: Extents, of: str, metric: str | None) -> tuple[str, BoolArray]:
    """What says that systems are on different scales, '' where nothing does.

    And which systems are in percent, where all others are in fractions of 1.
    """
    low, high = extents.lowest, extents.highest
    # What goes below 0 anywhere is neither percent nor a fraction, and a 0 is the same on any scale.
    top, shares = np.fmax.reduce(high, axis=0), np.fmin.reduce(low, axis=0) >= 0.0
    small, small_each = (
        shares & (own > 0.0) & (own <= 1.0) & ~extents.percent for own in (top, high)
    )
    percent, percent_each = (shares & (own > _PERCENT) & (own <= WHOLE) for own in (top, high))
    # Of one that is in fractions on some datasets, these would be divided as well.
    is_mixed = (percent & small_each.any(axis=0)).any()
    in_percent = percent & bool((percent | (shares & (top <= 1.0))).all() and not is_mixed)
    signed = extents.percent & (top > 0.0)
    if small.any() and signed.any():
        what = (
            f"{of} of {_named(extents, signed)} are written with '%', those of "
            f"{_named(extents, small)} without it go only up to {top[small].max():.10g}"
        )
        return what, in_percent
    word = lower_word(metric) if metric else None
    is_rate = word is not None and not _SHARES.isdisjoint(word.casefold().split())
    if word is not None and not is_rate:
        return "", in_percent
    # Of errors there may be more than words.
    large = shares & (top > _PERCENT) if is_rate else percent
    where = ""
    if not (small.any() and large.any()):
        # On single datasets, where no system has the same scale on all. The least of the large
        # is near the greatest of the small: others lie further apart.
        least = np.where(percent_each, high, np.inf).min(axis=1)
        most = np.where(small_each, high, 0.0).max(axis=1)
        near, far = _A_HUNDREDFOLD
        both = small_each.any(axis=1) & percent_each.any(axis=1)
        odd = np.flatnonzero(both & (near * most <= least) & (least <= far * most))
        if not odd.size:
            return "", in_percent
        names = listed([extents.datasets[index] for index in odd.tolist()])
        where = f" on {names} are apart by a factor of about 100: those"
        large, small, top = percent_each[odd[0]], small_each[odd[0]], high[odd[0]]
    what = (
        f"{of}{where} of {_named(extents, large)} go up to {top[large].max():,.10g}, those of "
        f"{_named(extents, small)} only to {top[small].max():.10g}"
    )
    return what, in_percent


def _units_remarks(extents: Extents, of: str) -> Iterator[str]:
    """A remark where the scores on some datasets are all in percent, on others all in fractions."""
    bottom = np.fmin.reduce(extents.lowest, axis=1)
    top = np.fmax.reduce(extents.highest, axis=1)
    percent, fractions = top > _PERCENT, (top > 0.0) & (top <= 1.0)
    is_beyond = (bottom < 0.0).any() or (top > WHOLE).any()
    if is_beyond or not (percent.any() and fractions.any()):
        return
    names = [name for name, held in zip(extents.datasets, fractions, strict=True) if held]
    yield (
        f"{of} on {listed(names)} go only up to {top[fractions].max():.10g}, on others to "
        f"{top[percent].max():.10g}: some seem to be fractions of 1, others percent. Tests within a "
        "dataset are not touched by this, means over datasets are."
    )


def _named(extents: Extents, held: Sequence[bool] | BoolArray) -> str:
    return listed([name for name, own in zip(extents.systems, held, strict=True) if own])


def remark_on_exceptions(
    found: ExampleFindings, systems: Sequence[str], values: FloatArray, rows: IntArray
) -> None:
    """A remark on a few values that are neither 0 nor 1 in a column that holds nothing else."""
    for index, system in enumerate(systems):
        column = values[:, index]
        others = np.flatnonzero((column != 0.0) & (column != 1.0))
        if not 0 < others.size <= column.size // FEW_IN:
            continue
        count = "one value" if others.size == 1 else f"{others.size:,} values"
        places = rows[others, index]
        first = int(places.argmin())
        found.remarks.append(
            f"{quoted(system)} holds 0 and 1 but for {count}, the first "
            f"{column[others[first]]:.10g} on {found.place(int(places[first]))}: it is not read as right or wrong there."
        )


# "yes" and "no" may be answers, so they are no scores.
_RIGHT = ("true", "correct", "right", "pass", "passed", "✓", "✔", "✅")
_WRONG = ("false", "incorrect", "wrong", "fail", "failed", "✗", "✘", "❌")
TRUTH_WORDS = dict.fromkeys(_RIGHT, 1.0) | dict.fromkeys(_WRONG, 0.0)
_INFINITE = frozenset({"inf", "infinity"})
# A column with more different texts holds something else than truth words.
_MOST_SPELLINGS = 100


def scores_of(raw: RawTable, column: str) -> NumberColumn:
    """One column of scores as numbers, with 1 for words that say right and 0 for wrong."""
    numbers = numbers_of(raw, column)
    if not says_right_or_wrong(raw, column):
        return numbers
    texts = numbers.coded.texts
    values = np.array([TRUTH_WORDS.get(text.casefold(), np.nan) for text in texts])
    return replace(numbers, text_values=values)


def says_right_or_wrong(raw: RawTable, column: str) -> bool:
    """Whether a column holds nothing but words for right and wrong, and for missing values."""
    if not raw.is_repetitive(column) or len(raw.coded(column).array) > _MOST_SPELLINGS:
        return False
    held = {text.casefold() for text in raw.coded(column).texts if text} - NOTHING_WORDS
    return bool(held) and held <= TRUTH_WORDS.keys()


def numeric_columns(
    raw: RawTable, taken: Collection[str], *, of_datasets: bool = False
) -> tuple[str, ...]:
    """Columns that may hold scores: at least half of what they hold are numbers, to be read or not.

    A word for a missing value counts as nothing held.
    """
    found = []
    for column in candidates(raw, taken, of_datasets=of_datasets):
        numbers = scores_of(raw, column)
        unread = n_unread_numbers(numbers)
        n_numbers = numbers.n_numbers + unread
        if n_numbers and n_numbers >= numbers.n_others - unread - n_without_value(numbers):
            found.append(column)
    return tuple(found)


def check_signs(
    found: ExampleFindings,
    column: str,
    numbers: NumberColumn,
    groups: npt.NDArray[np.integer] | None = None,
) -> None:
    """Of the rows of one scale all have a sign of percent, or none.

    `groups` says of each row with which others it is on one scale; a 0 is the same on every one.
    What is rarer among them is the problem.
    """
    if not numbers.is_percent.any():
        return
    percent = numbers.is_percent[numbers.coded.codes]
    counts = np.isfinite(numbers.values) & (numbers.values != 0.0)
    of_row = np.zeros(percent.size, dtype=np.intp) if groups is None else groups
    n_percent, n_plain = (
        np.bincount(of_row[counts & own], minlength=int(of_row.max()) + 1)
        for own in (percent, ~percent)
    )
    odd = np.where((n_plain <= n_percent)[of_row], ~percent, percent)
    mixed = counts & odd & ((n_percent > 0) & (n_plain > 0))[of_row]
    texts = found.raw.column(column)

    def said(row: int) -> tuple[str, str]:
        text = texts[row].as_py()
        what = f"{quoted(text)}: some numbers in this column have a percent sign, others do not."
        return what, "Write every number of a column with '%', or none."

    found.cell_problems(np.flatnonzero(mixed), column, said)


def check_numbers(
    found: ExampleFindings,
    column: str,
    numbers: NumberColumn,
    *,
    missing_allowed: bool = False,
    of: str = "score",
    give: str,
    is_metric: bool = False,
) -> None:
    """Every row holds a number in the notation that the file's separator allows, as `refuse_texts` says it.

    Where the heading `is_metric`, and no system's name, its scores may have bounds.
    """
    decimal_comma = found.raw.decimal_comma
    wrong = ~np.isfinite(numbers.text_values)
    if not decimal_comma:
        wrong |= numbers.is_comma
    if wrong.any() and missing_allowed:
        wrong &= ~nothing_texts(numbers.coded)
    wrong |= doubtful_points(found.raw, numbers)
    outside = np.zeros_like(wrong)
    if names_share(column, is_metric=is_metric):
        outside = (numbers.text_values < 0.0) | (numbers.text_values > WHOLE)
        wrong |= outside
    if not wrong.any():
        return

    beyond = set(numbers.coded.array.take(pa.array(np.flatnonzero(outside))).to_pylist())

    def explain(text: str) -> tuple[str, str]:
        if text.casefold().lstrip("+-−") in _INFINITE:
            return f"{quoted(text)} is not a finite number.", give
        if text in beyond:
            return f"{quoted(text)} lies outside 0 to 100.", "Give a score in fractions or percent."
        try:
            read_number(text, decimal_comma=decimal_comma, notation=numbers.notation)
        except UnreadableNumber as error:
            return error.what, error.remedy
        refused = point_refused(text)
        return refused.what, refused.remedy

    refuse_texts(found, column, numbers, wrong, explain, of=of, give=give)


def refuse_texts(
    found: ExampleFindings,
    column: str,
    numbers: NumberColumn,
    wrong: BoolArray,
    explain: Callable[[str], tuple[str, str]],
    *,
    of: str,
    give: str,
) -> None:
    """A problem for each cell that holds none of the numbers which stand in its column.

    `wrong` says which texts are none, and `explain` why, but for words that say nothing; `of` is what
    a cell should hold, and `give` what to do where it holds nothing.
    """
    if not wrong.any():
        return
    cells, missing = found.raw.column(column), nothing_texts(numbers.coded)

    def said(row: int) -> tuple[str, str]:
        text = cells[row].as_py()
        if not text:
            return f"There is no {of}.", give
        if text.casefold() in NOTHING_WORDS:
            return f"{quoted(text)} stands where a {of} should.", give
        return explain(text)

    # Of a row that is a dataset by itself nothing is incomplete: it can be left out as any other.
    lacking = (LEFT_OUT if found.examples is None else "incomplete", UNUSED)
    for texts, mended_by in ((wrong & ~missing, ()), (wrong & missing, lacking)):
        where = np.flatnonzero(texts[numbers.coded.codes])
        found.cell_problems(where, column, said, mended_by=mended_by)


def is_binary(raw: RawTable, columns: Sequence[str]) -> bool:
    """Whether columns hold nothing but 0 and 1, and missing values."""
    for column in columns:
        numbers = scores_of(raw, column)
        odd = ~np.isin(numbers.text_values, (0.0, 1.0))
        if np.isfinite(numbers.text_values[odd]).any():
            return False
        if odd.any() and not nothing_texts(numbers.coded)[odd].all():
            return False
    return True


def remark_on_truth_words(found: ExampleFindings, columns: Sequence[str]) -> None:
    """A remark on columns of words that are read as 1 and 0."""
    truthful = [column for column in columns if says_right_or_wrong(found.raw, column)]
    if truthful:
        held = {text for column in truthful for text in found.raw.coded(column).texts}
        right = sorted({t for t in held if TRUTH_WORDS.get(t.casefold()) == 1.0})
        wrong = sorted({t for t in held if TRUTH_WORDS.get(t.casefold()) == 0.0})
        read = [f"{listed(texts)} as {value}" for texts, value in ((right, 1), (wrong, 0)) if texts]
        found.remarks.append(
            f"In {listed(truthful)} these words are read as scores: {'; '.join(read)}."
        )
