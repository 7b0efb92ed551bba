"""Which effects there are: on one dataset, with variance in closed form and what a bootstrap draws.

A record for each in `EFFECTS`, and nowhere else. An error reduction is
(A − B)/(maximum − B): of what B leaves to be gained, the share that A gains. Scores
without a known end, and those of which lower ones are better, have no maximum.

A bootstrap sample draws examples with replacement, the same ones for A and for B; with
clusters, whole clusters. Each metric's effect is computed from sums over it, Spearman's
correlation from new midranks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..metrics.per_example import LABEL_METRICS, label_statistics
from ..metrics.registry import (
    CORRELATIONS,
    MEAN,
    correlation_of,
    divided,
    is_counted,
    pearson,
    statistic_metric,
)
from ..significance.correlation import predictions_of, ranked_deltas, units_drawn
from ..significance.differences import Clusters, Differences, turned_differences
from ..significance.plan import Given, problems_of
from ..significance.resamples import DeltasOf, bootstrap_deltas, product, row_codes
from ..significance.stopping import KeepGoing
from ..types import BoolArray, FloatArray
from ..validation import Records, Titled

# Effects closer than this, beside their size, differ by rounding alone.
_ROUNDING = 1e-12

# From sums, shape (..., s), to what is made of them, shape (...).
Score = Callable[[FloatArray], FloatArray]


# Draws effects of bootstrap samples, shape (n_resamples,), nan where one is not defined.
Draw = Callable[[int, np.random.Generator, KeepGoing], FloatArray]


class OfSums(NamedTuple):
    """An effect that sums of rows, shape (n, c), come to, and its variance in closed form."""

    effect: float
    rows: FloatArray
    of: Score
    variance: float | None = None

    def drawn(self, clusters: Clusters | None) -> Draw:
        """Of samples of the rows, clusters being added up first."""
        units = np.ascontiguousarray(self.rows if clusters is None else clusters.summed(self.rows))
        return partial(_drawn, units, lambda distinct: lambda n: self.of(product(n, distinct)))


def drawn_sums(
    rows: FloatArray, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> FloatArray:
    """Sums of the rows of bootstrap samples, shape (n_resamples, c)."""
    drawn: list[FloatArray] = []

    def sums_from(distinct: FloatArray) -> DeltasOf:
        def keep(counts: FloatArray) -> FloatArray:
            drawn.append(product(counts, distinct))
            return drawn[-1][:, 0]

        return keep

    _drawn(rows, sums_from, n_resamples, rng, keep_going)
    return np.concatenate(drawn)


def _drawn(
    rows: FloatArray,
    effects_from: Callable[[FloatArray], DeltasOf],
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing,
    *,
    breadth: int = 1,
) -> FloatArray:
    """As `bootstrap_deltas` of numbers of distinct rows in the order of their first examples.

    Sorted by values, A's and B's rows would change places when the systems are exchanged.
    """
    n = rows.shape[0]
    coded = row_codes(rows, at_most=n - 1)
    _, first, codes = np.unique(
        np.arange(n) if coded is None else coded, return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    number = np.empty(first.size)
    number[order] = np.arange(first.size)
    own = rows[first[order]]
    return bootstrap_deltas(
        number[codes][:, np.newaxis],
        lambda numbers: effects_from(own[numbers[:, 0].astype(np.intp)]),
        size=n,
        n_resamples=n_resamples,
        rng=rng,
        keep_going=keep_going,
        breadth=breadth,
    )


def variance_of(effects: FloatArray) -> tuple[float, int]:
    """The variance of drawn effects over n − 1, and how many have no effect and are left out.

    0 where they differ by rounding alone, nan where fewer than two have an effect.
    """
    defined = effects[np.isfinite(effects)]
    n_undefined = effects.size - defined.size
    if defined.size < 2:
        return float("nan"), n_undefined
    spread = float(defined.max() - defined.min())
    if spread <= _ROUNDING * float(np.abs(defined).max()):
        return 0.0, n_undefined
    return float(defined.var(ddof=1)), n_undefined


class Undefined(Exception):
    """A dataset has no such effect; the message says why, as a part of a sentence.

    `needs_maximum`: whether saying the highest possible score would give it one.
    """

    def __init__(self, reason: str, *, needs_maximum: bool = False) -> None:
        super().__init__(reason)
        self.needs_maximum = needs_maximum


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedEffect:
    """The effect on one dataset.

    `drawn` draws it, None where only averages are asked for; `closed_form` is a variance by formula,
    and `n_differing` counts the examples, or clusters, on which the systems differ.
    """

    effect: float
    score_a: float
    score_b: float
    drawn: Draw | None = None
    closed_form: float | None = None
    n_differing: int | None = None


def effect_on(
    given: Given,
    effect: Effect,
    *,
    maximum: float | None,
    clusters: Clusters | None,
    is_drawn: bool,
) -> PairedEffect:
    """The effect of two systems on one dataset: of metrics that are no means, by their scores.

    Raises Undefined if there is no such effect.
    """
    sign = 1.0 if given.higher_is_better else -1.0
    if given.kind == MEAN:
        differences = turned_differences(*given.first_two, higher_is_better=sign > 0.0)
        assert effect.of_means is not None
        found = effect.of_means(differences, given, maximum, clusters)
        differ = differences.values != 0.0
        return PairedEffect(
            effect=found.effect,
            score_a=sign * differences.score_a + 0.0,
            score_b=sign * differences.score_b + 0.0,
            drawn=found.drawn(clusters),
            closed_form=found.variance,
            n_differing=None if effect.needs_mean else _n_differing(differ, clusters),
        )
    if problems := problems_of(given, "paired-bootstrap"):
        raise Undefined(" ".join(problem.what for problem in problems).rstrip("."))
    score_a, score_b = given.scores.values()
    delta = sign * (score_a - score_b) + 0.0
    if maximum is not None:
        delta = error_reduction(delta, (score_a, score_b), maximum)
    averaged = PairedEffect(effect=delta, score_a=score_a, score_b=score_b)
    if not is_drawn:
        return averaged
    if given.kind in CORRELATIONS:
        return replace(averaged, drawn=_of_predictions(given, sign, maximum, clusters))
    score, a, b = statistics_of(given.kind, *given.first_two, given.gold)
    return replace(
        averaged,
        drawn=_of_statistics(score, a, b, sign, maximum, clusters),
        n_differing=_n_differing((a != b).any(axis=1), clusters),
    )


def _difference(
    differences: Differences, _given: Given, _maximum: float | None, clusters: Clusters | None
) -> OfSums:
    """The mean difference; its variance in closed form is s²/n, with clusters that of their sums."""
    d, n = differences.values, differences.n
    apart = np.zeros(n) if differences.constant else d - differences.mean
    return OfSums(
        differences.mean,
        np.column_stack([d, np.ones(n)]),
        lambda sums: sums[..., 0] / sums[..., 1],
        _robust_variance(apart, clusters, size=float(np.abs(d).max())),
    )


def _error_reduction(
    differences: Differences, given: Given, maximum: float | None, clusters: Clusters | None
) -> OfSums:
    """(A − B)/(maximum − B), a ratio; its variance is that of its linearised values (delta method)."""
    (a, b), d = given.first_two, differences.values
    assert maximum is not None
    if (largest := float(max(a.max(), b.max()))) > maximum * (1.0 + _ROUNDING):
        raise Undefined(
            f"it has scores up to {largest:g}, above the highest possible score as it was said, "
            f"{maximum:g}"
        )
    left, scores = maximum - b, (differences.score_a, differences.score_b)
    reduction, mean_left = error_reduction(differences.mean, scores, maximum), maximum - scores[1]
    size = float(np.maximum(np.abs(d), np.abs(left)).max()) / mean_left
    return OfSums(
        reduction,
        np.column_stack([d, left]),
        lambda sums: divided(*sums.T),
        _robust_variance((d - reduction * left) / mean_left, clusters, size=size),
    )


def _standardised(
    differences: Differences, _given: Given, _maximum: float | None, clusters: Clusters | None
) -> OfSums:
    """The mean difference over the examples' standard deviation, d.

    In closed form its variance is 1/n + d²/(2n), for independent examples only (Gibbons, Hedeker
    and Davis, Journal of Educational Statistics 1993).
    """
    d, n, mean = differences.values, differences.n, differences.mean
    if bool((d == d[0]).all()):
        raise Undefined(
            "the difference is the same on every example, so that a mean over its standard "
            "deviation is not defined"
        )
    # Squares of a size near 1 neither overflow nor vanish.
    size = float(np.abs(d - mean).max())
    apart = (d - mean) / size
    d_z = mean / size / float(apart.std(ddof=1))

    def effect_of(sums: FloatArray) -> FloatArray:
        number, total, squares = (sums[..., i] for i in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = total / number
            variance = (squares - number * moved**2) / (number - 1.0)
            varies = (number > 1.0) & (variance > _ROUNDING * squares / number)
            return np.where(varies, (mean / size + moved) / np.sqrt(variance), np.nan)

    variance = None if clusters is not None else 1.0 / n + d_z**2 / (2.0 * n)
    return OfSums(d_z, np.column_stack([np.ones(n), apart, apart**2]), effect_of, variance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect(Titled):
    """One way of saying how far A is ahead of B on a dataset; positive where A is better.

    `unit` follows its number in a sentence, '' where it has the metric's units; `share` is what it
    is a share of; `needs_mean` if it needs one score an example, that is averaged, of which
    `of_means` computes it.
    """

    meaning: str
    needs_maximum: bool = False
    unit: str = ""
    share: str = ""
    needs_mean: bool = False
    of_means: Callable[[Differences, Given, float | None, Clusters | None], OfSums] | None = None


# The usual one first.
EFFECTS = Records(
    Effect(
        name="difference",
        title="difference of scores",
        meaning=(
            "A − B in the units of the metric, turned so that a positive one is in A's favour."
        ),
        of_means=_difference,
    ),
    Effect(
        name="error-reduction",
        title="error reduction",
        meaning=(
            "Of what B leaves to be gained, the share that A gains: (A − B)/(highest score − B). It "
            "makes easy and hard datasets comparable, and needs a highest possible score."
        ),
        needs_maximum=True,
        share="as a share of the errors to be saved",
        of_means=_error_reduction,
    ),
    Effect(
        name="standardised",
        title="standardised difference",
        meaning=(
            "The mean difference of the examples over its standard deviation: comparable between "
            "metrics, and larger where systems differ steadily rather than much. Its closed-form "
            "variance assumes normally distributed differences; the paired bootstrap does not."
        ),
        unit="standard deviations of the examples' differences",
        needs_mean=True,
        of_means=_standardised,
    ),
    argument="effect",
)
effect_named, effect_names = EFFECTS.named, EFFECTS.names
# Of effects that a file gives nothing more is known.
GIVEN = Effect(name="given", title="effect", meaning="What the file gives.")


def effects_of_scores() -> tuple[Effect, ...]:
    """Those that one score per dataset and system is enough for."""
    return tuple(each for each in EFFECTS if not each.needs_mean)


def _of_predictions(
    given: Given, sign: float, maximum: float | None, clusters: Clusters | None
) -> Draw:
    """The difference of correlations with gold, or with a maximum the error reduction."""
    kind = correlation_of(given.kind)
    found = predictions_of(
        *given.first_two, given.gold, kind=kind, higher_is_better=sign > 0.0, clusters=clusters
    )
    if kind == "pearson":
        return _of_statistics(pearson, found.a, found.b, sign, maximum, None)
    rows = np.ascontiguousarray(found.standings.T)

    def effects_from(distinct: FloatArray) -> DeltasOf:
        deltas_of = ranked_deltas(distinct, sign=sign)
        if maximum is None:
            return deltas_of
        # Beside gold itself, whose correlation is 1, B is behind by what it leaves.
        left_of = ranked_deltas(distinct[:, [0, 0, 2]], sign=1.0)
        return lambda counts: divided(deltas_of(counts), left_of(counts))

    units, effects_of_units = units_drawn(rows, effects_from, found.clusters)
    return partial(_drawn, units, effects_of_units, breadth=rows.shape[0])


def statistics_of(
    kind: str, a: Any, b: Any, gold: Any = None
) -> tuple[Score, FloatArray, FloatArray]:
    """The score of a metric of summed statistics, or of labels with gold, and both systems'."""
    if kind not in LABEL_METRICS:
        return statistic_metric(kind).score, a, b
    metric, of_a, of_b = label_statistics(a, b, gold, metric=kind)
    return metric.score, of_a, of_b


