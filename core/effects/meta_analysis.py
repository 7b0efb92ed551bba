"""One effect from those of many datasets: fixed effect, random effects, Gumbel.

Vocabulary
----------
T, v
    A dataset's effect and its variance within the dataset.
fixed
    One effect is true of all datasets; they differ by chance alone.
random
    Each dataset has an effect of its own, drawn from those that datasets have.
gumbel
    Effects times weights are drawn from one Gumbel distribution (Søgaard 2013).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.effects.gumbel import GumbelFit, fit_gumbel
from core.effects.heterogeneity import Heterogeneity, Interval, heterogeneity
from core.effects.inputs import checked_effects, checked_variances
from core.effects.meta_result import MODELS, MetaAnalysis, Model
from core.effects.tau2 import TAU2_METHODS, Tau2Method, weighted_mean
from core.types import FloatArray
from core.validation import check_choice, check_open_share

__all__ = ["MODELS", "MetaAnalysis", "Model", "meta_analysis"]

FEWEST_FOR_PREDICTION = 3

ONE_DATASET = (
    "one dataset: how effects vary between datasets is not known, and the interval is its own"
)
NARROWER = (
    "Hartung–Knapp factor below 1: effects vary less than their variances alone would have them, "
    "and its interval may be narrower than the normal one"
)
ALL_EQUAL = (
    "all effects are equal: the Hartung–Knapp interval has no width, which says nothing of how "
    "certain the effect is"
)
EMPTY_PROFILE = (
    "effects vary less than their variances alone would have them: no τ² is in the Q-profile "
    "interval, given as 0 to 0"
)
OUTSIDE_PROFILE = "τ² lies outside its Q-profile interval; that of Paule and Mandel lies inside"
# A factor that is 1 but for the rounding of τ².
_FACTOR_ROUNDING = 1e-9


def meta_analysis(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    *,
    model: Model = "random",
    confidence_level: float = 0.95,
    tau2: Tau2Method = "paule-mandel",
) -> MetaAnalysis:
    """Combine the effects of M datasets into one.

    Parameters
    ----------
    effects : array_like, shape (M,)
        One for each dataset, positive where A is better.
    variances : array_like, shape (M,)
        Of each effect within its dataset; positive.
    model : {"random", "fixed", "gumbel"}
        "fixed": weights 1/v. "random": weights 1/(v + τ²). "gumbel": a Gumbel
        distribution fitted to T/v by maximum likelihood; its mean over the mean
        weight. It looks at the larger values more closely than at the smaller
        ones, so that exchanging A and B changes more than its sign.
    confidence_level : float
        Of the intervals.
    tau2 : {"paule-mandel", "reml", "dersimonian-laird"}
        How τ² is estimated: where Q equals its expectation M − 1; by restricted
        maximum likelihood; by the moment estimate from Q at τ² = 0, cut at 0.

    Raises
    ------
    ValueError
        If an argument is not as described; the message names the entries. For
        "gumbel" also if M = 1 or all T/v are the same.

    Examples
    --------
    >>> result = meta_analysis([0.02, 0.05, -0.01, 0.03, 0.08], [4e-4, 9e-4, 3e-4, 1e-3, 2e-3])
    >>> round(result.estimate, 7), round(result.tau2, 8)
    (0.02138, 0.00027064)
    """
    values = checked_effects(effects)
    within = checked_variances(variances, n_effects=values.size)
    check_choice(model, MODELS, name="model")
    level = check_open_share(confidence_level, name="confidence_level")
    check_choice(tau2, TAU2_METHODS, name="tau2")
    found = heterogeneity(values, within, confidence_level=level, tau2=tau2)
    if model == "gumbel":
        result = _gumbel(values, within, level, found)
    elif model == "fixed":
        result = _weighted(values, within, model, level, found, 0.0)
    else:
        result = _weighted(values, within, model, level, found, found.tau2)
        if values.size > 1:
            result = _with_random_intervals(result, within + found.tau2)
    notes = (ONE_DATASET,) if values.size == 1 else ()
    if found.tau2_interval == (0.0, 0.0):
        notes = (*notes, EMPTY_PROFILE)
    if found.is_outside_interval:
        notes = (*notes, OUTSIDE_PROFILE)
    return replace(result, notes=(*notes, *result.notes))


def normal_interval(estimate: float, variance: float, confidence_level: float) -> Interval:
    """Estimate and normal quantile times standard error to either side."""
    from scipy.special import ndtri

    half = -float(ndtri(0.5 * (1.0 - confidence_level))) * math.sqrt(variance)
    return estimate - half, estimate + half


def t_interval(
    estimate: float, variance: float, degrees_of_freedom: int, confidence_level: float
) -> Interval:
    """Estimate and Student's quantile times standard error to either side."""
    from scipy.special import stdtrit

    tail = 0.5 * (1.0 - confidence_level)
    half = -float(stdtrit(degrees_of_freedom, tail)) * math.sqrt(variance)
    return estimate - half, estimate + half


