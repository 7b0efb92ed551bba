"""P-values of many subsamples of one dataset's units.

Each is what `run_significance_test` gives on the subsample's own examples, by the
method that is named, from the stream that is given. Differences are formed once,
on the whole dataset, so that whether two of them tie does not depend on what else
was drawn.

The bootstrap draws its resamples once for all subsamples of a size and applies them
place by place: the sums of all subsamples are then one product of matrices
(Berg-Kirkpatrick et al. 2012, footnote 5). The subsamples share their noise: their
spread is hardly affected, their common level is off by what one run of so many
resamples is off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..metrics.registry import StatisticMetric
from ..types import BoolArray, FloatArray, IntArray
from .counting import SIGN, CountingTest
from .differences import TIE_TOLERANCE, Differences
from .known_tests import (
    PairedBootstrap,
    Randomization,
    own_settings,
    significance_test_named,
)
from .lattice import MAX_BINS, Integers
from .randomization import swapped
from .resamples import CHUNK_DRAWS, COUNT_COST, DRAWN_INDICES, drawn_counts, product, row_codes
from .settings import (
    TEST_ALTERNATIVES,
    Asked,
    Method,
    MethodUsed,
    Settings,
    TestAlternative,
)
from .stopping import KeepGoing, check_going
from .student import StudentTest
from .summed_statistics import SummedStatistics, has_witness, scale_of
from .tails import Terms, half_window, tails_of
from .wilcoxon import SignedRankTest

# A convolution for each subsample: above, a hundred of them take longer than all else together,
# and around the usual levels the normal approximation is off by less than .002.
WILCOXON_EXACT_UP_TO = 50
# Exact distributions take longer than resamples where nearly all of their chance lies on more
# bins than so many, or on so many by distinct values.
_LONGEST_WINDOW, _LARGEST_TABLE = 1 << 16, 1 << 20
# Swaps of one subsample at a time are quicker where bins by distinct sizes are more than so many
# for each of its units.
_SWAPS_TABLE = 1 << 9
# Subsamples swapped at once: their tables of sums take 16 MiB.
_SWAPPED = 16
# Sums of resamples held at once: 16 MiB.
_SUMS_HELD = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedOfRows:
    """What is asked besides the scores; the stream of resamples is made anew each time."""

    alternative: TestAlternative
    n_resamples: int
    stream: Callable[[], np.random.Generator]
    keep_going: KeepGoing = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowPValues:
    """P-values of subsamples, nan without a score; and where no resample is extreme."""

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
        return _of_lattice(None if whole is None else np.abs(whole[whole != 0]), size, least=0)
    if isinstance(kernel, PairedBootstrap):
        return _of_lattice(whole, size)
    return None


def _of_lattice(whole: Integers | None, size: int, *, least: int | None = None) -> MethodUsed:
    """Whether the sum of so many whole numbers, the least one given or theirs, is soon counted."""
    if whole is None:
        return "monte-carlo"
    values = np.unique(whole)
    if values.size == 0:
        return "exact"
    breadth = float(values[-1] - (values[0] if least is None else least))
    width = _window(breadth, size)
    soon = width <= _LONGEST_WINDOW and width * values.size <= _LARGEST_TABLE
    return "exact" if soon and size * breadth + 1.0 <= MAX_BINS else "monte-carlo"


def _soon(whole: Integers, size: int) -> bool:
    """Whether swaps of all subsamples at once are quicker than of one at a time."""
    sizes = np.unique(np.abs(whole))
    return bool(sizes.size * _window(float(sizes[-1]), size) <= _SWAPS_TABLE * size)


def _window(breadth: float, size: int) -> float:
    """On how many bins nearly all chance of a sum of so many terms of this breadth lies."""
    return min(2.0 * half_window(breadth, 0.25 * size * breadth**2), size * breadth + 1.0)


def p_values_of_rows(
    differences: Differences,
    places: IntArray,
    asked: AskedOfRows,
    *,
    test: str,
    method: MethodUsed,
) -> RowPValues:
    """P-values of subsamples of a dataset's units at these `places`, shape (rows, size)."""
    kernel = significance_test_named(test).kernel
    check_going(asked.keep_going)
    alternative = asked.alternative
    reached = np.zeros(places.shape[0], dtype=np.bool_)
    whole = differences.integers if method == "exact" else None
    if isinstance(kernel, Randomization) and whole is not None and np.abs(whole).max() <= 1:
        # Fair signs of differences of one size are those of the sign test.
        kernel = SIGN
    if isinstance(kernel, CountingTest):
        signs = np.sign(differences.values).astype(np.int8)[places]
        wins, losses = (np.count_nonzero(signs == sign, axis=1) for sign in (1, -1))
        p_values = kernel.p_of_counts(wins, losses, alternative=alternative)
    elif isinstance(kernel, Randomization) and whole is not None and _soon(whole, places.shape[1]):
        p_values = _of_swaps(whole, places, asked)
    elif isinstance(kernel, Randomization) and method == "monte-carlo" and not differences.ties:
        p_values = _of_random_swaps(differences, places, asked)
    elif isinstance(kernel, PairedBootstrap):
        if method == "monte-carlo":
            p_values = _bootstrapped_means(differences, places, asked, test)
        elif whole is not None and alternative != "two-sided":
            sign = 1 if alternative == "greater" else -1
            p_values = _of_draws(sign * whole, places, asked)
        else:
            p_values = _by_row(differences, places, asked, test, method)
        reached = _out_of_reach(differences, places, alternative) | (p_values == 0.0)
    else:
        p_values = _by_row(differences, places, asked, test, method)
    return RowPValues(p_values=p_values, out_of_reach=reached)


