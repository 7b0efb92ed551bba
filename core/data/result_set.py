"""Scores of several systems on every example of every dataset.

Vocabulary
----------
as given
    Scores as the file has them; nothing is turned, scaled or filled in.
oriented
    Turned so that a higher score is the better one. Only `ResultSet.oriented`
    turns scores.
labels
    What is compared in classification: the gold label and each prediction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.names import checked_names
from core.data.provenance import Reading
from core.metrics.registry import CORRELATIONS, KINDS, MEAN, aggregate, n_statistics
from core.types import FloatArray
from core.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

CodeArray = npt.NDArray[np.int32]
TextArray = npt.NDArray[np.object_]

# Of a set that is not read from a file: count the decimals of its values.
_COUNTED = -1
# A float has no more that say anything.
_MOST_DECIMALS = 17
_ALL_WHOLE = 2.0**53


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """Gold labels and predictions, each label kept once.

    Attributes
    ----------
    names : tuple of str
        Every label, all different.
    gold : tuple of ndarray of int, shape (n,)
        For each dataset, positions in `names`.
    predictions : tuple of ndarray of int, shape (n, n_systems)
        For each dataset, positions in `names`.
    """

    names: tuple[str, ...]
    gold: tuple[CodeArray, ...]
    predictions: tuple[CodeArray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        if len(set(self.names)) != len(self.names):
            raise ValueError("`names` of labels must all differ.")
        for part in ("gold", "predictions"):
            codes = tuple(np.array(c, dtype=np.int32, order="F") for c in getattr(self, part))
            for array in codes:
                if array.size and not 0 <= array.min() <= array.max() < len(self.names):
                    raise ValueError(f"`{part}` must be positions in the labels' names.")
                array.flags.writeable = False
            object.__setattr__(self, part, codes)

    def correctness(self) -> tuple[FloatArray, ...]:
        """For each dataset 1 where a prediction is the gold label, else 0; (n, n_systems)."""
        return tuple(
            (predicted == gold[:, np.newaxis]).astype(np.float64)
            for gold, predicted in zip(self.gold, self.predictions, strict=True)
        )

    def texts(self, codes: CodeArray) -> TextArray:
        """The labels at these positions."""
        names = np.empty(len(self.names), dtype=np.object_)
        names[:] = self.names
        texts: TextArray = names[codes]
        texts.flags.writeable = False
        return texts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """Which examples have the same input, over all datasets; the texts are not kept.

    Attributes
    ----------
    columns : tuple of str
        The columns that make up the input.
    codes : tuple of ndarray of int, shape (n,)
        For each dataset one number an example: equal where all columns are
        equal, -1 where they are all empty.
    """

    columns: tuple[str, ...]
    codes: tuple[CodeArray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        codes = tuple(np.array(given, dtype=np.int32) for given in self.codes)
        for array in codes:
            array.flags.writeable = False
        object.__setattr__(self, "codes", codes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResultSet:
    """Per-example scores of two or more systems on N datasets, paired by example.

    Attributes
    ----------
    datasets, systems : tuple of str
        Their names, all different, in the order of the file.
    values : mapping of str to tuple of ndarray
        For each metric one array for each dataset, shape (n, n_systems), or
        (n, n_systems, s) where an example has s statistics: as given, all
        finite. `scores` and `oriented` give a system's.
    higher_is_better : mapping of str to bool
        For each metric whether a higher score is the better one.
    example_ids : tuple of pyarrow arrays of strings, or None
        For each dataset the ids of its examples, as text and all different.
        `examples` gives them as strings.
    labels : Labels or None
        Gold labels and predictions, where the scores come from them.
    score_decimals : int
        The most decimals that a score is given with; 0 for 0/1. By default
        counted from the values.
    kinds : mapping of str to str
        For each metric its kind in `core.metrics.registry`; "mean" unless given.
    gold_scores : tuple of ndarray, shape (n,), or None
        For each dataset gold numbers that the systems' scores are to be
        correlated with.
    inputs : Inputs or None
        Which examples have the same text or other input, for finding overlap.
    reading : Reading or None
        How the scores came out of their file.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    values: Mapping[str, tuple[FloatArray, ...]]
    higher_is_better: Mapping[str, bool]
    example_ids: tuple[Any, ...] | None = None
    labels: Labels | None = None
    score_decimals: int = _COUNTED
    kinds: Mapping[str, str] = field(default_factory=dict)
    gold_scores: tuple[FloatArray, ...] | None = None
    inputs: Inputs | None = None
    reading: Reading | None = None
    _positions: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _fingerprint: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "datasets", checked_names(self.datasets, name="datasets"))
        object.__setattr__(self, "systems", checked_names(self.systems, name="systems"))
        self._positions.update((name, index) for index, name in enumerate(self.datasets))
        checked_names(self.values, name="metrics")
        if set(self.higher_is_better) != set(self.values):
            raise ValueError(
                "`higher_is_better` must say it for each metric of `values`; "
                f"got {_listed(self.higher_is_better)} for {_listed(self.values)}."
            )
        kinds = {metric: self.kinds.get(metric, MEAN) for metric in self.values}
        for metric, kind in kinds.items():
            check_choice(kind, KINDS, name=f"kinds[{metric!r}]")
        object.__setattr__(self, "kinds", MappingProxyType(kinds))
        values = {metric: self._checked_scores(metric) for metric in self.values}
        object.__setattr__(self, "values", MappingProxyType(values))
        directions = {metric: bool(self.higher_is_better[metric]) for metric in values}
        object.__setattr__(self, "higher_is_better", MappingProxyType(directions))
        object.__setattr__(self, "example_ids", self._checked_ids())
        object.__setattr__(self, "gold_scores", self._checked_gold_scores())
        self._check_labels()
        self._check_inputs()
        if self.score_decimals == _COUNTED:
            arrays = (array for per_dataset in values.values() for array in per_dataset)
            object.__setattr__(self, "score_decimals", _decimals(arrays))

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that a copy's arrays are read-only as
        # well; mapping proxies cannot be pickled.
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.init}
        mappings = {name: dict(values[name]) for name in ("values", "higher_is_better", "kinds")}
        return partial(ResultSet, **{**values, **mappings}), ()

    @classmethod
    def from_scores(
        cls,
        scores: Mapping[str, Mapping[str, npt.ArrayLike]],
        *,
        metric: str = "score",
        higher_is_better: bool = True,
        examples: Mapping[str, Iterable[str]] | None = None,
    ) -> ResultSet:
        """Make a set from arrays.

        Parameters
        ----------
        scores : mapping of dataset to mapping of system to array_like, shape (n,)
            Every dataset has the same systems, in any order.
        metric : str
            Name of the scores' metric.
        higher_is_better : bool
            Whether a higher score is the better one.
        examples : mapping of dataset to ids, optional
            Ids of the examples.

        Raises
        ------
        ValueError
            If the arrays do not fit together or a score is not finite.
        """
        datasets, systems = tuple(scores), _shared_systems(scores)
        return cls(
            datasets=datasets,
            systems=systems,
            values={metric: tuple(_side_by_side(scores[d], systems, d) for d in datasets)},
            higher_is_better={metric: higher_is_better},
            example_ids=_in_order(examples, datasets),
        )

    @classmethod
    def from_predictions(
        cls,
        gold: Mapping[str, Sequence[str]],
        predictions: Mapping[str, Mapping[str, Sequence[str]]],
        *,
        metric: str = "accuracy",
        examples: Mapping[str, Iterable[str]] | None = None,
    ) -> ResultSet:
        """Make a set from labels; the score is 1 where a prediction is the gold label.

        Parameters
        ----------
        gold : mapping of dataset to labels
            The right labels.
        predictions : mapping of dataset to mapping of system to labels
            Every dataset has the same systems, in any order.
        metric : str
            Name of the 0/1 score.
        examples : mapping of dataset to ids, optional
            Ids of the examples.

        Raises
        ------
        ValueError
            If the labels do not fit together.
        """
        datasets, systems = tuple(gold), _shared_systems(predictions)
        if set(datasets) != set(predictions):
            raise ValueError("`gold` and `predictions` must have the same datasets.")
        positions: dict[str, int] = {}

        def codes(texts: Sequence[str]) -> CodeArray:
            return np.array([positions.setdefault(t, len(positions)) for t in texts], np.int32)

        coded_gold = tuple(codes(gold[dataset]) for dataset in datasets)
        coded = tuple(
            _side_by_side(
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
        labels = Labels(names=tuple(positions), gold=coded_gold, predictions=coded)
        return cls(
            datasets=datasets,
            systems=systems,
            values={metric: labels.correctness()},
            higher_is_better={metric: True},
            example_ids=_in_order(examples, datasets),
            labels=labels,
        )

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics; the first is the default."""
        return tuple(self.values)

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of what the file says.

        Names of datasets and systems, ids, labels or scores, in their order.
        What is declared about them does not count: the metric's name and
        whether higher is better.
        """
        if not self._fingerprint:
            digest = sha256()
            for part in self._content():
                digest.update(len(part).to_bytes(8, "little"))
                digest.update(part)
            object.__setattr__(self, "_fingerprint", digest.hexdigest())
        return self._fingerprint

    def scores(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """Scores of one system on one dataset as given, shape (n,) or (n, s), read-only.

        Raises
        ------
        ValueError
            If there is no such dataset, system or metric.
        """
        values = self.values[self._metric(metric)][self._dataset(dataset)]
        return values[:, self._system(system)]

    def score(self, dataset: str, system: str, metric: str | None = None) -> float:
        """One system's score on one dataset as given; nan where it is not defined.

        Raises
        ------
        ValueError
            If there is no such dataset, system or metric.
        """
        scores = self.scores(dataset, system, metric)
        gold = None if self.gold_scores is None else self.gold_scores[self._dataset(dataset)]
        return aggregate(self.kinds[self._metric(metric)], scores, gold=gold)

    def oriented(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """As `scores`, turned so that higher is better.

        Statistics are given as they are: the metric's score is what is turned.

        Raises
        ------
        ValueError
            If there is no such dataset, system or metric.
        """
        scores = self.scores(dataset, system, metric)
        if self.higher_is_better[self._metric(metric)] or scores.ndim > 1:
            return scores
        # 0 − x, as −x would make a zero negative.
        turned: FloatArray = 0.0 - scores
        turned.flags.writeable = False
        return turned

    def gold(self, dataset: str) -> TextArray | FloatArray | None:
        """Gold labels (an object array of str) or numbers of one dataset; None without gold.

        Raises
        ------
        ValueError
            If there is no such dataset.
        """
        index = self._dataset(dataset)
        if self.gold_scores is not None:
            return self.gold_scores[index]
        return None if self.labels is None else self.labels.texts(self.labels.gold[index])

    def predictions(self, dataset: str, system: str) -> TextArray | None:
        """Labels that one system gave, an object array of str, or None where there are none.

        Raises
        ------
        ValueError
            If there is no such dataset or system.
        """
        index, column = self._dataset(dataset), self._system(system)
        if self.labels is None:
            return None
        return self.labels.texts(self.labels.predictions[index][:, column])

    def examples(self, dataset: str) -> tuple[str, ...] | None:
        """Ids of one dataset's examples as text, or None where there are none.

        Raises
        ------
        ValueError
            If there is no such dataset.
        """
        index = self._dataset(dataset)
        return None if self.example_ids is None else tuple(self.example_ids[index].to_pylist())

    def n_examples(self, dataset: str) -> int:
        """Number of one dataset's examples.

        Raises
        ------
        ValueError
            If there is no such dataset.
        """
        index = self._dataset(dataset)
        return int(self.values[self.metrics[0]][index].shape[0])

    def is_binary(self, dataset: str, metric: str | None = None) -> bool:
        """Whether every system's scores on one dataset are 0 or 1, and no counts.

        Raises
        ------
        ValueError
            If there is no such dataset or metric.
        """
        values = self.values[self._metric(metric)][self._dataset(dataset)]
        if self.kinds[self._metric(metric)] != MEAN:
            return False
        return bool(((values == 0.0) | (values == 1.0)).all())

    def to_frame(self) -> pd.DataFrame:
        """A row for each dataset, metric and system: number of examples and score."""
        import pandas as pd

        rows = [
            (dataset, system, metric, self.n_examples(dataset), self.score(dataset, system, metric))
            for dataset in self.datasets
            for metric in self.metrics
            for system in self.systems
        ]
        return pd.DataFrame(rows, columns=["dataset", "system", "metric", "n_examples", "score"])

    def _dataset(self, name: str) -> int:
        if name not in self._positions:
            check_choice(name, self.datasets, name="dataset")
        return self._positions[name]

    def _system(self, name: str) -> int:
        return self.systems.index(check_choice(name, self.systems, name="system"))

    def _metric(self, name: str | None) -> str:
        if name is None:
            return self.metrics[0]
        return check_choice(name, self.metrics, name="metric")

    def _checked_scores(self, metric: str) -> tuple[FloatArray, ...]:
        given = tuple(self.values[metric])
        self._check_length("values", len(given))
        n_counted = n_statistics(self.kinds[metric])
        beyond = () if n_counted is None else (n_counted,)
        checked = []
        for index, (dataset, array) in enumerate(zip(self.datasets, given, strict=True)):
            scores = _own_scores(array)
            expected = (len(self.systems), *beyond)
            if scores.ndim != 1 + len(expected) or scores.shape[1:] != expected:
                raise ValueError(
                    f"`values` of dataset {dataset!r} must have the shape "
                    f"(n, {', '.join(map(str, expected))}); got {scores.shape}."
                )
            if scores.shape[0] == 0:
                raise ValueError(f"`values` of dataset {dataset!r} must have an example; got none.")
            first = next(iter(self.values.values()))[index]
            if scores.shape[0] != np.shape(first)[0]:
                raise ValueError(
                    f"`values` of dataset {dataset!r} must have as many examples for every metric;"
                    f" got {np.shape(first)[0]} and {scores.shape[0]}."
                )
            if not np.isfinite(scores).all():
                raise ValueError(f"`values` of dataset {dataset!r} must be finite.")
            scores.flags.writeable = False
            checked.append(scores)
        return tuple(checked)

    def _checked_ids(self) -> tuple[Any, ...] | None:
        if self.example_ids is None:
            return None
        given = tuple(self.example_ids)
        self._check_length("example_ids", len(given))
        checked = []
        for dataset, ids in zip(self.datasets, given, strict=True):
            array = ids if isinstance(ids, pa.StringArray) else pa.array(ids, type=pa.string())
            if len(array) != self.n_examples(dataset):
                raise ValueError(
                    f"`example_ids` of dataset {dataset!r} must hold one for each of "
                    f"{self.n_examples(dataset)} examples; got {len(array)}."
                )
            if array.null_count or len(_distinct(array)) != len(array):
                raise ValueError(f"`example_ids` of dataset {dataset!r} must all differ.")
            checked.append(array)
        return tuple(checked)

    def _checked_gold_scores(self) -> tuple[FloatArray, ...] | None:
        correlated = [metric for metric, kind in self.kinds.items() if kind in CORRELATIONS]
        if self.gold_scores is None:
            if correlated:
                raise ValueError(f"`gold_scores` must be given for {_listed(correlated)}.")
            return None
        self._check_length("gold_scores", len(self.gold_scores))
        checked = []
        for dataset, given in zip(self.datasets, self.gold_scores, strict=True):
            gold = np.array(given, dtype=np.float64) + 0.0
            if gold.shape != (self.n_examples(dataset),) or not np.isfinite(gold).all():
                raise ValueError(
                    f"`gold_scores` of dataset {dataset!r} must hold a finite number for each of "
                    f"{self.n_examples(dataset)} examples."
                )
            gold.flags.writeable = False
            checked.append(gold)
        return tuple(checked)

    def _check_inputs(self) -> None:
        if self.inputs is None:
            return
        self._check_length("inputs", len(self.inputs.codes))
        for dataset, codes in zip(self.datasets, self.inputs.codes, strict=True):
            if codes.shape != (self.n_examples(dataset),):
                raise ValueError(f"`inputs` of dataset {dataset!r} must hold one for each example.")

    def _check_labels(self) -> None:
        if self.labels is None:
            return
        for part in (self.labels.gold, self.labels.predictions):
            self._check_length("labels", len(part))
        for index, dataset in enumerate(self.datasets):
            n = self.n_examples(dataset)
            shapes = (self.labels.gold[index].shape, self.labels.predictions[index].shape)
            if shapes != ((n,), (n, len(self.systems))):
                raise ValueError(
                    f"`labels` of dataset {dataset!r} must fit {n} examples and "
                    f"{len(self.systems)} systems; got shapes {shapes[0]} and {shapes[1]}."
                )

    def _check_length(self, name: str, length: int) -> None:
        if length != len(self.datasets):
            raise ValueError(
                f"`{name}` must hold one entry for each of {len(self.datasets)} datasets; "
                f"got {length}."
            )

    def _content(self) -> Iterator[bytes]:
        """What is hashed; each part's length goes before it, so that no two contents look alike."""
        yield from _name_parts(self.datasets)
        yield from _name_parts(self.systems)
        yield len(self.values).to_bytes(8, "little")
        yield b"labels" if self.labels is not None else b"scores"
        if any(kind != MEAN for kind in self.kinds.values()):
            yield from _name_parts(tuple(self.kinds.values()))
        if self.labels is not None:
            yield from _name_parts(self.labels.names)
        for index in range(len(self.datasets)):
            yield b"ids" if self.example_ids is not None else b"no ids"
            if self.example_ids is not None:
                yield from _id_parts(self.example_ids[index])
            if self.labels is not None:
                yield self.labels.gold[index].astype("<i4").tobytes()
                yield self.labels.predictions[index].astype("<i4").tobytes("F")
            else:
                if self.gold_scores is not None:
                    yield self.gold_scores[index].astype("<f8").tobytes()
                for arrays in self.values.values():
                    yield arrays[index].astype("<f8").tobytes("F")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none"


def _shared_systems(per_dataset: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """The systems of the first dataset, which all others must have."""
    systems: tuple[str, ...] = tuple(next(iter(per_dataset.values()), {}))
    if per_dataset:
        checked_names(systems, name="systems")
    for dataset, columns in per_dataset.items():
        if set(columns) != set(systems):
            raise ValueError(
                f"Every dataset must have the same systems; {dataset!r} has {_listed(columns)}, "
                f"the first {_listed(systems)}."
            )
    return systems


def _side_by_side(
    columns: Mapping[str, npt.ArrayLike], systems: Sequence[str], dataset: str
) -> FloatArray:
    arrays = [np.asarray(columns[system], dtype=np.float64) for system in systems]
    for system, array in zip(systems, arrays, strict=True):
        if array.ndim != 1 or array.size != arrays[0].size:
            raise ValueError(
                f"Dataset {dataset!r}: a paired comparison needs one score an example from each "
                f"system; {systems[0]!r} has shape {arrays[0].shape}, {system!r} {array.shape}."
            )
    return np.column_stack(arrays)


def _in_order(
    examples: Mapping[str, Iterable[str]] | None, datasets: Sequence[str]
) -> tuple[Any, ...] | None:
    if examples is None:
        return None
    if set(examples) != set(datasets):
        raise ValueError("`examples` must give the ids of every dataset.")
    return tuple(list(examples[dataset]) for dataset in datasets)


def _distinct(texts: Any) -> Any:
    # This pool gives back at once what is no longer needed.
    return pc.unique(texts, memory_pool=pa.system_memory_pool())


def _own_scores(given: npt.ArrayLike) -> FloatArray:
    """A copy with the scores of each system side by side and no −0.

    An array that is so already, and that nobody can change because all that
    it is a part of is read-only, is taken as it is.
    """
    if (
        isinstance(given, np.ndarray)
        and given.dtype == np.float64
        and (given.flags.f_contiguous or (given.ndim == 2 and given.strides[0] == given.itemsize))
        and _is_frozen(given)
        and not (np.signbit(given) & (given == 0.0)).any()
    ):
        return given
    scores: FloatArray = np.array(given, dtype=np.float64, order="F")
    # Adding zero turns −0 into 0.
    scores += 0.0
    return scores


def _is_frozen(array: npt.NDArray[Any]) -> bool:
    """Whether an array and every array that it is a part of are read-only."""
    part: object = array
    while isinstance(part, np.ndarray):
        if part.flags.writeable:
            return False
        part = part.base
    return part is None


def _decimals(arrays: Iterable[FloatArray]) -> int:
    """The fewest decimals that write every value."""
    most = 0
    for array in arrays:
        rest = array.ravel(order="K")
        # Beyond these every float is whole, and rounding would overflow.
        rest = rest[np.abs(rest) < _ALL_WHOLE]
        while most < _MOST_DECIMALS:
            rest = rest[np.round(rest, most) != rest]
            if not rest.size:
                break
            most += 1
    return most


def _name_parts(names: Sequence[str]) -> Iterator[bytes]:
    yield len(names).to_bytes(8, "little")
    for name in names:
        yield name.encode("utf-8", "surrogatepass")


def _id_parts(ids: Any) -> Iterator[bytes]:
    """Lengths of the ids and their text, without a Python object for each."""
    offsets = np.frombuffer(ids.buffers()[1], dtype=np.int32)[
        ids.offset : ids.offset + len(ids) + 1
    ]
    data = ids.buffers()[2]
    yield np.diff(offsets).astype("<i4").tobytes()
    yield b"" if data is None else data[int(offsets[0]) : int(offsets[-1])].to_pybytes()
