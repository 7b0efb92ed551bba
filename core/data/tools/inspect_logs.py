"""Logs of Inspect: JSON, archives (.eval) out of which the files came, and data frames; what each scorer gave each sample."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from ...errors import DataError, Problem, listed, quoted, stop_at
from ...types import grouped
from ..roles import Roles
from ..sources.files import SourceFile
from ..sources.json_table import read_json
from ..sources.json_values import Entry, ToolJson, cell, each_read, is_json, part, required, text_at
from ..tables.raw_table import RawTable
from ..tables.splitting import split_table
from ..tables.text import decode_text
from .gathered import HEAD_BYTES, Gathered, Record, Tool, scores_of

# As `value_to_float` of Inspect reads them, beside numbers.
_LETTERS = {"C": "1", "I": "0", "P": "0.5", "N": "0"}
_WORDS = {"yes": "1", "true": "1", "no": "0", "false": "0"}
# Summaries hold at least this much of an input.
_CONTENT = 500
_MEDIUM = re.compile(r"\(\w+\)")
_SCORE = "score_"
# Columns beside a scorer's own, and those of whole evaluations.
_DETAILS = ("_answer", "_explanation", "_metadata")
_HEADLINE = "score_headline_"
# Task, model and solver of an evaluation that no table tells of.
_UNKNOWN = ("", "", "")
_JSON_NAMES = re.compile(rb'"([A-Za-z_0-9]+)"\s*:')


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Log:
    """One evaluation: one task, named without the package that it is from, of one model.

    Its samples are of no dataset or system yet; each run of them is an epoch. Scores are as
    written; content is the beginning of input and target, of messages a hash.
    """

    path: str
    task: str
    model: str
    samples: Sequence[Record]
    is_table: bool = False
    solver: str = ""
    # Of the task.
    arguments: Mapping[str, str] = field(default_factory=dict)
    # "success" where the evaluation came to its end; '' where that is not known.
    status: str = ""

    @property
    def letters(self) -> set[str]:
        """Which of Inspect's letters are read as numbers."""
        return {text for one in self.samples for text in one.cells.values()} & _LETTERS.keys()


def _read_json_log(file: SourceFile) -> _Log:
    header: dict[str, Any] = {}
    samples: list[Entry] = []
    for entry in ToolJson(file).walk({"samples"}):
        if entry.key != "samples":
            # The plan, the results and the statistics are of no use here.
            header[entry.key] = entry.value if entry.key in ("eval", "status") else None
        elif entry.value is not None:
            samples.append(_bare(entry))
    return _log_of(header, samples, path=file.name)


def _read_packed_log(header: SourceFile, members: Mapping[str, SourceFile]) -> _Log:
    """A log that is an archive: all summaries, else those written on the way, else samples."""
    held: list[SourceFile] = []
    for begins in ("summaries.json", "_journal/summaries/", "samples/"):
        held = held or [file for name, file in members.items() if name.startswith(begins)]
    found: dict[tuple[str, str], Entry] = {}
    for file in sorted(held, key=lambda file: (len(file.name), file.name)):
        for entry in ToolJson(file).entries():
            # A sample that was scored anew stands in a later summary.
            found[text_at(entry.value, "id"), text_at(entry.value, "epoch")] = _bare(entry)
    told = {e.key: e.value for e in ToolJson(header).walk() if e.key in ("eval", "status")}
    folder = header.name.removesuffix(_START).removesuffix(_HEADER).rstrip("/")
    return _log_of(told, list(found.values()), path=folder or header.name)


def _log_of(header: Mapping[str, Any], samples: Iterable[Entry], *, path: str) -> _Log:
    spec = part(header, "eval")

    def read(entry: Entry) -> Record:
        name = required(entry.value, "id")
        return Record(
            "",
            "",
            name,
            entry.line,
            _values(part(entry.value, "scores"), name),
            content=_content(entry.value),
            run=text_at(entry.value, "epoch") or "1",
        )

    solver, set_to = text_at(spec, "solver"), _shown(part(spec, "solver_args"))
    if solver and set_to:
        solver += f", {', '.join(f'{key}={text}' for key, text in set_to.items())}"
    return _Log(
        path=path,
        task=_without_package(required(spec, "task")),
        model=required(spec, "model"),
        solver=solver,
        arguments=_shown(part(spec, "task_args")),
        status=text_at(header, "status"),
        samples=[*each_read(samples, read)],
    )


