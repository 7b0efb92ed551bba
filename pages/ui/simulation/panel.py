"""The simulation on the Counting page: as many datasets as the table has, and no difference."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.comparison import BETTER
from core.sections import simulation as sections
from core.simulation import Simulation, simulate_k_hat
from core.words.formatting import format_level
from core.words.simulation_results import promise_sentence
from pages.ui.frame import prose, state
from pages.ui.results import parts
from pages.ui.simulation import results, runs, studies
from pages.ui.simulation.setup import FIRST_SEED, OWN, REPETITIONS, Row, Setup
from pages.ui.work import background


def show(*, n_datasets: int, alpha: float) -> None:
    """The button and, once run, what it came to; and the way to the page with all scenarios."""
    setup = Setup(
        name=OWN, rows=(Row(n_datasets=n_datasets),), n_studies=REPETITIONS[1], seed=FIRST_SEED
    )
    with st.container(horizontal=True):
        st.button(
            "Simulate: what if the claim were true nowhere?"
            if _at_margin()
            else "Simulate: what if neither system were better?",
            key="simulate-run",
            on_click=_start,
            args=(setup, alpha),
            disabled=runs.busy(),
        )
        if st.button("With dependence: Simulation →", type="tertiary", key="simulate-more"):
            studies.choose(
                name=OWN,
                n_studies=setup.n_studies,
                seed=setup.seed,
                rows=setup.rows,
                one_factor=False,
            )
            st.switch_page("pages/simulation.py")
    _result(setup, alpha)


def _start(setup: Setup, alpha: float) -> None:
    scenario = setup.scenario()
    runs.start(
        "panel",
        {"setup": setup, "α": alpha},
        runs.source(setup.of_scenario(), lambda _progress: scenario),
        partial(simulate_k_hat, n_repetitions=setup.n_studies, alpha=alpha, rng=setup.seed),
        title=setup.line,
        context=setup,
    )


def _result(setup: Setup, alpha: float) -> None:
    """Show what was run for as many datasets."""
    last, run = background.latest("panel"), background.to_show("panel")
    if last is None or run is None or last.task.settings["setup"] != setup:
        # Of another file.
        return
    if last.at_work:
        prose.paragraph(results.RUNNING)
    failed = background.say_failure(last)
    if run.task.settings["setup"] != setup or (run is last and last.at_work):
        return
    late = background.say_limit(last)
    simulation = run.result
    if not isinstance(simulation, Simulation) or not simulation.n_repetitions:
        if not last.at_work and not failed and not late:
            prose.paragraph(results.STOPPED)
        return
    at_margin = _at_margin()
    prose.paragraph(promise_sentence(simulation, at_margin=at_margin), strong=True)
    parts.show(sections.stopped_parts(simulation))
    if simulation.alpha != alpha:
        was = f"α {format_level(simulation.alpha)} → {format_level(alpha)}"
        prose.notice(background.changed(was))
    parts.show([sections.histogram(simulation, name="k-hat-histograms", at_margin=at_margin)])
    boundary = " P-values as at the boundary of each null hypothesis: uniform." if at_margin else ""
    prose.paragraph(f"Independent datasets; seed {simulation.seed}.{boundary}", quiet=True)


def _at_margin() -> bool:
    return state.session().settings.claim != BETTER
