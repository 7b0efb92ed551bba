"""Which columns of a published table hold p-values, where several may."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from core.data.layouts.example_columns import has_repeats
from core.data.tables.columns import (
    ADJUSTED_P_HEADINGS,
    DATASET_HEADINGS,
    NO_SCORE_HEADINGS,
    P_VALUE_HEADINGS,
    find_column,
    heading,
    is_numeric,
    p_value_heading,
    stated_sidedness,
)
from core.data.tables.headings import EXAMPLE_HEADINGS
from core.data.tables.number_column import numbers_of
from core.data.tables.numbers import UnreadableNumber
from core.data.tables.printed_p_values import read_p_value
from core.data.tables.raw_table import RawTable
from core.data.words import quoted
from core.errors import Choice

# What a column holds shows in so many different cells.
_MOST_LOOKED_AT = 200


def p_value_columns(raw: RawTable) -> tuple[str, ...]:
    """Columns that may hold p-values, the likeliest first.

    Besides those named so these are columns whose names begin with 'p ', in a
    table with one row for each dataset, if all their numbers lie in 0 to 1:
    where rows are examples they may be systems.
    """
    plain = [
        column
        for column in raw.header
        if p_value_heading(column) in P_VALUE_HEADINGS
        # Under "Sig." may as well stand stars or words.
        and (p_value_heading(column) != "sig" or _hold_p_values(raw, column))
    ]
    plain.sort(key=lambda column: P_VALUE_HEADINGS.index(p_value_heading(column)))
    dataset = find_column(raw.header, DATASET_HEADINGS)
    if (
        find_column(raw.header, EXAMPLE_HEADINGS) is not None
        or dataset is None
        or has_repeats(raw, dataset)
    ):
        return tuple(plain)
    named = [
        column
        for column in raw.header
        if column not in plain
        and heading(column).startswith("p ")
        and heading(column) not in NO_SCORE_HEADINGS
        and _are_probabilities(raw, column)
    ]
    return (*plain, *named)


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


def _hold_p_values(raw: RawTable, column: str) -> bool:
    """Whether most cells that are not blank can be read as p-values, and one has digits."""
    texts = [text for text in raw.coded(column).texts[:_MOST_LOOKED_AT] if text]
    read = [text for text in texts if _is_p_value(text)]
    return 2 * len(read) > len(texts) and any(re.search("[0-9]", text) for text in read)


def _is_p_value(text: str) -> bool:
    try:
        read_p_value(text, decimal_comma=True)
    except UnreadableNumber:
        return False
    return True


def _are_probabilities(raw: RawTable, column: str) -> bool:
    if not is_numeric(raw, column):
        return False
    values = numbers_of(raw, column).text_values
    return bool((np.isnan(values) | ((values >= 0) & (values <= 1))).all())


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
        if heading(column) in ADJUSTED_P_HEADINGS and _are_probabilities(raw, column)
    )


def _plain(name: str) -> str:
    """A name's words in small letters, one space between them."""
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))
