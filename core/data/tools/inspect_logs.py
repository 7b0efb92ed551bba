"""Logs of Inspect: JSON, archives (.eval) out of which the files came, and data frames."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..words import listed, quoted
from .gathered import HEAD_BYTES, Gathered, Scores, Tool
from .inspect_files import (
    Log,
    is_evaluation_table,
    is_sample_table,
    read_evaluations,
    read_json_log,
    read_packed_log,
    read_sample_table,
)

_BEGINS = re.compile(rb'\s*\{\s*"(version|status|eval)"\s*:')
_HEADER, _START = "header.json", "_journal/start.json"
_MEMBERS = re.compile(
    r"header\.json|summaries\.json|reductions\.json|samples/.+|_journal/.+", re.DOTALL
)
# As C, P, I and N are read.
_GRADES = frozenset({"1", "0.5", "0", ""})
# Its own scorers: higher is better by each.
_OF_INSPECT = (
    "match",
    "includes",
    "pattern",
    "answer",
    "choice",
    "math",
    "model_graded_qa",
    "model_graded_fact",
)

Names = list[tuple[str, str]]


@dataclass(slots=True, kw_only=True)
class _Found:
    """Which files are which."""

    logs: list[int] = field(default_factory=list)
    archives: dict[str, list[int]] = field(default_factory=dict)
    samples: list[int] = field(default_factory=list)
    evaluations: list[int] = field(default_factory=list)


def claims(files: Sequence[SourceFile]) -> list[int]:
    """The positions of the files that Inspect wrote."""
    found = _sorted(files)
    inner = [position for own in found.archives.values() for position in own]
    tables = [*found.samples, *found.evaluations] if found.samples else []
    return sorted([*found.logs, *inner, *tables])


def gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """Everything that logs and data frames hold."""
    kinds = _sorted(files)
    evaluations: dict[str, tuple[str, str, str]] = {}
    for own in found.read_each(
        [files[i] for i in kinds.evaluations], read_evaluations, of="places"
    ):
        evaluations.update(own)
    by_path = {folder: [files[i] for i in own] for folder, own in kinds.archives.items()}
    headers = [(_member(own, folder, _HEADER, _START), folder) for folder, own in by_path.items()]
    folders = {header.name: folder for header, folder in headers}
    tables = {files[i].name for i in kinds.samples}

    def read(file: SourceFile) -> list[Log]:
        folder = folders.get(file.name)
        if folder is not None:
            samples = _samples(by_path[folder], folder)
            return [read_packed_log(file, samples, path=folder or file.name)]
        if file.name in tables:
            return read_sample_table(file, evaluations)
        return [read_json_log(file)]

    wanted = [files[i] for i in (*kinds.logs, *kinds.samples)] + [header for header, _ in headers]
    logs = [log for own in found.read_each(wanted, read, of="places") for log in own]
    _settle([log for log in logs if log.samples], found)
    for log in logs:
        if not log.samples:
            found.leave(log.path, "It holds no samples: the log has only its header.")
    for i in kinds.evaluations:
        found.note(files[i].name, "tasks and models")


def _settle(logs: Sequence[Log], found: Gathered) -> None:
    names = _names(logs)
    several = any(len({sample.epoch for sample in log.samples}) > 1 for log in logs)
    # A table writes inputs otherwise than a log: only those of one kind can be compared.
    kinds: dict[str, set[bool]] = {}
    for log, (dataset, _) in zip(logs, names, strict=True):
        kinds.setdefault(dataset, set()).add(log.is_table)
    found.scores += [
        _scores(log, dataset, system, several=several, with_content=len(kinds[dataset]) == 1)
        for log, (dataset, system) in zip(logs, names, strict=True)
    ]
    found.remarks += _remarks(logs)
    found.higher_is_better = _directions(logs, found.scores)


def _scores(log: Log, dataset: str, system: str, *, several: bool, with_content: bool) -> Scores:
    scorers = list(dict.fromkeys(scorer for sample in log.samples for scorer in sample.values))
    contents = [sample.content or "" for sample in log.samples]
    return Scores(
        path=log.path,
        dataset=dataset,
        system=system,
        examples=[sample.id for sample in log.samples],
        columns={s: [sample.values.get(s, "") for sample in log.samples] for s in scorers},
        lines=[sample.line for sample in log.samples],
        content=contents if with_content and any(contents) else (),
        runs=[sample.epoch for sample in log.samples] if several else (),
    )


def _directions(logs: Sequence[Log], scores: Sequence[Scores]) -> dict[str, bool]:
    """Of Inspect's own scorers and of its grades higher is better."""
    return {
        scorer: True
        for log, one in zip(logs, scores, strict=True)
        for scorer, cells in one.columns.items()
        if scorer in _OF_INSPECT or (log.letters and _GRADES.issuperset(cells))
    }


