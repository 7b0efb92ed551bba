"""All metrics and tests of one comparison: what depends on the choice, and what choosing freely does.

On how many datasets a result depends on it, and how often the best of several is
"significant" by chance: by theory, and simulated.

One flip of an example exchanges A and B in all metrics at once, so that what the
metrics have in common stays. Where examples come in clusters, whole clusters flip.
The spread of what is summed does not change under flips, so a p-value needs one
sum a metric, and all flips are one product of matrices. Of correlations that are
randomized, a flip's difference is ranked among those of swaps.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN
from ..signature import short_fingerprint, signature_line
from ..significance.correlation import CorrelationTest, swapped_deltas
from ..significance.counting import SIGN, CountingTest
from ..significance.differences import TIE_TOLERANCE, Differences, clusters_of
from ..significance.known_tests import own_settings, significance_test_named
from ..significance.lattice import SMALLEST, SignSum, upper_tails_of, whole_numbers
from ..significance.resamples import CHUNK_DRAWS, DeltasOf, random_swaps
from ..significance.settings import Asked, Rng, Settings, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps
from ..simulation.like_my_data import contributions, standings
from ..simulation.results import Rate
from ..types import FloatArray, IntArray, frozen
from ..validation import HeldAgainst, at_most
from .pairs import PlannedPair, planned_pairs

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


def flipped_choice(
    result_set: ResultSet, pair: PlannedPair, *, a: str, b: str
) -> tuple[ToPValues, list[str]]:
    """From signs of the units to p-values of "A is better", and what of it is an approximation."""
    given, test = pair.given(), pair.test
    kind, known = given.kind, significance_test_named(test)
    dataset, metric, clusters = given.dataset, given.metric, given.clusters
    notes = []
    if known.bootstraps:
        notes.append(BOOTSTRAP_NOTE)
    if kind != MEAN and (kind not in CORRELATIONS or notes):
        notes.append(FIRST_ORDER_NOTE)
    sign = 1.0 if given.higher_is_better else -1.0
    if kind in CORRELATIONS and (known.exchanges or known.of_correlations is not None):
        stands = standings(result_set, dataset, a, b, metric)
        if known.of_correlations is not None:
            p_values = _of_columns(*_of_correlation(stands, known.of_correlations, sign))
        else:
            p_values = _of_swaps(stands, clusters, kind, sign)
    else:
        shares = contributions(result_set, dataset, a, b, metric)
        if clusters is not None:
            shares = clusters_of(clusters, n_examples=shares.n).summed_differences(shares)
        found = _of_contributions(shares, test)
        p_values = partial(_one_by_one, shares, test) if found is None else _of_columns(*found)
        if known.exchanges and not whole_numbers(shares.values, shares.integers)[1]:
            notes.append(ROUNDED_NOTE)
    return p_values, notes


def _of_columns(columns: FloatArray, from_sums: ToPValues) -> ToPValues:
    """By sums of the signed units."""
    return lambda signs: from_sums(signs @ columns)


def _of_contributions(given: Differences, test: str) -> tuple[FloatArray, ToPValues] | None:
    """By one sum of the signed units; None where the test needs every flip's differences."""
    known = significance_test_named(test)
    values, integers = given.values, given.integers
    exact = values if integers is None else integers.astype(np.float64)
    if known.counting is not None:
        return _of_counts(exact, known.counting)
    if known.signed_weights is not None:
        return _of_signs(*known.signed_weights(values, integers))
    p_of_moments = known.p_of_moments
    if p_of_moments is None:
        return None
    n, squares = np.array(float(exact.size)), np.array(float(exact @ exact))
    # Exchanged differences lie on the lattice of both signs.
    both = None if integers is None else np.concatenate([integers, -integers])
    return exact[:, np.newaxis], lambda sums: p_of_moments(n, sums[:, 0], squares, both)


