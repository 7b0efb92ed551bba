"""Rows of examples by dataset, what is wrong with them told with its place, and what is remarked.

What scores and predictions have in common; which columns they are is found in `columns`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...errors import LEFT_OUT, Choice, DataError, Problem, answers, bounded, listed, quoted
from ...types import BoolArray, IntArray
from ..overlap.known_by import input_columns
from ..roles import FIRST_COPY, NO_NAME, Roles, column_of
from ..side_data import sorted_distinct
from ..tables.headings import folded, is_named, runs_told_apart
from ..tables.number_column import is_textual, numbers_of
from ..tables.raw_table import RawTable
from .row_units import blank_rows, combined, first_rows_of, n_combinations, numbered

MEANS_ELSEWHERE = (
    "No test is made here of what stands after ±. If these are standard deviations over runs, the "
    "page “Check a paper” tests means with them."
)
NEEDS_TWO_SYSTEMS = (
    "Give each system a column of scores, or each score a row with the columns 'dataset', "
    "'example', 'system' and 'score'; or choose the columns."
)


DatasetLabels = dict[str, dict[str, str]]


_COPIES = answers(
    "Some rows repeat an earlier one in every column.",
    ("copies", FIRST_COPY, "Keep the first copy of each row"),
)
MAX_SYSTEMS = 500
MAX_DATASETS = 10_000


# So many names are offered as answers, where they may be more.
MOST_OFFERED = 50


def which_of(role: str, question: str, names: Iterable[str]) -> Choice:
    """The question which of these names or columns a role has."""
    return Choice(role=role, question=question, options=tuple((name, name) for name in names))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """Rows by dataset."""

    # In the order of their first rows; '' for rows without a name.
    datasets: tuple[str, ...]
    # Shape (n_rows,): for each row a position in `datasets`, in as few bytes as that takes.
    codes: npt.NDArray[np.integer]

    @property
    def is_contiguous(self) -> bool:
        """Whether the file has each dataset's rows together, so that none need be moved."""
        return bool((self.codes[1:] >= self.codes[:-1]).all())


@dataclass(slots=True, kw_only=True)
class ExampleFindings:
    """The rows that are read by now, with problems, remarks and open questions about them."""

    raw: RawTable
    # What each column is for, resolved.
    roles: Roles = field(default_factory=dict)
    # What the one dataset is called where no column names datasets.
    source_name: str = ""
    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    # What is left out where a score is missing: an example, or a dataset with one score of each
    # system.
    unit: Literal["example", "dataset"] = "example"
    # Whether missing answers may be counted as wrong ones.
    may_be_wrong: bool = False
    # Shape (n_rows,): each row's example where it has several rows, so that one is left out with
    # the others.
    examples: IntArray | None = None
    # The column of the runs whose scores are averaged; None where one run is read.
    averaged: str | None = None
    _groups: Groups | None = field(default=None, init=False)

    @property
    def groups(self) -> Groups:
        """The rows by dataset."""
        if self._groups is None:
            # Without a column of datasets the file is one, by its own name.
            name = re.sub(r"\.(csv|tsv|txt|tab|dat)$", "", self.source_name.strip(), flags=re.I)
            names: tuple[str, ...] = (name.strip() or NO_NAME,)
            codes: npt.NDArray[np.integer] = np.zeros(self.raw.n_rows, dtype=np.int8)
            column = self.column("dataset")
            if column is not None:
                coded = self.raw.coded(column)
                names, codes = tuple(coded.texts), coded.codes
            self._groups = Groups(datasets=names, codes=codes)
        return self._groups

    def column(self, role: str) -> str | None:
        """The column with a role, None where there is none."""
        return column_of(self.roles, role)

    @property
    def slots(self) -> dict[str, str]:
        """The columns that say what a row is of its example, by what they name."""
        every = {
            "system": self.column("system"),
            "metric": self.column("metric_names"),
            "run": self.averaged,
        }
        return {unit: column for unit, column in every.items() if column is not None}

    @property
    def incomplete(self) -> object:
        """What was chosen to be done with examples and datasets that lack something."""
        return self.roles.get("incomplete")

    def go_on_with(self, raw: RawTable, *remarks: str) -> None:
        """Read other rows from here on, such as some of those that were there."""
        self.raw, self._groups, self.examples = raw, None, None
        self.remarks.extend(remarks)

    def stop_at_problems(self) -> None:
        """Raise a `DataError` with every problem and question, if there are problems."""
        if self.problems:
            raise DataError(self.problems, choices=self.choices)

    def cell_problems(
        self,
        rows: IntArray,
        column: str,
        explain: Callable[[int], tuple[str, str]] | tuple[str, str],
        *,
        mended_by: tuple[str, ...] = (),
    ) -> None:
        """Add a problem for each of these cells; `explain` is what is wrong and the remedy."""
        if not rows.size:
            return

        def place(row: int) -> tuple[str | None, int]:
            return self.raw.file_of(row, column), int(self.raw.lines[row])

        def problems() -> Iterable[Problem]:
            of_rows = self.examples
            for row in rows.tolist():
                what, remedy = explain(row) if callable(explain) else explain
                file, line = place(row)
                others = () if of_rows is None else np.flatnonzero(of_rows == of_rows[row])
                yield Problem(
                    what,
                    remedy,
                    dataset=self.dataset(row) or None,
                    column=column,
                    line=line,
                    file=file,
                    mended_by=mended_by,
                    with_it=tuple(place(int(other)) for other in others if other != row),
                )

        self.problems.extend(
            bounded(problems(), n_problems=rows.size, of=f"cells of {quoted(column)}")
        )

    def check_named(
        self, column: str, unit: str, remedy: str = "Name the {} in every row."
    ) -> None:
        """A problem for each row that names no dataset, system, run or the like."""
        explain = (f"The row names no {unit}.", remedy.format(unit))
        self.cell_problems(np.flatnonzero(blank_rows(self.raw, [column])), column, explain)

    def refuse(self, what: str, remedy: str, **place: Any) -> None:
        """Add a problem, with its place and what mends it as `Problem` has them."""
        self.problems.append(Problem(what, remedy, **place))

    def need_two(self, systems: Sequence[str], held: str, remedy: str) -> None:
        """Refuse fewer than two columns; `held` says what each of these holds, as "holds scores"."""
        if len(systems) < 2:
            some = f"Only {quoted(systems[0])} {held}" if systems else f"No column {held}"
            self.refuse(f"{some}; a comparison needs two systems.", remedy)

    def problem(self, row: int, column: str, what: str, remedy: str, **mending: Any) -> None:
        """Add a problem of one cell, with what mends it as `Problem` has it."""
        self.cell_problems(np.array([row]), column, (what, remedy), **mending)

    def dataset(self, row: int) -> str:
        """The name of a row's dataset."""
        return self.groups.datasets[int(self.groups.codes[row])]

    def place(self, row: int) -> str:
        """A row's dataset and line, for remarks."""
        return f"line {int(self.raw.lines[row])}, dataset {quoted(self.dataset(row))}"

    def line_of(self, row: int, column: str, beside: int) -> str:
        """The line of a row, and its file where that is not the one of the row `beside` it."""
        file, line = self.raw.file_of(row, column), f"line {int(self.raw.lines[row])}"
        return (
            f"{line} of {quoted(file)}"
            if file and file != self.raw.file_of(beside, column)
            else line
        )


