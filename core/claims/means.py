"""Printed numbers beside one another: an interval and its estimate, a p-value and two means."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from scipy.special import expit, logit, ndtri

from ..data.tables.numbers import UnreadableNumber, read_p_value
from ..significance.lattice import SMALLEST
from ..words.formatting import (
    format_confidence,
    format_p_value,
    joined,
    minus,
    printed_number,
    printed_p,
    sentence_case,
)
from .claim import Claim
from .correlations import three
from .findings import Verdict, VerdictKey
from .possible import PossibleP, SpeaksFor, Variant, bisected
from .printed_scores import Range, check_n, read_numbers
from .wording import verdict_on

Place = Callable[[float, float], float]
_SETTLE = "The authors could say how the interval was made, and give more digits."


def _middle_on(scale: Callable[[float], float], back: Callable[[float], float]) -> Place:
    return lambda low, high: float(back(0.5 * (scale(low) + scale(high))))


def _wilson(low: float, high: float) -> float:
    """The share of which both limits lie equally many of their own standard errors away."""
    below, above = math.sqrt(low * (1.0 - low)), math.sqrt(high * (1.0 - high))
    if below + above == 0.0:
        return 0.5 * (low + high)
    return (low * above + high * below) / (below + above)


# Limits that are not symmetric: between what they lie, and their middle.
_WILSON, _LOG = "Wilson's interval of a share", "limits turned back from the log scale"
_FORMS: Mapping[str, tuple[float, float, Place]] = {
    _WILSON: (0.0, 1.0, _wilson),
    "Fisher's z of a correlation": (-1.0, 1.0, _middle_on(math.atanh, math.tanh)),
    "limits turned back from the logit scale": (0.0, 1.0, _middle_on(logit, expit)),
    _LOG: (0.0, math.inf, _middle_on(math.log, math.exp)),
}


def places(lows: Range, highs: Range) -> dict[str, Range]:
    """By each form that such limits can have, where the estimate lies, within their rounding.

    Given is what the digits of both limits allow; beyond 1 they may be percent.
    """
    found: dict[str, Range] = {}
    # What can be a share or a correlation is taken as one, and else as percent.
    unit = 100.0 if max(abs(lows[0]), abs(highs[1])) > 1.0 else 1.0
    for form, (least, largest, place) in _FORMS.items():
        divisor = 1.0 if form == _LOG else unit
        ends = [[end / divisor for end in limit] for limit in (lows, highs)]
        # Wilson's limits may be 0 and 1.
        is_closed = form == _WILSON
        if is_closed and ends[0][1] >= least and ends[1][0] <= largest:
            # Without what no share can be.
            ends = [[min(max(end, least), largest) for end in limit] for limit in ends]
        placed = [
            divisor * place(low, high)
            for low, high in product(*ends)
            if least < low < high < largest or (is_closed and least <= low < high <= largest)
        ]
        if placed:
            found[form] = (min(placed), max(placed))
    return found


def plain(number: Decimal) -> str:
    """Every digit and none beyond: ".05", "−1.95"."""
    return minus(printed_number(f"{number.normalize():f}"))


Rounded = tuple[Decimal, Decimal]


def check_interval(claim: Claim, *, alpha: float) -> Verdict:
    """Judge whether an estimate can be that of its interval, within the rounding of all three.

    An estimate ± margin lies in the middle of its interval. Intervals of shares and of
    correlations are not symmetric: an estimate that is no further from the middle than
    Wilson's, Fisher's z, logit or log limits put it is not excluded. Beyond the ends it is the
    estimate's by no form. Where the claim states no confidence it is 1 − alpha.
    """
    assert claim.interval is not None
    assert claim.estimate is not None
    level, texts = claim.level(alpha), (*claim.interval, claim.estimate)
    low, high, estimate = map(Decimal, texts)
    lows, highs, estimates = map(_rounded, texts)
    middles = (lows[0] + highs[0]) / 2, (lows[1] + highs[1]) / 2
    forms, own = places(_floats(lows), _floats(highs)), _floats(estimates)
    spanned = [*_floats(middles), *(end for at in forms.values() for end in at)]
    middle, half = (low + high) / 2, (high - low) / 2
    lies = (
        f"The middle of the interval is {plain(middle)} ({plain(middles[0])} to {plain(middles[1])} "
        "within rounding)"
    )
    error = printed_number(f"{-float(half) / float(ndtri(level / 2.0)):.3g}")
    width = (
        f"Its half-width of {plain(half)} is that of a standard error of {error} (normal, "
        f"{format_confidence(level)})."
    )
    side = "above" if middle > estimate else "below"
    why = f"{lies}, {plain(abs(middle - estimate))} {side} {plain(estimate)}."
    key: VerdictKey
    if estimates[1] < lows[0] or estimates[0] > highs[1]:
        key, more = "contradicted", f"{lies}."
        why = "The estimate lies outside its own interval, whatever the rounding."
    elif estimates[0] <= middles[1] and estimates[1] >= middles[0]:
        key, more = "holds", width
        why = f"{lies}, where an estimate of {plain(estimate)} can lie."
    elif own[1] >= min(spanned) and own[0] <= max(spanned):
        key = "depends"
        matching = [form for form, at in forms.items() if at[0] <= own[1] and at[1] >= own[0]]
        more = "An estimate ± margin is excluded, an interval that is not symmetric is not."
        if matching:
            put = sentence_case(joined(matching))
            more += f" {put} put{'' if len(matching) > 1 else 's'} the estimate there."
        else:
            more += f" It is no further from the middle than {joined(list(forms))} may put it."
    else:
        key = "not-shown"
        puts = "does not put" if len(forms) == 1 else "do not put"
        tried = f" {sentence_case(joined(list(forms)))} {puts} it so far off." if forms else ""
        more = (
            "An estimate ± margin lies in the middle of its interval, and rounding does not explain the "
            f"distance.{tried} Only another interval that is not symmetric, such as the percentiles of a "
            f"bootstrap, could. {width} About {plain(estimate)} the same width would reach from "
            f"{plain(estimate - half)} to {plain(estimate + half)}."
        )
    return verdict_on(
        claim,
        key,
        claim.words(alpha=level),
        why,
        settle="" if key == "holds" else _SETTLE,
        on="how the interval was made" if key == "depends" else "",
        behind=(more,),
    )


def _floats(span: Rounded) -> tuple[float, float]:
    return float(span[0]), float(span[1])


def _rounded(printed: str) -> Rounded:
    """What a printed number's digits allow."""
    value = Decimal(printed)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    half = Decimal(5).scaleb(exponent - 1)
    return value - half, value + half


