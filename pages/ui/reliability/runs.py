"""The sections on repeated runs, and on wins that hold on other datasets."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import streamlit as st

from core.charts.domains import domains_chart
from core.data import ResultSet
from core.data.roles import ONLY_RUN
from core.metrics.registry import MEAN
from core.reliability.across_domains import agreement_of_pairs
from core.reliability.repeated_runs import run_to_run
from core.reliability.run_study import RunStudy
from core.report import reliability_runs as words
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from pages.ui.frame import downloads, figures, prose, state, tables
from pages.ui.reliability import data as common
from pages.ui.results import explanations
from pages.ui.work import studies
from pages.ui.work.job_progress import Progress


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
        resamples = common.resamples("reliability-runs-resamples", value=9999)
        seed = common.seed("reliability-runs")
    settings = {**common.compared(data), "resamples": resamples, "seed": seed}
    st.button(
        "Compare every pair of runs", key="run-runs", on_click=_run, args=(data, settings, names)
    )
    held = common.ended(common.RUNS, settings)
    if isinstance(held, dict) and held:
        _answer(data, held)


def _with_runs(data: ResultSet) -> tuple[str, ...]:
    (a, b), metric = state.systems(), state.metric()
    return tuple(
        name
        for name in state.chosen_datasets(data)
        if all(data.run_scores(name, system, metric) is not None for system in (a, b))
    )


def _answer(data: ResultSet, held: dict[str, RunStudy]) -> None:
    names = state.chosen_datasets(data)
    found = {name: study.at(common.alpha()) for name, study in held.items() if name in names}
    if not found:
        prose.paragraph("All datasets whose runs were compared are left out.")
        return
    complete = not isinstance(held, common.OfEach) or held.complete
    prose.paragraph(words.runs_sentence(found, complete=complete), strong=True)
    tables.frame(words.runs_frame(found))
    prose.paragraph(words.WHAT_TOGETHER_IS, quiet=True)
    dataset = common.dataset_choice(list(found), key="reliability-runs-dataset")
    study, (a, b) = found[dataset], state.systems()
    prose.paragraph(words.dataset_runs_sentence(dataset, study))
    tables.frame(words.pairs_frame(study, data.runs_of(a), data.runs_of(b)))
    common.notes(study.notes)
    downloads.table(study.to_frame, name="runs")
    explanations.signature(study.signature)


def _run(data: ResultSet, settings: dict[str, Hashable], names: tuple[str, ...]) -> None:
    (a, b), metric, alpha = state.systems(), state.metric(), common.alpha()
    resamples, seed = int(str(settings["resamples"])), int(str(settings["seed"]))

    def one(dataset: str, progress: Progress) -> RunStudy:
        first, second = (data.run_scores(dataset, system, metric) for system in (a, b))
        assert first is not None
        assert second is not None
        return run_to_run(
            first,
            second,
            alpha=alpha,
            higher_is_better=data.is_higher_better(metric),
            n_resamples=resamples,
            clusters=data.clusters_of(dataset),
            rng=seed,
            on_progress=progress,
        )

    state.record("runs looked at", f"{a} and {b}, {metric}: every pair of runs, seed {seed}")
    studies.start(
        common.RUNS,
        settings,
        lambda progress: common.of_each(names, one, progress),
        doing="Comparing runs",
        unit="pairs of runs",
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
    seed = common.seed("reliability-domains")
    metric = state.metric()
    settings: dict[str, Hashable] = {"metric": metric, "datasets": names, "seed": seed}
    st.button(
        "Compare every pair of systems",
        key="run-domains",
        on_click=_run_domains,
        args=(data, settings),
    )
    pairs = studies.ended(common.DOMAINS, settings)
    if not isinstance(pairs, PairComparisons):
        return
    if pairs.n_datasets < 2:
        prose.paragraph("Stopped before a second dataset was done.")
        return
    found = agreement_of_pairs(pairs, bins=words.bins_with(common.alpha()))
    sentence = words.domains_sentence(found, alpha=common.alpha(), complete=pairs.complete)
    prose.paragraph(sentence, strong=True)
    if any(own.n for own in found.bins):
        figures.show(partial(domains_chart, found), name="across-datasets", alt=sentence)
        tables.frame(words.domains_frame(found))
    prose.paragraphs((*found.notes, *pairs.notes), quiet=True)
    prose.paragraph(words.PRINTED_DOMAINS, quiet=True)
    downloads.table(found.to_frame, name="across-datasets")
    explanations.signature(f"{pairs.signature} {found.signature}")


def _run_domains(data: ResultSet, settings: dict[str, Hashable]) -> None:
    metric, names, seed = state.metric(), state.chosen_datasets(data), int(str(settings["seed"]))

    def work(progress: Progress) -> PairComparisons:
        return compare_all_pairs(
            data, metric=metric, datasets=names, rng=seed, on_progress=progress
        )

    state.record("datasets looked at for each other's wins", f"every pair of systems, {metric}")
    studies.start(common.DOMAINS, settings, work, doing="Comparing systems", unit="pairs")
