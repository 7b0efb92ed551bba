"""What is known of each example: a number, a label compared with gold, or counted statistics.

Vocabulary
----------
gold
    The right label of each example.
metric
    "mean": scores are averaged as given. "accuracy": labels are compared with
    gold, one for right and zero for wrong; without gold, scores are 0/1 already.
    Other metrics of counts are in the registry; those of labels, macro-F1, Matthews' correlation and
    F1 of a class, are counted for each class, so that they are resampled as others are.

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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..errors import Problem
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice, floats_of, is_missing
from .registry import STATISTIC_METRICS, StatisticMetric, divided, is_counted, statistic_metric

Metric = Literal["mean", "accuracy"]
METRICS: tuple[Metric, ...] = get_args(Metric)

LARGEST_SCORE = 1e150
LabelArray = npt.NDArray[np.object_]
CodeArray = npt.NDArray[np.integer[Any]]


def per_example_scores(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    metric: Metric = "mean",
    gold: npt.ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Scores of both systems, one an example, in the same order.

    With `gold`, the right labels, for "accuracy" alone, `a` and `b` are labels.
    """
    check_choice(metric, METRICS, name="metric")
    if gold is not None:
        if metric != "accuracy":
            raise ValueError(f"`gold` is for metric 'accuracy'; got metric {metric!r}.")
        *predicted, right = labels_and_gold(a, b, gold)
        first, second = (np.asarray(labels == right, dtype=np.float64) for labels in predicted)
        return first, second
    scores_a, scores_b = _numbers(a, "a"), _numbers(b, "b")
    _check_same_length("a", scores_a.size, "b", scores_b.size)
    if metric == "accuracy":
        for name, scores in (("a", scores_a), ("b", scores_b)):
            others = other_than_binary(scores)
            if others:
                raise ValueError(
                    f"`{name}` must be 0 or 1 for metric 'accuracy' without `gold`; "
                    f"got {listed(others)}."
                )
    return scores_a, scores_b


def labels_and_gold(
    a: npt.ArrayLike, b: npt.ArrayLike, gold: npt.ArrayLike
) -> tuple[LabelArray, LabelArray, LabelArray]:
    """Labels of both systems and the gold ones, in the same order."""
    right = _labels(gold, "gold")
    pair = []
    for name, given in (("a", a), ("b", b)):
        labels = _labels(given, name)
        if _is_text(labels) != _is_text(right):
            raise ValueError(
                f"`{name}` and `gold` must both be text or both be numbers; "
                f"got {labels[0]!r} and {right[0]!r}."
            )
        _check_same_length(name, labels.size, "gold", right.size)
        pair.append(labels)
    return pair[0], pair[1], right


def per_example_statistics(
    a: npt.ArrayLike, b: npt.ArrayLike, *, metric: str | StatisticMetric
) -> tuple[FloatArray, FloatArray]:
    """Counted statistics of both systems, shapes (n, s), with columns in the registry's order."""
    known = statistic_metric(metric)
    names = known.statistics
    least = 0.0 if known.counts else -LARGEST_SCORE
    pair = []
    for name, given in (("a", a), ("b", b)):
        counted = floats_of(
            given, name=name, must=f"be numbers: {', '.join(names)} of each example", of="examples"
        )
        if counted.ndim != 2 or counted.shape[1] != len(names):
            raise ValueError(
                f"`{name}` must have shape (n, {len(names)}) for metric '{known.key}', its columns "
                f"{', '.join(names)}; got {counted.shape}."
            )
        if counted.shape[0] == 0:
            raise ValueError(f"`{name}` must hold at least one example; got none.")
        wrong = np.argwhere(~((counted >= least) & (counted <= LARGEST_SCORE)))
        if wrong.size:
            i, column = (int(position) for position in wrong[0])
            raise ValueError(
                f"`{name}` must hold finite numbers{' of at least 0' if known.counts else ''}; got "
                f"{float(counted[i, column])!r} as {names[column]} at index {i}."
            )
        pair.append(counted)
    _check_same_length("a", pair[0].shape[0], "b", pair[1].shape[0])
    return pair[0], pair[1]


