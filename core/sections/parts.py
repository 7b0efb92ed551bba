"""The parts of a section, before they are written as HTML, as Markdown or on a page.

A part holds plain text and numbers already written for a reader; whoever writes
it escapes it for where it goes.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from ..charts.theme import Drawing
from ..methods.bibliography import Verbatim as Verbatim
from ..shown import DataFrame
from ..words.counting import Tile
from ..words.formatting import ISOLATES, cleaned, sentence_case
from ..words.verdicts import Statement

# A lead is the answer of a page, strong text that of one question on it; a caution limits an answer;
# quiet text is a remark.
Tone = Literal["plain", "lead", "strong", "caution", "quiet"]
# What stands in one cell of a table that a program reads.
Value = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One paragraph of plain text."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """Plain sentences, one a line."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """A table for programs: one value a cell, numbers in full precision."""

    header: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[Value]]) -> Records:
        """Columns by their names, side by side."""
        return cls(header=tuple(columns), rows=tuple(zip(*columns.values(), strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of text cells.

    `numeric` columns are set flush right; `marked` rows are marked besides by their own sign and word.
    The `name` is for files and labels: letters and hyphens.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    caption: str = ""
    marked: tuple[bool, ...] = ()
    name: str = ""


def grid_of(columns: Mapping[str, Sequence[str]], **about: Any) -> Grid:
    """A table of text by its columns, the first of which names the rows; `about` is what else a `Grid` has."""
    first, *others = columns.values()
    numeric = (any(map(_DIGIT.search, own)) and all(map(_NUMBER.fullmatch, own)) for own in others)
    return Grid(
        header=tuple(columns),
        rows=tuple(zip(first, *others, strict=True)),
        numeric=(False, *numeric),
        **about,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figure:
    """A chart, drawn where a theme is known.

    `alt` says what it shows for those who do not see it. A page draws a `partial` of a chart anew only
    where something in it has changed, and scrolls it sideways below `least_width` pixels.
    """

    name: str
    alt: str
    draw: Drawing
    least_width: int = 0

    @property
    def title(self) -> str:
        """What kind of chart it is: the first sentence of `alt`, of which the others repeat the answer."""
        return f"{self.alt.partition('. ')[0].rstrip('.')}."


def charted(
    name: str, what: str, said: str, chart: Callable[..., Any], *about: Any, **settings: Any
) -> Figure:
    """A chart of `about`: what kind it is, and what its page says of it, are its words."""
    draw = partial(chart, *about, **settings)
    return Figure(name=name, alt=f"{what}. {said}", draw=draw)


class Shown(ABC):
    """What a page draws in a way of its own and a report prints as plain parts."""

    @abstractmethod
    def printed(self) -> tuple[Printed, ...]:
        """The same as paragraphs and tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(Shown):
    """An answer at a glance: its statement, figures, the one of the claim first, and notes.

    Tiles with a claim are the answer; `notes` say on which reading it rests, `so_far` what is not
    tested yet. `name` and `caption` are of the figures as a table.
    """

    statement: Statement
    tiles: tuple[Tile, ...]
    name: str
    caption: str
    notes: tuple[str, ...] = ()
    so_far: str = ""

    def printed(self) -> tuple[Printed, ...]:
        """A lead, the figures as a table unless there is one that the lead says, the notes."""
        grid = grid_of(
            {
                "what is counted": [tile.heading for tile in self.tiles],
                "answer": [tile.figure for tile in self.tiles],
                "note": [tile.detail for tile in self.tiles],
            },
            marked=tuple(tile.guaranteed for tile in self.tiles),
            caption=self.caption,
            name=self.name,
        )
        is_said = len(self.tiles) == 1 and self.tiles[0].figure in self.statement.text
        return (
            Paragraph(text=self.so_far + self.statement.text, tone="lead"),
            *(() if is_said else (grid,)),
            *(Paragraph(text=note) for note in self.notes),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table(Shown):
    """A table that a page lets be sorted, and searched where it is long; printed with rounded numbers.

    Its first column names the rows, of which each is one `of`, in the singular; `meanings` say what some
    columns mean, `last` which rows come last and are left out of a long table.
    """

    frame: DataFrame
    name: str
    of: str
    caption: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)
    last: str = ""

    def printed(self) -> tuple[Printed, ...]:
        """Its first rows as text, and how many further ones there are."""
        kept = self.frame.head(MOST_ROWS)
        columns = {
            str(name): [
                _cell(value, str(name))
                for value in column.astype(object).where(column.notna(), None).tolist()
            ]
            for name, column in kept.items()
        }
        grid = grid_of(columns, caption=self.caption, name=self.name)
        left_out = len(self.frame) - len(kept)
        what = f"{self.of}s, {self.last}," if self.last else f"{self.of}s"
        text = f"The table ends here: {left_out:,} further {what} are left out of it."
        return (grid, *([Paragraph(text=text, tone="quiet")] if left_out else []))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Download(Shown):
    """A table to take away from a page with all its digits; a report leaves it out."""

    write: Callable[[], DataFrame]
    name: str
    what: str = "these numbers"

    def printed(self) -> tuple[Printed, ...]:
        """Nothing."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature(Shown):
    """The line that reproduces a result."""

    line: str
    of: str = "this result"

    def printed(self) -> tuple[Printed, ...]:
        """What it reproduces, and the line."""
        text = f"Signature: reproduces {self.of}."
        return (Paragraph(text=text, tone="quiet"), Verbatim(text=self.line))


def take_away(
    write: Callable[[], DataFrame], line: str, *, name: str, notes: Sequence[str] = ()
) -> tuple[Part, ...]:
    """How a study ends: what to know about it, its table to take away, and its signature."""
    return (*notes_parts(notes), Download(write=write, name=name), Signature(line=line))


def signed_table(
    frame: DataFrame, signature: str, *, name: str, of: str, what: str = "these numbers"
) -> tuple[Part, ...]:
    """A table, the same with its signature to take away, and the line alone."""
    return (
        Table(frame=frame, name=name, of=of),
        Download(write=lambda: frame.assign(signature=signature), name=name, what=what),
        Signature(line=signature),
    )


def stopped_parts(n: int, n_asked: int, what: str) -> tuple[Paragraph, ...]:
    """That a study was stopped after so many of its steps; empty for one that was not."""
    text = f"Stopped after {n:,} of {n_asked:,} {what}: all numbers are of these."
    return paragraphs(text if n < n_asked else "", tone="caution")


def paragraphs(*texts: str, tone: Tone = "plain") -> tuple[Paragraph, ...]:
    """A paragraph for each text that says something."""
    return tuple(Paragraph(text=text, tone=tone) for text in texts if text)


def notes_parts(notes: Iterable[str]) -> tuple[Paragraph, ...]:
    """What to know about numbers, each as a sentence."""
    return tuple(
        Paragraph(text=f"{sentence_case(note).rstrip('.')}.", tone="quiet") for note in notes
    )


Printed = Paragraph | Bullets | Grid | Figure | Verbatim
Part = Printed | Shown


def printed(parts: Iterable[Part]) -> tuple[Printed, ...]:
    """Parts as a report has them."""
    return tuple(
        one for part in parts for one in (part.printed() if isinstance(part, Shown) else (part,))
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Section:
    """One section of a report."""

    key: str
    title: str
    parts: tuple[Printed, ...]


# Of tables that only explain an answer no more rows are shown; those of results are whole.
MOST_ROWS = 200


def clean(text: str) -> str:
    """A sentence that may hold a file's own words, without controls; isolated names stay isolated."""
    return cleaned(text, kept=ISOLATES).strip()


# A cell that is a number, a range of numbers or a share, with the sign of a mark before it, or none.
_DIGIT = re.compile(r"\d")
_ONE = r"[<>≤=+−-]?\s*[\d.,∞]+(?:e[-−]?\d+|·10\^[-−]?\d+)?%?"
_NUMBER = re.compile(rf"(?:[★†–\s]|not tested)*(?:{_ONE}(?: (?:to|of|or|/) {_ONE})*)?")


def _cell(value: object, column: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return format(value, ".2f" if "rank" in column else ".4g")
    return clean(f"{value:,}" if isinstance(value, int) else str(value))
