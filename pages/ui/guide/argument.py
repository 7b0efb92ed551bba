"""The argument in five steps, with a study of equal systems to draw and a claim to move."""

from __future__ import annotations

import html
from functools import partial

import numpy as np
import streamlit as st

from core.charts.sorted_p_values import toy_chart
from core.report import guide, guide_example, guide_toy
from core.report.formatting import format_p_value
from pages.ui.frame import figures, prose, state
from pages.ui.guide import sections

_DRAWN = "guide-studies-drawn"
MOST_STUDIES = 5_000
MANY = 100


def show(alpha: float) -> None:
    """All five steps."""
    shown = state.session().results.remember(
        ("guide-example", alpha), partial(guide_example.example, alpha=alpha)
    )
    further = {2: lambda: _toy(alpha), 3: lambda: _picture(shown), 4: _combinations}
    for number, step in enumerate(guide.steps(alpha), start=1):
        st.html(
            f"<h3 style='font-size:1.1rem;font-weight:600;margin:.75rem 0 .25rem 0;padding:0'>"
            f"{number}. {html.escape(step.claim)}</h3>"
        )
        prose.paragraph(step.reason)
        if number in further:
            further[number]()
    prose.paragraphs(filter(None, [guide_example.example_names_sentence(shown)]), quiet=True)
    sections.page_links(("Counting", "Identification"))


def _toy(alpha: float) -> None:
    n_drawn = _n_drawn()
    study, tally = state.session().results.remember(
        ("guide-toy", n_drawn, alpha), partial(_toy_counts, n_drawn, alpha)
    )
    sentence = guide_toy.toy_sentence(study, tally)
    with st.container(horizontal=True):
        st.button(
            f"Draw {guide_toy.N_DATASETS} datasets on which A and B are equal",
            type="primary",
            on_click=_draw,
            args=(1,),
            disabled=n_drawn >= MOST_STUDIES,
        )
        st.button(
            f"Draw {MANY} such studies",
            on_click=_draw,
            args=(MANY,),
            disabled=n_drawn >= MOST_STUDIES,
        )
    prose.paragraph(sentence)
    prose.tiles(guide_toy.toy_tiles(study, tally))
    figures.show(
        partial(toy_chart, study),
        name="toy",
        alt=f"Sorted p-values against α and α/N. {sentence}",
    )
    sections.page_links(("Simulation",))


def _toy_counts(n_drawn: int, alpha: float) -> tuple[guide_toy.ToyStudy, guide_toy.ToyTally]:
    study = guide_toy.toy_study(n_drawn, alpha=alpha)
    return study, guide_toy.toy_tally(range(1, n_drawn + 1), alpha=alpha)


def _n_drawn() -> int:
    return int(state.value(_DRAWN, 1))


def _draw(n_more: int) -> None:
    state.widget(_DRAWN, min(_n_drawn() + n_more, MOST_STUDIES))


def _picture(shown: guide_example.Example) -> None:
    answer = shown.answer
    n = answer.p_values.size
    prose.paragraph(guide_example.EXAMPLE_SOURCE, quiet=True)
    u = st.slider(
        f"u: {shown.subject.claim('a-better')} on at least u of {n}",
        1,
        n,
        value=max(1, answer.k_hat),
        key="guide-u",
        persist_state="session",
    )
    order = np.argsort(answer.p_values, kind="stable")
    colours = figures.theme()
    boxes = "".join(
        f"<li style='border:2px {'dashed' if rank < u else 'solid'} "
        f"{colours.quiet if rank < u else colours.a};border-radius:.4rem;padding:.2rem .5rem;"
        f"color:{colours.quiet if rank < u else colours.ink}'>"
        f"{html.escape(shown.subject.datasets[i])}<br>"
        f"<strong>{format_p_value(float(answer.p_values[i]))}</strong><br>"
        f"{'set aside' if rank < u else 'must show it'}</li>"
        for rank, i in enumerate(order, start=1)
    )
    st.html(
        "<ol aria-label='p-values, smallest first' style='list-style:none;display:flex;"
        f"flex-wrap:wrap;gap:.4rem;margin:0;padding:0;line-height:1.3'>{boxes}</ol>"
    )
    prose.paragraph(guide_example.claim_sentence(shown, u))


def _combinations() -> None:
    sections.definitions(guide.combination_rules())
