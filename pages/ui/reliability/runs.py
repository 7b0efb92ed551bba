"""The sections on repeated runs, and on wins that hold on other datasets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.data import ResultSet
from core.data.roles import ONLY_RUN
from core.metrics.registry import MEAN
from core.reliability.repeated_runs import RunStudy, run_to_run
from core.sections import reliability as sections
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.words import reliability_runs as words
from pages.ui.frame import prose, state
from pages.ui.reliability import data as common
from pages.ui.results import parts
from pages.ui.work import studies
from pages.ui.work.background import Task


def show(data: ResultSet) -> None:
    """How much of a difference is from run to run."""
    prose.paragraph(
        "Would other runs of the same systems, trained with other seeds, have said otherwise?"
    )
    if not data.runs:
        chosen = str(data.reading.roles.get("runs") or "") if data.reading is not None else ""
        one_of_many = chosen.startswith(ONLY_RUN)
        prose.paragraph(words.WHERE_RUNS_ARE if one_of_many else words.HOW_TO_HAVE_RUNS)
        return
    if data.kind_of(state.metric()) != MEAN:
        prose.paragraph(
            "Runs are compared by scores that are averaged over examples: choose such a metric in "
            "the sidebar."
        )
        return
    names = _with_runs(data)
    if not names:
        prose.paragraph(
            "No dataset has every run of both systems on every example by this metric: choose "
            "another metric in the sidebar, or load the missing scores."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        resamples = studies.resamples("reliability-runs-resamples", value=9999)
        seed = studies.seed("reliability-runs")
    task = _study(data, names, n_resamples=resamples, seed=seed)
    studies.button("Compare every pair of runs", task, key="run-runs")
    held = studies.answer(task, studies.OfEach)
    if held:
        _answer(data, held)


def _with_runs(data: ResultSet) -> tuple[str, ...]:
    (a, b), metric = state.systems(), state.metric()
    return tuple(
        name
        for name in state.chosen_datasets(data)
        if all(data.run_scores(name, system, metric) is not None for system in (a, b))
    )


def _answer(data: ResultSet, held: studies.OfEach[RunStudy]) -> None:
    kept = state.chosen_datasets(data)
    found = {name: study.at(common.alpha()) for name, study in held.items() if name in kept}
    if not found:
        prose.paragraph("All datasets whose runs were compared are left out.")
        return
    parts.show(sections.runs_parts(found, complete=held.complete))
    dataset = studies.dataset_choice(list(found), key="reliability-runs-dataset")
    names = (data.runs_of(system) for system in state.systems())
    parts.show(sections.dataset_runs_parts(dataset, found[dataset], *names))


def _study(data: ResultSet, names: tuple[str, ...], *, n_resamples: int, seed: int) -> Task:
    (a, b), metric, alpha = state.systems(), state.metric(), common.alpha()

    def one(dataset: str, on_progress: Callable[[int, int], bool]) -> RunStudy:
        first, second = (data.run_scores(dataset, system, metric) for system in (a, b))
        assert first is not None
        assert second is not None
        return run_to_run(
            first,
            second,
            alpha=alpha,
            higher_is_better=data.is_higher_better(metric),
            n_resamples=n_resamples,
            clusters=data.clusters_of(dataset),
            rng=seed,
            on_progress=on_progress,
        )

    return studies.study(
        common.RUNS,
        {**common.compared(data), "resamples": n_resamples, "seed": seed},
        partial(studies.of_each, names, one),
        doing="Comparing runs",
        unit="pairs of runs",
        tried=("runs looked at", f"{a} and {b}, {metric}: every pair of runs, seed {seed}"),
    )


def show_domains(data: ResultSet) -> None:
    """How often a win on one dataset holds on another."""
    prose.paragraph(
        "If a system wins on one dataset with a small p-value, does it also lead on the others? "
        "Every pair of systems of the file is compared on every dataset."
    )
    names = state.chosen_datasets(data)
    if len(names) < 2:
        prose.paragraph("One dataset: there is no other to look on.")
        return
    seed = studies.seed("reliability-domains")
    metric = state.metric()
    task = studies.study(
        common.DOMAINS,
        {"metric": metric, "datasets": names, "seed": seed},
        partial(compare_all_pairs, data, metric=metric, datasets=names, rng=seed),
        doing="Comparing systems",
        unit="pairs",
        tried=("datasets looked at for each other's wins", f"every pair of systems, {metric}"),
    )
    studies.button("Compare every pair of systems", task, key="run-domains")
    pairs = studies.answer(task, PairComparisons)
    if pairs is None:
        return
    if pairs.n_datasets < 2:
        prose.paragraph("Stopped before a second dataset was done.")
        return
    parts.show(sections.domains_parts(pairs, alpha=common.alpha()))
