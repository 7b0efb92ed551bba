"""The one place where scores of A and B are subtracted, of examples and of clusters of them.

Binary subtraction breaks true ties: 0.3 − 0.2 and 0.2 − 0.1 differ in floats.
Rank tests, exact distributions and counts of ties need them equal. So scores are
first written as whole numbers over one denominator, and those are subtracted.

Sentences of one document or answers about one picture are not independent. With
their labels each document is one unit: a resample draws documents, and A and B
change places on all sentences of a document or on none. A mean is then a ratio,
the sum of scores over the number of examples, as clusters differ in size.

Vocabulary
----------
cluster
    Examples with the same label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray
from ..validation import is_missing
from .lattice import MAX_BINS, TOO_MANY_BINS, DrawSum
from .resamples import draw_sums
from .settings import Asked
from .stopping import KeepGoing

# What is drawn and exchanged.
Unit = Literal["examples", "clusters"]

# Scores with more decimals are continuous measurements: ties in them are none.
MAX_DECIMALS = 12
# Fractions such as 2/3 (an F score, a rate of few) have no finite decimals.
MAX_DENOMINATOR = 1024
# Whole numbers below this are exact in floats, and so are sums that stay below it.
_EXACT = 2.0**53
_LOOK = 8
# Scores that were themselves computed, such as b + 0.1, are off by a few roundings
# of the largest; that must not make a difference vary that does not.
_ROUNDINGS = 2.0**-50
_SMALL = 1e-3
# Sums of floats that are apart by no more than this share of what was added up are a tie.
TIE_TOLERANCE = 1e-12
# Draws for an interval beside another test's p-value: about two seconds of them.
_MAX_INTERVAL_DRAWS = 1 << 28


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Differences:
    """score(A) − score(B) of each example, ties unbroken; with the means over the examples.

    `integers` are the values as multiples of `step`, without a common divisor; None where there is
    no step or a sum of n of them could not be held exactly.
    """

    values: FloatArray
    integers: npt.NDArray[np.int64] | None
    step: float | None
    score_a: float
    score_b: float
    mean: float
    unit: Unit = "examples"

    never_exact: ClassVar[str] = ""

    @property
    def n(self) -> int:
        """Number of examples, or of clusters."""
        return self.values.size

    @property
    def delta(self) -> float:
        """The observed difference."""
        return self.mean

    @property
    def room(self) -> float:
        """How far apart two differences of means may be and still be a tie."""
        return TIE_TOLERANCE * float(np.abs(self.values).mean())

    @property
    def wins(self) -> int:
        """Examples on which A is better."""
        return int(np.count_nonzero(self.values > 0.0))

    @property
    def losses(self) -> int:
        """Examples on which B is better."""
        return int(np.count_nonzero(self.values < 0.0))

    @property
    def ties(self) -> int:
        """Examples on which neither is."""
        return self.n - self.wins - self.losses

    @property
    def alike(self) -> bool:
        """Whether the two systems have the same score on every example."""
        return not self.values.any()

    @property
    def constant(self) -> bool:
        """Whether all differences are the same, so that all resamples are."""
        return bool((self.values == self.values[0]).all())

    @property
    def farthest(self) -> float:
        """The largest difference that a resample has, in the direction of the observed one."""
        return float(self.values.max() if self.mean > 0.0 else -self.values.min())

    @property
    def skewness(self) -> float:
        """g1, 0 where nothing varies; below 0 where losses are rarer and larger than gains."""
        largest = float(np.abs(self.values).max())
        if self.constant:
            return 0.0
        # So that cubes neither overflow nor vanish.
        centred = self.values / largest - (self.values / largest).mean()
        variance = float(np.mean(centred**2))
        return float(np.mean(centred**3)) / variance**1.5 if variance > 0.0 else 0.0

    def part(self, places: IntArray) -> Differences:
        """Some of the examples; the scores of the systems stay those of all."""
        values, whole = self.values[places], self.integers
        own = None if whole is None else whole[places]
        return replace(self, values=values, integers=own, mean=float(values.mean()))

    def differing(self) -> BoolArray:
        """On which examples the two systems differ, shape (n,)."""
        return np.asarray(self.values != 0.0)

    def drawn(self, asked: Asked) -> FloatArray:
        """Mean differences of bootstrap samples, shape (n_resamples,)."""
        size, values, unit = asked.settings.resample_size or self.n, self.values, 1.0
        if self.integers is not None and float(np.abs(self.integers).max()) * size < _EXACT:
            assert self.step is not None
            values, unit = self.integers.astype(np.float64), self.step
        sums = draw_sums(values, size, asked.settings.n_resamples, asked.rng, asked.keep_going)
        return sums * (unit / size)

    def sum_of_draws(self, size: int, keep_going: KeepGoing) -> tuple[DrawSum | None, str]:
        """The distribution of a resample's sum in steps of the lattice, or why there is none."""
        if self.integers is None:
            return None, "the differences are not multiples of one step"
        drawn = DrawSum(self.integers, size, keep_going)
        return (None, TOO_MANY_BINS) if drawn.n_bins > MAX_BINS else (drawn, "")

    def takes_long(self, n_resamples: int) -> bool:
        """Whether so many resamples take longer than an interval is worth."""
        return self.n * n_resamples > _MAX_INTERVAL_DRAWS

    def jackknife(self) -> FloatArray:
        """Means without each difference, but for a constant and a factor."""
        return 0.0 - self.values


