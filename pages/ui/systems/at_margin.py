"""The matrix of all pairs at the claim of the sidebar, where that is one at a margin."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.settings import margin_in_words
from core.comparison import comparison_named
from core.data import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix, count_matrix
from core.words import systems_board as words
from pages.ui.frame import prose, state, tables
from pages.ui.results import explanations
from pages.ui.systems import board
from pages.ui.systems import data as systems_data
from pages.ui.work import studies
from pages.ui.work.background import Task

# P-values of 0/1 outcomes that take about two seconds; what takes longer waits to be asked for.
_BY_ITSELF = 4_000


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
    studies.button("Compare all pairs at the margin", task, key="systems-at-margin")
    pairs = studies.answer(task, PairComparisons)
    if pairs is None:
        return
    counts = _counts(pairs, family)
    prose.paragraph(words.claim_sentence(counts, pairs, margin), strong=True)
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    frame = counts.to_matrix_frame().iloc[order, [0, *(place + 1 for place in order)]]
    heading = words.claim_heading(pairs, margin, n_datasets=counts.n_datasets)
    prose.paragraph(f"{heading}:", quiet=True)
    board.table(frame, key="systems-at-margin-table")
    with st.container(horizontal=True):
        tables.download(counts.to_matrix_frame, name="pairs-at-margin", what="the matrix")
        tables.download(pairs.to_frame, name="pair-p-values-at-margin", what="every p-value")
    studies.tell_notes((*counts.notes, *pairs.notes))
    explanations.signature(counts.signature)


def _counts(pairs: PairComparisons, family: str) -> CountMatrix:
    how = "bonferroni" if family == "all" else systems_data.combination()
    alpha = state.session().settings.alpha
    return count_matrix(pairs, alpha=alpha, combination=how, family=family)


def _study(data: ResultSet) -> Task:
    settings, asked = state.session().settings, systems_data.settings(data)
    at: dict[str, Any] = {"claim": settings.claim, "margin": settings.margin}
    return studies.study(
        systems_data.AT_MARGIN,
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
