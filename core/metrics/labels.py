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

LABEL_METRICS: tuple[str, ...] = ("macro-f1", "mcc")
# 128 MiB for one system's statistics; a test holds about six times as much.
MOST_NUMBERS = 1 << 24


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
    names = tuple(numbered)
    of_labels, count = _KINDS[metric]
    known = of_labels(names)
    numbers = right.size * len(known.statistics)
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"`gold` must have fewer labels or examples for metric '{metric}': {len(names):,} "
            f"labels on {right.size:,} examples are {numbers:,} numbers, above {MOST_NUMBERS:,}."
        )
    first, second = (count(own, right, n_classes=len(names)) for own in codes)
    return known, first, second


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


def summed_metric(kind: str) -> StatisticMetric | None:
    """The metric of summed counts that a kind is, of no labels yet where it counts them.

    None of means and correlations.
    """
    if kind in LABEL_METRICS:
        return _KINDS[kind][0](())
    return statistic_metric(kind) if is_counted(kind) else None


def _of_one_class(is_gold: BoolArray, said: BoolArray) -> FloatArray:
    """Tp, fp and fn of each example, shape (n, 3)."""
    return np.column_stack([said & is_gold, said & ~is_gold, ~said & is_gold]).astype(np.float64)


def macro_f1(labels: Sequence[object]) -> StatisticMetric:
    """Macro-F1 over the classes with these labels, from tp, fp and fn of each.

    A class that a system neither gives nor misses in a resample does not count for that system.
    """
    n_classes = len(labels)

    def score(sums: FloatArray) -> FloatArray:
        by_class = sums.reshape(*sums.shape[:-1], n_classes, 3)
        tp, wrong = by_class[..., 0], by_class[..., 1] + by_class[..., 2]
        # Undefined for a class that is neither gold nor predicted.
        f1 = divided(2.0 * tp, 2.0 * tp + wrong)
        return divided(np.nansum(f1, axis=-1), np.isfinite(f1).sum(axis=-1))

    return StatisticMetric(
        key="macro-f1",
        name="macro-F1",
        statistics=tuple(f"{what} of {label}" for label in labels for what in ("tp", "fp", "fn")),
        higher_is_better=True,
        formula="mean of 2·tp / (2·tp + fp + fn) over the classes that are gold or predicted",
        score=score,
        largest=1.0,
    )


def matthews(labels: Sequence[object]) -> StatisticMetric:
    """Matthews' correlation, for two classes or more (Gorodkin 2004, equation 8).

    Statistics are whether the label is right, c, and of each class whether it is predicted, p,
    and whether it is gold, g. Undefined where all are of one class.
    """
    n_classes = len(labels)

    def score(sums: FloatArray) -> FloatArray:
        correct = sums[..., 0]
        predicted, gold = sums[..., 1 : 1 + n_classes], sums[..., 1 + n_classes :]
        n = gold.sum(axis=-1)
        spread = (n**2 - (predicted**2).sum(axis=-1)) * (n**2 - (gold**2).sum(axis=-1))
        together = correct * n - (predicted * gold).sum(axis=-1)
        return divided(together, np.sqrt(np.maximum(spread, 0.0)))

    return StatisticMetric(
        key="mcc",
        name="Matthews' correlation",
        statistics=(
            "correct",
            *(f"predicted {label}" for label in labels),
            *(f"gold {label}" for label in labels),
        ),
        higher_is_better=True,
        formula="(c·n − Σ p·g) / √((n² − Σp²)(n² − Σg²)) (Gorodkin 2004)",
        score=score,
        smallest=-1.0,
        largest=1.0,
    )


def n_label_statistics(metric: str, n_classes: int) -> int:
    """How many statistics an example has for one of `LABEL_METRICS`."""
    return 3 * n_classes if metric == "macro-f1" else 1 + 2 * n_classes


def confusions(predicted: IntArray, gold: IntArray, *, n_classes: int) -> FloatArray:
    """The statistics of `macro_f1`, shape (n, 3·C), from codes of classes, shape (n,)."""
    counted = np.zeros((gold.size, 3 * n_classes))
    rows = np.arange(gold.size)
    right = predicted == gold
    counted[rows[right], 3 * gold[right]] = 1.0
    counted[rows[~right], 3 * predicted[~right] + 1] = 1.0
    counted[rows[~right], 3 * gold[~right] + 2] = 1.0
    return counted


def agreements(predicted: IntArray, gold: IntArray, *, n_classes: int) -> FloatArray:
    """The statistics of `matthews`, shape (n, 1 + 2·C), from codes of classes, shape (n,)."""
    counted = np.zeros((gold.size, 1 + 2 * n_classes))
    rows = np.arange(gold.size)
    counted[:, 0] = predicted == gold
    counted[rows, 1 + predicted] = 1.0
    counted[rows, 1 + n_classes + gold] = 1.0
    return counted


# Of each kind the metric of some labels, and what counts its statistics.
_KINDS = {"macro-f1": (macro_f1, confusions), "mcc": (matthews, agreements)}
MACRO_F1, MCC = "macro-F1", "MCC"
# More gold labels than a person would choose from in a list.
MOST_CLASSES = 12

CodeArray = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMetric:
    """A metric of predicted labels: "macro-F1", "MCC", or "F1 of" the label of this code."""

    name: str
    kind: str
    code: int | None = None

    def n_statistics(self, n_classes: int) -> int:
        """How many statistics an example has where there are so many classes."""
        return 3 if self.kind == "f1" else n_label_statistics(self.kind, n_classes)

    def statistics(self, gold: CodeArray, predicted: CodeArray, classes: CodeArray) -> FloatArray:
        """One system's statistics on each example, shape (n, s), from codes of labels.

        `classes`: every code among them, in ascending order.
        """
        if self.kind == "f1":
            return _of_one_class(gold == self.code, predicted == self.code)
        right, own = np.searchsorted(classes, gold), np.searchsorted(classes, predicted)
        return _KINDS[self.kind][1](own, right, n_classes=classes.size)

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
    """The problem where statistics would not fit in memory."""
    return Problem(
        what=(
            f"metric '{metric}' counts each label on each example: {n_classes:,} labels on "
            f"{n_examples:,} examples are {numbers:,} numbers, above {MOST_NUMBERS:,}."
        ),
        remedy="Choose accuracy for this dataset, or put rare labels together.",
        dataset=dataset,
    )


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
