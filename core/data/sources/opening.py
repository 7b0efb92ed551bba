"""One file's bytes to tables: out of an archive, a workbook, JSON or text, be it without a header."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ..roles import FileUse, Roles
from ..tables.cutting import text_lines
from ..tables.headings import roles_named
from ..tables.limits import CUTTING, MAX_ROWS, OPENING, Allowance, Stages, TooManyRows
from ..tables.numbers import DASH_CLASS, NOTHING_WORDS, is_number_cell
from ..tables.raw_table import RawTable, check_size, table_of_columns
from ..tables.splitting import SEPARATORS, NoColumns, UnevenRows, split_table
from ..tables.text import DecodedText, decode_text
from .beside_gold import are_beside_gold
from .files import SourceFile, SourceFiles, check_names_differ, is_workbook, unpack, without_names
from .gold_files import Answers, named_as
from .json_table import read_json
from .json_values import is_json
from .pasted import begins_with_frame, pasted_table
from .workbook import Sheet, read_sheets


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """The table that was found in one file or on one sheet.

    It `is_list` of one value a line. It `is_sheet` of a workbook that has several; it `is_stored`
    where a workbook stores numbers as such.
    """

    path: str
    content: RawTable
    is_list: bool = False
    is_sheet: bool = False
    is_stored: bool = False


@dataclass(slots=True, kw_only=True, eq=False)
class Opened(Answers):
    """Everything found in the files of a source, with remarks on files, not on one table."""

    parts: list[Part] = field(default_factory=list)


def unpack_files(files: Sequence[SourceFile], allowance: Allowance, stages: Stages) -> SourceFiles:
    """Take files out of archives; those that by their names hold no results are left aside."""
    inner: list[SourceFile] = []
    problems: list[Problem] = []
    aside: list[FileUse] = []
    for position, file in enumerate(files):
        stages.reached(OPENING, position / len(files))
        try:
            unpacked = unpack(file, allowance)
        except DataError as error:
            problems.extend(_of_file(error, file.name, several=len(files) > 1))
            if allowance.spent:
                break
            continue
        folder = ""
        if len(files) > 1 and len(unpacked.files) > 1:
            folder = file.name.removesuffix(".zip") + "/"
        inner.extend(replace(found, name=folder + found.name) for found in unpacked.files)
        aside.extend(replace(use, path=folder + use.path) for use in unpacked.aside)
    stop_at(problems)
    check_names_differ([file.name for file in inner])
    return without_names(SourceFiles(files=tuple(inner), aside=tuple(aside)))


def cut_files(unpacked: SourceFiles, roles: Roles, allowance: Allowance, stages: Stages) -> Opened:
    """Cut each file into cells; a `DataError` has the problems of every file."""
    opened, files = Opened(remarks=unpacked.remarks), unpacked.files
    problems: list[Problem] = []
    choices: list[Choice] = []
    columns: Sequence[str] = ()
    are_answers = len(files) > 1 and bool(named_as([file.name for file in files]))
    for position, file in enumerate(files):
        stages.reached(CUTTING, position / len(files))
        n_before = len(opened.parts)
        try:
            _cut(
                opened,
                file,
                roles,
                allowance,
                stages,
                several=len(files) > 1,
                are_answers=are_answers,
            )
        except TooManyRows:
            raise
        except DataError as error:
            if len(files) == 1 and isinstance(error, UnevenRows):
                raise
            problems.extend(_of_file(error, file.name, several=len(files) > 1))
            choices.extend(choice for choice in error.choices if choice not in choices)
            columns = columns or error.columns
            if allowance.spent:
                break
        allowance.take_rows(sum(part.content.n_rows for part in opened.parts[n_before:]))
    stop_at(problems, of="places", columns=columns, choices=choices)
    return opened


def _cut(
    opened: Opened,
    file: SourceFile,
    roles: Roles,
    allowance: Allowance,
    stages: Stages,
    *,
    several: bool,
    are_answers: bool,
) -> None:
    if is_workbook(file.content):
        only = roles.get("sheet")
        sheets = read_sheets(
            file.content,
            name=file.name,
            allowance=allowance,
            stages=stages,
            only=only if isinstance(only, str) else None,
        )
        where = f"{quoted(file.name)}: " if several else ""
        notes = [sheet.name for sheet in sheets if sheet.is_text]
        if notes and any(sheet.table is not None for sheet in sheets):
            sheets = tuple(sheet for sheet in sheets if not sheet.is_text)
            opened.remarks.append(f"{where}Left aside, with one column only: {listed(notes)}.")
        opened.parts.extend(_parts_of_sheets(sheets, file.name, several=several))
        hidden = [sheet.name for sheet in sheets if sheet.is_hidden]
        if hidden:
            opened.remarks.append(f"{where}Left aside, as hidden sheets: {listed(hidden)}.")
        return
    decoded = decode_text(file.content)
    if is_json(decoded.content):
        found = read_json(decoded, name=file.name, order=roles.get("name_order"))
        opened.parts.append(Part(path=file.name, content=found.raw))
        opened.roles.update(found.roles)
        opened.choices.extend(choice for choice in found.choices if choice not in opened.choices)
        return
    if begins_with_frame(decoded.content):
        try:
            opened.parts.append(Part(path=file.name, content=_printed(decoded)))
            return
        except DataError as error:
            # What is wrong with no line of it is no table, and is told as of any text.
            if any(problem.line for problem in error.problems):
                raise
    pair = _read_pair(decoded)
    if pair is not None:
        opened.parts.append(Part(path=file.name, content=pair))
        return
    values = _read_values(decoded, are_answers=are_answers)
    if values is not None:
        opened.parts.append(Part(path=file.name, content=values, is_list=True))
        return
    try:
        table = split_table(decoded)
    except NoColumns as error:
        try:
            table = _printed(decoded)
        except DataError as printed:
            # The problem names what in the LaTeX is not known.
            is_latex = r"\\" in decoded.text and any(problem.line for problem in printed.problems)
            raise (printed if is_latex else error) from None
    opened.parts.append(Part(path=file.name, content=table))


def _printed(decoded: DecodedText) -> RawTable:
    """A table as programs print it: in a frame, or with columns that spaces alone divide."""
    found = pasted_table(decoded.text)
    remarks = (*decoded.remarks, *found.remarks)
    return split_table(replace(decoded, content=found.text.encode(), remarks=remarks))


def _parts_of_sheets(sheets: Sequence[Sheet], name: str, *, several: bool) -> list[Part]:
    """One part for each sheet that is shown; a question where they are not alike."""
    choice = Choice(
        role="sheet",
        question="Which sheet of the workbook holds the results?",
        options=tuple(
            (sheet.name, f"the {'hidden ' if sheet.is_hidden else ''}sheet '{sheet.name}'")
            for sheet in sorted(sheets, key=lambda sheet: sheet.is_hidden)
        ),
    )
    some_hidden = any(sheet.is_hidden for sheet in sheets)
    sheets = [sheet for sheet in sheets if not sheet.is_hidden]
    if not sheets:
        raise DataError.of(
            "Every sheet that holds anything is hidden: "
            f"{listed([name for name, _ in choice.options])}.",
            "Choose one, or show it in the spreadsheet and save the workbook.",
            choices=(choice,),
        )
    if len(sheets) == 1:
        table = sheets[0].table
        if table is None:
            raise DataError(sheets[0].problems, choices=(choice,) if some_hidden else ())
        return [Part(path=name, content=table, is_stored=True)]
    tables = [sheet.table for sheet in sheets if sheet.table is not None]
    headers = {frozenset(table.header) for table in tables}
    if len(tables) < len(sheets) or (
        len(headers) > 1 and not are_beside_gold([sheet.name for sheet in sheets], tables)
    ):
        names = [sheet.name for sheet in sheets]
        reasons = [
            replace(problem, file=f"sheet {sheet.name}")
            for sheet in sheets
            for problem in sheet.problems[:1]
        ]
        raise DataError(
            [
                Problem(
                    f"The workbook has {len(sheets)} sheets that are not alike: {listed(names)}.",
                    "Choose one, or give all of them the same columns.",
                ),
                *reasons,
            ],
            choices=(choice,),
        )
    folder = f"{name}/" if several else ""
    return [
        Part(
            path=f"{folder}{sheet.name}",
            content=sheet.table,
            is_sheet=True,
            is_stored=True,
        )
        for sheet in sheets
        if sheet.table is not None
    ]


def _of_file(error: DataError, name: str, *, several: bool) -> list[Problem]:
    if not several:
        return list(error.problems)
    return [
        replace(problem, file=name if problem.file is None else f"{name}, {problem.file}")
        for problem in error.problems
    ]


def uses_of(parts: Sequence[Part]) -> list[FileUse]:
    """What was made of files that are no tool's."""
    uses = []
    for part in parts:
        kind, content = "table", f"{part.content.n_rows:,} rows"
        if part.is_list:
            kind, content = "list of values", f"{part.content.n_rows:,} values, one a line"
        uses.append(FileUse(path=part.path, kind=kind, content=content))
    return uses


