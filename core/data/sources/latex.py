"""Tables of a LaTeX source: the environments, what they span and join, and each cell's line and column.

A command that neither `markup` nor the source defines leaves its cell unsure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...document import LOWERED, RAISED, SIGNS, DocumentCell, DocumentTable, Place, count_headings
from ..tables.marks import kind_of_words
from ..tables.markup import (
    BOLD,
    LONGEST_CELL,
    STRUCK,
    Macros,
    arguments_of,
    group,
    without_raised_marks,
    without_signs,
    written_out,
)

# What comments leave, so that all else stays where it is.
_GONE = "\0"
_KINDS = "tabular|tabularx|tabulary|longtable|tabu|longtabu|supertabular|xltabular|NiceTabular|tblr|array"
_BEGIN = re.compile(rf"\\begin\s*\{{({_KINDS})(\*?)\}}")
# How many arguments stand before the columns.
_WIDTHS = {"tabularx": 1, "tabulary": 1, "xltabular": 1}
_FLOAT = re.compile(
    r"\\(begin|end)\s*\{((?:sideways|wrap)?table|minipage|threeparttable|center|subtable)\*?\}"
)
_CAPTION = re.compile(r"\\caption(?:of\{table\})?\*?\s*(?:\[[^\]]*\])?\s*(?=\{)")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?[ \t]*")
_HIDDEN = re.compile(
    r"\\begin\{(comment|verbatim\*?|lstlisting)\}.*?\\end\{\1\}|\\iffalse\b.*?\\fi\b", re.S
)
_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\s*\\([a-zA-Z]+)\s*\}?\s*(?:\[(\d)\])?\s*(?=\{)|\\(?:def|gdef)\s*\\([a-zA-Z]+)\s*((?:#\d)*)\s*(?=\{)"
)
# Over all columns, without arguments in braces or with some; and what else stands before a row.
_WHOLE = "hline|toprule|midrule|bottomrule|firsthline|lasthline"
_WHOLE_WITH = "hhline|specialrule|Xhline"
_TOKEN = re.compile(
    rf"(?P<whole>\\(?:{_WHOLE})(?![a-zA-Z])\*?|\\(?:{_WHOLE_WITH})(?![a-zA-Z]))"
    r"|(?P<page>\\end(?:head|firsthead|foot|lastfoot)(?![a-zA-Z]))"
    r"|(?P<rule>\\(?:morecmidrules|hdashline|centering|small|noalign|addlinespace|cmidrule|cline|cdashline"
    r"|rowcolor|arrayrulecolor|rowcolors|thickhline|vspace|noindent|label|caption)(?![a-zA-Z])\*?)"
    r"|(?P<row>\\\\\*?[\s\0]*(?:\[[^\]\n]*\])?|\\(?:tabularnewline|cr|endline)(?![a-zA-Z]))"
    r"|(?P<down>\{|\\begin\s*\{[^}]*\})|(?P<up>\}|\\end\s*\{[^}]*\})|(?P<cell>&)|\\.",
    re.DOTALL,
)
_SPAN = re.compile(r"\s*\\(multicolumn|multirow)(?![a-zA-Z])\s*(?:\[[^\]]*\])?")
_IS_NUMBER = re.compile(r"[<>=≤≥]?\s*[+\-−–]?[0-9.,]*[0-9]")
_MOST_COLUMNS = 200


@dataclass(slots=True, kw_only=True)
class _Spanned:
    """A cell with where it begins and what it spans."""

    text: str
    at: int
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One LaTeX file with its comments blanked out."""

    name: str
    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, name: str, text: str) -> Source:
        """The file; hidden parts keep their length."""
        bare = _COMMENT.sub(lambda m: m[1] + _GONE * (len(m[0]) - len(m[1])), text)
        bare = _HIDDEN.sub(lambda m: _GONE * len(m[0]), bare)
        return cls(name=name, text=bare, starts=(0, *(m.end() for m in re.finditer("\n", text))))

    def place(self, at: int) -> Place:
        """Line and column of a position."""
        line = bisect_right(self.starts, at)
        return Place(file=self.name, line=line, column=at - self.starts[line - 1] + 1)


