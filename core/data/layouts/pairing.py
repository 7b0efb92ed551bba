"""Rows brought together by example: which row holds which system, metric and run of it.

Vocabulary
----------
slot
    What a row is of its example: one system, metric and run. A file with a
    column for each system, one metric and one run has a single slot.
complete
    An example with a row in every slot and no value missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.layouts.own_runs import places_of_runs, runs_of_systems
from core.data.layouts.per_example import ExampleFindings, check_examples, told_as_copies
from core.data.layouts.repeated_rows import remedy_for_repeats, repeated_rows
from core.data.words import quoted
from core.errors import Problem
from core.types import BoolArray, IntArray

Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]

# More than anyone has; a column beyond it is none of systems, metrics or runs.
MAX_SLOTS = 20_000
_RUNS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """The columns that say what a row is of its example, None where there is no such column."""

    system: str | None = None
    metric: str | None = None
    run: str | None = None

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """What each column names, and its own name, as far as there are any."""
        every = (("system", self.system), ("metric", self.metric), ("run", self.run))
        return tuple((unit, column) for unit, column in every if column is not None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairing:
    """For each row its example and its slot.

    Attributes
    ----------
    example : str or None
        The column of ids; None where rows are counted instead.
    names : tuple of tuple of str
        Systems, metrics and runs, in the order of their first rows; ('',) where
        no column names them. Where each system has runs of its own, those of
        the first system.
    slot_columns : Slots
        The columns that name them.
    units : ndarray of int, shape (n_rows,)
        For each row its example, numbered by first appearance over all datasets.
    slots : ndarray of int, shape (n_rows,)
        For each row its slot: runs within metrics within systems.
    first_rows : ndarray of int, shape (n_units,)
        On which row each example stands first.
    own_runs : tuple of tuple of str, or None
        For each system its runs, where no two systems share any.
    """

    example: str | None
    names: Names
    slot_columns: Slots
    units: IntArray
    slots: IntArray
    first_rows: IntArray
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

    def runs_of(self, system: int) -> tuple[str, ...]:
        """The names of one system's runs."""
        return self.names[2] if self.own_runs is None else self.own_runs[system]

    def slot_name(self, slot: int) -> tuple[str, str, str]:
        """System, metric and run of a slot."""
        systems, metrics, runs = self.names
        rest, run = divmod(slot, len(runs))
        system, metric = divmod(rest, len(metrics))
        return systems[system], metrics[metric], self.runs_of(system)[run]


def pair(
    found: ExampleFindings, example: str | None, columns: Slots, *, order: Pairing | None = None
) -> Pairing | None:
    """Every row's example and slot, with problems where a row has no name or stands twice.

    None where the rows cannot be told apart, with the problem. `order` is a
    pairing of these rows among others, whose names are kept in their order.
    """
    n_rows = found.raw.n_rows
    if not columns.columns:
        check_examples(found, example)
        rows = np.arange(n_rows)
        return Pairing(
            example=example,
            names=(("",), ("",), ("",)),
            slot_columns=columns,
            units=rows,
            slots=np.zeros(n_rows, dtype=np.intp),
            first_rows=rows,
        )
    blank = _check_named(found, example, columns)
    names: list[tuple[str, ...]] = []
    slots = np.zeros(n_rows, dtype=np.intp)
    own_runs = None
    if columns.system is not None and columns.run is not None:
        own_runs = (
            runs_of_systems(found.raw, columns.system, columns.run)
            if order is None
            else order.own_runs
        )
    for index, column in enumerate((columns.system, columns.metric, columns.run)):
        if index == _RUNS and own_runs is not None:
            own, codes = own_runs[0], places_of_runs(found.raw, columns.run or "", own_runs)
        else:
            kept = None if order is None else order.names[index]
            own, codes = _names_and_codes(found, column, kept)
        names.append(own)
        slots = slots * len(own) + codes
    systems, metrics, runs = names
    if len(systems) * len(metrics) * len(runs) > MAX_SLOTS:
        found.problems.append(
            Problem(
                what="The rows name "
                + " × ".join(
                    f"{len(own):,} {unit}s"
                    for unit, own in zip(("system", "metric", "run"), names, strict=True)
                    if len(own) > 1
                )
                + ", too many to be read.",
                remedy="Choose other columns for them.",
            )
        )
        return None
    if example is None:
        numbers = count_within(found.groups.codes * (slots.max(initial=0) + 1) + slots)
        n_numbers = n_rows
    else:
        coded = found.raw.coded(example)
        numbers, n_numbers = coded.codes.astype(np.intp), len(coded.array)
    units = numbered(found.groups.codes * n_numbers + numbers)
    first_rows = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.intp)
    # Where several rows write to one place the last stays, so they are written backwards.
    first_rows[units[::-1]] = np.arange(n_rows - 1, -1, -1)
    pairing = Pairing(
        example=example,
        names=(systems, metrics, runs),
        slot_columns=columns,
        units=units,
        slots=slots,
        first_rows=first_rows,
        own_runs=own_runs,
    )
    if example is not None:
        _check_repeats(found, pairing, example, blank)
    return pairing


