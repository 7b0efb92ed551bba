"""What a row is by columns whose heading does not say it: ids, units, counters and repeated rows."""

from collections.abc import Collection, Sequence
from types import MappingProxyType
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...errors import LEFT_OUT, DataError, Problem, answers, lines_in_words, listed, quoted
from ...types import BoolArray, FloatArray, IntArray
from ..roles import Roles, columns_in_use
from ..side_data import numbered_by_first
from ..tables.cutting import in_pieces
from ..tables.directions import names_metric
from ..tables.headings import (
    find_column,
    heading,
    is_covariate,
    is_named,
    roles_named,
    spread_columns,
)
from ..tables.number_column import (
    headed_as_p_values,
    is_numeric,
    is_textual,
    language_columns,
    may_hold_scores,
    numbers_of,
)
from ..tables.numbers import NOTHING_WORDS, is_number_cell
from ..tables.raw_table import CodedColumn, RawTable

# Fewer numbers than this may follow upon each other by chance.
_FEWEST = 3
# So many hardly do in any order; of fewer the count must begin with 0 or 1 and rise.
_MANY = 10
# So few rows may be exceptions or mistakes: one in twenty.
FEW_IN = 20
# So many cells are looked at first: most columns of scores show there that they count nothing.
_FIRST = 200


def incomplete_rows(raw: RawTable, columns: Sequence[str]) -> BoolArray:
    """For each row whether one of these columns is empty or says that there is no value."""
    incomplete: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        if ("numbers", column) in raw.known and np.isfinite(
            numbers_of(raw, column).text_values
        ).all():
            continue
        coded = raw.looked_at(column)
        incomplete |= nothing_texts(coded)[coded.codes]
    return incomplete


def blank_rows(raw: RawTable, columns: Sequence[str]) -> BoolArray:
    """For each row whether one of these columns is empty; a word such as 'none' is a label."""
    blank: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        coded = raw.looked_at(column)
        blank |= pc.equal(coded.array, "").to_numpy(zero_copy_only=False)[coded.codes]
    return blank


def nothing_texts(coded: CodedColumn) -> BoolArray:
    """For each different text whether it is empty or says that there is no value."""
    found = pc.is_in(pc.utf8_lower(coded.array), value_set=pa.array(["", *NOTHING_WORDS]))
    nothing: BoolArray = found.to_numpy(zero_copy_only=False)
    return nothing


# No column is called by as many characters.
_LONGEST_NAME = 60


def headless_problem(raw: RawTable) -> Problem | None:
    """A problem where the first line is data: it has no known name, and what stands in the rows."""
    if any(roles_named(name) or names_metric(name) for name in raw.header):
        return None
    if not any(
        is_number_cell(name) or len(name) > _LONGEST_NAME or name in raw.coded(name).texts
        for name in raw.header
    ):
        return None
    return Problem(
        f"The first line, {listed(raw.header)}, looks like data and not like column names.",
        "Add a line with column names above it, such as 'dataset,ours,baseline' or "
        "'id,gold,ours,baseline'.",
    )


def candidates(raw: RawTable, taken: Collection[str], *, of_datasets: bool = False) -> list[str]:
    """Columns that may hold a system's results; rows `of_datasets` have none that describes examples."""
    languages = language_columns(raw)
    found = [
        column
        for column in raw.header
        if column not in taken
        and (may_hold_scores(raw, column) or column in languages)
        and (
            of_datasets
            or column in languages
            or not (is_covariate(column, raw.header) or is_named(column, "gold"))
        )
        and not headed_as_p_values(raw, column)
        and not raw.is_blank(column)
    ]
    others = [column for column in found if not counts(raw, column, taken)]
    # Those that count rows are none, unless no other numbers would stay.
    return others if any(is_numeric(raw, column) for column in others) else found


def metric_column(raw: RawTable, roles: Roles = MappingProxyType({})) -> str | None:
    """The column that says of which metric each row's scores are, beside those with a role."""
    column = find_column(raw.header, "metric_names", taken=columns_in_use(roles))
    return column if column is not None and is_textual(raw, column) else None


def stated_metrics(raw: RawTable) -> tuple[str, ...]:
    """Every metric that a column names, be they the datasets; () where there is none."""
    column = metric_column(raw)
    return () if column is None else tuple(name for name in raw.coded(column).texts if name)


def has_repeats(raw: RawTable, column: str) -> bool:
    """Whether some text stands in several rows."""
    return len(raw.coded(column).array) < raw.n_rows


