"""Verdicts on the page: sign, word and colour, with the sentences behind them, always literal."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.charts.theme import DARK
from core.claims import Claim, ClaimReport, Finding, marks_of
from core.claims import marks_alone as marks_alone_of
from core.claims.findings import CAVEAT, VERDICTS, Verdict, VerdictKey
from core.claims.marks import marked_datasets
from core.claims.reach import Reach, reach_sentence
from core.data import ScoreTable
from core.data.words import listed
from core.export.claims import reach_grid
from core.words.formatting import list_names
from pages.ui.frame import figures, prose, state
from pages.ui.frame.sections import section
from pages.ui.results import parts

if TYPE_CHECKING:
    from pages.ui.claims.table import UnderCheck

# A verdict is no system's colour: neither A's blue nor B's orange.
_GREEN_LIGHT, _GREEN_DARK = "#166534", "#4ade80"
_MOST_ROWS = 6


def claims(report: ClaimReport, unread: Mapping[Claim, tuple[str, ...]] | None = None) -> None:
    """A block for each claim, worst first: its verdict, why, what would settle it, and details.

    Parameters
    ----------
    report : ClaimReport
        With the verdicts.
    unread : mapping of Claim to tuple of str, optional
        Words of the lines that were left aside.
    """
    left = unread or {}
    worst_first = list(VERDICTS)
    blocks = [
        _block(report, verdict, left.get(verdict.claim, ()))
        for verdict in sorted(
            dict.fromkeys(report.verdicts), key=lambda verdict: worst_first.index(verdict.key)
        )
    ]
    if blocks:
        st.html("".join(blocks))


def doubtful_rows(report: ClaimReport) -> None:
    """The printed numbers that do not fit, each with what else could explain it."""
    found = [f for f in report.findings if f.key == "impossible" and f.dataset is not None]
    if not found:
        return
    st.header("Printed numbers that do not fit the others", anchor=False)
    st.html("".join(_row(finding) for finding in found[:_MOST_ROWS]))
    hidden = [f.dataset for f in found[_MOST_ROWS:] if f.dataset]
    if hidden:
        prose.paragraph(f"And {len(hidden)} more, in the table below: {list_names(hidden)}.")
    prose.paragraph(CAVEAT, quiet=True)


def marks_alone(claims: Sequence[Claim], n_datasets: int | None) -> bool:
    """What marks of significance support by themselves, in front; whether there are any."""
    alpha = state.session().settings.alpha
    found = marks_of(claims, n_datasets, alpha=alpha)
    for bounds in found:
        least, most = bounds.sentences()
        prose.lead(least)
        prose.paragraph(most)
    return bool(found)


def marks_in(checked: UnderCheck) -> bool:
    """What the marks in a table of scores support by themselves, in front; whether it has any."""
    table = checked.table
    if not isinstance(table, ScoreTable):
        return False
    marked = marked_datasets(table, checked.system_a, checked.system_b)
    if not marked:
        return False
    alpha = state.session().settings.alpha
    least, most = marks_alone_of(len(marked), len(table.datasets), alpha=alpha).sentences()
    prose.lead(least)
    prose.paragraph(
        f"Marked: {list_names(marked)}. {most} If a mark stands for another level, change α in the "
        "sidebar."
    )
    return True


def reachable(rows: Sequence[Reach]) -> None:
    """What difference could be significant at all, as a sentence and a table."""
    alpha = state.session().settings.alpha
    prose.paragraph(reach_sentence(rows, alpha=alpha), strong=True)
    parts.show([reach_grid(rows)])


def what_verdicts_mean() -> None:
    """The words of every verdict, behind a click."""
    section("What the verdicts mean", _meanings, key="claim-verdicts")


def _meanings() -> None:
    items = "".join(
        f"<li style='margin:.35rem 0'>{_badge(key)} {html.escape(words.rule)}</li>"
        for key, words in VERDICTS.items()
    )
    st.html(f"<ul style='margin:0;padding-left:1.25rem'>{items}</ul>")


def _block(report: ClaimReport, verdict: Verdict, unread: Sequence[str]) -> str:
    aside = ""
    if unread:
        words = html.escape(listed(unread))
        aside = f"<p style='margin:.15rem 0 0 0;opacity:.8'>Read without {words}.</p>"
    settle = f" {html.escape(verdict.settle)}" if verdict.settle else ""
    details = "".join(
        f"<p style='margin:.15rem 0 0 0'>{html.escape(sentence)}</p>"
        for sentence in dict.fromkeys(verdict.behind)
    )
    inner = (
        f"<p style='margin:0;font-weight:600'>{html.escape(report.words(verdict.claim))}</p>"
        f"{aside}"
        f"<p style='margin:.15rem 0 0 0'>{_badge(verdict.key)} {html.escape(verdict.why)}{settle}</p>"
        f"<details style='margin:.15rem 0 0 0'><summary>Details</summary>{details}</details>"
    )
    return _in_frame(inner, _colour(verdict.key), "claim-verdict")


def _row(finding: Finding) -> str:
    words = "no share of these examples"
    if finding.check == "possible-p-values":
        words = "not by a test on these examples"
    badge = _coloured("✗", words, _colour("impossible"))
    return _in_frame(
        f"<p style='margin:0'>{badge} {html.escape(finding.reason)}</p>",
        _colour("impossible"),
        "row-verdict",
    )


def _in_frame(inner: str, colour: str, name: str) -> str:
    return (
        f"<div class='{name}' style='border-left:.3rem solid {colour};"
        "padding:.15rem .9rem;margin:0 0 .7rem 0;line-height:1.5;overflow-wrap:anywhere'>"
        f"{inner}</div>"
    )


def _badge(key: VerdictKey) -> str:
    return _coloured(VERDICTS[key].sign, VERDICTS[key].words, _colour(key))


def _coloured(sign: str, words: str, colour: str) -> str:
    return (
        f"<span class='verdict-badge' style='color:{colour};font-weight:700'>"
        f"<span aria-hidden='true'>{sign}</span> {words[:1].upper()}{words[1:]}.</span>"
    )


def _colour(key: VerdictKey) -> str:
    colours = figures.theme()
    if key == "holds":
        return _GREEN_DARK if colours is DARK else _GREEN_LIGHT
    return colours.alert if key in ("impossible", "contradicted") else colours.quiet
