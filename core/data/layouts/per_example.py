"""What scores and predictions have in common: datasets, examples, and problems with their place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.layouts.cluster_columns import grouping_columns
from core.data.layouts.dataset_labels import label_columns
from core.data.layouts.repeated_rows import remedy_for_repeats, repeated_rows
from core.data.layouts.row_counters import remark_on_counters, without_counters
from core.data.layouts.row_units import find_unit, is_nameless_text
from core.data.layouts.unread import remarks_on_unread
from core.data.overlap.inputs import input_columns
from core.data.roles import Roles, column_of, columns_in_use
from core.data.tables.columns import DATASET_HEADINGS, find_column, folded, heading
from core.data.tables.headings import (
    CLUSTER_HEADINGS,
    COUNTER_HEADINGS,
    EXAMPLE_HEADINGS,
    GOLD_HEADINGS,
    RUN_HEADINGS,
    is_covariate,
)
from core.data.tables.raw_table import RawTable, bounded
from core.data.words import listed, quoted
from core.errors import Choice, Problem
from core.types import IntArray

MAX_SYSTEMS = 500
MAX_DATASETS = 10_000
NO_NAME = "results"
_ENDINGS = (".csv", ".tsv", ".txt", ".tab", ".dat")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """Rows by dataset.

    Attributes
    ----------
    datasets : tuple of str
        In the order of their first rows; '' for rows without a name.
    codes : ndarray of int, shape (n_rows,)
        For each row a position in `datasets`.
    ends : ndarray of int, shape (n_datasets,)
        Where in `order` each dataset ends.
    """

    datasets: tuple[str, ...]
    codes: IntArray
    ends: IntArray

    @property
    def order(self) -> IntArray:
        """Rows of the first dataset, then of the second, each in the file's order."""
        if self.is_contiguous:
            return np.arange(self.codes.size)
        return np.argsort(self.codes, kind="stable")

    @property
    def is_contiguous(self) -> bool:
        """Whether the file has each dataset's rows together, so that none need be moved."""
        return bool((self.codes[1:] >= self.codes[:-1]).all())

    def split(self, rows: Any) -> list[Any]:
        """An array with one entry a row, as one array for each dataset."""
        ordered = rows if self.is_contiguous else rows[self.order]
        parts: list[Any] = np.split(ordered, self.ends[:-1])
        return parts

    def split_text(self, column: Any) -> tuple[Any, ...]:
        """As `split`, for a pyarrow array."""
        ordered = column if self.is_contiguous else column.take(pa.array(self.order))
        starts = [0, *self.ends[:-1].tolist()]
        return tuple(
            ordered.slice(start, end - start)
            for start, end in zip(starts, self.ends.tolist(), strict=True)
        )


@dataclass(slots=True, kw_only=True)
class ExampleFindings:
    """Problems, remarks and open questions gathered while the columns are read."""

    raw: RawTable
    groups: Groups
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)

    def cell_problems(
        self, rows: IntArray, column: str, explain: Callable[[int], tuple[str, str]]
    ) -> None:
        """Add a problem for each of these cells; `explain` gives what is wrong and the remedy."""

        def problems() -> Iterable[Problem]:
            for row in rows.tolist():
                what, remedy = explain(row)
                yield Problem(
                    what=what,
                    remedy=remedy,
                    dataset=self.groups.datasets[self.groups.codes[row]] or None,
                    column=column,
                    line=int(self.raw.lines[row]),
                    file=self.raw.file_of(row, column),
                )

        self.problems.extend(
            bounded(problems(), n_problems=rows.size, of=f"cells of {quoted(column)}")
        )

    def place(self, row: int) -> str:
        """A row's dataset and line, for remarks."""
        name = self.groups.datasets[self.groups.codes[row]]
        return f"line {int(self.raw.lines[row])}, dataset {quoted(name)}"


