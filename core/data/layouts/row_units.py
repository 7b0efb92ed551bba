"""What a row is by columns whose heading alone does not say it: by what they tell apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from core.data.layouts.row_counters import are_whole
from core.data.overlap.inputs import INPUT_HEADINGS
from core.data.tables.columns import DATASET_HEADINGS, heading, is_textual
from core.data.tables.headings import (
    GOLD_HEADINGS,
    NO_HEADING,
    PREDICTION_HEADINGS,
    RUN_HEADINGS,
    SLOT_HEADINGS,
    UNIT_HEADINGS,
)
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable
from core.data.words import quoted
from core.errors import Choice, Problem

# At most one row in so many may stand twice by mistake.
_FEW_IN = 20

_Codes = npt.NDArray[np.int64]


def find_unit(
    raw: RawTable, taken: Collection[str], *, grouping: Collection[str] = ()
) -> str | None:
    """The column of sentences, queries, documents and the like that tells a dataset's rows apart.

    None where the rows of a dataset are told apart without it, or by no such column. Texts
    that systems were given stay what they are. Columns that are `grouping` examples are passed
    over: an id is one beyond their groups.
    """
    passed = {*taken, *grouping}
    free = [c for c in raw.header if c not in passed and heading(c) in UNIT_HEADINGS]
    if not free:
        return None
    free.sort(key=lambda column: UNIT_HEADINGS.index(heading(column)))
    others = columns_of_places(raw, taken, passed={*free, *grouping})
    if others and n_combinations(raw, others) == raw.n_rows:
        return None
    for column in free:
        if heading(column) in INPUT_HEADINGS and is_textual(raw, column):
            continue
        n_again = raw.n_rows - n_combinations(raw, [*others, column])
        if n_again <= raw.n_rows // _FEW_IN and len(raw.coded(column).array) > 1:
            return column
    return None


def columns_of_places(
    raw: RawTable, taken: Collection[str], *, passed: Collection[str]
) -> list[str]:
    """The columns that say of which dataset, system, metric or run a row is.

    By their headings, and those among `taken` that hold texts several times;
    none that is `passed` over.
    """
    free = [c for c in raw.header if c not in passed]
    others = [c for c in free if _places_rows(c)]
    return others + [c for c in free if c in taken and c not in others and raw.is_repetitive(c)]


def find_matching(
    raw: RawTable, dataset: str | None, slots: Sequence[str], taken: Collection[str]
) -> str | None:
    """The column by which rows of one example can be matched, whatever its heading.

    It holds text or whole numbers, each once in a dataset for every system, metric and run,
    and the same for all of them.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    dataset : str or None
        The column of the datasets.
    slots : sequence of str
        The columns that name a row's system, metric and run.
    taken : collection of str
        Columns with a role.
    """
    within = [dataset] if dataset is not None else []
    slots = [*slots, *(c for c in raw.header if heading(c) in RUN_HEADINGS and c not in slots)]
    if not slots or n_combinations(raw, [*within, *slots]) == raw.n_rows:
        return None
    n_slots = n_combinations(raw, slots)
    for column in unnamed_columns(raw, {*taken, *within, *slots}):
        n_units = n_combinations(raw, [*within, column])
        if (
            n_units * n_slots == raw.n_rows
            and n_combinations(raw, [*within, *slots, column]) == raw.n_rows
        ):
            return column
    return None


def order_problem(
    raw: RawTable, dataset: str | None, slots: Sequence[str], taken: Collection[str]
) -> tuple[Problem, tuple[Choice, ...]] | None:
    """What is wrong with pairing rows in their order: a column that would differ within examples.

    None where nothing speaks against it, or where the rows are not equally many.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    dataset : str or None
        The column of the datasets.
    slots : sequence of str
        The columns that name a row's system, metric and run.
    taken : collection of str
        Columns with a role.
    """
    within = [dataset] if dataset is not None else []
    n_places = n_combinations(raw, [*within, *slots])
    if n_places == raw.n_rows or raw.n_rows % n_combinations(raw, slots):
        return None
    places, datasets = combined(raw, [*within, *slots]), combined(raw, within)
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    number = np.empty(raw.n_rows, dtype=np.int64)
    number[order] = np.arange(raw.n_rows) - np.repeat(
        starts, np.diff(np.append(starts, raw.n_rows))
    )
    examples = datasets * raw.n_rows + number
    by_example = np.argsort(examples, kind="stable")
    same = np.diff(examples[by_example]) == 0
    for column in (c for c in raw.header if c not in {*taken, *within, *slots}):
        if not _tells_examples(raw, column, within, slots):
            continue
        codes = raw.coded(column).codes[by_example]
        apart = np.flatnonzero(same & (codes[1:] != codes[:-1]))
        if apart.size:
            pairs = np.sort(raw.lines[by_example[[int(apart[0]), int(apart[0]) + 1]]])
            problem = Problem(
                what="No column holds ids of examples, and in the order of the rows different "
                f"texts of {quoted(column)} would be one example, the first on lines {pairs[0]} "
                f"and {pairs[1]}.",
                remedy="Add a column 'example' with an id for each example, bring each system's "
                "rows into the same order, or choose the column that the examples are matched by.",
                column=column,
            )
            once = n_combinations(raw, [*within, *slots, column]) == raw.n_rows
            choice = Choice(
                role="example",
                question="By which column are the examples matched?",
                options=((column, f"Match examples by {quoted(column)}"),),
            )
            return problem, (choice,) if once else ()
    return None


def _tells_examples(
    raw: RawTable, column: str, within: Sequence[str], slots: Sequence[str]
) -> bool:
    """Whether a column holds what an example has for every system: by heading, or by its texts."""
    known = heading(column)
    if known in UNIT_HEADINGS or known in INPUT_HEADINGS or known in GOLD_HEADINGS:
        return True
    if known in PREDICTION_HEADINGS or not is_textual(raw, column):
        return False
    n_each = n_combinations(raw, [*within, *slots, column])
    n_texts = n_combinations(raw, [*within, column])
    n_slots = n_combinations(raw, slots)
    # Hardly a text twice for a system, and most of them there for every system.
    return n_each >= raw.n_rows - raw.n_rows // _FEW_IN and 2 * n_texts <= n_each * (
        1 + 1 / n_slots
    )


def unnamed_columns(raw: RawTable, taken: Collection[str]) -> list[str]:
    """Columns of text or whole numbers that may tell examples apart, the texts first."""
    free = [c for c in raw.header if c not in taken and not raw.is_blank(c)]
    texts = [column for column in free if is_textual(raw, column)]
    return texts + [c for c in free if c not in texts and are_whole(numbers_of(raw, c).text_values)]


def is_nameless_text(raw: RawTable, column: str) -> bool:
    """Whether a column without a heading of its own holds text: then it counts nothing."""
    return heading(column) in NO_HEADING and is_textual(raw, column)


def examples_repeat(raw: RawTable, dataset: str | None, example: str) -> bool:
    """Whether some id stands in several rows of a dataset."""
    return n_combinations(raw, [*([dataset] if dataset is not None else []), example]) < raw.n_rows


def n_combinations(raw: RawTable, columns: Sequence[str]) -> int:
    """How many different combinations of texts stand in these columns."""
    if not columns or not raw.n_rows:
        return min(raw.n_rows, 1)
    coded = raw.coded(columns[-1])
    keys = combined(raw, columns[:-1])
    keys *= len(coded.array)
    keys += coded.codes
    # In place, as a list of all that differ would take many times their room.
    keys.sort()
    return int(np.count_nonzero(keys[1:] != keys[:-1])) + 1


def combined(raw: RawTable, columns: Sequence[str]) -> _Codes:
    """For each row a number of its combination of texts."""
    keys: _Codes = np.zeros(raw.n_rows, dtype=np.int64)
    for position, column in enumerate(columns):
        coded = raw.coded(column)
        if position == 0:
            keys += coded.codes
            continue
        keys = keys * len(coded.array) + coded.codes
        # Numbered anew, so that products of several columns stay small.
        encoded = pa.array(keys).dictionary_encode()
        keys = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return keys


def _places_rows(column: str) -> bool:
    """Whether a heading says whose a row is: of which dataset, system, metric or run."""
    return heading(column) in SLOT_HEADINGS or heading(column) in DATASET_HEADINGS
