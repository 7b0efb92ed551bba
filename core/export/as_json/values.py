"""Values as strict JSON has them: no NaN, no Infinity, every float to its last digit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass

import numpy as np

# By so much of its size a number may differ between two machines. Processors add up, and compute
# exponentials, otherwise in the last digits: by up to 6e-12, in exact tails of many examples.
TOLERANCE = 1e-9
TOLERANCE_IN_WORDS = "1 part in 10⁹"
# The same where what is left of a difference is rounding: of the size of what was subtracted.
_ROUNDING = 1e-12
_HALVES_OF_LETTERS = re.compile("[\ud800-\udfff]")


def same_number(one: float, other: float, *, scale: float = 0.0) -> bool:
    """Whether two finite numbers of analyses are the same, if they come from two machines.

    Parameters
    ----------
    one, other : float
        The same where they are apart by at most `TOLERANCE` of the larger.
    scale : float
        The size of what they are differences of: beside it, they are also the
        same where only rounding parts them. 0 for p-values, which keep their
        digits however small they are.
    """
    apart = abs(one - other)
    return apart <= max(TOLERANCE * max(abs(one), abs(other)), _ROUNDING * scale)


def plain(value: object) -> object:
    """A value as JSON has it: null for NaN, "Infinity" and "-Infinity" as strings.

    Arrays and tuples become lists, dataclasses objects with a key a field.

    Raises
    ------
    TypeError
        If it is of a kind that has no place in an analysis.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return _number(float(value))
    if isinstance(value, np.ndarray):
        return [plain(entry) for entry in value.tolist()]
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [plain(entry) for entry in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"`value` must be made of plain values; got {type(value).__name__}.")


def written(value: object) -> str:
    """JSON with keys in the order given, letters as they are and a newline at its end."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # Half of a letter cannot be written in UTF-8, and comes back from its escape.
    return _HALVES_OF_LETTERS.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


def _number(value: float) -> float | str | None:
    if math.isfinite(value):
        return value
    if math.isnan(value):
        return None
    return "Infinity" if value > 0.0 else "-Infinity"
