"""Files of lm-evaluation-harness: samples, a record a document and filter; results, averages of tasks.

Vocabulary
----------
filter
    How an answer is taken out of what a model wrote. A metric by one of several filters is called
    as results have it: "exact_match,strict-match".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from ...errors import Choice, DataError, Problem, listed, quoted
from ..sources.given import SourceFile
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    cell,
    each_read,
    hash_of,
    part,
    records_of,
    required,
    text_at,
)
from ..sources.name_grid import common_folder, name_in_common
from ..tables.limits import CUTTING, stop_at
from ..tables.numbers import is_number_cell
from .agreement import (
    grid_of_files,
    kinds_of,
    name_and_date,
    names_by_path,
    naming_remark,
    other_mean,
)
from .gathered import (
    HEAD_BYTES,
    Gathered,
    Record,
    Scores,
    Tool,
    average,
    each,
    numbered_runs,
    scores_of,
)
from .measures import (
    Held,
    common_by_dataset,
    direction_problems,
    known_direction,
    names_of,
    one_direction,
    told_by_name,
)

Value = TypeVar("Value")
_NO_FILTER = "none"
# Before hashes that are none of the tool's own.
_OWN_HASH = "doc:"
_EACH_FIRST = "each-first"
# What a record holds beside its metrics, which older versions do not list.
_FIELDS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
     "doc_hash", "prompt_hash", "target_hash", "raw_resps", "task_name", "schema"}
)  # fmt: skip
_STANDARD_ERROR = "_stderr"
# What is no metric among them; "bypass" is what a task without any is given.
_NO_METRICS = ("alias", "name", "sample_len", "bypass")
# Which argument names the model, as the harness itself looks for it.
_MODEL_ARGUMENTS = ("peft", "delta", "pretrained", "model", "path", "engine")
# A person may have written the model's name before the name that the tool gave.
_OF_SAMPLES = re.compile(r"(?:(?P<model>.+?)[_\-. ]+)??samples_(?P<task>.+)")
# What a dataset is called whose name no file says.
_DOCUMENTS = "documents"
# The harness averages these over documents; of others the average may be no mean.
_MEANS = frozenset({"acc", "acc_norm", "acc_mutual_info", "exact_match"})
# Last zeros are not written: 0.5 is no average that was rounded to one decimal.
_LEAST_DECIMALS = 3
# Of a document it is the logarithm of the answer's probability; only its average is a perplexity.
_LOG_LIKELIHOOD = "perplexity"

_DOCUMENT = re.compile(rb'\s*(?:\[\s*)?\{\s*"doc_id"\s*:\s*"?\d+"?\s*,')
_WITH_CONTENT = re.compile(rb'"doc"\s*:\s*[{"\[]')
_OF_A_RECORD = re.compile(rb'"(?:filtered_resps|doc_hash|prompt_hash|target_hash)"\s*:')
_RESULTS = re.compile(rb'\s*\{\s*"results"\s*:\s*\{')
_WITH_ERROR = re.compile(rb'"[^"\n]+_stderr(?:,[^"\n]*)?"\s*:')
# With the filter behind a comma no other tool writes it, wherever it stands.
_OF_A_FILTER = re.compile(rb'"[^"\n]+_stderr,[^"\n]+"\s*:')


def _is_samples(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds samples: by its first record, or by its name where that one is long."""
    first, ended, _ = head.partition(b"\n{")
    if not _DOCUMENT.match(head):
        # Keys may stand in another order after other programs.
        return b'"doc_id"' in first and len(_OF_A_RECORD.findall(first)) > 1
    if _OF_A_RECORD.search(first):
        return True
    named = file.name.rpartition("/")[2].startswith("samples_")
    return named and not ended and _WITH_CONTENT.search(first) is not None


def _is_results(head: bytes) -> bool:
    """Whether a file holds averages of tasks beside their standard errors."""
    if _RESULTS.match(head):
        return _WITH_ERROR.search(head) is not None
    is_object = head.lstrip()[:1] == b"{" and b'"results"' in head
    return is_object and _OF_A_FILTER.search(head) is not None


class _Samples(NamedTuple):
    """What one file holds: for each filter the records that it judged, of no task or model yet.

    Metrics that are no number for each document are `aside`.
    """

    path: str
    by_filter: dict[str, Scores]
    aside: dict[str, None]


