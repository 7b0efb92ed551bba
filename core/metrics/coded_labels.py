"""Metrics of labels that are kept as codes: which there are by name, statistics and scores.

Undefined cases
---------------
macro-F1
    The mean over the classes that are gold or predicted by the system somewhere
    on the dataset. A class that is neither does not count, so that there is a
    score on every dataset.
MCC
    nan where all gold labels, or all labels of the system, are the same: a
    correlation with a constant. Tools that print 0 there mean the same.
F1 of a class
    nan where the class is the gold label of no example, whatever is predicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import Problem
from core.metrics.labels import (
    LABEL_METRICS,
    MOST_NUMBERS,
    agreements,
    confusions,
    macro_f1,
    matthews,
    n_label_statistics,
)
from core.metrics.registry import STATISTIC_METRICS
from core.types import FloatArray, IntArray

MACRO_F1, MCC = "macro-F1", "MCC"
# More gold labels than a person would choose from in a list.
MOST_CLASSES = 12

CodeArray = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMetric:
    """A metric of predicted labels, by the name that a set of results gives it.

    Attributes
    ----------
    name : str
        "macro-F1", "MCC" or "F1 of" and a label.
    kind : str
        "macro-f1", "mcc" or "f1".
    code : int or None
        Of the label that "F1 of" names.
    """

    name: str
    kind: str
    code: int | None = None

    def n_statistics(self, n_classes: int) -> int:
        """How many statistics an example has where there are so many classes."""
        return 3 if self.kind == "f1" else n_label_statistics(self.kind, n_classes)

    def statistics(self, gold: CodeArray, predicted: CodeArray, classes: CodeArray) -> FloatArray:
        """One system's statistics on each example, shape (n, s).

        Parameters
        ----------
        gold, predicted : ndarray of int, shape (n,)
            Codes of labels.
        classes : ndarray of int, shape (C,)
            Every code among them, in ascending order.
        """
        if self.kind == "f1":
            is_gold, said = gold == self.code, predicted == self.code
            columns = [said & is_gold, said & ~is_gold, ~said & is_gold]
            return np.column_stack(columns).astype(np.float64)
        right, own = np.searchsorted(classes, gold), np.searchsorted(classes, predicted)
        count = confusions if self.kind == "macro-f1" else agreements
        return count(own, right, n_classes=classes.size)

    def score(self, gold: CodeArray, predicted: CodeArray) -> float:
        """One system's score on one dataset, shapes (n,); nan where it is not defined."""
        if self.kind == "f1":
            is_gold, said = gold == self.code, predicted == self.code
            if not is_gold.any():
                return float("nan")
            sums = [said & is_gold, said & ~is_gold, ~said & is_gold]
            counted = np.array([np.count_nonzero(part) for part in sums], dtype=np.float64)
            return float(STATISTIC_METRICS["f1"].score(counted))
        # Summed without a row for each example, which many labels would make wide.
        classes, codes = np.unique(np.concatenate([gold, predicted]), return_inverse=True)
        right, own = codes[: gold.size], codes[gold.size :]
        hit = right == own

        def numbers(of: IntArray) -> FloatArray:
            return np.bincount(of, minlength=classes.size).astype(np.float64)

        if self.kind == "macro-f1":
            by_class = [numbers(right[hit]), numbers(own[~hit]), numbers(right[~hit])]
            return float(macro_f1(classes.tolist()).score(np.column_stack(by_class).ravel()))
        counted = np.concatenate([[np.count_nonzero(hit)], numbers(own), numbers(right)])
        return float(matthews(classes.tolist()).score(counted))


def too_many_labels(
    metric: str, dataset: str, n_classes: int, n_examples: int, numbers: int
) -> Problem:
    """What is said where statistics would not fit in memory."""
    return Problem(
        what=(
            f"metric '{metric}' counts each label on each example: {n_classes:,} labels on "
            f"{n_examples:,} examples are {numbers:,} numbers, above {MOST_NUMBERS:,}."
        ),
        remedy="Choose accuracy for this dataset, or put rare labels together.",
        dataset=dataset,
    )


def label_metrics_of(names: Sequence[str], gold: Iterable[CodeArray]) -> dict[str, LabelMetric]:
    """The metrics that there are for these labels, by name.

    Parameters
    ----------
    names : sequence of str
        Every label, at the place of its code.
    gold : iterable of ndarray of int, shape (n,)
        Each dataset's gold labels.

    Returns
    -------
    dict of str to LabelMetric
        macro-F1 and MCC, then F1 of each gold label as they first appear, where
        there are at most 12 of them.
    """
    metrics = [LabelMetric(name=MACRO_F1, kind="macro-f1"), LabelMetric(name=MCC, kind="mcc")]
    assert {metric.kind for metric in metrics} == set(LABEL_METRICS)
    found: dict[int, None] = {}
    for codes in gold:
        different, places = np.unique(codes, return_index=True)
        found.update(dict.fromkeys(different[np.argsort(places)].tolist()))
        if len(found) > MOST_CLASSES:
            break
    else:
        metrics += [LabelMetric(name=f"F1 of {names[i]}", kind="f1", code=i) for i in found]
    return {metric.name: metric for metric in metrics}
