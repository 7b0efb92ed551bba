"""Hugging Face's files: results in model repositories, LightEval's and MTEB's.

Repositories hold `.eval_results/*.yaml` and model-index; LightEval writes details of a task, a row
an example (Parquet), and averages; MTEB an average for each task, split and subset. Of YAML only what these files use is read: lists and mappings
one below the other, with values on one line. So numbers stay as they were written, and every value
is known by its line.
"""

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import DataError, quoted
from ..roles import Roles
from ..sources.files import MODEL_INDEX, SourceFile, base_of
from ..sources.json_values import ToolJson, hash_of, part, text_at
from ..sources.name_grid import NothingToCompare, without_ending
from ..tables.limits import MAX_UNPACKED
from ..tables.numbers import is_number_cell
from ..tables.text import decode_text
from .agreement import name_and_date
from .gathered import (
    Gathered,
    Record,
    Scores,
    Tool,
    average,
    common_by_dataset,
    each,
    measure_choice,
    one_direction,
    scores_of,
)

_VALUE = "value"
_RESULTS = re.compile(rb"(?:^|\n)- dataset:[ \t]*(?:#[^\n]*)?\r?\n[ \t]+id:")
_KEY = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s'"#\[{][^:#]*):(?:\s+(?P<rest>.*))?$""")
_BLOCK = re.compile(r"[|>][+-]?\d*$")
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*+\"|'(?:[^']|'')*+'""")
_DEFAULT_TASK = "default"
# What is held by name, or by number in a list: trees again, or a value and its line.
_Tree = dict[str | int, Any]
_SHAPE = (
    "Write it as the Hub's documentation does: a list of 'dataset' with 'id' and 'task_id', and "
    "'value'; or 'model-index' with 'results'."
)


def _is_of_hub(file: SourceFile, head: bytes) -> bool:
    """Whether a file is a list of results, or a model card with some in its header."""
    return (
        file.name.lower().endswith((".yaml", ".yml")) and _RESULTS.search(head) is not None
    ) or (MODEL_INDEX.match(head) is not None)


def _gather_hub(files: Sequence[SourceFile], found: Gathered) -> None:
    """One average for each dataset; the model is the card's, or the repository's folder."""

    def read(file: SourceFile) -> None:
        whole = _tree(decode_text(file.content).text)
        of = _of_results if 0 in whole else _of_card
        found.scores += of(file.name, whole)

    found.read_each(files, read)
    if not found.scores:
        raise DataError([NothingToCompare("The files hold no results.", _SHAPE)])


def _of_results(path: str, whole: Any) -> Iterator[Scores]:
    repository = path.partition(".eval_results/")[0].rstrip("/")
    for own in _mappings(whole):
        dataset = own.get("dataset")
        name, task = (_text(dataset, "id"), _text(dataset, "task_id"))
        value, line = _value(own)
        if not name or not value:
            raise DataError.of("A result lacks its dataset or its value.", _SHAPE, line=line)
        notes = _text(own, "notes")
        parts = [part for part in (task if task != _DEFAULT_TASK else "", notes) if part]
        dataset_name = f"{name} ({', '.join(parts)})" if parts else name
        yield average(path, dataset_name, repository, {_VALUE: value}, line=line)


def _of_card(path: str, whole: Any) -> Iterator[Scores]:
    """A model's results: those of one dataset, configuration and split are one average each."""
    for model in _mappings(whole.get("model-index")):
        for result in _mappings(model.get("results")):
            dataset = result.get("dataset")
            parts = [_text(dataset, key) for key in ("config", "split")]
            told = ", ".join(part for part in parts if part and part != _DEFAULT_TASK)
            name = _text(dataset, "name") or _text(dataset, "type")
            scores: dict[str, str] = {}
            lines = [1]
            for metric in _mappings(result.get("metrics")):
                value, line = _value(metric)
                called = _text(metric, "name") or _text(metric, "type")
                if scores.get(called, value) != value:
                    what = f"{quoted(called)} of {quoted(name)} has two values."
                    raise DataError.of(what, _SHAPE, line=line)
                if value:
                    scores[called] = value
                    lines.append(line)
            if name and scores:
                called = f"{name} ({told})" if told else name
                yield average(path, called, _text(model, "name"), scores, line=lines[-1])


