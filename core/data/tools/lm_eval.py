"""Files of lm-evaluation-harness: samples, a record a document and filter, and averages of tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.data.provenance import FileUse
from core.data.roles import Roles
from core.data.sources.given import SourceFile
from core.data.tables.limits import CUTTING, Stages
from core.data.tools.agreement import alone_problem, content_problems
from core.data.tools.directions import known_directions, undirected, unsaid_remark
from core.data.tools.gathered import Averages, Gathered, Scores, Tool
from core.data.tools.lm_eval_checks import (
    differing_size_problems,
    direction_problems,
    disagreement_problems,
    log_likelihoods,
    no_scores_problem,
    prompt_remarks,
    result_remarks,
    target_problems,
)
from core.data.tools.lm_eval_files import (
    Results,
    Samples,
    aside_remark,
    called_before,
    distinct_models,
    models_of,
    read_averages,
    read_samples,
    scores_of,
    tasks_of,
    with_comparable_content,
)
from core.data.tools.naming import names_by_path, naming_remark
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

SAMPLES = "lm-evaluation-harness samples"
RESULTS = "lm-evaluation-harness results"

_DOCUMENT = re.compile(rb'\s*(?:\[\s*)?\{\s*"doc_id"\s*:\s*"?\d+"?\s*,')
_WITH_CONTENT = re.compile(rb'"doc"\s*:\s*[{"\[]')
_OF_A_RECORD = re.compile(rb'"(?:filtered_resps|doc_hash|prompt_hash|target_hash)"\s*:')
_RESULTS = re.compile(rb'\s*\{\s*"results"\s*:\s*\{')
_STANDARD_ERROR = re.compile(rb'"[^"\n]+_stderr(?:,[^"\n]*)?"\s*:')
# With the filter behind a comma no other tool writes it, wherever it stands.
_OF_A_FILTER = re.compile(rb'"[^"\n]+_stderr,[^"\n]+"\s*:')
_BOM = b"\xef\xbb\xbf"
EACH_FIRST = "each-first"
# For each task and model its filters, in the order of the file.
Filters = Mapping[str, Mapping[str, Sequence[str]]]


def is_samples(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds samples: by its first record, or by its name where that one is long."""
    bare = head.removeprefix(_BOM)
    first, ended, _ = bare.partition(b"\n{")
    if not _DOCUMENT.match(bare):
        # Keys may stand in another order after other programs.
        return b'"doc_id"' in first and len(_OF_A_RECORD.findall(first)) > 1
    if _OF_A_RECORD.search(first):
        return True
    named = file.name.rpartition("/")[2].startswith("samples_")
    return named and not ended and _WITH_CONTENT.search(first) is not None


