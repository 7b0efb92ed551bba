"""A printed p-value of a paired t-test beside two means with standard deviations.

The correlation ρ between the two systems' scores is not printed. With it the
differences' variance is sd_A² + sd_B² − 2ρ·sd_A·sd_B, and t is the mean difference
over √(variance / n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..significance.lattice import SMALLEST
from ..validation import check_choice
from ..words.formatting import format_p_value
from .correlations import three
from .possible import (
    Attainment,
    PossibleP,
    Range,
    Sizes,
    SpeaksFor,
    Variant,
    bisected,
    printed_bounds,
    tolerant_ends,
)
from .printed_scores import CLAIM_ALTERNATIVES, ClaimAlternative, check_n, read_numbers
from .row_sentences import printed_p, shown_number, whole_number


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

    difference: Range
    sd_a: Range | None
    sd_b: Range | None
    sd_difference: Range
    n_examples: int

    def p_range(self, *, two_sided: bool) -> Range:
        """Smallest and largest p-value, ends that are only neared included."""
        p_values = [
            self._p_value(difference, sd, two_sided=two_sided)
            for difference in self._differences
            for sd in self.sd_difference
        ]
        return min(p_values), max(p_values)

    def p_intervals(self, *, two_sided: bool) -> tuple[Range, ...]:
        """The same range, as the one interval that it is."""
        return (self.p_range(two_sided=two_sided),)

    def correlations_giving(self, low: float, high: float, *, two_sided: bool) -> tuple[Range, ...]:
        """Interval of ρ with which p lies from `low` to `high`; empty without sd of A and B."""
        if self.sd_a is None or self.sd_b is None:
            return ()
        found = [
            (rho_low, rho_high)
            for difference in self._differences
            for sd_a in three(*self.sd_a)
            for sd_b in three(*self.sd_b)
            for rho_low, rho_high in self._interval(
                difference, sd_a, sd_b, low, high, two_sided=two_sided
            )
        ]
        if not found:
            return ()
        return ((min(low for low, _ in found), max(high for _, high in found)),)

    @property
    def _differences(self) -> tuple[float, ...]:
        least, largest = self.difference
        return (least, 0.0, largest) if least <= 0.0 <= largest else (least, largest)

    def _p_value(self, difference: float, sd: float, *, two_sided: bool) -> float:
        from scipy.special import stdtr

        if self.n_examples < 2:
            return 1.0
        if sd <= 0.0:
            if difference == 0.0:
                return 1.0
            # Differences that hardly vary: t grows beyond all bounds.
            return SMALLEST if two_sided or difference > 0.0 else 1.0
        t = difference * math.sqrt(self.n_examples) / sd
        if two_sided:
            return min(1.0, max(2.0 * float(stdtr(self.n_examples - 1, -abs(t))), SMALLEST))
        return max(float(stdtr(self.n_examples - 1, -t)), SMALLEST)

    def _interval(
        self,
        difference: float,
        sd_a: float,
        sd_b: float,
        low: float,
        high: float,
        *,
        two_sided: bool,
    ) -> list[Range]:
        def p_at(rho: float) -> float:
            variance = (sd_a - sd_b) ** 2 + 2.0 * (1.0 - rho) * sd_a * sd_b
            return self._p_value(difference, math.sqrt(max(0.0, variance)), two_sided=two_sided)

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


def possible_t_p_values(
    mean_a: float | str,
    mean_b: float | str,
    n: int,
    *,
    sd_a: float | str | None = None,
    sd_b: float | str | None = None,
    sd_difference: float | str | None = None,
    alternative: ClaimAlternative = "greater",
) -> PossibleP:
    """Which p-values of the paired t-test two means with standard deviations leave open.

    The correlation between the two systems' scores may be anything from −1 to 1.

    Parameters
    ----------
    mean_a, mean_b : float or str
        Means over n examples; a text is rounded as printed, a number is exact.
    n : int
        Number of examples.
    sd_a, sd_b : float or str, optional
        Standard deviations (n − 1) of the systems' scores, in the unit of the means.
    sd_difference : float or str, optional
        Instead of them, that of the differences A − B.
    alternative : {"greater", "two-sided"}
        What the p-values speak for.

    Raises
    ------
    ValueError
        If one is no number, a standard deviation is negative, or neither both
        systems' nor that of the differences is given.
    """
    check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
    spreads = {
        name: sd
        for name, sd in (("sd_a", sd_a), ("sd_b", sd_b), ("sd_difference", sd_difference))
        if sd is not None
    }
    if set(spreads) not in ({"sd_a", "sd_b"}, {"sd_difference"}):
        raise ValueError("Give either `sd_a` and `sd_b` or `sd_difference`.")
    ranges = read_numbers({"mean_a": mean_a, "mean_b": mean_b, **spreads})
    for name, given in spreads.items():
        if ranges[name][1] < 0:
            raise ValueError(f"`{name}` must not be negative; got {given!r}.")
    (low_a, high_a), (low_b, high_b) = ranges["mean_a"], ranges["mean_b"]
    ends = {name: (max(0.0, float(ranges[name][0])), float(ranges[name][1])) for name in spreads}
    if "sd_difference" in ends:
        spread = ends["sd_difference"]
    else:
        (least_a, most_a), (least_b, most_b) = ends["sd_a"], ends["sd_b"]
        spread = max(0.0, least_a - most_b, least_b - most_a), most_a + most_b
    box = MeansBox(
        difference=(float(low_a - high_b), float(high_a - low_b)),
        sd_a=ends.get("sd_a"),
        sd_b=ends.get("sd_b"),
        sd_difference=spread,
        n_examples=check_n(n),
    )
    side: SpeaksFor = "either" if alternative == "two-sided" else "a"
    return PossibleP.of(Variant("paired-t", side), box.n_examples, box)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeansChecked:
    """What two means with standard deviations make of a printed p-value.

    Attributes
    ----------
    possible : PossibleP
        The p-values of the paired t-test that they leave open.
    attainment : Attainment
        Whether the printed one is among them.
    sizes : (int or None, int or None)
        The nearest smaller and larger n at which it is, where it is not at this one.
    sentence : str
        All of it in words.
    """

    possible: PossibleP
    attainment: Attainment
    sizes: Sizes
    sentence: str


def check_means(
    mean_a: str,
    mean_b: str,
    n: int,
    p_value: str,
    *,
    sd_a: str | None = None,
    sd_b: str | None = None,
    sd_difference: str | None = None,
    speaks_for: SpeaksFor = "either",
) -> MeansChecked:
    """Judge one printed p-value of a paired t-test.

    Parameters
    ----------
    mean_a, mean_b, n, sd_a, sd_b, sd_difference
        As in `possible_t_p_values`, as printed.
    p_value : str
        As printed.
    speaks_for : {"a", "b", "either"}
        One-sided for A or B, or two-sided.

    Raises
    ------
    ValueError
        If one is no number, or neither both standard deviations nor that of the
        differences is given.
    """
    if speaks_for == "b":
        mean_a, mean_b, sd_a, sd_b = mean_b, mean_a, sd_b, sd_a
    alternative: ClaimAlternative = "two-sided" if speaks_for == "either" else "greater"
    possible = possible_t_p_values(
        mean_a,
        mean_b,
        n,
        sd_a=sd_a,
        sd_b=sd_b,
        sd_difference=sd_difference,
        alternative=alternative,
    )
    bounds, box = printed_bounds(p_value), possible.source
    assert isinstance(box, MeansBox)
    attainment = possible.attains(*bounds)
    sizes = bisected(
        lambda size: replace(box, n_examples=size).p_range(two_sided=possible.two_sided),
        possible.n_examples,
        tolerant_ends(*bounds),
        fewest=2,
    )
    side = {"either": "two-sided", "a": "one-sided for A", "b": "one-sided for B"}[speaks_for]
    return MeansChecked(
        possible=possible,
        attainment=attainment,
        sizes=sizes,
        sentence=_sentence(possible, attainment, sizes, p_value, side),
    )


def _sentence(
    possible: PossibleP, attainment: Attainment, sizes: Sizes, p_value: str, side: str
) -> str:
    n = whole_number(possible.n_examples)
    span = " to ".join(format_p_value(p, digits=2) for p in (possible.low, possible.high))
    start = (
        f"By the paired t-test, {side}, these means and standard deviations with n = {n} leave p "
        f"{span} open, whatever the correlation between the two systems' scores"
    )
    printed = printed_p(p_value)
    if attainment.verdict == "attainable":
        spans = [
            f"{shown_number(f'{low:.3f}')} to {shown_number(f'{high:.3f}')}"
            for low, high in attainment.correlations
        ]
        takes = f"; it takes a correlation of {' or '.join(spans)}" if spans else ""
        return f"{start}. The {printed} is possible{takes}."
    others = [f"n = {whole_number(size)}" for size in sizes if size is not None]
    would = f": {' or '.join(others)} would make it possible" if others else ""
    return (
        f"{start}. The {printed} is not by this test. Another n, test or rounding, or averages over runs, "
        f"could explain it{would}. It is no sign of misconduct."
    )
