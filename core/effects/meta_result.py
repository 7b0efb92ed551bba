"""The result of a meta-analysis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from core.effects.gumbel import GumbelFit
from core.effects.heterogeneity import Heterogeneity, Interval
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
        Σw(T − T̂)²/(M − 1), by which the variance is multiplied.
    prediction_interval : (float, float) or None
        Where the true effect of a new dataset is expected: of "random", with
        M >= 3, t with M − 2 degrees of freedom.
    gumbel : GumbelFit or None
        Of "gumbel": the distribution fitted to T/v.
    paper_variance : float or None
        Of "gumbel": π²β²/6, which Søgaard (2013) prints as the variance of the
        estimate. It is that of one T/v, in other units than the estimate's square.
    notes : tuple of str
        What to know about the numbers.

    References
    ----------
    DerSimonian and Laird (1986); Hartung and Knapp (Statistics in Medicine 2001);
    Higgins, Thompson and Spiegelhalter (JRSS A 2009) for prediction; Søgaard
    (NAACL 2013) for Gumbel.
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

        Below 1 the factor makes theirs narrower, as by luck few datasets may lie
        closer together than their variances allow. It is the normal one under
        the other models.
        """
        own = self.hartung_knapp_interval
        if own is None or (
            self.is_hartung_knapp_below_one
            and own[1] - own[0] < self.confidence_interval[1] - self.confidence_interval[0]
        ):
            return self.confidence_interval
        return own

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
        """Variance of the true effects between datasets (DerSimonian and Laird)."""
        return self.heterogeneity.tau2

    @property
    def tau2_untruncated(self) -> float:
        """τ² before it was cut at 0."""
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
            tau2="dersimonian-laird" if self.model == "random" else None,
            datasets=self.n_datasets,
            level=self.confidence_level,
        )
