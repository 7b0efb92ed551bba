"""The k̂ histogram on demand: what each count would say if the truth were known."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core import charts
from core.report.formatting import format_level
from core.report.simulations import overcount_sentence, rate_row, truth_sentence
from core.simulation import (
    ESTIMATORS,
    PRESETS,
    Block,
    Preset,
    PValueSource,
    Scenario,
    Simulation,
    simulate_k_hat,
)
from pages.ui import explanations, figures, prose, simulation_runs, state
from pages.ui.jobs import Progress
from pages.ui.simulation_runs import Plan

REPETITIONS = (1_000, 10_000, 100_000, 1_000_000)
_OWN = "Your number of datasets"


def has_run() -> bool:
    """Whether one of its simulations was run in this session."""
    return simulation_runs.latest("panel") is not None


def show(*, n_datasets: int, alpha: float) -> None:
    """The form and, once run, the histograms and how often each count exceeded the truth."""
    _form(n_datasets, alpha)
    run = simulation_runs.latest("panel")
    if run is None:
        return
    if not run.job.finished:
        prose.paragraph("The simulation is running; its bar is at the top of the page.")
        return
    if run.error is not None:
        prose.notice(simulation_runs.FAILED)
        simulation_runs.report_failures("panel")
        return
    simulation = run.result
    if not isinstance(simulation, Simulation) or not simulation.n_repetitions:
        prose.paragraph("The simulation was stopped before it began.")
        return
    if abs(simulation.alpha - alpha) > 0:
        prose.notice(
            f"α has changed since this run, which used {format_level(simulation.alpha)}: run it "
            "again to see the new level."
        )
    scenario, preset = run.plan.context
    _result(simulation, scenario, preset)


def _form(n_datasets: int, alpha: float) -> None:
    choices = [_OWN, *(preset.title for preset in PRESETS)]
    chosen = st.selectbox(
        "No difference anywhere, on", choices, key="simulate-what", persist_state="session"
    )
    with st.form("simulation", border=False):
        if chosen == _OWN:
            st.number_input(
                "Datasets", min_value=1, max_value=5000, value=n_datasets, key="simulate-n"
            )
            st.number_input(
                "In blocks of (1: all independent)",
                min_value=1,
                max_value=5000,
                value=1,
                key="simulate-block",
            )
            st.slider("Correlation ρ within a block", 0.0, 1.0, 0.5, step=0.05, key="simulate-rho")
        st.selectbox(
            "Repetitions", REPETITIONS, index=1, format_func=lambda n: f"{n:,}", key="simulate-runs"
        )
        st.number_input("Seed", min_value=0, value=0, key="simulate-seed")
        st.form_submit_button("Run", type="primary", on_click=_start, args=(chosen, alpha))


def _start(chosen: str, alpha: float) -> None:
    preset = next((p for p in PRESETS if p.title == chosen), None)
    if preset is not None:
        scenario = preset.scenario
    else:
        scenario = blocks(
            int(state.value("simulate-n")),
            size=int(state.value("simulate-block")),
            rho=float(state.value("simulate-rho")),
        )
    n_repetitions = int(state.value("simulate-runs"))
    seed = int(state.value("simulate-seed"))

    def work(source: PValueSource, progress: Progress) -> Simulation:
        return simulate_k_hat(
            source, n_repetitions=n_repetitions, alpha=alpha, rng=seed, on_progress=progress
        )

    simulation_runs.start(
        Plan(
            kind="panel",
            settings=(scenario, alpha, n_repetitions, seed),
            source=simulation_runs.source(scenario, lambda _progress: scenario),
            work=work,
            context=(scenario, preset),
        )
    )


def blocks(n_datasets: int, *, size: int, rho: float) -> Scenario:
    """N datasets without a difference in blocks of one size, the last one smaller."""
    if size <= 1:
        return Scenario((Block(n_datasets),))
    whole, rest = divmod(n_datasets, size)
    parts = [Block(size, rho=rho)] * whole
    return Scenario(tuple(parts + ([Block(rest, rho=rho)] if rest else [])))


def watch() -> None:
    """The bar of a running simulation, on every page."""
    simulation_runs.watch()


def _result(simulation: Simulation, scenario: Scenario, preset: Preset | None) -> None:
    independent = all(block.rho == 0.0 or block.n_datasets == 1 for block in scenario.blocks)
    prose.paragraph(truth_sentence(simulation), strong=True)
    figures.show(
        lambda theme: charts.k_hat_histograms(simulation, theme=theme),
        name="k-hat-histograms",
        alt=f"Histograms of the counts. {truth_sentence(simulation)}",
    )
    rates = [simulation.overcount(estimator) for estimator in ESTIMATORS]
    rows = [
        rate_row(rate, simulation, preset, independent_nulls=independent and simulation.k == 0)
        for rate in rates
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")
    prose.paragraphs(overcount_sentence(rate) for rate in rates)
    if preset is not None:
        prose.paragraph(preset.note, quiet=True)
    explanations.signature(simulation.signature)
    st.page_link("pages/simulation.py", label="Other scenarios, power and planning: Simulation →")
