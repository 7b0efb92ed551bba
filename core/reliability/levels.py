"""Levels of a categorical covariate, such as a genre: dataset × level as one family of tests.

Beside it: whether a dataset's difference depends on the level at all, and which
levels have enough examples to reach alpha.

Vocabulary
----------
unit
    What is given a level: an example, or a cluster whose examples all have one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.per_example import Metric, per_example_scores
from ..metrics.registry import MEAN
from ..replicability.identification import identify_datasets
from ..significance.counting import SIGN
from ..significance.differences import clusters_of
from ..significance.known_tests import significance_test_named
from ..significance.plan import Given, asked_metric
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import KeepGoing, Progress, Stopped, check_going, goes_on
from ..types import FloatArray, IntArray
from ..validation import is_at_most
from .covariates import rate_columns, squared_residuals
from .pairs import PairStudy, planned_pairs, run_pairs

# Orders at most; p is a multiple of 1/2000, which Holm's rule can use up to 100 datasets at .05.
MOST_ORDERS = 1999
_AVERAGED: dict[str, Metric] = {MEAN: "mean", "accuracy": "accuracy"}
_TOLERANCE = 1e-9
# Between two questions whether to go on.
_ASKED_EVERY = 50


# Sums of the differences of a dataset's units and their sizes, level after level, and the number
# of units of each level.
LevelledUnits = tuple[FloatArray, FloatArray, list[int]]


def levelled_units(parts: Sequence[Given]) -> LevelledUnits | str:
    """The units of one dataset's levels, or why the levels cannot be compared as a whole."""
    if len(parts) < 2:
        return "It has one level that can be tested, so there is none to compare it with."
    kind = _AVERAGED.get(parts[0].kind)
    if kind is None:
        return "Its metric is no mean over examples, so that levels cannot be exchanged among them."
    seen: set[object] = set()
    sums, sizes = [], []
    for part in parts:
        first, second = per_example_scores(*part.first_two, metric=kind, gold=part.gold)
        apart = first - second
        if part.clusters is None:
            sums.append(apart)
            sizes.append(np.ones(apart.size))
            continue
        labels = np.asarray(part.clusters)
        own = set(labels.tolist())
        if seen & own:
            return "Some of its clusters have examples of several levels."
        seen |= own
        clusters = clusters_of(labels, n_examples=apart.size)
        sums.append(clusters.summed(apart))
        sizes.append(clusters.sizes.astype(np.float64))
    return np.concatenate(sums), np.concatenate(sizes), [one.size for one in sums]


def dependence_p_value(
    units: LevelledUnits, *, n_orders: int, rng: np.random.Generator, keep_going: KeepGoing
) -> float:
    """Whether the difference is further apart between levels than by chance: p = (s + 1)/(b + 1).

    Levels are given to the units in random orders. The statistic is Σ wₗ(dₗ − d̄)², with dₗ a
    level's difference, wₗ one over its own variance and d̄ the weighted mean, so that levels that
    merely spread more do not count; one square of all units' is added to a level's own. For
    permuting studentised statistics Chung and Romano (Annals of Statistics 2013); Pauly, Brunner
    and Konietschke (JRSS B 2015).
    """
    sums, sizes, numbers = units
    starts = np.cumsum([0, *numbers[:-1]])
    centred = sums - sums.sum() / sizes.sum() * sizes
    spread = float((centred**2).mean())
    if spread == 0.0 or not bool((np.abs(centred) > 1e-12 * np.abs(sums).max()).any()):
        return 1.0
    columns = np.column_stack(rate_columns(centred, sizes))
    observed = _between(columns, starts, spread) * (1.0 - _TOLERANCE)
    as_far = 0
    for place in range(n_orders):
        if place % _ASKED_EVERY == 0:
            check_going(keep_going)
        order = rng.permutation(sums.size)
        as_far += _between(columns[order], starts, spread) >= observed
    return (as_far + 1) / (n_orders + 1)


def _between(columns: FloatArray, starts: IntArray, spread: float) -> float:
    sums, sizes, squares, crossed, squared_sizes = np.add.reduceat(columns, starts, axis=0).T
    apart = sums / sizes
    weights = sizes**2 / (squared_residuals(apart, squares, crossed, squared_sizes) + spread)
    middle = float(weights @ apart) / float(weights.sum())
    return float(weights @ (apart - middle) ** 2)


