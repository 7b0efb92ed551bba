"""Claims that count a dataset where at least one of several p-values is small.

Vocabulary
----------
family
    Every pair of a dataset and one of the columns of p-values that a claim means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..replicability.decision import at_most
from ..replicability.identification import named_by
from ..types import FloatArray
from ..words.formatting import (
    display_name,
    format_level,
    format_percent,
    format_share,
    list_names,
)
from .check_inputs import CheckedTable
from .check_rounding import count_by, count_within
from .claim import COUNT, Claim
from .findings import NO_STEPS, ClaimVerdict, Finding, Steps
from .sentences import (
    WITHIN,
    claim_sentence,
    numbers_in_words,
    shown_number,
    that,
)

ONE_COLUMN = (
    "the table as read has one p-value for each dataset. Add the other columns, with headings that "
    "begin with “p_value”."
)
_MOST_SHOWN = 4


def any_reason(
    *,
    fewest: int,
    most: int,
    n: int,
    n_columns: int,
    without: Mapping[str, str],
    alpha: float,
    at_least: int,
) -> str:
    """State how many datasets have a small p-value at all, and which have none."""
    every = "every value" if fewest == most else "values"
    gives = "gives" if fewest == most else "give"
    small = f"at least one of {n_columns} p-values" if n_columns > 1 else "a p-value"
    why = (
        f"{every} {WITHIN} {gives} {numbers_in_words(fewest, most)} of {n} datasets with {small} "
        f"≤ {format_level(alpha)}"
    )
    if without:
        shown = [
            f"{display_name(name)} (smallest {shown_number(printed)})"
            for name, printed in list(without.items())[:_MOST_SHOWN]
        ]
        more = len(without) - len(shown)
        shown += [f"{more} more"] if more > 0 else []
        listed = " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
        why += f"; {listed} {'has' if len(without) == 1 else 'have'} none"
    if n_columns == 1:
        return f"{why}."
    return (
        f"{why}. Allowing for the choice among {n_columns}, Bonferroni over all {n_columns * n} "
        f"p-values gives at least {at_least} of {n} datasets."
    )


def choice_sentence(
    *, n: int, n_columns: int, counted: int, names: Sequence[str], alpha: float
) -> str:
    """State what a free choice gives by chance, and the count over all pairs."""
    level = format_level(alpha)
    chance = 1.0 - (1.0 - alpha) ** n_columns
    significant = f"significant after Holm correction at level {level}"
    found = f"With all {n_columns * n} p-values in one family, none is {significant}."
    if names:
        found = (
            f"With all {n_columns * n} p-values in one family, {counted} "
            f"{'is' if counted == 1 else 'are'} {significant}, on {len(names)} of {n} "
            f"{'dataset' if n == 1 else 'datasets'}: {list_names(names, most=len(names))}."
        )
    return (
        f"Whoever may choose among {n_columns} independent p-values finds one ≤ {level} on a dataset "
        f"without any difference with probability {format_percent(chance)}, and up to "
        f"{format_share(min(1.0, n_columns * alpha))} where they depend on each other. {found} "
        "This holds however the p-values depend. No count that needs independence is used: "
        "p-values of one dataset share its examples."
    )


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
    """The columns that a claim means; None where the table has one column alone."""
    table = checked.table
    if not table.further:
        return None
    names = table.p_value_columns
    bounds = [table.p_value_bounds, *(other.p_value_bounds for other in table.further)]
    values = [table.p_values, *(other.p_values for other in table.further)]
    printed = [table.printed, *(other.printed for other in table.further)]
    meant = [i for i, name in enumerate(names) if not claim.columns or name in claim.columns]
    return Family(
        columns=tuple(names[i] for i in meant),
        p_values=np.array([values[i] for i in meant]),
        low=np.array([bounds[i][0] for i in meant]),
        high=np.array([bounds[i][1] for i in meant]),
        printed=tuple(printed[i] for i in meant),
    )


def check_any(checked: CheckedTable, claim: Claim, steps: Steps = NO_STEPS) -> Finding:
    """Judge "k of N by any": how many datasets have a small p-value at all.

    That is the common practice's count of each dataset's smallest p-value, so that rounding is
    treated alike.
    """
    assert claim.k is not None
    alpha, n = checked.level(claim), checked.n
    words = that(checked.words(claim), claim)
    family = family_of(checked, claim)
    undecided = ""
    if claim.n_datasets not in (None, n):
        undecided = f"it speaks of {claim.n_datasets} datasets, and the table has {n}."
    elif family is None:
        undecided = ONE_COLUMN
    if undecided or family is None:
        return Finding(
            verdict="cannot-be-decided",
            check="arithmetic",
            claim=claim,
            reason=claim_sentence(words, "cannot-be-decided", undecided),
            why=undecided,
            details={"alpha": alpha, "n_datasets": n},
        )
    low, high = family.low.min(axis=0), family.high.min(axis=0)
    fewest, most = count_by(high, COUNT, alpha), count_by(low, COUNT, alpha)
    if claim.kind == "exactly":
        verdict: ClaimVerdict = count_within(
            low, high, claim.k, method=COUNT, alpha=alpha, ask=steps.ask
        ).verdict
    else:
        verdict = "not-supported" if most < claim.k else "not-excluded"
        verdict = "confirmed" if fewest >= claim.k else verdict
    without = np.flatnonzero(~at_most(low, alpha))
    smallest = {
        checked.table.datasets[i]: family.printed[int(np.argmin(family.p_values[:, i]))][i]
        for i in without
    }
    pairs = _pairs(family, alpha)
    why = any_reason(
        fewest=fewest,
        most=most,
        n=n,
        n_columns=len(family.columns),
        without=smallest,
        alpha=alpha,
        at_least=pairs.at_least,
    )
    return Finding(
        verdict=verdict,
        check="arithmetic",
        claim=claim,
        reason=claim_sentence(words, verdict, why),
        why=why,
        details={
            "alpha": alpha,
            "n_datasets": n,
            "method": claim.method,
            "columns": family.columns,
            "fewest": fewest,
            "most": most,
            "without": tuple(smallest),
            "pairs_counted": pairs.counted,
            "at_least": pairs.at_least,
        },
    )


def check_choice_among_columns(checked: CheckedTable, claim: Claim) -> Finding | None:
    """State what a free choice among columns gives by chance, and a count that allows for it."""
    family = family_of(checked, claim)
    if family is None or len(family.columns) == 1:
        return None
    alpha = checked.level(claim)
    pairs = _pairs(family, alpha)
    m = len(family.columns)
    names = tuple(checked.table.datasets[i] for i in pairs.named)
    return Finding(
        verdict=None,
        check="assumption",
        claim=None,
        reason=choice_sentence(
            n=checked.n,
            n_columns=m,
            counted=pairs.counted,
            names=names,
            alpha=alpha,
        ),
        details={
            "method": claim.method,
            "alpha": alpha,
            "n_pairs": m * checked.n,
            "counted": pairs.counted,
            "at_least": pairs.at_least,
            "named": names,
            "chance_one_dataset": -math.expm1(m * math.log1p(-alpha)),
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """Over the whole family, with every p-value at its high end, where the count is smallest.

    Attributes
    ----------
    counted : int
        Pairs by Bonferroni, as many as Holm identifies.
    named : tuple of int
        Positions of the datasets on which those lie.
    """

    counted: int
    named: tuple[int, ...]

    @property
    def at_least(self) -> int:
        """On at least how many datasets there is an effect, from the same closed test."""
        return len(self.named)


def _pairs(family: Family, alpha: float) -> _Pairs:
    m = len(family.columns)
    names = named_by(family.high.ravel(), alpha=alpha, procedure="holm")
    # Pairs of one dataset share its examples, and columns of one test even their numbers:
    # Bonferroni needs nothing of them, Fisher would need independence.
    counted = count_by(family.high.ravel(), "bonferroni", alpha)
    datasets = np.flatnonzero(names.reshape(m, -1).any(axis=0))
    return _Pairs(counted=counted, named=tuple(datasets.tolist()))