def gumbel_estimate(effects: FloatArray, variances: FloatArray) -> tuple[float, GumbelFit, float]:
    """The Gumbel model's effect, its fit to T/v, and the mean weight.

    Weights are relative while it is fitted, so that they do not overflow.
    """
    smallest = float(variances.min())
    relative = smallest / variances
    fit = fit_gumbel(relative * effects)
    mean_weight = float(relative.mean())
    raw = GumbelFit(location=fit.location / smallest, scale=fit.scale / smallest)
    return fit.mean / mean_weight, raw, mean_weight / smallest


def _weighted(
    effects: FloatArray,
    variances: FloatArray,
    model: Model,
    level: float,
    found: Heterogeneity,
    tau2: float,
) -> MetaAnalysis:
    estimate, variance = weighted_mean(effects, variances + tau2)
    weights, raw = _weights(variances + tau2)
    return MetaAnalysis(
        effects=effects,
        variances=variances,
        model=model,
        confidence_level=level,
        estimate=estimate,
        variance=variance,
        confidence_interval=normal_interval(estimate, variance, level),
        weights=weights,
        raw_weights=raw,
        heterogeneity=found,
    )


def _with_random_intervals(result: MetaAnalysis, variances: FloatArray) -> MetaAnalysis:
    n = result.n_datasets
    apart = (result.effects - result.estimate) / np.sqrt(variances)
    factor = float((apart**2).sum()) / (n - 1)
    if abs(factor - 1.0) <= _FACTOR_ROUNDING:
        # With Paule and Mandel's τ² above 0 it is 1.
        factor = 1.0
    prediction = None
    if n >= FEWEST_FOR_PREDICTION:
        prediction = t_interval(
            result.estimate, result.tau2 + result.variance, n - 2, result.confidence_level
        )
    notes = (ALL_EQUAL,) if factor == 0.0 else (NARROWER,) if factor < 1.0 else ()
    return replace(
        result,
        hartung_knapp_factor=factor,
        hartung_knapp_interval=t_interval(
            result.estimate, factor * result.variance, n - 1, result.confidence_level
        ),
        prediction_interval=prediction,
        notes=notes,
    )


def _gumbel(
    effects: FloatArray, variances: FloatArray, level: float, found: Heterogeneity
) -> MetaAnalysis:
    n = effects.size
    if n == 1:
        raise ValueError(
            "`effects` must hold at least two entries for model 'gumbel', which estimates a "
            "spread; got 1."
        )
    estimate, fit, mean_weight = gumbel_estimate(effects, variances)
    if fit.scale == 0.0:
        raise ValueError(
            "`effects` over `variances` must not all be the same for model 'gumbel', as a Gumbel "
            f"distribution without spread has no interval; all {n} are {fit.location:g}."
        )
    # By steps, as the square of a weight may be too large for a number.
    variance = (math.pi * (fit.scale / mean_weight)) ** 2 / (6.0 * n)
    weights, raw = _weights(variances)
    return MetaAnalysis(
        effects=effects,
        variances=variances,
        model="gumbel",
        confidence_level=level,
        estimate=estimate,
        variance=variance,
        confidence_interval=normal_interval(estimate, variance, level),
        weights=weights,
        raw_weights=raw,
        heterogeneity=found,
        gumbel=fit,
        paper_variance=fit.variance,
    )


def _weights(variances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shares that add up to 1, and 1/variance."""
    relative = float(variances.min()) / variances
    shares: FloatArray = relative / relative.sum()
    raw: FloatArray = 1.0 / variances
    shares.flags.writeable = raw.flags.writeable = False
    return shares, raw
