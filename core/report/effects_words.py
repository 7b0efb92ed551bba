"""What effects and their averages are called, and how their numbers are written."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..effects.combined import way_named, ways
from ..effects.dataset_effects import DatasetEffects
from ..effects.heterogeneity import Interval, tau2_estimator
from .formatting import (
    display_name,
    label_of_difference,
    metric_label,
    minus,
    signed,
)
from .glossary import glossary

SPREAD_MEANINGS = tuple(
    f"{glossary()[key].term}: {glossary()[key].explanation}"
    for key in ("q_statistic", "tau2", "i2", "prediction_interval")
)
# Below it a number is written in powers of ten.
_SMALLEST_PLAIN = 1e-5


def combining_meanings(titles: Iterable[str], tau2: str) -> tuple[str, ...]:
    """What each way of combining means, once each, in the order of a table's rows.

    Parameters
    ----------
    titles : iterable of str
        As the rows say them; others are passed over.
    tau2 : str
        The name of the estimator of τ².
    """
    meanings = {way.title: way.meaning for way in ways()}
    estimator = tau2_estimator(tau2)
    return tuple(
        f"{title}: {meanings[title].format(tau2=estimator.reference)}"
        for title in dict.fromkeys(titles)
        if title in meanings
    )


def way_title(name: str) -> str:
    """What a way of combining effects is called."""
    return way_named(name).title


def tau2_title(name: str) -> str:
    """What an estimator of τ² is called."""
    return tau2_estimator(name).title


def number(value: float, unit: float) -> str:
    """Write a signed number with three digits of `unit`, the width it is known to."""
    if not math.isfinite(value):
        return "–"
    if not unit > 0.0 or not math.isfinite(unit):
        return minus(f"{value:+.4g}") if value else "0"
    if max(abs(value), unit) < _SMALLEST_PLAIN:
        return minus(f"{value:+.2e}") if value else "0"
    decimals = min(8, max(0, 2 - math.floor(math.log10(unit))))
    return signed(value, decimals)


def size_of(value: float, unit: float) -> str:
    """Write how large a number is, without its sign; what is not 0 is not written as 0."""
    return _apart_from_zero(abs(value), unit).lstrip("+")


def plain(value: float) -> str:
    """Write a statistic with about four digits, never in powers of ten where it is large."""
    return f"{value:,.0f}" if value >= 1000.0 else f"{value:.4g}"


def interval_text(interval: Interval | None, unit: float) -> str:
    """Write an interval's ends, or a dash; an end beside 0 keeps the digit that says on which side."""
    if interval is None:
        return "–"
    return " to ".join(_apart_from_zero(end, unit) for end in interval)


def _apart_from_zero(value: float, unit: float) -> str:
    text = number(value, unit)
    if value and math.isfinite(value) and not text.strip("+−0."):
        decimals = -math.floor(math.log10(abs(value)))
        return signed(value, decimals) if decimals <= 8 else minus(f"{value:+.0e}")
    return text


def width_of(interval: Interval | None) -> float:
    """How wide an interval is; 0 without one."""
    return 0.0 if interval is None else interval[1] - interval[0]


def turned(interval: Interval, estimate: float) -> Interval:
    """An interval as seen by the system that is ahead."""
    return interval if estimate >= 0.0 else (-interval[1], -interval[0])


def holds_zero(interval: Interval) -> bool:
    """Whether 0 is among the values."""
    return interval[0] <= 0.0 <= interval[1]


def level_text(confidence_level: float) -> str:
    """Write a confidence level as "95%"."""
    return f"{100.0 * confidence_level:.10g}%"


def percent(share: float) -> str:
    """Write a share as a whole per cent."""
    return f"{100.0 * share:.0f}%"


def degrees(number_of: int) -> str:
    """Write "1 degree of freedom", "5 degrees of freedom"."""
    return f"{number_of} degree{'s' if number_of != 1 else ''} of freedom"


def metric_name(effects: DatasetEffects) -> str:
    """The metric as the sidebar calls it; '' where there is none or several."""
    if not effects.metric:
        return ""
    return display_name(metric_label(effects.metric, effects.kind or ""))


def effect_label(effects: DatasetEffects) -> str:
    """What an axis or column of effects is called."""
    name = (
        label_of_difference(effects.higher_is_better)
        if effects.effect == "difference"
        else effects.record.title
    )
    metric = metric_name(effects)
    return f"{name}, {metric}" if metric else name
