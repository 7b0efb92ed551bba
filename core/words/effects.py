"""Sentences about how large an effect is over many datasets, how far it differs, and what limits the answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..comparison import COLUMN, comparison_named, margin_of_all
from ..effects.across import AcrossTests
from ..effects.combined import CombinedEffects, way_named, ways
from ..effects.dataset_effects import DatasetEffects, LeftOut
from ..effects.distributions import DistributionTest
from ..effects.heterogeneity import Interval, tau2_estimator
from ..effects.meta_analysis import MetaAnalysis
from ..effects.pooled import PooledEffect
from ..effects.prediction import PredictionExperiment
from ..effects.subsets import GroupAnalyses, Influence
from ..replicability.decision import at_most
from .formatting import (
    counted,
    display_name,
    format_level,
    format_p_value,
    format_share,
    label_of_difference,
    list_names,
    metric_label,
    minus,
    p_value_clause,
    sentence_case,
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
    """State where the average difference lies beside the margin of a claim; empty without one.

    Parameters
    ----------
    margins, written : mapping of str to float, and str
        Each dataset's, in the metric's units, and as `core.comparison.written_margin` has them.
    """
    comparison, effects = comparison_named(claim), combined.effects
    if not comparison.takes_margin or effects.n_datasets < 2:
        return ""
    no_form = "The tests over datasets ask whether the average is 0, whatever the claim."
    if effects.effect != "difference":
        return f"The margin is in the metric's units, and this effect is not. {no_form}"
    margin = margin_of_all(margins[name] for name in effects.datasets)
    if margin == COLUMN:
        return f"Each dataset has its own margin, so there is none to compare the average with. {no_form}"
    average = combined.random if combined.front == "random" else combined.macro
    interval = None if average is None else average.confidence_interval
    if average is None or interval is None:
        return f"The average has no interval to compare with the margin. {no_form}"
    if combined.random is not None and average is combined.random:
        interval = combined.random.interval
    low, high = interval
    # The edge of the claim: the difference lies above it, of equivalence below the other one too.
    edge = -comparison.shift * margin
    holds = low > edge and (not comparison.both_sides or high < margin)
    fails = high < edge or (comparison.both_sides and low > margin)
    level = level_text(average.confidence_level)
    names = display_name(a), display_name(b)
    if holds:
        found = f"On average, {comparison.statement(*names, written)}"
    elif fails:
        found = f"The average speaks against the claim that {comparison.statement(*names, written)}"
    else:
        found = f"The average leaves open whether {comparison.statement(*names, written)}"
    seen = f"{level} interval {interval_text(interval, width_of(interval))}"
    return f"{found} ({seen}). This is an average and no count of datasets. {no_form}"


def drawn_margins(combined: CombinedEffects, margins: Mapping[str, float]) -> Mapping[str, float]:
    """The margins of a claim where they are in the unit of these effects, else none."""
    return margins if combined.effects.effect == "difference" else {}


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
        return f"{_ahead(effects, macro.estimate, 0.0, (a, b))} {among}: the same on every one."
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
        return f"{told} The interval contains 0: these data do not show on which side of 0 it lies."
    return (
        f"{told} The interval contains 0: these data do not show which of the two is better on "
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
    # With what rounding may add where Q equals its degrees of freedom.
    if random.q <= random.degrees_of_freedom * (1.0 + 1e-9):
        told = (
            "These data do not show that the effects differ between datasets by more than chance "
            f"within them (Q = {plain(random.q)} on {freedom}, I² = 0%"
        )
    else:
        told = (
            f"{format_share(random.i2)} of the variation of the effects is between datasets rather "
            f"than chance within them (I²; Q = {plain(random.q)} on {freedom}, "
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


NOT_A_COUNT = (
    "This is an average, and one large effect can carry it. Counting says on how many datasets a system "
    "is better."
)
NO_DIRECTION = (
    "This is an average, and one large effect can carry it. The file does not say what a positive effect "
    "means. Tests over datasets need two systems' scores, which a table of effects does not have."
)
TAKEN_INDEPENDENT = (
    "All intervals take the datasets' results to be independent: datasets that share examples make "
    "them too narrow."
)
ONE_SCORE = (
    "One score per dataset carries no sampling error, so only the macro-average and tests over "
    "datasets can be made; a meta-analysis needs results on every example, or standard errors."
)
NEEDS_BOOTSTRAP = (
    "These are averages of the datasets' scores alone. The Effect size page bootstraps this metric's "
    "effect on each dataset."
)
WHILE_DRAWING = (
    "Until the bootstrap of each dataset's effect is done, these are averages of the scores alone."
)
NOT_DRAWN = "Without a bootstrap of each dataset's effect, these are averages of the scores alone."
_EQUAL_WEIGHTS = (
    "The answer is therefore the average in which every dataset counts the same; the table has the "
    "others."
)
SAY_MAXIMUM = "Say the highest possible score below: 1, or 100 for percentages."


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
        found.append(f"{sentence_case(said)} ({count}{names}).{more}")
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
    found += [f"Left out: {line}" for line in _lowered(left_out_lines(effects.left_out, b=b))]
    if effects.variances is None:
        found.append(why_averages)
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
            f"{effects.n_datasets} datasets give a poor estimate of the spread between them: every "
            "interval over datasets is wide or unreliable."
        )
    return tuple(found)


def _outside(random: MetaAnalysis) -> str:
    assert random.tau2_interval is not None
    low, high = random.tau2_interval
    estimate, *ends = (size_of(value, high - low) for value in (random.tau2, low, high))
    return (
        f"τ² by {tau2_title(random.tau2_method)} is {estimate}, outside its "
        f"{level_text(random.confidence_level)} Q-profile interval ({' to '.join(ends)}), so no "
        "interval of I² is shown. τ² by Paule–Mandel lies inside."
    )


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
            f"Hartung and Knapp's factor is {_below_one(factor)}: the effects vary less than their "
            "variances predict, so their interval may be narrower than the normal one. The answer takes "
            "the wider of the two; the table has both."
        )
    elif factor == 0.0:
        found.append(
            "All effects are equal, so Hartung and Knapp's interval has no width. The answer takes the "
            "normal one."
        )
    if random.tau2_interval == (0.0, 0.0):
        found.append(
            "The effects vary less than expected even for τ² = 0, so the interval of τ² is 0 to 0."
        )
    return tuple(found)


def disagreement_sentence(combined: CombinedEffects, tests: AcrossTests, *, alpha: float) -> str:
    """State it where Wilcoxon's test and the average's interval do not say the same; else ''.

    Parameters
    ----------
    combined : CombinedEffects
        With intervals at 1 - alpha.
    tests : AcrossTests
        Of the same two systems.
    alpha : float
        The level of both.
    """
    best, interval = tests.tests[0], combined.front_interval
    both, greater, less = best.p_value_two_sided, best.p_value_greater, best.p_value_less
    if combined.effects.is_given or combined.effects.n_datasets < 2:
        return ""
    if interval is None or both is None or greater is None or less is None:
        return ""
    if width_of(interval) == 0.0:
        # Of effects that are all the same none is shown, as it says nothing of how sure they are.
        return ""
    by_average = 0 if holds_zero(interval) else 1 if interval[0] > 0.0 else -1
    by_ranks = 0 if not at_most(np.array([both]), alpha)[0] else 1 if greater <= less else -1
    if by_average == by_ranks:
        return ""
    smallest = 2.0 ** (1 - tests.wins - tests.losses)
    if not by_ranks and not at_most(np.array([smallest]), alpha)[0]:
        differ = tests.wins + tests.losses
        return (
            "The interval of the average effect excludes 0. Wilcoxon's test over the datasets cannot "
            f"be significant at α = {format_level(alpha)} here: with {counted(differ, 'dataset')} on which "
            "the systems differ, its two-sided p-value is at least "
            f"{format_p_value(min(1.0, smallest), alpha=alpha)}. The two do not disagree."
        )
    weighs = (
        "the size of each effect, weighted by its precision"
        if combined.front == "random"
        else "the size of each effect"
    )
    estimate, least = combined.front_estimate, 1e-9 * width_of(interval)
    by_estimate = 0 if abs(estimate) <= least else 1 if estimate > 0.0 else -1
    whose = {1: display_name(tests.system_a), -1: display_name(tests.system_b)}
    if by_ranks and by_estimate == -by_ranks:
        open_still = "" if by_average else ", though its interval contains 0"
        what = (
            f"The average effect favours {whose[by_estimate]}{open_still}; Wilcoxon's test over the "
            f"datasets favours {whose[by_ranks]} ({p_value_clause(both, alpha=alpha)}, two-sided)."
        )
    else:
        what = (
            "The interval of the average effect excludes 0, but Wilcoxon's test over the datasets is "
            f"not significant at α = {format_level(alpha)}."
            if by_average
            else "Wilcoxon's test over the datasets is significant at "
            f"α = {format_level(alpha)}, but the interval of the average effect contains 0."
        )
    return (
        f"{what} The average uses {weighs}; the test uses only the ranks of the differences. They answer "
        "different questions. Choosing between them after seeing both has no guarantee."
    )


def _below_one(factor: float) -> str:
    for digits in range(2, 8):
        text = f"{factor:.{digits}g}"
        if float(text) < 1.0:
            return text
    return "just below 1"


def heterogeneity_line(random: MetaAnalysis) -> str:
    """Q, τ² and I² with their intervals, in one line."""
    level = level_text(random.confidence_level)
    text = (
        f"Q = {plain(random.q)} on {degrees(random.degrees_of_freedom)}, "
        f"{p_value_clause(random.q_p_value)}; τ² = {random.tau2:.4g} by "
        f"{tau2_title(random.tau2_method)}"
    )
    is_outside = random.is_outside_interval
    if random.tau2_interval is not None and not is_outside:
        low, high = random.tau2_interval
        text += f" ({level} interval by Q-profile {low:.4g} to {high:.4g})"
    text += f"; I² = {format_share(random.i2)}"
    if random.i2_interval is not None and not is_outside:
        low, high = random.i2_interval
        text += f" ({format_share(low)} to {format_share(high)})"
    return f"{text}."


def coverage_line(random: MetaAnalysis) -> str:
    """How often the intervals cover, and the one that most papers print; '' below 3 datasets."""
    if random.prediction_interval is None:
        return ""
    return (
        "Simulated coverage of the 95% intervals, with 3 to 30 datasets: the prediction interval "
        "contained the new effect in 93% to 100% of studies. Most papers print the one of Higgins, "
        "Thompson and Spiegelhalter (2009), which treats τ² as known: 81% to 100%. The downloaded "
        "table has both. The interval of the average contained the true mean in 94% to 99% of "
        "studies where the datasets' variances are equal, and in 84% to 99% where they differ up to "
        "a hundredfold."
    )


def gumbel_line(gumbel: MetaAnalysis) -> str:
    """The fitted distribution, and the variance that the paper prints."""
    fit, printed = gumbel.gumbel, gumbel.paper_variance
    if fit is None or printed is None:
        return ""
    return (
        f"The Gumbel distribution fitted to effects over variances has location {fit.location:.4g} "
        f"and scale {fit.scale:.4g}. Søgaard (2013) prints its variance, {plain(printed)}, as that of "
        "the estimate, but its units differ. The interval here uses the variance of the mean over the "
        f"mean weight, {gumbel.variance:.4g}."
    )


def pooled_sentence(pooled: PooledEffect) -> str:
    """State the effect over all examples put together."""
    interval = pooled.confidence_interval
    width = width_of(interval)
    a, b = display_name(pooled.a), display_name(pooled.b)
    ahead, behind = (a, b) if pooled.estimate >= 0.0 else (b, a)
    who = (
        f"{ahead} is ahead of {behind} by {size_of(pooled.estimate, width)}"
        if pooled.estimate
        else f"{a} and {b} are level"
    )
    seen = interval_text(turned(interval, pooled.estimate), width)
    return (
        f"Over all {pooled.n_examples:,} examples put together, {who} "
        f"({level_text(pooled.confidence_level)} interval {seen}). This is for these datasets alone; large "
        "ones count more."
    )


def influence_sentence(influence: Influence, datasets: Sequence[str]) -> str:
    """State which dataset moves the combined effect most."""
    most = influence.most_influential
    whole, without = influence.whole, influence.without[most]
    width = width_of(whole.confidence_interval)
    name = display_name(datasets[most])
    told = (
        f"{name} moves the combined effect most: with it {number(whole.estimate, width)}, without "
        f"it {number(without.estimate, width)}."
    )
    if not influence.shifts.any():
        told = "No single dataset moves the combined effect: all effects are equal."
    if influence.changes_sign:
        names = list_names([datasets[i] for i in influence.changes_sign])
        told += f" The sign of the average changes without {names}."
    decides = [
        datasets[i]
        for i, one in enumerate(influence.without)
        if holds_zero(one.interval) != holds_zero(whole.interval)
    ]
    if decides:
        return f"{told} Whether the interval contains 0 depends on {list_names(decides)}."
    return f"{told} Whether the interval contains 0 depends on no single dataset."


def groups_sentence(groups: GroupAnalyses) -> str:
    """State whether groups differ by more than chance."""
    if len(groups.groups) == 1:
        return "One group: there is nothing to compare it with."
    if groups.q_between is None or groups.q_between_p_value is None:
        return "Each group is one dataset: whether groups differ needs several in at least one."
    between, within = groups.degrees_of_freedom, groups.degrees_of_freedom_within
    return (
        f"Between the {len(groups.groups)} groups: F = {plain(groups.q_between / between)} on "
        f"{between} and {degrees(within)}, with one τ² for all groups by Paule–Mandel, "
        f"{p_value_clause(groups.q_between_p_value)}. A small p is evidence that groups differ; a "
        "large one is no evidence that they are alike."
    )


def distribution_sentences(tests: Sequence[DistributionTest]) -> tuple[str, ...]:
    """For each distribution what the Anderson–Darling test says of it."""
    found = []
    for test in tests:
        verdict = {
            True: "evidence against",
            False: "no evidence against",
            None: "the table cannot tell at .05 about",
        }[test.is_evidence_against()]
        note = f" ({test.note})" if test.note else ""
        found.append(
            f"{sentence_case(verdict)} {test.distribution.title} distribution of the "
            f"effects: A² = {test.statistic:.3f}, {test.p_bracket}{note}."
        )
    return tuple(found)


def experiment_sentence(experiment: PredictionExperiment) -> str:
    """State which way of combining came nearest to datasets held out, and how far that goes."""
    done = [
        (size, best)
        for size, best in zip(experiment.sizes, experiment.best, strict=True)
        if best is not None
    ]
    if not done:
        return "Stopped before anything was drawn."
    winners = list(dict.fromkeys(best for _, best in done))
    told = " and ".join(
        f"{way_title(winner)} for k = {', '.join(str(s) for s, b in done if b == winner)}"
        for winner in winners
    )
    so_far = "" if experiment.complete else "So far, stopped early: "
    return (
        f"{so_far}Nearest to the mean effect of {experiment.n_held_out} datasets held out: {told}. "
        f"Each drawn {experiment.n_repetitions:,} times from the same {experiment.n_datasets} "
        "datasets, so the draws overlap and the p-values are descriptive."
    )