def _of_swaps(whole: Integers, places: IntArray, asked: AskedOfRows) -> FloatArray:
    """Chances that fair signs give sums as extreme as those of subsamples."""
    sizes, counts = _counted(np.abs(whole), places)
    rows = whole[places]
    won, lost = np.maximum(rows, 0).sum(axis=1), np.maximum(-rows, 0).sum(axis=1)
    picks = Terms.of_picks(sizes, counts)
    tails, points = tails_of(picks, np.maximum(won, lost), keep_going=asked.keep_going)
    if asked.alternative == "two-sided":
        return np.minimum(2.0 * tails, 1.0)
    leads = won >= lost if asked.alternative == "greater" else lost >= won
    return np.where(leads, tails, np.minimum(1.0 - tails + points, 1.0))


def _of_random_swaps(differences: Differences, places: IntArray, asked: AskedOfRows) -> FloatArray:
    """The same of random signs, which all subsamples share as no difference is 0."""
    p_values = np.empty(places.shape[0])
    side = TEST_ALTERNATIVES.index(asked.alternative)
    for start in range(0, places.shape[0], _SWAPPED):
        part = slice(start, start + _SWAPPED)
        columns = differences.values[places[part].T]
        extreme = swapped(columns, asked.n_resamples, asked.stream(), asked.keep_going)[side]
        p_values[part] = (np.count_nonzero(extreme, axis=0) + 1) / (asked.n_resamples + 1)
    return p_values


def _of_draws(whole: Integers, places: IntArray, asked: AskedOfRows) -> FloatArray:
    """Chances that resamples of subsamples have at least twice their sums."""
    p_values = np.empty(places.shape[0])
    leads = whole[places].sum(axis=1) >= 0
    for side, sign in ((leads, 1), (~leads, -1)):
        values, counts = _counted(sign * whole, places[side])
        twice = 2 * counts @ values
        drawn = Terms.of_draws(values, counts)
        tails, points = tails_of(drawn, twice, keep_going=asked.keep_going)
        p_values[side] = tails if sign == 1 else np.minimum(1.0 - tails + points, 1.0)
    return p_values