def _mappings(held: Any) -> list[_Tree]:
    """The elements of a list that are mappings."""
    pairs = held.items() if isinstance(held, dict) else ()
    return [one for key, one in pairs if isinstance(key, int) and isinstance(one, dict)]


def _value(held: Any, key: str = _VALUE) -> tuple[str, int]:
    """The value under a name and its line; '' where there is none."""
    value = held.get(key) if isinstance(held, dict) else None
    return value if isinstance(value, tuple) else ("", 1)


def _text(held: Any, key: str) -> str:
    return _value(held, key)[0]


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Number, depth and content of each line that says something, up to the header's end."""
    skipped: int | None = None
    has_begun = False
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        depth = len(line) - len(line.lstrip(" "))
        if has_begun and bare in ("---", "..."):
            return
        if not bare or bare.startswith("#") or bare == "---":
            continue
        has_begun = True
        if skipped is not None and depth > skipped:
            # Text of several lines.
            continue
        skipped = depth if _BLOCK.search(bare) else None
        # "- key: value" begins an element that goes on two columns further right.
        while bare.startswith("- "):
            yield number, depth, "-"
            inner = bare[2:].lstrip()
            depth += len(bare) - len(inner)
            bare = inner
        yield number, depth, bare


def _tree(text: str) -> _Tree:
    """What the lines hold: a list has numbers for names, and a value its line.

    What stands further right than a value belongs to it, and is passed over.
    """
    whole: _Tree = {"": ("", 1)}
    # How far right each name stands that the next line may be within, and where its content is.
    around: list[tuple[int, str | int, _Tree]] = [(-1, "", whole)]
    for number, depth, line in _lines(text):
        is_item, key = line == "-", _KEY.match(line)
        is_flow = line.startswith("{") and line.endswith("}")
        # A list may stand as far right as its name.
        while depth <= around[-1][0] and not (
            is_item and depth == around[-1][0] and isinstance(around[-1][1], str)
        ):
            around.pop()
        _, name, within = around[-1]
        if isinstance(within[name], tuple):
            value, begun = within[name]
            if value or not (is_item or is_flow or key):
                # A value may stand below its name.
                within[name] = value or _scalar(line), begun
                continue
            within[name] = {}
        held = within[name]
        if is_flow:
            pairs = (part.partition(":") for part in line[1:-1].split(","))
            held |= {one.strip(" \"'"): (_scalar(value), number) for one, _, value in pairs}
        elif is_item or key:
            called = key["key"].strip(" \"'") if key else len(held)
            held[called] = (_scalar(key["rest"] or "") if key else "", number)
            around.append((depth, called, held))
    return whole[""] if isinstance(whole[""], dict) else {}


def _scalar(text: str) -> str:
    """A value without quotation marks and what is noted behind it."""
    bare = text.strip()
    if found := _QUOTED.match(bare):
        inner = found[0][1:-1]
        if bare[0] == "'":
            return inner.replace("''", "'")
        try:
            return str(json.loads(found[0]))
        except ValueError:
            # YAML has further escapes.
            return inner
    if bare[:1] in ("'", '"'):
        return bare[1:]
    bare = re.split(r"\s#", bare, maxsplit=1)[0].strip()
    return "" if bare in ("null", "~") or bare.startswith("#") else bare


HUGGING_FACE = Tool(name="Hugging Face results", claims=each(_is_of_hub), gather=_gather_hub)


_PARQUET = b"PAR1"
_OF_AVERAGES = (b'"config_general"', b'"results"')
# Newer versions and older ones.
_METRICS, _DOCUMENTS = ("__metric__", "metrics"), ("__doc__", "doc")
# What an example is known by; the first two are what newer and older versions ask.
_QUESTION = ("query", "example", "choices", "gold_index", "gold")
_STANDARD_ERROR = "_stderr"
# Averages over tasks.
_ALL, _AVERAGE = "all", ":_average|"
_AS_WRITTEN = "Give the file as LightEval wrote it."


