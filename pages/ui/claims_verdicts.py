"""Verdicts on the page: sign, word and colour, with the sentences behind them, always literal."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from core.charts import DARK
from core.claims import Claim, ClaimReport, Finding
from core.claims.findings import CAVEAT, DOUBTS, ClaimVerdict
from core.claims.sentences import claim_sentence, claim_words, numbers_in_words
from core.export.claims import VERDICT_RULES, VERDICT_WORDS
from core.report.formatting import list_names
from pages.ui import prose, theme
from pages.ui.sections import section

# A verdict is no system's colour: neither A's blue nor B's orange.
_GREEN_LIGHT, _GREEN_DARK = "#166534", "#4ade80"
_MOST_ROWS = 6
_PRINTED = frozenset[ClaimVerdict | None]({"impossible", "not-attainable"})


def claims(report: ClaimReport) -> None:
    """A block for each claim: as printed, then by direction."""
    judged = [f for f in report.findings if f.check in ("arithmetic", "scores-alone")]
    blocks = []
    for claim in dict.fromkeys(report.claims):
        first = [f for f in judged if f.claim == claim][:1]
        directed = [f for f in report.of("direction") if f.claim == claim]
        words = claim_words(claim, report.subject, _level(claim, report))
        blocks.append(_block(words, [*first, *directed]))
    if blocks:
        st.html("".join(blocks))


def doubtful_rows(report: ClaimReport) -> None:
    """The printed numbers that do not fit, each with what else could explain it."""
    found = [f for f in report.findings if f.verdict in _PRINTED and f.dataset is not None]
    if not found:
        return
    st.subheader("Printed numbers that do not fit the others", anchor=False)
    found.sort(key=lambda finding: finding.verdict != "impossible")
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


def _level(claim: Claim, report: ClaimReport) -> float:
    return report.alpha if claim.alpha is None else claim.alpha


def _block(words: str, found: Sequence[Finding]) -> str:
    verdicts = [f.verdict for f in found if f.dataset is None]
    worst = next((v for v in verdicts if v in DOUBTS), verdicts[0] if verdicts else None)
    lines = [f"<p style='margin:0;font-weight:600'>{html.escape(words)}</p>"]
    for finding in found:
        if finding.dataset is not None:
            lines.append(f"<p style='margin:.15rem 0 0 0'>{html.escape(finding.reason)}</p>")
            continue
        where = {"direction": "by direction", "arithmetic": "as printed"}.get(
            finding.check, "by scores and sizes"
        )
        if finding.verdict == "at-least-that-much" and "counts" in finding.details:
            spans = list(finding.details["counts"].values())
            fewest, most = min(low for low, _ in spans), max(high for _, high in spans)
            where = f"({numbers_in_words(fewest, most)}) {where}"
        lines.append(
            f"<p style='margin:.15rem 0 0 0'>{_badge(finding.verdict, where)} "
            f"{html.escape(_why(finding, words))}</p>"
        )
    return _framed("".join(lines), worst, "claim-verdict")


def _why(finding: Finding, words: str) -> str:
    """A reason without the claim and the verdict, which stand before it."""
    reason = finding.reason
    if finding.verdict == "at-least-that-much":
        reason = reason.partition(" says less than holds: ")[2] or reason
    elif finding.verdict is not None:
        said = claim_sentence(words, finding.verdict, "")
        others = [
            said.replace("by these p-values", words)
            for words in ("by scores and sizes", "by its own numbers")
        ]
        undecided = claim_sentence(f"{words}, as a claim about direction,", finding.verdict, "")
        for start in (said, *others, f"Read by direction, {said}", undecided):
            reason = reason.removeprefix(start)
    return f"{reason[:1].upper()}{reason[1:]}"


def _row(finding: Finding) -> str:
    return _framed(
        f"<p style='margin:0'>{_badge(finding.verdict)} {html.escape(finding.reason)} "
        "It is no sign of misconduct.</p>",
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
    place = f" {where}" if where else ""
    return (
        f"<span class='verdict-badge' style='color:{_colour(verdict)};font-weight:700'>"
        f"<span aria-hidden='true'>{words.sign}</span> {words.words}{place}.</span>"
    )


def _colour(verdict: ClaimVerdict | None) -> str:
    colours = theme.current()
    if verdict == "confirmed":
        return _GREEN_DARK if colours is DARK else _GREEN_LIGHT
    return colours.alert if verdict in DOUBTS else colours.quiet
