"""Counts and names from one set of p-values; how printed p-values are read is the assessment's matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from core.replicability.closed_testing import closed_names
from core.replicability.combinations import combination_names
from core.replicability.counting import Counting, count_datasets
from core.replicability.practice import CommonPractice
from core.types import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """Counts and names from one set of p-values.

    Attributes
    ----------
    p_values : ndarray, shape (N,)
        Of the claim this answers, in the table's order.
    alpha : float
        In (0, 1).
    practice : CommonPractice
        What papers would count for this claim: no guarantee. Of printed
        p-values it is the same whichever way they are read.
    countings : mapping of combination to Counting
        All of them.
    combination : str
        The one in front, which the stated dependence allows.
    named : ndarray of bool, shape (N,)
        By the same closed test as that count.
    named_by_holm : ndarray of bool, shape (N,)
        Holds under any dependence.
    complement : bool
        Whether the p-values are 1 - p of the other direction's tests, so only
        approximate.
    """

    p_values: FloatArray
    alpha: float
    practice: CommonPractice
    countings: Mapping[str, Counting]
    combination: str
    named: BoolArray
    named_by_holm: BoolArray
    complement: bool

    @property
    def counting(self) -> Counting:
        """The count in front."""
        return self.countings[self.combination]

    @property
    def k_hat(self) -> int:
        """That count's lower bound."""
        return self.counting.k_hat


def answer_of(
    values: FloatArray,
    alpha: float,
    combination: str,
    *,
    practice: CommonPractice,
    complement: bool = False,
) -> Answer:
    """Count by every combination, and name by the closed tests of one and of Holm."""
    countings = {
        name: count_datasets(values, alpha=alpha, combination=name) for name in combination_names()
    }
    return Answer(
        p_values=values,
        alpha=alpha,
        practice=practice,
        countings=MappingProxyType(countings),
        combination=combination,
        named=closed_names(values, alpha=alpha, combination=combination),
        named_by_holm=closed_names(values, alpha=alpha, combination="bonferroni"),
        complement=complement,
    )


def in_common(headline: Answer, answers: Sequence[Answer]) -> Answer:
    """The headline's count, with the names that all the answers give."""
    return replace(
        headline,
        named=np.logical_and.reduce([answer.named for answer in answers]),
        named_by_holm=np.logical_and.reduce([answer.named_by_holm for answer in answers]),
    )


def size_of(answer: Answer) -> tuple[int, int]:
    """How much an answer says: its count, then how many it names."""
    return answer.k_hat, int(np.count_nonzero(answer.named))
