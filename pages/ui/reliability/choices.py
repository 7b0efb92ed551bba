"""The section on metrics and tests: all of them, as one family, and what choosing does."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from core.data import ResultSet
from core.reliability.choice_rates import FreeChoice
from core.reliability.free_choice import simulated_free_choice
from core.reliability.metrics import MetricStudy, metric_study
from core.report import reliability_choices as words
from core.report.subject import claim_of_tests
from pages.ui.frame import downloads, limits, prose, state, tables
from pages.ui.frame.sections import section
from pages.ui.reliability import data as common
from pages.ui.results import explanations
from pages.ui.work import studies
from pages.ui.work.job_progress import Progress

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
        common.choice("Tests", list(_TESTS), key=_TESTS_KEY, words=lambda one: _TESTS[one])
        common.resamples(_RESAMPLES_KEY, value=_RESAMPLES)
        common.seed(_SEED_KEY)
    st.button("Test by every metric and test", key="run-metrics", on_click=run_all, args=(data,))
    found = common.ended(common.METRICS, _settings())
    if not isinstance(found, MetricStudy):
        return
    kept = words.of_datasets(found.at_level(common.alpha()), state.chosen_datasets(data))
    if kept is None:
        prose.paragraph("All datasets that were tested are left out.")
        return
    _answer(kept)
    if len(kept.columns) > 1:
        section(
            "What a free choice among them does by chance",
            lambda: _free_choice(data, kept),
            key="reliability-free",
        )


def run_all(data: ResultSet) -> None:
    """Test by every metric and test, as the form says or as it would begin."""
    settings, (a, b), alpha = _settings(), state.systems(), common.alpha()
    tests = str(settings["tests"])
    resamples, seed = int(str(settings["resamples"])), int(str(settings["seed"]))
    metrics, names = (*data.metrics, *data.label_metrics), state.chosen_datasets(data)

    def work(progress: Progress) -> MetricStudy:
        return metric_study(
            data,
            a=a,
            b=b,
            tests=tests,
            datasets=names,
            alpha=alpha,
            rng=seed,
            n_resamples=resamples,
            n_threads=limits.TEST_THREADS,
            on_progress=progress,
        )

    state.record(
        "metrics and tests looked at",
        f"{a} and {b}: {', '.join(metrics)} by {_TESTS[tests]}, {resamples} resamples where they "
        f"resample, seed {seed}",
    )
    settings["datasets"] = names
    studies.start(common.METRICS, settings, work, doing="Testing", unit="tests")


def _settings() -> dict[str, Hashable]:
    a, b = state.systems()
    return {
        "A": a,
        "B": b,
        "tests": state.value(_TESTS_KEY, "all"),
        "resamples": int(state.value(_RESAMPLES_KEY, _RESAMPLES)),
        "seed": int(state.value(f"{_SEED_KEY}-seed", 0)),
    }


def _answer(study: MetricStudy) -> None:
    sentence = words.choices_sentence(study)
    prose.paragraph(sentence, strong=True)
    common.heat(study, name="metrics-and-tests", alt=sentence)
    prose.paragraph(
        words.family_sentence(study.family, claimed=claim_of_tests(study.tests)), strong=True
    )
    prose.paragraph(words.WHY_NO_FISHER, quiet=True)
    prose.paragraph(words.theory_sentence(study.n_choices, alpha=study.alpha))
    left_out = words.left_out_lines(study)
    if left_out:
        section("What was not tested", lambda: prose.bullets(left_out), key="reliability-left-out")
    downloads.table(study.to_frame, name="metrics-and-tests")
    explanations.signature(study.signature)


def _free_choice(data: ResultSet, study: MetricStudy) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = common.dataset_choice(study.tested_datasets, key="reliability-free-dataset")
        repetitions = common.number(
            "Repetitions",
            key="reliability-free-repetitions",
            value=1000,
            low=100,
            high=100_000,
            step=1000,
        )
        seed = common.seed("reliability-free")
    a, b = state.systems()
    settings: dict[str, Hashable] = {
        "A": a,
        "B": b,
        "dataset": dataset,
        "tests": study.tests_asked,
        "repetitions": repetitions,
        "seed": seed,
    }
    st.button(
        "Exchange A and B at random", key="run-free", on_click=_run_free, args=(data, settings)
    )
    found = common.ended(common.FREE_CHOICE, settings)
    if isinstance(found, FreeChoice):
        own = found.at_level(common.alpha())
        prose.paragraph(words.free_choice_sentence(own), strong=True)
        tables.frame(words.free_choice_frame(own))
        common.notes(own.notes)
        explanations.signature(own.signature)


def _run_free(data: ResultSet, settings: dict[str, Hashable]) -> None:
    (a, b), alpha = state.systems(), common.alpha()
    dataset, tests = str(settings["dataset"]), settings["tests"]
    assert isinstance(tests, tuple)
    repetitions, seed = int(str(settings["repetitions"])), int(str(settings["seed"]))

    def work(progress: Progress) -> FreeChoice:
        return simulated_free_choice(
            data,
            dataset,
            a=a,
            b=b,
            tests=tests,
            alpha=alpha,
            n_repetitions=repetitions,
            rng=seed,
            on_progress=progress,
        )

    state.record("free choices simulated", f"{a} and {b}: {dataset}")
    studies.start(
        common.FREE_CHOICE, settings, work, doing="Exchanging A and B", unit="repetitions"
    )
