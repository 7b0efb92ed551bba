"""Whether files of lm-evaluation-harness agree, and what is to be said of how models were evaluated."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from ...errors import Problem
from ..words import listed, quoted
from .gathered import Scores
from .lm_eval_files import NO_FILTER, Results, Samples, result_of

# The harness averages these over documents; of others the average may be no mean.
_MEANS = frozenset({"acc", "acc_norm", "acc_mutual_info", "exact_match"})
# Last zeros are not written: 0.5 is no average that was rounded to one decimal.
_LEAST_DECIMALS = 3
# As exactly as anything is compared, however many decimals are written.
_LEAST_TOLERANCE = 1e-6
# Of a document it is the logarithm of the answer's probability; only its average is a perplexity.
_LOG_LIKELIHOOD = "perplexity"


def disagreement_problems(
    samples: Sequence[Samples], results: Sequence[Results], tasks: Mapping[str, str]
) -> list[Problem]:
    """A problem for each file of samples with other documents or means than the results tell of.

    Averages are compared where the numbers of documents are the same, and only
    those that the harness takes as a mean.
    """
    problems = []
    for one in samples:
        task, beside = tasks[one.path], result_of(one.path, results)
        if beside is None or task not in beside.scores:
            continue
        n_told, n_held = beside.n_samples.get(task, ""), len(set(one.examples))
        if n_told.isdecimal() and int(n_told) != n_held:
            problems.append(
                Problem(
                    what=f"The file holds {n_held:,} document{'s' if n_held != 1 else ''}, but "
                    f"{beside.path} says that {int(n_told):,} were evaluated.",
                    remedy="Copy the file again, as it may be cut off; or, if the results are of "
                    "another evaluation, leave them out.",
                    dataset=task,
                    file=one.path,
                )
            )
            continue
        problems += [
            Problem(
                what=f"The mean of {_named(metric, chosen)} over the file's documents is "
                f"{mean:.6g}, but {beside.path} says {told}.",
                remedy="Give samples and results of the same evaluation; or, if the results are "
                "of another one, leave them out.",
                dataset=task,
                file=one.path,
            )
            for chosen, averages in beside.scores[task].items()
            for metric, told in averages.items()
            if metric in _MEANS
            and (mean := _mean(one, metric, chosen)) is not None
            and not _is_rounded(mean, told)
        ]
    return problems


def _mean(one: Samples, metric: str, chosen: str) -> float | None:
    """The mean of a filter's cells, None where some are no numbers or a document has several."""
    if metric not in one.scores(chosen):
        return None
    rows = [row for row, name in enumerate(one.filters) if name == chosen]
    if len({one.examples[row] for row in rows}) < len(rows):
        return None
    try:
        values = [_number(one.columns[metric][row]) for row in rows]
    except ValueError:
        return None
    return math.fsum(values) / len(values) if values else None


def _number(cell: str) -> float:
    return float({"true": "1", "false": "0"}.get(cell, cell))


def _is_rounded(mean: float, told: str) -> bool:
    """Whether an average as written is this mean, with so many decimals; '' says nothing."""
    if not told:
        return True
    mantissa, _, power = told.casefold().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(power or 0)
    tolerance = max(0.5 * 10.0 ** -max(decimals, _LEAST_DECIMALS), _LEAST_TOLERANCE)
    return abs(mean - float(told)) <= tolerance * (1 + 1e-9)


def _named(metric: str, chosen: str) -> str:
    return quoted(metric) + (f" (filter {quoted(chosen)})" if chosen != NO_FILTER else "")


def directions_by_task(
    results: Sequence[Results], metrics: Collection[str]
) -> dict[str, dict[str, bool]]:
    """For each of these metrics and each task whether higher is better, as results say."""
    found: dict[str, dict[str, bool]] = {}
    for one in results:
        for task, own in one.directions.items():
            for metric in own.keys() & metrics if task not in one.groups else ():
                found.setdefault(metric, {})[task] = own[metric]
    return found


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
