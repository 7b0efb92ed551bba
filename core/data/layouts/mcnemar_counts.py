"""The layout of McNemar's counts: on how many examples of a dataset both, one or none was right.

The examples are rebuilt from the counts: which example was which is not known,
and no test of right and wrong asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from ...errors import Problem, listed, quoted
from ...types import FloatArray
from ..result_set import ResultSet
from ..roles import Roles, lower_is_better_problems
from ..tables.headings import VOCABULARY, find_column, folded, heading
from ..tables.limits import MAX_ROWS
from ..tables.number_column import numbers_of
from ..tables.raw_table import RawTable
from .columns import Columns, FileKind
from .complete_rows import reading_of
from .counts import are_counts, read_counts
from .doubtful_systems import remark_on_columns
from .per_example import ExampleFindings, check_once
from .row_units import has_repeats
from .score_cells import numeric_columns

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
# "ours_right_base_wrong", in either order.
_RIGHT, _WRONG = "(?:right|correct)", "(?:wrong|incorrect)"
_APART = r"[\s_\-]+"
_RIGHT_AND_WRONG, _WRONG_AND_RIGHT = (
    re.compile(rf"(.+?){_APART}{one}{_APART}(.+){_APART}{other}", re.IGNORECASE)
    for one, other in ((_RIGHT, _WRONG), (_WRONG, _RIGHT))
)
# "ours_only", "only ours right", but not "only ours wrong".
_ALONE = re.compile(
    rf"(?!.*(?:wrong|incorrect|fail|err|miss))(?=only{_APART}|.*{_APART}only$)"
    rf"(?:only{_APART})?(.+?)(?:{_APART}{_RIGHT})?(?:{_APART}only)?",
    re.IGNORECASE,
)


def find_cells(raw: RawTable, dataset: str | None) -> tuple[dict[str, str], tuple[str, str]]:
    """The columns of the four counts, as far as they are there, and the systems' names."""
    free = [column for column in raw.header if column != dataset]
    plain = {name: find_column(free, headings) for name, headings in _PLAIN.items()}
    columns = {name: column for name, column in plain.items() if column is not None}
    systems = ("A", "B")
    cells: dict[tuple[str, str], str] = {}
    for column in free:
        found = _RIGHT_AND_WRONG.fullmatch(column.strip())
        turned = None if found else _WRONG_AND_RIGHT.fullmatch(column.strip())
        named = found or turned
        if named is None:
            continue
        one, other = named.groups()
        pair = (folded(one), folded(other))
        if not cells:
            # The first system is the one named first.
            cells = dict(zip((pair, pair[::-1]), CELLS[1:3], strict=True))
            systems = systems if pair == ("a", "b") else (one, other)
        if cell := cells.get(pair if found else pair[::-1]):
            columns[cell] = column
    alone = {found[1]: column for column in free if (found := _ALONE.fullmatch(column.strip()))}
    if len(alone) == 2 and columns.keys() == {CELLS[0], CELLS[3]}:
        one, other = alone
        return columns | dict(zip(CELLS[1:3], alone.values(), strict=True)), (one, other)
    return columns, systems


def discordant_columns(raw: RawTable) -> tuple[str, ...]:
    """The two columns of McNemar's b and c, whatever they are called; () where there are none.

    Plain letters count in lower case and without an 'a' beside them, as 'A', 'B' and 'C'
    are systems.
    """
    cells, _ = find_cells(raw, None)
    found = tuple(cells[name] for name in CELLS[1:3] if name in cells)
    if len(found) < 2 or not all(are_counts(raw, column) for column in found):
        return ()
    letters = {"a", "b", "c", "d"}
    if letters.isdisjoint(map(heading, found)):
        return found
    return found if {c for c in raw.header if c.lower() in letters} == {"b", "c"} else ()


def are_shown(columns: Columns) -> bool:
    """Whether these are McNemar's counts, and no scores of systems with such names."""
    raw, dataset = columns.raw, columns.dataset
    cells, _ = find_cells(raw, dataset)
    if dataset is not None and has_repeats(raw, dataset) and len(cells) < len(CELLS):
        return False
    if "both_right" in cells or "both_wrong" in cells:
        return True
    pair, size = discordant_columns(raw), size_column(raw)
    if columns.example is not None or columns.gold is not None:
        return False
    beside = set(numeric_columns(raw, [c for c in (dataset, size) if c])).difference(pair)
    if pair and len(beside) < 2:
        return True
    if size is None or not set("abcd") <= set(raw.header):
        return False
    # a, b, c and d are the four counts, and no systems, where they add up to the size.
    sums = sum(numbers_of(raw, letter).values for letter in "abcd")
    return np.array_equal(sums, numbers_of(raw, size).values)


