"""Whether samples of lm-evaluation-harness agree with the averages in the results beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.data.tools.lm_eval_names import result_of
from core.data.tools.lm_eval_results import Results
from core.data.tools.lm_eval_samples import NO_FILTER, Samples
from core.data.words import quoted
from core.errors import Problem

# The harness averages these over documents; of others the average may be no mean.
_MEANS = frozenset({"acc", "acc_norm", "acc_mutual_info", "exact_match"})
# Last zeros are not written: 0.5 is no average that was rounded to one decimal.
_LEAST_DECIMALS = 3
# As exactly as anything is compared, however many decimals are written.
_LEAST_TOLERANCE = 1e-6


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
