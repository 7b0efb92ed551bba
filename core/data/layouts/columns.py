"""The one resolver of roles: what each column of a table is, by its heading and by what it holds.

A role is given by the file's owner, named by a heading (`VOCABULARY` in `tables.headings`), or told
by contents: ids tell rows apart, clusters group them, counters count them. A kind of file is
one record: the roles that it has, how it is recognised, and how it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ...errors import Problem
from ..p_value_table import PValueTable
from ..result_set import ResultSet
from ..roles import (
    COLUMN_ROLES,
    COVARIATES,
    LAYOUT,
    MENDING,
    Roles,
    column_of,
    columns_in_use,
    several_of,
    shared_column_problems,
)
from ..score_table import EffectTable, ScoreTable
from ..side_data import sorted_distinct
from ..tables.directions import names_metric
from ..tables.headings import (
    NO_HEADING,
    VOCABULARY,
    columns_named,
    find_column,
    heading,
    is_adjusted,
    is_named,
    p_value_heading,
    roles_named,
)
from ..tables.limits import stop_at
from ..tables.number_column import (
    headed_as_p_values,
    is_numeric,
    is_textual,
    language_columns,
    may_hold_scores,
    numbers_of,
)
from ..tables.numbers import NOT_SIGNIFICANT, printed_kind
from ..tables.raw_table import RawTable
from .per_example import MAX_DATASETS, ExampleFindings
from .row_units import (
    FEW_IN,
    columns_of_places,
    combined,
    counts_rows,
    find_unit,
    has_repeats,
    incomplete_rows,
    n_combinations,
)
from .score_cells import is_binary, numeric_columns, says_right_or_wrong

# In letters on average: names of documents are shorter, documents themselves are longer.
_A_PASSAGE = 60
# More different values than this are no names of metrics.
MAX_METRICS = 200
# Roles that other headings name as well.
_HEADED: Mapping[str, Collection[str]] = {
    "dataset": {"dataset", "study"},
    "example": {"example", "unit", "counter"},
    "system_a": (),
    "system_b": (),
    COVARIATES: {"measure", "category"},
}
_IDS = ("example", "unit", "counter")


class Columns:
    """The columns of one table, each asked for by its role; what was found is found once.

    Roles that are `given` are columns, or None for "not there".
    """

    def __init__(self, raw: RawTable, given: Roles) -> None:
        self.raw = raw
        self.given = given

    def headed(self, role: str) -> list[str]:
        """The columns whose headings may name a role."""
        return [column for column in self.raw.header if role in roles_named(column)]

    @cached_property
    def dataset(self) -> str | None:
        """The column of the datasets: as given, else by its heading."""
        if "dataset" in self.given:
            return column_of(self.given, "dataset")
        return find_column(self.raw.header, "dataset", taken=columns_in_use(self.given))

    @cached_property
    def example(self) -> str | None:
        """The column of the examples' ids: as given, by its heading, or by what it tells apart."""
        raw, given = self.raw, self.given
        if "example" in given:
            return column_of(given, "example")
        taken = self._with(self.dataset) | language_columns(raw)
        grouping = grouping_columns(raw, given, taken)
        passed = taken.union(grouping)
        found = find_column(raw.header, "example", taken=passed)
        if found is not None:
            return None if raw.is_blank(found) else found
        unit = find_unit(raw, taken, grouping)
        if unit is not None:
            return unit
        counter = find_column(raw.header, "counter", taken=passed)
        if counter is None or raw.is_blank(counter):
            return None
        within = held(self.dataset)
        if within and n_combinations(raw, [*within, counter]) == n_combinations(raw, within):
            # It is an id of the dataset, however many rows that has.
            return None
        # Text without a heading of its own counts nothing.
        return None if heading(counter) in NO_HEADING and is_textual(raw, counter) else counter

    @cached_property
    def gold(self) -> str | None:
        """The column of the gold labels: as given, else by its heading."""
        if "gold" in self.given:
            return column_of(self.given, "gold")
        taken = self._with(self.dataset, self.example)
        found = find_column(self.raw.header, "gold", taken=taken)
        return found if found is not None and not self.raw.is_blank(found) else None

    @property
    def ids(self) -> str | None:
        """The column of the examples' ids, if it does not only count them by its heading."""
        return None if counts_rows(self.example) else self.example

    @property
    def base(self) -> list[str]:
        """The columns of datasets, examples and gold labels, as far as there are any."""
        return held(self.dataset, self.example, self.gold)

    @cached_property
    def system(self) -> str | None:
        """The column that names the system of each row: as given, by heading and repeated names."""
        return self.system_beside(self.example)

    def system_beside(self, example: str | None) -> str | None:
        """As `system`, where this column holds the ids."""
        raw = self.raw
        if "system" in self.given:
            return column_of(self.given, "system")
        keys = held(self.dataset, example)
        taken = self._with(*keys)
        for column in self.headed("system"):
            if column in taken or len(raw.coded(column).array) < 2:
                continue
            if has_repeats(raw, column) or (
                example is not None and n_combinations(raw, keys) < raw.n_rows
            ):
                if is_textual(raw, column):
                    return column
                rest = scores_of_rows(raw, [*keys, column])
                if rest and (len(rest) == 1 or all(map(names_metric, rest))):
                    return column
        return None

    def metric_names(self, taken: Collection[str]) -> str | None:
        """The column that names the metric of each row: as given, else by heading and several names."""
        raw = self.raw
        if "metric_names" in self.given:
            return column_of(self.given, "metric_names")
        found = find_column(raw.header, "metric_names", taken=taken)
        if found is None or not is_textual(raw, found):
            return None
        return found if 2 <= len(raw.coded(found).array) <= MAX_METRICS else None

    def _run(self, ids: str | None, within: Sequence[str]) -> str | None:
        """The column that tells repeated runs of the same examples apart."""
        raw = self.raw
        if "run" in self.given:
            return column_of(self.given, "run")
        passed = {ids, *within, column_of(self.given, "cluster")}
        for column in self.headed("run"):
            if column in passed or len(raw.coded(column).array) < 2 or raw.is_blank(column):
                continue
            if ids is not None:
                # Where no id stands in two runs, nothing is repeated.
                keys = [*within, ids]
                if n_combinations(raw, [*keys, column]) > n_combinations(raw, keys):
                    return column
            elif not self._has_single_rows(column, within):
                return column
        return None

    def _single_runs(self, within: Sequence[str]) -> str | None:
        """The column of runs that have one row each, where nobody says and nothing else tells."""
        raw = self.raw
        if {"run", "example"} & self.given.keys() or raw.n_rows < 2:
            return None
        if within and n_combinations(raw, within) == raw.n_rows:
            return None
        free = (c for c in raw.header if is_named(c, "run", "fold") and c not in within)
        return next((c for c in free if self._has_single_rows(c, within)), None)

    def _has_single_rows(self, column: str, within: Sequence[str]) -> bool:
        return n_combinations(self.raw, [*within, column]) == self.raw.n_rows

    def of_examples(
        self,
        example: str | None,
        slots: Sequence[str | None] = (),
        taken: Collection[str | None] = (),
    ) -> dict[str, str | None]:
        """The columns of datasets, ids, runs and clusters, by their roles.

        `slots` are the columns that say of which system and metric a row is. A run may have a single
        row, a score of it as a whole: without ids the runs are then compared.
        """
        within = held(self.dataset, *slots)
        numbers_rows = "example" not in self.given and _numbers_rows(
            self.raw, example, self.dataset
        )
        ids = None if numbers_rows else example
        run = self._run(ids, within)
        if run is None and ids is None:
            ids = self._single_runs(within) or example
        cluster = self.cluster((*slots, run), (*taken, ids))
        return {"dataset": self.dataset, "example": ids, "run": run, "cluster": cluster}

    def cluster(self, slots: Sequence[str | None], taken: Collection[str | None]) -> str | None:
        """The column of the clusters: as given, else by its heading and by what it groups."""
        if "cluster" in self.given:
            return column_of(self.given, "cluster")
        passed = {*taken, self.dataset, *slots, *columns_in_use(self.given)}
        within = held(self.dataset)
        for column in _headed_like_clusters(self.raw):
            # A column that says the same all through each dataset groups datasets.
            if (
                column not in passed
                and _n_again(self.raw, [*within, *held(*slots), column], column)
                and n_combinations(self.raw, [*within, column]) > n_combinations(self.raw, within)
            ):
                return column
        return None

    def by_heading(
        self, role: str, *, taken: Collection[str], more: Sequence[str] = ()
    ) -> str | None:
        """The column with this role: as given, else the first that is headed so or by one of `more`."""
        if role in self.given:
            return column_of(self.given, role)
        return find_column(self.raw.header, (*VOCABULARY[role], *more), taken=taken)

    def evidence(self, roles: Roles) -> dict[str, str]:
        """Why columns have these roles: they were given, headings say it, or what they hold does."""
        told: dict[str, str] = {}
        for role, value in roles.items():
            several = several_of(roles, role) or ()
            columns = (value,) if role in COLUMN_ROLES and isinstance(value, str) else several
            for column in columns if role not in MENDING else ():
                if role in self.given:
                    told[column] = "given"
                elif not roles_named(column).isdisjoint(_HEADED.get(role, {role})):
                    told[column] = "heading"
                else:
                    told[column] = _what_it_holds(self.raw, column)
        return told

    def asks_for(self, layout: str) -> bool:
        """Whether the owner chose this kind of file."""
        return self.given.get(LAYOUT) == layout

    def has_given(self, *roles: str) -> bool:
        """Whether the owner gave columns one of these roles."""
        return any(
            column_of(self.given, role) is not None or several_of(self.given, role)
            for role in roles
        )

    def _with(self, *columns: str | None) -> set[str]:
        """The columns in use, and these."""
        return columns_in_use(self.given).union(held(*columns))


