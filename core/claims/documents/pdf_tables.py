"""Tables on a page of a PDF: their cells by the places of letters and rules.

Whatever could be read in two ways is left to a person: the cell, or the whole table, is unsure. A
*piece* is all words of one line that belong to one cell.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...document import (
    DASH,
    DECIMAL,
    LOWERED,
    NO_HEADINGS,
    NUMBER,
    RAISED,
    SIGNS,
    DocumentCell,
    DocumentTable,
    Place,
    checked,
    count_headings,
    is_caption,
)
from .pdf_lines import (
    Region,
    caption_of,
    gathered,
    joined,
    lines_of,
    notes_below,
    regions_of,
    text_of,
    with_scripts,
    words_of,
)
from .pdf_page import Page, Rule, Word

# In em: the least gap that must lie between two cells.
_CELL_GAP = 0.42
# Behind ten, a raised number is its power.
_TEN = re.compile(r"(^|[·×x*\s])10$")
_UNSEEN = "Part of this cell cannot be seen on the page."
_HYPHEN = "A line of it ends in a hyphen, which may be part of the word or not."
_TIGHT = "Two numbers stand close together: one cell, or two?"
_LOOSE_SIGN = "A dash stands before the number: a minus sign, or an empty cell?"
_SPANS = "This text spans several columns."
_WHICH_CELL = "It is not clear in which column this stands."
_TWICE = "Two texts stand in this cell."
_WHICH = "It is not clear which columns this heading is for."
_NO_NAME = "No name stands in this row; the name above may hold for it."
_WORDS_ALONE = (
    "A line without numbers: the heading of the rows below, or the end of the name above?"
)
_ROWS_SPANNED = "The number may hold for several rows."


def tables_on(page: Page) -> list[DocumentTable]:
    """Every table of a page, from top to bottom."""
    upright = [letter for letter in page.letters if letter.angle == 0]
    words = words_of(upright)
    lines = lines_of(words, page.width / 2)
    left = {i: line for i, line in enumerate(lines) if is_caption(line.text)}
    regions = regions_of(page, lines)
    found = [
        (region, table) for region in regions if (table := _table(page, region, words)) is not None
    ]
    captions: list[list[int]] = []
    for region, _ in found:
        captions.append(caption_of(region, left, lines))
        left = {i: line for i, line in left.items() if i not in captions[-1]}
    tables = [
        replace(
            table,
            caption=" ".join(lines[i].text for i in own),
            notes=notes_below(region, lines),
        )
        for (region, table), own in zip(found, captions, strict=True)
    ]
    return [checked(table) for table in tables] + [_to_be_typed(page, c) for c in left.values()]


def _to_be_typed(page: Page, caption: Word) -> DocumentTable:
    """A table of which only the caption was found: an empty grid."""
    empty = tuple(tuple(DocumentCell(text="") for _ in range(3)) for _ in range(4))
    box = (0.0, max(0.0, caption.top - 0.35 * page.height), page.width, min(page.height, caption.bottom + 0.35 * page.height))  # fmt: skip
    return DocumentTable(
        rows=empty,
        n_headings=1,
        caption=caption.text,
        place=_place(page, *box),
        unsure="No columns were found beside this caption. Type the table from its picture.",
    )


def _place(page: Page, x0: float, top: float, x1: float, bottom: float) -> Place:
    shares = (x0 / page.width, top / page.height, x1 / page.width, bottom / page.height)
    left, upper, right, lower = (round(min(1.0, max(0.0, share)), 5) for share in shares)
    return Place(page=page.number, box=(left, upper, right, lower))


def _table(page: Page, region: Region, whole: Sequence[Word]) -> DocumentTable | None:
    """The table in a region of a page with such words; None where nothing in it is a table."""
    inside = [
        letter if page.image.shows(letter.ink) else replace(letter, doubt=_UNSEEN)
        for letter in page.letters
        if region.holds((letter.x0 + letter.x1) / 2, (letter.top + letter.bottom) / 2, within=1.0)
    ]
    grid = _Grid(
        region=region,
        lying=[r for r in page.lying if region.top <= r.at <= region.bottom and r.end > region.x0 and r.start < region.x1],
        standing=[r for r in page.standing if region.x0 <= r.at <= region.x1 and r.end > region.top and r.start < region.bottom],
    )  # fmt: skip
    words = with_scripts(words_of([letter for letter in inside if letter.angle == 0]))
    rows = gathered(
        sorted(words, key=lambda each: each.base),
        lambda row, word: word.base - row[0].base < 0.4 * min(word.size, row[0].size),
    )
    lines = grid.whole_rows([_line(sorted(row, key=lambda w: w.x0), grid) for row in rows])
    if sum(line.n_values > 0 for line in lines) < 2:
        return None
    turned = _turned_pieces([letter for letter in inside if letter.angle in (90, 270)])
    ruled = [
        sum(line.base < rule.at for line in lines) for rule in grid.lying if grid.is_whole(rule)
    ]
    n_headings = count_headings([[piece.text for piece in line.pieces] for line in lines], ruled)
    doubts = []
    first = next((line.base for line in lines if line.n_decimals), lines[0].base)
    if any(piece.bottom < first for piece in turned):
        n_headings = sum(line.base < first for line in lines)
    elif lines[0].n_decimals > 1:
        doubts.append(NO_HEADINGS)
    body = lines[n_headings:]
    columns = _columns(body)
    if len(columns) < 2 or not any(column.is_value for column in columns):
        return None
    numeric = [column.is_value for column in columns]
    if False in numeric[numeric.index(True) : len(numeric) - numeric[::-1].index(True)]:
        doubts.append("Words stand between its columns of numbers: two tables side by side?")
    steps = sorted(b.base - a.base for a, b in pairwise([line for line in body if line.n_values]))
    if steps and steps[0] < 0.7 * steps[len(steps) // 2]:
        doubts.append("Some of its lines are close together: a cell may go on in the next line.")
    edges = (region.x0 - 1.0, region.x1 + 1.0)
    beside = [word for word in whole if region.top < word.base < region.bottom]
    if any(w.x0 + 0.2 * w.size < x < w.x1 - 0.2 * w.size for w in beside for x in edges):
        doubts.append("Some of its text goes on beyond its rules, and is not read.")
    if any(letter.angle == 45 for letter in inside):
        doubts.append("Some of its text is slanted, and is not read.")
    if any(piece.bottom > body[0].base for piece in turned):
        doubts.append("Rotated words next to its rows are not read.")
    headings = _headings(lines[:n_headings], turned, columns, grid, body[0].base)
    if not all(any(row[j] for row in headings) for j in range(1, len(columns))):
        doubts.append("A column has no heading: a cell may stand between two columns.")
    cells = [_cells(line, columns) for line in body]
    kept, sections = _named_rows(body, cells, columns, grid)
    return DocumentTable(
        rows=tuple(
            tuple(_cell(piece, page) for piece in row)
            for row in [*headings, *(cells[i] for i in kept)]
        ),
        n_headings=len(headings),
        place=_place(page, region.x0, region.top, region.x1, region.bottom),
        unsure=" ".join(doubts) or None,
        sections=tuple(len(headings) + kept.index(i) for i in sections),
    )


@dataclass(slots=True, kw_only=True)
class _Line:
    """What stands on one line of a table."""

    base: float
    pieces: list[Word]

    @property
    def n_values(self) -> int:
        return sum(piece.is_value for piece in self.pieces)

    @property
    def n_decimals(self) -> int:
        return sum(p.is_value and DECIMAL.search(p.text) is not None for p in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """The rules of a table."""

    region: Region
    lying: list[Rule]
    standing: list[Rule]

    def is_whole(self, rule: Rule) -> bool:
        return rule.end - rule.start > 0.93 * (self.region.x1 - self.region.x0 - 5.0)

    def box(self, piece: Word, base: float) -> tuple[float, float] | None:
        """The standing rules left and right of a piece."""
        at = [r.at for r in self.standing if r.start < base - 1 and r.end > piece.top + 1]
        left = max((x for x in at if x <= piece.x0 + 1), default=None)
        right = min((x for x in at if x >= piece.x1 - 1), default=None)
        return None if left is None or right is None or len(at) < 3 else (left, right)

    def over(self, x: float, upper: float, lower: float) -> bool:
        """Whether a rule lies between two heights at a distance from the left."""
        return any(upper < r.at < lower and r.start - 2 < x < r.end + 2 for r in self.lying)

    def parts(self, left: Word, right: Word) -> bool:
        """Whether a rule stands between two words of a line."""
        return any(
            left.x1 - 1.5 < r.at < right.x0 + 1.5
            and r.start < left.base - 1
            and r.end > left.top + 1
            for r in self.standing
        )

    def whole_rows(self, lines: list[_Line]) -> list[_Line]:
        """Lines of one row put together, where every row has a rule below it."""
        heights = [
            rule.at
            for rule in self.lying
            if rule.end - rule.start > 0.5 * (self.region.x1 - self.region.x0)
        ]
        bands: dict[int, list[_Line]] = {}
        for line in lines:
            bands.setdefault(sum(at < line.base for at in heights), []).append(line)
        crowded = sum(sum(line.n_values > 0 for line in own) > 1 for own in bands.values())
        if len(bands) < 4 or crowded:
            return lines
        return [_joined_lines(own) for own in bands.values()]


def _joined_lines(lines: list[_Line]) -> _Line:
    """Lines of one row: what stands below another text belongs to its cell."""
    pieces: list[Word] = []
    base = max(lines, key=lambda line: len(line.pieces)).base
    for piece in (piece for line in lines for piece in line.pieces):
        above = [p for p in pieces if p.meets(piece.x0, piece.x1) and p.bottom <= piece.bottom - 2]
        if len(above) == 1:
            pieces[pieces.index(above[0])] = _both(above[0], piece)
        else:
            pieces.append(piece)
    return _Line(base=base, pieces=sorted(pieces, key=lambda p: p.x0))


def _both(one: Word | None, other: Word, doubt: str = "") -> Word:
    """Two texts of one cell, of which the other may stand in a line below."""
    if one is None:
        return other
    hyphen = one.text[-1:] == "-" and other.top > one.top + 0.5 * one.size
    text = f"{one.text}{'' if hyphen else ' '}{other.text}".strip()
    twice = _TWICE if one.is_value and other.is_value else ""
    return joined((one, other), text, _HYPHEN if hyphen else doubt or twice)


def _line(words: Sequence[Word], grid: _Grid) -> _Line:
    """The pieces of a line: words with less than a cell's gap between them."""
    pieces = [_piece(words[0])]
    for last, word in pairwise(words):
        piece, before = _piece(word), pieces[-1]
        gap = (word.x0 - last.x1) / max(word.size, last.size)
        relation = re.search(r"[<>=≤≥≈~]$", before.text) and gap < 0.7
        spread = (before.text.endswith("±") or piece.text.startswith("±")) and gap < 0.9
        if grid.parts(last, word) or not (relation or spread or gap < _CELL_GAP):
            pieces.append(piece)
            continue
        doubt = ""
        if not relation and not spread and piece.is_value and re.search(r"[0-9]", piece.text):
            two = NUMBER.fullmatch(piece.text) and NUMBER.fullmatch(before.text)
            factor = before.text[-1] in "·×" and not _TEN.search(piece.text.partition("^")[0])
            is_dash = re.fullmatch(rf"[{DASH}+]", before.text)
            doubt = _LOOSE_SIGN if is_dash else _TIGHT if two or factor else ""
        signs = re.fullmatch(rf"[{SIGNS}]+", piece.text)
        close = relation or before.text[-1] in "·×" or piece.text[0] in "·×" or signs
        text = f"{before.text}{'' if close else ' '}{piece.text}"
        # A sign between number and spread stands behind both, as pasted tables have it.
        text = re.sub(rf"([{SIGNS}]+)(\s*±\s*[0-9.,]+%?)$", r"\2\1", text)
        pieces[-1] = joined((before, piece), text, doubt)
    return _Line(base=sorted(word.base for word in words)[len(words) // 2], pieces=pieces)


def _piece(word: Word) -> Word:
    """A word with what stands raised and lowered beside it read, or doubted."""
    text, doubt = _with_asterisks(word.text), word.doubt
    is_number = NUMBER.fullmatch(text) is not None
    signs = "".join(sign for sign in _with_asterisks(word.raised) if sign in SIGNS)
    rest = re.sub(rf"[{SIGNS},\s]", "", word.raised)
    text += signs
    if re.fullmatch(rf"[+{DASH}]?[0-9]+", rest) and _TEN.search(word.text):
        text = f"{word.text}^{rest}"
    elif rest and (not rest.isalpha() or not is_number):
        doubt = doubt or RAISED.format(rest)
    if word.lowered.startswith("±"):
        text += f" {word.lowered}"
    elif word.lowered and is_number:
        doubt = doubt or LOWERED.format(word.lowered)
    else:
        text += word.lowered
    if re.search("[⁰¹²³⁴-⁹₀-₉]", text):
        doubt = doubt or RAISED.format("digit")
    return replace(word, text=text, raised="", lowered="", doubt=doubt)


def _with_asterisks(text: str) -> str:
    return re.sub("[∗⋆]", "*", text)


def _turned_pieces(letters: Sequence[Word]) -> list[Word]:
    """Words that are read upwards or downwards."""
    rows = gathered(
        sorted(letters, key=lambda each: (each.angle, each.base)),
        lambda row, letter: (
            letter.angle == row[0].angle and letter.base - row[0].base < 0.6 * letter.size
        ),
    )
    found = []
    for row in rows:
        up = row[0].angle == 90
        along = [
            replace(each, x0=-each.bottom if up else each.top, x1=-each.top if up else each.bottom)
            for each in row
        ]
        along.sort(key=lambda each: each.x0)
        found.append(joined(row, _with_asterisks(text_of(along))))
    return found


def _columns(lines: Sequence[_Line]) -> list[Word]:
    """Columns, each as its first text with its ends: what numbers take up, and beside them what words do."""
    columns: list[Word] = []
    for of_values in (True, False):
        free = [
            piece
            for line in lines
            for piece in line.pieces
            if piece.is_value == of_values and not any(piece.meets(c.x0, c.x1) for c in columns)
        ]
        groups = gathered(
            sorted(free, key=lambda p: p.x0),
            lambda group, piece: piece.x0 < max(p.x1 for p in group) + 0.3,
        )
        columns += [joined(own, own[0].text) for own in groups]
    return sorted(columns, key=lambda column: column.x0)


def _cells(line: _Line, columns: Sequence[Word]) -> list[Word | None]:
    """A line's pieces in their columns."""
    cells: list[Word | None] = [None] * len(columns)
    for piece in line.pieces:
        met = [j for j, column in enumerate(columns) if piece.meets(column.x0, column.x1)]
        if len(met) != 1:
            piece.doubt = piece.doubt or (_SPANS if met else _WHICH_CELL)
        j = met[0] if met else _nearest(piece, columns)
        before = cells[j]
        far = before and piece.x0 - before.x1 > 1.2 * piece.size
        cells[j] = _both(before, piece, _TWICE if far or columns[j].is_value else "")
    return cells


def _nearest(piece: Word, columns: Sequence[Word]) -> int:
    return min(range(len(columns)), key=lambda j: abs(columns[j].middle - piece.middle))


def _headings(
    lines: Sequence[_Line],
    turned: Sequence[Word],
    columns: Sequence[Word],
    grid: _Grid,
    first_row: float,
) -> list[list[Word | None]]:
    """Rows of headings, each over every column that it is for."""
    rows: list[list[Word | None]] = []
    # Whether something in a row is for several columns.
    spans: list[bool] = []
    last = lines[-1].pieces if lines else []
    extents = [
        (min([c.x0, *(p.x0 for p in own)]), max([c.x1, *(p.x1 for p in own)]))
        for c in columns
        for own in [[p for p in last if p.meets(c.x0, c.x1)]]
    ]
    # Names that repeat in the last row differ by the cells above them.
    repeat = len({piece.text for piece in last}) < len(last)
    for i, line in enumerate(lines):
        lower = lines[i + 1 :]
        below = lower[0].base if lower else first_row
        under = [p for each in lower for p in each.pieces]
        named = {j for j, c in enumerate(columns) if any(p.meets(c.x0, c.x1) for p in under)}
        shared = _shared_out(line.pieces, extents, named) if lower else None
        row: list[Word | None] = [None] * len(columns)
        spans.append(False)
        for k, piece in enumerate(line.pieces):
            over = shared[k] if shared else []
            may_span = bool(lower) and repeat
            own = _columns_below(piece, line, columns, grid, below, over, may_span=may_span)
            spans[-1] = spans[-1] or len(own) > 1
            for j in own:
                row[j] = _both(row[j], piece, _WHICH)
        rows.append(row)
    if turned:
        row = [None] * len(columns)
        for piece in sorted(turned, key=lambda p: p.x0):
            if piece.bottom <= first_row:
                j = _nearest(piece, columns)
                row[j] = _both(row[j], piece)
        rows.append(row)
        spans.append(False)
    merged: list[list[Word | None]] = []
    for i in reversed(range(len(rows))):
        # A heading of several lines over one column is one text.
        ruled = i + 1 < len(lines) and grid.over(
            columns[-1].middle, lines[i].base, lines[i + 1].base
        )
        if merged and not spans[i] and not ruled:
            merged[0] = [
                a if b is None or a is b else _both(a, b)
                for a, b in zip(rows[i], merged[0], strict=True)
            ]
        else:
            merged.insert(0, rows[i])
    return merged


def _shared_out(
    pieces: Sequence[Word], extents: Sequence[tuple[float, float]], named: set[int]
) -> list[list[int]] | None:
    """Columns shared out to headings, each in the middle of its own; None unless one way fits.

    All columns must be shared out but those of names at the left, and what is over several has a
    heading of each below it.
    """
    n = len(extents)
    ways: list[list[list[int]]] = [[]]
    for piece in pieces:
        fitting = [
            list(range(a, b + 1))
            for a in range(n)
            for b in range(a, n)
            if (
                (a == b or named.issuperset(range(a, b + 1)))
                and abs(piece.middle - (extents[a][0] + extents[b][1]) / 2) < 0.8 * piece.size
            )
            or (a == b and min(abs(piece.x0 - extents[a][0]), abs(piece.x1 - extents[a][1])) < 2.0)
        ]
        ways = [
            [*way, own]
            for way in ways
            for own in fitting
            if (not way and (own[0] or piece.meets(*extents[0])) and own[0] <= 2)
            or (way and own[0] == way[-1][-1] + 1)
        ][:500]
    whole = [way for way in ways if way and way[-1][-1] == n - 1]
    first = min((way[0][0] for way in whole), default=0)
    whole = [way for way in whole if way[0][0] == first]
    return whole[0] if len(whole) == 1 else None


def _columns_below(
    piece: Word,
    line: _Line,
    columns: Sequence[Word],
    grid: _Grid,
    below: float,
    shared: Sequence[int],
    *,
    may_span: bool,
) -> Sequence[int]:
    """The columns that a heading is for; a doubt is left in it where that is not clear."""
    box = grid.box(piece, line.base)
    if box is not None and sum(box[0] < p.middle < box[1] for p in line.pieces) == 1:
        return [j for j, c in enumerate(columns) if box[0] < c.middle < box[1]] or [0]
    for rule in grid.lying:
        over = [p for p in line.pieces if rule.start - 3 < p.middle < rule.end + 3]
        if line.base < rule.at < below and not grid.is_whole(rule) and over == [piece]:
            under = [j for j, c in enumerate(columns) if rule.start - 2 < c.middle < rule.end + 2]
            if under:
                return under
    if shared:
        # It may as well be the upper line of the heading in their middle.
        is_doubtful = len(line.pieces) == 1 and len(shared) > 1
        found = shared
    else:
        found = [j for j, column in enumerate(columns) if piece.meets(column.x0, column.x1)]
        ends = [(a.x1 + b.x0) / 2 for a, b in pairwise(columns)]
        at = bisect_right(ends, piece.middle)
        is_doubtful = len(found) > 1 or (found or [at]) != [at] or may_span
        found = found or [at]
    if is_doubtful:
        piece.doubt = piece.doubt or _WHICH
    return found


def _named_rows(
    lines: Sequence[_Line],
    cells: list[list[Word | None]],
    columns: Sequence[Word],
    grid: _Grid,
) -> tuple[list[int], list[int]]:
    """Write names into all rows that they hold for; which rows are kept, and which of them head others.

    A name over several rows holds for all between two rules; without rules that is doubted.
    """
    rows = [line.base for line in lines if line.n_values]
    steps = sorted(b - a for a, b in pairwise(rows))
    usual = steps[len(steps) // 2] if len(steps) > 1 else 12.0
    floating, sections = [], []
    for i, line in enumerate(lines):
        pieces = [cell for cell in cells[i] if cell is not None]
        if line.n_values or len(pieces) != 1:
            continue
        (piece,) = pieces
        j = cells[i].index(piece)
        near = [k for k in (i - 1, i + 1) if 0 <= k < len(lines) and cells[k][j] is None]
        if len(near) == 2 and all(abs(lines[k].base - line.base) < 0.8 * usual for k in near):
            # Between two rows without a name: the name of both.
            floating.append(i)
            continue
        sections.append(i)
        ruled = i > 0 and grid.over(columns[0].middle, lines[i - 1].base, line.base)
        is_sure = piece.bold or piece.doubt == _SPANS or i == 0 or ruled
        piece.doubt = "" if is_sure and piece.doubt in ("", _SPANS) else piece.doubt or _WORDS_ALONE
    kept = [i for i in range(len(lines)) if i not in floating]
    for j, column in enumerate(columns):
        if column.is_value:
            continue

        def unruled(group: list[int], i: int, x: float = column.middle) -> bool:
            return not grid.over(x, lines[group[-1]].base, lines[i].base)

        groups = gathered(kept, unruled)
        for group in groups:
            own = [i for i in group if i not in sections]
            upper, lower = lines[group[0]].base - usual, lines[group[-1]].base + usual
            label = [cells[i][j] for i in floating if upper < lines[i].base < lower]
            texts = [text for text in [*(cells[i][j] for i in own), *label] if text is not None]
            above: Word | None = None
            for i in own:
                is_blank = cells[i][j] is None and (bool(texts) or j == 0)
                if is_blank and len(texts) == 1:
                    # Where rules part the rows it is the name of all between two of them.
                    texts[0].doubt = texts[0].doubt or _NO_NAME * (len(groups) == 1)
                    cells[i][j] = texts[0]
                elif is_blank:
                    first = lines[i].pieces[0]
                    empty = replace(first, text="", x0=column.x0, x1=column.x1, bold=False)
                    cells[i][j] = replace(above or empty, doubt=_NO_NAME)
                above = cells[i][j] if texts else None
    for a, b in pairwise(kept):
        upper, lower = lines[a].base, lines[b].base
        parted = [grid.over(column.middle, upper, lower) for column in columns]
        if any(over and column.is_value for over, column in zip(parted, columns, strict=True)):
            for j, column in enumerate(columns):
                for cell in (cells[a][j], cells[b][j]):
                    if column.is_value and not parted[j] and cell is not None:
                        cell.doubt = cell.doubt or _ROWS_SPANNED
    return kept, sections


def _cell(piece: Word | None, page: Page) -> DocumentCell:
    if piece is None:
        return DocumentCell(text="")
    return DocumentCell(
        text=piece.text,
        place=_place(page, piece.x0, piece.top, piece.x1, piece.bottom),
        unsure=piece.doubt or None,
        bold=piece.bold,
    )
