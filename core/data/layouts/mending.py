"""What a person chose to change in a table before its columns are recognised.

Rows and columns left out, copies of rows, numbers divided by 100, a table turned around: each is a
role, so that a link, a bundle and the command line say it as they say which column is which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

import numpy as np
import pyarrow as pa

from ...errors import LEFT_OUT, Choice, DataError, Problem, lines_of_words
from ...types import BoolArray
from ..roles import (
    DIVIDED,
    FIRST_COPY,
    UNUSED,
    Roles,
    columns_in_use,
    several_of,
)
from ..tables.headings import PLAIN_SCORE_HEADINGS, heading, names_metric
from ..tables.limits import MAX_COLUMNS
from ..tables.number_column import is_textual
from ..tables.numbers import UnreadableNumber, read_number
from ..tables.raw_table import PutTogether, RawTable
from ..words import listed, quoted
from .columns import Columns
from .pairing import counted
from .row_units import combined, counts_rows, has_repeats
from .score_cells import numeric_columns

TURN = Choice(
    role="turned",
    question="",
    options=((True, "Turn the table: each row is a system, each column a dataset"),),
)
_DATASET = "dataset"
# Two columns may as well be two metrics.
_FEWEST = 3
# Numbers that describe a system, and parts of one dataset.
_OF_SYSTEMS = frozenset(
    {"params", "parameters", "param", "n params", "model size", "layers", "dim", "flops", "memory",
     "cost", "price", "speed", "throughput", "epochs", "steps", "tokens", "context", "version",
     "train", "training", "dev", "development", "valid", "validation", "val", "test", "held out"}
)  # fmt: skip


def in_the_file(
    raw: RawTable, lines: Mapping[str, int], problems: Iterable[Problem]
) -> list[Problem]:
    """The problems with the file's own lines, each with the remedies that any row has.

    `lines` are those of the systems of a table that was turned around.
    """
    if lines:
        return [replace(problem, line=lines.get(problem.column or "")) for problem in problems]
    given = list(problems)
    has_row = set(raw.lines.tolist()) if any(p.line for p in given) else set()
    return [
        replace(problem, mended_by=(LEFT_OUT,))
        if problem.line in has_row
        and not (problem.mended_by or problem.answered_by)
        and not (problem.file and ";" in problem.file)
        else problem
        for problem in given
    ]


def mend(raw: RawTable, given: Roles) -> PutTogether:
    """The table with what was chosen to be changed, each change remarked on.

    Raises
    ------
    DataError
        If what was chosen is not there.
    """
    left_out = given.get(LEFT_OUT)
    if isinstance(left_out, str):
        raw = _without_rows(raw, left_out)
    if given.get("copies") == FIRST_COPY:
        raw = _without_copies(raw)
    unused = several_of(given, UNUSED) or ()
    if unused:
        _check_columns(raw, UNUSED, unused)
        remark = f"Left aside, as chosen: {listed(unused)}."
        raw = replace(raw.without(unused), remarks=(*raw.remarks, remark))
    lines: dict[str, int] = {}
    system = _systems_in_rows(raw, given)
    if system is not None:
        lines = dict(zip(raw.cells(system), raw.lines.tolist(), strict=True))
        raw = _turned(raw, system)
    divided = several_of(given, DIVIDED) or ()
    if divided:
        _check_columns(raw, DIVIDED, divided)
    for column in divided:
        raw = _divided(raw, column)
    return PutTogether(
        raw=raw,
        roles={"turned": True} if lines else {},
        in_the_file=partial(in_the_file, raw, lines),
    )


def _without_rows(raw: RawTable, text: str) -> RawTable:
    """The table without the rows on these lines."""
    gone: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for file, stretches in lines_of_words(text).items():
        for low, high in stretches:
            own = (raw.lines >= low) & (raw.lines <= high)
            if file is not None:
                own &= np.array([raw.file_of(row) == file for row in range(raw.n_rows)])
            gone |= own
    if not gone.any() or gone.all():
        raise DataError.of(
            f"To be left out are lines {text}, "
            + ("which is every row." if gone.all() else "and the file has no such row."),
            f"Correct or leave out the role '{LEFT_OUT}'.",
            columns=raw.header,
        )
    remark = f"Left out, as chosen: {counted(int(gone.sum()), 'row')} ({_in_words(text)})."
    return replace(raw.kept(~gone), remarks=(*raw.remarks, remark))


def _in_words(lines: str) -> str:
    one = lines.isdigit()
    return f"line {lines}" if one else f"lines {lines}"


def _without_copies(raw: RawTable) -> RawTable:
    """The table with the first of rows that are the same in every column."""
    _, first = np.unique(combined(raw, raw.header), return_index=True)
    kept: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    kept[first] = True
    if kept.all():
        return raw
    n = int((~kept).sum())
    remark = (
        f"Left out, as chosen: {counted(n, 'row')} that {'repeats' if n == 1 else 'repeat'} an "
        "earlier one in every column."
    )
    return replace(raw.kept(kept), remarks=(*raw.remarks, remark))


def _check_columns(raw: RawTable, role: str, columns: Sequence[str]) -> None:
    unknown = [column for column in columns if column not in raw.header]
    if unknown:
        raise DataError.of(
            f"The role '{role}' names the column {unknown[0]!r}, which the file does not have.",
            f"The file has the columns {listed(raw.header)}.",
            columns=raw.header,
        )


def _systems_in_rows(raw: RawTable, given: Roles) -> str | None:
    """The column whose rows are systems, where the table is to be turned around.

    By itself only where a heading says so, each row has a name of its own, and no
    column seems to be a metric: then the columns can be nothing but datasets.
    """
    wanted = given.get("turned")
    if wanted is False or not 2 <= raw.n_rows < MAX_COLUMNS:
        return None
    held = columns_in_use(given)
    if wanted is None and not held.isdisjoint(raw.header):
        # Who says what a column is for has seen the table as it stands.
        return None
    columns = Columns(raw, {})
    system = systems_column(columns) if columns.names("system") else None
    if system is None and wanted:
        texts = [c for c in raw.header if is_textual(raw, c) and not has_repeats(raw, c)]
        system = texts[0] if texts else None
    if system is None:
        return None
    scores = numeric_columns(raw, [system])
    if wanted is None and (len(scores) < _FEWEST or not all(map(_may_be_dataset, scores))):
        return None
    return system if len(scores) >= 2 else None


def _may_be_dataset(column: str) -> bool:
    """Whether a column of numbers beside names of systems may be a dataset, and nothing else."""
    known = heading(column)
    # Word by word, as CoNLL is no NLL.
    metric = any(map(names_metric, known.split()))
    return not (metric or known in PLAIN_SCORE_HEADINGS or known in _OF_SYSTEMS)


def systems_column(columns: Columns) -> str | None:
    """The column of a table with a row for each system and a column for each dataset."""
    raw, example = columns.raw, columns.example
    if columns.dataset is not None or columns.gold is not None:
        return None
    if example is not None and (not counts_rows(example) or heading(example) in ("id", "ids")):
        return None
    system = next((c for c in columns.headed("system") if is_textual(raw, c)), None)
    if system is None or has_repeats(raw, system) or "" in raw.cells(system):
        return None
    return system


def _turned(raw: RawTable, system: str) -> RawTable:
    """The table with a row for each column of scores, and a column for each system."""
    scores = numeric_columns(raw, [system])
    names = raw.cells(system)
    rows = list(zip(*(raw.cells(column) for column in scores), strict=True))
    remarks = [
        f"The table is turned around: each row of {quoted(system)} is a system, each column a "
        "dataset."
    ]
    others = [c for c in raw.header if c not in (system, *scores) and not raw.is_blank(c)]
    if others:
        remarks.append(f"Not read: {listed(others)}.")
    header = (_DATASET if _DATASET not in names else f"{_DATASET} name", *names)
    return RawTable(
        header=header,
        columns=(pa.array(scores), *(pa.array(own) for own in rows)),
        lines=np.arange(1, len(scores) + 1, dtype=raw.lines.dtype),
        separator=raw.separator,
        encoding=raw.encoding,
        remarks=(*raw.remarks, *remarks),
    )


def _divided(raw: RawTable, column: str) -> RawTable:
    """The table with the numbers of one column divided by 100, digit by digit."""
    coded = raw.coded(column)
    texts = []
    for text in coded.texts:
        try:
            number = read_number(text, decimal_comma=raw.decimal_comma)
        except UnreadableNumber:
            texts.append(text)
            continue
        said = format(Decimal(number.digits).scaleb(-2), "f")
        texts.append(said.replace(".", ",") if raw.decimal_comma else said)
    index = raw.header.index(column)
    remark = f"Divided by 100, as chosen: the numbers of {quoted(column)}."
    return replace(
        raw,
        columns=(
            *raw.columns[:index],
            pa.array(texts).take(pa.array(coded.codes)),
            *raw.columns[index + 1 :],
        ),
        remarks=(*raw.remarks, remark),
    )
