"""How well a threshold is known: other systems, and other resamples, would give another."""

from __future__ import annotations

import numpy as np

from core.systems.comparisons import monte_carlo_error
from core.types import FloatArray, IntArray

# Gains closer than this are equal but for rounding.
_SAME = 1e-9
# Of gains, the share of the largest that a step is at least.
_FINEST = 1e-6


def of_resampled_systems(
    gains: FloatArray,
    a: IntArray,
    b: IntArray,
    *,
    n_systems: int,
    quantile: float,
    n_bootstrap: int,
    rng: np.random.Generator,
) -> FloatArray:
    """The quantile in resamples of systems; nan where none of the pairs is left.

    A pair of systems drawn s and t times counts s·t times. A system is no pair
    with its own copy.
    """
    order = np.argsort(gains, kind="stable")
    ordered, own_a, own_b = gains[order], a[order], b[order]
    found = np.full(n_bootstrap, np.nan)
    for k in range(n_bootstrap):
        times = np.bincount(rng.integers(0, n_systems, n_systems), minlength=n_systems)
        upto = np.cumsum(times[own_a] * times[own_b])
        total = int(upto[-1])
        if total == 0:
            continue
        # As numpy.quantile of the gains, each repeated as often as its pair counts.
        place = quantile * (total - 1)
        left, right = np.searchsorted(upto, [np.floor(place), np.ceil(place)], side="right")
        share = place - np.floor(place)
        found[k] = (1.0 - share) * ordered[left] + share * ordered[right]
    return found


def step_of(gains: FloatArray) -> float | None:
    """What all gains are multiples of, as of means of outcomes; None of gains without steps."""
    different = np.unique(gains[gains > _SAME])
    if not different.size:
        return None
    step, largest = float(different[0]), float(different[-1])
    # Euclid's algorithm; of numbers without a common measure it soon ends below any step.
    while step > _FINEST * largest:
        left = np.abs(different - np.rint(different / step) * step)
        left = left[left > _SAME]
        if not left.size:
            return step
        step = float(left.min())
    return None


def moved_by_noise(
    gains: FloatArray, p_values: FloatArray, low: float, high: float, quantile: float, b: int
) -> tuple[float, float]:
    """The threshold's ends if all p-values were off by up to two standard errors one way."""
    # Shared resamples err together, so the whole band is moved, not each p-value by itself.
    shift = 2.0 * monte_carlo_error(0.5 * (low + high), b)
    found = []
    for moved in (-shift, 0.0, shift):
        within = gains[(p_values > low + moved) & (p_values < high + moved)]
        if within.size:
            found.append(float(np.quantile(within, quantile)))
    return min(found), max(found)
