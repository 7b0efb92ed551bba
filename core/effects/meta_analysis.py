"""One effect from those of many datasets: fixed effect, random effects, Gumbel.

Vocabulary
----------
T, v
    A dataset's effect and its variance within the dataset.
model
    What is assumed of the datasets' true effects; a record for each in `MODELS`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..shown import Plotted
from ..signature import signature_line
from ..types import FloatArray, frozen
from ..validation import Records, Titled, check_open_share, check_same_order
from .distributions import GumbelFit, fit_gumbel
from .heterogeneity import (
    Heterogeneity,
    Interval,
    checked_effects,
    checked_variances,
    cochran_q,
    heterogeneity,
    tau2_where,
    weighted_mean,
    weighted_means,
)

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
# The integrand is smooth in √Q: with 64 points it has eight digits or more.
_POINTS = 64
# Beyond these tails of the chi-squared distribution nothing is left that counts.
_TAIL = 1e-14


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetaAnalysis(Heterogeneity, Plotted):
    """One effect for all datasets, with its intervals and how far datasets differ.

    What it has of `Heterogeneity` is the same under each model: "fixed" takes τ² to be 0
    all the same, and "gumbel" does not use it.

    Attributes
    ----------
    effects, variances : ndarray, shape (M,)
        As given.
    model : str
        The name of the model.
    confidence_level : float
        Of all intervals.
    estimate, variance : float
        The combined effect and its variance.
    confidence_interval : (float, float)
        Normal, around the estimate.
    weights : ndarray, shape (M,)
        Each dataset's share of the weight; they add up to 1.
    hartung_knapp_interval : (float, float) or None
        Of "random", with M >= 2: t with M − 1 degrees of freedom, and the
        variance times the factor, whatever that is.
    hartung_knapp_factor : float or None
        Σw(T − T̂)²/(M − 1), by which the variance is multiplied. With Paule and
        Mandel's τ² it is 1 where τ² is above 0.
    prediction_interval : (float, float) or None
        Where the true effect of a new dataset is expected, by Higgins, Thompson
        and Spiegelhalter (2009): of "random", with M >= 3, t with M − 2 degrees
        of freedom. It takes τ² as if it were known: of 95% intervals 81% to 100%
        hold the new effect (see `new_dataset_interval`).
    gumbel : GumbelFit or None
        Of "gumbel": the distribution fitted to T/v.
    paper_variance : float or None
        Of "gumbel": π²β²/6, which Søgaard (2013) prints as the variance of the
        estimate. It is that of one T/v, in other units than the estimate's square.
    notes : tuple of str
        What to know about the numbers.

    References
    ----------
    Paule and Mandel (Journal of Research of the National Bureau of Standards 1982);
    Viechtbauer (Journal of Educational and Behavioral Statistics 2005) for REML;
    DerSimonian and Laird (Controlled Clinical Trials 1986); Hartung and Knapp
    (Statistics in Medicine 2001); Higgins, Thompson and Spiegelhalter (JRSS A 2009)
    for prediction; Søgaard (NAACL 2013) for Gumbel.
    """

    effects: FloatArray
    variances: FloatArray
    model: str
    confidence_level: float
    estimate: float
    variance: float
    confidence_interval: Interval
    weights: FloatArray
    hartung_knapp_interval: Interval | None = None
    hartung_knapp_factor: float | None = None
    prediction_interval: Interval | None = None
    gumbel: GumbelFit | None = None
    paper_variance: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_datasets(self) -> int:
        """Number of datasets, M."""
        return int(self.effects.size)

    @property
    def standard_error(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def z(self) -> float:
        """The estimate over its standard error."""
        return self.estimate / self.standard_error

    @property
    def p_value_greater(self) -> float:
        """Chance of a z at least as large where the combined effect is 0."""
        from scipy.special import ndtr

        return float(ndtr(-self.z))

    @property
    def p_value_two_sided(self) -> float:
        """Chance of a z at least as far from 0 where the combined effect is 0."""
        from scipy.special import ndtr

        return float(2.0 * ndtr(-abs(self.z)))

    @property
    def hartung_knapp_standard_error(self) -> float | None:
        """Square root of the variance times the Hartung–Knapp factor; None without one."""
        factor = self.hartung_knapp_factor
        return None if factor is None else math.sqrt(factor * self.variance)

    @property
    def hartung_knapp_p_value(self) -> float | None:
        """Two-sided, by t; None without a factor, or where it is 0."""
        from scipy.special import stdtr

        error = self.hartung_knapp_standard_error
        if not error:
            return None
        return float(2.0 * stdtr(self.n_datasets - 1, -abs(self.estimate / error)))

    @property
    def is_hartung_knapp_below_one(self) -> bool:
        """Whether the Hartung–Knapp factor makes the standard error smaller."""
        return self.hartung_knapp_factor is not None and self.hartung_knapp_factor < 1.0

    @property
    def interval(self) -> Interval:
        """The interval to state: Hartung and Knapp's, or the normal one where that is wider.

        Only where the factor is below 1 it is, as by luck few datasets may lie close together. Of
        simulated 95% intervals (`./run.sh calibrate effects`; M of 3 to 30) 94% to 99% held the
        mean effect where variances are equal, and 84% to 99% where they range over a hundredfold.
        """
        adjusted, normal = self.hartung_knapp_interval, self.confidence_interval
        if adjusted is None or adjusted[1] - adjusted[0] < normal[1] - normal[0]:
            return normal
        return adjusted

    @property
    def p_value(self) -> float:
        """Two-sided p-value that belongs to `interval`: the larger of the two.

        It is at most 1 − `confidence_level` exactly where `interval` excludes 0.
        """
        adjusted = self.hartung_knapp_p_value
        normal = self.p_value_two_sided
        return normal if adjusted is None else max(adjusted, normal)

    @property
    def new_dataset_interval(self) -> Interval | None:
        """Where the true effect of a new dataset is expected, the interval to state.

        Of "random", with M >= 3; it allows for what is not known of τ². Of simulated 95% intervals
        (`./run.sh calibrate effects`; M of 3 to 30, τ² from 0 to 30 times the variances) 93% to
        100% held the new effect, and `prediction_interval` in 81% to 100%.
        """
        if self.prediction_interval is None:
            return None
        return _mixture_interval(
            self.effects, self.variances, confidence_level=self.confidence_level
        )

    @property
    def signature(self) -> str:
        """The line that names everything the estimate depends on beside the effects."""
        return signature_line(
            meta=self.model,
            tau2=self.tau2_method if model_named(self.model).uses_tau2 else None,
            datasets=self.n_datasets,
            level=self.confidence_level,
        )


def meta_analysis(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    *,
    model: str = "random",
    confidence_level: float = 0.95,
    tau2: str = "paule-mandel",
) -> MetaAnalysis:
    """Combine the effects of M datasets into one.

    Parameters
    ----------
    effects : array_like, shape (M,)
        One for each dataset, positive where A is better.
    variances : array_like, shape (M,)
        Of each effect within its dataset; positive.
    model : {"random", "fixed", "gumbel"}
        The name of one of `MODELS`. "fixed": weights 1/v. "random": weights
        1/(v + τ²). "gumbel": a Gumbel distribution fitted to T/v by maximum
        likelihood; its mean over the mean weight. It looks at the larger values more
        closely than at the smaller ones, so that exchanging A and B changes more than
        its sign.
    confidence_level : float
        Of the intervals.
    tau2 : {"paule-mandel", "reml", "dersimonian-laird"}
        The name of one of `TAU2_ESTIMATORS`: where Q equals its expectation M − 1; by
        restricted maximum likelihood; by the moment estimate from Q at τ² = 0. Cut at 0.

    Raises
    ------
    ValueError
        If an argument is not as described; the message names the entries. For
        "gumbel" also if M = 1 or all T/v are the same.

    Examples
    --------
    >>> from replicability import meta_analysis
    >>> result = meta_analysis([0.02, 0.05, -0.01, 0.03, 0.08], [4e-4, 9e-4, 3e-4, 1e-3, 2e-3])
    >>> round(result.estimate, 7), round(result.tau2, 8)
    (0.02138, 0.00027064)
    """
    check_same_order(effects=effects, variances=variances)
    values = checked_effects(effects)
    within = checked_variances(variances, n_effects=values.size)
    kernel = model_named(model).kernel
    level = check_open_share(confidence_level, name="confidence_level")
    found = heterogeneity(values, within, confidence_level=level, tau2=tau2)
    fitted = kernel(values, within, level, found.tau2)
    notes = {
        ONE_DATASET: values.size == 1,
        EMPTY_PROFILE: found.tau2_interval == (0.0, 0.0),
        OUTSIDE_PROFILE: found.is_outside_interval,
        **dict.fromkeys(fitted.pop("notes", ()), True),
    }
    return MetaAnalysis(
        **asdict(found),
        **fitted,
        effects=values,
        variances=within,
        model=model,
        confidence_level=level,
        confidence_interval=normal_interval(fitted["estimate"], fitted["variance"], level),
        notes=tuple(note for note, holds in notes.items() if holds),
    )


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
    """The Gumbel model's effect, its fit to T/v, and the mean weight."""
    smallest = float(variances.min())
    relative = smallest / variances
    fit = fit_gumbel(relative * effects)
    mean_weight = float(relative.mean())
    raw = GumbelFit(location=fit.location / smallest, scale=fit.scale / smallest)
    return fit.mean / mean_weight, raw, mean_weight / smallest


