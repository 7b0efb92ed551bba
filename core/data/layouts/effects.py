"""The layout of effects: for each dataset how far A is ahead, and how far that may be off."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from ...errors import quoted
from ...types import FloatArray
from ..roles import Roles, columns_in_use, declared_direction
from ..score_table import EffectTable
from ..tables.directions import lower_word
from ..tables.headings import VOCABULARY, find_column, is_named
from ..tables.limits import bounded
from ..tables.number_column import NumberColumn, is_textual, numbers_of
from .cells import read_rows_of_one, read_sizes
from .columns import Columns, FileKind, held
from .complete_rows import reading_of
from .doubtful_systems import remark_on_columns
from .per_example import ExampleFindings, check_once
from .score_cells import check_numbers

NAME = "effects and standard errors"


def recognise(table: Columns) -> Roles | None:
    """Every role of effects, those that are given as they are; None for another layout."""
    given = table.given
    taken = columns_in_use(given)
    columns: dict[str, str | None] = {}
    for role in ("effect", "standard_error", "dataset", "n_examples"):
        more = VOCABULARY["study"] if role == "dataset" else ()
        columns[role] = table.by_heading(role, taken=taken, more=more)
        taken.update(held(columns[role]))
    shown = columns["effect"] is not None and columns["standard_error"] is not None
    if not table.asks_for(NAME) and not shown:
        return None
    return {
        **{role: columns[role] for role in KIND.roles},
        "metric": given.get("metric"),
        "higher_is_better": given.get("higher_is_better", True),
    }


def read(found: ExampleFindings) -> EffectTable:
    """Read effects by their roles."""
    roles = found.roles
    effect, error = str(found.column("effect")), str(found.column("standard_error"))
    analysis = find_column(found.raw.header, "analysis", taken=columns_in_use(roles))
    if analysis is not None and not is_textual(found.raw, analysis):
        analysis = None
    if analysis is not None and len(found.raw.coded(analysis).array) > 1:
        read_rows_of_one(found, analysis, unit="analyses", why="they cannot be pooled together")
    raw = found.raw
    check_once(found)
    effects = _read_numbers(found, effect)
    errors = _read_numbers(found, error)
    is_variance = is_named(error, "variance")
    name, cells = "variance" if is_variance else "standard error", raw.cells(error)
    for row in np.flatnonzero(errors <= 0.0).tolist():
        what = f"The {name} is {cells[row]}; it must be above 0."
        remedy = f"Give the {name} with its digits, or leave the dataset out."
        found.problem(row, error, what, remedy)
    beside = (c for c in raw.header if c != error and is_named(c, "standard_error"))
    square = next((c for c in beside if is_named(c, "variance") != is_variance), None)
    if square is not None:
        _check_squares(found, *((square, error) if is_variance else (error, square)))
    sizes = read_sizes(found, found.column("n_examples"))
    found.problems = bounded(found.problems, n_problems=len(found.problems), of="cells")
    found.stop_at_problems()

    if is_variance:
        found.remarks.append(
            f"{quoted(error)} is read as variances; their square roots are the standard errors."
        )
    metric = cast("str | None", roles["metric"])
    if declared_direction(roles, metric) is False:
        effects = 0.0 - effects
        found.remarks.append(
            "Lower is declared to be better, so the signs of the effects are turned: positive is "
            "for A better."
        )
    else:
        stated = () if analysis is None else tuple(raw.coded(analysis).texts)
        words = (lower_word(name) for name in (metric or "", effect, *stated))
        word = next((word for word in words if word is not None), None)
        if word is not None:
            found.remarks.append(
                f"{quoted(word)} usually means that lower is better. Effects are taken as given: "
                "positive where A is better."
            )
    remark_on_columns(found, read=held(analysis, square), grouped=False)
    return EffectTable(
        datasets=found.groups.datasets,
        effects=effects,
        standard_errors=np.sqrt(errors) if is_variance else errors,
        n_examples=None if sizes is None else np.array(sizes, dtype=np.intp),
        # Nothing groups the datasets of a meta-analysis.
        reading=replace(reading_of(found), dataset_labels={}, other_columns={}),
    )


def _check_squares(found: ExampleFindings, error: str, variance: str) -> None:
    """Where a row has a standard error and a variance, one is the other's square, as printed."""
    low, high = _ends(numbers_of(found.raw, error))
    low_square, high_square = _ends(numbers_of(found.raw, variance))
    slack = 1.0 + 1e-9
    errors, variances = found.raw.cells(error), found.raw.cells(variance)
    found.cell_problems(
        np.flatnonzero((low**2 > high_square * slack) | (high**2 * slack < low_square)),
        variance,
        lambda row: (
            f"The variance is {variances[row]}, but the standard error in {quoted(error)} is "
            f"{errors[row]}, whose square is {(low[row] + high[row]) ** 2 / 4:.3g}.",
            "Correct one of them; if one is something else, take its column out of the file.",
        ),
    )


def _ends(numbers: NumberColumn) -> tuple[FloatArray, FloatArray]:
    """Between which numbers each row's lies, before it was rounded."""
    half = (0.5 * 10.0**-numbers.decimals)[numbers.coded.codes]
    return np.maximum(0.0, numbers.values - half), np.maximum(0.0, numbers.values + half)


def _read_numbers(found: ExampleFindings, column: str) -> FloatArray:
    """One column's numbers, nan where a cell holds none; each such cell is a problem."""
    numbers, cells = numbers_of(found.raw, column), found.raw.cells(column)
    give = "Give it, or leave the dataset out."
    check_numbers(found, column, numbers, of="number", give=give)
    found.cell_problems(
        np.flatnonzero(numbers.is_percent[numbers.coded.codes]),
        column,
        lambda row: (
            f"{quoted(cells[row])} has a sign of percent.",
            "Give effects and standard errors as plain numbers on one scale.",
        ),
    )
    return numbers.values


KIND = FileKind(
    name=NAME,
    description="One row for each dataset: its name, by how much A is ahead of B, and the "
    "standard error or the variance of that, with the number of examples where it is known.",
    needs={
        "dataset": "the datasets",
        "effect": "the effects",
        "standard_error": "the standard errors",
    },
    roles=("dataset", "effect", "standard_error", "n_examples"),
    template="""\
dataset,effect,standard_error,n_examples
SST-2,0.0057,0.0081,872
MRPC,0.0196,0.0155,408
RTE,0.0758,0.0353,277
QNLI,0.0022,0.0031,5463
""",
    recognise=recognise,
    read=read,
    shows_by_headings=True,
)
