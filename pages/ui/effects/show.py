"""The average effect: sentence, forest plot, table."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.settings import margin_in_words, margins_of
from core.charts.forest import forest, forest_rows, sides
from core.data import ResultSet
from core.effects.combined import CombinedEffects
from core.effects.dataset_effects import DatasetEffects
from core.effects.subsets import group_analyses
from core.sections.effects import average_parts
from core.words import effects as words
from core.words.effects import effect_label, groups_sentence, level_text
from core.words.effects_tables import combined_frame, effects_frame, numbers_frame
from core.words.reading import (
    HOW_TO_AVERAGE,
    no_average_sentence,
    unlike_metrics,
)
from core.words.testing import INTERVALS_OF_EFFECTS
from pages.ui.effects import data as effects_data
from pages.ui.effects import form
from pages.ui.frame import figures, prose, state, tables
from pages.ui.frame.session import Data
from pages.ui.results import parts

_ORDERS = {"effect": "by effect", "file": "as in the file", "size": "by number of examples"}
_NO_GROUPS = "no groups"


def lead(data: Data, combined: CombinedEffects, *, disagreement: str = "") -> None:
    """The answer, how far datasets differ, and what limits it."""
    settings = state.session().settings
    why = words.WHILE_DRAWING if effects_data.is_at_work() else words.NOT_DRAWN
    parts.show(
        average_parts(
            combined,
            systems=state.systems(),
            unlike=form.unlike(data),
            claim=settings.claim,
            margins=margins_of(data, settings),
            written=margin_in_words(data, settings),
            is_dependent=effects_data.is_dependent(),
            why_averages=why if isinstance(data, ResultSet) else words.ONE_SCORE,
            disagreement=disagreement,
        )
    )


def is_refused(data: Data, effects: DatasetEffects) -> bool:
    """Whether these effects are in units of metrics that differ between the datasets."""
    return (
        effects.n_datasets > 1 and effects.effect == "difference" and bool(_metrics(data, effects))
    )


def _metrics(data: Data, effects: DatasetEffects) -> dict[str, str]:
    return unlike_metrics(data.reading, effects.datasets)


def without_average(data: Data, effects: DatasetEffects) -> None:
    """Each dataset's effect by itself, with why they come to no average."""
    metrics = _metrics(data, effects)
    prose.lead(no_average_sentence(metrics))
    prose.paragraph(HOW_TO_AVERAGE)
    combined = effects_data.combined(effects)
    order = range(effects.n_datasets)
    tables.frame(effects_frame(combined, order, metrics=metrics, is_averaged=False))
    tables.download(effects.to_frame, name="effects")


def plot(data: Data, combined: CombinedEffects) -> None:
    """The forest plot, with how to sort and group it, and its numbers."""
    effects = combined.effects
    order = "file"
    groups: dict[str, tuple[int, ...]] = {}
    if effects.n_datasets > 1:
        order, groups = _arranged(effects)
    rows = state.kept(
        (*effects_data.key_of("forest", effects), order, tuple(groups.items())),
        lambda: forest_rows(combined, order=ordered(effects, order), groups=groups),
    )
    a, b = state.systems()
    figures.show(
        partial(
            forest,
            rows,
            effect_label=effect_label(effects),
            level=level_text(combined.macro.confidence_level),
            sides=sides(effects, (a, b)),
            margins=words.drawn_margins(combined, margins_of(data, state.session().settings)),
        ),
        name="forest",
        alt=f"Forest plot. {words.lead_sentence(combined, a=a, b=b)}",
    )
    if isinstance(data, ResultSet) and words.has_own_intervals(combined):
        prose.paragraph(INTERVALS_OF_EFFECTS, quiet=True)
    tables.frame(show_ways(combined))
    if marked := words.row_of_answer(combined):
        prose.paragraph(marked, quiet=True)
    tables.download(
        lambda: numbers_frame(combined), name="combined", what="these ways of combining"
    )
    if groups and combined.random is not None:
        _between_groups(combined, groups)


def show_ways(combined: CombinedEffects) -> pd.DataFrame:
    """The ways of combining that the page leads with."""
    frame: pd.DataFrame = state.kept(
        effects_data.key_of("combined-frame", combined.effects), lambda: combined_frame(combined)
    )
    return frame[frame["combined by"] != words.way_title("gumbel")]


def _arranged(effects: DatasetEffects) -> tuple[str, dict[str, tuple[int, ...]]]:
    orders = [key for key in _ORDERS if key != "size" or effects.n_examples is not None]
    by_column = effects_data.groupings(effects)
    with st.container(horizontal=True):
        order = st.selectbox(
            "Sorted",
            orders,
            format_func=lambda key: _ORDERS[key],
            key="effect-order",
            persist_state="session",
            width=220,
        )
        column = _NO_GROUPS
        if by_column:
            column = st.selectbox(
                "Grouped by",
                [_NO_GROUPS, *by_column],
                key="effect-groups",
                persist_state="session",
                width=220,
            )
    return order, by_column.get(column, {})


def ordered(effects: DatasetEffects, order: str) -> list[int]:
    """Places of the datasets in the order that was chosen."""
    places = list(range(effects.n_datasets))
    if order == "effect":
        return sorted(places, key=lambda i: -float(effects.effects[i]))
    if order == "size" and effects.n_examples is not None:
        sizes = effects.n_examples
        return sorted(places, key=lambda i: -int(sizes[i]))
    return places


def _between_groups(combined: CombinedEffects, groups: dict[str, tuple[int, ...]]) -> None:
    effects = combined.effects
    assert effects.variances is not None
    group_of = {i: name for name, members in groups.items() for i in members}
    own = [i for i in combined.weighed if i in group_of]
    if len({group_of[i] for i in own}) < 2:
        return
    found = group_analyses(
        effects.effects[own],
        effects.variances[own],
        [group_of[i] for i in own],
        confidence_level=combined.macro.confidence_level,
        tau2=combined.tau2_method,
    )
    prose.paragraph(groups_sentence(found))
