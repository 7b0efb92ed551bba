"""Verdicts on the page: sign, word and colour, the reasons and numbers behind them, and what a reviewer takes away."""

import html
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from core import charts
from core.charts.theme import DARK
from core.claims.claim import Claim
from core.claims.findings import (
    CAVEAT,
    HEADINGS,
    VERDICTS,
    Check,
    ClaimReport,
    RowFinding,
    Verdict,
    VerdictKey,
)
from core.claims.no_p_values import MarkBounds, Reach, marked_datasets, marks_of, reach_sentence
from core.data import PValueTable, ResultSet, ScoreTable
from core.export import claims as exported
from core.words.formatting import display_name, format_level, list_names, sentence_case
from pages.ui.claims.check import UnderCheck
from pages.ui.frame import figures, links, prose, state
from pages.ui.frame.tables import beginning, file
from pages.ui.frame.widgets import details
from pages.ui.results import parts
from pages.ui.results.explanations import signature

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
_FORMS = (
    ("text", exported.review_text, "txt"),
    ("Markdown", exported.review_markdown, "md"),
    ("LaTeX", exported.review_latex, "tex"),
    ("findings (CSV)", exported.findings_csv, "csv"),
)
_MOST_DRAWN = 40
_EVERY_P_VALUE = ((0.0, 1.0),)
# What cannot be decided speaks against nothing.
_FITTING = frozenset({"possible", "undecided"})
# Of claims their own rows tell.
_OTHERS: tuple[Check, ...] = tuple(check for check in HEADINGS if check != "claim")


def claims(report: ClaimReport, notes: Mapping[Claim, str]) -> None:
    """A row for each claim, worst first: its lines, how it was read, its verdict and why."""
    rows = "".join(_claim(report, one, notes.get(one.claim, "")) for one in report.worst_first)
    if rows:
        head = "<thead><tr><th scope='col'>claim</th><th scope='col'>verdict</th></tr></thead>"
        st.html(f"{_STYLE}<table class='claims'>{head}<tbody>{rows}</tbody></table>")


def reasons(report: ClaimReport) -> None:
    """The numbers behind each verdict, and what would settle it."""
    for verdict in report.worst_first:
        prose.paragraph(report.words(verdict.claim), strong=True)
        prose.paragraphs(dict.fromkeys([*verdict.behind, *filter(None, [verdict.settle])]))


def doubtful_rows(report: ClaimReport) -> None:
    """The printed numbers that do not fit, each with what else could explain it."""
    found = [f for f in report.findings if f.key == "impossible" and f.dataset is not None]
    if not found:
        return
    st.header("Printed numbers that do not fit the others", anchor=False)
    style = (
        f"border-left:.3rem solid {_colour('impossible')};padding:.15rem .9rem;margin:0 0 .7rem 0;"
        "line-height:1.5;overflow-wrap:anywhere"
    )
    badge = _badge("impossible", "does not fit")
    st.html(
        "".join(
            f"<div class='row-verdict' style='{style}'>{badge} {html.escape(one.reason)}</div>"
            for one in found[:_MOST_ROWS]
        )
    )
    hidden = [f.dataset for f in found[_MOST_ROWS:] if f.dataset]
    if hidden:
        prose.paragraph(f"And {len(hidden)} more, in the table below: {list_names(hidden)}.")
    if any(f.check != "no-p-value" for f in found):
        prose.paragraph(CAVEAT, quiet=True)


def marks(
    checked: UnderCheck | None, claims: Sequence[Claim] = (), *, in_front: bool = False
) -> bool:
    """What marks of significance support by themselves: those in a table of scores, and claimed ones.

    In front of the page the first is its answer. Returned is whether there are any.
    """
    alpha = state.session().settings.alpha
    table = None if checked is None else checked.table
    found: dict[str, str] = {}
    if checked is not None and isinstance(table, ScoreTable):
        marked, of_one_test = marked_datasets(table, checked.system_a, checked.system_b)
        if marked and of_one_test:
            least, most = MarkBounds(
                n_marked=len(marked), n_datasets=len(table.datasets), alpha=alpha
            ).sentences()
            found[least] = (
                f"Marked: {list_names(marked)}. {most} This takes each mark as p ≤ "
                f"{format_level(alpha)}; for another level change α in the sidebar."
            )
        elif marked:
            prose.paragraph(
                f"Marked: {list_names(marked)}. The marks may stand for different tests or systems, "
                "and are not counted."
            )
    # What sets an upper limit comes first: of one number the rest is no news.
    of_claims = marks_of(claims, None if table is None else len(table.datasets), alpha=alpha)
    for bounds in sorted(of_claims, key=lambda one: not one.are_all):
        least, most = bounds.sentences()
        found.setdefault(least, most)
    for i, (least, most) in enumerate(found.items()):
        if in_front and not i:
            prose.lead(least)
        else:
            prose.paragraph(least)
        prose.paragraph(most)
    return bool(found)


