"""Which test is run on which dataset, checked before any of them is.

Every problem is found at once, each with its dataset and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import DataError, Problem
from core.metrics.per_example import listed, other_than_binary
from core.metrics.registry import CORRELATIONS, MEAN, aggregate, is_counted
from core.significance.choose import (
    CLUSTER_TESTS,
    MCNEMAR_TESTS,
    SignificanceTest,
    choose_test,
    significance_tests,
    suitable_tests,
)
from core.significance.clusters import clusters_of
from core.significance.correlation import FEWEST, ONE, infinite_z
from core.types import FloatArray
from core.validation import check_choice

_TITLES: Mapping[str, str] = {
    "paired-bootstrap": "the paired bootstrap",
    "approximate-randomization": "randomization",
    "wilcoxon": "Wilcoxon's test",
    **dict.fromkeys(MCNEMAR_TESTS, "McNemar's test"),
    "sign": "the sign test",
    "paired-t": "the paired t-test",
    "steiger": "Steiger's test",
    "williams": "Williams' test",
    "meng": "Meng's test",
}
_COUNTED = "counted"
_REMEDIES: Mapping[str, str] = {
    MEAN: "Choose Wilcoxon, the bootstrap or randomization for this dataset.",
    _COUNTED: "Choose the bootstrap or randomization for this dataset.",
    **dict.fromkeys(
        CORRELATIONS,
        "Choose Williams, Steiger, Meng, the bootstrap or randomization for this dataset.",
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


class ComparedSystems(Protocol):
    """What is needed of a set of results; `core.data.ResultSet` is one."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, the default one first."""

    @property
    def kinds(self) -> Mapping[str, str]:
        """For each metric its kind in `core.metrics.registry`."""

    @property
    def higher_is_better(self) -> Mapping[str, bool]:
        """For each metric whether a higher score is the better one."""

    def scores(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """Scores as given, shape (n,), or statistics, shape (n, s)."""

    def gold(self, dataset: str) -> Any:
        """Gold labels or scores of one dataset, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTest:
    """What is run on one dataset.

    Attributes
    ----------
    test : str
        One of `significance_tests`.
    metric : str
        Name of the metric in the set.
    kind : str
        Its kind.
    higher_is_better : bool
        Whether a higher score is the better one.
    """

    test: SignificanceTest
    metric: str
    kind: str
    higher_is_better: bool


def planned_tests(
    result_set: ComparedSystems,
    *,
    a: str,
    b: str,
    test: str | Mapping[str, str],
    metric: str | Mapping[str, str] | None,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
) -> dict[str, PlannedTest]:
    """Each dataset's test and metric, checked against its scores.

    Raises
    ------
    DataError
        With every problem, if scores do not suit the test or are not defined.
    ValueError
        If a name is unknown, or a mapping does not name every dataset.
    """
    tests = _by_dataset(result_set, test, "test")
    metrics = _by_dataset(result_set, result_set.metrics[0] if metric is None else metric, "metric")
    unknown = [dataset for dataset in clusters or () if dataset not in result_set.datasets]
    if unknown:
        raise ValueError(
            f"`clusters` must name datasets of the results; got the unknown {unknown[0]!r}."
        )
    plans: dict[str, PlannedTest] = {}
    problems: list[Problem] = []
    for dataset in result_set.datasets:
        wanted = check_choice(tests[dataset], ("auto", *significance_tests), name="test")
        name = check_choice(metrics[dataset], result_set.metrics, name="metric")
        kind = result_set.kinds[name]
        gold = result_set.gold(dataset) if kind in CORRELATIONS else None
        given = {system: result_set.scores(dataset, system, name) for system in (a, b)}
        labels = None if clusters is None else clusters.get(dataset)
        chosen: SignificanceTest
        if wanted == "auto":
            chosen, _ = choose_test(
                given[a], given[b], gold=gold, kind=kind, clustered=labels is not None
            )
        else:
            chosen = next(known for known in significance_tests if known == wanted)
        found = _problems(dataset, given, gold, test=chosen, metric=name, kind=kind)
        if labels is not None:
            found += _of_clusters(dataset, labels, chosen, n_examples=given[a].shape[0])
        problems += found
        plans[dataset] = PlannedTest(
            test=chosen,
            metric=name,
            kind=kind,
            higher_is_better=bool(result_set.higher_is_better[name]),
        )
    if problems:
        raise DataError(problems)
    return plans


def _of_clusters(
    dataset: str, labels: npt.ArrayLike, test: SignificanceTest, *, n_examples: int
) -> list[Problem]:
    found = []
    if test not in CLUSTER_TESTS:
        found.append(
            Problem(
                what=(
                    f"{_TITLES[test]} takes examples to be independent, and these come in clusters."
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


def _by_dataset(
    result_set: ComparedSystems, given: str | Mapping[str, str], what: str
) -> dict[str, str]:
    if not isinstance(given, Mapping):
        return dict.fromkeys(result_set.datasets, given)
    missing = [dataset for dataset in result_set.datasets if dataset not in given]
    unknown = [dataset for dataset in given if dataset not in result_set.datasets]
    if missing or unknown:
        named = f"no {what} for" if missing else f"a {what} for the unknown dataset"
        raise ValueError(
            f"`{what}` must name a {what} for each dataset of the results; "
            f"got {named} {(missing or unknown)[0]!r}."
        )
    return {dataset: given[dataset] for dataset in result_set.datasets}


def _problems(
    dataset: str,
    given: Mapping[str, FloatArray],
    gold: Any,
    *,
    test: SignificanceTest,
    metric: str,
    kind: str,
) -> list[Problem]:
    if test not in suitable_tests(kind):
        family = _COUNTED if is_counted(kind) else kind
        return [
            Problem(
                what=f"metric '{metric}' {_NEEDED[family].format(test=_TITLES[test])}",
                remedy=_REMEDIES[family],
                dataset=dataset,
            )
        ]
    if kind == MEAN:
        return _not_outcomes(dataset, given, metric) if test in MCNEMAR_TESTS else []
    scores = {s: aggregate(kind, values, gold=gold) for s, values in given.items()}
    undefined = [f"'{system}'" for system, score in scores.items() if np.isnan(score)]
    if undefined:
        if kind not in CORRELATIONS:
            whose = " and ".join(undefined)
            why = f"is not defined for {whose}: what it is divided by adds up to 0."
        else:
            same = ["gold"] if bool((gold == gold[0]).all()) else undefined
            whose = f"the scores of {' and '.join(same)} are the same for every example"
            why = f"is not defined, as {whose}."
        return [
            Problem(
                what=f"metric '{metric}' {why}",
                remedy="Leave this dataset out, or choose another metric for it.",
                dataset=dataset,
            )
        ]
    if infinite_z(test, *scores.values()) and gold.size >= FEWEST:
        first, second = given.values()
        if aggregate(kind, first, gold=second) < ONE:
            return [
                Problem(
                    what=(
                        f"{_TITLES[test]} has no number for a correlation of 1 or −1 with gold, "
                        "as its Fisher z is infinite."
                    ),
                    remedy="Choose Williams, the bootstrap or randomization for this dataset.",
                    dataset=dataset,
                )
            ]
    return []


def _not_outcomes(dataset: str, given: Mapping[str, FloatArray], metric: str) -> list[Problem]:
    for values in given.values():
        others = other_than_binary(values)
        if others:
            return [
                Problem(
                    what=(
                        f"metric '{metric}' must be 0 or 1 for McNemar's test; "
                        f"got {listed(others)}."
                    ),
                    remedy=_REMEDIES[MEAN],
                    dataset=dataset,
                )
            ]
    return []
