"""Files that list which tasks were resolved, and what they say of each task."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.data.sources.given import SourceFile
from core.data.sources.json_values import (
    AFTER_END,
    Entry,
    JsonText,
    alike_problems,
    repeated_problem,
)
from core.data.tables.text import decode_text
from core.data.tools.json_entries import stop_at
from core.data.words import listed, quoted
from core.errors import DataError, Problem

_REPORT, _RESULTS, _MAP = "SWE-bench report", "SWE-bench results", "tasks with true or false"
_FLAGS = "SWE-bench report on each task"
RESOLVED = ("resolved_ids", "resolved")
# Among what a report on one task says: whether it was resolved, and names that no other file has.
FLAG = "resolved"
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
TASK = re.compile(r"(.+)__(.+)-\d+")
_NO_CHANGE = "Give the file as the tool wrote it."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """What one file says of one system.

    Attributes
    ----------
    known : mapping of str to bool or None
        For each task whether it was resolved; None where the file leaves that open.
    lists_all : bool
        Whether the file names every task that was tried.
    metric : str
        What is true or false of each task.
    folder : str or None
        The folder of a system each of whose tasks has a file; None for others.
    """

    path: str
    kind: str
    system: str
    known: Mapping[str, bool | None]
    lines: Mapping[str, int]
    lists_all: bool = True
    metric: str = FLAG
    folder: str | None = None


def shape_of(file: SourceFile) -> str:
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
    if is_map(value):
        return "flat"
    if is_flags(value):
        return "flags"
    if is_nested(value):
        return "nested"
    if any(isinstance(value.get(key), list) for key in RESOLVED):
        return "lists"
    # A few values of another kind may have come among true and false.
    n_told = sum(isinstance(own, bool) for own in value.values())
    return "broken" if n_told > 2 and n_told > len(value) / 2 else ""


def is_map(value: Mapping[str, Any]) -> bool:
    """Whether an object says true or false of every name, or null."""
    held = list(value.values())
    return any(isinstance(own, bool) for own in held) and all(
        own is None or isinstance(own, bool) for own in held
    )


def is_nested(value: Mapping[str, Any]) -> bool:
    """Whether an object holds maps of tasks."""
    return bool(value) and all(isinstance(own, dict) and is_map(own) for own in value.values())


def is_flags(value: Mapping[str, Any]) -> bool:
    """Whether an object says of each task, beside other things, whether it was resolved."""
    held = list(value.values())
    if not held or not all(isinstance(own, dict) and own for own in held):
        return False
    flags = [own.get(FLAG) for own in held]
    if not all(map(_is_flag, flags)) or not any(flag is not None for flag in flags):
        return False
    return all(
        TASK.fullmatch(task) is not None or any(name in own for name in _BESIDE_FLAG)
        for task, own in value.items()
    )


def _is_flag(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def no_outcomes(value: Mapping[str, Any]) -> Problem:
    """What keeps an object from being a map of tasks."""
    other = [name for name, own in value.items() if own is not None and not isinstance(own, bool)]
    shown = f": that of {listed(other)} is not" if other else ""
    return Problem(
        what=f"Not every value of the JSON is true or false{shown}.",
        remedy="Give true or false for each task, null where it is not known.",
        line=1,
    )


def value_of(file: SourceFile) -> dict[str, Any]:
    """The one object of a file.

    Raises
    ------
    DataError
        Where it is none, where more stands behind it, and where it has a name twice.
    """
    text = JsonText(decode_text(file.content).text)
    if text.next != "{":
        raise DataError([Problem(what="The file holds no JSON object.", remedy=_NO_CHANGE, line=1)])
    members = [Entry(1, key, own) for key, own in _members(text)]
    if text.next:
        raise DataError([Problem(what=AFTER_END, remedy=_NO_CHANGE, line=text.line)])
    stop_at(alike_problems(members))
    return {member.key: member.value for member in members}


def _members(text: JsonText) -> Iterator[tuple[str, Any]]:
    value = text.value()
    for own in (value, *value.values()):
        twice = repeated_problem(own, 1)
        if twice is not None:
            raise DataError([twice])
    yield from value.items()


def _lines(file: SourceFile) -> dict[str, int]:
    """The line on which each text stands first."""
    text = decode_text(file.content).text
    lines: dict[str, int] = {}
    line, counted = 1, 0
    for found in _STRING.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        lines.setdefault(found[1], line)
    return lines


def _no_name(task: Any) -> str:
    if isinstance(task, str) and task.strip():
        return ""
    return quoted(task) if isinstance(task, str) else "something else than text"


def outcomes_of_report(file: SourceFile, value: Mapping[str, Any]) -> Outcomes:
    """The outcomes that lists of tasks tell.

    Raises
    ------
    DataError
        Where a list holds something else than names of tasks, and where a
        task is listed as resolved and as not resolved.
    """
    lines = _lines(file)
    lists = {key: own for key, own in value.items() if isinstance(own, list)}
    resolved = [task for key in RESOLVED for task in lists.get(key, ())]
    tried = [task for key in (*_ATTEMPTED, *_PARTIAL) for task in lists.get(key, ())]
    unsent = lists.get("incomplete_ids", [])
    problems = [
        Problem(what=f"A list of tasks holds {shown}, which is no name.", remedy=_NO_CHANGE, line=1)
        for task in (*resolved, *tried, *unsent)
        if (shown := _no_name(task))
    ]
    stop_at(problems)
    both = set(resolved).intersection(task for key in _FAILED for task in lists.get(key, ()))
    stop_at(
        [
            Problem(
                what=f"The task {quoted(task)} is listed as resolved and as not resolved.",
                remedy=_NO_CHANGE,
                line=lines.get(task, 1),
            )
            for task in sorted(both)
        ]
    )
    known: dict[str, bool | None] = {**dict.fromkeys(tried, False), **dict.fromkeys(resolved, True)}
    lists_all = any(key in lists for key in _ATTEMPTED)
    kind = _REPORT if "resolved_ids" in lists or lists_all else _RESULTS
    return Outcomes(
        path=file.name, kind=kind, system="", known=known, lines=lines, lists_all=lists_all
    )


def outcomes_of_map(file: SourceFile, system: str, value: Mapping[str, bool | None]) -> Outcomes:
    """The outcomes that a map of tasks tells of one system."""
    named = {task.strip(): outcome for task, outcome in value.items()}
    return Outcomes(
        path=file.name, kind=_MAP, system=system.strip(), known=named, lines=_lines(file)
    )


def outcomes_of_flags(
    file: SourceFile, value: Mapping[str, Mapping[str, Any]], flag: str
) -> Outcomes:
    """What a file of one system says of each task under one name."""
    found = outcomes_of_map(file, "", {task: own.get(flag) for task, own in value.items()})
    return replace(found, metric=flag, kind=_FLAGS if is_flags(value) else _MAP)