def _weights(variances: FloatArray) -> FloatArray:
    """Shares of 1/variance."""
    relative = float(variances.min()) / variances
    return frozen(relative / relative.sum())


def _averaged(effects: FloatArray, variances: FloatArray, tau2: float) -> dict[str, Any]:
    """The mean weighted by 1/(v + τ²)."""
    total = variances + tau2
    estimate, variance = weighted_mean(effects, total)
    return {"estimate": estimate, "variance": variance, "weights": _weights(total)}


def _random(
    effects: FloatArray, variances: FloatArray, level: float, tau2: float
) -> dict[str, Any]:
    found, n = _averaged(effects, variances, tau2), effects.size
    if n == 1:
        return found
    estimate, variance = found["estimate"], found["variance"]
    apart = (effects - estimate) / np.sqrt(variances + tau2)
    factor = float((apart**2).sum()) / (n - 1)
    if abs(factor - 1.0) <= _FACTOR_ROUNDING:
        # With Paule and Mandel's τ² above 0 it is 1.
        factor = 1.0
    if n >= FEWEST_FOR_PREDICTION:
        found["prediction_interval"] = t_interval(estimate, tau2 + variance, n - 2, level)
    return {
        **found,
        "hartung_knapp_factor": factor,
        "hartung_knapp_interval": t_interval(estimate, factor * variance, n - 1, level),
        "notes": (ALL_EQUAL,) if factor == 0.0 else (NARROWER,) if factor < 1.0 else (),
    }


