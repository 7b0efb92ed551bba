"""The head of the reliability page: what hangs on a choice, of all that was looked at."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.analysis.record import HANGS_ON_CHOICES
from core.data import ResultSet
from core.reliability.cut_offs import CutOffStudy
from core.reliability.levels import LevelStudy
from core.reliability.metrics import MetricStudy
from core.reliability.repeated_runs import RunStudy
from core.reliability.subsample_results import SubsampleStudy
from core.report import reliability_summary as words
from core.report.reliability_choices import of_datasets
from pages.ui import guards, prose, reliability_choices, state
from pages.ui import reliability_data as common

_NEEDS = (
    "Five of its questions are about single examples: how a verdict changes with their number, "
    "with metric and test, along their length, from run to run, from dataset to dataset. They need "
    "results on every example. What p ≤ α is worth and the toy examples below need no data."
)


def show(data: ResultSet | None) -> None:
    """The answer, or what the page will answer."""
    if data is None:
        _without_results()
        return
    looked_at = found(data)
    sentence = words.summary_sentence(looked_at, common.datasets(data), alpha=common.alpha())
    a, b = state.systems()
    if sentence:
        prose.lead(sentence)
        state.record_latest(HANGS_ON_CHOICES, sentence)
        not_yet = words.not_yet_line(
            looked_at, covariates=bool(data.covariates), runs=bool(data.runs)
        )
        lines = (not_yet, words.direction_line(a, b), words.LIMITS)
        prose.paragraphs([line for line in lines if line], quiet=True)
        return
    prose.lead(words.PROMISE)
    prose.paragraph(words.direction_line(a, b), quiet=True)
    prose.paragraph(words.NO_RUN_YET)
    st.button(
        "Look at every metric and test",
        type="primary",
        key="reliability-begin",
        on_click=reliability_choices.run_all,
        args=(data,),
    )


def found(data: ResultSet) -> words.LookedAt:
    """Every study there is of what is compared now, at the level of the sidebar."""
    alpha, names = common.alpha(), common.datasets(data)
    metrics = common.current(common.METRICS, data)
    sizes = common.current(common.SIZES, data)
    levels = common.current(common.LEVELS, data)
    kept = None
    if isinstance(metrics, MetricStudy):
        kept = of_datasets(metrics.at_level(alpha), names)
    return words.LookedAt(
        metrics=kept,
        sizes=sizes.at(alpha) if isinstance(sizes, SubsampleStudy) else None,
        cut_offs={
            name: study.at_level(alpha)
            for name, study in _studies(common.CUT_OFFS, data).items()
            if isinstance(study, CutOffStudy)
        },
        levels=levels.at_level(alpha) if isinstance(levels, LevelStudy) else None,
        runs={
            name: study.at(alpha)
            for name, study in _studies(common.RUNS, data).items()
            if isinstance(study, RunStudy)
        },
    )


def _studies(kind: str, data: ResultSet) -> Mapping[str, object]:
    held = common.current(kind, data)
    return held if isinstance(held, dict) else {}


def _without_results() -> None:
    loaded = state.session().loaded
    if loaded is None:
        guards.awaited_link()
    prose.lead(words.PROMISE)
    if loaded is not None:
        prose.paragraph("What is loaded has no results on single examples.")
    prose.paragraph(_NEEDS)
    st.page_link("pages/upload.py", label="Load results on the Upload page")
    prose.paragraph("Or see it with a sample:")
    guards.sample_buttons(per_example=True)