def _read_samples(file: SourceFile, on_bytes: Callable[[int], None]) -> _Samples:
    """Read JSON Lines, or one array as the first versions wrote it; `on_bytes` is called with how much."""
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
        by_filter[own.dataset] = replace(
            own,
            columns={metric: cells for metric, cells in own.columns.items() if metric not in aside},
            runs=numbered_runs(own.examples),
            content_kind=_OWN_HASH if own.content and own.content[0].startswith(_OWN_HASH) else "",
        )
    return _Samples(file.name, by_filter, aside)


def _record(entry: Entry, aside: dict[str, None]) -> Record:
    """A record under its filter; metrics that are no score of one document are put aside."""
    record, example = entry.value, required(entry.value, "doc_id")
    named = record.get("metrics")
    if not (isinstance(named, list) and all(isinstance(name, str) for name in named)):
        named = [name for name in record if name not in _FIELDS]
    cells = {}
    for name in named:
        text = cell(record.get(name))
        if text is None:
            aside[name] = None
        cells[name] = text or ""
    content = record.get("doc_hash")
    if not isinstance(content, str):
        # The version of the tool wrote no hash of the document.
        content = _OWN_HASH + hash_of(record["doc"]) if "doc" in record else ""
    return Record(
        required(record, "filter") if "filter" in record else _NO_FILTER,
        "",
        example,
        entry.line,
        cells,
        content=content,
        target=cell(record.get("target_hash")) or "",
        prompt=cell(record.get("prompt_hash")) or "",
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Results:
    """What one file of results holds; `model` is '' where it does not say it.

    `scores` have for each task and filter the average of each metric as written, `lines` where each
    task stands. The averages of `groups` repeat those of their tasks. `directions` say for each
    task and metric whether higher is better; `has_errors` whether there are standard errors of the
    averages. `n_shot` is the number of examples in a task's prompt, `n_samples` that of its
    documents, as far as they are known.
    """

    path: str
    model: str
    scores: Mapping[str, Mapping[str, Mapping[str, str]]]
    lines: Mapping[str, int]
    has_errors: bool
    groups: Sequence[str]
    directions: Mapping[str, Mapping[str, bool]]
    n_samples: Mapping[str, str]
    versions: Mapping[str, str]
    n_shot: Mapping[str, str]


def _read_results(file: SourceFile) -> _Results:
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
            written = text_at(value)
            if metric.endswith(_STANDARD_ERROR):
                has_errors = has_errors or value not in ("N/A", None)
            elif metric not in _NO_METRICS and is_number_cell(written):
                by_filter = scores.setdefault(task, {})
                by_filter.setdefault(chosen or _NO_FILTER, {})[metric] = written
    sizes = part(whole, "n-samples")
    return _Results(
        path=file.name,
        model=_model(whole),
        scores=scores,
        lines={task: _line(source.text, task) for task in scores},
        has_errors=has_errors,
        groups=groups,
        directions={
            task: {metric: up for metric, up in part(own).items() if isinstance(up, bool)}
            for task, own in part(whole, "higher_is_better").items()
            if task not in groups
        },
        n_samples={task: str(part(own).get("effective", own)) for task, own in sizes.items()},
        versions={task: str(own) for task, own in part(whole, "versions").items()},
        n_shot={task: str(own) for task, own in part(whole, "n-shot").items()},
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


def _task_and_model(path: str) -> tuple[str, str]:
    """The task, and the model where a person put it before it, of a file named as the tool does."""
    before, date = name_and_date(path)
    found = _OF_SAMPLES.fullmatch(before) if date else None
    return (found["task"], found["model"] or "") if found else ("", "")


def _tasks_of(samples: Sequence[_Samples], found: Gathered) -> dict[str, str]:
    """The task of each file: as the tool names it, else by what names of the same documents share."""
    tasks = {one.path: _task_and_model(one.path)[0] for one in samples}
    unnamed = [one for one in samples if not tasks[one.path]]
    if not unnamed:
        return tasks
    paths = [one.path for one in unnamed]
    bare = [name_and_date(path)[0].removeprefix("samples_") for path in paths]
    content = [chain.from_iterable(o.content for o in own.by_filter.values()) for own in unnamed]
    kinds = kinds_of([frozenset(filter(None, own)) for own in content])
    if len(set(kinds)) in (1, len(kinds)):
        # Of one task by name; that its documents differ is then reported.
        common = name_in_common(bare) or common_folder(paths) or _DOCUMENTS
        return tasks | dict.fromkeys(paths, common)
    named = [f"{path.rpartition('/')[0]}/{own}" for path, own in zip(paths, bare, strict=True)]
    grid = grid_of_files(named, kinds, whole=_DOCUMENTS, answers=found)
    return tasks | {path: task for path, (task, _) in zip(paths, grid.pairs, strict=True)}


def _models_of(tasks: Mapping[str, str], results: Sequence[_Results]) -> dict[str, str]:
    """The model of each file as results beside it name one, or as stands before the tool's own name.

    Empty where these would not tell two files of a task apart.
    """
    beside = {path: {one.model for one in _beside(path, results)} - {""} for path in tasks}
    models = {path: own.pop() for path, own in beside.items() if len(own) == 1}
    before = {path: model for path in tasks if (model := _task_and_model(path)[1])} | models
    if len(before) == len(tasks) and len(set(before.values())) > 1:
        models = before
    return models if len({(tasks[p], model) for p, model in models.items()}) == len(models) else {}


def _beside(path: str, results: Sequence[_Results]) -> list[_Results]:
    """The results in a file's folder that are of its date, else all of the folder."""
    folder, date = path.rpartition("/")[0], name_and_date(path)[1]
    beside = [one for one in results if one.path.rpartition("/")[0] == folder]
    same = [one for one in beside if date and name_and_date(one.path)[1] == date]
    return same or (beside if folder else [])


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    samples: list[_Samples] = []
    results: list[_Results] = []
    total = sum(len(file.content) for file in files) or 1

    def read(file: SourceFile) -> None:
        if _is_results(file.content[:HEAD_BYTES]):
            results.append(_read_results(file))
        else:
            samples.append(_read_samples(file, lambda n: found.stages.reached(CUTTING, n / total)))

    found.read_each(files, read)
    tasks = _tasks_of(samples, found)
    names = _models_of(tasks, results)
    unnamed = [path for path in tasks if path not in names]
    remarks = []
    if unnamed:
        by_path = names_by_path(list(tasks.items()))
        names |= {path: by_path.names[path] for path in unnamed}
        remarks.append(naming_remark(by_path, list(dict.fromkeys(names[p] for p in unnamed))))
    if len(set(names.values())) < 2 and len({one.model or one.path for one in results}) > 1:
        for path in tasks:
            found.leave(path, "It is of one system only; the averages are compared instead.")
        _of_averages(results, found)
        return
    stop_at([*_disagreement_problems(samples, results, tasks)])
    found.remarks += remarks
    _of_samples(samples, tasks, names, found)
    metrics = list(dict.fromkeys(metric for one in found.scores for metric in one.columns))
    found.higher_is_better = {
        **{m: up for m in metrics if (up := known_direction(_plain(m))) is not None},
        **one_direction(_directions_by_task(results, metrics)),
    }
    if _are_log_likelihoods(found.scores):
        found.higher_is_better[_LOG_LIKELIHOOD] = True
        found.remarks.append(
            f"For one document {quoted(_LOG_LIKELIHOOD)} is the log-likelihood of the answer, of "
            "which higher is better; a perplexity comes of their average only."
        )
    found.remarks += _result_remarks(results, set(tasks.values()))
    for one in results:
        found.leave(
            one.path,
            "It holds averages only, and the samples hold the results on each example; the "
            "model's name and the metrics' directions are taken from it.",
        )


def _kept_filters(held: Held, found: Gathered) -> dict[str, tuple[str, ...]]:
    """The filters by which each task is read: all, or the one that the role "filter" names."""
    every = {task: names_of({m: own for t, m, own in held if t == task}) for task, *_ in held}
    common = common_by_dataset(held)
    options = names_of({task: common[task] for task, own in every.items() if len(own) > 1})
    question = "By which filter are answers taken out of what the models wrote?"
    choice = Choice(role="filter", question=question, options=tuple((n, n) for n in options))
    found.choices += [choice] if options else []
    answer = found.given.get("filter")
    if answer is None:
        return {task: tuple(own) for task, own in every.items()}
    kept = {
        task: common[task][:1]
        if answer == _EACH_FIRST
        else tuple(name for name in common[task] if name == answer or len(own) == 1)
        for task, own in every.items()
    }
    if not any(kept.values()):
        raise DataError.of(
            f"There is no filter {quoted(str(answer))} that all models have.",
            f"Choose one that they have in common: {listed(options) or 'there is none'}.",
        )
    chosen = {task: own[0] for task, own in kept.items() if own and len(every[task]) > 1}
    remark = f"Read: answers by one filter of each task, as chosen: {told_by_name(chosen)}."
    found.settle("filter", answer, *([remark] if chosen else []))
    return kept


def _plain(metric: str) -> str:
    """A metric's name without its filter."""
    return metric.partition(",")[0]


def _by_metric(
    by_filter: Mapping[str, Mapping[str, Value]], kept: Sequence[str]
) -> dict[str, Value]:
    """What the kept filters give for each metric; with the filter's name where there are several."""
    return {
        f"{metric},{name}" if len(kept) > 1 else metric: value
        for name in kept
        for metric, value in by_filter.get(name, {}).items()
    }


def _joined(own: _Samples, kept: Sequence[str]) -> Scores:
    """The metrics of the kept filters side by side; all of them judge the same documents."""
    parts = {name: one for name in kept if (one := own.by_filter.get(name)) is not None}
    (first, one), *others = parts.items()
    for name, other in others:
        if other.examples != one.examples:
            n, n_other = len(one.examples), len(other.examples)
            raise DataError.of(
                f"It holds {n:,} records by the filter {quoted(first)}, but {n_other:,} by "
                f"{quoted(name)}, or of other documents.",
                "Copy the file again, as it may be cut off; or choose one filter.",
                file=own.path,
            )
    by_filter = {name: scores.columns for name, scores in parts.items()}
    return replace(one, columns=_by_metric(by_filter, kept))


def _of_samples(
    samples: Sequence[_Samples],
    tasks: Mapping[str, str],
    names: Mapping[str, str],
    found: Gathered,
) -> None:
    kept = _kept_filters(
        [(tasks[one.path], names[one.path], tuple(one.by_filter)) for one in samples], found
    )
    asides: dict[str, set[str]] = {}
    problems: list[Problem] = []
    for one in samples:
        task = tasks[one.path]
        if not kept[task]:
            answer = quoted(str(found.given["filter"]))
            found.leave(one.path, f"It has several filters; none that all models have is {answer}.")
            continue
        own = replace(_joined(one, kept[task]), dataset=task, system=names[one.path])
        found.scores.append(own)
        for metric in one.aside:
            asides.setdefault(metric, set()).add(task)
        if not own.columns:
            which = f": {listed([*one.aside])} hold none" if one.aside else ""
            problems.append(
                Problem(
                    f"No metric is a number for each document{which}.",
                    "Leave the files of this task out, or give the results_*.json files alone, "
                    "which hold its averages.",
                    dataset=task,
                    file=one.path,
                )
            )
    stop_at(problems)
    if asides:
        shown = "; ".join(f"{quoted(m)} of {listed(sorted(own))}" for m, own in asides.items())
        found.remarks.append(
            "Left aside, as they are no number for each document (such as counts that only a whole "
            f"data set has a score of): {shown}."
        )


def _of_averages(results: Sequence[_Results], found: Gathered) -> None:
    """One score for each task, model and metric."""
    tasks = [(one.path, task) for one in results for task in one.scores]
    models = {one.path: one.model for one in results if one.model}
    seen = [(models[path], task) for path, task in tasks if path in models]
    if len(set(seen)) < len(seen):
        models = {}
    held = [(task, one.path, tuple(own)) for one in results for task, own in one.scores.items()]
    kept = _kept_filters(held, found)
    for one in results:
        for task, by_filter in one.scores.items():
            scores = _by_metric(by_filter, kept[task])
            if scores:
                line, model = one.lines[task], models.get(one.path, "")
                found.averages.append(average(one.path, task, model, scores, line=line))
    metrics = {metric for one in found.averages for metric in one.columns}
    directions = _directions_by_task(results, metrics)
    stop_at([*direction_problems(directions), *_differing_size_problems(results)])
    found.higher_is_better = one_direction(directions)
    found.remarks += _result_remarks(results, None)


def _directions_by_task(
    results: Sequence[_Results], metrics: Collection[str]
) -> dict[str, dict[str, bool]]:
    """For each of these metrics and each task whether higher is better, as results say."""
    found: dict[str, dict[str, bool]] = {}
    for one in results:
        for task, own in one.directions.items():
            for metric in metrics:
                if _plain(metric) in own:
                    found.setdefault(metric, {})[task] = own[_plain(metric)]
    return found


def _are_log_likelihoods(scores: Sequence[Scores]) -> bool:
    """Whether what is called a perplexity is the logarithm of a probability."""
    held = {cell for one in scores for cell in one.columns.get(_LOG_LIKELIHOOD, ()) if cell}
    try:
        return bool(held) and all(float(cell) <= 0 for cell in held)
    except ValueError:
        return False


def _disagreement_problems(
    samples: Sequence[_Samples], results: Sequence[_Results], tasks: Mapping[str, str]
) -> Iterator[Problem]:
    """A problem for each file of samples with other documents or means than the results tell of.

    Averages are compared where the numbers of documents are the same, and only
    those that the harness takes as a mean.
    """
    for one in samples:
        task, date = tasks[one.path], name_and_date(one.path)[1]
        of_it = [
            other
            for other in _beside(one.path, results)
            if not date or name_and_date(other.path)[1] in ("", date)
        ]
        if len(of_it) != 1 or task not in of_it[0].scores:
            continue
        (beside,) = of_it
        n_told = beside.n_samples.get(task, "")
        n_held = len({example for own in one.by_filter.values() for example in own.examples})
        if n_told.isdecimal() and int(n_told) != n_held:
            yield Problem(
                f"The file holds {n_held:,} document{'s' if n_held != 1 else ''}, but "
                f"{beside.path} says that {int(n_told):,} were evaluated.",
                "Copy the file again, as it may be cut off; or, if the results are of "
                "another evaluation, leave them out.",
                dataset=task,
                file=one.path,
            )
            continue
        for chosen, averages in beside.scores[task].items():
            by_filter = f" (filter {quoted(chosen)})" if chosen != _NO_FILTER else ""
            own = one.by_filter.get(chosen)
            # Of documents with several records it is the mean of something else.
            columns = own.columns if own is not None and not own.runs else {}
            for metric in (m for m in averages if m in _MEANS and m in columns):
                told = averages[metric]
                mean = other_mean(columns[metric], told, least_decimals=_LEAST_DECIMALS)
                if mean is not None:
                    yield Problem(
                        f"The mean of {quoted(metric)}{by_filter} over the file's documents is "
                        f"{mean:.6g}, but {beside.path} says {told}.",
                        "Give samples and results of the same evaluation; or, if the results "
                        "are of another one, leave them out.",
                        dataset=task,
                        file=one.path,
                    )


def _differing_size_problems(results: Sequence[_Results]) -> Iterator[Problem]:
    """One problem for each task that two models were evaluated on different numbers of."""
    for task in dict.fromkeys(task for one in results for task in one.scores):
        sizes = {
            (one.model or one.path): one.n_samples[task]
            for one in results
            if task in one.scores and task in one.n_samples
        }
        if len(set(sizes.values())) > 1:
            shown = ", ".join(f"{quoted(name)} on {size}" for name, size in sizes.items())
            yield Problem(
                f"The systems were not evaluated on the same documents: {shown} of them.",
                "Evaluate all of them with the same limit.",
                dataset=task,
            )


def _result_remarks(results: Sequence[_Results], tasks: Collection[str] | None) -> Iterator[str]:
    """Remarks on groups, and on what differs in how models were evaluated.

    `tasks` are those that are compared by samples; None where averages are compared.
    """
    groups = list(dict.fromkeys(group for one in results for group in one.groups))
    if groups and tasks is None:
        yield f"Groups are left aside, as they average tasks that are compared: {listed(groups)}."
    if tasks is None and any(one.has_errors for one in results):
        yield (
            "The files hold a standard error of each system's average. Those of two systems do "
            "not give that of their difference on the same examples: for tests within a dataset "
            "give the samples_*.jsonl files, which --log_samples writes."
        )
    for what, held in (
        ("versions of the task", [one.versions for one in results]),
        ("numbers of examples in the prompt", [one.n_shot for one in results]),
    ):
        differing = [
            task
            for task in dict.fromkeys(task for own in held for task in own)
            if (tasks is None or task in tasks)
            and len({own[task] for own in held if task in own}) > 1
        ]
        if differing:
            yield f"The models were evaluated with different {what}: {listed(differing)}."


LM_EVAL = Tool(
    name="lm-evaluation-harness",
    claims=each(lambda file, head: _is_samples(file, head) or _is_results(head)),
    gather=_gather,
)
