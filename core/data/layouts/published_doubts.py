"""What a published table leaves open: which systems are compared, and whether p-values may be counted."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.layouts.example_columns import base_columns, has_repeats
from core.data.layouts.incomplete import incomplete_choice, without_incomplete
from core.data.layouts.nothing import incomplete_rows
from core.data.layouts.p_value_columns import adjusted_columns, compared_systems, p_value_columns
from core.data.layouts.system_doubts import doubt_problems
from core.data.roles import SCORES, SYSTEMS, Roles, column_of, several_of
from core.data.tables.columns import ADJUSTED_P_HEADINGS, heading
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem


def systems_compared(
    raw: RawTable, given: Roles, p_column: str, scores: Sequence[str]
) -> tuple[str, ...]:
    """The columns of scores in the order in which they take the systems' roles.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    given : mapping
        Roles that are known.
    p_column : str
        The column of p-values, whose heading may name the two systems.
    scores : sequence of str
        Columns of scores without a role.

    Raises
    ------
    DataError
        If more columns hold scores than are compared, and there are several comparisons or
        columns that may be no scores, and nothing says which are meant.
    """
    n_open = sum(role not in given for role in ("system_a", "system_b"))
    held = [c for role in ("system_a", "system_b") if (c := column_of(given, role)) is not None]
    named = [c for c in compared_systems(p_column, [*held, *scores]) if c not in held]
    if len(named) == n_open:
        return tuple(named)
    if n_open == 0 or len(scores) <= n_open:
        return tuple(scores)
    says_more = bool(named) or len(p_value_columns(raw)) > 1
    if not says_more and not doubt_problems(raw, scores, given):
        # The first ones, with a remark that names the others.
        return tuple(scores)
    others = f" with {quoted(held[0])}" if held else ""
    raise DataError(
        [
            Problem(
                what=f"{listed(scores)} may all be scores, and the heading {quoted(p_column)} does "
                f"not say which {'system is compared' if held else 'two systems are compared'}"
                f"{others}.",
                remedy="Choose the columns of the two systems.",
            )
        ],
        columns=raw.header,
        choices=[
            Choice(
                role=role,
                question=f"Which column holds the scores of system {name}?",
                options=tuple((column, column) for column in scores),
            )
            for role, name in (("system_a", "A"), ("system_b", "B"))
            if role not in given
        ],
        roles={"layout": "published table", "p_value": p_column},
    )


def refuse_adjusted(raw: RawTable, given: Roles) -> None:
    """Refuse a table whose only p-values were adjusted for their number already.

    Raises
    ------
    DataError
        With the reason.
    """
    adjusted = adjusted_columns(raw)
    dataset, example, gold = base_columns(raw, given)
    if not adjusted or example is not None or gold is not None:
        return
    if several_of(given, SYSTEMS) or several_of(given, SCORES):
        return
    if dataset is None or has_repeats(raw, dataset):
        return
    raise DataError(
        [
            Problem(
                what=f"{listed(adjusted)} {'holds' if len(adjusted) == 1 else 'hold'} p-values "
                "that were adjusted for their number, by the heading: counted again, they would "
                "be adjusted twice.",
                remedy="Give the p-values as they were before; if these were not adjusted, choose "
                "the column by hand.",
                column=adjusted[0],
            )
        ],
        columns=raw.header,
        roles={"layout": "published table", "dataset": dataset},
    )


def remarks_on_adjusted(p_column: str) -> tuple[str, ...]:
    """A remark where adjusted p-values are read because they were chosen."""
    if heading(p_column) not in ADJUSTED_P_HEADINGS:
        return ()
    return (
        f"{quoted(p_column)} is read, as chosen, as if its p-values were not adjusted for their "
        "number.",
    )


def with_p_values(
    raw: RawTable, roles: Roles, p_column: str
) -> tuple[RawTable, tuple[str, ...], tuple[Choice, ...]]:
    """The datasets that have a p-value where others were chosen to be left out.

    Returns
    -------
    raw : RawTable
        The rows that are read.
    remarks : tuple of str
        What was left out.
    choices : tuple of Choice
        The question whether datasets without a p-value are left out, if there are any.
    """
    n_missing = int(incomplete_rows(raw, (p_column,)).sum())
    if not 0 < n_missing < raw.n_rows:
        return raw, (), ()
    kept, remarks = without_incomplete(raw, roles, (p_column,), unit="dataset")
    return kept, remarks, (incomplete_choice(n_missing, unit="dataset"),)