def held(*columns: str | None) -> list[str]:
    """Those that there are."""
    return [column for column in columns if column is not None]


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
        if headed_as_p_values(raw, column)
        and not is_adjusted(column)
        # Under "Sig." may as well stand stars or words.
        and (p_value_heading(column) != "sig" or _hold_p_values(raw, column))
    ]
    order = VOCABULARY["p_value"]
    plain.sort(key=lambda column: order.index(p_value_heading(column)))
    dataset = find_column(raw.header, "dataset")
    if (
        find_column(raw.header, "example") is not None
        or dataset is None
        or has_repeats(raw, dataset)
    ):
        return tuple(plain)
    named = [
        column
        for column in raw.header
        if column not in plain
        and heading(column).startswith("p ")
        and not is_named(column, "no_score", "complement")
        and not is_adjusted(column)
        and are_probabilities(raw, column)
    ]
    return (*plain, *named)


def _hold_p_values(raw: RawTable, column: str) -> bool:
    """Whether most cells that are not blank can be read as p-values, not as words alone.

    Numbers alone under the name of a test may be its statistic.
    """
    shown = "[0-9]" if heading(column).startswith("sig") else "[=<>≤≥]"
    texts = [text for text in raw.coded(column).texts[:_MOST_LOOKED_AT] if text]
    read = [text for text in texts if printed_kind(text) not in ("", "none")]
    return 2 * len(read) > len(texts) and any(
        re.search(shown, text) or text.casefold() in NOT_SIGNIFICANT for text in read
    )


