"""0/1 outcomes at a margin: whether A is not worse by m, or better by m, and with what certainty.

Of n examples b are wins of A and c of B; θ is the share on which the two differ, δ the
difference of the two accuracies, A − B. Null hypotheses, for a margin m in [0, 1):

- not worse by m: δ <= −m;
- better by m: δ <= m.

No randomization test exists where m > 0, as exchanging A and B says δ = 0. The exact
test melds what is known of θ, a beta distribution, with the binomial test of the wins
among the examples that differ. In every case tried its level is at most α; at m = 0 it
is McNemar's exact test. Tango's score test is the usual approximation: its level
exceeds α by up to a quarter.

References
----------
Fay and Lumbard (Statistics in Medicine 2021); Tango (Statistics in Medicine 1998),
equations 8 to 12.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from ..types import FloatArray
from ..validation import check_choice
from .lattice import SMALLEST

MarginClaim = Literal["not-worse", "better-by"]
MARGIN_CLAIMS: tuple[MarginClaim, ...] = get_args(MarginClaim)

# Of the integral over θ: points at which its peak is looked for, how far below the peak it is
# left out (e^-46 = 1e-20), and nodes of Gauss and Legendre's rule on what is left.
_LINEAR, _NEAR_MODE, _DEVIATIONS = 257, 513, 30.0
_LOG_OUTSIDE = 46.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)
# Pairs of wins and losses at once: 16 MiB of points.
_PAIRS_AT_ONCE = 1024


def melded_p_values(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, *, margin: float, claim: str
) -> FloatArray:
    """P-values of the exact test, elementwise; never 0, and falling as wins rise or losses fall.

    Not worse: E P(Bin(b + c, ½(1 − m/θ)) >= b), θ ~ Beta(b + c + 1, n − b − c), the
    probability being 0 where θ < m. Better by m: the same with ½·min(2, 1 + m/θ) and
    θ ~ Beta(b + c, n − b − c + 1); without a win 1.

    Parameters
    ----------
    wins, losses : array_like of int
        b and c, of one shape.
    n : int
        Examples, at least b + c.
    margin : float
        m, as a share of the examples, in [0, 1).
    claim : {"not-worse", "better-by"}
        What a small p-value speaks for.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    won, lost = _checked(wins, losses, n, margin, claim)
    flat = np.stack([won.ravel(), lost.ravel()])
    found = np.empty(flat.shape[1])
    for start in range(0, found.size, _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        won_here, lost_here = flat[:, part]
        found[part] = _melded(won_here, lost_here, float(n), margin, claim == "not-worse")
    return np.clip(found, SMALLEST, 1.0).reshape(won.shape)


def tango_p_values(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, *, margin: float, claim: str
) -> FloatArray:
    """P-values of Tango's score test, elementwise; never 0.

    Parameters and errors are those of `melded_p_values`.
    """
    from scipy.special import ndtr

    z = tango_statistics(wins, losses, n, margin=margin, claim=claim)
    return np.maximum(ndtr(-z), SMALLEST)


def tango_statistics(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, *, margin: float, claim: str
) -> FloatArray:
    """Z = (b − c + nm)/√(n(q₁₀ + q₀₁ − m²)), the q being maximum likelihood under q₁₀ − q₀₁ = −m.

    Of "better by m" the same with −m; 0 where nothing differs and m is 0.

    Parameters and errors are those of `melded_p_values`.
    """
    won, lost = _checked(wins, losses, n, margin, claim)
    if claim == "better-by":
        # A better by m is not: B worse by less than m. Seen from B, the difference is −δ.
        return -_score(lost, won, n, margin)
    return _score(won, lost, n, margin)


def _score(won: FloatArray, lost: FloatArray, n: int, margin: float) -> FloatArray:
    linear = won * (1.0 - margin) + lost * (1.0 + margin) + 2.0 * n * margin
    root = np.sqrt(np.maximum(linear**2 - 8.0 * n * lost * margin * (1.0 + margin), 0.0))
    behind = (linear + root) / (4.0 * n)
    variance = n * np.maximum(2.0 * behind - margin - margin**2, 0.0)
    above = won - lost + n * margin
    some = variance > 0.0
    z: FloatArray = np.where(some, above / np.sqrt(np.where(some, variance, 1.0)), 0.0)
    return z


def _checked(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, margin: float, claim: str
) -> tuple[FloatArray, FloatArray]:
    check_choice(claim, MARGIN_CLAIMS, name="claim")
    won, lost = np.broadcast_arrays(
        np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    )
    if not 0.0 <= margin < 1.0:
        raise ValueError(f"`margin` must be a share of the examples in [0, 1); got {margin!r}.")
    if won.size and (min(won.min(), lost.min()) < 0.0 or (won + lost).max() > n or n < 1):
        raise ValueError(
            f"`wins` and `losses` must not be negative or add up to more than `n`; got n = {n}."
        )
    return won, lost


def _melded(
    won: FloatArray, lost: FloatArray, n: float, margin: float, not_worse: bool
) -> FloatArray:
    from scipy.special import betainc

    differing = won + lost
    if margin == 0.0:
        return np.where(won > 0.0, betainc(np.maximum(won, 1.0), lost + 1.0, 0.5), 1.0)
    p = np.ones(won.size)
    if not_worse:
        first, second = differing + 1.0, n - differing
        # Without an example on which neither or both are right, θ is 1.
        certain = second == 0.0
        p[certain & (won > 0.0)] = betainc(
            won[certain & (won > 0.0)], lost[certain & (won > 0.0)] + 1.0, 0.5 * (1.0 - margin)
        )
        unknown = ~certain
    else:
        first, second = differing, n - differing + 1.0
        unknown = won > 0.0
    if unknown.any():
        p[unknown] = _integrated(
            won[unknown], lost[unknown], first[unknown], second[unknown], margin, not_worse
        )
    return p


def _integrated(
    won: FloatArray,
    lost: FloatArray,
    first: FloatArray,
    second: FloatArray,
    margin: float,
    not_worse: bool,
) -> FloatArray:
    """The integral over θ ~ Beta(first, second), around the peak of what is integrated."""
    from scipy.special import betainc, betaln

    column = slice(None), np.newaxis
    mode = (first - 1.0) / np.maximum(first + second - 2.0, 1.0)
    spread = np.sqrt(first * second / (first + second + 1.0)) / (first + second)
    near = mode[column] + spread[column] * np.linspace(-_DEVIATIONS, _DEVIATIONS, _NEAR_MODE)
    all_over = np.broadcast_to(np.linspace(margin, 1.0, _LINEAR), (won.size, _LINEAR))
    points = np.sort(np.clip(np.concatenate([near, all_over], axis=1), margin, 1.0), axis=1)
    constant = betaln(first, second)

    def log_of(theta: FloatArray) -> FloatArray:
        return _log_integrand(
            theta, won[column], lost[column], first[column], second[column], margin, not_worse
        )

    heights = log_of(points)
    inside = heights > heights.max(axis=1, keepdims=True) - _LOG_OUTSIDE
    left = np.maximum(np.argmax(inside, axis=1) - 1, 0)
    right = np.minimum(points.shape[1] - np.argmax(inside[:, ::-1], axis=1), points.shape[1] - 1)
    rows = np.arange(won.size)
    start, end = points[rows, left], points[rows, right]
    half = 0.5 * (end - start)
    theta = 0.5 * (start + end)[column] + half[column] * _NODES
    integral: FloatArray = half * (np.exp(log_of(theta) - constant[column]) @ _WEIGHTS)
    # Where θ is at most m, A is not worse for certain, and better by m never.
    return integral if not_worse else integral + betainc(first, second, margin)


def _log_integrand(
    theta: FloatArray,
    won: FloatArray,
    lost: FloatArray,
    first: FloatArray,
    second: FloatArray,
    margin: float,
    not_worse: bool,
) -> FloatArray:
    from scipy.special import betainc, xlog1py, xlogy

    chance = 0.5 * (1.0 - margin / theta if not_worse else 1.0 + margin / theta)
    tail = np.where(won > 0.0, betainc(np.maximum(won, 1.0), lost + 1.0, chance), 1.0)
    with np.errstate(divide="ignore"):
        log_tail = np.log(tail)
    density = xlogy(first - 1.0, theta) + xlog1py(second - 1.0, -theta)
    return np.asarray(density + log_tail, dtype=np.float64)
