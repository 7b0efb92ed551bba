"""The scores of a published table: which columns hold them, and which score is the better one."""

from __future__ import annotations

from collections.abc import Collection

from core.data.layouts.cells import Findings
from core.data.layouts.p_value_columns import p_value_columns
from core.data.roles import Roles, column_of, columns_in_use
from core.data.tables.columns import (
    NO_SCORE_HEADINGS,
    P_VALUE_HEADINGS,
    heading,
    is_numeric,
    p_value_heading,
    stated_sidedness,
)
from core.data.tables.headings import lower_is_better
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted


def remark_on_published_columns(
    found: Findings, roles: Roles, p_column: str, labels: Collection[str]
) -> None:
    """Remarks on how many sides the p-values have, and on columns that are not read."""
    sides = stated_sidedness(p_column)
    if sides is not None:
        remedy = (
            "Declare the alternative 'two-sided' if that is so."
            if sides == "two-sided"
            else "Declare for which system: 'greater' for the first, or 'toward-higher-score'."
        )
        if roles["alternative"] == "not-stated":
            found.remarks.append(f"The heading {quoted(p_column)} says {sides}. {remedy}")
    if labels:
        found.remarks.append(f"Kept for grouping the datasets: {listed(tuple(labels))}.")
    used = columns_in_use(roles)
    unread = [column for column in found.raw.header if column not in used.union(labels)]
    if not unread:
        return
    remark = f"Not read: {listed(unread)}."
    more = score_columns(found.raw, used | set(p_value_columns(found.raw)))
    if more:
        a, b = column_of(roles, "system_a"), column_of(roles, "system_b")
        remark += (
            f" {listed(more)} may be scores as well; the systems compared are "
            f"{quoted(a or 'A')} and {quoted(b or 'B')}. Choose others if these are not meant."
        )
    found.remarks.append(remark)


def remark_on_published_scores(found: Findings, roles: Roles, source_name: str) -> None:
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
    stated = tuple(
        raw.cells(column)[0]
        for column in raw.header
        if heading(column) == "metric" and len(set(raw.cells(column))) == 1
    )
    return lower_is_better(named) or lower_is_better(scores) or lower_is_better(stated)


def score_columns(raw: RawTable, taken: set[str]) -> list[str]:
    """Columns of numbers that may be scores."""
    return [
        column
        for column in raw.header
        if column not in taken
        and heading(column) not in NO_SCORE_HEADINGS
        and p_value_heading(column) not in P_VALUE_HEADINGS
        and is_numeric(raw, column)
    ]
