"""Sentences about how large an effect is over many datasets, how far it differs, and what limits the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..comparison import COLUMN, comparison_named, margin_of_all
from ..effects.combined import CombinedEffects
from ..effects.dataset_effects import DatasetEffects
from ..effects.heterogeneity import Interval, tau2_estimator
from ..effects.meta_analysis import MetaAnalysis
from ..effects.score_columns import too_few_datasets
from .formatting import (
    counted,
    display_name,
    format_confidence,
    format_share,
    label_of_difference,
    list_names,
    metric_label,
    minus,
    p_value_clause,
    sentence_case,
    signed,
)

# Below it a number is written in powers of ten.
_SMALLEST_PLAIN = 1e-5


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


def degrees(number_of: int) -> str:
    """Write "1 degree of freedom", "5 degrees of freedom"."""
    return f"{counted(number_of, 'degree')} of freedom"


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


def margin_sentence(
    combined: CombinedEffects,
    *,
    a: str,
    b: str,
    claim: str,
    margins: Mapping[str, float],
    written: str,
) -> str:
    """State where the average difference lies beside the margin of a claim; empty without one."""
    comparison, effects = comparison_named(claim), combined.effects
    if not comparison.takes_margin or effects.n_datasets < 2:
        return ""
    interval = combined.front_interval
    margin = margin_of_all(margins[name] for name in effects.datasets)
    if effects.effect != "difference":
        found = "The margin is in the metric's units, and this effect is not."
    elif margin == COLUMN:
        found = "Each dataset has its own margin, so there is none to compare the average with."
    elif interval is None:
        found = "The average has no interval to compare with the margin."
    else:
        found = "The average leaves open whether"
        if all(comparison.inside(end, margin) > 0.0 for end in interval):
            found = "On average,"
        elif comparison.is_false_of(interval, margin):
            found = "The average speaks against the claim that"
        found += f" {comparison.statement(display_name(a), display_name(b), written)}"
        level = format_confidence(1.0 - combined.macro.confidence_level)
        found += f" ({level} interval {interval_text(interval, width_of(interval))})."
        found += " This is an average and no count of datasets."
    return f"{found} The tests over datasets ask whether the average is 0, whatever the claim."


def lead_sentence(combined: CombinedEffects, *, a: str, b: str) -> str:
    """State how far A is ahead on average, with what the interval is for."""
    effects = combined.effects
    lead = _lead(combined, display_name(a), display_name(b))
    if effects.complete:
        return lead
    n_done = effects.n_datasets + len(effects.left_out)
    return f"So far ({n_done:,} of {n_done + len(effects.not_done):,} datasets done): {lead}"


def _lead(combined: CombinedEffects, a: str, b: str) -> str:
    """Who is ahead, on average or on the one dataset, with the interval and what it is for."""
    effects, n = combined.effects, combined.effects.n_datasets
    estimate, interval = combined.front_estimate, combined.front_interval
    width, of = width_of(interval), _of(effects)
    if n > 1 and not effects.is_given and not effects.effects.any():
        return f"{a} and {b} score the same on every one of {n:,} datasets{of}."
    if n == 1:
        where, condition = f"on {display_name(effects.datasets[0])}", ", over examples like its own"
    elif combined.front == "random":
        where, condition = f"over datasets like these {n:,}", ""
    else:
        where = f"over {combined.macro.n_datasets:,} datasets"
        condition = ", if the datasets are a random sample of those meant"
    on_average = " on average" * (n > 1)
    ahead, behind = (a, b) if estimate >= 0.0 else (b, a)
    if effects.is_given:
        verb = f"effects average {number(estimate, width)}{of}"
        verb = verb if n > 1 else f"effect is {number(estimate, width)}{of}"
        found = f"The {verb} {where}"
    elif estimate == 0.0:
        found = f"{a} and {b} are level{of}{on_average} {where}"
    else:
        unit = f" {effects.record.unit}".rstrip()
        size = f"{size_of(estimate, width)}{unit}{of}"
        found = f"{ahead} is ahead of {behind} by {size}{on_average} {where}"
    if n > 1 and width == 0.0 and combined.front != "random":
        return f"{found}: the same on every one."
    if interval is not None:
        seen = interval if effects.is_given else turned(interval, estimate)
        level = format_confidence(1.0 - combined.macro.confidence_level)
        found += f" ({level} interval {interval_text(seen, width)}{condition})"
    if n == 1:
        return f"{found}.{' An average over datasets needs several.' * effects.complete}"
    if interval is None or not holds_zero(interval):
        return f"{found}."
    what = "which of the two is better on average, nor that they are equal"
    what = "on which side of 0 it lies" if effects.is_given else what
    return f"{found}. The interval contains 0: these data do not show {what}."


def _of(effects: DatasetEffects) -> str:
    metric = metric_name(effects)
    text = f" in {metric}" if metric else ""
    if effects.record.share:
        text += f", {effects.record.share},"
    return text


def differing_sentence(combined: CombinedEffects, *, a: str = "A", b: str = "B") -> str:
    """State how far effects differ between datasets; empty where nothing is known of that."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ""
    level = format_confidence(1.0 - random.confidence_level)
    freedom = degrees(random.degrees_of_freedom)
    # With what rounding may add where Q equals its degrees of freedom; REML may find a τ² there.
    if random.q <= random.degrees_of_freedom * (1.0 + 1e-9) and random.i2 < 1e-6:
        found = (
            "These data do not show that the effects differ between datasets by more than chance "
            f"within them (Q = {plain(random.q)} on {freedom}, I² = 0%"
        )
    else:
        found = (
            f"{format_share(random.i2)} of the variation of the effects is between datasets rather "
            f"than chance within them (I²; Q = {plain(random.q)} on {freedom}, "
            f"{p_value_clause(random.q_p_value)}"
        )
    ends = random.i2_interval
    if ends is not None and not random.is_outside_interval:
        found += f"; {level} interval of I² {format_share(ends[0])} to {format_share(ends[1])}"
    left_out = len(combined.not_weighed)
    found += ")."
    if left_out:
        them = "leave out 1 that has" if left_out == 1 else f"leave out {left_out} that have"
        found += f" Q and I² {them} no variance: they speak for {random.n_datasets:,} datasets."
    return f"{found}{_prediction(combined, display_name(a), display_name(b))}"


