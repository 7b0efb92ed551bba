"""The columns of a published table: which hold p-values, which scores, and which score is the better one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import cast

import numpy as np

from ...errors import Choice, DataError, Problem
from ...types import Alternative
from ..p_value_table import FurtherPValues
from ..roles import Roles, column_of, columns_in_use
from ..tables.headings import (
    ADJUSTED_P_HEADINGS,
    METRIC_NAME_HEADINGS,
    P_VALUE_HEADINGS,
    find_column,
    heading,
    lower_is_better,
    p_value_heading,
    stated_sidedness,
)
from ..tables.number_column import is_textual
from ..tables.numbers import PrintedNumber
from ..tables.raw_table import RawTable
from ..words import listed, quoted
from .cells import check_percent, read_p_values, read_scores, read_zeros
from .columns import are_probabilities, p_value_columns, score_columns
from .per_example import ExampleFindings, group_rows, remarks_on_unread
from .row_units import has_repeats, n_combinations, nameless_problems
from .score_cells import Extents, check_scales


def is_named_as_p_value(column: str) -> bool:
    """Whether a heading begins with a word for p-values that no system is called by."""
    return heading(column).startswith(("p value ", "p values ", "pvalue ", "pvalues "))


def alike_p_value_columns(p_columns: Sequence[str]) -> tuple[str, ...]:
    """Columns of which none is likelier than another to be the one that is meant."""
    best = p_value_heading(p_columns[0]) if p_columns else ""
    if best not in P_VALUE_HEADINGS:
        return tuple(p_columns)
    # Of one-sided and two-sided p-values the first is read, with a remark.
    return tuple(
        column
        for column in p_columns
        if p_value_heading(column) == best and stated_sidedness(column) is None
    )


def p_value_choice(p_columns: Sequence[str], scores: Sequence[str] = ()) -> Choice:
    """The question which of these columns is meant.

    Where a heading names two of the columns of scores, the answer says so.
    """

    def said(column: str) -> str:
        named = compared_systems(column, scores)
        if len(named) != 2:
            return column
        return f"{column}: {quoted(named[0])} with {quoted(named[1])}"

    return Choice(
        role="p_value",
        question="Which column holds the p-values?",
        options=tuple((column, said(column)) for column in p_columns),
    )


def compared_systems(p_column: str, scores: Sequence[str]) -> tuple[str, ...]:
    """The columns of scores that the heading of p-values names, in its order.

    A name within a longer one that is there too does not count: 'BERT' in 'BERT large'.
    """
    text = f" {_plain(p_column)} "
    found: list[tuple[int, str]] = []
    for column in sorted(scores, key=lambda name: -len(_plain(name))):
        name = f" {_plain(column)} "
        place = text.find(name) if name.strip() else -1
        if place >= 0:
            found.append((place, column))
            text = text[:place] + " " + "·" * (len(name) - 2) + " " + text[place + len(name) :]
    return tuple(column for _, column in sorted(found))


def adjusted_columns(raw: RawTable) -> tuple[str, ...]:
    """Columns of p-values that were adjusted for their number, by their headings."""
    return tuple(
        column
        for column in raw.header
        if heading(column) in ADJUSTED_P_HEADINGS and are_probabilities(raw, column)
    )


def _plain(name: str) -> str:
    """A name's words in small letters, one space between them."""
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))


KEPT_FOR = "further p-values, for claims about several"


def further_p_values(
    raw: RawTable, p_column: str, used: Sequence[str] = ()
) -> tuple[FurtherPValues, ...]:
    """The p-values of every other column that holds them; none of a column with one unreadable.

    A column that says how many sides it has is the same test again, and an
    adjusted one the same p-values.
    """
    if p_column not in (columns := p_value_columns(raw)) or stated_sidedness(p_column) is not None:
        return ()
    kept = []
    for column in columns:
        if (
            column == p_column
            or column in used
            or stated_sidedness(column) is not None
            or heading(column) in ADJUSTED_P_HEADINGS
        ):
            continue
        scratch = ExampleFindings(raw=raw, groups=group_rows(raw, None, ""))
        p_values = read_p_values(scratch, column)
        if scratch.problems:
            continue
        printed = raw.cells(column)
        p_values, _ = read_zeros(p_values, printed, declared=None)
        kept.append(
            FurtherPValues(
                name=column,
                p_values=np.array([p.value for p in p_values]),
                p_value_bounds=(
                    np.array([p.low for p in p_values]),
                    np.array([p.high for p in p_values]),
                ),
                printed=tuple(printed),
            )
        )
    return tuple(kept)


