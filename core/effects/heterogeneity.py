"""How much effects vary between datasets beyond what their variances account for.

Vocabulary
----------
T, v
    A dataset's effect and its variance within the dataset, both of shape (M,).
Q(τ²)
    Sum of squared distances from the weighted mean with weights 1/(v + τ²), each
    times its weight. It falls as τ² grows; at the true τ² it is chi-squared with
    M − 1 degrees of freedom. Cochran's Q is Q(0).
τ²
    Variance of the true effects between datasets.
I²
    Share of the effects' variation that is not chance within datasets: τ²/(τ² + s̃²).
s̃²
    The typical variance within datasets, by Higgins and Thompson.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from ..validation import Records, Titled, check_numbers

Interval = tuple[float, float]

# Steps of the search for a τ². Newton's take about ten; bisection over all floats 2,200.
_MOST_STEPS = 2500
# A step that is smaller, relative to v + τ², ends it: the next Newton step is its square.
_PRECISION = 1e-12
_LARGEST = float(np.finfo(np.float64).max)
# Values at which the restricted likelihood is looked at for each doubling of v + τ².
_POINTS_PER_DOUBLING = 4


def weighted_mean(effects: FloatArray, variances: FloatArray) -> tuple[float, float]:
    """The mean weighted by 1/variance, and its variance."""
    means, of_means = weighted_means(effects, variances[np.newaxis])
    return float(means[0]), float(of_means[0])


def weighted_means(effects: FloatArray, variances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """As `weighted_mean` for each row of variances, shape (K, M); two arrays of shape (K,).

    Each row has its smallest variance at the same place.
    """
    base, shifts, of_means = _shifts(effects, variances)
    means: FloatArray = base + shifts
    return means, of_means


def squared_distances(effects: FloatArray, variances: FloatArray) -> FloatArray:
    """Squared distances from the weighted mean over the variances, both of shape (K, M)."""
    base, shifts, _ = _shifts(effects, variances)
    squares: FloatArray = ((effects - base - shifts[:, np.newaxis]) / np.sqrt(variances)) ** 2
    return squares


def _shifts(effects: FloatArray, variances: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """The effect of largest weight, how far the means lie from it, and their variances.

    From there rounding is smallest, and effects that are all equal have their own value as mean.
    """
    base = float(effects[int(np.argmin(variances[0]))])
    smallest = variances.min(axis=1)
    relative = smallest[:, np.newaxis] / variances
    total = relative.sum(axis=1)
    return base, relative @ (effects - base) / total, smallest / total


def cochran_q(effects: FloatArray, variances: FloatArray) -> float:
    """Sum of squared distances from the weighted mean over the variances, if a number holds it."""
    with np.errstate(over="ignore", invalid="ignore"):
        q = float(squared_distances(effects, variances[np.newaxis]).sum())
    if not np.isfinite(q):
        raise _too_large()
    return q


def typical_variance(variances: FloatArray) -> float:
    """s̃², for M >= 2. Higgins and Thompson (Statistics in Medicine 2002), equation 9."""
    return (variances.size - 1) * _moment_unit(variances)


def moment_tau2(effects: FloatArray, variances: FloatArray) -> float:
    """DerSimonian and Laird's moment estimate of τ² from Q(0) alone; it may be below 0."""
    excess = cochran_q(effects, variances) - (effects.size - 1)
    return excess * _moment_unit(variances)


def tau2_where(
    effects: FloatArray,
    variances: FloatArray,
    q: FloatArray,
    *,
    members: Sequence[IntArray] | None = None,
) -> FloatArray:
    """The τ² at which Q(τ²) equals each entry of `q`, shape (K,); 0 where Q(0) is no larger.

    A root of 1/q − 1/Q(τ²), by Newton's steps inside a bracket that is halved where a step leaves
    it. Q is the sum of those of the groups of effects at the places `members`, each with a mean of
    its own.
    """
    # So that v + τ² is a number.
    largest = _LARGEST - float(variances.max())
    with np.errstate(over="ignore"):
        squares = float(((effects - effects.mean()) ** 2).sum())
        # Q(τ²) is at most the sum of squares over τ².
        high = np.minimum(squares / q, largest)
    low, tau2 = np.zeros_like(high), np.zeros_like(high)
    groups = (np.arange(effects.size),) if members is None else members
    room = _PRECISION * float(variances.min())
    for _ in range(_MOST_STEPS):
        at, slope = _q_and_slope(effects, variances + tau2[:, np.newaxis], groups)
        above = at > q
        low, high = np.where(above, tau2, low), np.where(above, high, tau2)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            step = tau2 + (at / q - 1.0) / slope
        inside = (low <= step) & (step <= high)
        following = np.where(inside, step, low + 0.5 * (high - low))
        close = np.abs(following - tau2) <= _PRECISION * tau2 + room
        tau2 = following
        if close.all():
            break
    if not (tau2 < 0.5 * largest).all():
        raise _too_large()
    return tau2