def _prediction(combined: CombinedEffects, a: str, b: str) -> str:
    random = combined.random
    ends = None if random is None else random.new_dataset_interval
    if random is None or ends is None or combined.front != "random":
        return ""
    given = combined.effects.is_given
    seen = ends if given else turned(ends, random.estimate)
    ahead = a if random.estimate >= 0.0 else b
    side = "" if given else f"; positive favours {ahead}"
    either = "" if given or not ends[0] < 0.0 < ends[1] else ", so it may favour either system"
    return (
        f" The true effect on a new dataset of this kind is expected from "
        f"{interval_text(seen, width_of(ends))} ({format_confidence(1.0 - random.confidence_level)} prediction "
        f"interval{side}){either}."
    )


_EQUAL_WEIGHTS = (
    "The answer is therefore the average in which every dataset counts the same; the table has the "
    "others."
)
SAY_MAXIMUM = "Say the highest possible score below: 1, or 100 for percentages."


def left_out_lines(
    effects: DatasetEffects, *, b: str | None = None, remedy: bool = False
) -> tuple[str, ...]:
    """Each reason why datasets have no effect once, with the datasets it holds for."""
    found, n = [], len(effects.left_out)
    has_none = effects.complete and not effects.datasets
    for reason in dict.fromkeys(one.reason for one in effects.left_out):
        own = [one for one in effects.left_out if one.reason == reason]
        said = reason if b is None else reason.replace("the second system", display_name(b))
        names = list_names([one.dataset for one in own])
        names = "on every dataset" if has_none and len(own) == n > 1 else names
        count = f"{len(own)} datasets: " if 1 < len(own) < n else ""
        more = f" {SAY_MAXIMUM}" if remedy and own[0].needs_maximum else ""
        found.append(f"{sentence_case(said)} ({count}{names}).{more}")
    return tuple(found)