def paired_differences(a: FloatArray, b: FloatArray, *, room: float = 0.0) -> Differences:
    """Subtract without breaking ties.

    The denominator is the smallest of 1, 10, ..., 10**12, or else of 1, ..., 1024, for which every
    score is a whole number over it, up to four roundings of the largest; else floats are subtracted,
    of which sizes within a `room` are one: of scores that other processors round otherwise.
    """
    denominator = _common_denominator(a, b)
    if denominator is None:
        apart = a - b
        rounding = _ROUNDINGS * max(float(np.abs(a).max()), float(np.abs(b).max()))
        if float(np.ptp(apart)) <= rounding:
            # One difference throughout but for rounding, whose spread says nothing.
            same = float(np.median(apart))
            apart = np.full_like(apart, same if abs(same) > rounding else 0.0)
        values = apart
        if room:
            # Beside a 0, as what is no larger than the room is none.
            values = np.sign(apart) * tied(np.append(np.abs(apart), 0.0), room)[:-1] + 0.0
        integers, step = _multiples_of_the_smallest(values)
        return Differences(
            values=values,
            integers=integers,
            step=step,
            score_a=float(a.mean()),
            score_b=float(b.mean()),
            mean=float(apart.mean()),
        )
    whole_a = np.rint(a * denominator).astype(np.int64)
    whole_b = np.rint(b * denominator).astype(np.int64)
    whole = whole_a - whole_b
    divisor = max(1, int(np.gcd.reduce(whole)))
    n = a.size
    reduced = whole // divisor
    return Differences(
        values=whole / denominator,
        integers=reduced if _sums_exactly(reduced) else None,
        step=divisor / denominator,
        score_a=_mean(whole_a, denominator, n),
        score_b=_mean(whole_b, denominator, n),
        mean=_mean(whole, denominator, n),
    )


def turned_differences(a: FloatArray, b: FloatArray, *, higher_is_better: bool) -> Differences:
    """As `paired_differences`, of scores as given: turned where lower is better."""
    # 0 − x, as −x would make a zero negative.
    return paired_differences(*((a, b) if higher_is_better else (0.0 - a, 0.0 - b)))


def shifted(differences: Differences, by: float) -> Differences:
    """The same with a number added to each, in decimals where the scores have them."""
    moved = paired_differences(differences.values, np.full(differences.n, -by))
    return replace(
        moved, score_a=differences.score_a, score_b=differences.score_b, unit=differences.unit
    )