def latex_tables(files: Mapping[str, str]) -> list[DocumentTable]:
    """Every table of some LaTeX files, in their order, without the doubts that columns show."""
    sources = [Source.of(name, text) for name, text in files.items()]
    macros = {name: own for source in sources for name, own in _macros(source.text)}
    found = []
    for source in sources:
        end = 0
        for begin in _BEGIN.finditer(source.text):
            if begin.start() < end:
                # Within a cell of another one.
                continue
            name = re.escape(begin[1] + begin[2])
            same = re.compile(rf"\\(begin|end)\s*\{{{name}\}}")
            end, _ = _closing(same, source.text, begin.start())
            table = _table(source, begin, end, macros)
            if table is not None:
                caption = _plain(_caption_of(source, begin.start(), end, sources), macros)
                notes = (*table.notes, *_notes_below(source.text, end, macros))
                found.append(replace(table, caption=caption, notes=notes))
    return found


def _macros(text: str) -> Iterable[tuple[str, tuple[int, str]]]:
    for match in _DEFINITION.finditer(text):
        body = group(text, match.end())[0].replace(_GONE, "")
        n = int(match[2] or 0) if match[1] else len(match[4]) // 2
        yield match[1] or match[3], (n, body)


def _closing(pattern: re.Pattern[str], text: str, start: int) -> tuple[int, int]:
    """Where the end of what begins at a position stands, others within it passed over."""
    depth = 0
    for match in pattern.finditer(text, start):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return match.span()
    return len(text), len(text)


def _caption_of(source: Source, start: int, end: int, sources: Sequence[Source]) -> str:
    """The caption of the float that an environment stands in."""
    text = source.text
    opened: list[int] = []
    for match in _FLOAT.finditer(text, 0, start):
        if match[1] == "begin":
            opened.append(match.start())
        elif opened:
            opened.pop()
    for left in reversed(opened):
        captions = list(_CAPTION.finditer(text, left, _closing(_FLOAT, text, left)[1]))
        # The one above, else the one below: several tables of one float have each their own.
        before = [m for m in captions if m.start() < start]
        after = [m for m in captions if m.start() >= end]
        if before or after:
            return group(text, (before[-1] if before else after[0]).end())[0]
    if not opened:
        # The whole file may be the inside of a float elsewhere.
        stem = re.escape(source.name.removesuffix(".tex").rpartition("/")[2])
        takes_in = re.compile(rf"\\(?:input|include)\s*\{{(?:[^}}]*/)?{stem}(?:\.tex)?\}}")
        for other in sources:
            called = takes_in.search(other.text)
            if called is not None and other is not source:
                return _caption_of(other, *called.span(), [])
    # Of a long table, within itself.
    own = _CAPTION.search(text, start, end)
    return "" if own is None else group(text, own.end())[0]


def _notes_below(text: str, end: int, macros: Macros) -> list[str]:
    """The legends and footnotes below an environment."""
    below = text[end : end + 1_500]
    stop = re.search(r"\\end\{(side|wrap)?\w*table\*?\}|\\begin\{tab(?!lenotes)", below)
    below = below[: stop.start()] if stop else ""
    if own := _CAPTION.search(below):
        below = below[: own.start()] + below[group(below, own.end())[1] :]
    below = re.sub(r"\\item\s*\[([^\]]*)\]", r"\\item \1 ", below.replace(_GONE, ""))
    lines = [_plain(line, macros) for line in re.split(r"\\\\(?:\[[^\]]*\])?|\\item\b|\n", below)]
    return [line for line in lines if kind_of_words(line) in ("legend", "footnote")]


def _plain(text: str, macros: Macros) -> str:
    return _cleaned(" ".join(text.replace(_GONE, "").split()), macros).text.replace("^", "")


