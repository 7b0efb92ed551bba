"""P-values of every metric and test of a dataset while A and B change places at random.

One flip of an example exchanges A and B in all metrics at once, so that what the
metrics have in common stays. Where examples come in clusters, whole clusters flip.
The spread of what is summed does not change under flips, so a p-value needs one
sum a metric, and all flips are one product of matrices. Of correlations that are
randomized, a flip's difference is ranked among those of swaps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN
from ..significance.correlation import CorrelationTest
from ..significance.counting import SIGN, CountingTest
from ..significance.differences import TIE_TOLERANCE, Differences, clusters_of
from ..significance.known_tests import (
    PairedBootstrap,
    Randomization,
    own_settings,
    significance_test_named,
)
from ..significance.lattice import (
    SMALLEST,
    SignSum,
    lattice_of,
    upper_tails_of,
    whole_numbers,
)
from ..significance.plan import PlannedTest
from ..significance.predictions import swapped_deltas
from ..significance.resamples import CHUNK_DRAWS, DeltasOf, random_swaps
from ..significance.settings import Asked, Settings
from ..significance.significance_test import OfDifferences, OfMoments, OfSigns
from ..simulation.like_my_data import contributions, standings
from ..types import FloatArray, IntArray

# A variance below this share of the squares is none: rounding.
_NO_VARIANCE = 1e-12

# Swaps that a randomization's differences are ranked among.
_SWAPS = 9999

# Signs, shape (flips, units), or signed sums, shape (flips, columns), to p-values, shape (flips,).
ToPValues = Callable[[FloatArray], FloatArray]

BOOTSTRAP_NOTE = (
    "the paired bootstrap's p-value is taken from the normal distribution that it tends to"
)
ROUNDED_NOTE = (
    "the randomization of scores with very many values is that of differences rounded to steps"
)
FIRST_ORDER_NOTE = (
    "a metric of sums or a correlation is exchanged in first order, by each example's share in it"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlippedChoice:
    """What one metric and test needs of the flips, and `notes` on what of it is an approximation.

    `p_values` goes from signs of the units, shape (flips, n_units), to p-values of "A is better".
    """

    metric: str
    test: str
    p_values: ToPValues
    notes: tuple[str, ...] = ()


def flipped_choice(
    result_set: ResultSet, dataset: str, plan: PlannedTest, *, a: str, b: str
) -> FlippedChoice:
    """Prepare one metric and test."""
    kind, kernel = result_set.kind_of(plan.metric), significance_test_named(plan.test).kernel
    notes = []
    if isinstance(kernel, PairedBootstrap):
        notes.append(BOOTSTRAP_NOTE)
    if kind != MEAN and (kind not in CORRELATIONS or notes):
        notes.append(FIRST_ORDER_NOTE)
    exchanges = isinstance(kernel, Randomization)
    sign = 1.0 if result_set.is_higher_better(plan.metric) else -1.0
    if kind in CORRELATIONS and (exchanges or isinstance(kernel, CorrelationTest)):
        stands = standings(result_set, dataset, a, b, plan.metric)
        if isinstance(kernel, CorrelationTest):
            p_values = _of_columns(*_of_correlation(stands, kernel, sign))
        else:
            p_values = _of_swaps(stands, plan.clusters, kind, sign)
    else:
        given = contributions(result_set, dataset, a, b, plan.metric)
        if plan.clusters is not None:
            given = clusters_of(plan.clusters, n_examples=given.n).summed_differences(given)
        found = _of_contributions(given, plan.test)
        p_values = partial(_one_by_one, given, plan.test) if found is None else _of_columns(*found)
        if exchanges and not whole_numbers(given.values, given.integers)[1]:
            notes.append(ROUNDED_NOTE)
    return FlippedChoice(metric=plan.metric, test=plan.test, p_values=p_values, notes=tuple(notes))


def _of_columns(columns: FloatArray, from_sums: ToPValues) -> ToPValues:
    """By sums of the signed units."""
    return lambda signs: from_sums(signs @ columns)


def n_units(result_set: ResultSet, dataset: str) -> int:
    """How many examples, or clusters of them, change places one by one."""
    labels = result_set.clusters_of(dataset)
    n = result_set.n_examples(dataset)
    return n if labels is None else clusters_of(labels, n_examples=n).n_clusters


def notes_on(choices: Sequence[FlippedChoice]) -> tuple[str, ...]:
    """What of the p-values under flips is an approximation."""
    said = {note for choice in choices for note in choice.notes}
    return tuple(n for n in (BOOTSTRAP_NOTE, FIRST_ORDER_NOTE, ROUNDED_NOTE) if n in said)


def _of_contributions(given: Differences, test: str) -> tuple[FloatArray, ToPValues] | None:
    """By one sum of the signed units; None where the test needs every flip's differences."""
    kernel = significance_test_named(test).kernel
    values, integers = given.values, given.integers
    exact = values if integers is None else integers.astype(np.float64)
    if isinstance(kernel, CountingTest):
        return _of_counts(exact, kernel)
    if isinstance(kernel, OfSigns):
        return _of_signs(*kernel.signed_weights(values, integers))
    if not isinstance(kernel, OfMoments):
        return None
    n, squares = np.array(float(exact.size)), np.array(float(exact @ exact))
    # Exchanged differences lie on the lattice of both signs.
    lattice = lattice_of(None if integers is None else np.concatenate([integers, -integers]))
    return exact[:, np.newaxis], lambda sums: kernel.p_of_moments(n, sums[:, 0], squares, lattice)


