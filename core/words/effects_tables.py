"""Tables about effects over many datasets, and sentences about what lies behind the average."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..effects.combined import CombinedEffects, way_named, ways
from ..effects.distributions import DistributionTest
from ..effects.from_results import PooledEffect
from ..effects.heterogeneity import Interval, tau2_estimator
from ..effects.meta_analysis import MetaAnalysis
from ..effects.subsets import N_HELD_OUT, BetweenGroups, Influence, PredictionExperiment
from .effects import (
    degrees,
    effect_label,
    holds_zero,
    interval_text,
    number,
    plain,
    size_of,
    turned,
    width_of,
)
from .formatting import (
    Frame,
    aligned,
    display_name,
    format_confidence,
    format_p_value,
    format_share,
    frame_of,
    list_names,
    p_value_clause,
    whole_name,
)
from .glossary import glossary
from .reading import METRIC_COLUMN

# A way of combining, what its interval is made by, as downloads name both; estimate and interval.
_Way = tuple[str, str, float, Interval | None]
_MADE_BY = {"hartung-knapp": "Hartung–Knapp", "student-t": "Student's t"}


def _ways(combined: CombinedEffects, *, predicted: bool = False) -> list[_Way]:
    """Each way of combining with its intervals; those of a new dataset among them where asked for."""
    random, macro, micro = combined.random, combined.macro, combined.micro
    found: list[_Way] = []
    if random is not None:
        intervals = {
            "hartung-knapp": random.hartung_knapp_interval,
            "normal": random.confidence_interval,
        }
        if predicted and random.prediction_interval is not None:
            intervals["prediction"] = random.new_dataset_interval
            intervals["prediction-higgins"] = random.prediction_interval
        found += [(random.model, by, random.estimate, own) for by, own in intervals.items() if own]
    for one in (combined.fixed, combined.gumbel):
        if one is not None:
            found.append((one.model, "normal", one.estimate, one.confidence_interval))
    found.append((macro.kind, "student-t", macro.estimate, macro.confidence_interval))
    if micro is not None:
        found.append((micro.kind, "normal", micro.estimate, micro.confidence_interval))
    return found


def combined_frame(combined: CombinedEffects) -> Frame:
    """A row for each way of combining, the one of the answer first; of one dataset its own interval."""
    level = format_confidence(1.0 - combined.macro.confidence_level)
    columns = ["combined by", effect_label(combined.effects), f"{level} interval", "made by"]
    random, macro = combined.random, combined.macro
    if combined.effects.n_datasets == 1:
        own = None if random is None else random.confidence_interval
        rows = [("one dataset", "normal", macro.estimate, own)]
    else:
        rows = [(way_named(way).title, by, mean, own) for way, by, mean, own in _sorted(combined)]
    cells = []
    for title, by, estimate, interval in rows:
        # Without an interval of its own, with the digits of the answer's.
        width = width_of(interval or rows[0][3])
        made_by = _MADE_BY.get(by, by) if interval else "–"
        cells.append((title, number(estimate, width), interval_text(interval, width), made_by))
    return frame_of(cells, columns=columns)


def _sorted(combined: CombinedEffects) -> list[_Way]:
    """The answer first: of random effects, by the wider of two intervals."""
    random, found = combined.random, _ways(combined)
    has_both = random is not None and random.hartung_knapp_interval is not None
    if random is not None and has_both and random.interval == random.confidence_interval:
        found[:2] = found[1::-1]
    in_front = combined.macro.kind if combined.front == "macro-average" else ""
    return sorted(found, key=lambda way: way[0] != in_front)


def numbers_frame(combined: CombinedEffects) -> Frame:
    """Every way of combining in full digits, to take away."""
    rows = [
        (way, by, estimate, *(interval or (None, None)))
        for way, by, estimate, interval in _ways(combined, predicted=True)
    ]
    frame = frame_of(rows, columns=["combined_by", "interval", "estimate", "low", "high"])
    frame["confidence_level"] = combined.macro.confidence_level
    if combined.random is not None:
        for name in ("tau2_method", "tau2", "i2", "q", "q_p_value"):
            frame[name] = getattr(combined.random, name)
    return frame


def influence_frame(influence: Influence, datasets: Sequence[str]) -> Frame:
    """A row for each dataset that is left out, what moves most first."""
    whole = influence.whole
    width, level = (
        width_of(whole.confidence_interval),
        format_confidence(1.0 - whole.confidence_level),
    )
    return frame_of(
        [
            {
                "without": datasets[i],
                "combined effect": number(influence.without[i].estimate, width),
                "moves by": number(float(influence.shifts[i]), width),
                f"{level} interval": interval_text(influence.without[i].interval, width),
                "I²": format_share(influence.without[i].i2),
            }
            for i in np.argsort(-np.abs(influence.shifts), kind="stable").tolist()
        ]
    )


def experiment_frame(experiment: PredictionExperiment) -> Frame:
    """A row for each number of datasets drawn and each way of combining."""
    absolute, signed_errors = experiment.mean_absolute_errors, experiment.mean_signed_errors
    rows = []
    for i, size in enumerate(experiment.sizes):
        unit = float(absolute[i, 0]) if math.isfinite(float(absolute[i, 0])) else 0.0
        for j, method in enumerate(experiment.methods):
            p_value = float(experiment.p_values[i, j])
            rows.append(
                (
                    size,
                    way_named(method).title,
                    size_of(float(absolute[i, j]), unit),
                    number(float(signed_errors[i, j]), unit),
                    "–" if math.isnan(p_value) else format_p_value(p_value),
                )
            )
    columns = ["k drawn", "combined by", "mean error", "mean signed error", "p against macro"]
    return frame_of(rows, columns=columns)


def effects_frame(
    combined: CombinedEffects,
    order: Sequence[int],
    *,
    metrics: Mapping[str, str] | None = None,
    is_averaged: bool = True,
) -> Frame:
    """A row for each dataset: its own metric, effect, interval, weights of an average, size, scores."""
    effects, level = combined.effects, combined.macro.confidence_level
    names, intervals = [effects.datasets[i] for i in order], effects.intervals(level)
    widths = sorted(map(width_of, filter(None, intervals)))
    unit = widths[len(widths) // 2] if widths else 0.0
    columns: dict[str, list[str]] = {"dataset": names}
    if metrics:
        columns[METRIC_COLUMN] = [whole_name(metrics.get(name, "")) or "–" for name in names]
    columns[effect_label(effects)] = [number(float(effects.effects[i]), unit) for i in order]
    if effects.variances is not None:
        heading = f"{format_confidence(1.0 - level)} interval"
        columns[heading] = [interval_text(intervals[i], unit) for i in order]
    for name, found in (("random", combined.random), ("fixed", combined.fixed)):
        if found is not None and is_averaged and effects.n_datasets > 1:
            shares = dict(zip(combined.weighed, found.weights.tolist(), strict=True))
            columns[f"weight, {name}"] = [
                f"{100.0 * shares[i]:.1f}%" if i in shares else "–" for i in order
            ]
    if effects.n_examples is not None:
        columns["n"] = [f"{int(effects.n_examples[i]):,}" for i in order]
    for name, scores in (("A", effects.scores_a), ("B", effects.scores_b)):
        if scores is not None:
            columns[name] = aligned(scores[list(order)].tolist(), digits=5)
    if any(effects.notes):
        columns["note"] = [effects.notes[i] for i in order]
    return frame_of(columns)


SPREAD_MEANINGS = tuple(
    f"{term}: {glossary()[term]}"
    for term in ("Q", "τ² (“tau squared”)", "I²", "prediction interval")
)


def combining_meanings(titles: Iterable[str], tau2: str) -> tuple[str, ...]:
    """What each way of combining means, once each, in the order of a table's rows."""
    meanings = {way.title: way.meaning for way in ways()}
    estimator = tau2_estimator(tau2)
    return tuple(
        f"{title}: {meanings[title].format(tau2=estimator.reference)}"
        for title in dict.fromkeys(titles)
        if title in meanings
    )


