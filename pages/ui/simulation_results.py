"""What the simulated studies came to: the sentence, the histograms, the tables."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core import charts
from core.report.formatting import format_level
from core.report.simulation_results import (
    PRINTED_ALPHA,
    claim_sentence,
    printed_sentence,
    promise_sentence,
    promise_to_come,
    proved_sentence,
    stopped_sentence,
    theory_sentence,
    undecided_sentence,
)
from core.report.simulation_tables import claim_table, printed_table, promise_table, results_frame
from core.simulation import Simulation
from pages.ui import explanations, figures, prose, simulation_runs, simulation_studies, state
from pages.ui.simulation_runs import Refusal, Run
from pages.ui.simulation_setup import DATA, Setup
from pages.ui.simulation_studies import Studies

_CLAIM = "simulation-claim"


def changed(what: str) -> str:
    """Say that what is shown is not what is chosen."""
    return f"Settings have changed since this run ({what}): run it again."


def shown() -> Studies | None:
    """The studies that there are; None before any."""
    run = simulation_runs.latest("studies")
    result = None if run is None else run.result
    if isinstance(result, Studies) and result.simulation.n_repetitions:
        return result
    return None


def lead() -> None:
    """The answer, or what the page is for."""
    run = simulation_runs.latest("studies")
    studies = shown()
    if studies is None:
        prose.lead(promise_to_come(state.session().settings.alpha))
        if run is not None:
            _why_nothing(run)
        elif simulation_studies.waiting_link():
            prose.notice(
                "This link's simulation is made of results on every example: load these on the "
                "Upload page to see it."
            )
        return
    assert run is not None
    prose.lead(promise_sentence(studies.simulation))
    if run.error is not None:
        prose.notice(f"{simulation_runs.FAILED} What was there before is shown.")
    stopped = stopped_sentence(studies.simulation)
    if stopped:
        prose.notice(stopped)
    if not simulation_studies.is_current(run):
        setup: Setup = run.plan.context
        what = changed(simulation_studies.changes(run.plan.settings))
        level = format_level(studies.simulation.alpha)
        prose.notice(f"{what} It shows: {setup.title}, seed {setup.seed}, α = {level}.")


def _why_nothing(run: Run) -> None:
    if not run.job.finished:
        prose.paragraph("The simulation is running; its bar is at the top of the page.")
    elif run.error is not None:
        prose.notice(simulation_runs.FAILED)
    elif isinstance(run.result, Refusal):
        prose.notice(f"No scenario can be made of these data: {run.result.reason}")
    else:
        prose.notice("The simulation was stopped before the first study.")


def show() -> None:
    """Histograms and tables of the studies that there are."""
    run, studies = simulation_runs.latest("studies"), shown()
    if run is None or studies is None:
        return
    setup: Setup = run.plan.context
    simulation = studies.simulation
    evidence(simulation, setup, name="simulated-counts", below=lambda: _beside(run, simulation))


def _beside(run: Run, simulation: Simulation) -> None:
    """What only this page has: a claim to look at, and what can be taken away."""
    setup: Setup = run.plan.context
    _power(simulation)
    with st.container(horizontal=True):
        st.download_button(
            "Download all figures (CSV)",
            data=lambda: results_frame(simulation).to_csv(index=False).encode("utf-8"),
            file_name="simulated-counts.csv",
            mime="text/csv",
            on_click="ignore",
        )
    loaded = state.session().loaded
    own_file = setup.name == DATA and loaded is not None and loaded.source.sample is None
    if run.job.finished and simulation_studies.is_current(run):
        prose.paragraph(
            "The page's address is a link that runs these studies again"
            + (", once the same file is loaded." if own_file else "."),
            quiet=True,
        )


def evidence(
    simulation: Simulation,
    setup: Setup,
    *,
    name: str,
    below: Callable[[], None] = lambda: None,
) -> None:
    """What a simulation's sentence rests on: histograms, how often each count claimed too many.

    Parameters
    ----------
    simulation : Simulation
        Of at least one study.
    setup : Setup
        What it is of.
    name : str
        Of the chart.
    below : callable
        Shows what is to stand before the signature.
    """
    figures.show(
        lambda theme: charts.k_hat_histograms(simulation, theme=theme),
        name=name,
        alt=f"Histograms of the counts. {promise_sentence(simulation)}",
    )
    prose.paragraph(
        "k is on how many datasets A is truly better; k̂ is what a count claims. Bars right of the "
        "line claim too many.",
        quiet=True,
    )
    # By more than one is of use beside the paper's first example only.
    by_two = setup.preset is not None and bool(setup.preset.more_than_one)
    table = promise_table(simulation, by_two=by_two)
    st.dataframe(table, hide_index=True, height="content")
    prose.paragraphs(
        filter(None, [proved_sentence(simulation), undecided_sentence(simulation)]), quiet=True
    )
    if setup.preset is not None:
        prose.paragraph(printed_sentence(simulation, setup.preset))
        if abs(simulation.alpha - PRINTED_ALPHA) == 0.0:
            printed = printed_table(simulation, setup.preset)
            st.dataframe(printed, hide_index=True, height="content")
    at_printed_level = setup.preset is not None and simulation.alpha == PRINTED_ALPHA
    if setup.independent_nulls and not at_printed_level:
        prose.paragraph(theory_sentence(simulation), quiet=True)
    below()
    explanations.signature(simulation.signature)


def _keep_claim() -> None:
    state.widget(_CLAIM, state.value("lab-at-least"))


def _power(simulation: Simulation) -> None:
    # Kept beside the widget, which forgets on a page switch; of another scenario it may be too large.
    kept = state.value(_CLAIM)
    usual = max(simulation.k, 1)
    at_least = kept if kept is not None and kept <= simulation.n_datasets else usual
    st.number_input(
        "A claim to look at: on at least … datasets",
        min_value=1,
        max_value=simulation.n_datasets,
        step=1,
        key=state.widget("lab-at-least", at_least),
        on_change=_keep_claim,
    )
    prose.paragraph(claim_sentence(simulation, at_least=at_least))
    st.dataframe(claim_table(simulation, at_least=at_least), hide_index=True, height="content")
