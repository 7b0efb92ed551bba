"""Sentences about how large an effect is over many datasets, and how far it differs between them.

What limits an answer is said in `core.report.effects_cautions`.
"""

from __future__ import annotations

from ..effects.combined import CombinedEffects
from ..effects.dataset_effects import DatasetEffects
from ..effects.heterogeneity import Interval
from .effects_words import (
    degrees,
    holds_zero,
    interval_text,
    level_text,
    metric_name,
    number,
    plain,
    size_of,
    turned,
    width_of,
)
from .formatting import display_name, format_share, p_value_clause


def lead_sentence(combined: CombinedEffects, *, a: str, b: str) -> str:
    """State how far A is ahead on average, with what the interval is for."""
    effects = combined.effects
    so_far = ""
    if not effects.complete:
        n_all = effects.n_datasets + len(effects.left_out) + len(effects.not_done)
        so_far = f"So far ({n_all - len(effects.not_done)} of {n_all} datasets done): "
    return so_far + _lead(combined, display_name(a), display_name(b))


def _lead(combined: CombinedEffects, a: str, b: str) -> str:
    effects = combined.effects
    if effects.n_datasets == 1:
        return _of_one(combined, a, b)
    if not effects.is_given and not effects.effects.any():
        return f"{a} and {b} score the same on every one of {effects.n_datasets} datasets{_of(effects)}."
    if combined.front == "random" and combined.random is not None:
        random = combined.random
        return _told(
            effects,
            random.estimate,
            random.interval,
            level_text(random.confidence_level),
            (a, b),
            f"over datasets like these {effects.n_datasets}",
            "",
        )
    macro = combined.macro
    among = f"over {macro.n_datasets} datasets"
    interval = macro.confidence_interval
    if interval is None or width_of(interval) == 0.0:
        return f"{_ahead(effects, macro.estimate, 0.0, (a, b))} {among}, by the same on every one."
    return _told(
        effects,
        macro.estimate,
        interval,
        level_text(macro.confidence_level),
        (a, b),
        among,
        ", if the datasets are a random sample of those meant",
    )


def _told(
    effects: DatasetEffects,
    estimate: float,
    interval: Interval,
    level: str,
    systems: tuple[str, str],
    among: str,
    condition: str,
) -> str:
    width = width_of(interval)
    given = effects.is_given
    seen = interval if given else turned(interval, estimate)
    told = (
        f"{_ahead(effects, estimate, width, systems)} {among} "
        f"({level} interval {interval_text(seen, width)}{condition})."
    )
    if not holds_zero(interval):
        return told
    if given:
        return f"{told} The interval holds 0: these data do not show on which side of 0 it lies."
    return (
        f"{told} The interval holds 0: these data do not show which of the two is better on "
        "average, nor that they are equal."
    )


def _ahead(effects: DatasetEffects, estimate: float, width: float, systems: tuple[str, str]) -> str:
    """The beginning of a lead: who is ahead by how much on average."""
    if effects.is_given:
        return f"The effects average {number(estimate, width)}{_of(effects)}"
    if estimate == 0.0:
        return f"{systems[0]} and {systems[1]} are level{_of(effects)} on average"
    ahead, behind = systems if estimate > 0.0 else systems[::-1]
    size = f"{size_of(estimate, width)}{_unit(effects)}"
    return f"{ahead} is ahead of {behind} by {size}{_of(effects)} on average"


def _of(effects: DatasetEffects) -> str:
    metric = metric_name(effects)
    text = f" in {metric}" if metric else ""
    if effects.record.share:
        text += f", {effects.record.share},"
    return text


def _unit(effects: DatasetEffects) -> str:
    unit = effects.record.unit
    return f" {unit}" if unit else ""


def _of_one(combined: CombinedEffects, a: str, b: str) -> str:
    effects, random = combined.effects, combined.random
    estimate = float(effects.effects[0])
    name = display_name(effects.datasets[0])
    interval = None if random is None else random.confidence_interval
    width = width_of(interval)
    of = _of(effects)
    if effects.is_given:
        told = f"the effect on {name} is {number(estimate, width)}"
    elif estimate == 0.0:
        told = f"{a} and {b} score the same on {name}{of}"
    else:
        ahead, behind = (a, b) if estimate > 0.0 else (b, a)
        told = f"{ahead} is ahead of {behind} by {size_of(estimate, width)}{_unit(effects)}{of} on {name}"
    if interval is not None and random is not None:
        seen = interval if effects.is_given else turned(interval, estimate)
        told += (
            f" ({level_text(random.confidence_level)} interval {interval_text(seen, width)}, over "
            "examples like its own)"
        )
    if not effects.complete:
        return f"{told}."
    return f"One dataset: {told}. An average over datasets needs several."


def differing_sentence(combined: CombinedEffects, *, a: str = "A", b: str = "B") -> str:
    """State how far effects differ between datasets; empty where nothing is known of that."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ""
    level = level_text(random.confidence_level)
    freedom = degrees(random.degrees_of_freedom)
    if random.q <= random.degrees_of_freedom:
        told = (
            "These data do not show that the effects differ between datasets by more than chance "
            f"within them (Q = {plain(random.q)} on {freedom}, I² = 0%"
        )
    else:
        told = (
            f"Of the variation of the effects, {format_share(random.i2)} is between datasets "
            f"rather than chance within them (I²; Q = {plain(random.q)} on {freedom}, "
            f"{p_value_clause(random.q_p_value)}"
        )
    ends = random.i2_interval
    if ends is not None and not random.is_outside_interval:
        told += f"; {level} interval of I² {format_share(ends[0])} to {format_share(ends[1])}"
    left_out = len(combined.not_weighed)
    told += ")."
    if left_out:
        them = "leave out 1 that has" if left_out == 1 else f"leave out {left_out} that have"
        told += f" Q and I² {them} no variance: they speak for {random.n_datasets} datasets."
    return f"{told}{_prediction(combined, display_name(a), display_name(b))}"


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
        f"{interval_text(seen, width_of(ends))} ({level_text(random.confidence_level)} prediction "
        f"interval{side}){either}."
    )


def has_own_intervals(combined: CombinedEffects) -> bool:
    """Whether each dataset's difference of scores has an interval of its own."""
    effects = combined.effects
    return effects.effect == "difference" and effects.variances is not None


def is_undivided(combined: CombinedEffects) -> bool:
    """Whether there is one dataset, of which nothing is averaged."""
    return combined.effects.n_datasets == 1


def row_of_answer(combined: CombinedEffects) -> str:
    """Say which row of the table and which mark of the plot the answer is; '' for one dataset."""
    if is_undivided(combined):
        return ""
    if combined.random is None and combined.micro is None:
        return "The filled diamond of the plot is the answer above."
    return "The first row, and the filled diamond of the plot, are the answer above."
