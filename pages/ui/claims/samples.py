"""Papers whose claims can be checked: their tables, and intervals that need none."""

from __future__ import annotations

import streamlit as st

from core.claims import ClaimsWithoutTable, sample_claims, samples_without_table
from core.data import samples
from pages.ui.claims import lines as claims_lines
from pages.ui.frame import prose, state
from pages.ui.frame.sections import section
from pages.ui.intake import loading


def buttons(*, before: str = "") -> None:
    """One button a paper's table, and one for each set of claims without a table.

    Parameters
    ----------
    before : str
        Claims that are on the page; those without a table go below them.
    """
    with st.container(horizontal=True):
        for sample in samples():
            if sample_claims(sample.key):
                st.button(
                    sample.title,
                    key=f"sample-{sample.key}",
                    help=sample.description,
                    on_click=loading.load_sample,
                    args=(sample.key,),
                )
        for found in samples_without_table():
            st.button(
                found.title,
                key=f"sample-{found.key}",
                help=found.description,
                on_click=_lay_out,
                args=(found, before),
            )


def show_others(before: str) -> None:
    """The same behind a click, where something is checked already."""
    section("Other papers' tables and claims", lambda: buttons(before=before), key="claim-samples")


def source_of(lines: str) -> None:
    """Whose claims are laid out, where they are a paper's that need no table."""
    for found in samples_without_table():
        if found.lines in lines:
            prose.paragraph(f"{found.source}. {found.note}", quiet=True)


def _lay_out(found: ClaimsWithoutTable, before: str) -> None:
    if found.lines not in (state.claims().lines or before):
        claims_lines.append(found.lines, before=before)
