"""JSON as a table: records, columns by name, and scores nested by dataset and system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import DataError, Problem, listed, quoted
from ..tables.directions import are_metrics, names_metric, names_score
from ..tables.headings import VOCABULARY, heading, is_named, roles_named
from ..tables.limits import MAX_PROBLEMS, bounded, stop_at
from ..tables.numbers import is_number_cell
from ..tables.raw_table import Origin, PutTogether, RawTable, check_size, table_of_columns
from ..tables.text import DecodedText
from .json_values import (
    NO_LETTER,
    Entry,
    JsonText,
    alike_problems,
    cell,
    named_problems,
    with_letters,
)
from .name_grid import DATASET_FIRST, SYSTEM_FIRST, check_order, order_choice, says_system

_ROWS_A_CHECK = 100_000
_DIGIT = re.compile(r"[0-9]")
# Records that have less in common, of all their names, are of different kinds.
_LEAST_IN_COMMON = 0.5
# What is compared, or says of what it is.
_NEEDED = frozenset({"gold", "prediction", "dataset", "system"})
FLAT = "Give every value as one number or text; write nested values as columns of their own."


@dataclass(slots=True)
class _Records:
    """Records that become columns one by one."""

    columns: dict[str, list[str]] = field(default_factory=dict)
    nested: dict[str, int] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    n_problems: int = 0
    blank: int = 0

    def add(self, record: Any, line: int) -> None:
        """Take one record."""
        if not isinstance(record, dict):
            shown = cell(record)
            what = "an array" if shown is None else quoted(shown)
            self.report(
                Problem(
                    f"Here stands a value that is no record, such as {what}.",
                    'Give records such as {"dataset": …}.',
                    line=line,
                )
            )
            return
        cells = {name: cell(value) for name, value in record.items()}
        if not any(text != "" for text in cells.values()):
            self.blank += 1
            return
        n_common = sum(name in self.columns for name in cells)
        if self.lines and n_common < _LEAST_IN_COMMON * len(self.columns.keys() | cells):
            self.report(_differing(record, tuple(self.columns), line))
            return
        for name, text in cells.items():
            if name not in self.columns:
                self.columns[name] = [""] * len(self.lines)
            if text is None:
                self.nested.setdefault(name, line)
            self.columns[name].append(text or "")
        self.lines.append(line)
        if n_common < len(self.columns):
            for column in self.columns.values():
                column.extend([""] * (len(self.lines) - len(column)))
        if len(self.lines) % _ROWS_A_CHECK == 1:
            check_size(n_rows=len(self.lines), n_columns=len(self.columns))

    def report(self, problem: Problem) -> None:
        """Keep a problem, or only count it where there are many."""
        self.n_problems += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def table(self) -> RawTable:
        """The table of all records, or a `DataError` with their problems.

        A column of nothing but arrays and objects is left aside, if others say what is compared.
        """
        flat = {name: cells for name, cells in self.columns.items() if name not in self.nested}
        for name, line in self.nested.items():
            is_said = names_score(name) or not _NEEDED.isdisjoint(roles_named(name))
            if is_said or len(flat) < 2 or any(self.columns[name]):
                what = "The value is an array or an object."
                self.report(Problem(what, FLAT, column=name, line=line))
        if self.problems:
            raise DataError(bounded(self.problems, n_problems=self.n_problems, of="records"))
        if not self.lines:
            raise DataError.of("The file holds no record.", "Add one for each row.")
        remarks = []
        if self.nested:
            remarks.append(f"Not read, as they hold arrays or objects: {listed([*self.nested])}.")
        if self.blank:
            remarks.append(f"Records without any content are skipped: {self.blank:,}.")
        return table_of_columns(list(flat), list(flat.values()), self.lines, remarks=tuple(remarks))


def _differing(record: dict[str, Any], header: tuple[str, ...], line: int) -> Problem:
    lacking = [name for name in header if name not in record]
    more = [name for name in record if name not in header]
    differences = ([f"lacks {listed(lacking)}"] if lacking else []) + (
        [f"has {listed(more)} besides"] if more else []
    )
    return Problem(
        f"The record {' and '.join(differences)}, unlike the first one.",
        "Give every record the same names, null where there is no value.",
        line=line,
    )


_SHAPE = "Give scores as {dataset: {system: [one score an example]}}."
# A record of these is one dataset's row, whose names are headings.
_ROW_HEADINGS = (*VOCABULARY["p_value"], "n", "effect", "se", "standard error", "total", "correct")


@dataclass(frozen=True, slots=True)
class _Block:
    """One system's scores on one dataset: by position, or by the examples' ids."""

    line: int
    scores: dict[str, str]
    numbered: bool


def _entries(name: str, positions: Sequence[int]) -> Origin:
    """The origin of rows that are known by their place in arrays, for want of lines of their own."""
    return lambda row, column: f"{name}, entry {positions[row]}"


def _nested_table(members: Sequence[Entry], *, name: str, order: object) -> PutTogether:
    """The table of an object of objects."""
    inner = [Entry(m.line, name, None) for m in members for name in m.value]
    stop_at(alike_problems(inner))
    one_each = all(
        member.value and all(cell(inner) is not None for inner in member.value.values())
        for member in members
    )
    blocks = _metrics_innermost(_blocks(members, one_each=one_each))
    if one_each and any(heading(entry.key) in _ROW_HEADINGS for entry in inner):
        stop_at(_grid_problems(blocks))
        return PutTogether(raw=_wide(blocks, name))
    choice = order_choice(None)
    outer, systems = (list(dict.fromkeys(own)) for own in zip(*blocks, strict=True))
    fits = {
        DATASET_FIRST: one_each or _fits(blocks),
        SYSTEM_FIRST: one_each or _fits({(own, outer): b for (outer, own), b in blocks.items()}),
    }
    open_question = all(fits.values())
    chosen = SYSTEM_FIRST if fits[SYSTEM_FIRST] and not open_question else DATASET_FIRST
    if order in fits:
        chosen = str(order)
    elif open_question and not (one_each and are_metrics(systems)):
        check_order(outer, systems, None)
        if any(map(says_system, outer)) and not any(map(says_system, systems)):
            chosen = SYSTEM_FIRST
    if chosen == SYSTEM_FIRST:
        blocks = {(inner, outer): block for (outer, inner), block in blocks.items()}
    choices = (choice,) if open_question else ()
    stop_at(_grid_problems(blocks), choices=(choice,))
    raw = _wide(blocks, name)
    if open_question and order not in fits:
        first, second = chosen.split(", ")
        remark = (
            f"The outer names of the JSON are taken for {first}s, the inner ones for {second}s; "
            "the lengths would fit the other way as well."
        )
        raw = replace(raw, remarks=(remark,))
    return PutTogether(raw=raw, roles={"name_order": chosen}, choices=choices)


def _blocks(members: Sequence[Entry], *, one_each: bool) -> dict[tuple[str, str], _Block]:
    """The scores under each two names; a `DataError` where they are not all of one kind."""
    blocks: dict[tuple[str, str], _Block] = {}
    for member in members:
        for inner, value in member.value.items():
            pairs = value if isinstance(value, dict) else {"1": value}
            if isinstance(value, list):
                pairs = {str(i): entry for i, entry in enumerate(value, start=1)}
            cells = {key: cell(entry) for key, entry in pairs.items()}
            texts = {key: text or "" for key, text in cells.items()}
            block = _Block(member.line, texts, not isinstance(value, dict))
            is_alone = not isinstance(value, (list, dict)) and not one_each
            others = next(iter(blocks.values()), block)
            if is_alone or None in cells.values() or block.numbered != others.numbered:
                raise DataError.of(
                    f"{quoted(member.key)} › {quoted(inner)} is not one score for each example, as "
                    "others are: a list, or by the examples' ids.",
                    _SHAPE,
                    line=member.line,
                )
            blocks[member.key, inner] = block
    if not blocks:
        raise DataError.of("The JSON holds no scores.", _SHAPE, line=members[0].line)
    return blocks


def _metrics_innermost(blocks: dict[tuple[str, str], _Block]) -> dict[tuple[str, str], _Block]:
    """The same with names of metrics as the innermost ones, where others of the three are such.

    Not where the innermost ones may be ids of examples, which hold digits.
    """
    keys = {key for block in blocks.values() for key in block.scores}
    if any(block.numbered for block in blocks.values()) or all(map(_DIGIT.search, keys)):
        return blocks
    place = next(
        (i for i in (0, 1) if are_metrics([*{pair[i] for pair in blocks}], fewest=1)), None
    )
    if place is None:
        return blocks
    found: dict[tuple[str, str], _Block] = {}
    for pair, block in blocks.items():
        for key, score in block.scores.items():
            own = (pair[1], key) if place == 0 else (pair[0], key)
            found.setdefault(own, _Block(block.line, {}, False)).scores[pair[place]] = score
    return found


def _fits(blocks: dict[tuple[str, str], _Block]) -> bool:
    """Whether the first of each pair of names may be the dataset."""
    systems = {system for _, system in blocks}
    # Gold labels stand beside systems, not beside datasets.
    if any(is_named(name, "gold") for name, _ in blocks):
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
                    f"There are no scores of {listed(lacking)}, which others have.",
                    "Give every dataset the same systems.",
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
                    f"The systems have different numbers of scores: {counts}.",
                    "Give each system one score for each example, in the same order.",
                    dataset=dataset,
                    line=next(iter(own.values())).line,
                )
            )
    return problems


# Words of every day with a number count examples: "error 1", "error 2".
_NUMBERED = re.compile(r"(f|exact|map|err|error|loss|cost|mistake)[\W_]+[0-9]+", re.IGNORECASE)


def _wide(blocks: dict[tuple[str, str], _Block], name: str) -> RawTable:
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
    are_ids = len(set(examples)) > 1 and all(map(_NUMBERED.fullmatch, examples))
    if not numbered and all(map(names_metric, examples)) and not are_ids:
        # {"acc": .9, "f1": .8} are scores of one system on one dataset, and no examples.
        rows = [
            (dataset, system, metric, score, block.line)
            for (dataset, system), block in blocks.items()
            for metric, score in block.scores.items()
        ]
        *cells, own_lines = map(list, zip(*rows, strict=True))
        return table_of_columns(["dataset", "system", "metric", "score"], cells, own_lines)
    header = ["dataset", *systems] if numbered else ["dataset", "example", *systems]
    keys = [names] if numbered else [names, [example.strip() for example in examples]]
    return table_of_columns(
        header,
        [*keys, *columns.values()],
        lines,
        # One row each is known by its line.
        origin=_entries(name, positions) if max(positions) > 1 else None,
    )


# With more lines that are no JSON a file is something else.
_MOST_BROKEN = 50


def read_json(decoded: DecodedText, *, name: str, order: object = None) -> PutTogether:
    """The table that a JSON file holds, with `order` as the role "name_order"."""
    letters, n_changed = with_letters(decoded.text)
    found = _read(JsonText(letters), name, order)
    remarks = decoded.remarks
    if n_changed:
        remarks += (f"Signs that are no letters are read as {NO_LETTER}: {n_changed:,}.",)
    raw = replace(found.raw, encoding=decoded.encoding, remarks=(*remarks, *found.raw.remarks))
    return replace(found, raw=raw)


def _read(text: JsonText, name: str, order: object) -> PutTogether:
    if text.next == "[":
        records = _Records()
        try:
            for entry in text.elements():
                records.add(entry.value, entry.line)
            text.ends("Give one array, or one record a line.")
        except DataError as error:
            raise DataError([*records.problems, *error.problems]) from None
        return PutTogether(raw=records.table())
    members = list(text.members())
    if text.next:
        # The first of many lines.
        return PutTogether(raw=_lines(JsonText(text.text)).table())
    return _of_object(members, name=name, order=order)


def _lines(text: JsonText) -> _Records:
    """JSON Lines: one record after the other."""
    records = _Records()
    n_broken = 0
    while text.next:
        line = text.line
        start = text.position
        try:
            value = text.value()
        except DataError as error:
            for problem in error.problems:
                records.report(replace(problem, line=line))
            n_broken += 1
            if n_broken == _MOST_BROKEN:
                break
            text.position = start
            text.skip_line()
        else:
            records.add(value, line)
    return records


def _of_object(members: list[Entry], *, name: str, order: object) -> PutTogether:
    """The table of one object: a record, columns, records by dataset, or nested scores."""
    stop_at(named_problems(members))
    kinds = {_kind(member.value) for member in members}
    if kinds == {"value"}:
        if _are_answers(members):
            raw = table_of_columns(
                ["id", "answer"],
                [[m.key.strip() for m in members], [cell(m.value) or "" for m in members]],
                [member.line for member in members],
            )
            return PutTogether(raw=raw)
        records = _Records()
        records.add({member.key: member.value for member in members}, members[0].line)
        return PutTogether(raw=records.table())
    of_records = [member for member in members if _kind(member.value) == "records"]
    if of_records and (kinds <= {"records", "empty"} or len(of_records) == 1):
        return PutTogether(raw=_records_within(members, of_records))
    if kinds == {"list"}:
        return PutTogether(raw=_columns(members, name))
    if kinds == {"object"}:
        by_row = _columns_by_row(members)
        if by_row is not None:
            return PutTogether(raw=_columns(by_row, name))
        return _nested_table(members, name=name, order=order)
    raise DataError.of(
        "The values of the object are of different kinds"
        + (": " + ", ".join(sorted(kinds)) if kinds else "")
        + ".",
        "Give an array of records, or scores by dataset and system.",
        line=members[0].line if members else 1,
    )


def _are_answers(members: Sequence[Entry]) -> bool:
    """Whether names are ids of examples, and values what one system said of each, or its label.

    Each name holds a digit and is no metric's, as "f1" is; most values are texts.
    """
    texts = [isinstance(m.value, str) and not is_number_cell(m.value.strip()) for m in members]
    return 2 * sum(texts) > len(members) > 1 and all(
        _DIGIT.search(member.key) and not names_metric(member.key) for member in members
    )


def _records_within(members: Sequence[Entry], of_records: Sequence[Entry]) -> RawTable:
    """Records by dataset, or those of one name beside what is said of all of them."""
    records = _Records()
    beside = [member for member in members if member not in of_records]
    alone = len(of_records) == 1 and len(members) > 1
    said = {
        m.key: m.value
        for m in beside
        if cell(m.value) and not roles_named(m.key).isdisjoint({"dataset", "system"})
    }
    for member in of_records:
        for record in member.value:
            if isinstance(record, dict):
                own = said if alone else {"dataset": member.key}
                record = {**{k: v for k, v in own.items() if k not in record}, **record}
            records.add(record, member.line)
    raw = records.table()
    if not alone:
        return raw
    aside = [member.key for member in beside if member.key not in said]
    remark = f"The records under {quoted(of_records[0].key)} are read" + (
        f", not {listed(aside)}." if aside else "."
    )
    return replace(raw, remarks=(*raw.remarks, remark))


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        if not value:
            return "empty"
        return "records" if all(isinstance(entry, dict) for entry in value) else "list"
    return "value"


def _columns_by_row(members: list[Entry]) -> list[Entry] | None:
    """Columns given as {name: {"0": …, "1": …}}, as pandas writes them; None if they are not."""
    numbers = list(members[0].value)
    if numbers != [str(i) for i in range(len(numbers))] or len(numbers) < 2:
        return None
    if any(list(member.value) != numbers for member in members):
        return None
    return [Entry(m.line, m.key, list(m.value.values())) for m in members]


def _columns(members: list[Entry], name: str) -> RawTable:
    lengths = {member.key: len(member.value) for member in members}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{quoted(key)} {count:,}" for key, count in list(lengths.items())[:10])
        raise DataError.of(
            f"The columns have different numbers of entries: {counts}.",
            "Give each column one entry a row, null where there is none.",
            line=members[0].line,
        )
    columns = []
    problems: list[Problem] = []
    for member in members:
        cells = [cell(value) for value in member.value]
        problems.extend(
            Problem(
                f"Entry {position} is an array or an object.",
                FLAT,
                column=member.key,
                line=member.line,
            )
            for position, text in enumerate(cells, start=1)
            if text is None
        )
        columns.append([text or "" for text in cells])
    stop_at(problems, of="entries")
    if len(members) < 2:
        raise DataError.of(
            f"There is one column, {listed(list(lengths))}.",
            "Give a column for each of two or more systems.",
        )
    return table_of_columns(
        list(lengths),
        columns,
        [members[0].line] * len(columns[0]),
        origin=_entries(name, range(1, len(columns[0]) + 1)),
    )
