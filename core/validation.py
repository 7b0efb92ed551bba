"""Checks of arguments, each with a message that says what was expected and what came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.types import FloatArray

Choice = TypeVar("Choice", bound=str)


def check_alpha(alpha: float) -> float:
    """Return `alpha` as a float that lies strictly between 0 and 1.

    Raises
    ------
    ValueError
        If it does not.
    """
    try:
        value = float(alpha)
    except (TypeError, ValueError):
        raise ValueError(f"`alpha` must be a number between 0 and 1; got {alpha!r}.") from None
    if not 0.0 < value < 1.0:
        raise ValueError(f"`alpha` must lie strictly between 0 and 1; got {alpha!r}.")
    return value


def check_p_values(p_values: npt.ArrayLike, *, name: str = "p_values") -> FloatArray:
    """Return p-values as a read-only copy, shape (N,) with N >= 1.

    Raises
    ------
    ValueError
        If there are none, they are not one-dimensional, or one is not a number in [0, 1].
    """
    if np.ma.is_masked(p_values):
        raise ValueError(f"`{name}` must have no masked entries: leave those datasets out.")
    try:
        values = np.array(p_values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must be a list of numbers; got {p_values!r}.") from None
    if values.ndim != 1:
        raise ValueError(f"`{name}` must be one-dimensional; got {values.ndim} dimensions.")
    if values.size == 0:
        raise ValueError(f"`{name}` must hold at least one p-value; got none.")
    wrong = np.flatnonzero(~((values >= 0.0) & (values <= 1.0)))
    if wrong.size:
        shown = ", ".join(f"{float(values[i])!r} at index {i}" for i in wrong[:5])
        more = f" and {wrong.size - 5} more" if wrong.size > 5 else ""
        raise ValueError(f"`{name}` must lie between 0 and 1; got {shown}{more}.")
    values.flags.writeable = False
    return values


def check_choice(value: Choice, choices: Sequence[Choice], *, name: str) -> Choice:
    """Return `value` if it is one of `choices`.

    Raises
    ------
    ValueError
        If it is not; the message lists what may be chosen.
    """
    if value not in choices:
        listed = ", ".join(f"'{choice}'" for choice in choices)
        raise ValueError(f"`{name}` must be one of {listed}; got {value!r}.")
    return value