@dataclass(frozen=True, slots=True, kw_only=True)
class MeansBox:
    """Where the mean difference A − B and the spread of the differences lie.

    Standard deviations (n − 1) of the systems are None where that of the differences is given; else
    `sd_difference` is the least (ρ = 1) and the largest (ρ = −1).
    """

    difference: Range
    sd_a: Range | None
    sd_b: Range | None
    sd_difference: Range
    n_examples: int

    def p_intervals(self, *, two_sided: bool) -> tuple[Range, ...]:
        """The one interval from the smallest to the largest p-value, ends that are only neared included."""
        p_values = [
            self._p_value(difference, sd, two_sided=two_sided)
            for difference in self._differences
            for sd in self.sd_difference
        ]
        return ((min(p_values), max(p_values)),)

    def correlations_giving(self, low: float, high: float, *, two_sided: bool) -> tuple[Range, ...]:
        """Interval of ρ with which p lies from `low` to `high`; empty without sd of A and B."""
        from scipy.optimize import brentq

        if self.sd_a is None or self.sd_b is None:
            return ()
        found: list[float] = []
        for difference, sd_a, sd_b in product(
            self._differences, three(*self.sd_a), three(*self.sd_b)
        ):

            def beyond(
                rho: float, end: float, d: float = difference, a: float = sd_a, b: float = sd_b
            ) -> float:
                sd = math.sqrt(max(0.0, (a - b) ** 2 + 2.0 * (1.0 - rho) * a * b))
                return self._p_value(d, sd, two_sided=two_sided) - end

            # p moves in one direction as ρ grows.
            ends = [(rho, beyond(rho, 0.0)) for rho in (-1.0, 1.0)]
            if max(p for _, p in ends) < low or min(p for _, p in ends) > high:
                continue
            found += [
                rho
                if low <= p <= high
                else float(brentq(beyond, -1.0, 1.0, args=(low if p < low else high,)))
                for rho, p in ends
            ]
        return ((min(found), max(found)),) if found else ()

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


