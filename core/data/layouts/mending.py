"""Columns of datasets and systems together put below one another, as the question was answered.

With one gold column beside them each dataset is compared
with all of it: a row is then the same example in every dataset.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

import numpy as np
import pyarrow as pa

from ...errors import (
    LEFT_OUT,
    Choice,
    DataError,
    Problem,
    answers,
    first_of,
    lines_of_words,
    listed,
    quoted,
    stop_at,
)
from ...types import BoolArray
from ..roles import (
    COVARIATES,
    DATASET_FIRST,
    DIVIDED,
    FIRST_COPY,
    LAYOUT,
    ONE_DATASET,
    SYSTEM_FIRST,
    UNUSED,
    Roles,
    column_of,
    columns_in_use,
    role_problems,
    several_of,
    systems_of,
)
from ..tables.directions import HeadingGrid, lower_word, names_metric, two_parts
from ..tables.headings import heading, is_named, names_p_values
from ..tables.limits import MAX_COLUMNS
from ..tables.number_column import is_textual, numbers_of
from ..tables.numbers import UnreadableNumber, read_number
from ..tables.raw_table import PutTogether, RawTable
from ..tables.splitting import UNNAMED
from .columns import Columns, FileKind, held
from .pairing import counted
from .row_units import combined, counts_rows, has_repeats, incomplete_rows
from .score_cells import numeric_columns

DATASET = "dataset"


def ask_for_order(columns: Columns, systems: Sequence[str]) -> None:
    """Ask whether columns that nobody chose are systems, or systems on several datasets."""
    grid = None if columns.given.get("name_order") else grid_of(columns, systems)
    if grid is None:
        return
    raise DataError.of(
        f"Each heading has two parts, as {quoted(systems[0])}, that may name a "
        "dataset and a system.",
        "Say what they are, or stack the columns: a column 'dataset', and one "
        "column for each system.",
        answered_by="name_order",
        choices=(order_choice(grid),),
    )


def order_choice(grid: HeadingGrid) -> Choice:
    """The question which part of the headings is the dataset."""
    answers = []
    for order in (DATASET_FIRST, SYSTEM_FIRST):
        own = grid.by_dataset(order)
        words = f"{len(own.firsts)} datasets × {len(own.seconds)} systems"
        answers.append((order, f"{words} ({first_of(own.firsts)} × {first_of(own.seconds)})"))
    return Choice(
        role="name_order",
        question="Do the headings name datasets and systems together?",
        options=(*answers, (ONE_DATASET, f"No, {len(grid.columns)} systems on one dataset")),
    )


def grid_of(columns: Columns, systems: Sequence[str]) -> HeadingGrid | None:
    """The grid of the systems' headings, in a single table that names no datasets otherwise."""
    raw = columns.raw
    if systems_of(columns.given) is not None or raw.origin is not None:
        return None
    if columns.dataset is not None or DATASET in {heading(column) for column in raw.header}:
        return None
    grid = two_parts(systems)
    if grid is None:
        return None
    others = {heading(column) for column in raw.header if column not in systems}
    parts = {heading(part) for part in (*grid.firsts, *grid.seconds)}
    return None if others & parts or DATASET in parts else grid


def _in_the_file(
    raw: RawTable, headings: Mapping[tuple[str, str], str], problems: Iterable[Problem]
) -> list[Problem]:
    """The problems with the file's own headings, those of a cell of all datasets once."""
    beside = set(raw.header) - {DATASET, *(system for _, system in headings)}
    found = []
    for problem in problems:
        dataset, column = problem.dataset, problem.column
        if dataset is not None and column is not None:
            own = headings.get((dataset, column))
            if own is not None:
                problem = replace(problem, column=own)
            elif column in beside and problem.line is not None:
                problem = replace(problem, dataset=None)
        found.append(problem)
    return list(dict.fromkeys(found))


def settle_headings(raw: RawTable, given: Roles, kinds: Sequence[FileKind]) -> PutTogether:
    """The table as the question was answered, and the question; as it is where none was asked.

    Datasets are put below one another. Of each the rows up to the last one that
    holds any of its scores are kept, so that shorter ones may end in blanks; where
    one column holds the gold labels of all, every row is one of each dataset.
    """
    order = given.get("name_order")
    if order not in (DATASET_FIRST, SYSTEM_FIRST, ONE_DATASET):
        return PutTogether(raw=raw)
    # Roles given since then name columns of the table that is made here.
    known: Roles = {
        role: name
        for role, name in given.items()
        if (role in ("example", "cluster", "run", "gold") and name in raw.header)
        or (role == "gold" and name is None)
        or role in ("name_order", LAYOUT)
    }
    shown = Columns(raw.without(several_of(given, COVARIATES) or ()), known)
    systems, gold = _columns_asked_about(shown, kinds)
    grid = grid_of(shown, systems)
    if grid is None:
        return PutTogether(raw=raw)
    choices = (order_choice(grid),)
    if order == ONE_DATASET:
        return PutTogether(raw=raw, choices=choices)
    grid = grid.by_dataset(order)
    stacked = _stacked(raw, grid, order, gold)
    return PutTogether(
        raw=stacked, choices=choices, in_the_file=partial(_in_the_file, stacked, grid.columns)
    )


