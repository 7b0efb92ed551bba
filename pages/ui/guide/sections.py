"""The guide's sections after the argument."""

from __future__ import annotations

import streamlit as st

from core.report import guide, guide_example
from core.report.glossary import GLOSSARY, find_terms
from core.report.guide_tests import null_hypothesis_lines, recommendation_lines
from pages.ui.frame import prose
from pages.ui.frame.sections import section
from pages.ui.guide import dependence as guide_dependence
from pages.ui.guide import parts


def dependence() -> None:
    """Which dependence the reader's datasets have."""
    parts.heading(
        "Which dependence do I have?",
        "“Not known” until you have checked what the datasets share; Bonferroni's count then holds "
        "in any case.",
    )
    section("Find it by a few questions", guide_dependence.show, key="guide-dependence")
    parts.page_links(("Upload", "Counting"))


def tests() -> None:
    """Which test each dataset gets."""
    parts.heading(
        "Which test on each dataset?",
        "The kind of scores decides, by one fixed rule that never looks at which system is ahead.",
    )
    section("The rule, and every test's null hypothesis", _tests, key="guide-tests")
    parts.page_links(("Per-dataset tests",))


def _tests() -> None:
    prose.bullets(recommendation_lines())
    parts.definitions(null_hypothesis_lines())


def reporting(alpha: float) -> None:
    """What a paper should say, and what it should not."""
    parts.heading("How do I report it?", guide.report_answer(alpha))
    section("Checklist, an example, and what to avoid", lambda: _report(alpha), key="guide-report")
    parts.page_links(("Report", "Counting", "Identification"))


def _report(alpha: float) -> None:
    prose.bullets(guide.CHECKLIST)
    prose.paragraph(guide_example.EXAMPLE_NOTE)
    prose.notice(guide_example.example_paragraph(guide_example.example(alpha=alpha)))
    prose.paragraph("To avoid:")
    prose.bullets(guide.TO_AVOID)


def glossary() -> None:
    """Every term, or those that a search finds."""
    st.subheader("Glossary", anchor=False)
    query = st.text_input("Search the glossary", key="guide-search", persist_state="session")
    if not query.strip():
        section(f"All {len(GLOSSARY)} terms", _all_terms, key="guide-glossary")
        return
    found = find_terms(query)
    if found:
        parts.definitions(found)
    else:
        prose.paragraph(f"No term or explanation holds “{query.strip()}”.")


def _all_terms() -> None:
    by_name = {entry.term.casefold(): entry for entry in GLOSSARY.values()}
    parts.definitions(by_name[name] for name in sorted(by_name))