def _counted(whole: Integers, places: IntArray) -> tuple[Integers, IntArray]:
    values, codes = np.unique(whole, return_inverse=True)
    rows = codes.astype(np.int32)[places] + values.size * np.arange(places.shape[0])[:, np.newaxis]
    counts = np.bincount(rows.ravel(), minlength=places.shape[0] * values.size)
    return values, counts.reshape(-1, values.size)


def _by_row(
    differences: Differences, places: IntArray, asked: AskedOfRows, name: str, method: MethodUsed
) -> FloatArray:
    test = significance_test_named(name)
    how: Method = "auto" if method == "student" else method
    settings = own_settings(
        test, Settings(method=how, n_resamples=asked.n_resamples, with_interval=False)
    )
    p_values = np.empty(places.shape[0])
    rng = asked.stream()
    for row, own in enumerate(places):
        check_going(asked.keep_going)
        # What is computed without resamples draws nothing.
        rng = asked.stream() if method == "monte-carlo" else rng
        one = Asked(settings=settings, rng=rng, keep_going=asked.keep_going)
        outcome = test.of_scores(differences.part(own), one)
        p_values[row] = outcome.p_values.of(asked.alternative)
    return p_values


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


def _bootstrapped_means(
    differences: Differences, places: IntArray, asked: AskedOfRows, test: str
) -> FloatArray:
    size, whole = places.shape[1], differences.integers
    values = differences.values if whole is None else whole.astype(np.float64)
    # Of few distinct values the test draws how often each comes, so that nothing can be shared.
    ordered = np.sort(values[places], axis=1)
    few = 1 + np.count_nonzero(np.diff(ordered, axis=1), axis=1) < size / COUNT_COST
    p_values = np.empty(places.shape[0])
    p_values[few] = _by_row(differences, places[few], asked, test, "monte-carlo")
    # A tie is a tie; whole numbers add up without rounding.
    sizes = np.abs(values[places[~few]]).sum(axis=1) * (whole is None)
    p_values[~few], _, _ = _shared_resamples(
        values[:, np.newaxis],
        places[~few],
        asked,
        deltas_of=lambda sums: sums[..., 0],
        room=TIE_TOLERANCE * sizes,
        narrow=True,
    )
    return p_values


def few_kinds(statistics: SummedStatistics, places: IntArray) -> BoolArray:
    """Of each subsample whether the test draws how often each distinct row comes."""
    kinds = row_codes(np.hstack([statistics.a, statistics.b]), at_most=statistics.n)
    assert kinds is not None
    there = np.zeros((places.shape[0], int(kinds.max()) + 1), dtype=np.bool_)
    np.put_along_axis(there, kinds[places], True, axis=1)
    few: BoolArray = np.count_nonzero(there, axis=1) <= places.shape[1] // COUNT_COST
    return few


def bootstrapped_sums(
    statistics: SummedStatistics,
    places: IntArray,
    asked: AskedOfRows,
    *,
    metric: StatisticMetric | None,
) -> RowPValues:
    """P-values (s + 1)/(b + 1) of subsamples; roundings are judged by the metric, or the whole."""
    width = statistics.a.shape[1]
    scores = [statistics.score(own[places].sum(axis=1)) for own in (statistics.a, statistics.b)]
    pairs = zip(*scores, strict=True)
    scales = [statistics.scale if metric is None else scale_of(metric, pair) for pair in pairs]
    room = TIE_TOLERANCE * np.array(scales)
    p_values, delta, ahead = _shared_resamples(
        np.hstack([statistics.a, statistics.b]),
        places,
        asked,
        deltas_of=lambda sums: statistics.deltas(sums[..., :width], sums[..., width:]),
        room=room,
    )
    defined = np.isfinite(scores).all(axis=0)
    sides = {"greater": delta > room, "less": delta < -room, "two-sided": np.abs(delta) > room}
    doubtful = defined & sides[asked.alternative] & (ahead == 0)
    doubtful &= ~_reached_alone(statistics, places, delta, room)
    out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
    for row in np.flatnonzero(doubtful).tolist():
        check_going(asked.keep_going)
        own = places[row]
        part = replace(
            statistics, a=statistics.a[own], b=statistics.b[own], scale=scales[row], shared=None
        )
        out_of_reach[row] = not has_witness(part)
    return RowPValues(p_values=np.where(defined, p_values, np.nan), out_of_reach=out_of_reach)


