"""The table whose claims are checked, or what the page shows without one: intervals, and papers to try."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from core.claims.check import check_claims
from core.claims.findings import ClaimReport
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.errors import told
from core.words.formatting import counted
from pages.ui.claims import form, verdicts
from pages.ui.claims import lines as claims_lines
from pages.ui.claims.check import UnderCheck, likely_metric, own_lines
from pages.ui.claims.lines import ReadLines, read_lines
from pages.ui.frame import guards, prose, state
from pages.ui.frame.widgets import section
from pages.ui.intake import drop


def require_table(promise: str) -> UnderCheck:
    """What is loaded, or an empty state that says what the page will show; then the page stops."""
    loaded = state.session().loaded
    if loaded is None:
        _without_table(promise)
    table: PValueTable | ScoreTable
    so_far = ""
    if isinstance(loaded.data, EffectTable):
        report = _interval_answer()
        guards.explain_no_p_values(loaded.data)
        prose.paragraph("Or see a check with a published table:")
        claims_lines.sample_buttons()
        _interval_form(report)
        st.stop()
    elif isinstance(loaded.data, ResultSet):
        analysis = guards.require_analysis(promise)
        table, so_far = analysis.table, analysis.so_far
    elif isinstance(loaded.data, PValueTable):
        swapped = state.session().settings.swapped
        table = loaded.data.swapped() if swapped else loaded.data
    else:
        table = loaded.data
    a, b = state.systems()
    desk = state.claims()
    own = own_lines()
    return UnderCheck(
        table=table,
        system_a=a,
        system_b=b,
        lines=own if desk.lines is None else desk.lines,
        own_lines=own,
        metric=desk.metric or likely_metric(table.metric) or "other",
        metric_is_said=(desk.metric or likely_metric(table.metric)) is not None,
        sizes=desk.sizes,
        so_far=so_far,
        others=tuple(name for name in getattr(loaded.data, "systems", ()) if name not in (a, b)),
    )


def _without_table(promise: str) -> NoReturn:
    """What can be said without a table, where to get one, and papers to try."""
    link = state.session().awaited
    report = None if link is not None else _interval_answer()
    if report is None:
        prose.paragraph(promise)
    waiting = (link.claims.lines or "").strip() if link is not None else ""
    if waiting:
        prose.notice("These claims wait for their table, which the link does not hold:")
        st.code(waiting, language=None, wrap_lines=True)
    if report is not None:
        _interval_form(report)
        st.header("Claims about a table", anchor=False)
    st.page_link("pages/upload.py", label="Load a table on the Upload page")
    drop.paste()
    prose.paragraph("Or see it with a published table and what its paper claims:")
    claims_lines.sample_buttons()
    if report is None and link is None:
        verdicts.marks_alone(read_lines(state.claims().lines or "", ()).claims, None)
        _interval_form(None)
    st.stop()


def _interval_answer() -> ClaimReport | None:
    """The verdict on the intervals that are laid out, first of all; None where there are none."""
    lines = state.claims().lines or ""
    read = read_lines(lines, None)
    if not read.claims:
        return None
    settings = state.session().settings
    report = check_claims(None, read.claims, alpha=settings.alpha, dependence=settings.dependence)
    for claim in read.claims:
        state.record("claims checked", claim.words(alpha=settings.alpha))
    prose.lead(report.lead())
    claims_lines.source_of(lines)
    verdicts.claims(report)
    return report


def _interval_form(report: ClaimReport | None) -> None:
    """The field for intervals, and what of it can be taken away."""
    st.header("An interval and its estimate", anchor=False)
    prose.paragraph(
        "An estimate printed with a confidence interval needs no table: whether it can be that "
        "interval's is a matter of its two ends and their digits."
    )
    lines = state.claims().lines or ""
    examples = claims_lines.examples_for(None)
    claims_lines.field(lines, examples)
    _problems(read_lines(lines, None))
    if report is None:
        claims_lines.written_so(examples)
    section("Means with standard deviations: a paired t-test", form.means, key="claim-means")
    if report is not None:
        verdicts.review(report)
        verdicts.behind(report)


def _problems(read: ReadLines) -> None:
    if not read.problems:
        return
    lines = counted(read.n_unread, "line")
    prose.problems(f"{lines} could not be checked without a table.", told(read.problems))
