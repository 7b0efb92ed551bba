"""Which tasks a system resolved: reports and results of SWE-bench, and {task: true or false}."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import DataError, Problem, listed, quoted
from ..roles import Roles
from ..sources.files import SourceFile
from ..sources.json_values import members_of
from ..sources.name_grid import NothingToCompare
from ..tables.limits import stop_at
from ..tables.text import decode_text
from .gathered import HEAD_BYTES, Gathered, Scores, Tool, grouped

_RESOLVED = ("resolved_ids", "resolved")
# Among what a report on one task says: whether it was resolved, and names that no other file has.
_FLAG = "resolved"
_BESIDE_FLAG = ("patch_is_None", "patch_exists", "patch_successfully_applied", "tests_status")
# Tasks in these were given to the system; it resolved those above.
_ATTEMPTED = (
    "submitted_ids", "completed_ids", "unresolved_ids", "empty_patch_ids", "error_ids",
    "generated", "with_logs", "applied", "no_apply", "install_fail", "reset_failed",
    "test_errored", "test_timeout", "no_patch", "failed",
)  # fmt: skip
_FAILED = ("unresolved_ids", "empty_patch_ids", "error_ids")
# Lists of tasks that leave out those that were tried without success.
_PARTIAL = ("no_generation", "no_logs")
_MAP = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:true|false|null)\b')
_REPORT = re.compile(rb'"resolved(?:_ids)?"\s*:\s*(?:\[|true|false|null)')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# As SWE-bench names tasks: owner__repository-number.
_TASK = re.compile(r"(.+)__(.+)-\d+")
_TO_LIST = (
    'Give the reports that the harness writes, whose "submitted_ids" list every instance that was '
    "tried, or a map of each instance to true or false."
)
_NO_CHANGE = "Give the file as the tool wrote it."
# What a system is called whose folder is not given with its tasks' files.
_NO_FOLDER = "model"
# Fewer names with true or false may be systems and what they did on one example.
_LEAST_TASKS = 3
_SPLITS = ("lite", "verified", "test", "dev", "multimodal", "multilingual")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Outcomes:
    """What one file, or one folder, says of a system: of each task whether it was resolved."""

    path: str
    # None where it is open.
    known: dict[str, bool | None]
    lines: dict[str, int]
    # Whether every task that was tried is named.
    lists_all: bool = True
    # Of a system each of whose tasks has a file.
    folder: str = ""


def _kind_of(value: Any) -> str:
    """What an object tells of tasks: "lists", "flat", "flags" among others; '' for nothing."""
    held = list(value.values()) if isinstance(value, dict) else []
    n_told = sum(isinstance(own, bool) for own in held)
    # A few values of another kind may have come among true and false.
    if _are_outcomes(held) or n_told > max(2, len(held) / 2):
        return "flat"
    if any(isinstance(value[key], list) for key in _RESOLVED if held and key in value):
        return "lists"
    if not held or not all(isinstance(own, dict) for own in held):
        return ""
    are_reports = all(
        _TASK.fullmatch(task) is not None or any(name in own for name in _BESIDE_FLAG)
        for task, own in value.items()
    )
    return "flags" if are_reports and _are_outcomes([own.get(_FLAG) for own in held]) else ""


def _are_outcomes(values: Sequence[Any]) -> bool:
    """Whether all are true, false or null, and not all are null."""
    return {*map(type, values)} - {type(None)} == {bool}


def _claims(files: Sequence[SourceFile], _: Roles) -> list[int]:
    """The positions of reports and maps of tasks; one map alone may be a record of a row as well."""
    held: dict[int, Any] = {}
    for position, file in enumerate(files):
        is_object = file.content[:HEAD_BYTES].lstrip()[:1] == b"{"
        if is_object and (_MAP.match(file.content) or _REPORT.search(file.content)):
            try:
                held[position] = json.loads(file.content)
            except (ValueError, RecursionError):
                # A report that is broken is still one.
                if b'"resolved_ids"' in file.content and b'"submitted' in file.content:
                    held[position] = {_RESOLVED[0]: []}
    kinds = {place: kind for place, value in held.items() if (kind := _kind_of(value))}
    if [*kinds.values()] != ["flat"]:
        return [*kinds]
    (named,) = (held[place] for place in kinds)
    are_tasks = all(_TASK.fullmatch(task) for task in named)
    is_alone = len(files) == 1 and len(named) >= _LEAST_TASKS
    return [*kinds] if are_tasks or is_alone else []


def _read(file: SourceFile) -> _Outcomes:
    text = decode_text(file.content).text
    value = {member.key: member.value for member in members_of(text, _NO_CHANGE)}
    # The line on which each text stands first.
    lines: dict[str, int] = {}
    for line, row in enumerate(text.split("\n"), start=1):
        for found in _STRING.finditer(row):
            lines.setdefault(found[1], line)
    kind = _kind_of(value)
    if kind == "lists":
        return _of_lists(file.name, value, lines)
    told = value if kind == "flat" else {task: own.get(_FLAG) for task, own in value.items()}
    others = [n for n, own in told.items() if own is not None and not isinstance(own, bool)]
    if others:
        raise DataError.of(
            f"Not every value of the JSON is true or false: that of {listed(others)} is not.",
            "Give true or false for each task, null where it is not known.",
            line=1,
        )
    known = {task.strip(): outcome for task, outcome in told.items()}
    folder = ""
    if kind == "flags" and len(known) == 1:
        parts = file.name.split("/")
        places = [i for i, part in enumerate(parts) if part.removesuffix(".json") in known]
        folder = ("/".join(parts[: max(places)]) or _NO_FOLDER) if places else ""
    return _Outcomes(path=file.name, known=known, lines=lines, folder=folder)


def _of_lists(path: str, value: Mapping[str, Any], lines: dict[str, int]) -> _Outcomes:
    lists = {key: own for key, own in value.items() if isinstance(own, list)}
    resolved, tried, unsent, failed = (
        [task for key in keys for task in lists.get(key, ())]
        for keys in (_RESOLVED, (*_ATTEMPTED, *_PARTIAL), ("incomplete_ids",), _FAILED)
    )
    if not all(isinstance(task, str) and task.strip() for task in (*resolved, *tried, *unsent)):
        raise DataError.of("A list of tasks holds what is no name.", _NO_CHANGE, line=1)
    stop_at(
        [
            Problem(
                f"The task {quoted(task)} is listed as resolved and as not resolved.",
                _NO_CHANGE,
                line=lines.get(task, 1),
            )
            for task in sorted({*resolved} & {*failed})
        ]
    )
    known: dict[str, bool | None] = {**dict.fromkeys(tried, False), **dict.fromkeys(resolved, True)}
    lists_all = any(key in lists for key in _ATTEMPTED)
    return _Outcomes(path=path, known=known, lines=lines, lists_all=lists_all)


def _gather(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Everything that reports and maps of tasks hold; the files of one folder are one system's."""
    by_system: dict[str, _Outcomes] = {}
    for one in gathered.read_each(files, _read):
        first = by_system.setdefault(one.folder or one.path, one)
        if first is not one:
            twice = [task for task in one.known if task in first.known]
            what = f"The folder {quoted(one.folder)} tells of {listed(twice)} twice."
            stop_at([Problem(what, "Drop one of the files.", file=one.path)] if twice else [])
            first.known.update(one.known)
            first.lines.update(one.lines)
            gathered.note(one.path, f"{len(one.known):,} more of the tasks of {one.folder}")
    folders = [one.folder for one in by_system.values() if one.folder]
    last = [folder.rpartition("/")[2] for folder in folders]
    names = dict(zip(folders, last if len({*last}) == len(last) else folders, strict=True))
    for dataset, own in grouped(by_system.values(), _dataset).items():
        tasks = list(dict.fromkeys(task for one in own for task in one.known))
        if not tasks:
            what = f"No instance is listed in {listed([one.path for one in own])}, as resolved or as tried."
            raise DataError([NothingToCompare(what, _TO_LIST)])
        gathered.scores += [_scores(one, dataset, names.get(one.folder, ""), tasks) for one in own]
        gathered.remarks += _remarks(own, dataset, tasks)
    gathered.higher_is_better[_FLAG] = True