def _of_statistics(
    score: Score,
    a: FloatArray,
    b: FloatArray,
    sign: float,
    maximum: float | None,
    clusters: Clusters | None,
) -> Draw:
    """The difference of the scores of summed statistics, or with a maximum the error reduction."""
    width = a.shape[1]

    def effect_of(sums: FloatArray) -> FloatArray:
        score_a, score_b = score(sums[..., :width]), score(sums[..., width:])
        apart = sign * (score_a - score_b)
        return apart if maximum is None else divided(apart, maximum - score_b)

    return OfSums(np.nan, np.hstack([a, b]), effect_of).drawn(clusters)


def _n_differing(differ: BoolArray, clusters: Clusters | None) -> int:
    """On how many examples two systems differ, or on any of how many clusters' examples."""
    if clusters is not None:
        differ = clusters.summed(differ.astype(np.float64)) > 0.0
    return int(np.count_nonzero(differ))


def error_reduction(delta: float, scores: Sequence[float], maximum: float) -> float:
    """The share that A gains of what B leaves; raises Undefined where there is none."""
    if max(scores) > maximum * (1.0 + _ROUNDING):
        raise Undefined(
            f"it has a score above the highest possible one as it was said, {maximum:g}"
        )
    left = maximum - scores[1]
    if left <= _ROUNDING * abs(maximum):
        # Not beginning with the system, whose name sentences put there.
        raise Undefined(
            "nothing is left to be gained, as the second system is at the highest possible score, "
            f"{maximum:g}"
        )
    return delta / left


