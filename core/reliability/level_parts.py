"""The examples of each level of a categorical covariate, as a test takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.data.result_set import ResultSet
from core.errors import Problem
from core.metrics.labels import LABEL_METRICS, label_statistics
from core.metrics.registry import MEAN, aggregate
from core.significance.plan import PlannedTest, given_of, gold_for
from core.significance.suitability import problems_of_scores
from core.types import BoolArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelPart:
    """What is tested on the examples of one level."""

    dataset: str
    level: str
    plan: PlannedTest
    by_rule: bool
    first: Any
    second: Any
    gold: Any


def levels_of(
    result_set: ResultSet, covariate: Mapping[str, npt.ArrayLike]
) -> dict[str, list[str | None]]:
    """The level of each example of each dataset named, None where it has none."""
    unknown = [dataset for dataset in covariate if dataset not in result_set.datasets]
    if unknown:
        raise ValueError(
            f"`covariate` must name datasets of the results; got the unknown {unknown[0]!r}."
        )
    found: dict[str, list[str | None]] = {}
    for dataset in result_set.datasets:
        if dataset not in covariate:
            continue
        given = np.asarray(covariate[dataset], dtype=object)
        n = result_set.n_examples(dataset)
        if given.shape != (n,):
            raise ValueError(
                f"`covariate` must hold one level an example of dataset {dataset!r}, {n} of them; "
                f"got shape {given.shape}."
            )
        # Only nan differs from itself.
        found[dataset] = [
            None if one is None or one != one or one == "" else _as_text(one)
            for one in given.tolist()
        ]
    return found


def _as_text(level: object) -> str:
    """Whole numbers without a decimal point, as a file has them."""
    return f"{level:g}" if isinstance(level, float) else str(level)


def level_part(
    result_set: ResultSet,
    dataset: str,
    level: str,
    held: BoolArray,
    plan: PlannedTest,
    by_rule: bool,
    *,
    a: str,
    b: str,
) -> tuple[LevelPart, list[Problem]]:
    """What is tested on the examples held, and why it cannot be."""
    first, second = (
        given_of(result_set, dataset, system, metric=plan.metric, kind=plan.kind)[held]
        for system in (a, b)
    )
    gold = gold_for(result_set, dataset, plan.kind)
    gold = None if gold is None else np.asarray(gold)[held]
    clusters = None if plan.clusters is None else np.asarray(plan.clusters)[held]
    part = LevelPart(
        dataset=dataset,
        level=level,
        plan=replace(plan, clusters=clusters),
        by_rule=by_rule,
        first=first,
        second=second,
        gold=gold,
    )
    given = {a: first, b: second}
    scores = {} if plan.kind == MEAN else _scores(given, plan.kind, gold)
    problems = problems_of_scores(
        dataset,
        given,
        scores,
        gold,
        test=plan.test,
        metric=plan.metric,
        kind=plan.kind,
        of_labels=plan.kind in LABEL_METRICS or plan.metric not in result_set.metrics,
    )
    return part, problems


def _scores(given: Mapping[str, Any], kind: str, gold: Any) -> dict[str, float]:
    if kind not in LABEL_METRICS:
        return {system: aggregate(kind, values, gold=gold) for system, values in given.items()}
    first, second = given.values()
    known, *statistics = label_statistics(first, second, gold, metric=kind)
    return {
        system: float(known.score(counted.sum(axis=0)))
        for system, counted in zip(given, statistics, strict=True)
    }
