"""What a row is by columns whose heading does not say it: ids, units, counters and repeated rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import Choice, Problem
from ...types import BoolArray, FloatArray, IntArray
from ..overlap.inputs import INPUT_HEADINGS
from ..tables.headings import (
    CLUSTER_HEADINGS,
    DATASET_HEADINGS,
    GOLD_HEADINGS,
    METRIC_NAME_HEADINGS,
    NO_HEADING,
    PREDICTION_HEADINGS,
    RUN_HEADINGS,
    SLOT_HEADINGS,
    SYSTEM_HEADINGS,
    UNIT_HEADINGS,
    heading,
    is_covariate,
)
from ..tables.limits import bounded
from ..tables.number_column import is_numeric, is_textual, numbers_of
from ..tables.raw_table import RawTable
from ..words import listed, quoted

# Fewer numbers than this may follow upon each other by chance.
_FEWEST = 3
# So many hardly do in any order; of fewer the count must begin with 0 or 1 and rise.
_MANY = 10
# So many cells are looked at first: most columns of scores show there that they count nothing.
_FIRST = 200


def without_counters(
    raw: RawTable, columns: Sequence[str], taken: Collection[str]
) -> tuple[str, ...]:
    """These columns but for those that count rows; all where no other numbers would stay.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    columns : sequence of str
        Columns that may hold results.
    taken : collection of str
        Columns with a role: within one of them, such as the datasets, rows may be counted anew.
    """
    counting = {column for column in columns if counts(raw, column, taken)}
    others = [column for column in columns if column not in counting]
    if not counting or not any(is_numeric(raw, column) for column in others):
        return tuple(columns)
    return tuple(others)


def counts(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """Whether a column's numbers are whole, all different and without a gap.

    They are so in the whole file, or anew from the same number in each dataset,
    and in each dataset of each system where rows name systems.
    """
    numbers = numbers_of(raw, column)
    values = numbers.text_values
    if raw.n_rows < _FEWEST or not are_whole(values[:_FIRST]) or not are_whole(values):
        return False
    span = int(values.max() - values.min()) + 1
    if not _FEWEST <= span <= raw.n_rows:
        return False
    if not np.bincount((values - values.min()).astype(np.intp)).all():
        return False
    if span == raw.n_rows:
        return _is_no_chance(values, span)
    if not _is_no_chance(values, span):
        return False
    each = (numbers.values - values.min()).astype(np.intp)
    grouping = [c for c in raw.header if c != column and _may_group(raw, c, taken)]
    rows_of = np.zeros(raw.n_rows, dtype=np.intp)
    for group in grouping:
        _, rows_of = np.unique(
            rows_of * len(raw.coded(group).array) + raw.coded(group).codes, return_inverse=True
        )
        if _each_is_counted(each, rows_of):
            return True
    return any(
        _each_is_counted(each, raw.coded(group).codes.astype(np.intp)) for group in grouping[1:]
    )


def remark_on_counters(raw: RawTable, unread: Sequence[str], taken: Collection[str]) -> list[str]:
    """A remark on those of the columns left aside that count the rows."""
    counting = [column for column in unread if may_count(raw, column, taken)]
    if not counting:
        return []
    one = len(counting) == 1
    return [
        f"{listed(counting)} {'counts' if one else 'count'} the rows and "
        f"{'is' if one else 'are'} not taken for scores."
    ]


def may_count(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """As `counts`, for a column that may hold anything under a heading that says nothing."""
    return (
        not is_covariate(column)
        and numbers_of(raw, column).n_numbers > 0
        and counts(raw, column, taken)
    )


def are_whole(values: FloatArray) -> bool:
    """Whether these are whole numbers, and nothing else."""
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def _is_no_chance(values: FloatArray, span: int) -> bool:
    """Whether so many numbers in this order, each text's first place counting, are no scores."""
    _, first = np.unique(values, return_index=True)
    return span >= _MANY or (values.min() in (0.0, 1.0) and bool((np.diff(first) > 0).all()))


