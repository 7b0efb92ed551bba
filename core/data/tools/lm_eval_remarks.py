"""What results of lm-evaluation-harness say beside averages: directions, sizes, versions, groups."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.data.tools.gathered import Scores
from core.data.tools.lm_eval_results import Results
from core.data.words import listed, quoted
from core.errors import Problem

# Of a document it is the logarithm of the answer's probability; only its average is a perplexity.
_LOG_LIKELIHOOD = "perplexity"


def direction_problems(results: Sequence[Results], metrics: Collection[str]) -> list[Problem]:
    """One problem for each metric of which higher is better in one task and worse in another."""
    by_metric: dict[str, dict[bool, list[str]]] = {}
    for one in results:
        for task, own in one.directions.items():
            for metric, up in own.items():
                tasks = by_metric.setdefault(metric, {}).setdefault(up, [])
                if task not in tasks and task not in one.groups:
                    tasks.append(task)
    return [
        Problem(
            what=f"Of {quoted(metric)} higher is better on {listed(ways[True])}, and lower on "
            f"{listed(ways[False])}.",
            remedy="Give the files of tasks with the same direction at a time.",
        )
        for metric, ways in by_metric.items()
        if metric in metrics and ways.get(True) and ways.get(False)
    ]


def differing_size_problems(results: Sequence[Results], names: Mapping[str, str]) -> list[Problem]:
    """One problem for each task that two models were evaluated on different numbers of."""
    problems = []
    for task in dict.fromkeys(task for one in results for task in one.scores):
        sizes = {
            names[one.path]: one.n_samples[task]
            for one in results
            if task in one.scores and task in one.n_samples
        }
        if len(set(sizes.values())) > 1:
            shown = ", ".join(f"{quoted(name)} on {size}" for name, size in sizes.items())
            problems.append(
                Problem(
                    what=f"The systems were not evaluated on the same documents: {shown} of them.",
                    remedy="Evaluate all of them with the same limit.",
                    dataset=task,
                )
            )
    return problems


def no_scores_problem(path: str, task: str, metrics: Sequence[str]) -> Problem:
    """That a file holds no metric that is a number for each document."""
    which = f": {listed(metrics)} hold none" if metrics else ""
    return Problem(
        what=f"No metric is a number for each document{which}.",
        remedy="Leave the files of this task out, or give the results_*.json files alone, which "
        "hold its averages.",
        dataset=task,
        file=path,
    )


def log_likelihoods(scores: Sequence[Scores]) -> tuple[list[str], list[str]]:
    """Metrics whose values are log-likelihoods under another name, and a remark on them."""
    columns = [one.columns[_LOG_LIKELIHOOD] for one in scores if _LOG_LIKELIHOOD in one.columns]
    if not columns or not all(_is_at_most_zero(cell) for column in columns for cell in column):
        return [], []
    return [_LOG_LIKELIHOOD], [
        f"For one document {quoted(_LOG_LIKELIHOOD)} is the log-likelihood of the answer, of "
        "which higher is better; a perplexity comes of their average only."
    ]


def _is_at_most_zero(cell: str) -> bool:
    try:
        return not cell or float(cell) <= 0
    except ValueError:
        return False


def result_remarks(results: Sequence[Results], tasks: Collection[str] | None) -> list[str]:
    """Remarks on groups, and on what differs in how models were evaluated.

    Parameters
    ----------
    tasks : collection of str or None
        The tasks that are compared by samples; None where averages are compared.
    """
    remarks = []
    groups = list(dict.fromkeys(group for one in results for group in one.groups))
    if groups and tasks is None:
        remarks.append(
            f"Groups are left aside, as they average tasks that are compared: {listed(groups)}."
        )
    if tasks is None and any(one.has_errors for one in results):
        remarks.append(
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
            remarks.append(f"The models were evaluated with different {what}: {listed(differing)}.")
    return remarks