_LABELS_AT_MOST = 50


def _read_values(decoded: DecodedText, *, are_answers: bool = False) -> RawTable | None:
    """The one column of a file with a value a line; None for any other file.

    So it is of one whose commas may as well divide columns without a header. With `are_answers`,
    as beside a file that is named as gold, any texts are values.
    """
    first = _first_line(decoded.content)
    is_number = is_number_cell(first)
    if not is_number and any(separator in first for separator in SEPARATORS):
        return None
    if decoded.content.count(b"\n") > 2 * MAX_ROWS:
        check_size(n_rows=MAX_ROWS + 1, n_columns=1)
    lines = [line.strip() for line in text_lines(decoded.content)]
    while lines and not lines[-1]:
        lines.pop()
    start = next(index for index, line in enumerate(lines) if line)
    values = lines[start:]
    heading = None
    if not is_number and (_is_heading(values) or _names_answers(values)):
        heading, values = values[0], values[1:]
        start += 1
        if _names_answers([heading, *values]):
            values = [_without_quotes(value) for value in values]
    elif not is_number and not (are_answers and _are_answers(values)) and not _are_labels(values):
        return None
    if "," in first and not _are_decimal_commas(values):
        return None
    return table_of_columns(
        [heading or ("score" if any(map(is_number_cell, values)) else "prediction")],
        [values],
        range(start + 1, start + 1 + len(values)),
        # Commas are then decimal marks.
        separator="\t" if any("," in value for value in values) else ",",
        encoding=decoded.encoding,
        remarks=decoded.remarks,
    )