def label_columns(found: ExampleFindings, taken: Collection[str]) -> DatasetLabels:
    """For each such column the label of each dataset.

    A column counts where it holds text, the same on every row of a dataset,
    and puts at least two datasets together.
    """
    raw, datasets, codes = found.raw, found.groups.datasets, found.groups.codes
    labels: DatasetLabels = {}
    if len(datasets) < 2:
        return labels
    passed_over = {*taken, *input_columns(raw, taken)}
    textual = [c for c in raw.header if c not in passed_over and is_textual(raw, c)]
    if not textual:
        return labels
    first_rows = first_rows_of(codes, len(datasets))
    for column in textual:
        coded = raw.coded(column)
        own = coded.codes[first_rows]
        n_labels = np.unique(own).size
        if 1 < n_labels < len(datasets) and bool((own[codes] == coded.codes).all()):
            texts = coded.array.take(own).to_pylist()
            labels[column] = dict(zip(datasets, texts, strict=True))
    return labels


def check_datasets(found: ExampleFindings) -> None:
    """Every row names its dataset."""
    column = found.column("dataset")
    if column is not None:
        found.check_named(column, "dataset")
        remark_on_twins(found, "datasets", [name for name in found.groups.datasets if name])


def check_once(found: ExampleFindings) -> None:
    """Every dataset has a name and a single row, of each system where rows name them."""
    check_datasets(found)
    system = found.column("system")
    named = {"dataset": str(found.column("dataset"))}
    check_repeats(found, named if system is None else {**named, "system": system})


def check_systems(
    found: ExampleFindings, systems: Sequence[str], *, from_header: bool = True
) -> None:
    """There are not too many systems, and those that the header names have names."""
    if len(systems) > MAX_SYSTEMS:
        found.refuse(
            f"The file has {len(systems):,} systems; at most {MAX_SYSTEMS} are read.",
            "Keep the systems that are compared.",
        )
    numbers = (name.replace(".", "", 1).removeprefix("-").isdecimal() for name in systems)
    if from_header and len(systems) >= 2 and all(numbers):
        found.refuse(
            f"The first line names the systems {listed(systems)}: it seems to hold "
            "results, not names.",
            "Write a header line with a name for each column.",
            line=1,
        )
    remark_on_twins(found, "systems", systems)


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


