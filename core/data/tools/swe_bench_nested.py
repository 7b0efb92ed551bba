"""Objects in objects with true or false: which names are tasks, which systems, and which flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.data.sources.given import SourceFile
from core.data.sources.name_orders import DATASET_FIRST, SYSTEM_FIRST
from core.data.tools.swe_bench_files import (
    FLAG,
    TASK,
    Outcomes,
    outcomes_of_flags,
    outcomes_of_map,
)
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

# The side with so many times fewer names is that of the systems.
_TIMES_FEWER = 3
# What a system is called whose folder is not given with its tasks' files.
_NO_FOLDER = "model"

Nested = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NestedOutcomes:
    """What nested files say, and how their names were read.

    Attributes
    ----------
    found : tuple of Outcomes
        One for each system of each file.
    roles : mapping of str to object
        The role "name_order", where names alone do not tell the order.
    choices : tuple of Choice
        The question, where the other order may be meant.
    remarks : tuple of str
        How the names were read.
    """

    found: tuple[Outcomes, ...]
    roles: Mapping[str, object]
    choices: tuple[Choice, ...] = ()
    remarks: tuple[str, ...] = ()


def outcomes_of_nested(files: Sequence[tuple[SourceFile, Nested]], order: object) -> NestedOutcomes:
    """The outcomes of every system in files of objects in objects.

    Raises
    ------
    DataError
        With the question, where nothing tells systems from tasks; where
        several files tell of the same systems.
    """
    values = [value for _, value in files]
    outer = list(dict.fromkeys(name for value in values for name in value))
    inner = list(dict.fromkeys(name for value in values for own in value.values() for name in own))
    if len(inner) == 1 and not _are_tasks(inner):
        # One thing is said of each task: what it is, a name of a system says nowhere else.
        return NestedOutcomes(
            found=tuple(outcomes_of_flags(file, value, inner[0]) for file, value in files),
            roles={},
            remarks=(f"{quoted(inner[0])} is read as the metric, and each file as a system.",),
        )
    inside, asked = _systems_inside(outer, inner, files), False
    roles: dict[str, object] = {}
    remarks: tuple[str, ...] = ()
    if inside is None:
        asked = True
        inside = _by_numbers(outer, inner) if order is None else order == DATASET_FIRST
        if inside is None or order not in (None, DATASET_FIRST, SYSTEM_FIRST):
            raise DataError([_open_problem(outer, inner)], choices=(_choice(),))
        roles = {"name_order": DATASET_FIRST if inside else SYSTEM_FIRST}
        if order is None:
            systems, tasks = (inner, outer) if inside else (outer, inner)
            remarks = (
                f"The {'inner' if inside else 'outer'} names of the JSON are taken for systems, as "
                f"they are {len(systems):,}; the {len(tasks):,} others for tasks.",
            )
    choices = (_choice(),) if asked else ()
    problem = _repeated_problem(files, inside)
    if problem is not None:
        # The other order is offered where it would read.
        turned = _repeated_problem(files, not inside)
        raise DataError([problem], choices=() if turned else choices)
    found = [
        outcomes_of_map(file, name, own)
        for file, value in files
        for name, own in _by_system(value, inside).items()
    ]
    return NestedOutcomes(found=tuple(found), roles=roles, choices=choices, remarks=remarks)


def flags_of(file: SourceFile, value: Nested) -> Outcomes:
    """The flag of each task, by the folder named after its system where each task has a file."""
    found = outcomes_of_flags(file, value, FLAG)
    parts = file.name.split("/")
    places = [i for task in value for i, part in enumerate(parts) if _stem(part) == task]
    if len(value) > 1 or not places:
        return found
    return replace(found, folder="/".join(parts[: max(places)]))


def merged(found: Sequence[Outcomes]) -> list[Outcomes]:
    """The same with the files of one folder, each of one task, as one system."""
    folders = list(dict.fromkeys(one.folder for one in found if one.folder is not None))
    last = [folder.rpartition("/")[2] for folder in folders]
    called = last if len(set(last)) == len(last) else folders
    names = {folder: name or _NO_FOLDER for folder, name in zip(folders, called, strict=True)}
    groups: dict[str, Outcomes] = {}
    kept: list[Outcomes] = []
    for one in found:
        if one.folder is None:
            kept.append(one)
        elif one.folder not in groups:
            groups[one.folder] = replace(one, system=names[one.folder])
        else:
            group = groups[one.folder]
            twice = [task for task in one.known if task in group.known]
            if twice:
                raise DataError([_twice_problem(twice[0], one)])
            known = {**group.known, **one.known}
            groups[one.folder] = replace(group, known=known, lines={**group.lines, **one.lines})
    return [*kept, *groups.values()]


def _systems_inside(
    outer: Sequence[str], inner: Sequence[str], files: Sequence[tuple[SourceFile, Nested]]
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
    return all(TASK.fullmatch(name) for name in names)


def _by_numbers(outer: Sequence[str], inner: Sequence[str]) -> bool | None:
    """Whether the inner names are far fewer, so systems; None where the numbers are alike."""
    if len(inner) * _TIMES_FEWER <= len(outer):
        return True
    return False if len(outer) * _TIMES_FEWER <= len(inner) else None


def _by_system(value: Nested, inside_out: bool) -> dict[str, dict[str, bool | None]]:
    found: dict[str, dict[str, bool | None]] = {}
    for outer, own in value.items():
        for inner, outcome in own.items():
            system, task = (inner, outer) if inside_out else (outer, inner)
            found.setdefault(system, {})[task] = outcome
    return found


def _stem(part: str) -> str:
    return part.removesuffix(".json")


def _choice() -> Choice:
    return Choice(
        role="name_order",
        question="Do the outer names of the JSON name systems or tasks?",
        options=(
            (SYSTEM_FIRST, "Systems: inside stand the tasks"),
            (DATASET_FIRST, "Tasks: inside stand the systems"),
        ),
    )


def _open_problem(outer: Sequence[str], inner: Sequence[str]) -> Problem:
    return Problem(
        what=f"The JSON has {len(outer):,} outer names, such as {listed(outer[:2])}, and "
        f"{len(inner):,} inner ones, such as {listed(inner[:2])}; either may be the systems.",
        remedy="Say which they are.",
        answered_by="name_order",
    )


def _repeated_problem(files: Sequence[tuple[SourceFile, Nested]], inside: bool) -> Problem | None:
    """What keeps several files from being read that tell of the same systems."""
    told: dict[str, dict[str, None]] = {}
    for file, value in files:
        for name in dict.fromkeys(i for own in value.values() for i in own) if inside else value:
            told.setdefault(name, {})[file.name] = None
    twice = [name for name, own in told.items() if len(own) > 1]
    if not twice:
        return None
    paths = list(dict.fromkeys(path for name in twice for path in told[name]))
    return Problem(
        what=f"{len(paths)} files tell of the same systems, {listed(twice[:5])}: "
        f"{listed(paths[:5])}.",
        remedy="If each file is a system, write {task: true or false} into it, with the one value "
        "that counts; if each is a dataset, read them one by one.",
    )


def _twice_problem(task: str, one: Outcomes) -> Problem:
    return Problem(
        what=f"The folder {quoted(one.folder or '')} tells of the task {quoted(task)} twice.",
        remedy="Drop one of the files.",
        file=one.path,
    )
