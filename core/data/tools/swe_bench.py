"""Which tasks a system resolved: reports and results of SWE-bench, and {task: true or false}."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.data.provenance import FileUse
from core.data.roles import Roles
from core.data.sources.given import SourceFile
from core.data.sources.name_grid import NothingToCompare
from core.data.sources.stages import Stages
from core.data.tools.gathered import Gathered, Scores, Tool, read_each
from core.data.tools.swe_bench_files import (
    FLAG,
    RESOLVED,
    TASK,
    Outcomes,
    is_flags,
    is_map,
    is_nested,
    no_outcomes,
    outcomes_of_map,
    outcomes_of_report,
    shape_of,
    value_of,
)
from core.data.tools.swe_bench_nested import flags_of, merged, outcomes_of_nested
from core.data.words import listed, quoted
from core.errors import DataError

# Fewer names with true or false may be systems and what they did on one example.
_LEAST_TASKS = 3
_SPLITS = ("lite", "verified", "test", "dev", "multimodal", "multilingual")


def claims(files: Sequence[SourceFile]) -> list[int]:
    """The positions of reports, and of several maps of tasks or one of several systems."""
    shapes = {position: shape for position, file in enumerate(files) if (shape := shape_of(file))}
    told = [position for position, shape in shapes.items() if shape != "broken"]
    if [shapes[position] for position in told] == ["flat"] and len(shapes) == 1:
        # One flat map alone may be a record of one row as well.
        named = json.loads(files[told[0]].content)
        return told if all(TASK.fullmatch(task) for task in named) else []
    return list(shapes) if told else []


def is_lone_map(files: Sequence[SourceFile]) -> bool:
    """Whether nothing but the outcomes of one system is given, which would read as one example."""
    if len(files) != 1 or shape_of(files[0]) != "flat":
        return False
    return len(json.loads(files[0].content)) >= _LEAST_TASKS


def gather(files: Sequence[SourceFile], given: Roles, stages: Stages) -> Gathered:
    """Everything that reports and maps of tasks hold."""
    nested: list[tuple[SourceFile, Mapping[str, Any]]] = []

    def read(file: SourceFile) -> list[Outcomes]:
        value = value_of(file)
        if any(isinstance(value.get(key), list) for key in RESOLVED) and not is_map(value):
            return [outcomes_of_report(file, value)]
        if is_map(value):
            return [outcomes_of_map(file, "", value)]
        if is_flags(value):
            return [flags_of(file, value)]
        if not is_nested(value):
            raise DataError([no_outcomes(value)])
        nested.append((file, value))
        return []

    found = [one for own in read_each(files, stages, read, of="places") for one in own]
    inside = outcomes_of_nested(nested, given.get("name_order")) if nested else None
    remarks = list(inside.remarks) if inside else []
    uses = {use.path: use for use in _uses([*found, *(inside.found if inside else ())])}
    found = [*merged(found), *(inside.found if inside else ())]
    datasets = [_dataset(one) for one in found]
    nothing = [
        _no_instance([one.path for one, own in zip(found, datasets, strict=True) if own == name])
        for name in dict.fromkeys(datasets)
        if not any(one.known for one, own in zip(found, datasets, strict=True) if own == name)
    ]
    if nothing:
        raise DataError(nothing)
    scores = []
    for dataset in dict.fromkeys(datasets):
        own = [one for one, name in zip(found, datasets, strict=True) if name == dataset]
        tasks = list(dict.fromkeys(task for one in own for task in one.known))
        scores += [_scores(one, dataset, tasks) for one in own]
        remarks += _remarks(own, dataset, tasks)
    return Gathered(
        scores=tuple(scores),
        higher_is_better={FLAG: True},
        uses=tuple(uses[file.name] for file in files),
        roles=inside.roles if inside else {},
        choices=inside.choices if inside else (),
        remarks=tuple(dict.fromkeys(remarks)),
    )


def _no_instance(paths: Sequence[str]) -> NothingToCompare:
    are = "Reports" if len(paths) > 1 else "A report"
    return NothingToCompare(
        what=f"{are} of SWE-bench in which no instance is listed, as resolved or as tried: "
        f"{listed(paths)}. There is nothing to compare systems on.",
        remedy='Give the reports that the harness writes, whose "submitted_ids" list every '
        "instance that was tried, or a map of each instance to true or false.",
    )


def _scores(one: Outcomes, dataset: str, tasks: Sequence[str]) -> Scores:
    """The outcome of every task that any file of the dataset names."""
    said = [task for task in tasks if task in one.known or not one.lists_all]
    outcomes = [one.known.get(task, False) for task in said]
    cells = ["" if outcome is None else "1" if outcome else "0" for outcome in outcomes]
    parts = [TASK.fullmatch(task) for task in said]
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


def _remarks(found: Sequence[Outcomes], dataset: str, tasks: Sequence[str]) -> Iterator[str]:
    partial = [one.path for one in found if not one.lists_all]
    if partial:
        yield (
            f"Tasks that were tried without success are not listed in {listed(partial)}; those "
            "that another file names count as not resolved. Shares are of the "
            f"{len(tasks):,} tasks of {quoted(dataset)} that some file names: tasks that no file "
            "names would make them smaller, but on these no two systems differ."
        )
    open_tasks = {
        one.path: n
        for one in found
        if one.lists_all and (n := sum(one.known.get(task) is None for task in tasks))
    }
    for path, n in list(open_tasks.items())[:10]:
        yield (
            f"{quoted(path)} does not say whether {n:,} of {len(tasks):,} tasks of "
            f"{quoted(dataset)} were resolved: it lists them nowhere, or as not submitted."
        )


def _uses(found: Sequence[Outcomes]) -> Iterator[FileUse]:
    said: dict[tuple[str, str], list[str]] = {}
    for one in found:
        n = sum(outcome is not None for outcome in one.known.values())
        resolved = sum(outcome is True for outcome in one.known.values())
        of = f", system {one.system}" if one.system else ""
        held = said.setdefault((one.path, one.kind), [])
        held.append(f"{resolved:,} of {n:,} tasks {one.metric}{of}")
    for (path, kind), own in said.items():
        more = f" and {len(own) - 3} more" if len(own) > 3 else ""
        yield FileUse(path=path, kind=kind, content="; ".join(own[:3]) + more)


def _dataset(one: Outcomes) -> str:
    """The split of SWE-bench that a folder names, else what the tasks look like."""
    folders = one.path.split("/")[:-1]
    split = next((folder for folder in folders if folder.casefold() in _SPLITS), None)
    if split is not None:
        return split
    return "SWE-bench" if all(TASK.fullmatch(task) for task in one.known) else "tasks"


SWE_BENCH = Tool(
    name="SWE-bench",
    is_of=lambda file, head: shape_of(file) in ("lists", "nested", "flags"),
    gather=gather,
    claims=claims,
)