def _may_group(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """Whether rows may be counted anew for each text of a column: datasets, systems and the like."""
    known = (*DATASET_HEADINGS, *SYSTEM_HEADINGS, *METRIC_NAME_HEADINGS, *RUN_HEADINGS)
    return (
        (column in taken or heading(column) in known)
        and raw.is_repetitive(column)
        and _FEWEST * len(raw.coded(column).array) <= raw.n_rows
    )


def _each_is_counted(values: IntArray, groups: IntArray) -> bool:
    """Whether every group holds 0, 1, 2… once each, and some group enough of them."""
    sizes = np.bincount(groups)
    highest = np.zeros(sizes.size, dtype=np.intp)
    np.maximum.at(highest, groups, values)
    if sizes.max() < _FEWEST or (highest + 1 != sizes).any():
        return False
    keys = groups * (int(values.max()) + 1) + values
    return bool(np.unique(keys).size == values.size)


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
    largest = int(keys.max())
    if largest < 4 * raw.n_rows:
        seen: BoolArray = np.zeros(largest + 1, dtype=np.bool_)
        seen[keys] = True
        return int(np.count_nonzero(seen))
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


# So many columns are named.
_MOST_NAMED = 3
# So many copies in a dataset are told together, fewer one by one.
FEWEST_COPIES = 5


def repeated_rows(keys: IntArray) -> tuple[BoolArray, IntArray]:
    """For each row whether its key stands before, and the row on which it stands first."""
    order = np.argsort(keys, kind="stable")
    again: BoolArray = np.zeros(keys.size, dtype=np.bool_)
    again[order[1:]] = keys[order[1:]] == keys[order[:-1]]
    # The last row in `order` that does not repeat is the first with its key.
    starts = np.maximum.accumulate(np.where(again[order], 0, np.arange(keys.size)))
    first = np.empty(keys.size, dtype=np.intp)
    first[order] = order[starts]
    return again, first


def copy_problems(
    raw: RawTable,
    again: BoolArray,
    first: IntArray,
    *,
    datasets: Sequence[str],
    codes: IntArray,
    column: str,
) -> tuple[BoolArray, list[Problem]]:
    """Rows that stand `again` and are the same as the `first` in every column, told together.

    One problem for each dataset with five or more of them; fewer are left to be told
    one by one. `codes` are each row's position in `datasets`.
    """
    copies = _exact_copies(raw, again, first)
    n_copies = np.bincount(codes[copies], minlength=len(datasets))
    copies &= (n_copies >= FEWEST_COPIES)[codes]
    n_rows = np.bincount(codes, minlength=len(datasets))
    rows = np.flatnonzero(copies)
    _, places = np.unique(codes[rows], return_index=True)

    def problems() -> Iterator[Problem]:
        for row in rows[np.sort(places)].tolist():
            dataset = int(codes[row])
            n, n_all = int(n_copies[dataset]), int(n_rows[dataset])
            one = f"line {int(raw.lines[row])} holds the same as line {int(raw.lines[first[row]])}"
            yield Problem(
                what=f"All {n:,} rows stand twice, the same in every column: {one}, and so on."
                if 2 * n == n_all and np.bincount(first[codes == dataset]).max() == 2
                else f"{n:,} of {n_all:,} rows repeat an earlier one, the same in every column: "
                f"{one}, and so on.",
                remedy="Remove the copies.",
                dataset=datasets[dataset] or None,
                column=column,
                file=raw.file_of(row, column),
                mended_by=("copies",),
            )

    return copies, bounded(problems(), n_problems=places.size, of="datasets")


def _exact_copies(raw: RawTable, again: BoolArray, first: IntArray) -> BoolArray:
    copies = again.copy()
    for column in raw.header:
        rows = np.flatnonzero(copies)
        if not rows.size:
            break
        codes = raw.coded(column).codes
        copies[rows] = codes[rows] == codes[first[rows]]
    return copies


def remedy_for_repeats(
    raw: RawTable, first: IntArray, again: BoolArray, *, otherwise: str, told_by: Sequence[str] = ()
) -> str:
    """What to do about rows that repeat: choose a column that tells them apart, if there is one.

    `otherwise` is the remedy where none does, `told_by` are columns that have
    told rows apart already.
    """
    rows = np.flatnonzero(np.isin(first, first[again]))
    found = [
        column
        for column in raw.header
        if column not in told_by and _tells_apart(raw, column, rows, first[rows])
    ][:_MOST_NAMED]
    groups = [column for column in found if heading(column) in CLUSTER_HEADINGS]
    found = [column for column in found if column not in groups]
    said = ""
    if groups:
        said += (
            f"If the ids begin anew within {listed(groups)}, write the two together as one id, or "
            "declare that no column holds ids. "
        )
    if found:
        one = len(found) == 1
        said += (
            f"{listed(found)} {'tells' if one else 'tell'} these rows apart: if "
            f"{'it names' if one else 'one of them names'} examples, runs, metrics or systems, "
            "choose it for that. "
        )
    return said + otherwise


def _tells_apart(raw: RawTable, column: str, rows: IntArray, groups: IntArray) -> bool:
    """Whether no two rows of a group hold the same text of a column that may hold names."""
    coded = raw.coded(column)
    keys = groups * np.int64(len(coded.array)) + coded.codes[rows]
    if np.unique(keys).size < rows.size:
        return False
    values = numbers_of(raw, column).values
    values = values[np.isfinite(values)]
    # Scores may differ by chance; names in digits are whole numbers, and not 0 and 1 alone.
    return bool(
        (values == np.floor(values)).all() and not (values.size and np.isin(values, (0, 1)).all())
    )