def predictions_and_gold(
    a: npt.ArrayLike, b: npt.ArrayLike, gold: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Numeric predictions of both systems and the gold scores, in the same order."""
    if gold is None:
        raise ValueError("`gold` must be given where correlations with it are compared; got none.")
    scores_a, scores_b, right = _numbers(a, "a"), _numbers(b, "b"), _numbers(gold, "gold")
    _check_same_length("a", scores_a.size, "b", scores_b.size)
    _check_same_length("a", scores_a.size, "gold", right.size)
    return scores_a, scores_b, right


def other_than_binary(scores: FloatArray) -> tuple[float, ...]:
    """The values other than 0 and 1, in order, at most six of them."""
    others = np.unique(scores[(scores != 0.0) & (scores != 1.0)])
    return tuple(others[:6].tolist())


def listed(values: Iterable[float]) -> str:
    """Up to five numbers as text, and whether there are more."""
    texts = [f"{value:.10g}" for value in values]
    return ", ".join(texts[:5]) + (", …" if len(texts) > 5 else "")


def listed_labels(labels: LabelArray) -> str:
    """Up to five of the different labels as they come, and whether there are more."""
    different = list(dict.fromkeys(labels.tolist()))
    return ", ".join(repr(label) for label in different[:5]) + (", …" if len(different) > 5 else "")


def _numbers(given: npt.ArrayLike, name: str) -> FloatArray:
    must = "be numbers, one an example; labels need `gold` and metric 'accuracy'"
    scores = floats_of(given, name=name, must=must, of="examples")
    _check_shape(name, scores.shape)
    # Squares of larger ones would overflow.
    wrong = np.flatnonzero(~(np.abs(scores) <= LARGEST_SCORE))
    if wrong.size:
        raise ValueError(
            f"`{name}` must be finite numbers, none beyond {LARGEST_SCORE:g}; got {float(scores[wrong[0]])!r} at index "
            f"{int(wrong[0])}{f' and {wrong.size - 1} more' if wrong.size > 1 else ''}."
        )
    return scores


def _labels(given: npt.ArrayLike, name: str) -> LabelArray:
    # Objects compare as what they are: numpy would turn 1 beside "x" into "1".
    plain = given.tolist() if isinstance(given, np.ndarray) else given
    labels = np.array(plain, dtype=object)
    _check_shape(name, labels.shape)
    for i, label in enumerate(labels):
        if is_missing(label):
            raise ValueError(f"`{name}` must have a label for each example; none at index {i}.")
    return labels


def _is_text(labels: LabelArray) -> bool:
    return any(isinstance(label, str) for label in labels)


def _check_shape(name: str, shape: tuple[int, ...]) -> None:
    if len(shape) != 1:
        raise ValueError(f"`{name}` must be one-dimensional; got {len(shape)} dimensions.")
    if shape[0] == 0:
        raise ValueError(f"`{name}` must hold at least one example; got none.")


def _check_same_length(name: str, size: int, other: str, other_size: int) -> None:
    if size != other_size:
        raise ValueError(
            f"`{name}` and `{other}` must have one entry for each example, in the same order; "
            f"got {size} and {other_size}."
        )


# 128 MiB for one system's statistics; a test holds about six times as much.
MOST_NUMBERS = 1 << 24


def _macro_f1(sums: FloatArray) -> FloatArray:
    """A class that a system neither gives nor misses in a resample does not count for it."""
    by_class = sums.reshape(*sums.shape[:-1], sums.shape[-1] // 3, 3)
    tp, wrong = by_class[..., 0], by_class[..., 1] + by_class[..., 2]
    f1 = divided(2.0 * tp, 2.0 * tp + wrong)
    return divided(np.nansum(f1, axis=-1), np.isfinite(f1).sum(axis=-1))


def _matthews(sums: FloatArray) -> FloatArray:
    """For two classes or more (Gorodkin 2004, equation 8); undefined where all are of one class."""
    correct, (predicted, gold) = sums[..., 0], np.split(sums[..., 1:], 2, axis=-1)
    n = gold.sum(axis=-1)
    spread = (n**2 - (predicted**2).sum(axis=-1)) * (n**2 - (gold**2).sum(axis=-1))
    together = correct * n - (predicted * gold).sum(axis=-1)
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
    numbers = right.size * n_label_statistics(metric, len(numbered))
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"`gold` must have fewer labels or examples for metric '{metric}': {len(numbered):,} "
            f"labels on {right.size:,} examples are {numbers:,} numbers, above {MOST_NUMBERS:,}."
        )
    first, second = (_COUNTS[metric](own, right, n_classes=len(numbered)) for own in codes)
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
    counted = np.zeros((gold.size, 3 * n_classes))
    rows = np.arange(gold.size)
    right = predicted == gold
    counted[rows[right], 3 * gold[right]] = 1.0
    counted[rows[~right], 3 * predicted[~right] + 1] = 1.0
    counted[rows[~right], 3 * gold[~right] + 2] = 1.0
    return counted


def agreements(predicted: IntArray, gold: IntArray, *, n_classes: int) -> FloatArray:
    """Whether an example's label is right, and which class is predicted and gold, shape (n, 1 + 2·C)."""
    counted = np.zeros((gold.size, 1 + 2 * n_classes))
    rows = np.arange(gold.size)
    counted[:, 0] = predicted == gold
    counted[rows, 1 + predicted] = 1.0
    counted[rows, 1 + n_classes + gold] = 1.0
    return counted


_COUNTS = {"macro-f1": confusions, "mcc": agreements}


def n_label_statistics(metric: str, n_classes: int) -> int:
    """How many statistics an example has for one of `LABEL_METRICS`."""
    return 3 * n_classes if metric == "macro-f1" else 1 + 2 * n_classes


# More gold labels than a person would choose from in a list.
MOST_CLASSES = 12


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
        return _COUNTS[self.kind](own, right, n_classes=classes.size)

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

        def numbers(of: IntArray) -> IntArray:
            return np.bincount(of, minlength=classes.size)

        sums = np.concatenate([[np.count_nonzero(hit)], numbers(own), numbers(right)])
        if self.kind == "macro-f1":
            by_class = [numbers(right[hit]), numbers(own[~hit]), numbers(right[~hit])]
            sums = np.column_stack(by_class).ravel()
        return float(_OF_LABELS[self.kind].score(sums.astype(np.float64)))


def too_many_labels(
    metric: str, kind: str, dataset: str, *, n_classes: int, n_examples: int
) -> list[Problem]:
    """The problem where statistics of all labels would not fit in memory."""
    numbers = n_examples * n_label_statistics(kind, n_classes)
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
