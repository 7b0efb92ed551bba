"""Names of types and of choices that several modules share.

Vocabulary
----------
dataset
    One of the N collections on which both systems were compared.
example
    One unit within a dataset: a sentence, a review, a pair of words.
alternative
    What a printed p-value speaks for.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]
_Entry = TypeVar("_Entry", bound=np.generic)
_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


def frozen(array: npt.NDArray[_Entry]) -> npt.NDArray[_Entry]:
    """The array itself, which from here on nobody can change."""
    array.flags.writeable = False
    return array


Alternative = Literal["greater", "less", "two-sided", "toward-higher-score", "not-stated"]
Dependence = Literal["not-known", "positive", "independent"]
# What makes examples of different datasets the same: what the overlap analysis matched, or
# equal ids as well.
UnitsBy = Literal["matched", "example-id"]

# What one-sided p-values speak for after the systems have changed places.
EXCHANGED: Mapping[Alternative, Alternative] = {"greater": "less", "less": "greater"}

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
DEPENDENCES: tuple[Dependence, ...] = get_args(Dependence)
UNITS_BY: tuple[UnitsBy, ...] = get_args(UnitsBy)


def grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    """The values of each key, keys in the order in which they first come."""
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


class Rebuilt:
    """A data class that is copied and pickled through its constructor.

    So a copy's arrays are read-only as well, and its mappings, which cannot be pickled as they are.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        values = {
            field.name: _plain(getattr(self, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.init
        }
        return partial(type(self), **values), ()


def _plain(value: Any) -> Any:
    if not isinstance(value, MappingProxyType):
        return value
    return {key: _plain(own) for key, own in value.items()}
