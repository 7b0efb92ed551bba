"""Rows brought together by example: which row holds which system, metric and run, and which runs count.

Vocabulary
----------
slot
    What a row is of its example: one system, metric and run. A file with a
    column for each system, one metric and one run has a single slot.
complete
    An example with a row in every slot and no value missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ...errors import Problem, answers, bounded, listed, quoted
from ...types import BoolArray, FloatArray, IntArray
from ..roles import AVERAGE_RUNS, LEAVE_OUT, ONLY_RUN
from ..side_data import RepeatedRuns, sorted_distinct
from ..tables.raw_table import RawTable, rows_of_each
from .columns import held
from .per_example import ExampleFindings, check_repeats
from .row_units import first_rows_of, n_combinations, rows_of_examples


def runs_of_systems(raw: RawTable, system: str, run: str) -> tuple[tuple[str, ...], ...] | None:
    """For each system the names of its runs; None unless each has as many and no two share any."""
    systems, runs = raw.coded(system), raw.coded(run)
    n_systems, names = len(systems.array), runs.texts
    if n_systems < 2 or "" in names or "" in systems.texts:
        return None
    keys = sorted_distinct(runs.codes.astype(np.intp) * n_systems + systems.codes)
    owners = keys % n_systems
    sizes = np.bincount(owners, minlength=n_systems)
    if keys.size != len(names) or (sizes != sizes[0]).any():
        return None
    return tuple(
        tuple(names[index] for index in np.flatnonzero(owners == own)) for own in range(n_systems)
    )


Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairing:
    """For each row its example and its slot."""

    # The column of ids, or of the datasets where these are left out whole; None where rows are
    # counted instead.
    example: str | None
    # Systems, metrics and runs, in the order of their first rows; ('',) where no column names them.
    # Where each system has runs of its own, those of the first system.
    names: Names
    # Shape (n_rows,): for each row its example, numbered by first appearance over all datasets.
    units: IntArray
    # Shape (n_rows,): for each row its slot: runs within metrics within systems.
    slots: IntArray
    # Shape (n_units,): on which row each example stands first.
    first_rows: IntArray
    # For each system its runs, where no two systems share any.
    own_runs: tuple[tuple[str, ...], ...] | None = None

    @property
    def n_slots(self) -> int:
        """Number of rows that a complete example has."""
        systems, metrics, runs = self.names
        return len(systems) * len(metrics) * len(runs)

    @property
    def n_units(self) -> int:
        """Number of examples."""
        return self.first_rows.size

    @property
    def is_uneven(self) -> bool:
        """Whether rows are paired in their order, and some example lacks one of its rows."""
        return self.example is None and self.n_units * self.n_slots > self.units.size

    def runs_of(self, system: int) -> tuple[str, ...]:
        """The names of one system's runs."""
        return self.names[2] if self.own_runs is None else self.own_runs[system]


