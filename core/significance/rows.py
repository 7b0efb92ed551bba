"""P-values of many subsamples of one dataset's differences at once.

Each is what `run_significance_test` gives on the subsample's own examples, by the
method that is named, from the stream that is given. Differences are formed once,
on the whole dataset, so that whether two of them tie does not depend on what else
was drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice
from .counting import SIGN, CountingTest
from .differences import TIE_TOLERANCE, Differences
from .known_tests import PairedBootstrap, Randomization, significance_test_named
from .lattice import SMALLEST, Integers
from .means import StudentTest
from .outcome import Sides
from .settings import METHODS_USED, MethodUsed, TestAlternative
from .shared_resamples import AskedOfRows, bootstrapped, randomized
from .stopping import check_going
from .tails import draws_at_least, fits, outcomes_at_least, signs_at_least
from .wilcoxon import SignedRankTest, doubled_midranks, exact_tails

# A convolution for each subsample: above, a hundred of them take longer than all else together,
# and around the usual levels the normal approximation is off by less than .002.
WILCOXON_EXACT_UP_TO = 50


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowPValues:
    """P-values of subsamples.

    Attributes
    ----------
    p_values : ndarray, shape (rows,)
        One a subsample; nan where it has no defined score.
    out_of_reach : ndarray of bool, shape (rows,)
        Where no resample can be as extreme as asked, so that the p-value says
        nothing about the strength of evidence.
    """

    p_values: FloatArray
    out_of_reach: BoolArray


def method_of_rows(differences: Differences, size: int, test: str) -> MethodUsed | None:
    """How p-values of subsamples of so many units are computed; None where each is tested alone."""
    kernel, whole = significance_test_named(test).kernel, differences.integers
    if isinstance(kernel, CountingTest):
        return kernel.approximation or "exact"
    if isinstance(kernel, StudentTest):
        return "student"
    if isinstance(kernel, SignedRankTest):
        one_size = np.unique(np.abs(differences.values[differences.values != 0.0])).size <= 1
        return "exact" if one_size or size <= WILCOXON_EXACT_UP_TO else "normal"
    if isinstance(kernel, Randomization):
        return _of_lattice(None if whole is None else np.abs(whole[whole != 0]), size, signs=True)
    if isinstance(kernel, PairedBootstrap):
        return _of_lattice(whole, size, signs=False)
    return None


def p_values_of_rows(
    differences: Differences,
    places: IntArray,
    asked: AskedOfRows,
    *,
    test: str,
    method: MethodUsed,
) -> RowPValues:
    """P-values of subsamples, of a test of scores that are averaged.

    Parameters
    ----------
    differences : Differences
        Of the whole dataset, or of its clusters.
    places : ndarray of int, shape (rows, size)
        Which units are in each subsample, in their order of being drawn.
    method : {"exact", "monte-carlo", "normal", "student"}
        As `method_of_rows` says.

    Raises
    ------
    ValueError
        If there is no such test or method, or `method_of_rows` has none for the test.
    """
    kernel = significance_test_named(test).kernel
    check_choice(method, METHODS_USED, name="method")
    check_going(asked.keep_going)
    alternative = asked.alternative
    reached = np.zeros(places.shape[0], dtype=np.bool_)
    if isinstance(kernel, CountingTest):
        p_values = kernel.p_of_counts(
            *_wins_and_losses(differences, places), alternative=alternative
        )
    elif isinstance(kernel, StudentTest):
        p_values = _paired_t(differences.values[places], alternative)
    elif isinstance(kernel, SignedRankTest):
        p_values = _wilcoxon(differences, places, method=method, alternative=alternative)
    elif isinstance(kernel, Randomization):
        if method == "exact":
            p_values = _exact_randomization(differences, places, alternative)
        else:
            p_values = randomized(differences, places, asked)
    elif isinstance(kernel, PairedBootstrap):
        if method == "exact":
            p_values = _exact_bootstrap(differences, places, alternative)
        else:
            p_values = bootstrapped(differences, places, asked)
        reached = _out_of_reach(differences, places, alternative) | (p_values == 0.0)
    else:
        raise ValueError(
            "`test` must be one whose p-values of many subsamples are computed together."
        )
    return RowPValues(p_values=p_values, out_of_reach=reached)


def _of_lattice(whole: Integers | None, size: int, *, signs: bool) -> MethodUsed:
    if whole is None:
        return "monte-carlo"
    values = np.unique(whole)
    return "exact" if values.size == 0 or fits(values, size, signs=signs) else "monte-carlo"


def _wins_and_losses(differences: Differences, places: IntArray) -> tuple[IntArray, IntArray]:
    signs = np.sign(differences.values).astype(np.int8)[places]
    differing = np.count_nonzero(signs, axis=1)
    wins = np.count_nonzero(signs > 0, axis=1)
    return wins, differing - wins


def _paired_t(rows: FloatArray, alternative: TestAlternative) -> FloatArray:
    from scipy.special import stdtr

    n = rows.shape[1]
    varies = (rows != rows[:, :1]).any(axis=1)
    # By a power of two, so that squares neither overflow nor vanish.
    largest = float(np.abs(rows).max(initial=0.0))
    scaled = rows * 2.0 ** -float(np.frexp(largest)[1])
    deviation = scaled.std(axis=1, ddof=1) if n > 1 else np.zeros(rows.shape[0])
    defined = varies & (deviation > 0.0)
    t = np.zeros(rows.shape[0])
    t[defined] = scaled.mean(axis=1)[defined] * np.sqrt(n) / deviation[defined]
    p = np.ones(rows.shape[0])
    if n > 1:
        tails = stdtr(n - 1, _towards(t, alternative)) * (
            2.0 if alternative == "two-sided" else 1.0
        )
        p[defined] = np.minimum(1.0, np.maximum(tails, SMALLEST))[defined]
    return p


def _towards(statistic: FloatArray, alternative: TestAlternative) -> FloatArray:
    """Where the lower tail of a statistic that is symmetric around 0 ends."""
    if alternative == "two-sided":
        return -np.abs(statistic)
    return -statistic if alternative == "greater" else statistic


def _wilcoxon(
    differences: Differences, places: IntArray, *, method: MethodUsed, alternative: TestAlternative
) -> FloatArray:
    from scipy.special import ndtr

    values = differences.values
    present = np.zeros((places.shape[0], values.size), dtype=np.bool_)
    np.put_along_axis(present, places, True, axis=1)
    order = np.argsort(np.abs(values), kind="stable")
    order = order[values[order] != 0.0]
    if order.size == 0:
        return np.ones(places.shape[0])
    sizes = np.abs(values[order])
    starts = np.flatnonzero(np.concatenate([[True], sizes[1:] != sizes[:-1]]))
    ordered = present[:, order]
    won = ordered & (values[order] > 0.0)
    if starts.size < order.size:
        numbers = np.add.reduceat(ordered, starts, axis=1, dtype=np.int64)
        positive = np.add.reduceat(won, starts, axis=1, dtype=np.int64)
    else:
        numbers, positive = ordered.astype(np.int64), won.astype(np.int64)
    doubled = 2 * np.cumsum(numbers, axis=1) - numbers + 1
    statistic = (positive * doubled).sum(axis=1)
    if method == "exact":
        return _exact_ranks(sizes, ordered, numbers, positive, alternative)
    ranks = 0.5 * doubled
    spread = 0.5 * np.sqrt((numbers * ranks**2).sum(axis=1))
    centre = 0.5 * (numbers * ranks).sum(axis=1)
    some = spread > 0.0
    z = np.zeros(places.shape[0])
    z[some] = (0.5 * statistic[some] - centre[some]) / spread[some]
    p = ndtr(_towards(z, alternative)) * (2.0 if alternative == "two-sided" else 1.0)
    return np.where(some, np.minimum(1.0, np.maximum(p, SMALLEST)), 1.0)


def _exact_ranks(
    sizes: FloatArray,
    ordered: BoolArray,
    numbers: Integers,
    positive: Integers,
    alternative: TestAlternative,
) -> FloatArray:
    if numbers.shape[1] == 1:
        # All sizes are equal, and so are their ranks.
        wins, losses = positive[:, 0], numbers[:, 0] - positive[:, 0]
        return SIGN.p_of_counts(wins, losses, alternative=alternative)
    p_values = np.ones(ordered.shape[0])
    known: dict[tuple[bytes, int], float] = {}
    for row in range(ordered.shape[0]):
        own = sizes[ordered[row]]
        if own.size == 0:
            continue
        doubled = doubled_midranks(own)
        own_doubled = 2 * np.cumsum(numbers[row]) - numbers[row] + 1
        won = int(positive[row] @ own_doubled)
        key = (doubled.tobytes(), won)
        if key not in known:
            known[key] = Sides.of_tails(*exact_tails(doubled, won)).of(alternative)
        p_values[row] = known[key]
    return p_values


def _counted(codes: IntArray, k: int) -> Integers:
    """How often each row has each code, shape (rows, k)."""
    n_rows = codes.shape[0]
    shifted = codes + k * np.arange(n_rows)[:, np.newaxis]
    return np.bincount(shifted.ravel(), minlength=n_rows * k).reshape(n_rows, k).astype(np.int64)


def _distinct(keys: Integers, *more: Integers) -> tuple[list[Integers], IntArray]:
    """Each distinct row once, and which of them each row is."""
    joined = np.column_stack([keys, *more])
    rows, places = np.unique(joined, axis=0, return_inverse=True)
    width = keys.shape[1]
    return [rows[:, :width], *rows[:, width:].T], places.ravel()


def _exact_randomization(
    differences: Differences, places: IntArray, alternative: TestAlternative
) -> FloatArray:
    whole = differences.integers
    assert whole is not None
    sizes, codes = np.unique(np.abs(whole), return_inverse=True)
    counts = _counted(codes[places], sizes.size)
    won: Integers = np.maximum(whole, 0)[places].sum(axis=1)
    if sizes[0] == 0:
        sizes, counts = sizes[1:], counts[:, 1:]
    if sizes.size == 0:
        return np.ones(places.shape[0])
    (kinds, totals), which = _distinct(counts, won)
    tops = kinds @ sizes

    def greater() -> FloatArray:
        return signs_at_least(sizes, kinds, totals)

    def less() -> FloatArray:
        # Symmetric: at most s is at least top − s.
        return signs_at_least(sizes, kinds, tops - totals)

    return _sided(alternative, greater, less)[which]


def _sided(
    alternative: TestAlternative,
    greater: Callable[[], FloatArray],
    less: Callable[[], FloatArray],
) -> FloatArray:
    if alternative == "greater":
        return greater()
    if alternative == "less":
        return less()
    return np.minimum(1.0, 2.0 * np.minimum(greater(), less()))


def _exact_bootstrap(
    differences: Differences, places: IntArray, alternative: TestAlternative
) -> FloatArray:
    whole = differences.integers
    assert whole is not None
    values, codes = np.unique(whole, return_inverse=True)
    size = places.shape[1]
    if alternative != "two-sided" and float(np.abs(values).max()) <= 1.0:
        wins, losses = _wins_and_losses(differences, places)
        ahead, behind = (wins, losses) if alternative == "greater" else (losses, wins)
        return outcomes_at_least(ahead, behind, size)
    (kinds,), which = _distinct(_counted(codes[places], values.size))
    totals: Integers = kinds @ values

    def at_least(edges: Integers) -> FloatArray:
        return draws_at_least(values, kinds, size, edges)

    def at_most(edges: Integers) -> FloatArray:
        return draws_at_least(-values[::-1], kinds[:, ::-1], size, -edges)

    if alternative == "greater":
        p = at_least(2 * totals)
    elif alternative == "less":
        p = at_most(2 * totals)
    else:
        high, low = totals + np.abs(totals), totals - np.abs(totals)
        # Without a difference, every resample is as far out.
        p = np.where(low >= high, 1.0, np.minimum(1.0, at_least(high) + at_most(low)))
    return p[which]


def _out_of_reach(
    differences: Differences, places: IntArray, alternative: TestAlternative
) -> BoolArray:
    rows = differences.values[places]
    means = rows.mean(axis=1)
    room = TIE_TOLERANCE * np.abs(rows).mean(axis=1)
    ahead = (means > room) & (rows.max(axis=1) - 2.0 * means < -room)
    behind = (means < -room) & (2.0 * means - rows.min(axis=1) < -room)
    if alternative == "two-sided":
        return np.asarray(ahead | behind)
    return np.asarray(ahead if alternative == "greater" else behind)
