"""The layouts that a file may have, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.data.effect_table import EffectTable
from core.data.layouts import (
    count_columns,
    effects,
    gold_numbers,
    long_scores,
    mcnemar_counts,
    predictions,
    published_table,
    score_columns,
    score_grid,
)
from core.data.layouts.covariates import find_covariates
from core.data.layouts.open_questions import ask, refuse_declined, unrecognised_problem
from core.data.p_value_table import PValueTable
from core.data.result_set import ResultSet
from core.data.roles import (
    COVARIATES,
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    foreign_role_problems,
    several_of,
    shared_column_problems,
)
from core.data.roles import SCORES as SCORE_COLUMNS
from core.data.score_table import ScoreTable
from core.data.tables.raw_table import RawTable
from core.data.words import listed
from core.errors import DataError, Problem

PUBLISHED_TABLE = published_table.NAME
PREDICTIONS = predictions.NAME
SCORES = score_columns.NAME
SCORES_IN_ROWS = long_scores.NAME
COUNTS = count_columns.NAME
MCNEMAR_COUNTS = mcnemar_counts.NAME
GOLD_NUMBERS = gold_numbers.NAME
SCORE_GRID = score_grid.NAME
EFFECTS = effects.NAME
_COVARIATES_TOO = (
    "Further columns may describe the example, such as its 'length' or 'genre': covariates."
)
# These show by their headings, whatever else a file holds.
_SHOWN_BY_HEADINGS = frozenset({PUBLISHED_TABLE, EFFECTS, MCNEMAR_COUNTS, COUNTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One kind of file.

    Attributes
    ----------
    name : str
        As a person calls it.
    description : str
        Which columns it has, in one sentence.
    roles : tuple of str
        The roles that its columns have; "systems" is held by several.
    recognise : callable (raw, given) -> roles or None
        Every role resolved, those in `given` kept as they are; None if the
        file has another layout.
    read : callable (raw, roles, source_name) -> table or result set
        Raises `DataError` with every problem.
    """

    name: str
    description: str
    roles: tuple[str, ...]
    recognise: Callable[[RawTable, Roles], Roles | None]
    read: Callable[[RawTable, Roles, str], PValueTable | ResultSet | ScoreTable | EffectTable]


LAYOUTS: tuple[Layout, ...] = (
    Layout(
        name=PUBLISHED_TABLE,
        description="One row for each dataset: its name, the scores of both systems and the "
        "p-value, with the number of examples where it is known.",
        roles=published_table.ROLES,
        recognise=published_table.recognise,
        read=published_table.read,
    ),
    Layout(
        name=EFFECTS,
        description="One row for each dataset: its name, by how much A is ahead of B, and the "
        "standard error or the variance of that, with the number of examples where it is known.",
        roles=effects.ROLES,
        recognise=effects.recognise,
        read=effects.read,
    ),
    Layout(
        name=MCNEMAR_COUNTS,
        description="One row for each dataset: on how many examples both systems were right, only "
        "A, only B, and none, in columns such as 'both_right', 'a_right_b_wrong', "
        "'a_wrong_b_right', 'both_wrong'.",
        roles=mcnemar_counts.ROLES,
        recognise=mcnemar_counts.recognise,
        read=mcnemar_counts.read,
    ),
    Layout(
        name=COUNTS,
        description="One row for each example, with each system's counts in columns such as "
        "'correct_A' and 'total' or 'tp_A', 'fp_A' and 'fn_A'; or one row for each example and "
        "system, with its name and columns such as 'correct' and 'total'. " + _COVARIATES_TOO,
        roles=count_columns.ROLES,
        recognise=count_columns.recognise,
        read=count_columns.read,
    ),
    Layout(
        name=GOLD_NUMBERS,
        description="One row for each example: its dataset, its id where there is one, the gold "
        "number and the number that each system gave, to be compared by their correlations. "
        + _COVARIATES_TOO,
        roles=gold_numbers.ROLES,
        recognise=gold_numbers.recognise,
        read=gold_numbers.read,
    ),
    Layout(
        name=SCORE_GRID,
        description="One row for each dataset with one score of each system, or one row for each "
        "dataset and system: enough for tests over datasets, not within one.",
        roles=score_grid.ROLES,
        recognise=score_grid.recognise,
        read=score_grid.read,
    ),
    Layout(
        name=SCORES_IN_ROWS,
        description="One row for each example and system: its dataset, the example's id where "
        "there is one, the system's name, and one column for each metric or one that names it. "
        + _COVARIATES_TOO,
        roles=long_scores.ROLES,
        recognise=long_scores.recognise,
        read=long_scores.read,
    ),
    Layout(
        name=PREDICTIONS,
        description="One row for each example: its dataset, its id where there is one, the gold "
        "label and the label that each system gave. " + _COVARIATES_TOO,
        roles=predictions.ROLES,
        recognise=predictions.recognise,
        read=predictions.read,
    ),
    Layout(
        name=SCORES,
        description="One row for each example: its dataset, its id where there is one, and the "
        "score of each system, 0 or 1 or any number. " + _COVARIATES_TOO,
        roles=score_columns.ROLES,
        recognise=score_columns.recognise,
        read=score_columns.read,
    ),
)


def recognise_layout(raw: RawTable, given: Roles) -> tuple[Layout, Roles]:
    """The layout of a file, as given or as its columns show, and every role resolved.

    Raises
    ------
    DataError
        If no layout fits, with the reason.
    """
    wanted = given.get(LAYOUT)
    if several_of(given, COVARIATES):
        problems = shared_column_problems(given)
        if problems:
            raise DataError(problems, columns=raw.header)
    # What is declared to describe the examples is nothing else.
    shown = raw.without(several_of(given, COVARIATES) or ())
    layouts = [layout for layout in LAYOUTS if wanted in (None, layout.name)]
    chosen = wanted is not None or _says_which(given)
    for layout in layouts:
        # Some layouts show by their headings; among the rest the kinds that are
        # not read are told apart first, unless the owner chose otherwise.
        if layout.name not in _SHOWN_BY_HEADINGS and not chosen:
            refuse_declined(shown, given)
            ask(shown, given)
            chosen = True
        try:
            roles = layout.recognise(shown, given)
        except DataError as error:
            raise _with_covariates_known(error, raw, given) from None
        if roles is None:
            continue
        problems = foreign_role_problems(given, layout=layout.name, known=layout.roles)
        if problems:
            raise DataError(problems, columns=raw.header)
        return layout, _with_covariates(layout.name, raw, roles, given)
    if wanted == PUBLISHED_TABLE:
        problem = Problem(
            what=f"No column is recognised as p-values among {listed(raw.header)}.",
            remedy="Name the column of p-values 'p_value' or choose it.",
        )
        raise DataError([problem], columns=raw.header)
    raise DataError([unrecognised_problem(raw, given)], columns=raw.header)


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


def _says_which(given: Roles) -> bool:
    """Whether roles were given that only per-example results have, or an open question settled."""
    return (
        given.get(SYSTEMS) is not None
        or bool(several_of(given, SCORE_COLUMNS))
        or column_of(given, "gold") is not None
        or column_of(given, "example") is not None
        or column_of(given, "cluster") is not None
    )
