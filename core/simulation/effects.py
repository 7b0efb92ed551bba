"""From a difference in scores to a shift of z."""

from __future__ import annotations

import math

from core.simulation.sources import positive_whole


def shift_of(difference: float, n_examples: int, share_differing: float) -> float:
    """How far "A is better by d on n examples" shifts the z of a dataset.

    A and B are right or wrong on each example; A alone is right on a share
    (q + d)/2, B alone on (q − d)/2. The mean of n differences has the standard
    deviation √(q − d²)/√n, so that z is shifted by d√n/√(q − d²).

    Parameters
    ----------
    difference : float
        d, accuracy of A less that of B, between −q and q; negative where B is better.
    n_examples : int
        n, at least 1.
    share_differing : float
        q, on what share of the examples exactly one of the two is right, in (0, 1].

    Raises
    ------
    ValueError
        If one is no such number, or nothing is left to vary: d = ±1.

    Examples
    --------
    >>> round(shift_of(0.02, 1000, 0.1), 3)
    2.004
    """
    n = positive_whole(n_examples, name="n_examples")
    d, q = float(difference), float(share_differing)
    if not 0.0 < q <= 1.0:
        raise ValueError(
            f"`share_differing` must lie above 0 and at most at 1; got {share_differing!r}."
        )
    if not abs(d) <= q:
        raise ValueError(
            f"`difference` must lie between {-q:g} and {q:g}, as systems that differ on a share "
            f"{q:g} of the examples cannot be further apart; got {difference!r}."
        )
    variance = q - d**2
    if variance <= 0.0:
        raise ValueError(
            f"`difference` must leave something to vary; got {difference!r}: one system is right "
            "on every example and the other on none."
        )
    return d * math.sqrt(n / variance)
