"""Two correlations with the same gold scores: resampled, or from the three correlations.

The bootstrap computes the correlations anew in each resample, Spearman's with new
midranks; randomization swaps the systems' midranks and ranks anew after each swap
(Spearman), or swaps standardised scores (Pearson), since raw scores on two scales
could not be exchanged (Deutsch, Dror and Roth, TACL 2021, "PERM-BOTH").

Both are approximate. Where normal triples have the same correlations, they reject
at α = .05 (.01) more often than α: the bootstrap by at most .020 (.010) for
n = 50, randomization by at most .010 (.005) for n = 50.

Where both systems correlate with gold alike, at n = 12 to 400 and α = .05, randomization
rejects (two-sided in brackets):

- Spearman, correlations of .6, .9 and .98, five grades: .04 to .065 (.04 to .07). Without
  ranking anew .06 to .07 (.06 to .08) at n = 12;
- Pearson, normal scores: .04 to .06 (.045 to .06), at correlations of .98 .04 to .07
  (.05 to .075);
- Pearson, lognormal scores: .055 to .075 (.06 to .07), at correlations near 1 .07 to .10
  (.07 to .14), most at n = 12.

There A and B could be exchanged, which is randomization's null hypothesis. Where only
the correlations with gold are equal, as A errs by normal noise and B in another way, it
rejects for B at n = 25, 100 and 400 (Williams' test in brackets):

- Spearman: .13, .09, .08 (.16, .16, .16) where a fifth of B's outputs is noise; .10, .06,
  .05 (.13, .13, .09) where a fifth has the lowest score; .29, .10, .09 (.36, .23, .27)
  where B errs at the extremes;
- Pearson: .18, .10, .07 (.22, .19, .18) where a fifth is noise; .24, .29, .30
  (.23, .27, .31) where B's outputs are lognormal.

The tests of Williams, Steiger, and Meng, Rosenthal and Rubin need the three correlations
alone. Their null hypothesis: both systems correlate with gold alike, examples being drawn
from a normal distribution of the three. Spearman's correlations of midranks are
put in the place of Pearson's, which is common and approximate.

Where the null is true, each rejects at α = .05 (.01) more often than α: on Pearson's
by at most .010 (.005) for n = 50, on Spearman's, which vary more, by at most .020
(.010) for n = 50. That holds of correlations of .6 with gold. Nearer to 1, or of
skewed scores, they reject at α = .05 (two-sided in brackets, n = 12 to 400):

- Spearman at .9: .07 to .08 (.08 to .11); at .98: .15 to .07 (.21 to .09), least at n = 400;
- Pearson, lognormal scores: .13 to .25 (.18 to .39), near 1 .17 to .32 (.26 to .56), most at
  n = 400.

Randomization of standings rejects there in .04 to .10 (.04 to .14) and is the default.
``./run.sh calibrate correlations`` prints all these.

Vocabulary
----------
r_gold_a, r_gold_b
    Correlations of each system's predictions with gold.
r_a_b
    Correlation of the two systems' predictions with each other.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..metrics.registry import ONE, Correlation, correlation_with, pearson, standing
from ..types import BoolArray, FloatArray, IntArray
from .differences import Clusters
from .lattice import SMALLEST
from .outcome import ALL_ZERO, NO_EVIDENCE, Compared, Outcome, Sides
from .resamples import CHUNK_DRAWS, DeltasOf, bootstrap_deltas
from .settings import Asked, MethodUsed
from .summed_statistics import SummedStatistics


def ranked_deltas(rows: FloatArray, *, sign: float) -> DeltasOf:
    """From standings of gold, A and B, shape (n, 3), a function of counts to differences."""
    gold, a, b = (_Ranker(column) for column in rows.T)

    def deltas_of(counts: FloatArray) -> FloatArray:
        right, spread = gold.ranks(counts)
        weighted = counts * right

        def correlation(ranks: FloatArray, own_spread: FloatArray) -> FloatArray:
            return _correlation(np.einsum("ij,ij->i", weighted, ranks), spread * own_spread)

        return sign * (correlation(*a.ranks(counts)) - correlation(*b.ranks(counts)))

    return deltas_of


def units_drawn(
    rows: FloatArray, deltas_from: Callable[[FloatArray], DeltasOf], clusters: Clusters | None
) -> tuple[FloatArray, Callable[[FloatArray], DeltasOf]]:
    """What `bootstrap_deltas` draws: examples, or clusters, with which all their examples come."""
    if clusters is None:
        return rows, deltas_from
    deltas_of_examples, codes = deltas_from(rows), clusters.codes
    numbers = np.arange(float(clusters.n_clusters))[:, np.newaxis]
    return numbers, lambda _: lambda counts: deltas_of_examples(counts[:, codes])


class _Ranker:
    """Midranks of resamples from their counts, without sorting each."""

    def __init__(self, values: FloatArray) -> None:
        self._order = np.argsort(values, kind="stable")
        distinct, self._group, sizes = np.unique(values, return_inverse=True, return_counts=True)
        self._starts = np.cumsum(sizes) - sizes
        self._tied = distinct.size < values.size

    def ranks(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Midranks less their mean, shape (resamples, d), and their sums of squares."""
        number = counts[:, self._order]
        if self._tied:
            number = np.add.reduceat(number, self._starts, axis=1)
        upper = np.cumsum(number, axis=1)
        # A group's ranks run from `upper - number + 1` to `upper`.
        centred = upper - 0.5 * number - 0.5 * upper[:, -1:]
        squares = np.einsum("ij,ij,ij->i", number, centred, centred)
        return centred[:, self._group], squares


