"""What effects and their averages are called, and how their numbers are written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from core.effects import DatasetEffects
from core.effects.effect_list import EffectName
from core.effects.heterogeneity import Interval
from core.effects.tau2 import Tau2Method
from core.report.formatting import (
    display_name,
    label_of_difference,
    metric_label,
    minus,
    signed,
)
from core.report.glossary import GLOSSARY

EFFECT_NAMES: dict[EffectName | Literal["given"], str] = {
    "difference": "difference of scores",
    "error-reduction": "error reduction",
    "standardised": "standardised difference",
    "given": "effect",
}
EFFECT_MEANINGS: dict[EffectName, str] = {
    "difference": "A − B in the units of the metric, turned so that a positive one is in A's favour.",
    "error-reduction": (
        "Of what B leaves to be gained, the share that A gains: (A − B)/(highest score − B). It "
        "makes easy and hard datasets comparable, and needs a highest possible score."
    ),
    "standardised": (
        "The mean difference of the examples over its standard deviation: comparable between "
        "metrics, and larger where systems differ steadily rather than much. Its closed-form "
        "variance assumes normally distributed differences; the paired bootstrap does not."
    ),
}
MODEL_NAMES = {
    "random": "random effects",
    "fixed": "fixed effect",
    "gumbel": "Gumbel",
    "macro-average": "macro-average",
    "micro-average": "micro-average",
}
TAU2_NAMES: dict[Tau2Method, str] = {
    "paule-mandel": "Paule–Mandel",
    "reml": "REML",
    "dersimonian-laird": "DerSimonian–Laird",
}
TAU2_MEANINGS: dict[Tau2Method, str] = {
    "paule-mandel": (
        "Paule and Mandel (1982): the τ² at which Q equals its expectation. It always lies in the "
        "Q-profile interval."
    ),
    "reml": "Restricted maximum likelihood (Viechtbauer 2005).",
    "dersimonian-laird": (
        "DerSimonian and Laird (1986): the moment estimate, which most published meta-analyses "
        "use. It can lie outside the Q-profile interval."
    ),
}
_MODEL_MEANINGS: dict[str, str] = {
    "random effects": (
        "Each dataset has its own true effect, and the datasets are a sample of those there could "
        "be. The variance τ² of these effects is estimated by {tau2}. Hartung and Knapp's interval "
        "(2001) allows for the uncertainty of the spread between few datasets; the normal one does "
        "not, and is mostly too narrow. The sentence uses theirs, or the normal one where that is "
        "wider. The prediction interval allows for the uncertainty of τ² (after Nagashima, Noma and "
        "Furukawa 2019)."
    ),
    "fixed effect": (
        "One effect is taken to be true of all these datasets; the interval speaks for them alone "
        "and leaves out that effects differ."
    ),
    "Gumbel": (
        "Effects over their variances are taken to follow a Gumbel distribution (Søgaard 2013). It "
        "is lopsided: exchanging A and B changes more of this estimate than its sign, of the "
        "others the sign alone."
    ),
    "macro-average": (
        "Every dataset counts the same. The interval takes them as drawn at random from a "
        "population, whose mean effect it is for."
    ),
    "micro-average": (
        "Datasets are weighted by their numbers of examples; the interval is for these datasets "
        "alone."
    ),
}
_TAU2_SOURCES: dict[Tau2Method, str] = {
    "paule-mandel": "Paule and Mandel's method (1982)",
    "reml": "REML (Viechtbauer 2005)",
    "dersimonian-laird": "DerSimonian and Laird's method (1986)",
}
SPREAD_MEANINGS = tuple(
    f"{GLOSSARY[key].term}: {GLOSSARY[key].explanation}"
    for key in ("q_statistic", "tau2", "i2", "prediction_interval")
)
# Below it a number is written in powers of ten.
_SMALLEST_PLAIN = 1e-5


def model_meanings(names: Iterable[str], tau2: Tau2Method) -> tuple[str, ...]:
    """What each way of combining means, once each, in the order of a table's rows."""
    return tuple(
        f"{name}: {_MODEL_MEANINGS[name].format(tau2=_TAU2_SOURCES[tau2])}"
        for name in dict.fromkeys(names)
        if name in _MODEL_MEANINGS
    )


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
        else EFFECT_NAMES[effects.effect]
    )
    metric = metric_name(effects)
    return f"{name}, {metric}" if metric else name
