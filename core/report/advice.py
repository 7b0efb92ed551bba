"""What the data say about tests on them, dataset by dataset."""

from __future__ import annotations

import numpy as np

from ..data import ResultSet
from ..significance import advise
from ..significance.choose import FEWEST_FOR_BOOTSTRAP
from ..types import FloatArray
from .formatting import list_names
from .testing import taken_apart_sentence

# Of more datasets with a remark of their own these are told one by one.
MOST_TOLD = 6


def advice_lines(
    results: ResultSet, *, a: str, b: str, metric: str, whole_clusters: bool = True
) -> list[str]:
    """Remarks on each dataset, those that several share told once; empty where there are none.

    None of them looks at which system is ahead, and none forbids a test.
    """
    told: dict[str, list[str]] = {}
    small: list[str] = []
    for dataset in results.datasets:
        advice = advise(
            _given(results, dataset, a, metric),
            _given(results, dataset, b, metric),
            gold=results.gold(dataset),
            kind=results.kind_of(metric),
            clusters=results.clusters_of(dataset) if whole_clusters else None,
            zero_one=results.has_outcomes(metric),
        )
        n = results.n_examples(dataset)
        for remark in advice.remarks:
            if remark.startswith(f"n = {n}: with fewer than"):
                small.append(dataset)
            else:
                told.setdefault(remark, []).append(dataset)
    lines = [f"{list_names(names)}: {remark}" for remark, names in told.items()]
    if len(lines) > MOST_TOLD:
        more = len(lines) - MOST_TOLD
        lines = [*lines[:MOST_TOLD], f"{more} more datasets have remarks of this kind."]
    if small:
        lines.append(
            f"{list_names(small)}: fewer than {FEWEST_FOR_BOOTSTRAP} examples, where the bootstrap's "
            "p-values are often too small (Søgaard et al. 2014). The other tests do not have that "
            "fault."
        )
    if results.clusters is not None and not whole_clusters:
        lines.insert(0, taken_apart_sentence(results.clusters.column))
    return lines


def _given(results: ResultSet, dataset: str, system: str, metric: str) -> FloatArray:
    """Scores or statistics; of metrics made of labels the labels, as what differs is asked."""
    if metric not in results.label_metrics or results.labels is None:
        return results.oriented(dataset, system, metric)
    codes = results.labels.predictions[results.datasets.index(dataset)]
    column = codes[:, results.systems.index(system)]
    return np.asarray(column, dtype=np.float64)[:, np.newaxis]
