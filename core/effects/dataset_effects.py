"""The effects of many datasets, what was left out and why, and every way of combining them.

Those of tables are made here.

Vocabulary
----------
macro-average, micro-average
    Means that take no account of how certain each effect is: every dataset the same, or
    every example the same.
front
    The estimate to state first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from ..data.p_value_table import PValueTable
from ..data.score_table import EffectTable, ScoreTable
from ..shown import DataFrame, frame_of, stacked
from ..signature import bytes_of_numbers, short_fingerprint, signature_line
from ..significance.differences import turned_differences
from ..types import BoolArray, FloatArray, IntArray, frozen
from ..validation import check_open_share, check_two_systems, record_named
from .heterogeneity import Interval, tau2_estimator
from .meta_analysis import (
    MODELS,
    MetaAnalysis,
    meta_analysis,
    model_named,
    normal_interval,
    t_interval,
)
from .paired_effect import (
    GIVEN,
    Effect,
    Undefined,
    checked_maximum,
    effect_named,
    effects_of_scores,
    error_reduction,
    is_share,
    settled,
)

NO_VARIANCE = (
    "the variance within the dataset is 0, as no resample of the examples would give another "
    "effect: no weight in a meta-analysis"
)
NOT_KNOWN = "the variance within the dataset is not known: no weight in a meta-analysis"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A dataset without an effect, and why, as a part of a sentence.

    `needs_maximum`: whether saying the highest possible score would give it one.
    """

    dataset: str
    reason: str
    needs_maximum: bool = False

    @classmethod
    def of(cls, dataset: str, reason: Undefined) -> LeftOut:
        """A dataset that has no such effect."""
        return cls(dataset=dataset, reason=str(reason), needs_maximum=reason.needs_maximum)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetEffects:
    """How far A is ahead of B on each dataset, and how certain that is.

    Attributes
    ----------
    datasets : tuple of str
        Those with an effect, in the order of the data.
    effects : ndarray, shape (M,)
        Positive where A is better.
    variances : ndarray, shape (M,), or None
        Of each effect within its dataset, 0 where no resample would give
        another effect; None where none is known (averages only).
    n_examples : ndarray of int, shape (M,), or None
        Sizes of the datasets.
    effect : {"difference", "error-reduction", "standardised", "given"}
        A − B, turned so that higher is better; that over maximum − B; mean over
        standard deviation of the examples' differences; or what a file gives as
        effects.
    variance_methods : tuple of str
        Of each dataset "bootstrap", "closed-form", "given" or "none".
    a, b : str or None
        Names of the systems, where they are known.
    metric : str or None
        Name of the metric, where all datasets have the same.
    kind : str or None
        What the metric is computed by, where it is known and the same on all.
    higher_is_better : bool
        Whether a higher score is the better one; effects are turned already.
    scores_a, scores_b : ndarray, shape (M,), or None
        The systems' scores as given.
    maxima : tuple of float, or ()
        Of "error-reduction": the highest possible score on each dataset.
    n_differing : tuple of int or None
        On each dataset the number of examples, or clusters, on which the systems
        differ; None where that is no count of what the effect is made of, as of
        correlations; () where nothing is known of examples.
    n_clusters : tuple of int or None
        On each dataset the number of clusters, None where examples are
        independent; () where nothing is known of examples.
    n_resamples : int or None
        Of the bootstrap, where it was used.
    seed : int or None
        Of the bootstrap, where it was used.
    left_out : tuple of LeftOut
        Datasets that have no such effect.
    notes : tuple of str
        What to know about each dataset's effect, '' if nothing.
    complete : bool
        False if it was stopped before every dataset was done.
    not_done : tuple of str
        Datasets that were not reached.
    fingerprint : str
        Of the data.
    """

    datasets: tuple[str, ...]
    effects: FloatArray
    variances: FloatArray | None
    n_examples: IntArray | None
    effect: str
    variance_methods: tuple[str, ...]
    a: str | None = None
    b: str | None = None
    metric: str | None = None
    kind: str | None = None
    higher_is_better: bool = True
    scores_a: FloatArray | None = None
    scores_b: FloatArray | None = None
    maxima: tuple[float, ...] = ()
    n_differing: tuple[int | None, ...] = ()
    n_clusters: tuple[int | None, ...] = ()
    n_resamples: int | None = None
    seed: int | None = None
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    complete: bool = True
    not_done: tuple[str, ...] = ()
    fingerprint: str = ""

    def __post_init__(self) -> None:
        for name in ("effects", "variances", "n_examples", "scores_a", "scores_b"):
            values = getattr(self, name)
            if values is not None:
                object.__setattr__(self, name, frozen(np.array(values)))
        if not self.notes:
            object.__setattr__(self, "notes", ("",) * len(self.datasets))

    @property
    def record(self) -> Effect:
        """What the effect is."""
        return GIVEN if self.is_given else effect_named(self.effect)

    @property
    def is_given(self) -> bool:
        """Whether a file gives the effects, which may be of anything."""
        return self.effect == GIVEN.name

    @property
    def n_datasets(self) -> int:
        """Number of datasets that have an effect, M."""
        return len(self.datasets)

    @property
    def standard_errors(self) -> FloatArray | None:
        """Square roots of the variances."""
        return None if self.variances is None else np.sqrt(self.variances)

    @property
    def has_variance(self) -> BoolArray:
        """Which datasets a meta-analysis can weigh, shape (M,): those of positive variance."""
        if self.variances is None:
            return np.zeros(self.n_datasets, dtype=np.bool_)
        has: BoolArray = self.variances > 0.0
        return has

    @property
    def content(self) -> str:
        """A fingerprint of the datasets' names, effects, variances and sizes."""
        found = sha256("\x00".join(self.datasets).encode())
        for values in (self.effects, self.variances, self.n_examples):
            found.update(bytes_of_numbers(values))
        return found.hexdigest()

    def intervals(self, confidence_level: float) -> tuple[Interval | None, ...]:
        """A normal interval of each dataset's effect; None where its variance is not known."""
        if self.variances is None:
            return (None,) * self.n_datasets
        return tuple(
            normal_interval(effect, variance, confidence_level)
            for effect, variance in zip(self.effects.tolist(), self.variances.tolist(), strict=True)
        )

    @property
    def signature(self) -> str:
        """The line that reproduces the effects and variances."""
        methods = sorted(set(self.variance_methods))
        maxima = sorted(set(self.maxima))
        return signature_line(
            effect=self.effect,
            metric=self.metric,
            a=self.a,
            b=self.b,
            variance="+".join(methods) if methods else None,
            maximum="+".join(f"{most:.10g}" for most in maxima) or None,
            samples=self.n_resamples,
            seed=self.seed,
            datasets=self.n_datasets,
            left_out=len(self.left_out) or None,
            data=short_fingerprint(self.fingerprint) or None,
            effects=short_fingerprint(self.content),
        )

    def to_frame(self) -> DataFrame:
        """A row for each dataset, those that are left out at the end, with the reason as note."""
        columns: dict[str, list[object]] = {"dataset": [*self.datasets]}
        if self.n_examples is not None:
            columns["n_examples"] = self.n_examples.tolist()
        if self.scores_a is not None and self.scores_b is not None:
            columns["score_a"] = self.scores_a.tolist()
            columns["score_b"] = self.scores_b.tolist()
        columns["effect"] = self.effects.tolist()
        if self.variances is not None:
            columns["variance"] = self.variances.tolist()
            columns["standard_error"] = np.sqrt(self.variances).tolist()
            columns["variance_method"] = [*self.variance_methods]
        columns["note"] = [*self.notes]
        frame = frame_of(columns)
        if not self.left_out:
            return frame
        others = frame_of(
            {
                "dataset": [one.dataset for one in self.left_out],
                "note": [f"left out: {one.reason}" for one in self.left_out],
            }
        )
        return stacked([frame, others])[list(columns)]


