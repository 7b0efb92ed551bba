"""Text on the page with names from files in it, always shown literally.

Streamlit reads Markdown, LaTeX, colours and emoji in most texts it is given, so
a dataset called ``![x](http://…)`` would load an image. Everything with a name
in it goes through here, as escaped HTML.
"""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from core.words.counting import Tile
from core.words.formatting import counted
from core.words.verdicts import Statement
from pages.ui.frame import figures, limits

# Of many problems these are open; the others wait behind a click.
_MOST_AT_ONCE = 8
# What Markdown may take for more than itself. A dot is harmless but in an address, an underscore
# within a word, a colon before a space.
_MARKUP = re.compile(r"[^\w\s.,;:?()'×…–-]|(?<![^\W_])_|_(?![^\W_])|:(?!\s|$)|www\.", re.IGNORECASE)
# What is not broken between lines: "of 200", and what is set beside a number or a level.
_TOGETHER = re.compile(r"\bof \d[\d,]*|(?:\b[pnα]|k̂) (?:[=≤≥]|&[lg]t;) (?:\.?\d[\d.,e-]*\b|α)")
_BOX = "border-radius:.4rem;padding:.7rem 1rem;border-style:solid;border-width:1px 1px 1px .35rem;border-color:"
_SIGNS = {"a-better": "A", "b-better": "B", "differ": "A ≠ B"}


def paragraph(text: str, *, quiet: bool = False, strong: bool = False) -> None:
    """One paragraph, literally."""
    st.html(_paragraph(text, quiet=quiet, strong=strong))


def paragraphs(texts: Iterable[str], *, quiet: bool = False) -> None:
    """Several paragraphs, literally."""
    joined = "".join(_paragraph(text, quiet=quiet) for text in texts)
    if joined:
        st.html(joined)


def lead(text: str) -> None:
    """The page's answer in a sentence, before anything else."""
    st.html(
        "<p class='lead' style='font-size:1.2rem;line-height:1.5;font-weight:600;"
        f"margin:0 0 .5rem 0;overflow-wrap:anywhere'>{unbroken(html.escape(text))}</p>"
    )


def bullets(items: Sequence[str]) -> None:
    """A list, literally."""
    if items:
        st.html(f"<div style='margin:0 0 .5rem 0'>{listed(map(html.escape, items))}</div>")


def listed(escaped: Iterable[str]) -> str:
    """HTML of a list, of which each item is already escaped."""
    rows = "".join(f"<li style='margin:.3rem 0'>{item}</li>" for item in escaped)
    return f"<ul style='margin:0;padding-left:1.25rem;overflow-wrap:anywhere'>{rows}</ul>"


def notice(text: str) -> None:
    """Something to know before reading on, in a frame of its own."""
    _framed(_paragraph(text), "role='status'", "border-left:.3rem solid", figures.theme().quiet)


def problems(title: str, found: Sequence[str]) -> None:
    """Everything that is wrong, at once; many are listed, and how many more there are."""
    most = limits.MAX_PROBLEMS_SHOWN
    hidden, found = max(0, len(found) - most), found[:most]
    first, rest = found[:_MOST_AT_ONCE], found[_MOST_AT_ONCE:]
    more = _paragraph(f"And {hidden:,} more that are not listed.") if hidden else ""
    if rest:
        others = counted(len(rest) + hidden, "more problem")
        summary = f"<summary style='cursor:pointer'>{others}</summary>"
        more = f"<details>{summary}{listed(map(html.escape, rest))}{more}</details>"
    content = f"{_paragraph(title, strong=True)}{listed(map(html.escape, first))}{more}"
    _framed(content, "role='alert' class='problems'", _BOX, figures.theme().alert)


def problem(text: str) -> None:
    """One thing that is wrong, above the buttons that mend it."""
    _framed(_paragraph(text), "class='problem'", "border-left:.35rem solid", figures.theme().alert)


def question(title: str, found: Sequence[str]) -> None:
    """What a file leaves open, which is nothing wrong with it."""
    content = f"{_paragraph(title, strong=True)}{listed(map(html.escape, found))}"
    _framed(content, "role='status' class='question'", _BOX, figures.theme().quiet)


def _framed(content: str, attributes: str, border: str, colour: str) -> None:
    """Content behind a line or in a box; `border` ends where the colour follows."""
    st.html(
        f"<div {attributes} style='overflow-wrap:anywhere;padding:.3rem .9rem;{border} {colour}'>"
        f"{content}</div>"
    )


