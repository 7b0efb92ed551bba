"""Which systems' mean ranks lie apart, after Friedman's test: all pairs, or all against a control.

Null hypothesis of each pair: both systems rank alike over the population of
datasets; with Wilcoxon's test, the differences of their scores are symmetric
around zero. With Wilcoxon's test and Holm's procedure the bound on any wrong
separation holds jointly whichever pairs differ; with mean ranks only where all systems
rank alike, as the others' scores move a pair's ranks.

Vocabulary
----------
critical difference
    Mean ranks at least so far apart are separated, at one level for all pairs.
group
    A set of systems no two of which are separated, and to which none can be added.
    Groups overlap, as "not separated" does not carry over: A and B, B and C may go
    together while A and C do not.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ..replicability.identification import all_procedures, identify_datasets
from ..shown import DataFrame, frame_of
from ..signature import short_fingerprint, signature_line
from ..significance.differences import tied
from ..significance.lattice import SMALLEST
from ..significance.paired_tests import wilcoxon
from ..types import BoolArray, FloatArray, IntArray, frozen
from ..validation import Records, Titled, at_most, check_alpha, check_choice
from .across import ROUNDINGS, paired_averages
from .friedman import Friedman

# What a reader takes in of one system: one letter a group, from a to z.
MOST_LETTERS = 26
# Nodes of the trapezoidal rule: on this analytic, quickly vanishing integrand it is
# exact to about 1e-13 for 2 to 300 systems.
_STEP = 0.125
_REACH = 14.0
# Quantiles are read as q: beyond it every tail is below the smallest float.
_MOST_Q = 60.0


def range_tail(q: npt.ArrayLike, k: int) -> FloatArray:
    """P(range of k standard normals >= q): the studentized range with infinite degrees of freedom.

    k∫φ(z)[Φ(z)^(k−1) − (Φ(z) − Φ(z − q))^(k−1)]dz, in which small tails keep their digits.
    """
    from scipy.special import log_ndtr

    values = np.asarray(q, dtype=np.float64)
    distinct, which = np.unique(values.ravel(), return_inverse=True)
    offsets = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    tails = np.empty(distinct.size)
    # Blocks keep the memory small.
    for start in range(0, distinct.size, 4096):
        block = np.minimum(distinct[start : start + 4096, np.newaxis], _MOST_Q)
        # For large q the integrand peaks at q/2.
        z = 0.5 * block + offsets
        log_below = log_ndtr(z)
        share = np.minimum(np.exp(log_ndtr(z - block) - log_below), 1.0)
        with np.errstate(divide="ignore"):
            part = -np.expm1((k - 1) * np.log1p(-share))
        density = np.exp(-0.5 * z * z + (k - 1) * log_below)
        tails[start : start + 4096] = (density * part).sum(axis=1)
    tails *= k * _STEP / np.sqrt(2.0 * np.pi)
    result: FloatArray = np.clip(tails, SMALLEST, 1.0)[which].reshape(values.shape)
    return result


def nemenyi_quantile(alpha: float, k: int) -> float:
    """Demšar's q: what the range of k standard normals reaches with that chance, divided by √2."""
    from scipy.optimize import brentq

    level = check_alpha(alpha)
    q = brentq(lambda q: float(range_tail(q, k)) - level, 0.0, 40.0, xtol=1e-12)
    return float(q) / float(np.sqrt(2.0))


def bonferroni_dunn_quantile(alpha: float, k: int) -> float:
    """The normal quantile of alpha/2 shared among the k − 1 comparisons with a control."""
    from scipy.special import ndtri

    return float(-ndtri(check_alpha(alpha) / (2.0 * (k - 1))))


