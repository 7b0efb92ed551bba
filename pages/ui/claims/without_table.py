"""What can be checked before any table is loaded: printed intervals."""

from __future__ import annotations

import streamlit as st

from core.claims import ClaimReport, check_claims
from core.errors import told
from core.export.claims import lead_sentence
from pages.ui.claims import away, means, samples, verdicts
from pages.ui.claims import lines as claims_lines
from pages.ui.claims.desk import ReadLines, read_lines
from pages.ui.frame import limits, prose, state
from pages.ui.results.explanations import signature


def answer() -> ClaimReport | None:
    """The verdict on the intervals that are laid out, first of all; None where there are none."""
    lines = state.claims().lines or ""
    read = read_lines(lines, None)
    if not read.claims:
        return None
    settings = state.session().settings
    report = check_claims(None, read.claims, alpha=settings.alpha, dependence=settings.dependence)
    for claim in read.claims:
        state.record("claims checked", claim.words(alpha=settings.alpha))
    prose.lead(lead_sentence(report))
    samples.source_of(lines)
    verdicts.claims(report)
    return report


def form(report: ClaimReport | None) -> None:
    """The field for intervals, and what of it can be taken away."""
    st.subheader("An interval and its estimate", anchor=False)
    prose.paragraph(
        "An estimate printed with a confidence interval needs no table: whether it can be that "
        "interval's is a matter of its two ends and their digits."
    )
    lines = state.claims().lines or ""
    claims_lines.field(lines, claims_lines.examples_for(None))
    _problems(read_lines(lines, None))
    means.show()
    if report is not None:
        verdicts.what_verdicts_mean()
        away.show(report)
        signature(report.signature)


def _problems(read: ReadLines) -> None:
    if not read.problems:
        return
    each = told(read.problems)
    shown = each[: limits.MAX_PROBLEMS_SHOWN]
    n = read.n_unread
    title = f"{n} line{'s' if n != 1 else ''} could not be checked without a table."
    prose.problems(title, shown, hidden=len(each) - len(shown))