def arranged(found: ExampleFindings, pairing: Pairing) -> tuple[npt.NDArray[np.intp], IntArray]:
    """The rows of complete examples, datasets one after the other, and where each dataset ends.

    The rows have the shape (n_examples, n_systems, n_metrics, n_runs); within
    a dataset examples stand in the order of their first rows.
    """
    systems, metrics, runs = pairing.names
    shape = (pairing.n_units, len(systems), len(metrics), len(runs))
    if pairing.n_slots == 1:
        # Rows in their own order are there already.
        whole = pairing.first_rows if found.groups.is_contiguous else found.groups.order
        return whole.reshape(shape), found.groups.ends
    datasets = found.groups.codes[pairing.first_rows]
    order = np.argsort(datasets, kind="stable")
    rows = np.empty((pairing.n_units, pairing.n_slots), dtype=np.intp)
    rows[pairing.units, pairing.slots] = np.arange(found.raw.n_rows)
    ends = np.cumsum(np.bincount(datasets, minlength=len(found.groups.datasets)))
    return rows[order].reshape(shape), ends


def _names_and_codes(
    found: ExampleFindings, column: str | None, order: tuple[str, ...] | None
) -> tuple[tuple[str, ...], IntArray]:
    """The names in a column, and for each row which one it holds."""
    if column is None:
        return ("",), np.zeros(found.raw.n_rows, dtype=np.intp)
    coded = found.raw.coded(column)
    if order is None:
        return tuple(coded.texts), coded.codes.astype(np.intp)
    positions = np.array([order.index(text) for text in coded.texts], dtype=np.intp)
    return order, positions[coded.codes]


def complete_units(pairing: Pairing, missing: BoolArray) -> BoolArray:
    """For each example whether it has a row in every slot, and no value missing."""
    if pairing.n_slots == 1:
        # Each example is one row.
        complete: BoolArray = np.ones(pairing.n_units, dtype=np.bool_)
        complete[pairing.units[missing]] = False
        return complete
    present = np.bincount(pairing.units[~missing], minlength=pairing.n_units)
    complete = present == pairing.n_slots
    return complete


def n_distinct(*codes: Sequence[int] | npt.NDArray[np.integer]) -> int:
    """How many different combinations stand in the rows."""
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    n_keys = 1
    for own in codes:
        array = np.asarray(own, dtype=np.int64)
        keys = keys * (int(array.max(initial=0)) + 1) + array
        # Numbered anew, so that products of several columns stay small.
        keys = numbered(keys)
        n_keys = int(keys.max(initial=-1)) + 1
    return n_keys


def numbered(keys: IntArray) -> IntArray:
    """Each different key numbered in the order of first appearance."""
    codes: IntArray = (
        pa.array(keys).dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.intp)
    )
    return codes


def count_within(keys: IntArray) -> IntArray:
    """For each row how many rows with the same key stand before it."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, keys.size])
    counts = np.empty(keys.size, dtype=np.intp)
    counts[order] = np.arange(keys.size) - np.repeat(starts, lengths)
    return counts


def _check_named(found: ExampleFindings, example: str | None, columns: Slots) -> BoolArray:
    """Every row names its example, system, metric and run; which rows do not."""
    blank: BoolArray = np.zeros(found.raw.n_rows, dtype=np.bool_)
    named = [("example", example)] if example is not None else []
    for unit, column in (*named, *columns.columns):
        empty = pc.equal(found.raw.column(column), "").to_numpy(zero_copy_only=False)
        blank |= empty
        said = (f"The row names no {unit}.", f"Name the {unit} in every row.")
        if unit == "example":
            said = ("The example has no id.", "Give it one, or declare that no column holds ids.")
        found.cell_problems(np.flatnonzero(empty), column, partial(_always, said))
    return blank


def _always(said: tuple[str, str], row: int) -> tuple[str, str]:
    return said


def _check_repeats(
    found: ExampleFindings, pairing: Pairing, example: str, blank: BoolArray
) -> None:
    """No example stands twice in one slot."""
    again, first = repeated_rows(pairing.units * pairing.n_slots + pairing.slots)
    again &= ~blank
    again &= ~told_as_copies(found, example, again, first)
    if not again.any():
        return
    remedy = remedy_for_repeats(
        found.raw,
        first,
        again,
        otherwise="Keep one of these rows; if they are several runs, say in a column 'run' which "
        "row is of which run."
        if pairing.slot_columns.run is None
        else "Keep one of these rows.",
        told_by=[column for _, column in pairing.slot_columns.columns],
    )
    cells = found.raw.column(example)

    def explain(row: int) -> tuple[str, str]:
        slot = " and ".join(
            f"{unit} {quoted(found.raw.column(column)[row].as_py())}"
            for unit, column in pairing.slot_columns.columns
        )
        return (
            f"The example {quoted(cells[row].as_py())} of {slot} is already on line "
            f"{int(found.raw.lines[first[row]])}.",
            remedy,
        )

    found.cell_problems(np.flatnonzero(again), example, explain)