def _of_one_score(n_datasets: int) -> str:
    needs = "results on every example, or standard errors"
    if n_datasets == 1:
        return f"One score carries no sampling error. An interval needs {needs}."
    tests = "" if too_few_datasets(n_datasets) else " and tests over datasets"
    return (
        f"One score per dataset carries no sampling error, so only the macro-average{tests} "
        f"can be made; a meta-analysis needs {needs}."
    )


def front_cautions(
    combined: CombinedEffects, *, from_examples: bool = False, b: str | None = None
) -> tuple[str, ...]:
    """What limits the answer itself."""
    found = []
    effects, random = combined.effects, combined.random
    if not effects.complete:
        found.append(
            f"Stopped before {len(effects.not_done)} datasets were done: "
            f"{list_names(effects.not_done)}."
        )
    left_out = left_out_lines(effects, b=b)
    found += [f"Left out: {line[:1].lower()}{line[1:]}" for line in left_out]
    if effects.variances is None and from_examples:
        found.append(
            "These are averages of the datasets' scores alone: the bootstrap of this metric's effect on "
            "each dataset, on the Effect size page, is not done."
        )
    elif effects.variances is None:
        found.append(_of_one_score(effects.n_datasets))
    else:
        for reason in dict.fromkeys(one.reason for one in combined.not_weighed):
            names = [one.dataset for one in combined.not_weighed if one.reason == reason]
            found.append(f"In the averages only: {list_names(names)} ({reason}).")
    averaged = random is not None and combined.front == "macro-average" and effects.n_datasets > 1
    if averaged and combined.has_biased_weights:
        found.append(
            f"The systems differ on {combined.typical_differing:.10g} examples of a typical "
            f"dataset, fewer than {combined.fewest_differing}. Weights of 1/variance then favour small "
            f"effects. {_EQUAL_WEIGHTS}"
        )
    elif averaged:
        found.append(
            f"A meta-analysis would leave these out, however large their effects. {_EQUAL_WEIGHTS}"
        )
    if random is not None and random.is_outside_interval:
        found.append(_outside(random))
    if random is not None and 1 < effects.n_datasets < 5:
        found.append(
            f"{effects.n_datasets:,} datasets give a poor estimate of the spread between them: every "
            "interval over datasets is wide or unreliable."
        )
    return tuple(found)


def _outside(random: MetaAnalysis) -> str:
    assert random.tau2_interval is not None
    low, high = random.tau2_interval
    estimate, *ends = (size_of(value, high - low) for value in (random.tau2, low, high))
    return (
        f"τ² by {tau2_estimator(random.tau2_method).title} is {estimate}, outside its "
        f"{format_confidence(1.0 - random.confidence_level)} Q-profile interval ({' to '.join(ends)}), so no "
        "interval of I² is shown. τ² by Paule–Mandel lies inside."
    )


def further_cautions(combined: CombinedEffects) -> tuple[str, ...]:
    """What to know about single numbers of the tables."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ()
    found = []
    factor = random.hartung_knapp_factor
    if random.is_hartung_knapp_below_one and factor is not None:
        found.append(
            f"Hartung and Knapp's factor is below 1 ({factor:.2g}): the effects vary less than their "
            "variances predict, so their interval may be narrower than the normal one. The answer takes "
            "the wider of the two; the table has both."
        )
    if random.tau2_interval == (0.0, 0.0):
        found.append(
            "The effects vary less than expected even for τ² = 0, so the interval of τ² is 0 to 0."
        )
    return tuple(found)
