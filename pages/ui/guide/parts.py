"""Parts that the guide's sections are made of: definitions, links to pages, answers with details."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

import streamlit as st

from core.report.guide import Section
from pages.ui.frame import page, prose
from pages.ui.frame.sections import section


def definitions(entries: Iterable[tuple[str, str]]) -> None:
    """Terms with their explanations, literally."""
    rows = "".join(
        f"<dt style='font-weight:600'>{html.escape(term)}</dt>"
        f"<dd style='margin:0 0 .6rem 0'>{html.escape(text)}</dd>"
        for term, text in entries
    )
    st.html(f"<dl style='margin:0;padding:0;line-height:1.5;overflow-wrap:anywhere'>{rows}</dl>")


def page_links(labels: Sequence[str]) -> None:
    """Links to those of these pages that the menu has."""
    entries = [entry for label in labels for entry in page.PAGES if entry.label == label]
    if entries:
        with st.container(horizontal=True):
            for entry in entries:
                st.page_link(entry.path, label=f"{entry.label} →")


def heading(text: str, answer: str) -> None:
    """A question and the sentence that answers it."""
    st.subheader(text, anchor=False)
    prose.paragraph(answer)


def words(shown: Section) -> None:
    """A section that is nothing but words."""
    heading(shown.heading, shown.answer)
    section(shown.label, lambda: prose.paragraphs(shown.details), key=f"guide-{shown.key}")
    page_links(shown.pages)
