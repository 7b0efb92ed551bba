"""How an answer came about, what a careful reader asks next, and the line that reproduces it."""

import streamlit as st

from core.analysis import Analysis, statements
from core.analysis.statements import group_sentences
from core.replicability.combinations import Combination, counting_method_named
from core.replicability.identification import procedure_named
from core.sections import answers, results
from core.sections.parts import Paragraph, Signature
from core.words.counting import REFERENCE, WHY_ALLOWED
from core.words.formatting import sentence_case
from core.words.subject import Question
from core.words.testing import described
from pages.ui.frame import prose, state
from pages.ui.results import parts


def how_counted(question: Question) -> None:
    """The formula in force and where it comes from."""
    method = counting_method_named(question.answer.combination)
    st.markdown(
        "With the p-values sorted, $p_{(1)} \\le \\dots \\le p_{(N)}$, the claim “on at least "
        "$u$ datasets” is tested by combining the $N-u+1$ largest:"
        if isinstance(method, Combination)
        else "$Z_i$ is dataset $i$'s sum of differences over the root of its sum of squares, and "
        "$Z_i(g)$ the same after flip $g$, one of $R$ including the data as they are. The claim "
        "“on at least $u$ datasets” is tested on every set of more than $N-u$ datasets:"
    )
    st.latex(method.formula)
    st.markdown(
        "$p_*^{u/N}$ is the running maximum over $1, \\dots, u$, and $\\hat{k}$ is the largest "
        "$u$ with $p_*^{u/N} \\le \\alpha$. The chance that $\\hat{k}$ exceeds the true number "
        f"is at most $\\alpha$, {method.holds}."
    )
    st.markdown(REFERENCE)


def how_named(procedure: str) -> None:
    """The rule of a procedure."""
    named = procedure_named(procedure)
    prose.paragraph(f"{sentence_case(named.title)}. {named.rule}")
    prose.paragraph(
        "The adjusted p-value is the smallest level at which the dataset would be significant."
    )
    prose.paragraph(REFERENCE)


def how_tested(analysis: Analysis) -> None:
    """What each test does, and what its p-value is."""
    used = [r for r in analysis.table.results or () if r is not None]
    for name in dict.fromkeys(result.test for result in used):
        prose.paragraph(described(name))
    parts.show(results.how_tested_parts(analysis))
    if used:
        of = "this test" if len(used) == 1 else "the first dataset's test"
        signature(used[0].signature, of=of)


def copied(sentence: str, *, also: str = "") -> None:
    """The answer as text to copy, after what contradicts it."""
    st.code(f"{also} {sentence}".strip(), language=None, wrap_lines=True)


def signatures(analysis: Analysis, question: Question) -> None:
    """The lines that reproduce the counts of the lead."""
    lines = parts.kept(statements.signatures, analysis, question)
    for of, line in lines.items():
        signature(line, of="this result" if len(lines) == 1 else of)


def signature(line: str, *, of: str = "this result") -> None:
    """The reproducing line, literally, and what it reproduces."""
    parts.show([Signature(line=line, of=of)])


def dependence(analysis: Analysis) -> None:
    """The three answers about dependence, each with an example and what it would change."""
    parts.show((*answers.dependence_parts(analysis), *answers.joint_parts(analysis)))


def metrics() -> None:
    """When all metrics are one family, and where they are counted so."""
    prose.paragraph(
        "Use this count if you did not fix the metric before looking; else use the count of your metric. "
        "Counts that need independence are not offered: metrics of the same outputs depend on each other."
    )
    st.page_link("pages/reliability.py", label="Every metric and test as one family →")


def groups(analysis: Analysis, question: Question) -> None:
    """Bounds for groups, chosen by hand or by a column, all valid at once."""
    datasets = analysis.table.datasets
    chosen = st.multiselect(
        "Datasets of a group",
        list(datasets),
        key=state.of_file("group-by-hand"),
        placeholder="choose any, also after looking",
        persist_state="session",
    )
    named = {"": [datasets.index(name) for name in chosen if name in datasets]}
    if named[""]:
        prose.paragraph(group_sentences(analysis, question, named)[0], strong=True)
    parts.show(answers.groups_parts(analysis) or [Paragraph(text=WHY_ALLOWED, tone="quiet")])
