"""Scores nested in JSON by dataset and system, either of them outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.data.sources.column_table import PutTogether, table_of_columns
from core.data.sources.json_values import Entry, alike_problems, cell, repeated_problem
from core.data.sources.name_orders import DATASET_FIRST, SYSTEM_FIRST, order_choice
from core.data.tables.columns import P_VALUE_HEADINGS, heading
from core.data.tables.headings import GOLD_HEADINGS
from core.data.tables.limits import bounded
from core.data.tables.text import DecodedText
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

_SHAPE = "Give scores as {dataset: {system: [one score an example]}}."
# A record of these is one dataset's row, whose names are headings.
_ROW_HEADINGS = (*P_VALUE_HEADINGS, "n", "effect", "se", "standard error", "total", "correct")


@dataclass(frozen=True, slots=True)
class _Block:
    """One system's scores on one dataset: by position, or by the examples' ids."""

    line: int
    scores: dict[str, str]
    numbered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entries:
    """Rows that are known by their dataset's arrays, for want of lines of their own."""

    name: str
    positions: tuple[int, ...]

    def file_of(self, row: int, column: str | None) -> str | None:
        return f"{self.name}, entry {self.positions[row]}"


def nested_table(
    members: Sequence[Entry], decoded: DecodedText, *, name: str, order: object
) -> PutTogether:
    """The table of an object of objects.

    Raises
    ------
    DataError
        With every problem, with the line of the outer name.
    """
    inner = [Entry(m.line, name, None) for m in members for name in m.value]
    alike = alike_problems(inner)
    if alike:
        raise DataError(alike)
    if all(_is_row(member.value) for member in members):
        return _one_row_each(members, decoded, order)
    blocks, problems = _blocks(members)
    if problems:
        raise DataError(bounded(problems, n_problems=len(problems), of="values"))
    choice = order_choice(None)
    fits = {
        DATASET_FIRST: _fits(blocks),
        SYSTEM_FIRST: _fits({(inner, outer): b for (outer, inner), b in blocks.items()}),
    }
    open_question = all(fits.values())
    chosen = SYSTEM_FIRST if fits[SYSTEM_FIRST] and not open_question else DATASET_FIRST
    if order in fits:
        chosen = str(order)
    if chosen == SYSTEM_FIRST:
        blocks = {(inner, outer): block for (outer, inner), block in blocks.items()}
    choices = (choice,) if open_question else ()
    problems = _grid_problems(blocks)
    if problems:
        raise DataError(problems, choices=(choice,))
    remarks = decoded.remarks
    if open_question and order not in fits:
        remarks += (
            "The outer names of the JSON are taken for datasets, the inner ones for systems; "
            "the lengths would fit the other way as well.",
        )
    return PutTogether(
        raw=_wide(blocks, decoded, name=name, remarks=remarks),
        roles={"name_order": chosen},
        choices=choices,
    )


def _is_row(value: Any) -> bool:
    return bool(value) and all(cell(inner) is not None for inner in value.values())


def _one_row_each(members: Sequence[Entry], decoded: DecodedText, order: object) -> PutTogether:
    """{dataset: {column: value}}, or the same with the systems outside."""
    inner = list(dict.fromkeys(name for member in members for name in member.value))
    outer = [member.key for member in members]
    are_headings = any(heading(name) in _ROW_HEADINGS for name in inner)
    if order == SYSTEM_FIRST:
        names, systems = inner, outer
        values = {(name, member.key): member.value for member in members for name in inner}
        columns = [[cell(values[n, s].get(n)) or "" for n in names] for s in systems]
        lines = [members[0].line] * len(names)
    else:
        names, systems = outer, inner
        columns = [[cell(m.value.get(s)) or "" for m in members] for s in systems]
        lines = [member.line for member in members]
    missing = [
        Problem(
            what=f"There is no {quoted(name)}, which others have.",
            remedy="Give every name the same values, null where there is none.",
            dataset=member.key,
            line=member.line,
        )
        for member in members
        for name in inner
        if name not in member.value
    ]
    if missing:
        raise DataError(missing)
    remarks = decoded.remarks
    choices: tuple[Choice, ...] = ()
    if not are_headings:
        choices = (order_choice(None),)
        if order is None:
            remarks += ("The outer names of the JSON are taken for datasets.",)
    raw = table_of_columns(
        ["dataset", *systems],
        [[name.strip() for name in names], *columns],
        lines,
        encoding=decoded.encoding,
        remarks=remarks,
    )
    settled = SYSTEM_FIRST if order == SYSTEM_FIRST else DATASET_FIRST
    return PutTogether(
        raw=raw, roles={} if are_headings else {"name_order": settled}, choices=choices
    )


