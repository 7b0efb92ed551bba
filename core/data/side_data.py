"""What is known of each example beside its scores, and whether the parts of a set of results fit together.

Every check raises a `ValueError` that names the part, the dataset and what was expected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DataError
from ..metrics.per_example import LabelMetric, too_many_labels
from ..metrics.registry import CORRELATIONS, n_statistics
from ..types import FloatArray, IntArray, Rebuilt, frozen
from ..validation import check_same_order, floats_of, is_missing

# A float has no more decimals that say anything.
_MOST_DECIMALS = 17
_ALL_WHOLE = 2.0**53


def checked_names(names: Iterable[str], *, name: str) -> tuple[str, ...]:
    """The names as a tuple."""
    checked = tuple(names)
    if not checked:
        raise ValueError(f"`{name}` must not be empty.")
    seen: set[str] = set()
    for entry in checked:
        if not entry:
            raise ValueError(f"`{name}` must have names; got ''.")
        if entry in seen:
            raise ValueError(f"`{name}` must all differ; got {entry!r} twice.")
        seen.add(entry)
    return checked


def checked_scores(
    given: Sequence[npt.ArrayLike],
    datasets: Sequence[str],
    n_systems: int,
    *,
    kind: str,
    sizes: Sequence[int],
) -> tuple[FloatArray, ...]:
    """One metric's scores, read-only, as many on each dataset as the first metric has."""
    check_length("values", len(given), datasets)
    n_counted = n_statistics(kind)
    expected = (n_systems,) if n_counted is None else (n_systems, n_counted)
    checked = []
    for dataset, array, size in zip(datasets, given, sizes, strict=True):
        scores = read_only(array)
        if scores.ndim != 1 + len(expected) or scores.shape[1:] != expected:
            raise ValueError(
                f"`values` of dataset {dataset!r} must have the shape "
                f"(n, {', '.join(map(str, expected))}); got {scores.shape}."
            )
        if scores.shape[0] == 0:
            raise ValueError(f"`values` of dataset {dataset!r} must have an example; got none.")
        if scores.shape[0] != size:
            raise ValueError(
                f"`values` of dataset {dataset!r} must have as many examples for every metric;"
                f" got {size} and {scores.shape[0]}."
            )
        if not np.isfinite(scores).all():
            raise ValueError(f"`values` of dataset {dataset!r} must be finite.")
        checked.append(scores)
    return tuple(checked)


def checked_ids(
    given: Sequence[Any] | None, datasets: Sequence[str], sizes: Sequence[int]
) -> tuple[Any, ...] | None:
    """Ids as pyarrow arrays."""
    if given is None:
        return None
    check_length("example_ids", len(given), datasets)
    checked: list[Any] = []
    for dataset, ids, size in zip(datasets, given, sizes, strict=True):
        array = ids if isinstance(ids, pa.StringArray) else pa.array(ids, type=pa.string())
        if len(array) != size:
            raise ValueError(
                f"`example_ids` of dataset {dataset!r} must hold one for each of "
                f"{size} examples; got {len(array)}."
            )
        # Most datasets number their examples alike, so that all but the first need no search.
        is_known = any(array.equals(other[:size]) for other in checked[-1:])
        # This pool gives back at once what is no longer needed.
        if not is_known and (
            array.null_count
            or len(pc.unique(array, memory_pool=pa.system_memory_pool())) != len(array)
        ):
            raise ValueError(f"`example_ids` of dataset {dataset!r} must all differ.")
        checked.append(array)
    return tuple(checked)


def checked_margins(given: npt.ArrayLike, datasets: Sequence[str]) -> FloatArray:
    """A margin for each dataset, read-only."""
    margins = one_each("margins", given, datasets)
    if not (np.isfinite(margins) & (margins > 0.0)).all():
        raise ValueError("`margins` must be finite numbers above 0.")
    return margins


def checked_gold_scores(
    given: Sequence[npt.ArrayLike] | None,
    datasets: Sequence[str],
    sizes: Sequence[int],
    *,
    kinds: Mapping[str, str],
) -> tuple[FloatArray, ...] | None:
    """Gold numbers, read-only."""
    correlated = [metric for metric, kind in kinds.items() if kind in CORRELATIONS]
    if given is None:
        if correlated:
            raise ValueError(f"`gold_scores` must be given for {listed_names(correlated)}.")
        return None
    checked = tuple(map(read_only, given))
    check_one_each("gold_scores", checked, datasets, sizes)
    for dataset, own in zip(datasets, checked, strict=True):
        if not np.isfinite(own).all():
            raise ValueError(f"`gold_scores` of dataset {dataset!r} must be finite.")
    return checked


def checked_sizes(given: npt.ArrayLike | None, datasets: Sequence[str]) -> IntArray | None:
    """Sizes of the datasets, read-only."""
    if given is None:
        return None
    sizes = np.array(given, dtype=np.intp)
    one_each("n_examples", sizes, datasets)
    if (sizes < 1).any():
        raise ValueError(f"`n_examples` must be positive; got {int(sizes.min())}.")
    return frozen(sizes)


