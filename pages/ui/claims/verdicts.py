"""Verdicts on the page: sign, word and colour, with the sentences behind them, always literal."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from core.charts.theme import DARK
from core.claims import Claim, ClaimReport, Finding
from core.claims.findings import CAVEAT, DOUBTS, ClaimVerdict
from core.claims.sentences import needs_words, numbers_in_words
from core.claims.standing import (
    Standing,
    directed_finding,
    printed_finding,
    standing_of,
)
from core.export.claims import VERDICT_RULES, VERDICT_WORDS
from core.report.formatting import list_names
from pages.ui.frame import figures, prose
from pages.ui.frame.sections import section

# A verdict is no system's colour: neither A's blue nor B's orange.
_GREEN_LIGHT, _GREEN_DARK = "#166534", "#4ade80"
_MOST_ROWS = 6
_DIRECTION_FIRST = frozenset[Standing](
    {
        "against-direction",
        "undirected",
        "open-direction",
        "confirmed-by-direction",
        "at-least-by-direction",
    }
)


def claims(report: ClaimReport) -> None:
    """A block for each claim: by the numbers and by direction, what is in its way first."""
    blocks = []
    for claim in dict.fromkeys(report.claims):
        printed, directed = printed_finding(report, claim), directed_finding(report, claim)
        standing = standing_of(report, claim)
        found = [f for f in (printed, directed) if f is not None]
        if standing in _DIRECTION_FIRST or (printed is not None and printed.verdict is None):
            found.reverse()
        if report.made == "computed":
            # Tests of both systems give one verdict.
            found = found[:1]
        rows = [f for f in report.of("direction") if f.claim == claim and f.dataset is not None]
        blocks.append(_block(report, claim, standing, found, rows))
    if blocks:
        st.html("".join(blocks))


def doubtful_rows(report: ClaimReport) -> None:
    """The printed numbers that do not fit, each with what else could explain it."""
    found = [f for f in report.findings if f.verdict == "impossible" and f.dataset is not None]
    if not found:
        return
    st.subheader("Printed numbers that do not fit the others", anchor=False)
    st.html("".join(_row(finding) for finding in found[:_MOST_ROWS]))
    hidden = [f.dataset for f in found[_MOST_ROWS:] if f.dataset]
    if hidden:
        prose.paragraph(f"And {len(hidden)} more, in the table below: {list_names(hidden)}.")
    prose.paragraph(CAVEAT, quiet=True)


def what_verdicts_mean() -> None:
    """The words of every verdict, behind a click."""
    section("What the verdicts mean", _meanings, key="claim-verdicts")


def _meanings() -> None:
    items = "".join(
        f"<li style='margin:.35rem 0'>{_badge(verdict)} {html.escape(rule)}</li>"
        for verdict, rule in VERDICT_RULES.items()
    )
    st.html(f"<ul style='margin:0;padding-left:1.25rem'>{items}</ul>")


def _block(
    report: ClaimReport,
    claim: Claim,
    standing: Standing,
    found: Sequence[Finding],
    rows: Sequence[Finding],
) -> str:
    words = report.words(claim)
    lines = [f"<p style='margin:0;font-weight:600'>{html.escape(words)}</p>"]
    for finding in found:
        badge = _badge(finding.verdict, _where(finding, report))
        lines.append(
            f"<p style='margin:.15rem 0 0 0'>{badge} {html.escape(_sentence(finding))}</p>"
        )
    lines += [f"<p style='margin:.15rem 0 0 0'>{html.escape(row.reason)}</p>" for row in rows]
    colour: ClaimVerdict = "not-excluded"
    if standing in ("denied", "against-direction"):
        colour = "not-supported"
    elif standing in ("confirmed", "confirmed-by-direction"):
        colour = "confirmed"
    return _framed("".join(lines), colour, "claim-verdict")


def _where(finding: Finding, report: ClaimReport) -> str:
    """By what a verdict is given, with the numbers that come out or what it needs."""
    where = {"direction": "by direction", "arithmetic": "as printed"}.get(
        finding.check, "by scores and sizes"
    )
    if report.made == "computed":
        where = "by the tests run here"
    if finding.verdict == "at-least-that-much" and "counts" in finding.details:
        spans = list(finding.details["counts"].values())
        fewest, most = min(low for low, _ in spans), max(high for _, high in spans)
        return f"({numbers_in_words(fewest, most)}) {where}"
    if needs := finding.details.get("needs"):
        return f"(needs {needs_words(needs)}) {where}"
    return where


def _sentence(finding: Finding) -> str:
    reason = finding.why or finding.reason
    # The letter of a p-value stays small.
    return reason if reason.startswith("p ") else f"{reason[:1].upper()}{reason[1:]}"


def _row(finding: Finding) -> str:
    badge = _badge(finding.verdict)
    if finding.check == "granularity":
        badge = _labelled("✗", "no share of these examples", "impossible")
    return _framed(
        f"<p style='margin:0'>{badge} {html.escape(finding.reason)}</p>",
        finding.verdict,
        "row-verdict",
    )


def _framed(inner: str, verdict: ClaimVerdict | None, name: str) -> str:
    return (
        f"<div class='{name}' style='border-left:.3rem solid {_colour(verdict)};"
        "padding:.15rem .9rem;margin:0 0 .7rem 0;line-height:1.5;overflow-wrap:anywhere'>"
        f"{inner}</div>"
    )


def _badge(verdict: ClaimVerdict | None, where: str = "") -> str:
    if verdict is None:
        return ""
    words = VERDICT_WORDS[verdict]
    return _labelled(words.sign, f"{words.words} {html.escape(where)}".rstrip(), verdict)


def _labelled(sign: str, words: str, verdict: ClaimVerdict) -> str:
    return (
        f"<span class='verdict-badge' style='color:{_colour(verdict)};font-weight:700'>"
        f"<span aria-hidden='true'>{sign}</span> {words}.</span>"
    )


def _colour(verdict: ClaimVerdict | None) -> str:
    colours = figures.theme()
    if verdict == "confirmed":
        return _GREEN_DARK if colours is DARK else _GREEN_LIGHT
    return colours.alert if verdict in DOUBTS else colours.quiet
