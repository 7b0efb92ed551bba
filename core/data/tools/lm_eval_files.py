"""One file of lm-evaluation-harness, of samples or of results; which task and model it is of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import DataError, listed, quoted
from ..sources.given import SourceFile
from ..sources.gold_files import Answers
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    cell,
    each_read,
    hash_of,
    number_cell,
    part,
    records_of,
    required,
    text_at,
)
from ..sources.name_grid import common_folder, name_in_common, stem_of
from ..tables.numbers import is_number_cell
from .agreement import DATE, grid_of_files, kinds_of
from .gathered import Record, Scores, numbered_runs, scores_of

NO_FILTER = "none"
# Before hashes that are none of the tool's own.
OWN_HASH = "doc:"
# What a record holds beside its metrics, which older versions do not list.
_FIELDS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
     "doc_hash", "prompt_hash", "target_hash", "raw_resps", "task_name", "schema"}
)  # fmt: skip
_STANDARD_ERROR = "_stderr"
# What stands beside the metrics; "bypass" is what a task without any is given.
_NO_METRICS = ("alias", "name", "sample_len", "bypass")
# Which argument names the model, as the harness itself looks for it.
_MODEL_ARGUMENTS = ("peft", "delta", "pretrained", "model", "path", "engine")
# The second part is what a browser adds to a name that it has already.
_DATED = re.compile(rf"^(?P<before>.*?)_?(?P<date>{DATE})(?: ?\(\d+\))?$")
# As lmms-eval, which keeps the same records, names its files.
_DATE_FIRST = re.compile(r"^(?P<date>\d{8}_\d{4,6})_(?P<before>samples_.+|results)$")
_SAMPLES = "samples_"
# What a dataset is called whose name no file says.
_DOCUMENTS = "documents"
# A person may have written the model's name before the name that the tool gave.
_PREFIXED = re.compile(r"^(?P<prefix>.+?)[_\-. ]+samples_(?P<task>.+)$")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Samples:
    """What one file holds: for each filter the records that it judged, of no task or model yet.

    Metrics that are no number for each document are `aside`.
    """

    path: str
    by_filter: dict[str, Scores]
    aside: tuple[str, ...]

    @property
    def examples(self) -> set[str]:
        """The ids of all documents."""
        return {example for own in self.by_filter.values() for example in own.examples}

    @property
    def content(self) -> set[str]:
        """The different hashes of documents, '' where one has none."""
        return {hashed for own in self.by_filter.values() for hashed in own.content or ("",)}


def read_samples(file: SourceFile, on_bytes: Callable[[int], None]) -> Samples:
    """Read a file of samples: JSON Lines, or one array as the first versions wrote it.

    `on_bytes` is told now and then how much has been read.
    """
    aside: dict[str, None] = {}
    records = each_read(records_of(file.content, on_bytes), lambda entry: _record(entry, aside))
    held = scores_of(file.name, records)
    for metric in dict.fromkeys(metric for own in held for metric in own.columns):
        cells = {cell for own in held for cell in own.columns.get(metric, ())} - {""}
        # A subject or a category, say.
        if cells and not any(text in ("true", "false") or is_number_cell(text) for text in cells):
            aside[metric] = None
    by_filter = {}
    for own in held:
        kept = {metric: cells for metric, cells in own.columns.items() if metric not in aside}
        by_filter[own.dataset] = replace(own, columns=kept, runs=numbered_runs(own.examples))
    return Samples(path=file.name, by_filter=by_filter, aside=tuple(aside))


def _record(entry: Entry, aside: dict[str, None]) -> Record:
    """A record under its filter; metrics that are no score of one document are put aside."""
    example, record = required(entry.value, "doc_id"), entry.value
    cells = {}
    for name in _metrics(record):
        text = cell(record.get(name))
        if text is None:
            aside[name] = None
        cells[name] = text or ""
    content = record.get("doc_hash")
    if not isinstance(content, str):
        # The version of the tool wrote no hash of the document.
        content = OWN_HASH + hash_of(record["doc"]) if "doc" in record else ""
    return Record(
        required(record, "filter") if "filter" in record else NO_FILTER,
        "",
        example,
        entry.line,
        cells,
        content=content,
        target=text_at(record, "target_hash"),
        prompt=text_at(record, "prompt_hash"),
    )


def _metrics(record: dict[str, Any]) -> list[str]:
    """The names of a record's metrics: as listed, else all that are no other field."""
    named = record.get("metrics")
    if isinstance(named, list) and all(isinstance(name, str) for name in named):
        return named
    return [name for name in record if name not in _FIELDS]


