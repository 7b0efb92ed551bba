"""The section on covariates: p along a number, and level by level of a category."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from core.data import ResultSet
from core.reliability.covariates import dataset_cut_off_study, suitable_cut_off_tests
from core.reliability.cut_offs import CutOffStudy
from core.reliability.levels import LevelStudy, level_study
from core.sections import reliability as sections
from core.words import reliability_runs as words
from core.words.formatting import display_name
from pages.ui.frame import limits, prose, state
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.reliability import data as common
from pages.ui.results import parts
from pages.ui.work import studies
from pages.ui.work.background import Task


def show(data: ResultSet) -> None:
    """Along which covariate, and what comes of it."""
    prose.paragraph(
        "Does the verdict hold for short examples as well as for long ones, for every kind of "
        "example?"
    )
    if not data.covariates:
        prose.paragraph(words.HOW_TO_HAVE_ONE)
        remarks = () if data.reading is None else data.reading.remarks
        prose.bullets(words.why_not_read(remarks))
        return
    name = studies.choice(
        "Covariate", data.covariates, key="reliability-covariate", words=display_name
    )
    prose.paragraph(TOOLTIPS["covariate"], quiet=True)
    if data.covariate_kind(name) == "numeric":
        _cut_offs(data, name)
    else:
        _levels(data, name)


def _cut_offs(data: ResultSet, name: str) -> None:
    key = (state.session().n_loaded, "along", name, *common.compared(data).values())
    usable, reasons = state.session().results.remember(key, lambda: _usable(data, name))
    if not usable:
        prose.paragraph(words.NO_TEST if not reasons else "No dataset can be looked at along it.")
        prose.bullets(words.not_looked_at(reasons))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_random = studies.number(
            "Random orders",
            key="reliability-random",
            value=199,
            low=19,
            high=9999,
            step=100,
            help="How often the covariate's values are dealt out at random, to see what chance "
            "alone does. With R of them no p-value of dependence is below 1/(R + 1).",
        )
        seed = studies.seed("reliability-cut-offs")
    task = _cut_off_study(data, name, usable, n_random=n_random, seed=seed)
    studies.button("Look along it on every dataset", task, key="run-cut-offs")
    held = studies.answer(task, studies.OfEach)
    if held:
        _along(data, held)
    if reasons:
        prose.bullets(words.not_looked_at(reasons))


def _usable(data: ResultSet, name: str) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """Datasets with a study along a covariate, and why others have none."""
    (a, b), metric = state.systems(), state.metric()
    found, reasons = [], []
    for dataset in state.chosen_datasets(data):
        if not suitable_cut_off_tests(data, dataset, a=a, b=b, metric=metric):
            continue
        values = np.asarray(data.covariate(dataset, name), dtype=np.float64)
        if np.unique(values[~np.isnan(values)]).size < 2:
            reasons.append((dataset, "all its examples have the same value, or none."))
        elif _varies_in_clusters(data, dataset, values):
            reasons.append(
                (dataset, "the value varies within a cluster, whose examples stay together.")
            )
        else:
            found.append(dataset)
    return tuple(found), reasons


def _varies_in_clusters(data: ResultSet, dataset: str, values: np.ndarray) -> bool:
    codes = data.clusters_of(dataset)
    if codes is None:
        return False
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return not np.array_equal(values, values[first][inverse], equal_nan=True)


def _along(data: ResultSet, held: studies.OfEach[CutOffStudy]) -> None:
    names = state.chosen_datasets(data)
    found = {name: study.at_level(common.alpha()) for name, study in held.items() if name in names}
    if not found:
        prose.paragraph("All datasets that were looked at are left out.")
        return
    parts.show(sections.cut_offs_parts(found, complete=held.complete))
    dataset = studies.dataset_choice(list(found), key="reliability-cut-offs-dataset")
    parts.show(sections.cut_off_parts(found[dataset]))


def _cut_off_study(
    data: ResultSet, name: str, usable: tuple[str, ...], *, n_random: int, seed: int
) -> Task:
    (a, b), metric, alpha = state.systems(), state.metric(), common.alpha()

    def one(dataset: str, on_progress: Callable[[int, int], bool]) -> CutOffStudy:
        return dataset_cut_off_study(
            data,
            dataset,
            data.covariate(dataset, name),
            a=a,
            b=b,
            metric=metric,
            alpha=alpha,
            n_random=n_random,
            rng=seed,
            name=name,
            on_progress=on_progress,
        )

    return studies.study(
        common.CUT_OFFS,
        {**common.compared(data), "covariate": name, "random orders": n_random, "seed": seed},
        partial(studies.of_each, usable, one),
        doing="Dealing out the covariate",
        unit="random orders",
        tried=_tried(name, metric),
    )


def _levels(data: ResultSet, name: str) -> None:
    seed = studies.seed("reliability-levels")
    held = {one for dataset in state.chosen_datasets(data) for one in data.covariate(dataset, name)}
    if len(held - {""}) < 2:
        prose.paragraph("All examples are of one level: there is nothing to tell apart.")
        return
    task = _level_study(data, name, seed=seed)
    studies.button("Test every level on every dataset", task, key="run-levels")
    found = studies.answer(task, LevelStudy)
    if found is None:
        return
    parts.show(sections.levels_parts(found.at_level(common.alpha())))


def _level_study(data: ResultSet, name: str, *, seed: int) -> Task:
    (a, b), metric = state.systems(), state.metric()
    return studies.study(
        common.LEVELS,
        {**common.compared(data), "covariate": name, "seed": seed},
        partial(
            level_study,
            data,
            a=a,
            b=b,
            covariate={
                dataset: data.covariate(dataset, name) for dataset in state.chosen_datasets(data)
            },
            name=name,
            metric=metric,
            alpha=common.alpha(),
            rng=seed,
            n_threads=limits.TEST_THREADS,
        ),
        doing="Testing levels",
        unit="tests",
        tried=_tried(name, metric),
    )


def _tried(name: str, metric: str) -> tuple[str, str]:
    a, b = state.systems()
    return "covariates looked at", f"{a} and {b}, {metric}: {name}"