def swapped_deltas(rows: FloatArray, units: IntArray, *, sign: float) -> DeltasOf:
    """From standings of gold, A and B, shape (n, 3), a function of swaps to differences.

    `units`, shape (n,): which column of the swaps, shape (resamples, columns), exchanges an example;
    -1 for none. The standings of both systems together are the same after every swap. Each distinct
    one is a place, and what a swap changes are the numbers c of A's examples at the places. Twice
    their midranks are q = 2·Σc − c, the spread is (n³ − Σc³)/3; B has the rest of c. All are whole
    numbers, so that no order of adding them matters.
    """
    from scipy import sparse

    gold, a, b = rows.T
    n = gold.size
    places = np.unique(np.concatenate([a, b]), return_inverse=True)[1]
    of_a, of_b = places[:n], places[n:]
    n_places = int(places.max()) + 1
    number_of_a, number_of_b = (
        np.bincount(of, minlength=n_places)[:, np.newaxis].astype(np.float64) for of in (of_a, of_b)
    )
    number_of_both = number_of_a + number_of_b
    moved = np.flatnonzero(units >= 0)
    # Where a swap takes A's example from, and where it brings B's to.
    takes, brings = (
        sparse.csr_array(
            (np.ones(moved.size), (of[moved], np.arange(moved.size))), (n_places, moved.size)
        )
        for of in (of_a, of_b)
    )
    moves = brings - takes
    # As the cubes of places are made, so that a system without any spread has exactly none.
    cube = float(n) * n * n
    scale = float(gold @ gold) / 3.0

    def deltas_of(swapped: FloatArray) -> FloatArray:
        # Examples and places go down, resamples across: rows are taken and added whole.
        drawn = swapped.T[units[moved]]

        def correlation(number: FloatArray, own: IntArray, other: IntArray) -> FloatArray:
            ranks: FloatArray = np.cumsum(number, axis=0)
            ranks *= 2.0
            ranks -= number
            covariance = gold @ ranks[own]
            exchanged = ranks[other[moved]]
            exchanged -= ranks[own[moved]]
            exchanged *= drawn
            covariance += gold[moved] @ exchanged
            return _correlation(covariance, scale * (cube - _cubes(number)))

        number = np.asarray(moves @ drawn)
        number += number_of_a
        r_a = correlation(number, of_a, of_b)
        np.subtract(number_of_both, number, out=number)
        return sign * (r_a - correlation(number, of_b, of_a))

    return deltas_of


