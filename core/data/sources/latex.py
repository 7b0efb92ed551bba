"""Tables of a LaTeX source: the environments, what they span and join, and each cell's line and column.

Cells are cleaned by `marks.without_latex`. A command that neither it nor the source
defines leaves its cell unsure.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...document import (
    DECIMAL,
    LOWERED,
    MOST_HEADINGS,
    RAISED,
    VALUE,
    DocumentCell,
    DocumentTable,
    Place,
)
from ..tables.marks import MARKS, kind_of_words, without_latex

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
_RULES = re.compile(
    r"\s*\\(hline|toprule|midrule|bottomrule|firsthline|lasthline|morecmidrules|endhead|endfirsthead|endfoot"
    r"|endlastfoot|hdashline|centering|small|noalign|addlinespace|cmidrule|cline|cdashline|specialrule|hhline"
    r"|rowcolor|arrayrulecolor|rowcolors|Xhline|thickhline|vspace|noindent|label|caption)(?![a-zA-Z])\*?"
)
_WHOLE_RULE = re.compile(
    r"\\(hline|midrule|toprule|bottomrule|hhline|specialrule|firsthline|lasthline|Xhline)(?![a-zA-Z])"
)
_PLAIN_RULE = re.compile(r"\\(hline|midrule|toprule|bottomrule|firsthline|lasthline)\*?\Z")
_SPAN = re.compile(r"\s*\\(multicolumn|multirow)(?![a-zA-Z])\s*(?:\[[^\]]*\])?")
# Left out with so many arguments, whose contents nobody sees or only as colour.
_DROPPED = {
    "cellcolor": 1, "color": 1, "rowcolor": 1, "phantom": 1, "hphantom": 1, "vphantom": 1, "label": 1,
    "hspace": 1, "vspace": 1, "rule": 2, "centering": 0, "raggedright": 0, "raggedleft": 0, "hfill": 0,
    "quad": 0, "qquad": 0, "enspace": 0, "thinspace": 0, "noindent": 0, "arraybackslash": 0, "strut": 0,
    "xspace": 0, "left": 0, "right": 0, "displaystyle": 0, "bfseries": 0, "bf": 0, "normalsize": 0, "large": 0,
    "cite": 1, "citep": 1, "citet": 1, "ref": 1, "protect": 0, "relax": 0, "unskip": 0, "itshape": 0,
    "normalfont": 0, "sffamily": 0, "ttfamily": 0, "scshape": 0, "upshape": 0, "mdseries": 0, "selectfont": 0,
    "nobreak": 0, "leavevmode": 0, "kern": 0, "ul": 0,
}  # fmt: skip
# Read as their last argument, of so many.
_LAST = {
    "textcolor": 2, "colorbox": 2, "rotatebox": 2, "rot": 1, "makecell": 1, "thead": 1, "shortstack": 1,
    "num": 1, "tablenum": 1, "SI": 1, "qty": 1, "adjustbox": 2, "resizebox": 3, "scalebox": 2, "parbox": 2, "llap": 1, "rlap": 1,
    "hbox": 1, "makebox": 1, "fbox": 1, "textsf": 1, "textup": 1, "textmd": 1, "textnormal": 1, "textsl": 1,
    "mathsf": 1, "mathit": 1, "mathtt": 1, "operatorname": 1, "boldsymbol": 1, "uline": 1, "hl": 1, "ensuremath": 1,
    "href": 2, "url": 1, "smash": 1, "rotcell": 1, "turnbox": 2, "raisebox": 2, "textscriptsize": 1, "uppercase": 1,
}  # fmt: skip
_NOTES = ("footnotemark", "footnote", "tnote", "tablefootnote", "textsuperscript")
_STRUCK = ("sout", "st", "cancel", "xout")
_BOLD = re.compile(r"\\(textbf|mathbf|bm|boldsymbol|bfseries|bf|boldmath)(?![a-zA-Z])")
_IS_NUMBER = re.compile(r"[<>=≤≥]?\s*[+\-−–]?[0-9.,]*[0-9]")
_ACCENTS = dict(zip("`'^\"~cv", "\u0300\u0301\u0302\u0308\u0303\u0327\u030c", strict=True))
_LETTERS = {r"\ss": "ß", r"\ae": "æ", r"\o": "ø", r"\O": "Ø", r"\aa": "å", r"\i": "i", r"\l": "ł", r"\checkmark": "✓", r"\textminus": "−", r"\textendash": "–", r"\textemdash": "—", r"\ldots": "…", r"\dots": "…", r"\textbackslash": "/", r"\percent": "%", r"\Delta": "Δ", r"\lambda": "λ", r"\uparrow": "↑", r"\downarrow": "↓", r"\slash": "/"}  # fmt: skip
_GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "kappa", "mu", "rho", "sigma", "tau", "phi", "chi", "psi", "omega")  # fmt: skip
_LETTERS |= {rf"\{name}": unicodedata.lookup(f"GREEK SMALL LETTER {name}") for name in _GREEK}
_MOST_COLUMNS = 200
_MOST_EXPANSIONS, _LONGEST_CELL = 200, 5_000
# Of each command that a source defines the number of its arguments, and what it stands for.
_Macros = Mapping[str, tuple[int, str]]


@dataclass(slots=True, kw_only=True)
class _Spanned:
    """A cell with where it begins and what it spans."""

    text: str
    at: int
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """What the columns of an environment print by themselves.

    `before` stands in front of each column's cells, as commands for bold type; `between` instead of
    the gap before a column: visible text that joins two columns.
    """

    before: tuple[str, ...]
    between: Mapping[int, str]


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
    macros: dict[str, tuple[int, str]] = {}
    for source in sources:
        macros.update(_macros(source.text))
    found = []
    for source in sources:
        end = 0
        for begin in _BEGIN.finditer(source.text):
            if begin.start() < end:
                # Within a cell of another one.
                continue
            name = re.escape(begin[1] + begin[2])
            same = re.compile(rf"\\(begin|end)\s*\{{{name}\}}")
            closing = _closing(same, source.text, begin.start())
            end = closing.start() if closing else len(source.text)
            table = _table(source, begin, end, macros)
            if table is not None:
                around = _around(source, begin.start(), end, sources)
                notes = (*table.notes, *around[1])
                found.append(replace(table, caption=_plain(around[0], macros), notes=notes))
    return found


def _macros(text: str) -> dict[str, tuple[int, str]]:
    found = {}
    for match in _DEFINITION.finditer(text):
        body, _ = _group(text, match.end())
        n = int(match[2] or 0) if match[1] else len(match[4]) // 2
        found[match[1] or match[3]] = (n, body.replace(_GONE, ""))
    return found


def _group(text: str, at: int) -> tuple[str, int]:
    """What stands in the braces that open at a position, and where they end."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "{}" and (i == 0 or text[i - 1] != "\\"):
            depth += 1 if text[i] == "{" else -1
            if depth == 0:
                return text[at + 1 : i], i + 1
    return text[at + 1 :], len(text)