def counts_rows(column: str | None) -> bool:
    """Whether a column of ids is only a counter by its heading: of examples or of anything else."""
    return column is not None and is_named(column, "counter")


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
    is_whole_range = np.bincount((values - values.min()).astype(np.intp)).all()
    _, first = np.unique(values, return_index=True)
    in_order = values.min() in (0.0, 1.0) and (np.diff(first) > 0).all()
    if not is_whole_range or not (span >= _MANY or in_order):
        return False
    if span == raw.n_rows:
        return True
    # Anew in each dataset, or in each dataset of each system.
    places = (numbers.values - values.min()).astype(np.intp)
    grouping = [c for c in raw.header if c != column and _may_group(raw, c, taken)]
    together = [grouping[:n] for n in range(1, len(grouping) + 1)]
    alone = [[group] for group in grouping[1:]]
    # Evaluations that run at once write their rows in any order.
    keys = (combined(raw, groups) for groups in (*together, *alone))
    in_turn = ((own, np.lexsort((places, own))) for own in keys)
    return any(np.array_equal(places[rows], count_within(own[rows])) for own, rows in in_turn)


def may_count(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """As `counts`, for a column that may hold anything under a heading that says nothing."""
    return (
        not is_covariate(column, raw.header)
        and not headed_as_p_values(raw, column)
        and numbers_of(raw, column).n_numbers > 0
        and counts(raw, column, taken)
    )


def are_whole(values: FloatArray) -> bool:
    """Whether these are whole numbers, and nothing else."""
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def _may_group(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """Whether rows may be counted anew for each text of a column: datasets, systems and the like."""
    return (
        (column in taken or is_named(column, "dataset", "system", "metric_names", "run"))
        and raw.is_repetitive(column)
        and _FEWEST * len(raw.coded(column).array) <= raw.n_rows
    )


_Codes = npt.NDArray[np.int64]


def find_matching(
    raw: RawTable, within: Sequence[str], slots: Sequence[str], taken: Collection[str]
) -> str | None:
    """The column by which rows of one example can be matched, whatever its heading.

    It holds text or whole numbers, each once in a dataset for every system, metric and run,
    and the same for all of them.
    """
    slots = [*slots, *(c for c in raw.header if is_named(c, "run") and c not in slots)]
    if not slots or n_combinations(raw, [*within, *slots]) == raw.n_rows:
        return None
    n_slots = n_combinations(raw, slots)
    free = [c for c in raw.header if c not in {*taken, *within, *slots} and not raw.is_blank(c)]
    texts = [column for column in free if is_textual(raw, column)]
    numbers = [c for c in free if c not in texts and are_whole(numbers_of(raw, c).text_values)]
    for column in (*texts, *numbers):
        n_units = n_combinations(raw, [*within, column])
        if (
            n_units * n_slots == raw.n_rows
            and n_combinations(raw, [*within, *slots, column]) == raw.n_rows
        ):
            return column
    return None


# More points than these no learning curve has.
_MOST_SIZES = 30


def check_steps(
    raw: RawTable, within: Sequence[str], example: str | None, slots: Sequence[str] = ()
) -> None:
    """Refuse training steps and points of a learning curve as rows: they are no examples."""
    step = example or find_column(raw.header, "step") or find_column(raw.header, "trained_on")
    if step is None:
        return
    # Under "n" or "size" numbers with gaps number no examples.
    of_sizes = is_named(step, "n_examples") and is_numeric(raw, step) and _has_gaps(raw, step)
    has_few = len(raw.coded(step).array) <= _MOST_SIZES
    if not (is_named(step, "step", "trained_on") or (of_sizes and has_few)):
        return
    if n_combinations(raw, [*within, step]) <= max(1, n_combinations(raw, within)):
        return
    if not is_named(step, "step") and n_combinations(raw, [*within, *slots, step]) < raw.n_rows:
        return
    raise DataError.of(
        f"Only {quoted(step)} differs between the rows of a dataset. Training steps and points of a "
        "learning curve are not examples: each row is a score over all of them.",
        "Keep the scores of one step or size, or give the results on each example. If it numbers "
        "examples, say so.",
        column=step,
        choices=answers(
            f"What does {quoted(step)} count?",
            ("example", step, "Examples or repeated runs: compare the systems row by row"),
        ),
    )


# A table of results has no more settings of its systems, and offers so many of them to be kept.
_MOST_SETTINGS, _MOST_KEPT = 50, 6


def check_settings(
    raw: RawTable,
    within: Sequence[str],
    slots: Sequence[str],
    scores: Sequence[str],
    taken: Collection[str],
    matched: Collection[str],
) -> None:
    """Ask whether rows are examples that only settings tell apart, such as a method or a language.

    `slots` name the system and metric, `taken` are other columns with a role, `matched` those of
    numbers that would tell examples apart. Settings recur in other datasets, as examples do not, or
    are headed as systems, datasets or kinds. Where a score has a spread, rows are means
    and no examples, and numbers may be settings as well.
    """
    runs = [c for c in raw.header if is_named(c, "run", "fold")]
    places = [*within, *slots, *runs]
    spreads = spread_columns(raw.header)
    have_spreads = not {*scores}.isdisjoint(spreads.values())
    free = [
        c
        for c in raw.header
        if c not in {*taken, *places, *spreads}
        and 1 < len(raw.coded(c).array) < raw.n_rows
        # What examples say; of a prompt there may be several for all of them.
        and (heading(c) == "prompt" or not is_named(c, "input"))
    ]
    # A text, a learning rate and the like, or the cut-offs 1, 5 and 20 by which rows would match.
    settings = [
        c
        for c in free
        if c not in scores
        and (is_textual(raw, c) or is_named(c, "no_score") or (c in matched and _has_gaps(raw, c)))
    ]
    if n_combinations(raw, places) == raw.n_rows:
        return
    if n_combinations(raw, [*places, *settings]) < raw.n_rows:
        numbers = [c for c in free if have_spreads and c not in settings]
        told = (c for c in numbers if n_combinations(raw, [*places, *settings, c]) == raw.n_rows)
        number = next(told, None)
        if number is None:
            return
        settings.insert(0, number)
    n_settings = n_combinations(raw, settings)
    recur = bool(within) and n_combinations(raw, [*within, *settings]) > n_settings
    kinds = any(is_named(c, "system", "dataset", "category") for c in settings)
    if n_settings > _MOST_SETTINGS or not (have_spreads or recur or kinds):
        return
    first, *others = settings
    texts = raw.coded(first).texts
    of = " and ".join([*(["system"] if slots else []), *(["dataset"] if within else [])])
    options: list[tuple[str, object, str]] = [
        (LEFT_OUT, lines_without(raw, first, text), f"No: keep only {quoted(text)}")
        for text in texts[:_MOST_KEPT]
    ]
    options += [
        ("system", column, f"No: {quoted(column)} names the systems")
        for column in settings
        if is_named(column, "system") or not (slots or others)
    ]
    if not (within or others or is_named(first, "system")):
        options.append(("dataset", first, "No, each is a dataset"))
    if not others:
        options.append(("example", first, "Yes, each is an example"))
    raise DataError.of(
        f"Rows of one {of} differ in {listed(settings)}: "
        f"{listed(texts)} may be settings, and a score of each is no score of an example.",
        "Keep the rows of one setting, or write it into the datasets' names.",
        column=first,
        choices=answers(f"Does {quoted(first)} tell examples apart?", *options),
    )


def _has_gaps(raw: RawTable, column: str) -> bool:
    """Whether whole numbers leave others between them out, as those that number rows do not."""
    values = numbers_of(raw, column).text_values
    return are_whole(values) and float(np.ptp(values)) >= len(np.unique(values))


def lines_without(raw: RawTable, column: str, text: str) -> str:
    """The lines of all rows that do not hold a text, as the role `LEFT_OUT` has them."""
    lines: dict[str | None, list[tuple[int, int]]] = {}
    for row in np.flatnonzero(raw.coded(column).codes != raw.coded(column).texts.index(text)):
        line = int(raw.lines[row])
        lines.setdefault(raw.file_of(int(row), column), []).append((line, line))
    return lines_in_words(lines)


def check_order(
    raw: RawTable, within: Sequence[str], slots: Sequence[str], taken: Collection[str]
) -> None:
    """Refuse to pair equally many rows in their order where a column would differ within examples."""
    n_places = n_combinations(raw, [*within, *slots])
    if n_places == raw.n_rows or raw.n_rows % n_combinations(raw, slots):
        return
    examples = rows_of_examples(raw, within, None, slots)
    by_example = np.argsort(examples, kind="stable")
    same = np.diff(examples[by_example]) == 0
    for column in (c for c in raw.header if c not in {*taken, *within, *slots}):
        if not _tells_examples(raw, column, within, slots):
            continue
        codes = raw.coded(column).codes[by_example]
        apart = np.flatnonzero(same & (codes[1:] != codes[:-1]))
        if apart.size:
            pairs = np.sort(raw.lines[by_example[[int(apart[0]), int(apart[0]) + 1]]])
            once = n_combinations(raw, [*within, *slots, column]) == raw.n_rows
            choices = answers(
                "By which column are the examples matched?",
                ("example", column, f"Match examples by {quoted(column)}"),
            )
            raise DataError.of(
                "No column holds ids of examples, and in the order of the rows different "
                f"texts of {quoted(column)} would be one example, the first on lines {pairs[0]} "
                f"and {pairs[1]}.",
                "Add a column 'example' with an id for each example, bring each system's "
                "rows into the same order, or choose the column that the examples are matched by.",
                column=column,
                choices=choices if once else (),
            )


def _tells_examples(
    raw: RawTable, column: str, within: Sequence[str], slots: Sequence[str]
) -> bool:
    """Whether a column holds what an example has for every system: by heading, or by its texts."""
    if is_named(column, "unit", "input", "gold"):
        return True
    if is_named(column, "prediction") or not is_textual(raw, column):
        return False
    n_each = n_combinations(raw, [*within, *slots, column])
    n_texts = n_combinations(raw, [*within, column])
    n_slots = n_combinations(raw, slots)
    # Hardly a text twice for a system, and most of them there for every system.
    return n_each >= raw.n_rows - raw.n_rows // FEW_IN and 2 * n_texts <= n_each * (1 + 1 / n_slots)


# Combinations are marked where so many bytes a row suffice: a tenth of the time of sorting them.
_MARKED_A_ROW = 8


def n_combinations(raw: RawTable, columns: Sequence[str]) -> int:
    """How many different combinations of texts stand in these columns."""
    if not columns or not raw.n_rows:
        return min(raw.n_rows, 1)

    def counted() -> int:
        last = raw.coded(columns[-1])
        if len(columns) == 1:
            return len(last.array)
        before = combined(raw, columns[:-1]) if len(columns) > 2 else raw.coded(columns[0]).codes
        n_possible = (int(before.max()) + 1) * len(last.array)
        if n_possible <= raw.n_rows * _MARKED_A_ROW:
            there = np.zeros(n_possible, dtype=np.bool_)
            for rows in in_pieces(raw.n_rows):
                there[before[rows].astype(np.int64) * len(last.array) + last.codes[rows]] = True
            return int(np.count_nonzero(there))
        # In place, as a list of all that differ would take many times their room.
        keys = before.astype(np.int64)
        keys *= len(last.array)
        keys += last.codes
        keys.sort()
        return int(np.count_nonzero(keys[1:] != keys[:-1])) + 1

    return raw.once(("combinations", frozenset(columns)), counted)


def combined(raw: RawTable, columns: Sequence[str]) -> _Codes:
    """For each row a number of its combination of texts."""
    if not columns:
        return np.zeros(raw.n_rows, dtype=np.int64)
    first, *others = map(raw.coded, columns)
    keys: _Codes = first.codes.astype(np.int64)
    for coded in others:
        # Numbered anew, so that products of several columns stay small.
        keys = numbered(keys * len(coded.array) + coded.codes)
    return keys


def rows_of_examples(
    raw: RawTable, within: Sequence[str], example: str | None, slots: Sequence[str]
) -> IntArray:
    """For each row a number of its example, by first appearance.

    Without ids rows of different `slots` of a dataset are paired in their order.
    """
    if not slots:
        return cast(IntArray, raw.each_row)
    if example is not None:
        keys = combined(raw, [*within, example])
        return keys if within else numbered(keys)
    n_before = count_within(combined(raw, [*within, *slots]))
    return numbered(combined(raw, within) * raw.n_rows + n_before)


def numbered(keys: npt.NDArray[np.integer]) -> IntArray:
    """Each different key numbered in the order of first appearance."""
    return numbered_by_first(keys).astype(np.intp)


def first_rows_of(codes: npt.NDArray[np.integer], n: int) -> IntArray:
    """The first row of each of `n` codes."""
    first = np.zeros(n, dtype=np.intp)
    # Where several rows write to one place the last stays, so they are written backwards.
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    return first


def count_within(keys: IntArray) -> IntArray:
    """For each row how many rows with the same key stand before it."""
    codes = numbered(keys)
    sizes = np.bincount(codes)
    counts = np.empty(keys.size, dtype=np.intp)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    counts[np.argsort(codes, kind="stable")] = np.arange(keys.size) - starts
    return counts
