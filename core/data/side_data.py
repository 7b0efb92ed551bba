"""What is known of each example beside its scores: labels, inputs, clusters, covariates, runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..errors import DataError
from ..metrics.per_example import LabelMetric, too_many_labels
from ..types import FloatArray, Rebuilt
from ..validation import is_missing
from .result_checks import (
    checked_names,
    listed_names,
    name_parts,
    read_only,
    shared_systems,
    side_by_side,
)

CodeArray = npt.NDArray[np.int32]
TextArray = npt.NDArray[np.object_]


def _frozen(
    given: Iterable[npt.ArrayLike], dtype: npt.DTypeLike = np.int32
) -> tuple[npt.NDArray[Any], ...]:
    return tuple(read_only(own, dtype) for own in given)


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
        for part in ("gold", "predictions"):
            object.__setattr__(self, part, _frozen(getattr(self, part)))

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
        if metric.kind != "f1":
            size = {"n_classes": classes.size, "n_examples": gold.size}
            if problems := too_many_labels(metric.name, metric.kind, dataset, **size):
                raise DataError(problems)
        counted = metric.statistics(gold, predicted[:, column], classes)
        counted.flags.writeable = False
        return counted

    def texts(self, codes: CodeArray) -> TextArray:
        """The labels at these positions."""
        return texts_at(self.names, codes)


def labels_of_texts(
    gold: Mapping[str, Sequence[str]], predictions: Mapping[str, Mapping[str, Sequence[str]]]
) -> tuple[tuple[str, ...], Labels]:
    """The systems, and the gold labels and predictions of each dataset of `gold`."""
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
            object.__setattr__(self, part, _frozen(getattr(self, part)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleClusters(Rebuilt):
    """Which examples of a dataset belong together, such as the sentences of one document."""

    # The heading of the column that says so.
    column: str
    # Shape (n,): for each dataset one number an example: equal where examples are in the same
    # cluster. Numbers of different datasets have nothing to do with each other.
    codes: tuple[CodeArray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", _frozen(self.codes))


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
    numbered: CodeArray = pa.array(codes).dictionary_encode().indices.to_numpy()
    return numbered


def sorted_distinct(keys: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As `np.unique`, which takes twenty times as long on millions of different whole numbers."""
    ordered = np.sort(keys)
    first = np.ones(ordered.size, dtype=np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


CovariateKind = Literal["numeric", "categorical"]

# More different texts than this are no categories.
MOST_LEVELS = 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariate(Rebuilt):
    """What is known of each example beside scores, for splitting datasets by it: numbers or categories."""

    # Shape (n,): for each dataset numbers, nan where there is none; or positions in `levels`, -1
    # where an example has none.
    parts: tuple[npt.NDArray[Any], ...]
    # Its categories, all different, none empty; None of numbers.
    levels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        dtype = np.float64 if self.levels is None else np.int32
        object.__setattr__(self, "parts", _frozen(self.parts, dtype))

    @property
    def kind(self) -> CovariateKind:
        """Whether it holds numbers or categories."""
        return "numeric" if self.levels is None else "categorical"

    def values(self, index: int) -> FloatArray | TextArray:
        """What it says on the dataset at this position; nan or '' where missing."""
        # The last is what −1 points to.
        own = self.parts[index]
        return own if self.levels is None else texts_at((*self.levels, ""), own)

    def content(self) -> Iterator[bytes]:
        """What it says, as parts of a fingerprint."""
        yield self.kind.encode()
        yield from name_parts(self.levels or ())
        for own in self.parts:
            if self.levels is None:
                # Each nan is written by the same bytes.
                yield np.where(np.isnan(own), np.nan, own + 0.0).astype("<f8").tobytes()
            else:
                yield own.astype("<i4").tobytes()


def covariates_of_values(
    values: Mapping[str, Mapping[str, Sequence[object]]] | None, datasets: Sequence[str]
) -> dict[str, Covariate]:
    """Covariates by name, from a value for each example.

    A covariate is numeric where all that is given in it are numbers, else its
    values are categories, as text.

    None, nan and '' stand for a missing value; `datasets` are in the order of the results. Raises a
    `ValueError` if datasets differ in their covariates, or a value is infinite.
    """
    if not values:
        return {}
    if set(values) != set(datasets):
        raise ValueError("`covariates` must give the values of every dataset.")
    names = tuple(values[datasets[0]])
    for dataset in datasets:
        if set(values[dataset]) != set(names):
            raise ValueError(
                f"Every dataset must have the same covariates; {dataset!r} has "
                f"{listed_names(values[dataset])}, the first {listed_names(names)}."
            )
    covariates: dict[str, Covariate] = {}
    for name in names:
        given = [_as_given(values[dataset][name], name, dataset) for dataset in datasets]
        held = [value for own in given for value in own if value is not None]
        if all(_is_number(value) for value in held):
            parts = tuple(np.array(own, dtype=np.float64) for own in given)
            covariates[name] = Covariate(parts=parts)
            continue
        positions: dict[str, int] = {}
        coded = [
            [-1 if v is None else positions.setdefault(str(v), len(positions)) for v in own]
            for own in given
        ]
        parts = tuple(np.array(own, dtype=np.int32) for own in coded)
        covariates[name] = Covariate(parts=parts, levels=tuple(positions))
    return covariates


def _as_given(values: Sequence[object], name: str, dataset: str) -> list[object]:
    """The values of one dataset, None where there is none."""
    own = np.array(values, dtype=object)
    if own.ndim != 1 or np.ma.is_masked(values):
        raise ValueError(
            f"The covariate {name!r} of dataset {dataset!r} must hold one value an example."
        )
    return [None if is_missing(v) or v == "" else v for v in own.tolist()]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatedRuns(Rebuilt):
    """The scores of every run, beside the means over runs that a result set compares."""

    # The heading of the column that tells runs apart.
    column: str
    # For each system the names of its runs, in the order of the file.
    names: tuple[tuple[str, ...], ...]
    # Shape (n, n_runs): for each metric, dataset and system the scores as given, a column for each
    # run; None for a dataset of which not every example has every run.
    values: Mapping[str, tuple[tuple[FloatArray, ...] | None, ...]]

    def __post_init__(self) -> None:
        names = tuple(checked_names(own, name="runs") for own in self.names)
        object.__setattr__(self, "names", names)
        values = {
            metric: tuple(None if own is None else _frozen(own, np.float64) for own in per_dataset)
            for metric, per_dataset in self.values.items()
        }
        object.__setattr__(self, "values", MappingProxyType(values))

    def content(self) -> Iterator[bytes]:
        """What the runs say, as parts of a fingerprint."""
        yield b"runs"
        for own in self.names:
            yield from name_parts(own)
        for per_dataset in self.values.values():
            for arrays in per_dataset:
                yield b"none" if arrays is None else b"scores"
                for array in arrays or ():
                    yield array.astype("<f8").tobytes("F")
