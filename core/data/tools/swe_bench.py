"""Which tasks a system resolved: reports and results of SWE-bench, and {task: true or false}."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import Choice, DataError, Problem, listed, quoted
from ..roles import Roles
from ..sources.given import SourceFile
from ..sources.json_values import members_of
from ..sources.name_grid import DATASET_FIRST, SYSTEM_FIRST, NothingToCompare
from ..tables.limits import stop_at
from ..tables.text import decode_text
from .gathered import Gathered, Scores, Tool, grouped

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
_KEY = rb'"(?:[^"\\]|\\.)*"\s*:\s*'
_BOOL = rb"(?:true|false|null)\b"
_BEGINS = re.compile(rb"\s*\{\s*(?:" + _KEY + rb"\{\s*)?" + _KEY + _BOOL)
_OBJECT = re.compile(rb"\s*\{")
_LISTS = re.compile(rb'"resolved(?:_ids)?"\s*:\s*\[')
_FLAGGED = re.compile(rb'"resolved"\s*:\s*(?:true|false|null)\b')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# As SWE-bench names tasks: owner__repository-number.
_TASK = re.compile(r"(.+)__(.+)-\d+")
_NO_CHANGE = "Give the file as the tool wrote it."
# The side with so many times fewer names is that of the systems.
_TIMES_FEWER = 3
# What a system is called whose folder is not given with its tasks' files.
_NO_FOLDER = "model"
_Nested = Mapping[str, Mapping[str, Any]]
# Fewer names with true or false may be systems and what they did on one example.
_LEAST_TASKS = 3
_SPLITS = ("lite", "verified", "test", "dev", "multimodal", "multilingual")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Outcomes:
    """What one file says of one system: for each task whether it was resolved, None where it is open."""

    path: str
    known: Mapping[str, bool | None]
    lines: Mapping[str, int]
    system: str = ""
    # Whether the file names every task that was tried.
    lists_all: bool = True
    # What is true or false of each task.
    metric: str = _FLAG
    # The folder of a system each of whose tasks has a file.
    folder: str | None = None


def _shape_of(file: SourceFile) -> str:
    """What a file holds: "lists", "flat", "nested", "flags", "broken" if unclear; '' for others."""
    content = file.content
    begins = (_BEGINS.match, _LISTS.search, _FLAGGED.search)
    if not _OBJECT.match(content) or not any(found(content) for found in begins):
        return ""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        # A report that is broken is still one.
        if b'"resolved_ids"' in content and b'"submitted' in content:
            return "lists"
        return "broken" if _BEGINS.match(content) else ""
    if not isinstance(value, dict):
        return ""
    if kind := _kind_of(value):
        return kind
    # A few values of another kind may have come among true and false.
    n_told = sum(isinstance(own, bool) for own in value.values())
    return "broken" if n_told > 2 and n_told > len(value) / 2 else ""


def _kind_of(value: Mapping[str, Any]) -> str:
    """What an object tells of tasks: "flat", "flags", "nested" or "lists"; '' for nothing."""
    if _is_map(value):
        return "flat"
    if _is_flags(value):
        return "flags"
    if value and all(isinstance(own, dict) and _is_map(own) for own in value.values()):
        return "nested"
    return "lists" if any(isinstance(value.get(key), list) for key in _RESOLVED) else ""


def _is_map(value: Mapping[str, Any]) -> bool:
    """Whether an object says true or false of every name, or null."""
    held = list(value.values())
    return any(isinstance(own, bool) for own in held) and all(
        own is None or isinstance(own, bool) for own in held
    )


def _is_flags(value: Mapping[str, Any]) -> bool:
    """Whether an object says of each task, beside other things, whether it was resolved."""
    held = list(value.values())
    if not held or not all(isinstance(own, dict) and own for own in held):
        return False
    if not _is_map({task: own.get(_FLAG) for task, own in value.items()}):
        return False
    return all(
        _TASK.fullmatch(task) is not None or any(name in own for name in _BESIDE_FLAG)
        for task, own in value.items()
    )


def _lines(file: SourceFile) -> dict[str, int]:
    """The line on which each text stands first."""
    lines: dict[str, int] = {}
    for line, text in enumerate(decode_text(file.content).text.split("\n"), start=1):
        for found in _STRING.finditer(text):
            lines.setdefault(found[1], line)
    return lines


def _outcomes_of_report(file: SourceFile, value: Mapping[str, Any]) -> _Outcomes:
    """The outcomes that lists of tasks tell."""
    lines = _lines(file)
    lists = {key: own for key, own in value.items() if isinstance(own, list)}
    resolved, tried, unsent, failed = (
        [task for key in keys for task in lists.get(key, ())]
        for keys in (_RESOLVED, (*_ATTEMPTED, *_PARTIAL), ("incomplete_ids",), _FAILED)
    )
    for task in (*resolved, *tried, *unsent):
        if not isinstance(task, str) or not task.strip():
            told = quoted(task) if isinstance(task, str) else "something else than text"
            what = f"A list of tasks holds {told}, which is no name."
            raise DataError.of(what, _NO_CHANGE, line=1)
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
    return _Outcomes(path=file.name, known=known, lines=lines, lists_all=lists_all)


def _outcomes_of_map(
    file: SourceFile, value: Mapping[str, bool | None], *, system: str = "", metric: str = _FLAG
) -> _Outcomes:
    """The outcomes that a map of tasks tells of one system."""
    known = {task.strip(): outcome for task, outcome in value.items()}
    system = system.strip()
    return _Outcomes(path=file.name, known=known, lines=_lines(file), system=system, metric=metric)


def _outcomes_of_flags(file: SourceFile, value: _Nested, flag: str = _FLAG) -> _Outcomes:
    """What a file of one system says of each task under one name."""
    flags = {task: own.get(flag) for task, own in value.items()}
    return _outcomes_of_map(file, flags, metric=flag)


def _outcomes_of_nested(
    files: Sequence[tuple[SourceFile, _Nested]], gathered: Gathered
) -> list[_Outcomes]:
    """The outcomes of every system in files of objects in objects."""
    outer = list(dict.fromkeys(name for _, value in files for name in value))
    inner = list(dict.fromkeys(i for _, value in files for own in value.values() for i in own))
    if len(inner) == 1 and not _are_tasks(inner):
        # One thing is said of each task: what it is, a name of a system says nowhere else.
        gathered.remarks.append(
            f"{quoted(inner[0])} is read as the metric, and each file as a system."
        )
        return [_outcomes_of_flags(file, value, inner[0]) for file, value in files]
    inside = _systems_inside(outer, inner, files)
    order = gathered.given.get("name_order")
    is_asked = inside is None
    if inside is None:
        # Far fewer names are those of the systems.
        n_outer, n_inner = len(outer), len(inner)
        if order in (DATASET_FIRST, SYSTEM_FIRST):
            inside = order == DATASET_FIRST
        elif order is None and _TIMES_FEWER * min(n_outer, n_inner) <= max(n_outer, n_inner):
            inside = n_inner < n_outer
            systems, tasks = (inner, outer) if inside else (outer, inner)
            gathered.remarks.append(
                f"The {'inner' if inside else 'outer'} names of the JSON are taken for systems, as "
                f"they are {len(systems):,}; the {len(tasks):,} others for tasks."
            )
        else:
            raise DataError.of(
                f"The JSON has {len(outer):,} outer names, such as {listed(outer[:2])}, and "
                f"{len(inner):,} inner ones, such as {listed(inner[:2])}; either may be the "
                "systems.",
                "Say which they are.",
                answered_by="name_order",
                choices=(_CHOICE,),
            )
    ways = {way: _by_system(files, way) for way in (inside, not inside)}
    twice = {
        way: [name for name, n in Counter(name for _, name, _ in own).items() if n > 1]
        for way, own in ways.items()
    }
    if twice[inside]:
        paths = list(
            dict.fromkeys(file.name for file, name, _ in ways[inside] if name in twice[inside])
        )
        raise DataError.of(
            f"{len(paths)} files tell of the same systems, {listed(twice[inside][:5])}: "
            f"{listed(paths[:5])}.",
            "If each file is a system, write {task: true or false} into it, with the one value "
            "that counts; if each is a dataset, read them one by one.",
            # The other order is offered where it would read.
            choices=(_CHOICE,) if is_asked and not twice[not inside] else (),
        )
    if is_asked:
        gathered.settle("name_order", DATASET_FIRST if inside else SYSTEM_FIRST, _CHOICE)
    return [_outcomes_of_map(file, own, system=name) for file, name, own in ways[inside]]


def _folder_of(file: SourceFile, value: _Nested) -> str | None:
    """The folder named after a system each of whose tasks has a file; None where it is another."""
    parts = file.name.split("/")
    places = [
        i for task in value for i, part in enumerate(parts) if part.removesuffix(".json") == task
    ]
    return "/".join(parts[: max(places)]) if len(value) == 1 and places else None


def _merged(found: Sequence[_Outcomes], gathered: Gathered) -> list[_Outcomes]:
    """The same with the files of one folder, each of one task, as one system."""
    by_folder = grouped(found, lambda one: one.folder)
    kept = by_folder.pop(None, [])
    last = [str(folder).rpartition("/")[2] for folder in by_folder]
    called = last if len(set(last)) == len(last) else by_folder
    for name, (folder, own) in zip(called, by_folder.items(), strict=True):
        system, known, lines = str(name or _NO_FOLDER), dict(own[0].known), dict(own[0].lines)
        for one in own[1:]:
            twice = [task for task in one.known if task in known]
            if twice:
                raise DataError.of(
                    f"The folder {quoted(str(folder))} tells of the task {quoted(twice[0])} twice.",
                    "Drop one of the files.",
                    file=one.path,
                )
            known |= one.known
            lines |= one.lines
            gathered.note(one.path, f"{len(one.known):,} more of the tasks of {system}")
        kept.append(replace(own[0], system=system, known=known, lines=lines))
    return kept


def _systems_inside(
    outer: Sequence[str], inner: Sequence[str], files: Sequence[tuple[SourceFile, _Nested]]
) -> bool | None:
    """Whether the inner names are systems, by how names are written; None if open."""
    if _are_tasks(outer) != _are_tasks(inner):
        return _are_tasks(outer)
    alone = [{name for own in value.values() for name in own} for _, value in files]
    if len(files) > 1 and all(len(names) == 1 for names in alone):
        # Each file says of the tasks what its own system did.
        return True
    return None


def _are_tasks(names: Sequence[str]) -> bool:
    return all(_TASK.fullmatch(name) for name in names)


def _by_system(
    files: Sequence[tuple[SourceFile, _Nested]], inside: bool
) -> list[tuple[SourceFile, str, dict[str, bool | None]]]:
    """Each file's systems, which are the inner names or the outer ones, with their outcomes."""
    found = []
    for file, value in files:
        own: dict[str, dict[str, bool | None]] = {}
        for outer, outcomes in value.items():
            for inner, outcome in outcomes.items():
                system, task = (inner, outer) if inside else (outer, inner)
                own.setdefault(system, {})[task] = outcome
        found += [(file, system, outcomes) for system, outcomes in own.items()]
    return found