def remark_on_single_row_runs(found: ExampleFindings) -> None:
    """A remark where runs stand for examples, as each has a single row."""
    example = found.column("example")
    run = None if example is None else runs_told_apart(example)
    if example is not None and run is not None:
        found.remarks.append(
            f"No column holds ids of examples, and each {run} has a single row: rows are paired by "
            f"{quoted(example)}, so that {run}s are compared and not examples."
        )


# So many columns are named.
_MOST_NAMED = 3


def check_repeats(found: ExampleFindings, named: Mapping[str, str]) -> None:
    """No row has the names of an earlier one.

    `named` are the columns of these names, by what they name: "dataset", "example", "system", ….
    """
    raw, columns = found.raw, tuple(named.values())
    if n_combinations(raw, columns) == raw.n_rows:
        return
    codes = numbered(combined(raw, columns))
    first = first_rows_of(codes, int(codes.max()) + 1)[codes]
    again: BoolArray = (first != np.arange(raw.n_rows)) & ~blank_rows(raw, columns)
    alike = combined(raw, raw.header)
    copies: BoolArray = again & (alike == alike[first])
    others = again & ~copies
    example = named.get("example")
    column = example or str(named.get("dataset"))
    rows = np.flatnonzero(np.isin(first, first[others]))
    told = [c for c in raw.header if c not in columns and _tells_apart(raw, c, rows, first[rows])]
    slots = {unit: c for unit, c in named.items() if unit not in ("dataset", "example")}
    texts = [c for c in told if is_textual(raw, c)]
    if example is None and not slots and texts and 2 * rows.size >= raw.n_rows:
        found.refuse(
            f"A dataset has several rows, which differ in {quoted(texts[0])} "
            f"({listed(raw.coded(texts[0]).texts)}); one row of each is read.",
            "Give each system a column of its scores, and each dataset one row."
            if is_named(texts[0], "system")
            else "Keep the rows of one of them; or, if each row is a dataset of its own, write both "
            "names into one column.",
            column=column,
        )
        return
    if example is not None:
        remedy = _remedy_for_examples(told[:_MOST_NAMED], slots)
    elif slots:
        remedy = "Keep one row for each dataset and system; if the rows are examples, choose another layout."
    else:
        remedy = "Keep one row for each dataset, or choose another column for their names."

    def explain(row: int) -> tuple[str, str]:
        of = " and ".join(
            f"{unit} {quoted(raw.column(slot)[row].as_py())}" for unit, slot in slots.items()
        )
        if example is not None:
            what = f"The example {quoted(raw.column(example)[row].as_py())}{of and f' of {of}'}"
        else:
            what = f"The score of {of} on this dataset" if of else "The dataset"
        return f"{what} is already on {found.line_of(int(first[row]), column, row)}.", remedy

    if copies.any():
        found.choices += _COPIES
    # Given up as ids, each would count twice.
    found.cell_problems(
        np.flatnonzero(copies),
        column,
        lambda row: (explain(row)[0], "Remove the copies: they are the same in every column."),
        mended_by=("copies", LEFT_OUT),
    )
    found.cell_problems(np.flatnonzero(others), column, explain)


def _remedy_for_examples(told: Sequence[str], slots: Mapping[str, str]) -> str:
    """What to do about rows of one example, which the columns `told` tell apart."""
    groups = [column for column in told if is_named(column, "cluster")]
    others = [column for column in told if column not in groups]
    remedy = ""
    if groups:
        remedy += (
            f"If the ids begin anew within {listed(groups)}, write the two together as one id, or "
            "declare that no column holds ids. "
        )
    if others:
        remedy += (
            f"These rows differ in {listed(others)}: a column that names examples, runs, metrics "
            "or systems can be chosen for that. "
        )
    if not slots:
        return (
            f"{remedy}Keep one row for each example of a dataset, or choose another column, or "
            "none, for the ids."
        )
    if "run" in slots:
        return f"{remedy}Keep one of these rows."
    return (
        f"{remedy}Keep one of these rows; if they are several runs, say in a column 'run' which row "
        "is of which run."
    )


def _tells_apart(raw: RawTable, column: str, rows: IntArray, groups: IntArray) -> bool:
    """Whether no two rows of a group hold the same text of a column that may hold names."""
    coded = raw.coded(column)
    keys = groups * np.int64(len(coded.array)) + coded.codes[rows]
    if sorted_distinct(keys).size < rows.size:
        return False
    values = numbers_of(raw, column).values
    values = values[np.isfinite(values)]
    # Scores may differ by chance; names in digits are whole numbers, and not 0 and 1 alone.
    return bool(
        (values == np.floor(values)).all() and not (values.size and np.isin(values, (0, 1)).all())
    )
