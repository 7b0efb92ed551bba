"""The matrix of all pairs at the claim of the sidebar, where that is one at a margin."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.analysis.settings import margin_in_words
from core.comparison import comparison_named, written_margin
from core.data import ResultSet
from core.sections.systems import claim_parts, counts_at_margin
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.words import systems_board as words
from pages.ui.frame import prose, state
from pages.ui.results import parts
from pages.ui.systems import data as systems_data
from pages.ui.work import background, studies
from pages.ui.work.background import Task

# P-values of 0/1 outcomes that take about two seconds; what takes longer waits to be asked for.
_BY_ITSELF = 4_000
AT_MARGIN = "all-pairs-at-margin"


def show(data: ResultSet, family: str) -> None:
    """Nothing where the claim is that A is better, which the matrix above is about."""
    settings = state.session().settings
    if not comparison_named(settings.claim).takes_margin:
        return
    margin = margin_in_words(data, settings)
    claim = comparison_named(settings.claim).heading("row", "column", margin)
    st.header(f"The claim of the sidebar: {claim}", anchor=False)
    prose.paragraph(words.ABOUT_CLAIMS)
    task = _study(data)
    n_p_values = len(data.systems) ** 2 * len(state.chosen_datasets(data))
    if data.has_outcomes(state.metric()) and n_p_values <= _BY_ITSELF:
        studies.begin_by_itself(task)
    run = background.latest(AT_MARGIN)
    found = run.result if run is not None and run.task.settings == task.settings else None
    if not (isinstance(found, PairComparisons) and found.complete):
        studies.button("Compare all pairs at the margin", task, key="systems-at-margin")
    pairs = studies.answer(task, PairComparisons)
    if pairs is None:
        return
    parts.show(claim_parts(counts_at_margin(pairs, settings, family), pairs, margin))


def written(margins: tuple[float, ...]) -> str:
    """The margins of all datasets, in the metric of the sidebar, as sentences have them."""
    loaded = state.session().loaded
    data = None if loaded is None else loaded.data
    points = data.points_of(state.metric()) if isinstance(data, ResultSet) else None
    return written_margin(margins, points)


def _study(data: ResultSet) -> Task:
    settings, asked = state.session().settings, systems_data.settings(data)
    at: dict[str, Any] = {"claim": settings.claim, "margin": settings.margin}
    return studies.study(
        AT_MARGIN,
        {**{name: asked[name] for name in ("datasets", "metric", "resamples", "seed")}, **at},
        partial(
            compare_all_pairs,
            data,
            metric=asked["metric"],
            datasets=asked["datasets"],
            n_resamples=asked["resamples"],
            rng=asked["seed"],
            **at,
        ),
        doing="Comparing all pairs",
        unit="comparisons",
        tried=(
            "all pairs compared",
            f"{asked['metric']}, {settings.claim}, margin {settings.margin}",
        ),
    )
