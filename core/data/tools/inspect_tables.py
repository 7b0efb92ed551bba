"""Inspect's data frames as files: samples, with the evaluations that they are of."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.data.sources.given import SourceFile
from core.data.sources.json_table import read_json
from core.data.sources.json_values import is_json
from core.data.tables.raw_table import RawTable
from core.data.tables.splitting import split_table
from core.data.tables.text import decode_text
from core.data.tools.inspect_samples import Log, Sample, number_of, without_package
from core.data.words import listed
from core.errors import DataError, Problem

_SCORE = "score_"
# Columns beside a scorer's own, and those of whole evaluations.
_DETAILS = ("_answer", "_explanation", "_metadata")
_HEADLINE = "score_headline_"
_JSON_NAMES = re.compile(rb'"([A-Za-z_0-9]+)"\s*:')

# By its eval_id what a table of evaluations says: task, model, solver.
Evaluations = Mapping[str, tuple[str, str, str]]


def is_sample_table(head: bytes) -> bool:
    """Whether a file begins as a data frame of samples does."""
    names = _names(head)
    scores = any(name.startswith(_SCORE) and not name.startswith(_HEADLINE) for name in names)
    return scores and {"eval_id", "id", "epoch"} <= names


def is_evaluation_table(head: bytes) -> bool:
    """Whether a file begins as a data frame of evaluations does."""
    names = _names(head)
    return {"eval_id", "model", "task_name"} <= names and "epoch" not in names


def read_evaluations(file: SourceFile) -> dict[str, tuple[str, str, str]]:
    """Task, model and solver of each evaluation of a table."""
    columns = _columns(_table(file), ("eval_id", "task_name", "model", "solver"))
    return {
        name: (task, model, solver)
        for name, task, model, solver in zip(*columns, strict=True)
        if name
    }


def read_sample_table(file: SourceFile, evaluations: Evaluations, *, kind: str) -> list[Log]:
    """One log for each evaluation of a table of samples.

    Raises
    ------
    DataError
        Where neither the table nor one of evaluations says which task and
        model the samples are of, and where there is no score.
    """
    raw = _table(file)
    scorers = _scorers(raw.header)
    if not scorers:
        raise DataError(
            [
                Problem(
                    what=f"No column holds scores among {listed(raw.header)}.",
                    remedy="Keep the columns 'score_…' of the data frame.",
                )
            ]
        )
    names = ("eval_id", "id", "epoch", "task_name", "model", "solver")
    own, ids, epochs, tasks, models, solvers = _columns(raw, names)
    asked, wanted = _columns(raw, ("input", "target"))
    texts = {scorer: raw.column(column).to_pylist() for scorer, column in scorers.items()}
    rows: dict[tuple[str, str, str, str], list[int]] = {}
    unknown: list[int] = []
    for row, name in enumerate(own):
        known = evaluations.get(name, ("", "", ""))
        task, model = tasks[row] or known[0], models[row] or known[1]
        if not task or not model:
            unknown.append(row)
        rows.setdefault((name, task, model, solvers[row] or known[2]), []).append(row)
    if unknown:
        raise DataError([_unknown(raw, unknown)])
    logs = []
    for (_, task, model, solver), held in rows.items():
        letters: set[str] = set()
        samples = [
            Sample(
                id=ids[row],
                epoch=epochs[row] or "1",
                line=int(raw.lines[row]),
                values={scorer: number_of(text[row], letters) for scorer, text in texts.items()},
                content=f"{asked[row]}\n{wanted[row]}" if asked[row] else None,
            )
            for row in held
        ]
        # A table of several tasks has columns for the scorers of all of them.
        used = [s for s in scorers if any(sample.values[s] for sample in samples)]
        kept = [
            replace(sample, values={name: sample.values[name] for name in used})
            for sample in samples
        ]
        logs.append(
            Log(
                path=file.name,
                kind=kind,
                task=without_package(task),
                model=model,
                solver=solver,
                samples=kept,
                letters=frozenset(letters),
            )
        )
    return logs


def _scorers(header: Sequence[str]) -> dict[str, str]:
    """The column of each scorer."""
    columns = [name for name in header if name.startswith(_SCORE)]
    return {
        name.removeprefix(_SCORE): name
        for name in columns
        if not name.startswith(_HEADLINE)
        and not any(name.endswith(end) and name.removesuffix(end) in columns for end in _DETAILS)
    }


def _table(file: SourceFile) -> RawTable:
    decoded = decode_text(file.content)
    if is_json(decoded.content):
        return read_json(decoded, name=file.name).raw
    return split_table(decoded)


def _columns(raw: RawTable, names: Sequence[str]) -> list[list[str]]:
    blank = [""] * raw.n_rows
    return [raw.column(name).to_pylist() if name in raw.header else blank for name in names]


def _names(head: bytes) -> set[str]:
    """The columns that the beginning of a file names."""
    if is_json(head):
        return {found.decode() for found in _JSON_NAMES.findall(head)}
    first = head.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace")
    separator = max(",;\t", key=first.count)
    try:
        return {name.strip() for name in next(csv.reader([first], delimiter=separator), [])}
    except csv.Error:
        return set()


def _unknown(raw: RawTable, rows: Sequence[int]) -> Problem:
    return Problem(
        what=f"{len(rows):,} samples are of evaluations of which neither the task nor the model is "
        "known.",
        remedy="Add the table of evaluations (evals_df) beside it, or write the samples with "
        "samples_df(columns=EvalTask + EvalModel + SampleSummary).",
        column="eval_id",
        line=int(raw.lines[rows[0]]),
    )