def _arguments(text: str, at: int, n: int) -> tuple[list[str], int]:
    """The next arguments, those in brackets passed over, and where they end."""
    found: list[str] = []
    while len(found) < n:
        space = re.compile(r"[\s\0]*(\[[^\]]*\])?[\s\0]*").match(text, at)
        at = space.end() if space else at
        if at < len(text) and text[at] == "{":
            own, at = _group(text, at)
        elif at < len(text):
            single = re.compile(r"\\[a-zA-Z]+|.", re.S).match(text, at)
            own, at = (single[0], single.end()) if single else ("", len(text))
        else:
            break
        found.append(own)
    return found, at


def _closing(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    """The end of what begins at a position, others within it passed over."""
    depth = 0
    for match in pattern.finditer(text, start):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return match
    return None


def _around(
    source: Source, start: int, end: int, sources: Sequence[Source]
) -> tuple[str, tuple[str, ...]]:
    """The caption of the float that an environment stands in, and the notes below it."""
    text = source.text
    opened: list[int] = []
    for match in _FLOAT.finditer(text, 0, start):
        if match[1] == "begin":
            opened.append(match.start())
        elif opened:
            opened.pop()
    caption = ""
    for left in reversed(opened):
        closing = _closing(_FLOAT, text, left)
        inside = text[left : closing.end() if closing else len(text)]
        captions = list(_CAPTION.finditer(inside))
        # The one above, else the one below: several tables of one float have each their own.
        before = [m for m in captions if left + m.start() < start]
        after = [m for m in captions if left + m.start() >= end]
        if before or after:
            caption = _group(inside, (before[-1] if before else after[0]).end())[0]
            break
    if not caption and (own := _CAPTION.search(text, start, end)) is not None:
        # Of a long table, within itself.
        caption = _group(text, own.end())[0]
    if not opened and len(sources) > 1:
        # The whole file may be the inside of a float elsewhere.
        stem = source.name.removesuffix(".tex")
        for other in sources:
            called = re.search(
                rf"\\(?:input|include)\s*\{{(?:[^}}]*/)?{re.escape(stem.rpartition('/')[2])}(?:\.tex)?\}}",
                other.text,
            )
            if called is not None and other is not source:
                caption = _around(other, called.start(), called.end(), [other])[0]
    below = text[end : end + 1_500]
    stop = re.search(r"\\end\{(side|wrap)?\w*table\*?\}|\\begin\{tab(?!lenotes)", below)
    below = below[: stop.start()] if stop else ""
    if own := _CAPTION.search(below):
        below = below[: own.start()] + below[_group(below, own.end())[1] :]
    below = re.sub(r"\\item\s*\[([^\]]*)\]", r"\\item \1 ", below.replace(_GONE, ""))
    lines = re.split(r"\\\\(?:\[[^\]]*\])?|\\item\b|\n", below)
    notes = [without_latex(_bare(line))[0].replace("^", "") for line in lines]
    return caption, tuple(note for note in notes if kind_of_words(note) in ("legend", "footnote"))


def _bare(line: str) -> str:
    return re.sub(
        r"\\(end|begin)\{[^}]*\}|\\(par|((small|med|big)skip|footnotesize|small|scriptsize|tiny)\b"
        r"|noindent|vspace\*?\{[^}]*\})|[{}]",
        " ",
        line,
    ).strip()


def _plain(text: str, macros: _Macros) -> str:
    return _cleaned(" ".join(text.replace(_GONE, "").split()), macros)[0].replace("^", "")


def _table(source: Source, begin: re.Match[str], end: int, macros: _Macros) -> DocumentTable | None:
    text, at = source.text, begin.end()
    doubt = None
    if begin[1] == "tblr":
        doubt = "It is a tblr environment, whose settings are not read."
    width = _WIDTHS.get(begin[1], 1 if begin[2] else 0)
    arguments, at = _arguments(text, at, width + 1)
    columns = _columns(arguments[-1] if arguments else "", macros)
    cut, ruled = _rows(text, at, end)
    # A command of the source may be what spans: `\mc{2}{Yelp}`.
    spans = {name: own for name, own in macros.items() if re.search(r"\\multi(column|row)", own[1])}
    rows = [[_spanned(_expanded(cell, spans)[0], start) for cell, start in row] for row in cut]
    rows, ruled = _without_repeated_heads(rows, ruled)
    notes: list[str] = []
    while rows and (note := _note_of(rows[-1], macros)):
        notes.insert(0, note)
        rows.pop()
    if len(rows) < 2 or max(map(len, rows)) < 2:
        return None
    if any("\\begin{" in cell.text for row in rows for cell in row):
        doubt = "A cell holds another environment."
    grid, sections = _laid_out(rows, columns, source, macros)
    n = _n_headings(grid, ruled, sections)
    return DocumentTable(
        rows=tuple(map(tuple, grid)),
        n_headings=n,
        place=source.place(begin.start()),
        notes=tuple(notes),
        unsure=doubt,
        sections=tuple(i for i in sections if i >= n),
    )


def _note_of(row: Sequence[_Spanned], macros: _Macros) -> str:
    """The legend or footnote that spans the columns of a last row; empty for other rows."""
    seen = [cell for cell in row if _seen(cell.text)]
    text = _plain(seen[0].text, macros) if len(seen) == 1 and seen[0].columns > 1 else ""
    return text if kind_of_words(text) in ("legend", "footnote") else ""


def _columns(spec: str, macros: _Macros) -> _Columns:
    """What the argument of an environment says of its columns."""
    before: list[str] = []
    between: dict[int, str] = {}
    waiting, at = "", 0
    spec = spec.replace(_GONE, "")
    while at < len(spec) and len(before) < _MOST_COLUMNS:
        sign = spec[at]
        at += 1
        if sign in "@!><":
            left = spec[: at - 1]
            (inside,), at = _arguments(spec, at, 1) if at < len(spec) else ([""], at)
            if sign in "@!":
                shown = _cleaned(
                    re.sub(r"\\(extracolsep|hspace\*?|hskip)\s*(\{[^}]*\})?", "", inside), macros
                )[0].strip()
                # "91" in a right column and ".2" in a left one are printed as one number.
                glued = not inside.strip() and left.endswith("r") and spec[at : at + 1] == "l"
                if before and (shown or glued):
                    between[len(before)] = shown
            elif sign == ">":
                waiting = inside
        elif sign == "*":
            arguments, at = _arguments(spec, at, 2)
            times, inside = (*arguments, "", "")[:2]
            n = min(int(times), 100) if re.fullmatch(r"[0-9]{1,3}", times.strip()) else 1
            more = _columns(inside * n, macros)
            between.update({len(before) + k: v for k, v in more.between.items()})
            before += more.before
        elif sign in "pmbwWD":
            n = {"w": 2, "W": 2, "D": 3}.get(sign, 1)
            _, at = _arguments(spec, at, n)
            before.append(waiting)
            waiting = ""
        elif sign == "[":
            at = spec.find("]", at) + 1 or len(spec)
        elif sign.isalpha():
            before.append(waiting)
            waiting = ""
            if at < len(spec) and spec[at] == "{":
                _, at = _group(spec, at)
    return _Columns(before=tuple(before), between=between)


def _rows(text: str, at: int, end: int) -> tuple[list[list[tuple[str, int]]], list[int]]:
    """Cells with where they begin, row by row, and before which rows a rule over all columns lies."""
    rows: list[list[tuple[str, int]]] = []
    ruled: list[int] = []
    row: list[tuple[str, int]] = []
    start, depth, inner = at, 0, 0
    while at <= end:
        if not row and not depth and start == at:
            skipped = _RULES.match(text, at)
            if skipped is not None and skipped.end() <= end:
                if _WHOLE_RULE.match(skipped[0].strip()):
                    ruled.append(len(rows))
                if skipped[1].startswith("end"):
                    ruled.append(-len(rows))
                at = _after_rule(text, skipped.end())
                start = at
                continue
            if at < end and (text[at].isspace() or text[at] == _GONE):
                at += 1
                start = at
                continue
        if at == end:
            row.append((text[start:end], start))
            if "".join(cell for cell, _ in row).strip(" \n\t" + _GONE):
                rows.append(row)
            break
        sign = text[at]
        if sign == "\\":
            other = re.compile(r"\\(begin|end)\s*\{").match(text, at)
            inner += 0 if other is None else (1 if other[1] == "begin" else -1)
            ends = re.compile(
                r"\\\\\*?[\s\0]*(\[[^\]\n]*\])?|\\(tabularnewline|cr|endline)(?![a-zA-Z])"
            ).match(text, at)
            if ends is not None and not depth and inner <= 0:
                row.append((text[start:at], start))
                if len(row) > 1 or _seen(row[0][0]):
                    rows.append(row)
                row, at = [], ends.end()
                start = at
                continue
            at += 2
            continue
        if sign == "&" and not depth and inner <= 0:
            row.append((text[start:at], start))
            start = at + 1
        depth += (sign == "{") - (sign == "}")
        at += 1
    return rows, ruled


def _after_rule(text: str, at: int) -> int:
    """Where the arguments of a rule end: ``(lr){2-3}``, ``[2pt]``, ``{1pt}``; rules over all columns have no braces."""
    braces = "" if _PLAIN_RULE.search(text[:at]) else r"|\{"
    arguments = re.compile(rf"[\s\0]*(\([^)]*\)|\[[^\]]*\]{braces})")
    while (found := arguments.match(text, at)) is not None:
        at = found.end() if found[1][0] != "{" else _group(text, found.start(1))[1]
    return at


def _without_repeated_heads(
    rows: list[list[_Spanned]], ruled: list[int]
) -> tuple[list[list[_Spanned]], list[int]]:
    """Rows of a long table without the headings of its further pages."""
    ends = [-k for k in ruled if k < 0]
    ruled = [k for k in ruled if k >= 0]
    if len(ends) < 2:
        return rows, ruled
    first, last = ends[0], ends[-1]
    return rows[:first] + rows[last:], [
        k if k <= first else k - (last - first) for k in ruled if not first < k < last
    ]


def _spanned(cell: str, start: int) -> _Spanned:
    found = _Spanned(text=cell, at=start + len(cell) - len(cell.lstrip(" \n\t" + _GONE)))
    while (span := _SPAN.match(found.text.replace(_GONE, " "))) is not None:
        arguments, end = _arguments(found.text, span.end(), 3)
        n, _, inside = (*arguments, "", "", "")[:3]
        number = int(n) if re.fullmatch(r"-?[0-9]{1,3}", n.strip()) else 1
        if span[1] == "multicolumn":
            found.columns = max(1, number)
        else:
            found.rows = number or 1
        found.text = inside + found.text[end:]
    return found


def _laid_out(
    rows: Sequence[Sequence[_Spanned]],
    columns: _Columns,
    source: Source,
    macros: _Macros,
) -> tuple[list[list[DocumentCell]], list[int]]:
    """The cells as a full grid, each of a shorter row in doubt, and the rows that head others."""
    width = max(sum(cell.columns for cell in row) for row in rows)
    empty = DocumentCell(text="")
    grid: list[list[DocumentCell]] = [[empty] * width for _ in rows]
    sections = []
    for i, row in enumerate(rows):
        j = 0
        for cell in row:
            if j >= width:
                break
            joined = _cell(
                cell,
                columns.before[j] if j < len(columns.before) and cell.columns == 1 else "",
                source,
                macros,
            )
            spans = cell.columns > 1
            for k in range(j, min(width, j + cell.columns)):
                # What spans down from above stays where nothing else stands.
                grid[i][k] = joined if joined.text or not grid[i][k].text else grid[i][k]
            if joined.text:
                _over_rows(grid, i, j, cell, joined)
            if spans and cell.columns >= width - 1 and sum(bool(_seen(c.text)) for c in row) == 1:
                sections.append(i)
            elif spans and _IS_NUMBER.match(joined.text):
                for k in range(j, min(width, j + cell.columns)):
                    grid[i][k] = replace(joined, unsure="This number spans several columns.")
            j += cell.columns
        if 1 < j < width:
            reason = f"The row has {j} cells, the longest one {width}."
            grid[i] = [replace(joined, unsure=joined.unsure or reason) for joined in grid[i]]
    for at in sorted(columns.between, reverse=True):
        for row_ in grid:
            if 0 < at < len(row_):
                _join(row_, at, columns.between[at])
    return grid, sections


def _seen(text: str) -> str:
    return text.replace(_GONE, "").strip()


def _over_rows(
    grid: list[list[DocumentCell]], i: int, j: int, cell: _Spanned, joined: DocumentCell
) -> None:
    """Write a cell into the rows that it spans, downwards or, where negative, upwards."""
    others = range(i + 1, i + cell.rows) if cell.rows > 0 else range(i + cell.rows + 1, i)
    for k in others:
        if 0 <= k < len(grid) and not grid[k][j].text:
            doubt = (
                "This number spans several rows." if _IS_NUMBER.match(joined.text) and j else None
            )
            grid[k][j] = replace(joined, unsure=joined.unsure or doubt)


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


def _n_headings(
    grid: Sequence[Sequence[DocumentCell]], ruled: Sequence[int], sections: Sequence[int]
) -> int:
    """How many rows stand above the first rule, or above the first row of numbers or of a section."""

    def is_numbers(row: Sequence[DocumentCell]) -> bool:
        values = [c.text for c in row[1:] if VALUE.fullmatch(c.text) or c.unsure]
        filled = sum(bool(cell.text) for cell in row[1:])
        return any(map(DECIMAL.search, values)) or len(values) > max(1, filled / 2)

    by_rule = next((k for k in ruled if 0 < k < len(grid)), 0)
    begins = (
        i for i, row in enumerate(grid) if is_numbers(row) or (i in sections and i >= by_rule > 0)
    )
    first = next(begins, 1)
    # Where every row has a rule below it, several may be headings.
    of_words = all(sum(bool(cell.text) for cell in row) > 1 for row in grid[by_rule:first])
    if by_rule < first <= MOST_HEADINGS and of_words and len(ruled) > 3:
        return first
    return by_rule if 0 < by_rule <= first else max(1, min(first, len(grid) - 1))


def _cell(cell: _Spanned, before: str, source: Source, macros: _Macros) -> DocumentCell:
    raw = cell.text.replace(_GONE, "").strip()
    if not raw:
        return DocumentCell(text="")
    if len(raw) > _LONGEST_CELL:
        return DocumentCell(
            text="", place=source.place(cell.at), unsure="The cell is too long to be one."
        )
    text, marks, doubt = _cleaned(raw, macros)
    expanded = _expanded(f"{before} {raw}", macros)[0]
    return DocumentCell(
        text=text,
        place=source.place(cell.at),
        unsure=doubt,
        bold=bool(_BOLD.search(expanded)),
        marks=marks,
    )


def _expanded(text: str, macros: _Macros) -> tuple[str, bool]:
    """The text with the source's own commands written out; and whether all could be."""
    for _ in range(_MOST_EXPANSIONS):
        found = next((m for m in re.finditer(r"\\([a-zA-Z]+)", text) if m[1] in macros), None)
        if found is None:
            return text, True
        n_arguments, body = macros[found[1]]
        arguments, end = _arguments(text, found.end(), n_arguments)
        for k, own in enumerate(arguments, start=1):
            body = body.replace(f"#{k}", own)
        text = f"{text[: found.start()]}{body}{text[end:]}"
        if len(text) > _LONGEST_CELL:
            break
    return text, False


def _cleaned(raw: str, macros: _Macros) -> tuple[str, str, str | None]:
    """A cell's text, its marks, and why it is unsure."""
    text, whole = _expanded(raw, macros)
    doubt = None if whole else "Its commands could not be written out."
    notes: list[str] = []
    at = 0
    while (found := re.compile(r"\\([a-zA-Z]+)\*?").search(text, at)) is not None:
        name = found[1]
        at = found.start()
        if name in _DROPPED or name in _LAST or name in _NOTES or name in _STRUCK:
            n = _DROPPED.get(name, _LAST.get(name, 1))
            if name == "footnotemark":
                option = re.compile(r"\s*\[([^\]]*)\]").match(text, found.end())
                arguments, end = ([option[1]], option.end()) if option else (["1"], found.end())
            else:
                arguments, end = _arguments(text, found.end(), n) if n else ([], found.end())
            kept = arguments[-1] if arguments and name in (*_LAST, *_STRUCK) else ""
            if name in ("makecell", "thead", "shortstack", "parbox"):
                kept = re.sub(r"\\\\(\[[^\]]*\])?", " ", kept)
            if name in _STRUCK:
                doubt = doubt or "It is struck out."
            if name in _NOTES and name != "footnote":
                kept = rf"$^{{{''.join(arguments)}}}$"
            elif name == "footnote":
                notes.append("footnote")
            # A command ends at the space behind it.
            rest = text[end:] if n or kept else text[end:].lstrip(" ")
            text = f"{text[:at]}{kept}{rest}"
            continue
        at = found.end()
    text = re.sub(
        r"\\(?:[,;:! ]|/|@)", lambda m: " " if m[0] in ("\\ ", "\\;", "\\:") else "", text
    )
    text = re.sub(
        r"\\([`'^\"~]|[cv](?![a-zA-Z]))\s*(?:\{\s*\\?([a-zA-Z])\s*\}|\\?([a-zA-Z]))",
        _accented,
        text,
    )
    for command, sign in _LETTERS.items():
        text = re.sub(re.escape(command) + r"(?![a-zA-Z])(\{\})?\s?", sign, text)
    text = re.sub(r"\\(log|ln|exp|min|max)(?![a-zA-Z])", r"\1", text)
    text = text.replace("---", "—").replace("--", "–")
    scripts = re.sub(r"\\(prime|circ|degree)(?![a-zA-Z])", "", text)
    number = (
        re.sub(r"\s*\^\s*\{?\s*([0-9]+)\s*\}?\s*\$?$", "", text)
        if re.search(r"\^\s*\{?\s*[0-9]+\s*\}?\s*\$?$", scripts)
        else text
    )
    if number != text and not re.search(r"(^|[^0-9])10\s*\$?$", without_latex(number)[0]):
        digit = re.findall(r"[0-9]+", text[len(number) :])[0]
        # Behind a name it is a footnote's.
        if _IS_NUMBER.match(without_latex(number)[0]):
            doubt = doubt or RAISED.format(digit)
        text = number + ("$" if number.count("$") % 2 else "")
    clean, marks = without_latex(text)
    clean = (
        " ".join(clean.replace("{", "").replace("}", "").split()) if "\\" not in clean else clean
    )
    below = re.fullmatch(r"(.*[0-9])\s*_\s*([0-9.,]+)", clean)
    if gain := re.fullmatch(r"([^\^]*[0-9]%?)\s*_\s*(?:\((.*)\)|([+\-−↑↓].*))", clean):
        clean = f"{gain[1]} ({gain[2] or gain[3]})"
    elif spread := re.fullmatch(r"(.*[0-9]%?)\s*\^\s*(±\s*[0-9.,]+%?)", clean):
        clean = f"{spread[1]} {spread[2]}"
    elif below is not None:
        clean = below[1]
        doubt = doubt or LOWERED.format(below[2])
    unknown = re.search(r"\\[a-zA-Z]+|\\.", clean)
    if unknown is not None:
        doubt = doubt or f"The command {unknown[0]} is not known."
        clean = " ".join(re.sub(r"\\[a-zA-Z]+|[\\{}$]", " ", clean).split())
    elif re.search(r"[0-9]\s*[\^_]\s*[^*†‡§¶∗⋆★\-−0-9]|\$", clean) and _IS_NUMBER.match(clean):
        doubt = doubt or "What stands raised or below the line may belong to the number."
    signs = re.search(rf"(?<=.)\^?([{re.escape(MARKS)},]+)$", clean)
    if signs is not None:
        clean = clean[: signs.start()] + signs[1].replace(",", "")
        marks = marks or signs[1].replace(",", "")
    return clean, marks, doubt


def _accented(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", (found[2] or found[3]) + _ACCENTS[found[1]])
