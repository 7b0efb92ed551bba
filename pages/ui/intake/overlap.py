"""Whether the datasets share test examples, and which answer on dependence follows."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import charts
from core.analysis import Analysis
from core.data.overlap.find import Overlap
from core.report.formatting import list_names
from core.report.overlap import OVERLAP_REFERENCE, no_examples_sentence, overlap_text
from core.report.overlap_pairs import overlap_table
from pages.ui.frame import figures, prose, tables
from pages.ui.frame.sections import section
from pages.ui.intake import drop


def show(analysis: Analysis) -> None:
    """The finding in a sentence or two; the matrix behind a click."""
    if len(analysis.data.datasets) < 2:
        return
    st.subheader("Do the datasets share examples?", anchor=False)
    overlap = analysis.overlap
    if overlap is None:
        prose.paragraph(no_examples_sentence())
        return
    text = overlap_text(overlap)
    prose.paragraph(f"{text.verdict} {text.effect}")
    if overlap.same_scores:
        again = tuple(overlap.datasets[i] for group in overlap.same_scores for i in group[1:])
        st.button(
            prose.label(f"Leave out {list_names(again)}"), on_click=drop.leave_out, args=(again,)
        )
    section("What was compared", lambda: _compared(overlap), key="overlap")


def _compared(overlap: Overlap) -> None:
    text = overlap_text(overlap)
    prose.paragraphs(sentence for sentence in (text.reason, *text.caveats) if sentence)
    if overlap.shares_any:
        figures.show(
            partial(charts.overlap_matrix, overlap),
            name="overlap",
            alt=f"Matrix of shared examples. {text.verdict}",
        )
    if overlap.shares_any or overlap.shares_texts or overlap.same_scores:
        tables.frame(
            overlap_table(overlap),
            aside=True,
            columns={"share": st.column_config.NumberColumn(format="percent")},
        )
    prose.paragraph(OVERLAP_REFERENCE, quiet=True)
