"""Files of lm-evaluation-harness: samples, a record a document and filter; results, averages of tasks.

Vocabulary
----------
filter
    How an answer is taken out of what a model wrote. A metric by one of several filters is called
    as results have it: "exact_match,strict-match".
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ..sources.files import SourceFile
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
from ..tables.limits import CUTTING
from ..tables.numbers import is_number_cell
from .agreement import grid_of_files, kinds_of, name_and_date, named_by_path, other_mean
from .gathered import (
    HEAD_BYTES,
    Gathered,
    Record,
    Scores,
    Tool,
    average,
    common_by_dataset,
    each,
    known_direction,
    names_of,
    numbered_runs,
    one_direction,
    scores_of,
    told_by_name,
)

_NO_FILTER = "none"
_EACH_FIRST = "each-first"
# Before hashes that are none of the tool's own.
_OWN_HASH = "doc:"
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


@dataclass(slots=True, kw_only=True, eq=False)
class _Judged:
    """What one file holds of one task and model: by filter the scores of each document, or averages.

    `task` and `model` are '' as long as nothing says them; metrics that are no number for each
    document are `aside`.
    """

    path: str
    task: str
    model: str
    by_filter: Mapping[str, Scores]
    aside: Collection[str] = ()


def _read_samples(file: SourceFile, on_bytes: Callable[[int], None]) -> _Judged:
    """Read JSON Lines, or one array as the first versions wrote it; `on_bytes` is called with how much."""
    aside: dict[str, None] = {}
    records = each_read(records_of(file.content, on_bytes), lambda entry: _record(entry, aside))
    held = scores_of(file.name, records)
    for metric in dict.fromkeys(metric for own in held for metric in own.columns):
        cells = {cell for own in held for cell in own.columns.get(metric, ())} - {""}
        # A subject or a category, say.
        if cells and not any(text in ("true", "false") or is_number_cell(text) for text in cells):
            aside[metric] = None
    by_filter = {
        own.dataset: replace(
            own,
            columns={metric: cells for metric, cells in own.columns.items() if metric not in aside},
            runs=numbered_runs(own.examples),
            content_kind=_OWN_HASH if own.content and own.content[0].startswith(_OWN_HASH) else "",
        )
        for own in held
    }
    task, model = _task_and_model(file.name)
    return _Judged(path=file.name, task=task, model=model, by_filter=by_filter, aside=aside)


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
    """What one file of results holds, as `whole` it says it; `model` is '' where it names none.

    The averages of `groups` repeat those of their `tasks`; `has_errors` says whether there are
    standard errors of the averages.
    """

    path: str
    model: str
    tasks: Mapping[str, _Judged]
    has_errors: bool
    groups: Sequence[str]
    whole: Mapping[str, Any]

    def n_documents(self, task: str) -> str:
        """On how many documents of a task the model was evaluated; '' where it does not say it."""
        sizes = part(self.whole, "n-samples")
        return str(part(sizes, task).get("effective", sizes.get(task, "")))


def _read_results(file: SourceFile) -> _Results:
    source = ToolJson(file)
    whole = part(source.whole())
    held = part(whole, "results")
    if not held:
        raise DataError.of("The file has no 'results'.", MEND)
    parted = part(whole, "group_subtasks")
    named = [*part(whole, "groups"), *(name for name, own in parted.items() if own)]
    groups = [name for name in dict.fromkeys(named) if name in held]
    model = _model(whole)
    tasks: dict[str, _Judged] = {}
    has_errors = False
    for task, values in held.items():
        if task in groups or not isinstance(values, dict):
            continue
        scores: dict[str, dict[str, str]] = {}
        for key, value in values.items():
            metric, _, chosen = key.partition(",")
            written = text_at(value)
            if metric.endswith(_STANDARD_ERROR):
                has_errors = has_errors or value not in ("N/A", None)
            elif metric not in _NO_METRICS and is_number_cell(written):
                scores.setdefault(chosen or _NO_FILTER, {})[metric] = written
        if scores:
            place = source.text.find(f"{json.dumps(task, ensure_ascii=False)}:")
            line = 1 + source.text.count("\n", 0, max(0, place))
            by_filter = {
                name: average(file.name, task, model, own, line=line)
                for name, own in scores.items()
            }
            tasks[task] = _Judged(path=file.name, task=task, model=model, by_filter=by_filter)
    return _Results(
        path=file.name,
        model=model,
        tasks=tasks,
        has_errors=has_errors,
        groups=groups,
        whole=whole,
    )


def _model(whole: Mapping[str, Any]) -> str:
    """The model's name: as the harness writes it, else from the arguments it was started with."""
    arguments = part(whole, "config").get("model_args")
    if isinstance(arguments, str):
        parts = (each.partition("=") for each in arguments.split(","))
        arguments = {key.strip(): value.strip() for key, _, value in parts}
    told = (text_at(part(arguments), key) for key in _MODEL_ARGUMENTS)
    return text_at(whole, "model_name") or next(filter(None, told), "")


