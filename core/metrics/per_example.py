"""Per-example scores: numbers as they are, or labels compared with gold.

Vocabulary
----------
gold
    The right label of each example.
metric
    "mean": scores are averaged as given. "accuracy": labels are compared with
    gold, one for right and zero for wrong; without gold, scores are 0/1 already.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.types import FloatArray
from core.validation import check_choice

Metric = Literal["mean", "accuracy"]
METRICS: tuple[Metric, ...] = get_args(Metric)

LARGEST_SCORE = 1e150


def per_example_scores(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    metric: Metric = "mean",
    gold: npt.ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Scores of both systems, one an example, in the same order.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores; labels where `gold` is given.
    metric : {"mean", "accuracy"}
        What is averaged over examples.
    gold : array_like, shape (n,), optional
        The right labels, for "accuracy" only.

    Returns
    -------
    (ndarray, ndarray), shapes (n,)

    Raises
    ------
    ValueError
        If lengths differ, an array is empty or not one-dimensional, a score is
        no finite number, a label is missing, or labels are numbers on one side
        and text on the other.
    """
    check_choice(metric, METRICS, name="metric")
    if gold is not None:
        if metric != "accuracy":
            raise ValueError(f"`gold` is for metric 'accuracy'; got metric {metric!r}.")
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
            pair.append(np.asarray(labels == right, dtype=np.float64))
        return pair[0], pair[1]
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


def other_than_binary(scores: FloatArray) -> tuple[float, ...]:
    """The values other than 0 and 1, in order, at most six of them."""
    others = np.unique(scores[(scores != 0.0) & (scores != 1.0)])
    return tuple(others[:6].tolist())


def listed(values: Iterable[float]) -> str:
    """Up to five numbers as text, and whether there are more."""
    texts = [f"{value:.10g}" for value in values]
    return ", ".join(texts[:5]) + (", …" if len(texts) > 5 else "")


def _numbers(given: npt.ArrayLike, name: str) -> FloatArray:
    if np.ma.is_masked(given):
        raise ValueError(f"`{name}` must have no masked entries: leave those examples out.")
    try:
        scores = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"`{name}` must be numbers, one an example; labels need `gold` and metric 'accuracy'."
        ) from None
    _check_shape(name, scores.shape)
    # Squares of larger ones would overflow.
    wrong = np.flatnonzero(~(np.abs(scores) <= LARGEST_SCORE))
    if wrong.size:
        raise ValueError(
            f"`{name}` must be finite numbers, none beyond {LARGEST_SCORE:g}; got {float(scores[wrong[0]])!r} at index "
            f"{int(wrong[0])}{f' and {wrong.size - 1} more' if wrong.size > 1 else ''}."
        )
    return scores


def _labels(given: npt.ArrayLike, name: str) -> npt.NDArray[np.object_]:
    # Objects compare as what they are: numpy would turn 1 beside "x" into "1".
    plain = given.tolist() if isinstance(given, np.ndarray) else given
    labels = np.array(plain, dtype=object)
    _check_shape(name, labels.shape)
    for i, label in enumerate(labels):
        # Only nan differs from itself.
        if label is None or label != label:
            raise ValueError(f"`{name}` must have a label for each example; none at index {i}.")
    return labels


def _is_text(labels: npt.NDArray[np.object_]) -> bool:
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