def read_only(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """The values as an array that nobody can change, without a -0, the numbers of a column side by side.

    An array that is so already, and all that it is a part of, is taken as it is.
    """
    if (
        isinstance(values, np.ndarray)
        and values.dtype == dtype
        and (
            values.flags.f_contiguous or (values.ndim == 2 and values.strides[0] == values.itemsize)
        )
        and _is_frozen(values)
        and not (np.signbit(values) & (values == 0)).any()
    ):
        return values
    array = np.array(values, dtype=dtype, order="F")
    # Adding zero turns −0 into 0.
    array += 0
    return frozen(array)


def one_each(name: str, values: npt.ArrayLike, datasets: Sequence[str]) -> FloatArray:
    """One number for each dataset, read-only."""
    array = read_only(values)
    if array.ndim != 1:
        raise ValueError(f"`{name}` must have one axis; got the shape {array.shape}.")
    check_length(name, array.size, datasets)
    return array


def check_one_each(
    what: str,
    arrays: Iterable[npt.NDArray[Any]],
    datasets: Sequence[str],
    sizes: Sequence[int],
) -> None:
    """A part has one entry for each example."""
    given = tuple(arrays)
    check_length(what, len(given), datasets)
    for dataset, array, size in zip(datasets, given, sizes, strict=True):
        if array.shape != (size,):
            raise ValueError(
                f"The {what} of dataset {dataset!r} must hold one for each of {size} examples; "
                f"got the shape {array.shape}."
            )


def check_length(name: str, length: int, datasets: Sequence[str]) -> None:
    """A part has one entry for each dataset."""
    if length != len(datasets):
        raise ValueError(
            f"`{name}` must hold one entry for each of {len(datasets)} datasets; got {length}."
        )


def listed_names(names: Iterable[str]) -> str:
    """Names as an error shows them."""
    return ", ".join(repr(name) for name in names) or "none"


def shared_systems(per_dataset: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """The systems of the first dataset, which all others must have."""
    systems: tuple[str, ...] = tuple(next(iter(per_dataset.values()), {}))
    if per_dataset:
        checked_names(systems, name="systems")
    for dataset, columns in per_dataset.items():
        if set(columns) != set(systems):
            raise ValueError(
                f"Every dataset must have the same systems; {dataset!r} has {listed_names(columns)}, "
                f"the first {listed_names(systems)}."
            )
    return systems


def side_by_side(
    columns: Mapping[str, npt.ArrayLike], systems: Sequence[str], dataset: str
) -> FloatArray:
    """One dataset's scores, a column for each system."""
    arrays = [
        floats_of(columns[system], name=f"scores[{dataset!r}][{system!r}]", of="examples")
        for system in systems
    ]
    for system, array in zip(systems, arrays, strict=True):
        if array.ndim != 1 or array.size != arrays[0].size:
            raise ValueError(
                f"Dataset {dataset!r}: a paired comparison needs one score an example from each "
                f"system; {systems[0]!r} has shape {arrays[0].shape}, {system!r} {array.shape}."
            )
    return np.column_stack(arrays)


def check_examples_in_one_order(
    datasets: Iterable[str], **given: Mapping[str, object] | None
) -> None:
    """Check that all that pandas objects say of a dataset's examples has them in one order.

    `given` holds what a function was given, by the argument's name: a mapping of dataset to entries,
    or to a mapping of name to entries. Raises a `ValueError` as `check_same_order` does.
    """
    for dataset in datasets:
        entries: dict[str, object] = {}
        for argument, per_dataset in given.items():
            # What is no mapping is refused where it is read.
            own = per_dataset.get(dataset) if isinstance(per_dataset, Mapping) else None
            named = own.items() if isinstance(own, Mapping) else [(None, own)]
            for name, values in named:
                of_name = "" if name is None else f"[{name!r}]"
                entries[f"{argument}[{dataset!r}]{of_name}"] = values
        check_same_order(**entries)


def in_order(
    examples: Mapping[str, Iterable[str]] | None, datasets: Sequence[str]
) -> tuple[Any, ...] | None:
    """Ids in the order of the datasets."""
    if examples is None:
        return None
    if set(examples) != set(datasets):
        raise ValueError("`examples` must give the ids of every dataset.")
    return tuple(list(examples[dataset]) for dataset in datasets)


def decimals_of_scores(arrays: Iterable[FloatArray]) -> int:
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


def _is_frozen(array: npt.NDArray[Any]) -> bool:
    """Whether an array and every array that it is a part of are read-only."""
    part: object = array
    while isinstance(part, np.ndarray):
        if part.flags.writeable:
            return False
        part = part.base
    return part is None


def fingerprint_of(parts: Iterable[bytes]) -> str:
    """SHA-256, in hexadecimal; each part's length goes before it."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def name_parts(names: Sequence[str]) -> Iterator[bytes]:
    """Names, with their number before them."""
    yield len(names).to_bytes(8, "little")
    for name in names:
        yield name.encode("utf-8", "surrogatepass")


def id_parts(ids: Any) -> Iterator[bytes]:
    """Lengths of the ids and their text, without a Python object for each."""
    offsets = np.frombuffer(ids.buffers()[1], dtype=np.int32)[
        ids.offset : ids.offset + len(ids) + 1
    ]
    data = ids.buffers()[2]
    yield np.diff(offsets).astype("<i4").tobytes()
    yield b"" if data is None else data[int(offsets[0]) : int(offsets[-1])].to_pybytes()


CodeArray = npt.NDArray[np.int32]
TextArray = npt.NDArray[np.object_]


def _frozen(
    given: Iterable[npt.ArrayLike], dtype: npt.DTypeLike = np.int32
) -> tuple[npt.NDArray[Any], ...]:
    return tuple(read_only(own, dtype) for own in given)


def texts_at(names: Sequence[str], codes: CodeArray) -> TextArray:
    """The names at these positions, read-only."""
    return frozen(np.array(names, dtype=np.object_)[codes])


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
        return frozen(metric.statistics(gold, predicted[:, column], classes))

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
