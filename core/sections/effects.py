"""How large the effect is over all datasets, as a section of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..analysis import Analysis
from ..analysis.settings import AnalysisSettings, margin_in_words, margins_of, metric_of
from ..charts.forest import forest, forest_rows, sides
from ..comparison import BETTER
from ..data import ResultSet
from ..effects.combined import CombinedEffects, combine_effects
from ..effects.dataset_effects import DatasetEffects, score_differences
from ..effects.from_results import dataset_effects
from ..metrics.registry import MEAN
from ..words import effects as words
from ..words.effects import effect_label
from ..words.effects_tables import combined_frame, combining_meanings, effects_frame
from ..words.formatting import format_confidence
from ..words.reading import (
    no_average_sentence,
    standardised_caution,
    unlike_metrics,
)
from .parts import Bullets, Download, Figure, Paragraph, Part, Table, charted, paragraphs

# A longer plot fills pages; its numbers are in the tables.
_MOST_DRAWN = 100


def effects_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The average effect, how far datasets differ, each way of combining them; none without scores."""
    combined = analysis.memory.remember(
        ("effects", analysis.table, analysis.settings), lambda: _combined(analysis)
    )
    if combined is None:
        return ()
    table = analysis.table
    unlike = _unlike(analysis)
    if has_no_average(combined.effects, unlike):
        return without_average_parts(combined, unlike)
    a, b = table.system_a, table.system_b
    margins = margins_of(analysis.data, analysis.settings)
    parts: list[Part] = [
        *average_parts(
            combined,
            analysis.data,
            analysis.settings,
            systems=(a, b),
            unlike=unlike,
        ),
        *paragraphs(*words.further_cautions(combined), tone="caution"),
    ]
    lead = words.lead_sentence(combined, a=a, b=b)
    if combined.effects.n_datasets <= _MOST_DRAWN:
        parts.append(forest_figure(combined, lead, margins, (a, b)))
    parts += intervals_parts(combined, analysis.data)
    frame = combined_frame(combined)
    caption = "The effect on the one dataset."
    if combined.effects.n_datasets > 1:
        caption = (
            "The effects of all datasets, combined in each way; the first row is the answer above."
        )
    parts.append(Table(frame=frame, caption=caption, name="combined-effects", of="way"))
    meanings = combining_meanings(frame["combined by"], combined.tau2_method)
    if meanings:
        parts.append(Bullets(items=meanings))
    return tuple(parts)


def average_parts(
    combined: CombinedEffects,
    data: object,
    settings: AnalysisSettings,
    *,
    systems: tuple[str, str],
    unlike: Mapping[str, str],
    disagreement: str = "",
) -> tuple[Part, ...]:
    """The average effect, how far datasets differ, and what limits both.

    `unlike` has metrics by dataset, where they differ; `disagreement` is where a test over the
    datasets says the opposite.
    """
    a, b = systems
    parts = [Paragraph(text=words.lead_sentence(combined, a=a, b=b), tone="lead")]
    averaged = standardised_caution(dict(unlike)) if unlike else ""
    parts += paragraphs(disagreement, averaged, tone="caution")
    written, margins = margin_in_words(data, settings), margins_of(data, settings)
    # A table of published p-values has no margin, whatever is claimed.
    claim = settings.claim if margins else BETTER
    beside = words.margin_sentence(
        combined, a=a, b=b, claim=claim, margins=margins, written=written
    )
    differing = words.differing_sentence(combined, a=a, b=b)
    parts += paragraphs(beside, differing)
    if combined.effects.n_datasets > 1:
        no_count = "Counting says on how many datasets a system is better."
        if combined.effects.is_given:
            no_count = (
                "The file does not say what a positive effect means. Tests over datasets need two "
                "systems' scores, which a table of effects does not have."
            )
        no_count = f"This is an average, and one large effect can carry it. {no_count}"
        independent = (
            "All intervals take the datasets' results to be independent: datasets that share examples "
            "make them too narrow."
        )
        if settings.dependence == "independent":
            independent = ""
        parts += paragraphs(no_count, independent, tone="quiet")
    front = words.front_cautions(combined, from_examples=isinstance(data, ResultSet), b=b)
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
        Paragraph(text=no_average_sentence(dict(metrics)), tone="lead"),
        Paragraph(
            text="Results on every example can be averaged as standardised differences, in standard deviations "
            "of the examples' differences; else choose one metric that several datasets have."
        ),
        Table(
            frame=effects_frame(combined, order, metrics=dict(metrics), is_averaged=False),
            caption="The effect on each dataset, in the unit of its own metric.",
            name="effects",
            of="dataset",
        ),
        Download(write=effects.to_frame, name="effects"),
    )


def forest_figure(
    combined: CombinedEffects,
    said: str,
    margins: Mapping[str, float],
    systems: tuple[str, str],
    **arranged: Any,
) -> Figure:
    """The effects with what they come to; `arranged` is their order and groups, as `forest_rows` has them."""
    look: dict[str, Any] = {
        "effect_label": effect_label(combined.effects),
        "level": format_confidence(1.0 - combined.macro.confidence_level),
        "sides": sides(combined.effects, systems),
        "margins": margins if combined.effects.effect == "difference" else {},
    }
    return charted("forest", "Forest plot", said, _forest, combined, arranged, **look)


def _forest(combined: CombinedEffects, arranged: Mapping[str, Any], **look: Any) -> Any:
    return forest(forest_rows(combined, **arranged), **look)


def intervals_parts(combined: CombinedEffects, data: object) -> tuple[Part, ...]:
    """How the intervals of effects from results on examples were made, where they have some."""
    effects = combined.effects
    has_own = effects.effect == "difference" and effects.variances is not None
    said = (
        "Each dataset's interval here is normal; the interval of its test may differ a little."
        if has_own and isinstance(data, ResultSet)
        else ""
    )
    return paragraphs(said, tone="quiet")


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
