"""P-values along a numeric covariate, such as sentence length, beside what chance alone gives.

Two questions are asked. Is A better on the examples with at most
(at least) so much of the covariate? That is each p-value of the curve, of a cut-off
fixed beforehand. Does the difference depend on the covariate at all? That compares
the curve with curves of random orders of the same examples.

Vocabulary
----------
cut-off
    A value of the covariate; a part of the examples has at most that much, a part
    at least.
band
    Where p-values of random orders lie, at each cut-off: parts of the same sizes,
    drawn at random.
order
    An arrangement of the examples along the covariate: its own, or a random one.
sides
    The examples with at most a cut-off and those with at least it: so many first
    and so many last ones of an order.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN, divided, is_counted, statistic_metric
from ..shown import DataFrame, frame_of, stacked
from ..signature import listed, signature_line
from ..significance.choose import suitable_tests
from ..significance.differences import TIE_TOLERANCE, Differences, clusters_of, paired_differences
from ..significance.known_tests import significance_test_named
from ..significance.paired_tests import is_exact
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps
from ..simulation.like_my_data import contributions
from ..types import FloatArray, IntArray
from ..validation import HeldAgainst, at_most, is_at_most
from .choices import FIRST_ORDER_NOTE


def rate_columns(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, ...]:
    """What units add up to, for the rate Σsums/Σsizes of any set of them and its variance."""
    return sums, sizes, sums**2, sums * sizes, sizes**2


def squared_residuals(
    rate: FloatArray, squares: FloatArray, crossed: FloatArray, squared_sizes: FloatArray
) -> FloatArray:
    """Σe², with e a unit's sum less its size times the rate, from sums of `rate_columns`.

    Of k units the rate's variance is Σe² · k/(k − 1)/size²; with one more square beside them k − 1
    becomes k.
    """
    return np.maximum(0.0, squares - 2.0 * rate * crossed + rate**2 * squared_sizes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffTest:
    """A test of all parts, which needs sums only, for the differences in a given order.

    `sizes`, shape (n,): examples in each cluster, or how much each example counts in a metric of
    sums; differences of a part are sums over sums of these. `n_at_most` and `n_at_least`, shape
    (n_cut_offs,): examples on either side.
    """

    differences: Differences
    sizes: FloatArray
    test: str
    n_at_most: IntArray
    n_at_least: IntArray

    @property
    def exact(self) -> FloatArray:
        """Differences as whole numbers where there is a step."""
        whole = self.differences.integers
        return self.differences.values if whole is None else whole.astype(np.float64)

    def sums(self, rows: FloatArray) -> FloatArray:
        """Sums of either side, shape (..., 2, n_cut_offs), for rows of shape (..., n) in order."""
        n = rows.shape[-1]
        before = np.zeros((*rows.shape[:-1], n + 1))
        np.cumsum(rows, axis=-1, out=before[..., 1:])
        at_least = before[..., -1:] - before[..., n - self.n_at_least]
        return np.stack([before[..., self.n_at_most], at_least], axis=-2)

    def p_values(self, orders: IntArray) -> FloatArray:
        """P-values of "A is better" on either side, shape (k, 2, n_cut_offs), for orders of shape (k, n).

        p is 1 where there is no example.
        """
        known, rows = significance_test_named(self.test), self.exact[orders]
        if known.p_of_moments is not None:
            n = np.stack([self.n_at_most, self.n_at_least]).astype(np.float64)
            whole = self.differences.integers
            return known.p_of_moments(n, self.sums(rows), self.sums(rows**2), whole)
        assert known.counting is not None
        wins, losses = (self.sums(one.astype(np.float64)) for one in (rows > 0.0, rows < 0.0))
        return known.counting.p_of_counts(wins, losses, alternative="greater")

    def contrasts(self, orders: IntArray) -> FloatArray:
        """How far apart the two sides' differences are, in standard errors, shape (k, n_cut_offs).

        Of the examples with at most a cut-off against all others; 0 where one side has none. A
        side's difference is the sum of its differences over that of its sizes. Each side has its
        own variance, as in Welch's t, so that differences that merely spread more do not count; one
        square of all examples' is added, so that few that happen to be alike are not endlessly far
        from the rest.
        """
        exact, sizes = self.exact, self.sizes
        centred = exact - exact.sum() / sizes.sum() * sizes
        largest = float(np.abs(exact).max())
        if not bool((np.abs(centred) > TIE_TOLERANCE * largest).any()):
            return np.zeros((orders.shape[0], self.n_at_most.size))
        # A mean square of 1 beside the n - 1 that are free, as of a variance.
        centred = centred / np.sqrt(float(centred @ centred) / max(1, exact.size - 1))
        columns = rate_columns(centred, sizes)
        below = [self.sums(column[orders])[:, 0] for column in columns]
        above = [column.sum() - part for column, part in zip(columns, below, strict=True)]
        apart = np.zeros_like(below[0])
        variance = np.zeros_like(apart)
        inside = np.ones(apart.shape, dtype=np.bool_)
        for sign, (sums, size, squares, crossed, squared_sizes) in ((1.0, below), (-1.0, above)):
            inside &= size > TIE_TOLERANCE * sizes.sum()
            held = np.where(inside, size, 1.0)
            rate = sums / held
            # One squared deviation of the size usual among all examples is added to a side's own.
            own = squared_residuals(rate, squares, crossed, squared_sizes) + 1.0
            variance += own / held**2
            apart += sign * rate
        found: FloatArray = np.where(inside, np.abs(apart) / np.sqrt(variance), 0.0)
        return found


Side = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffCurve:
    """P-values of the parts on one side of each cut-off; arrays have shape (n_cut_offs,).

    Differences A − B of each part are of means, or of a metric of sums to first order; `low`,
    `middle` and `high` are 5%, 50% and 95% of the p-values of random parts of the same size.
    """

    side: Side
    cut_offs: FloatArray
    n_examples: IntArray
    differences: FloatArray
    p_values: FloatArray
    low: FloatArray
    middle: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffStudy(HeldAgainst):
    """P-values against the cut-off of a covariate, both ways, with what chance gives.

    `n_missing` units have no value and are in no part. Of each random order there is the largest
    contrast, shape (n_random,). `notes` say what is an approximation.
    """

    dataset: str
    covariate: str
    metric: str
    test: str
    alpha: float
    n_examples: int
    n_missing: int
    p_value_of_all: float
    at_most: CutOffCurve
    at_least: CutOffCurve
    contrasts: FloatArray
    largest_contrast_of_random: FloatArray
    n_asked: int
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def cut_offs(self) -> FloatArray:
        """The values, rising, shape (n_cut_offs,)."""
        return self.at_most.cut_offs

    @property
    def n_random(self) -> int:
        """Random orders done."""
        return self.largest_contrast_of_random.size

    @property
    def complete(self) -> bool:
        """Whether all random orders asked for were done."""
        return self.n_random == self.n_asked

    @property
    def smallest_p_value(self) -> float:
        """The smallest of both curves: what a free choice of the cut-off finds."""
        return min(float(curve.p_values.min()) for curve in (self.at_most, self.at_least))

    @property
    def smallest_at(self) -> tuple[Side, float]:
        """Side and cut-off of the smallest p-value, the first where there are several."""
        curve = self.at_most
        if float(self.at_least.p_values.min()) < float(curve.p_values.min()):
            curve = self.at_least
        return curve.side, float(curve.cut_offs[int(np.argmin(curve.p_values))])

    @property
    def largest_contrast_at(self) -> float:
        """The cut-off whose two sides differ most."""
        return float(self.cut_offs[int(np.argmax(self.contrasts))])

    @property
    def dependence_p_value(self) -> float:
        """How often a random order has two sides as far apart at some cut-off: (s + 1)/(R + 1).

        A p-value, for all cut-offs together, of "the difference does not depend on the covariate".
        Approximate where sizes differ.
        """
        observed = float(self.contrasts.max()) * (1.0 - TIE_TOLERANCE)
        as_far = np.count_nonzero(self.largest_contrast_of_random >= observed)
        return (int(as_far) + 1) / (self.n_random + 1)

    @property
    def depends(self) -> bool:
        """Whether `dependence_p_value` is at most alpha."""
        return is_at_most(self.dependence_p_value, self.alpha)

    @property
    def verdict_changes(self) -> bool:
        """Whether p <= alpha holds of some parts or the whole.

        And not of others, as small parts often do.
        """
        parts = np.concatenate([self.at_most.p_values, self.at_least.p_values])
        below = at_most(np.append(parts, self.p_value_of_all), self.alpha)
        return bool(below.any() and not below.all())

    @property
    def signature(self) -> str:
        """The one line that names everything the numbers depend on, but for the data."""
        return signature_line(
            study="cut-off",
            dataset=self.dataset or None,
            covariate=self.covariate or None,
            metric=self.metric or None,
            test=self.test,
            alt="greater",
            alpha=self.alpha,
            cut_offs=listed(self.cut_offs.tolist()),
            random=self.n_asked,
            done=None if self.complete else self.n_random,
            seed=self.seed,
            n=self.n_examples,
            missing=self.n_missing or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each side and cut-off."""
        return stacked(
            [
                frame_of(
                    {
                        "dataset": self.dataset,
                        "covariate": self.covariate,
                        "side": curve.side,
                        "cut_off": curve.cut_offs,
                        "n_examples": curve.n_examples,
                        "difference": curve.differences,
                        "p_value": curve.p_values,
                        "chance_low": curve.low,
                        "chance_middle": curve.middle,
                        "chance_high": curve.high,
                    }
                )
                for curve in (self.at_most, self.at_least)
            ]
        )


