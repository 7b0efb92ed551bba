"""How an answer came about, in words and formulas, and the line that reproduces it."""

from __future__ import annotations

import streamlit as st

from core.analysis import Analysis, statements
from core.replicability.combinations import counting_method_named
from core.replicability.procedures import procedure_named
from core.sections import results
from core.words.counting import (
    REFERENCE,
    REPORT_WHAT_WAS_TRIED,
)
from core.words.formatting import display_name
from core.words.subject import Question
from core.words.testing import described
from pages.ui.frame import prose, state
from pages.ui.intake import loading
from pages.ui.results import parts


def cautions(analysis: Analysis) -> None:
    """What limits the guarantee, with the answer to the question of who was A."""
    for caution in analysis.cautions:
        prose.notice(caution)
    if loading.can_declare_first():
        st.button(
            prose.label(f"Yes, {display_name(analysis.subject.system_a)} was A before looking"),
            on_click=loading.declare_first,
            key="declare-first",
        )


def other_sides(analysis: Analysis) -> None:
    """Where small p-values speak for a system whose score is the worse one."""
    for sentence in analysis.other_sides:
        prose.notice(sentence)


def condition(analysis: Analysis, question: Question) -> None:
    """On which reading of the table an answer rests."""
    prose.paragraphs(statements.conditions(analysis, question), quiet=True)


def names_and_count(analysis: Analysis, question: Question) -> None:
    """How the names and the count belong together."""
    prose.paragraphs(statements.names_and_count(analysis, question))


def how_counted(question: Question) -> None:
    """The formula in force and where it comes from."""
    st.markdown(
        "With the p-values sorted, $p_{(1)} \\le \\dots \\le p_{(N)}$, the claim “on at least "
        "$u$ datasets” is tested by combining the $N-u+1$ largest:"
    )
    st.latex(counting_method_named(question.answer.combination).formula)
    st.markdown(
        "$p_*^{u/N}$ is the running maximum over $1, \\dots, u$, and $\\hat{k}$ is the largest "
        "$u$ with $p_*^{u/N} \\le \\alpha$. The chance that $\\hat{k}$ exceeds the true number "
        "is at most $\\alpha$."
    )
    st.markdown(REFERENCE)


def how_named(procedure: str) -> None:
    """The rule of a procedure."""
    name = procedure_named(procedure).title
    prose.paragraph(f"{name[:1].upper()}{name[1:]}. {procedure_named(procedure).rule}")
    prose.paragraph(
        "The adjusted p-value is the smallest level at which the dataset would be named."
    )
    prose.paragraph(REFERENCE)


def how_tested(analysis: Analysis) -> None:
    """What each test does, and what its p-value is."""
    used = [r for r in analysis.table.results or () if r is not None]
    for name in dict.fromkeys(result.test for result in used):
        prose.paragraph(described(name))
    parts.show(results.how_tested_parts(analysis))
    for result in used[:1]:
        signature(
            result.signature,
            of="this test" if len(used) == 1 else "the first dataset's test",
        )


def tried() -> None:
    """Everything that was tried on these data, which a report must tell."""
    kept = state.session().tried
    prose.bullets([f"{kind}: {'; '.join(values)}" for kind, values in kept.items()])
    prose.paragraph(REPORT_WHAT_WAS_TRIED)


def copied(sentence: str, *, also: str = "") -> None:
    """The answer as text to copy, after what contradicts it."""
    st.code(f"{also} {sentence}".strip(), language=None, wrap_lines=True)


def signatures(analysis: Analysis, question: Question) -> None:
    """The lines that reproduce the counts of the lead."""
    lines = statements.signatures(analysis, question)
    for of, line in lines.items():
        signature(line, of="this result" if len(lines) == 1 else of)


def signature(line: str, *, of: str = "this result") -> None:
    """The reproducing line, literally, and what it reproduces."""
    prose.paragraph(f"Signature: reproduces {of}.", quiet=True)
    st.code(line, language=None, wrap_lines=True)
