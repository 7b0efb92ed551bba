"""Verdicts on the page: sign, word and colour, with the sentences behind them, always literal."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.charts.theme import DARK
from core.claims.claim import Claim
from core.claims.findings import CAVEAT, VERDICTS, ClaimReport, Finding, Verdict, VerdictKey
from core.claims.no_p_values import Reach, marked_datasets, marks_of, reach_sentence
from core.claims.no_p_values import marks_alone as marks_alone_of
from core.data import ScoreTable
from core.data.words import listed
from core.export.claims import reach_grid
from core.words.formatting import list_names
from pages.ui.frame import figures, prose, state
from pages.ui.results import parts

if TYPE_CHECKING:
    from pages.ui.claims.table import UnderCheck

# A verdict is no system's colour: neither A's blue nor B's orange.
_GREEN_LIGHT, _GREEN_DARK = "#166534", "#4ade80"
_MOST_ROWS = 6
# Side by side, below each other on a telephone.
_STYLE = (
    "<style>.claims{border-collapse:collapse;width:100%;line-height:1.45;overflow-wrap:anywhere}"
    ".claims th,.claims td{text-align:left;vertical-align:top;padding:.4rem .8rem;border:0;"
    "border-bottom:1px solid rgba(128,128,128,.35)}.claims thead th{font-weight:400;font-size:.9rem}"
    ".claims tbody th{width:42%;font-weight:600;border-left:.3rem solid var(--verdict)}"
    ".claims small{display:block;font-weight:400}"
    "@media (max-width:40rem){.claims thead{display:none}.claims tbody :is(tr,th,td){display:block;"
    "width:auto}.claims tbody th{border-bottom:0;padding-bottom:0}"
    ".claims td{border-left:.3rem solid var(--verdict)}}</style>"
)


def claims(report: ClaimReport, unread: Mapping[Claim, tuple[str, ...]] | None = None) -> None:
    """A row for each claim, worst first: what is claimed, its verdict, and why.

    Parameters
    ----------
    report : ClaimReport
        With the verdicts.
    unread : mapping of Claim to tuple of str, optional
        Words of the lines that were left aside.
    """
    left = unread or {}
    rows = "".join(_claim(report, one, left.get(one.claim, ())) for one in _worst_first(report))
    if rows:
        head = "<thead><tr><th scope='col'>claim</th><th scope='col'>verdict</th></tr></thead>"
        st.html(f"{_STYLE}<table class='claims'>{head}<tbody>{rows}</tbody></table>")


def reasons(report: ClaimReport) -> None:
    """The numbers behind each verdict, and what would settle it."""
    for verdict in _worst_first(report):
        prose.paragraph(report.words(verdict.claim), strong=True)
        prose.paragraphs(dict.fromkeys([*verdict.behind, *filter(None, [verdict.settle])]))


def _worst_first(report: ClaimReport) -> list[Verdict]:
    order = list(VERDICTS)
    return sorted(dict.fromkeys(report.verdicts), key=lambda verdict: order.index(verdict.key))


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


def marks_alone(claims: Sequence[Claim], n_datasets: int | None, *, said: str = "") -> bool:
    """What marks of significance support by themselves, beyond what is said; whether there are any."""
    alpha = state.session().settings.alpha
    found = dict.fromkeys(
        bounds.sentences() for bounds in marks_of(claims, n_datasets, alpha=alpha)
    )
    for least, most in found:
        if least != said:
            prose.lead(least)
            prose.paragraph(most)
    return bool(found)


def marks_in(checked: UnderCheck) -> str:
    """What the marks in a table of scores support by themselves, in front; empty without any."""
    table = checked.table
    if not isinstance(table, ScoreTable):
        return ""
    marked = marked_datasets(table, checked.system_a, checked.system_b)
    if not marked:
        return ""
    alpha = state.session().settings.alpha
    least, most = marks_alone_of(len(marked), len(table.datasets), alpha=alpha).sentences()
    prose.lead(least)
    prose.paragraph(
        f"Marked: {list_names(marked)}. {most} If a mark stands for another level, change α in the "
        "sidebar."
    )
    return least


def reachable(rows: Sequence[Reach]) -> None:
    """What difference could be significant at all, as a sentence and a table."""
    alpha = state.session().settings.alpha
    prose.paragraph(reach_sentence(rows, alpha=alpha), strong=True)
    parts.show([reach_grid(rows)])


def meanings() -> None:
    """The words of every verdict."""
    items = "".join(
        f"<li style='margin:.35rem 0'>{_badge(key)} {html.escape(words.rule)}</li>"
        for key, words in VERDICTS.items()
    )
    st.html(f"<ul style='margin:0;padding-left:1.25rem'>{items}</ul>")


def _claim(report: ClaimReport, verdict: Verdict, unread: Sequence[str]) -> str:
    aside = f"<small>Read without {html.escape(listed(unread))}.</small>" if unread else ""
    return (
        f"<tr class='claim-verdict' style='--verdict:{_colour(verdict.key)}'>"
        f"<th scope='row'>{html.escape(report.words(verdict.claim))}{aside}</th>"
        f"<td>{_badge(verdict.key)} {html.escape(verdict.why)}</td></tr>"
    )


def _row(finding: Finding) -> str:
    words = "no share of these examples"
    if finding.check == "possible-p-values":
        words = "not by a test on these examples"
    badge = _coloured("✗", words, _colour("impossible"))
    return (
        f"<div class='row-verdict' style='border-left:.3rem solid {_colour('impossible')};"
        "padding:.15rem .9rem;margin:0 0 .7rem 0;line-height:1.5;overflow-wrap:anywhere'>"
        f"{badge} {html.escape(finding.reason)}</div>"
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
