"""What marks of significance support where a paper prints no p-values.

A mark says p ≤ α, and no mark p > α. The fewest datasets are counted where every marked
p-value is α itself and every other is 1, the most where marked ones are 0 and the others
just above α; both by the counting that p-values themselves would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ..data.score_table import ScoreTable
from ..replicability.combinations import (
    combination_named,
    combination_names,
    usual_combination,
)
from ..replicability.counting import count_datasets
from ..validation import check_alpha, check_choice
from ..words.formatting import format_level
from .claim import COUNT, Claim

# The least above a level that no comparison takes for the level itself.
_JUST_ABOVE = 1.0 + 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkBounds:
    """What marks alone leave open.

    Attributes
    ----------
    n_marked, n_datasets : int
        So many of so many have a mark.
    alpha : float
        What a mark says: p ≤ alpha.
    counts : mapping of str to (int, int)
        By each combination the fewest and the most datasets at level alpha.
    """

    n_marked: int
    n_datasets: int
    alpha: float
    counts: Mapping[str, tuple[int, int]]

    def sentences(self) -> tuple[str, str]:
        """What is supported whatever the p-values, and what they could support at most."""
        shown = [usual_combination(known) for known in ("not-known", "independent")]
        start = (
            f"With p ≤ {format_level(self.alpha)} on {self.n_marked} of {self.n_datasets} and nothing "
            "more known,"
        )
        least = (
            f"{start} Bonferroni supports {self.counts[shown[0]][0]}, "
            f"{combination_named(shown[1]).title} {self.counts[shown[1]][0]} if the datasets are "
            "independent: ask for p-values."
        )
        if not any(fewest for fewest, _ in self.counts.values()):
            least = f"{start} no count of wins is supported: ask for p-values."
        most = [f"{combination_named(name).title} {self.counts[name][1]}" for name in shown]
        return (
            least,
            f"The p-values behind the marks could support at most {' and '.join(most)}.",
        )


def marks_alone(n_marked: int, n_datasets: int, *, alpha: float = 0.05) -> MarkBounds:
    """Count what marks of p ≤ alpha support at least and at most.

    Parameters
    ----------
    n_marked, n_datasets : int
        So many of so many datasets have a mark.
    alpha : float
        What the mark says, and the level of the counts.

    Raises
    ------
    ValueError
        If there are no datasets, or fewer than marks.

    Examples
    --------
    >>> marks_alone(9, 12).counts["fisher"]
    (6, 11)
    """
    level = check_alpha(alpha)
    if not 0 <= n_marked <= n_datasets or n_datasets < 1:
        raise ValueError(
            f"`n_marked` must be from 0 to `n_datasets`, at least 1; got {n_marked} of {n_datasets}."
        )
    marked = np.arange(n_datasets) < n_marked
    largest = np.where(marked, level, 1.0)
    smallest = np.where(marked, 0.0, min(1.0, level * _JUST_ABOVE))
    return MarkBounds(
        n_marked=n_marked,
        n_datasets=n_datasets,
        alpha=level,
        counts={
            name: (
                count_datasets(largest, alpha=level, combination=name).k_hat,
                count_datasets(smallest, alpha=level, combination=name).k_hat,
            )
            for name in combination_names()
        },
    )


def marked_datasets(table: ScoreTable, system_a: str, system_b: str) -> tuple[str, ...]:
    """The datasets where a score of one of two systems has a mark.

    Raises
    ------
    ValueError
        If there is no such system.
    """
    pair = [
        table.systems.index(check_choice(name, table.systems, name="system"))
        for name in (system_a, system_b)
    ]
    return tuple(
        dataset
        for dataset, marks in zip(table.datasets, table.marks, strict=False)
        if any(marks[i] for i in pair)
    )


def marks_of(claims: Iterable[Claim], n_datasets: int | None, *, alpha: float) -> list[MarkBounds]:
    """What marks support that are all a claim is made from: how many p ≤ alpha, or on which.

    Parameters
    ----------
    claims : iterable of Claim
        Those that count or list p ≤ alpha are answered, others passed over.
    n_datasets : int or None
        Of the table; None without one, where the claim must say.
    alpha : float
        The level of claims that state none.
    """
    found = []
    for claim in claims:
        n = claim.n_datasets or n_datasets
        marked = claim.k if claim.method == COUNT else None
        if claim.kind == "significant":
            marked = len(claim.datasets)
        if n and marked is not None and marked <= n:
            level = alpha if claim.alpha is None else claim.alpha
            found.append(marks_alone(marked, n, alpha=level))
    return found