def _one_by_one(given: Differences, name: str, signs: FloatArray) -> FloatArray:
    """Each flip's differences tested as a dataset of their own."""
    test = significance_test_named(name)
    assert isinstance(test.kernel, OfDifferences)
    settings = own_settings(test, Settings(n_resamples=_SWAPS))
    whole = given.integers
    p_values = np.empty(signs.shape[0])
    for row, own in enumerate(signs):
        turned = given.values * own
        flipped = replace(
            given,
            values=turned,
            integers=None if whole is None else whole * own.astype(np.int64),
            mean=float(turned.mean()),
        )
        p_values[row] = test.kernel.of_differences(
            flipped, Asked(settings=settings, rng=np.random.default_rng(0))
        ).p_values.greater
    return p_values


def _of_counts(exact: FloatArray, kernel: CountingTest) -> tuple[FloatArray, ToPValues]:
    """Tests of wins and losses, whatever their sizes."""
    n_differing = float(np.count_nonzero(exact))

    def by_count(sums: FloatArray) -> FloatArray:
        wins = 0.5 * (n_differing + sums[:, 0])
        return kernel.p_of_counts(wins, n_differing - wins, alternative="greater")

    return np.sign(exact)[:, np.newaxis], by_count


def _of_signs(weights: IntArray, counted: bool) -> tuple[FloatArray, ToPValues]:
    """Weights stay, their signs change."""
    from scipy.special import ndtr

    own = weights.astype(np.float64)
    if np.unique(np.abs(weights[weights != 0])).size == 1:
        return _of_counts(own, SIGN)
    if counted:
        # Exactly, from the distribution of the sum under fair signs.
        tails = upper_tails_of(SignSum(np.abs(weights)).points)
        total = tails.size - 1

        def by_tail(sums: FloatArray) -> FloatArray:
            picked = (np.rint(sums[:, 0]).astype(np.int64) + total) // 2
            return np.asarray(tails[picked], dtype=np.float64)

        return own[:, np.newaxis], by_tail
    spread = math.sqrt(float(own @ own))
    return own[:, np.newaxis], lambda sums: np.maximum(ndtr(-sums[:, 0] / spread), SMALLEST)


def _of_correlation(
    stands: FloatArray, kernel: CorrelationTest, sign: float
) -> tuple[FloatArray, ToPValues]:
    """Williams, Steiger, Meng: of the correlations after standings have changed places.

    p is 1 where a system no longer varies, or the test is not defined.
    """
    exchanged = _Exchanged(stands)

    def by_correlations(sums: FloatArray) -> FloatArray:
        triples = exchanged.correlations(sums)
        p_values = np.ones(triples.shape[0])
        for place in np.flatnonzero(np.isfinite(triples[:, 0])).tolist():
            r_a, r_b, r_ab = triples[place].tolist()
            # The test refuses such correlations: it has no p-value of them.
            if not kernel.has_no_z(r_a, r_b):
                sides = kernel.outcome(r_a, r_b, r_ab, exchanged.n).p_values
                p_values[place] = sides.greater if sign > 0.0 else sides.less
        return p_values

    return exchanged.columns, by_correlations


