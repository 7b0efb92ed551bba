"""What is run on each of many datasets, checked before any of it is run.

Every problem is found at once, each with its dataset and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..comparison import BETTER, COLUMN, Margin, checked_margin
from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..metrics.labels import LABEL_METRICS, MOST_NUMBERS, n_label_statistics, too_many_labels
from ..metrics.per_example import listed, other_than_binary
from ..metrics.registry import CORRELATIONS, MEAN, ONE, check_kind, correlation_of, correlation_with
from ..validation import check_choice, check_two_systems
from .at_margin import largest_loss, refused_at_margin
from .choose import choose_test, suits, why_not_at
from .correlation import FEWEST, CorrelationTest
from .differences import clusters_of, paired_differences
from .known_tests import significance_test_named, significance_test_names

Value = TypeVar("Value")


def check_compared(result_set: ResultSet, a: str, b: str) -> None:
    """Check that there are results on examples, and that `a` and `b` are two of their systems."""
    if not isinstance(result_set, ResultSet):
        came = type(result_set).__name__
        raise TypeError(f"`result_set` must be a ResultSet, results on every example; got {came}.")
    check_two_systems(a, b, result_set.systems)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlannedTest:
    """What is run on one dataset: the metric by its name in the set, the margin in its units."""

    test: str
    metric: str
    kind: str
    higher_is_better: bool
    clusters: npt.ArrayLike | None = None
    margin: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What a test is given of some systems on one dataset, and what is known of it before.

    `systems` have scores, statistics or labels; `scores` are theirs on the dataset, nan where not
    defined, empty where scores are averaged. `of_labels`: whether the metric is one of predicted
    labels; `zero_one`: whether all its scores, on all datasets, are 0 or 1.
    """

    dataset: str
    metric: str
    kind: str
    systems: Mapping[str, Any]
    scores: Mapping[str, float]
    gold: Any
    of_labels: bool
    zero_one: bool
    clusters: npt.ArrayLike | None = None

    @property
    def first_two(self) -> tuple[Any, Any]:
        """What is given of the first system, and of the second."""
        first, second, *_ = self.systems.values()
        return first, second

    def rule(self, *, margin: float = 0.0) -> str:
        """The test that "auto" stands for, of the first two systems."""
        chosen, _ = choose_test(
            *self.first_two,
            gold=self.gold,
            kind=self.kind,
            clustered=self.clusters is not None,
            zero_one=self.zero_one,
            margin=margin,
        )
        return chosen

    def only(self, systems: Iterable[str]) -> Given:
        """The same of some systems."""
        return replace(
            self,
            systems={one: self.systems[one] for one in systems},
            scores={one: self.scores[one] for one in systems if self.scores},
        )


def given_on(
    result_set: ResultSet,
    dataset: str,
    systems: Iterable[str],
    metric: str,
    *,
    clusters: npt.ArrayLike | None = None,
) -> Given:
    """What tests of these systems are given on a dataset."""
    kind = result_set.kind_of(metric)
    given = {one: given_of(result_set, dataset, one, metric=metric, kind=kind) for one in systems}
    return Given(
        dataset=dataset,
        metric=metric,
        kind=kind,
        systems=given,
        scores={}
        if kind == MEAN
        else {one: result_set.score(dataset, one, metric) for one in given},
        gold=gold_for(result_set, dataset, kind),
        of_labels=metric not in result_set.metrics,
        zero_one=result_set.has_outcomes(metric),
        clusters=clusters,
    )


def planned_tests(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    test: str | Mapping[str, str],
    metric: str | Mapping[str, str] | None,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    claim: str = BETTER,
    margin: Margin | Mapping[str, float] = 0.0,
    datasets: Iterable[str] | None = None,
) -> dict[str, PlannedTest]:
    """Each dataset's test, metric and margin, checked against its scores.

    Whether scores are 0 and 1 is asked of the metric once, over all datasets. Raises DataError with
    every problem, if scores do not suit the test or are not defined.
    """
    chosen = wanted_datasets(result_set, datasets)
    tests = by_dataset(result_set, test, argument="test", of="test", datasets=chosen)
    asked = result_set.metrics[0] if metric is None else metric
    metrics = by_dataset(result_set, asked, argument="metric", of="metric", datasets=chosen)
    together = clusters_by_dataset(result_set, clusters)
    margins = margins_by_dataset(result_set, margin, claim=claim, metrics=metrics)
    plans: dict[str, PlannedTest] = {}
    problems: list[Problem] = []
    for dataset in chosen:
        wanted = check_choice(tests[dataset], ("auto", *significance_test_names()), name="test")
        name = asked_metric(result_set, metrics[dataset])
        given = given_on(result_set, dataset, (a, b), name, clusters=together.get(dataset))
        if wanted == "auto":
            wanted = given.rule(margin=margins[dataset])
        problems += problems_of_scores(given, wanted)
        problems += problems_of_clusters(given, wanted)
        if not any(problem.dataset == dataset for problem in problems):
            problems += problems_of_margin(given, wanted, margins[dataset])
        plans[dataset] = PlannedTest(
            test=wanted,
            metric=name,
            kind=given.kind,
            higher_is_better=result_set.is_higher_better(name),
            clusters=given.clusters,
            margin=margins[dataset],
        )
    if problems:
        raise DataError(problems)
    return plans