def _table(source: Source, begin: re.Match[str], end: int, macros: Macros) -> DocumentTable | None:
    text, doubt = source.text, None
    if begin[1] == "tblr":
        doubt = "It is a tblr environment, whose settings are not read."
    width = _WIDTHS.get(begin[1], 1 if begin[2] else 0)
    arguments, at = arguments_of(text, begin.end(), width + 1)
    before, between = _columns(arguments[-1].replace(_GONE, ""), macros)
    cut, ruled, pages = _rows(text, at, end)
    if len(pages) > 1:
        # Without the headings of a long table's further pages.
        first, last = pages[0], pages[-1]
        cut = cut[:first] + cut[last:]
        ruled = [k if k <= first else k - (last - first) for k in ruled if not first < k < last]
    # A command of the source may be what spans: `\mc{2}{Yelp}`.
    spans = {name: own for name, own in macros.items() if re.search(r"\\multi(column|row)", own[1])}
    rows = [[_spanned(cell, start, spans) for cell, start in row] for row in cut]
    notes: list[str] = []
    while rows and (note := _note_of(rows[-1], macros)):
        notes.insert(0, note)
        rows.pop()
    if len(rows) < 2 or max(map(len, rows)) < 2:
        return None
    if any("\\begin{" in cell.text for row in rows for cell in row):
        doubt = "A cell holds another environment."
    grid, sections = _laid_out(rows, before, source, macros)
    for column in sorted(between, reverse=True):
        for cells in grid:
            if 0 < column < len(cells):
                _join(cells, column, between[column])
    n = count_headings([[cell.text for cell in row] for row in grid], ruled, sections)
    return DocumentTable(
        rows=tuple(map(tuple, grid)),
        n_headings=n,
        place=source.place(begin.start()),
        notes=tuple(notes),
        unsure=doubt,
        sections=tuple(i for i in sections if i >= n),
    )


def _note_of(row: Sequence[_Spanned], macros: Macros) -> str:
    """The legend or footnote that spans the columns of a last row; empty for other rows."""
    seen = [cell for cell in row if _seen(cell.text)]
    text = _plain(seen[0].text, macros) if len(seen) == 1 and seen[0].columns > 1 else ""
    return text if kind_of_words(text) in ("legend", "footnote") else ""


def _columns(spec: str, macros: Macros) -> tuple[list[str], dict[int, str]]:
    """What the argument of an environment says of its columns.

    It is what stands in front of the cells of each, as commands for bold type; and what is printed
    instead of the gap before some, which joins two columns.
    """
    before: list[str] = []
    between: dict[int, str] = {}
    waiting, at = "", 0
    for _ in range(LONGEST_CELL):
        if at >= len(spec) or len(before) == _MOST_COLUMNS:
            break
        sign, left = spec[at], spec[:at]
        at += 1
        if sign in "@!><":
            (inside,), at = arguments_of(spec, at, 1)
            if sign in "@!":
                shown = _cleaned(re.sub(r"\\hskip\s*(\{[^}]*\})?", "", inside), macros).text
                # "91" in a right column and ".2" in a left one are printed as one number.
                glued = not inside.strip() and left.endswith("r") and spec[at : at + 1] == "l"
                if before and (shown or glued):
                    between[len(before)] = shown
            elif sign == ">":
                waiting = inside
        elif sign == "*":
            (times, inside), at = arguments_of(spec, at, 2)
            n = min(int(times), 100) if re.fullmatch(r"[0-9]{1,3}", times.strip()) else 1
            spec, at = inside * n + spec[at:], 0
        elif sign == "[":
            at = spec.find("]", at) + 1 or len(spec)
        elif sign.isalpha():
            before.append(waiting)
            waiting = ""
            n = {"w": 2, "W": 2, "D": 3}.get(sign, int(spec[at : at + 1] == "{"))
            _, at = arguments_of(spec, at, n)
    return before, between


