"""Text pasted from a spreadsheet, a web page, LaTeX or a PDF, cut into columns.

Cells stay as they stand, apart from markup that the remarks name. What comes
out has tabs between its columns and is read like any file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...document import SIGNS, VALUE, as_pasted
from ...errors import DataError, Problem, listed, quoted, stop_at
from ..tables.limits import MAX_CHARACTERS
from ..tables.marks import kind_of_words
from ..tables.numbers import DASH_CLASS, NOTHING_WORDS, ascii_dashes
from ..tables.splitting import SEPARATORS
from .latex import latex_tables

_CELL_END, _ROW_END = re.compile(r"(?<!\\)&"), re.compile(r"\\\\|\\tabularnewline\b")
_RULES = re.compile(r"\\(?:\w*rule|[hc]line|begin|end|multicolumn|multirow)\b")


def _of_latex(text: str, lines: Sequence[str]) -> Pasted:
    """The one table of LaTeX, or of rows alone, as a paper's sources are read."""
    tables = latex_tables({"": text}) or latex_tables(
        {"": rf"\begin{{tabular}}{{}}{text}\end{{tabular}}"}
    )
    if len(tables) != 1:
        raise DataError.of(
            f"The text holds {len(tables) or 'no'} tables.", "Paste one table with its heading."
        )
    (table,) = tables
    problems = [] if table.unsure is None else [Problem(table.unsure, "Paste its rows alone.")]
    # One reason of a row may be that of all its cells.
    doubts = {(table.lines[i], why): table.rows[i][j].text for (i, j), why in table.doubts.items()}
    for (line, reason), cell in doubts.items():
        what = f"{quoted(cell)}: {reason}" if cell else reason
        problems.append(Problem(what, "Paste what is printed there in its place.", line=line))
    stop_at(problems, of="cells")
    rows = "\n".join(line for line in lines if _CELL_END.search(line))
    markup = [*re.findall(r"\\[a-zA-Z]+", _RULES.sub("", rows)), *(["$"] if "$" in rows else [])]
    if re.search(r"\\[%_&#${}]", rows):
        markup.append("backslashes before signs")
    marks = {cell.marks for row in table.rows for cell in row if cell.marks}
    if marks:
        markup.append(f"superscripts ({', '.join(sorted(marks))})")
    each = ", ".join(dict.fromkeys(markup))
    remarks = [
        "The text is read as a LaTeX table.",
        *([f"Taken off around cells: {each}."] if each else []),
    ]
    if table.sections:
        said = [next(c.text for c in table.rows[i] if c.text) for i in table.sections]
        remarks.append(f"Rows that head others are left aside: {listed(said)}.")
    title = table.caption if kind_of_words(table.caption) else f"Table: {table.caption}"
    pasted = as_pasted(
        [[cell.text for cell in row] for row in table.rows],
        table.n_headings,
        lines=table.lines,
        notes=(*table.notes, *([title] if table.caption else [])),
        sections=table.sections,
    )
    return Pasted(text=pasted, remarks=tuple(remarks))


_RULE = re.compile(r":?-+:?")
_ESCAPED = re.compile(r"\\([*_])")
_LONGEST_FRAME = 4_000
# What programs print around tables, and psql and mysql below them.
_UPRIGHT = str.maketrans("│┃║", "|||")
_FRAME = re.compile(
    r"(?=(?:.*[-=\u2500-\u257f]){3})[\s=+|:\u2500-\u257f-]*|"
    r"\([0-9]+ rows?\)|[0-9]+ rows? in set\b.*"
)
_WIDE_GAP = re.compile(r"\t|[ \u00a0]{2,}")
# Spaces within what is one number: "94.9 ± 0.2", "< 0.001".
_AROUND_SPREAD = re.compile(rf"\s*(?:±|\+/[{DASH_CLASS}])\s*(?=[0-9.,])")
_AFTER_BOUND = re.compile(r"((?<!\w)p\s*)?([<>=≤≥])\s*(?=[0-9.,])", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<!\S)[0-9]{1,3}(?: [0-9]{3})+(?!\S)")
Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """Pasted text with tabs between columns, and how it was cut.

    It has as many lines as were pasted, so that lines in messages are those of the pasted text.
    """

    text: str
    remarks: tuple[str, ...]

    @property
    def content(self) -> bytes:
        """The text as a file for `read_results`."""
        return self.text.encode("utf-8")


