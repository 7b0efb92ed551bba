"""Parts of a section on the page, the same that a report prints.

The table of every dataset is drawn here alone: scores, the difference as a picture in its row,
p-values, marks.
"""

import html
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import nullcontext
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis import Analysis, statements
from core.analysis.settings import own_margins
from core.export.tables import grid_html
from core.replicability.identification import procedure_named
from core.sections.marked import (
    MarkedTable,
    Marks,
    also_named_mark,
    interval_left,
    intervals_of,
    scores_of,
)
from core.sections.parts import (
    Bullets,
    Card,
    Download,
    Figure,
    Grid,
    Paragraph,
    Part,
    Signature,
    Table,
    Verbatim,
)
from core.types import FloatArray
from core.words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_p_value,
    format_thresholds,
    free_heading,
    label_of_difference,
    minus,
    printed_number,
    sentence_case,
    signed,
    whole_name,
)
from core.words.subject import Claim
from pages.ui.frame import figures, limits, prose, state, tables

Of = TypeVar("Of")

# Above this a table scrolls within itself.
_HEIGHT = "44rem"
_NOTHING = "–"

# A table of sentences is read, not scrolled: its cells wrap.
_LONG_CELL, _MOST_ROWS, _MOST_PREVIEWED = 40, 25, 60
_MARK = re.compile("(?<=[0-9])([★†]+)(?=</t[dh]>)")
_WRAPPED = (
    "<style>.wrapped{overflow-x:auto;position:relative;container-type:inline-size}"
    ".wrapped table{border-collapse:collapse;width:100%;font-size:.9rem;"
    "font-variant-numeric:tabular-nums}"
    ".wrapped th,.wrapped td{text-align:left;vertical-align:top;padding:.35rem .6rem;"
    "border-bottom:1px solid rgba(128,128,128,.35);font-weight:400;overflow-wrap:anywhere}"
    # Names break between words while these are short; a caption is as wide as its box, not as its table.
    ".wrapped th{overflow-wrap:break-word}.wrapped tbody th{max-width:max(7rem,24cqi)}"
    ".wrapped tbody th:not(.n){min-width:5.5rem}"
    ".wrapped .n{text-align:right}.wrapped td.n{white-space:nowrap}.wrapped .over{position:absolute}"
    ".wrapped thead th,.wrapped .marked th{font-weight:600}"
    ".wrapped caption{caption-side:bottom;text-align:left;opacity:.8;padding-top:.4rem;"
    "max-width:100cqi;position:sticky;left:0}</style>"
)


def show(parts: Iterable[Part], *, is_preview: bool = False) -> None:
    """Draw them in reading order; in a preview the lead is not the page's own."""
    for part in parts:
        if isinstance(part, Card):
            prose.verdict(part.statement, part.tiles, notes=part.notes, so_far=part.so_far)
        elif isinstance(part, Marks):
            _every_dataset(part.analysis, part.tables, in_detail=part.in_detail)
        elif isinstance(part, Paragraph) and part.tone == "caution":
            prose.notice(part.text)
        elif isinstance(part, Paragraph) and part.tone == "lead" and not is_preview:
            prose.lead(part.text)
        elif isinstance(part, Paragraph):
            strong = part.tone in ("lead", "strong")
            prose.paragraph(part.text, quiet=part.tone == "quiet", strong=strong)
        elif isinstance(part, Bullets):
            prose.bullets(part.items)
        elif isinstance(part, Figure):
            name = f"{'report-' if is_preview else ''}{part.name}"
            # Where it does not fit it scrolls sideways.
            with figures.wide(name, part.least_width) if part.least_width else nullcontext():
                figures.show(part.draw, name=name, alt=part.alt)
        elif isinstance(part, Table):
            tables.pinned(part.frame, meanings=part.meanings)
            prose.paragraphs([part.caption] if part.caption else [], quiet=True)
        elif isinstance(part, Download):
            tables.download(part.write, name=part.name, what=part.what)
        elif isinstance(part, Signature):
            prose.paragraph(f"Signature: reproduces {part.of}.", quiet=True)
            st.code(part.line, language=None, wrap_lines=True)
        elif isinstance(part, Grid):
            _grid(part, is_preview=is_preview)
        elif isinstance(part, Verbatim):
            st.code(part.text, language=None, wrap_lines=True)


