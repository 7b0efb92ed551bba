"""At how many examples a printed p-value becomes possible beside its scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..significance.correlation import FEWEST
from ..significance.counting import MidPTest
from ..significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_names,
)
from ..types import BoolArray, IntArray
from ..validation import check_choice
from .correlations import correlation_box
from .means import means_box
from .possible import printed_bounds, tolerant_ends
from .printed_scores import (
    MOST_EXAMPLES,
    Scale,
    ScoreMetric,
    ScoreRange,
    check_n,
    read_scores,
)
from .splits import (
    CLAIM_ALTERNATIVES,
    ClaimAlternative,
    is_corrected,
    mcnemar_p_values,
    mcnemar_test_named,
    most_disagreements,
)

# Sizes of accuracies are tried one by one, as they must divide into whole examples.
_BLOCK = 4_096
_MOST_TRIED = 100_000
Range = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleSizes:
    """Which numbers of examples make a printed p-value possible.

    Attributes
    ----------
    n_examples : int
        The number in question.
    possible : bool
        Whether the p-value lies within the range that n_examples leaves open.
    largest_below, smallest_above : int or None
        The nearest smaller and larger n that make it possible; None where none
        of those tried does, or `possible` holds.
    tried : (int, int)
        From the smallest to the largest n.
    """

    n_examples: int
    possible: bool
    largest_below: int | None
    smallest_above: int | None
    tried: tuple[int, int]


def n_at_which_possible(
    score_a: float | str,
    score_b: float | str,
    n: int,
    p_value: str | Range,
    *,
    test: str,
    alternative: ClaimAlternative = "greater",
    decimals: int | None = None,
    scale: Scale = "auto",
) -> PossibleSizes:
    """Find the nearest numbers of examples at which a printed p-value is possible.

    Possible is what lies within the range of p-values; of accuracies also only an
    n that both are multiples of 1/n for. Whether some split gives the printed
    digits is not asked.

    Parameters
    ----------
    score_a, score_b, n, alternative, decimals, scale
        As in `possible_p_values`.
    p_value : str or (float, float)
        As in `explain_row`.
    test : str
        A test of accuracies (McNemar's) or of correlations; it says which the
        scores are.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    of_accuracies = significance_test_names(of_outcomes)
    check_choice(
        test, (*of_accuracies, *significance_test_names(of_three_correlations)), name="test"
    )
    check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
    n = check_n(n)
    low, high = tolerant_ends(*printed_bounds(p_value))
    metric: ScoreMetric = "accuracy" if test in of_accuracies else "correlation"
    a, b = read_scores(score_a, score_b, metric=metric, decimals=decimals, scale=scale)
    if metric == "accuracy":
        return _tried_one_by_one(a, b, n, (low, high), test=test, alternative=alternative)
    box = correlation_box(test, a, b, n)
    if box is None:
        raise ValueError(f"`test` must not be '{test}' for a correlation of 1 or -1.")
    return _bisected(
        lambda size: replace(box, n_examples=size).p_range(alternative),
        n,
        (low, high),
        fewest=FEWEST,
    )


def n_at_which_t_possible(
    mean_a: float | str,
    mean_b: float | str,
    n: int,
    p_value: str | Range,
    *,
    sd_a: float | str | None = None,
    sd_b: float | str | None = None,
    sd_difference: float | str | None = None,
    alternative: ClaimAlternative = "greater",
    decimals: int | None = None,
) -> PossibleSizes:
    """As `n_at_which_possible`, for the paired t-test of `possible_t_p_values`.

    Parameters
    ----------
    mean_a, mean_b, n, sd_a, sd_b, sd_difference, alternative, decimals
        As in `possible_t_p_values`.
    p_value : str or (float, float)
        As in `explain_row`.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
    n = check_n(n)
    ends = tolerant_ends(*printed_bounds(p_value))
    box = means_box(
        mean_a, mean_b, n, sd_a=sd_a, sd_b=sd_b, sd_difference=sd_difference, decimals=decimals
    )
    return _bisected(
        lambda size: replace(box, n_examples=size).p_range(alternative), n, ends, fewest=2
    )


def _bisected(
    p_range: Callable[[int], Range], n: int, ends: Range, *, fewest: int
) -> PossibleSizes:
    """For ranges whose ends each move in one direction as n grows; p is 1 below `fewest`."""
    low, high = ends

    def possible(size: int) -> bool:
        least, largest = p_range(size)
        return low <= largest and high >= least

    if possible(n):
        return PossibleSizes(
            n_examples=n, possible=True, largest_below=None, smallest_above=None, tried=(n, n)
        )
    if n < fewest:
        nearest = _bisected(p_range, fewest, ends, fewest=fewest)
        return replace(
            nearest,
            n_examples=n,
            possible=False,
            largest_below=None,
            smallest_above=fewest if nearest.possible else nearest.smallest_above,
            tried=(1, MOST_EXAMPLES),
        )
    too_high = p_range(n)[1] < low

    def mended(size: int) -> bool:
        least, largest = p_range(size)
        return low <= largest if too_high else high >= least

    below = above = None
    if n > fewest and mended(fewest):
        found = _boundary(mended, fewest, n)
        below = found if possible(found) else None
    if below is None and low <= 1.0 <= high:
        below = fewest - 1
    if n < MOST_EXAMPLES and mended(MOST_EXAMPLES):
        found = _boundary(mended, MOST_EXAMPLES, n)
        above = found if possible(found) else None
    return PossibleSizes(
        n_examples=n,
        possible=False,
        largest_below=below,
        smallest_above=above,
        tried=(1, MOST_EXAMPLES),
    )


def _boundary(holds: Callable[[int], bool], yes: int, no: int) -> int:
    """The last number towards `no` for which something holds."""
    while abs(yes - no) > 1:
        middle = (yes + no) // 2
        if holds(middle):
            yes = middle
        else:
            no = middle
    return yes


def _tried_one_by_one(
    a: ScoreRange, b: ScoreRange, n: int, ends: Range, *, test: str, alternative: str
) -> PossibleSizes:
    def possible(sizes: range) -> BoolArray:
        return _possible(a, b, np.array(sizes), ends, test=test, alternative=alternative)

    first, last = max(1, n - _MOST_TRIED), min(MOST_EXAMPLES, n + min(9 * n + 1000, _MOST_TRIED))
    if possible(range(n, n + 1))[0]:
        return PossibleSizes(
            n_examples=n, possible=True, largest_below=None, smallest_above=None, tried=(n, n)
        )
    below = above = None
    for stop in range(n, first, -_BLOCK):
        sizes = range(max(first, stop - _BLOCK), stop)
        hits = np.flatnonzero(possible(sizes))
        if hits.size:
            below = sizes[int(hits[-1])]
            break
    for start in range(n + 1, last + 1, _BLOCK):
        sizes = range(start, min(last + 1, start + _BLOCK))
        hits = np.flatnonzero(possible(sizes))
        if hits.size:
            above = sizes[int(hits[0])]
            break
    return PossibleSizes(
        n_examples=n,
        possible=False,
        largest_below=below,
        smallest_above=above,
        tried=(first, last),
    )


def _possible(
    a: ScoreRange, b: ScoreRange, sizes: IntArray, ends: Range, *, test: str, alternative: str
) -> BoolArray:
    """Of each n whether the interval reaches the range of p-values."""
    fewest_a, most_a = a.counts_of_each(sizes)
    fewest_b, most_b = b.counts_of_each(sizes)
    whole = (fewest_a <= most_a) & (fewest_b <= most_b)
    smallest, largest = fewest_a - most_b, most_a - fewest_b
    # As |d| grows by k, s grows by at most k, and a walk that is k further after k
    # more steps was there before: p is extreme at the ends of d and at d nearest 0.
    p_values = []
    for differences in (smallest, largest, np.clip(0, smallest, np.maximum(smallest, largest))):
        most = most_disagreements(
            differences,
            sizes,
            fewest_a=fewest_a,
            most_a=most_a,
            fewest_b=fewest_b,
            most_b=most_b,
        )
        for disagreements in (np.abs(differences), np.maximum(most, np.abs(differences))):
            p_values.append(
                mcnemar_p_values(differences, disagreements, test=test, alternative=alternative)
            )
    kernel = mcnemar_test_named(test)
    corrected = is_corrected(kernel)
    if alternative == "two-sided" and (corrected or isinstance(kernel, MidPTest)):
        # At b = c = 1, where mid-p and software that leaves the correction uncut give the least.
        tied = (
            (smallest <= 0)
            & (largest >= 0)
            & (
                most_disagreements(
                    np.zeros_like(sizes),
                    sizes,
                    fewest_a=fewest_a,
                    most_a=most_a,
                    fewest_b=fewest_b,
                    most_b=most_b,
                )
                >= 2
            )
        )
        least = mcnemar_p_values(
            np.zeros_like(sizes),
            np.full_like(sizes, 2),
            test=test,
            alternative=alternative,
            uncut=corrected,
        )
        p_values.append(np.where(tied, least, p_values[0]))
    low, high = ends
    possible: BoolArray = (
        whole & (low <= np.max(p_values, axis=0)) & (high >= np.min(p_values, axis=0))
    )
    return possible