def reachable(rows: Sequence[Reach]) -> None:
    """What difference could be significant at all, as a sentence and a table."""
    alpha = state.session().settings.alpha
    prose.paragraph(reach_sentence(rows, alpha=alpha), strong=True)
    parts.show([exported.reach_grid(rows)])


def meanings() -> None:
    """The words of every verdict."""
    items = (f"{_badge(key, one.words)} {html.escape(one.rule)}" for key, one in VERDICTS.items())
    st.html(prose.listed(items))


def _claim(report: ClaimReport, verdict: Verdict, note: str) -> str:
    aside = f"<small>{html.escape(note)}</small>" if note else ""
    return (
        f"<tr class='claim-verdict' style='--verdict:{_colour(verdict.key)}'>"
        f"<th scope='row'>{prose.unbroken(html.escape(report.words(verdict.claim)))}{aside}</th>"
        f"<td>{_badge(verdict.key, verdict.words())} {prose.unbroken(html.escape(verdict.why))}</td></tr>"
    )


def _badge(key: VerdictKey, words: str) -> str:
    return (
        f"<span class='verdict-badge' style='color:{_colour(key)};font-weight:700'>"
        f"<span aria-hidden='true'>{VERDICTS[key].sign}</span> "
        f"{sentence_case(html.escape(words))}.</span>"
    )


def _colour(key: VerdictKey) -> str:
    colours = figures.theme()
    if key == "holds":
        return _GREEN_DARK if colours is DARK else _GREEN_LIGHT
    return colours.alert if key in ("impossible", "contradicted") else colours.quiet


def review(report: ClaimReport) -> None:
    """A paragraph ready to be quoted, and what can be taken away of one or several tables.

    Of tests that were run here there is nothing to review but claims.
    """
    is_checked = bool(report.claims) or report.made == "printed"
    kept, tables = state.session().claim_reports, _kept_tables(report)
    if not is_checked and not kept:
        return
    st.header("For your review", anchor=False)
    if is_checked:
        prose.paragraph(report.paragraph())
    with st.container(horizontal=True):
        for label, write, ending in _FORMS:
            file(
                f"Download {label}", partial(exported.of_tables, tables, write), f"claims.{ending}"
            )
        if report.signature not in kept:
            st.button(
                "Add another table",
                on_click=_keep,
                args=(report,),
                help="Keeps these verdicts. Then load the paper's next table: its verdicts come "
                "below these in one report.",
            )
        if kept:
            st.button("Forget the tables kept", on_click=kept.clear)
    if kept:
        titles = list_names([title for title, _ in kept.values()], most=len(kept))
        prose.paragraph(f"Kept for one report: {titles}.", quiet=True)


def copied(report: ClaimReport) -> None:
    """The review as text, a link that reproduces the check, and its signature."""
    beginning(exported.of_tables(_kept_tables(report), exported.review_text))
    _link_to_check()
    signature(report.signature)


def _kept_tables(report: ClaimReport) -> list[tuple[str, ClaimReport]]:
    """The tables that were kept for one report, and this one."""
    kept = state.session().claim_reports
    loaded = state.session().loaded
    title = "Intervals" if loaded is None else display_name(loaded.title)
    others = [table for signature, table in kept.items() if signature != report.signature]
    return [*others, kept.get(report.signature, (title, report))]


def _keep(report: ClaimReport) -> None:
    title, _ = _kept_tables(report)[-1]
    kept = state.session().claim_reports
    kept.setdefault(report.signature, (f"Table {len(kept) + 1}: {title}", report))


