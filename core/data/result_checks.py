"""Whether the parts of a set of results fit together, and what its fingerprint is made of.

Every check raises a `ValueError` that names the part, the dataset and what was expected.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..metrics.registry import CORRELATIONS, n_statistics
from ..types import FloatArray, IntArray
from ..validation import check_same_order, floats_of

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
    checked = []
    for dataset, ids, size in zip(datasets, given, sizes, strict=True):
        array = ids if isinstance(ids, pa.StringArray) else pa.array(ids, type=pa.string())
        if len(array) != size:
            raise ValueError(
                f"`example_ids` of dataset {dataset!r} must hold one for each of "
                f"{size} examples; got {len(array)}."
            )
        # This pool gives back at once what is no longer needed.
        distinct = pc.unique(array, memory_pool=pa.system_memory_pool())
        if array.null_count or len(distinct) != len(array):
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
    sizes.flags.writeable = False
    return sizes


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
    array.flags.writeable = False
    return array


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