def _cubes(number: FloatArray) -> FloatArray:
    cubes: FloatArray = np.einsum("ij,ij,ij->j", number, number, number)
    return cubes


def _correlation(covariance: FloatArray, spread: FloatArray) -> FloatArray:
    # Ranks that never vary are exact zeros: 0/0, undefined.
    with np.errstate(invalid="ignore"):
        r: FloatArray = covariance / np.sqrt(spread)
    return np.clip(r, -1.0, 1.0)


# Draws for an interval beside another test's p-value: one or two seconds of
# them, new midranks taking longer than sums.
_MAX_INTERVAL_DRAWS = {"spearman": 1 << 25, "pearson": 1 << 26}
NOT_APART = "r(A, B) = 1: the two systems cannot be told apart"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions(SummedStatistics):
    """Two systems' numeric predictions, by the `standings` of gold, A and B, shape (3, n)."""

    kind: Correlation
    standings: FloatArray
    comparison: Compared
    clusters: Clusters | None = None

    @property
    def delta(self) -> float:
        """The observed difference, of the correlations as they are reported."""
        return self.comparison.difference + self.shift

    @property
    def alike(self) -> bool:
        """As of the comparison: clusters of equal statistics may rank anew in different ways."""
        return bool(self.comparison.alike)

    @property
    def constant(self) -> bool:
        """Never: predictions that do not vary have no correlation."""
        return False

    def takes_long(self, n_resamples: int) -> bool:
        """Whether so many resamples take longer than an interval is worth."""
        return self.comparison.n_examples * n_resamples > _MAX_INTERVAL_DRAWS[self.kind]

    def drawn(self, asked: Asked) -> FloatArray:
        """Differences of bootstrap samples, Spearman's with new midranks, shape (n_resamples,)."""
        if self.kind == "pearson":
            return SummedStatistics.drawn(self, asked)
        deltas_from = partial(ranked_deltas, sign=self.sign)
        rows = np.ascontiguousarray(self.standings.T)
        deltas = bootstrap_deltas(
            *units_drawn(rows, deltas_from, self.clusters),
            breadth=self.comparison.n_examples,
            size=asked.settings.resample_size or self.n,
            n_resamples=asked.settings.n_resamples,
            rng=asked.rng,
            keep_going=asked.keep_going,
        )
        return deltas + self.shift

    def differing(self) -> BoolArray:
        """On which examples or clusters they stand differently, be their sums the same."""
        if self.kind == "pearson" or self.clusters is None:
            return SummedStatistics.differing(self)
        _, a, b = self.standings
        return np.bincount(self.clusters.codes, a != b) > 0

    def swapping(self, *, everything: bool) -> tuple[IntArray, DeltasOf]:
        """Swaps of ranks, ranked anew after each, or of standardised scores."""
        if self.kind == "pearson":
            return SummedStatistics.swapping(self, everything=everything)
        differs = self.differing()
        n_differing = int(np.count_nonzero(differs))
        columns = np.where(differs, np.cumsum(differs) - 1, -1)
        if everything:
            columns[columns == n_differing - 1] = -1
        if self.clusters is not None:
            columns = columns[self.clusters.codes]
        deltas_of = swapped_deltas(self.standings.T, columns, sign=self.sign)
        return np.ones(n_differing, dtype=np.intp), deltas_of

    def jackknife(self) -> FloatArray:
        """The difference without each example, or each cluster."""
        if self.kind == "pearson":
            return SummedStatistics.jackknife(self)
        n, clusters = self.comparison.n_examples, self.clusters
        codes = np.arange(n) if clusters is None else clusters.codes
        deltas_of = ranked_deltas(np.ascontiguousarray(self.standings.T), sign=self.sign)
        parts = max(1, CHUNK_DRAWS // n)
        left_out = np.arange(self.n)[:, np.newaxis]
        return np.concatenate(
            [
                deltas_of((codes != left_out[start : start + parts]).astype(np.float64))
                for start in range(0, self.n, parts)
            ]
        )


def predictions_of(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    *,
    kind: Correlation,
    higher_is_better: bool,
    clusters: Clusters | None = None,
) -> Predictions:
    """Two systems' predictions beside gold, shape (n,); clusters are drawn and swapped whole."""
    standings = []
    for name, scores in (("gold", gold), ("a", a), ("b", b)):
        stands = standing(scores, kind=kind)
        if stands is None:
            raise ValueError(
                f"`{name}` must not be the same number for every example; a correlation is then "
                "not defined."
            )
        standings.append(stands)
    right, stands_a, stands_b = standings
    r_a, r_b, r_ab = (
        correlation_with(gold, a, kind=kind),
        correlation_with(gold, b, kind=kind),
        correlation_with(a, b, kind=kind),
    )
    # Midranks are whole numbers; standardised scores are off by roundings.
    same = bool((stands_a == stands_b).all()) if kind == "spearman" else r_ab >= ONE
    if same:
        stands_b, r_b, r_ab = stands_a, r_a, 1.0
    # Those whose sums give Pearson's r, as `pearson` takes them, shape (n, 6).
    of_gold = [np.ones(right.size), right, right**2]
    statistics = [np.column_stack([*of_gold, x, x**2, right * x]) for x in (stands_a, stands_b)]
    settings: dict[str, Any] = {
        "score": pearson,
        "sign": 1.0 if higher_is_better else -1.0,
        "scale": 1.0,
        "farthest": 2.0,
        "never_exact": "the bootstrap of a correlation has none",
    }
    sums = SummedStatistics(a=statistics[0], b=statistics[1], **settings)
    alike = ALL_ZERO if bool((a == b).all()) else NOT_APART
    comparison = replace(sums.compared(r_a, r_b), alike=alike if same else "", correlation_ab=r_ab)
    own = None
    if clusters is not None:
        statistics = [clusters.summed(rows) for rows in statistics]
        # With one example each, clusters are drawn as examples are.
        own = clusters if clusters.n_clusters < comparison.n_examples else None
    return Predictions(
        a=statistics[0],
        b=statistics[1],
        **settings,
        unit="examples" if clusters is None else "clusters",
        kind=kind,
        standings=np.stack([right, stands_a, stands_b]),
        comparison=comparison,
        clusters=own,
    )


FEWEST = 4
PERFECT = "a correlation of 1 or −1 with gold: Williams' p is far too small, use randomization"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationTest:
    """A test of two correlations that share the gold scores, from the three correlations alone.

    The `formula` goes from r_gold_a, r_gold_b, r_a_b and n >= 4 to the statistic, None where it is
    undefined; `of_fisher_z` if it takes Fisher's z, which 1 and −1 have not.
    """

    called: str
    formula: Callable[[float, float, float, int], float | None]
    method: MethodUsed
    of_fisher_z: bool

    def of_scores(self, predictions: Predictions, asked: Asked) -> Outcome:
        """As `outcome`, of the correlations turned so that higher is better."""
        comparison, sign = predictions.comparison, predictions.sign
        if comparison.alike:
            return self._no_difference(0.0)
        assert comparison.correlation_ab is not None
        return self.outcome(
            sign * comparison.score_a,
            sign * comparison.score_b,
            comparison.correlation_ab,
            comparison.n_examples,
        )

    def has_no_z(self, r_gold_a: float, r_gold_b: float) -> bool:
        """Whether it needs Fisher's z of a correlation that has none, being 1 or −1."""
        return self.of_fisher_z and max(abs(r_gold_a), abs(r_gold_b)) >= ONE

    def outcome(self, r_gold_a: float, r_gold_b: float, r_a_b: float, n: int) -> Outcome:
        """The outcome for correlations that are possible together."""
        statistic = self.statistic(r_gold_a, r_gold_b, r_a_b, n)
        if r_a_b >= ONE:
            return self._no_difference(
                0.0, "r(A, B) = 1: the two systems cannot be told apart, p = 1"
            )
        if n < FEWEST:
            needs = f"n = {n}: {self.called} needs at least {FEWEST} examples, p = 1"
            return self._no_difference(None, needs)
        if statistic is None:
            undefined = f"r(A, B) = {r_a_b:.4g}: {self.called} is undefined, p = 1"
            return self._no_difference(None, undefined)
        greater, less = self.below(-statistic, n), self.below(statistic, n)
        return Outcome(
            p_values=Sides.of_tails(greater, less),
            method=self.method,
            statistic=statistic,
            notes=(PERFECT,) if max(abs(r_gold_a), abs(r_gold_b)) >= ONE else (),
        )

    def statistic(self, r_gold_a: float, r_gold_b: float, r_a_b: float, n: int) -> float | None:
        """The statistic alone; None where it is undefined, ValueError where a z is infinite."""
        if r_a_b >= ONE:
            return 0.0
        if n < FEWEST:
            return None
        if self.has_no_z(r_gold_a, r_gold_b):
            raise ValueError(
                f"{self.called} must have correlations with gold other than 1 and -1; got "
                f"{r_gold_a:g} and {r_gold_b:g}. Randomization and the bootstrap take them."
            )
        return self.formula(r_gold_a, r_gold_b, r_a_b, n)

    def below(self, value: float, n: int) -> float:
        """The chance of a statistic of at most `value`, never 0."""
        from scipy.special import ndtr, stdtr

        chance = stdtr(n - 3, value) if self.method == "student" else ndtr(value)
        return max(float(chance), SMALLEST)

    def _no_difference(self, statistic: float | None, *notes: str) -> Outcome:
        return Outcome(
            p_values=NO_EVIDENCE,
            method=self.method,
            statistic=statistic,
            notes=notes,
        )


def _williams(a: float, b: float, c: float, n: int) -> float | None:
    mean = 0.5 * (a + b)
    # The determinant of the three correlations; in this form it keeps its digits for c near 1.
    rest = max(0.0, (1.0 - c) * (1.0 + c - 2.0 * a * b) - (a - b) ** 2)
    variance = 2.0 * (n - 1.0) / (n - 3.0) * rest + mean**2 * (1.0 - c) ** 3
    if variance <= 0.0:
        return None
    return (a - b) * math.sqrt((n - 1.0) * (1.0 + c) / variance)


def _steiger(a: float, b: float, c: float, n: int) -> float | None:
    square = (0.5 * (a + b)) ** 2
    covariance = (c * (1.0 - 2.0 * square) - 0.5 * square * (1.0 - 2.0 * square - c**2)) / (
        1.0 - square
    ) ** 2
    if covariance >= 1.0:
        return None
    return (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3.0) / (2.0 - 2.0 * covariance))


def _meng(a: float, b: float, c: float, n: int) -> float:
    square = 0.5 * (a**2 + b**2)
    f = min(1.0, (1.0 - c) / (2.0 * (1.0 - square)))
    h = (1.0 - f * square) / (1.0 - square)
    return (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3.0) / (2.0 * (1.0 - c) * h))


WILLIAMS = CorrelationTest(
    called="Williams' t", formula=_williams, method="student", of_fisher_z=False
)
STEIGER = CorrelationTest(called="Steiger's Z", formula=_steiger, method="normal", of_fisher_z=True)
MENG = CorrelationTest(called="Meng's Z", formula=_meng, method="normal", of_fisher_z=True)
