"""From text to a table of text that remembers the file's lines, with every problem of its cut.

The separator is the one that cuts every row into as many fields as the header
has; letters are never guessed at. A title above the header is set apart.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...document import SIGNS
from ...errors import DataError, Problem, bounded, first_of, lines_in_words, listed, quoted
from ...types import BoolArray
from .cutting import (
    Cut,
    cut_fast,
    cut_slowly,
    n_line_ends,
    text_lines,
    texts_of_rows,
    texts_to_look_at,
)
from .limits import MAX_CHARACTERS, MAX_COLUMNS, MAX_ROWS, check_rows
from .marks import kind_of_words, without_markup
from .numbers import is_number_cell
from .raw_table import RawTable, header_problems
from .text import DecodedText

# Whether a title stands above a table shows in the table's first rows.
_ROWS_LOOKED_AT = 60
_LONGEST_START = 1 << 20
_MOST_TITLES = 5

# Below its last row a table has no more words than these.
_LONGEST_END = 1 << 13
_MOST_NOTES = 10
_AROUND_WORDS = '",;|\t '
# Marks and a spread.
_AFTER_NUMBER = re.compile(rf"\s*(?:[±(].*|[{SIGNS}]+)$")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 4

_DECLARED = re.compile(rb'[\n\r]*"?sep=([^\r\n"]?)"?[ ,;|\t]*(\r\n|\r|\n)', re.IGNORECASE)
# Words with which a title begins that has a separator inside.
_TITLE = re.compile(r"\W*(table|tab\.|tabelle|tableau|figure|fig\.|results?|source)\b", re.I)


# As Markdown and databases draw it between a header and rows with bars.
_RULE_LINE = re.compile(
    rb"^(?:[ \t|:+-]*---[ \t|:+-]*|[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*)(?=\r?$)", re.MULTILINE
)


def declared_separator(content: bytes) -> tuple[str, bytes] | None:
    """The separator of a first line such as ``sep=;``, and the text with that line blank."""
    found = _DECLARED.match(content)
    if found is None:
        return None
    blank = b"\n" * len(list(text_lines(found[0])))
    return found[1].decode("utf-8", "replace"), blank + content[found.end() :]


# R's names, each in quotation marks, with one separator between them.
_QUOTED_NAMES = re.compile(r'"[^"]*"([ \t;])"[^"]*"(?:\1"[^"]*")*\s*')


def with_row_names(content: bytes, separators: Sequence[str]) -> tuple[str, bytes] | None:
    """The separator of a table as R's ``write.table`` writes it, and its text with a name for each column.

    Over the rows' names or numbers none stands. Behind commas a cell more may be a decimal comma's.
    """
    lines = _first_lines(content)
    if not lines or not lines[0].strip():
        return None
    is_quoted = _QUOTED_NAMES.fullmatch(lines[0]) is not None
    for separator in [s for s in (*separators, *(" " if is_quoted else "")) if s != ","]:
        try:
            header, *rows = filter(None, csv.reader(lines, delimiter=separator))
        except csv.Error:
            continue
        n_more = {len(row) - len(header) for row in rows}
        are_numbered = all(row[0] == str(i) for i, row in enumerate(rows, start=1))
        is_named = n_more == {1} and (are_numbered or is_quoted) and any(row[-1] for row in rows)
        if len(header) > 1 and is_named:
            return separator, b'""' + separator.encode() + content
        if len(header) > 1 and n_more == {0} and separator == " ":
            return separator, content
    return None


def without_title(decoded: DecodedText, separators: Sequence[str]) -> DecodedText:
    """The text with a few lines of title blank, where a regular table with names and numbers follows."""
    content = decoded.content
    lines = _first_lines(content)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    for n_titles in range(1, min(_MOST_TITLES, len(filled) - 2) + 1):
        n_lines = filled[n_titles - 1] + 1
        rest = "".join(lines[n_lines:]).encode("utf-8")
        for separator in separators:
            cells = [_cells(lines[index], separator) for index in filled[:n_titles]]
            cut = cut_slowly(rest, separator, max_rows=_ROWS_LOOKED_AT).without_empty_columns()
            are_titles = all(
                0 < len(title) < len(cut.header)
                and not any(map(is_number_cell, title))
                and (len(title) == 1 or _TITLE.match(title[0]) is not None)
                for title in cells
            )
            if are_titles and _is_table(cut):
                n_bytes = len("".join(lines[:n_lines]).encode("utf-8"))
                words = [f"{separator} ".join(title) for title in cells]
                where = _listed_lines([index + 1 for index in filled[:n_titles]]).capitalize()
                read = "was read as a title" if n_titles == 1 else "were read as titles"
                remark = f"{where} {read} and left aside: {listed(words)}."
                return replace(
                    decoded,
                    content=b"\n" * n_lines + content[n_bytes:],
                    remarks=(*decoded.remarks, remark),
                    notes=(*decoded.notes, *words),
                )
    return decoded


def without_words_below(decoded: DecodedText, separators: Sequence[str]) -> DecodedText:
    """The text with each legend, caption or footnote below its last row blank."""
    content = decoded.content
    start = max(0, len(content) - _LONGEST_END)
    if start:
        start = content.find(b"\n", start) + 1
    lines = list(text_lines(content[start:]))
    # The header, which may stand below a title.
    first = [line for line in islice(text_lines(content), _MOST_TITLES + 1) if line.strip()]
    counts = {s: [len(_cells(line, s)) for line in first] for s in separators}
    widths = {s: max(own, default=0) for s, own in counts.items()}
    # Of two separators that cut a line as often, the one that cuts the others so, too.
    separator = max(widths, key=lambda s: (widths[s], counts[s].count(widths[s])))
    filled = [index for index, line in enumerate(lines) if line.strip()]
    found: dict[int, str] = {}
    for index in reversed(filled):
        kind = _kind_of_words(lines[index], separator, widths[separator])
        if not kind or len(found) == _MOST_NOTES or not index:
            break
        found[index] = kind
    if not found or (not start and len(filled) - len(found) < 2):
        return decoded
    n_before = n_line_ends(content[:start])
    remarks, notes = [], []
    for index in sorted(found):
        notes.append(lines[index].strip().strip(_AROUND_WORDS))
        where = f"Line {n_before + index + 1} was read as a {found[index]} and left aside"
        remarks.append(f"{where}: {quoted(notes[-1])}.")
        lines[index] = "\n"
    return replace(
        decoded,
        content=content[:start] + "".join(lines).encode("utf-8"),
        remarks=(*decoded.remarks, *remarks),
        notes=(*decoded.notes, *notes),
    )


def _kind_of_words(line: str, separator: str, width: int) -> str:
    """What a line below a table of this width is, if no row."""
    text = line.strip().strip(_AROUND_WORDS)
    cells = _cells(line, separator)
    # A legend has commas of its own, but no row begins with one.
    is_row = len(cells) >= width > 1 and (
        not re.search(f"[{SIGNS}‘’']", line) or kind_of_words(cells[0]) != "legend"
    )
    if not text or text.count('"') % 2 or is_row:
        return ""
    kind = kind_of_words(text)
    if kind in ("legend", "title"):
        return kind
    if any(map(is_number_cell, cells)):
        return ""
    is_comment = text.startswith("#") or len(_WORD.findall(text)) >= _LEAST_WORDS
    is_prose = len(cells) == 1 and width > 2 and is_comment
    return "footnote" if kind or is_prose else ""


def _first_lines(content: bytes) -> list[str]:
    """The first lines of a text, none of a long one cut in two."""
    start = content[:_LONGEST_START]
    if len(start) < len(content):
        start = start[: max(start.rfind(b"\n"), start.rfind(b"\r")) + 1]
    return list(islice(text_lines(start), _ROWS_LOOKED_AT))


def _cells(line: str, separator: str) -> list[str]:
    """What stands in the cells of a line that are not empty."""
    try:
        cells = next(csv.reader([line.strip()], delimiter=separator), [])
    except csv.Error:
        cells = [line]
    return [cell.strip() for cell in cells if cell.strip()]


def _is_table(cut: Cut) -> bool:
    """Whether it is regular, and its header consists of names over some numbers."""
    names = cut.header
    if not cut.is_regular or not cut.n_rows or len(names) < 2:
        return False
    if not all(names) or len(set(names)) < len(names) or any(map(is_number_cell, names)):
        return False
    return any(
        all(is_number_cell(_AFTER_NUMBER.sub("", cell)) for cell in column.to_pylist())
        for column in cut.columns
    )


# What a first column is called that has no name and holds names.
UNNAMED = "column 1"
# A number with whatever papers print before and behind it, or what stands in place of one.
_PRINTED = re.compile(
    r"[*_]{0,3}(?:p\s*)?[<>=≤≥≈~(]?\s*[-+−–]?\s*[.,]?[0-9]|[-–—]+$|n\.?\s*[as]\.?$|n/a$|nan$",
    re.IGNORECASE,
)
# In this order where several cut equally well: a decimal comma makes ","
# regular by accident, which the others hardly ever are.
SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "vertical bar", ",": "comma"}


class NoColumns(DataError):
    """Nothing that separates columns stands in the header."""


class UnevenRows(DataError):
    """Some rows have more or fewer cells than the header; `rest` is the text without these."""

    rest = b""


def split_table(
    decoded: DecodedText, *, max_rows: int = MAX_ROWS, separator: str | None = None
) -> RawTable:
    """Cut text into rows and cells; a `DataError` has every problem with them."""
    whole = content = decoded.content
    if len(content) > MAX_CHARACTERS and (n := len(decoded.text)) > MAX_CHARACTERS:
        raise DataError.of(
            f"The file has {n:,} characters; at most {MAX_CHARACTERS:,} are read.",
            "Split it, or keep only the columns that are compared.",
        )
    separators: Sequence[str] = tuple(SEPARATORS) if separator is None else (separator,)
    declared = declared_separator(content) if separator is None else None
    if declared is not None:
        separator, content = declared
        if separator not in SEPARATORS:
            raise DataError.of(
                f"The first line says that {quoted(separator)} separates the columns, which is "
                "not read.",
                "Separate them by a comma, semicolon, tab or vertical bar.",
                line=1,
            )
        separators = (separator,)
    elif (of_r := with_row_names(content, separators)) is not None:
        separators, content = (of_r[0],), of_r[1]
    if "|" in separators and b"|" in content[:_LONGEST_START]:
        start = _RULE_LINE.sub(b"", content[:_LONGEST_START])
        content = start + content[_LONGEST_START:]
    decoded = without_words_below(replace(decoded, content=content), separators)
    cuts = _cuts(decoded.content, separators, max_rows=max_rows)
    if not any(cut.is_regular and not _header_problems(cut) for cut in cuts):
        bare = without_title(decoded, separators)
        if bare is not decoded:
            decoded = bare
            cuts = _cuts(decoded.content, separators, max_rows=max_rows)
    if not cuts:
        raise NoColumns([_no_columns_problem(whole)])
    best = max(cuts, key=_merit)
    remarks = list(decoded.remarks)
    if best.left_aside:
        shown = lines_in_words({None: [(position, position) for position in best.left_aside]})
        remarks.append(f"Columns with neither a name nor any content are left aside: {shown}.")
    for step in (_with_first_named, _without_repeated_header):
        if best.is_regular and best.n_rows:
            best, remark = step(best)
            remarks += [remark] if remark else []
    # Names are told only where all of them were read.
    problems = _header_problems(best) if len(best.header) <= MAX_COLUMNS else []
    if best.failure is not None:
        problems.append(best.failure)
    if best.irregular or not best.n_rows:
        problems.extend(_row_problems(best))
    if 0 < len(problems) == len(best.irregular) < best.n_rows / 2 and b'"' not in whole:
        uneven = UnevenRows(problems)
        lines, places = whole.split(b"\n"), {line for line, _ in best.irregular}
        # Every other row stays on its line.
        uneven.rest = b"\n".join(b"" if n in places else t for n, t in enumerate(lines, start=1))
        raise uneven
    if problems:
        raise DataError(problems)
    if best.blank:
        remarks.append(f"Rows without any content are skipped: {_listed_lines(best.blank)}.")
    raw = RawTable(
        header=best.header,
        columns=best.columns,
        lines=best.lines,
        separator=best.separator,
        encoding=decoded.encoding,
        remarks=tuple(remarks),
        notes=decoded.notes,
    )
    # Before each cell of a column is looked at.
    check_rows(raw.n_rows)
    return without_markup(raw)


def _cuts(content: bytes, separators: Sequence[str], *, max_rows: int) -> list[Cut]:
    """The text cut by each separator that the header has."""
    fast = [cut_fast(content, separator, max_rows=max_rows) for separator in separators]
    found = [cut for cut in fast if cut is not None]
    found = found or [cut_slowly(content, s, max_rows=max_rows) for s in separators]
    return [cut.without_empty_columns() for cut in found if len(cut.header) > 1 or cut.failure]


def _no_columns_problem(content: bytes) -> Problem:
    first = next((line for line in map(str.strip, text_lines(content)) if line), "")
    if first.startswith("<"):
        return Problem(
            "The file is a page of HTML or XML.",
            "Copy the table from it and paste it, or save it as CSV.",
            line=1,
        )
    # Of Markdown a rule shows it, on the line below the first.
    tables = [
        n + ("\\begin" in line)
        for n, line in enumerate(map(str.strip, text_lines(content)))
        if n and _BEGINS_TABLE.fullmatch(line)
    ]
    if tables:
        more = f"{len(tables)} tables, the first"
        return Problem(
            f"The file is a text with {'a table' if len(tables) == 1 else more} on line {tables[0]}.",
            "Paste one table, or save it as a file of its own.",
            line=1,
        )
    return Problem(
        "No comma, semicolon, tab or vertical bar separates the header into columns.",
        "Write a header line and one row for each dataset, or for each example, with the "
        "columns separated by commas.",
        line=1,
    )


# The rule under the header of a table in Markdown, and the beginning of one in LaTeX.
_BEGINS_TABLE = re.compile(r"(\|? *:?-{2,}:? *\|[-:| ]*)|.*\\begin\{tabular[x*]?\}.*")


def _merit(cut: Cut) -> tuple[bool, float, int]:
    """Regular rows before irregular ones or none, then the most regular, then the most columns."""
    if cut.is_regular and cut.n_rows:
        return True, 1.0, len(cut.header)
    n_regular = cut.n_rows - len(cut.irregular)
    return False, n_regular / max(1, cut.n_rows), len(cut.header)


def _without_repeated_header(cut: Cut) -> tuple[Cut, str]:
    """The cut without rows that hold the header again, as where pages or files were joined."""
    both = list(zip(cut.header, cut.columns, strict=True))
    if all(map(is_number_cell, cut.header)) or not all(
        pc.any(pc.equal(texts_to_look_at(column), name)).as_py() for name, column in both
    ):
        return cut, ""
    again: BoolArray = np.ones(cut.n_rows, dtype=np.bool_)
    for name, column in both:
        again &= pc.equal(texts_of_rows(column), name).to_numpy(zero_copy_only=False)
    lines = cut.lines[again].tolist()
    if not lines:
        return cut, ""
    kept = pa.array(~again)
    rest = replace(
        cut,
        columns=tuple(texts_of_rows(column).filter(kept) for column in cut.columns),
        lines=cut.lines[~again],
        n_rows=cut.n_rows - len(lines),
    )
    return rest, f"Rows that repeat the header are left aside: {_listed_lines(lines)}."


def _with_first_named(cut: Cut) -> tuple[Cut, str]:
    """The cut with a name for a first column of names, and without one that counts rows, as by pandas."""
    header = cut.header
    if len(header) < 3 or header[0]:
        return cut, ""
    position, cells = cut.positions[0], texts_of_rows(cut.columns[0])
    if (first := cells[0].as_py()) in ("0", "1"):
        counted = pa.array(np.arange(int(first), int(first) + cut.n_rows)).cast(pa.string())
        if not pc.all(pc.equal(cells, counted)).as_py():
            return cut, ""
        left_aside = (*cut.left_aside, position)
        rest = replace(cut, header=header[1:], columns=cut.columns[1:], left_aside=left_aside)
        return rest, f"Column {position} has no name and counts the rows: it is left aside."
    are_names = not any(not name or is_number_cell(name) for name in cells.to_pylist())
    if not all(header[1:]) or UNNAMED in header or not are_names:
        return cut, ""
    columns = [texts_of_rows(column).to_pylist() for column in cut.columns[1:]]
    numbers = [all(_PRINTED.match(cell) for cell in column if cell) for column in columns]
    if 2 * sum(numbers) < len(numbers):
        return cut, ""
    remark = f"Column {position} has no name: it is called {quoted(UNNAMED)} here."
    return replace(cut, header=(UNNAMED, *header[1:])), remark


def _header_problems(cut: Cut) -> list[Problem]:
    return header_problems(cut.header, cut.positions, cut.header_line)


def _row_problems(cut: Cut) -> list[Problem]:
    if not cut.n_rows and cut.failure is None:
        return [
            Problem(
                "The file has a header and no rows.",
                "Add one row for each dataset, or for each example.",
            )
        ]
    expected = len(cut.header)
    quote = (
        f"put quotation marks around a cell that holds a {SEPARATORS.get(cut.separator, 'space')}"
    )
    if cut.separator == ",":
        quote += ", and write decimal points, not decimal commas"
    return bounded(
        (
            Problem(
                f"The row has {n_cells} cell{'s' if n_cells != 1 else ''}, the header {expected}.",
                "Add the missing cells, if only as empty ones."
                if n_cells < expected
                else f"Remove what is too many: {quote}.",
                line=line,
            )
            for line, n_cells in cut.irregular
        ),
        n_problems=len(cut.irregular),
        of="rows",
    )


def _listed_lines(lines: Sequence[int]) -> str:
    return f"line{'' if len(lines) == 1 else 's'} {first_of([str(line) for line in lines])}"
