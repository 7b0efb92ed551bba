"""Columns of cells read as names, scores, p-values and sizes, with every problem and its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

import numpy as np

from ...errors import Choice
from ..roles import Roles
from ..tables.headings import heading
from ..tables.number_column import is_textual
from ..tables.numbers import (
    NOT_SIGNIFICANT_ABOVE,
    PrintedNumber,
    PrintedPValue,
    UnreadableNumber,
    grouping_remark,
    notation_of,
    read_number,
    read_p_value,
    read_whole_number,
    short_decimal,
    trail_remark,
    without_thousands,
    zero_read_below,
    zero_upper_end,
)
from ..tables.raw_table import RawTable
from ..words import listed, quoted
from .per_example import MAX_DATASETS, ExampleFindings, remark_on_twins
from .score_cells import comma_remark, percent_remark, percent_words

_PLAIN = frozenset(
    {"average", "averages", "avg", "mean", "means", "median", "all", "overall", "total",
     "durchschnitt", "mittelwert", "gesamt", "moyenne", "promedio"}
)  # fmt: skip
_WHOLE = frozenset({"all", "overall", "total", "all datasets", "gesamt"})
_BEFORE = ("macro", "micro", "weighted", "arithmetic", "geometric", "overall", "total", "grand")
_AVERAGES = (
    _PLAIN
    | {f"{kind} {name}" for kind in _BEFORE for name in _PLAIN}
    | {
        *("macro", "micro", "macro f1", "micro f1", "macroaverage", "microaverage", "all datasets"),
        *(f"{name} {kind}" for kind in ("macro", "micro") for name in _PLAIN),
    }
)


def average_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Columns that are named as an average of the others, where two others would stay.

    'all' and 'total' may be systems that were trained on everything.
    """
    found = tuple(c for c in columns if heading(c) in _AVERAGES and heading(c) not in _WHOLE)
    return found if len(columns) - len(found) >= 2 else ()


def without_averages(
    raw: RawTable, column: str, roles: Roles
) -> tuple[RawTable, tuple[str, ...], tuple[Choice, ...]]:
    """The rows of datasets, without those that are named as an average of the others.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    column : str
        The column of the datasets' names.
    roles : mapping
        Of which "averages" may say that these are datasets too.

    Returns
    -------
    raw : RawTable
        The rows that are read.
    remarks : tuple of str
        Which were set apart.
    choices : tuple of Choice
        The question whether they are datasets, where there are such names.
    """
    coded = raw.coded(column)
    if not 1 < len(coded.array) <= MAX_DATASETS:
        return raw, (), ()
    is_average = np.array([heading(name) in _AVERAGES for name in coded.texts], dtype=np.bool_)
    if not is_average.any() or is_average.all():
        return raw, (), ()
    names = [name for name, odd in zip(coded.texts, is_average, strict=True) if odd]
    one = len(names) == 1
    choice = Choice(
        role="averages",
        question=f"Is {listed(names)} a dataset?" if one else f"Are {listed(names)} datasets?",
        options=(
            ("apart", "No, an average of the others" if one else "No, averages of the others"),
            ("datasets", "Yes, count it" if one else "Yes, count them"),
        ),
    )
    if roles.get("averages") == "datasets":
        return raw, (), (choice,)
    remark = (
        f"Set apart, as it seems to be an average of the others: {listed(names)}."
        if one
        else f"Set apart, as they seem to be averages of the others: {listed(names)}."
    )
    return raw.kept(~is_average[coded.codes]), (remark,), (choice,)


def check_names(found: ExampleFindings, column: str) -> None:
    """Each dataset has a name, and a name of its own."""
    divided = _dividing_column(found.raw, column)
    if divided is not None:
        parts = found.raw.coded(divided).texts
        found.refuse(
            f"A dataset has several rows, one for each of {listed(parts)} in "
            f"{quoted(divided)}; one row of each is read.",
            "Keep the rows of one of them; or, if each row is a dataset of its own, "
            "write both names into one column.",
            column=column,
        )
    first_line: dict[str, int] = {}
    for row, name in enumerate(found.raw.cells(column)):
        if not name:
            found.problem(row, column, "The dataset has no name.", "Give it one.")
        elif name not in first_line:
            first_line[name] = int(found.raw.lines[row])
        elif divided is None:
            found.problem(
                row,
                column,
                f"The dataset is already on line {first_line[name]}.",
                "Keep one row for each dataset, or choose another column for their names.",
            )
    remark_on_twins(found, "datasets", first_line)


def _dividing_column(raw: RawTable, column: str) -> str | None:
    """The column of names, such as those of comparisons, that tells most datasets' rows apart."""
    names = raw.cells(column)
    counts = Counter(names)
    n_repeated = sum(count for count in counts.values() if count > 1)
    if 2 * n_repeated < len(names):
        return None
    for other in raw.header:
        parts = raw.cells(other)
        if (
            other != column
            and is_textual(raw, other)
            and all(parts)
            and 2 <= len(set(parts)) <= len(parts) / 2
            and len(set(zip(names, parts, strict=True))) == len(names)
        ):
            return other
    return None