def kept(make: Callable[..., Of], analysis: Analysis, *given: Hashable) -> Of:
    """What is made of data, settings and answers alone: once, while these are the same."""
    return state.kept((make, *made_of(analysis), *given), lambda: make(analysis, *given))


def made_of(analysis: Analysis) -> tuple[Hashable, ...]:
    """What an answer depends on, besides what is loaded."""
    return analysis.table, analysis.settings, analysis.assessment


def shown(make: Callable[[Of], Iterable[Part]], of: Of) -> Callable[[], None]:
    """What makes and draws them when it is opened."""
    return lambda: show(make(of))


def _laid_out(grid: Grid, is_preview: bool) -> str | pd.DataFrame:
    longest = max((len(cell) for row in grid.rows for cell in row), default=0)
    is_prose = not any(grid.numeric) and longest > _LONG_CELL
    if (is_prose or is_preview) and len(grid.rows) <= (
        _MOST_PREVIEWED if is_preview else _MOST_ROWS
    ):
        # A mark lies outside its number, so that the digits of a column align.
        table = _MARK.sub(r"<span class='over'>\1</span>", grid_html(grid))
        # What scrolls must be reached by the keyboard.
        return (
            f"{_WRAPPED}<div class='wrapped' tabindex='0' role='region' "
            f"aria-label='{html.escape(grid.name or 'Table')}'>{table}</div>"
        )
    # Two systems may have one name but for blanks; a table's headings must differ.
    headings: list[str] = []
    for heading in grid.header:
        headings.append(free_heading(heading, headings))
    return pd.DataFrame(list(grid.rows), columns=headings)


def _grid(grid: Grid, *, is_preview: bool) -> None:
    shown = state.computed(_laid_out, grid, is_preview)
    if isinstance(shown, str):
        st.html(shown)
        return
    tables.frame(shown)
    if grid.caption:
        prose.paragraph(grid.caption, quiet=True)


# Values with the ends of their intervals, a row each; nan where there is nothing to draw.
Differences = tuple[FloatArray, FloatArray, FloatArray]


def _every_dataset(
    analysis: Analysis, marked: Sequence[MarkedTable], *, in_detail: bool = False
) -> None:
    """Draw the table of one claim, or of both directions, with a choice of its order.

    In detail it has thresholds and adjusted p-values, and is drawn with the choice of a procedure
    that says what a mark guarantees.
    """
    n, drawn = analysis.table.n_datasets, kept(_differences, analysis)
    orders = {"by p-value": np.min([one.identification.p_values for one in marked], axis=0)}
    if drawn is not None:
        orders["by difference"] = -drawn[0]
    orders["file order"] = np.zeros(n)
    order = next(iter(orders))
    if n > 1:
        order = st.radio(
            "Order of the datasets",
            list(orders),
            horizontal=True,
            key="order",
            persist_state="session",
            label_visibility="collapsed",
        )
    places: list[int] = np.argsort(orders[order], kind="stable").tolist()
    if n > _MOST_ROWS:
        places = _found(places, analysis.table.datasets)
    shown = places[: limits.MAX_ROWS_STYLED]
    claims = tuple(one.claim for one in marked)
    key = ("results", *made_of(analysis), claims, tuple(shown), in_detail, figures.theme())
    st.html(state.kept(key, lambda: _markup(analysis, marked, shown, in_detail=in_detail)))
    if len(shown) < len(places):
        prose.paragraph(
            f"The first {len(shown):,} of {len(places):,} datasets; the downloads have all.",
            quiet=True,
        )
    legend: list[str] = []
    # Of both directions one may have none.
    named = [one for one in marked if one.identification.n_rejected]
    if not in_detail and n > 1 and named:
        guarantee = named[0].guarantee if all(one.guarantee for one in named) else ""
        legend.append(f"★ {_title(named[0].identification.procedure)}. {guarantee}".rstrip())
    if not in_detail and analysis.settings.margin:
        legend.append("Shaded: within the margin.")
    said = " ".join(filter(None, (*legend, statements.zeros(analysis))))
    if said:
        prose.paragraph(said, quiet=True)