def tau2_line(random: MetaAnalysis) -> str:
    """How far true effects vary between datasets, with the interval, in one line."""
    text = f"τ² = {random.tau2:.4g} by {tau2_estimator(random.tau2_method).title}"
    if random.tau2_interval is not None and not random.is_outside_interval:
        low, high = random.tau2_interval
        level = format_confidence(1.0 - random.confidence_level)
        text += f" ({level} interval by Q-profile {low:.4g} to {high:.4g})"
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
        f"({format_confidence(1.0 - pooled.confidence_level)} interval {seen}). This is for these datasets alone; large "
        "ones count more."
    )


def influence_sentence(influence: Influence, datasets: Sequence[str]) -> str:
    """State which dataset moves the combined effect most."""
    most = influence.most_influential
    whole, without = influence.whole, influence.without[most]
    width = width_of(whole.confidence_interval)
    name = display_name(datasets[most])
    found = (
        f"{name} moves the combined effect most: with it {number(whole.estimate, width)}, without "
        f"it {number(without.estimate, width)}."
    )
    if not influence.shifts.any():
        found = "No single dataset moves the combined effect: all effects are equal."
    if influence.changes_sign:
        names = list_names([datasets[i] for i in influence.changes_sign])
        found += f" The sign of the average changes without {names}."
    decides = [
        datasets[i]
        for i, one in enumerate(influence.without)
        if holds_zero(one.interval) != holds_zero(whole.interval)
    ]
    on = list_names(decides) or "no single dataset"
    return f"{found} Whether the interval contains 0 depends on {on}."


