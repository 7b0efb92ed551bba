"""The layouts that a file may have, in the order in which they are tried."""

from __future__ import annotations

from ...errors import DataError
from ..roles import (
    COVARIATES,
    LAYOUT,
    SYSTEMS,
    Roles,
    foreign_role_problems,
    several_of,
    shared_column_problems,
)
from ..roles import SCORES as SCORE_COLUMNS
from ..tables.raw_table import RawTable
from ..words import listed
from . import (
    count_columns,
    effects,
    gold_numbers,
    mcnemar_counts,
    predictions,
    published_table,
    score_grid,
    scores,
)
from .columns import Columns, FileKind
from .covariates import find_covariates
from .margins import find_margin
from .open_questions import ask, refuse_declined, unrecognised

PUBLISHED_TABLE = published_table.NAME
PREDICTIONS = predictions.NAME
SCORES = scores.IN_COLUMNS
SCORES_IN_ROWS = scores.IN_ROWS
COUNTS = count_columns.NAME
MCNEMAR_COUNTS = mcnemar_counts.NAME
GOLD_NUMBERS = gold_numbers.NAME
SCORE_GRID = score_grid.NAME
EFFECTS = effects.NAME
LAYOUTS: tuple[FileKind, ...] = (
    published_table.KIND,
    effects.KIND,
    mcnemar_counts.KIND,
    count_columns.KIND,
    gold_numbers.KIND,
    score_grid.KIND,
    scores.ROWS,
    predictions.KIND,
    scores.COLUMNS,
)
# Kinds whose systems are compared with one column of gold.
OF_GOLD = tuple((kind.NAME, kind.recognise) for kind in (gold_numbers, predictions))


def recognise_layout(raw: RawTable, given: Roles) -> tuple[FileKind, Roles]:
    """The layout of a file, as given or as its columns show, and every role resolved.

    Raises
    ------
    DataError
        If no layout fits, with the reason.
    """
    wanted, described = given.get(LAYOUT), several_of(given, COVARIATES)
    if described:
        problems = shared_column_problems(given)
        if problems:
            raise DataError(problems, columns=raw.header)
    # What is declared to describe the examples is nothing else.
    shown = Columns(raw.without(described) if described else raw, given)
    margin, beside_margin = find_margin(raw, given), shown
    if margin is not None:
        beside_margin = Columns(shown.raw.without({margin}), given)
    layouts = [layout for layout in LAYOUTS if wanted in (None, layout.name)]
    chosen = wanted is not None or shown.has_given(
        SYSTEMS, SCORE_COLUMNS, "gold", "example", "cluster"
    )
    for layout in layouts:
        # Some layouts show by their headings; among the rest the kinds that are
        # not read are told apart first, unless the owner chose otherwise.
        if not layout.shows_by_headings and not chosen:
            refuse_declined(beside_margin)
            ask(beside_margin)
            chosen = True
        # Of a table of p-values or effects a column headed so is what the headings say.
        whole = layout.shows_by_headings and "margin" not in layout.roles
        columns = shown if whole else beside_margin
        if not layout.may_be_of(columns):
            continue
        try:
            roles = layout.recognise(columns)
        except DataError as error:
            raise _with_covariates_known(error, raw, given) from None
        if roles is None:
            continue
        problems = foreign_role_problems(given, layout=layout.name, known=layout.roles)
        if problems:
            raise DataError(problems, columns=raw.header)
        if margin is not None and "margin" in layout.roles:
            roles = {**roles, "margin": margin}
            roles |= {role: given[role] for role in ("margin_unit",) if role in given}
        roles = _with_covariates(layout.name, raw, roles, given)
        raw.evidence.update(shown.evidence(roles))
        return layout, roles
    if wanted == PUBLISHED_TABLE:
        raise DataError.of(
            f"No column is recognised as p-values among {listed(raw.header)}.",
            "Name the column of p-values 'p_value' or choose it.",
            columns=raw.header,
        )
    raise unrecognised(Columns(raw, given))


def _with_covariates(name: str, raw: RawTable, roles: Roles, given: Roles) -> Roles:
    """The roles with the columns that describe examples, as declared or as found."""
    known = next(layout.roles for layout in LAYOUTS if layout.name == name)
    if COVARIATES not in known:
        return roles
    declared = several_of(given, COVARIATES)
    if declared is None:
        declared = find_covariates(
            raw,
            roles,
            passed=count_columns.columns_read(raw, roles) if name == COUNTS else (),
            # Text beside labels may be what a system predicted.
            known_only=name == PREDICTIONS,
        )
    return {**roles, COVARIATES: declared}


def _with_covariates_known(error: DataError, raw: RawTable, given: Roles) -> DataError:
    """The same problems, with every column of the file and all that was recognised."""
    roles: Roles = error.roles
    name = roles.get(LAYOUT)
    if isinstance(name, str):
        roles = _with_covariates(name, raw, roles, given)
    columns = raw.header if error.columns else ()
    return DataError(error.problems, columns=columns, choices=error.choices, roles=roles)
