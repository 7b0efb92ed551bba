"""What is run on each of many datasets, checked before any of it is run.

Every problem is found at once, each with its dataset and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..comparison import BETTER, COLUMN, Margin, checked_margin, comparison_named
from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..metrics.per_example import LABEL_METRICS, other_than_binary, too_many_labels
from ..metrics.registry import CORRELATIONS, MEAN, ONE, check_kind, correlation_of, correlation_with
from ..types import BoolArray, IntArray
from ..validation import check_choice, check_two_systems
from .choose import choose_test, family_of, why_unfit
from .compare import BAND_LEVEL, largest_loss, refused_at_margin
from .correlation import FEWEST
from .differences import Clusters, clusters_of, paired_differences
from .known_tests import (
    SignificanceTest,
    own_settings,
    significance_test_named,
    significance_test_names,
)
from .settings import Settings
from .single import SignificanceResult, run_significance_test
from .stopping import KeepGoing

Value = TypeVar("Value")
_USUAL = Settings()


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
    clusters: npt.ArrayLike | None = None
    settings: Settings = _USUAL
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """What a test is given of some systems on one dataset, and what is known of it before.

    `systems` have scores, statistics or labels; `scores` are theirs on the dataset, empty where scores
    are averaged. `zero_one`: whether all scores of the metric, on all datasets, are 0 or 1.
    """

    dataset: str
    metric: str
    kind: str
    systems: Mapping[str, Any]
    scores: Mapping[str, float]
    gold: Any
    higher_is_better: bool
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

    def part(self, examples: IntArray | BoolArray) -> Given:
        """The same of some examples, without scores."""
        return replace(
            self,
            systems={one: values[examples] for one, values in self.systems.items()},
            scores={},
            gold=None if self.gold is None else np.asarray(self.gold)[examples],
            clusters=None if self.clusters is None else np.asarray(self.clusters)[examples],
        )

    def tested(
        self, test: str, settings: Settings, *, rng: np.random.Generator, keep_going: KeepGoing
    ) -> SignificanceResult:
        """Run a test of the first two systems."""
        return run_significance_test(
            *self.first_two,
            **asdict(settings),
            test=test,
            metric=self.kind,
            gold=self.gold,
            clusters=self.clusters,
            higher_is_better=self.higher_is_better,
            rng=rng,
            keep_going=keep_going,
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
        higher_is_better=result_set.is_higher_better(metric),
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
    settings: Settings = _USUAL,
    n_resamples: Mapping[str, int] | None = None,
    claim: str = BETTER,
    margin: Margin | Mapping[str, float] = 0.0,
    seed: int = 0,
    datasets: Iterable[str] | None = None,
) -> dict[str, PlannedTest]:
    """Each dataset's test, metric and margin, checked; DataError with every problem there is.

    Of the settings a test takes those that it has; intervals at a margin are 90% ones.
    """
    chosen = wanted_datasets(result_set, datasets)
    tests = by_dataset(result_set, test, argument="test", of="test", datasets=chosen)
    asked = result_set.metrics[0] if metric is None else metric
    metrics = by_dataset(result_set, asked, argument="metric", of="metric", datasets=chosen)
    together = clusters_by_dataset(result_set, clusters)
    margins = margins_by_dataset(result_set, margin, claim=claim, metrics=metrics)
    found: list[tuple[str, Given]] = []
    problems: list[Problem] = []
    for dataset in chosen:
        wanted = check_choice(tests[dataset], ("auto", *significance_test_names()), name="test")
        name = asked_metric(result_set, metrics[dataset])
        given = given_on(result_set, dataset, (a, b), name, clusters=together.get(dataset))
        if wanted == "auto":
            wanted = given.rule(margin=margins[dataset])
        problems += problems_of(given, wanted, margins[dataset])
        found.append((wanted, given))
    if problems:
        raise DataError(problems)
    level = BAND_LEVEL if comparison_named(claim).takes_margin else settings.confidence_level
    numbers = n_resamples or dict.fromkeys(chosen, settings.n_resamples)
    return {
        given.dataset: PlannedTest(
            test=wanted,
            metric=given.metric,
            clusters=given.clusters,
            settings=replace(
                own_settings(significance_test_named(wanted), settings),
                n_resamples=numbers[given.dataset],
                confidence_level=level,
                claim=claim,
                margin=margins[given.dataset],
            ),
            seed=seed,
        )
        for wanted, given in found
    }


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
    """Each dataset's margin, checked against the claim: those of the file's column, or as given."""
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


def problems_of(given: Given, test: str, margin: float = 0.0) -> list[Problem]:
    """What keeps a test from being run on systems' scores; of several only on averages."""
    known, dataset, kind = significance_test_named(test), given.dataset, given.kind
    outside, together = None, None
    if kind == MEAN:
        others = map(other_than_binary, given.systems.values())
        outside = next(filter(None, others), ())
    found = why_unfit(
        known,
        family_of(kind),
        named=f"metric '{given.metric}'",
        outside=outside,
        clustered=given.clusters is not None,
        margin=margin,
    )
    if not found and kind != MEAN:
        found = _unfit_for_scores(given, known)
    if given.clusters is not None:
        try:
            together = clusters_of(given.clusters, n_examples=given.first_two[0].shape[0])
        except ValueError as error:
            remedy = "Give each example the label of its cluster, in the order of the examples."
            found.append((str(error), remedy))
    if not found and kind == MEAN and margin:
        found = _unfit_for_margin(given, margin, zero_one=not outside, clusters=together)
    return [Problem(what=what, remedy=remedy, dataset=dataset) for what, remedy in found]


def _unfit_for_scores(given: Given, test: SignificanceTest) -> list[tuple[str, str]]:
    kind, gold, known = given.kind, given.gold, test.of_correlations
    undefined = [system for system, score in given.scores.items() if np.isnan(score)]
    if undefined:
        what = f"metric '{given.metric}' is not defined{_why_undefined(given, undefined)}."
        return [(what, "Leave this dataset out, or choose another metric for it.")]
    if kind in LABEL_METRICS:
        every = (gold, *given.systems.values())
        n_classes = len({label for labels in every for label in labels.tolist()})
        size = {"n_classes": n_classes, "n_examples": gold.size}
        problems = too_many_labels(given.metric, kind, given.dataset, **size)
        return [(problem.what, problem.remedy) for problem in problems]
    if known is None or gold.size < FEWEST:
        return []
    first, second = given.first_two
    if not known.has_no_z(*given.scores.values()) or (
        correlation_with(second, first, kind=correlation_of(kind)) >= ONE
    ):
        return []
    what = (
        f"{test.called} has no number for a correlation of 1 or −1 with gold, as its Fisher z is "
        "infinite."
    )
    return [(what, "Choose randomization or the bootstrap for this dataset.")]


def _unfit_for_margin(
    given: Given, margin: float, *, zero_one: bool, clusters: Clusters | None
) -> list[tuple[str, str]]:
    if zero_one and margin >= 1.0:
        what = f"a margin of 0/1 outcomes must lie below 1 (100 points), and is {margin:g}."
        return [(what, "Choose a smaller margin.")]
    if zero_one and clusters is None:
        return []
    a, b = given.first_two
    units = paired_differences(a, b)
    why_not = refused_at_margin(
        units if clusters is None else clusters.summed_differences(units),
        margin=margin,
        zero_one=zero_one,
        largest=largest_loss(a, b, zero_one=zero_one, clusters=clusters),
    )
    remedy = "Leave this dataset out, or fix a larger margin for another study."
    return [(f"{why_not}.", remedy)] if why_not else []


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
