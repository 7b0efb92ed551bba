"""What is known of each example: a number, a label compared with gold, or counted statistics.

Vocabulary
----------
gold
    The right label of each example.
metric
    "mean": scores are averaged as given. "accuracy": labels are compared with
    gold, one for right and zero for wrong; without gold, scores are 0/1 already.
    Other metrics are in the registry.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from ..types import FloatArray
from ..validation import check_choice, floats_of, is_missing
from .registry import StatisticMetric, statistic_metric

Metric = Literal["mean", "accuracy"]
METRICS: tuple[Metric, ...] = get_args(Metric)

LARGEST_SCORE = 1e150
LabelArray = npt.NDArray[np.object_]


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
