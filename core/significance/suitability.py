"""Whether a test suits a dataset's scores: what is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import Problem
from core.metrics.coded_labels import too_many_labels
from core.metrics.labels import LABEL_METRICS, MOST_NUMBERS, n_label_statistics
from core.metrics.per_example import listed, other_than_binary
from core.metrics.registry import (
    CORRELATIONS,
    MEAN,
    ONE,
    correlation_of,
    correlation_with,
    is_counted,
)
from core.significance.choose import suitable_tests
from core.significance.clusters import clusters_of
from core.significance.correlation import FEWEST, CorrelationTest
from core.significance.known_tests import significance_test_named
from core.significance.significance_test import SignificanceTest

_COUNTED = "counted"
_REMEDIES: Mapping[str, str] = {
    MEAN: "Choose randomization, the paired t-test or Wilcoxon for this dataset.",
    _COUNTED: "Choose the bootstrap or randomization for this dataset.",
    **dict.fromkeys(
        CORRELATIONS,
        "Choose randomization, Williams, Steiger, Meng or the bootstrap for this dataset.",
    ),
}
_NEEDED: Mapping[str, str] = {
    MEAN: "averages scores, and {test} compares correlations with gold scores.",
    _COUNTED: "is computed from sums of counts, and {test} needs one score an example.",
    **dict.fromkeys(
        CORRELATIONS,
        "is a correlation with gold, and {test} needs scores that are averaged.",
    ),
}

_OTHERWISE = "Leave this dataset out, or choose another metric for it."


def problems_of_scores(
    dataset: str,
    given: Mapping[str, Any],
    scores: Mapping[str, float],
    gold: Any,
    *,
    test: str,
    metric: str,
    kind: str,
    of_labels: bool,
) -> list[Problem]:
    """What keeps a test from being run on two systems' scores.

    Parameters
    ----------
    given : mapping of system to array
        What the test is given of each: scores, statistics or labels.
    scores : mapping of system to float
        Each one's score on the dataset, nan where it is not defined; empty
        where scores are averaged.
    gold : array or None
        Gold numbers or labels, where the metric is of them.
    of_labels : bool
        Whether the metric is one of predicted labels.
    """
    known = significance_test_named(test)
    if test not in suitable_tests(kind):
        family = _COUNTED if kind in LABEL_METRICS or is_counted(kind) else kind
        return [
            Problem(
                what=f"metric '{metric}' {_NEEDED[family].format(test=known.called)}",
                remedy=_REMEDIES[family],
                dataset=dataset,
            )
        ]
    if kind == MEAN:
        return _not_outcomes(dataset, given, metric, known) if known.suits_outcomes_only else []
    undefined = [system for system, score in scores.items() if np.isnan(score)]
    if undefined:
        why = _why_undefined(undefined, gold, kind=kind, of_labels=of_labels)
        what = f"metric '{metric}' is not defined{why}."
        return [Problem(what=what, remedy=_OTHERWISE, dataset=dataset)]
    if kind in LABEL_METRICS:
        return _too_many(dataset, given, gold, metric=metric, kind=kind)
    kernel = known.kernel
    if not isinstance(kernel, CorrelationTest):
        return []
    if kernel.has_no_z(*scores.values()) and gold.size >= FEWEST:
        first, second = given.values()
        if correlation_with(second, first, kind=correlation_of(kind)) < ONE:
            return [
                Problem(
                    what=(
                        f"{known.called} has no number for a correlation of 1 or −1 with gold, "
                        "as its Fisher z is infinite."
                    ),
                    remedy="Choose randomization or the bootstrap for this dataset.",
                    dataset=dataset,
                )
            ]
    return []


def _why_undefined(undefined: list[str], gold: Any, *, kind: str, of_labels: bool) -> str:
    whose = " and ".join(f"'{system}'" for system in undefined)
    if of_labels and kind not in LABEL_METRICS:
        return ", as no example has that gold label"
    if kind in CORRELATIONS or kind in LABEL_METRICS:
        things = "labels" if of_labels else "scores"
        same = "gold" if bool((gold == gold[0]).all()) else whose
        return f", as the {things} of {same} are the same for every example"
    return f" for {whose}: what it is divided by adds up to 0"


def _too_many(
    dataset: str, given: Mapping[str, Any], gold: Any, *, metric: str, kind: str
) -> list[Problem]:
    n_classes = len({label for labels in (gold, *given.values()) for label in labels.tolist()})
    numbers = gold.size * n_label_statistics(kind, n_classes)
    if numbers <= MOST_NUMBERS:
        return []
    return [too_many_labels(metric, dataset, n_classes, gold.size, numbers)]


def problems_of_clusters(
    dataset: str, labels: npt.ArrayLike, test: str, *, n_examples: int
) -> list[Problem]:
    """What keeps a test from being run on examples with these clusters."""
    found = []
    known = significance_test_named(test)
    if not known.takes_clusters:
        found.append(
            Problem(
                what=(
                    f"{known.called} takes examples to be independent, and these come in clusters."
                ),
                remedy="Choose randomization or the bootstrap for this dataset.",
                dataset=dataset,
            )
        )
    try:
        clusters_of(labels, n_examples=n_examples)
    except ValueError as error:
        found.append(
            Problem(
                what=str(error),
                remedy="Give each example the label of its cluster, in the order of the examples.",
                dataset=dataset,
            )
        )
    return found


def _not_outcomes(
    dataset: str, given: Mapping[str, Any], metric: str, test: SignificanceTest
) -> list[Problem]:
    for values in given.values():
        others = other_than_binary(values)
        if others:
            return [
                Problem(
                    what=(
                        f"metric '{metric}' must be 0 or 1 for {test.called}; got {listed(others)}."
                    ),
                    remedy=_REMEDIES[MEAN],
                    dataset=dataset,
                )
            ]
    return []
