"""The guide's reference, below its talk."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

import streamlit as st

from core.replicability.combinations import combination_named, usual_combination
from core.words import guide
from core.words.counting import DEPENDENCE_ANSWERS, DEPENDENCE_EXAMPLES
from core.words.glossary import find_terms
from core.words.glossary import glossary as all_terms
from core.words.guide import (
    POSITIVE_QUESTION,
    REPLIES,
    REPLY_LABELS,
    SHARING_QUESTIONS,
    DependenceQuestion,
    Reply,
    Section,
    implied_dependence,
    null_hypothesis_lines,
    recommendation_lines,
)
from pages.ui.frame import page, prose, state
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


def dependence() -> None:
    """Which dependence the reader's datasets have."""
    heading(
        "Which dependence do I have?",
        "“Not known” until you have checked what the datasets share; Bonferroni's count then holds "
        "in any case.",
    )
    section("Find it by a few questions", _find_dependence, key="guide-dependence")
    page_links(("Upload", "Counting"))


def combinations() -> None:
    """How the p-values of datasets are combined."""
    heading(
        "How are p-values combined?",
        "If unsure, use Bonferroni. The others often show more, where what they assume is true.",
    )
    section(
        "Each combination, and what it assumes",
        lambda: definitions(guide.combination_rules()),
        key="guide-combinations",
    )


def tests() -> None:
    """Which test each dataset gets."""
    heading(
        "Which test on each dataset?",
        "The kind of scores decides, by one fixed rule that never looks at which system is ahead.",
    )
    section("The rule, and every test's null hypothesis", _tests, key="guide-tests")
    page_links(("Tests",))


def _tests() -> None:
    prose.bullets(recommendation_lines())
    definitions(null_hypothesis_lines())


def reporting(alpha: float) -> None:
    """What a paper should say, and what it should not."""
    heading("How do I report it?", guide.report_answer(alpha))
    section("Checklist, an example, and what to avoid", lambda: _report(alpha), key="guide-report")
    page_links(("Report", "Counting", "Identification"))


def _report(alpha: float) -> None:
    prose.bullets(guide.CHECKLIST)
    prose.paragraph(guide.EXAMPLE_NOTE)
    prose.notice(guide.example_paragraph(guide.example(alpha=alpha)))
    prose.paragraph("To avoid:")
    prose.bullets(guide.TO_AVOID)


def glossary() -> None:
    """Every term, or those that a search finds."""
    st.subheader("Glossary", anchor=False)
    query = st.text_input("Search the glossary", key="guide-search", persist_state="session")
    if not query.strip():
        section(f"All {len(all_terms())} terms", _all_terms, key="guide-glossary")
        return
    found = find_terms(query)
    if found:
        definitions(found)
    else:
        prose.paragraph(f"No term or explanation holds “{query.strip()}”.")


def _all_terms() -> None:
    by_name = {entry.term.casefold(): entry for entry in all_terms().values()}
    definitions(by_name[name] for name in sorted(by_name))


def _find_dependence() -> None:
    """The questions, the answer that follows, and a button that takes it."""
    replies = {question.key: _reply(question) for question in SHARING_QUESTIONS}
    if implied_dependence(replies).dependence != "independent":
        replies[POSITIVE_QUESTION.key] = _reply(POSITIVE_QUESTION)
    implied = implied_dependence(replies)
    label = DEPENDENCE_ANSWERS[implied.dependence]
    combination = combination_named(usual_combination(implied.dependence)).title
    prose.paragraph(f"Answer: “{label}” ({combination}).", strong=True)
    prose.paragraph(implied.reason)
    prose.paragraph(DEPENDENCE_EXAMPLES[implied.dependence], quiet=True)
    if state.session().settings.dependence == implied.dependence:
        prose.paragraph("This is what the sidebar says.", quiet=True)
    else:
        st.button(
            "Take this answer for every page",
            on_click=lambda: state.choose(dependence=implied.dependence),
        )


def _reply(question: DependenceQuestion) -> Reply:
    return st.radio(
        question.text,
        REPLIES,
        format_func=lambda reply: REPLY_LABELS[reply],
        horizontal=True,
        key=f"guide-dependence-{question.key}",
        persist_state="session",
    )
