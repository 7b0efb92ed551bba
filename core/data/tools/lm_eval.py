"""Files of lm-evaluation-harness: samples, a record a document and filter, and averages of tasks; whether they agree."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ...errors import DataError, Problem, listed, quoted
from ..sources.given import SourceFile
from ..tables.limits import CUTTING, stop_at
from ..tables.number_column import decimals_of
from .agreement import names_by_path, naming_remark, unless_alone
from .gathered import HEAD_BYTES, Gathered, Scores, Tool, average, each
from .lm_eval_files import (
    NO_FILTER,
    Results,
    Samples,
    aside_remark,
    models_of,
    read_averages,
    read_samples,
    result_of,
    tasks_of,
    with_comparable_content,
)
from .measures import (
    Held,
    OneOfSeveral,
    common_by_dataset,
    direction_problems,
    known_direction,
    one_direction,
    told_by_name,
    told_by_owner,
)

# The harness averages these over documents; of others the average may be no mean.
_MEANS = frozenset({"acc", "acc_norm", "acc_mutual_info", "exact_match"})
# Last zeros are not written: 0.5 is no average that was rounded to one decimal.
_LEAST_DECIMALS = 3
# As exactly as anything is compared, however many decimals are written.
_LEAST_TOLERANCE = 1e-6
# Of a document it is the logarithm of the answer's probability; only its average is a perplexity.
_LOG_LIKELIHOOD = "perplexity"


def _disagreement_problems(
    samples: Sequence[Samples], results: Sequence[Results], tasks: Mapping[str, str]
) -> Iterator[Problem]:
    """A problem for each file of samples with other documents or means than the results tell of.

    Averages are compared where the numbers of documents are the same, and only
    those that the harness takes as a mean.
    """
    for one in samples:
        task, beside = tasks[one.path], result_of(one.path, results)
        if beside is None or task not in beside.scores:
            continue
        n_told, n_held = beside.n_samples.get(task, ""), len(one.examples)
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
            by_filter = f" (filter {quoted(chosen)})" if chosen != NO_FILTER else ""
            for metric, told in averages.items():
                mean = _mean(one, metric, chosen) if metric in _MEANS else None
                if mean is not None and not _is_rounded(mean, told):
                    yield Problem(
                        f"The mean of {quoted(metric)}{by_filter} over the file's documents is "
                        f"{mean:.6g}, but {beside.path} says {told}.",
                        "Give samples and results of the same evaluation; or, if the results "
                        "are of another one, leave them out.",
                        dataset=task,
                        file=one.path,
                    )


def _mean(one: Samples, metric: str, chosen: str) -> float | None:
    """The mean of a filter's cells, None where some are no numbers or a document has several."""
    own = one.by_filter.get(chosen)
    if own is None or metric not in own.columns or own.runs:
        return None
    try:
        values = [
            float({"true": "1", "false": "0"}.get(cell, cell)) for cell in own.columns[metric]
        ]
    except ValueError:
        return None
    return math.fsum(values) / len(values) if values else None


def _is_rounded(mean: float, told: str) -> bool:
    """Whether an average as written is this mean, with so many decimals."""
    decimals = max(decimals_of(told), _LEAST_DECIMALS)
    tolerance = max(0.5 * 10.0**-decimals, _LEAST_TOLERANCE)
    return abs(mean - float(told)) <= tolerance * (1 + 1e-9)


def _directions_by_task(
    results: Sequence[Results], metrics: Collection[str]
) -> dict[str, dict[str, bool]]:
    """For each of these metrics and each task whether higher is better, as results say."""
    found: dict[str, dict[str, bool]] = {}
    for one in results:
        for task, own in one.directions.items():
            for metric in own.keys() & metrics if task not in one.groups else ():
                found.setdefault(metric, {})[task] = own[metric]
    return found


