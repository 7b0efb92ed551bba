"""The table that claims are checked against, with what the checks need of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ..data.p_value_table import PValueTable, said_scores
from ..data.words import listed, quoted
from ..errors import DataError, Problem
from ..replicability.assessment import Assessment, assess
from ..replicability.combinations import usual_combination
from ..replicability.decision import at_most
from ..replicability.identification import named_by
from ..replicability.procedures import procedure_names
from ..significance.known_tests import significance_test_named
from ..types import DEPENDENCES, BoolArray, Dependence, FloatArray
from ..validation import check_choice
from ..words.formatting import display_name
from ..words.overlap import other_side_sentence, speaks_against
from ..words.subject import Claim as Lead
from ..words.subject import Subject
from .check_rounding import count_by
from .claim import COUNT, Better, Claim, Method, count_methods
from .claim_words import nearest
from .in_use import any_rounding

# How p-values came to be; "possible" are those of scores alone.
Made = Literal["printed", "computed"]
Source = Made | Literal["possible"]
# How a p-value is printed of which no more is known than an end.
_BOUND = re.compile(r"[<>≤≥⩽⩾n]", re.IGNORECASE)
# Beyond what passes for equal where p is compared with a level, and far below any printed digit.
_JUST_ABOVE = 1.0 + 1e-10
_LEADS: Mapping[Literal["a", "b"], Lead] = {"a": "a-better", "b": "b-better"}


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedTable:
    """A table of p-values under check.

    Attributes
    ----------
    table : PValueTable
        As printed.
    alpha : float
        The level of claims that state none.
    dependence : {"not-known", "positive", "independent"}
        What is known of the datasets.
    """

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

    def level(self, claim: Claim) -> float:
        """The level that a claim is made at."""
        return self.alpha if claim.alpha is None else claim.alpha

    def method(self, claim: Claim) -> Method:
        """What a claim counts by."""
        return method_of(claim, self.dependence)

    def words(self, claim: Claim) -> str:
        """A claim in words, with names and the method that it is counted by."""
        return claim.words(
            alpha=self.alpha,
            system_a=self.subject.system_a,
            system_b=self.subject.system_b,
            assumed=self.method(claim),
            is_better=self.subject.is_better,
        )

    def others(
        self, claim: Claim, low: FloatArray, high: FloatArray
    ) -> dict[Method, tuple[int, int]]:
        """What other combinations count, for "at least" without a method where little is known."""
        if claim.kind != "at-least" or claim.method is not None:
            return {}
        methods = further_methods(self.dependence)
        alpha = self.level(claim)
        return {m: (count_by(high, m, alpha), count_by(low, m, alpha)) for m in methods}

    @property
    def has_own_tests(self) -> bool:
        """Whether there are p-values of both systems' own one-sided tests."""
        return self.table.p_values_b is not None

    @property
    def made(self) -> Made:
        """Whether the p-values were printed or computed here."""
        return "printed" if self.table.results is None else "computed"

    def ahead(self, side: Literal["a", "b"]) -> tuple[BoolArray, BoolArray]:
        """Where a system's score is the better one, and where it may be: equal digits leave it open.

        Where tests were run here they must be for that system as well.
        """
        lead = None if self.signs is None else self.signs if side == "a" else -self.signs
        if self.has_own_tests:
            other: Better = "b" if side == "a" else "a"
            favoured = self.p_values(side) < self.p_values(other)
            favoured = favoured if lead is None else favoured & (lead > 0.0)
            return favoured, favoured
        if lead is None:
            return np.zeros(self.n, dtype=np.bool_), np.ones(self.n, dtype=np.bool_)
        return lead > 0.0, lead >= 0.0

    def behind(self, side: Literal["a", "b"]) -> BoolArray:
        """Where tests were run here and the mean, or its whole interval, is not better for a system."""
        return speaks_against(
            self.table.results or (None,) * self.n, claim=_LEADS[side], turned=self.table.exchanged
        )

    def other_side(self, side: Literal["a", "b"], alpha: float) -> str:
        """Where tests were run here and a system's p is small, though the mean is not; else empty."""
        if self.table.results is None or not self.has_own_tests:
            return ""
        return other_side_sentence(
            self.table.results,
            at_most(self.p_values(side), alpha),
            self.subject,
            claim=_LEADS[side],
            turned=self.table.exchanged,
            alpha=alpha,
        )

    def members(self, claim: Claim) -> BoolArray:
        """The datasets that a claim names."""
        return members_of(claim, self.table.datasets)

    def names(self, chosen: BoolArray) -> tuple[str, ...]:
        """Names of the chosen datasets."""
        return tuple(self.table.datasets[i] for i in np.flatnonzero(chosen))

    def p_values(self, better: Better) -> FloatArray:
        """The p-values as printed; where B's own were computed, those that fit the claim."""
        own = self.table.p_values_b
        if own is None or better == "a":
            return self.table.p_values
        if better == "b":
            return own
        doubled: FloatArray = np.minimum(1.0, 2.0 * np.minimum(self.table.p_values, own))
        return doubled

    def bounds(self, better: Better) -> tuple[FloatArray, FloatArray]:
        """Where the true p-values lie."""
        if self.table.p_values_b is None or better == "a":
            return self.table.p_value_bounds
        known = self.p_values(better)
        return known, known

    def bounds_for(self, claim: Claim) -> tuple[FloatArray, FloatArray]:
        """Where the p-values lie that a claim is about, as they stand.

        That systems differ is counted by the tests' own two-sided p-values, where there are any.
        """
        two_sided = self.table.p_values_two_sided
        alone = claim.method == COUNT or claim.of_levels
        if claim.better == "differ" and alone and two_sided is not None:
            return two_sided, two_sided
        return self.bounds(claim.better)

    @cached_property
    def signs(self) -> FloatArray | None:
        """Differences, 0 where a score is missing: there nobody can tell who is ahead."""
        differences = self.table.differences
        return None if differences is None else np.nan_to_num(differences, nan=0.0)

    def assessed(self, alpha: float) -> Assessment:
        """Every reading that the numbers allow."""
        if alpha not in self._assessments:
            self._assessments[alpha] = self._assess(alpha)
        return self._assessments[alpha]

    @cached_property
    def _assessments(self) -> dict[float, Assessment]:
        # By level: every claim at one level is judged by the same readings.
        return {}

    def _assess(self, alpha: float) -> Assessment:
        table = self.table
        return assess(
            table.p_values,
            table.differences,
            alternative=table.alternative,
            alpha=alpha,
            dependence=self.dependence,
            p_values_b=table.p_values_b,
            p_values_two_sided=table.p_values_two_sided,
            lower_ends=table.printed_lower_ends,
        )

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

    def scores(self, dataset: str) -> tuple[str, str]:
        """Both scores of a dataset as printed, '' where missing."""
        table, i = self.table, self.table.datasets.index(dataset)
        a = said_scores(table.scores_a, table.printed_scores_a)
        b = said_scores(table.scores_b, table.printed_scores_b)
        return a[i] if a else "", b[i] if b else ""


