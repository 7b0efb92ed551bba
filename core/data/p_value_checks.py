"""Whether the parts of a table of p-values fit together, and scores as digits.

Subtracting binary floats would break ties that are printed as ties.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation, localcontext

import numpy as np
import numpy.typing as npt

from ..types import Alternative, FloatArray, IntArray
from ..validation import check_p_values
from .result_checks import check_length

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


def checked_own_p_values(
    given: npt.ArrayLike, datasets: Sequence[str], *, alternative: Alternative
) -> FloatArray:
    """P-values of B's own tests, read-only.

    Raises
    ------
    ValueError
        If they do not fit the datasets, or those of A are not of "A better".
    """
    if alternative != "greater":
        raise ValueError(
            f"`p_values_b` must come with `alternative` 'greater'; got '{alternative}'."
        )
    values = check_p_values(given, name="p_values_b")
    check_length("p_values_b", values.size, datasets)
    return values


def checked_bounds(
    bounds: tuple[npt.ArrayLike, npt.ArrayLike], p_values: FloatArray, datasets: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest that each p-value may be, read-only.

    Raises
    ------
    ValueError
        If they do not fit the datasets, or a p-value lies outside.
    """
    low, high = (check_p_values(end, name="p_value_bounds") for end in bounds)
    check_length("p_value_bounds", low.size, datasets)
    check_length("p_value_bounds", high.size, datasets)
    wrong = np.flatnonzero((low > p_values) | (p_values > high))
    if wrong.size:
        i = int(wrong[0])
        raise ValueError(
            f"`p_value_bounds` must enclose the p-values; got {float(p_values[i])!r} "
            f"outside [{float(low[i])!r}, {float(high[i])!r}] at index {i}."
        )
    return low, high


def checked_system_scores(
    given: npt.ArrayLike | None,
    printed: tuple[str, ...] | None,
    datasets: Sequence[str],
    *,
    name: str,
) -> FloatArray | None:
    """One system's scores, read-only; nan where one is missing.

    Raises
    ------
    ValueError
        If they do not fit the datasets, one is infinite, or digits come without them.
    """
    if given is None:
        if printed is not None:
            raise ValueError(f"`printed_{name}` must come with `{name}`.")
        return None
    scores = read_only(given)
    check_length(name, scores.size, datasets)
    if np.isinf(scores).any():
        raise ValueError(f"`{name}` must be finite or nan; got an infinite score.")
    return scores


def check_scores_for(alternative: Alternative, scores: Sequence[FloatArray | None]) -> None:
    """Both systems' scores say all that a declared direction needs.

    Raises
    ------
    ValueError
        If they do not.
    """
    if alternative == "toward-higher-score" and any(own is None for own in scores):
        raise ValueError("`alternative` 'toward-higher-score' needs the scores of both systems.")
    if alternative not in ("greater", "less") and any(
        own is not None and bool(np.isnan(own).any()) for own in scores
    ):
        raise ValueError(
            f"`alternative` '{alternative}' needs a score for every dataset; "
            "only 'greater' and 'less' do without."
        )


def checked_sizes(given: npt.ArrayLike | None, datasets: Sequence[str]) -> IntArray | None:
    """Sizes of the datasets, read-only.

    Raises
    ------
    ValueError
        If they do not fit the datasets, or one is not positive.
    """
    if given is None:
        return None
    sizes = np.array(given, dtype=np.intp)
    check_length("n_examples", sizes.size, datasets)
    if (sizes < 1).any():
        raise ValueError(f"`n_examples` must be positive; got {int(sizes.min())}.")
    sizes.flags.writeable = False
    return sizes


def read_only(values: npt.ArrayLike) -> FloatArray:
    """A copy that nobody can change."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
