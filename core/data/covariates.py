"""Covariates: what describes the examples themselves, such as a sentence's length or genre."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..types import FloatArray
from ..validation import check_choice
from .labels import CodeArray, TextArray
from .result_checks import check_length, listed_names, name_parts
from .words import checked_names

CovariateKind = Literal["numeric", "categorical"]

# More different texts than this are no categories.
MOST_LEVELS = 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariates:
    """What is known of each example beside scores, for splitting datasets by it.

    Attributes
    ----------
    names : tuple of str
        In the order of the file's columns.
    numbers : mapping of str to tuple of ndarray, shape (n,)
        For each numeric covariate one array a dataset; nan where there is none.
    levels : mapping of str to tuple of str
        For each categorical covariate its categories, all different, none empty.
    codes : mapping of str to tuple of ndarray of int, shape (n,)
        For each categorical covariate one array a dataset: positions in its
        levels, -1 where an example has none.
    """

    names: tuple[str, ...]
    numbers: Mapping[str, tuple[FloatArray, ...]]
    levels: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, tuple[CodeArray, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names(self.names, name="covariates"))
        if set(self.levels) != set(self.codes) or set(self.names) != {*self.numbers, *self.codes}:
            raise ValueError("`names` of covariates must each be numeric or have levels and codes.")
        if not self.numbers.keys().isdisjoint(self.codes):
            raise ValueError("A covariate must be either numeric or categorical.")
        numbers = {name: _frozen(given, np.float64) for name, given in self.numbers.items()}
        codes = {name: _frozen(given, np.int32) for name, given in self.codes.items()}
        levels = {name: tuple(given) for name, given in self.levels.items()}
        for name, arrays in numbers.items():
            if any(np.isinf(array).any() for array in arrays):
                raise ValueError(f"The covariate {name!r} must be finite, or nan where missing.")
        for name, own in levels.items():
            if len(set(own)) != len(own) or "" in own:
                raise ValueError(
                    f"The levels of the covariate {name!r} must differ and have names."
                )
            if any(
                array.size and not -1 <= array.min() <= array.max() < len(own)
                for array in codes[name]
            ):
                raise ValueError(f"The codes of the covariate {name!r} must be positions or -1.")
        object.__setattr__(self, "numbers", MappingProxyType(numbers))
        object.__setattr__(self, "levels", MappingProxyType(levels))
        object.__setattr__(self, "codes", MappingProxyType(codes))

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that a copy's arrays are read-only as well.
        plain = {part: dict(getattr(self, part)) for part in ("numbers", "levels", "codes")}
        return partial(Covariates, names=self.names, **plain), ()

    def kind(self, name: str) -> CovariateKind:
        """Whether a covariate holds numbers or categories.

        Raises
        ------
        ValueError
            If there is no such covariate.
        """
        known = check_choice(name, self.names, name="covariate")
        return "numeric" if known in self.numbers else "categorical"

    def values(self, index: int, name: str) -> FloatArray | TextArray:
        """One covariate on the dataset at this position; nan or '' where missing.

        Raises
        ------
        ValueError
            If there is no such covariate.
        """
        if self.kind(name) == "numeric":
            return self.numbers[name][index]
        # The last is what −1 points to.
        levels = np.empty(len(self.levels[name]) + 1, dtype=np.object_)
        levels[:] = (*self.levels[name], "")
        texts: TextArray = levels[self.codes[name][index]]
        texts.flags.writeable = False
        return texts

    def content(self) -> Iterator[bytes]:
        """What the covariates say, as parts of a fingerprint."""
        yield b"covariates"
        yield from name_parts(self.names)
        for name in self.names:
            yield self.kind(name).encode()
            yield from name_parts(self.levels.get(name, ()))
            # Each nan is written by the same bytes.
            for array in self.numbers.get(name, ()):
                yield np.where(np.isnan(array), np.nan, array + 0.0).astype("<f8").tobytes()
            for codes in self.codes.get(name, ()):
                yield codes.astype("<i4").tobytes()


def check_covariates(covariates: Covariates, datasets: Sequence[str], sizes: Sequence[int]) -> None:
    """Covariates fit the examples.

    Raises
    ------
    ValueError
        If they do not.
    """
    for name in covariates.names:
        arrays: Sequence[npt.NDArray[Any]] = (
            covariates.numbers[name] if name in covariates.numbers else covariates.codes[name]
        )
        check_length("covariates", len(arrays), datasets)
        for dataset, array, size in zip(datasets, arrays, sizes, strict=True):
            if array.shape != (size,):
                raise ValueError(
                    f"The covariate {name!r} of dataset {dataset!r} must hold one value for each of "
                    f"{size} examples; got the shape {array.shape}."
                )


def covariates_of_values(
    values: Mapping[str, Mapping[str, Sequence[object]]] | None, datasets: Sequence[str]
) -> Covariates | None:
    """Covariates from a value for each example, None without values.

    A covariate is numeric where all that is given in it are numbers, else its
    values are categories, as text.

    Parameters
    ----------
    values : mapping of dataset to mapping of name to values, or None
        None, nan and '' stand for a missing value.
    datasets : sequence of str
        In the order of the results.

    Raises
    ------
    ValueError
        If datasets differ in their covariates, or a value is infinite.
    """
    if not values:
        return None
    if set(values) != set(datasets):
        raise ValueError("`covariates` must give the values of every dataset.")
    names = tuple(values[datasets[0]])
    for dataset in datasets:
        if set(values[dataset]) != set(names):
            raise ValueError(
                f"Every dataset must have the same covariates; {dataset!r} has "
                f"{listed_names(values[dataset])}, the first {listed_names(names)}."
            )
    if not names:
        return None
    numbers: dict[str, tuple[FloatArray, ...]] = {}
    levels: dict[str, tuple[str, ...]] = {}
    codes: dict[str, tuple[CodeArray, ...]] = {}
    for name in names:
        given = [_as_given(values[dataset][name], name, dataset) for dataset in datasets]
        held = [value for own in given for value in own if value is not None]
        if all(_is_number(value) for value in held):
            numbers[name] = tuple(np.array(own, dtype=np.float64) for own in given)
            continue
        positions: dict[str, int] = {}
        codes[name] = tuple(
            np.array(
                [-1 if v is None else positions.setdefault(str(v), len(positions)) for v in own],
                dtype=np.int32,
            )
            for own in given
        )
        levels[name] = tuple(positions)
    return Covariates(names=names, numbers=numbers, levels=levels, codes=codes)


def _as_given(values: Sequence[object], name: str, dataset: str) -> list[object]:
    """The values of one dataset, None where there is none."""
    own = np.array(values, dtype=object)
    if own.ndim != 1 or np.ma.is_masked(values):
        raise ValueError(
            f"The covariate {name!r} of dataset {dataset!r} must hold one value an example."
        )
    # Only nan differs from itself.
    return [None if v is None or v == "" or v != v else v for v in own.tolist()]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _frozen(
    given: Sequence[npt.ArrayLike], dtype: type[np.float64] | type[np.int32]
) -> tuple[npt.NDArray[np.generic], ...]:
    arrays = tuple(np.array(array, dtype=dtype) for array in given)
    for array in arrays:
        array.flags.writeable = False
    return arrays
