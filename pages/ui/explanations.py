"""How an answer came about, in words and formulas, and the line that reproduces it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.data import PValueTable
from core.report.formatting import list_names
from core.report.questions import Question
from core.report.verdicts import (
    PROCEDURE_NAMES,
    common_practice_sentence,
    complement_sentence,
    count_sentence,
    names_sentence,
    validity_sentence,
    zeros_sentence,
)
from core.types import Combination, Procedure
from pages.ui import prose, state

_FORMULAS: dict[Combination, str] = {
    "bonferroni": r"p^{u/N} = \min\bigl(1,\; (N-u+1)\, p_{(u)}\bigr)",
    "fisher": r"p^{u/N} = P\Bigl(\chi^2_{2(N-u+1)} \ge -2 \sum_{i=u}^{N} \ln p_{(i)}\Bigr)",
    "simes": r"p^{u/N} = \min_{i \ge u} \frac{N-u+1}{i-u+1}\, p_{(i)}",
}
_REFERENCE = (
    "Dror, Baumer, Bogomolov and Reichart, “Replicability Analysis for Natural Language "
    "Processing: Testing Significance with Multiple Datasets”, TACL 2017, sections 4.1 to 4.3; "
    "Benjamini and Heller, Biometrics 2008."
)
_PROCEDURE_RULES: dict[Procedure, str] = {
    "holm": (
        "Sort the p-values. Compare the smallest with α/N, the next with α/(N − 1), and so on; "
        "stop at the first that exceeds its threshold. Those before it are named."
    ),
    "bonferroni": "Every p-value at most α/N is named.",
    "hochberg": (
        "The thresholds are Holm's, but the search begins at the largest p-value: the first that "
        "is at most its threshold is named with all smaller ones."
    ),
    "hommel": (
        "A dataset is named when Simes' test rejects every set of datasets that holds it. With h "
        "the size of the largest set not rejected, that is p ≤ α/h."
    ),
    "fisher-closed": (
        "A dataset is named when Fisher's test rejects every set of datasets that holds it; its "
        "threshold is the largest p-value with which that would be so, the others as they are."
    ),
    "benjamini-hochberg": (
        "Sort the p-values. Find the last whose p-value is at most rank · α/N; it and all smaller "
        "ones are named."
    ),
    "benjamini-yekutieli": (
        "As Benjamini–Hochberg with α divided by 1 + 1/2 + … + 1/N, the price of any dependence."
    ),
}


def counting(analysis: state.Analysis, question: Question) -> None:
    """What the count means for names, and what the common practice is worth."""
    table = analysis.table
    texts = [
        names_sentence(question.answer, analysis.subject),
        common_practice_sentence(question.answer),
        complement_sentence(question.answer, analysis.subject, claim=question.claim),
        zeros(table),
        left_out(analysis.settings.excluded) if analysis.settings.excluded else "",
        validity_sentence(),
    ]
    prose.paragraphs(text for text in texts if text)


def other_side(analysis: state.Analysis, question: Question) -> None:
    """Where the data speak for both systems, what they say for the one not shown."""
    if not analysis.assessment.shows_both_sides or question.claim == "differ":
        return
    other = next(
        (q for q in analysis.questions if q.claim not in (question.claim, "differ") and q.headline),
        None,
    )
    if other is not None:
        sentence = count_sentence(other.answer, analysis.subject, claim=other.claim)
        prose.paragraph(f"The other way round: {sentence}")


def how_counted(question: Question) -> None:
    """The formula in force and where it comes from."""
    with st.expander("How this was computed"):
        st.markdown(
            "With the p-values sorted, $p_{(1)} \\le \\dots \\le p_{(N)}$, the claim “on at least "
            "$u$ datasets” is tested by combining the $N-u+1$ largest:"
        )
        st.latex(_FORMULAS[question.answer.combination])
        st.markdown(
            "$p_*^{u/N}$ is the running maximum over $1, \\dots, u$, and $\\hat{k}$ is the largest "
            "$u$ with $p_*^{u/N} \\le \\alpha$. The chance that $\\hat{k}$ exceeds the true number "
            "is at most $\\alpha$."
        )
        st.markdown(_REFERENCE)


def how_named(procedure: Procedure) -> None:
    """The rule of a procedure."""
    with st.expander("How this was computed"):
        name = PROCEDURE_NAMES[procedure]
        prose.paragraph(f"{name[:1].upper()}{name[1:]}. {_PROCEDURE_RULES[procedure]}")
        prose.paragraph(
            "The adjusted p-value is the smallest level at which the dataset would be named."
        )
        prose.paragraph(_REFERENCE)


def signature(line: str) -> None:
    """The reproducing line, literally."""
    st.code(line, language=None, wrap_lines=True)


def zeros(table: PValueTable) -> str:
    """How printed zeros were read; empty where there are none."""
    chosen = table.printed_zeros
    printed = [text for text, zero in zip(table.printed, chosen, strict=True) if zero]
    declared = table.reading is not None and table.reading.roles.get("zero_reads_below") is not None
    below = float(table.p_value_bounds[1][chosen][0]) if printed else None
    return zeros_sentence(printed, below, declared=declared)


def left_out(names: Sequence[str]) -> str:
    """Which datasets do not count, and what that costs."""
    return (
        f"Left out by hand: {list_names(names)}. Where that was decided after looking at the "
        "results, the guarantee no longer holds."
    )
