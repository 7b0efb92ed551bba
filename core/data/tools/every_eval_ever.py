"""Every Eval Ever's records: an instance of a model's evaluation a line, and averages beside them.

Its schemas 0.2 (`instance_level_eval.schema.json`, `eval.schema.json`) say what stands where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..sources.json_values import cell
from ..words import listed
from .gathered import (
    HEAD_BYTES,
    Averages,
    Gathered,
    Scores,
    Tool,
    numbered_runs,
    without_repetition,
)
from .measures import one_direction
from .tool_json import ToolJson, hash_of, number_cell, records_of, stop_at

# All of them stand before the transcript, which may be long.
_OF_AN_INSTANCE = (b'"evaluation_id"', b'"model_id"', b'"evaluation_name"', b'"sample_id"')
_OF_AVERAGES = (b'"evaluation_id"', b'"model_info"', b'"schema_version"')
_SCORE, _CORRECT = "score", "is_correct"
_SHAPE = "Give the file as Every Eval Ever's converter wrote it."


@dataclass(slots=True, kw_only=True)
class _Instances:
    """The instances of one evaluation of one model, a row each."""

    examples: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    scores: list[str] = field(default_factory=list)
    correct: list[str] = field(default_factory=list)


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds instances, or the averages of an evaluation."""
    is_json = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    return is_json and (all(k in head for k in _OF_AN_INSTANCE) or _is_averages(head))


def _is_averages(head: bytes) -> bool:
    return all(k in head for k in _OF_AVERAGES) and b'"sample_id"' not in head


def gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """Every instance's score, and the averages and directions that stand beside them."""
    directions: dict[str, dict[str, bool]] = {}
    held: dict[tuple[str, str, str], _Instances] = {}

    def read(file: SourceFile) -> None:
        if _is_averages(file.content[:HEAD_BYTES]):
            found.averages += _averages(file, directions)
        else:
            held.update({(file.name, *key): own for key, own in _instances(file).items()})

    found.read_each(files, read, of="lines")
    for (path, dataset, system), own in held.items():
        found.scores.append(
            Scores(
                path=path,
                dataset=dataset,
                system=system,
                examples=own.examples,
                columns={_CORRECT: own.correct, _SCORE: own.scores},
                lines=own.lines,
                content=own.content,
                prompts=own.prompts,
                runs=numbered_runs(own.examples),
            )
        )
    found.scores = without_repetition(found.scores, _SCORE, _CORRECT)
    told = directions
    if held:
        # The averages may call it otherwise: all of them are of these scores.
        every = {name: up for ways in directions.values() for name, up in ways.items()}
        told = {_SCORE: every} if every else {}
    found.higher_is_better = {_CORRECT: True, **one_direction(told)}


def _instances(file: SourceFile) -> dict[tuple[str, str], _Instances]:
    held: dict[tuple[str, str], _Instances] = {}
    problems: list[Problem] = []
    for line, record, broken in records_of(file.content):
        value = record if isinstance(record, dict) else {}
        names = [cell(value.get(k)) for k in ("evaluation_name", "model_id", "sample_id")]
        judged = value.get("evaluation")
        if broken or not all(names) or not isinstance(judged, dict):
            what = broken or "The record names no evaluation, model or sample, or holds no score."
            problems.append(Problem(what, _SHAPE, line=line))
            continue
        dataset, model, example = (str(name) for name in names)
        own = held.setdefault((dataset, model), _Instances())
        own.examples.append(example)
        own.lines.append(line)
        own.content.append(_content(value.get("input")))
        own.prompts.append(_prompt(value.get("input")))
        own.scores.append(number_cell(judged.get("score")))
        own.correct.append(
            {"true": "1", "false": "0"}.get(cell(judged.get("is_correct")) or "", "")
        )
    stop_at(problems)
    return held


def _content(value: Any) -> str:
    """A hash of what was asked and what is right; '' where nothing says it."""
    asked = value.get("raw") if isinstance(value, dict) else None
    if not isinstance(asked, str):
        return ""
    return hash_of([asked, value.get("reference")])


def _prompt(value: Any) -> str:
    """A hash of the words in which the model was asked; '' where nothing says them."""
    told = value.get("formatted") if isinstance(value, dict) else None
    return hash_of(told) if isinstance(told, str) else ""


def _averages(file: SourceFile, directions: dict[str, dict[str, bool]]) -> list[Averages]:
    """The averages of a file; tells of each metric which way is better on each dataset."""
    whole = ToolJson(file).whole()
    model = whole.get("model_info") if isinstance(whole, dict) else None
    results = whole.get("evaluation_results") if isinstance(whole, dict) else None
    system = cell(model.get("id")) or cell(model.get("name")) if isinstance(model, dict) else ""
    if not system or not isinstance(results, list):
        what = "The file names no model, or holds no results."
        raise DataError.of(what, _SHAPE, line=1)
    by_dataset: dict[str, dict[str, str]] = {}
    for result in results:
        parts: Mapping[str, Any] = result if isinstance(result, dict) else {}
        dataset, config = cell(parts.get("evaluation_name")), parts.get("metric_config")
        details = parts.get("score_details")
        if not dataset or not isinstance(config, dict) or not isinstance(details, dict):
            continue
        metric = cell(config.get("metric_name")) or _SCORE
        own = by_dataset.setdefault(dataset, {})
        if metric in own:
            what = f"{listed([metric])} stands there twice: nothing tells the two apart."
            raise DataError.of(what, _SHAPE, dataset=dataset)
        own[metric] = number_cell(details.get("score"))
        lower = cell(config.get("lower_is_better"))
        if lower:
            directions.setdefault(metric, {})[dataset] = lower == "false"
    return [
        Averages(path=file.name, dataset=dataset, system=system, scores=own)
        for dataset, own in by_dataset.items()
    ]


EVERY_EVAL_EVER = Tool(name="Every Eval Ever", is_of=is_of, gather=gather)