def _robust_variance(values: FloatArray, clusters: Clusters | None, *, size: float) -> float:
    """Variance of the mean of values that add up to 0, by examples or by sums of clusters."""
    n = values.size
    sums = values if clusters is None else clusters.summed(values)
    units = sums.size
    most = float(np.abs(sums).max())
    # Of n roundings at most, where the sums are really 0.
    if most <= _ROUNDING * size * (n / units):
        return 0.0
    scaled = sums / most
    return units / (units - 1.0) * float(scaled @ scaled) * (most / n) ** 2


# Averaged scores under these names are shares where all of them lie in [0, 1].
_SHARES = frozenset(
    {"accuracy", "acc", "correct", "correctness", "exact match", "em", "uas", "las"}
)


def known_maximum(given: Given, *, declared: float | None) -> float:
    """The highest possible score of two systems on one dataset.

    What the metric says is not to be contradicted: accuracy ends at 1. Raises Undefined if there is
    none.
    """
    higher = given.higher_is_better
    own = _own_maximum(given) if higher else None
    return settled(own, declared=declared, metric=given.metric, higher_is_better=higher)


def settled(
    own: float | None, *, declared: float | None, metric: str | None, higher_is_better: bool
) -> float:
    """What the metric says, else what was declared; Undefined where there is no one answer."""
    if not higher_is_better:
        raise Undefined(
            ("lower scores" if metric is None else f"lower scores of “{metric}”")
            + " are better, and an error reduction needs a highest one"
        )
    named = "these scores" if metric is None else f"“{metric}”"
    if own is None and declared is None:
        raise Undefined(f"the highest possible score of {named} is not known", needs_maximum=True)
    if own is not None and declared not in (None, own):
        raise Undefined(
            f"the highest possible score of {named} is {own:g}, not {declared:g} as it was said"
        )
    return float(next(said for said in (own, declared) if said is not None))


