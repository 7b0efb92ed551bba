"""Whether a count or a list can come out of p-values that are known only within rounding.

Vocabulary
----------
box
    All p-values that the printed digits allow: each from its low to its high end.
witness
    P-values in the box that give what is asked for.
cell
    Part of one p-value's range that no threshold of the method divides. A
    method that only compares p-values with thresholds gives one answer for
    each choice of cells, so that trying one point of each decides exactly.

Every count and list here can only shrink when a p-value rises. So the two
ends of the box give the largest and the smallest, and what lies beyond them
cannot come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal

import numpy as np

from ..replicability.combinations import combination_names
from ..replicability.counting import count_by_common_practice, count_datasets
from ..replicability.decision import RELATIVE_TOLERANCE
from ..replicability.identification import named_by
from ..types import BoolArray, FloatArray
from .claim import Method

Within = Literal["holds", "depends", "contradicted"]

# Members at their low ends and all others at their high ends decide these.
STEPWISE: tuple[str, ...] = (
    "holm",
    "bonferroni",
    "hochberg",
    "benjamini-hochberg",
    "benjamini-yekutieli",
)
# With so many choices of cells at most each is tried: about a second.
MOST_CHOICES = 5_000
# Beyond so many datasets Simes' thresholds are too many to be useful.
_MOST_DATASETS = 60
# Ways tried from the high ends to the low ones, and steps on all of them.
_PATHS = 40
_MOST_STEPS = 2_000
_HALVINGS = 50


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountWithin:
    """What a box makes of "k by this method".

    Attributes
    ----------
    verdict : {"holds", "depends", "contradicted"}
        Of "exactly k".
    fewest, most : int
        Exact.
    witness : ndarray or None
        P-values that give k.
    others : tuple of int
        Where every choice of cells was tried, all counts that come out.
    """

    verdict: Within
    fewest: int
    most: int
    witness: FloatArray | None
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListWithin:
    """What a box makes of "this procedure names exactly these".

    Attributes
    ----------
    verdict : {"holds", "depends", "contradicted"}
        Of exactly these.
    always, ever : ndarray of bool
        Named with all p-values at their high ends, and with all at their low ends.
    witness : ndarray or None
        P-values that give the list.
    """

    verdict: Within
    always: BoolArray
    ever: BoolArray
    witness: FloatArray | None


def count_by(p_values: FloatArray, method: Method, alpha: float) -> int:
    """How many a method counts."""
    if method in ("count", "any"):
        return count_by_common_practice(p_values, alpha=alpha)
    if method in combination_names():
        return count_datasets(p_values, alpha=alpha, combination=method).k_hat
    names = named_by(p_values, alpha=alpha, procedure=method)
    return int(np.count_nonzero(names))


def count_within(
    low: FloatArray,
    high: FloatArray,
    k: int,
    *,
    method: Method,
    alpha: float,
    ask: Callable[[], object] = bool,
) -> CountWithin:
    """Whether exactly `k` can come out of a box; what `ask` raises ends the search."""

    def count(p_values: FloatArray) -> int:
        ask()
        return count_by(p_values, method, alpha)

    most, fewest = count(low), count(high)
    if fewest == most == k:
        return CountWithin(verdict="holds", fewest=fewest, most=most, witness=high)
    if not fewest <= k <= most:
        return CountWithin(verdict="contradicted", fewest=fewest, most=most, witness=None)
    if k in (fewest, most):
        witness = high if k == fewest else low
        return CountWithin(verdict="depends", fewest=fewest, most=most, witness=witness)
    on_the_way = _count_on_a_path(low, high, k, count)
    if on_the_way is not None:
        return CountWithin(verdict="depends", fewest=fewest, most=most, witness=on_the_way)
    tried: set[int] = set()
    choices = _choices(low, high, method, alpha)
    for p_values in choices or ():
        found = count(p_values)
        tried.add(found)
        if found == k:
            return CountWithin(verdict="depends", fewest=fewest, most=most, witness=p_values)
    return CountWithin(
        verdict="depends" if choices is None else "contradicted",
        fewest=fewest,
        most=most,
        witness=None,
        others=tuple(sorted(tried)),
    )


def list_within(
    low: FloatArray,
    high: FloatArray,
    members: BoolArray,
    *,
    procedure: str,
    alpha: float,
    ask: Callable[[], object] = bool,
) -> ListWithin:
    """Whether exactly these are significant somewhere in a box; what `ask` raises ends the search."""

    def names(p_values: FloatArray) -> BoolArray:
        ask()
        return named_by(p_values, alpha=alpha, procedure=procedure)

    ever, always = names(low), names(high)
    verdict: Within = "contradicted"
    witness = None
    if not (always & ~members).any() and not (members & ~ever).any():
        candidate = np.where(members, low, high)
        if np.array_equal(names(candidate), members):
            witness = candidate
        elif procedure not in STEPWISE:
            choices = _choices(low, high, procedure, alpha)
            tries = _corners(low, high, members) if choices is None else choices
            witness = next((p for p in tries if np.array_equal(names(p), members)), None)
            if witness is None and choices is None:
                verdict = "depends"
        if witness is not None:
            same = np.array_equal(always, ever)
            verdict = "holds" if same else "depends"
    return ListWithin(verdict=verdict, always=always, ever=ever, witness=witness)


def _count_on_a_path(
    low: FloatArray, high: FloatArray, k: int, count: Callable[[FloatArray], int]
) -> FloatArray | None:
    """P-values with a count of k on a way from the high ends to the low ones, if one has any."""
    found = _on_a_line(high, low, k, count)
    if found is not None:
        return found
    moving = np.flatnonzero(low < high)
    rising = moving[np.argsort(high[moving], kind="stable")]
    rng = np.random.default_rng(0)
    n_more = min(_PATHS, _MOST_STEPS // max(1, moving.size))
    orders = [rising, rising[::-1], *(rng.permutation(moving) for _ in range(n_more))]
    for order in orders:
        here = high.copy()
        for i in order:
            there = here.copy()
            there[i] = low[i]
            reached = count(there)
            if reached == k:
                return there
            if reached > k:
                found = _on_a_line(here, there, k, count)
                if found is not None:
                    return found
                break
            here = there
    return None


def _on_a_line(
    fewer: FloatArray, more: FloatArray, k: int, count: Callable[[FloatArray], int]
) -> FloatArray | None:
    """A point between two with a count of k; counts never fall on the way."""
    near, far = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + far)
        point = np.clip(fewer + middle * (more - fewer), 0.0, 1.0)
        found = count(point)
        if found == k:
            return point
        if found < k:
            near = middle
        else:
            far = middle
    return None


def _choices(
    low: FloatArray, high: FloatArray, method: Method, alpha: float
) -> Iterator[FloatArray] | None:
    """One point of every choice of cells; None where there are too many, or none are exact."""
    thresholds = _thresholds(method, low.size, alpha)
    if thresholds is None:
        return None
    # As every decision is made: a tie counts as at most.
    ends = thresholds * (1.0 + RELATIVE_TOLERANCE)
    points = []
    for least, largest in zip(low, high, strict=True):
        inside = thresholds[(thresholds > least) & (thresholds < largest)]
        candidates = np.concatenate([[least], inside, [largest]])
        _, first = np.unique(np.searchsorted(ends, candidates), return_index=True)
        points.append(candidates[first])
    if prod(len(values) for values in points) > MOST_CHOICES:
        return None
    return (np.array(choice) for choice in product(*points))


def _thresholds(method: Method, n: int, alpha: float) -> FloatArray | None:
    """All that a method may compare a p-value with; None of sums of evidence."""
    sizes = np.arange(1, n + 1)
    if method == "count":
        return np.array([alpha])
    if method in ("bonferroni", "holm", "hochberg"):
        return np.sort(alpha / sizes)
    if method in ("simes", "hommel") and n <= _MOST_DATASETS:
        ratios = {(i, size) for size in range(1, n + 1) for i in range(1, size + 1)}
        return np.unique([alpha * i / size for i, size in ratios])
    if method == "benjamini-hochberg":
        return alpha * sizes / n
    if method == "benjamini-yekutieli":
        return alpha * sizes / (n * np.sum(1.0 / sizes))
    return None


def _corners(low: FloatArray, high: FloatArray, members: BoolArray) -> Iterator[FloatArray]:
    """Points of the box where a list of a test without thresholds may come out."""
    rng = np.random.default_rng(0)
    yield np.where(members, high, low)
    for share in np.linspace(0.0, 1.0, 21):
        point = high + share * (low - high)
        yield point
        yield np.where(members, low, point)
        yield np.where(members, point, high)
    for _ in range(200):
        yield np.where(members, low, low + rng.random(low.size) * (high - low))