def _task_and_model(path: str) -> tuple[str, str]:
    """The task, and the model where a person put it before it, of a file named as the tool does."""
    before, date = name_and_date(path)
    found = _OF_SAMPLES.fullmatch(before) if date else None
    return (found["task"], found["model"] or "") if found else ("", "")


def _name_tasks(samples: Sequence[_Judged], found: Gathered) -> None:
    """Name tasks that the tool's file names do not say by what names of the same documents share."""
    unnamed = [one for one in samples if not one.task]
    if not unnamed:
        return
    paths = [one.path for one in unnamed]
    bare = [name_and_date(path)[0].removeprefix("samples_") for path in paths]
    content = [chain.from_iterable(o.content for o in one.by_filter.values()) for one in unnamed]
    kinds = kinds_of([frozenset(filter(None, own)) for own in content])
    if len(set(kinds)) in (1, len(kinds)):
        # Of one task by name; that its documents differ is then reported.
        tasks = [name_in_common(bare) or common_folder(paths) or _DOCUMENTS] * len(unnamed)
    else:
        named = [f"{path.rpartition('/')[0]}/{own}" for path, own in zip(paths, bare, strict=True)]
        grid = grid_of_files(named, kinds, whole=_DOCUMENTS, answers=found)
        tasks = [task for task, _ in grid.pairs]
    for one, task in zip(unnamed, tasks, strict=True):
        one.task = task


def _name_models(samples: Sequence[_Judged], results: Sequence[_Results]) -> None:
    """Name models as results beside name one, or as stands before the tool's own name of each file."""
    beside = [{other.model for other in _beside(one.path, results)} - {""} for one in samples]
    by_results = [own.pop() if len(own) == 1 else "" for own in beside]
    both = [told or one.model for told, one in zip(by_results, samples, strict=True)]
    models = both if all(both) and len(set(both)) > 1 else by_results
    for one, model in zip(samples, models, strict=True):
        one.model = model


