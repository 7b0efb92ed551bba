"""The table that claims are checked against, and every way in which its p-values can be taken.

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

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ..data.p_value_table import FurtherPValues, PValueTable
from ..data.tables.numbers import NOT_SIGNIFICANT
from ..replicability.assessment import Assessment, assess
from ..replicability.combinations import usual_combination
from ..replicability.direction import (
    CERTAIN,
    ONE_SIDED,
    p_values_toward_a,
    small_beside_lower_score,
)
from ..significance.known_tests import significance_test_named
from ..significance.single import SignificanceResult, as_compared
from ..types import DEPENDENCES, Alternative, BoolArray, Dependence, FloatArray
from ..validation import at_most
from ..words.subject import Subject
from ..words.testing import other_side_sentence, speaks_against
from .claim import ANY, Better, Claim, Method
from .in_use import any_rounding

Side = Literal["a", "b"]
# How p-values came to be; "possible" are those of scores alone.
Made = Literal["printed", "computed"]
Source = Made | Literal["possible"]
WayName = (
    Alternative
    | Literal["where-ahead", "as-they-stand", "doubled", "either", "if one-sided", "if two-sided"]
)
# By these readings a small p-value is a win of the system that is ahead.
_WITH_A_SYSTEM_AHEAD = frozenset[Alternative]({"two-sided", "toward-higher-score"})
# How a p-value is printed of which no more is known than an end.
_BOUND = re.compile(r"[<>≤≥⩽⩾n]", re.IGNORECASE)
# Beyond what passes for equal where p is compared with a level, and far below any printed digit.
JUST_ABOVE = 1.0 + 1e-10
# A one-sided test for the other system: of A only 1 − p is known.
TURNED: Alternative = "less"


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedTable:
    """A table of p-values under check; `alpha` is the level of claims that state none."""

    table: PValueTable
    alpha: float
    dependence: Dependence

    @cached_property
    def subject(self) -> Subject:
        """Names for sentences."""
        table = self.table
        return Subject(
            system_a=table.system_a,
            system_b=table.system_b,
            datasets=table.datasets,
            higher_is_better=table.higher_is_better,
            by_tendency=any(
                result is not None and significance_test_named(result.test).of_tendency
                for result in table.results or ()
            ),
        )

    @property
    def n(self) -> int:
        """N."""
        return self.table.n_datasets

    @property
    def has_own_tests(self) -> bool:
        """Whether there are p-values of both systems' own one-sided tests."""
        return self.table.p_values_b is not None

    @property
    def made(self) -> Made:
        """Whether the p-values were printed or computed here."""
        return "printed" if self.table.results is None else "computed"

    def seen_from(self, better: Better) -> CheckedTable:
        """The same table with the system whose lead is claimed as A; claims that both differ have none."""
        return self._exchanged if better == "b" else self

    @cached_property
    def _exchanged(self) -> CheckedTable:
        return replace(self, table=self.table.swapped())

    @property
    def ahead(self) -> tuple[BoolArray, BoolArray]:
        """Where A's score is the better one, and where it may be: equal digits leave it open.

        Where tests were run here they must be for A as well.
        """
        lead = self.signs
        if self.table.p_values_b is not None:
            favoured = self.table.p_values < self.table.p_values_b
            favoured = favoured if lead is None else favoured & (lead > 0.0)
            return favoured, favoured
        if lead is None:
            return np.zeros(self.n, dtype=np.bool_), np.ones(self.n, dtype=np.bool_)
        return lead > 0.0, lead >= 0.0

    @property
    def compared(self) -> tuple[SignificanceResult | None, ...]:
        """The results of tests that were run here, with A and B as they are claimed."""
        results = self.table.results or (None,) * self.n
        return as_compared(results, swapped=self.table.exchanged)

    def other_side(self, alpha: float) -> str:
        """Where tests were run here and A's p is small, though the mean is not; else empty."""
        if self.table.results is None or not self.has_own_tests:
            return ""
        small = at_most(self.table.p_values, alpha)
        return other_side_sentence(
            self.compared, small, self.subject, claim="a-better", alpha=alpha
        )

    @cached_property
    def signs(self) -> FloatArray | None:
        """Differences, 0 where a score is missing: there nobody can tell who is ahead."""
        differences = self.table.differences
        return None if differences is None else np.nan_to_num(differences, nan=0.0)

    def assessed(self, alpha: float) -> Assessment:
        """Every reading that the numbers allow."""
        table = self.table
        if alpha not in self._assessments:
            self._assessments[alpha] = assess(
                table.p_values,
                table.differences,
                alternative=table.alternative,
                alpha=alpha,
                dependence=self.dependence,
                p_values_b=table.p_values_b,
                p_values_two_sided=table.p_values_two_sided,
                lower_ends=table.printed_lower_ends,
            )
        return self._assessments[alpha]

    @cached_property
    def _assessments(self) -> dict[float, Assessment]:
        # By level: every claim at one level is judged by the same readings.
        return {}

    def with_possible(self, possible: Mapping[str, tuple[float, float]]) -> CheckedTable:
        """The same table with what is possible in place of some datasets' printed p-values."""
        table = self.table
        low, high = (end.copy() for end in table.p_value_bounds)
        for dataset, ends in possible.items():
            i = table.datasets.index(dataset)
            low[i], high[i] = ends
        values = np.clip(table.p_values, low, high)
        return replace(self, table=replace(table, p_values=values, p_value_bounds=(low, high)))

    def however_rounded(self) -> CheckedTable:
        """The same table with printed digits that may as well be cut off or rounded up."""
        table = self.table
        further = tuple(
            replace(other, p_value_bounds=_however_rounded(other.p_value_bounds, other.printed))
            for other in table.further
        )
        bounds = _however_rounded(table.p_value_bounds, table.printed)
        return replace(self, table=replace(table, p_value_bounds=bounds, further=further))


