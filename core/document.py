"""A table as it stands in a document: each cell with its place, marks and any doubt, and the page's picture.

Nothing here loads more than the standard library: the process that parses PDFs loads it.
"""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

SIGNS = "*†‡§¶∗⋆★"
P_VALUE = re.compile(r"p([- ]?val(ue)?s?)?\.?", re.IGNORECASE)
# Escaped, as it stands within classes of signs.
DASH = r"\-−–—"
NUMBER = re.compile(
    rf"[<>=≤≥≈~]*\s*[+{DASH}]?(10\^[+{DASH}]*[0-9]+|[0-9]+([.,][0-9]+)*|[.,][0-9]+)(([·×]?10|[eE])[\^+{DASH}]*[0-9]+)?%?[{SIGNS}]*"
)
# What may stand in a column of numbers.
VALUE = re.compile(
    rf"(p\s*)?{NUMBER.pattern}(\s*±\s*[0-9.,]+%?[{SIGNS}]*|\s*\([+{DASH}±↑↓]?\s*[0-9.,]+%?\)[{SIGNS}]*)?"
    rf"|[{DASH}]+|n\.?\s?s\.?|n/?a|[{SIGNS}]+|[✓✗✔✘×]",
    re.IGNORECASE,
)
DECIMAL = re.compile(r"[.,][0-9]|10\^")
# What is asked of a cell, whatever the document, and how many rows of headings a table has at most.
RAISED = "A raised {} stands behind it: a footnote, or part of the number?"
LOWERED = "A smaller {} stands below the line: its spread, or part of the number?"
NO_HEADINGS = "The table has no row of headings."
_MOST_HEADINGS = 4
# Left, top, right and bottom, as shares of the page's width and height from its upper left.
Box = tuple[float, float, float, float]
_TO_GREYS = bytes((grey + 8) // 17 for grey in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a cell stands.

    `page` and `box` are of a PDF, `file`, `line` and `column` of LaTeX; pages, lines and columns count
    from 1.
    """

    page: int = 0
    box: Box = (0.0, 0.0, 0.0, 0.0)
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCell:
    """One cell.

    `text` has signs such as ``*`` behind it and no other markup, `marks` are signs and letters raised
    behind it; `place` is None where nothing stands. `unsure` says why the text may be wrong: it is
    used only once a person confirms it.
    """

    text: str
    place: Place | None = None
    unsure: str | None = None
    bold: bool = False
    marks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTable:
    """One table.

    Rows are equally long; the first `n_headings` are headings, over several columns repeated, and
    `sections` are rows that head those below them and hold no numbers. `notes` are lines below the
    table. `unsure` says why no cell of it is sure: then a person compares or types every one.
    """

    rows: tuple[tuple[DocumentCell, ...], ...]
    n_headings: int
    caption: str = ""
    notes: tuple[str, ...] = ()
    place: Place = field(default_factory=Place)
    unsure: str | None = None
    sections: tuple[int, ...] = ()

    @property
    def doubts(self) -> dict[tuple[int, int], str]:
        """Row and column of each unsure cell, and why."""
        return {
            (i, j): cell.unsure
            for i, row in enumerate(self.rows)
            for j, cell in enumerate(row)
            if cell.unsure
        }

    @property
    def lines(self) -> tuple[int, ...]:
        """Where each row stands: its line of the LaTeX file, else its number among the rows."""
        places = [next((cell.place for cell in row if cell.place), None) for row in self.rows]
        lines = [place.line for place in places if place and place.file == self.place.file]
        if len(lines) == len(self.rows) and all(a < b for a, b in pairwise((0, *lines))):
            return tuple(lines)
        return tuple(range(1, len(self.rows) + 1))

    @property
    def headings(self) -> tuple[str, ...]:
        """One name for each column: its headings from top to bottom, without those of all columns."""
        return headings_of([[c.text for c in row] for row in self.rows[: self.n_headings]])


def count_headings(
    rows: Sequence[Sequence[str]], ruled: Sequence[int], sections: Sequence[int] = ()
) -> int:
    """How many of a table's rows are headings: those above the first rule, else above the first numbers.

    `ruled` are the rows that a rule over all columns lies above, `sections` those that head others.
    """
    filled = [[text for text in row if text] for row in rows]
    values = [[text for text in row if VALUE.fullmatch(text)] for row in filled]
    decimals = [len([text for text in row if DECIMAL.search(text)]) for row in values]
    above = next((k for k in ruled if 0 < k < len(rows)), 0)
    mostly_words = all(2 * decimals[i] <= len(filled[i]) for i in range(above))
    if 0 < above <= _MOST_HEADINGS and mostly_words:
        # In a grid every row has a rule below it.
        while len(ruled) > 3 and above + 1 < len(rows) and above not in sections:
            if values[above] or len(filled[above]) < 2:
                break
            above += 1
        return above
    for i, row in enumerate(values):
        if decimals[i] or len(row) > max(1, (len(filled[i]) - 1) / 2):
            # A row of one text right above the numbers heads rows, not columns.
            first = i - (i > 1 and len(filled[i - 1]) == 1)
            return max(1, min(first, len(rows) - 1))
    return 1


def headings_of(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The texts of each column's headings joined.

    A heading over all but the first says nothing, and one over all but a few where the columns
    have different names without it.
    """

    def joined(telling: Sequence[Sequence[str]]) -> tuple[str, ...]:
        columns = zip(*telling, strict=True)
        return tuple(" | ".join(dict.fromkeys(filter(None, column))) for column in columns)

    telling = [
        row for row in rows if len(rows) == 1 or len(set(row[1:])) > 1 or not any(row[1:])
    ] or list(rows[-1:])
    several = [row for row in telling if len({*filter(None, row[1:])}) > 1]
    names = joined(several) if several else ()
    return names if all(names[1:]) and len(set(names)) == len(names) > 1 else joined(telling)


def as_pasted(
    cells: Sequence[Sequence[str]],
    n_headings: int,
    *,
    lines: Sequence[int],
    notes: Iterable[str] = (),
    sections: Iterable[int] = (),
) -> str:
    """A table as `core.data` reads pasted ones: tabs, one heading row, words below it.

    Rows that head others are left out; where a name below two of them is the same, it
    takes the section's name in front. Each row stands on its own of `lines`, which rise, so
    that messages name that line.
    """
    header = headings_of(cells[:n_headings])
    body = rows_of(cells, n_headings, sections=sections)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    written = 0
    for i, row in [(n_headings - 1, header), *body]:
        text.write("\n" * (lines[i] - written - 1))
        writer.writerow([_one_line(cell) for cell in row])
        written = lines[i]
    text.writelines(f"{_one_line(note)}\n" for note in notes)
    return text.getvalue()


def rows_of(
    cells: Sequence[Sequence[str]], n_headings: int, *, sections: Iterable[int] = ()
) -> list[tuple[int, list[str]]]:
    """The rows below the headings, with where they stand; those that head others are left out."""
    of_sections = set(sections)
    names = Counter(
        row[0] for i, row in enumerate(cells) if i >= n_headings and i not in of_sections
    )
    section = ""
    found = []
    for i, row in enumerate(cells[n_headings:], start=n_headings):
        if i in of_sections:
            section = next((text for text in row if text), "")
        elif any(row):
            several = section and names[row[0]] > 1
            found.append((i, [f"{section}: {row[0]}", *row[1:]] if several else list(row)))
    return found


def is_caption(text: str) -> bool:
    """Whether a line begins as a table's caption does."""
    return _CAPTION.match(text) is not None


def checked(table: DocumentTable) -> DocumentTable:
    """The table with the doubts that only its columns show.

    A number with one more decimal than all others of its column may have a footnote's digit at
    its end; words among numbers, numbers among headings and rows without a name may stand in the
    wrong place; headings that repeat may belong to two tables side by side.
    """
    if not table.rows:
        return table
    rows = [list(row) for row in table.rows]
    body = [i for i in range(table.n_headings, len(rows)) if i not in table.sections]

    def doubt(i: int, j: int, reason: str) -> None:
        rows[i][j] = replace(rows[i][j], unsure=rows[i][j].unsure or reason)

    for j in range(len(rows[0])):
        texts = {i: rows[i][j].text for i in body}
        values = [i for i, text in texts.items() if VALUE.fullmatch(text)]
        if 2 * len(values) > len([text for text in texts.values() if text]):
            for i, text in texts.items():
                if text and i not in values:
                    doubt(i, j, "The others of its column are numbers, and this is none.")
            for i in range(table.n_headings):
                if re.search(r"[0-9][.,][0-9]", rows[i][j].text):
                    doubt(i, j, "A number stands among the headings.")
        elif j == 0:
            for i, text in texts.items():
                if not text:
                    doubt(i, j, "No name stands in this row.")
        # A bound as <.001 shows how fine its column is.
        decimals = {
            i: len(found[1])
            for i in values
            if not P_VALUE.fullmatch(rows[i][0].text)
            and (found := _DECIMALS.fullmatch(texts[i].strip(SIGNS + "<>≤≥ ")))
        }
        usual = Counter(decimals.values()).most_common(1)
        if len(decimals) >= 3 and usual[0][1] == len(decimals) - 1:
            for i, n in decimals.items():
                if n == usual[0][0] + 1 and texts[i][0] not in "<>≤≥":
                    doubt(i, j, _ONE_DECIMAL_MORE)
    unsure = table.unsure
    named = [name for name in table.headings if name]
    if not unsure and len(set(named)) < len(named):
        unsure = "Two columns have the same heading: two tables may stand side by side."
    return replace(table, rows=tuple(map(tuple, rows)), unsure=unsure)


_CAPTION = re.compile(
    r"(table|tab\.|tabelle|tableau)\s*[A-Z]?[0-9]*[.0-9]*\s*[.:|–—]", re.IGNORECASE
)
_DECIMALS = re.compile(r"[+\-−–]?[0-9]*[.,]([0-9]+)%?")
_ONE_DECIMAL_MORE = (
    "It has one more decimal than the rest of its column: the last digit may be a footnote's."
)


def _one_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A page, packed; its size is in pixels."""

    packed: bytes
    width: int
    height: int

    @classmethod
    def of(cls, pixels: bytes, *, width: int, height: int, stride: int) -> Picture:
        """Pack rows of grey pixels that begin `stride` bytes apart."""
        greys = pixels.translate(_TO_GREYS)
        rows = b"".join(greys[y * stride : y * stride + width] for y in range(height))
        return cls(packed=zlib.compress(rows, 6), width=width, height=height)

    def pixels(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of a part of it, at least one pixel across and down."""
        left, top = int(box[0] * self.width), int(box[1] * self.height)
        left, top = min(max(0, left), self.width - 1), min(max(0, top), self.height - 1)
        right, bottom = int(box[2] * self.width) + 1, int(box[3] * self.height) + 1
        return (
            left,
            top,
            min(self.width, max(right, left + 1)),
            min(self.height, max(bottom, top + 1)),
        )
