"""Checks of effects, variances and sizes, each with a message that names the entries."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray

# Below it 1/v is no finite number.
_SMALLEST_VARIANCE = float(1.0 / np.finfo(np.float64).max)
_SHOWN = 5


def checked_effects(effects: npt.ArrayLike, *, name: str = "effects") -> FloatArray:
    """Effects as a read-only copy, shape (M,) with M >= 1.

    Raises
    ------
    ValueError
        If there are none, they are not one-dimensional, or one is not finite.
    """
    values = _numbers(effects, name)
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        raise ValueError(f"`{name}` must be finite; got {named(values, wrong)}.")
    return values


def checked_variances(
    variances: npt.ArrayLike, *, n_effects: int, zero: bool = False
) -> FloatArray:
    """Variances as a read-only copy, shape (M,), all positive, or with `zero` at least 0.

    Raises
    ------
    ValueError
        If they are not as many as effects, or one is not positive and finite;
        the message names the entries.
    """
    values = _numbers(variances, "variances")
    _check_size(values.size, n_effects, "variances")
    enough = values >= 0.0 if zero else values > _SMALLEST_VARIANCE
    wrong = np.flatnonzero(~(np.isfinite(values) & enough))
    if wrong.size and zero:
        raise ValueError(f"`variances` must be finite and at least 0; got {named(values, wrong)}.")
    if wrong.size:
        raise ValueError(
            f"`variances` must be positive and finite; got {named(values, wrong)}. The weight of "
            "an effect is 1/variance: leave a dataset without variance out and say so."
        )
    return values


def checked_sizes(n_examples: npt.ArrayLike, *, n_effects: int) -> IntArray:
    """Sizes of datasets as a read-only copy, shape (M,), whole and at least 1.

    Raises
    ------
    ValueError
        If they are not as many as effects, or one is no whole number above 0.
    """
    values = _numbers(n_examples, "n_examples")
    _check_size(values.size, n_effects, "n_examples")
    whole = np.isfinite(values) & (values >= 1.0) & (values == np.rint(values))
    if not whole.all():
        wrong = np.flatnonzero(~whole)
        raise ValueError(
            f"`n_examples` must be whole numbers of at least 1; got {named(values, wrong)}."
        )
    sizes = values.astype(np.intp)
    sizes.flags.writeable = False
    return sizes


def named(values: FloatArray, places: Iterable[int]) -> str:
    """Some entries with their places, for a message."""
    every = list(places)
    shown = ", ".join(f"{float(values[i])!r} at index {i}" for i in every[:_SHOWN])
    more = len(every) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _numbers(given: npt.ArrayLike, name: str) -> FloatArray:
    if np.ma.is_masked(given):
        raise ValueError(f"`{name}` must have no masked entries: leave those datasets out.")
    try:
        values = np.array(given, dtype=np.float64) + 0.0
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must be a list of numbers; got {given!r}.") from None
    if values.ndim != 1:
        raise ValueError(f"`{name}` must be one-dimensional; got {values.ndim} dimensions.")
    if values.size == 0:
        raise ValueError(f"`{name}` must hold at least one entry; got none.")
    values.flags.writeable = False
    return values


def _check_size(size: int, n_effects: int, name: str) -> None:
    if size != n_effects:
        raise ValueError(
            f"`{name}` must hold one entry for each of {n_effects} effects; got {size}."
        )