def only_one_problem() -> Problem:
    """Why one such file alone is not enough."""
    return Problem(
        "The file holds one value a line: the results of one system on one dataset.",
        "Give one such file for each system, at least two, with names such as "
        "'dataset.system.txt'; or put the systems side by side in one file, under a header with "
        "their names.",
        line=1,
    )


def _first_line(content: bytes) -> str:
    return next((line.strip() for line in text_lines(content) if line.strip()), "")


def _are_decimal_commas(values: Sequence[str]) -> bool:
    """Whether commas are surely decimal marks, and not between two columns without a header.

    "1,0" under "0,1" may be two systems' results on two examples.
    """
    numbers = [value for value in values if is_number_cell(value)]
    if any("," not in number for number in numbers):
        return len(numbers) * 2 > len(values)
    return any(len(number.partition(",")[2].rstrip(" %")) > 2 for number in numbers)


def _is_heading(values: Sequence[str]) -> bool:
    """Whether the first line stands over numbers."""
    if values[0].casefold() in NOTHING_WORDS:
        return False
    n_numbers = sum(map(is_number_cell, values[1:]))
    return n_numbers * 2 >= len(values) - 1 > 0


def _names_answers(values: Sequence[str]) -> bool:
    """Whether the first line says that gold labels or predictions stand below it."""
    named = roles_named(values[0]) & {"gold", "prediction"}
    return bool(named) and len(values) > 2 and values[0] not in values[1:]