def _names(logs: Sequence[Log]) -> Names:
    """Dataset and system of each log: task and model, and what tells others of them apart.

    Raises
    ------
    DataError
        Where several logs are of one task and model.
    """
    solved = [f"{log.model} ({log.solver})" if log.solver else log.model for log in logs]
    varying = _varying(logs)
    asked = [_with(log.task, log, varying) for log in logs]
    models = [_with(log.model, log, varying) for log in logs]
    plain = [log.task for log in logs]
    ways: list[Names] = [
        list(zip(plain, [log.model for log in logs], strict=True)),
        list(zip(asked, [log.model for log in logs], strict=True)),
        list(zip(plain, solved, strict=True)),
        list(zip(plain, models, strict=True)),
        list(zip(asked, solved, strict=True)),
    ]
    differing = [names for names in ways if len(set(names)) == len(names)]
    if not differing:
        raise DataError(list(_several(logs)))
    compared = [
        names for names in differing if min(Counter(dataset for dataset, _ in names).values()) > 1
    ]
    return (compared or differing)[0]


def _varying(logs: Sequence[Log]) -> dict[str, list[str]]:
    """For each task the arguments in which its logs differ."""
    varying: dict[str, list[str]] = {}
    for task in dict.fromkeys(log.task for log in logs):
        own = [log.arguments for log in logs if log.task == task]
        keys = dict.fromkeys(key for arguments in own for key in arguments)
        varying[task] = [key for key in keys if len({a.get(key) for a in own}) > 1]
    return varying


def _with(name: str, log: Log, varying: dict[str, list[str]]) -> str:
    told = [f"{k}={log.arguments[k]}" for k in varying[log.task] if k in log.arguments]
    return f"{name} ({', '.join(told)})" if told else name


def _several(logs: Sequence[Log]) -> Iterator[Problem]:
    counts = Counter((log.task, log.model) for log in logs)
    for (task, model), n in counts.items():
        if n > 1:
            paths = dict.fromkeys(
                log.path for log in logs if (log.task, log.model) == (task, model)
            )
            yield Problem(
                what=f"{n} evaluations of the model {quoted(model)} differ neither in solver nor "
                f"in arguments: {listed(list(paths))}.",
                remedy="Keep one of them; repeats of an evaluation belong into one log as epochs.",
                dataset=task,
            )


def _remarks(logs: Sequence[Log]) -> Iterator[str]:
    letters = sorted({letter for log in logs for letter in log.letters})
    if letters:
        worth = {"C": "1", "I": "0", "P": "0.5", "N": "0"}
        read = ", ".join(f"{letter} as {worth[letter]}" for letter in letters)
        yield f"Inspect's grades are read as numbers, as Inspect does: {read}."
    broken = [log for log in logs if log.status not in ("", "success")]
    if broken:
        shown = [f"{log.task}, {log.model}: {log.status}" for log in broken]
        yield f"Evaluations that did not come to their end: {listed(shown)}."


def _sorted(files: Sequence[SourceFile]) -> _Found:
    found = _Found()
    heads = [file.content[:HEAD_BYTES] for file in files]
    for folder in _archive_folders(files, heads):
        inside = f"{folder}/" if folder else ""
        found.archives[folder] = [
            position
            for position, file in enumerate(files)
            if file.name.startswith(inside) and _MEMBERS.fullmatch(file.name[len(inside) :])
        ]
    packed = {position for own in found.archives.values() for position in own}
    kinds: tuple[tuple[Callable[[bytes], bool], list[int]], ...] = (
        (_is_log, found.logs),
        (is_sample_table, found.samples),
        (is_evaluation_table, found.evaluations),
    )
    for position, head in enumerate(heads):
        if position not in packed:
            held = next((own for is_kind, own in kinds if is_kind(head)), None)
            if held is not None:
                held.append(position)
    return found


def _archive_folders(files: Sequence[SourceFile], heads: Sequence[bytes]) -> list[str]:
    """The folders that archives were unpacked to, '' among them."""
    names = {file.name for file in files}
    folders = []
    for file, head in zip(files, heads, strict=True):
        for own in (_HEADER, _START):
            at_end = file.name == own or file.name.endswith(f"/{own}")
            if at_end and _is_log(head):
                folder = file.name[: -len(own)].rstrip("/")
                inside = f"{folder}/" if folder else ""
                # A log without samples beside it may be any JSON log of this name.
                beside = (f"{inside}samples/", f"{inside}_journal/", f"{inside}summaries.json")
                if any(name.startswith(beside) for name in names):
                    folders.append(folder)
    return list(dict.fromkeys(folders))


def _is_log(head: bytes) -> bool:
    return (
        _BEGINS.match(head) is not None
        and b'"eval"' in head
        and b'"task"' in head
        and b'"model"' in head
    )


def _member(files: Sequence[SourceFile], folder: str, *names: str) -> SourceFile:
    """The first of these files that an archive has."""
    inside = f"{folder}/" if folder else ""
    return next(file for name in names for file in files if file.name == f"{inside}{name}")


def _samples(files: Sequence[SourceFile], folder: str) -> list[SourceFile]:
    """The summaries of all samples, else those written on the way, else the samples themselves."""
    inside = f"{folder}/" if folder else ""
    for begins in ("summaries.json", "_journal/summaries/", "samples/"):
        held = [file for file in files if file.name.startswith(f"{inside}{begins}")]
        if held:
            return sorted(held, key=lambda file: (len(file.name), file.name))
    return []


INSPECT = Tool(
    name="Inspect",
    is_of=lambda file, head: _is_log(head) or is_sample_table(head),
    gather=gather,
    claims=claims,
)
