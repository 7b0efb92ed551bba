"""The guide's reference, below its talk."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

from core.replicability.combinations import combination_named, usual_combination
from core.words import guide
from core.words.counting import DEPENDENCE_ANSWERS, DEPENDENCE_EXAMPLES
from core.words.glossary import find_terms, glossary
from core.words.guide import (
    POSITIVE_QUESTION,
    REPLIES,
    REPLY_LABELS,
    SHARING_QUESTIONS,
    DependenceQuestion,
    Reply,
    Section,
    implied_dependence,
)
from core.words.testing import null_hypothesis_lines, recommendation_lines
from pages.ui.frame import page, prose, state


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A question of the reference.

    Attributes
    ----------
    heading, answer : str
        The question in a few words, and the sentence that answers it.
    show : callable
        Draws what there is to it.
    pages : tuple of str
        Labels of the pages where the thing is done.
    """

    heading: str
    answer: str
    show: Callable[[], None]
    pages: tuple[str, ...] = ()


def topics(alpha: float) -> tuple[Topic, ...]:
    """The reference at a level."""
    return (
        Topic(
            heading="Which dependence do I have?",
            answer="“Not known” until you have checked what the datasets share; Bonferroni's count "
            "then holds in any case.",
            show=_find_dependence,
            pages=("Upload", "Counting"),
        ),
        Topic(
            heading="How are p-values combined?",
            answer="If unsure, use Bonferroni. The others often show more, where what they assume "
            "is true.",
            show=lambda: definitions(guide.combination_rules()),
        ),
        _words(guide.names(alpha)),
        _words(guide.POOLING),
        _words(guide.ACROSS),
        _words(guide.EQUIVALENCE),
        Topic(
            heading="Which test on each dataset?",
            answer="The kind of scores decides, by one fixed rule that never looks at which system "
            "is ahead.",
            show=_tests,
            pages=("Tests",),
        ),
        Topic(
            heading="How do I report it?",
            answer=guide.report_answer(alpha),
            show=lambda: _report(alpha),
            pages=("Report", "Counting", "Identification"),
        ),
        _words(guide.LIMITS),
        Topic(heading="Glossary", answer="", show=_glossary),
    )


def _words(shown: Section) -> Topic:
    return Topic(
        heading=shown.heading,
        answer=shown.answer,
        show=lambda: prose.paragraphs(shown.details),
        pages=shown.pages,
    )


def reference(alpha: float) -> None:
    """One question at a time, chosen from the list of all."""
    st.header("Reference", anchor=False)
    of_heading = {topic.heading: topic for topic in topics(alpha)}
    beside, place = st.columns([1, 2], gap="large")
    with beside:
        topic = of_heading[
            st.radio(
                "Look up",
                list(of_heading),
                key="guide-topic",
                persist_state="session",
            )
        ]
    with place:
        st.subheader(topic.heading, anchor=False)
        if topic.answer:
            prose.paragraph(topic.answer, strong=True)
        topic.show()
        page_links(topic.pages)


def _tests() -> None:
    prose.bullets(recommendation_lines())
    definitions(null_hypothesis_lines())


def _report(alpha: float) -> None:
    prose.bullets(guide.CHECKLIST)
    prose.paragraph(guide.EXAMPLE_NOTE)
    prose.notice(guide.example_paragraph(guide.example(alpha=alpha)))
    prose.paragraph("To avoid:")
    prose.bullets(guide.TO_AVOID)


def _glossary() -> None:
    """Every term, or those that a search finds."""
    query = st.text_input("Search the glossary", key="guide-search", persist_state="session")
    if not query.strip():
        _all_terms()
        return
    found = find_terms(query)
    if found:
        definitions(found)
    else:
        prose.paragraph(f"No term or explanation holds “{query.strip()}”.")


def _all_terms() -> None:
    by_name = {entry.term.casefold(): entry for entry in glossary().values()}
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