def _without_package(task: str) -> str:
    """A task's name without the package that it is from, as Inspect's tables have it."""
    return task.split("/", maxsplit=1)[-1] or task


def number_of(text: str) -> str:
    """A score as Inspect reads it; other text stays as it is."""
    return _LETTERS.get(text) or _WORDS.get(text.casefold(), text)


def _bare(sample: Entry) -> Entry:
    """A sample without its transcript, which is most of it."""
    kept = ("id", "epoch", "scores", "input", "target")
    return sample._replace(value={k: v for k, v in part(sample.value).items() if k in kept})


def _values(scores: Mapping[str, Any], name: str) -> dict[str, str]:
    """The score by each scorer, or by each part of one that gives several."""
    found: dict[str, str] = {}
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        parts = (
            {f"{scorer}_{each}": own for each, own in value.items()}
            if isinstance(value, dict)
            else {scorer: value}
        )
        for named, own in parts.items():
            text = cell(own)
            if text is None:
                raise DataError.of(
                    f"The score of {quoted(name)} by {quoted(named)} is several values, not one.",
                    "Let the scorer give one number, or drop it from the log.",
                )
            found[named] = text
    return found


def _content(value: Mapping[str, Any]) -> str:
    # Summaries hold the beginning of a text, blanks made one where they shorten it.
    asked, wanted = value.get("input"), value.get("target")
    if isinstance(asked, list):
        asked = _of_messages(asked)
    if not isinstance(asked, str):
        return ""
    wanted = wanted if isinstance(wanted, str) else json.dumps(wanted)
    return f"{cell(asked[:_CONTENT])}\n{cell(wanted[:_CONTENT])}"


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
            for each in parts
            if isinstance(each, dict)
            and isinstance(text := each.get("text"), str)
            # So summaries name a picture or a sound.
            and not _MEDIUM.fullmatch(text)
        ]
        said.append([text_at(message, "role"), *texts])
    if not any(len(own) > 1 for own in said):
        return None
    return f"messages {sha256(json.dumps(said).encode()).hexdigest()}"


def _shown(arguments: Mapping[str, Any]) -> dict[str, str]:
    return {
        key: text if (text := cell(value)) is not None else json.dumps(value)
        for key, value in arguments.items()
    }


def _is_sample_table(head: bytes) -> bool:
    names = _names(head)
    scores = any(name.startswith(_SCORE) and not name.startswith(_HEADLINE) for name in names)
    return scores and {"eval_id", "id", "epoch"} <= names


def _is_evaluation_table(head: bytes) -> bool:
    names = _names(head)
    return {"eval_id", "model", "task_name"} <= names and "epoch" not in names


def _columns_of(file: SourceFile, names: Sequence[str]) -> tuple[RawTable, list[list[str]]]:
    """A table, and its cells in these columns, '' where it has none of a name."""
    decoded = decode_text(file.content)
    is_of_json = is_json(decoded.content)
    raw = read_json(decoded, name=file.name).raw if is_of_json else split_table(decoded)
    blank = [""] * raw.n_rows
    return raw, [raw.column(n).to_pylist() if n in raw.header else blank for n in names]


