"""The other checks, each behind a click: numbers, rows, direction, practice, which p-values matter."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import charts
from core.claims import ClaimReport
from core.claims.findings import CHECKS, HEADINGS, Check
from core.data import PValueTable
from core.export.claims import PossibleRow, p_values_grid, possible_grid, verdicts_grid
from pages.ui.claims import check as claims_check
from pages.ui.claims.check import Inputs
from pages.ui.frame import figures, prose
from pages.ui.frame.sections import section
from pages.ui.results import parts

_MOST_DRAWN = 40
_EVERY_P_VALUE = ((0.0, 1.0),)
# What cannot be decided speaks against nothing.
_FITTING = frozenset({"possible", "undecided"})
# Said beside each claim already.
_BESIDE_CLAIMS: frozenset[Check] = frozenset({"claim"})


def show(inputs: Inputs, report: ClaimReport) -> None:
    """A section for each check that found something."""
    if report.claims:
        section(
            "All verdicts as a table",
            lambda: parts.show([verdicts_grid(report)]),
            key="claim-numbers",
        )
    for check in sorted(CHECKS, key=list(HEADINGS).index):
        if check in _BESIDE_CLAIMS or not _sentences(report, check):
            continue
        section(_label(report, check), partial(_show, inputs, report, check), key=f"claim-{check}")


def p_values(inputs: Inputs, report: ClaimReport) -> None:
    """The p-values that claims are counted from, smallest first; of scores alone none."""
    table = inputs.table
    if report.claims and isinstance(table, PValueTable):
        section(
            "The p-values behind the verdicts",
            lambda: parts.show([p_values_grid(table, report.alpha)]),
            key="claim-p-values",
        )


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


def _label(report: ClaimReport, check: Check) -> str:
    heading = HEADINGS[check]
    n_rows = sum(f.dataset is not None and f.key is not None for f in report.of(check))
    if check == "possible-p-values" and n_rows:
        return f"{heading}: all {n_rows} rows" if n_rows > 1 else f"{heading}: the row"
    return heading


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
