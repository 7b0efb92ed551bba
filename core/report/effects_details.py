"""Sentences about what lies behind a combined effect: spread, influence, groups, distributions."""

from __future__ import annotations

from collections.abc import Sequence

from ..effects.distributions import DistributionTest
from ..effects.meta_analysis import MetaAnalysis
from ..effects.pooled import PooledEffect
from ..effects.prediction import PredictionExperiment
from ..effects.subsets import GroupAnalyses, Influence
from .effects_words import (
    degrees,
    holds_zero,
    interval_text,
    level_text,
    number,
    plain,
    size_of,
    tau2_title,
    turned,
    way_title,
    width_of,
)
from .formatting import display_name, format_share, list_names, p_value_clause


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
        "the estimate; it has other units, so the interval here takes that of the mean over the "
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
        f"({level_text(pooled.confidence_level)} interval {seen}). It is for these datasets alone, "
        "and large ones count more."
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
        return f"{told} Whether the interval holds 0 hangs on {list_names(decides)}."
    return f"{told} Whether the interval holds 0 hangs on no single dataset."


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
            f"{verdict[:1].upper()}{verdict[1:]} {test.distribution.title} distribution of the "
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
        "datasets, so the draws overlap and the p-values only describe."
    )