def _blocks(
    members: Sequence[Entry],
) -> tuple[dict[tuple[str, str], _Block], list[Problem]]:
    blocks: dict[tuple[str, str], _Block] = {}
    problems: list[Problem] = []
    for member in members:
        for inner, value in member.value.items():
            path = f"{quoted(member.key)} › {quoted(inner)}"
            twice = repeated_problem(value, member.line)
            if twice is not None:
                problems.append(twice)
                continue
            if isinstance(value, list):
                pairs = {str(i): entry for i, entry in enumerate(value, start=1)}
            elif isinstance(value, dict):
                pairs = value
            else:
                problems.append(_problem(f"{path} is one value beside arrays.", member.line))
                continue
            cells = {key: cell(entry) for key, entry in pairs.items()}
            nested = [key for key, text in cells.items() if text is None]
            if nested:
                what = f"{path} holds an array or an object as entry {quoted(nested[0])}."
                problems.append(_problem(what, member.line))
                continue
            texts = {key: text or "" for key, text in cells.items()}
            blocks[member.key, inner] = _Block(member.line, texts, isinstance(value, list))
    if not problems and len({block.numbered for block in blocks.values()}) > 1:
        problems.append(_problem("Arrays stand beside objects of examples.", members[0].line))
    if not problems and not blocks:
        problems.append(_problem("The JSON holds no scores.", members[0].line))
    return blocks, problems


def _fits(blocks: dict[tuple[str, str], _Block]) -> bool:
    """Whether the first of each pair of names may be the dataset."""
    systems = {system for _, system in blocks}
    # Gold labels stand beside systems, not beside datasets.
    if any(heading(name) in GOLD_HEADINGS for name, _ in blocks):
        return False
    if len(systems) < 2 or _grid_problems(blocks):
        return False
    ids: dict[str, set[str]] = {}
    return all(
        ids.setdefault(dataset, set(block.scores)) == block.scores.keys()
        for (dataset, _), block in blocks.items()
    )


def _grid_problems(blocks: dict[tuple[str, str], _Block]) -> list[Problem]:
    """Datasets that lack a system, or whose systems have different examples."""
    datasets = list(dict.fromkeys(dataset for dataset, _ in blocks))
    systems = list(dict.fromkeys(system for _, system in blocks))
    problems = []
    for dataset in datasets:
        own = {s: blocks[dataset, s] for s in systems if (dataset, s) in blocks}
        lacking = [system for system in systems if system not in own]
        if lacking:
            problems.append(
                Problem(
                    what=f"There are no scores of {listed(lacking)}, which others have.",
                    remedy="Give every dataset the same systems.",
                    dataset=dataset,
                    line=next(iter(own.values())).line,
                )
            )
        lengths = {system: len(block.scores) for system, block in own.items()}
        numbered = all(block.numbered for block in own.values())
        if numbered and len(set(lengths.values())) > 1:
            counts = ", ".join(f"{quoted(s)} {n:,}" for s, n in list(lengths.items())[:10])
            problems.append(
                Problem(
                    what=f"The systems have different numbers of scores: {counts}.",
                    remedy="Give each system one score for each example, in the same order.",
                    dataset=dataset,
                    line=next(iter(own.values())).line,
                )
            )
    return problems


def _wide(
    blocks: dict[tuple[str, str], _Block],
    decoded: DecodedText,
    *,
    name: str,
    remarks: tuple[str, ...],
) -> Any:
    """A row for each example, a column for each system."""
    datasets = list(dict.fromkeys(dataset for dataset, _ in blocks))
    systems = list(dict.fromkeys(system for _, system in blocks))
    names: list[str] = []
    examples: list[str] = []
    lines: list[int] = []
    positions: list[int] = []
    columns: dict[str, list[str]] = {system: [] for system in systems}
    for dataset in datasets:
        own = {system: blocks[dataset, system] for system in systems}
        ids = list(dict.fromkeys(key for block in own.values() for key in block.scores))
        names += [dataset.strip()] * len(ids)
        examples += ids
        lines += [next(iter(own.values())).line] * len(ids)
        positions += range(1, len(ids) + 1)
        for system, block in own.items():
            columns[system] += [block.scores.get(key, "") for key in ids]
    numbered = all(block.numbered for block in blocks.values())
    header = ["dataset", *systems] if numbered else ["dataset", "example", *systems]
    keys = [names] if numbered else [names, [example.strip() for example in examples]]
    return table_of_columns(
        header,
        [*keys, *columns.values()],
        lines,
        encoding=decoded.encoding,
        remarks=remarks,
        origin=_Entries(name=name, positions=tuple(positions)),
    )


def _problem(what: str, line: int) -> Problem:
    return Problem(what=what, remedy=_SHAPE, line=line)
