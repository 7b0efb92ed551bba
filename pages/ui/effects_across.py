"""Tests over datasets: the two systems, and all of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts.critical_difference import critical_difference_diagram
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.effects.across import AcrossTests, compare_across, compare_across_of
from core.effects.friedman import FEWEST_SYSTEMS, Friedman, friedman, friedman_of
from core.effects.post_hoc import PostHoc, holm_post_hoc, nemenyi, wilcoxon_post_hoc
from core.effects.score_columns import too_few_datasets
from core.report import across as words
from pages.ui import effects_data, explanations, figures, prose, state
from pages.ui.sections import section
from pages.ui.session import Data


def show(data: Data) -> None:
    """What tests over datasets say, where the data allow them."""
    if isinstance(data, EffectTable):
        return
    datasets = effects_data.chosen_datasets(data)
    st.subheader("Tests over datasets", anchor=False)
    reason = too_few_datasets(len(datasets))
    if reason:
        prose.paragraph(reason)
        return
    found = _pair(data, datasets)
    prose.paragraph(words.across_sentence(found, alpha=state.session().settings.alpha), strong=True)
    prose.paragraph(words.WHAT_THEY_ASK, quiet=True)
    section(
        "Every test and variant",
        lambda: _tests(found),
        key="across-tests",
    )
    if isinstance(data, PValueTable) or len(data.systems) < FEWEST_SYSTEMS:
        return
    st.subheader(f"All {len(data.systems)} systems", anchor=False)
    _many(data, datasets)


def _pair(data: ResultSet | PValueTable | ScoreTable, datasets: Sequence[str]) -> AcrossTests:
    a, b = state.systems()
    if isinstance(data, ResultSet):
        metric = state.metric()
        return compare_across(
            [data.score(name, a, metric) for name in datasets],
            [data.score(name, b, metric) for name in datasets],
            higher_is_better=data.is_higher_better(metric),
            datasets=datasets,
            systems=(a, b),
        )
    return compare_across_of(effects_data.chosen_rows(data), a=a, b=b)


def _tests(found: AcrossTests) -> None:
    st.dataframe(words.across_frame(found), hide_index=True, height="content")
    explanations.signature(found.signature)


def _many(data: ResultSet | ScoreTable, datasets: Sequence[str]) -> None:
    ranked = _ranked(data, datasets)
    procedure = st.selectbox(
        "Systems compared by",
        list(words.POST_HOC_NAMES),
        format_func=lambda name: words.POST_HOC_NAMES[name],
        key="across-post-hoc",
        persist_state="session",
        width=360,
    )
    alpha = state.session().settings.alpha
    key = (
        state.session().n_loaded,
        "post-hoc",
        ranked.signature,
        tuple(datasets),
        procedure,
        alpha,
    )
    found = state.session().results.remember(key, lambda: _post_hoc(ranked, procedure, alpha))
    sentence = words.friedman_sentence(ranked, found)
    prose.paragraph(sentence, strong=True)
    prose.paragraph(words.names_of_best(ranked, found))
    figures.show(
        lambda theme: critical_difference_diagram(found, theme=theme),
        name="critical-difference",
        alt=f"Mean ranks. {sentence}",
    )
    frame = words.ranks_frame(ranked, found)
    st.dataframe(frame, hide_index=True, height="content" if len(frame) <= 25 else 600)
    prose.paragraph(words.letters_note(found), quiet=True)
    prose.paragraph(words.POST_HOC_MEANINGS[procedure], quiet=True)
    prose.paragraph(words.friedman_details(ranked), quiet=True)
    explanations.signature(found.signature)


def _ranked(data: ResultSet | ScoreTable, datasets: Sequence[str]) -> Friedman:
    if isinstance(data, ScoreTable):
        return friedman_of(data, datasets=datasets)
    metric = state.metric()
    return friedman(
        [[data.score(name, system, metric) for system in data.systems] for name in datasets],
        higher_is_better=data.is_higher_better(metric),
        datasets=datasets,
        systems=data.systems,
    )


def _post_hoc(ranked: Friedman, procedure: str, alpha: float) -> PostHoc:
    if procedure == "nemenyi":
        return nemenyi(ranked, alpha)
    if procedure == "holm":
        return holm_post_hoc(ranked, alpha=alpha)
    return wilcoxon_post_hoc(ranked, alpha=alpha)