def given_of(result_set: ResultSet, dataset: str, system: str, *, metric: str, kind: str) -> Any:
    """What a test is given of one system: scores, statistics, or labels."""
    if kind in LABEL_METRICS:
        return result_set.predictions(dataset, system)
    check_kind(kind)
    return result_set.scores(dataset, system, metric)


def gold_for(result_set: ResultSet, dataset: str, kind: str) -> Any:
    """Gold numbers or labels, where a metric of this kind is of them; else None."""
    if kind in LABEL_METRICS or check_kind(kind) in CORRELATIONS:
        return result_set.gold(dataset)
    return None


def asked_metric(result_set: ResultSet, metric: str | None) -> str:
    """The metric of this name, one of labels among them; by default the set's first."""
    known = (*result_set.metrics, *result_set.label_metrics)
    return check_choice(known[0] if metric is None else metric, known, name="metric")


def clusters_by_dataset(
    result_set: ResultSet, clusters: Mapping[str, npt.ArrayLike] | None
) -> Mapping[str, npt.ArrayLike]:
    """The clusters' labels of each dataset that has any: those given, else the set's own."""
    if clusters is None:
        own = {dataset: result_set.clusters_of(dataset) for dataset in result_set.datasets}
        return {dataset: labels for dataset, labels in own.items() if labels is not None}
    unknown = [dataset for dataset in clusters if dataset not in result_set.datasets]
    if unknown:
        raise ValueError(
            f"`clusters` must name datasets of the results; got the unknown {unknown[0]!r}."
        )
    return clusters


def wanted_datasets(result_set: ResultSet, datasets: Iterable[str] | None) -> tuple[str, ...]:
    """The datasets that are asked for, in the order of the set."""
    if datasets is None:
        return result_set.datasets
    asked = {check_choice(name, result_set.datasets, name="datasets") for name in datasets}
    if not asked:
        raise ValueError("`datasets` must name at least one dataset; got none.")
    return tuple(dataset for dataset in result_set.datasets if dataset in asked)


def margins_by_dataset(
    result_set: ResultSet,
    margin: Margin | Mapping[str, float],
    *,
    claim: str,
    metrics: Mapping[str, str],
) -> dict[str, float]:
    """Each dataset's margin, checked against the claim: those of the file's column, or as given.

    Raises DataError if the file gives none for the metric.
    """
    if margin != COLUMN:
        asked = tuple(metrics)
        given = by_dataset(result_set, margin, argument="margin", of="margin", datasets=asked)
        return {dataset: checked_margin(claim, one) for dataset, one in given.items()}
    return {
        name: checked_margin(claim, result_set.margin_of(name, metric))
        for name, metric in metrics.items()
    }


def by_dataset(
    result_set: ResultSet,
    given: Value | Mapping[str, Value],
    *,
    argument: str,
    of: str,
    datasets: tuple[str, ...] | None = None,
) -> dict[str, Value]:
    """What is given for each dataset, or the same for all of them; by default of the whole set."""
    wanted = result_set.datasets if datasets is None else datasets
    if not isinstance(given, Mapping):
        return dict.fromkeys(wanted, given)
    missing = [dataset for dataset in wanted if dataset not in given]
    unknown = [dataset for dataset in given if dataset not in result_set.datasets]
    if missing or unknown:
        named = f"no {of} for" if missing else f"a {of} for the unknown dataset"
        raise ValueError(
            f"`{argument}` must name a {of} for each dataset of the results; "
            f"got {named} {(missing or unknown)[0]!r}."
        )
    return {dataset: given[dataset] for dataset in wanted}


# Of a metric's family what it needs, and which tests to take.
_OF_MEANS = "Choose randomization, the paired t-test or Wilcoxon for this dataset."
_NEEDED: Mapping[str, tuple[str, str]] = {
    "mean": ("averages scores, and {test} compares correlations with gold scores.", _OF_MEANS),
    "counted": (
        "is computed from sums of counts, and {test} needs one score an example.",
        "Choose the bootstrap or randomization for this dataset.",
    ),
    "correlation": (
        "is a correlation with gold, and {test} needs scores that are averaged.",
        "Choose randomization, Williams, Steiger, Meng or the bootstrap for this dataset.",
    ),
}


