"""The simulation on the Counting page: as many datasets as the table has, and no difference."""

from __future__ import annotations

import streamlit as st

from core.report.formatting import format_level
from core.report.simulation_results import promise_sentence, promise_to_come, stopped_sentence
from core.report.simulation_words import RHO_HELP, SCENARIO_WORDS, SEED_HELP
from core.simulation import PValueSource, Simulation, simulate_k_hat
from pages.ui import limits, prose, simulation_results, simulation_runs, simulation_studies, state
from pages.ui.jobs import Progress
from pages.ui.simulation_runs import Plan
from pages.ui.simulation_setup import FIRST_SEED, OWN, REPETITIONS, Row, Setup

_TOYS = ("toy-1", "toy-2")


def has_run() -> bool:
    """Whether one of its simulations was run in this session."""
    return simulation_runs.latest("panel") is not None


def show(*, n_datasets: int, alpha: float) -> None:
    """The form and, once run, what it came to; and the way to the page with all scenarios."""
    prose.paragraph(promise_to_come(alpha))
    _form(n_datasets, alpha)
    _result(alpha)
    if st.button(f"More shapes of dependence for {n_datasets:,} datasets: Simulation →"):
        _carry_over(n_datasets)
        st.switch_page("pages/simulation.py")


def _form(n_datasets: int, alpha: float) -> None:
    chosen = st.selectbox(
        "No difference anywhere, on",
        (OWN, *_TOYS),
        format_func=lambda name: (
            "As many datasets as I have" if name == OWN else SCENARIO_WORDS[name].title
        ),
        key="simulate-what",
        persist_state="session",
    )
    with st.form("simulation", border=False):
        if chosen == OWN:
            most = limits.MAX_DATASETS
            st.number_input(
                "Datasets", min_value=1, max_value=most, value=n_datasets, key="simulate-n"
            )
            st.number_input(
                "In blocks of (1: all independent)",
                min_value=1,
                max_value=most,
                value=1,
                key="simulate-block",
            )
            st.slider(
                "Dependence ρ within a block",
                0.0,
                1.0,
                0.5,
                step=0.05,
                key="simulate-rho",
                help=RHO_HELP,
            )
        else:
            prose.paragraph(SCENARIO_WORDS[chosen].meaning)
        st.selectbox(
            "Studies", REPETITIONS, index=1, format_func=lambda n: f"{n:,}", key="simulate-runs"
        )
        st.number_input("Seed", min_value=0, value=FIRST_SEED, key="simulate-seed", help=SEED_HELP)
        st.form_submit_button("Run", type="primary", on_click=_start, args=(chosen, alpha))


def _start(chosen: str, alpha: float) -> None:
    setup = Setup(
        name=chosen,
        rows=_rows() if chosen == OWN else (),
        n_studies=int(state.value("simulate-runs")),
        seed=int(state.value("simulate-seed")),
    )
    scenario = setup.scenario()

    def work(source: PValueSource, progress: Progress) -> Simulation:
        return simulate_k_hat(
            source,
            n_repetitions=setup.n_studies,
            alpha=alpha,
            rng=setup.seed,
            on_progress=progress,
        )

    simulation_runs.start(
        Plan(
            kind="panel",
            settings=(setup, alpha),
            source=simulation_runs.source(setup.of_scenario(), lambda _progress: scenario),
            work=work,
            context=setup,
        )
    )


def _rows() -> tuple[Row, ...]:
    """Blocks of one size as the form says, the last one smaller."""
    n_datasets, size = int(state.value("simulate-n")), int(state.value("simulate-block"))
    if size == 1:
        return (Row(n_datasets=n_datasets),)
    rho = float(state.value("simulate-rho"))
    n_blocks, rest = divmod(n_datasets, size)
    rows = [Row(n_datasets=size, n_blocks=n_blocks, rho=rho)] if n_blocks else []
    return (*rows, Row(n_datasets=rest, rho=rho)) if rest else tuple(rows)


def _carry_over(n_datasets: int) -> None:
    """Choose on the Simulation page what was run here, or as many datasets as there are."""
    run = simulation_runs.latest("panel")
    setup = Setup(name=OWN, rows=(Row(n_datasets=n_datasets),))
    if run is not None and run.plan.context.name == OWN:
        setup = run.plan.context
    simulation_studies.choose(
        name=setup.name, rows=setup.rows, one_factor=False, n_studies=setup.n_studies
    )


def watch() -> None:
    """The bar of a running simulation, on every page."""
    simulation_runs.watch()


def _result(alpha: float) -> None:
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
        prose.paragraph("The simulation was stopped before the first study.")
        return
    prose.paragraph(promise_sentence(simulation), strong=True)
    stopped = stopped_sentence(simulation)
    if stopped:
        prose.notice(stopped)
    if abs(simulation.alpha - alpha) > 0:
        levels = f"α {format_level(simulation.alpha)} → {format_level(alpha)}"
        prose.notice(simulation_results.changed(levels))
    simulation_results.evidence(simulation, run.plan.context, name="k-hat-histograms")
