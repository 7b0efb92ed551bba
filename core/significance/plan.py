"""Which test is run on which dataset, checked before any of them is.

Every problem is found at once, each with its dataset and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy.typing as npt

from core.errors import DataError, Problem
from core.metrics.labels import LABEL_METRICS
from core.metrics.registry import CORRELATIONS, MEAN, check_kind
from core.significance.choose import choose_test
from core.significance.known_tests import significance_test_names
from core.significance.suitability import problems_of_clusters, problems_of_scores
from core.types import FloatArray
from core.validation import check_choice

Value = TypeVar("Value")


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
    def label_metrics(self) -> tuple[str, ...]:
        """Names of further metrics, of predicted labels; none without labels."""

    def kind_of(self, metric: str | None = None) -> str:
        """A metric's kind in `core.metrics.registry`, or of labels."""

    def has_outcomes(self, metric: str | None = None) -> bool:
        """Whether every score of a metric is 0 or 1, on all datasets."""

    def is_higher_better(self, metric: str | None = None) -> bool:
        """Whether a higher score is the better one."""

    def scores(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """Scores as given, shape (n,), or statistics, shape (n, s)."""

    def score(self, dataset: str, system: str, metric: str | None = None) -> float:
        """One system's score on one dataset; nan where it is not defined."""

    def gold(self, dataset: str) -> Any:
        """Gold labels or scores of one dataset, or None."""

    def predictions(self, dataset: str, system: str) -> Any:
        """Labels that one system gave, or None."""

    def clusters_of(self, dataset: str) -> npt.NDArray[Any] | None:
        """A number for each example, equal for those that belong together, or None."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlannedTest:
    """What is run on one dataset.

    Attributes
    ----------
    test : str
        Name of a test.
    metric : str
        Name of the metric in the set.
    kind : str
        Its kind.
    higher_is_better : bool
        Whether a higher score is the better one.
    clusters : array_like or None
        Labels of what examples belong to, where they come in clusters.
    """

    test: str
    metric: str
    kind: str
    higher_is_better: bool
    clusters: npt.ArrayLike | None = None


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

    "auto" is `choose_test` on each dataset's scores; whether scores are 0 and 1
    is asked of the metric once, over all datasets.

    Raises
    ------
    DataError
        With every problem, if scores do not suit the test or are not defined.
    ValueError
        If a name is unknown, or a mapping does not name every dataset.
    """
    tests = by_dataset(result_set, test, argument="test", of="test")
    asked = result_set.metrics[0] if metric is None else metric
    metrics = by_dataset(result_set, asked, argument="metric", of="metric")
    together = clusters_by_dataset(result_set, clusters)
    known = (*result_set.metrics, *result_set.label_metrics)
    plans: dict[str, PlannedTest] = {}
    problems: list[Problem] = []
    for dataset in result_set.datasets:
        wanted = check_choice(tests[dataset], ("auto", *significance_test_names()), name="test")
        name = check_choice(metrics[dataset], known, name="metric")
        kind = result_set.kind_of(name)
        gold = gold_for(result_set, dataset, kind)
        given = {
            system: given_of(result_set, dataset, system, metric=name, kind=kind)
            for system in (a, b)
        }
        labels = together.get(dataset)
        if wanted == "auto":
            wanted, _ = choose_test(
                given[a],
                given[b],
                gold=gold,
                kind=kind,
                clustered=labels is not None,
                zero_one=result_set.has_outcomes(name),
            )
        scores = {} if kind == MEAN else {s: result_set.score(dataset, s, name) for s in given}
        problems += problems_of_scores(
            dataset,
            given,
            scores,
            gold,
            test=wanted,
            metric=name,
            kind=kind,
            of_labels=name not in result_set.metrics,
        )
        if labels is not None:
            n_examples = given[a].shape[0]
            problems += problems_of_clusters(dataset, labels, wanted, n_examples=n_examples)
        plans[dataset] = PlannedTest(
            test=wanted,
            metric=name,
            kind=kind,
            higher_is_better=result_set.is_higher_better(name),
            clusters=labels,
        )
    if problems:
        raise DataError(problems)
    return plans


def given_of(
    result_set: ComparedSystems, dataset: str, system: str, *, metric: str, kind: str
) -> Any:
    """What a test is given of one system: scores, statistics, or labels.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind in LABEL_METRICS:
        return result_set.predictions(dataset, system)
    check_kind(kind)
    return result_set.scores(dataset, system, metric)


def gold_for(result_set: ComparedSystems, dataset: str, kind: str) -> Any:
    """Gold numbers or labels, where a metric of this kind is of them; else None.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if kind in LABEL_METRICS or check_kind(kind) in CORRELATIONS:
        return result_set.gold(dataset)
    return None


def clusters_by_dataset(
    result_set: ComparedSystems, clusters: Mapping[str, npt.ArrayLike] | None
) -> Mapping[str, npt.ArrayLike]:
    """The clusters' labels of each dataset that has any: those given, else the set's own.

    Raises
    ------
    ValueError
        If a dataset is named that is not there.
    """
    if clusters is None:
        own = {dataset: result_set.clusters_of(dataset) for dataset in result_set.datasets}
        return {dataset: labels for dataset, labels in own.items() if labels is not None}
    unknown = [dataset for dataset in clusters if dataset not in result_set.datasets]
    if unknown:
        raise ValueError(
            f"`clusters` must name datasets of the results; got the unknown {unknown[0]!r}."
        )
    return clusters


def by_dataset(
    result_set: ComparedSystems, given: Value | Mapping[str, Value], *, argument: str, of: str
) -> dict[str, Value]:
    """What is given for each dataset, or the same for all of them.

    Raises
    ------
    ValueError
        If a mapping does not name every dataset, or an unknown one.
    """
    if not isinstance(given, Mapping):
        return dict.fromkeys(result_set.datasets, given)
    missing = [dataset for dataset in result_set.datasets if dataset not in given]
    unknown = [dataset for dataset in given if dataset not in result_set.datasets]
    if missing or unknown:
        named = f"no {of} for" if missing else f"a {of} for the unknown dataset"
        raise ValueError(
            f"`{argument}` must name a {of} for each dataset of the results; "
            f"got {named} {(missing or unknown)[0]!r}."
        )
    return {dataset: given[dataset] for dataset in result_set.datasets}