def groups_not_separated(separated: BoolArray, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Groups that hold every two systems that are not separated together, and what is in each, in an order.

    Grown from the best system on, each as far as it goes. They are all groups there are where systems
    are separated by how far apart they stand in the order; else there may be more.
    """
    together = ~separated[np.ix_(order, order)]
    np.fill_diagonal(together, True)
    # Of each system those behind it that no group holds with it so far.
    left: BoolArray = np.array(np.triu(together, 1), dtype=np.bool_)
    groups: list[list[int]] = []
    for i in range(len(order)):
        while bool(left[i].any()):
            own = [i, int(np.argmax(left[i]))]
            common: BoolArray = together[own[0]] & together[own[1]]
            common[own] = False
            while bool(common.any()):
                own.append(int(np.argmax(common)))
                common &= together[own[-1]]
                common[own[-1]] = False
            own.sort()
            left[np.ix_(own, own)] = False
            groups.append(own)
    held = {member for group in groups for member in group}
    groups += [[member] for member in range(len(order)) if member not in held]
    return tuple(tuple(order[member] for member in group) for group in sorted(groups))


def letters(groups: Sequence[Sequence[int]], k: int, most: float = MOST_LETTERS) -> tuple[str, ...]:
    """The letters of k systems' groups, which those not separated share; none where one has more than `most`."""
    marks: list[list[str]] = [[] for _ in range(k)]
    for i, group in enumerate(groups):
        for member in group:
            marks[member].append(_letter(i))
    # Beyond z a mark has several letters, so that marks need a space between them.
    every = tuple((" " if len(groups) > MOST_LETTERS else "").join(entry) for entry in marks)
    return every if max(map(len, every), default=0) <= most else ()


def _letter(i: int) -> str:
    text = ""
    while i >= 0:
        text = chr(ord("a") + i % 26) + text
        i = i // 26 - 1
    return text


# An exact test takes about as long as its number of datasets squared and some more;
# so much in all is a second or two.
_EXACT_WORK = 13_000_000
_MORE = 2_500
# Pairs ranked at once, to keep the memory small.
_BLOCK = 4_096


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PostHoc:
    """Comparisons of systems with each other, or with one control.

    They are by "mean-ranks" or "wilcoxon"; `variant` says where p-values come from, which are
    two-sided and symmetric, shape (k, k), nan for pairs not compared. The quantile goes from a
    level and k to the standard errors that mean ranks must lie apart to be separated, None without
    a single one; `z` is the difference of mean ranks in standard errors, row − column, None for
    Wilcoxon's test.
    """

    friedman: Friedman
    procedure: str
    comparison: str
    variant: str
    alpha: float
    control: str | None
    quantile: Callable[[float, int], float] | None
    z: FloatArray | None
    p_values: FloatArray
    adjusted_p_values: FloatArray
    separated: BoolArray

    @property
    def n_comparisons(self) -> int:
        """How many pairs are compared."""
        k = self.friedman.n_systems
        return k * (k - 1) // 2 if self.control is None else k - 1

    @property
    def critical_difference(self) -> float | None:
        """Mean ranks at least so far apart are separated; None without a single distance."""
        if self.quantile is None:
            return None
        return self.quantile(self.alpha, self.friedman.n_systems) * self.friedman.standard_error

    @property
    def holds_whichever_differ(self) -> bool:
        """Whether the level bounds any wrong separation also where some systems differ."""
        return self.comparison == "wilcoxon" and self.procedure == "holm"

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """As `groups_not_separated`; none with a control."""
        if self.control is not None:
            return ()
        return groups_not_separated(self.separated, self.friedman.order)

    @property
    def lettered(self) -> tuple[tuple[int, ...], ...] | None:
        """The groups where their letters can be read, else None."""
        return self.groups if letters(self.groups, self.friedman.n_systems) else None

    @property
    def n_not_separated(self) -> tuple[int, ...]:
        """From how many others each system is compared with and not separated."""
        together = ~self.separated & np.isfinite(self.adjusted_p_values)
        return tuple(together.sum(axis=1).tolist())

    @property
    def signature(self) -> str:
        """The line that names everything the verdicts depend on."""
        return signature_line(
            across=self.procedure,
            metric=self.friedman.metric,
            by=self.comparison,
            alpha=self.alpha,
            control=self.control,
            comparisons=self.n_comparisons,
            datasets=self.friedman.n_datasets,
            systems=self.friedman.n_systems,
            scores=short_fingerprint(self.friedman.content),
            data=short_fingerprint(self.friedman.fingerprint) or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each pair compared, the better mean rank first in it."""
        ranks = self.friedman
        place = np.argsort(ranks.order)
        first, second = _compared(ranks, self.control)
        swap = place[first] > place[second]
        better, worse = np.where(swap, second, first), np.where(swap, first, second)
        rows = np.lexsort((place[worse], place[better]))
        better, worse = better[rows], worse[rows]
        names = np.array(ranks.systems, dtype=object)
        return frame_of(
            {
                "system": names[better],
                "compared_with": names[worse],
                "mean_rank": ranks.mean_ranks[better],
                "mean_rank_compared": ranks.mean_ranks[worse],
                "difference": ranks.mean_ranks[worse] - ranks.mean_ranks[better],
                "p_value": self.p_values[better, worse],
                "adjusted_p_value": self.adjusted_p_values[better, worse],
                "separated": self.separated[better, worse],
            }
        )


# By one critical difference: which way, and whether with a control.
_ONE_DISTANCE = {
    ("nemenyi", False): nemenyi_quantile,
    ("bonferroni-dunn", True): bonferroni_dunn_quantile,
}


def post_hoc(
    friedman: Friedman,
    control: str | None = None,
    alpha: float = 0.05,
    *,
    procedure: str = "holm",
    by_wilcoxon: bool = False,
) -> PostHoc:
    """Compare all pairs of systems, or all systems with a control, by mean ranks or by scores.

    A pair's verdict by mean ranks depends on which other systems are compared; by Wilcoxon's
    signed-rank test it does not, but the scores must be comparable between datasets. Alpha bounds
    the chance of any wrong separation, of "nemenyi" where all systems rank alike; for
    "benjamini-hochberg" the share of wrong ones. The procedure is "nemenyi" (the studentized range,
    without a control), "bonferroni-dunn" (with one), or one of `adjustments` of normal p-values.
    Nemenyi (1963); Dunn (JASA 1961); Holm (1979); Demšar (JMLR 2006), section 3.2.2; Benavoli,
    Corani and Mangili (JMLR 2016).
    """
    level = check_alpha(alpha)
    first, second = _compared(friedman, control)
    quantile, z = None, None
    if by_wilcoxon:
        sign = np.where(friedman.higher_is_better, 1.0, -1.0)
        p_values, variant = _wilcoxon_of_pairs(friedman.scores * sign[:, np.newaxis], first, second)
    else:
        quantile = _ONE_DISTANCE.get((procedure, control is not None))
        # Sums of doubled ranks are whole, so that equal differences are equal floats.
        sums = np.rint(2.0 * friedman.mean_ranks * friedman.n_datasets)
        errors = 2.0 * friedman.n_datasets * friedman.standard_error
        z = frozen(np.asarray((sums[:, np.newaxis] - sums) / errors))
        p_values = _normal_tails(z[first, second])
        variant = "normal approximation of the difference of mean ranks"
    if z is not None and quantile is nemenyi_quantile:
        variant = "studentized range with infinite degrees of freedom"
        # The range of standard normals is √2 times the largest |z|.
        adjusted = range_tail(math.sqrt(2.0) * np.abs(z[first, second]), friedman.n_systems)
    else:
        by = "bonferroni" if quantile is bonferroni_dunn_quantile else procedure
        check_choice(by, adjustments(), name="procedure")
        adjusted = identify_datasets(p_values, procedure=by).adjusted_p_values

    def square(values: FloatArray) -> FloatArray:
        found = np.full((friedman.n_systems,) * 2, np.nan)
        found[first, second] = found[second, first] = values
        return frozen(found)

    adjusted = square(adjusted)
    return PostHoc(
        friedman=friedman,
        procedure=procedure,
        comparison="wilcoxon" if by_wilcoxon else "mean-ranks",
        variant=variant,
        alpha=level,
        control=control,
        quantile=quantile,
        z=z,
        p_values=square(p_values),
        adjusted_p_values=adjusted,
        # nan is at most nothing: pairs not compared are not separated.
        separated=frozen(at_most(adjusted, level)),
    )


def nemenyi(friedman: Friedman, alpha: float = 0.05) -> PostHoc:
    """All pairs of mean ranks by the studentized range."""
    return post_hoc(friedman, None, alpha, procedure="nemenyi")


def _compared(friedman: Friedman, control: str | None) -> tuple[IntArray, IntArray]:
    """Places of the systems compared: all pairs, or the control with each other one."""
    k = friedman.n_systems
    if control is None:
        return np.triu_indices(k, 1)
    place = friedman.systems.index(check_choice(control, friedman.systems, name="control"))
    others = np.delete(np.arange(k), place)
    return np.full(k - 1, place), others


def adjustments() -> tuple[str, ...]:
    """Procedures that comparisons of the same systems, which are never independent, may take."""
    return tuple(each.name for each in all_procedures() if each.dependence != "independent")


def _normal_tails(z: FloatArray) -> FloatArray:
    from scipy.special import ndtr

    tails: FloatArray = np.clip(2.0 * ndtr(-np.abs(z)), SMALLEST, 1.0)
    return tails


def _wilcoxon_of_pairs(
    scores: FloatArray, first: IntArray, second: IntArray
) -> tuple[FloatArray, str]:
    """Two-sided p-values of the pairs, zeros dropped, and where they come from.

    Of scores, shape (N, k), higher being better. A pair of equal scores has p = 1.
    """
    exact = first.size * (_MORE + scores.shape[0] ** 2) <= _EXACT_WORK
    if exact:
        outcomes = (
            wilcoxon(paired_averages(scores[:, i], scores[:, j]), method="exact")
            for i, j in zip(first.tolist(), second.tolist(), strict=True)
        )
        p_values = np.array([outcome.p_values.two_sided for outcome in outcomes])
    else:
        blocks = [slice(start, start + _BLOCK) for start in range(0, first.size, _BLOCK)]
        parts = [normal_wilcoxon_of_pairs(scores, first[own], second[own]) for own in blocks]
        p_values = np.concatenate(parts)
    how = "exact" if exact else "normal approximation corrected for ties"
    return p_values, f"Wilcoxon's signed-rank test, zeros dropped, {how}"


def normal_wilcoxon_of_pairs(scores: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """The same by the normal approximation with the variance of midranks, for many pairs at once."""
    from scipy.stats import rankdata

    sizes_of_scores = np.abs(scores).max(axis=0)
    room = ROUNDINGS * np.maximum(sizes_of_scores[first], sizes_of_scores[second])
    apart = (scores[:, first] - scores[:, second]).T
    # Beside a 0, as what is no larger than the room is none.
    sizes = tied(np.pad(np.abs(apart), ((0, 0), (0, 1))), room[:, np.newaxis])[:, :-1]
    zero = sizes == 0.0
    # Zeros rank first; without them, all other ranks are lower by their number.
    ranks = rankdata(sizes, axis=1) - zero.sum(axis=1, keepdims=True)
    ranks[zero] = 0.0
    won = np.where(apart > 0.0, ranks, 0.0).sum(axis=1)
    spread = 0.5 * np.sqrt((ranks**2).sum(axis=1))
    none = zero.all(axis=1)
    return _normal_tails((won - 0.5 * ranks.sum(axis=1)) / np.where(none, 1.0, spread))


@dataclass(frozen=True, slots=True, kw_only=True)
class PostHocChoice(Titled):
    """One way of comparing systems after Friedman's test; `run` is given a control, or None."""

    meaning: str
    needs_control: bool = False
    run: Callable[[Friedman, str | None, float], PostHoc]


# In the order in which they are offered.
POST_HOC_CHOICES = Records(
    PostHocChoice(
        name="nemenyi",
        title="Nemenyi, all pairs of mean ranks",
        meaning=(
            "One critical difference for all pairs, from the studentized range. A pair's answer "
            "depends on which other systems are in the table."
        ),
        run=lambda friedman, _control, alpha: nemenyi(friedman, alpha),
    ),
    PostHocChoice(
        name="holm",
        title="Holm, all pairs of mean ranks",
        meaning="Each pair's difference of mean ranks by a normal p-value, adjusted by Holm.",
        run=post_hoc,
    ),
    PostHocChoice(
        name="wilcoxon",
        title="Holm, all pairs by Wilcoxon's test",
        meaning=(
            "Each pair by its own Wilcoxon signed-rank test, adjusted by Holm: no pair's p-value "
            "depends on the other systems (Benavoli, Corani and Mangili 2016)."
        ),
        run=partial(post_hoc, by_wilcoxon=True),
    ),
    PostHocChoice(
        name="bonferroni-dunn",
        title="Bonferroni–Dunn, all against one",
        meaning=(
            "Every mean rank against one system's, by one critical difference from a normal "
            "quantile shared equally among the comparisons. Choose that system before looking."
        ),
        needs_control=True,
        run=partial(post_hoc, procedure="bonferroni-dunn"),
    ),
    PostHocChoice(
        name="holm-control",
        title="Holm, all against one",
        meaning=(
            "Every mean rank against one system's by a normal p-value, adjusted by Holm. Choose "
            "that system before looking."
        ),
        needs_control=True,
        run=post_hoc,
    ),
    argument="procedure",
)
post_hoc_named, post_hoc_names = POST_HOC_CHOICES.named, POST_HOC_CHOICES.names
