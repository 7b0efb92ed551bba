"""Every way of combining the effects of datasets, side by side: averages and models.

Vocabulary
----------
macro-average, micro-average
    Means that take no account of how certain each effect is: every dataset the same, or
    every example the same.
front
    The estimate to state first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import FloatArray, IntArray
from ..validation import check_open_share
from .dataset_effects import NO_VARIANCE, NOT_KNOWN, DatasetEffects, LeftOut
from .heterogeneity import Interval, tau2_estimator
from .meta_analysis import (
    MODELS,
    MetaAnalysis,
    meta_analysis,
    model_named,
    normal_interval,
    t_interval,
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