def find_dataset(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column of the datasets: as given, else by its heading."""
    if "dataset" in given:
        return column_of(given, "dataset")
    return find_column(raw.header, DATASET_HEADINGS, taken=taken)


def find_example(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column of the examples' ids: as given, else by its heading."""
    if "example" in given:
        return column_of(given, "example")
    declared = column_of(given, "cluster")
    passed = taken if declared is None else taken | {declared}
    found = find_column(raw.header, EXAMPLE_HEADINGS, taken=passed)
    grouping: tuple[str, ...] = ()
    if found is None or heading(found) in CLUSTER_HEADINGS:
        grouping = grouping_columns(raw, given, taken)
        passed = passed.union(grouping)
        found = find_column(raw.header, EXAMPLE_HEADINGS, taken=passed)
    if found is not None:
        return None if is_blank(raw, found) else found
    unit = find_unit(raw, taken, grouping=grouping)
    if unit is not None:
        return unit
    counter = find_column(raw.header, COUNTER_HEADINGS, taken=passed)
    if counter is None or is_blank(raw, counter) or is_nameless_text(raw, counter):
        return None
    return counter


def find_gold(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column of the gold labels: as given, else by its heading."""
    if "gold" in given:
        return column_of(given, "gold")
    found = find_column(raw.header, GOLD_HEADINGS, taken=taken)
    return found if found is not None and not is_blank(raw, found) else None


def candidates(raw: RawTable, taken: Iterable[str]) -> list[str]:
    """Columns that may hold a system's results."""
    used = set(taken)
    found = [
        column
        for column in raw.header
        if column not in used
        and not is_covariate(column)
        and heading(column) not in GOLD_HEADINGS
        and not is_blank(raw, column)
    ]
    return list(without_counters(raw, found, used))


def stated_metrics(raw: RawTable) -> tuple[str, ...]:
    """Every value of a column headed "metric", each once; () where there is none."""
    for column in raw.header:
        if heading(column) == "metric":
            return tuple(raw.column(column).unique().to_pylist())
    return ()


def base_columns(raw: RawTable, given: Roles) -> tuple[str | None, str | None, str | None]:
    """The columns of datasets, examples and gold labels."""
    taken = columns_in_use(given)
    dataset = find_dataset(raw, given, taken)
    taken |= {dataset} if dataset is not None else set()
    example = find_example(raw, given, taken)
    taken |= {example} if example is not None else set()
    return dataset, example, find_gold(raw, given, taken)


def is_blank(raw: RawTable, column: str) -> bool:
    """Whether no cell of a column holds anything."""
    return raw.is_blank(column)


def has_repeats(raw: RawTable, column: str) -> bool:
    """Whether some text stands in several rows."""
    return len(raw.coded(column).array) < raw.n_rows


def counts_rows(column: str | None) -> bool:
    """Whether a column of ids is only a counter by its heading: of examples or of anything else."""
    return column is not None and heading(column) in COUNTER_HEADINGS


def group_rows(raw: RawTable, dataset: str | None, source_name: str) -> Groups:
    """The rows by dataset; without a column of datasets the file is one, by its own name."""
    if dataset is None:
        names: tuple[str, ...] = (name_of_file(source_name),)
        codes = np.zeros(raw.n_rows, dtype=np.intp)
    else:
        coded = raw.coded(dataset)
        names, codes = tuple(coded.texts), coded.codes.astype(np.intp)
    counts = np.bincount(codes, minlength=len(names))
    return Groups(
        datasets=names,
        codes=codes,
        ends=np.cumsum(counts),
    )


def name_of_file(source_name: str) -> str:
    """A file's name without its ending."""
    name = source_name.strip()
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            name = name[: -len(ending)].strip()
            break
    return name or NO_NAME


def check_datasets(found: ExampleFindings, column: str | None) -> None:
    """Every row names its dataset."""
    if column is None:
        return
    if "" in found.groups.datasets:
        blank = np.flatnonzero(found.groups.codes == found.groups.datasets.index(""))
        found.cell_problems(
            blank,
            column,
            lambda row: (
                "The dataset has no name.",
                "Give it one: the name stands in every row of the dataset.",
            ),
        )
    remark_on_twins(found, "datasets", [name for name in found.groups.datasets if name])


def check_number_of_datasets(raw: RawTable, column: str | None) -> list[Problem]:
    """One problem where a column names more datasets than anyone compares on."""
    n_datasets = 0 if column is None else len(raw.coded(column).array)
    if n_datasets <= MAX_DATASETS:
        return []
    return [
        Problem(
            what=f"The column names {n_datasets:,} datasets; at most {MAX_DATASETS:,} are read.",
            remedy="If it names examples, choose it for their ids, and another or none for the "
            "datasets.",
            column=column,
        )
    ]


def check_examples(found: ExampleFindings, column: str | None) -> None:
    """Every example has an id, and no id stands twice within a dataset."""
    if column is None:
        return
    cells = found.raw.column(column)
    blank = pc.equal(cells, "").to_numpy(zero_copy_only=False)
    found.cell_problems(
        np.flatnonzero(blank),
        column,
        lambda row: (
            "The example has no id.",
            "Give it one, or declare that no column holds ids.",
        ),
    )
    coded = found.raw.coded(column)
    if found.groups.is_contiguous and all(map(_all_differ, found.groups.split(coded.codes))):
        return
    again, first = repeated_rows(found.groups.codes * np.int64(len(coded.array)) + coded.codes)
    again &= ~blank
    may_group = heading(column) in CLUSTER_HEADINGS
    remedy = remedy_for_repeats(
        found.raw,
        first,
        again,
        otherwise="Keep one row for each example of a dataset, or choose another column for the "
        + ("ids and this one for the clusters." if may_group else "ids."),
    )

    def explain(row: int) -> tuple[str, str]:
        return (
            f"The example {quoted(cells[row].as_py())} is already on line "
            f"{int(found.raw.lines[first[row]])}.",
            remedy,
        )

    found.cell_problems(np.flatnonzero(again), column, explain)


def _all_differ(codes: npt.NDArray[np.int32]) -> bool:
    ordered = np.sort(codes)
    return not (ordered[1:] == ordered[:-1]).any()


def check_systems(
    found: ExampleFindings, systems: Sequence[str], *, from_header: bool = True
) -> None:
    """There are not too many systems, and those that the header names have names."""
    if len(systems) > MAX_SYSTEMS:
        found.problems.append(
            Problem(
                what=f"The file has {len(systems):,} systems; at most {MAX_SYSTEMS} are read.",
                remedy="Keep the systems that are compared.",
            )
        )
    if from_header and len(systems) >= 2 and all(is_number_name(name) for name in systems):
        found.problems.append(
            Problem(
                what=f"The first line names the systems {listed(systems)}: it seems to hold "
                "results, not names.",
                remedy="Write a header line with a name for each column.",
                line=1,
            )
        )
    remark_on_twins(found, "systems", systems)


def is_number_name(name: str) -> bool:
    """Whether a heading is nothing but a number."""
    return name.replace(".", "", 1).removeprefix("-").isdecimal()


def remark_on_twins(found: ExampleFindings, kind: str, names: Iterable[str]) -> None:
    """A remark on names that look the same."""
    alike: dict[str, str] = {}
    twins: list[str] = []
    for name in names:
        twin = alike.setdefault(folded(name), name)
        if twin != name:
            twins.extend((twin, name))
    if twins:
        found.remarks.append(
            f"Read as different {kind}, though they differ only in letter case or Unicode form: "
            f"{listed(tuple(dict.fromkeys(twins)))}."
        )


def remark_on_columns(found: ExampleFindings, roles: Roles, systems: Sequence[str]) -> None:
    """Remarks on columns that are not read, and on the systems where they are many."""
    used = columns_in_use(roles)
    texts = input_columns(found.raw, used)
    if texts:
        found.remarks.append(f"Read only to find examples that datasets share: {listed(texts)}.")
    labels = label_columns(found.raw, found.groups.datasets, found.groups.codes, used)
    if labels:
        found.remarks.append(f"Kept for grouping the datasets: {listed(tuple(labels))}.")
    unread = [column for column in found.raw.header if column not in used.union(texts, labels)]
    if unread:
        found.remarks.extend(remarks_on_unread(found.raw, unread, of_examples=True))
        found.remarks.extend(remark_on_counters(found.raw, unread, used))
    if len(systems) > 2:
        found.remarks.append(
            f"{len(systems)} systems are read: {listed(systems)}. Choose others if one of these "
            "columns is no system; one that describes the examples can be chosen as a covariate."
        )


def remark_on_single_row_runs(found: ExampleFindings, roles: Roles) -> None:
    """A remark where runs stand for examples, as each has a single row."""
    example = column_of(roles, "example")
    if example is not None and heading(example) in RUN_HEADINGS:
        found.remarks.append(
            "No column holds ids of examples, and each run has a single row: rows are paired by "
            f"{quoted(example)}, so that runs are compared and not examples."
        )
