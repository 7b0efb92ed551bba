"""Scores as digits: subtracting binary floats would break ties that are printed as ties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation, localcontext

from core.types import FloatArray

# More than a cell can hold, so that every difference is exact.
_LONGEST = 300_000


def said_scores(
    scores: FloatArray | None, printed: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    """Scores as printed, or the shortest digits that give the floats; '' where missing."""
    if scores is None or printed is not None:
        return printed
    return tuple("" if math.isnan(score) else repr(score) for score in scores.tolist())


def exact_differences(minuends: Sequence[str], subtrahends: Sequence[str]) -> list[float]:
    """Each difference of printed numbers, rounded to a float once; nan where one is ''.

    Raises
    ------
    ValueError
        If a text is no number.
    """
    with localcontext() as context:
        context.prec = _LONGEST
        try:
            return [
                float(Decimal(a) - Decimal(b)) if a and b else math.nan
                for a, b in zip(minuends, subtrahends, strict=True)
            ]
        except InvalidOperation:
            raise ValueError("`printed_scores` must be numbers in digits, or ''.") from None
