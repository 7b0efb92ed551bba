"""What the simulated studies came to: the sentence, the histograms, the tables."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.analysis.settings import margin_in_words
from core.charts.sorted_p_values import draw_chart
from core.comparison import comparison_named
from core.sections import simulation as sections
from core.sections.parts import Signature
from core.simulation import Simulation
from core.words.formatting import format_level
from core.words.simulation import TERMS, claim_note, draw_alt, draw_sentence, draw_tiles
from core.words.simulation_results import (
    informative_claim,
    promise_sentence,
    promise_to_come,
)
from pages.ui.frame import figures, prose, state
from pages.ui.frame.sections import from_the_papers
from pages.ui.results import parts
from pages.ui.simulation import runs
from pages.ui.simulation import studies as simulation_studies
from pages.ui.simulation.runs import Plan
from pages.ui.simulation.setup import DATA, MOST_STUDIES, Setup
from pages.ui.simulation.studies import KIND, Studies
from pages.ui.work import background
from pages.ui.work.background import Refusal, Run

RUNNING = "The simulation is running; its bar is at the top of the page."
STOPPED = "The simulation was stopped before the first study."
_CLAIM = "simulation-claim"
# How many studies one button adds to those that are shown.
N_MORE = 1_000


def shown_run() -> Run[Plan] | None:
    """The run whose studies are shown; None before any."""
    run = background.to_show(KIND)
    result = None if run is None else run.result
    return run if isinstance(result, Studies) and result.simulation.n_repetitions else None


def shown() -> Studies | None:
    """The studies that there are; None before any."""
    run = shown_run()
    studies: Studies | None = None if run is None else run.result
    return studies


def lead() -> None:
    """The answer, or what the page is for."""
    latest, run = background.latest(KIND), shown_run()
    if run is None:
        prose.lead(promise_to_come(state.session().settings.alpha))
        if latest is not None:
            _why_nothing(latest)
        elif simulation_studies.waiting_link():
            prose.notice(
                "This link's simulation is made of results on every example: load these on the "
                "Upload page to see it."
            )
        _terms()
        return
    simulation: Simulation = run.result.simulation
    prose.lead(promise_sentence(simulation))
    setup: Setup = run.task.context
    level = format_level(simulation.alpha)
    prose.paragraph(f"Shown: {run.task.title}; seed {setup.seed}, α = {level}.", quiet=True)
    if latest is not None:
        if latest is not run and latest.at_work:
            prose.paragraph(f"{RUNNING} Until it has a result the earlier one is shown.")
        background.say_failure(latest, " What was there before is shown.")
        background.say_limit(latest)
    parts.show(sections.stopped_parts(simulation))
    if not simulation_studies.is_current(run):
        now = simulation_studies.settings()
        prose.notice(background.changed(simulation_studies.changes(run.task.settings, now)))
    _terms()


def _terms() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        prose.paragraph(TERMS, quiet=True)
        st.page_link("pages/guide.py", label="Why counting needs a guarantee: the Guide →")
    settings = state.session().settings
    comparison = comparison_named(settings.claim)
    if comparison.takes_margin:
        loaded = state.session().loaded
        margin = margin_in_words(None if loaded is None else loaded.data, settings)
        prose.paragraph(claim_note(comparison.heading("A", "B", margin)), quiet=True)


def _why_nothing(run: Run[Plan]) -> None:
    if run.at_work:
        prose.paragraph(RUNNING)
    elif isinstance(run.result, Refusal):
        run.result.tell()
    elif not background.say_failure(run) and not background.say_limit(run):
        prose.notice(STOPPED)


def picture() -> None:
    """Histograms of the studies that there are."""
    studies = shown()
    if studies is not None:
        parts.show([sections.histogram(studies.simulation)])


def show() -> None:
    """Tables of the studies that there are."""
    run = shown_run()
    if run is None:
        return
    simulation, setup = run.result.simulation, run.task.context
    parts.show(
        sections.evidence_parts(
            simulation, independent_nulls=setup.independent_nulls, preset=setup.preset
        )
    )
    _power(simulation)
    loaded = state.session().loaded
    own_file = setup.name == DATA and loaded is not None and loaded.source.sample is None
    is_last = run is background.latest(KIND)
    if is_last and not run.at_work and simulation_studies.is_current(run):
        prose.paragraph(
            "The page's address is a link that runs these studies again"
            + (", once the same file is loaded." if own_file else "."),
            quiet=True,
        )
    if setup.preset is not None:
        printed = parts.shown(partial(sections.printed_parts, preset=setup.preset), simulation)
        from_the_papers([("As the paper prints it", printed)], key="lab")
    parts.show([Signature(line=simulation.signature)])


def _power(simulation: Simulation) -> None:
    # Kept beside the widget, which forgets on a page switch; of another scenario it may be too large.
    kept = state.value(_CLAIM)
    usual = informative_claim(simulation)
    at_least = kept if kept is not None and kept <= simulation.n_datasets else usual
    st.number_input(
        "A claim to look at: on at least … datasets",
        min_value=1,
        max_value=simulation.n_datasets,
        step=1,
        **state.choice("lab-at-least", at_least, lambda chosen: state.widget(_CLAIM, chosen)),
        width=300,
    )
    parts.show(sections.claim_parts(simulation, at_least=at_least))


def draws() -> None:
    """Buttons that draw, and the last study drawn."""
    run, studies = shown_run(), shown()
    current = run is not None and simulation_studies.is_current(run)
    busy = runs.busy()
    full = studies is not None and studies.simulation.n_repetitions >= MOST_STUDIES
    impossible = busy or bool(simulation_studies.chosen().problem) or (current and full)
    prose.paragraph("Each study drawn joins the histograms and tables above.", quiet=True)
    if busy:
        prose.paragraph(runs.BUSY, quiet=True)
    with st.container(horizontal=True):
        st.button(
            "Draw one more study" if current else "Draw one study",
            on_click=simulation_studies.run_more,
            args=(1,),
            disabled=impossible,
        )
        st.button(
            f"Run {N_MORE:,} more",
            on_click=simulation_studies.run_more,
            args=(N_MORE,),
            disabled=impossible,
        )
        st.button(
            _again(0 if studies is None else studies.simulation.n_repetitions),
            on_click=simulation_studies.run,
            args=(1,),
            key="lab-again",
            disabled=busy or not current,
        )
    if studies is None:
        return
    sentence = draw_sentence(studies.last)
    prose.paragraph(sentence, strong=True)
    prose.tiles(draw_tiles(studies.last, studies.simulation))
    figures.show(
        partial(draw_chart, studies.last),
        name="one-study",
        alt=draw_alt(studies.last),
    )


def _again(n_studies: int) -> str:
    if n_studies < 2:
        return "Forget this study and draw one" if n_studies else "Begin again with one study"
    return f"Forget these {n_studies:,} studies and draw one"
