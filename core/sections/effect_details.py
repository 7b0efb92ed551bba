"""What lies behind an average effect: single datasets, groups, distributions, pooled examples, held-out datasets."""

import math
from collections.abc import Sequence

import numpy as np

from ..effects.dataset_effects import CombinedEffects, title_of_way
from ..effects.distributions import DistributionTest
from ..effects.from_results import PooledEffect
from ..effects.heterogeneity import tau2_estimator
from ..effects.meta_analysis import MetaAnalysis
from ..effects.subsets import N_HELD_OUT, BetweenGroups, Influence, PredictionExperiment
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_p_value,
    format_share,
    frame_of,
    interval_text,
    list_names,
    number,
    p_value_clause,
    plain,
    size_of,
)
from ..words.glossary import glossary
from .effects import further_cautions, holds_zero, turned, width_of
from .parts import Bullets, Download, Paragraph, Part, Signature, Table, paragraphs


def influence_parts(influence: Influence, datasets: Sequence[str]) -> tuple[Part, ...]:
    """The combined effect without each dataset, what moves most first."""
    whole, most = influence.whole, influence.most_influential
    width, level = width_of(whole.confidence_interval), 1.0 - whole.confidence_level
    said = (
        f"{display_name(datasets[most])} moves the combined effect most: with it "
        f"{number(whole.estimate, width)}, without it {number(influence.without[most].estimate, width)}."
    )
    if not influence.shifts.any():
        said = "No single dataset moves the combined effect: all effects are equal."
    if influence.changes_sign:
        names = list_names([datasets[i] for i in influence.changes_sign])
        said += f" The sign of the average changes without {names}."
    decides = [
        datasets[i]
        for i, one in enumerate(influence.without)
        if holds_zero(one.interval) != holds_zero(whole.interval)
    ]
    on = list_names(decides) or "no single dataset"
    frame = frame_of(
        [
            {
                "without": datasets[i],
                "combined effect": number(influence.without[i].estimate, width),
                "moves by": number(float(influence.shifts[i]), width),
                f"{format_confidence(level)} interval": interval_text(
                    influence.without[i].interval, width
                ),
                "I²": format_share(influence.without[i].i2),
            }
            for i in np.argsort(-np.abs(influence.shifts), kind="stable").tolist()
        ]
    )
    how = (
        f"Random effects with τ² by {tau2_estimator(whole.tau2_method).title}. The interval is the "
        "wider of Hartung and Knapp's and the normal one."
    )
    return (
        Paragraph(text=f"{said} Whether the interval contains 0 depends on {on}.", tone="strong"),
        Table(frame=frame, name="influence", of="dataset"),
        Paragraph(text=how, tone="quiet"),
        Download(
            write=lambda: influence.to_frame(datasets), name="influence", what="the influence"
        ),
    )


def groups_sentence(groups: BetweenGroups) -> str:
    """State whether groups differ by more than chance."""
    if groups.q is None or groups.p_value is None:
        return "Each group is one dataset: whether groups differ needs several in at least one."
    between, within = groups.degrees_of_freedom, groups.degrees_of_freedom_within
    return (
        f"Between the {groups.n_groups} groups: F = {plain(groups.q / between)} on "
        f"{between} and {counted(within, 'degree')} of freedom, with one τ² for all groups by Paule–Mandel, "
        f"{p_value_clause(groups.p_value)}. A small p is evidence that groups differ; a "
        "large one is no evidence that they are alike."
    )


