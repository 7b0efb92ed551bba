"""Where an estimate lies within its interval, by the forms in which papers compute intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

Range = tuple[float, float]
Form = Literal["Wilson's", "Fisher's z", "logit", "log"]
Place = Callable[[float, float], float]


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