# What there is for each dataset: arrays, tuples, or None or () where nothing is known.
OF_EACH = (
    "datasets",
    "effects",
    "variances",
    "n_examples",
    "variance_methods",
    "scores_a",
    "scores_b",
    "maxima",
    "n_differing",
    "n_clusters",
    "notes",
)


def joined(parts: Sequence[DatasetEffects]) -> DatasetEffects:
    """The effects of several parts of the datasets, asked for in the same way, in their order.

    Metric and kind are None where they differ. Whether all is done is what the last part says.
    """
    known = [part for part in parts if part.datasets] or list(parts)

    def together(name: str) -> Any:
        own = [getattr(part, name) for part in known]
        if any(values is None for values in own):
            return None
        if isinstance(own[0], np.ndarray):
            return np.concatenate(own)
        return tuple(entry for values in own for entry in values)

    def common(name: str) -> Any:
        own = {getattr(part, name) for part in known}
        return own.pop() if len(own) == 1 else None

    def first(name: str) -> Any:
        return next((found for part in parts if (found := getattr(part, name)) is not None), None)

    return replace(
        parts[-1],
        **{name: together(name) for name in OF_EACH},
        **{name: common(name) for name in ("metric", "kind")},
        **{name: first(name) for name in ("n_resamples", "seed")},
        left_out=tuple(one for part in parts for one in part.left_out),
        higher_is_better=any(part.higher_is_better for part in known),
    )