def pasted_table(text: str) -> Pasted:
    """Cut pasted text into columns."""
    if len(text) > MAX_CHARACTERS // 10:
        raise DataError.of(
            "The text is too long to be pasted.", "Save it as a file and choose that."
        )
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff").translate(_UPRIGHT))
    lines = ["" if _is_frame(line) else line for line in lines]
    text = "\n".join(lines)
    words = _words_around(lines)
    if words:
        rest = "\n".join("" if n in words else line for n, line in enumerate(lines, start=1))
        table = pasted_table(rest)
        # The reader sets the words apart itself: a legend says what marks mean.
        cut = dict(enumerate(table.text.split("\n"), start=1))
        cut |= {n: lines[n - 1].replace("\t", " ") for n in words if not cut.get(n, "").strip()}
        both = (cut.get(n, "") for n in range(1, max(cut) + 1))
        return replace(table, text="\n".join(both).rstrip("\n") + "\n")
    filled: list[Row] = [(n, [line]) for n, line in enumerate(lines, start=1) if line.strip()]
    if not filled:
        raise DataError.of("Nothing was pasted.", "Paste a table with a header line.")
    if _CELL_END.search(text) and _ROW_END.search(text):
        return _of_latex(text, lines)
    if any(line.lstrip().startswith(("{", "[")) for _, (line,) in filled[:1]):
        return Pasted(text=text, remarks=("The text is read as JSON.",))
    if all("|" in line for _, (line,) in filled):
        # Rules between hyphens are no rows; the reader says which lines do not fit.
        cells = ([] if _is_rule(line) else _bar_cells(line) for line in lines)
        bare = (_ESCAPED.sub(r"\1", "\t".join(row)) for row in cells)
        return Pasted(
            text="\n".join(bare) + "\n",
            remarks=("Columns are split at vertical bars, as in Markdown.",),
        )
    for separator, name in SEPARATORS.items():
        # A file already, with the quotation marks that spreadsheets copy.
        rows = filled[:1] if separator == "\t" else filled
        if all(separator in line for _, (line,) in rows):
            return Pasted(text=text, remarks=(f"Columns are split at {name}s.",))
    return _by_spaces(filled)


def begins_with_frame(content: bytes) -> bool:
    """Whether the first line of a file's text is only drawn, or the second, as psql prints it."""
    first, *others = content[:_LONGEST_FRAME].lstrip().split(b"\n", 2)
    lines = [line.decode("utf-8", "replace") for line in (first, *others[:1])]
    return first[:1] not in b"|" and any(map(_is_frame, lines))


def _is_frame(line: str) -> bool:
    """Whether a line is only drawn: "+----+----+" and "==== ====", but not a rule of Markdown."""
    return _FRAME.fullmatch(line.strip()) is not None and not _is_rule(line)


def _is_rule(line: str) -> bool:
    """Whether a line stands between the header and the rows of Markdown."""
    return "|" in line and all(map(_RULE.fullmatch, _bar_cells(line)))


def _words_around(lines: Sequence[str]) -> list[int]:
    """The lines of a caption above the table, and of captions, legends and notes below it."""
    filled = [n for n, line in enumerate(lines, start=1) if line.strip()]
    found = []
    if len(filled) > 2 and kind_of_words(lines[filled[0] - 1].strip()) in ("title", "legend"):
        found.append(filled.pop(0))
    while len(filled) > 2:
        header, last = (lines[filled[place] - 1].strip() for place in (0, -1))
        is_row = "&" in last or last.startswith("|") or ("\t" in header and "\t" in last)
        if is_row or not kind_of_words(last):
            break
        found.append(filled.pop())
    return found


def _bar_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _by_spaces(filled: Sequence[Row]) -> Pasted:
    """Columns that only white space divides, as in text copied from a PDF."""
    wide: list[Row] = [(n, _WIDE_GAP.split(line.strip())) for n, (line,) in filled]
    n_wide = len(wide[0][1])
    by_gaps = _with_tabs(wide, "Columns are split at two or more spaces.")
    if n_wide >= 2 and all(len(cells) == n_wide for _, cells in wide):
        return by_gaps
    # What stands in brackets belongs to the word before: "p (two-sided)".
    names = re.findall(r"\([^()]*\)\S*|\S+(?:[ \u00a0]\([^()]*\))*", filled[0][1][0])
    rows = filled[1:]
    n_numbers = len(names) - 1
    if len(filled) > 2 and len(wide[1][1]) == 1 and not re.search("[0-9]", filled[1][1][0]):
        # pandas prints the name of its index on a line of its own.
        names, n_numbers, rows = [*wide[1][1], *names], len(names), filled[2:]
    body: list[Row] = []
    for n, (line,) in rows:
        # Without the spaces within numbers.
        joined = _AROUND_SPREAD.sub("±", line)
        joined = _AFTER_BOUND.sub(lambda found: re.sub(r"\s", "", found[0]), joined)
        body.append((n, joined.split()))
    if n_numbers >= 1 and body and _ends_in_numbers(body[0][1], n_numbers):
        return _by_numbers((filled[0][0], names), body)
    if n_wide >= 2:
        return by_gaps
    raise DataError.of(
        "Nothing divides the text into columns: no tab, comma, semicolon, bar, '&' or wide space.",
        "Paste a table with a header line, or put commas between its columns.",
    )


