"""A column of margins: at what margin a claim is made on each dataset, the same on all of its rows.

A margin says its unit where the scores are shares or percentages: in its cell ("0.5 points"), in
the heading ("margin (points)"), or by the declaration `margin_unit`.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np

from ...comparison import parsed_margin
from ...errors import Choice, DataError, Problem, Stretch, lines_in_words
from ...types import IntArray
from ..result_set import ResultSet
from ..roles import IN_POINTS, IN_SHARES, UNUSED, Roles, column_of, columns_in_use
from ..tables.headings import MARGIN_HEADINGS, find_column, folded
from ..tables.limits import bounded
from ..tables.raw_table import RawTable
from ..words import quoted
from .columns import Read, Results
from .per_example import ExampleFindings, group_rows

_POINTS = ("point", "percent", "%")
# How many points 1 is; of scores that have none the number is the margin.
_POINTS_OF = {IN_POINTS: Decimal(1), IN_SHARES: Decimal(100), "": Decimal(1)}
_REMEDY = (
    "Give one number above 0 on every row of the dataset. Where scores are shares or percentages, it "
    "needs its unit, as in '0.5 points'."
)


def find_margin(raw: RawTable, given: Roles) -> str | None:
    """The column of margins: as given, else by its heading.

    "Delta" is no such heading: under it may stand differences that were observed.
    """
    if "margin" in given:
        return column_of(given, "margin")
    found = find_column(raw.header, MARGIN_HEADINGS, taken=columns_in_use(given))
    return None if found is None or raw.is_blank(found) else found


def read_with_margins(read: Read, raw: RawTable, roles: Roles, source_name: str) -> Results:
    """What a kind of file reads, with each dataset's margin where a column gives them.

    Raises
    ------
    DataError
        With every problem of the file, those of the margins among them; or with the question in
        which unit they are.
    """
    column = column_of(roles, "margin")
    if column is None:
        return read(raw, roles, source_name)
    found = ExampleFindings(
        raw=raw, groups=group_rows(raw, column_of(roles, "dataset"), source_name)
    )
    margins = _of_datasets(found, column)
    aside = Choice(
        role=UNUSED,
        question=f"{quoted(column)} must give one margin for each dataset.",
        options=(((column,), f"Leave {quoted(column)} aside"),),
    )
    try:
        results = read(raw, roles, source_name)
    except DataError as error:
        raise DataError(
            (*error.problems, *found.problems),
            columns=error.columns,
            choices=(*error.choices, *([aside] if found.problems else [])),
            roles=error.roles,
        ) from None
    if found.problems:
        raise DataError(found.problems, columns=raw.header, choices=[aside])
    assert isinstance(results, ResultSet)
    points = results.points_of()
    bare = _unit(column, roles)
    units = {name: unit or bare for name, (_, unit) in margins.items()}
    if points is None and any(units.values()):
        raise DataError.of(
            what="The margins are in points or shares, and these scores have none.",
            remedy="Give the margins as bare numbers, in the units of the scores.",
            column=column,
            mended_by=(UNUSED,),
            columns=raw.header,
            choices=[aside],
        )
    if points is not None and not all(units.values()):
        raise _which_unit(raw, column)
    values = [
        float(margins[name][0] * _POINTS_OF[units[name]] / Decimal(points or 1.0))
        for name in results.datasets
    ]
    return replace(results, margins=np.array(values))


def _of_datasets(found: ExampleFindings, column: str) -> dict[str, tuple[Decimal, str]]:
    """The number and the unit that stand on each dataset's rows; what is wrong goes to `found`."""
    coded, groups, names = found.raw.coded(column), found.groups.codes, found.groups.datasets
    known = [_above_0(text) for text in coded.texts]
    # The same number may be written in several ways; below 0 stands what is none.
    same: dict[object, int] = {}
    numbers = [-1 if one is None else same.setdefault(one, len(same)) for one in known]
    values = np.array(numbers)[coded.codes]
    rows = np.flatnonzero(values >= 0)
    datasets, places = np.unique(groups[rows], return_index=True)
    first = np.zeros(len(names), dtype=np.intp)
    first[datasets] = rows[places]
    wrong = np.flatnonzero((values < 0) | (values != values[first[groups]]))
    keys = groups[wrong] * len(known) + coded.codes[wrong]
    order = np.argsort(keys, kind="stable")
    alike = np.split(wrong[order], np.flatnonzero(np.diff(keys[order])) + 1) if wrong.size else []
    problems = (_problem(found, column, rows, int(first[groups[rows[0]]])) for rows in alike)
    found.problems += bounded(problems, n_problems=len(alike), of="datasets and margins")
    margins = {}
    for dataset in datasets.tolist():
        one = known[coded.codes[first[dataset]]]
        if one is not None:
            number, in_points = one
            margins[names[dataset]] = number, IN_POINTS if in_points else ""
    return margins


def _above_0(text: str) -> tuple[Decimal, bool] | None:
    """What `parsed_margin` finds, if it is above 0."""
    found = parsed_margin(text)
    return found if found is not None and found[0] else None


def _problem(found: ExampleFindings, column: str, rows: IntArray, first: int) -> Problem:
    """What is wrong with rows of a dataset that hold the same text.

    Parameters
    ----------
    first : int
        The first row of the dataset that holds a margin, if one does.
    """
    raw, cells = found.raw, found.raw.column(column)
    by_file: dict[str | None, list[Stretch]] = {}
    for row in rows.tolist():
        line = int(raw.lines[row])
        by_file.setdefault(raw.file_of(row, column), []).append((line, line))
    text = cells[int(rows[0])].as_py()
    single = rows.size == 1
    on = "" if single else f" on lines {lines_in_words(by_file)}"
    if not text:
        what = f"The margin is missing{on}."
    elif _above_0(text) is not None:
        line = int(raw.lines[first])
        there = lines_in_words({raw.file_of(first, column): [(line, line)]})
        what = (
            f"{quoted(text)}{on} differs from {quoted(cells[first].as_py())} on line {there}, and a "
            "dataset has one margin."
        )
    else:
        number = parsed_margin(text.lstrip("-−–"))
        what = f"{quoted(text)}{on} is {'no margin' if number is None else 'not above 0'}."
    return Problem(
        what=what,
        remedy=_REMEDY,
        dataset=found.dataset(int(rows[0])) or None,
        column=column,
        line=int(raw.lines[rows[0]]) if single else None,
        file=raw.file_of(int(rows[0]), column) if single else None,
        mended_by=(UNUSED,),
    )


def _unit(column: str, roles: Roles) -> str:
    """The unit of bare numbers; empty where nothing says it."""
    declared = roles.get("margin_unit")
    if isinstance(declared, str):
        return declared
    return IN_POINTS if any(word in folded(column) for word in _POINTS) else ""


def _which_unit(raw: RawTable, column: str) -> DataError:
    return DataError.of(
        what="The margins do not say their unit.",
        remedy="Write it into the cells, as '0.5 points', or into the heading, as 'margin "
        "(points)'; or say it here.",
        column=column,
        answered_by="margin_unit",
        columns=raw.header,
        choices=[
            Choice(
                role="margin_unit",
                question=f"In which unit are the margins in {quoted(column)}?",
                options=(
                    (IN_POINTS, "In points: 1 is 1 point"),
                    (IN_SHARES, "As shares: 0.01 is 1 point"),
                ),
            )
        ],
    )
