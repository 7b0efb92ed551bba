"""A paper's tables: dropped, listed, compared with the page, and handed on like a pasted table."""

import zlib
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from core.claims.documents.reading import OPEN, Answered
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.document import Box, DocumentTable, Picture
from core.types import grouped
from core.words.formatting import display_name, list_names
from pages.ui.claims import form
from pages.ui.frame import prose, state, widgets
from pages.ui.frame.state import Paper
from pages.ui.frame.widgets import section
from pages.ui.intake import loading, reading
from pages.ui.work import runs

_LABEL = (
    "Drop the paper (PDF, LaTeX or arXiv source) or one of its tables (CSV, Excel, or another "
    "table of scores and p-values)"
)
_MARGIN, _MOST_LISTED, _MOST_BUTTONS, _MOST_PAIRS = 0.015, 12, 8, 3
_WIDE = 6
# Red, green and blue of what is pointed at, and how many pixels wide its frame is.
_COLOUR, _FRAME = (217, 83, 25), 3


def show() -> None:
    """The paper's part of the page: where to drop it, its tables, one of them, or what it marks.

    While a table is chosen or compared, nothing else is on the page.
    """
    reading.say_failed()
    paper = state.session().paper
    loaded = state.session().loaded
    if paper is None:
        if loaded is None:
            loading.uploader(_LABEL, kind="paper")
        return
    paper.was_shown = True
    if paper.chosen is not None:
        _one(paper, paper.chosen)
        st.stop()
    handed = [k for k in paper.grids if loaded is not None and loaded.title == paper.title(k)]
    if not handed or paper.is_listing:
        _list(paper)
        st.stop()
    _offer_claims(paper, handed[0])


def offer_another() -> None:
    """Where a table is loaded already: a paper to check in its place, and those with known claims."""

    def show_others() -> None:
        if state.session().paper is None:
            loading.uploader(_LABEL, kind="paper")
        prose.paragraph("Published tables and what their papers claim:")
        form.sample_buttons()

    section("Another paper", show_others, key="claim-samples")


def _list(paper: Paper) -> None:
    """Every table with a small picture and its caption."""
    tables = paper.document.tables
    n = len(tables)
    prose.lead(f"{n} tables in {paper.name}: choose one." if n > 1 else f"1 table in {paper.name}.")
    for k, table in enumerate(tables[:_MOST_LISTED]):
        _listed(paper, k, table)
    if n > _MOST_LISTED:
        with st.expander(f"The other {n - _MOST_LISTED} tables", key="paper-others"):
            for k, table in enumerate(tables[_MOST_LISTED:], start=_MOST_LISTED):
                _listed(paper, k, table)
    with st.expander("Another paper", key="paper-another"):
        loading.uploader(_LABEL, kind="paper")
        st.button("Close this paper", on_click=_close, key="paper-close")


def _listed(paper: Paper, k: int, table: DocumentTable) -> None:
    small, words = st.columns([1, 2], vertical_alignment="center")
    with small:
        picture = paper.document.pictures.get(table.place.page)
        if picture is not None:
            pixels = _part(picture, _around(table.place.box), every=2)
            st.image(pixels, alt=f"Table {k + 1}", output_format="PNG")
        else:
            shown = [" · ".join(cell.text for cell in row[:4]) for row in table.rows[:4]]
            st.code("\n".join(shown), language=None)
    with words:
        where = f"page {table.place.page}" if table.place.page else f"{table.place.file}, line {table.place.line}"  # fmt: skip
        prose.paragraph(f"{table.caption or 'Without a caption'} ({where})")
        n_open = len(Answered.of(table).open_cells)
        asks = "every cell to be compared" if table.unsure else f"{n_open} to be confirmed"
        prose.paragraph(
            f"{len(table.rows)} rows, {len(table.rows[0])} columns; {asks}.", quiet=True
        )
        title = paper.title(k).removeprefix(f"{paper.name}, ")
        st.button(prose.label(f"Open {title}"), on_click=_choose, args=(k,), key=f"paper-open-{k}")


def _choose(k: int | None) -> None:
    paper = state.session().paper
    assert paper is not None
    paper.chosen = k
    paper.is_listing = k is None


def _close() -> None:
    state.session().paper = None


def _part(
    picture: Picture, box: Box, *, pointed: Box | None = None, every: int = 1
) -> npt.NDArray[np.uint8]:
    """A part of a page in red, green and blue, a coloured frame around what is pointed at.

    One of `every` so many pixels is kept, across and down.
    """
    greys = np.frombuffer(zlib.decompress(picture.packed), dtype=np.uint8)
    shown = np.repeat(17 * greys.reshape(picture.height, picture.width, 1), 3, axis=2)
    if pointed is not None:
        left, top, right, bottom = picture.pixels(pointed)
        down = slice(max(0, top - 2 * _FRAME), bottom + 2 * _FRAME)
        framed = shown[down, max(0, left - 2 * _FRAME) : right + 2 * _FRAME]
        for edge in (framed[:_FRAME], framed[-_FRAME:], framed[:, :_FRAME], framed[:, -_FRAME:]):
            edge[:] = _COLOUR
    left, top, right, bottom = picture.pixels(box)
    return shown[top:bottom:every, left:right:every]


