"""The result of a meta-analysis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from core.effects.gumbel import GumbelFit
from core.effects.heterogeneity import Heterogeneity, Interval
from core.effects.new_dataset import new_dataset_interval
from core.effects.tau2 import Tau2Method
from core.signature import signature_line
from core.types import FloatArray

Model = Literal["random", "fixed", "gumbel"]
MODELS: tuple[Model, ...] = get_args(Model)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetaAnalysis:
    """One effect for all datasets, with its intervals and how far datasets differ.

    Attributes
    ----------
    effects, variances : ndarray, shape (M,)
        As given.
    model : {"random", "fixed", "gumbel"}
        What is assumed.
    confidence_level : float
        Of all intervals.
    estimate, variance : float
        The combined effect and its variance.
    confidence_interval : (float, float)
        Normal, around the estimate.
    weights : ndarray, shape (M,)
        Each dataset's share of the weight; they add up to 1.
    raw_weights : ndarray, shape (M,)
        1/v, and of "random" 1/(v + τ²).
    heterogeneity : Heterogeneity
        Q, τ² and I², which are the same under each model: "fixed" takes τ² to be
        0 all the same, and "gumbel" does not use it.
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
    model: Model
    confidence_level: float
    estimate: float
    variance: float
    confidence_interval: Interval
    weights: FloatArray
    raw_weights: FloatArray
    heterogeneity: Heterogeneity
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

        The normal one can be wider only where the factor is below 1, as by luck few
        datasets may lie closer together than their variances allow. It is the
        normal one under the other models.

        In simulations of 95% intervals (`./run.sh calibrate effects`; M of 3 to 30) 94%
        to 99% held the mean effect where variances are equal, and 84% to 99% where they
        range over a hundredfold, the fewest with M = 3 and τ² about as large as they are.
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

        Of "random", with M >= 3. It allows for what is not known of τ², so it is the
        same whichever way τ² is estimated. Computed when asked for.

        In simulations of 95% intervals (`./run.sh calibrate effects`; M of 3 to 30,
        variances equal or ranging over a hundredfold, τ² from 0 to 30 times as large)
        93% to 100% held the new effect, and `prediction_interval` in 81% to 100%.
        """
        if self.prediction_interval is None:
            return None
        return new_dataset_interval(
            self.effects, self.variances, confidence_level=self.confidence_level
        )

    @property
    def q(self) -> float:
        """Cochran's Q."""
        return self.heterogeneity.q

    @property
    def q_p_value(self) -> float:
        """Chance of a Q at least as large where one effect is true of all datasets."""
        return self.heterogeneity.q_p_value

    @property
    def degrees_of_freedom(self) -> int:
        """Of Q: M − 1."""
        return self.heterogeneity.degrees_of_freedom

    @property
    def tau2(self) -> float:
        """Variance of the true effects between datasets, by `tau2_method`."""
        return self.heterogeneity.tau2

    @property
    def tau2_method(self) -> Tau2Method:
        """How τ² is estimated."""
        return self.heterogeneity.tau2_method

    @property
    def tau2_untruncated(self) -> float | None:
        """τ² by DerSimonian and Laird before it was cut at 0; None by the other methods."""
        return self.heterogeneity.tau2_untruncated

    @property
    def tau2_interval(self) -> Interval | None:
        """Interval of τ² by Q-profile; None for M = 1."""
        return self.heterogeneity.tau2_interval

    @property
    def i2(self) -> float:
        """Share of the effects' variation that is between datasets, in 0..1."""
        return self.heterogeneity.i2

    @property
    def i2_interval(self) -> Interval | None:
        """Interval of I² from that of τ²; None for M = 1."""
        return self.heterogeneity.i2_interval

    @property
    def signature(self) -> str:
        """The line that names everything the estimate depends on beside the effects."""
        return signature_line(
            meta=self.model,
            tau2=self.tau2_method if self.model == "random" else None,
            datasets=self.n_datasets,
            level=self.confidence_level,
        )