def size_column(raw: RawTable) -> str | None:
    """The column that says how many examples a dataset has."""
    return find_column(raw.header, (*VOCABULARY["n_examples"], "total"))


NAME = "counts of right and wrong"

# Whether A and whether B was right.
_OUTCOMES = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])


def recognise(columns: Columns) -> Roles | None:
    """Every role of McNemar's counts, those that are given as they are; None for another layout."""
    given = columns.given
    if not columns.asks_for(NAME) and not are_shown(columns):
        return None
    return {
        "dataset": columns.dataset,
        "metric": given.get("metric") or "accuracy",
        "higher_is_better": given.get("higher_is_better", True),
    }


def read(found: ExampleFindings) -> ResultSet:
    """Read McNemar's counts and rebuild the examples."""
    dataset = found.column("dataset")
    cells, systems = find_cells(found.raw, dataset)
    found.problems.extend(_column_problems(found, cells))
    found.stop_at_problems()
    if dataset is not None:
        check_once(found)
    remedy = "Give the count, or leave the dataset out."
    counts = np.column_stack([read_counts(found, cells[name], remedy=remedy) for name in CELLS])
    _check_sums(found, counts, cells)
    found.stop_at_problems()

    found.remarks.append(
        "The examples are rebuilt from the counts and have no ids: which example is which is not "
        "known."
    )
    one, other = cells["a_right_b_wrong"], cells["a_wrong_b_right"]
    if heading(one) in BY_CUSTOM:
        found.remarks.append(
            f"{quoted(one)} is read as the number of examples that only A got right, "
            f"{quoted(other)} as that of B."
        )
    read = {*cells.values(), size_column(found.raw) or ""}
    remark_on_columns(found, systems, read=read)
    metric = str(found.roles["metric"])
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={metric: tuple(np.repeat(_OUTCOMES, row.astype(np.intp), axis=0) for row in counts)},
        higher_is_better={metric: True},
        score_decimals=0,
        reading=reading_of(found, counts=tuple(cells.values())),
    )


def _column_problems(found: ExampleFindings, cells: Mapping[str, str]) -> Iterator[Problem]:
    lacking = [name for name in CELLS if name not in cells]
    letters = [c for c in cells.values() if heading(c) in ("b", "c")]
    other_reading = (
        f" If {quoted(letters[0])} and {quoted(letters[1])} are systems, choose the layout "
        "'one score for each dataset and system'."
        if len(letters) > 1
        else ""
    )
    if lacking:
        yield Problem(
            f"There is no column of {listed(lacking)}, so the systems' scores are not known.",
            f"McNemar's counts are {listed(CELLS)}, or 'n11', 'n10', 'n01', 'n00'. Without them, give "
            "a p-value for each dataset in a column 'p_value'." + other_reading,
        )
    if found.column("dataset") is None and found.raw.n_rows > 1:
        yield Problem("No column names the datasets.", "Name a column 'dataset' or choose one.")
    yield from lower_is_better_problems(found.roles, of="Correctness")


def _check_sums(found: ExampleFindings, counts: FloatArray, cells: Mapping[str, str]) -> None:
    """Each dataset has an example, all together are not too many, and a stated number holds."""
    sizes = counts.sum(axis=1)
    column = found.column("dataset") or cells["both_right"]
    found.cell_problems(
        np.flatnonzero(sizes == 0),
        column,
        lambda row: ("All four counts are 0.", "Leave the dataset out."),
    )
    if sizes.sum() > MAX_ROWS:
        found.refuse(
            f"The counts add up to {sizes.sum():,.0f} examples; at most {MAX_ROWS:,} are read.",
            "Read fewer datasets at a time.",
        )
    size = size_column(found.raw)
    if size is None or size in cells.values() or not are_counts(found.raw, size):
        return
    stated = read_counts(found, size)
    found.cell_problems(
        np.flatnonzero(np.isfinite(stated) & (stated != sizes)),
        size,
        lambda row: (
            f"The four counts add up to {sizes[row]:,.0f}, not to {stated[row]:,.0f}.",
            "Correct one of them.",
        ),
    )


KIND = FileKind(
    name=NAME,
    description="One row for each dataset: on how many examples both systems were right, only "
    "A, only B, and none, in columns such as 'both_right', 'a_right_b_wrong', "
    "'a_wrong_b_right', 'both_wrong'; 'margin' where each dataset has one of its own.",
    needs={},
    roles=("dataset", "margin"),
    template="""\
dataset,both_right,ours_right_baseline_wrong,ours_wrong_baseline_right,both_wrong,margin
SST-2,790,32,21,29,1 point
MRPC,321,24,16,47,1 point
RTE,115,59,38,65,2 points
""",
    recognise=recognise,
    read=read,
    shows_by_headings=True,
)
