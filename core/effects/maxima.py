"""The highest possible score of a metric, which an error reduction needs.

An error reduction is (A − B)/(maximum − B): of what B leaves to be gained, the share
that A gains. Scores without a known end, and those of which lower ones are better,
have none.
"""

from __future__ import annotations

import numpy as np

from core.data.result_set import ResultSet
from core.metrics.labels import LABEL_METRICS
from core.metrics.registry import CORRELATIONS, MEAN, is_counted, statistic_metric

# Averaged scores under these names are shares where all of them lie in [0, 1].
_SHARES = frozenset(
    {"accuracy", "acc", "correct", "correctness", "exact match", "em", "uas", "las"}
)


def known_maximum(
    result_set: ResultSet,
    dataset: str,
    *,
    systems: tuple[str, str],
    metric: str,
    declared: float | None,
) -> float | str:
    """The highest possible score on one dataset, or why there is none.

    Parameters
    ----------
    systems : (str, str)
        Those that are compared.
    metric : str
        Its name.
    declared : float or None
        What is said to be the maximum, such as 100 for percentages.
    """
    kind = result_set.kind_of(metric)
    if not result_set.is_higher_better(metric):
        return f"lower scores of '{metric}' are better: an error reduction needs a maximum"
    if declared is not None:
        return float(declared)
    if kind in LABEL_METRICS or kind in CORRELATIONS:
        return 1.0
    if is_counted(kind):
        largest = statistic_metric(kind).largest
        if largest is not None:
            return largest
        if kind == "ratio":
            return _of_ratio(result_set, dataset, systems, metric)
        return f"'{metric}' has no highest possible score"
    assert kind == MEAN
    if all(result_set.is_binary(name, metric) for name in result_set.datasets):
        return 1.0
    given = [result_set.scores(dataset, system, metric) for system in systems]
    within = all(bool(((scores >= 0.0) & (scores <= 1.0)).all()) for scores in given)
    if is_share(metric) and within:
        return 1.0
    return f"the highest possible score of '{metric}' is not known; say what it is as `maximum`"


def checked_maximum(maximum: float | None) -> float | None:
    """A declared maximum as a finite float, or None.

    Raises
    ------
    ValueError
        If it is no finite number.
    """
    if maximum is None:
        return None
    try:
        value = float("nan") if isinstance(maximum, bool) else float(maximum)
    except (TypeError, ValueError):
        value = float("nan")
    if not np.isfinite(value):
        raise ValueError(f"`maximum` must be a finite number; got {maximum!r}.")
    return value


def is_share(metric: str) -> bool:
    """Whether a metric's name says that its scores are shares of what is right."""
    return " ".join(metric.casefold().replace("_", " ").replace("-", " ").split()) in _SHARES


def _of_ratio(
    result_set: ResultSet, dataset: str, systems: tuple[str, str], metric: str
) -> float | str:
    for system in systems:
        counts = result_set.scores(dataset, system, metric)
        if bool((counts[:, 0] > counts[:, 1]).any()):
            return (
                f"'{metric}' counts more than its total on some examples, so that it has no maximum"
            )
    return 1.0
