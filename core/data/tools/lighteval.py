"""LightEval's files: details of a task, a row an example (Parquet), and averages in results."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import DataError
from ..sources.given import SourceFile
from ..sources.json_values import cell
from ..tables.limits import MAX_UNPACKED
from .gathered import Averages, Gathered, Scores, Tool
from .measures import one_direction
from .tool_json import ToolJson, hash_of, number_cell

_PARQUET = b"PAR1"
_RESULTS = (b'"config_general"', b'"results"')
# Newer versions and older ones.
_METRICS, _DOCUMENTS = ("__metric__", "metrics"), ("__doc__", "doc")
# What an example is known by; the first two are what newer and older versions ask.
_QUESTION = ("query", "example", "choices", "gold_index", "gold")
# As both kinds of files are named.
_DATED = re.compile(r"(?:details_(?P<task>.+)|results)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+?)\.\w+$")
_STANDARD_ERROR = "_stderr"
# Averages over tasks.
_ALL, _AVERAGE = "all", ":_average|"
_SHAPE = "Give the file as LightEval wrote it."


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds details, by its columns, or results, by what stands in them."""
    if head.startswith(_PARQUET):
        # The columns are named at the file's end.
        tail = file.content[-(1 << 16) :]
        return any(name.encode() in tail for name in (_METRICS[0], "full_prompt"))
    return head.lstrip()[:1] == b"{" and all(mark in file.content for mark in _RESULTS)


def gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """Details are told whose they are by the results of the same date beside them."""
    models: dict[str, str] = {}
    directions: dict[str, dict[str, bool]] = {}

    def read(file: SourceFile) -> None:
        if file.content.startswith(_PARQUET):
            found.scores.append(_details(file))
        else:
            model, averages = _results(file, directions)
            found.averages.extend(averages)
            if model and (date := _date(file.name)):
                models.setdefault(date, model)

    found.read_each(files, read, of="places")
    found.scores = [replace(one, system=models.get(_date(one.path), "")) for one in found.scores]
    found.higher_is_better = one_direction(directions)


def _date(path: str) -> str:
    dated = _DATED.search(path)
    return dated["date"] if dated else ""


def _details(file: SourceFile) -> Scores:
    rows = _rows(file)
    held = [_part(row, _METRICS) for row in rows]
    documents = [_part(row, _DOCUMENTS) or row for row in rows]
    if not any(held):
        raise DataError.of("It has no scores of examples.", _SHAPE)
    columns: dict[str, list[str]] = {}
    for row, own in enumerate(held):
        for metric, value in own.items():
            if isinstance(value, (bool, int, float)):
                cells = columns.setdefault(metric, [""] * len(held))
                cells[row] = repr(float(value))
    dated = _DATED.search(file.name)
    told = documents[0].get("task_name")
    task = str(told or "") or (dated["task"] if dated else "") or "task"
    ids = [str(own.get("id") or "") for own in documents]
    if "" in ids or len(set(ids)) < len(ids):
        ids = [str(number) for number in range(len(ids))]
    return Scores(
        path=file.name,
        dataset=_task(task),
        system="",
        examples=ids,
        columns=columns,
        lines=range(1, len(held) + 1),
        content=[_content(own) for own in documents],
    )


def _rows(file: SourceFile) -> list[dict[str, Any]]:
    """The rows of a Parquet file, of the columns that are of use here."""
    try:
        parquet = pq.ParquetFile(io.BytesIO(file.content))
        groups = range(parquet.num_row_groups)
        size = sum(parquet.metadata.row_group(group).total_byte_size for group in groups)
        if size <= MAX_UNPACKED:
            wanted = {*_METRICS, *_DOCUMENTS, *_QUESTION}
            table = parquet.read([n for n in parquet.schema_arrow.names if n in wanted])
            rows: list[dict[str, Any]] = table.to_pylist()
            return rows
    except (pa.ArrowException, OSError, ValueError) as error:
        what = f"The Parquet file cannot be read: {str(error).splitlines()[0]}"
        raise DataError.of(what, "Copy the file again.") from None
    what = f"Unpacked it has {size:,} bytes; at most {MAX_UNPACKED:,} are read."
    raise DataError.of(what, "Give the details of fewer tasks at once.")


def _part(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The parts of the first of these columns that a row has; {} where it has none."""
    found = next((row[name] for name in names if name in row), None)
    return found if isinstance(found, dict) else {}


def _content(document: Mapping[str, Any]) -> str:
    """A hash of the question, its choices and what is right; '' where nothing says it."""
    asked = [document.get(key) for key in _QUESTION]
    if asked[0] is None and asked[1] is None:
        return ""
    return hash_of(asked)


def _task(name: str) -> str:
    """A task's name without the suite before it, with the number of examples in the prompt."""
    parts = name.split("|")
    if len(parts) < 3:
        return name
    return parts[1] if parts[2] in ("", "0") else f"{parts[1]} ({parts[2]}-shot)"


def _results(
    file: SourceFile, directions: dict[str, dict[str, bool]]
) -> tuple[str, list[Averages]]:
    """The model and its averages; tells of each metric which way is better on each task."""
    whole = ToolJson(file).whole()
    general, results, tasks = (
        own if isinstance(own := whole.get(key), dict) else {}
        for key in ("config_general", "results", "config_tasks")
    )
    config = general.get("model_config")
    config = config if isinstance(config, dict) else {}
    model = cell(general.get("model_name")) or cell(config.get("model_name")) or ""
    for name, task in tasks.items():
        told = task.get("metrics", task.get("metric")) if isinstance(task, dict) else ()
        for metric in told if isinstance(told, list) else ():
            up = metric.get("higher_is_better") if isinstance(metric, dict) else None
            if isinstance(up, bool):
                for one in _names(metric.get("metric_name")):
                    directions.setdefault(one, {})[_task(name)] = up
    averages = []
    for name, own in results.items():
        scores = {
            metric: text
            for metric, value in (own.items() if isinstance(own, dict) else ())
            if not metric.endswith(_STANDARD_ERROR) and (text := number_cell(value))
        }
        if name != _ALL and _AVERAGE not in name and scores:
            averages.append(
                Averages(path=file.name, dataset=_task(name), system=model, scores=scores)
            )
    return model, averages


def _names(value: Any) -> list[str]:
    """One name, or those of several scores that are made together."""
    names = value if isinstance(value, list) else [value]
    return [name for name in names if isinstance(name, str)]


LIGHTEVAL = Tool(name="LightEval", is_of=is_of, gather=gather)