def problems_of_scores(given: Given, test: str) -> list[Problem]:
    """What keeps a test from being run on two systems' scores, or on averages of several."""
    dataset, metric, kind, gold = given.dataset, given.metric, given.kind, given.gold
    known = significance_test_named(test)
    if not suits(known, kind):
        family = "mean" if kind == MEAN else "correlation" if kind in CORRELATIONS else "counted"
        needed, remedy = _NEEDED[family]
        what = f"metric '{metric}' {needed.format(test=known.called)}"
        return [Problem(what=what, remedy=remedy, dataset=dataset)]
    if kind == MEAN:
        for values in given.systems.values() if known.suits_outcomes_only else ():
            others = other_than_binary(values)
            if others:
                what = f"metric '{metric}' must be 0 or 1 for {known.called}; got {listed(others)}."
                return [Problem(what=what, remedy=_OF_MEANS, dataset=dataset)]
        return []
    undefined = [system for system, score in given.scores.items() if np.isnan(score)]
    if undefined:
        what = f"metric '{metric}' is not defined{_why_undefined(given, undefined)}."
        remedy = "Leave this dataset out, or choose another metric for it."
        return [Problem(what=what, remedy=remedy, dataset=dataset)]
    if kind in LABEL_METRICS:
        every = (gold, *given.systems.values())
        n_classes = len({label for labels in every for label in labels.tolist()})
        numbers = gold.size * n_label_statistics(kind, n_classes)
        if numbers <= MOST_NUMBERS:
            return []
        return [too_many_labels(metric, dataset, n_classes, gold.size, numbers)]
    kernel = known.kernel
    if not isinstance(kernel, CorrelationTest):
        return []
    if kernel.has_no_z(*given.scores.values()) and gold.size >= FEWEST:
        first, second = given.first_two
        if correlation_with(second, first, kind=correlation_of(kind)) < ONE:
            what = (
                f"{known.called} has no number for a correlation of 1 or −1 with gold, as its "
                "Fisher z is infinite."
            )
            remedy = "Choose randomization or the bootstrap for this dataset."
            return [Problem(what=what, remedy=remedy, dataset=dataset)]
    return []


def problems_of_margin(given: Given, test: str, margin: float) -> list[Problem]:
    """What keeps a test, which suits two systems' scores, from being run at this margin."""
    known = significance_test_named(test)
    dataset, of_means, clusters = given.dataset, given.kind == MEAN, given.clusters
    a, b = given.first_two
    zero_one = of_means and not (other_than_binary(a) or other_than_binary(b))
    why_not = why_not_at(margin, known, of_means=of_means, zero_one=zero_one and clusters is None)
    if why_not:
        remedy = "Choose the recommended test for this dataset."
        return [Problem(what=f"{why_not}.", remedy=remedy, dataset=dataset)]
    if zero_one and margin >= 1.0:
        what = f"a margin of 0/1 outcomes must lie below 1 (100 points), and is {margin:g}."
        return [Problem(what=what, remedy="Choose a smaller margin.", dataset=dataset)]
    if not margin or not of_means or (zero_one and clusters is None):
        return []
    units = paired_differences(a, b)
    together = None if clusters is None else clusters_of(clusters, n_examples=units.n)
    why_not = refused_at_margin(
        units if together is None else together.summed_differences(units),
        margin=margin,
        zero_one=zero_one,
        largest=largest_loss(a, b, zero_one=zero_one, clusters=together),
    )
    if not why_not:
        return []
    remedy = "Leave this dataset out, or fix a larger margin for another study."
    return [Problem(what=f"{why_not}.", remedy=remedy, dataset=dataset)]


def problems_of_clusters(given: Given, test: str) -> list[Problem]:
    """What keeps a test from being run on examples with these clusters; nothing without any."""
    if given.clusters is None:
        return []
    found = []
    known = significance_test_named(test)
    if not known.takes_clusters:
        what = f"{known.called} takes examples to be independent, and these come in clusters."
        remedy = "Choose randomization or the bootstrap for this dataset."
        found.append(Problem(what=what, remedy=remedy, dataset=given.dataset))
    try:
        clusters_of(given.clusters, n_examples=given.first_two[0].shape[0])
    except ValueError as error:
        remedy = "Give each example the label of its cluster, in the order of the examples."
        found.append(Problem(what=str(error), remedy=remedy, dataset=given.dataset))
    return found


def _why_undefined(given: Given, undefined: list[str]) -> str:
    whose = " and ".join(f"'{system}'" for system in undefined)
    kind, gold = given.kind, given.gold
    if given.of_labels and kind not in LABEL_METRICS:
        return ", as no example has that gold label"
    if kind in CORRELATIONS or kind in LABEL_METRICS:
        things = "labels" if given.of_labels else "scores"
        same = "gold" if bool((gold == gold[0]).all()) else whose
        return f", as the {things} of {same} are the same for every example"
    return f" for {whose}: what it is divided by adds up to 0"