def read_scores(
    found: ExampleFindings, column: str | None, *, blank_allowed: bool
) -> list[PrintedNumber | None] | None:
    """One system's scores, None where one is missing or wrong; None without a column."""
    if column is None:
        return None
    numbers: list[PrintedNumber | None] = []
    blank: list[str] = []
    cells = found.raw.cells(column)
    notation = notation_of(cells)
    for row, cell in enumerate(cells):
        number = None
        if cell:
            try:
                number = read_number(cell, decimal_comma=found.raw.decimal_comma, notation=notation)
            except UnreadableNumber as error:
                found.problem(row, column, error.what, error.remedy)
        elif blank_allowed:
            blank.append(found.dataset(row))
        else:
            found.problem(
                row,
                column,
                "There is no score.",
                "Give it, or declare the alternative 'greater' if p speaks for the first system.",
            )
        numbers.append(number)
    if blank:
        found.remarks.append(f"No score of {quoted(column)} is given for {listed(blank)}.")
    _remark_on_grouping(
        found,
        column,
        {
            cell: number.value
            for cell, number in zip(cells, numbers, strict=True)
            if number is not None and number.is_grouped
        },
    )
    trailed = {
        cell: number.value
        for cell, number in zip(cells, numbers, strict=True)
        if number is not None and number.trail
    }
    if trailed:
        found.remarks.append(trail_remark(column, tuple(trailed), tuple(trailed.values())))
    return numbers


def read_p_values(found: ExampleFindings, column: str) -> list[PrintedPValue]:
    """The p-values; shorter than the column where some cannot be read."""
    p_values = []
    for row, cell in enumerate(found.raw.cells(column)):
        try:
            p_values.append(read_p_value(cell, decimal_comma=found.raw.decimal_comma))
        except UnreadableNumber as error:
            found.problem(row, column, error.what, error.remedy)
    return p_values


def read_sizes(found: ExampleFindings, column: str | None) -> list[int] | None:
    """Numbers of examples; shorter than the column where some cannot be read."""
    if column is None:
        return None
    sizes = []
    grouped: dict[str, float] = {}
    for row, cell in enumerate(found.raw.cells(column)):
        try:
            sizes.append(read_whole_number(cell))
        except UnreadableNumber as error:
            found.problem(row, column, error.what, error.remedy)
        else:
            if without_thousands(cell) != cell:
                grouped[cell] = sizes[-1]
    _remark_on_grouping(found, column, grouped)
    return sizes


def check_percent(
    found: ExampleFindings, column: str, numbers: Sequence[PrintedNumber | None]
) -> None:
    """All scores of a column have a sign of percent, or none; a 0 is the same on every scale."""
    rows = [row for row, number in enumerate(numbers) if number is not None and number.value]
    percent = [row for row in rows if (number := numbers[row]) is not None and number.percent]
    plain = [row for row in rows if row not in set(percent)]
    if percent and plain:
        cells = found.raw.cells(column)
        for row in plain if len(plain) <= len(percent) else percent:
            found.problem(row, column, *percent_words(cells[row]))


def _remark_on_grouping(found: ExampleFindings, column: str, grouped: Mapping[str, float]) -> None:
    if grouped:
        found.remarks.append(grouping_remark(column, tuple(grouped), tuple(grouped.values())))


def read_zeros(
    p_values: list[PrintedPValue],
    printed: Sequence[str],
    *,
    declared: float | None,
) -> tuple[list[PrintedPValue], tuple[str, ...]]:
    """P-values whose zeros have their range, and a note on each that is no plain number."""
    own = zero_upper_end(p_values)
    upper_end = own if declared is None else Decimal(repr(float(declared)))
    below = "0 exactly" if not upper_end else f"below {short_decimal(upper_end)}"
    read, notes = [], []
    for p_value, text in zip(p_values, printed, strict=True):
        if p_value.kind == "zero" and upper_end is not None:
            read.append(zero_read_below(p_value, upper_end))
            notes.append(f"printed as {text}, read as {below}")
        elif p_value.kind == "below":
            read.append(p_value)
            notes.append(f"printed as {text}, read as its upper end")
        elif p_value.kind == "above":
            read.append(p_value)
            # Without the hair by which what is above a level lies beyond it.
            above = short_decimal(Decimal(f"{p_value.low:.9g}"))
            notes.append(f"printed as {text}, read as above {above}: counted as 1")
        else:
            read.append(p_value)
            notes.append("")
    return read, tuple(notes)


def remark_on_notation(
    found: ExampleFindings,
    p_column: str,
    p_values: Sequence[PrintedPValue],
    scores: Sequence[PrintedNumber | None],
) -> None:
    """Remarks on stars, lower ends of p-values, signs of percent and decimal commas."""
    given = [number for number in scores if number is not None]
    cells = found.raw.cells(p_column)
    marked = [cell for cell, p in zip(cells, p_values, strict=True) if p.mark]
    if marked:
        found.remarks.append(f"Marks after p-values are left out: {listed(marked)}.")
    above = [cell for cell, p in zip(cells, p_values, strict=True) if p.kind == "above"]
    if above:
        found.remarks.append(
            "Only a lower end of p is given, so that it counts as p = 1 for either system: "
            f"{listed(tuple(dict.fromkeys(above)))}."
        )
        words = [cell for cell in above if not any(sign in cell for sign in ">≥⩾")]
        if words:
            usual = short_decimal(NOT_SIGNIFICANT_ABOVE)
            found.remarks.append(
                f"{listed(tuple(dict.fromkeys(words)))} is taken for p above {usual}, the usual level."
            )
    if any(number.percent for number in given):
        found.remarks.append(percent_remark(mixed=not all(number.percent for number in given)))
    commas = [number.comma for number in given] + [p.comma for p in p_values]
    if any(commas):
        points = any("." in number.digits and not number.comma for number in given) or any(
            "." in cell for cell in cells
        )
        grouped = any(number.is_grouped for number in given)
        found.remarks.append(comma_remark(points=points, grouped=grouped))
