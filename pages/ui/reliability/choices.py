"""The section on metrics and tests: all of them, as one family, and what choosing does."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.data import ResultSet
from core.reliability.free_choice import FreeChoice, simulated_free_choice
from core.reliability.metrics import MetricStudy, metric_study
from core.sections import reliability as sections
from core.words import reliability_choices as words
from pages.ui.frame import limits, prose, state
from pages.ui.frame.sections import section
from pages.ui.reliability import data as common
from pages.ui.results import parts
from pages.ui.work import background, studies
from pages.ui.work.background import Task

_TESTS = {"all": "every test that fits", "auto": "the recommended test of each metric"}
_TESTS_KEY, _RESAMPLES_KEY = "reliability-tests", "reliability-choices-resamples"
_SEED_KEY = "reliability-choices"
_RESAMPLES = 9999


def show(data: ResultSet) -> None:
    """Every metric and test on every dataset."""
    prose.paragraph(
        "Would another metric or another test have said otherwise? Every metric of the file is "
        "tested by every test that fits it."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        studies.choice("Tests", list(_TESTS), key=_TESTS_KEY, words=lambda one: _TESTS[one])
        studies.resamples(_RESAMPLES_KEY, value=_RESAMPLES)
        studies.seed(_SEED_KEY)
    st.button("Test by every metric and test", key="run-metrics", on_click=run_all, args=(data,))
    found = studies.answer(_study(data), MetricStudy, but_for=("datasets",))
    if found is None:
        return
    kept = words.of_datasets(found.at_level(common.alpha()), state.chosen_datasets(data))
    if kept is None:
        prose.paragraph("All datasets that were tested are left out.")
        return
    parts.show(sections.choices_parts(kept))
    if len(kept.columns) > 1:
        section(
            "What a free choice among them does by chance",
            lambda: _free_choice(data, kept),
            key="reliability-free",
        )


def run_all(data: ResultSet) -> None:
    """Test by every metric and test, as the form says or as it would begin."""
    background.start(_study(data))


def _study(data: ResultSet) -> Task:
    a, b = state.systems()
    names, metrics = state.chosen_datasets(data), (*data.metrics, *data.label_metrics)
    tests = str(state.value(_TESTS_KEY, "all"))
    resamples = int(state.value(_RESAMPLES_KEY, _RESAMPLES))
    seed = int(state.value(f"{_SEED_KEY}-seed", 0))
    return studies.study(
        common.METRICS,
        {"A": a, "B": b, "tests": tests, "resamples": resamples, "seed": seed, "datasets": names},
        partial(
            metric_study,
            data,
            a=a,
            b=b,
            tests=tests,
            datasets=names,
            alpha=common.alpha(),
            rng=seed,
            n_resamples=resamples,
            n_threads=limits.TEST_THREADS,
        ),
        doing="Testing",
        unit="tests",
        tried=(
            "metrics and tests looked at",
            f"{a} and {b}: {', '.join(metrics)} by {_TESTS[tests]}, {resamples} resamples where "
            f"they resample, seed {seed}",
        ),
    )


def _free_choice(data: ResultSet, study: MetricStudy) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = studies.dataset_choice(study.tested_datasets, key="reliability-free-dataset")
        repetitions = studies.number(
            "Repetitions",
            key="reliability-free-repetitions",
            value=1000,
            low=100,
            high=100_000,
            step=1000,
        )
        seed = studies.seed("reliability-free")
    task = _free_study(data, dataset, study.tests_asked, repetitions=repetitions, seed=seed)
    studies.button("Exchange A and B at random", task, key="run-free")
    found = studies.answer(task, FreeChoice)
    if found is not None:
        parts.show(sections.free_choice_parts(found.at_level(common.alpha())))


def _free_study(
    data: ResultSet, dataset: str, tests: tuple[str, ...], *, repetitions: int, seed: int
) -> Task:
    a, b = state.systems()
    return studies.study(
        common.FREE_CHOICE,
        {
            "A": a,
            "B": b,
            "dataset": dataset,
            "tests": tests,
            "repetitions": repetitions,
            "seed": seed,
        },
        partial(
            simulated_free_choice,
            data,
            dataset,
            a=a,
            b=b,
            tests=tests,
            alpha=common.alpha(),
            n_repetitions=repetitions,
            rng=seed,
        ),
        doing="Exchanging A and B",
        unit="repetitions",
        tried=("free choices simulated", f"{a} and {b}: {dataset}"),
    )