def _rows(text: str, at: int, end: int) -> tuple[list[list[tuple[str, int]]], list[int], list[int]]:
    """Cells with where they begin, row by row; before which rows a rule over all columns lies, or a page ends."""
    rows: list[list[tuple[str, int]]] = []
    ruled: list[int] = []
    pages: list[int] = []
    row: list[tuple[str, int]] = []
    start, depth = at, 0
    for token in _TOKEN.finditer(text, at, end):
        kind = token.lastgroup
        if kind in ("whole", "page", "rule"):
            if (
                not row
                and not depth
                and token.start() >= start
                and not _seen(text[start : token.start()])
            ):
                ruled += [len(rows)] if kind == "whole" else []
                pages += [len(rows)] if kind == "page" else []
                has_braces = kind == "rule" or re.search(_WHOLE_WITH, token[0])
                start = _after_rule(text, token.end(), has_braces=bool(has_braces))
        elif kind in ("down", "up"):
            depth += 1 if kind == "down" else -1
        elif kind in ("row", "cell") and depth <= 0:
            row.append((text[start : token.start()], start))
            start = token.end()
            if kind == "row":
                if len(row) > 1 or _seen(row[0][0]):
                    rows.append(row)
                row = []
    row.append((text[start:end], start))
    if any(_seen(cell) for cell, _ in row):
        rows.append(row)
    return rows, ruled, pages


def _after_rule(text: str, at: int, *, has_braces: bool) -> int:
    """Where the arguments of a rule end: ``(lr){2-3}``, ``[2pt]``, ``{1pt}``."""
    opened = re.compile(
        r"[\s\0]*(\([^)]*\)|\[[^\]]*\]|\{)" if has_braces else r"[\s\0]*(\[[^\]]*\])"
    )
    while (found := opened.match(text, at)) is not None:
        at = found.end() if found[1] != "{" else group(text, found.start(1))[1]
    return at


def _spanned(cell: str, start: int, spans: Macros) -> _Spanned:
    found = _Spanned(
        text=written_out(cell, spans, known={})[0],
        at=start + len(cell) - len(cell.lstrip(" \n\t" + _GONE)),
    )
    while (span := _SPAN.match(found.text.replace(_GONE, " "))) is not None:
        (n, _, inside), end = arguments_of(found.text, span.end(), 3)
        number = int(n) if re.fullmatch(r"-?[0-9]{1,3}", n.strip()) else 1
        if span[1] == "multicolumn":
            found.columns = max(1, number)
        else:
            found.rows = number or 1
        found.text = inside + found.text[end:]
    return found


def _laid_out(
    rows: Sequence[Sequence[_Spanned]], before: Sequence[str], source: Source, macros: Macros
) -> tuple[list[list[DocumentCell]], list[int]]:
    """The cells as a full grid, each of a shorter row in doubt, and the rows that head others."""
    width = max(sum(cell.columns for cell in row) for row in rows)
    grid = [[DocumentCell(text="")] * width for _ in rows]
    sections = []
    for i, row in enumerate(rows):
        j = 0
        for cell in row:
            in_front = before[j] if j < len(before) and cell.columns == 1 else ""
            own = _cell(cell, in_front, source, macros)
            is_number = _IS_NUMBER.match(own.text) is not None
            if cell.columns >= max(2, width - 1) and sum(bool(_seen(c.text)) for c in row) == 1:
                sections.append(i)
            elif cell.columns > 1 and is_number:
                own = replace(own, unsure="This number spans several columns.")
            for k in range(j, j + cell.columns):
                # What spans down from above stays where nothing else stands.
                grid[i][k] = own if own.text or not grid[i][k].text else grid[i][k]
            if is_number and j and not own.unsure:
                own = replace(own, unsure="This number spans several rows.")
            # Upwards where negative.
            others = range(i + 1, i + cell.rows) if cell.rows > 0 else range(i + cell.rows + 1, i)
            for k in others:
                if 0 <= k < len(grid) and not grid[k][j].text:
                    grid[k][j] = own
            j += cell.columns
        if 1 < j < width:
            reason = f"The row has {j} cells, the longest one {width}."
            grid[i] = [replace(own, unsure=own.unsure or reason) for own in grid[i]]
    return grid, sections


