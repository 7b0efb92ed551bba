"""What is run on each of many datasets, checked before any of it is run.

Every problem is found at once, each with its dataset and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ..comparison import BETTER, COLUMN, Margin, checked_margin
from ..errors import DataError, Problem
from ..metrics.labels import LABEL_METRICS, MOST_NUMBERS, n_label_statistics, too_many_labels
from ..metrics.per_example import listed, other_than_binary
from ..metrics.registry import (
    CORRELATIONS,
    MEAN,
    ONE,
    check_kind,
    correlation_of,
    correlation_with,
    is_counted,
)
from ..types import FloatArray
from ..validation import check_choice
from .at_margin import largest_loss, refused_at_margin
from .choose import choose_test, suits, why_not_at
from .correlation import FEWEST, CorrelationTest
from .differences import clusters_of, paired_differences
from .known_tests import significance_test_named, significance_test_names
from .significance_test import SignificanceTest

Value = TypeVar("Value")


class ComparedSystems(Protocol):
    """What is needed of a set of results; `data.ResultSet` is one."""

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

    def name_in_file(self, dataset: str) -> str:
        """What the file calls a dataset; its random streams are drawn by this name."""

    def kind_of(self, metric: str | None = None) -> str:
        """A metric's kind in `metrics.registry`, or of labels."""

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

    def margin_of(self, dataset: str, metric: str | None = None) -> float:
        """The margin that the file gives for a dataset, in the metric's units."""


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
    margin : float
        Of the claim, in the metric's units.
    """

    test: str
    metric: str
    kind: str
    higher_is_better: bool
    clusters: npt.ArrayLike | None = None
    margin: float = 0.0


def planned_tests(
    result_set: ComparedSystems,
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

    "auto" is `choose_test` on each dataset's scores; whether scores are 0 and 1
    is asked of the metric once, over all datasets. At a margin above 0 the test must
    be one for it. By default all datasets are tested, else those that are named.

    Raises
    ------
    DataError
        With every problem, if scores do not suit the test or are not defined.
    ValueError
        If a name is unknown, or a mapping does not name every dataset.
    """
    chosen = wanted_datasets(result_set, datasets)
    tests = by_dataset(result_set, test, argument="test", of="test", datasets=chosen)
    asked = result_set.metrics[0] if metric is None else metric
    metrics = by_dataset(result_set, asked, argument="metric", of="metric", datasets=chosen)
    together = clusters_by_dataset(result_set, clusters)
    margins = margins_by_dataset(result_set, margin, claim=claim, metrics=metrics)
    known = (*result_set.metrics, *result_set.label_metrics)
    plans: dict[str, PlannedTest] = {}
    problems: list[Problem] = []
    for dataset in chosen:
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
                margin=margins[dataset],
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
        if not any(problem.dataset == dataset for problem in problems):
            problems += problems_of_margin(
                dataset,
                given[a],
                given[b],
                wanted,
                of_means=kind == MEAN,
                clusters=labels,
                margin=margins[dataset],
            )
        plans[dataset] = PlannedTest(
            test=wanted,
            metric=name,
            kind=kind,
            higher_is_better=result_set.is_higher_better(name),
            clusters=labels,
            margin=margins[dataset],
        )
    if problems:
        raise DataError(problems)
    return plans


def given_of(
    result_set: ComparedSystems, dataset: str, system: str, *, metric: str, kind: str
) -> Any:
    """What a test is given of one system: scores, statistics, or labels."""
    if kind in LABEL_METRICS:
        return result_set.predictions(dataset, system)
    check_kind(kind)
    return result_set.scores(dataset, system, metric)


def gold_for(result_set: ComparedSystems, dataset: str, kind: str) -> Any:
    """Gold numbers or labels, where a metric of this kind is of them; else None."""
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


def wanted_datasets(result_set: ComparedSystems, datasets: Iterable[str] | None) -> tuple[str, ...]:
    """The datasets that are asked for, in the order of the set.

    Raises
    ------
    ValueError
        If there is none, or an unknown one.
    """
    if datasets is None:
        return result_set.datasets
    asked = {check_choice(name, result_set.datasets, name="datasets") for name in datasets}
    if not asked:
        raise ValueError("`datasets` must name at least one dataset; got none.")
    return tuple(dataset for dataset in result_set.datasets if dataset in asked)


def margins_by_dataset(
    result_set: ComparedSystems,
    margin: Margin | Mapping[str, float],
    *,
    claim: str,
    metrics: Mapping[str, str],
) -> dict[str, float]:
    """Each dataset's margin, checked against the claim: those of the file's column, or as given.

    Raises
    ------
    DataError
        If the file gives none for the metric.
    ValueError
        If one does not go with the claim, or a mapping does not name every dataset.
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
    result_set: ComparedSystems,
    given: Value | Mapping[str, Value],
    *,
    argument: str,
    of: str,
    datasets: tuple[str, ...] | None = None,
) -> dict[str, Value]:
    """What is given for each dataset, or the same for all of them; by default of the whole set.

    Raises
    ------
    ValueError
        If a mapping does not name every dataset, or an unknown one.
    """
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
    if not suits(known, kind) and not (kind == MEAN and known.suits_outcomes_only):
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


def problems_of_margin(
    dataset: str,
    a: Any,
    b: Any,
    test: str,
    *,
    of_means: bool,
    clusters: npt.ArrayLike | None,
    margin: float,
) -> list[Problem]:
    """What keeps a test, which suits the scores, from being run at this margin."""
    known = significance_test_named(test)
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
