"""The one resolver of roles: what each column of a table is, by its heading and by what it holds.

A role is given by the file's owner, named by a heading (`VOCABULARY` in `tables.headings`), or told
by contents: ids tell rows apart, clusters group them, counters count them. A kind of file is
one record: the roles that it has, how it is recognised, and how it is read.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ...errors import Problem, stop_at
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
from ..tables.number_column import (
    headed_as_p_values,
    is_numeric,
    is_textual,
    language_columns,
    numbers_of,
)
from ..tables.numbers import NOT_SIGNIFICANT, printed_kind
from ..tables.raw_table import RawTable
from .per_example import MAX_DATASETS, ExampleFindings
from .row_units import FEW_IN, combined, counts_rows, has_repeats, incomplete_rows, n_combinations
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
        """The column of the examples' ids: as given, by its heading, or by what it tells apart.

        Headings of examples say so themselves, those of units (queries, turns) where nothing else
        tells the rows of a dataset apart, and those of counters last. An id of documents that stands
        on several rows groups examples, and is no id of them.
        """
        raw, given = self.raw, self.given
        if "example" in given:
            return column_of(given, "example")
        taken = self._with(self.dataset) | language_columns(raw)
        free = [column for column in raw.header if column not in taken]
        ids = dict.fromkeys(column for role in _IDS for column in columns_named(free, role))
        slots = [c for c in free if is_named(c, "system", "metric_names", "run")]
        places = [c for c in free if c in slots or is_named(c, "dataset")]
        places += [c for c in raw.header if c in taken and raw.is_repetitive(c)]
        few = raw.n_rows // FEW_IN
        for column in ids:
            if is_named(column, "cluster"):
                n_again = _n_again(raw, [*places, column], column)
                # A few rows that stand twice are mistakes, unless another column tells them apart.
                others = (c for c in ids if not is_named(c, "cluster"))
                told = any(
                    n_combinations(raw, [*places, c]) == raw.n_rows
                    # A number for each row of several systems is no id that they share.
                    and (not slots or has_repeats(raw, c))
                    for c in others
                )
                if n_again > (0 if told else max(1, few)) and not self._is_crossed(column, places):
                    continue
            if is_named(column, "example"):
                return None if raw.is_blank(column) else column
            if is_named(column, "unit"):
                is_text = is_named(column, "input") and is_textual(raw, column)
                told = bool(places) and n_combinations(raw, places) == raw.n_rows
                n_again = raw.n_rows - n_combinations(raw, [*places, column])
                if not (is_text or told or n_again > few or len(raw.coded(column).array) < 2):
                    return column
                continue
            # Text without a heading of its own counts nothing.
            is_text = heading(column) in NO_HEADING and is_textual(raw, column)
            # It may be an id of the dataset, however many rows that has.
            of_dataset = self.dataset and _has_one_each(raw, self.within, column)
            return None if raw.is_blank(column) or is_text or of_dataset else column
        return None

    def _is_crossed(self, column: str, places: Sequence[str]) -> bool:
        """Whether ids stand once beside each text of a column that has another few.

        Such are two ways to score an answer: these are repeated measurements, and no groups.
        """
        raw, n_ids = self.raw, n_combinations(self.raw, [*places, column])
        return any(
            other not in (*places, column)
            and not is_named(other, *_IDS, "cluster", "input", "gold")
            and 1 < len(raw.coded(other).array) == raw.n_rows / n_ids
            and is_textual(raw, other)
            and n_combinations(raw, [*places, column, other]) == raw.n_rows
            for other in raw.header
        )

    @cached_property
    def gold(self) -> str | None:
        """The column of the gold labels: as given, else by its heading."""
        if "gold" in self.given:
            return column_of(self.given, "gold")
        taken = self._with(self.dataset, self.example)
        found = find_column(self.raw.header, "gold", taken=taken)
        return found if found is not None and not self.raw.is_blank(found) else None

    @property
    def within(self) -> list[str]:
        """The column of the datasets, if there is one: keys within which examples are told apart."""
        return held(self.dataset)

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
            # On a single dataset or example no name repeats.
            if has_repeats(raw, column) or (keys and n_combinations(raw, keys) < raw.n_rows):
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
        # Where no id stands in two runs, nothing is repeated; nor where each run has a single row.
        keys = [*within, *held(ids)]
        n_once = raw.n_rows if ids is None else n_combinations(raw, keys)
        for column in self.headed("run"):
            if column in passed or len(raw.coded(column).array) < 2:
                continue
            n_runs = n_combinations(raw, [*keys, column])
            if n_runs < n_once if ids is None else n_runs > n_once:
                return column
        return None

    def _single_runs(self, within: Sequence[str]) -> str | None:
        """The column of runs that have one row each, where nobody says and nothing else tells."""
        raw = self.raw
        told = bool(within) and n_combinations(raw, within) == raw.n_rows
        if {"run", "example"} & self.given.keys() or raw.n_rows < 2 or told:
            return None
        free = (c for c in raw.header if is_named(c, "run", "fold") and c not in within)
        return next((c for c in free if n_combinations(raw, [*within, c]) == raw.n_rows), None)

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
        within = [*self.within, *held(*slots)]
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
        raw, within = self.raw, self.within
        if "cluster" in self.given:
            return column_of(self.given, "cluster")
        passed = {*taken, *slots, *self._with(self.dataset)}
        for column in columns_named(raw.header, "cluster"):
            # A column that says the same all through each dataset groups datasets.
            if (
                column not in passed
                and not raw.is_blank(column)
                and _n_again(raw, [*within, *held(*slots), column], column)
                and not _has_one_each(raw, within, column)
            ):
                return column
        return None

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


def _has_one_each(raw: RawTable, within: Sequence[str], column: str) -> bool:
    """Whether a column says the same all through each dataset."""
    return n_combinations(raw, [*within, column]) == n_combinations(raw, within)


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
