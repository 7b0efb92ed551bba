"""Tests over datasets: the two systems, and all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.effects.across import AcrossTests, compare_across
from core.effects.combined import CombinedEffects
from core.effects.friedman import FEWEST_SYSTEMS
from core.effects.score_columns import too_few_datasets
from core.types import FloatArray
from core.words import across as words
from core.words.across import disagreement_sentence
from core.words.formatting import display_name, metric_label
from core.words.reading import sizes_caution
from pages.ui.effects import data as effects_data
from pages.ui.frame import prose, state, tables
from pages.ui.frame.session import Data
from pages.ui.results import explanations


def disagreement(data: Data, combined: CombinedEffects) -> str:
    """Where the tests over datasets and the average effect do not say the same, a sentence on it."""
    if isinstance(data, EffectTable):
        return ""
    datasets, _ = _with_scores(data)
    if too_few_datasets(len(datasets)):
        return ""
    alpha = state.session().settings.alpha
    return disagreement_sentence(combined, _tested(data, datasets), alpha=alpha)


def show(data: Data) -> Callable[[], None] | None:
    """What tests over datasets say, where the data allow them; what draws every one of them."""
    if isinstance(data, EffectTable):
        return None
    st.header("Tests over datasets", anchor=False)
    every, (datasets, missing) = None, _with_scores(data)
    if missing:
        reason = "a score is missing"
        if isinstance(data, ResultSet):
            label = metric_label(state.metric(), data.kind_of(state.metric()))
            reason = f"{display_name(label)} is not defined for both systems"
        prose.notice(words.left_out_of_tests(missing, reason))
    if too_few := too_few_datasets(len(datasets)):
        prose.paragraph(too_few)
    else:
        found = _tested(data, datasets)
        alpha = state.session().settings.alpha
        unlike = effects_data.unlike(data)
        if unlike:
            prose.notice(sizes_caution(unlike))
        prose.paragraph(words.across_sentence(found, alpha=alpha), strong=True)
        prose.paragraph(words.WHAT_THEY_ASK, quiet=True)
        every = partial(_tests, found)
    if isinstance(data, ResultSet | ScoreTable) and len(data.systems) >= FEWEST_SYSTEMS:
        st.page_link(
            "pages/systems.py", label=f"Tests and ranks of all {len(data.systems)} systems →"
        )
    return every


def _scores(data: Data, metric: str, systems: Sequence[str], datasets: Sequence[str]) -> FloatArray:
    """A row a dataset, a column a system; nan where there is no score."""
    if isinstance(data, ResultSet):
        rows = [[data.score(name, system, metric) for system in systems] for name in datasets]
        return np.array(rows).reshape(len(datasets), len(systems))
    assert isinstance(data, PValueTable | ScoreTable)
    places = [data.datasets.index(name) for name in datasets]
    return np.column_stack([data.scores(system) for system in systems])[places]


def _with_scores(data: Data) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Datasets on which both systems have a score, and the others."""
    names = state.chosen_datasets(data)
    # Else every score would be looked up each time that the page is drawn.
    scores = state.computed(_scores, data, effects_data.metric(data), state.systems(), names)
    known = dict(zip(names, np.isfinite(scores).all(axis=1).tolist(), strict=True))
    return tuple(filter(known.get, names)), tuple(name for name in names if not known[name])


def _tested(data: Data, datasets: tuple[str, ...]) -> AcrossTests:
    """The two systems' tests over these datasets, computed once."""
    return state.computed(_pair, data, effects_data.metric(data), state.systems(), datasets)


def _pair(
    data: Data, metric: str, systems: tuple[str, str], datasets: Sequence[str]
) -> AcrossTests:
    assert not isinstance(data, EffectTable)
    if isinstance(data, ResultSet):
        named: str | None = metric
        higher_is_better = data.is_higher_better(metric)
    else:
        named, higher_is_better = data.metric, data.higher_is_better
    return compare_across(
        *_scores(data, metric, systems, datasets).T,
        datasets=datasets,
        systems=systems,
        metric=named,
        higher_is_better=higher_is_better,
        fingerprint=data.fingerprint,
    )


def _tests(found: AcrossTests) -> None:
    tables.frame(words.across_frame(found))
    tables.download(found.to_frame, name="tests-over-datasets", what="these tests")
    explanations.signature(found.signature, of="these tests")
