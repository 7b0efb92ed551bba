"""The simulation on the Counting page: as many datasets as the table has, and no difference."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.report.formatting import format_level
from core.report.simulation_results import promise_sentence, promise_to_come, stopped_sentence
from core.report.simulation_words import RHO_HELP, SCENARIO_WORDS, SEED_HELP
from core.simulation import Simulation, simulate_k_hat
from pages.ui.frame import limits, prose, state
from pages.ui.simulation import results, runs, studies
from pages.ui.simulation.form import WIDTH
from pages.ui.simulation.setup import FIRST_SEED, OWN, REPETITIONS, Row, Setup
from pages.ui.work import background

_TOYS = ("toy-1", "toy-2")
# Of the file that the form was filled for: its number of datasets.
_OF = "simulate-of"
_USUAL = {
    "simulate-block": 1,
    "simulate-rho": 0.5,
    "simulate-runs": REPETITIONS[1],
    "simulate-seed": FIRST_SEED,
}


def show(*, n_datasets: int, alpha: float) -> None:
    """The form and, once run, what it came to; and the way to the page with all scenarios."""
    ran = background.latest("panel") is not None
    with st.expander(
        "If there were no difference anywhere: simulate", expanded=ran, key="box-simulate"
    ):
        prose.paragraph(promise_to_come(alpha))
        _fill(n_datasets)
        _form(alpha)
        simulation = _result(n_datasets, alpha)
        if st.button(f"More shapes of dependence for {n_datasets:,} datasets: Simulation →"):
            _carry_over(simulation)
            st.switch_page("pages/simulation.py")


def _fill(n_datasets: int) -> None:
    """What the form begins with; of another file's number of datasets it begins anew."""
    if state.value(_OF) != n_datasets:
        state.widget(_OF, n_datasets)
        state.widget("simulate-n", n_datasets)
    for key, value in _USUAL.items():
        if state.value(key) is None:
            state.widget(key, value)


def _form(alpha: float) -> None:
    chosen = st.selectbox(
        "No difference anywhere, on",
        (OWN, *_TOYS),
        format_func=lambda name: (
            "As many datasets as I have" if name == OWN else SCENARIO_WORDS[name].title
        ),
        key="simulate-what",
        persist_state="session",
    )
    # No form of Streamlit's, which keeps to itself what is typed: the result is held against it.
    with st.container():
        if chosen == OWN:
            most = limits.MAX_DATASETS
            with st.container(horizontal=True, vertical_alignment="bottom"):
                st.number_input(
                    "Datasets",
                    min_value=1,
                    max_value=most,
                    key="simulate-n",
                    persist_state="session",
                    width=WIDTH,
                )
                st.number_input(
                    "In blocks of (1: all independent)",
                    min_value=1,
                    max_value=most,
                    key="simulate-block",
                    persist_state="session",
                    width=260,
                )
                st.slider(
                    "Dependence ρ within a block",
                    0.0,
                    1.0,
                    step=0.05,
                    key="simulate-rho",
                    help=RHO_HELP,
                    persist_state="session",
                    width=260,
                )
        else:
            prose.paragraph(SCENARIO_WORDS[chosen].meaning)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox(
                "Studies",
                REPETITIONS,
                format_func=lambda n: f"{n:,}",
                key="simulate-runs",
                persist_state="session",
                width=WIDTH,
            )
            st.number_input(
                "Seed",
                min_value=0,
                max_value=limits.LARGEST_SEED,
                key="simulate-seed",
                help=SEED_HELP,
                persist_state="session",
                width=WIDTH,
            )
            st.button(
                "Run",
                key="simulate-run",
                type="primary",
                on_click=_start,
                args=(alpha,),
                disabled=runs.busy(),
            )


def _setup() -> Setup:
    """What the form says."""
    name = state.value("simulate-what", OWN)
    return Setup(
        name=name,
        rows=_rows() if name == OWN else (),
        n_studies=int(state.value("simulate-runs")),
        seed=int(state.value("simulate-seed")),
    )


def _start(alpha: float) -> None:
    setup = _setup()
    scenario = setup.scenario()
    runs.start(
        "panel",
        {"setup": setup, "α": alpha, "of": state.value(_OF)},
        runs.source(setup.of_scenario(), lambda _progress: scenario),
        partial(simulate_k_hat, n_repetitions=setup.n_studies, alpha=alpha, rng=setup.seed),
        title=setup.line,
        context=setup,
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


def _carry_over(simulation: Simulation | None) -> None:
    """Choose on the Simulation page what the form says here, with the result that is shown of it."""
    setup = _setup()
    changes = {"rows": setup.rows, "one_factor": False} if setup.name == OWN else {}
    studies.choose(name=setup.name, n_studies=setup.n_studies, seed=setup.seed, **changes)
    if simulation is not None and simulation.complete:
        studies.adopt(simulation)


def _result(n_datasets: int, alpha: float) -> Simulation | None:
    """Show what was run for as many datasets; returned where the form still says the same."""
    last, run = background.latest("panel"), background.to_show("panel")
    if last is None or run is None or last.task.settings["of"] != n_datasets:
        # Of another file.
        return None
    if last.at_work:
        prose.paragraph(results.RUNNING)
    failed = background.say_failure(last)
    if run.task.settings["of"] != n_datasets or (run is last and last.at_work):
        return None
    late = background.say_limit(last)
    simulation = run.result
    if not isinstance(simulation, Simulation) or not simulation.n_repetitions:
        if not last.at_work and not failed and not late:
            prose.paragraph(results.STOPPED)
        return None
    prose.paragraph(promise_sentence(simulation), strong=True)
    prose.paragraph(f"Shown: {run.task.title}; seed {simulation.seed}.", quiet=True)
    stopped = stopped_sentence(simulation)
    if stopped:
        prose.notice(stopped)
    differences = _changes(run.task.context, simulation.alpha, alpha)
    if differences:
        prose.notice(background.changed(differences))
    results.histograms(simulation, name="k-hat-histograms")
    results.evidence(simulation, run.task.context)
    return None if differences else simulation


def _changes(was: Setup, was_alpha: float, alpha: float) -> str:
    """What the form says otherwise than a run: "datasets, seed 2017 → 5"."""
    now = _setup()
    found = []
    if was.name != now.name:
        found.append("scenario")
    elif was.rows != now.rows:
        found.append("datasets")
    if was.n_studies != now.n_studies:
        found.append(f"studies {was.n_studies:,} → {now.n_studies:,}")
    if was.seed != now.seed:
        found.append(f"seed {was.seed} → {now.seed}")
    if was_alpha != alpha:
        found.append(f"α {format_level(was_alpha)} → {format_level(alpha)}")
    return ", ".join(found)