def _of_swaps(
    stands: FloatArray, clusters: npt.ArrayLike | None, kind: str, sign: float
) -> ToPValues:
    """Randomization of correlations: the share of swaps whose difference is at least a flip's.

    What is flipped and then swapped is swapped in another way, so that every flip
    has the same distribution of differences. p is 1 where a system no longer varies.
    """
    units = np.arange(stands.shape[1])
    if clusters is not None:
        units = clusters_of(clusters, n_examples=units.size).codes
    if kind == "spearman":
        deltas_of = swapped_deltas(stands.T, units, sign=sign)
    else:
        deltas_of = _Exchanged(stands, units).deltas_of(sign)
    swaps = random_swaps(
        np.ones(int(units.max()) + 1, dtype=np.intp),
        n_resamples=_SWAPS,
        rng=np.random.default_rng(0),
        keep_going=None,
    )
    # Differences that are not defined are sorted to the upper end: they count as extreme.
    known = np.sort(np.concatenate([deltas_of(swapped) for swapped in swaps]))

    def from_signs(signs: FloatArray) -> FloatArray:
        step = max(1, CHUNK_DRAWS // units.size)
        parts = [signs[start : start + step] for start in range(0, signs.shape[0], step)]
        deltas = np.concatenate([deltas_of(0.5 * (1.0 - part)) for part in parts])
        below = np.searchsorted(known, np.where(np.isnan(deltas), -np.inf, deltas - TIE_TOLERANCE))
        return np.asarray((known.size - below + 1.0) / (known.size + 1.0), dtype=np.float64)

    return from_signs


class _Exchanged:
    """Pearson's correlations of standings that change places, each from a few signed sums.

    An exchanged pair is middle ± half, so that every correlation is a sum of halves
    with the units' signs away.
    """

    def __init__(self, stands: FloatArray, units: IntArray | None = None) -> None:
        right, first, second = (one / math.sqrt(float(one @ one)) for one in stands)
        middle, half = 0.5 * (first + second), 0.5 * (first - second)
        self.n = right.size
        columns = np.column_stack([right * half, middle * half, half])
        if units is not None:
            columns = np.column_stack([np.bincount(units, column) for column in columns.T])
        self.columns = columns
        self._with_middle = float(right @ middle)
        self._square = float(middle @ middle) + float(half @ half)
        self._product = float(middle @ middle) - float(half @ half)
        self._total = float(middle.sum())

    def correlations(self, sums: FloatArray) -> FloatArray:
        """Of gold with A, gold with B and A with B, shape (flips, 3); nan where one never varies."""
        with_a, with_b = self._with_middle + sums[:, 0], self._with_middle - sums[:, 0]
        sum_a, sum_b = self._total + sums[:, 2], self._total - sums[:, 2]
        variance_a = self._square + 2.0 * sums[:, 1] - sum_a**2 / self.n
        variance_b = self._square - 2.0 * sums[:, 1] - sum_b**2 / self.n
        between = self._product - sum_a * sum_b / self.n
        defined = np.minimum(variance_a, variance_b) > _NO_VARIANCE * self._square
        # Gold's standings add up to 0, so that their covariance needs no centring.
        size_a, size_b = (np.sqrt(np.where(defined, v, np.nan)) for v in (variance_a, variance_b))
        triples = [with_a / size_a, with_b / size_b, between / (size_a * size_b)]
        clipped: FloatArray = np.clip(np.column_stack(triples), -1.0, 1.0)
        return clipped

    def deltas_of(self, sign: float) -> DeltasOf:
        """From swaps, shape (resamples, units), to differences of the correlations with gold."""

        def deltas_of(swapped: FloatArray) -> FloatArray:
            with_a, with_b, _ = self.correlations((1.0 - 2.0 * swapped) @ self.columns).T
            deltas: FloatArray = sign * (with_a - with_b)
            return deltas

        return deltas_of
