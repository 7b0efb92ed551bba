"""Whether the datasets share test examples, and which answer on dependence follows."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import charts
from core.analysis import Analysis
from core.data.overlap.find import Overlap
from core.report.overlap import OVERLAP_REFERENCE, no_examples_sentence, overlap_text
from core.report.overlap_pairs import overlap_table
from pages.ui import figures, prose
from pages.ui.sections import section


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
    if overlap.shares_any or overlap.shares_texts:
        frame = overlap_table(overlap)
        st.dataframe(
            frame,
            hide_index=True,
            height="content" if len(frame) <= 12 else 420,
            column_config={"share": st.column_config.NumberColumn(format="percent")},
        )
    prose.paragraph(OVERLAP_REFERENCE, quiet=True)
