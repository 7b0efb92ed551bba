"""Samples of Inspect's logs: what each scorer gave each sample in each epoch."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..sources.json_table import read_json
from ..sources.json_values import cell, is_json
from ..tables.raw_table import RawTable
from ..tables.splitting import split_table
from ..tables.text import decode_text
from ..words import listed, quoted
from .tool_json import ToolJson, stop_at

# As `value_to_float` of Inspect reads them, beside numbers.
_LETTERS = {"C": "1", "I": "0", "P": "0.5", "N": "0"}
_WORDS = {"yes": "1", "true": "1", "no": "0", "false": "0"}
# Summaries hold at least this much of an input.
_CONTENT = 500
_MEDIUM = re.compile(r"\(\w+\)")
_SHAPE = "Give the log as Inspect wrote it."
_SCORE = "score_"
# Columns beside a scorer's own, and those of whole evaluations.
_DETAILS = ("_answer", "_explanation", "_metadata")
_HEADLINE = "score_headline_"
_JSON_NAMES = re.compile(rb'"([A-Za-z_0-9]+)"\s*:')
# By its eval_id what a table of evaluations says: task, model, solver.
Evaluations = Mapping[str, tuple[str, str, str]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """One sample in one epoch.

    Attributes
    ----------
    id, epoch : str
        As the log names them.
    line : int
        Where it stands.
    values : mapping of str to str
        For each scorer its score, as a number where Inspect reads one, '' where there is none.
    content : str or None
        The beginning of its input and its target, of messages a hash; None where it is not known.
    """

    id: str
    epoch: str
    line: int
    values: Mapping[str, str]
    content: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Log:
    """One evaluation: one task of one model.

    Attributes
    ----------
    path : str
        Its file.
    is_table : bool
        Whether that is a table of samples.
    task, model : str
        As Inspect names them, the task without the package that it is from.
    solver : str
        '' where the log names none.
    arguments : mapping of str to str
        Of the task.
    status : str
        "success" where the evaluation came to its end; '' where that is not known.
    samples : sequence of Sample
        Empty where the log holds none.
    letters : frozenset of str
        Which of Inspect's letters were read as numbers.
    """

    path: str
    task: str
    model: str
    is_table: bool = False
    solver: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    status: str = ""
    samples: Sequence[Sample] = ()
    letters: frozenset[str] = frozenset()


def read_json_log(file: SourceFile) -> Log:
    """A log that is one JSON file."""
    header: dict[str, Any] = {}
    samples: list[tuple[int, Any]] = []
    for entry in ToolJson(file).walk({"samples"}):
        if entry.key != "samples":
            # The plan, the results and the statistics are of no use here.
            header[entry.key] = entry.value if entry.key in ("eval", "status") else None
        elif isinstance(entry.value, dict):
            samples.append((entry.line, _bare(entry.value)))
        elif entry.value is not None:
            samples.append((entry.line, None))
    return log_of(header, samples, path=file.name)


def read_packed_log(header: SourceFile, samples: Sequence[SourceFile], *, path: str) -> Log:
    """A log that is an archive: its header, and its summaries or its samples.

    Parameters
    ----------
    header : SourceFile
        `header.json`, or `_journal/start.json` where the evaluation did not end.
    samples : sequence of SourceFile
        Lists of summaries, or one sample each.
    """
    found: dict[tuple[str | None, str | None], tuple[int, Any]] = {}
    for file in samples:
        text = ToolJson(file)
        if text.next == "[":
            entries = [(entry.line, entry.value) for entry in text.records()]
        else:
            entries = [(1, text.whole())]
        for line, value in entries:
            bare = _bare(value) if isinstance(value, dict) else None
            own = (cell(bare.get("id")), cell(bare.get("epoch"))) if bare else (None, file.name)
            # A sample that was scored anew stands in a later summary.
            found[own] = (line, bare)
    members = {e.key: e.value for e in ToolJson(header).walk() if e.key in ("eval", "status")}
    return log_of(members, list(found.values()), path=path)


def log_of(header: Mapping[str, Any], samples: Iterable[tuple[int, Any]], *, path: str) -> Log:
    """A log from the members of its header and its samples, each with its line.

    Raises
    ------
    DataError
        With every sample that is none, and where the task or the model is not named.
    """
    spec = header.get("eval")
    spec = spec if isinstance(spec, dict) else {}
    task, model = cell(spec.get("task")) or "", cell(spec.get("model")) or ""
    if not task or not model:
        raise DataError.of(what="The log names no task or no model.", remedy=_SHAPE, line=1)
    letters: set[str] = set()
    read: list[Sample] = []
    problems: list[Problem] = []
    for line, value in samples:
        name = cell(value.get("id")) if isinstance(value, dict) else None
        if not name:
            what = "Here stands a value that is no sample with an id."
            problems.append(Problem(what=what, remedy=_SHAPE, line=line))
            continue
        read.append(
            Sample(
                id=name,
                epoch=cell(value.get("epoch")) or "1",
                line=line,
                values=_values(value.get("scores"), name, line, letters, problems),
                content=_content(value),
            )
        )
    stop_at(problems)
    arguments = spec.get("task_args")
    return Log(
        path=path,
        task=without_package(task),
        model=model,
        solver=_solver(spec),
        arguments=_shown(arguments) if isinstance(arguments, dict) else {},
        status=cell(header.get("status")) or "",
        samples=read,
        letters=frozenset(letters),
    )


def without_package(task: str) -> str:
    """A task's name without the package that it is from, as Inspect's tables have it."""
    return task.split("/", maxsplit=1)[-1] or task


def number_of(text: str, letters: set[str]) -> str:
    """A score as Inspect reads it; other text stays as it is. Letters that were read are added."""
    if text in _LETTERS:
        letters.add(text)
        return _LETTERS[text]
    return _WORDS.get(text.casefold(), text)


def _bare(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample without its transcript, which is most of it."""
    return {k: v for k, v in sample.items() if k in ("id", "epoch", "scores", "input", "target")}