def _however_rounded(
    bounds: tuple[FloatArray, FloatArray], printed: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    low, high = (end.copy() for end in bounds)
    for i, text in enumerate(printed):
        if not _BOUND.search(text.removeprefix("p")):
            # Neither end itself is printed so.
            least, most = any_rounding(low[i], high[i])
            low[i] = min(low[i], least * JUST_ABOVE)
            high[i] = max(high[i], most if most == 1.0 else most / JUST_ABOVE)
    return low, high


def further_methods(dependence: Dependence) -> tuple[Method, ...]:
    """Combinations in front where more is known of the datasets than is."""
    more = DEPENDENCES[DEPENDENCES.index(dependence) + 1 :]
    return tuple(usual_combination(each) for each in more)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way:
    """One way to take the p-values: where each lies, arrays of shape (N,).

    Its name is a reading; "where-ahead" for p-values as they stand wherever the system's score is the
    better one, as papers count two-sided ones; "as-they-stand" and "doubled" of claims that the
    systems differ; "either" where nobody can tell for whom a p-value speaks; "if one-sided" and "if
    two-sided" of what scores leave open. `ahead` are the datasets that alone are counted: surely, and
    perhaps.
    """

    name: WayName
    low: FloatArray
    high: FloatArray
    ahead: tuple[BoolArray, BoolArray] | None = None


def columns_of(checked: CheckedTable, claim: Claim) -> list[PValueTable | FurtherPValues]:
    """The columns that a claim "by any" means; none of another one, and of one column alone."""
    table = checked.table
    if claim.method != ANY or not table.further:
        return []
    every: list[PValueTable | FurtherPValues] = [table, *table.further]
    named = zip(table.p_value_columns, every, strict=True)
    return [column for name, column in named if not claim.columns or name in claim.columns]


def as_they_stand(checked: CheckedTable, claim: Claim) -> Way:
    """The p-values as printed or computed, whichever system each speaks for."""
    table = checked.table
    low, high = table.p_value_bounds
    if columns := columns_of(checked, claim):
        # A dataset counts once, by its smallest.
        low, high = np.min([column.p_value_bounds for column in columns], axis=0)
    elif claim.better == "differ" and table.p_values_b is not None:
        low = high = np.minimum(1.0, 2.0 * np.minimum(table.p_values, table.p_values_b))
        if claim.is_of_p_at_most_alpha and table.p_values_two_sided is not None:
            # That systems differ is counted by the tests' own two-sided p-values.
            low = high = table.p_values_two_sided
    return Way(name="as-they-stand", low=low, high=high)


def readings_of(checked: CheckedTable, claim: Claim) -> tuple[tuple[Way, ...], ...]:
    """What the p-values can be for the system that a claim is about, by each reading in each way.

    Where a claim is of p ≤ α and the table says "n.s.", no reading takes p below that level for
    either system: half of such a p, or its complement, is not what the table calls significant.
    A test declared one-sided says so of its own system alone.
    """
    readings = _readings_of_numbers(checked, claim)
    if not claim.is_of_p_at_most_alpha or checked.table.alternative in ONE_SIDED:
        return readings
    columns = columns_of(checked, claim) or [checked.table]
    in_words = np.array([[p.casefold() in NOT_SIGNIFICANT for p in c.printed] for c in columns])
    least = np.where(in_words.all(axis=0), as_they_stand(checked, claim).low, 0.0)
    return tuple(
        tuple(replace(way, low=np.maximum(way.low, least)) for way in reading)
        for reading in readings
    )


def _readings_of_numbers(checked: CheckedTable, claim: Claim) -> tuple[tuple[Way, ...], ...]:
    if claim.better == "differ":
        return (_of_a_difference(checked, claim),)
    alpha = claim.level(checked.alpha)
    names = [reading.alternative for reading in checked.assessed(alpha).readings]
    if claim.method == ANY or not names:
        # One-sided for this system, two-sided and halved, or the complement of one for the other.
        stand = as_they_stand(checked, claim)
        least = np.minimum(stand.low / 2.0, 1.0 - stand.high)
        return ((Way(name="either", low=least, high=np.ones(checked.n)),),)
    lower = contested(checked, alpha)
    readings = []
    for name in names:
        low, high = toward(checked, name)
        if name in ONE_SIDED:
            # A p-value for a system whose score is lower may be for the other, whatever is declared;
            # of the system that was not tested 1 − p is the least that a discrete test may give.
            turned = name == TURNED and not checked.has_own_tests
            high = np.where(lower | turned, 1.0, high)
        way = Way(name=name, low=low, high=high)
        ahead = _where_ahead(checked, claim, name)
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


def contested(checked: CheckedTable, alpha: float) -> BoolArray:
    """Where a p-value is small and the score speaks for B."""
    table = checked.table
    if checked.has_own_tests:
        # The mean, or its whole interval, is not better for it.
        behind = speaks_against(checked.compared, claim="a-better")
        return at_most(table.p_values, alpha) & behind
    if table.alternative == TURNED:
        return np.zeros(checked.n, dtype=np.bool_)
    # Of a row without a p-value nothing says that it is small.
    least = np.where(table.no_p_values, 1.0, table.p_value_bounds[0])
    return small_beside_lower_score(least, checked.signs, alpha=alpha)


def toward(checked: CheckedTable, reading: Alternative) -> tuple[FloatArray, FloatArray]:
    """Where the one-sided p-values of A lie, by one reading."""
    low, high = checked.table.p_value_bounds
    if checked.has_own_tests:
        return low, high
    # Just below 1 a complement is almost 0, and at 1 it is 1.
    values = [low, high, np.clip(CERTAIN * (1.0 - 1e-12), low, high)]
    found = [p_values_toward_a(value, checked.signs, alternative=reading) for value in values]
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
        if reading == "toward-higher-score":
            # Of whoever is behind p is no smaller, also where only its lower end is printed.
            ends = checked.table.printed_lower_ends
            least = np.where(ends, np.maximum(least, low), least)
    return least, largest


def _where_ahead(checked: CheckedTable, claim: Claim, reading: Alternative) -> Way | None:
    """P-values as they stand where A is ahead; None where papers do not count so.

    Of tests run here their own two-sided p-values are counted so, by the common practice alone.
    """
    low, high = checked.table.p_value_bounds
    if checked.has_own_tests:
        two_sided = checked.table.p_values_two_sided
        if not claim.is_of_p_at_most_alpha or two_sided is None:
            return None
        low = high = two_sided
    elif reading not in _WITH_A_SYSTEM_AHEAD:
        return None
    return Way(name="where-ahead", low=low, high=high, ahead=checked.ahead)