def is_results(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds averages of tasks beside their standard errors."""
    bare = head.removeprefix(_BOM)
    if _RESULTS.match(bare):
        return _STANDARD_ERROR.search(bare) is not None
    is_object = bare.lstrip()[:1] == b"{" and b'"results"' in bare
    return is_object and _OF_A_FILTER.search(bare) is not None


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file is of either kind."""
    return is_samples(file, head) or is_results(file, head)


def gather(files: Sequence[SourceFile], given: Roles, stages: Stages) -> Gathered:
    """Read all files, tell of which task and model each is, and settle the filter.

    Raises
    ------
    DataError
        With the problems of every file, or the question by which filter.
    """
    samples, results = _read(files, stages)
    tasks = tasks_of(samples, results)
    paths = [one.path for one in samples]
    models = distinct_models(tasks, models_of(paths, results))
    before = called_before(tasks, models)
    names, remarks = _called([(path, tasks[path]) for path in paths], before)
    if len(before) > len(models):
        own = list(dict.fromkeys(name for path, name in before.items() if path not in models))
        remarks = (f"The systems are named by what stands before 'samples_': {listed(own)}.",)
    if _only_averages_compare(names, results):
        gathered = _of_averages(results, given)
        reason = "It is of one system only; the averages are compared instead."
        asides = [FileUse(path=path, kind=SAMPLES, used=False, reason=reason) for path in paths]
        return replace(gathered, uses=(*asides, *gathered.uses))
    problems = disagreement_problems(samples, results, tasks)
    if problems:
        raise DataError(problems)
    gathered = _of_samples(samples, tasks, names, given)
    metrics = list(dict.fromkeys(metric for one in gathered.scores for metric in one.columns))
    problems = direction_problems(results, metrics)
    if problems:
        raise DataError(problems)
    directions = {
        metric: up
        for one in results
        for own in one.directions.values()
        for metric, up in own.items()
    }
    turned, said = log_likelihoods(gathered.scores)
    known = {**known_directions(metrics, directions), **dict.fromkeys(turned, True)}
    return replace(
        gathered,
        higher_is_better=known,
        uses=(*gathered.uses, *(_beside(one) for one in results)),
        remarks=(
            *remarks,
            *gathered.remarks,
            *said,
            *unsaid_remark(undirected(metrics, known)),
            *result_remarks(results, set(tasks.values())),
        ),
    )


def _read(files: Sequence[SourceFile], stages: Stages) -> tuple[list[Samples], list[Results]]:
    samples: list[Samples] = []
    results: list[Results] = []
    problems: list[Problem] = []
    total = sum(len(file.content) for file in files) or 1
    done = 0
    for file in files:
        before = done

        def reached(n_bytes: int, before: int = before) -> None:
            stages.reached(CUTTING, (before + n_bytes) / total)

        try:
            if is_results(file, file.content[: 1 << 16]):
                results.append(read_averages(file))
            else:
                samples.append(read_samples(file, reached))
        except DataError as error:
            problems.extend(error.problems)
        done += len(file.content)
    if problems:
        raise DataError(problems)
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


def _only_averages_compare(names: Mapping[str, str], results: Sequence[Results]) -> bool:
    """Whether samples are of one model at most, and averages of several."""
    return len(set(names.values())) < 2 and len({one.model or one.path for one in results}) > 1


def _of_samples(
    samples: Sequence[Samples],
    tasks: Mapping[str, str],
    names: Mapping[str, str],
    given: Roles,
) -> Gathered:
    filters: dict[str, dict[str, list[str]]] = {}
    for one in samples:
        own = filters.setdefault(tasks[one.path], {}).setdefault(names[one.path], [])
        own.extend(name for name in one.metrics if name not in own)
    alone = alone_problem(list(names.values()))
    try:
        chosen = settle_filters(filters, given)
    except DataError:
        if alone is not None:
            # Whatever the filter, there is nothing to compare.
            raise DataError([alone]) from None
        raise
    scores: list[Scores] = []
    uses: list[FileUse] = []
    asides: dict[str, set[str]] = {}
    problems: list[Problem] = []
    comparable = with_comparable_content(samples, tasks)
    for one in samples:
        task, system = tasks[one.path], names[one.path]
        if task not in chosen.by_task:
            reason = f"The task has several filters, and none is {quoted(str(given['filter']))}."
            uses.append(FileUse(path=one.path, kind=SAMPLES, used=False, reason=reason))
            continue
        found = scores_of(one, task, system, chosen.by_task[task], with_content=task in comparable)
        kept = one.metrics.get(chosen.by_task[task], {})
        for metric in kept:
            if metric not in found.columns:
                asides.setdefault(metric, set()).add(task)
        if not found.columns:
            problems.append(no_scores_problem(one.path, task, list(kept)))
        scores.append(found)
        uses.append(
            FileUse(path=one.path, kind=SAMPLES, content=_content(found, one, chosen, task))
        )
    read = [one for one in samples if tasks[one.path] in chosen.by_task]
    differing = target_problems(read, tasks, names)
    if differing:
        problems += [*content_problems(scores), *differing]
    if problems:
        raise DataError(problems)
    remarks = [*chosen.remarks, *prompt_remarks(read, tasks, names)]
    if asides:
        remarks.append(aside_remark(asides))
    return Gathered(
        scores=tuple(scores),
        uses=tuple(uses),
        roles=chosen.roles,
        choices=chosen.choices,
        remarks=tuple(remarks),
    )


def _content(found: Scores, one: Samples, chosen: ChosenFilters, task: str) -> str:
    n = len(set(found.examples)) if found.runs else len(found.examples)
    counted = f"{n:,} example{'s' if n != 1 else ''} of {task}, system {found.system}"
    by = f", filter {chosen.by_task[task]}" if len(one.metrics) > 1 else ""
    return counted + by


def _beside(one: Results) -> FileUse:
    return FileUse(
        path=one.path,
        kind=RESULTS,
        content=_averages_content(one),
        used=False,
        reason="It holds averages only, and the samples hold the results on each example; the "
        "model's name and the metrics' directions are taken from it.",
    )


def _averages_content(one: Results) -> str:
    n = len(one.scores)
    model = f", system {one.model}" if one.model else ""
    return f"averages of {n:,} task{'s' if n != 1 else ''}{model}"


def _of_averages(results: Sequence[Results], given: Roles) -> Gathered:
    """One score for each task and model."""
    tasks = [(one.path, task) for one in results for task in one.scores]
    models = {one.path: one.model for one in results if one.model}
    seen = [(models[path], task) for path, task in tasks if path in models]
    if len(set(seen)) < len(seen):
        models = {}
    names, remarks = _called(tasks, models)
    filters: dict[str, dict[str, list[str]]] = {}
    for one in results:
        for task, by_filter in one.scores.items():
            filters.setdefault(task, {})[names[one.path]] = list(by_filter)
    chosen = settle_filters(filters, given)
    averages = tuple(
        Averages(
            path=one.path,
            dataset=task,
            system=names[one.path],
            scores=by_filter[chosen.by_task[task]],
            line=one.lines.get(task, 1),
        )
        for one in results
        for task, by_filter in one.scores.items()
        if task in chosen.by_task
    )
    metrics = {metric for one in averages for metric in one.scores}
    problems = [*direction_problems(results, metrics), *differing_size_problems(results, names)]
    if problems:
        raise DataError(problems)
    return Gathered(
        averages=averages,
        higher_is_better={
            metric: up
            for one in results
            for own in one.directions.values()
            for metric, up in own.items()
        },
        uses=tuple(
            FileUse(path=one.path, kind=RESULTS, content=_averages_content(one)) for one in results
        ),
        roles=chosen.roles,
        choices=chosen.choices,
        remarks=(*remarks, *chosen.remarks, *result_remarks(results, None)),
    )


LM_EVAL = Tool(name="lm-evaluation-harness", is_of=is_of, gather=gather)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenFilters:
    """The filter of each task; a task that lacks the chosen one is not among them."""

    by_task: Mapping[str, str]
    roles: Mapping[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    remarks: tuple[str, ...] = ()


def settle_filters(filters: Filters, given: Roles) -> ChosenFilters:
    """The filter of each task: its only one, else as `given` answers "filter".

    Raises
    ------
    DataError
        Where a task has several filters and none is chosen, with the question;
        where a filter exists for some models only.
    """
    every = {
        task: list(dict.fromkeys(f for own in by.values() for f in own))
        for task, by in filters.items()
    }
    common = {
        task: [f for f in every[task] if all(f in own for own in by.values())]
        for task, by in filters.items()
    }
    several = [task for task, own in every.items() if len(own) > 1]
    if not several:
        return ChosenFilters(by_task={task: own[0] for task, own in every.items()})
    # What only some models have is no answer for a task.
    open_tasks = {task: common[task] for task in several}
    choices = _choices(open_tasks)
    answer = given.get("filter")
    by_task = {task: own[0] for task, own in every.items() if len(own) == 1}
    partly = [task for task in several if len(common[task]) < len(every[task])]
    without = [task for task in several if not common[task]]
    if without:
        raise DataError([_partly_problem(task, filters[task]) for task in partly])
    if answer is None:
        problems = [_partly_problem(task, filters[task]) for task in partly]
        problems += [_open_problem(task, every[task]) for task in several if task not in partly]
        raise DataError(problems, choices=choices)
    if answer == EACH_FIRST:
        by_task |= {task: own[0] for task, own in open_tasks.items()}
        return ChosenFilters(
            by_task=by_task,
            roles={"filter": answer},
            choices=choices,
            remarks=(_read_by_first({task: own[0] for task, own in open_tasks.items()}),),
        )
    chosen = str(answer)
    wrong = [_one_sided(task, chosen, filters[task]) for task in partly if chosen in every[task]]
    problems = [problem for problem in wrong if problem is not None]
    having = [task for task in several if chosen in open_tasks[task]]
    if not having and not problems:
        names = list(dict.fromkeys(f for own in open_tasks.values() for f in own))
        problems = [
            Problem(
                what=f"There is no filter {quoted(chosen)}.",
                remedy=f"The filters are {listed(names)}.",
            )
        ]
    if problems:
        raise DataError(problems, choices=choices)
    by_task |= dict.fromkeys(having, chosen)
    lacking = [task for task in several if task not in having]
    remarks = []
    if having:
        remarks.append(
            f"Read: answers to {listed(having)} by the filter {quoted(chosen)}, as chosen."
        )
    if lacking:
        remarks.append(
            f"Tasks with several filters and without {quoted(chosen)} are left aside, as chosen: "
            f"{listed(lacking)}."
        )
    return ChosenFilters(
        by_task=by_task, roles={"filter": chosen}, choices=choices, remarks=tuple(remarks)
    )


def _choices(open_tasks: Mapping[str, Sequence[str]]) -> tuple[Choice, ...]:
    """The question, with the filters that all models have."""
    options: list[tuple[str, str]] = []
    for name in dict.fromkeys(f for own in open_tasks.values() for f in own):
        n = sum(name in own for own in open_tasks.values())
        some = "" if n == len(open_tasks) else f", in {n} of {len(open_tasks)} tasks with several"
        options.append((name, f"{name}{some}"))
    firsts = {own[0] for own in open_tasks.values() if own}
    if len(firsts) > 1 and all(open_tasks.values()):
        shown = "; ".join(
            f"{name} of {listed([t for t, own in open_tasks.items() if own[0] == name])}"
            for name in sorted(firsts)
        )
        options.append((EACH_FIRST, f"Each task's first: {shown}"))
    if not options:
        return ()
    question = "By which filter are answers taken out of what the models wrote?"
    return (Choice(role="filter", question=question, options=tuple(options)),)


def _read_by_first(firsts: Mapping[str, str]) -> str:
    shown = "; ".join(
        f"{listed([task for task, own in firsts.items() if own == name])} by {quoted(name)}"
        for name in dict.fromkeys(firsts.values())
    )
    return f"Read: answers by each task's first filter, as chosen: {shown}."


def _open_problem(task: str, filters: Sequence[str]) -> Problem:
    return Problem(
        what=f"Its answers are judged after {len(filters)} filters: {listed(filters)}.",
        remedy="Choose the filter that counts.",
        dataset=task,
        answered_by="filter",
    )


def _partly_problem(task: str, by_model: Mapping[str, Sequence[str]]) -> Problem:
    """Models that do not all have the same filters."""
    shown = "; ".join(f"{quoted(model)} has {listed(own)}" for model, own in by_model.items())
    return Problem(
        what=f"The models' answers are not judged after the same filters: {shown}.",
        remedy="Choose a filter that all of them have, or evaluate them with the same version of "
        "the task.",
        dataset=task,
    )


def _one_sided(task: str, chosen: str, by_model: Mapping[str, Sequence[str]]) -> Problem | None:
    """That the chosen filter exists for some models only."""
    having = [model for model, own in by_model.items() if chosen in own]
    lacking = [model for model, own in by_model.items() if chosen not in own]
    if not lacking:
        return None
    return Problem(
        what=f"The filter {quoted(chosen)} exists for {listed(having)} only, not for "
        f"{listed(lacking)}.",
        remedy="Choose a filter that all of them have, or evaluate them with the same version of "
        "the task.",
        dataset=task,
    )