def _values(
    scores: Any, name: str, line: int, letters: set[str], problems: list[Problem]
) -> dict[str, str]:
    """The score by each scorer, or by each part of one that gives several."""
    found: dict[str, str] = {}
    for scorer, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else score
        parts = (
            {f"{scorer}_{part}": own for part, own in value.items()}
            if isinstance(value, dict)
            else {scorer: value}
        )
        for part, own in parts.items():
            text = cell(own)
            if text is None:
                what = f"The score of {quoted(name)} by {quoted(part)} is several values, not one."
                remedy = "Let the scorer give one number, or drop it from the log."
                problems.append(Problem(what=what, remedy=remedy, line=line))
            else:
                found[part] = number_of(text, letters)
    return found


def _content(value: Mapping[str, Any]) -> str | None:
    # Summaries hold the beginning of a text, blanks made one where they shorten it.
    asked, wanted = value.get("input"), value.get("target")
    if isinstance(asked, list):
        asked = _of_messages(asked)
    if not isinstance(asked, str):
        return None
    wanted = wanted if isinstance(wanted, str) else json.dumps(wanted)
    return f"{asked[:_CONTENT]}\n{wanted[:_CONTENT]}"


def _of_messages(messages: Sequence[Any]) -> str | None:
    """A hash of who says what: the rest, such as ids, differs from run to run."""
    said = []
    for message in messages:
        if not isinstance(message, dict):
            return None
        own = message.get("content")
        parts = own if isinstance(own, list) else [{"type": "text", "text": own}]
        texts = [
            " ".join(text.split())[:_CONTENT]
            for part in parts
            if isinstance(part, dict)
            and isinstance(text := part.get("text"), str)
            # So summaries name a picture or a sound.
            and not _MEDIUM.fullmatch(text)
        ]
        said.append([cell(message.get("role")) or "", *texts])
    if not any(len(own) > 1 for own in said):
        return None
    return f"messages {sha256(json.dumps(said).encode()).hexdigest()}"


def _solver(spec: Mapping[str, Any]) -> str:
    solver, arguments = cell(spec.get("solver")) or "", spec.get("solver_args")
    if solver and isinstance(arguments, dict) and arguments:
        shown = ", ".join(f"{key}={text}" for key, text in _shown(arguments).items())
        return f"{solver}, {shown}"
    return solver


def _shown(arguments: Mapping[str, Any]) -> dict[str, str]:
    return {
        key: text if (text := cell(value)) is not None else json.dumps(value)
        for key, value in arguments.items()
    }


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


def read_sample_table(file: SourceFile, evaluations: Evaluations) -> list[Log]:
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
        raise DataError.of(
            what=f"No column holds scores among {listed(raw.header)}.",
            remedy="Keep the columns 'score_…' of the data frame.",
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
                is_table=True,
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