def _reached_alone(
    statistics: SummedStatistics, places: IntArray, delta: FloatArray, room: FloatArray
) -> BoolArray:
    """Whether one unit, drawn again and again, has twice the observed difference."""
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = statistics.deltas(statistics.a, statistics.b)
    high = np.where(np.isfinite(alone), alone, -np.inf)[places].max(axis=1)
    low = np.where(np.isfinite(alone), alone, np.inf)[places].min(axis=1)
    reached: BoolArray = np.where(delta > 0.0, high >= 2 * delta - room, low <= 2 * delta + room)
    return reached


def _shared_resamples(
    rows: FloatArray,
    places: IntArray,
    asked: AskedOfRows,
    *,
    deltas_of: Callable[[FloatArray], FloatArray],
    room: FloatArray,
    narrow: bool = False,
) -> tuple[FloatArray, FloatArray, IntArray]:
    """P-values, observed differences, and in how many resamples twice of them is reached.

    `rows`, shape (n_units, c), are what is known of each unit; `narrow` as draws of means are.
    """
    n_rows, size = places.shape
    width = rows.shape[1]
    delta = deltas_of(rows[places].sum(axis=1))
    extreme, ahead = np.zeros((2, n_rows), dtype=np.int64)
    at_once = max(1, _SUMS_HELD // (width * size))
    for left in range(0, n_rows, at_once):
        part = slice(left, left + at_once)
        columns = rows[places[part]].transpose(1, 0, 2).reshape(size, -1)
        for counts in _draw_counts(size, asked, narrow=narrow):
            sums = product(counts, columns).reshape(counts.shape[0], -1, width)
            drawn = deltas_of(sums)
            unknown = np.isnan(drawn)
            far, reached = _far(drawn, delta[part], room[part], asked.alternative)
            # What has no score counts against the evidence, and shows no reach.
            extreme[part] += np.count_nonzero(far | unknown, axis=0)
            ahead[part] += np.count_nonzero(reached & ~unknown, axis=0)
    return (extreme + 1) / (asked.n_resamples + 1), delta, ahead


def _draw_counts(size: int, asked: AskedOfRows, *, narrow: bool) -> Iterator[FloatArray]:
    """How often each place is in each resample, in chunks of shape (resamples, size)."""
    rng, n_resamples = asked.stream(), asked.n_resamples
    kind: type[np.integer[Any]] = np.int64
    most, piece = CHUNK_DRAWS, size
    if narrow:
        kind = np.uint16 if size <= 1 << 16 else np.uint32
        most = piece = DRAWN_INDICES
    held = max(1, most // size)
    for start in range(0, n_resamples, held):
        part = min(held, n_resamples - start)
        counts = np.zeros((part, size))
        for first in range(0, size, piece):
            check_going(asked.keep_going)
            counts += drawn_counts(size, min(piece, size - first), part, rng, kind=kind)
        yield counts


def _far(
    drawn: FloatArray, delta: FloatArray, room: FloatArray, alternative: TestAlternative
) -> tuple[BoolArray, BoolArray]:
    """Which resamples are extreme, and which reach twice the observed difference."""
    with np.errstate(invalid="ignore"):
        high, low = drawn >= 2.0 * delta - room, drawn <= 2.0 * delta + room
        reached = np.where(delta > 0.0, high, low)
        if alternative == "two-sided":
            far = (drawn >= delta + np.abs(delta) - room) | (drawn <= delta - np.abs(delta) + room)
            return far, reached
    return (high if alternative == "greater" else low), reached