def _link_to_check() -> None:
    """The link that shows this check again, and the bundle where a link cannot hold all of it."""
    carrying = links.link_with_table()
    link = carrying or links.link_of_session()
    loaded = state.session().loaded
    written = links.write(link)
    desk = state.session().claims
    left_out = bool(desk.lines or desk.sizes.strip()) and not {"claims", "sizes"} & written.keys()
    too_large = loaded is not None and not (carrying or link.sample or link.table)
    prose.paragraph("Whoever opens this link sees this check.")
    if carrying is not None:
        prose.paragraph(links.CARRIES)
    elif too_large:
        prose.paragraph(
            "The table is too large for a link: they are first asked for the same file."
        )
    if left_out:
        prose.notice(
            "Claims and numbers of examples are too long for a link: send them along as text."
        )
    if (too_large or left_out) and isinstance(state.data(), PValueTable | ResultSet):
        prose.paragraph(
            "The bundle on the Report page holds the table and these claims in one file: dropped on "
            "the Upload page, it shows this check again."
        )
        st.page_link("pages/report.py", label="To the bundle on the Report page")
    prose.address(written)


def behind(report: ClaimReport, checked: UnderCheck | None = None) -> None:
    """One box of details: reasons, p-values, other checks, what verdicts mean, text and link."""
    tabs: list[tuple[str, Callable[[], None]]] = []
    if report.claims:
        tabs.append(("Reasons", partial(reasons, report)))
    if checked is not None:
        if report.claims and isinstance(checked.table, PValueTable):
            tabs.append(("Numbers", partial(_numbers, checked.table, report)))
        if others := [check for check in _OTHERS if _sentences(report, check)]:
            tabs.append(("Other checks", partial(_others, report, others)))
    tabs += [("Verdicts", meanings), ("Copy", partial(copied, report))]
    details(tabs, key="claim")


def _numbers(table: PValueTable, report: ClaimReport) -> None:
    """The p-values that claims are counted from, smallest first."""
    loaded = state.session().loaded
    if loaded is not None and loaded.source.sample is not None:
        sample = loaded.source.sample
        prose.paragraph(f"{sample.description} {sample.source}.", quiet=True)
    parts.show([exported.p_values_grid(table, report.alpha)])


def possible_chart(report: ClaimReport) -> None:
    """Printed p-values against possible ones, where there are not too many to read."""
    rows = [row for row in report.judged_rows if row.ranges]
    # Where every p-value is possible on every row, bars say nothing.
    limited = any(row.ranges != _EVERY_P_VALUE for row in rows)
    if not limited or len(rows) > _MOST_DRAWN:
        return
    prose.paragraph(
        "Each printed p-value beside those that its scores and number of examples leave possible, "
        "by any test in use and for either system:"
    )
    misfits = sum(row.key not in _FITTING for row in rows)
    figures.show(
        partial(
            charts.possible_ranges,
            [row.dataset for row in rows],
            printed=list(map(_printed, rows)),
            ranges=[row.ranges for row in rows],
            fits=[row.key in _FITTING for row in rows],
        ),
        name="possible-p-values",
        alt=(
            f"Possible p-values of {len(rows)} datasets as bars, the printed ones as marks. "
            f"{len(rows) - misfits} are possible, {misfits} not by a test on these examples."
        ),
    )


def _printed(row: RowFinding) -> float:
    """Where the printed p-value is drawn: a zero at 0, where any p-value near it would be."""
    try:
        return float(row.printed)
    except ValueError:
        return row.p_value


def _sentences(report: ClaimReport, check: Check) -> list[str]:
    """Of rows and claims their own blocks tell; here is the rest."""
    found = report.of(check)
    if check == "possible-p-values":
        found = tuple(f for f in found if f.dataset is None)
    return list(dict.fromkeys(f.reason for f in found if f.reason))


def _others(report: ClaimReport, checks: Sequence[Check]) -> None:
    for check in checks:
        st.header(HEADINGS[check], anchor=False)
        sentences = _sentences(report, check)
        if check == "direction" and report.made == "printed":
            sentences.append(
                "The Counting page takes printed p-values at their digits; this page takes every value "
                "within their rounding, so that its counts can span more, and start below."
            )
        if len(sentences) > 1:
            prose.bullets(sentences)
        else:
            prose.paragraphs(sentences)
        if check == "possible-p-values" and report.judged_rows:
            parts.show([exported.possible_grid(report.judged_rows, report.subject)])
