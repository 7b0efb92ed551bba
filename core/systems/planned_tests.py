"""Which systems and datasets are compared, and by which test, before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from core.data.result_set import ResultSet
from core.errors import DataError
from core.metrics.registry import MEAN
from core.significance.choose import choose_test
from core.significance.known_tests import significance_test_names
from core.significance.lattice import MAX_BINS
from core.significance.plan import given_of, gold_for
from core.significance.randomization import is_exact
from core.significance.suitability import problems_of_clusters, problems_of_scores
from core.systems.side_by_side import AveragedColumns, averaged_columns, oriented_scores
from core.types import FloatArray
from core.validation import check_choice


def chosen_names(
    given: Sequence[str] | None, known: tuple[str, ...], *, name: str, at_least: int
) -> tuple[str, ...]:
    """The names asked for, or all of them.

    Raises
    ------
    ValueError
        If one is unknown or named twice, or they are too few.
    """
    chosen = known if given is None else tuple(given)
    for one in chosen:
        check_choice(one, known, name=name)
    if len(set(chosen)) < len(chosen):
        twice = next(one for one in chosen if chosen.count(one) > 1)
        raise ValueError(f"`{name}` must name each once; got {twice!r} twice.")
    if len(chosen) < at_least:
        raise ValueError(f"`{name}` must name at least {at_least}; got {len(chosen)}.")
    return chosen


def chosen_test(result_set: ResultSet, dataset: str, systems: tuple[str, ...], metric: str) -> str:
    """The test that "auto" stands for on one dataset, the same for all pairs of systems."""
    kind = result_set.kind_of(metric)
    clustered = result_set.clusters_of(dataset) is not None
    zero_one = result_set.has_outcomes(metric)
    exact = None
    if kind == MEAN and not clustered and not zero_one:
        exact = _all_exact(averaged_columns(oriented_scores(result_set, dataset, systems, metric)))
    # Of all systems together what is looked at is known.
    nothing: FloatArray = np.empty(0)
    return choose_test(
        nothing, nothing, kind=kind, clustered=clustered, zero_one=zero_one, exact=exact
    )[0]


def _all_exact(columns: AveragedColumns) -> bool:
    """Whether randomization is exact on every pair of systems."""
    if columns.step is not None and _all_within_bins(columns.values):
        return True
    pairs = combinations(range(columns.values.shape[1]), 2)
    return all(is_exact(columns.differences(i, j)) for i, j in pairs)


def _all_within_bins(values: FloatArray) -> bool:
    """Whether the widest pair that there could be of these whole numbers, shape (n, m), is exact."""
    step = int(np.gcd.reduce((values - values[:, :1]).astype(np.int64), axis=None))
    breadths = values.max(axis=1) - values.min(axis=1)
    return float(breadths.sum()) / max(1, step) < MAX_BINS


def planned_tests(
    result_set: ResultSet,
    datasets: tuple[str, ...],
    systems: tuple[str, ...],
    metric: str,
    test: str,
) -> dict[str, str]:
    """Each dataset's test, checked against all systems' scores.

    "auto" is the rule of `choose_test` for all pairs of a dataset together:
    randomization of the mean where it is exact for every pair.

    Raises
    ------
    DataError
        If scores do not suit the test.
    ValueError
        If there is no such test.
    """
    check_choice(test, ("auto", *significance_test_names()), name="test")
    kind = result_set.kind_of(metric)
    plans: dict[str, str] = {}
    problems = []
    for dataset in datasets:
        given = {
            system: given_of(result_set, dataset, system, metric=metric, kind=kind)
            for system in systems
        }
        gold = gold_for(result_set, dataset, kind)
        labels = result_set.clusters_of(dataset)
        name = chosen_test(result_set, dataset, systems, metric) if test == "auto" else test
        # Two by two, as a single test is asked; of averages all at once.
        places = range(0, len(systems), 2)
        asked = [systems[k : k + 2] if k + 1 < len(systems) else systems[-2:] for k in places]
        for some in [systems] if kind == MEAN else asked:
            problems += problems_of_scores(
                dataset,
                {system: given[system] for system in some},
                {}
                if kind == MEAN
                else {system: result_set.score(dataset, system, metric) for system in some},
                gold,
                test=name,
                metric=metric,
                kind=kind,
                of_labels=metric not in result_set.metrics,
            )
        if labels is not None:
            n_examples = result_set.n_examples(dataset)
            problems += problems_of_clusters(dataset, labels, name, n_examples=n_examples)
        plans[dataset] = name
    if problems:
        raise DataError(dict.fromkeys(problems))
    return plans
