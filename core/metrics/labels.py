"""Metrics of predicted labels: per-class F, macro-F1 and Matthews' correlation.

An example says which label is gold and which was predicted. Counted for each
class, that adds up over examples, so that these metrics are resampled as others
of counted statistics are.

Labels are kept as codes; a metric of labels is known by its name.

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

from ..errors import Problem
from ..types import BoolArray, FloatArray, IntArray
from .per_example import labels_and_gold, listed_labels
from .registry import STATISTIC_METRICS, StatisticMetric, divided, is_counted, statistic_metric

# 128 MiB for one system's statistics; a test holds about six times as much.
MOST_NUMBERS = 1 << 24
# Tp, fp and fn of each class.
N_COUNTED = 3


def _of_classes(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Summed tp, fp and fn of each class, shapes (…, C)."""
    by_class = sums.reshape(*sums.shape[:-1], sums.shape[-1] // N_COUNTED, N_COUNTED)
    return by_class[..., 0], by_class[..., 1], by_class[..., 2]


def _macro_f1(sums: FloatArray) -> FloatArray:
    """A class that a system neither gives nor misses in a resample does not count for it."""
    tp, fp, fn = _of_classes(sums)
    f1 = divided(2.0 * tp, 2.0 * tp + (fp + fn))
    return divided(np.nansum(f1, axis=-1), np.isfinite(f1).sum(axis=-1))


def _matthews(sums: FloatArray) -> FloatArray:
    """For two classes or more (Gorodkin 2004, equation 8); undefined where all are of one class."""
    tp, fp, fn = _of_classes(sums)
    predicted, gold = tp + fp, tp + fn
    n = gold.sum(axis=-1)
    spread = (n**2 - (predicted**2).sum(axis=-1)) * (n**2 - (gold**2).sum(axis=-1))
    together = tp.sum(axis=-1) * n - (predicted * gold).sum(axis=-1)
    return divided(together, np.sqrt(np.maximum(spread, 0.0)))


MACRO_F1, MCC = "macro-F1", "MCC"
# The metrics of all labels together; how many statistics they have depends on the labels.
_OF_LABELS = {
    metric.key: metric
    for metric in (
        StatisticMetric(
            key="macro-f1",
            name=MACRO_F1,
            statistics=(),
            higher_is_better=True,
            formula="mean of 2·tp / (2·tp + fp + fn) over the classes that are gold or predicted",
            score=_macro_f1,
            largest=1.0,
        ),
        StatisticMetric(
            key="mcc",
            name="Matthews' correlation",
            statistics=(),
            higher_is_better=True,
            formula="(c·n − Σ p·g) / √((n² − Σp²)(n² − Σg²)) (Gorodkin 2004)",
            score=_matthews,
            smallest=-1.0,
            largest=1.0,
        ),
    )
}
LABEL_METRICS: tuple[str, ...] = tuple(_OF_LABELS)


def summed_metric(kind: str) -> StatisticMetric | None:
    """The metric of summed counts that a kind is, of no labels yet where it counts them.

    None of means and correlations.
    """
    if kind in LABEL_METRICS:
        return _OF_LABELS[kind]
    return statistic_metric(kind) if is_counted(kind) else None


def label_statistics(
    a: npt.ArrayLike, b: npt.ArrayLike, gold: npt.ArrayLike | None, *, metric: str
) -> tuple[StatisticMetric, FloatArray, FloatArray]:
    """The metric for these labels and both systems' statistics, shape (n, s)."""
    if gold is None:
        raise ValueError(f"`gold` must be given for metric '{metric}', which compares labels.")
    numbered: dict[object, int] = {}
    *predicted, given = labels_and_gold(a, b, gold)
    right, *codes = (
        np.array([numbered.setdefault(label, len(numbered)) for label in labels], dtype=np.intp)
        for labels in (given, *predicted)
    )
    numbers = right.size * N_COUNTED * len(numbered)
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"`gold` must have fewer labels or examples for metric '{metric}': {len(numbered):,} "
            f"labels on {right.size:,} examples are {numbers:,} numbers, above {MOST_NUMBERS:,}."
        )
    first, second = (confusions(own, right, n_classes=len(numbered)) for own in codes)
    return _OF_LABELS[metric], first, second


