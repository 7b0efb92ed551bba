"""Rows that do not go together: what some system lacks, and rows of one example that differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from core.data.layouts.pairing import Pairing
from core.data.layouts.per_example import ExampleFindings
from core.data.tables.limits import MAX_PROBLEMS, bounded
from core.data.words import listed, quoted
from core.errors import Problem
from core.types import BoolArray, IntArray


def counted(number: int, unit: str) -> str:
    """A number with its unit in the right form."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def uneven_counts(found: ExampleFindings, pairing: Pairing) -> list[Problem]:
    """A problem for each dataset whose rows, to be paired in order, are not equally many.

    None where examples have ids: then rows are paired by them.
    """
    if pairing.example is not None or pairing.n_slots == 1:
        return []
    n_slots = pairing.n_slots
    # Only what is there is counted: datasets × slots may be far more than the rows.
    keys, counts = np.unique(found.groups.codes * n_slots + pairing.slots, return_counts=True)
    starts = np.searchsorted(keys, np.arange(len(found.groups.datasets) + 1) * n_slots)
    highest = np.maximum.reduceat(counts, starts[:-1])
    lowest = np.minimum.reduceat(counts, starts[:-1])
    uneven = np.flatnonzero((np.diff(starts) < n_slots) | (lowest < highest))

    def problems() -> Iterator[Problem]:
        for index in uneven.tolist():
            own = np.zeros(n_slots, dtype=np.intp)
            held = slice(starts[index], starts[index + 1])
            own[keys[held] - index * n_slots] = counts[held]
            most, fewest = int(own.argmax()), int(own.argmin())
            yield Problem(
                what=f"T{_slot_words(pairing, most)[1:]} has {counted(int(own[most]), 'row')}"
                f", {_slot_words(pairing, fewest)} {int(own[fewest]):,}: without ids "
                "rows are paired in their order, so there must be equally many.",
                remedy="Add the missing rows, or a column 'example' with an id for each example.",
                dataset=found.groups.datasets[index] or None,
            )

    return bounded(problems(), n_problems=uneven.size, of="datasets")


def rows_read(pairing: Pairing, left_out: BoolArray | None) -> BoolArray:
    """For each row whether its example is read; `left_out` has those that are not."""
    if left_out is None:
        return np.ones(pairing.units.size, dtype=np.bool_)
    return ~left_out[pairing.units]


def report_rows_apart(
    found: ExampleFindings, pairing: Pairing, column: str, apart: BoolArray, what: str, remedy: str
) -> None:
    """A problem for each example with rows that are `apart`, with the first two lines."""
    first = pairing.first_rows[pairing.units]
    rows = np.flatnonzero(apart)
    _, places = np.unique(pairing.units[rows], return_index=True)
    cells = found.raw.column(column)
    example = None if pairing.example is None else found.raw.column(pairing.example)

    def explain(row: int) -> tuple[str, str]:
        before = int(first[row])
        file = found.raw.file_of(before, column)
        beside = file if file != found.raw.file_of(row, column) else None
        place = f"line {int(found.raw.lines[before])}" + (f" of {quoted(beside)}" if beside else "")
        both = (
            "This row and the one paired with it in their order"
            if example is None
            else f"The rows of the example {quoted(example[row].as_py())}"
        )
        return (
            f"{both} {what}: {quoted(cells[row].as_py())} here, "
            f"{quoted(cells[before].as_py())} on {place}.",
            remedy,
        )

    found.cell_problems(np.sort(rows[places]), column, explain)