def _scores(one: _Outcomes, dataset: str, system: str, tasks: Sequence[str]) -> Scores:
    """The outcome of every task that any file of the dataset names."""
    said = [task for task in tasks if task in one.known or not one.lists_all]
    outcomes = [one.known.get(task, False) for task in said]
    parts = [_TASK.fullmatch(task) for task in said]
    repositories = [f"{part[1]}/{part[2]}" for part in parts if part is not None]
    of_several = len(repositories) == len(said) and len(set(repositories)) > 1
    return Scores(
        path=one.path,
        dataset=dataset,
        system=system,
        examples=said,
        columns={_FLAG: ["" if outcome is None else str(int(outcome)) for outcome in outcomes]},
        lines=[one.lines.get(task, 1) for task in said],
        side={"repository": repositories} if of_several else {},
    )


def _remarks(found: Sequence[_Outcomes], dataset: str, tasks: Sequence[str]) -> Iterator[str]:
    partial = [one.path for one in found if not one.lists_all]
    if partial:
        yield (
            f"Tasks that were tried without success are not listed in {listed(partial)}; those "
            "that another file names count as not resolved. Shares are of the "
            f"{len(tasks):,} tasks of {quoted(dataset)} that some file names: tasks that no file "
            "names would make them smaller, but on these no two systems differ."
        )
    unknown = (
        (one.path, sum(one.known.get(task) is None for task in tasks))
        for one in found
        if one.lists_all
    )
    for path, n in [(path, n) for path, n in unknown if n][:10]:
        yield (
            f"{quoted(path)} does not say whether {n:,} of {len(tasks):,} tasks of "
            f"{quoted(dataset)} were resolved: it lists them nowhere, or as not submitted."
        )


def _dataset(one: _Outcomes) -> str:
    """The split of SWE-bench that a folder names, else what the tasks look like."""
    folders = one.path.split("/")[:-1]
    split = next((folder for folder in folders if folder.casefold() in _SPLITS), None)
    if split is not None:
        return split
    return "SWE-bench" if all(_TASK.fullmatch(task) for task in one.known) else "tasks"


SWE_BENCH = Tool(name="SWE-bench", claims=_claims, gather=_gather)