def _own_maximum(given: Given) -> float | None:
    """What the metric says, None where a person may know it."""
    kind, metric = given.kind, given.metric
    if kind in LABEL_METRICS or kind in CORRELATIONS:
        return 1.0
    if is_counted(kind):
        largest = statistic_metric(kind).largest
        if largest is not None:
            return largest
        if kind != "ratio":
            return None
        if any(bool((counts[:, 0] > counts[:, 1]).any()) for counts in given.first_two):
            raise Undefined(
                f"“{metric}” counts more than its total on some examples, so that it has no highest "
                "score"
            )
        return 1.0
    assert kind == MEAN
    if given.zero_one:
        return 1.0
    within = all(bool(((s >= 0.0) & (s <= 1.0)).all()) for s in given.first_two)
    return 1.0 if is_share(metric) and within else None


def checked_maximum(maximum: float | None) -> float | None:
    """A declared maximum as a finite float, or None."""
    if maximum is None:
        return None
    try:
        value = float("nan") if isinstance(maximum, bool) else float(maximum)
    except (TypeError, ValueError):
        value = float("nan")
    if not np.isfinite(value):
        raise ValueError(f"`maximum` must be a finite number; got {maximum!r}.")
    return value


def is_share(metric: str) -> bool:
    """Whether a metric's name says that its scores are shares of what is right."""
    return " ".join(metric.casefold().replace("_", " ").replace("-", " ").split()) in _SHARES
