"""The k̂ histogram on demand: what each count would say if the truth were known."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core import charts
from core.report.formatting import format_level
from core.report.simulations import overcount_sentence, rate_row, truth_sentence
from core.simulation import ESTIMATORS, PRESETS, Block, Preset, Scenario, Simulation, simulate_k_hat
from pages.ui import explanations, figures, prose, state
from pages.ui.jobs import Job, Progress

REPETITIONS = (1_000, 10_000, 100_000, 1_000_000)
_OWN = "Your number of datasets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a simulation depends on."""

    scenario: Scenario
    alpha: float
    n_repetitions: int
    seed: int

    def run(self, progress: Progress) -> Simulation:
        """The work, for a thread."""
        return simulate_k_hat(
            self.scenario,
            n_repetitions=self.n_repetitions,
            alpha=self.alpha,
            rng=self.seed,
            on_progress=progress,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """A plan with its work and the preset it came from."""

    plan: Plan
    job: Job[Simulation]
    preset: Preset | None


def show(*, n_datasets: int, alpha: float) -> None:
    """The form and, once run, the histograms and how often each count exceeded the truth."""
    _form(n_datasets, alpha)
    run = state.simulation()
    if run is None:
        return
    if not run.job.finished:
        prose.paragraph("The simulation is running; its bar is at the top of the page.")
        return
    simulation = run.job.result
    if simulation is None:
        prose.paragraph("The simulation was stopped before it began.")
        return
    if abs(run.plan.alpha - alpha) > 0:
        prose.notice(
            f"α has changed since this run, which used {format_level(run.plan.alpha)}: run it "
            "again to see the new level."
        )
    _result(simulation, run)


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
    plan = Plan(
        scenario=scenario,
        alpha=alpha,
        n_repetitions=int(state.value("simulate-runs")),
        seed=int(state.value("simulate-seed")),
    )
    job = Job(plan.run, is_wanted=state.wanted())
    state.keep_simulation(Run(plan=plan, job=job, preset=preset))
    job.start().wait(0.5)


def blocks(n_datasets: int, *, size: int, rho: float) -> Scenario:
    """N datasets without a difference in blocks of one size, the last one smaller."""
    if size <= 1:
        return Scenario((Block(n_datasets),))
    whole, rest = divmod(n_datasets, size)
    parts = [Block(size, rho=rho)] * whole
    return Scenario(tuple(parts + ([Block(rest, rho=rho)] if rest else [])))


def watch() -> None:
    """The bar of a running simulation, on every page."""
    run = state.simulation()
    if run is not None and not run.job.finished:
        _watch(run)


@st.fragment(run_every=0.5)
def _watch(run: Run) -> None:
    if run.job.finished:
        st.rerun()
    progress = run.job.progress
    share = progress.done / progress.total if progress.total else 0.0
    st.progress(
        share, text=f"Simulating: {progress.done:,} of {run.plan.n_repetitions:,} repetitions"
    )
    st.button("Stop the simulation", on_click=run.job.stop)


def _result(simulation: Simulation, run: Run) -> None:
    preset = run.preset
    independent = all(
        block.rho == 0.0 or block.n_datasets == 1 for block in run.plan.scenario.blocks
    )
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