# At most so many metrics are offered as answers.
_MOST_OFFERED = 50


def remark_on_published_columns(
    found: ExampleFindings,
    roles: Roles,
    p_column: str,
    labels: Collection[str],
    kept: Collection[str] = (),
) -> None:
    """Remarks on how many sides the p-values have, and on columns that are not read."""
    sides = stated_sidedness(p_column)
    if sides == "two-sided" and roles["alternative"] == "two-sided":
        found.remarks.append(f"Two-sided, as the heading {quoted(p_column)} says.")
    elif sides is not None and roles["alternative"] == "not-stated":
        found.remarks.append(
            f"The heading {quoted(p_column)} says {sides}. Declare for which system: 'greater' for "
            "the first, or 'toward-higher-score'."
        )
    if labels:
        found.remarks.append(f"Kept for grouping the datasets: {listed(tuple(labels))}.")
    used = columns_in_use(roles)
    unread = [column for column in found.raw.header if column not in used.union(labels, kept)]
    said = list(remarks_on_unread(found.raw, unread))
    if not said:
        return
    more = score_columns(found.raw, used | set(p_value_columns(found.raw)))
    if more:
        a, b = column_of(roles, "system_a"), column_of(roles, "system_b")
        said[0] += (
            f" {listed(more)} may be scores as well; the systems compared are "
            f"{quoted(a or 'A')} and {quoted(b or 'B')}. Choose others if these are not meant."
        )
    found.remarks.extend(said)


def remark_on_published_scores(found: ExampleFindings, roles: Roles, source_name: str) -> None:
    """Remarks on words that say which score is the better one, followed or not."""
    word = lower_word(found.raw, roles)
    higher = roles["higher_is_better"]
    if word is not None:
        read_as = "a higher score is read as better all the same" if higher else "so it is read"
        found.remarks.append(f"{quoted(word)} is a score of which lower is better; {read_as}.")
    elif higher and (hint := _hint(roles, source_name)) is not None:
        found.remarks.append(
            f"{quoted(hint)} may be a score of which lower is better; a higher one is read as "
            "better. Change that where it is wrong."
        )


def _hint(roles: Roles, source_name: str) -> str | None:
    """A word for a score of which lower is better, in one system's name or the file's."""
    stem = source_name.rpartition(".")[0] or source_name
    for name in (column_of(roles, "system_a"), column_of(roles, "system_b"), stem):
        word = lower_is_better((name.replace("_", " "),)) if name else None
        if word is not None:
            return word
    return None


def lower_word(raw: RawTable, roles: Roles) -> str | None:
    """The word that says that a lower score is the better one; None where nothing says so."""
    scores = tuple(
        column
        for column in (column_of(roles, "system_a"), column_of(roles, "system_b"))
        if column is not None
    )
    metric = roles.get("metric")
    named = (metric,) if isinstance(metric, str) else ()
    column = metric_column(raw, roles)
    stated = () if column is None else tuple(name for name in raw.coded(column).texts if name)
    if metric in stated:
        stated = named
    return lower_is_better(named) or lower_is_better(scores) or lower_is_better(stated)


def metric_column(raw: RawTable, roles: Roles) -> str | None:
    """The column that says of which metric each row's scores are."""
    column = find_column(raw.header, METRIC_NAME_HEADINGS, taken=columns_in_use(roles))
    return column if column is not None and is_textual(raw, column) else None