def class_statistics(
    a: npt.ArrayLike, b: npt.ArrayLike, gold: npt.ArrayLike, *, positive: object
) -> tuple[FloatArray, FloatArray]:
    """Both systems' tp, fp and fn of one class, shape (n, 3).

    `positive`: the label that is looked for; one of the gold ones.
    """
    *predicted, right = labels_and_gold(a, b, gold)
    is_gold = np.asarray(right == positive, dtype=np.bool_)
    if not is_gold.any():
        raise ValueError(
            f"`positive` must be one of the gold labels, {listed_labels(right)}; got {positive!r}."
        )
    first, second = (np.asarray(own == positive, dtype=np.bool_) for own in predicted)
    return _of_one_class(is_gold, first), _of_one_class(is_gold, second)


def _of_one_class(is_gold: BoolArray, said: BoolArray) -> FloatArray:
    """Tp, fp and fn of each example, shape (n, 3)."""
    return np.column_stack([said & is_gold, said & ~is_gold, ~said & is_gold]).astype(np.float64)


def confusions(predicted: IntArray, gold: IntArray, *, n_classes: int) -> FloatArray:
    """Tp, fp and fn of every class on each example, shape (n, 3·C), from codes of classes, shape (n,)."""
    counted = np.zeros((gold.size, N_COUNTED * n_classes))
    rows = np.arange(gold.size)
    right = predicted == gold
    counted[rows[right], 3 * gold[right]] = 1.0
    counted[rows[~right], 3 * predicted[~right] + 1] = 1.0
    counted[rows[~right], 3 * gold[~right] + 2] = 1.0
    return counted


# More gold labels than a person would choose from in a list.
MOST_CLASSES = 12

CodeArray = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMetric:
    """A metric of predicted labels: "macro-F1", "MCC", or "F1 of" the label of this code."""

    name: str
    kind: str
    code: int | None = None

    def statistics(self, gold: CodeArray, predicted: CodeArray, classes: CodeArray) -> FloatArray:
        """One system's statistics on each example, shape (n, s), from codes of labels.

        `classes`: every code among them, in ascending order.
        """
        if self.kind == "f1":
            return _of_one_class(gold == self.code, predicted == self.code)
        right, own = np.searchsorted(classes, gold), np.searchsorted(classes, predicted)
        return confusions(own, right, n_classes=classes.size)

    def score(self, gold: CodeArray, predicted: CodeArray) -> float:
        """One system's score on one dataset, shapes (n,); nan where it is not defined."""
        if self.kind == "f1":
            if not (gold == self.code).any():
                return float("nan")
            sums = _of_one_class(gold == self.code, predicted == self.code).sum(axis=0)
            return float(STATISTIC_METRICS["f1"].score(sums))
        # Summed without a row for each example, which many labels would make wide.
        classes, codes = np.unique(np.concatenate([gold, predicted]), return_inverse=True)
        right, own = codes[: gold.size], codes[gold.size :]
        hit = right == own
        counts = [
            np.bincount(of, minlength=classes.size) for of in (right[hit], own[~hit], right[~hit])
        ]
        return float(
            _OF_LABELS[self.kind].score(np.column_stack(counts).ravel().astype(np.float64))
        )


def too_many_labels(metric: str, dataset: str, *, n_classes: int, n_examples: int) -> list[Problem]:
    """The problem where statistics of all labels would not fit in memory."""
    numbers = n_examples * N_COUNTED * n_classes
    if numbers <= MOST_NUMBERS:
        return []
    return [
        Problem(
            f"metric '{metric}' counts each label on each example: {n_classes:,} labels on "
            f"{n_examples:,} examples are {numbers:,} numbers, above {MOST_NUMBERS:,}.",
            "Choose accuracy for this dataset, or put rare labels together.",
            dataset=dataset,
        )
    ]


def label_metrics_of(names: Sequence[str], gold: Iterable[CodeArray]) -> dict[str, LabelMetric]:
    """The metrics that there are for the labels of these names, by name, from each dataset's gold.

    Macro-F1, MCC, and F1 of each gold label as they first appear, where there are at most 12.
    """
    metrics = [LabelMetric(name=MACRO_F1, kind="macro-f1"), LabelMetric(name=MCC, kind="mcc")]
    found: dict[int, None] = {}
    for codes in gold:
        different, places = np.unique(codes, return_index=True)
        found.update(dict.fromkeys(different[np.argsort(places)].tolist()))
        if len(found) > MOST_CLASSES:
            break
    else:
        metrics += [LabelMetric(name=f"F1 of {names[i]}", kind="f1", code=i) for i in found]
    return {metric.name: metric for metric in metrics}
