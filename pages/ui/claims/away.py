"""What a reviewer takes away: the paragraph in three forms, the findings, and a link."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from core.claims.findings import ClaimReport
from core.data import PValueTable, ResultSet
from core.export.claims import (
    findings_csv,
    of_tables,
    review_latex,
    review_markdown,
    review_text,
)
from core.words.formatting import display_name, list_names
from pages.ui.frame import links, prose, state
from pages.ui.frame.link_settings import link_of_session, link_with_table
from pages.ui.frame.tables import beginning
from pages.ui.results.explanations import signature

_FORMS = (
    ("text", review_text, "txt", "text/plain"),
    ("Markdown", review_markdown, "md", "text/markdown"),
    ("LaTeX", review_latex, "tex", "text/x-tex"),
    ("findings (CSV)", findings_csv, "csv", "text/csv"),
)


def paragraph(report: ClaimReport) -> None:
    """The three sentences, ready to be quoted, and what can be taken away of one or several tables."""
    st.header("For your review", anchor=False)
    if report.claims:
        prose.paragraph(report.paragraph())
    kept, tables = state.session().claim_reports, _tables(report)
    with st.container(horizontal=True):
        for label, write, ending, mime in _FORMS:
            st.download_button(
                f"Download {label}",
                data=partial(of_tables, tables, write),
                file_name=f"claims.{ending}",
                mime=mime,
                key=f"download-claims-{ending}",
                on_click="ignore",
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
    beginning(of_tables(_tables(report), review_text))
    _link()
    signature(report.signature)


def _tables(report: ClaimReport) -> list[tuple[str, ClaimReport]]:
    """The tables that were kept for one report, and this one."""
    kept = state.session().claim_reports
    loaded = state.session().loaded
    title = "Intervals" if loaded is None else display_name(loaded.title)
    others = [table for signature, table in kept.items() if signature != report.signature]
    return [*others, kept.get(report.signature, (title, report))]


def _keep(report: ClaimReport) -> None:
    title, _ = _tables(report)[-1]
    kept = state.session().claim_reports
    kept.setdefault(report.signature, (f"Table {len(kept) + 1}: {title}", report))


def can_be_bundled() -> bool:
    """Whether the Report page can write what is loaded, and these claims, into one file."""
    loaded = state.session().loaded
    return loaded is not None and isinstance(loaded.data, PValueTable | ResultSet)


def _bundle() -> None:
    """Where table and claims come in one file."""
    if not can_be_bundled():
        return
    prose.paragraph(
        "The bundle on the Report page holds the table and these claims in one file: dropped on the "
        "Upload page, it shows this check again."
    )
    st.page_link("pages/report.py", label="To the bundle on the Report page")


def _link() -> None:
    carrying = link_with_table()
    link = carrying or link_of_session()
    if state.session().loaded is None:
        prose.paragraph("Whoever opens this link sees this check: it needs no table.")
    elif carrying is not None:
        prose.paragraph(
            "Whoever opens this link sees this check without needing your file. The link holds the "
            "table itself: whoever sees the link can read it, and so can this server's log."
        )
    elif link.sample or link.table:
        prose.paragraph("Whoever opens this link sees this check.")
    else:
        prose.paragraph(
            "The table is too large for a link. Whoever opens this one is asked for the same file, "
            "and then sees this check."
        )
        _bundle()
    written = links.write(link)
    desk = state.session().claims
    if (desk.lines or desk.sizes.strip()) and not {"claims", "sizes"} & written.keys():
        prose.notice(
            "Claims and numbers of examples are too long for a link: the bundle holds them too."
            if can_be_bundled()
            else "Claims and numbers of examples are too long for a link: send them along as text."
        )
        if carrying is not None or link.sample or link.table:
            _bundle()
    base = (st.context.url or "").split("?")[0]
    st.code(f"{base}?{urlencode(written)}", language=None, wrap_lines=True)