def _around(box: Box) -> Box:
    return (box[0] - 2 * _MARGIN, box[1] - _MARGIN, box[2] + 2 * _MARGIN, box[3] + _MARGIN)


def _one(paper: Paper, k: int) -> None:
    """One table: its grid beside where it stands, what is asked, and the way on."""
    table = paper.document.tables[k]
    answered = paper.grids.setdefault(k, Answered.of(table))
    prose.lead(table.caption or paper.title(k))
    st.button("All tables of this paper", on_click=_choose, args=(None,), key="paper-back")
    if table.unsure:
        prose.notice(f"{table.unsure} Compare every cell below with the page, and correct it.")
    wide = len(table.rows[0]) > _WIDE
    left, right = (st.container(), st.container()) if wide else st.columns(2)
    with right:
        filled = _grid(paper, k, answered)
    with left:
        _source(paper, table, filled)
    _asked(paper, k, filled)
    compared = not table.unsure or st.checkbox(
        "I have compared every cell with the page", key=f"paper-compared-{paper.number}-{k}"
    )
    n_open = len(filled.open_cells)
    ready = compared and not n_open
    key = f"paper-check-{paper.number}-{k}"
    sent = widgets.clicked("Check this table", key=key, type="primary", disabled=not ready)
    if sent and ready:
        _hand_on(k, replace(filled, compared=compared))
        st.rerun()
    if n_open:
        cells = "1 cell is" if n_open == 1 else f"{n_open} cells are"
        prose.paragraph(f"{cells} still to be confirmed or typed.", quiet=True)


def _grid(paper: Paper, k: int, answered: Answered) -> Answered:
    """The cells to be edited; a table that is unsure as a whole may get more rows."""
    n = len(answered.texts[0])
    rows = pd.DataFrame(
        [list(row) for row in answered.texts], columns=[str(j + 1) for j in range(n)]
    )
    key = f"paper-grid-{paper.number}-{k}-{paper.n_written}"
    n_headings = answered.n_headings
    whole = answered.table.unsure is not None
    if not whole:
        # The rows of a table that is typed may change their places.
        rows.index = pd.Index(
            ["heading" if i < n_headings else f"line {n}" for i, n in enumerate(answered.lines)]
        )
    filled = st.data_editor(
        rows,
        key=key,
        num_rows="dynamic" if whole else "fixed",
        hide_index=whole,
        column_config={name: st.column_config.TextColumn(name) for name in rows.columns},
        alt="The table as it was read",
    )
    if whole:
        n_headings = st.number_input(
            "Rows of headings", 1, max(1, len(filled) - 1), min(n_headings, max(1, len(filled) - 1)), key=f"{key}-n"
        )  # fmt: skip
    texts = tuple(tuple(row) for row in filled.fillna("").astype(str).to_numpy().tolist())
    return replace(answered, texts=texts, n_headings=int(n_headings))


def _source(paper: Paper, table: DocumentTable, filled: Answered) -> None:
    """Where the table stands, with one cell pointed at."""
    cells = [(i, j) for i, row in enumerate(table.rows) for j, cell in enumerate(row) if cell.place]
    if not cells:
        pointed = None
    else:
        # What is asked first is pointed at first.
        first = min(filled.open_cells, default=cells[0])
        cells.sort(key=lambda at: at != first)
        pointed = st.selectbox(
            "Point at a cell",
            cells,
            format_func=lambda at: f"{filled.called(at)}: {table.rows[at[0]][at[1]].text}",
            key=f"paper-point-{paper.number}-{paper.chosen}-{paper.n_written}",
        )
    place = table.rows[pointed[0]][pointed[1]].place if pointed else None
    picture = paper.document.pictures.get(table.place.page)
    if picture is not None:
        box = place.box if place is not None else None
        st.image(
            _part(picture, _around(table.place.box), pointed=box),
            output_format="PNG",
            alt=f"The table on page {table.place.page}",
            caption=f"Page {table.place.page}",
        )
        return
    at = place or table.place
    source = paper.document.sources[at.file].split("\n")
    # The line in question with two around it, and a sign below where the cell begins.
    shown = source[max(0, at.line - 3) : at.line]
    shown.append(f"{' ' * (at.column - 1)}▲")
    shown += source[at.line : at.line + 2]
    st.code("\n".join(shown), language=None)
    prose.paragraph(f"{at.file}, line {at.line}, column {at.column}.", quiet=True)


