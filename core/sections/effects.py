"""How large the effect is over all datasets: on average, how far it differs, and what limits the answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..analysis import Analysis
from ..analysis.settings import AnalysisSettings, margin_in_words, margins_of, metric_of
from ..charts.forest import forest, forest_rows, sides
from ..comparison import BETTER, COLUMN, comparison_named, margin_of_all
from ..data import ResultSet
from ..effects.across import too_few_datasets
from ..effects.dataset_effects import (
    CombinedEffects,
    DatasetEffects,
    combine_effects,
    score_differences,
    title_of_way,
    ways,
)
from ..effects.from_results import dataset_effects
from ..effects.heterogeneity import Interval, tau2_estimator
from ..metrics.registry import MEAN
from ..words.formatting import (
    Frame,
    counted,
    display_name,
    form_of,
    format_confidence,
    format_share,
    frame_of,
    interval_text,
    label_of_difference,
    list_names,
    metric_label,
    minus,
    number,
    p_value_clause,
    plain,
    sentence_case,
    size_of,
    whole_name,
)
from ..words.reading import METRIC_COLUMN, no_average_sentence, standardised_caution, unlike_metrics
from .parts import Bullets, Download, Paragraph, Part, Table, charted, paragraphs

# A longer plot fills pages; its numbers are in the tables.
_MOST_DRAWN = 100


def effects_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The average effect, how far datasets differ, each way of combining them; none without scores."""
    combined = analysis.memory.remember(
        ("effects", analysis.table, analysis.settings), lambda: _combined(analysis)
    )
    if combined is None:
        return ()
    unlike = _unlike(analysis)
    if has_no_average(combined.effects, unlike):
        return without_average_parts(combined, unlike)
    data, settings = analysis.data, analysis.settings
    systems = analysis.table.system_a, analysis.table.system_b
    drawn = forest_parts(combined, data, settings, systems)
    parts = (
        *average_parts(combined, data, settings, systems, unlike=unlike),
        *paragraphs(*further_cautions(combined), tone="caution"),
        *(drawn if combined.effects.n_datasets <= _MOST_DRAWN else drawn[1:]),
    )
    if combined.effects.n_datasets == 1:
        return parts
    frame = combined_frame(combined)
    return (
        *parts,
        Table(
            frame=frame,
            caption="The effects of all datasets, combined in each way; the first row is the answer above.",
            name="combined-effects",
            of="way",
        ),
        Bullets(items=combining_meanings(frame["combined by"], combined.tau2_method)),
    )


def average_parts(
    combined: CombinedEffects,
    data: object,
    settings: AnalysisSettings,
    systems: tuple[str, str],
    *,
    unlike: Mapping[str, str],
    disagreement: str = "",
) -> tuple[Part, ...]:
    """The average effect, how far datasets differ, and what limits both.

    `unlike` has metrics by dataset, where they differ; `disagreement` is where a test over the
    datasets says the opposite.
    """
    a, b = systems
    margins = margins_of(data, settings)
    parts = [
        Paragraph(text=lead_sentence(combined, a=a, b=b), tone="lead"),
        *paragraphs(disagreement, standardised_caution(unlike) if unlike else "", tone="caution"),
        *paragraphs(
            margin_sentence(
                combined,
                a=a,
                b=b,
                # A table of published p-values has no margin, whatever is claimed.
                claim=settings.claim if margins else BETTER,
                margins=margins,
                written=margin_in_words(data, settings),
            ),
            differing_sentence(combined, a=a, b=b),
        ),
    ]
    if combined.effects.n_datasets > 1:
        no_count = "Counting says on how many datasets a system is better."
        if combined.effects.is_given:
            no_count = (
                "The file does not say what a positive effect means. Tests over datasets need two "
                "systems' scores, which a table of effects does not have."
            )
        no_count = f"This is an average, and one large effect can carry it. {no_count}"
        parts += paragraphs(no_count, tone="quiet")
        if settings.dependence != "independent":
            independent = (
                "All intervals take the datasets' results to be independent: datasets that share "
                "examples make them too narrow."
            )
            parts += paragraphs(independent, tone="quiet")
    front = front_cautions(combined, from_examples=isinstance(data, ResultSet), b=b)
    return (*parts, *paragraphs(*front, tone="caution"))


