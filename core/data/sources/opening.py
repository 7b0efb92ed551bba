"""One file's bytes to tables: as it is, out of an archive, a workbook, JSON or text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...errors import Choice, DataError, Problem, listed, quoted
from ..provenance import FileUse
from ..roles import Roles
from ..tables.limits import CUTTING, OPENING, Allowance, Stages, TooManyRows, stop_at
from ..tables.raw_table import RawTable
from ..tables.splitting import NoColumns, split_table
from ..tables.text import DecodedText, decode_text
from .archives import is_workbook, unpack
from .bare_files import read_pair, read_values
from .beside_gold import are_beside_gold
from .given import SourceFile, SourceFiles, check_names_differ, without_names
from .gold_files import Answers, named_as_gold
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
    are_answers = len(files) > 1 and bool(named_as_gold([file.name for file in files]))
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
    pair = read_pair(decoded)
    if pair is not None:
        opened.parts.append(Part(path=file.name, content=pair))
        return
    values = read_values(decoded, are_answers=are_answers)
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
