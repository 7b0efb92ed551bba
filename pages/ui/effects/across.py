"""Tests over datasets: the two systems, and all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeGuard

import numpy as np
import streamlit as st

from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.effects.across import AcrossTests, compare_across
from core.effects.combined import CombinedEffects
from core.effects.friedman import FEWEST_SYSTEMS, Friedman, friedman, quade
from core.effects.post_hoc import PostHoc, post_hoc_named, post_hoc_names
from core.effects.score_columns import too_few_datasets
from core.sections.systems import ranks_diagram
from core.types import FloatArray
from core.words import across as words
from core.words.across import disagreement_sentence
from core.words.formatting import display_name, metric_label
from core.words.reading import sizes_caution
from pages.ui.effects import data as effects_data
from pages.ui.frame import prose, state, tables, widgets
from pages.ui.frame.session import Data
from pages.ui.results import explanations, parts

Scored = ResultSet | PValueTable | ScoreTable


def disagreement(data: Data, combined: CombinedEffects) -> str:
    """Where the tests over datasets and the average effect do not say the same, a sentence on it."""
    if isinstance(data, EffectTable):
        return ""
    datasets, _ = _with_scores(data, state.systems())
    if too_few_datasets(len(datasets)):
        return ""
    alpha = state.session().settings.alpha
    return disagreement_sentence(combined, _tested(data, datasets), alpha=alpha)


def show(data: Data) -> Callable[[], None] | None:
    """What tests over datasets say, where the data allow them; what draws every one of them."""
    if isinstance(data, EffectTable):
        return None
    every = None
    st.header("Tests over datasets", anchor=False)
    datasets = _scored(data, state.systems())
    if datasets:
        found = _tested(data, datasets)
        alpha = state.session().settings.alpha
        unlike = effects_data.unlike(data)
        if unlike:
            prose.notice(sizes_caution(unlike))
        prose.paragraph(words.across_sentence(found, alpha=alpha), strong=True)
        prose.paragraph(words.WHAT_THEY_ASK, quiet=True)
        every = partial(_tests, found)
    if _has_many(data):
        st.header(f"All {len(data.systems)} systems", anchor=False)
        datasets = _scored(data, data.systems)
        if datasets:
            _many(data, datasets)
    return every


def quade_of(data: Data) -> str | None:
    """What Quade's test of all systems says; None where it says nothing."""
    if not _has_many(data):
        return None
    datasets, _ = _with_scores(data, data.systems)
    if too_few_datasets(len(datasets)):
        return None
    ranked = state.computed(_ranked, data, effects_data.metric(data), datasets)
    return words.quade_line(state.computed(quade, ranked)) or None


def _has_many(data: Data) -> TypeGuard[ResultSet | ScoreTable]:
    return isinstance(data, ResultSet | ScoreTable) and len(data.systems) >= FEWEST_SYSTEMS


def _scores(
    data: Scored, metric: str, systems: Sequence[str], datasets: Sequence[str]
) -> FloatArray:
    """A row a dataset, a column a system; nan where there is no score."""
    if isinstance(data, ResultSet):
        rows = [[data.score(name, system, metric) for system in systems] for name in datasets]
        return np.array(rows).reshape(len(datasets), len(systems))
    places = [data.datasets.index(name) for name in datasets]
    return np.column_stack([data.scores(system) for system in systems])[places]


def _with_scores(data: Scored, systems: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Datasets on which each system has a score, and the others."""
    names = state.chosen_datasets(data)
    # Else every score would be looked up each time that the page is drawn.
    scores = state.computed(_scores, data, effects_data.metric(data), systems, names)
    known = dict(zip(names, np.isfinite(scores).all(axis=1).tolist(), strict=True))
    return tuple(filter(known.get, names)), tuple(name for name in names if not known[name])


def _scored(data: Scored, systems: Sequence[str]) -> tuple[str, ...]:
    """Datasets on which each system has a score, none if too few; why the others have no part."""
    known, missing = _with_scores(data, systems)
    if missing:
        reason = "a score is missing"
        if isinstance(data, ResultSet):
            label = metric_label(state.metric(), data.kind_of(state.metric()))
            reason = f"{display_name(label)} is not defined for every system"
        prose.notice(words.left_out_of_tests(missing, reason))
    reason = too_few_datasets(len(known))
    if reason:
        prose.paragraph(reason)
        return ()
    return known


def _tested(data: Scored, datasets: tuple[str, ...]) -> AcrossTests:
    """The two systems' tests over these datasets, computed once."""
    return state.computed(_pair, data, effects_data.metric(data), state.systems(), datasets)


def _pair(
    data: Scored, metric: str, systems: tuple[str, str], datasets: Sequence[str]
) -> AcrossTests:
    columns = _scores(data, metric, systems, datasets).T
    return compare_across(*columns, **_told(data, metric, systems, datasets))


def _told(
    data: Scored, metric: str, systems: Sequence[str], datasets: Sequence[str]
) -> dict[str, Any]:
    """What tests are told of the scores."""
    told = {"datasets": datasets, "systems": systems, "fingerprint": data.fingerprint}
    if isinstance(data, ResultSet):
        return {**told, "metric": metric, "higher_is_better": data.is_higher_better(metric)}
    return {**told, "metric": data.metric, "higher_is_better": data.higher_is_better}


def _tests(found: AcrossTests) -> None:
    tables.frame(words.across_frame(found))
    tables.download(found.to_frame, name="tests-over-datasets", what="these tests")
    explanations.signature(found.signature, of="these tests")


def _many(data: ResultSet | ScoreTable, datasets: tuple[str, ...]) -> None:
    ranked = state.computed(_ranked, data, effects_data.metric(data), datasets)
    with st.container(horizontal=True):
        procedure = widgets.choice(
            "Systems compared by",
            post_hoc_names(),
            key=state.of_files("across-post-hoc"),
            words=lambda name: post_hoc_named(name).title,
        )
        control = None
        if post_hoc_named(procedure).needs_control:
            a, key = state.systems()[0], state.of_file("across-control")
            # A stands first, as the one that others are compared with unless another is chosen.
            systems = sorted(data.systems, key=lambda name: name != a)
            control = widgets.choice("Compared with", systems, key=key, words=display_name)
    alpha = state.session().settings.alpha
    found = state.computed(_compared, ranked, procedure, control, alpha)
    prose.paragraph(words.friedman_sentence(ranked, found), strong=True)
    if names := words.names_of_best(ranked, found):
        prose.paragraph(names)
    parts.show([ranks_diagram(ranked, found)])
    frame = state.computed(words.ranks_frame, ranked, found)
    tables.frame(frame)
    tables.download(lambda: frame, name="ranks", what="the ranks")
    prose.paragraph(words.letters_note(found), quiet=True)
    prose.paragraph(post_hoc_named(procedure).meaning, quiet=True)
    prose.paragraph(words.friedman_details(ranked), quiet=True)
    explanations.signature(found.signature, of="these tests")


def _compared(ranked: Friedman, procedure: str, control: str | None, alpha: float) -> PostHoc:
    return post_hoc_named(procedure).run(ranked, control, alpha)


def _ranked(data: ResultSet | ScoreTable, metric: str, datasets: Sequence[str]) -> Friedman:
    scores = _scores(data, metric, data.systems, datasets)
    return friedman(scores, **_told(data, metric, data.systems, datasets))
