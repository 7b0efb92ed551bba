"""By which of several filters of lm-evaluation-harness the answers of each task are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.data.roles import Roles
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

EACH_FIRST = "each-first"

# For each task and model its filters, in the order of the file.
Filters = Mapping[str, Mapping[str, Sequence[str]]]


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