def _columns_asked_about(
    columns: Columns, kinds: Sequence[FileKind]
) -> tuple[Sequence[str], str | None]:
    """The columns of results, and the one column of gold labels that they are compared with."""
    known = columns.given
    for kind in kinds:
        if known.get(LAYOUT) not in (None, kind.name):
            continue
        try:
            roles = kind.recognise(columns)
        except DataError:
            # Another question, asked of the table that is made here.
            continue
        if roles is not None and column_of(roles, "gold") is not None:
            return systems_of(roles) or (), column_of(roles, "gold")
    beside = held(columns.example, column_of(known, "cluster"), column_of(known, "run"))
    return numeric_columns(columns.raw, beside), None


def _stacked(raw: RawTable, grid: HeadingGrid, order: object, gold: str | None) -> RawTable:
    datasets, systems = grid.firsts, grid.seconds
    own = [[grid.columns[name, system] for system in systems] for name in datasets]
    # Up to the last row in which one of a dataset's columns holds something.
    ends = (
        [np.flatnonzero(~incomplete_rows(raw, [c])).max(initial=-1) + 1 for c in columns]
        for columns in own
    )
    lengths = [raw.n_rows if gold is not None else int(max(of_columns)) for of_columns in ends]
    every = np.concatenate([np.arange(length) for length in lengths])
    columns = set(grid.columns.values())
    beside = [column for column in raw.header if column not in columns]
    arrays = [raw.column(column).take(pa.array(every)) for column in beside]
    codes = np.repeat(np.arange(len(datasets), dtype=np.int32), lengths)
    names = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(datasets))
    for of_system in zip(*own, strict=True):
        parts = [
            raw.column(column).slice(0, length)
            for column, length in zip(of_system, lengths, strict=True)
        ]
        arrays.append(pa.concat_arrays(parts))
    first, second = ("dataset", "system") if order == DATASET_FIRST else ("system", "dataset")
    remarks = [
        f"The headings are read as {first} and {second}: the datasets are {listed(datasets)}, "
        f"the systems {listed(systems)}."
    ]
    if gold is not None:
        remarks.append(
            f"Every dataset is compared with the one column {quoted(gold)}, line by line: the "
            "datasets share their examples, be they translated."
        )
    return replace(
        raw,
        header=(DATASET, *beside, *systems),
        columns=(names, *arrays),
        lines=raw.lines[every],
        remarks=(*raw.remarks, *remarks),
    )


TURN = Choice(
    role="turned",
    question="",
    options=((True, "Turn the table: each row is a system, each column a dataset"),),
)
# Two columns may as well be two metrics.
_FEWEST = 3
# Numbers that describe a system, and parts of one dataset.
_OF_SYSTEMS = frozenset(
    {"cost", "tokens", "context", "version", "train", "training", "dev", "development", "valid",
     "validation", "val", "test", "held out"}
)  # fmt: skip
# Of a turned file a dataset is a column, and a system none.
_TURNED = {LEFT_OUT: UNUSED, UNUSED: ""}
# The same as parts of headings, and what systems are called: 'image_size', 'zero-shot', '+RAG'.
_NO_DATASET = re.compile(
    r"\b(?:size|width|height|depth|dim|layers|[gmk]?(?:flops|macs|acts|params)|tokens|rate|count"
    r"|per sec(?:ond)?|shot|cot|baseline|ours|finetuned|fine tun(?:ed|ing)|w o|without)\b|^\+"
    # "224", "1%", "8k", "4.1 GMACs": a size or setting, at which all are measured.
    r"|^[0-9][0-9.]* ?(?:%|[kmb]|px)?$"
)


def _in_the_rows(
    raw: RawTable, lines: Mapping[str, int], problems: Iterable[Problem]
) -> list[Problem]:
    """The problems with the file's own lines, each with the remedies that any row has."""
    if lines:
        return [
            replace(
                problem,
                line=lines.get(problem.column or ""),
                # A dataset is a column of the file, which can be left aside as a row can be left out.
                mended_by=tuple(_TURNED.get(role, role) for role in problem.mended_by)
                or (UNUSED,) * bool(problem.dataset and not problem.answered_by),
            )
            for problem in problems
        ]
    given = list(problems)
    has_row = set(raw.lines.tolist()) if any(p.line for p in given) else set()
    given = [
        replace(problem, mended_by=(LEFT_OUT,))
        if problem.line in has_row
        and not (problem.mended_by or problem.answered_by)
        and not (problem.file and ";" in problem.file)
        else problem
        for problem in given
    ]
    mended = [problem for problem in given if LEFT_OUT in problem.mended_by]
    gone = {place for p in mended for place in ((p.file, p.line), *p.with_it)}
    if len(gone) < raw.n_rows:
        return given
    # Without them the table would have no row.
    others = (tuple(role for role in p.mended_by if role != LEFT_OUT) for p in given)
    return [replace(p, mended_by=roles) for p, roles in zip(given, others, strict=True)]