# The default cut-offs part the examples into so many.
_PARTS = 20
BAND = (0.05, 0.95)
# Entries of orders held at once.
_ENTRIES = 1 << 20

NORMAL_BOOTSTRAP = (
    "the paired bootstrap's p-values are those of the normal distribution it tends to"
)


# About the mean as randomization is, and needs sums only.
_QUICK = "paired-t"
T_NOTE = (
    "every part is tested by the paired t-test, which is about the mean as randomization is, the "
    "test of other pages, but takes less time: p-values may differ a little from those there"
)


def dataset_cut_off_study(
    result_set: ResultSet,
    dataset: str,
    covariate: npt.ArrayLike,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    alpha: float = 0.05,
    n_random: int = 200,
    rng: Rng = 0,
    name: str = "",
    on_progress: Progress | None = None,
) -> CutOffStudy:
    """Test "A is better" on the examples with at most, and with at least, each cut-off.

    Where examples come in clusters the clusters are ordered, and the covariate
    has to be the same for all examples of one. Metrics of summed statistics are
    tested by each example's share in their difference, to first order. An example whose `covariate`
    is nan is in no part, and is said to be; it has at least two values. The metric is by default the
    first, and no correlation. Of `n_random` random orders fewer are the first of more, and those
    done before a stop are kept. `name` is the covariate's. Søgaard et al. (CoNLL 2014), section 3; for
    the largest contrast over cut-offs, Miller and Siegmund (Biometrics 1982).
    """
    asked = result_set.metrics[0] if metric is None else metric
    chosen = cut_off_test(result_set, dataset, asked)
    if chosen is None:
        raise ValueError(
            f"`metric` must not be a correlation for a study along a covariate; '{asked}' of a "
            "part is no sum of its examples' shares. Test the parts as datasets of their own."
        )
    differences = contributions(result_set, dataset, a, b, asked)
    if differences.integers is None:
        differences = paired_differences(differences.values, np.zeros(differences.n))
    sizes = _sizes(result_set, dataset, a, b, asked)
    given = np.asarray(covariate, dtype=np.float64)
    labels = result_set.clusters_of(dataset)
    if labels is not None:
        together = clusters_of(labels, n_examples=differences.n)
        given = given[np.unique(together.codes, return_index=True)[1]]
        differences = together.summed_differences(differences)
        sizes = together.summed(sizes)
    notes = () if result_set.kind_of(asked) == MEAN else (FIRST_ORDER_NOTE,)
    if chosen == _QUICK and is_exact(differences):
        notes = (*notes, T_NOTE)
    seed = seed_of(rng)
    known = ~np.isnan(given)
    own, n_missing = given[known], int(np.count_nonzero(~known))
    if n_missing:
        differences, sizes = differences.part(np.flatnonzero(known)), sizes[known]
    # In whole numbers: .55 · 200 is above 110 in floats.
    places = -(-np.arange(1, _PARTS) * own.size // _PARTS) - 1
    cuts = np.unique(np.sort(own)[places])
    order = np.argsort(own, kind="stable")
    ordered = own[order]
    n_low = np.searchsorted(ordered, cuts, side="right")
    n_high = ordered.size - np.searchsorted(ordered, cuts, side="left")
    runner = CutOffTest(
        differences=differences, sizes=sizes, test=chosen, n_at_most=n_low, n_at_least=n_high
    )
    steps = Steps(on_progress, total=n_random)
    whole = replace(runner, n_at_most=np.array([ordered.size]), n_at_least=np.array([ordered.size]))
    of_all = float(whole.p_values(order[np.newaxis])[0, 0, 0])
    (observed,) = runner.p_values(order[np.newaxis])
    contrasts = runner.contrasts(order[np.newaxis])[0]
    stream = dataset_stream(seed, result_set.name_in_file(dataset), "cut-off orders")
    random, largest = np.empty((n_random, 2, cuts.size)), np.empty(n_random)
    step = max(1, _ENTRIES // ordered.size)
    while steps.done < n_random and steps.keep_going():
        some = slice(steps.done, min(steps.done + step, n_random))
        orders = np.stack([stream.permutation(ordered.size) for _ in range(some.start, some.stop)])
        random[some] = runner.p_values(orders)
        largest[some] = runner.contrasts(orders).max(axis=1)
        steps.done = some.stop
    steps.end("The study was stopped before one random order was done.")
    random, largest = random[: steps.done], largest[: steps.done].copy()
    sums, of_sizes = (runner.sums(rows[order]) for rows in (differences.values, sizes))

    def curve(side: Side, n_examples: IntArray, place: int) -> CutOffCurve:
        low, middle, high = np.quantile(random[:, place], (BAND[0], 0.5, BAND[1]), axis=0)
        return CutOffCurve(
            side=side,
            cut_offs=cuts,
            n_examples=n_examples,
            differences=divided(sums[place], of_sizes[place]),
            p_values=observed[place],
            low=low,
            middle=middle,
            high=high,
        )

    return CutOffStudy(
        dataset=dataset,
        covariate=name,
        metric=asked,
        test=chosen,
        alpha=alpha,
        n_examples=ordered.size,
        n_missing=n_missing,
        p_value_of_all=of_all,
        at_most=curve("at most", n_low, 0),
        at_least=curve("at least", n_high, 1),
        contrasts=contrasts,
        largest_contrast_of_random=largest,
        n_asked=n_random,
        seed=seed,
        notes=(*notes, NORMAL_BOOTSTRAP) if significance_test_named(chosen).bootstraps else notes,
    )


def cut_off_test(result_set: ResultSet, dataset: str, metric: str) -> str | None:
    """The test of a study along a covariate, which needs sums only; None for correlations.

    Randomization takes much longer: for it stand the bootstrap, or the paired t-test about the mean
    as well.
    """
    kind = result_set.kind_of(metric)
    if kind in CORRELATIONS:
        return None
    if kind == MEAN and result_set.clusters_of(dataset) is not None:
        return suitable_tests(kind, clustered=True)[-1]
    if kind == MEAN and not result_set.has_outcomes(metric):
        return _QUICK
    return suitable_tests(kind)[0]


def _sizes(result_set: ResultSet, dataset: str, a: str, b: str, metric: str) -> FloatArray:
    """How much each example counts, shape (n,): 1 in a mean, else shares that add up to 1."""
    sizes: FloatArray = np.ones(result_set.n_examples(dataset))
    kind = result_set.kind_of(metric)
    if kind == MEAN:
        return sizes
    weights = statistic_metric(kind).sizes if is_counted(kind) else ()
    if weights:
        first, second = (result_set.scores(dataset, system, metric) for system in (a, b))
        counted: FloatArray = (first + second) @ np.array(weights)
        sizes = counted if counted.sum() > 0.0 else sizes
    shares: FloatArray = sizes / sizes.sum()
    return shares
