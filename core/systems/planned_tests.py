"""Which systems and datasets are compared, and by which test, before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.result_set import ResultSet
from core.errors import DataError
from core.metrics.registry import MEAN
from core.significance.choose import SignificanceTest, choose_test, significance_tests
from core.significance.plan import given_of, gold_for
from core.significance.suitability import problems_of_clusters, problems_of_scores
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


def planned_tests(
    result_set: ResultSet,
    datasets: tuple[str, ...],
    systems: tuple[str, ...],
    metric: str,
    test: str,
) -> dict[str, SignificanceTest]:
    """Each dataset's test, checked against all systems' scores."""
    kind = result_set.kind_of(metric)
    plans: dict[str, SignificanceTest] = {}
    problems = []
    for dataset in datasets:
        given = {
            system: given_of(result_set, dataset, system, metric=metric, kind=kind)
            for system in systems
        }
        gold = gold_for(result_set, dataset, kind)
        labels = result_set.clusters_of(dataset)
        chosen: SignificanceTest
        if test == "auto":
            # The rule asks of both systems whether they are 0 or 1: so of all at once.
            every = np.concatenate(list(given.values())) if kind == MEAN else given[systems[0]]
            chosen, _ = choose_test(
                every, every, gold=gold, kind=kind, clustered=labels is not None
            )
        else:
            chosen = next(one for one in significance_tests if one == test)
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
                test=chosen,
                metric=metric,
                kind=kind,
                of_labels=metric not in result_set.metrics,
            )
        if labels is not None:
            n_examples = result_set.n_examples(dataset)
            problems += problems_of_clusters(dataset, labels, chosen, n_examples=n_examples)
        plans[dataset] = chosen
    if problems:
        raise DataError(dict.fromkeys(problems))
    return plans