def _unlike(analysis: Analysis) -> dict[str, str]:
    return unlike_metrics(analysis.data.reading, analysis.table.datasets)


def has_no_average(effects: DatasetEffects, unlike: Mapping[str, str]) -> bool:
    """Whether effects are in units of metrics that are `unlike` between the datasets."""
    return bool(unlike) and effects.effect == "difference" and effects.n_datasets > 1


def without_average_parts(
    combined: CombinedEffects, metrics: Mapping[str, str]
) -> tuple[Part, ...]:
    """Each dataset's effect in its own unit, and why they come to no average."""
    effects = combined.effects
    order = range(effects.n_datasets)
    return (
        Paragraph(text=no_average_sentence(metrics), tone="lead"),
        Paragraph(
            text="Results on every example can be averaged as standardised differences, in standard deviations "
            "of the examples' differences; else choose one metric that several datasets have."
        ),
        Table(
            frame=effects_frame(combined, order, metrics=metrics, is_averaged=False),
            caption="The effect on each dataset, in the unit of its own metric.",
            name="effects",
            of="dataset",
        ),
        Download(write=effects.to_frame, name="effects"),
    )


def forest_parts(
    combined: CombinedEffects,
    data: object,
    settings: AnalysisSettings,
    systems: tuple[str, str],
    **arranged: Any,
) -> tuple[Part, ...]:
    """The effects with what they come to; `arranged` is their order and groups, as `forest_rows` has them."""
    effects = combined.effects
    is_difference = effects.effect == "difference"
    look: dict[str, Any] = {
        "effect_label": effect_label(effects),
        "level": format_confidence(1.0 - combined.macro.confidence_level),
        "sides": sides(effects, systems),
        "margins": margins_of(data, settings) if is_difference else {},
    }
    said = lead_sentence(combined, a=systems[0], b=systems[1])
    normal = "Each dataset's interval here is normal; the interval of its test may differ a little."
    has_own = is_difference and effects.variances is not None and isinstance(data, ResultSet)
    return (
        charted("forest", "Forest plot", said, _forest, combined, arranged, **look),
        *paragraphs(normal if has_own else "", tone="quiet"),
    )


def _forest(combined: CombinedEffects, arranged: Mapping[str, Any], **look: Any) -> Any:
    return forest(forest_rows(combined, **arranged), **look)


def _combined(analysis: Analysis) -> CombinedEffects | None:
    effects = _effects(analysis, "standardised" if _unlike(analysis) else "difference")
    if effects is not None and not effects.n_datasets:
        # Where examples' differences do not vary nothing can be standardised.
        effects = _effects(analysis, "difference")
    if effects is None or not effects.n_datasets:
        return None
    return combine_effects(effects, confidence_level=1.0 - analysis.settings.alpha)


def _effects(analysis: Analysis, effect: str) -> DatasetEffects | None:
    """Of scores that are averaged with their variances, else of each dataset's score alone."""
    data, table = analysis.data, analysis.table
    if isinstance(data, ResultSet):
        metric = metric_of(data, analysis.settings)
        is_mean = data.kind_of(metric) == MEAN
        return dataset_effects(
            data,
            a=table.system_a,
            b=table.system_b,
            metric=metric,
            # Of others in the metric's own name, with what has no score there named.
            effect=effect if is_mean else "difference",
            variance="auto" if is_mean else "none",
            datasets=table.datasets,
        )
    if table.scores_a is None or table.scores_b is None:
        return None
    return score_differences(table, a=table.system_a, b=table.system_b)