def smallest_p_value(test: str, n_units: int) -> float:
    """The smallest that so many units can give, all of them for A; 0 where n sets no bound."""
    known = significance_test_named(test)
    if known.counting is not None or known.signed_weights is not None:
        counted = known.counting or SIGN
        return counted.sides(n_units, 0).greater
    return 1.0 if n_units <= 1 and known.p_of_moments is not None else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelStudy(PairStudy):
    """P-values of "A is better" on the examples of each level, dataset by dataset.

    `dependence_p_values` are for each dataset of "its difference is the same on all levels";
    `dependence_left_out` says why others have none. That p <= alpha on some levels and not on others
    is common with the same effect on all, as each has less power than the whole.
    """

    covariate: str
    metric: str
    test_asked: str
    levels: tuple[str, ...]
    dependence_p_values: dict[str, float]
    dependence_left_out: dict[str, str]

    @property
    def complete(self) -> bool:
        """Whether all tests were run."""
        told = self.dependence_p_values.keys() | self.dependence_left_out.keys()
        return super(LevelStudy, self).complete and told.issuperset(self.tested_datasets)

    @property
    def datasets_that_depend(self) -> tuple[str, ...]:
        """Datasets whose difference depends on the level, named by Holm's rule at alpha."""
        p_values = self.dependence_p_values
        if not p_values:
            return ()
        named = identify_datasets(list(p_values.values()), alpha=self.alpha).rejected.tolist()
        return tuple(dataset for dataset, is_named in zip(p_values, named, strict=True) if is_named)

    @property
    def levels_without_reach(self) -> tuple[tuple[str, str, int], ...]:
        """Dataset, level and units of pairs too small for p <= alpha, whatever their scores."""
        return tuple(
            (pair.dataset, str(pair.level), n)
            for pair in self.pairs
            for n in (pair.result.n_clusters or pair.result.n_examples,)
            if not is_at_most(smallest_p_value(pair.result.test, n), self.alpha)
        )

    def only(self, datasets: Collection[str]) -> Self | None:
        """The part of the study that is of some datasets; None where it has none of them."""
        found, p_values = super(LevelStudy, self).only(datasets), self.dependence_p_values
        reasons = self.dependence_left_out
        return found and replace(
            found,
            dependence_p_values={name: p for name, p in p_values.items() if name in datasets},
            dependence_left_out={name: why for name, why in reasons.items() if name in datasets},
        )

    @property
    def signature(self) -> str:
        """The one line that names everything the p-values and counts depend on."""
        return self._signature(
            "levels",
            covariate=self.covariate or None,
            levels=len(self.levels),
            metric=self.metric,
            test=self.test_asked,
        )


def level_study(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    covariate: Mapping[str, npt.ArrayLike],
    name: str = "",
    metric: str | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    rng: Rng = 0,
    n_resamples: int = 9999,
    n_threads: int = 1,
    on_progress: Progress | None = None,
) -> LevelStudy:
    """Test "A is better than B" on the examples of each level of each dataset.

    `covariate` has for each dataset to be tested a level of each example, '' where there is none, at
    least two in all. `name` is the covariate's. `test` is one of `significance_tests`, or "auto":
    the fixed rule for the dataset. Raises DataError if no level of any dataset can be tested.
    Søgaard et al. (CoNLL 2014), section 3.
    """
    own_metric = asked_metric(result_set, metric)
    seed = seed_of(rng)
    labels = {
        dataset: np.asarray(covariate[dataset]).tolist()
        for dataset in result_set.datasets
        if dataset in covariate
    }
    parts, left_out = planned_pairs(
        result_set, tuple(labels), (own_metric,), a=a, b=b, tests=(test,), labels=labels
    )
    found = run_pairs(
        result_set,
        parts,
        a=a,
        b=b,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=seed,
        n_threads=n_threads,
        on_progress=on_progress,
    )
    all_run = len(found["pairs"]) == len(parts)
    dependence: dict[str, float] = {}
    untold: dict[str, str] = {}
    for dataset in dict.fromkeys(part.dataset for part in parts if all_run):
        units = levelled_units([part.given() for part in parts if part.dataset == dataset])
        if isinstance(units, str):
            untold[dataset] = units
            continue
        try:
            dependence[dataset] = dependence_p_value(
                units,
                n_orders=min(n_resamples, MOST_ORDERS),
                rng=dataset_stream(seed, result_set.name_in_file(dataset), "levels exchanged"),
                keep_going=lambda: goes_on(on_progress, len(parts), len(parts)),
            )
        except Stopped:
            break
    return LevelStudy(
        **found,
        datasets=tuple(labels),
        left_out=left_out,
        covariate=name,
        metric=own_metric,
        test_asked=test,
        levels=tuple(dict.fromkeys(one for own in labels.values() for one in own if one)),
        dependence_p_values=dependence,
        dependence_left_out=untold,
    )