def _however_rounded(
    bounds: tuple[FloatArray, FloatArray], printed: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    low, high = (end.copy() for end in bounds)
    for i, text in enumerate(printed):
        if not _BOUND.search(text.removeprefix("p")):
            # Neither end itself is printed so.
            least, most = any_rounding(low[i], high[i])
            low[i] = min(low[i], least * _JUST_ABOVE)
            high[i] = max(high[i], most if most == 1.0 else most / _JUST_ABOVE)
    return low, high


def method_of(claim: Claim, dependence: Dependence) -> Method:
    """What a claim counts by: its own method, or the combination that the dependence allows."""
    if claim.method is not None:
        return claim.method
    return usual_combination(dependence)


def further_methods(dependence: Dependence) -> tuple[Method, ...]:
    """Combinations in front where more is known of the datasets than is."""
    check_choice(dependence, DEPENDENCES, name="dependence")
    more = DEPENDENCES[DEPENDENCES.index(dependence) + 1 :]
    return tuple(usual_combination(each) for each in more)


def listed_by(claim: Claim, p_values: FloatArray, *, alpha: float) -> BoolArray:
    """The datasets that a claim "significant", "not-significant" or "named" would list, had they these p-values."""
    if claim.of_levels:
        small = at_most(p_values, alpha)
        return small if claim.kind == "significant" else ~small
    return named_by(p_values, alpha=alpha, procedure=claim.method or "")


def members_of(claim: Claim, datasets: tuple[str, ...]) -> BoolArray:
    """Which of the table's datasets a claim names."""
    named = set(claim.datasets)
    return np.array([dataset in named for dataset in datasets], dtype=np.bool_)


def names_counted(p_values: FloatArray, method: Method, *, alpha: float) -> BoolArray | None:
    """The datasets that a method counts; None of a method that counts without names."""
    if method == COUNT:
        return at_most(p_values, alpha)
    check_choice(method, count_methods(), name="method")
    # Bonferroni's count is Holm's number of names.
    procedure = "holm" if method == "bonferroni" else method
    if procedure not in procedure_names():
        return None
    return named_by(p_values, alpha=alpha, procedure=procedure)


def check_names(
    claims: tuple[Claim, ...], datasets: tuple[str, ...], columns: tuple[str, ...] = ()
) -> None:
    """See that every dataset and every column of p-values that a claim names is in the table.

    Parameters
    ----------
    claims : tuple of Claim
        What is claimed.
    datasets, columns : tuple of str
        What the table has; with fewer than two columns none are looked for, as claims
        about several cannot be decided then.

    Raises
    ------
    DataError
        With each name that is not.
    """
    if len(columns) > 1:
        _check_columns(claims, columns)
    known = set(datasets)
    unknown = dict.fromkeys(
        name for claim in claims for name in claim.datasets if name not in known
    )
    if unknown:
        raise DataError(
            [
                Problem(
                    what="A claim names this dataset, which the table does not have.",
                    remedy=_remedy_of_name(name, known),
                    dataset=name,
                )
                for name in unknown
            ]
        )


def _remedy_of_name(name: str, known: set[str]) -> str:
    """What was probably meant by a name that the table does not have."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) > 1 and any(part in known for part in parts):
        return f"Separate names by a semicolon: {'; '.join(parts)}."
    start, middle, system = name.rpartition(" for ")
    if middle and start.strip() in known:
        return f"Write “for A” or “for B” in place of “for {system.strip()}”."
    if near := nearest(name, sorted(known)):
        return f"{display_name(near)}? Write it as the table does."
    return "Write it as the table does."


def _check_columns(claims: tuple[Claim, ...], columns: tuple[str, ...]) -> None:
    unknown = dict.fromkeys(
        name for claim in claims for name in claim.columns if name not in columns
    )
    if unknown:
        raise DataError(
            [
                Problem(
                    what=f"A claim names {quoted(name)}, which is no column of p-values of the "
                    "table.",
                    remedy=f"Choose among {listed(columns)}.",
                )
                for name in unknown
            ]
        )