def width_of(interval: Interval | None) -> float:
    """How wide an interval is; 0 without one."""
    return 0.0 if interval is None else interval[1] - interval[0]


def turned(interval: Interval, estimate: float) -> Interval:
    """An interval as seen by the system that is ahead."""
    return interval if estimate >= 0.0 else (-interval[1], -interval[0])


def holds_zero(interval: Interval) -> bool:
    """Whether 0 is among the values."""
    return interval[0] <= 0.0 <= interval[1]


def _metric_name(effects: DatasetEffects) -> str:
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
    metric = _metric_name(effects)
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
        says = "The average leaves open whether"
        if all(comparison.inside(end, margin) > 0.0 for end in interval):
            says = "On average,"
        elif comparison.is_false_of(interval, margin):
            says = "The average speaks against the claim that"
        level = format_confidence(1.0 - combined.macro.confidence_level)
        found = (
            f"{says} {comparison.statement(display_name(a), display_name(b), written)} ({level} interval "
            f"{interval_text(interval, width_of(interval))}). This is an average, not a count of datasets."
        )
    return f"{found} The tests over datasets ask whether the average is 0, whatever the claim."


def lead_sentence(combined: CombinedEffects, *, a: str, b: str) -> str:
    """State how far A is ahead on average, with what the interval is for."""
    effects, n = combined.effects, combined.effects.n_datasets
    a, b, begun = display_name(a), display_name(b), ""
    if not effects.complete:
        n_done = n + len(effects.left_out)
        begun = f"So far ({n_done:,} of {n_done + len(effects.not_done):,} datasets done): "
    estimate, interval = combined.front_estimate, combined.front_interval
    width, metric = width_of(interval), _metric_name(effects)
    of = f" in {metric}" if metric else ""
    if effects.record.share:
        of += f", {effects.record.share},"
    if n > 1 and not effects.is_given and not effects.effects.any():
        return f"{begun}{a} and {b} score the same on every one of {n:,} datasets{of}."
    if n == 1:
        where, condition = f"on {display_name(effects.datasets[0])}", ", over examples like its own"
    elif combined.front == "random":
        where, condition = f"over datasets like these {n:,}", ""
    else:
        where = f"over {combined.effects.n_datasets:,} datasets"
        condition = ", if the datasets are a random sample of those meant"
    on_average = " on average" * (n > 1)
    ahead, behind = (a, b) if estimate >= 0.0 else (b, a)
    if effects.is_given:
        verb = "effects average" if n > 1 else "effect is"
        found = f"The {verb} {number(estimate, width)}{of} {where}"
    elif estimate == 0.0:
        found = f"{a} and {b} are level{of}{on_average} {where}"
    else:
        unit = f" {effects.record.unit}".rstrip()
        size = f"{size_of(estimate, width)}{unit}{of}"
        found = f"{ahead} is ahead of {behind} by {size}{on_average} {where}"
    found = f"{begun}{found}"
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