def _by_numbers(header: Row, body: Sequence[Row]) -> Pasted:
    """A name of any number of words, then as many numbers as the header has further words."""
    n_numbers = len(header[1]) - 1
    remedy = "Put two spaces, a tab or a bar between all columns."
    doubts = _doubts_of_rows(body, n_numbers)
    stop_at([Problem(what, remedy, line=n) for n, what in doubts.items()], of="rows")
    remark = (
        f"Columns are split at single spaces: the last {n_numbers} words of each row are its "
        "numbers, those before its name."
    )
    first = int(body[0][1][0]) if body[0][1][0] in ("0", "1") else -1
    if all(
        len(words) > n_numbers + 1 and words[0] == str(i)
        for i, (_, words) in enumerate(body, start=first)
    ):
        body = [(n, words[1:]) for n, words in body]
        counted = ["The rows' numbers in front of their names are left aside."]
    else:
        counted = []
    rows = [(n, [" ".join(words[:-n_numbers]), *words[-n_numbers:]]) for n, words in body]
    return _with_tabs([header, *rows], remark, *counted)


def _doubts_of_rows(body: Sequence[Row], n_numbers: int) -> dict[int, str]:
    """What is wrong with the rows on some lines, or may be: the first kind of it that there is."""
    found = {
        n: f"The row does not end in {n_numbers} numbers, one for each of the header's words "
        "after the first."
        for n, words in body
        if not _ends_in_numbers(words, n_numbers)
    }
    if found:
        return found
    # Where some names end in a number, as in "WSJ 22", a row "WSJ 23 91.2 .03" may be a name with
    # two numbers as well as one with three.
    names = [words[:-n_numbers] for _, words in body]
    numbered = [name for name in names if _shape(name[-1])]
    shapes = {_shape(name[-1]) for name in numbered}
    longest = max(map(len, numbered), default=0)
    for (n, words), name in zip(body, names, strict=True):
        first = words[-n_numbers]
        may_be_shorter = not _shape(name[-1]) or len(name) < longest
        if may_be_shorter and _shape(first) in shapes:
            found[n] = (
                f"{quoted(first)} may be the end of the name or the first number: other "
                "names end in a number, and single spaces do not show where this one ends."
            )
    if found:
        return found
    # "1 234", where all rows would be as many numbers with it as one.
    lines = {n: " ".join(words) for n, words in body}
    joined = [_THOUSANDS.sub(lambda found: re.sub(r"\s", "", found[0]), s) for s in lines.values()]
    if not all(_ends_in_numbers(line.split(), n_numbers) for line in joined):
        return {}
    return {
        n: f"{quoted(parted[0])} may be one number or two: spaces may separate its thousands."
        for n, line in lines.items()
        if (parted := _THOUSANDS.search(line)) is not None
    }


def _shape(word: str) -> str:
    """What kind of number a word is, as "7" for whole ones, "7.7" and "7%"; '' for none."""
    if not _is_number(word) or not re.search("[0-9]", word):
        return ""
    return re.sub(r"[0-9]+", "7", ascii_dashes(word).lstrip("+-"))


def _is_number(word: str) -> bool:
    """Whether it may stand in a column of numbers, be it as what programs print for none.

    A sign alone may belong to the number before it: "76.9 *", "3 × 10−5".
    """
    # 10−4, copied from where the power stood above the line.
    value = VALUE.fullmatch(re.sub("^10−", "10^−", word)) if word.strip(f"×{SIGNS}") else None
    return value is not None or word.casefold() in {"<na>", *NOTHING_WORDS}


def _ends_in_numbers(words: Sequence[str], n_numbers: int) -> bool:
    return len(words) > n_numbers and all(map(_is_number, words[-n_numbers:]))


def _with_tabs(rows: Sequence[Row], *remarks: str) -> Pasted:
    """The rows with tabs, each on its own line; the reader says which of them do not fit."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    last = 0
    for n, cells in rows:
        text.write("\n" * (n - 1 - last))
        writer.writerow([cell.strip() for cell in cells])
        last = n
    return Pasted(text=text.getvalue(), remarks=remarks)
