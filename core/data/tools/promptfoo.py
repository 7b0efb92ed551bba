"""What promptfoo writes as JSON: the outcome of every test, by each provider and prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..sources.json_values import cell
from ..sources.name_grid import stems_of
from .gathered import Gathered, Scores, Tool, numbered_runs, without_repetition
from .tool_json import ToolJson, hash_of, number_cell, stop_at

_MARKS = (b'"promptIdx"', b'"testIdx"', b'"provider"', b'"success"')
_PASS, _SCORE = "pass", "score"
# As promptfoo numbers why an output failed: it could not be had at all.
_ERROR = "2"
_SHAPE = "Give the file that `promptfoo eval --output results.json` wrote."


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds the outcomes of tests; long prompts may stand before the first."""
    return (
        head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
        and b'"results"' in head
        and all(mark in file.content for mark in _MARKS)
    )


def gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """One dataset a file, or one for all files of one description; a system a provider and prompt."""
    read = found.read_each(files, _read, of="places")
    stems = stems_of([file.name for file in files])
    n_failed = 0
    for file, stem, (description, rows) in zip(files, stems, read, strict=True):
        by_system: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
        several = len({str(row.get("promptIdx")) for _, row in rows}) > 1
        for line, row in rows:
            by_system.setdefault(_system(row, several=several), []).append((line, row))
        for system, own in by_system.items():
            n_failed += sum(_has_failed(row) for _, row in own)
            found.scores.append(_scores(file.name, description or stem, system, own))
    found.scores = without_repetition(found.scores, _SCORE, _PASS)
    found.higher_is_better = {_PASS: True, _SCORE: True}
    if n_failed:
        outputs = "1 output" if n_failed == 1 else f"{n_failed:,} outputs"
        found.remarks.append(f"promptfoo got no answer for {outputs}: these have no score.")


def _read(file: SourceFile) -> tuple[str, list[tuple[int, Mapping[str, Any]]]]:
    """What the evaluation is called, and its outcomes, with the line where they begin."""
    whole = {entry.key: entry for entry in ToolJson(file).walk()}
    entry = whole.get("results")
    held = entry.value if entry else None
    rows = held.get("results") if isinstance(held, dict) else held
    if entry is None or not isinstance(rows, list):
        raise DataError.of("It holds no list of results.", _SHAPE, line=1)
    problems = [
        Problem(f"Result {number:,} names no test or no provider.", _SHAPE)
        for number, row in enumerate(rows, start=1)
        if not isinstance(row, dict) or not cell(row.get("testIdx")) or not _provider(row)
    ]
    stop_at(problems)
    config = whole["config"].value if "config" in whole else None
    description = cell(config.get("description")) if isinstance(config, dict) else ""
    return description or "", [(entry.line, row) for row in rows]


def _provider(row: Mapping[str, Any]) -> str:
    provider = row.get("provider")
    if not isinstance(provider, dict):
        return cell(provider) or ""
    return cell(provider.get("label")) or cell(provider.get("id")) or ""


def _system(row: Mapping[str, Any], *, several: bool) -> str:
    """The provider, and the number of the prompt where there are several."""
    number = cell(row.get("promptIdx")) or ""
    called = str(int(number) + 1) if number.isdecimal() else number
    return f"{_provider(row)}, prompt {called}" if several else _provider(row)


def _scores(
    path: str, dataset: str, system: str, rows: Sequence[tuple[int, Mapping[str, Any]]]
) -> Scores:
    """One system's outcomes; a test that is repeated is one example with several runs."""
    contents = [_content(row) for _, row in rows]
    first: dict[str, str] = {}
    for content, (_, row) in zip(contents, rows, strict=True):
        first.setdefault(content, cell(row.get("testIdx")) or "")
    examples = [first[content] for content in contents]
    judged = [{} if _has_failed(row) else row for _, row in rows]
    columns = {
        _PASS: [{"true": "1", "false": "0"}.get(cell(r.get("success")) or "", "") for r in judged],
        _SCORE: [number_cell(row.get("score")) for row in judged],
    }
    named = [_named(row) for row in judged]
    for metric in dict.fromkeys(metric for own in named for metric in own):
        columns[metric] = [own.get(metric, "") for own in named]
    return Scores(
        path=path,
        dataset=dataset,
        system=system,
        examples=examples,
        columns=columns,
        lines=[line for line, _ in rows],
        content=contents,
        runs=numbered_runs(examples),
    )


def _content(row: Mapping[str, Any]) -> str:
    """A hash of what is tested: the variables and what is asserted of the output."""
    case = row.get("testCase")
    case = case if isinstance(case, dict) else {}
    tested = [row.get("vars", case.get("vars")), case.get("assert"), case.get("description")]
    return hash_of(tested)


def _named(row: Mapping[str, Any]) -> dict[str, str]:
    named = row.get("namedScores")
    return {k: number_cell(v) for k, v in named.items()} if isinstance(named, dict) else {}


def _has_failed(row: Mapping[str, Any]) -> bool:
    return cell(row.get("failureReason")) == _ERROR


PROMPTFOO = Tool(name="promptfoo", is_of=is_of, gather=gather)