def _beside(path: str, results: Sequence[_Results]) -> list[_Results]:
    """The results in a file's folder that are of its date, else all of the folder."""
    folder, date = path.rpartition("/")[0], name_and_date(path)[1]
    beside = [one for one in results if one.path.rpartition("/")[0] == folder]
    same = [one for one in beside if date and name_and_date(one.path)[1] == date]
    return same or (beside if folder else [])


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    samples: list[_Judged] = []
    results: list[_Results] = []
    total = sum(len(file.content) for file in files) or 1

    def read(file: SourceFile) -> None:
        if _is_results(file.content[:HEAD_BYTES]):
            results.append(_read_results(file))
        else:
            samples.append(_read_samples(file, lambda n: found.stages.reached(CUTTING, n / total)))

    found.read_each(files, read)
    _name_tasks(samples, found)
    _name_models(samples, results)
    tasks = {one.task for one in samples}
    several = len({one.model or one.path for one in results}) > 1
    are_averages = several and len(tasks) == len(samples)
    if are_averages:
        judged = [one for own in results for one in own.tasks.values()]
        problems = _differing_size_problems(results)
        for one in samples:
            why = "Its task has the samples of one system only; the averages are compared instead."
            found.leave(one.path, why)
    else:
        judged = samples
        problems = _disagreement_problems(samples, results)
    # No answer mends these.
    stop_at([*problems])
    # Models' names count where they tell two files of a task apart.
    named = [(one.task, one.model) for one in judged if one.model]
    for one in judged if len(set(named)) < len(named) else ():
        one.model = ""
    scores = _side_by_side(judged, _kept_filters(judged, found), found)
    metrics = list(dict.fromkeys(metric for one in scores for metric in one.columns))
    directions = _directions_by_task(results, metrics)
    found.higher_is_better = {
        **{m: up for m in metrics if (up := known_direction(_plain(m))) is not None},
        **one_direction(directions),
    }
    found.scores = named_by_path(scores, found)
    perplexities = {cell for one in scores for cell in one.columns.get(_LOG_LIKELIHOOD, ())} - {""}
    # None is a perplexity that lies below 0.
    if perplexities and all(p.startswith("-") or not p.strip("0.") for p in perplexities):
        found.higher_is_better[_LOG_LIKELIHOOD] = True
        found.remarks.append(
            f"For one document {quoted(_LOG_LIKELIHOOD)} is the log-likelihood of the answer, of "
            "which higher is better; a perplexity comes of their average only."
        )
    found.remarks += _result_remarks(results, None if are_averages else tasks)
    for own in () if are_averages else results:
        found.leave(
            own.path,
            "It holds averages only, and the samples hold the results on each example; the "
            "model's name and the metrics' directions are taken from it.",
        )


def _kept_filters(judged: Sequence[_Judged], found: Gathered) -> dict[str, tuple[str, ...]]:
    """The filters by which each task is read: all, or the one that the role "filter" names."""
    every: dict[str, dict[str, None]] = {}
    for one in judged:
        every.setdefault(one.task, {}).update(dict.fromkeys(one.by_filter))
    common = common_by_dataset([(one.task, one.path, tuple(one.by_filter)) for one in judged])
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


def _side_by_side(
    judged: Sequence[_Judged], kept: Mapping[str, tuple[str, ...]], found: Gathered
) -> list[Scores]:
    """The metrics of the kept filters; of several, which judge the same documents, with their names."""
    scores: list[Scores] = []
    asides: dict[str, set[str]] = {}
    problems: list[Problem] = []
    for own in judged:
        names = [name for name in kept[own.task] if name in own.by_filter]
        if not names:
            answer = quoted(str(found.given["filter"]))
            found.leave(own.path, f"It has several filters; none that all models have is {answer}.")
            continue
        first = own.by_filter[names[0]]
        for name in names[1:]:
            n, n_other = len(first.examples), len(own.by_filter[name].examples)
            if own.by_filter[name].examples != first.examples:
                problems.append(
                    Problem(
                        f"It holds {n:,} records by the filter {quoted(names[0])}, but {n_other:,} "
                        f"by {quoted(name)}, or of other documents.",
                        "Copy the file again, as it may be cut off; or choose one filter.",
                        file=own.path,
                    )
                )
        columns = {
            f"{metric},{name}" if len(kept[own.task]) > 1 else metric: cells
            for name in names
            for metric, cells in own.by_filter[name].columns.items()
        }
        scores.append(replace(first, dataset=own.task, system=own.model, columns=columns))
        for metric in own.aside:
            asides.setdefault(metric, set()).add(own.task)
        if not columns:
            which = f": {listed([*own.aside])} hold none" if own.aside else ""
            problems.append(
                Problem(
                    f"No metric is a number for each document{which}.",
                    "Leave the files of this task out, or give the results_*.json files alone, "
                    "which hold its averages.",
                    dataset=own.task,
                    file=own.path,
                )
            )
    stop_at(problems)
    if asides:
        shown = "; ".join(f"{quoted(m)} of {listed(sorted(own))}" for m, own in asides.items())
        found.remarks.append(
            "Left aside, as they are no number for each document (such as counts that only a whole "
            f"data set has a score of): {shown}."
        )
    return scores