def how_parts(combined: CombinedEffects, random: MetaAnalysis) -> tuple[Part, ...]:
    """How far true effects vary between datasets, what the terms mean, and how often intervals cover."""
    tau2 = f"τ² = {random.tau2:.4g} by {tau2_estimator(random.tau2_method).title}"
    if random.tau2_interval is not None and not random.is_outside_interval:
        low, high = random.tau2_interval
        level = format_confidence(1.0 - random.confidence_level)
        tau2 += f" ({level} interval by Q-profile {low:.4g} to {high:.4g})"
    terms, meant = glossary(), ("Q", "τ² (“tau squared”)", "I²", "prediction interval")
    # Below 3 datasets there is no prediction interval.
    coverage = (
        "Simulated coverage of the 95% intervals, with 3 to 30 datasets: the prediction interval "
        "contained the new effect in 93% to 100% of studies. Most papers print the one of Higgins, "
        "Thompson and Spiegelhalter (2009), which treats τ² as known: 81% to 100%. The downloaded "
        "table has both. The interval of the average contained the true mean in 94% to 99% of "
        "studies where the datasets' variances are equal, and in 84% to 99% where they differ up to "
        "a hundredfold."
    )
    return (
        Paragraph(text=f"{tau2}."),
        Bullets(items=tuple(f"{term}: {terms[term]}" for term in meant)),
        *paragraphs("" if random.prediction_interval is None else coverage),
        *paragraphs(*further_cautions(combined)),
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


def pooled_parts(pooled: PooledEffect) -> tuple[Part, ...]:
    """The effect over all examples put together."""
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
    said = (
        f"Over all {pooled.n_examples:,} examples put together, {who} "
        f"({format_confidence(1.0 - pooled.confidence_level)} interval {seen}). This is for these "
        "datasets alone; large ones count more."
    )
    return (Paragraph(text=said, tone="strong"), Signature(line=pooled.signature))


def distribution_parts(tests: Sequence[DistributionTest]) -> tuple[Part, ...]:
    """For each distribution what the Anderson–Darling test says of it."""
    verdicts = {
        True: "Evidence against",
        False: "No evidence against",
        None: "The table cannot tell at .05 about",
    }
    items = tuple(
        f"{verdicts[test.is_evidence_against()]} {test.distribution.title} distribution of the "
        f"effects: A² = {test.statistic:.3f}, {test.p_bracket}{f' ({test.note})' if test.note else ''}."
        for test in tests
    )
    how = (
        "By Anderson and Darling's test, with location and scale fitted to the same effects. With "
        "few datasets nearly every distribution passes."
    )
    return (Bullets(items=items), Paragraph(text=how, tone="quiet"))


def experiment_parts(experiment: PredictionExperiment) -> tuple[Part, ...]:
    """Which way of combining came nearest to datasets held out, and how far that goes."""
    absolute, signed_errors = experiment.mean_absolute_errors, experiment.mean_signed_errors
    rows, drawn_of = [], dict[str, list[str]]()
    for i, size in enumerate(experiment.sizes):
        unit = float(absolute[i, 0]) if math.isfinite(float(absolute[i, 0])) else 0.0
        best = experiment.best[i]
        if best is not None:
            drawn_of.setdefault(best, []).append(str(size))
        for j, method in enumerate(experiment.methods):
            p_value = float(experiment.p_values[i, j])
            rows.append(
                {
                    "k drawn": size,
                    "combined by": title_of_way(method),
                    "mean error": size_of(float(absolute[i, j]), unit),
                    "mean signed error": number(float(signed_errors[i, j]), unit),
                    "p against macro": "–" if math.isnan(p_value) else format_p_value(p_value),
                }
            )
    so_far = "" if experiment.complete else "So far, stopped early: "
    found = " and ".join(
        f"{title_of_way(best)} for k = {', '.join(sizes)}" for best, sizes in drawn_of.items()
    )
    said = (
        f"{so_far}Nearest to the mean effect of {N_HELD_OUT} datasets held out: {found}. "
        f"Each drawn {experiment.n_repetitions:,} times from the same {experiment.n_datasets} "
        "datasets, so the draws overlap and the p-values are descriptive."
    )
    return (
        Paragraph(text=said if found else "Stopped before anything was drawn.", tone="strong"),
        Table(frame=frame_of(rows), name="experiment", of="row"),
        Download(write=experiment.to_frame, name="experiment", what="the experiment"),
        Signature(line=experiment.signature),
    )