def _gumbel(
    effects: FloatArray, variances: FloatArray, _level: float, _tau2: float
) -> dict[str, Any]:
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
    return {
        "estimate": estimate,
        # By steps, as the square of a weight may be too large for a number.
        "variance": (math.pi * (fit.scale / mean_weight)) ** 2 / (6.0 * n),
        "weights": _weights(variances),
        "gumbel": fit,
        "paper_variance": fit.variance,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(Titled):
    """What is assumed of the datasets' true effects, and the estimate that follows.

    `meaning` has ``{tau2}`` where the estimator of τ² is said; `uses_tau2` if datasets have effects
    of their own. The kernel goes from effects, variances, the level of intervals and τ² to what the
    model says of a `MetaAnalysis`; it raises ValueError where it has no estimate of these effects.
    """

    meaning: str
    uses_tau2: bool = False
    kernel: Callable[[FloatArray, FloatArray, float, float], dict[str, Any]]


# The usual one first.
MODELS = Records(
    Model(
        name="random",
        title="random effects",
        meaning=(
            "Each dataset has its own true effect; the datasets are a sample. The variance τ² of these "
            "effects is estimated by {tau2}. The answer uses the wider of Hartung and Knapp's "
            "interval (2001), which allows for few datasets, and the normal one. The prediction "
            "interval is after Nagashima, Noma and Furukawa (2019)."
        ),
        uses_tau2=True,
        kernel=_random,
    ),
    Model(
        name="fixed",
        title="fixed effect",
        meaning=("All these datasets have one true effect; the interval is for them alone."),
        kernel=lambda effects, variances, _level, _tau2: _averaged(effects, variances, 0.0),
    ),
    Model(
        name="gumbel",
        title="Gumbel",
        meaning=(
            "Effects over their variances follow a Gumbel distribution (Søgaard 2013). It is skewed, so "
            "swapping A and B changes more than the sign."
        ),
        kernel=_gumbel,
    ),
    argument="model",
)
model_named, model_names = MODELS.named, MODELS.names


def _mixture_interval(
    effects: FloatArray, variances: FloatArray, *, confidence_level: float
) -> Interval:
    """Interval for the true effect on a new dataset, for checked effects, M >= 2.

    τ² is not known: each value of it is weighed by how well it agrees with the Q that was seen,
    which at the true τ² is chi-squared with M − 1 degrees of freedom. Given τ², the new effect is
    normal around the mean with these weights, with variance τ² and the mean's variance added.
    Nagashima, Noma and Furukawa (Statistical Methods in Medical Research 2019), here with the
    Q-profile of Viechtbauer (2007).
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    tau2, shares = _distribution_of_tau2(effects, variances)
    means, of_means = weighted_means(effects, variances + tau2[:, np.newaxis])
    spreads = np.sqrt(tau2 + of_means)

    def quantile(share: float) -> float:
        def excess(value: float) -> float:
            return float(shares @ ndtr((value - means) / spreads)) - share

        # Every one of the normal distributions has its own quantile between these.
        own = means + float(ndtri(share)) * spreads
        low, high = float(own.min()), float(own.max())
        if not excess(low) < 0.0 < excess(high):
            return low if excess(low) >= 0.0 else high
        return float(brentq(excess, low, high, xtol=1e-13 * (high - low), rtol=1e-13))

    tail = 0.5 * (1.0 - confidence_level)
    return quantile(tail), quantile(1.0 - tail)


def _distribution_of_tau2(
    effects: FloatArray, variances: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Values of τ² and their shares, which add up to 1; the first is 0.

    The share of 0 is the chance of a Q above the one that was seen with τ² = 0.
    """
    from scipy.special import chdtr, chdtri

    degrees = effects.size - 1
    at_zero = cochran_q(effects, variances)
    low = float(chdtri(degrees, 1.0 - _TAIL))
    high = min(at_zero, float(chdtri(degrees, _TAIL)))
    if not low < high:
        return np.zeros(1), np.ones(1)
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    roots = np.sqrt(low) + (np.sqrt(high) - np.sqrt(low)) * 0.5 * (points + 1.0)
    # The density of √Q, but for a constant.
    logarithms = (degrees - 1) * np.log(roots) - 0.5 * roots**2
    shares = weights * np.exp(logarithms - logarithms.max())
    below = float(chdtr(degrees, high))
    tau2 = tau2_where(effects, variances, roots**2)
    return np.append(0.0, tau2), np.append(1.0 - below, shares * (below / shares.sum()))