def are_probabilities(raw: RawTable, column: str) -> bool:
    """Whether a column's numbers all lie from 0 to 1."""
    if not is_numeric(raw, column):
        return False
    values = numbers_of(raw, column).text_values
    return bool((np.isnan(values) | ((values >= 0) & (values <= 1))).all())


def score_columns(raw: RawTable, taken: set[str]) -> list[str]:
    """Columns of numbers that may be scores."""
    return [
        column
        for column in raw.header
        if column not in taken
        and may_hold_scores(raw, column)
        and not headed_as_p_values(raw, column)
        and is_numeric(raw, column)
    ]


def scores_of_rows(raw: RawTable, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns of numbers that are no answers of a system."""
    return tuple(c for c in numeric_columns(raw, taken) if not is_named(c, "prediction"))


def _what_it_holds(raw: RawTable, column: str) -> str:
    """A column's contents in a few words."""
    if is_binary(raw, (column,)):
        words = says_right_or_wrong(raw, column)
        return "holds words for right and wrong" if words else "holds 0 and 1"
    if not is_textual(raw, column):
        return "holds numbers"
    n_texts = len(raw.coded(column).array)
    return f"holds {n_texts:,} different text{'' if n_texts == 1 else 's'}"


def grouping_columns(raw: RawTable, given: Roles, taken: Collection[str]) -> tuple[str, ...]:
    """Columns headed like ids of documents that group the examples of a dataset.

    A column in which only a few rows stand twice holds ids, and mistakes,
    unless another column tells the rows apart. So does one of which each text
    occurs with each text of another column, such as two ways to score an
    answer: what else would be read as examples are then repeated measurements.
    """
    if "cluster" in given:
        return tuple(held(column_of(given, "cluster")))
    found = [
        column
        for column in _headed_like_clusters(raw)
        if column not in taken and is_named(column, "example", "unit")
    ]
    if not found:
        return ()
    places = columns_of_places(raw, taken, passed=found)
    n_again = {column: _n_again(raw, [*places, column], column) for column in found}
    found = [column for column in found if n_again[column]]
    if not found:
        return ()
    has_slots = any(is_named(column, "system", "metric_names", "run") for column in places)
    has_ids = any(
        is_named(column, *_IDS)
        and not is_named(column, "cluster")
        and column not in taken
        and n_combinations(raw, [*places, column]) == raw.n_rows
        # A number for each row of several systems is no id that they share.
        and not (has_slots and len(raw.coded(column).array) == raw.n_rows)
        for column in raw.header
    )
    most = 0 if has_ids else max(1, raw.n_rows // FEW_IN)
    return tuple(
        column
        for column in found
        if n_again[column] > most and not _is_crossed(raw, column, places)
    )


def columns_but_inputs(raw: RawTable, roles: Roles) -> set[str]:
    """Every column with a role, but for ids and clusters that are themselves texts read by a system."""
    used = columns_in_use(roles)
    example, cluster = column_of(roles, "example"), column_of(roles, "cluster")
    if example is not None and is_named(example, "input"):
        used.discard(example)
    if cluster is not None and is_named(cluster, "input"):
        lengths = pc.mean(pc.utf8_length(raw.coded(cluster).array)).as_py()
        if lengths >= _A_PASSAGE:
            used.discard(cluster)
    return used


def _headed_like_clusters(raw: RawTable) -> list[str]:
    """Columns with a heading of clusters that are not blank, by the order of these headings."""
    return [column for column in columns_named(raw.header, "cluster") if not raw.is_blank(column)]


def _is_crossed(raw: RawTable, column: str, places: Sequence[str]) -> bool:
    """Whether ids stand once beside each text of a column that has another few."""
    if not is_named(column, "example"):
        return False
    n_ids = n_combinations(raw, [*places, column])
    return any(
        other not in (*places, column)
        and not is_named(other, *_IDS, "cluster", "input", "gold")
        and 1 < len(raw.coded(other).array) == raw.n_rows / n_ids
        and is_textual(raw, other)
        and n_combinations(raw, [*places, column, other]) == raw.n_rows
        for other in raw.header
    )


def _n_again(raw: RawTable, columns: Sequence[str], column: str) -> int:
    """How many rows repeat another in these columns, those aside that hold nothing in one."""
    blank = incomplete_rows(raw, (column,))
    if not blank.any():
        return raw.n_rows - n_combinations(raw, columns)
    keys: npt.NDArray[np.int64] = combined(raw, columns)[~blank]
    return int(keys.size - sorted_distinct(keys).size)


def _numbers_rows(raw: RawTable, example: str | None, dataset: str | None) -> bool:
    """Whether a counter goes on through all rows of a dataset, whatever run they are of."""
    if example is None or not counts_rows(example) or raw.n_rows < 2:
        return False
    values, codes = numbers_of(raw, example).values, combined(raw, held(dataset))
    order = np.argsort(codes, kind="stable")
    steps = np.diff(values[order])[np.diff(codes[order]) == 0]
    return bool((np.diff(values) == 1.0).all() or (steps == 1.0).all())


Results = PValueTable | ResultSet | ScoreTable | EffectTable
Read = Callable[[ExampleFindings], Results]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """One kind of file."""

    # As a person calls it.
    name: str
    # Which columns it has, in one sentence.
    description: str
    # The roles without which it cannot be read, and what their columns hold in words.
    needs: Mapping[str, str]
    # Every role that its columns may have; "systems" is held by several.
    roles: tuple[str, ...]
    # A small file of this kind, which reads without problems or remarks.
    template: str
    # Every role resolved, those that are given kept as they are, but for the layout, `declares`,
    # covariates and margins, which all kinds have alike; None if the file is of another kind.
    recognise: Callable[[Columns], Roles | None]
    # Raises `DataError` with every problem; `found` has the rows and the roles.
    read: Read
    # Declarations that count for it where they are made.
    declares: tuple[str, ...] = ()
    # Whether its headings tell it from any other kind, whatever else a file holds.
    shows_by_headings: bool = False

    def check_roles(self, raw: RawTable, roles: Roles) -> None:
        """Each column has one role, each role that is needed a column, and datasets are not too many."""
        problems = shared_column_problems(roles)
        problems += [
            Problem(
                f"No column is recognised for the role '{role}'.",
                f"Name the column of {held} '{role}' or choose it.",
            )
            for role, held in self.needs.items()
            if column_of(roles, role) is None
        ]
        column = column_of(roles, "dataset")
        n_datasets = 0 if column is None else len(raw.coded(column).array)
        if n_datasets > MAX_DATASETS:
            problems.append(
                Problem(
                    f"The column names {n_datasets:,} datasets; at most {MAX_DATASETS:,} are read.",
                    "If it names examples, choose it for their ids, and another or none for the "
                    "datasets.",
                    column=column,
                )
            )
        stop_at(problems)