def of_several_metrics(raw: RawTable, roles: Roles) -> bool:
    """Whether the rows are of several metrics, which may have scales of their own."""
    column = metric_column(raw, roles)
    return column is not None and len(raw.coded(column).array) > 1


def rows_of_one_metric(
    raw: RawTable, roles: Roles
) -> tuple[RawTable, tuple[str, ...], tuple[Choice, ...]]:
    """The rows of the metric that is declared, where a table holds several; a remark and a question.

    Several metrics may stand below one another as long as the better score is
    the higher one in all of them, or the lower one, and each dataset has one.

    Raises
    ------
    DataError
        If that is not so, and none of them is declared; if it is declared, and
        a row names none.
    """
    column, dataset = metric_column(raw, roles), column_of(roles, "dataset")
    if column is None or dataset is None:
        return raw, (), ()
    coded = raw.coded(column)
    names = tuple(name for name in coded.texts if name)
    lower = [name for name in names if lower_is_better((name,)) is not None]
    has_scores = any(column_of(roles, role) is not None for role in ("system_a", "system_b"))
    differ = has_scores and 0 < len(lower) < len(names)
    one_each = n_combinations(raw, [dataset, column]) == raw.n_rows
    repeat = one_each and has_repeats(raw, dataset)
    declared = roles.get("metric")
    if len(names) < 2 or not (differ or repeat or declared in names):
        return raw, (), ()
    choice = Choice(
        role="metric",
        question="Which metric is read?",
        options=tuple((name, name) for name in names[:_MOST_OFFERED]),
    )
    problems = []
    if declared not in names:
        why = (
            f"of {listed(lower)} lower is better, of the others higher"
            if differ
            else "a dataset has a row of each, and its p-value is to be one"
        )
        problems.append(
            Problem(
                f"The rows are of {len(names)} metrics, {listed(names)}: {why}.",
                "Choose one of them, or keep its rows alone.",
                column=column,
            )
        )
    remedy = "Name the metric in every row."
    problems += nameless_problems(raw, dataset, column, "metric", remedy)
    if problems:
        raise DataError(problems, columns=raw.header, choices=[choice])
    kept = raw.kept(coded.codes == coded.texts.index(str(declared)))
    remark = (
        f"Read, as chosen: the rows of {quoted(str(declared))}; {raw.n_rows - kept.n_rows:,} of "
        "other metrics are left aside."
    )
    return kept, (remark,), (choice,)


def both_scores(
    found: ExampleFindings, roles: Roles, alternative: Alternative
) -> list[list[PrintedNumber | None] | None]:
    """Each system's scores; None without a column."""
    columns = column_of(roles, "system_a"), column_of(roles, "system_b")
    blank_allowed = alternative in ("greater", "less")
    both = [read_scores(found, column, blank_allowed=blank_allowed) for column in columns]
    if not of_several_metrics(found.raw, roles):
        for column, numbers in zip(columns, both, strict=True):
            if column is not None and numbers is not None:
                check_percent(found, column, numbers)
    return both


def published_scales(
    found: ExampleFindings,
    roles: Roles,
    numbers_a: Sequence[PrintedNumber | None] | None,
    numbers_b: Sequence[PrintedNumber | None] | None,
) -> None:
    """Whether both systems' scores are on one scale; nothing is asked beside other problems."""
    if numbers_a is None or numbers_b is None or found.problems:
        return
    both = (numbers_a, numbers_b)
    values = np.array([[np.nan if n is None else n.value for n in numbers] for numbers in both]).T
    signed = [any(n is not None and n.percent for n in numbers) for numbers in both]
    systems = cast(str, column_of(roles, "system_a")), cast(str, column_of(roles, "system_b"))
    extents = Extents(
        datasets=found.groups.datasets,
        systems=systems,
        columns=systems,
        lowest=values,
        highest=values,
        percent=np.array(signed, dtype=np.bool_),
    )
    metric = cast("str | None", roles["metric"]) or lower_word(found.raw, roles)
    check_scales(found, extents, roles, metric=metric)
