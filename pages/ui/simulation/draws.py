"""One study at a time, to look at, with a tally of how each count fared."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.charts.simulation_draw import draw_chart
from core.report.simulation_draws import draw_alt, draw_sentence, draw_tiles
from pages.ui.frame import figures, prose
from pages.ui.simulation import results, runs
from pages.ui.simulation import studies as simulation_studies
from pages.ui.simulation.setup import MOST_STUDIES

N_MORE = 1_000


def show() -> None:
    """Buttons that draw, and the last study drawn."""
    run, studies = results.shown_run(), results.shown()
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
