"""Repeated runs of each example: which of them count, and their means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import Choice, Problem, answers, listed, quoted
from ...types import FloatArray
from ..roles import AVERAGE_RUNS, LEAVE_OUT, ONLY_RUN
from ..side_data import RepeatedRuns
from ..tables.limits import bounded
from ..tables.raw_table import RawTable
from .columns import held
from .pairing import Arranged, counted, runs_of_systems
from .per_example import ExampleFindings
from .row_units import n_combinations


def kept_runs(
    found: ExampleFindings, examples: Arranged, values: Mapping[str, Sequence[FloatArray]]
) -> RepeatedRuns | None:
    """The scores of each run beside their means; None where there is one run.

    `values` are for each metric those of each system, shape (n_examples, n_runs).
    """
    column, runs = found.column("run"), examples.pairing.names[2]
    if column is None or len(runs) < 2:
        return None
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


def settle_runs(found: ExampleFindings, *, averaged: bool = True) -> str | None:
    """Go on with the rows that count, by what was declared of the runs.

    The column whose runs are still to be averaged, if any; where they cannot be `averaged` one is read.
    """
    raw, column, system = found.raw, found.column("run"), found.column("system")
    if column is None or raw.is_blank(column):
        return None
    runs = [name for name in raw.coded(column).texts if name]
    own = None if system is None else runs_of_systems(raw, system, column)
    remedy = "Name the run in every row, or declare that no column holds runs."
    found.check_named(column, "run", remedy)
    if len(runs) < 2:
        found.stop_at_problems()
        return None
    found.choices += _choices(column, runs, averaged=averaged, own=own)
    declared = str(found.roles.get("runs") or "")
    chosen = declared.removeprefix(ONLY_RUN)
    if not declared:
        remedy = "Average them, or choose one of them." if averaged else "Choose one of them."
        if averaged and own is not None:
            remedy = "Average each system's."
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
        return None
    which = f"the {len(runs):,} runs of each example"
    note = "Scores are then means over runs, so 0 and 1 no longer stand for wrong and right."
    if own is not None:
        # Systems that share no runs are not compared run by run.
        which = f"each system's own {counted(len(own[0]), 'run')} of each example"
        note += " No run of one system belongs to a run of another."
    found.remarks.append(f"Averaged, as chosen: {which} in {quoted(column)}. {note}")
    return column


def _read_one_run(found: ExampleFindings, column: str, chosen: str) -> None:
    """Go on with the rows of one run, and say what has none of it."""
    raw = found.raw
    kept = raw.with_text(column, chosen)
    remarks = [
        f"Read, as chosen: run {quoted(chosen)} of {quoted(column)} alone; "
        f"{raw.n_rows - kept.n_rows:,} rows of other runs are left aside."
    ]
    lacking = {
        unit: _lacking(raw, kept, found.column(role))
        for unit, role in (("system", "system"), ("metric", "metric_names"), ("dataset", "dataset"))
    }
    datasets = lacking["dataset"]
    if datasets:
        found.choices += answers(
            f"There is no run {quoted(chosen)} of {listed(datasets)}.",
            ("incomplete", LEAVE_OUT, f"Leave out {listed(datasets)}"),
        )
    if datasets and found.incomplete == LEAVE_OUT:
        lacking["dataset"] = ()
        remarks.append(
            f"Left out, as chosen, as there is no run {quoted(chosen)} of it: {listed(datasets)}."
        )
    problems = [
        Problem(
            f"The {unit}{'' if unit == 'dataset' else f' {quoted(name)}'} has no run {quoted(chosen)}.",
            f"Choose a run that every {unit} has, or leave the {unit} out.",
            dataset=name if unit == "dataset" else None,
            column=column,
        )
        for unit, names in lacking.items()
        for name in names
    ]
    found.problems = bounded(problems, n_problems=len(problems), of="datasets and systems")
    found.stop_at_problems()
    example = found.column("example")
    if example is not None:
        # Of the datasets that are kept some examples may stand in other runs alone.
        stays = ~np.isin(found.groups.datasets, datasets)[found.groups.codes]
        named = held(found.column("dataset"), example)
        n = n_combinations(raw.kept(stays), named) - n_combinations(kept, named)
        if n:
            without = f"{counted(n, 'example')} of other runs without a row of run {quoted(chosen)}"
            remarks.append(f"Not counted: {without}.")
    found.go_on_with(kept, *remarks)


def _lacking(raw: RawTable, kept: RawTable, column: str | None) -> tuple[str, ...]:
    """The names in a column that stand in no row that is kept."""
    if column is None:
        return ()
    held = set(kept.coded(column).texts)
    return tuple(name for name in raw.coded(column).texts if name and name not in held)


def _choices(
    column: str,
    runs: Sequence[str],
    *,
    averaged: bool,
    own: tuple[tuple[str, ...], ...] | None,
) -> tuple[Choice, ...]:
    """The question which runs count; of runs that systems do not share none is chosen alone."""
    if own is not None and averaged:
        words = counted(len(own[0]), "run")
        return answers(
            f"{quoted(column)} holds {words} of each example and system, and no two "
            "systems share any.",
            ("runs", AVERAGE_RUNS, f"Average each system's {words}"),
        )
    average = ("runs", AVERAGE_RUNS, f"Average the {len(runs):,} runs of each example")
    return answers(
        f"{quoted(column)} holds {len(runs):,} runs of each example. Which scores count?",
        *((average,) if averaged else ()),
        *(("runs", f"{ONLY_RUN}{run}", f"Use run {run} only") for run in runs[:_MOST_OFFERED]),
    )