def _is_of_lighteval(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds details, by its columns, or results, by what stands in them."""
    if head.startswith(_PARQUET):
        # The columns are named at the file's end.
        tail = file.content[-(1 << 16) :]
        return any(name.encode() in tail for name in (_METRICS[0], "full_prompt"))
    return head.lstrip()[:1] == b"{" and all(mark in file.content for mark in _OF_AVERAGES)


def _gather_lighteval(files: Sequence[SourceFile], found: Gathered) -> None:
    """Name the model of details by the results of the same date in their folder."""
    models: dict[str, str] = {}
    directions: dict[str, dict[str, bool]] = {}

    def read(file: SourceFile) -> None:
        if file.content.startswith(_PARQUET):
            found.scores += scores_of(file.name, _details(file))
        else:
            model, averages = _results(file, directions)
            found.scores.extend(averages)
            if model and (date := name_and_date(file.name)[1]):
                models.setdefault(date, model)

    found.read_each(files, read)
    found.scores = [
        replace(one, system=one.system or models.get(name_and_date(one.path)[1], ""))
        for one in found.scores
    ]
    found.higher_is_better = one_direction(directions)


def _details(file: SourceFile) -> Iterator[Record]:
    rows = _rows(file)
    held = [_first_part(row, _METRICS) for row in rows]
    documents = [_first_part(row, _DOCUMENTS) or row for row in rows]
    if not any(held):
        raise DataError.of("It has no scores of examples.", _AS_WRITTEN)
    before, date = name_and_date(file.name)
    told = str(documents[0].get("task_name") or "")
    task = _task(told or (before.removeprefix("details_") if date else "") or "task")
    ids = [str(own.get("id") or "") for own in documents]
    if "" in ids or len(set(ids)) < len(ids):
        ids = [str(number) for number in range(len(ids))]
    for number, (own, document) in enumerate(zip(held, documents, strict=True), start=1):
        cells = {
            metric: repr(float(value))
            for metric, value in own.items()
            if isinstance(value, (bool, int, float))
        }
        asked = [document.get(key) for key in _QUESTION]
        is_known = asked[0] is not None or asked[1] is not None
        content = hash_of(asked) if is_known else ""
        yield Record(task, "", ids[number - 1], number, cells, content)


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


def _first_part(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The parts of the first of these columns that a row has; {} where it has none."""
    found = next((row[name] for name in names if name in row), None)
    return found if isinstance(found, dict) else {}


def _task(name: str) -> str:
    """A task's name without the suite before it, with the number of examples in the prompt."""
    parts = name.split("|")
    if len(parts) < 3:
        return name
    return parts[1] if parts[2] in ("", "0") else f"{parts[1]} ({parts[2]}-shot)"


def _results(file: SourceFile, directions: dict[str, dict[str, bool]]) -> tuple[str, list[Scores]]:
    """The model and its averages; tells of each metric which way is better on each task."""
    whole = ToolJson(file).whole()
    general = part(whole, "config_general")
    model = text_at(general, "model_name") or text_at(general, "model_config", "model_name")
    for name, task in part(whole, "config_tasks").items():
        told = part(task).get("metrics", part(task).get("metric"))
        for metric in told if isinstance(told, list) else ():
            up, called = (part(metric).get(key) for key in ("higher_is_better", "metric_name"))
            if isinstance(up, bool):
                # One name, or those of several scores that are made together.
                for one in called if isinstance(called, list) else [called]:
                    if isinstance(one, str):
                        directions.setdefault(one, {})[_task(name)] = up
    averages = []
    for name, own in part(whole, "results").items():
        scores = {
            metric: text
            for metric, value in part(own).items()
            if not metric.endswith(_STANDARD_ERROR) and (text := text_at(value))
        }
        if name != _ALL and _AVERAGE not in name and scores:
            averages.append(average(file.name, _task(name), model, scores))
    return model, averages


LIGHTEVAL = Tool(name="LightEval", claims=each(_is_of_lighteval), gather=_gather_lighteval)


_OF_MTEB = b'"mteb_version"'
_MODEL_META = "model_meta.json"
_MAIN_SCORE = "main_score"
# Beside scores, and, as older versions write them, among them.
_NO_SPLIT = frozenset(
    {"dataset_revision", "dataset_version", "task_name", "mteb_dataset_name", "mteb_version",
     "evaluation_time", "kg_co2_emissions", "date", "evaluation_phases"}
)  # fmt: skip
_SUBSET, _DEFAULT_SUBSET = "hf_subset", "default"
# Results lie in a folder of the model's revision, within that of the model.
_REVISION = re.compile(r"[0-9a-f]{40}|no_revision_available|external|unknown")
_AS_MTEB_WROTE = "Give the file as MTEB wrote it, in the folder of its model."


def _claims_mteb(files: Sequence[SourceFile], _: Roles) -> list[int]:
    """The positions of results of tasks, and of what says beside them whose they are."""
    results = [
        place
        for place, file in enumerate(files)
        if file.content.lstrip()[:1] == b"{" and _OF_MTEB in file.content
    ]
    meta = [place for place, file in enumerate(files) if base_of(file.name) == _MODEL_META]
    return sorted({*results, *meta}) if results else []


def _gather_mteb(files: Sequence[SourceFile], found: Gathered) -> None:
    """One average for each task, split and subset; the model is named beside it or by its folder."""
    models: dict[str, str] = {}
    read: list[Scores] = []

    def take(file: SourceFile) -> None:
        whole = part(ToolJson(file).whole())
        if base_of(file.name) == _MODEL_META:
            models[file.name.rpartition("/")[0]] = text_at(whole, "name")
            found.note(file.name, "the model's name")
        else:
            read.extend(_tasks(file.name, whole))

    found.read_each(files, take)
    if not read:
        raise DataError([NothingToCompare("MTEB's files hold no scores.", _AS_MTEB_WROTE)])
    named = [replace(one, system=_model_of(one.path, models)) for one in read]
    distinct = len({(one.dataset, one.system) for one in named}) == len(named)
    found.scores = named if distinct else read
    found.higher_is_better = {_MAIN_SCORE: True}
    if found.given.get("measure") is None and all(_MAIN_SCORE in one.columns for one in read):
        # Every task has it for this: other metrics are compared where one is chosen.
        held = common_by_dataset([(one.dataset, one.system, tuple(one.columns)) for one in read])
        found.settle(
            "measure",
            None,
            measure_choice(held, may_differ=False),
            f"Tasks are compared by MTEB's own {quoted(_MAIN_SCORE)} of each.",
        )
        found.scores = [
            replace(one, columns={_MAIN_SCORE: one.columns[_MAIN_SCORE]}) for one in found.scores
        ]


def _model_of(path: str, models: Mapping[str, str]) -> str:
    folder = path.rpartition("/")[0]
    if models.get(folder):
        return models[folder]
    above, _, last = folder.rpartition("/")
    return above.rpartition("/")[2].replace("__", "/") if _REVISION.fullmatch(last) else ""


def _tasks(path: str, whole: Mapping[str, Any]) -> list[Scores]:
    """The averages of one file: of each split and subset, named after these where there are several."""
    task = text_at(whole, "task_name") or text_at(whole, "mteb_dataset_name")
    task = task or without_ending(base_of(path))
    by_split = part(whole, "scores") or {
        split: own for split, own in whole.items() if split not in _NO_SPLIT
    }
    averages: dict[tuple[str, str], dict[str, str]] = {}
    for split, own in by_split.items():
        if isinstance(own, list):
            subsets = [(text_at(one, _SUBSET) or _DEFAULT_SUBSET, part(one)) for one in own]
        elif any(text_at(value) for key, value in part(own).items() if key not in _NO_SPLIT):
            subsets = [(_DEFAULT_SUBSET, part(own))]
        else:
            subsets = [(name, part(one)) for name, one in part(own).items()]
        for subset, values in subsets:
            if scores := dict(_numbers(values)):
                averages[split, subset] = scores
    several = len({split for split, _ in averages}) > 1
    found = []
    for (split, subset), scores in averages.items():
        told = [split] * several + [subset] * (subset != _DEFAULT_SUBSET)
        dataset = f"{task} ({', '.join(told)})" if told else task
        found.append(average(path, dataset, "", scores))
    return found


def _numbers(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Name and value of each score, those of one similarity under its name; the main one first."""
    for key in sorted(values, key=lambda key: key != _MAIN_SCORE):
        value = values[key]
        if isinstance(value, dict):
            yield from _numbers(value, f"{key}_")
        elif (
            isinstance(value, str)
            and is_number_cell(value)
            and key not in (*_NO_SPLIT, _SUBSET)
            and not key.endswith(_STANDARD_ERROR)
        ):
            yield f"{before}{key}", value


MTEB = Tool(name="MTEB", claims=_claims_mteb, gather=_gather_mteb)