def _seen(text: str) -> str:
    return text.replace(_GONE, "").strip()


def _join(row: list[DocumentCell], at: int, sign: str) -> None:
    """Put a cell behind the one before it, with what the columns print between them."""
    left, right = row[at - 1], row.pop(at)
    if left is right or not right.text:
        return
    row[at - 1] = replace(
        left,
        text=f"{left.text}{sign}{right.text}" if left.text else right.text,
        unsure=left.unsure or right.unsure,
        marks=left.marks + right.marks,
    )


def _cell(cell: _Spanned, before: str, source: Source, macros: Macros) -> DocumentCell:
    raw = _seen(cell.text)
    if not raw:
        return DocumentCell(text="")
    place = source.place(cell.at)
    if len(raw) > LONGEST_CELL:
        return DocumentCell(text="", place=place, unsure="The cell is too long to be one.")
    own = replace(_cleaned(raw, macros), place=place)
    return replace(own, bold=own.bold or BOLD in written_out(before, macros)[0])


def _cleaned(raw: str, macros: Macros) -> DocumentCell:
    """A cell as it is printed, with why it is unsure."""
    raw = re.sub(r"\\\\(\[[^\]]*\])?", " ", raw)
    raw = re.sub(r"\\footnotemark\s*(?:\[([^\]]*)\])?", lambda m: f"^{{{m[1] or 1}}}", raw)
    text, is_whole = written_out(raw, macros)
    is_bold, doubt = BOLD in text, None if is_whole else "Its commands could not be written out."
    if STRUCK in text:
        doubt = doubt or "It is struck out."
    unknown = re.search(r"\\([a-zA-Z]+|[^%_&#${}])", text)
    text = re.sub(r"\\([a-zA-Z]+|[^%_&#${}])", " ", text)
    clean, marks = without_signs(text.replace("---", "—").replace("--", "–"))
    raised = re.fullmatch(r"(.*?)\s*\^\s*([0-9]+)", clean)
    if raised is not None and not re.search(r"(^|[^0-9])10$", raised[1]):
        clean, marks = without_raised_marks(raised[1])
        # Behind a name it is a footnote's.
        if _IS_NUMBER.match(clean):
            doubt = doubt or RAISED.format(raised[2])
    clean = " ".join(clean.split())
    below = re.fullmatch(r"(.*[0-9])\s*_\s*([0-9.,]+)", clean)
    if gain := re.fullmatch(r"([^\^]*[0-9]%?)\s*_\s*(?:\((.*)\)|([+\-−↑↓].*))", clean):
        clean = f"{gain[1]} ({gain[2] or gain[3]})"
    elif spread := re.fullmatch(r"(.*[0-9]%?)\s*\^\s*(±\s*[0-9.,]+%?)", clean):
        clean = f"{spread[1]} {spread[2]}"
    elif below is not None:
        clean = below[1]
        doubt = doubt or LOWERED.format(below[2])
    if unknown is not None:
        doubt = doubt or f"The command {unknown[0]} is not known."
    elif re.search(r"[0-9]\s*[\^_]\s*[^*†‡§¶∗⋆★\-−0-9]|\$", clean) and _IS_NUMBER.match(clean):
        doubt = doubt or "What stands raised or below the line may belong to the number."
    signs = re.search(rf"(?<=.)\^?([{SIGNS},]+)$", clean)
    if signs is not None:
        clean = clean[: signs.start()] + signs[1].replace(",", "")
        marks = marks or signs[1].replace(",", "")
    return DocumentCell(text=clean, unsure=doubt, bold=is_bold, marks=marks)
