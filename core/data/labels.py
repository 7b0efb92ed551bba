"""What is known of each example beside scores: labels, its cluster, and equal inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..metrics.labels import MOST_NUMBERS, LabelMetric, too_many_labels
from ..types import FloatArray, Rebuilt
from ..validation import is_missing

CodeArray = npt.NDArray[np.int32]
TextArray = npt.NDArray[np.object_]


def frozen(
    given: Sequence[npt.ArrayLike], dtype: type[np.float64] | type[np.int32]
) -> tuple[npt.NDArray[Any], ...]:
    """Copies of arrays that nobody can change, without a -0."""
    arrays: list[npt.NDArray[Any]] = [np.array(own, dtype=dtype, order="F") for own in given]
    for array in arrays:
        array += 0
        array.flags.writeable = False
    return tuple(arrays)


def texts_at(names: Sequence[str], codes: CodeArray) -> TextArray:
    """The names at these positions, read-only."""
    texts: TextArray = np.array(names, dtype=np.object_)[codes]
    texts.flags.writeable = False
    return texts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """Gold labels and predictions, each label kept once."""

    # Every label, all different.
    names: tuple[str, ...]
    # Shape (n,): for each dataset, positions in `names`.
    gold: tuple[CodeArray, ...]
    # Shape (n, n_systems): for each dataset, positions in `names`.
    predictions: tuple[CodeArray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        if len(set(self.names)) != len(self.names):
            raise ValueError("`names` of labels must all differ.")
        for part in ("gold", "predictions"):
            codes = frozen(getattr(self, part), np.int32)
            for array in codes:
                if array.size and not 0 <= array.min() <= array.max() < len(self.names):
                    raise ValueError(f"`{part}` must be positions in the labels' names.")
            object.__setattr__(self, part, codes)

    def correctness(self) -> tuple[FloatArray, ...]:
        """For each dataset 1 where a prediction is the gold label, else 0; (n, n_systems)."""
        return tuple(
            (predicted == gold[:, np.newaxis]).astype(np.float64)
            for gold, predicted in zip(self.gold, self.predictions, strict=True)
        )

    def statistics(
        self, metric: LabelMetric, index: int, column: int, *, dataset: str
    ) -> FloatArray:
        """A metric's statistics of one system on one dataset, shape (n, s), read-only.

        Raises `DataError` if there would be too many; `dataset` is the name that it says.
        """
        gold, predicted = self.gold[index], self.predictions[index]
        classes = np.unique(np.concatenate([gold, predicted.ravel()]))
        n_classes = int(classes.size)
        numbers = gold.size * metric.n_statistics(n_classes)
        if numbers > MOST_NUMBERS:
            raise DataError([too_many_labels(metric.name, dataset, n_classes, gold.size, numbers)])
        counted = metric.statistics(gold, predicted[:, column], classes)
        counted.flags.writeable = False
        return counted

    def texts(self, codes: CodeArray) -> TextArray:
        """The labels at these positions."""
        return texts_at(self.names, codes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """Which examples have the same input, over all datasets; the texts are not kept."""

    # The columns that make up the input.
    columns: tuple[str, ...]
    # Shape (n,): for each dataset one number an example: equal where all columns are equal, -1
    # where they are all empty.
    codes: tuple[CodeArray, ...]
    # For each dataset the different texts of its examples, whichever column they stand in, as
    # numbers that are equal where the texts are; () where one column makes up the whole input.
    texts: tuple[CodeArray, ...] = ()
    # The columns that these stand in.
    text_columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "text_columns", tuple(self.text_columns))
        for part in ("codes", "texts"):
            object.__setattr__(self, part, frozen(getattr(self, part), np.int32))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleClusters(Rebuilt):
    """Which examples of a dataset belong together, such as the sentences of one document."""

    # The heading of the column that says so.
    column: str
    # Shape (n,): for each dataset one number an example: equal where examples are in the same
    # cluster. Numbers of different datasets have nothing to do with each other.
    codes: tuple[CodeArray, ...]

    def __post_init__(self) -> None:
        codes = tuple(np.array(given) for given in self.codes)
        if any(array.dtype.kind not in "iu" for array in codes):
            raise ValueError("`codes` of clusters must be whole numbers.")
        object.__setattr__(self, "codes", frozen(codes, np.int32))


def clusters_of_labels(
    labels: Mapping[str, Sequence[object]] | None, datasets: Sequence[str]
) -> ExampleClusters | None:
    """Clusters from a label for each example, text or numbers; None without labels.

    Raises `ValueError` if they are of other datasets, or an example has none.
    """
    if labels is None:
        return None
    if set(labels) != set(datasets):
        raise ValueError("`clusters` must give the labels of every dataset.")
    coded = []
    for dataset in datasets:
        own = np.array(labels[dataset], dtype=object)
        if own.ndim != 1 or np.ma.is_masked(labels[dataset]):
            raise ValueError(f"`clusters` of dataset {dataset!r} must hold one label an example.")
        for place, label in enumerate(own.tolist()):
            if is_missing(label) or label == "":
                raise ValueError(
                    f"`clusters` of dataset {dataset!r} must have a label for each example; none "
                    f"at index {place}."
                )
        positions = {label: place for place, label in enumerate(dict.fromkeys(own.tolist()))}
        coded.append(np.array([positions[label] for label in own.tolist()], dtype=np.int32))
    return ExampleClusters(column="cluster", codes=tuple(coded))


def numbered_by_first(codes: npt.NDArray[np.integer]) -> CodeArray:
    """The same groups numbered 0, 1, 2… by their first members."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    numbers = np.empty(first.size, dtype=np.int32)
    numbers[np.argsort(first)] = np.arange(first.size)
    numbered: CodeArray = numbers[inverse]
    return numbered
