"""Examples that lack a score: refused with their number, or left out where that was chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.layouts.nothing import incomplete_rows
from core.data.layouts.pairing import Pairing, complete_units
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.unmatched import counted, uneven_counts, unmatched_problems
from core.data.roles import Roles, column_of
from core.data.tables.raw_table import RawTable
from core.data.words import MOST, listed, quoted
from core.errors import Choice
from core.types import BoolArray, IntArray


def without_incomplete(
    raw: RawTable, roles: Roles, columns: Sequence[str], *, unit: str = "example"
) -> tuple[RawTable, tuple[str, ...]]:
    """The table without its incomplete rows where that was chosen, and a remark that says so.

    `unit` is what a row stands for: an example or a dataset.
    """
    if not leaves_out(roles):
        return raw, ()
    incomplete = incomplete_rows(raw, columns)
    n_left_out = int(incomplete.sum())
    if not n_left_out or n_left_out == raw.n_rows:
        return raw, ()
    lines = [str(line) for line in raw.lines[incomplete][:10].tolist()]
    more = f" and {n_left_out - len(lines):,} more" if n_left_out > len(lines) else ""
    where = f"line{'s' if n_left_out != 1 else ''} {', '.join(lines)}{more}"
    dataset = column_of(roles, "dataset")
    by_dataset = ""
    if dataset is not None and unit != "dataset":
        coded = raw.coded(dataset)
        counts = np.bincount(coded.codes[incomplete], minlength=len(coded.array))
        by_dataset = f", {_per_dataset(coded.texts, counts)}" if len(coded.array) > 1 else ""
    remark = (
        f"Left out, as chosen: {counted(n_left_out, unit)} in which a value of {listed(columns)} "
        f"is missing ({where}){by_dataset}; {counted(raw.n_rows - n_left_out, unit)} "
        f"{'stays' if raw.n_rows - n_left_out == 1 else 'stay'}."
    )
    return raw.kept(~incomplete), (remark,)


def incomplete_choice(n_incomplete: int, *, unit: str = "example") -> Choice:
    """The question whether incomplete rows are to be left out."""
    return Choice(
        role="incomplete",
        question=f"A value is missing in {counted(n_incomplete, unit)}.",
        options=(("leave-out", f"Leave out {counted(n_incomplete, unit)}"),),
    )


def leaves_out(roles: Roles) -> bool:
    """Whether it was chosen to leave incomplete examples out."""
    return roles.get("incomplete") == "leave-out"


def incomplete_units(pairing: Pairing, missing: BoolArray, roles: Roles) -> tuple[BoolArray, bool]:
    """For each example whether it is incomplete, and whether such are left out.

    `missing` says of each row whether a value of it is missing. None is left
    out where no example would stay.
    """
    complete = complete_units(pairing, missing)
    left_out = leaves_out(roles) and bool(complete.any()) and not bool(complete.all())
    return ~complete, left_out


def report_incomplete(found: ExampleFindings, pairing: Pairing, incomplete: BoolArray) -> None:
    """Problems of examples and datasets that a system lacks, and the question what to do."""
    if not incomplete.any():
        return
    uneven = uneven_counts(found, pairing)
    if uneven:
        found.problems.extend(uneven)
        return
    found.problems.extend(unmatched_problems(found, pairing))
    if not incomplete.all():
        found.choices.append(_choice(found, pairing, incomplete))


def left_out(
    found: ExampleFindings, pairing: Pairing, incomplete: BoolArray
) -> tuple[RawTable, tuple[str, ...], tuple[Choice, ...]]:
    """The table of complete examples alone, the remarks and the question that was answered."""
    datasets, counts, whole = _left_out_counts(found, pairing, incomplete)
    n_left_out = int(incomplete.sum())
    n_stay = incomplete.size - n_left_out
    remark = (
        f"Left out, as chosen: {counted(n_left_out, 'example')} without a score of every system"
        + (f", {_per_dataset(datasets, counts)}" if len(datasets) > 1 else "")
        + f"; {counted(n_stay, 'example')} {'stays' if n_stay == 1 else 'stay'}."
    )
    remarks = [remark]
    if whole:
        remarks.append(
            f"Left out as a whole, as no example has a score of every system: {listed(whole)}."
        )
    kept = found.raw.kept(~incomplete[pairing.units])
    return kept, tuple(remarks), (_choice(found, pairing, incomplete),)


def _left_out_counts(
    found: ExampleFindings, pairing: Pairing, incomplete: BoolArray
) -> tuple[tuple[str, ...], IntArray, tuple[str, ...]]:
    """Every dataset, how many examples of it are incomplete, and the datasets of which all are."""
    names = found.groups.datasets
    of_unit = found.groups.codes[pairing.first_rows]
    counts = np.bincount(of_unit[incomplete], minlength=len(names))
    all_units = np.bincount(of_unit, minlength=len(names))
    whole = tuple(
        name for name, n, every in zip(names, counts, all_units, strict=True) if n == every > 0
    )
    return names, counts, whole


def _choice(found: ExampleFindings, pairing: Pairing, incomplete: BoolArray) -> Choice:
    n_incomplete = int(incomplete.sum())
    _, _, whole = _left_out_counts(found, pairing, incomplete)
    asked = incomplete_choice(n_incomplete)
    if not whole:
        return asked
    ((value, words),) = asked.options
    dropped = f"{words}, and so all of {listed(whole)}"
    return Choice(role=asked.role, question=asked.question, options=((value, dropped),))


def _per_dataset(datasets: Sequence[str], counts: IntArray) -> str:
    """How many of which dataset, the first ten by name."""
    some = [(name, int(n)) for name, n in zip(datasets, counts, strict=True) if n]
    shown = ", ".join(f"{n:,} of {quoted(name)}" for name, n in some[:MOST])
    return shown + (f" and more of {len(some) - MOST} datasets" if len(some) > MOST else "")