def of_turned(problems: Iterable[Problem], choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The answers for a turned table, whose columns are the datasets and not the systems."""
    names = tuple(dict.fromkeys(p.dataset for p in problems if p.dataset and UNUSED in p.mended_by))
    aside = answers("", (UNUSED, names, f"Leave {listed(names)} aside")) if names else ()
    return (*aside, *(choice for choice in choices if choice.role != UNUSED))


def mend(raw: RawTable, given: Roles) -> PutTogether:
    """The table with what was chosen to be changed, each change remarked on."""
    left_out = given.get(LEFT_OUT)
    if isinstance(left_out, str):
        raw = _without_rows(raw, left_out)
    if given.get("copies") == FIRST_COPY:
        raw = _without_copies(raw)
    unused = _columns_there(raw, given, UNUSED)
    if unused:
        remark = f"Left aside, as chosen: {listed(unused)}."
        raw = replace(raw.without(unused), remarks=(*raw.remarks, remark))
    lines: dict[str, int] = {}
    system = _systems_in_rows(raw, given)
    if system is not None:
        lines = dict(zip(raw.cells(system), raw.lines.tolist(), strict=True))
        raw = _turned(raw, system)
    for column in _columns_there(raw, given, DIVIDED):
        raw = _divided(raw, column)
    return PutTogether(
        raw=raw,
        roles={"turned": True} if lines else {},
        in_the_file=partial(_in_the_rows, raw, lines),
    )


def _columns_there(raw: RawTable, given: Roles, role: str) -> tuple[str, ...]:
    """The columns with this role, which the table must have."""
    columns = several_of(given, role) or ()
    stop_at(role_problems({role: columns}, columns=raw.header, layouts=()), columns=raw.header)
    return columns


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
    where = f"line {text}" if text.isdigit() else f"lines {text}"
    remark = f"Left out, as chosen: {counted(int(gone.sum()), 'row')} ({where})."
    return replace(raw.kept(~gone), remarks=(*raw.remarks, remark))


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


def _systems_in_rows(raw: RawTable, given: Roles) -> str | None:
    """The column whose rows are systems, where the table is to be turned around.

    By itself only where a heading says so, or a row of p-values without any heading, each row
    has a name of its own, and no column seems to be a metric: then the columns can be nothing but
    datasets.
    """
    wanted = given.get("turned")
    if wanted is False or not 2 <= raw.n_rows < MAX_COLUMNS:
        return None
    held = columns_in_use(given)
    if wanted is None and not held.isdisjoint(raw.header):
        # Who says what a column is for has seen the table as it stands.
        return None
    columns = Columns(raw, {})
    system = systems_column(columns)
    if system is None:
        texts = [c for c in raw.header if is_textual(raw, c) and not has_repeats(raw, c)]
        # A row of p-values shows; "P" beside "R" is precision.
        if texts and (
            wanted
            or (
                texts[0] == UNNAMED
                and any(name != "P" and names_p_values(name) for name in raw.cells(texts[0]))
            )
        ):
            system = texts[0]
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
    described = known in _OF_SYSTEMS or _NO_DATASET.search(re.sub("[^\\w%+.]+", " ", known))
    return not (metric or is_named(column, "score") or described)


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
    # "Model (WER)" says it of the scores.
    metric = lower_word(system, "dataset")
    dataset = f"{DATASET} ({metric})" if metric else DATASET
    header = (dataset if dataset not in names else f"{DATASET} name", *names)
    return RawTable(
        header=header,
        columns=(pa.array(scores), *(pa.array(own) for own in rows)),
        lines=np.arange(1, len(scores) + 1, dtype=raw.lines.dtype),
        separator=raw.separator,
        encoding=raw.encoding,
        remarks=(*raw.remarks, *remarks),
        notes=raw.notes,
    )


_SIGN = re.compile(r"((?:p\s*)?[<>=≤≥⩽⩾]*\s*)(.*)", re.DOTALL | re.IGNORECASE)


def _divided(raw: RawTable, column: str) -> RawTable:
    """The table with the numbers of one column and their spreads divided by 100, digit by digit."""
    coded, notation = raw.coded(column), numbers_of(raw, column).notation

    def shorter(digits: str) -> str:
        return format(Decimal(digits).scaleb(-2), "f") if digits else ""

    texts = []
    for text in coded.texts:
        # "<0.1" of p-values in percent is a number behind its sign.
        sign, rest = _SIGN.fullmatch(text).groups()  # type: ignore[union-attr]
        try:
            number = read_number(rest, decimal_comma=raw.decimal_comma, notation=notation)
        except UnreadableNumber:
            texts.append(text)
            continue
        beside = f"± {shorter(number.spread)}" if number.spread else number.trail
        said = f"{sign}{shorter(number.digits)} {beside}".rstrip()
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
