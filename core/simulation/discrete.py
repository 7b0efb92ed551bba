"""Datasets so small that their p-values take few values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..replicability.combinations import combinations_under
from ..replicability.decision import at_most
from ..significance.counting import binomial_point, fair_coin_at_least
from ..types import BoolArray, FloatArray
from ..validation import check_alpha
from .scenarios import Block, shift_of
from .sources import plain, positive_whole

# Of more examples there are too many outcomes to list.
MOST_EXAMPLES = 2000
# Outcomes below this are left out: of all together there is less than 1e-12.
_UNLIKELY = 1e-19


@dataclass(frozen=True)
class McNemarDatasets:
    """Independent datasets of 0/1 outcomes with exact McNemar p-values, which are discrete.

    Attributes
    ----------
    n_datasets : int
        At least 1.
    n_examples : int
        Of each, 1..2000.
    share_differing : float
        q, on what share of examples exactly one system is right, in (0, 1].
    difference : float
        d, accuracy of A less that of B where A is better, in [0, q].
    n_better : int
        On how many datasets, the first ones, A is better by d.

    Raises
    ------
    ValueError
        If one is no such number.
    """

    n_datasets: int
    n_examples: int = 30
    share_differing: float = 0.2
    difference: float = 0.0
    n_better: int = 0

    def __post_init__(self) -> None:
        Block(self.n_datasets)
        if positive_whole(self.n_examples, name="n_examples") > MOST_EXAMPLES:
            raise ValueError(
                f"`n_examples` must be at most {MOST_EXAMPLES}; got {self.n_examples}."
            )
        q, d = float(self.share_differing), float(self.difference)
        # Checks both, whatever shift it gives.
        if not d == q == 1.0:
            shift_of(d, 1, q)
        if d < 0.0:
            raise ValueError(f"`difference` must be at least 0; got {self.difference!r}.")
        if not 0 <= self.n_better <= self.n_datasets:
            raise ValueError(
                f"`n_better` must lie between 0 and {self.n_datasets}; got {self.n_better}."
            )
        if self.n_better and d == 0.0:
            raise ValueError("`difference` must be above 0 where `n_better` is; got 0.")

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return self.n_better

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better, shape (n_datasets,)."""
        return np.arange(self.n_datasets) < self.n_better

    @property
    def signature(self) -> str:
        """Everything on one line."""
        text = f"mcnemar {self.n_datasets} n={self.n_examples} q={plain(self.share_differing)}"
        if self.n_better:
            text += f" d={plain(self.difference)} on {self.n_better}"
        return text

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved: all, as the datasets are independent."""
        return combinations_under("independent")

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies, shape (n, n_datasets)."""
        p_values = rng.random((n, self.n_datasets))
        for columns, difference in (
            (slice(0, self.n_better), self.difference),
            (slice(self.n_better, None), 0.0),
        ):
            part = p_values[:, columns]
            if part.size:
                part[:] = _urns(self.n_examples, self.share_differing, difference).drawn(part)
        return p_values


def mcnemar_power(
    difference: float, n_examples: int, share_differing: float, *, alpha: float
) -> float:
    """P(p <= alpha) of McNemar's exact one-sided test on one dataset, computed.

    Parameters
    ----------
    difference : float
        d, accuracy of A less that of B, between −q and q.
    n_examples : int
        n, 1..2000.
    share_differing : float
        q, on what share of examples exactly one system is right, in (0, 1].
    alpha : float
        In (0, 1).

    Raises
    ------
    ValueError
        If one is no such number.

    Examples
    --------
    >>> round(mcnemar_power(0.05, 50, 0.1, alpha=0.05), 3)
    0.127
    """
    n, level = positive_whole(n_examples, name="n_examples"), check_alpha(alpha)
    if n > MOST_EXAMPLES:
        raise ValueError(f"`n_examples` must be at most {MOST_EXAMPLES}; got {n_examples}.")
    q, d = float(share_differing), float(difference)
    if not abs(d) == q == 1.0:
        shift_of(d, 1, q)
    p_values, chances = _outcomes(n, q, d)
    return float(chances[at_most(p_values, level)].sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Urns:
    """A discrete distribution as urns that are equally likely, with two balls each at most.

    Attributes
    ----------
    share : ndarray, shape (K,)
        Of the first ball in each urn.
    first, second : ndarray, shape (K,)
        P-values that the balls stand for.

    References
    ----------
    Walker, "An efficient method for generating discrete random variables with general
    distributions", ACM TOMS 1977.
    """

    share: FloatArray
    first: FloatArray
    second: FloatArray

    def drawn(self, uniform: FloatArray) -> FloatArray:
        """P-values, one for each uniform number, at a tenth of the time of drawing binomials."""
        place = uniform * self.share.size
        urn = np.minimum(place.astype(np.intp), self.share.size - 1)
        p_values: FloatArray = np.where(
            place - urn < self.share[urn], self.first[urn], self.second[urn]
        )
        return p_values


# Power along a curve, or a search for a number, draws from the same few distributions again.
@lru_cache(maxsize=8)
def _urns(n: int, q: float, d: float) -> _Urns:
    p_values, chances = _outcomes(n, q, d)
    share = (chances * chances.size).tolist()
    other = list(range(len(share)))
    low = [index for index, part in enumerate(share) if part < 1.0]
    high = [index for index, part in enumerate(share) if part >= 1.0]
    while low and high:
        small, large = low.pop(), high[-1]
        other[small] = large
        share[large] -= 1.0 - share[small]
        if share[large] < 1.0:
            low.append(high.pop())
    # What rounding leaves over fills its urn alone.
    for index in (*low, *high):
        share[index] = 1.0
    return _Urns(np.array(share), p_values, p_values[other])


def _outcomes(n: int, q: float, d: float) -> tuple[FloatArray, FloatArray]:
    """McNemar's exact p-values of all outcomes but the most unlikely ones, with their chances."""
    m = np.arange(n + 1)
    of_m = binomial_point(m, n, q)
    m = m[of_m > _UNLIKELY]
    differing = np.repeat(m, m + 1)
    for_a = np.arange(differing.size) - np.repeat(np.cumsum(m + 1) - (m + 1), m + 1)
    chances = of_m[differing] * binomial_point(for_a, differing, 0.5 + 0.5 * d / q)
    likely = chances > _UNLIKELY
    differing, for_a, chances = differing[likely], for_a[likely], chances[likely]
    return fair_coin_at_least(for_a, differing - for_a), chances / chances.sum()