def effects_of_table(table: EffectTable, datasets: Sequence[str] | None = None) -> DatasetEffects:
    """The effects and squared standard errors that a table gives, of all datasets or of some."""
    names, sizes = table.datasets, table.n_examples
    places = [i for i, name in enumerate(names) if datasets is None or name in datasets]
    return DatasetEffects(
        datasets=tuple(names[place] for place in places),
        effects=table.effects[places],
        variances=table.variances[places],
        n_examples=None if sizes is None else sizes[places],
        effect=GIVEN.name,
        variance_methods=("given",) * len(places),
        fingerprint=table.fingerprint,
    )


def score_differences(
    table: ScoreTable | PValueTable,
    *,
    a: str,
    b: str,
    effect: str = "difference",
    maximum: float | None = None,
) -> DatasetEffects:
    """Differences of one score per dataset and system, without variances: for averages only.

    `maximum`: the highest possible score, for "error-reduction", where the metric does not say it.
    """
    asked = record_named(effects_of_scores(), effect, argument="effect")
    pair = (table.system_a, table.system_b) if isinstance(table, PValueTable) else table.systems
    check_two_systems(a, b, pair)
    scores = np.column_stack([table.scores(a), table.scores(b)])
    known: BoolArray = np.asarray(np.isfinite(scores).all(axis=1))
    apart = np.full(len(table.datasets), np.nan)
    if known.any():
        both = scores[known].T
        apart[known] = turned_differences(*both, higher_is_better=table.higher_is_better).values
    within = bool((scores[known] <= 1.0).all())
    share = table.metric is not None and is_share(table.metric) and within
    declared = checked_maximum(maximum)
    places, effects, maxima, left_out = [], [], [], []
    for place, name in enumerate(table.datasets):
        try:
            if not known[place]:
                raise Undefined("the table has no score of each system")
            found = float(apart[place])
            if asked.needs_maximum:
                most = settled(
                    1.0 if share else None,
                    declared=declared,
                    metric=table.metric,
                    higher_is_better=table.higher_is_better,
                )
                found = error_reduction(found, scores[place].tolist(), most)
                maxima.append(most)
        except Undefined as reason:
            left_out.append(LeftOut.of(name, reason))
            continue
        places.append(place)
        effects.append(found)
    sizes = None if isinstance(table, ScoreTable) else table.n_examples
    return DatasetEffects(
        datasets=tuple(table.datasets[place] for place in places),
        effects=np.array(effects),
        variances=None,
        n_examples=None if sizes is None else sizes[np.array(places, dtype=np.intp)],
        effect=effect,
        variance_methods=("none",) * len(places),
        a=a,
        b=b,
        metric=table.metric,
        higher_is_better=table.higher_is_better,
        scores_a=scores[places, 0],
        scores_b=scores[places, 1],
        maxima=tuple(maxima),
        left_out=tuple(left_out),
        fingerprint=table.fingerprint,
    )


# A location and a scale are estimated from the effects.
FEWEST_FOR_GUMBEL = 3
# With fewer differing examples a dataset's variance is small where its effect is, by chance:
# 1/variance favours small effects. With 20 datasets, 100 examples and discordances of .04 and .01
# such an interval holds the truth in 84% of samples, where 95% are said. The bias matters more
# the more datasets there are, whose mean is surer; so the limit grows with them.
FEWEST_DIFFERING = 20
DIFFERING_PER_DATASET = 2


# Means that take no account of variances: how datasets are weighted, what the interval speaks for.
AVERAGES = {
    "macro-average": "Every dataset counts the same; the interval takes them as a random sample.",
    "micro-average": (
        "Datasets are weighted by their numbers of examples; the interval is for these datasets alone."
    ),
}


def ways() -> dict[str, str]:
    """What every way of combining effects means, by its title."""
    return {**{model.title: model.meaning for model in MODELS}, **AVERAGES}


def title_of_way(name: str) -> str:
    """What a model or an average is called."""
    return name if name in AVERAGES else model_named(name).title


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Average:
    """A mean of effects; its interval is None where none is known.

    The interval of "macro-average" is Student's over datasets, as if they were drawn at random; of
    "micro-average", with variances, normal, over examples, for these datasets and no others.
    """

    kind: str
    estimate: float
    confidence_interval: Interval | None
    confidence_level: float


def _macro_average(values: FloatArray, level: float) -> Average:
    """The plain mean; Student's interval has no width where all effects are equal."""
    # From the first, so that equal effects have exactly that mean and no spread.
    n, apart = values.size, values - values[0]
    estimate, interval = float(values[0] + apart.mean()), None
    if n > 1:
        interval = t_interval(estimate, float(apart.var(ddof=1)) / n, n - 1, level)
    return Average(
        kind="macro-average",
        estimate=estimate,
        confidence_interval=interval,
        confidence_level=level,
    )