def aside_remark(asides: dict[str, set[str]]) -> str:
    """Say which metrics of which tasks are no scores of documents."""
    shown = "; ".join(
        f"{quoted(metric)} of {listed(sorted(tasks))}" for metric, tasks in asides.items()
    )
    return (
        "Left aside, as they are no number for each document (such as counts that only a whole "
        f"data set has a score of): {shown}."
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Results:
    """What one file of results holds; `model` is '' where it does not say it.

    `scores` have for each task and filter the average of each metric as written; `lines` say where
    each task stands, 1 where it is not known. The averages of `groups` repeat those of their tasks.
    `directions` say for each task and metric whether higher is better; `has_errors` whether
    standard errors stand beside the averages. `n_shot` is the number of examples in a task's
    prompt, `n_samples` that of its documents, as far as they are known.
    """

    path: str
    model: str
    scores: Mapping[str, Mapping[str, Mapping[str, str]]]
    lines: Mapping[str, int] = field(default_factory=dict)
    has_errors: bool = False
    groups: tuple[str, ...] = ()
    directions: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    n_samples: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    n_shot: Mapping[str, str] = field(default_factory=dict)


def read_averages(file: SourceFile) -> Results:
    """Read a file of results."""
    source = ToolJson(file)
    whole = part(source.whole())
    held = part(whole, "results")
    if not held:
        raise DataError.of("The file has no 'results'.", MEND)
    parted = part(whole, "group_subtasks")
    named = [*part(whole, "groups"), *(name for name, own in parted.items() if own)]
    groups = [name for name in dict.fromkeys(named) if name in held]
    scores: dict[str, dict[str, dict[str, str]]] = {}
    has_errors = False
    for task, values in held.items():
        if task in groups or not isinstance(values, dict):
            continue
        for key, value in values.items():
            metric, _, chosen = key.partition(",")
            if metric.endswith(_STANDARD_ERROR):
                has_errors = has_errors or value not in ("N/A", None)
                continue
            average = number_cell(value)
            if metric not in _NO_METRICS and is_number_cell(average):
                own = scores.setdefault(task, {}).setdefault(chosen or NO_FILTER, {})
                own[metric] = average
    return Results(
        path=file.name,
        model=_model(whole),
        scores=scores,
        lines={task: _line(source.text, task) for task in scores},
        has_errors=has_errors,
        groups=tuple(groups),
        directions={
            task: {metric: up for metric, up in part(own).items() if isinstance(up, bool)}
            for task, own in part(whole, "higher_is_better").items()
        },
        n_samples={
            task: str(part(own).get("effective", own))
            for task, own in part(whole, "n-samples").items()
        },
        versions={t: str(v) for t, v in part(whole, "versions").items()},
        n_shot={t: str(n) for t, n in part(whole, "n-shot").items()},
    )


def _model(whole: Mapping[str, Any]) -> str:
    """The model's name: as the harness writes it, else from the arguments it was started with."""
    arguments = part(whole, "config").get("model_args")
    if isinstance(arguments, str):
        parts = (each.partition("=") for each in arguments.split(","))
        arguments = {key.strip(): value.strip() for key, _, value in parts}
    told = (text_at(part(arguments), key) for key in _MODEL_ARGUMENTS)
    return text_at(whole, "model_name") or next(filter(None, told), "")


def _line(text: str, task: str) -> int:
    found = text.find(f"{json.dumps(task, ensure_ascii=False)}:")
    return 1 if found < 0 else text.count("\n", 0, found) + 1


def tasks_of(
    samples: Sequence[Samples], results: Sequence[Results], answers: Answers
) -> dict[str, str]:
    """The task of each file, by its path.

    `samples_<task>_<date>.jsonl` names it; other names are read as those of any files.
    """
    tasks: dict[str, str] = {}
    for one in samples:
        before, date = _name_and_date(one.path)
        prefixed = _PREFIXED.match(before)
        if date and before.startswith(_SAMPLES) and before != _SAMPLES:
            tasks[one.path] = before.removeprefix(_SAMPLES)
        elif date and prefixed:
            tasks[one.path] = prefixed["task"]
    unnamed = [one for one in samples if one.path not in tasks]
    if unnamed:
        tasks |= _by_documents(unnamed, answers)
    return tasks


def _by_documents(samples: Sequence[Samples], answers: Answers) -> dict[str, str]:
    """The task of each file by its name: what names have in common of files with the same documents."""
    paths = [one.path for one in samples]
    bare = [path.rpartition("/")[0] + "/" + _bare(path) for path in paths]
    kinds = kinds_of([frozenset(filter(None, one.content)) for one in samples])
    if len(set(kinds)) in (1, len(kinds)):
        # Of one task by name; that its documents differ is then reported.
        common = name_in_common([_bare(path) for path in paths])
        return dict.fromkeys(paths, common or common_folder(paths) or _DOCUMENTS)
    grid = grid_of_files(bare, kinds, whole=_DOCUMENTS, answers=answers)
    return {path: task for path, (task, _) in zip(paths, grid.pairs, strict=True)}


def models_of(tasks: Mapping[str, str], results: Sequence[Results]) -> dict[str, str]:
    """The model of each file as results beside it name one, or as stands before the tool's own name.

    None where these would not tell two files of a task apart.
    """
    models: dict[str, str] = {}
    before: dict[str, str] = {}
    for path in tasks:
        named = {one.model for one in _beside(path, results) if one.model}
        prefixed = _PREFIXED.match(_name_and_date(path)[0])
        if len(named) == 1:
            (models[path],) = named
        elif prefixed and _name_and_date(path)[1]:
            before[path] = prefixed["prefix"]
    every = models | before
    if before and len(every) == len(tasks) and len(set(every.values())) > 1:
        models = every
    seen = [(tasks[path], model) for path, model in models.items()]
    return models if len(set(seen)) == len(seen) else {}


def result_of(path: str, results: Sequence[Results]) -> Results | None:
    """The results of the evaluation that a file of samples is of; None where several may be."""
    dated = _name_and_date(path)[1]
    found = [
        one
        for one in _beside(path, results)
        if not dated or _name_and_date(one.path)[1] in ("", dated)
    ]
    return found[0] if len(found) == 1 else None


def _beside(path: str, results: Sequence[Results]) -> list[Results]:
    """The results in a file's folder that are of its date, else all of the folder."""
    folder, date = path.rpartition("/")[0], _name_and_date(path)[1]
    beside = [one for one in results if one.path.rpartition("/")[0] == folder]
    same = [one for one in beside if date and _name_and_date(one.path)[1] == date]
    return same or (beside if folder else [])


def _name_and_date(path: str) -> tuple[str, str]:
    """A file's name without ending and date, and the date, '' where it has none."""
    stem = stem_of(path)
    found = _DATED.match(stem) or _DATE_FIRST.match(stem)
    return (found["before"], found["date"]) if found else (stem, "")


def _bare(path: str) -> str:
    return _name_and_date(path)[0].removeprefix(_SAMPLES)


def with_comparable_content(samples: Sequence[Samples], tasks: Mapping[str, str]) -> set[str]:
    """Tasks whose files all tell documents apart by hashes of one kind."""
    kinds: dict[str, set[str]] = {}
    for one in samples:
        kinds.setdefault(tasks[one.path], set()).update(
            "" if not content else OWN_HASH if content.startswith(OWN_HASH) else "tool"
            for content in one.content
        )
    return {task for task, own in kinds.items() if len(own) == 1 and "" not in own}
