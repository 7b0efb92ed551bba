"""Sentences about how large an effect is over many datasets, and what limits them."""

from __future__ import annotations

from core.effects import DatasetEffects
from core.effects.combined import CombinedEffects
from core.effects.effect_list import LeftOut
from core.effects.heterogeneity import Interval
from core.report.effects_words import (
    degrees,
    holds_zero,
    interval_text,
    level_text,
    metric_name,
    number,
    percent,
    plain,
    size_of,
    turned,
    width_of,
)
from core.report.formatting import display_name, format_percent, list_names, p_value_clause

NOT_A_COUNT = (
    "This is an average. It does not say on how many datasets a system is better: one large effect "
    "can carry it. The Counting page answers that."
)
NO_DIRECTION = (
    "This is an average: one large effect can carry it. What a positive effect means, the file "
    "does not say. Tests over datasets compare two systems' scores, which a table of effects does "
    "not have; the interval above stands in their place."
)
TAKEN_INDEPENDENT = (
    "All intervals take the datasets' results to be independent: datasets that share examples make "
    "them too narrow."
)
ONE_SCORE = (
    "One score a dataset does not say how sure it is, so that only the macro-average and tests over "
    "datasets can be made; a meta-analysis needs results on every example, or standard errors."
)
NEEDS_BOOTSTRAP = (
    "How sure this metric's effect is on a dataset takes a bootstrap, which the Effect size page "
    "runs; here are averages of the datasets' scores alone."
)
WHILE_DRAWING = (
    "Resamples are being drawn, which say how sure each dataset's effect is; until then, these are "
    "averages of the datasets' scores alone."
)
NOT_DRAWN = (
    "The resamples that say how sure each dataset's effect is were not drawn; these are averages of "
    "the datasets' scores alone."
)
SAY_MAXIMUM = "Say the highest possible score below: 1, or 100 for percentages."


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
    if effects.effect != "given" and not effects.effects.any():
        return f"{a} and {b} score the same on every one of {effects.n_datasets} datasets{_of(effects)}."
    if combined.front == "random" and combined.random is not None:
        random, n = combined.random, effects.n_datasets
        among = (
            f"over datasets like these {n}"
            if random.n_datasets == n
            else f"over datasets like the {random.n_datasets} of {n} that can be weighed"
        )
        return _told(
            effects,
            random.estimate,
            random.interval,
            level_text(random.confidence_level),
            (a, b),
            among,
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
    given = effects.effect == "given"
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
    if effects.effect == "given":
        return f"The effects average {number(estimate, width)}{_of(effects)}"
    if estimate == 0.0:
        return f"{systems[0]} and {systems[1]} are level{_of(effects)} on average"
    ahead, behind = systems if estimate > 0.0 else systems[::-1]
    size = f"{size_of(estimate, width)}{_unit(effects)}"
    return f"{ahead} is ahead of {behind} by {size}{_of(effects)} on average"


def _of(effects: DatasetEffects) -> str:
    metric = metric_name(effects)
    text = f" in {metric}" if metric else ""
    if effects.effect == "error-reduction":
        text += ", as a share of the errors to be saved,"
    return text


def _unit(effects: DatasetEffects) -> str:
    standardised = effects.effect == "standardised"
    return " standard deviations of the examples' differences" if standardised else ""


def _of_one(combined: CombinedEffects, a: str, b: str) -> str:
    effects, random = combined.effects, combined.random
    estimate = float(effects.effects[0])
    name = display_name(effects.datasets[0])
    interval = None if random is None else random.confidence_interval
    width = width_of(interval)
    of = _of(effects)
    if effects.effect == "given":
        told = f"the effect on {name} is {number(estimate, width)}"
    elif estimate == 0.0:
        told = f"{a} and {b} score the same on {name}{of}"
    else:
        ahead, behind = (a, b) if estimate > 0.0 else (b, a)
        told = f"{ahead} is ahead of {behind} by {size_of(estimate, width)}{_unit(effects)}{of} on {name}"
    if interval is not None and random is not None:
        seen = interval if effects.effect == "given" else turned(interval, estimate)
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
    if random.tau2 == 0.0:
        told = (
            "These data do not show that the effects differ between datasets by more than chance "
            f"within them (Q = {plain(random.q)} on {freedom}, I² = 0%"
        )
    else:
        told = (
            f"Of the variation of the effects, {format_percent(random.i2)} is between datasets "
            f"rather than chance within them (I²; Q = {plain(random.q)} on {freedom}, "
            f"{p_value_clause(random.q_p_value)}"
        )
    ends = random.i2_interval
    if ends is not None:
        told += f"; {level} interval of I² {percent(ends[0])} to {percent(ends[1])}"
    return f"{told}).{_prediction(combined, display_name(a), display_name(b))}"


def _prediction(combined: CombinedEffects, a: str, b: str) -> str:
    random = combined.random
    if random is None or random.prediction_interval is None or combined.front != "random":
        return ""
    given = combined.effects.effect == "given"
    ends = random.prediction_interval
    seen = ends if given else turned(ends, random.estimate)
    ahead = a if random.estimate >= 0.0 else b
    side = "" if given else f", in {ahead}'s favour where positive"
    either = "" if given or not ends[0] < 0.0 < ends[1] else ", so it may favour either system"
    return (
        f" The true effect on a new dataset of this kind is expected from "
        f"{interval_text(seen, width_of(ends))} ({level_text(random.confidence_level)} prediction "
        f"interval{side}){either}."
    )


def is_undivided(combined: CombinedEffects) -> bool:
    """Whether there is one dataset, of which nothing is averaged."""
    return combined.effects.n_datasets == 1


def left_out_lines(
    left_out: tuple[LeftOut, ...], *, b: str | None = None, remedy: bool = False
) -> tuple[str, ...]:
    """Each reason once, with the datasets it holds for.

    Parameters
    ----------
    left_out : tuple of LeftOut
        Datasets without an effect.
    b : str, optional
        Name of the second system.
    remedy : bool
        Whether a form below takes the highest possible score.
    """
    found = []
    for reason in dict.fromkeys(one.reason for one in left_out):
        own = [one for one in left_out if one.reason == reason]
        said = reason if b is None else reason.replace("the second system", display_name(b))
        names = (
            "on every dataset"
            if len(own) == len(left_out) > 1
            else list_names([one.dataset for one in own])
        )
        count = f"{len(own)} datasets: " if 1 < len(own) < len(left_out) else ""
        more = f" {SAY_MAXIMUM}" if remedy and own[0].needs_maximum else ""
        found.append(f"{said[:1].upper()}{said[1:]} ({count}{names}).{more}")
    return tuple(found)


def front_cautions(
    combined: CombinedEffects, *, why_averages: str = ONE_SCORE, b: str | None = None
) -> tuple[str, ...]:
    """What limits the answer itself.

    Parameters
    ----------
    combined : CombinedEffects
        The numbers.
    why_averages : str
        Why there are averages alone, where no variance is known.
    b : str, optional
        Name of the second system.
    """
    found = []
    effects, random = combined.effects, combined.random
    if not effects.complete:
        found.append(
            f"Stopped before {len(effects.not_done)} datasets were done: "
            f"{list_names(effects.not_done)}."
        )
    found += [
        f"Not among these: {line}" for line in _lowered(left_out_lines(effects.left_out, b=b))
    ]
    if effects.variances is None:
        found.append(why_averages)
    else:
        for reason in dict.fromkeys(one.reason for one in combined.not_weighed):
            names = [one.dataset for one in combined.not_weighed if one.reason == reason]
            found.append(f"In the averages only: {list_names(names)} ({reason}).")
    if random is not None and combined.front == "macro-average" and effects.n_datasets > 1:
        found.append(
            f"The systems differ on {combined.typical_differing:.10g} examples of a typical "
            f"dataset, fewer than {combined.fewest_differing}. Weights of 1/variance are then "
            "drawn toward small effects, so the answer is the average in which every dataset "
            "counts the same; the other ways of combining are in the table."
        )
    if random is not None and 1 < effects.n_datasets < 5:
        found.append(
            f"With {effects.n_datasets} datasets the spread between them is hardly known; every "
            "interval over datasets is wide or not to be relied on."
        )
    return tuple(found)


def _lowered(lines: tuple[str, ...]) -> list[str]:
    return [line[:1].lower() + line[1:] for line in lines]


def further_cautions(combined: CombinedEffects) -> tuple[str, ...]:
    """What to know about single numbers of the tables."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ()
    found = []
    factor = random.hartung_knapp_factor
    if random.is_hartung_knapp_below_one and factor is not None and factor > 0.0:
        found.append(
            f"Hartung and Knapp's factor is {_below_one(factor)}: the effects lie closer together "
            "than their variances alone would have them, and their interval may be narrower than "
            "the normal one. The table shows it as it is; the answer takes the wider of the two."
        )
    elif factor == 0.0:
        found.append(
            "All effects are equal: Hartung and Knapp's interval has no width, which says nothing "
            "of how sure the effect is. The answer takes the normal one."
        )
    if random.tau2_interval == (0.0, 0.0):
        found.append(
            "The effects vary so little that under no τ² would that be no surprise: its interval is "
            "given as 0 to 0."
        )
    return tuple(found)


def _below_one(factor: float) -> str:
    for digits in range(2, 8):
        text = f"{factor:.{digits}g}"
        if float(text) < 1.0:
            return text
    return "just below 1"


def row_of_answer(combined: CombinedEffects) -> str:
    """Say which row of the table and which mark of the plot the answer is; '' for one dataset."""
    if is_undivided(combined):
        return ""
    if combined.random is None and combined.micro is None:
        return "The filled diamond of the plot is the answer above."
    return "The first row, and the filled diamond of the plot, are the answer above."