def _micro_average(
    values: FloatArray, sizes: IntArray, variances: FloatArray | None, level: float
) -> Average:
    """The mean weighted by numbers of examples: of differences of means that over all examples."""
    weights: FloatArray = sizes / float(sizes.sum())
    estimate, interval = float(values[0] + weights @ (values - values[0])), None
    if variances is not None:
        interval = normal_interval(estimate, float(weights**2 @ variances), level)
    return Average(
        kind="micro-average",
        estimate=estimate,
        confidence_interval=interval,
        confidence_level=level,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinedEffects:
    """Averages and meta-analyses of the same effects.

    Models are of the datasets `weighed` alone, None where there are none, and "gumbel" below three
    or where all effects over their variances are equal. `micro` is None where sizes are not known.
    """

    effects: DatasetEffects
    weighed: tuple[int, ...]
    not_weighed: tuple[LeftOut, ...]
    macro: Average
    micro: Average | None
    tau2_method: str
    fixed: MetaAnalysis | None
    random: MetaAnalysis | None
    gumbel: MetaAnalysis | None

    @property
    def typical_differing(self) -> float | None:
        """Median number of examples on which the systems differ; None where it is not counted."""
        weighed = set(self.weighed)
        counted = [
            number
            for i, number in enumerate(self.effects.n_differing)
            if number is not None and i in weighed
        ]
        return float(np.median(counted)) if counted else None

    @property
    def fewest_differing(self) -> int:
        """From how many differing examples on a typical dataset 1/variance weighs well enough."""
        return max(FEWEST_DIFFERING, DIFFERING_PER_DATASET * len(self.weighed))

    @property
    def has_biased_weights(self) -> bool:
        """Whether the variances rest on so few differing examples that 1/variance favours small effects.

        It looks at how often the systems differ, never at which of them is ahead.
        """
        number = self.typical_differing
        if number is None or self.effects.effect == "standardised":
            return False
        return number < self.fewest_differing

    @property
    def front(self) -> str:
        """Name of the estimate to state first: random effects, or the macro-average where weights fail.

        They favour small effects, or a dataset has none, as one that a system wins on every
        example.
        """
        if self.random is None or self.effects.n_datasets == 1:
            return "macro-average"
        fail = self.has_biased_weights or bool(self.not_weighed)
        if fail and self.macro.confidence_interval is not None:
            return "macro-average"
        return "random"

    @property
    def front_estimate(self) -> float:
        """That estimate; of one dataset its own effect."""
        return self._stated[0]

    @property
    def front_interval(self) -> Interval | None:
        """The interval of the estimate to state first; None where none is known."""
        return self._stated[1]

    @property
    def _stated(self) -> tuple[float, Interval | None]:
        one = self.front == "random" or self.effects.n_datasets == 1
        if self.random is None or not one:
            return self.macro.estimate, self.macro.confidence_interval
        return self.random.estimate, self.random.interval


def combine_effects(
    effects: DatasetEffects,
    *,
    confidence_level: float = 0.95,
    tau2: str = "paule-mandel",
) -> CombinedEffects:
    """Combine the effects of M datasets in each way that the data allow."""
    tau2_estimator(tau2)
    level = check_open_share(confidence_level, name="confidence_level")
    has, sizes = effects.has_variance, effects.n_examples
    weighed = tuple(int(i) for i in np.flatnonzero(has))
    reason = NOT_KNOWN if effects.variances is None else NO_VARIANCE
    random = fixed = gumbel = None
    if weighed and effects.variances is not None:
        values, within = effects.effects[has], effects.variances[has]

        def analysis(model: str) -> MetaAnalysis:
            return meta_analysis(values, within, model=model, confidence_level=level, tau2=tau2)

        random, fixed = analysis("random"), analysis("fixed")
        weighted = values / within
        # A scale of 0, or of a rounding, is no distribution.
        varies = float(np.ptp(weighted)) > 1e-12 * float(np.abs(weighted).max())
        if len(weighed) >= FEWEST_FOR_GUMBEL and varies:
            gumbel = analysis("gumbel")
    return CombinedEffects(
        effects=effects,
        weighed=weighed,
        not_weighed=tuple(
            LeftOut(dataset=name, reason=reason)
            for name, counts in zip(effects.datasets, has, strict=True)
            if not counts
        ),
        macro=_macro_average(effects.effects, level),
        micro=None
        if sizes is None
        else _micro_average(effects.effects, sizes, effects.variances, level),
        tau2_method=tau2,
        fixed=fixed,
        random=random,
        gumbel=gumbel,
    )