def _without_quotes(value: str) -> str:
    """A value as a spreadsheet wrote it: within quotation marks those inside stand twice."""
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return value[1:-1].replace('""', '"') if is_quoted else value


def _are_answers(values: Sequence[str]) -> bool:
    """Whether lines are texts of any kind, and no rows of a table."""
    cut = sum(any(mark in value for mark in SEPARATORS) for value in values)
    return len(values) > 1 and 2 * cut <= len(values)


def _are_labels(values: Sequence[str]) -> bool:
    """Whether few different texts repeat, the first one among them, as labels do."""
    if values[0].casefold() in NOTHING_WORDS:
        return any(map(is_number_cell, values))
    counts = Counter(values)
    return len(values) > len(counts) <= _LABELS_AT_MOST and counts[values[0]] > 1


# What the systems are called, as nobody says it.
SYSTEMS = ("A", "B")
_IDS = ("id", "score")
_NUMBER = re.compile(
    rf"[+{DASH_CLASS}]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][+{DASH_CLASS}]?[0-9]+)?"
)
_INTEGER = re.compile(rf"[+{DASH_CLASS}]?[0-9]+")
# Of so many different whole numbers beside scores it is open whether they are ids.
_FEWEST_IDS = 5


def _read_pair(decoded: DecodedText) -> RawTable | None:
    """The table of a file of two columns of numbers whose first line is no header; else None."""
    first = _first_line(decoded.content)
    # None cuts at any blanks; "1,0" may as well be one value with a decimal comma.
    for separator in ("\t", ";", None) if is_number_cell(first) else ("\t", ";", ",", None):
        cells = [cell.strip() for cell in first.split(separator)]
        if len(cells) == 2 and all(map(_NUMBER.fullmatch, cells)):
            break
    else:
        return None
    columns: tuple[list[str], list[str]] = ([], [])
    lines: list[int] = []
    for line, text in enumerate(text_lines(decoded.content), start=1):
        if not text.strip():
            continue
        cells = [cell.strip() for cell in text.strip("\r\n ").split(separator)]
        if len(cells) != 2 or not all(
            _NUMBER.fullmatch(cell)
            or (separator and (not cell or cell.casefold() in NOTHING_WORDS))
            for cell in cells
        ):
            return None
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
        lines.append(line)
        check_size(n_rows=len(lines), n_columns=2)
    if len(lines) < 2 or _is_header(columns):
        return None
    header, remark = _named(columns)
    if not header:
        return None
    return table_of_columns(
        header,
        columns,
        lines,
        separator=separator or " ",
        encoding=decoded.encoding,
        remarks=(*decoded.remarks, remark),
    )


def _is_header(columns: Sequence[Sequence[str]]) -> bool:
    """Whether whole numbers stand over fractions alone, as names such as years do."""
    return all(
        _INTEGER.fullmatch(column[0]) and not any(map(_INTEGER.fullmatch, column[1:]))
        for column in columns
    )


def _named(columns: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], str]:
    """Names for the columns, and remarks on them; none where they may be something else."""
    first = columns[0]
    if all(map(_INTEGER.fullmatch, first)):
        start = first[0]
        if start in ("0", "1") and list(first) == [str(int(start) + i) for i in range(len(first))]:
            return _IDS, (
                "The file has no header: its first line is read as data. Column 1 counts the "
                "lines and is read as the ids of examples, column 2 as the scores of one system."
            )
        both = all(map(_INTEGER.fullmatch, columns[1]))
        if len(first) >= _FEWEST_IDS and len(set(first)) == len(first) and not both:
            return (), ""
    a, b = SYSTEMS
    return SYSTEMS, (
        f"The file has no header: its first line is read as data. Column 1 is called {a}, "
        f"column 2 {b}."
    )