def _differing_size_problems(
    results: Sequence[Results], names: Mapping[str, str]
) -> Iterator[Problem]:
    """One problem for each task that two models were evaluated on different numbers of."""
    for task in dict.fromkeys(task for one in results for task in one.scores):
        sizes = {
            names[one.path]: one.n_samples[task]
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


def _are_log_likelihoods(scores: Sequence[Scores]) -> bool:
    """Whether what is called a perplexity is the logarithm of a probability."""
    held = {cell for one in scores for cell in one.columns.get(_LOG_LIKELIHOOD, ()) if cell}
    try:
        return bool(held) and all(float(cell) <= 0 for cell in held)
    except ValueError:
        return False


def _result_remarks(results: Sequence[Results], tasks: Collection[str] | None) -> Iterator[str]:
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


_DOCUMENT = re.compile(rb'\s*(?:\[\s*)?\{\s*"doc_id"\s*:\s*"?\d+"?\s*,')
_WITH_CONTENT = re.compile(rb'"doc"\s*:\s*[{"\[]')
_OF_A_RECORD = re.compile(rb'"(?:filtered_resps|doc_hash|prompt_hash|target_hash)"\s*:')
_RESULTS = re.compile(rb'\s*\{\s*"results"\s*:\s*\{')
_STANDARD_ERROR = re.compile(rb'"[^"\n]+_stderr(?:,[^"\n]*)?"\s*:')
# With the filter behind a comma no other tool writes it, wherever it stands.
_OF_A_FILTER = re.compile(rb'"[^"\n]+_stderr,[^"\n]+"\s*:')
_EACH_FIRST = "each-first"


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
        return _STANDARD_ERROR.search(head) is not None
    is_object = head.lstrip()[:1] == b"{" and b'"results"' in head
    return is_object and _OF_A_FILTER.search(head) is not None


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """Read all files, tell of which task and model each is, and settle the filter."""
    samples, results = _read(files, found)
    tasks = tasks_of(samples, results, found)
    paths = [one.path for one in samples]
    names, remarks = _called(list(tasks.items()), models_of(tasks, results))
    if len(set(names.values())) < 2 and len({one.model or one.path for one in results}) > 1:
        for path in paths:
            found.leave(path, "It is of one system only; the averages are compared instead.")
        _of_averages(results, found)
        return
    stop_at([*_disagreement_problems(samples, results, tasks)])
    found.remarks += remarks
    _of_samples(samples, tasks, names, found)
    metrics = list(dict.fromkeys(metric for one in found.scores for metric in one.columns))
    found.higher_is_better = {
        **{name: up for name in metrics if (up := known_direction(name)) is not None},
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


def _read(files: Sequence[SourceFile], found: Gathered) -> tuple[list[Samples], list[Results]]:
    samples: list[Samples] = []
    results: list[Results] = []
    total = sum(len(file.content) for file in files) or 1

    def read(file: SourceFile) -> None:
        if _is_results(file.content[:HEAD_BYTES]):
            results.append(read_averages(file))
        else:
            samples.append(read_samples(file, lambda n: found.stages.reached(CUTTING, n / total)))

    found.read_each(files, read)
    return samples, results


def _called(
    files: Sequence[tuple[str, str]], models: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The model of each file, and how it was found where no results say it."""
    if all(path in models for path, _ in files):
        return dict(models), ()
    named = names_by_path(files)
    names = {path: models.get(path, named.names[path]) for path, _ in files}
    rest = list(dict.fromkeys(names[path] for path, _ in files if path not in models))
    return names, (naming_remark(named, rest),)


def _of_samples(
    samples: Sequence[Samples],
    tasks: Mapping[str, str],
    names: Mapping[str, str],
    found: Gathered,
) -> None:
    filters = [(tasks[one.path], names[one.path], tuple(one.by_filter)) for one in samples]
    chosen = unless_alone([*names.values()], lambda: _settle_filters(filters, found))
    asides: dict[str, set[str]] = {}
    problems: list[Problem] = []
    comparable = with_comparable_content(samples, tasks)
    for one in samples:
        task, system = tasks[one.path], names[one.path]
        if task not in chosen:
            answer = quoted(str(found.given["filter"]))
            found.leave(one.path, f"The task has several filters, and none is {answer}.")
            continue
        own = one.by_filter[chosen[task]]
        content = own.content if task in comparable else ()
        found.scores.append(replace(own, dataset=task, system=system, content=content))
        for metric in one.aside:
            asides.setdefault(metric, set()).add(task)
        if not own.columns:
            which = f": {listed(one.aside)} hold none" if one.aside else ""
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
        found.remarks.append(aside_remark(asides))


def _of_averages(results: Sequence[Results], found: Gathered) -> None:
    """One score for each task and model."""
    tasks = [(one.path, task) for one in results for task in one.scores]
    models = {one.path: one.model for one in results if one.model}
    seen = [(models[path], task) for path, task in tasks if path in models]
    if len(set(seen)) < len(seen):
        models = {}
    names, remarks = _called(tasks, models)
    found.remarks += remarks
    filters = [
        (task, names[one.path], tuple(by_filter))
        for one in results
        for task, by_filter in one.scores.items()
    ]
    chosen = _settle_filters(filters, found)
    found.averages += [
        average(
            one.path, task, names[one.path], by_filter[chosen[task]], line=one.lines.get(task, 1)
        )
        for one in results
        for task, by_filter in one.scores.items()
        if task in chosen
    ]
    metrics = {metric for one in found.averages for metric in one.columns}
    directions = _directions_by_task(results, metrics)
    stop_at([*direction_problems(directions), *_differing_size_problems(results, names)])
    found.higher_is_better = one_direction(directions)
    found.remarks += _result_remarks(results, None)


_FILTER = OneOfSeveral(
    role="filter",
    question="By which filter are answers taken out of what the models wrote?",
    noun="filter",
    unit="task",
    each=_EACH_FIRST,
)


def _settle_filters(held: Held, found: Gathered) -> dict[str, str]:
    """The filter of each task: its only one, else as is answered by "filter".

    A task that lacks the chosen filter is not among them.
    """
    common = common_by_dataset(held)
    partly = {task for task, _, names in held if set(names) != set(common[task])}
    several = {task: own for task, own in common.items() if len(own) > 1 or task in partly}
    chosen = {task: own[0] for task, own in common.items() if task not in several}
    if not several:
        return chosen
    if not all(several.values()):
        raise DataError([_problem(task, held) for task, own in several.items() if not own])
    choice = _FILTER.choice(several, may_differ=True)
    answer = found.given.get("filter")
    if answer is None:
        raise DataError([_problem(task, held) for task in several], choices=(choice,))
    if answer == _EACH_FIRST:
        firsts = {task: own[0] for task, own in several.items()}
        remark = f"Read: answers by each task's first filter, as chosen: {told_by_name(firsts)}."
        found.settle("filter", answer, choice, remark)
        return chosen | firsts
    name = str(answer)
    some = {task for task, _, names in held if name in names and name not in common[task]}
    problems = [_problem(task, held) for task in several if task in some]
    having = [task for task, own in several.items() if name in own]
    if not having and not problems:
        problems = [_FILTER.unknown(name, several)]
    stop_at(problems, choices=(choice,))
    remark = f"Read: answers to {listed(having)} by the filter {quoted(name)}, as chosen."
    found.settle("filter", name, choice, remark, *_FILTER.left_aside(name, several))
    return chosen | dict.fromkeys(having, name)


def _problem(task: str, held: Held) -> Problem:
    """Several filters, which perhaps not all models have."""
    told = told_by_owner((model, own) for name, model, own in held if name == task)
    return Problem(
        f"The models' answers are judged after several filters: {told}.",
        "Choose a filter that all of them have, or evaluate them with the same version of the task.",
        dataset=task,
        answered_by="filter" if common_by_dataset(held)[task] else "",
    )


LM_EVAL = Tool(
    name="lm-evaluation-harness",
    claims=each(lambda file, head: _is_samples(file, head) or _is_results(head)),
    gather=_gather,
)