def _directions_by_task(
    results: Sequence[_Results], metrics: Collection[str]
) -> dict[str, dict[str, bool]]:
    """For each of these metrics and each task whether higher is better, as results say."""
    found: dict[str, dict[str, bool]] = {}
    for one in results:
        for task, own in part(one.whole, "higher_is_better").items():
            for metric in metrics if task not in one.groups else ():
                up = part(own).get(_plain(metric))
                if isinstance(up, bool):
                    found.setdefault(metric, {})[task] = up
    return found


def _disagreement_problems(
    samples: Sequence[_Judged], results: Sequence[_Results]
) -> Iterator[Problem]:
    """A problem for each file of samples with other documents or means than the results tell of."""
    for one in samples:
        date = name_and_date(one.path)[1]
        of_it = [
            other
            for other in _beside(one.path, results)
            if not date or name_and_date(other.path)[1] in ("", date)
        ]
        if len(of_it) != 1 or one.task not in of_it[0].tasks:
            continue
        (beside,) = of_it
        n_told = beside.n_documents(one.task)
        n_held = len({example for own in one.by_filter.values() for example in own.examples})
        if n_told.isdecimal() and int(n_told) != n_held:
            yield Problem(
                f"The file holds {n_held:,} document{'s' if n_held != 1 else ''}, but "
                f"{beside.path} says that {int(n_told):,} were evaluated.",
                "Copy the file again, as it may be cut off; or, if the results are of "
                "another evaluation, leave them out.",
                dataset=one.task,
                file=one.path,
            )
            continue
        for chosen, averages in beside.tasks[one.task].by_filter.items():
            by_filter = f" (filter {quoted(chosen)})" if chosen != _NO_FILTER else ""
            own = one.by_filter.get(chosen)
            # Of documents with several records it is the mean of something else.
            columns = own.columns if own is not None and not own.runs else {}
            for metric in (m for m in averages.columns if m in _MEANS and m in columns):
                told = averages.columns[metric][0]
                mean = other_mean(columns[metric], told, least_decimals=_LEAST_DECIMALS)
                if mean is not None:
                    yield Problem(
                        f"The mean of {quoted(metric)}{by_filter} over the file's documents is "
                        f"{mean:.6g}, but {beside.path} says {told}.",
                        "Give samples and results of the same evaluation; or, if the results "
                        "are of another one, leave them out.",
                        dataset=one.task,
                        file=one.path,
                    )


def _differing_size_problems(results: Sequence[_Results]) -> Iterator[Problem]:
    """One problem for each task that two models were evaluated on different numbers of."""
    for task in dict.fromkeys(task for one in results for task in one.tasks):
        sizes = {
            (one.model or one.path): n
            for one in results
            if task in one.tasks and (n := one.n_documents(task))
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
    for name, what in (
        ("versions", "versions of the task"),
        ("n-shot", "numbers of examples in the prompt"),
    ):
        held = [part(one.whole, name) for one in results]
        differing = [
            task
            for task in dict.fromkeys(task for own in held for task in own)
            if (tasks is None or task in tasks)
            and len({str(own[task]) for own in held if task in own}) > 1
        ]
        if differing:
            yield f"The models were evaluated with different {what}: {listed(differing)}."


LM_EVAL = Tool(
    name="lm-evaluation-harness",
    claims=each(lambda file, head: _is_samples(file, head) or _is_results(head)),
    gather=_gather,
)