_CHOICE = Choice(
    role="name_order",
    question="Do the outer names of the JSON name systems or tasks?",
    options=(
        (SYSTEM_FIRST, "Systems: inside stand the tasks"),
        (DATASET_FIRST, "Tasks: inside stand the systems"),
    ),
)


def claims(files: Sequence[SourceFile], _: Roles) -> list[int]:
    """The positions of reports, and of several maps of tasks or one of several systems."""
    shapes = {position: shape for position, file in enumerate(files) if (shape := _shape_of(file))}
    told = [position for position, shape in shapes.items() if shape != "broken"]
    if [shapes[position] for position in told] == ["flat"] and len(shapes) == 1:
        # One flat map alone may be a record of one row as well.
        named = json.loads(files[told[0]].content)
        return told if all(_TASK.fullmatch(task) for task in named) else []
    return list(shapes) if told else []


def is_lone_map(files: Sequence[SourceFile]) -> bool:
    """Whether nothing but the outcomes of one system is given, which would read as one example."""
    if len(files) != 1 or _shape_of(files[0]) != "flat":
        return False
    return len(json.loads(files[0].content)) >= _LEAST_TASKS


def _gather(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Everything that reports and maps of tasks hold."""
    nested: list[tuple[SourceFile, Mapping[str, Any]]] = []

    def read(file: SourceFile) -> list[_Outcomes]:
        members = members_of(decode_text(file.content).text, _NO_CHANGE)
        value = {member.key: member.value for member in members}
        kind = _kind_of(value)
        if kind == "lists":
            return [_outcomes_of_report(file, value)]
        if kind == "flat":
            return [_outcomes_of_map(file, value)]
        if kind == "flags":
            return [replace(_outcomes_of_flags(file, value), folder=_folder_of(file, value))]
        if kind == "nested":
            nested.append((file, value))
            return []
        other = [n for n, own in value.items() if own is not None and not isinstance(own, bool)]
        shown = f": that of {listed(other)} is not" if other else ""
        raise DataError.of(
            f"Not every value of the JSON is true or false{shown}.",
            "Give true or false for each task, null where it is not known.",
            line=1,
        )

    outcomes = [one for own in gathered.read_each(files, read) for one in own]
    found = _merged(outcomes, gathered)
    if nested:
        found += _outcomes_of_nested(nested, gathered)
    by_dataset = grouped(found, _dataset)
    stop_at(
        [
            NothingToCompare(
                f"{'Reports' if len(own) > 1 else 'A report'} of SWE-bench in which no instance is "
                f"listed, as resolved or as tried: {listed([one.path for one in own])}. There is "
                "nothing to compare systems on.",
                'Give the reports that the harness writes, whose "submitted_ids" list every '
                "instance that was tried, or a map of each instance to true or false.",
            )
            for own in by_dataset.values()
            if not any(one.known for one in own)
        ]
    )
    for dataset, own in by_dataset.items():
        tasks = list(dict.fromkeys(task for one in own for task in one.known))
        gathered.scores += [_scores(one, dataset, tasks) for one in own]
        gathered.remarks += _remarks(own, dataset, tasks)
    gathered.higher_is_better[_FLAG] = True


def _scores(one: _Outcomes, dataset: str, tasks: Sequence[str]) -> Scores:
    """The outcome of every task that any file of the dataset names."""
    said = [task for task in tasks if task in one.known or not one.lists_all]
    outcomes = [one.known.get(task, False) for task in said]
    cells = ["" if outcome is None else "1" if outcome else "0" for outcome in outcomes]
    parts = [_TASK.fullmatch(task) for task in said]
    repositories = [f"{part[1]}/{part[2]}" for part in parts if part is not None]
    of_several = len(repositories) == len(said) and len(set(repositories)) > 1
    return Scores(
        path=one.path,
        dataset=dataset,
        system=one.system,
        examples=said,
        columns={one.metric: cells},
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


SWE_BENCH = Tool(name="SWE-bench", claims=claims, gather=_gather)