def verdict(
    statement: Statement,
    figures_shown: Sequence[Tile],
    *,
    notes: Sequence[str] = (),
    so_far: str = "",
) -> None:
    """The card that answers: the number, the statement, quieter figures, notes, the footnote."""
    in_front = [tile for tile in figures_shown if tile.claim is not None]
    others = [tile for tile in figures_shown if tile.claim is None]
    beside = _tiles(others) if len(others) > 1 else "".join(map(_line, others))
    said = [
        f"<p style='font-size:1.15rem;font-weight:600;line-height:1.4;margin:0 0 .2rem 0'>"
        f"{unbroken(html.escape(so_far + statement.headline))}</p>",
        f"<p style='margin:0;line-height:1.4'>{unbroken(html.escape(statement.condition))}</p>",
    ]
    if statement.footnote:
        said.append(f"<small>{html.escape(statement.footnote)}</small>")
    card = [
        "<section aria-label='Verdict' class='verdict-card' style='overflow-wrap:anywhere;"
        f"border:1px solid {figures.theme().quiet};border-radius:.6rem;padding:1rem 1.25rem'>",
        "<div style='display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:0 0 .6rem 0'>",
        *(_in_front(tile, alone=len(in_front) == 1) for tile in in_front),
        f"<div style='flex:99 1 20rem;min-width:0'><div class='verdict-sentence'>{' '.join(said)}"
        "</div></div></div>",
        beside,
        *(_paragraph(note, quiet=True) for note in notes),
        "</section>",
    ]
    st.html("".join(card))


def _line(tile: Tile) -> str:
    """A single quieter figure."""
    return (
        f"<p class='verdict-tile' style='margin:0 0 .5rem 0;line-height:1.5'>{html.escape(tile.heading)} "
        f"<strong>{html.escape(tile.figure)}</strong> <span style='color:{figures.theme().quiet}'>"
        f"({html.escape(tile.detail)})</span></p>"
    )


def tiles(shown: Sequence[Tile]) -> None:
    """Figures side by side, below each other on a narrow screen."""
    st.html(_tiles(shown))


def address(parameters: Mapping[str, str]) -> None:
    """This app's address with these parameters, to be copied."""
    base = (st.context.url or "").split("?")[0]
    st.code(f"{base}?{urlencode(parameters)}", language=None, wrap_lines=True)


def label(text: str) -> str:
    """A name in a button's label, which Streamlit reads as Markdown, kept literal."""
    plain = " ".join(text.split())
    # A code span ends at as many back-ticks as it began with: one more than any in the text.
    longest = max((len(run) for run in re.findall("`+", plain)), default=0)
    if not _MARKUP.search(plain):
        return plain
    fence = "`" * (longest + 1)
    return f"{fence} {plain} {fence}"


def _tiles(shown: Sequence[Tile]) -> str:
    cells = []
    for tile in shown:
        weight, size, room = ("700", "1.6rem", "1.6 1 11.5rem")
        if not tile.guaranteed:
            weight, size, room = ("500", "1.1rem", "1 1 8.5rem")
        number = (
            f"<div style='font-size:{size};font-weight:{weight};line-height:1.3'>"
            f"{unbroken(html.escape(tile.figure))}</div>"
        )
        cells.append(_tile(tile, number, room))
    style = "display:flex;flex-wrap:wrap;gap:.75rem;margin:0 0 .75rem 0"
    return f"<div style='{style}'>{''.join(cells)}</div>"


def _in_front(tile: Tile, *, alone: bool) -> str:
    """The answer as a number, with which datasets; whose it is, unless it stands `alone`."""
    before, least, figure = tile.figure.rpartition("at least ")
    size = "2.6rem" if len(figure) <= 9 else "1.5rem"
    number = (
        f"<div style='font-size:{size};font-weight:700;line-height:1.15'>"
        f"<span style='font-size:1.1rem'>{html.escape(before + least)}</span>"
        f"<span style='white-space:nowrap'>{html.escape(figure)}</span></div>"
    )
    # A count, or the p-value of the only dataset, has its heading's words in the statement.
    is_said = alone and (tile.heading.endswith(" on") or tile.figure.startswith("p "))
    # Room for "at least 10 of 12" on one line.
    return _tile(tile, number, "1 1 17rem" if alone else "1 1 14rem", is_named=not is_said)


def _tile(tile: Tile, number: str, width: str, *, is_named: bool = True) -> str:
    """A figure beside others: whose it is, the number, and what is known of it."""
    colours = figures.theme()
    colour, sign = colours.of(tile.claim), _SIGNS.get(tile.claim or "", "")
    heading = (
        f"<div style='font-size:.95rem'><span style='color:{colour};font-weight:700'>{sign}</span> "
        f"{unbroken(html.escape(tile.heading))}</div>"
    )
    return (
        f"<div class='verdict-tile' style='flex:{width};min-width:0;border-left:.3rem solid {colour};"
        f"padding:.1rem .8rem;overflow-wrap:anywhere'>{heading if is_named else ''}{number}"
        f"<div style='font-size:.9rem;color:{colours.quiet}'>"
        f"{unbroken(html.escape(tile.detail))}</div></div>"
    )


def unbroken(escaped: str) -> str:
    """Keep "of 200" and "p ≤ .05" on one line."""
    return _TOGETHER.sub(r"<span style='white-space:nowrap'>\g<0></span>", escaped)


def _paragraph(text: str, *, quiet: bool = False, strong: bool = False) -> str:
    colour = f"color:{figures.theme().quiet};" if quiet else ""
    weight = "font-weight:600;" if strong else ""
    return (
        f"<p style='{colour}{weight}margin:0 0 .5rem 0;line-height:1.5;overflow-wrap:anywhere'>"
        f"{unbroken(html.escape(text))}</p>"
    )
