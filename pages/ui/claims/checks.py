"""What a reader of verdicts asks next, in one box: reasons, numbers, the other checks, text and link."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from core import charts
from core.claims.findings import HEADINGS, Check, ClaimReport
from core.data import PValueTable
from core.export.claims import PossibleRow, p_values_grid, possible_grid, verdicts_grid
from pages.ui.claims import away, verdicts
from pages.ui.claims import check as claims_check
from pages.ui.claims.check import Inputs
from pages.ui.frame import figures, prose, state
from pages.ui.frame.sections import details
from pages.ui.results import parts

_MOST_DRAWN = 40
_EVERY_P_VALUE = ((0.0, 1.0),)
# What cannot be decided speaks against nothing.
_FITTING = frozenset({"possible", "undecided"})
# Of claims their own rows tell.
_OTHERS: tuple[Check, ...] = tuple(check for check in HEADINGS if check != "claim")


def show(report: ClaimReport, inputs: Inputs | None = None) -> None:
    """One box of details: reasons, p-values, other checks, what verdicts mean, text and link.

    Parameters
    ----------
    report : ClaimReport
        What was found.
    inputs : Inputs, optional
        What it was found on; None where intervals are checked without a table.
    """
    tabs: list[tuple[str, Callable[[], None]]] = []
    if report.claims:
        tabs.append(("Reasons", partial(verdicts.reasons, report)))
    if inputs is not None:
        if report.claims:
            tabs.append(("Numbers", partial(_numbers, inputs, report)))
        if any(_sentences(report, check) for check in _OTHERS):
            tabs.append(("Other checks", partial(_others, inputs, report)))
    tabs += [("Verdicts", verdicts.meanings), ("Copy", partial(away.copied, report))]
    details(tabs, key="claim")


def _numbers(inputs: Inputs, report: ClaimReport) -> None:
    """The p-values that claims are counted from, smallest first, and each claim's numbers."""
    loaded = state.session().loaded
    if loaded is not None and loaded.source.sample is not None:
        sample = loaded.source.sample
        prose.paragraph(f"{sample.description} {sample.source}.", quiet=True)
    if isinstance(inputs.table, PValueTable):
        parts.show([p_values_grid(inputs.table, report.alpha)])
    parts.show([verdicts_grid(report)])


def _others(inputs: Inputs, report: ClaimReport) -> None:
    for check in _OTHERS:
        if _sentences(report, check):
            st.header(HEADINGS[check], anchor=False)
            _show(inputs, report, check)


def possible_chart(inputs: Inputs, report: ClaimReport) -> None:
    """Printed p-values against possible ones, where there are not too many to read."""
    rows = [row for row in claims_check.rows(inputs, report) if row.ranges]
    # Where every p-value is possible on every row, bars say nothing.
    limited = any(row.ranges != _EVERY_P_VALUE for row in rows)
    if not limited or len(rows) > _MOST_DRAWN:
        return
    prose.paragraph(
        "Each printed p-value beside those that its scores and number of examples leave possible, "
        "by any test in use and for either system:"
    )
    _draw(rows)


def _draw(rows: list[PossibleRow]) -> None:
    misfits = sum(row.key not in _FITTING for row in rows)
    figures.show(
        partial(
            charts.possible_ranges,
            [row.dataset for row in rows],
            printed=[min(max(_printed(row), row.p_low), row.p_high) for row in rows],
            ranges=[row.ranges for row in rows],
            fits=[row.key in _FITTING for row in rows],
        ),
        name="possible-p-values",
        alt=(
            f"Possible p-values of {len(rows)} datasets as bars, the printed ones as marks. "
            f"{len(rows) - misfits} are possible, {misfits} not by a test on these examples."
        ),
    )


def _printed(row: PossibleRow) -> float:
    try:
        return float(row.printed)
    except ValueError:
        return row.p_high


def _sentences(report: ClaimReport, check: Check) -> list[str]:
    """Of rows and claims their own blocks tell; here is the rest."""
    found = report.of(check)
    if check in ("direction", "scores-alone"):
        found = tuple(f for f in found if f.claim is None and f.dataset is None)
    if check == "possible-p-values":
        found = tuple(f for f in found if f.dataset is None)
    return list(dict.fromkeys(f.reason for f in found if f.reason))


def _show(inputs: Inputs, report: ClaimReport, check: Check) -> None:
    sentences = _sentences(report, check)
    if check == "direction" and sentences and report.made == "printed":
        sentences.append(
            "The Counting page takes printed p-values at their digits; this page takes every value "
            "within their rounding, so that its counts can span more, and start below."
        )
    if len(sentences) > 1:
        prose.bullets(sentences)
    else:
        prose.paragraphs(sentences)
    if check != "possible-p-values":
        return
    rows = claims_check.rows(inputs, report)
    if not rows:
        return
    parts.show([possible_grid(rows, report.subject)])
    each = [f.reason for f in report.of(check) if f.dataset and f.key == "possible"]
    if each and len(each) <= _MOST_DRAWN:
        st.markdown("What each possible p-value takes:")
        prose.bullets(each)