def tied(values: FloatArray, room: FloatArray | float) -> FloatArray:
    """Values of which those no farther than `room` from a neighbour become the lowest of them."""
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    begins = np.ones(ordered.shape, dtype=np.bool_)
    begins[..., 1:] = np.diff(ordered, axis=-1) > room
    places = np.where(begins, np.arange(ordered.shape[-1]), 0)
    first = np.maximum.accumulate(places, axis=-1)
    found = np.empty(values.shape, dtype=np.float64)
    np.put_along_axis(found, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return found


def _common_denominator(a: FloatArray, b: FloatArray) -> float | None:
    candidates: FloatArray = np.concatenate(
        [10.0 ** np.arange(MAX_DECIMALS + 1), np.arange(1.0, MAX_DENOMINATOR + 1.0)]
    )
    room = _ROUNDINGS * max(float(a.max()), float(b.max()), -float(a.min()), -float(b.min()))
    # A few values rule out nearly every candidate, before all are looked at; those that a
    # candidate fails on rule out most of the others.
    look = np.concatenate([scores[:: 1 + 2 * scores.size // _LOOK] for scores in (a, b)])
    every = np.concatenate([a, b])
    while (candidates := candidates[_fits(look, candidates, room).all(axis=1)]).size:
        wrong = every[~_fits(every, candidates[:1], room)[0]]
        if wrong.size == 0:
            return float(candidates[0])
        look = np.unique(wrong)[:_LOOK]
    return None


def _fits(scores: FloatArray, denominators: FloatArray, room: float) -> BoolArray:
    """Whether each score is a whole number over each denominator, shape (denominators, scores)."""
    over = denominators[:, np.newaxis]
    with np.errstate(over="ignore"):
        whole = np.rint(scores * over)
    # Where the room is no longer small beside the step, anything would fit.
    allowed = np.where(room * over <= _SMALL, room, 0.0)
    fits: BoolArray = (np.abs(whole / over - scores) <= allowed) & (np.abs(whole) < _EXACT / 2)
    return fits


def _multiples_of_the_smallest(
    values: FloatArray,
) -> tuple[npt.NDArray[np.int64] | None, float | None]:
    sizes = np.abs(values[values != 0.0])
    if sizes.size == 0:
        return np.zeros(values.size, dtype=np.int64), 1.0
    step = float(sizes.min())
    with np.errstate(over="ignore"):
        multiples = np.rint(values / step)
    if not bool((multiples * step == values).all()) or np.abs(multiples).max() >= _EXACT:
        return None, None
    integers = multiples.astype(np.int64)
    return (integers, step) if _sums_exactly(integers) else (None, None)


def _sums_exactly(integers: npt.NDArray[np.int64]) -> bool:
    return float(np.abs(integers).max()) * integers.size < _EXACT


def _mean(whole: npt.NDArray[np.int64], denominator: float, n: int) -> float:
    if float(np.abs(whole).max()) * n < 2.0**62:
        return int(whole.sum()) / (int(denominator) * n)
    return float((whole / denominator).mean())


# The spread between clusters is guessed from as many numbers as there are clusters.
FEWEST_CLUSTERS = 20
SAME_SUMS = "the two systems add up to the same in every cluster"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """Which cluster each example is in: `codes`, shape (n,), number them by their first example."""

    codes: IntArray
    n_clusters: int

    @property
    def sizes(self) -> IntArray:
        """Examples in each cluster, shape (n_clusters,)."""
        return np.bincount(self.codes, minlength=self.n_clusters)

    @property
    def of_one_size(self) -> bool:
        """Whether all have as many examples."""
        return bool((self.sizes == self.sizes[0]).all())

    def summed(self, rows: FloatArray) -> FloatArray:
        """Sums over each cluster: shape (n,) to (n_clusters,), (n, s) to (n_clusters, s)."""
        if rows.ndim == 1:
            sums: FloatArray = np.bincount(
                self.codes, weights=rows, minlength=self.n_clusters
            ).astype(np.float64)
            return sums
        return np.column_stack([self.summed(column) for column in rows.T])

    def summed_differences(self, differences: Differences) -> Differences:
        """The clusters' sums of differences, ties unbroken; scores and mean stay the examples'."""
        if differences.integers is None:
            return replace(differences, values=self.summed(differences.values), unit="clusters")
        assert differences.step is not None
        # Whole sums stay below 2**53, as all differences together do.
        whole = self.summed(differences.integers.astype(np.float64)).astype(np.int64)
        divisor = max(1, int(np.gcd.reduce(whole)))
        step = differences.step * divisor
        reduced = whole // divisor
        values = (reduced * step).astype(np.float64)
        return replace(differences, values=values, integers=reduced, step=step, unit="clusters")


def few_clusters(n_clusters: int) -> tuple[str, ...]:
    """What to say where there are few."""
    if n_clusters >= FEWEST_CLUSTERS:
        return ()
    there_are = "is only 1 cluster" if n_clusters == 1 else f"are {n_clusters} clusters"
    return (
        f"there {there_are}: with fewer than {FEWEST_CLUSTERS} the bootstrap's p-value tends to "
        "be too small, and randomization finds large differences only",
    )


def clusters_of(labels: npt.ArrayLike, *, n_examples: int) -> Clusters:
    """Number the clusters of examples by their labels, text or numbers, shape (n,)."""
    # Objects compare as what they are: numpy would turn 1 beside "x" into "1".
    given = np.array(labels.tolist() if isinstance(labels, np.ndarray) else labels, dtype=object)
    if given.ndim != 1 or given.size != n_examples:
        came = f"{given.size}" if given.ndim == 1 else f"{given.ndim} dimensions"
        raise ValueError(
            f"`clusters` must hold one label an example, {n_examples} of them; got {came}."
        )
    numbers: dict[object, int] = {}
    codes = np.empty(n_examples, dtype=np.intp)
    for i, label in enumerate(given.tolist()):
        # An empty cell says nothing of what belongs together.
        if is_missing(label) or label == "":
            raise ValueError(
                f"`clusters` must have a label for each example; none at index {i}. An example "
                "that belongs to no other has a label of its own."
            )
        try:
            codes[i] = numbers.setdefault(label, len(numbers))
        except TypeError:
            raise ValueError(
                f"`clusters` must be text or numbers; got {label!r} at index {i}."
            ) from None
    return Clusters(codes=codes, n_clusters=len(numbers))
