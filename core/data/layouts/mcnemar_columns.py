"""Which columns hold McNemar's counts: by their headings, and by what they add up to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.data.layouts.count_cells import are_counts, read_counts
from core.data.layouts.example_columns import has_repeats
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.reading_frame import start
from core.data.tables.columns import SIZE_HEADINGS, find_column, folded, heading, is_numeric
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable

CELLS = ("both_right", "a_right_b_wrong", "a_wrong_b_right", "both_wrong")
_PLAIN = {
    "both_right": ("both right", "both correct", "n11", "n 11"),
    "a_right_b_wrong": ("only a", "a only", "only a right", "only a correct", "n10", "n 10", "b"),
    "a_wrong_b_right": ("only b", "b only", "only b right", "only b correct", "n01", "n 01", "c"),
    "both_wrong": (
        "both wrong",
        "both incorrect",
        "neither",
        "neither right",
        "neither correct",
        "n00",
        "n 00",
    ),
}
# What the letters stand for, where nothing but custom says so.
BY_CUSTOM = frozenset({"n10", "n 10", "b", "n01", "n 01", "c"})
_RIGHT, _WRONG = frozenset({"right", "correct"}), frozenset({"wrong", "incorrect"})
_PART = re.compile(r"[^\s_\-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCells:
    """The columns of the four counts, as far as they are there, and the systems' names."""

    columns: dict[str, str]
    systems: tuple[str, str]


def find_cells(raw: RawTable, dataset: str | None) -> FoundCells:
    """The columns of the four counts."""
    free = [column for column in raw.header if column != dataset]
    columns: dict[str, str] = {}
    for name, headings in _PLAIN.items():
        column = find_column(free, headings)
        if column is not None:
            columns[name] = column
    systems = ("A", "B")
    named = [(*names, column) for column in free if (names := _right_and_wrong(column))]
    if named:
        # The first system is the one named first.
        right, wrong, right_first, _ = named[0]
        one, other = (right, wrong) if right_first else (wrong, right)
        for right, wrong, _, column in named:
            if (folded(right), folded(wrong)) == (folded(one), folded(other)):
                columns["a_right_b_wrong"] = column
            elif (folded(right), folded(wrong)) == (folded(other), folded(one)):
                columns["a_wrong_b_right"] = column
        if (folded(one), folded(other)) != ("a", "b"):
            systems = (one, other)
    return FoundCells(columns=columns, systems=systems)


def _right_and_wrong(column: str) -> tuple[str, str, bool] | None:
    """Who is right and who wrong by a heading such as "a_right_b_wrong", and whether in this order."""
    text = column.strip()
    parts = list(_PART.finditer(text))
    said = [part[0].casefold() for part in parts]
    for first, last in ((_RIGHT, _WRONG), (_WRONG, _RIGHT)):
        # The last word ends the heading, and each name has a part or more.
        if len(said) < 4 or said[-1] not in last or parts[-1].end() != len(text):
            continue
        middle = next((i for i in range(1, len(said) - 2) if said[i] in first), None)
        if middle is not None:
            one = text[: parts[middle - 1].end()]
            other = text[parts[middle + 1].start() : parts[-2].end()]
            return (one, other, True) if first is _RIGHT else (other, one, False)
    return None


def are_shown(raw: RawTable, dataset: str | None, cells: FoundCells) -> bool:
    """Whether these are McNemar's counts, and no scores of systems with such names."""
    held = cells.columns
    if dataset is not None and has_repeats(raw, dataset) and len(held) < len(CELLS):
        return False
    if "both_right" in held or "both_wrong" in held:
        return len(held) >= 2
    return dataset is not None and _are_discordant(raw, cells)


def _are_discordant(raw: RawTable, cells: FoundCells) -> bool:
    """Whether there are b and c, or the like, with a number of examples that holds both."""
    one, other = (cells.columns.get(name) for name in CELLS[1:3])
    size = size_column(raw)
    if one is None or other is None or size is None:
        return False
    if not all(are_counts(raw, column) for column in (one, other, size)):
        return False
    found = ExampleFindings(raw=raw, groups=start(raw, {}, "").groups)
    b, c, n = (read_counts(found, column) for column in (one, other, size))
    if not (b + c <= n).all():
        return False
    letters = _other_letters(raw, cells)
    if not letters or heading(one) != "b" or heading(other) != "c":
        return True
    # Beside 'a' they are systems, unless the letters are those of the four counts.
    sums = b + c + sum(numbers_of(raw, column).values for column in letters)
    return bool((sums == n).all())


def _other_letters(raw: RawTable, cells: FoundCells) -> list[str]:
    """Columns of numbers under another letter alone, as of further systems."""
    used = set(cells.columns.values()) | {size_column(raw)}
    return [
        column
        for column in raw.header
        if column not in used and len(heading(column)) == 1 and is_numeric(raw, column)
    ]


def size_column(raw: RawTable) -> str | None:
    """The column that says how many examples a dataset has."""
    return find_column(raw.header, (*SIZE_HEADINGS, "total"))
