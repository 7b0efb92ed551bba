"""The report on the page, and what can be taken away, each made when asked for."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.analysis import Analysis
from core.export.as_json import to_json
from core.export.bundle import write_bundle
from core.export.paper import Form, paper_grid, paper_pieces, paper_zip
from core.export.report import (
    SECTION_TITLES,
    chosen_sections,
    html_report,
    markdown_report,
    sections_that_apply,
    workbook,
)
from pages.ui.frame import links, prose, state, tables
from pages.ui.results import parts
from pages.ui.results.analysis import detached

_NO_NETWORK = "One file that opens without a network."
_RESTORES = "Your data, settings, claims and results. Dropped on the Upload page, it restores this analysis."


def whole(analysis: Analysis) -> None:
    """The report: its sections chosen in one list, the buttons, and any section as it will look."""
    st.header("The whole report", anchor=False)
    chosen = _sections(sections_that_apply(analysis))
    with st.container(horizontal=True):
        html, markdown = (partial(one, chosen=chosen) for one in (html_report, markdown_report))
        _button(analysis, "Report (HTML)", html, "report.html", note=_NO_NETWORK)
        _button(analysis, "Report (Markdown)", markdown, "report.md")
        _button(analysis, "Tables (Excel)", workbook, "tables.xlsx")
        _button(analysis, "Everything (JSON)", to_json, "analysis.json")
        _button(analysis, "Bundle (zip)", _bundle(), "analysis.zip", note=_RESTORES)
    shown = st.selectbox(
        "Preview",
        chosen,
        index=None,
        format_func=SECTION_TITLES.__getitem__,
        key="report-preview",
        placeholder="Choose a section to see it as it will look",
    )
    if shown is None:
        return
    with st.container(border=True):
        for found in chosen_sections(analysis, [shown]):
            parts.show(found.parts, is_preview=True)


def _sections(offered: list[str]) -> list[str]:
    """Those that were not left out: what is studied later has a section of its own then."""
    key = state.of_file("report-without")
    without: frozenset[str] = state.value(key, frozenset())

    def take(chosen: list[str]) -> None:
        state.widget(key, (without | {*offered}) - {*chosen})

    return st.multiselect(
        "Sections",
        offered,
        format_func=SECTION_TITLES.__getitem__,
        **state.choice("report-sections", [name for name in offered if name not in without], take),
    )


def paper(analysis: Analysis) -> None:
    """One archive of all that goes into a paper, and each piece as it will look and as its text."""
    bundle = _bundle()
    st.header("For your paper", anchor=False)
    form: Form = "narrow" if state.value("paper-form") else "wide"
    pieces, grid = state.kept(
        ("paper", *parts.made_of(analysis), tuple(analysis.tried.items()), form),
        lambda: (paper_pieces(analysis, form=form), paper_grid(analysis, form=form)),
    )
    of_name = {piece.name: piece for piece in pieces}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        piece = of_name[
            st.selectbox(
                "Piece",
                list(of_name),
                format_func=lambda name: of_name[name].title,
                key="paper-piece",
                width=320,
            )
        ]
        if piece.name == "table.tex":
            st.checkbox("in one column", key="paper-form", persist_state="session")
        _button(analysis, f"Download {piece.name}", lambda _: piece.text, piece.name)
        _button(
            analysis,
            "For your paper (zip)",
            lambda own: paper_zip(own, form=form, bundle=bundle(own)),
            "for-your-paper.zip",
            note="Every piece: table, results, methods, references and figures.",
        )
    stem = piece.name.rpartition(".")[0]
    if f"{stem}.svg" in of_name:
        st.image(of_name[f"{stem}.svg"].text, width="stretch")
    if piece.name == "table.tex":
        parts.show([grid], is_preview=True)
    tables.beginning(piece.text)


def link() -> None:
    """Addresses that lead here; one with the table in it where that is small."""
    carrying = links.link_with_table()
    if carrying is None:
        return
    with st.expander("A link that carries the table", key="box-link"):
        prose.paragraph(f"Whoever opens this link sees this analysis. {links.CARRIES}")
        prose.address(links.write(carrying))


def figure_format() -> None:
    """In which format the charts' toolbars save them, here and on every page."""
    st.radio(
        "A chart's toolbar saves it as",
        ["svg", "png"],
        format_func=str.upper,
        horizontal=True,
        key="figure-format",
        persist_state="session",
    )


def _bundle() -> Callable[[Analysis], bytes]:
    """What writes an analysis as a bundle with the files and claims of now."""
    current = state.session()
    assert current.loaded is not None
    source = current.loaded.source
    return partial(
        write_bundle,
        files=source.files,
        name=source.name,
        roles=source.roles,
        sample=source.sample.key if source.sample else "",
        claims=current.claims,
    )


def _button(
    analysis: Analysis,
    label: str,
    make: Callable[[Analysis], str | bytes],
    file_name: str,
    *,
    note: str | None = None,
) -> None:
    tables.file(label, partial(make, detached(analysis)), file_name, note=note)
