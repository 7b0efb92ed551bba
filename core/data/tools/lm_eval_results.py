"""One file of lm-evaluation-harness results: averages of tasks, directions, and the model's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.data.sources.given import SourceFile
from core.data.tools.lm_eval_samples import NO_FILTER
from core.errors import DataError, Problem

_STANDARD_ERROR = "_stderr"
# What stands beside the metrics; "bypass" is what a task without any is given.
_NO_METRICS = ("alias", "name", "sample_len", "bypass")
_MEND = "Copy the file again, or evaluate again."
# Which argument names the model, as the harness itself looks for it.
_MODEL_ARGUMENTS = ("peft", "delta", "pretrained", "model", "path", "engine")
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Results:
    """What one file holds.

    Attributes
    ----------
    path : str
        The file.
    model : str
        The model's name, '' where the file does not say.
    scores : mapping of str to mapping of str to mapping of str to str
        For each task and filter the average of each metric as written.
    lines : mapping of str to int
        Line at which each task stands, 1 where it is not known.
    has_errors : bool
        Whether standard errors stand beside the averages.
    groups : tuple of str
        Groups of tasks, whose averages repeat those of their tasks.
    directions : mapping of str to mapping of str to bool
        For each task and metric whether higher is better.
    n_samples, versions, n_shot : mapping of str to str
        For each task the number of documents, the version of the task and the number of
        examples in the prompt, as far as they are known.
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
    """Read a file of results.

    Raises
    ------
    DataError
        If it is no JSON, with the place, or holds no results.
    """
    text, whole = _parsed(file)
    held = _object(whole.get("results"))
    if not held:
        raise _refused(file, "The file has no 'results'.", None)
    groups = _groups(whole, held)
    scores: dict[str, dict[str, dict[str, str]]] = {}
    has_errors = False
    for task, values in held.items():
        if task in groups or not isinstance(values, dict):
            continue
        for key, value in values.items():
            metric, comma, chosen = key.partition(",")
            if metric.endswith(_STANDARD_ERROR):
                has_errors = has_errors or value not in ("N/A", None)
                continue
            cell = _cell(value)
            if cell is None or metric in _NO_METRICS or not (comma or cell):
                continue
            scores.setdefault(task, {}).setdefault(chosen or NO_FILTER, {})[metric] = cell
    return Results(
        path=file.name,
        model=_model(whole),
        scores=scores,
        lines={task: _line(text, task) for task in scores},
        has_errors=has_errors,
        groups=tuple(groups),
        directions={
            task: {metric: up for metric, up in _object(own).items() if isinstance(up, bool)}
            for task, own in _object(whole.get("higher_is_better")).items()
        },
        n_samples={
            task: str(_object(own).get("effective", own))
            for task, own in _object(whole.get("n-samples")).items()
        },
        versions={t: str(v) for t, v in _object(whole.get("versions")).items()},
        n_shot={t: str(n) for t, n in _object(whole.get("n-shot")).items()},
    )


def _parsed(file: SourceFile) -> tuple[str, dict[str, Any]]:
    try:
        text = file.content.decode("utf-8-sig")
        found = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        what = "The file is cut off" if cut else "The file is no JSON from here on"
        reason = error.msg.removesuffix(" starting at").removesuffix(" at")
        where = f"at character {error.colno:,} of the line"
        raise _refused(file, f"{what} ({reason} {where}).", error.lineno) from None
    except UnicodeDecodeError as error:
        line = file.content.count(b"\n", 0, error.start) + 1
        raise _refused(file, "From here on the file is no UTF-8.", line) from None
    except (RecursionError, ValueError, MemoryError):
        what = "The JSON is nested too deeply, or holds a number that is too long."
        raise _refused(file, what, None) from None
    if not isinstance(found, dict):
        raise _refused(file, "The file is no object with 'results'.", None)
    return text, found


def _groups(whole: Mapping[str, Any], held: Mapping[str, Any]) -> dict[str, None]:
    """The names among the results that are groups of tasks."""
    parted = _object(whole.get("group_subtasks"))
    named = [*_object(whole.get("groups")), *(name for name, own in parted.items() if own)]
    return {name: None for name in dict.fromkeys(named) if name in held}


def _model(whole: Mapping[str, Any]) -> str:
    """The model's name: as the harness writes it, else from the arguments it was started with."""
    named = whole.get("model_name")
    if isinstance(named, str) and named.strip():
        return named.strip()
    arguments = _object(whole.get("config")).get("model_args")
    if isinstance(arguments, str):
        parts = (part.partition("=") for part in arguments.split(","))
        arguments = {key.strip(): value.strip() for key, _, value in parts}
    for key in _MODEL_ARGUMENTS:
        value = _object(arguments).get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _cell(value: Any) -> str | None:
    """An average as written, '' where it is missing, None where the value is none."""
    if value in (None, "N/A", ""):
        return ""
    if isinstance(value, bool):
        return None
    try:
        float(value)
    except (TypeError, ValueError):
        return None
    return str(value)


def _line(text: str, task: str) -> int:
    found = text.find(f"{json.dumps(task, ensure_ascii=False)}:")
    return 1 if found < 0 else text.count("\n", 0, found) + 1


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _refused(file: SourceFile, what: str, line: int | None) -> DataError:
    return DataError([Problem(what=what, remedy=_MEND, line=line, file=file.name)])