def unmatched_problems(found: ExampleFindings, pairing: Pairing) -> list[Problem]:
    """One for each dataset and system that lacks rows, in the order of datasets; of many the first."""
    datasets, (systems, metrics, runs) = found.groups.codes, pairing.names
    of_unit = datasets[pairing.first_rows]
    n_examples = np.bincount(of_unit, minlength=len(found.groups.datasets))
    per_system = len(metrics) * len(runs)
    of_row = pairing.slots // per_system
    by_system = np.lexsort((datasets, of_row))
    bounds = np.searchsorted(of_row[by_system], np.arange(len(systems) + 1))

    def rows_and_lacking(system: int) -> tuple[IntArray, IntArray]:
        """A system's rows and the examples of which it lacks some, both by dataset."""
        rows = by_system[bounds[system] : bounds[system + 1]]
        n_rows_of = np.bincount(pairing.units[rows], minlength=pairing.n_units)
        lacking = np.flatnonzero(n_rows_of < per_system)
        return rows, lacking[np.argsort(of_unit[lacking], kind="stable")]

    n_problems, first = 0, np.zeros((0, 2), dtype=np.intp)
    for system in range(len(systems)):
        where = np.unique(of_unit[rows_and_lacking(system)[1]])
        n_problems += where.size
        pairs = np.column_stack((where, np.full(where.size, system)))
        both = np.concatenate((first, pairs))
        first = both[np.lexsort((both[:, 1], both[:, 0]))][:MAX_PROBLEMS]
    ids = None if pairing.example is None else found.raw.column(pairing.example)
    said: dict[tuple[int, int], Problem] = {}
    for system in np.unique(first[:, 1]).tolist():
        rows, lacking = rows_and_lacking(system)
        for dataset in first[first[:, 1] == system, 0].tolist():
            what, remedy = _lacked(
                pairing,
                system,
                _part(rows, datasets[rows], dataset),
                _part(lacking, of_unit[lacking], dataset),
                n_examples=int(n_examples[dataset]),
                ids=ids,
            )
            said[dataset, system] = Problem(
                what=what, remedy=remedy, dataset=found.groups.datasets[dataset] or None
            )
    in_order = (said[key] for key in sorted(said))
    return bounded(in_order, n_problems=n_problems, of="systems and datasets")


def _part(sorted_by: IntArray, datasets: IntArray, dataset: int) -> IntArray:
    """Of what is sorted by dataset that of one."""
    start, end = np.searchsorted(datasets, (dataset, dataset + 1))
    return sorted_by[start:end]


def _lacked(
    pairing: Pairing,
    system: int,
    rows: IntArray,
    units: IntArray,
    *,
    n_examples: int,
    ids: pa.Array | None,
) -> tuple[str, str]:
    """What a system lacks on one dataset, of which it has these rows, and the remedy."""
    named = pairing.names[0][system]
    name = f"The system {quoted(named)}" if named else "Every system"
    if not rows.size:
        return (
            f"{name} has no row on this dataset.",
            "Add its rows, or leave the dataset out for every system.",
        )
    of_own_metric = len(pairing.names[1]) > 1 and units.size == n_examples
    return (
        f"{name} lacks {units.size:,} of {counted(n_examples, 'example')}"
        f"{_lacked_parts(pairing, system, rows, units)}{_ids(pairing, ids, units)}.",
        "If each dataset is scored by a metric of its own, declare that no column names metrics; "
        "else add the missing rows."
        if of_own_metric
        else "Add the missing rows, or leave these examples out for every system.",
    )


def _lacked_parts(pairing: Pairing, system: int, rows: IntArray, units: IntArray) -> str:
    """In which metrics and runs these examples lack a row of one system."""
    metrics, runs = pairing.names[1], pairing.runs_of(system)
    if len(metrics) * len(runs) == 1:
        return ""
    own = rows[np.isin(pairing.units[rows], units)]
    held = np.bincount(
        pairing.slots[own] % (len(metrics) * len(runs)), minlength=len(metrics) * len(runs)
    ).reshape(len(metrics), len(runs))
    lacked = held < units.size
    parts = [
        f"the {unit} {listed([own_names[index] for index in np.unique(where).tolist()])}"
        for unit, own_names, where in zip(
            ("metric", "run"), (metrics, runs), np.nonzero(lacked), strict=True
        )
        if len(own_names) > 1
    ]
    return ", in " + " and ".join(parts)


def _ids(pairing: Pairing, column: pa.Array | None, units: IntArray) -> str:
    if column is None:
        return ""
    ids = [column[int(row)].as_py() for row in pairing.first_rows[units[:3]]]
    rest = f" and {units.size - len(ids):,} more" if units.size > len(ids) else ""
    return f": {', '.join(quoted(one) for one in ids)}{rest}"


def _slot_words(pairing: Pairing, slot: int) -> str:
    """A slot in words, as far as the file names its parts."""
    named = zip(("system", "metric", "run"), pairing.slot_name(slot), strict=True)
    return "the " + ", ".join(f"{unit} {quoted(name)}" for unit, name in named if name)
