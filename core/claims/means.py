"""What two means with standard deviations leave open for the paired t-test.

The correlation ρ between the two systems' scores is not printed. With it the
differences' variance is sd_A² + sd_B² − 2ρ·sd_A·sd_B, and t is the mean difference
over √(variance / n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..significance.lattice import SMALLEST
from ..validation import check_choice
from .printed_scores import read_numbers
from .splits import CLAIM_ALTERNATIVES


@dataclass(frozen=True, slots=True, kw_only=True)
class MeansBox:
    """Where the mean difference and the spread of the differences lie.

    Attributes
    ----------
    difference : (float, float)
        Mean of A − B, lowest and highest.
    sd_a, sd_b : (float, float) or None
        Standard deviation (n − 1) of each system's scores; None where that of the
        differences is given.
    sd_difference : (float, float)
        Of the differences: given, or the least (ρ = 1) and largest (ρ = −1).
    n_examples : int
        n.
    """

    difference: tuple[float, float]
    sd_a: tuple[float, float] | None
    sd_b: tuple[float, float] | None
    sd_difference: tuple[float, float]
    n_examples: int

    def p_range(self, alternative: str) -> tuple[float, float]:
        """Smallest and largest p-value, ends that are only neared included.

        Raises
        ------
        ValueError
            If the alternative is neither "greater" nor "two-sided".
        """
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        p_values = [
            self._p_value(difference, sd, alternative)
            for difference in self._differences
            for sd in self.sd_difference
        ]
        return min(p_values), max(p_values)

    def p_intervals(self, alternative: str) -> tuple[tuple[float, float], ...]:
        """The same range, as the one interval that it is."""
        return (self.p_range(alternative),)

    def correlations_giving(
        self, low: float, high: float, alternative: str
    ) -> tuple[tuple[float, float], ...]:
        """Interval of ρ with which p lies from `low` to `high`; empty without sd of A and B.

        Raises
        ------
        ValueError
            As `p_range`.
        """
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        if self.sd_a is None or self.sd_b is None:
            return ()
        found = [
            (rho_low, rho_high)
            for difference in self._differences
            for sd_a in _three(*self.sd_a)
            for sd_b in _three(*self.sd_b)
            for rho_low, rho_high in self._interval(difference, sd_a, sd_b, low, high, alternative)
        ]
        if not found:
            return ()
        return ((min(low for low, _ in found), max(high for _, high in found)),)

    @property
    def _differences(self) -> tuple[float, ...]:
        least, largest = self.difference
        return (least, 0.0, largest) if least <= 0.0 <= largest else (least, largest)

    def _p_value(self, difference: float, sd: float, alternative: str) -> float:
        from scipy.special import stdtr

        if self.n_examples < 2:
            return 1.0
        if sd <= 0.0:
            if difference == 0.0:
                return 1.0
            # Differences that hardly vary: t grows beyond all bounds.
            return SMALLEST if alternative == "two-sided" or difference > 0.0 else 1.0
        t = difference * math.sqrt(self.n_examples) / sd
        if alternative == "two-sided":
            return min(1.0, max(2.0 * float(stdtr(self.n_examples - 1, -abs(t))), SMALLEST))
        return max(float(stdtr(self.n_examples - 1, -t)), SMALLEST)

    def _interval(
        self, difference: float, sd_a: float, sd_b: float, low: float, high: float, alternative: str
    ) -> list[tuple[float, float]]:
        def p_at(rho: float) -> float:
            variance = (sd_a - sd_b) ** 2 + 2.0 * (1.0 - rho) * sd_a * sd_b
            return self._p_value(difference, math.sqrt(max(0.0, variance)), alternative)

        # p moves in one direction as ρ grows.
        first, last = p_at(-1.0), p_at(1.0)
        if max(first, last) < low or min(first, last) > high:
            return []
        rising = first < last
        ends = (low, high) if rising else (high, low)
        found = []
        for target, at_end, inner, outer in (
            (ends[0], first, -1.0, 1.0),
            (ends[1], last, 1.0, -1.0),
        ):
            if low <= at_end <= high:
                found.append(inner)
                continue
            for _ in range(60):
                middle = 0.5 * (inner + outer)
                if (p_at(middle) < target) == (at_end < target):
                    inner = middle
                else:
                    outer = middle
            found.append(outer)
        return [(found[0], found[1])] if found[0] <= found[1] else []


def means_box(
    mean_a: float | str,
    mean_b: float | str,
    n: int,
    *,
    sd_a: float | str | None,
    sd_b: float | str | None,
    sd_difference: float | str | None,
    decimals: int | None,
) -> MeansBox:
    """What printed means and standard deviations leave open.

    Raises
    ------
    ValueError
        If one is no number, a standard deviation is negative, or neither both
        systems' nor that of the differences is given.
    """
    of_systems = sd_a is not None and sd_b is not None
    if of_systems == (sd_difference is not None) or (sd_a is None) != (sd_b is None):
        raise ValueError("Give either `sd_a` and `sd_b` or `sd_difference`.")
    given = {"mean_a": mean_a, "mean_b": mean_b}
    if sd_a is not None and sd_b is not None:
        given |= {"sd_a": sd_a, "sd_b": sd_b}
    elif sd_difference is not None:
        given |= {"sd_difference": sd_difference}
    ranges = read_numbers(given, decimals=decimals)
    for name, (_, high) in ranges.items():
        if name.startswith("sd") and high < 0:
            raise ValueError(f"`{name}` must not be negative; got {given[name]!r}.")
    (low_a, high_a), (low_b, high_b) = ranges["mean_a"], ranges["mean_b"]
    spreads = {
        name: (max(0.0, float(low)), float(high))
        for name, (low, high) in ranges.items()
        if name.startswith("sd")
    }
    if of_systems:
        (least_a, most_a), (least_b, most_b) = spreads["sd_a"], spreads["sd_b"]
        overlap = max(least_a, least_b) <= min(most_a, most_b)
        least = 0.0 if overlap else max(least_a - most_b, least_b - most_a)
        spread = least, most_a + most_b
    else:
        spread = spreads["sd_difference"]
    return MeansBox(
        difference=(float(low_a - high_b), float(high_a - low_b)),
        sd_a=spreads.get("sd_a"),
        sd_b=spreads.get("sd_b"),
        sd_difference=spread,
        n_examples=n,
    )


def _three(low: float, high: float) -> tuple[float, ...]:
    return (low,) if low == high else (low, 0.5 * (low + high), high)
