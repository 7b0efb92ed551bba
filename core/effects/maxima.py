"""The highest possible score of a metric, which an error reduction needs.

An error reduction is (A − B)/(maximum − B): of what B leaves to be gained, the share
that A gains. Scores without a known end, and those of which lower ones are better,
have none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.result_set import ResultSet
from ..metrics.labels import LABEL_METRICS
from ..metrics.registry import CORRELATIONS, MEAN, is_counted, statistic_metric

# Averaged scores under these names are shares where all of them lie in [0, 1].
_SHARES = frozenset(
    {"accuracy", "acc", "correct", "correctness", "exact match", "em", "uas", "las"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMaximum:
    """Why there is no highest possible score.

    Attributes
    ----------
    reason : str
        As a part of a sentence.
    may_be_said : bool
        Whether a person may know it.
    """

    reason: str
    may_be_said: bool = False


def known_maximum(
    result_set: ResultSet,
    dataset: str,
    *,
    systems: tuple[str, str],
    metric: str,
    declared: float | None,
) -> float | NoMaximum:
    """The highest possible score on one dataset, or why there is none.

    What the metric says is not to be contradicted: accuracy ends at 1, whatever
    was declared for other scores.

    Parameters
    ----------
    systems : (str, str)
        Those that are compared.
    metric : str
        Its name.
    declared : float or None
        What is said to be the maximum, such as 100 for percentages.
    """
    if not result_set.is_higher_better(metric):
        return lower_is_better(metric)
    own = _own_maximum(result_set, dataset, systems=systems, metric=metric)
    return settled(own, declared=declared, metric=metric)


def settled(
    own: float | NoMaximum, *, declared: float | None, metric: str | None
) -> float | NoMaximum:
    """What the metric says, else what was declared; nothing where the two contradict."""
    if declared is None or (isinstance(own, NoMaximum) and not own.may_be_said):
        return own
    if isinstance(own, NoMaximum):
        return float(declared)
    if own != declared:
        return NoMaximum(
            reason=f"the highest possible score of {_named(metric)} is {own:g}, not {declared:g} as "
            "it was said"
        )
    return own


def lower_is_better(metric: str | None) -> NoMaximum:
    """Error reduction is undefined where lower scores are better."""
    return NoMaximum(
        reason=("lower scores" if metric is None else f"lower scores of “{metric}”")
        + " are better, and an error reduction needs a highest one"
    )


def not_known(metric: str | None) -> NoMaximum:
    """The metric does not say it, but a person may."""
    return NoMaximum(
        reason=f"the highest possible score of {_named(metric)} is not known", may_be_said=True
    )


def _named(metric: str | None) -> str:
    return "these scores" if metric is None else f"“{metric}”"


def _own_maximum(
    result_set: ResultSet, dataset: str, *, systems: tuple[str, str], metric: str
) -> float | NoMaximum:
    kind = result_set.kind_of(metric)
    if kind in LABEL_METRICS or kind in CORRELATIONS:
        return 1.0
    if is_counted(kind):
        largest = statistic_metric(kind).largest
        if largest is not None:
            return largest
        if kind == "ratio":
            return _of_ratio(result_set, dataset, systems, metric)
        return not_known(metric)
    assert kind == MEAN
    if result_set.has_outcomes(metric):
        return 1.0
    given = [result_set.scores(dataset, system, metric) for system in systems]
    within = all(bool(((scores >= 0.0) & (scores <= 1.0)).all()) for scores in given)
    if is_share(metric) and within:
        return 1.0
    return not_known(metric)


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
) -> float | NoMaximum:
    for system in systems:
        counts = result_set.scores(dataset, system, metric)
        if bool((counts[:, 0] > counts[:, 1]).any()):
            return NoMaximum(
                reason=f"“{metric}” counts more than its total on some examples, so that it has no "
                "highest score"
            )
    return 1.0
