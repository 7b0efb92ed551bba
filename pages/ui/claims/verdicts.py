"""Verdicts on the page: sign, word and colour, with the sentences behind them, always literal."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from core.charts.theme import DARK
from core.claims import Claim, ClaimReport, Finding, marks_of
from core.claims.claim_verdicts import Verdict, VerdictKey
from core.claims.findings import CAVEAT, DOUBTS, ClaimVerdict
from core.claims.standing import directed_finding, printed_finding
from core.export.claims import (
    CLAIM_VERDICT_RULES,
    CLAIM_VERDICT_WORDS,
    VERDICT_RULES,
    VERDICT_WORDS,
)
from core.report.formatting import list_names
from pages.ui.frame import figures, prose, state
from pages.ui.frame.sections import section

# A verdict is no system's colour: neither A's blue nor B's orange.
_GREEN_LIGHT, _GREEN_DARK = "#166534", "#4ade80"
_MOST_ROWS = 6


def claims(report: ClaimReport) -> None:
    """A block for each claim: its one verdict, why, what would settle it, and the details below."""
    blocks = [_block(report, verdict) for verdict in dict.fromkeys(report.verdicts)]
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


def marks_alone(claims: Sequence[Claim], n_datasets: int | None) -> None:
    """What marks of significance support by themselves, where there are no p-values."""
    for bounds in marks_of(claims, n_datasets, alpha=state.session().settings.alpha):
        prose.paragraphs(bounds.sentences())


def what_verdicts_mean() -> None:
    """The words of every verdict, behind a click."""
    section("What the verdicts mean", _meanings, key="claim-verdicts")


def _meanings() -> None:
    items = "".join(
        f"<li style='margin:.35rem 0'>{_coloured(*CLAIM_VERDICT_WORDS[key], _colour_of_claim(key))} "
        f"{html.escape(rule)}</li>"
        for key, rule in CLAIM_VERDICT_RULES.items()
    )
    items += "".join(
        f"<li style='margin:.35rem 0'>{_badge(verdict)} {html.escape(rule)}</li>"
        for verdict, rule in VERDICT_RULES.items()
    )
    st.html(f"<ul style='margin:0;padding-left:1.25rem'>{items}</ul>")


def _block(report: ClaimReport, verdict: Verdict) -> str:
    claim = verdict.claim
    printed, directed = printed_finding(report, claim), directed_finding(report, claim)
    found = [f for f in (printed, directed) if f is not None]
    if report.made == "computed" and directed is not None:
        # Tests of both systems give one verdict.
        found = [directed]
    rows = [f for f in report.of("direction") if f.claim == claim and f.dataset is not None]
    sign, words = CLAIM_VERDICT_WORDS[verdict.key]
    badge = _coloured(sign, words, _colour_of_claim(verdict.key))
    settle = f" {html.escape(verdict.settle)}" if verdict.settle else ""
    details = "".join(
        f"<p style='margin:.15rem 0 0 0'>{html.escape(sentence)}</p>"
        for sentence in [*(_detail(f, report) for f in found), *(row.reason for row in rows)]
    )
    inner = (
        f"<p style='margin:0;font-weight:600'>{html.escape(report.words(claim))}</p>"
        f"<p style='margin:.15rem 0 0 0'>{badge} {html.escape(verdict.why)}{settle}</p>"
        f"<details style='margin:.15rem 0 0 0'><summary>Details</summary>{details}</details>"
    )
    return _in_frame(inner, _colour_of_claim(verdict.key), "claim-verdict")


def _detail(finding: Finding, report: ClaimReport) -> str:
    where = _where(finding, report)
    return f"{where[:1].upper()}{where[1:]}: {finding.why or finding.reason}"


def _where(finding: Finding, report: ClaimReport) -> str:
    """By what a verdict is given, with the numbers that come out or what it needs."""
    where = {"direction": "by direction", "arithmetic": "as printed"}.get(
        finding.check, "by scores and sizes"
    )
    if report.made == "computed":
        where = "by the tests run here"
    return where


def _row(finding: Finding) -> str:
    badge = _badge(finding.verdict)
    if finding.check == "granularity":
        badge = _coloured("✗", "no share of these examples", _colour("impossible"))
    return _in_frame(
        f"<p style='margin:0'>{badge} {html.escape(finding.reason)}</p>",
        _colour(finding.verdict),
        "row-verdict",
    )


def _in_frame(inner: str, colour: str, name: str) -> str:
    return (
        f"<div class='{name}' style='border-left:.3rem solid {colour};"
        "padding:.15rem .9rem;margin:0 0 .7rem 0;line-height:1.5;overflow-wrap:anywhere'>"
        f"{inner}</div>"
    )


def _badge(verdict: ClaimVerdict | None) -> str:
    if verdict is None:
        return ""
    words = VERDICT_WORDS[verdict]
    return _coloured(words.sign, words.words, _colour(verdict))


def _coloured(sign: str, words: str, colour: str) -> str:
    return (
        f"<span class='verdict-badge' style='color:{colour};font-weight:700'>"
        f"<span aria-hidden='true'>{sign}</span> {words}.</span>"
    )


def _colour_of_claim(key: VerdictKey) -> str:
    colours = figures.theme()
    if key == "holds":
        return _colour("confirmed")
    return colours.alert if key in ("impossible", "contradicted") else colours.quiet


def _colour(verdict: ClaimVerdict | None) -> str:
    colours = figures.theme()
    if verdict == "confirmed":
        return _GREEN_DARK if colours is DARK else _GREEN_LIGHT
    return colours.alert if verdict in DOUBTS else colours.quiet
