"""Every way of combining the effects of datasets, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.effects.averages import Average, macro_average, micro_average
from core.effects.effect_list import NO_VARIANCE, NOT_KNOWN, DatasetEffects, LeftOut
from core.effects.heterogeneity import Interval
from core.effects.meta_analysis import MetaAnalysis, Model, meta_analysis
from core.effects.tau2 import Tau2Method

# A location and a scale are estimated from the effects.
FEWEST_FOR_GUMBEL = 3
# With fewer differing examples a dataset's variance is small where its effect is, by chance:
# 1/variance favours small effects. With 20 datasets, 100 examples and discordances of .04 and .01
# such an interval holds the truth in 84% of samples, where 95% are said. The bias matters more
# the more datasets there are, whose mean is surer; so the limit grows with them.
FEWEST_DIFFERING = 20
DIFFERING_PER_DATASET = 2

Front = Literal["random", "macro-average"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinedEffects:
    """Averages and meta-analyses of the same effects.

    Attributes
    ----------
    effects : DatasetEffects
        Of each dataset.
    weighed : tuple of int
        Places of the datasets that a meta-analysis can weigh.
    not_weighed : tuple of LeftOut
        The others, each with its reason.
    macro : Average
        Each dataset the same.
    micro : Average or None
        Each example the same; None where sizes are not known.
    tau2_method : {"paule-mandel", "reml", "dersimonian-laird"}
        How the variance between datasets is estimated.
    fixed, random, gumbel : MetaAnalysis or None
        Of the datasets that can be weighed; None where there are none of them, and
        "gumbel" below three or where all effects over their variances are equal.
    """

    effects: DatasetEffects
    weighed: tuple[int, ...]
    not_weighed: tuple[LeftOut, ...]
    macro: Average
    micro: Average | None
    tau2_method: Tau2Method
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
    def front(self) -> Front:
        """Which estimate to state first: random effects, or the macro-average where weights fail.

        They fail where they favour small effects, and where a dataset has none: one that
        a system wins on every example has the surest effect of all, and no variance.
        """
        if self.random is None or self.effects.n_datasets == 1:
            return "macro-average"
        fail = self.has_biased_weights or bool(self.not_weighed)
        if fail and self.macro.confidence_interval is not None:
            return "macro-average"
        return "random"

    @property
    def front_estimate(self) -> float:
        """That estimate."""
        if self.random is not None and (self.front == "random" or self.effects.n_datasets == 1):
            return self.random.estimate
        return self.macro.estimate

    @property
    def front_interval(self) -> Interval | None:
        """The interval of the estimate to state first; None where none is known."""
        if self.random is not None and (self.front == "random" or self.effects.n_datasets == 1):
            return self.random.interval
        return self.macro.confidence_interval


def combine_effects(
    effects: DatasetEffects,
    *,
    confidence_level: float = 0.95,
    tau2: Tau2Method = "paule-mandel",
) -> CombinedEffects:
    """Combine the effects of M datasets in each way that the data allow.

    Parameters
    ----------
    effects : DatasetEffects
        Of at least one dataset.
    confidence_level : float
        Of all intervals.
    tau2 : {"paule-mandel", "reml", "dersimonian-laird"}
        How the variance between datasets is estimated.

    Raises
    ------
    ValueError
        If no dataset has an effect, or the level lies outside (0, 1).
    """
    has = effects.has_variance
    weighed = tuple(int(i) for i in np.flatnonzero(has))
    reason = NOT_KNOWN if effects.variances is None else NO_VARIANCE
    random = fixed = gumbel = None
    if weighed and effects.variances is not None:
        values, within = effects.effects[has], effects.variances[has]

        def analysis(model: Model) -> MetaAnalysis:
            return meta_analysis(
                values, within, model=model, confidence_level=confidence_level, tau2=tau2
            )

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
        macro=macro_average(effects.effects, confidence_level=confidence_level),
        micro=None
        if effects.n_examples is None
        else micro_average(
            effects.effects,
            effects.n_examples,
            effects.variances,
            confidence_level=confidence_level,
        ),
        tau2_method=tau2,
        fixed=fixed,
        random=random,
        gumbel=gumbel,
    )
