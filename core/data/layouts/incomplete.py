"""Examples that lack a score: refused with their number, or left out where that was chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.data.layouts.pairing import Pairing, complete_units
from core.data.layouts.per_example import ExampleFindings
from core.data.roles import Roles, column_of
from core.data.tables.raw_table import RawTable, bounded
from core.data.words import MOST, listed, quoted
from core.errors import Choice, Problem
from core.types import BoolArray, IntArray

# With these a file says that there is no value.
NOTHING_WORDS = frozenset(
    {"nan", "null", "na", "n/a", "none", "nil", "missing", "?", "-", "–", "—", "−", "."}
)


def incomplete_rows(raw: RawTable, columns: Sequence[str]) -> BoolArray:
    """For each row whether one of these columns is empty or says that there is no value."""
    incomplete: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        coded = raw.coded(column)
        # A word for a missing value is short; longer texts are not made into strings.
        nothing = np.array(
            [text == "" or text.casefold() in NOTHING_WORDS for text in coded.texts],
            dtype=np.bool_,
        )
        incomplete |= nothing[coded.codes]
    return incomplete


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


def counted(number: int, unit: str) -> str:
    """A number with its unit in the right form."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


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
    by_dataset: dict[str | None, list[Problem]] = {
        name or None: [] for name in found.groups.datasets
    }
    for problem in _unmatched_problems(found, pairing):
        by_dataset[problem.dataset].append(problem)
    problems = [problem for own in by_dataset.values() for problem in own]
    found.problems.extend(bounded(problems, n_problems=len(problems), of="systems and datasets"))
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


def uneven_counts(found: ExampleFindings, pairing: Pairing) -> list[Problem]:
    """A problem for each dataset whose rows, to be paired in order, are not equally many.

    None where examples have ids: then rows are paired by them.
    """
    if pairing.example is not None or pairing.n_slots == 1:
        return []
    n_datasets, n_slots = len(found.groups.datasets), pairing.n_slots
    keys = found.groups.codes * n_slots + pairing.slots
    counts = np.bincount(keys, minlength=n_datasets * n_slots).reshape(n_datasets, n_slots)
    uneven = np.flatnonzero(counts.min(axis=1) < counts.max(axis=1))
    problems = []
    for index in uneven.tolist():
        most, fewest = int(counts[index].argmax()), int(counts[index].argmin())
        problems.append(
            Problem(
                what=f"T{_slot_words(pairing, most)[1:]} has "
                f"{counted(int(counts[index, most]), 'row')}"
                f", {_slot_words(pairing, fewest)} {int(counts[index, fewest]):,}: without ids "
                "rows are paired in their order, so there must be equally many.",
                remedy="Add the missing rows, or a column 'example' with an id for each example.",
                dataset=found.groups.datasets[index] or None,
            )
        )
    return bounded(problems, n_problems=len(problems), of="datasets")


def _unmatched_problems(found: ExampleFindings, pairing: Pairing) -> Iterator[Problem]:
    """One for each dataset and system that lacks rows."""
    names, (systems, metrics, runs) = found.groups.datasets, pairing.names
    of_unit = found.groups.codes[pairing.first_rows]
    in_dataset = np.bincount(of_unit, minlength=len(names))
    per_system = len(metrics) * len(runs)
    of_row = pairing.slots // per_system
    by_system = np.argsort(of_row, kind="stable")
    bounds = np.searchsorted(of_row[by_system], np.arange(len(systems) + 1))
    for index, system in enumerate(systems):
        rows = by_system[bounds[index] : bounds[index + 1]]
        n_rows_of = np.bincount(pairing.units[rows], minlength=pairing.n_units)
        lacking = n_rows_of < per_system
        n_lacking = np.bincount(of_unit[lacking], minlength=len(names))
        n_held = np.bincount(found.groups.codes[rows], minlength=len(names))
        for dataset in np.flatnonzero(n_lacking).tolist():
            if not n_held[dataset]:
                yield Problem(
                    what=f"{_system_words(system)} has no row on this dataset.",
                    remedy="Add its rows, or leave the dataset out for every system.",
                    dataset=names[dataset] or None,
                )
                continue
            units = np.flatnonzero(lacking & (of_unit == dataset))
            yield Problem(
                what=f"{_system_words(system)} lacks {int(n_lacking[dataset]):,} of "
                f"{counted(int(in_dataset[dataset]), 'example')}"
                + _lacked_parts(pairing, rows, units)
                + _ids(found, pairing, units)
                + ".",
                remedy="If each dataset is scored by a metric of its own, declare that no column "
                "names metrics; else add the missing rows."
                if len(metrics) > 1 and units.size == in_dataset[dataset]
                else "Add the missing rows, or leave these examples out for every system.",
                dataset=names[dataset] or None,
            )


def _lacked_parts(pairing: Pairing, rows: IntArray, units: IntArray) -> str:
    """In which metrics and runs these examples lack a row of one system."""
    _, metrics, runs = pairing.names
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


def _ids(found: ExampleFindings, pairing: Pairing, units: IntArray) -> str:
    if pairing.example is None:
        return ""
    column = found.raw.column(pairing.example)
    ids = [column[int(row)].as_py() for row in pairing.first_rows[units[:3]]]
    rest = f" and {units.size - len(ids):,} more" if units.size > len(ids) else ""
    return f": {', '.join(quoted(one) for one in ids)}{rest}"


def _system_words(system: str) -> str:
    return f"The system {quoted(system)}" if system else "Every system"


def _slot_words(pairing: Pairing, slot: int) -> str:
    """A slot in words, as far as the file names its parts."""
    named = zip(("system", "metric", "run"), pairing.slot_name(slot), strict=True)
    return "the " + ", ".join(f"{unit} {quoted(name)}" for unit, name in named if name)


def _per_dataset(datasets: Sequence[str], counts: IntArray) -> str:
    """How many of which dataset, the first ten by name."""
    some = [(name, int(n)) for name, n in zip(datasets, counts, strict=True) if n]
    shown = ", ".join(f"{n:,} of {quoted(name)}" for name, n in some[:MOST])
    return shown + (f" and more of {len(some) - MOST} datasets" if len(some) > MOST else "")
