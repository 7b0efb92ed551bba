"""A printed interval against its estimate, by the forms in which papers compute intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Literal

from scipy.special import ndtri

from ..words.formatting import format_confidence, sentence_case
from .claim import Claim, minus
from .findings import Verdict, VerdictKey
from .wording import verdict_on

Range = tuple[float, float]
Form = Literal["Wilson's", "Fisher's z", "logit", "log"]
Place = Callable[[float, float], float]
_SETTLE = "The authors could say how the interval was made, and give more digits."


def _middle_on(scale: Callable[[float], float], back: Callable[[float], float]) -> Place:
    return lambda low, high: back(0.5 * (scale(low) + scale(high)))


def _wilson(low: float, high: float) -> float:
    """The share of which both limits lie equally many of their own standard errors away."""
    below, above = math.sqrt(low * (1.0 - low)), math.sqrt(high * (1.0 - high))
    if below + above == 0.0:
        return 0.5 * (low + high)
    return (low * above + high * below) / (below + above)


def _logit(share: float) -> float:
    return math.log(share / (1.0 - share))


def _share(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit))


@dataclass(frozen=True, slots=True)
class _Domain:
    low: float
    high: float
    place: Place


# Limits lie strictly between these; Wilson's may reach them.
_FORMS: Mapping[Form, _Domain] = {
    "Wilson's": _Domain(0.0, 1.0, _wilson),
    "Fisher's z": _Domain(-1.0, 1.0, _middle_on(math.atanh, math.tanh)),
    "logit": _Domain(0.0, 1.0, _middle_on(_logit, _share)),
    "log": _Domain(0.0, math.inf, _middle_on(math.log, math.exp)),
}


def places(lows: Range, highs: Range) -> dict[Form, Range]:
    """By each form that such limits can have, where the estimate lies, within their rounding.

    Parameters
    ----------
    lows, highs : (float, float)
        What the digits of the lower and of the upper limit allow. Beyond 1 they may be percent.
    """
    found: dict[Form, Range] = {}
    # What can be a share or a correlation is taken as one, and else as percent.
    unit = 100.0 if max(abs(lows[0]), abs(highs[1])) > 1.0 else 1.0
    for form, domain in _FORMS.items():
        divisor = 1.0 if form == "log" else unit
        placed = [
            divisor * domain.place(low / divisor, high / divisor)
            for low, high in product(_inside(lows, form, divisor), _inside(highs, form, divisor))
            if low < high
            and _within(low / divisor, form, domain)
            and _within(high / divisor, form, domain)
        ]
        if placed:
            found[form] = (min(placed), max(placed))
    return found


def _inside(ends: Range, form: Form, divisor: float) -> Range:
    """What rounding allows of a limit, without what no share can be."""
    if form != "Wilson's" or ends[1] < 0.0 or ends[0] > divisor:
        return ends
    return max(ends[0], 0.0), min(ends[1], divisor)


def _within(limit: float, form: Form, domain: _Domain) -> bool:
    if form == "Wilson's":
        return domain.low <= limit <= domain.high
    return domain.low < limit < domain.high


_WORDS: Mapping[str, str] = {
    "Wilson's": "Wilson's interval of a share",
    "Fisher's z": "Fisher's z of a correlation",
    "logit": "limits turned back from the logit scale",
    "log": "limits turned back from the log scale",
}


def _forms(forms: Sequence[str]) -> str:
    said = [_WORDS[form] for form in forms]
    return " and ".join(part for part in (", ".join(said[:-1]), *said[-1:]) if part)


def plain(number: Decimal) -> str:
    """Every digit and none beyond: ".05", "−1.95"."""
    text = f"{number.normalize():f}"
    return minus(text)


def _short(number: float) -> str:
    return f"{number:.3g}".removeprefix("0") if number < 1 else f"{number:.3g}"


Rounded = tuple[Decimal, Decimal]


def check_interval(claim: Claim, *, alpha: float) -> Verdict:
    """Judge whether an estimate can be that of its interval, within the rounding of all three.

    An estimate ± margin lies in the middle of its interval. Intervals of shares and of
    correlations are not symmetric: an estimate that is no further from the middle than
    Wilson's, Fisher's z, logit or log limits put it is not excluded. Beyond the ends it is the
    estimate's by no form.

    Parameters
    ----------
    claim : Claim
        Of kind "interval".
    alpha : float
        One minus the confidence, where the claim states none.
    """
    assert claim.interval is not None
    assert claim.estimate is not None
    level = claim.level(alpha)
    lows, highs = (_rounded(end) for end in claim.interval)
    estimates = _rounded(claim.estimate)
    low, high = map(Decimal, claim.interval)
    estimate = Decimal(claim.estimate)
    middles = (lows[0] + highs[0]) / 2, (lows[1] + highs[1]) / 2
    halves = max(Decimal(0), (highs[0] - lows[1]) / 2), (highs[1] - lows[0]) / 2
    per_half = -1.0 / float(ndtri(level / 2.0))
    errors = float(halves[0]) * per_half, float(halves[1]) * per_half
    forms = places(_floats(lows), _floats(highs))
    own = _floats(estimates)
    matching = tuple(f for f, at in forms.items() if at[0] <= own[1] and at[1] >= own[0])
    spanned = [*_floats(middles), *(end for at in forms.values() for end in at)]
    key: VerdictKey = "not-shown"
    if estimates[1] < lows[0] or estimates[0] > highs[1]:
        key = "contradicted"
    elif estimates[0] <= middles[1] and estimates[1] >= middles[0]:
        key = "holds"
    elif own[1] >= min(spanned) and own[0] <= max(spanned):
        key = "depends"
    middle, half = (low + high) / 2, (high - low) / 2
    distance, error = middle - estimate, float(half) * per_half
    within = f"{plain(middles[0])} to {plain(middles[1])} within rounding"
    lies = f"The middle of the interval is {plain(middle)} ({within})"
    width = (
        f"Its half-width of {plain(half)} is that of a standard error of {_short(error)} (normal, "
        f"{format_confidence(level)})."
    )
    side = "above" if distance > 0 else "below"
    why = f"{lies}, {plain(abs(distance))} {side} {plain(estimate)}."
    if key == "contradicted":
        why, more = "The estimate lies outside its own interval, whatever the rounding.", f"{lies}."
    elif key == "holds":
        why, more = f"{lies}, where an estimate of {plain(estimate)} can lie.", width
    elif key == "depends":
        more = "An estimate ± margin is excluded, an interval that is not symmetric is not."
        if matching:
            put = sentence_case(_forms(matching))
            more += f" {put} put{'' if len(matching) > 1 else 's'} the estimate there."
        else:
            more += f" It is no further from the middle than {_forms(tuple(forms))} may put it."
    else:
        tried = f" {sentence_case(_forms(tuple(forms)))} do not put it so far off." if forms else ""
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
        behind=(more,),
        details={
            "alpha": level,
            "middle": float(middle),
            "middles": tuple(map(float, middles)),
            "forms": forms,
            "matching": matching,
            "half_width": float(half),
            "standard_error": error,
            "standard_errors": errors,
            "ends_about_estimate": (float(estimate - half), float(estimate + half)),
        },
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