def _asked(paper: Paper, k: int, filled: Answered) -> None:
    """Cells that may be read wrongly, by what is the matter; each is confirmed, or typed above."""
    by_reason = grouped((reason, at) for at, reason in filled.open_cells.items())
    for place, (reason, cells) in enumerate(by_reason.items()):
        prose.problem(reason or "Not confirmed.")
        with st.container(horizontal=True):
            for at in cells[:_MOST_BUTTONS]:
                text = filled.texts[at[0]][at[1]].removeprefix(OPEN.strip()).strip()
                st.button(
                    prose.label(f"{filled.called(at)} is {text or 'empty'}"),
                    on_click=_confirm,
                    args=(k, filled, [at]),
                    key=f"paper-sure-{at[0]}-{at[1]}",
                )
            if len(cells) > 1:
                st.button(
                    f"All {len(cells)} are as shown in the grid",
                    on_click=_confirm,
                    args=(k, filled, cells),
                    key=f"paper-sure-all-{place}",
                )
    if by_reason:
        prose.paragraph(f"Or type what the page says in place of {OPEN}in the grid.", quiet=True)


def _confirm(k: int, filled: Answered, cells: list[tuple[int, int]]) -> None:
    paper = state.session().paper
    assert paper is not None
    paper.grids[k] = filled.confirmed(cells)
    paper.n_written += 1


def _hand_on(k: int, answered: Answered) -> None:
    """Read the table as a pasted one is read; what it leaves open is asked there."""
    paper = state.session().paper
    assert paper is not None
    paper.grids[k] = answered
    paper.n_written += 1
    paper.chosen, paper.is_listing = None, False
    loading.load_files([(paper.title(k), answered.text().encode("utf-8"))])


def _offer_claims(paper: Paper, k: int) -> None:
    """What the paper marks in the table that is loaded, each as a claim to be checked; other tables."""
    loaded = state.session().loaded
    assert loaded is not None
    grid = paper.grids[k]
    if not isinstance(loaded.data, EffectTable):
        prose.paragraphs(_about_bold(grid, loaded.data))
        offered = grid.claims(loaded.data.datasets, *state.systems())
        own = state.claims().lines or ""
        offered = [(words, claim) for words, claim in offered if claim.line() not in own]
        elsewhere = grid.elsewhere(loaded.data.datasets, *state.systems())
        for system, sign, other in elsewhere:
            prose.paragraph(
                f"{sign} on {display_name(system)} is about {display_name(other)}, as the legend "
                "says, and is no claim about this pair."
            )
        if offered:
            prose.paragraph("The paper's marks, as claims of p ≤ α on these datasets:")
        with st.container(horizontal=True):
            for words, claim in offered:
                st.button(
                    prose.label(f"Check: {words}"),
                    on_click=form.append,
                    args=(claim.line(),),
                    key=f"paper-claim-{words}",
                )
            others = getattr(loaded.data, "systems", ())
            pairs = {(a, b): f"marked {sign}" for a, sign, b in elsewhere if b in others}
            pairs |= {(a, b): words for a, b, words in _other_pairs(grid)}
            for (a, b), words in pairs.items():
                st.button(
                    prose.label(f"Compare {a} with {b}: {words}"),
                    on_click=runs.choose_systems,
                    args=(a, b),
                    key=f"paper-pair-{a}-{b}",
                )
    with st.container(horizontal=True):
        st.button("Back to the grid", on_click=_choose, args=(k,), key="paper-grid")
        if len(paper.document.tables) > 1:
            st.button(
                "Other tables of this paper", on_click=_choose, args=(None,), key="paper-list"
            )


def _about_bold(grid: Answered, data: PValueTable | ResultSet | ScoreTable) -> list[str]:
    """What the caption says that bold type means, and where it marks the worse score."""
    if isinstance(data, ResultSet):
        return []
    said = []
    (a, b), higher = state.systems(), data.higher_is_better
    if isinstance(data, ScoreTable):
        lead = (data.scores(a) - data.scores(b)) * (1.0 if higher else -1.0)
    elif data.differences is None:
        lead = np.zeros(len(data.datasets))
    else:
        lead = data.differences if a == data.system_a else -data.differences
    if grid.bold_is_best and any("bold" in grid.marked(data.datasets, name) for name in (a, b)):
        said.append("Bold marks the best score, as the caption says, and claims no significance.")
    for system, other, behind in ((a, b, lead < 0.0), (b, a, lead > 0.0)):
        bold = grid.marked(data.datasets, system).get("bold", ())
        names = [data.datasets[i] for i in np.flatnonzero(behind) if data.datasets[i] in bold]
        if names:
            said.append(
                f"{display_name(system)} is bold on {list_names(names)}, where "
                f"{display_name(other)} has the {'higher' if higher else 'lower'} score."
            )
    return said


def _other_pairs(grid: Answered) -> list[tuple[str, str, str]]:
    """Systems with signs of significance that are not compared, each with the first one."""
    loaded = state.session().loaded
    names: tuple[str, ...] = () if loaded is None else getattr(loaded.data, "systems", ())
    found = []
    for name in names[1:]:
        marked = grid.marked(state.all_datasets(), name)
        signs = [f"{sign} on {len(on)}" for sign, on in marked.items() if sign != "bold"]
        if signs and name not in state.systems():
            found.append((names[0], name, f"it is marked {' and '.join(signs)}"))
    return found[:_MOST_PAIRS]