def possible_t_p_values(
    mean_a: float | str,
    mean_b: float | str,
    n: int,
    *,
    speaks_for: SpeaksFor = "a",
    **spreads: float | str,
) -> PossibleP:
    """Which p-values of the paired t-test two means with standard deviations leave open.

    The correlation between the two systems' scores may be anything from −1 to 1. A text is rounded as
    printed, a number is exact. Given are the standard deviations (n − 1) of both systems' scores, in
    the unit of the means, `sd_a` and `sd_b`, or instead that of the differences A − B,
    `sd_difference`; else a `ValueError` says so.
    """
    if set(spreads) not in ({"sd_a", "sd_b"}, {"sd_difference"}):
        raise ValueError("Give either `sd_a` and `sd_b` or `sd_difference`.")
    ranges = read_numbers({"mean_a": mean_a, "mean_b": mean_b, **spreads})
    for name, given in spreads.items():
        if ranges[name][1] < 0:
            raise ValueError(f"`{name}` must not be negative; got {given!r}.")
    first, other = ("mean_b", "mean_a") if speaks_for == "b" else ("mean_a", "mean_b")
    (least, largest), (low, high) = ranges[first], ranges[other]
    ends = {name: (max(0.0, float(ranges[name][0])), float(ranges[name][1])) for name in spreads}
    if "sd_difference" in ends:
        spread = ends["sd_difference"]
    else:
        (least_a, most_a), (least_b, most_b) = ends["sd_a"], ends["sd_b"]
        spread = max(0.0, least_a - most_b, least_b - most_a), most_a + most_b
    box = MeansBox(
        difference=(float(least - high), float(largest - low)),
        sd_a=ends.get("sd_a"),
        sd_b=ends.get("sd_b"),
        sd_difference=spread,
        n_examples=check_n(n),
    )
    alternative = Variant("paired-t", speaks_for).alternative
    return PossibleP(
        test="paired-t", alternative=alternative, n_examples=box.n_examples, source=box
    )


def check_means(possible: PossibleP, p_value: str, speaks_for: SpeaksFor) -> str:
    """State whether means with standard deviations leave a printed p-value of a paired t-test open.

    Where they do not, also the nearest n at which they would.
    """
    box = possible.source
    assert isinstance(box, MeansBox)
    try:
        read = read_p_value(p_value.strip())
    except UnreadableNumber as error:
        raise ValueError(f"`p_value` must be a printed p-value. {error}") from None
    attainment = possible.attains(read.low, read.high)
    side = {"either": "two-sided", "a": "one-sided for A", "b": "one-sided for B"}[speaks_for]
    span = " to ".join(format_p_value(p, digits=2) for p in (possible.low, possible.high))
    start = f"With n = {possible.n_examples:,}, the paired t-test ({side}) can give p from {span} for these numbers"
    if box.sd_a is not None:
        start += ", depending on the correlation between the two systems' scores"
    printed = printed_p(p_value)
    if attainment.verdict == "attainable":
        spans = [
            " to ".join(minus(printed_number(f"{end:.3f}")) for end in ends)
            for ends in attainment.correlations
        ]
        takes = f"; it takes a correlation of {' or '.join(spans)}" if spans else ""
        return f"{start}. The {printed} is possible{takes}."
    sizes = bisected(
        box, possible.n_examples, attainment.ends, two_sided=possible.two_sided, fewest=2
    )
    others = [f"n = {size:,}" for size in sizes if size is not None]
    would = f": {' or '.join(others)} would make it possible" if others else ""
    return (
        f"{start}. The {printed} is outside this range. Another n, test or rounding, or averages over "
        f"runs, could explain it{would}. It is no sign of misconduct."
    )