def _one_by_one(given: Differences, name: str, signs: FloatArray) -> FloatArray:
    """Each flip's differences tested as a dataset of their own."""
    test = significance_test_named(name)
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
        p_values[row] = test.of_scores(
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

    A flip that is swapped is swapped in another way, so that every flip has the same distribution
    of differences. p is 1 where a system no longer varies.
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
    """Pearson's correlations of standings that change places.

    An exchanged pair is middle ± half, so that each needs a few signed sums.
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


def free_choice_rate(m: float, alpha: float) -> float:
    """Chance that the smallest of m independent p-values is at most `alpha` under the null.

    1 − (1 − α)^m.
    """
    return -math.expm1(m * math.log1p(-alpha))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FreeChoice(HeldAgainst):
    """P-values of every choice of metric and test while A and B change places at random.

    `p_values`, shape (n_repetitions, n_choices), are of "A is better" where A and B may be
    exchanged; `observed` by the same formulas of the data as they are. `notes` say what is an
    approximation.
    """

    dataset: str
    system_a: str
    system_b: str
    choices: tuple[tuple[str, str], ...]
    alpha: float
    p_values: FloatArray
    observed: FloatArray
    of_clusters: bool
    n_asked: int
    seed: int
    notes: tuple[str, ...]
    fingerprint: str

    @property
    def n_repetitions(self) -> int:
        """How many were done."""
        return int(self.p_values.shape[0])

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def smallest(self) -> FloatArray:
        """The smallest p-value of each repetition, shape (n_repetitions,)."""
        smallest: FloatArray = self.p_values.min(axis=1)
        return smallest

    @property
    def rate(self) -> Rate:
        """How often the smallest p-value is at most alpha though A and B are alike."""
        return self._rate(self.smallest)

    @property
    def rates(self) -> tuple[Rate, ...]:
        """The same of each choice alone, had it been fixed beforehand."""
        return tuple(self._rate(column) for column in self.p_values.T)

    @property
    def n_as_if_independent(self) -> float:
        """So many independent choices would have this rate; infinite where it is 1."""
        share = self.rate.rate
        return math.log1p(-share) / math.log1p(-self.alpha) if share < 1.0 else math.inf

    @property
    def smallest_observed(self) -> float:
        """The smallest p-value of the data as they are."""
        return float(self.observed.min())

    @property
    def adjusted_p_value(self) -> float:
        """How often chance alone makes the smallest p-value as small.

        (s + 1)/(R + 1), a valid p-value (Westfall and Young 1993).
        """
        as_small = int(np.count_nonzero(at_most(self.smallest, self.smallest_observed)))
        return (as_small + 1) / (self.n_repetitions + 1)

    @property
    def signature(self) -> str:
        """The one line that names everything the rates depend on."""
        return signature_line(
            study="free-choice",
            dataset=self.dataset,
            a=self.system_a,
            b=self.system_b,
            choices=",".join(f"{metric}/{test}" for metric, test in self.choices),
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint),
        )

    def _rate(self, p_values: FloatArray) -> Rate:
        return Rate(
            count=int(np.count_nonzero(at_most(p_values, self.alpha))), n=self.n_repetitions
        )


# Signs thrown at once, 8 bytes each.
_SIGNS = 1 << 20


def simulated_free_choice(
    result_set: ResultSet,
    dataset: str,
    *,
    a: str,
    b: str,
    tests: Sequence[str] = ("auto",),
    alpha: float = 0.05,
    n_repetitions: int = 1000,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> FreeChoice:
    """How often the best of several metrics and tests is "significant" by chance, on these data.

    In every repetition a fair coin for each example, or each cluster of them,
    makes A and B change places in all metrics at once. So no metric has a
    difference, and what the metrics have in common is that of the data. Tests are as of
    `metric_study`; fewer repetitions are the first of more, and those done before a stop are kept.
    Raises DataError if no test fits any metric. Søgaard et al. (CoNLL 2014), section 3; Westfall and
    Young (1993).
    """
    seed = seed_of(rng)
    names = (*result_set.metrics, *result_set.label_metrics)
    planned, _ = planned_pairs(result_set, [dataset], names, a=a, b=b, tests=tests)
    choices = [flipped_choice(result_set, pair, a=a, b=b) for pair in planned]
    labels, units = result_set.clusters_of(dataset), result_set.n_examples(dataset)
    if labels is not None:
        units = clusters_of(labels, n_examples=units).n_clusters
    stream = dataset_stream(seed, result_set.name_in_file(dataset), "flips")
    p_values = np.empty((n_repetitions, len(choices)))
    # In words of eight bytes, so that fewer repetitions are the first of more.
    width = 8 * -(-units // 64)
    step = max(1, min(_SIGNS // units, 1 + n_repetitions // 20))
    steps = Steps(on_progress, total=n_repetitions)
    for start in range(0, n_repetitions, step):
        if not steps.keep_going():
            break
        stop = min(start + step, n_repetitions)
        drawn = np.frombuffer(stream.bytes((stop - start) * width), dtype=np.uint8)
        coins = np.unpackbits(drawn.reshape(stop - start, width), axis=1, count=units)
        signs = 2.0 * coins.astype(np.float64) - 1.0
        for place, (of_signs, _) in enumerate(choices):
            p_values[start:stop, place] = of_signs(signs)
        steps.done = stop
    steps.end("The simulation was stopped before one repetition was done.")
    observed = np.array([float(of_signs(np.ones((1, units)))[0]) for of_signs, _ in choices])
    said = {note for _, notes in choices for note in notes}
    return FreeChoice(
        dataset=dataset,
        system_a=a,
        system_b=b,
        choices=tuple((one.metric, one.test) for one in planned),
        alpha=alpha,
        p_values=frozen(p_values[: steps.done].copy()),
        observed=frozen(observed),
        of_clusters=labels is not None,
        n_asked=n_repetitions,
        seed=seed,
        notes=tuple(n for n in (BOOTSTRAP_NOTE, FIRST_ORDER_NOTE, ROUNDED_NOTE) if n in said),
        fingerprint=result_set.fingerprint,
    )
