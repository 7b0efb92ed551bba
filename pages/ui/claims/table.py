"""What claims are checked against: the table as printed, with A and B as the sidebar has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import streamlit as st

from core.claims import ClaimReport, check_claims, sample_claims, sample_metric
from core.claims.check_rows import metric_of_name
from core.claims.claim import ClaimMetric
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.data.p_value_table import said_scores
from core.data.tables.numbers import read_number
from core.errors import told
from core.words.formatting import display_name, list_names
from pages.ui.claims import away, means, verdicts
from pages.ui.claims import lines as claims_lines
from pages.ui.claims.desk import ClaimDesk, ReadLines, read_lines
from pages.ui.frame import guards, limits, prose, state
from pages.ui.intake import no_p_values, paste
from pages.ui.intake.role_form import DIRECTION_LABELS
from pages.ui.results.explanations import signature


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderCheck:
    """What is loaded, and what is laid out to check of it.

    Attributes
    ----------
    table : PValueTable or ScoreTable
        With every dataset of the file, also those left out elsewhere.
    system_a, system_b : str
        Their names.
    lines : str
        The claims, one a line: written by the user, or recorded with a sample.
    own_lines : str
        Those recorded with a sample; empty of anything else.
    metric : {"accuracy", "correlation", "other"}
        What the scores are: chosen, or what sample or table say.
    sizes : str
        Numbers of examples as typed.
    metric_is_said : bool
        Whether anybody said so: the user, the sample or the table.
    so_far : str
        Said before the answer while tests are running.
    """

    table: PValueTable | ScoreTable
    system_a: str
    system_b: str
    lines: str
    own_lines: str
    metric: ClaimMetric
    sizes: str
    metric_is_said: bool = True
    so_far: str = ""

    @property
    def has_scores(self) -> bool:
        """Whether there are two scores to hold p-values against."""
        if isinstance(self.table, ScoreTable):
            return True
        has_both = self.table.scores_a is not None and self.table.scores_b is not None
        return has_both and self.table.results is None

    @property
    def may_be_accuracies(self) -> bool:
        """Whether p-values, scores that may be shares, and sizes are there, and nobody said what."""
        table = self.table
        if self.metric_is_said or not self.has_scores:
            return False
        if not (self.has_sizes or self.sizes.strip()):
            return False
        if isinstance(table, PValueTable):
            said = (said_scores(table.scores_a, table.printed_scores_a) or ()) + (
                said_scores(table.scores_b, table.printed_scores_b) or ()
            )
        else:
            said = tuple(
                text
                for system in (self.system_a, self.system_b)
                for text in table.printed_scores(system)
            )
        values = [read_number(text.strip()).value for text in said if text]
        # Shares are no less than 0; scores from 0 to 1 or to 100, most of them well inside.
        return bool(values) and min(values) >= 0.0 and max(values) <= 100.0

    @property
    def has_sizes(self) -> bool:
        """Whether the table itself has numbers of examples."""
        return self.table.n_examples is not None


def require_table(promise: str) -> UnderCheck:
    """What is loaded, or an empty state that says what the page will show; then the page stops."""
    loaded = state.session().loaded
    if loaded is None:
        _without_table(promise)
    table: PValueTable | ScoreTable
    so_far = ""
    if isinstance(loaded.data, EffectTable):
        report = _interval_answer()
        no_p_values.explain(loaded.data)
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
    own = _own_lines()
    return UnderCheck(
        table=table,
        system_a=a,
        system_b=b,
        lines=own if desk.lines is None else desk.lines,
        own_lines=own,
        metric=desk.metric or _likely_metric(table.metric) or "other",
        metric_is_said=(desk.metric or _likely_metric(table.metric)) is not None,
        sizes=desk.sizes,
        so_far=so_far,
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
    paste.show()
    prose.paragraph("Or see it with a published table and what its paper claims:")
    claims_lines.sample_buttons()
    if report is None and link is None:
        verdicts.marks_alone(read_lines(state.claims().lines or "", ()).claims, None)
        _interval_form(None)
    st.stop()


def what_is_checked(checked: UnderCheck) -> None:
    """One quiet line: which table, who A and B are, and that nothing is left out."""
    loaded = state.session().loaded
    assert loaded is not None
    n = len(checked.table.datasets)
    computed = isinstance(loaded.data, ResultSet)
    kind = "p-values computed here" if computed else "the numbers as printed"
    text = f"{display_name(loaded.title)}: {kind}, N = {n}."
    if (checked.system_a, checked.system_b) != ("A", "B"):
        text += f" A is {display_name(checked.system_a)}, B is {display_name(checked.system_b)}."
    if isinstance(checked.table, PValueTable) and not computed:
        text += f" Its p-values: {DIRECTION_LABELS[checked.table.alternative]}."
        taken = [r for r in _remarks(checked.table) if "follows the numbers" in r]
        text += "".join(f" {remark}" for remark in taken)
    further = checked.table.further if isinstance(checked.table, PValueTable) else ()
    if loaded.source.sample is not None and not computed:
        text += f" {loaded.source.sample.description} {loaded.source.sample.source}."
    elif further:
        names = list_names([other.name for other in further], most=len(further))
        text += f" Beside the p-values that are counted it has {names}."
    excluded = state.session().settings.excluded
    if excluded and not computed:
        text += (
            f" A paper's claims are about its whole table: {list_names(excluded)}, left out on the "
            "other pages, " + ("is" if len(excluded) == 1 else "are") + " in it here."
        )
    prose.paragraph(text, quiet=True)


def _remarks(table: PValueTable) -> tuple[str, ...]:
    return () if table.reading is None else table.reading.remarks


def _own_lines() -> str:
    loaded = state.session().loaded
    if loaded is None or loaded.source.sample is None:
        return ""
    lines = "\n".join(claim.line() for claim in sample_claims(loaded.source.sample.key))
    return ClaimDesk(lines=lines).facing(swapped=state.session().settings.swapped).lines or ""


def _likely_metric(name: str | None) -> ClaimMetric | None:
    loaded = state.session().loaded
    recorded = None
    if loaded is not None and loaded.source.sample is not None:
        recorded = sample_metric(loaded.source.sample.key)
    return recorded or metric_of_name(name)


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