def _found(places: list[int], datasets: Sequence[str]) -> list[int]:
    """Those whose names have every word that is looked for, in any case."""
    query = st.text_input(
        "Find a dataset", key=state.of_file("find"), persist_state="session", width=300
    )
    words = query.casefold().split()
    names = [whole_name(name).casefold() for name in datasets] if words else []
    found = [i for i in places if all(word in names[i] for word in words)]
    if words:
        prose.paragraph(f"{len(found):,} of {counted(len(places), 'dataset')} found.", quiet=True)
    return found


def _differences(analysis: Analysis) -> Differences | None:
    """Differences as given or tested, positive where A is better, with their intervals."""
    table, value = analysis.table, analysis.table.differences
    if table.results is not None:
        value = np.array([np.nan if one is None else one.difference for one in analysis.compared])
    if value is None or not np.isfinite(value).any():
        return None
    ends = np.array([interval or (np.nan, np.nan) for interval in intervals_of(analysis)])
    return value, ends[:, 0], ends[:, 1]


def _markup(
    analysis: Analysis, marked: Sequence[MarkedTable], places: Sequence[int], *, in_detail: bool
) -> str:
    """The table; column by column, as each is there or not."""
    table, colours, drawn = analysis.table, figures.theme(), kept(_differences, analysis)
    # What few ask for yields first to the marks, which are the answer.
    seldom = "wide" if in_detail or len(marked) > 1 else "wide-enough"
    # A column: its heading, whether a narrow page has room for it, its cells.
    columns: list[tuple[str, str, Sequence[str]]] = []
    if table.n_examples is not None and in_detail:
        columns.append(("n", seldom, [f"{n:,}" for n in table.n_examples.tolist()]))
    for claim, name, printed, scores in scores_of(table):
        letter = f"<span style='color:{colours.of(claim)};font-weight:700'>{_letter(claim)}</span>"
        heading = f"{letter} {html.escape(display_name(name, most=16))}"
        cells = [_NOTHING if np.isnan(score) else minus(f"{score:.4f}") for score in scores]
        cells = cells if printed is None else list(map(html.escape, printed))
        columns.append((heading, f"{seldom} number", cells))
    margins = own_margins(analysis.data, analysis.settings, table.datasets)
    columns += [("margin", f"{seldom} number", margins)] if margins else []
    if drawn is not None:
        label = label_of_difference(analysis.higher_is_better)
        if np.isfinite(drawn[1]).any():
            label += f"<span class='{seldom}'>, {_level(analysis)} interval</span>"
        columns.append((label, "picture", _pictures(analysis, drawn, marked)))
    # Whether p-values are others than those printed, by which way they are read.
    low, high = table.p_value_bounds
    used = [one.identification.p_values for one in marked]
    if table.results is None and any(((p < low) | (p > high)).any() for p in used):
        cells = [html.escape(printed_number(text)) for text in table.printed]
        columns.append(("p printed", f"{seldom} number", cells))
    tested = [result is not None for result in table.results or [True] * table.n_datasets]
    # With one dataset there is nothing to correct.
    is_corrected = in_detail and table.n_datasets > 1
    for one in marked:
        found = one.identification
        what = "differ" if one.claim == "differ" else f"{_letter(one.claim)} {one.better}"
        of_p = [(html.escape(f"{one.p_called} ({what})"), "number", found.p_values)]
        if is_corrected:
            of_p.append(("adjusted p", "wide-enough number", found.adjusted_p_values))
        for heading, kind, values in of_p:
            cells = [
                html.escape(format_p_value(p, alpha=found.alpha)) if done else "not tested"
                for p, done in zip(values.tolist(), tested, strict=True)
            ]
            columns.append((heading, kind, cells))
        if is_corrected and found.compares_p_values:
            cells = format_thresholds(found.thresholds.tolist())
            columns.append(("threshold", f"{seldom} number", cells))
    columns.append(("significant", "mark", _marks(marked)))
    heads = [f"<th scope='col' class='{kind}'>{label}</th>" for label, kind, _ in columns]
    head, names, rows = "".join(heads), _names(analysis), []
    for i in places:
        cells = [f"<td class='{kind}'>{cells[i]}</td>" for _, kind, cells in columns]
        rows.append(f"<tr><th scope='row'>{names[i]}</th>{''.join(cells)}</tr>")
    return (
        f"{_style()}<div class='results{' detail' * in_detail}' tabindex='0' role='region' "
        "aria-label='Results by dataset'><table><thead><tr><th scope='col' class=''>dataset</th>"
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _names(analysis: Analysis) -> list[str]:
    """Names, each with what limits its test, unless that is the same on all."""
    table = analysis.table
    notes = table.notes if len(set(table.notes)) > 1 or table.results is None else ()
    names = [html.escape(whole_name(name)) for name in table.datasets]
    if not any(notes):
        return names
    return [
        f"{name}<small>{html.escape(whole_name(note))}</small>" if note else name
        for name, note in zip(names, notes, strict=True)
    ]


def _letter(claim: Claim) -> str:
    return "A" if claim == "a-better" else "B"


def _title(procedure: str) -> str:
    return sentence_case(procedure_named(procedure).title)


def _marks(marked: Sequence[MarkedTable]) -> list[str]:
    """Sign and word of each dataset; blank where nothing is significant."""
    colours = figures.theme()
    cells = [""] * marked[0].table.n_datasets
    for one in marked:
        title, whose = _title(one.identification.procedure), ""
        if len(cells) == 1:
            # Every procedure compares the only p-value with α.
            title = "significant"
        if len(marked) > 1:
            title = whose = f"{_letter(one.claim)} {one.better}"
            whose += ", "
        only = also_named_mark(one.combination)
        for i, named in enumerate(one.identification.rejected.tolist()):
            if named:
                colour = colours.of(one.claim)
                cells[i] = (
                    f"<span style='color:{colour};font-weight:700'>★ {html.escape(title)}</span>"
                )
            elif only and one.also_named is not None and one.also_named[i]:
                cells[i] = html.escape(f"{only[:1]} {whose}{only[1:].strip()}")
    return cells


def _level(analysis: Analysis) -> str:
    return format_confidence(interval_left(analysis) or 0.05)


def _pictures(analysis: Analysis, drawn: Differences, marked: Sequence[MarkedTable]) -> list[str]:
    """Each row's difference as a number and, on the scale of all rows, as a picture."""
    colours, table = figures.theme(), analysis.table
    decimals = table.score_decimals if table.results is None else 4
    band = np.nan_to_num(table.margins)
    ends = np.concatenate([*drawn, -band, band])
    lowest, highest = float(np.nanmin(ends)), float(np.nanmax(ends))

    def place(value: float) -> float:
        """Where a value lies between the ends of all rows, in percent."""
        return 4.0 + 92.0 * (value - lowest) / ((highest - lowest) or 1.0)

    colour = [colours.quiet] * table.n_datasets
    for one in marked:
        for i in np.flatnonzero(one.identification.rejected).tolist():
            colour[i] = colours.of(one.claim)
    cells = []
    for i, (value, low, high) in enumerate(zip(*map(np.ndarray.tolist, drawn), strict=True)):
        if np.isnan(value):
            cells.append(_NOTHING)
            continue
        hover, shaded = "", ""
        left, right = sorted((place(value), place(0.0)))
        if not np.isnan(low):
            left, right = place(low), place(high)
            interval = f"{signed(low, decimals)} to {signed(high, decimals)}"
            hover = f" title='{_level(analysis)} interval {interval}'"
        if margin := float(table.margins[i]):
            start, end = place(-margin), place(margin)
            shaded = f"<i class='band' style='left:{start:.1f}%;width:{end - start:.1f}%'></i>"
        cells.append(
            f"<span class='difference'{hover}><span class='told'>{signed(value, decimals)}</span>"
            f"<span class='line' style='color:{colour[i]}'>"
            f"{shaded}<i class='zero' style='left:{place(0.0):.1f}%'></i>"
            f"<i class='bar' style='left:{left:.1f}%;width:{right - left:.1f}%'></i>"
            f"<i class='dot' style='left:{place(value):.1f}%'></i></span></span>"
        )
    return cells


def _style() -> str:
    colours = figures.theme()
    return (
        "<style>"
        f".results{{max-height:{_HEIGHT};overflow:auto;border:1px solid {colours.grid};"
        "border-radius:.5rem;container-type:inline-size}"
        ".results table{border-collapse:collapse;width:100%;font-size:.92rem;margin:0;"
        "font-variant-numeric:tabular-nums}"
        ".results th,.results td{padding:.32rem .6rem;text-align:left;font-weight:400;border:0;"
        f"border-bottom:1px solid {colours.grid}}}"
        ".results tbody th{overflow-wrap:break-word;min-width:min(8rem,16cqi);max-width:18rem}"
        # Beside more numbers, long names and pictures are narrower.
        ".detail tbody th{max-width:max(7rem,20cqi)}"
        f".results thead th{{position:sticky;top:0;z-index:1;background:{colours.page};"
        f"color:{colours.quiet};white-space:nowrap}}"
        ".results tbody tr:last-child>*{border-bottom:0}"
        ".results .number{text-align:right;white-space:nowrap}.detail thead .number{white-space:normal}"
        ".results .mark{white-space:nowrap}"
        f".results small{{display:block;color:{colours.quiet}}}"
        ".results .picture{width:34%;min-width:6.5rem}.detail .picture{width:18%}"
        ".results .difference{display:flex;align-items:center;gap:.5rem}"
        ".results .told{min-width:3.6rem;text-align:right}"
        ".results .line{position:relative;flex:1;height:1.1rem}"
        ".results .line i{position:absolute;display:block}"
        f".results .zero{{top:-.2rem;bottom:-.2rem;width:1px;background:{colours.quiet}}}"
        f".results .band{{top:-.2rem;bottom:-.2rem;background:{colours.grid}}}"
        ".results .bar{top:50%;height:2px;margin-top:-1px;background:currentColor}"
        ".results .dot{top:50%;width:.6rem;height:.6rem;margin:-.3rem 0 0 -.3rem;"
        "border-radius:50%;background:currentColor}"
        "@container (max-width:54rem){.detail .wide{display:none}}"
        # Beside the sidebar at 150% zoom.
        "@container (max-width:38rem){.results .wide{display:none}.results .mark{white-space:normal}"
        ".results thead .number,.results thead .picture{white-space:normal}"
        ".results th,.results td{padding:.32rem .4rem}.results tbody th{min-width:4.5rem}}"
        "@container (max-width:26rem){.results .wide-enough{display:none}"
        ".results tbody th{min-width:5rem;max-width:7rem}.results .picture{min-width:4.8rem}"
        ".results .difference{display:block}.results .told{text-align:left}"
        ".results .line{display:block}.results th,.results td{padding:.32rem .3rem}}"
        "</style>"
    )
