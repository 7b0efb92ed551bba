"""Labels of classification that are given as text, system by system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.data.labels import CodeArray, Labels
from core.data.result_checks import shared_systems, side_by_side


def labels_of_texts(
    gold: Mapping[str, Sequence[str]], predictions: Mapping[str, Mapping[str, Sequence[str]]]
) -> tuple[tuple[str, ...], Labels]:
    """The systems, and the gold labels and predictions of each dataset of `gold`.

    Raises
    ------
    ValueError
        If the labels do not fit together.
    """
    datasets, systems = tuple(gold), shared_systems(predictions)
    if set(datasets) != set(predictions):
        raise ValueError("`gold` and `predictions` must have the same datasets.")
    positions: dict[str, int] = {}

    def codes(texts: Sequence[str]) -> CodeArray:
        return np.array([positions.setdefault(t, len(positions)) for t in texts], np.int32)

    coded_gold = tuple(codes(gold[dataset]) for dataset in datasets)
    coded = tuple(
        side_by_side(
            {s: codes(texts) for s, texts in predictions[dataset].items()}, systems, dataset
        ).astype(np.int32)
        for dataset in datasets
    )
    for dataset, right, predicted in zip(datasets, coded_gold, coded, strict=True):
        if right.shape[0] != predicted.shape[0]:
            raise ValueError(
                f"`predictions` of dataset {dataset!r} must be as many as the gold labels; "
                f"got {predicted.shape[0]} for {right.shape[0]}."
            )
    return systems, Labels(names=tuple(positions), gold=coded_gold, predictions=coded)