def _q_and_slope(
    effects: FloatArray, total: FloatArray, groups: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Q(τ²), and how fast 1/Q grows in units of 1/Q, shape (K,); of v + τ², shape (K, M)."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        squares = np.empty_like(total)
        for own in groups:
            squares[:, own] = squared_distances(effects[own], total[:, own])
        q = squares.sum(axis=1)
        slope = (squares / q[:, np.newaxis] / total).sum(axis=1)
    return q, slope


def _paule_mandel(effects: FloatArray, variances: FloatArray) -> float:
    """The τ² at which Q(τ²) equals M − 1, its expectation; 0 where Q(0) is no larger."""
    return float(tau2_where(effects, variances, np.array([effects.size - 1.0]))[0])


def _reml(effects: FloatArray, variances: FloatArray) -> float:
    """The τ² of largest restricted likelihood: of its maxima, each a root of its slope.

    Viechtbauer (Journal of Educational and Behavioral Statistics 2005), section 2.
    """
    from scipy.optimize import brentq

    points = _reml_points(effects, variances)
    slopes = np.array([_reml_slope(effects, variances, tau2) for tau2 in points])
    maxima = [0.0]
    for i in np.flatnonzero((slopes[:-1] > 0.0) & (slopes[1:] <= 0.0)):
        low, width = float(points[i]), float(points[i + 1] - points[i])

        def slope(share: float, low: float = low, width: float = width) -> float:
            return _reml_slope(effects, variances, low + share * width)

        maxima.append(low + width * float(brentq(slope, 0.0, 1.0, xtol=1e-14, rtol=1e-14)))
    return max(maxima, key=lambda tau2: _restricted_likelihood(effects, variances, tau2))


def _reml_points(effects: FloatArray, variances: FloatArray) -> FloatArray:
    """Values of τ² from 0 to where the restricted likelihood only falls, ascending."""
    smallest, largest = float(variances.min()), float(variances.max())
    with np.errstate(over="ignore"):
        squares = float(((effects - effects.mean()) ** 2).sum())
        # At τ² above the largest variance the slope has the sign of a number that is at most
        # the sum of squares over τ² less (M − 1)/2.
        end = 2.0 * max(largest, 2.0 * squares / (effects.size - 1))
    if not end < 0.5 * _LARGEST:
        raise _too_large()
    doublings = np.log2(1.0 + end / smallest) if end / smallest < _LARGEST else 2100.0
    number = int(np.ceil(_POINTS_PER_DOUBLING * doublings)) + 1
    steps = np.linspace(0.0, float(np.log(smallest + end) - np.log(smallest)), number + 1)
    # From the smallest variance, in equal steps of the logarithm of v + τ².
    with np.errstate(over="ignore"):
        points: FloatArray = np.minimum(smallest * np.expm1(steps), end)
    points[-1] = end
    return points


def _reml_slope(effects: FloatArray, variances: FloatArray, tau2: float) -> float:
    """Slope of the restricted log-likelihood at τ², times 2(smallest v + τ²)."""
    total = variances + tau2
    smallest = float(total.min())
    squares = squared_distances(effects, total[np.newaxis])[0]
    return float((smallest / total) @ squares) - smallest / _moment_unit(total)


def _restricted_likelihood(effects: FloatArray, variances: FloatArray, tau2: float) -> float:
    """Logarithm of the restricted likelihood, but for a constant."""
    total = variances + tau2
    _, of_mean = weighted_mean(effects, total)
    q = cochran_q(effects, total)
    return -0.5 * (float(np.log(total).sum()) - float(np.log(of_mean)) + q)


def _moment_unit(variances: FloatArray) -> float:
    """1/(Σw − Σw²/Σw): how much τ² there is for each unit of Q above its degrees of freedom."""
    # Beside a very small variance the weights of the others may be a rounding of the sum: in
    # units of theirs they keep their digits.
    heaviest = int(np.argmin(variances))
    others = np.delete(variances, heaviest)
    shares = float(variances[heaviest]) / others
    total = 1.0 + float(shares.sum())
    smallest = float(others.min())
    return smallest / float((smallest / others * (1.0 + total - shares)).sum() / total)


def _too_large() -> ValueError:
    return ValueError(
        "`effects` must be of a size that their variances can weigh; their weighted squares are "
        "too large for a number."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tau2Estimator(Titled):
    """One way of estimating τ², from two effects on, before it is cut at 0.

    `reference` is the method with its source, as the end of "is estimated by …".
    """

    meaning: str
    reference: str
    estimate: Callable[[FloatArray, FloatArray], float]


# The usual one first.
TAU2_ESTIMATORS = Records(
    Tau2Estimator(
        name="paule-mandel",
        title="Paule–Mandel",
        meaning=(
            "Paule and Mandel (1982): the τ² at which Q equals its expectation. It always lies in "
            "the Q-profile interval."
        ),
        reference="Paule and Mandel's method (1982)",
        estimate=_paule_mandel,
    ),
    Tau2Estimator(
        name="reml",
        title="REML",
        meaning="Restricted maximum likelihood (Viechtbauer 2005).",
        reference="REML (Viechtbauer 2005)",
        estimate=_reml,
    ),
    Tau2Estimator(
        name="dersimonian-laird",
        title="DerSimonian–Laird",
        meaning=(
            "DerSimonian and Laird (1986): the moment estimate, which most published meta-analyses "
            "use. It can lie outside the Q-profile interval."
        ),
        reference="DerSimonian and Laird's method (1986)",
        estimate=moment_tau2,
    ),
    argument="tau2",
)
tau2_estimator, tau2_names = TAU2_ESTIMATORS.named, TAU2_ESTIMATORS.names


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """Q and what is made of it.

    The p-value is the chance of a Q at least as large where one effect is true of all; 1 for M = 1.
    τ² is untruncated before it is cut at 0, which it is below only by the moment estimate. Its
    interval is by Q-profile, whatever the method, None for M = 1. I², in 0..1, and its interval are
    from τ² and the ends for it.
    """

    q: float
    degrees_of_freedom: int
    q_p_value: float
    tau2_method: str
    tau2: float
    tau2_untruncated: float
    tau2_interval: Interval | None
    i2: float
    i2_interval: Interval | None
    typical_variance: float

    @property
    def is_outside_interval(self) -> bool:
        """Whether τ² lies outside its Q-profile interval, by more than rounding."""
        if self.tau2_interval is None:
            return False
        low, high = self.tau2_interval
        return not low * (1.0 - 1e-9) <= self.tau2 <= high * (1.0 + 1e-9)


def heterogeneity(
    effects: FloatArray,
    variances: FloatArray,
    *,
    confidence_level: float,
    tau2: str = "paule-mandel",
) -> Heterogeneity:
    """Q, τ² and I² of checked effects and variances, shape (M,)."""
    from scipy.special import chdtrc

    n, q = effects.size, cochran_q(effects, variances)
    estimator = tau2_estimator(tau2)
    untruncated, interval, typical = 0.0, None, float("nan")
    if n > 1:
        untruncated = estimator.estimate(effects, variances)
        interval = q_profile(effects, variances, confidence_level=confidence_level)
        typical = typical_variance(variances)
    estimate = max(0.0, untruncated)
    return Heterogeneity(
        q=q,
        degrees_of_freedom=n - 1,
        q_p_value=float(chdtrc(n - 1, q)) if n > 1 else 1.0,
        tau2_method=tau2,
        tau2=estimate,
        tau2_untruncated=untruncated,
        tau2_interval=interval,
        i2=_share(estimate, typical),
        i2_interval=None
        if interval is None
        else (_share(interval[0], typical), _share(interval[1], typical)),
        typical_variance=typical,
    )


def q_profile(effects: FloatArray, variances: FloatArray, *, confidence_level: float) -> Interval:
    """The values of τ² under which Q is no surprise, for M >= 2.

    (0, 0) if even τ² = 0 makes Q surprisingly small. Viechtbauer (Statistics in Medicine 2007),
    section 3.
    """
    from scipy.special import chdtri

    tail = 0.5 * (1.0 - confidence_level)
    # `chdtri` takes the upper tail.
    quantiles = chdtri(effects.size - 1, np.array([tail, 1.0 - tail]))
    low, high = tau2_where(effects, variances, quantiles)
    return float(low), float(high)


def _share(tau2: float, typical: float) -> float:
    """τ²/(τ² + s̃²)."""
    return 1.0 / (1.0 + typical / tau2) if tau2 else 0.0


# Below it 1/v is no finite number.
_SMALLEST_VARIANCE = float(1.0 / np.finfo(np.float64).max)


def checked_effects(effects: npt.ArrayLike, *, name: str = "effects") -> FloatArray:
    """Effects as a read-only copy, shape (M,) with M >= 1."""
    return check_numbers(effects, name=name, must="be finite", holds=np.isfinite)


def checked_variances(variances: npt.ArrayLike, *, n_effects: int) -> FloatArray:
    """Variances as a read-only copy, shape (M,), all positive."""
    values = check_numbers(
        variances,
        name="variances",
        must="be positive and finite",
        holds=lambda v: np.isfinite(v) & (v > _SMALLEST_VARIANCE),
        why=" The weight of an effect is 1/variance: leave a dataset without variance out and say so.",
    )
    if values.size != n_effects:
        raise ValueError(
            f"`variances` must hold one entry for each of {n_effects} effects; got {values.size}."
        )
    return values