def differing_sentence(combined: CombinedEffects, *, a: str = "A", b: str = "B") -> str:
    """State how far effects differ between datasets; empty where nothing is known of that."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ""
    level = format_confidence(1.0 - random.confidence_level)
    freedom = f"{counted(random.degrees_of_freedom, 'degree')} of freedom"
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
        without = f"{counted(left_out, 'dataset')} without a variance"
        found += f" Q and I² leave out {without}: they speak for {random.n_datasets:,} datasets."
    ends = random.new_dataset_interval
    if ends is None or combined.front != "random":
        return found
    seen, side = ends, ""
    if not combined.effects.is_given:
        seen, ahead = turned(ends, random.estimate), a if random.estimate >= 0.0 else b
        either = ", so it may favour either system" if ends[0] < 0.0 < ends[1] else ""
        side = f"; positive favours {display_name(ahead)}){either}."
    return (
        f"{found} The true effect on a new dataset of this kind is expected from "
        f"{interval_text(seen, width_of(ends))} ({level} prediction interval{side or ').'}"
    )


_EQUAL_WEIGHTS = (
    "The answer is therefore the average in which every dataset counts the same; the table has the "
    "others."
)


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
        say = " Say the highest possible score below: 1, or 100 for percentages."
        more = say if remedy and own[0].needs_maximum else ""
        found.append(f"{sentence_case(said)} ({count}{names}).{more}")
    return tuple(found)


def front_cautions(
    combined: CombinedEffects, *, from_examples: bool = False, b: str | None = None
) -> tuple[str, ...]:
    """What limits the answer itself."""
    found = []
    effects, random = combined.effects, combined.random
    if not effects.complete:
        found.append(f"Stopped before these datasets were done: {list_names(effects.not_done)}.")
    left_out = left_out_lines(effects, b=b)
    found += [f"Left out: {line[:1].lower()}{line[1:]}" for line in left_out]
    if effects.variances is None and from_examples:
        found.append(
            "These are averages of the datasets' scores alone. Bootstrap this metric's effects on the "
            "Effect size page for intervals per dataset."
        )
    elif effects.variances is None:
        needs = "results on every example, or standard errors"
        if effects.n_datasets == 1:
            found.append(f"One score carries no sampling error. An interval needs {needs}.")
        else:
            tests = "" if too_few_datasets(effects.n_datasets) else " and tests over datasets"
            found.append(
                f"One score per dataset carries no sampling error, so only the macro-average{tests} "
                f"can be made; a meta-analysis needs {needs}."
            )
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
    if random is not None and random.is_outside_interval and random.tau2_interval is not None:
        low, high = random.tau2_interval
        tau2, *ends = (size_of(value, high - low) for value in (random.tau2, low, high))
        found.append(
            f"τ² by {tau2_estimator(random.tau2_method).title} is {tau2}, outside its "
            f"{format_confidence(1.0 - random.confidence_level)} Q-profile interval "
            f"({' to '.join(ends)}), so no interval of I² is shown. τ² by Paule–Mandel lies inside."
        )
    if random is not None and 1 < effects.n_datasets < 5:
        found.append(
            f"{effects.n_datasets:,} datasets give a poor estimate of the spread between them: every "
            "interval over datasets is wide or unreliable."
        )
    return tuple(found)


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
    """A row for each way of combining several datasets, the one of the answer first."""
    random, found = combined.random, _ways(combined)
    has_both = random is not None and random.hartung_knapp_interval is not None
    if random is not None and has_both and random.interval == random.confidence_interval:
        # The answer's interval is the wider of two.
        found[:2] = found[1::-1]
    in_front = combined.macro.kind if combined.front == "macro-average" else ""
    found.sort(key=lambda way: way[0] != in_front)
    level = format_confidence(1.0 - combined.macro.confidence_level)
    # Without an interval of its own, with the digits of the answer's.
    widths = [width_of(interval or found[0][3]) for *_, interval in found]
    return frame_of(
        {
            "combined by": [title_of_way(way) for way, *_ in found],
            effect_label(combined.effects): [
                number(estimate, width)
                for (_, _, estimate, _), width in zip(found, widths, strict=True)
            ],
            f"{level} interval": [
                interval_text(interval, width)
                for (*_, interval), width in zip(found, widths, strict=True)
            ],
            "made by": [_MADE_BY.get(by, by) if interval else "–" for _, by, _, interval in found],
        }
    )


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
            form = form_of(scores.tolist(), digits=5)
            columns[name] = [minus(form % float(scores[i])) for i in order]
    if any(effects.notes):
        columns["note"] = [effects.notes[i] for i in order]
    return frame_of(columns)


def combining_meanings(titles: Iterable[str], tau2: str) -> tuple[str, ...]:
    """What each way of combining means, once each, in the order of a table's rows."""
    meanings, reference = ways(), tau2_estimator(tau2).reference
    return tuple(
        f"{title}: {meanings[title].format(tau2=reference)}" for title in dict.fromkeys(titles)
    )