def _read_sample_table(file: SourceFile, evaluations: Mapping[str, Sequence[str]]) -> list[_Log]:
    """One log for each evaluation of a table of samples, with what is known of it by its id."""
    raw, (own, ids, epochs, asked, wanted, *told) = _columns_of(
        file,
        ("eval_id", "id", "epoch", "input", "target", "task_name", "model", "solver"),
    )
    scorers = _scorers(raw.header)
    if not scorers:
        raise DataError.of(
            f"No column holds scores among {listed(raw.header)}.",
            "Keep the columns 'score_…' of the data frame.",
        )
    texts = {scorer: raw.column(column).to_pylist() for scorer, column in scorers.items()}
    places = [
        (name, *(a or b for a, b in zip(said, evaluations.get(name, _UNKNOWN), strict=True)))
        for name, *said in zip(own, *told, strict=True)
    ]
    unknown = [row for row, (_, task, model, _) in enumerate(places) if not task or not model]
    if unknown:
        raise DataError.of(
            f"{len(unknown):,} samples are of evaluations of which neither the task nor the model "
            "is known.",
            "Add the table of evaluations (evals_df) beside it, or write the samples with "
            "samples_df(columns=EvalTask + EvalModel + SampleSummary).",
            column="eval_id",
            line=int(raw.lines[unknown[0]]),
        )
    logs = []
    by_log = grouped((places[row], row) for row in range(raw.n_rows))
    for (_, task, model, solver), held in by_log.items():
        # A table of several tasks has columns for the scorers of all of them.
        used = {scorer: text for scorer, text in texts.items() if any(text[row] for row in held)}
        samples = [
            Record(
                "",
                "",
                ids[row],
                int(raw.lines[row]),
                {scorer: text[row] for scorer, text in used.items()},
                content=f"{asked[row]}\n{wanted[row]}" if asked[row] else "",
                run=epochs[row] or "1",
            )
            for row in held
        ]
        logs.append(
            _Log(
                path=file.name,
                is_table=True,
                task=_without_package(task),
                model=model,
                solver=solver,
                samples=samples,
            )
        )
    return logs


def _scorers(header: Sequence[str]) -> dict[str, str]:
    columns = [name for name in header if name.startswith(_SCORE)]
    return {
        name.removeprefix(_SCORE): name
        for name in columns
        if not name.startswith(_HEADLINE)
        and not any(name.endswith(end) and name.removesuffix(end) in columns for end in _DETAILS)
    }


def _names(head: bytes) -> set[str]:
    """The columns that the beginning of a file names."""
    if is_json(head):
        return {found.decode() for found in _JSON_NAMES.findall(head)}
    first = head.split(b"\n", 1)[0].decode("utf-8", "replace")
    separator = max(",;\t", key=first.count)
    try:
        return {name.strip() for name in next(csv.reader([first], delimiter=separator), [])}
    except csv.Error:
        return set()


_BEGINS = re.compile(rb'\s*\{\s*"(version|status|eval)"\s*:')
_HEADER, _START = "header.json", "_journal/start.json"
_MEMBERS = re.compile(
    r"header\.json|summaries\.json|reductions\.json|samples/.+|_journal/.+", re.DOTALL
)
# As C, P, I and N are read.
_GRADES = frozenset({"1", "0.5", "0", ""})
# Its own scorers: higher is better by each.
_OF_INSPECT = (
    "match", "includes", "pattern", "answer", "choice", "math", "model_graded_qa",
    "model_graded_fact",
)  # fmt: skip


def _claims(files: Sequence[SourceFile], _: Roles) -> list[int]:
    packed = {file.name for own in _archives(files).values() for file in own.values()}
    heads = [file.content[:HEAD_BYTES] for file in files]
    known = [_is_log, _is_sample_table]
    known += [_is_evaluation_table] if any(map(_is_sample_table, heads)) else []
    return [
        position
        for position, (file, head) in enumerate(zip(files, heads, strict=True))
        if file.name in packed or any(is_kind(head) for is_kind in known)
    ]


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    archives = _archives(files)
    packed = {file.name for own in archives.values() for file in own.values()} - archives.keys()
    evaluations: dict[str, Sequence[str]] = {}
    logs: list[_Log] = []

    def read(file: SourceFile) -> None:
        if file.name in archives:
            logs.append(_read_packed_log(file, archives[file.name]))
        elif _is_log(head := file.content[:HEAD_BYTES]):
            logs.append(_read_json_log(file))
        elif _is_sample_table(head):
            logs.extend(_read_sample_table(file, evaluations))
        else:
            _, columns = _columns_of(file, ("eval_id", "task_name", "model", "solver"))
            evaluations.update({name: told for name, *told in zip(*columns, strict=True) if name})
            found.note(file.name, "tasks and models")

    def order(file: SourceFile) -> tuple[bool, bool, bool]:
        """Evaluations before their samples, and archives last."""
        head = file.content[:HEAD_BYTES]
        return file.name in archives, not _is_evaluation_table(head), _is_sample_table(head)

    found.read_each(sorted((f for f in files if f.name not in packed), key=order), read)
    _settle([log for log in logs if log.samples], found)
    for log in logs:
        if not log.samples:
            found.leave(log.path, "It holds no samples: the log has only its header.")


