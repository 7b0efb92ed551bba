"""Every way of combining the effects of datasets, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.effects.averages import Average, macro_average, micro_average
from core.effects.effect_list import NO_VARIANCE, NOT_KNOWN, DatasetEffects, LeftOut
from core.effects.meta_analysis import MetaAnalysis, meta_analysis

# A location and a scale are estimated from the effects.
FEWEST_FOR_GUMBEL = 3


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
    fixed, random, gumbel : MetaAnalysis or None
        Of the datasets that can be weighed; None where there are none of them, and
        "gumbel" below three or where all effects over their variances are equal.
    """

    effects: DatasetEffects
    weighed: tuple[int, ...]
    not_weighed: tuple[LeftOut, ...]
    macro: Average
    micro: Average | None
    fixed: MetaAnalysis | None
    random: MetaAnalysis | None
    gumbel: MetaAnalysis | None


def combine_effects(effects: DatasetEffects, *, confidence_level: float = 0.95) -> CombinedEffects:
    """Combine the effects of M datasets in each way that the data allow.

    Parameters
    ----------
    effects : DatasetEffects
        Of at least one dataset.
    confidence_level : float
        Of all intervals.

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
        random = meta_analysis(values, within, model="random", confidence_level=confidence_level)
        fixed = meta_analysis(values, within, model="fixed", confidence_level=confidence_level)
        weighted = values / within
        # A scale of 0, or of a rounding, is no distribution.
        varies = float(np.ptp(weighted)) > 1e-12 * float(np.abs(weighted).max())
        if len(weighed) >= FEWEST_FOR_GUMBEL and varies:
            gumbel = meta_analysis(
                values, within, model="gumbel", confidence_level=confidence_level
            )
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
        fixed=fixed,
        random=random,
        gumbel=gumbel,
    )