def pair(found: ExampleFindings) -> Pairing:
    """Every row's example and slot, with problems where a row has no name or stands twice."""
    n_rows, example, columns = found.raw.n_rows, found.column(found.unit), found.slots
    if example is not None and found.unit == "example":
        remedy = "Name it in every row, or declare that no column holds ids."
        found.check_named(example, "example", remedy)
    for unit, column in columns.items():
        found.check_named(column, unit)
    names: list[tuple[str, ...]] = []
    slots: IntArray = np.broadcast_to(np.intp(0), n_rows)
    own_runs = None
    if "system" in columns and "run" in columns:
        own_runs = runs_of_systems(found.raw, columns["system"], columns["run"])
    for unit in ("system", "metric", "run"):
        if unit not in columns:
            names.append(("",))
            continue
        coded = found.raw.coded(columns[unit])
        own, codes = tuple(coded.texts), coded.codes
        if unit == "run" and own_runs is not None:
            # For each row the place of its run among those of its system.
            places = {name: place for names in own_runs for place, name in enumerate(names)}
            own, codes = own_runs[0], np.array([places[name] for name in own])[codes]
        names.append(own)
        slots = slots * len(own) + codes
    systems, metrics, runs = names
    within = held(found.column("dataset"))
    units = rows_of_examples(found.raw, within, example, list(columns.values()))
    first_rows = first_rows_of(units, int(units.max(initial=-1)) + 1) if columns else units
    pairing = Pairing(
        example=example,
        names=(systems, metrics, runs),
        units=units,
        slots=slots,
        first_rows=first_rows,
        own_runs=own_runs,
    )
    if example is not None:
        named = {unit: c for unit in ("dataset", "example") if (c := found.column(unit))}
        check_repeats(found, {**named, **columns})
    return pairing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arranged:
    """The rows of complete examples, datasets one after the other."""

    pairing: Pairing
    # Shape (n_examples, n_systems, n_metrics, n_runs): within a dataset examples stand in the order
    # of their first rows.
    rows: IntArray
    # Shape (n_datasets,): where in `rows` each dataset ends.
    ends: IntArray

    @property
    def first(self) -> IntArray:
        """A row of each example, for what all of them say alike; shape (n_examples,)."""
        return self.rows[:, 0, 0, 0]

    def split(self, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
        """An array with one entry for each example, as one array for each dataset."""
        return tuple(np.split(values, self.ends[:-1]))


def arranged(found: ExampleFindings, pairing: Pairing, read: BoolArray) -> Arranged:
    """The rows of examples with one in every slot: those of `pairing` that are `read` now."""
    groups, n_rows, datasets = found.groups, found.raw.n_rows, found.groups.codes
    if pairing.n_slots == 1:
        # Rows in their own order are there already.
        rows = cast(IntArray, found.raw.each_row)
        rows = rows if groups.is_contiguous else np.argsort(datasets, kind="stable")
    else:
        rows = np.full((pairing.n_units, pairing.n_slots), -1, dtype=np.intp)
        rows[pairing.units[read], pairing.slots[read]] = np.arange(n_rows)
        rows = rows[rows[:, 0] >= 0]
        datasets = datasets[rows.min(axis=1)]
        rows = rows[np.argsort(datasets, kind="stable")]
    return Arranged(
        pairing=pairing,
        rows=rows.reshape((-1, *map(len, pairing.names))),
        ends=np.cumsum(rows_of_each(datasets, len(groups.datasets))),
    )


def counted(number: int, unit: str) -> str:
    """A number with its unit in the right form."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def rows_apart(values: npt.NDArray[Any], units: IntArray) -> BoolArray:
    """For each row whether its value is not that of the first row of the same example."""
    before = values[first_rows_of(units, int(units.max(initial=-1)) + 1)[units]]
    # What is missing in both, a number that is no number, is alike.
    apart: BoolArray = (values != before) & ((values == values) | (before == before))
    return apart


def report_rows_apart(
    found: ExampleFindings,
    pairing: Pairing,
    column: str,
    values: npt.NDArray[Any],
    read: BoolArray,
    what: str,
    remedy: str,
) -> None:
    """A problem for each example whose rows that are `read` have different values, with two lines."""
    first = pairing.first_rows[pairing.units]
    rows = np.flatnonzero(rows_apart(values, pairing.units) & read)
    _, places = np.unique(pairing.units[rows], return_index=True)
    cells = found.raw.column(column)
    example = None if pairing.example is None else found.raw.column(pairing.example)

    def explain(row: int) -> tuple[str, str]:
        before = int(first[row])
        both = (
            "This row and the one paired with it in their order"
            if example is None
            else f"The rows of the example {quoted(example[row].as_py())}"
        )
        return (
            f"{both} {what}: {quoted(cells[row].as_py())} here, "
            f"{quoted(cells[before].as_py())} on {found.line_of(before, column, row)}.",
            remedy,
        )

    found.cell_problems(np.sort(rows[places]), column, explain)


def unmatched_problems(found: ExampleFindings, pairing: Pairing) -> list[Problem]:
    """One for each dataset and system that lacks rows, in the order of datasets; of many the first."""
    datasets, (systems, metrics, runs) = found.groups.codes, pairing.names
    n_systems, per_system = np.intp(len(systems)), len(metrics) * len(runs)
    of_row, of_unit = pairing.slots // per_system, datasets[pairing.first_rows]
    n_examples = np.bincount(of_unit, minlength=len(found.groups.datasets))
    # Only what is there is counted: examples × systems may be far more than the rows.
    keys, n_rows = np.unique(pairing.units * n_systems + of_row, return_counts=True)
    units, system_of = np.divmod(keys[n_rows >= per_system], n_systems)
    whole = np.bincount(
        of_unit[units] * n_systems + system_of, minlength=n_examples.size * n_systems
    )
    lacking = np.flatnonzero(whole.reshape(n_examples.size, -1) < n_examples[:, np.newaxis])
    ids = None if pairing.example is None else found.raw.column(pairing.example)
    # In their order other rows would be paired than belong together.
    mended_by = () if ids is None else ("incomplete",)

    def problems() -> Iterator[Problem]:
        for own in lacking:
            dataset, system = divmod(int(own), int(n_systems))
            rows = np.flatnonzero((datasets == dataset) & (of_row == system))
            there, n_there = np.unique(pairing.units[rows], return_counts=True)
            every = np.flatnonzero(of_unit == dataset)
            lacked = np.setdiff1d(every, there[n_there >= per_system])
            name = f"The system {quoted(systems[system])}" if systems[system] else "Every system"
            what = f"{name} lacks {lacked.size:,} of {counted(int(n_examples[dataset]), 'example')}"
            what += _lacked_parts(pairing, system, rows, lacked)
            if ids is not None:
                shown = pairing.first_rows[lacked[:3]]
                what += f": {', '.join(quoted(ids[row].as_py()) for row in shown.tolist())}"
                more = lacked.size - shown.size
                what += f" and {more:,} more" if more else ""
            remedy = "Add the missing rows, or leave these examples out for every system."
            if not rows.size:
                what = f"{name} has no row on this dataset"
                remedy = "Add its rows, or leave the dataset out for every system."
            elif len(metrics) > 1 and lacked.size == n_examples[dataset]:
                remedy = (
                    "If each dataset is scored by a metric of its own, declare that no column "
                    "names metrics; else add the missing rows."
                )
            elif ids is None:
                remedy = (
                    "Add the missing rows, or a column 'example' with an id for each example: "
                    "without ids rows are paired in their order, so there must be equally many."
                )
            of = found.groups.datasets[dataset] or None
            yield Problem(f"{what}.", remedy, dataset=of, mended_by=mended_by)

    return bounded(problems(), n_problems=len(lacking), of="systems and datasets")


def _lacked_parts(pairing: Pairing, system: int, rows: IntArray, units: IntArray) -> str:
    """In which metrics and runs these examples lack a row of one system."""
    metrics, runs = pairing.names[1], pairing.runs_of(system)
    n_slots = len(metrics) * len(runs)
    if n_slots == 1:
        return ""
    own = pairing.slots[rows[np.isin(pairing.units[rows], units)]] % n_slots
    held = np.bincount(own, minlength=n_slots).reshape(len(metrics), len(runs))
    parts = [
        f"the {unit} {listed([own_names[index] for index in np.unique(where).tolist()])}"
        for unit, own_names, where in zip(
            ("metric", "run"), (metrics, runs), np.nonzero(held < units.size), strict=True
        )
        if len(own_names) > 1
    ]
    return ", in " + " and ".join(parts)


def kept_runs(
    found: ExampleFindings, examples: Arranged, values: Mapping[str, Sequence[FloatArray]]
) -> RepeatedRuns:
    """The scores of each run beside their means; of each metric and system given as (n, n_runs)."""
    column, runs = str(found.averaged), examples.pairing.names[2]
    by_dataset = {
        metric: tuple(zip(*map(examples.split, of_systems), strict=True))
        for metric, of_systems in values.items()
    }
    n_systems = len(next(iter(values.values())))
    names = examples.pairing.own_runs or (runs,) * n_systems
    return RepeatedRuns(column=column, names=names, values=by_dataset)


def mean_of_runs(scores: FloatArray, decimals: int) -> FloatArray:
    """Mean over the last axis; sums of scores with few decimals are exact, so equal means stay equal."""
    if scores.shape[-1] == 1:
        return scores[..., 0]
    sums = scores.sum(axis=-1)
    means: FloatArray = np.round(sums, min(decimals, 12)) / scores.shape[-1]
    return means


# The first runs that can be chosen alone by a button.
_MOST_OFFERED = 12


def settle_runs(found: ExampleFindings, *, averaged: bool = True) -> None:
    """Go on with the rows that count, by what was declared of the runs; one is read unless `averaged`."""
    raw, column, system = found.raw, found.column("run"), found.column("system")
    if column is None or raw.is_blank(column):
        return
    runs = [name for name in raw.coded(column).texts if name]
    found.check_named(
        column, "run", "Name the run in every row, or declare that no column holds runs."
    )
    if len(runs) < 2:
        found.stop_at_problems()
        return
    # Systems that share no runs are not compared run by run, nor by one of them.
    own = runs_of_systems(raw, system, column) if averaged and system is not None else None
    some = f"{len(runs):,} runs of each example"
    remedy = "Average them, or choose one of them." if averaged else "Choose one of them."
    note = "Scores are then means over runs, so 0 and 1 no longer stand for wrong and right."
    offered = [("runs", f"{ONLY_RUN}{run}", f"Use run {run} only") for run in runs[:_MOST_OFFERED]]
    if own is not None:
        some = f"{counted(len(own[0]), 'run')} of each example and system"
        remedy = "Average each system's."
        note += " No run of one system belongs to a run of another."
        offered = []
    if averaged:
        offered.insert(0, ("runs", AVERAGE_RUNS, f"Average the {some}"))
    found.choices += answers(f"{quoted(column)} holds {some}. Which scores count?", *offered)
    declared = str(found.roles.get("runs") or "")
    chosen = declared.removeprefix(ONLY_RUN)
    if not declared:
        found.refuse(
            f"The column holds {len(runs):,} runs of the same examples, "
            f"{listed(runs[:3])}{' among them' if len(runs) > 3 else ''}. Repeated runs are "
            "no further examples.",
            f"{remedy} If the rows are different examples, declare that no column holds runs.",
            column=column,
            answered_by="runs",
        )
    elif declared == AVERAGE_RUNS and not averaged:
        found.refuse(
            "Results of this kind are not averaged over runs: a mean of them would be "
            "that of another system.",
            "Choose one of the runs.",
            column=column,
        )
    elif declared != AVERAGE_RUNS and chosen not in runs:
        found.refuse(
            f"The column has no run {quoted(chosen)}.",
            f"Its runs are {listed(runs)}.",
            column=column,
        )
    found.stop_at_problems()
    if declared != AVERAGE_RUNS:
        _read_one_run(found, column, chosen)
        return
    found.remarks.append(f"Averaged, as chosen: the {some} in {quoted(column)}. {note}")
    found.averaged = column


def _read_one_run(found: ExampleFindings, column: str, chosen: str) -> None:
    """Go on with the rows of one run, and say what has none of it."""
    raw, run = found.raw, f"run {quoted(chosen)}"
    kept = raw.with_text(column, chosen)
    remarks = [
        f"Read, as chosen: {run} of {quoted(column)} alone; "
        f"{raw.n_rows - kept.n_rows:,} rows of other runs are left aside."
    ]
    problems: list[Problem] = []
    left_out: list[str] = []
    for unit, role in (("system", "system"), ("metric", "metric_names"), ("dataset", "dataset")):
        names = found.column(role)
        if names is None:
            continue
        there = {"", *kept.coded(names).texts}
        lacking = [name for name in raw.coded(names).texts if name not in there]
        if unit == "dataset" and lacking:
            found.choices += answers(
                f"There is no {run} of {listed(lacking)}.",
                ("incomplete", LEAVE_OUT, f"Leave out {listed(lacking)}"),
            )
            if found.incomplete == LEAVE_OUT:
                left_out = lacking
                remarks.append(
                    f"Left out, as chosen, as there is no {run} of it: {listed(lacking)}."
                )
                continue
        problems += [
            Problem(
                f"The {unit}{'' if unit == 'dataset' else f' {quoted(name)}'} has no {run}.",
                f"Choose a run that every {unit} has, or leave the {unit} out.",
                dataset=name if unit == "dataset" else None,
                column=column,
            )
            for name in lacking
        ]
    found.problems = bounded(problems, n_problems=len(problems), of="datasets and systems")
    found.stop_at_problems()
    example = found.column("example")
    if example is not None:
        # Of the datasets that are kept some examples may stand in other runs alone.
        stays = ~np.isin(found.groups.datasets, left_out)[found.groups.codes]
        named = held(found.column("dataset"), example)
        n = n_combinations(raw.kept(stays), named) - n_combinations(kept, named)
        if n:
            without = f"{counted(n, 'example')} of other runs without a row of {run}"
            remarks.append(f"Not counted: {without}.")
    found.go_on_with(kept, *remarks)