def _settle(logs: Sequence[_Log], found: Gathered) -> None:
    names = _called(logs)
    for log, (dataset, system) in zip(logs, names, strict=True):
        records = (
            one._replace(
                dataset=dataset,
                system=system,
                cells={scorer: number_of(text) for scorer, text in one.cells.items()},
            )
            for one in log.samples
        )
        # A table writes inputs otherwise than a log.
        kind = "table" if log.is_table else "log"
        found.scores += [replace(o, content_kind=kind) for o in scores_of(log.path, records)]
    found.remarks += _remarks(logs)
    # Of Inspect's own scorers and of its grades higher is better.
    found.higher_is_better = {
        scorer: True
        for log, one in zip(logs, found.scores, strict=True)
        for scorer, cells in one.columns.items()
        if scorer in _OF_INSPECT or (log.letters and _GRADES.issuperset(cells))
    }


def _called(logs: Sequence[_Log]) -> list[tuple[str, str]]:
    """Dataset and system of each log: task and model, and what tells others of them apart."""
    by_task = grouped((log.task, log) for log in logs)
    settings = [
        ", ".join(
            f"{key}={text}"
            for key, text in log.arguments.items()
            if any(other.arguments.get(key) != text for other in by_task[log.task])
        )
        for log in logs
    ]
    tasks, models = [log.task for log in logs], [log.model for log in logs]
    asked, set_up = (list(map(_with, names, settings)) for names in (tasks, models))
    solved = [_with(log.model, log.solver) for log in logs]
    ways = [
        list(zip(datasets, systems, strict=True))
        for datasets, systems in (
            (tasks, models), (asked, models), (tasks, solved), (tasks, set_up), (asked, solved),
        )
    ]  # fmt: skip
    differing = [names for names in ways if len(set(names)) == len(names)]
    stop_at(
        [
            Problem(
                f"{len(own)} evaluations of the model {quoted(model)} differ neither in solver "
                f"nor in arguments: {listed(list(dict.fromkeys(log.path for log in own)))}.",
                "Keep one of them; repeats of an evaluation belong into one log as epochs.",
                dataset=task,
            )
            for (task, model), own in grouped(((log.task, log.model), log) for log in logs).items()
            if len(own) > 1 and not differing
        ]
    )
    compared = [
        names
        for names in differing
        if min(Counter(dataset for dataset, _ in names).values(), default=0) > 1
    ]
    return (compared or differing)[0]


def _with(name: str, told: str) -> str:
    return f"{name} ({told})" if told else name


def _remarks(logs: Sequence[_Log]) -> Iterator[str]:
    letters = sorted({letter for log in logs for letter in log.letters})
    if letters:
        read = ", ".join(f"{letter} as {_LETTERS[letter]}" for letter in letters)
        yield f"Inspect's grades are read as numbers, as Inspect does: {read}."
    broken = [log for log in logs if log.status not in ("", "success")]
    if broken:
        shown = [f"{log.task}, {log.model}: {log.status}" for log in broken]
        yield f"Evaluations that did not come to their end: {listed(shown)}."


def _archives(files: Sequence[SourceFile]) -> dict[str, dict[str, SourceFile]]:
    """By the name of its header's file the members of each unpacked archive, by their own names."""
    found: dict[str, dict[str, SourceFile]] = {}
    # A header counts more than what was written at the start.
    for file in sorted(files, key=lambda file: file.name.endswith(_START)):
        inside = file.name.removesuffix(_START).removesuffix(_HEADER)
        is_header = inside != file.name and inside[-1:] in ("", "/")
        if not is_header or not _is_log(file.content[:HEAD_BYTES]):
            continue
        inner = {one.name[len(inside) :]: one for one in files if one.name.startswith(inside)}
        members = {name: one for name, one in inner.items() if _MEMBERS.fullmatch(name)}
        # A log without samples beside it may be any JSON log of this name.
        has_samples = any(
            n.startswith(("samples/", "_journal/", "summaries.json")) for n in members
        )
        if has_samples and not any(file in own.values() for own in found.values()):
            found[file.name] = members
    return found


def _is_log(head: bytes) -> bool:
    named = all(name in head for name in (b'"eval"', b'"task"', b'"model"'))
    return named and _BEGINS.match(head) is not None


INSPECT = Tool(name="Inspect", claims=_claims, gather=_gather)
