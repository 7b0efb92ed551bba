"""A dataset with some of its examples, some of them perhaps more than once."""

from __future__ import annotations

from core.data.result_set import ResultSet
from core.types import IntArray


def with_examples(
    result_set: ResultSet, dataset: str, examples: IntArray, *, metric: str
) -> ResultSet:
    """One dataset and metric of a set, with the examples at these places.

    Raises
    ------
    ValueError
        If the metric is one of predicted labels, or examples come in clusters.
    """
    if metric not in result_set.metrics:
        raise ValueError(
            f"`metric` must be one that each example has a score of; got {metric!r}, which is "
            "made of all labels."
        )
    if result_set.clusters_of(dataset) is not None:
        raise ValueError(
            f"`dataset` must not come in clusters, as single examples are drawn; {dataset!r} does."
        )
    place = result_set.datasets.index(dataset)
    gold = result_set.gold_scores
    return ResultSet(
        datasets=(dataset,),
        systems=result_set.systems,
        values={metric: (result_set.values[metric][place][examples],)},
        higher_is_better={metric: result_set.higher_is_better[metric]},
        kinds={metric: result_set.kinds[metric]},
        gold_scores=None if gold is None else (gold[place][examples],),
        score_decimals=result_set.score_decimals,
    )
