"""Every way in which the p-values that a claim is about can be taken: their ends, and for whom they speak.

Vocabulary
----------
way
    Where the p-values of all datasets lie if they are taken so: as they stand, halved for the
    system ahead, as complements, doubled.
reading
    What a table's p-values are said to be, such as two-sided, with each way in which papers
    count such ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..data.p_value_table import FurtherPValues, PValueTable
from ..replicability.assessment import ONE_SIDED
from ..replicability.decision import at_most
from ..replicability.direction import (
    CERTAIN,
    p_values_toward_a,
    p_values_toward_b,
    small_beside_lower_score,
)
from ..types import Alternative, BoolArray, FloatArray
from .check_inputs import CheckedTable
from .claim import ANY, COUNT, Claim

Side = Literal["a", "b"]
WayName = (
    Alternative
    | Literal["where-ahead", "as-they-stand", "doubled", "either", "if one-sided", "if two-sided"]
)
# By these readings a small p-value is a win of the system that is ahead.
_WITH_A_SYSTEM_AHEAD = frozenset[Alternative]({"two-sided", "toward-higher-score"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way:
    """One way to take the p-values.

    Attributes
    ----------
    name : str
        A reading; "where-ahead" for p-values as they stand wherever the system's score is the
        better one, as papers count two-sided ones; "as-they-stand" and "doubled" of claims that
        the systems differ; "either" where nobody can tell for whom a p-value speaks; "if
        one-sided" and "if two-sided" of what scores leave open.
    low, high : ndarray, shape (N,)
        Where the p-values lie.
    ahead : (ndarray, ndarray) of bool, optional
        The datasets that alone are counted: surely, and perhaps.
    """

    name: WayName
    low: FloatArray
    high: FloatArray
    ahead: tuple[BoolArray, BoolArray] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Family:
    """The p-values of several columns.

    Attributes
    ----------
    columns : tuple of str
        Their headings.
    p_values, low, high : ndarray, shape (m, N)
        As printed, and what the digits allow.
    printed : tuple of tuple of str
        For each column each dataset's as printed.
    """

    columns: tuple[str, ...]
    p_values: FloatArray
    low: FloatArray
    high: FloatArray
    printed: tuple[tuple[str, ...], ...]


def family_of(checked: CheckedTable, claim: Claim) -> Family | None:
    """The columns that a claim "by any" means; None of another one, and of one column alone."""
    table = checked.table
    if claim.method != ANY or not table.further:
        return None
    columns: tuple[PValueTable | FurtherPValues, ...] = (table, *table.further)
    names = table.p_value_columns
    meant = [i for i, name in enumerate(names) if not claim.columns or name in claim.columns]
    return Family(
        columns=tuple(names[i] for i in meant),
        p_values=np.array([columns[i].p_values for i in meant]),
        low=np.array([columns[i].p_value_bounds[0] for i in meant]),
        high=np.array([columns[i].p_value_bounds[1] for i in meant]),
        printed=tuple(columns[i].printed for i in meant),
    )


def as_they_stand(checked: CheckedTable, claim: Claim) -> Way:
    """The p-values as printed or computed, whichever system each speaks for."""
    family = family_of(checked, claim)
    if family is not None:
        # A dataset counts once, by its smallest.
        ends = family.low.min(axis=0), family.high.min(axis=0)
    else:
        ends = checked.bounds_for(claim)
    return Way(name="as-they-stand", low=ends[0], high=ends[1])


def readings_of(checked: CheckedTable, claim: Claim) -> tuple[tuple[Way, ...], ...]:
    """What the p-values can be for the system that a claim is about, by each reading in each way."""
    if claim.better == "differ":
        return (_of_a_difference(checked, claim),)
    alpha = checked.level(claim)
    names = [reading.alternative for reading in checked.assessed(alpha).readings]
    if claim.method == ANY or not names:
        # One-sided for this system, two-sided and halved, or the complement of one for the other.
        stand = as_they_stand(checked, claim)
        least = np.minimum(stand.low / 2.0, 1.0 - stand.high)
        return ((Way(name="either", low=least, high=np.ones(checked.n)),),)
    lower = contested(checked, claim.better, alpha)
    readings = []
    for name in names:
        low, high = toward(checked, claim.better, name)
        if name in ONE_SIDED:
            # A p-value for a system whose score is lower may be for the other, whatever is declared.
            high = np.where(lower, 1.0, high)
        way = Way(name=name, low=low, high=high)
        ahead = _where_ahead(checked, claim, claim.better, name)
        readings.append((way,) if ahead is None else (way, ahead))
    return tuple(readings)


def _of_a_difference(checked: CheckedTable, claim: Claim) -> tuple[Way, ...]:
    """P-values as they stand, and doubled where they may be one-sided."""
    stand = as_they_stand(checked, claim)
    if checked.made == "computed" or claim.method == ANY:
        return (stand,)
    low, high = checked.table.p_value_bounds
    declared = checked.table.alternative
    # Toward the higher score p is doubled; one-sided for one system the smaller tail is.
    ends: list[tuple[FloatArray, FloatArray]] = []
    if declared in ("toward-higher-score", "not-stated"):
        ends.append((low, high))
    if declared in ("greater", "less", "not-stated"):
        ends.append((np.minimum(low, 1.0 - high), np.minimum(high, 1.0 - low)))
    doubled = [
        Way(name="doubled", low=np.minimum(1.0, 2.0 * least), high=np.minimum(1.0, 2.0 * most))
        for least, most in ends
    ]
    return (stand, *doubled)


def contested(checked: CheckedTable, side: Side, alpha: float) -> BoolArray:
    """Where a small p-value stands beside a score that is not better for the system it is claimed for."""
    table, signs = checked.table, checked.signs
    if checked.has_own_tests:
        return at_most(checked.p_values(side), alpha) & checked.behind(side)
    if signs is None:
        return np.zeros(checked.n, dtype=np.bool_)
    return small_beside_lower_score(
        table.p_value_bounds[0], signs if side == "a" else -signs, alpha=alpha
    )


def toward(
    checked: CheckedTable, side: Side, reading: Alternative
) -> tuple[FloatArray, FloatArray]:
    """Where the one-sided p-values of one system lie, by one reading."""
    bounds = checked.bounds(side)
    if checked.table.p_values_b is not None:
        return bounds
    turned = p_values_toward_a if side == "a" else p_values_toward_b
    low, high = bounds
    # Just below 1 a complement is almost 0, and at 1 it is 1.
    values = [low, high, np.clip(CERTAIN * (1.0 - 1e-12), low, high)]
    found = [turned(value, checked.signs, alternative=reading) for value in values]
    least, largest = np.minimum.reduce(found), np.maximum.reduce(found)
    if checked.signs is not None:
        # Where both are level the lead may be either's, and whoever counts may take p as 1.
        level = checked.signs == 0.0
        if reading == "two-sided":
            least = np.where(level, low / 2.0, least)
        elif reading == "toward-higher-score":
            least = np.where(level, np.minimum(low, 1.0 - high), least)
        if reading in _WITH_A_SYSTEM_AHEAD:
            largest = np.where(level, 1.0, largest)
    return least, largest


def _where_ahead(
    checked: CheckedTable, claim: Claim, side: Side, reading: Alternative
) -> Way | None:
    """P-values as they stand where the system is ahead; None where papers do not count so.

    Of tests run here their own two-sided p-values are counted so, by the common practice alone.
    """
    low, high = checked.bounds(side)
    if checked.has_own_tests:
        two_sided = checked.table.p_values_two_sided
        if claim.method != COUNT or two_sided is None:
            return None
        low = high = two_sided
    elif reading not in _WITH_A_SYSTEM_AHEAD:
        return None
    return Way(name="where-ahead", low=low, high=high, ahead=checked.ahead(side))


def ways_by_name(readings: Sequence[Sequence[Way]]) -> dict[WayName, Way]:
    """Each way once, as readings may share one."""
    return {way.name: way for reading in readings for way in reading}