def groups_sentence(groups: BetweenGroups) -> str:
    """State whether groups differ by more than chance."""
    if groups.q is None or groups.p_value is None:
        return "Each group is one dataset: whether groups differ needs several in at least one."
    between, within = groups.degrees_of_freedom, groups.degrees_of_freedom_within
    return (
        f"Between the {groups.n_groups} groups: F = {plain(groups.q / between)} on "
        f"{between} and {degrees(within)}, with one τ² for all groups by Paule–Mandel, "
        f"{p_value_clause(groups.p_value)}. A small p is evidence that groups differ; a "
        "large one is no evidence that they are alike."
    )


def distribution_sentences(tests: Sequence[DistributionTest]) -> tuple[str, ...]:
    """For each distribution what the Anderson–Darling test says of it."""
    verdicts = {
        True: "Evidence against",
        False: "No evidence against",
        None: "The table cannot tell at .05 about",
    }
    return tuple(
        f"{verdicts[test.is_evidence_against()]} {test.distribution.title} distribution of the "
        f"effects: A² = {test.statistic:.3f}, {test.p_bracket}{f' ({test.note})' if test.note else ''}."
        for test in tests
    )


def experiment_sentence(experiment: PredictionExperiment) -> str:
    """State which way of combining came nearest to datasets held out, and how far that goes."""
    pairs = zip(experiment.sizes, experiment.best, strict=True)
    done = [(size, best) for size, best in pairs if best is not None]
    if not done:
        return "Stopped before anything was drawn."
    winners = list(dict.fromkeys(best for _, best in done))
    found = " and ".join(
        f"{way_named(winner).title} for k = {', '.join(str(s) for s, b in done if b == winner)}"
        for winner in winners
    )
    so_far = "" if experiment.complete else "So far, stopped early: "
    return (
        f"{so_far}Nearest to the mean effect of {N_HELD_OUT} datasets held out: {found}. "
        f"Each drawn {experiment.n_repetitions:,} times from the same {experiment.n_datasets} "
        "datasets, so the draws overlap and the p-values are descriptive."
    )
