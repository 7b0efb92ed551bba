"""JSON as a table: records, columns by name, and scores nested by dataset and system."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import DataError, Problem, listed, quoted, stop_at
from ..tables.directions import are_metrics, names_metric, names_score
from ..tables.headings import VOCABULARY, heading, is_named, roles_named
from ..tables.numbers import is_number_cell
from ..tables.raw_table import Origin, PutTogether, RawTable, check_size, table_of_columns
from ..tables.text import DecodedText
from .json_values import NO_LETTER, Entry, JsonText, cell, each_read, named_problems, with_letters
from .name_grid import DATASET_FIRST, SYSTEM_FIRST, check_order, order_choice, says_system

_ROWS_A_CHECK = 100_000
_DIGIT = re.compile(r"[0-9]")
# Records that have less in common, of all their names, are of different kinds.
_LEAST_IN_COMMON = 0.5
# What is compared, or says of what it is.
_NEEDED = frozenset({"gold", "prediction", "dataset", "system"})
FLAT = "Give every value as one number or text; write nested values as columns of their own."


def _table_of_records(entries: Iterable[Entry]) -> RawTable:
    """The table of records, which become columns one by one.

    A column of nothing but arrays and objects is left aside, if others say what is compared.
    """
    columns: dict[str, list[str]] = {}
    nested: dict[str, int] = {}
    lines: list[int] = []
    n_blank = 0

    def take(entry: Entry) -> None:
        nonlocal n_blank
        record = entry.value
        if not isinstance(record, dict):
            shown = cell(record)
            what = "an array" if shown is None else quoted(shown)
            raise DataError.of(
                f"Here stands a value that is no record, such as {what}.",
                'Give records such as {"dataset": …}.',
            )
        cells = {name: cell(value) for name, value in record.items()}
        if not any(text != "" for text in cells.values()):
            n_blank += 1
            return
        n_common = sum(name in columns for name in cells)
        if lines and n_common < _LEAST_IN_COMMON * len(columns.keys() | cells):
            lacking = [name for name in columns if name not in record]
            more = [name for name in record if name not in columns]
            raise DataError.of(
                f"The record {differing('lacks', lacking, 'has', more)}, unlike the first one.",
                "Give every record the same names, null where there is no value.",
            )
        for name, text in cells.items():
            if name not in columns:
                columns[name] = [""] * len(lines)
            if text is None:
                nested.setdefault(name, entry.line)
            columns[name].append(text or "")
        lines.append(entry.line)
        if n_common < len(columns):
            for column in columns.values():
                column.extend([""] * (len(lines) - len(column)))
        if len(lines) % _ROWS_A_CHECK == 1:
            check_size(n_rows=len(lines), n_columns=len(columns))

    problems: list[Problem] = []
    try:
        for _ in each_read(entries, take):
            pass
    except DataError as error:
        problems += error.problems
    flat = {name: cells for name, cells in columns.items() if name not in nested}
    problems += [
        Problem("The value is an array or an object.", FLAT, column=name, line=line)
        for name, line in nested.items()
        if names_score(name)
        or not _NEEDED.isdisjoint(roles_named(name))
        or len(flat) < 2
        or any(columns[name])
    ]
    stop_at(problems)
    if not lines:
        raise DataError.of("The file holds no record.", "Add one for each row.")
    remarks = []
    if nested:
        remarks.append(f"Not read, as they hold arrays or objects: {listed([*nested])}.")
    if n_blank:
        remarks.append(f"Records without any content are skipped: {n_blank:,}.")
    return table_of_columns(list(flat), list(flat.values()), lines, remarks=tuple(remarks))


def differing(lacks: str, lacking: Sequence[str], has: str, more: Sequence[str]) -> str:
    """What something lacks that another has, and what it has besides."""
    told = [f"{lacks} {listed(lacking)}"] if lacking else []
    return " and ".join([*told, f"{has} {listed(more)} besides"] if more else told)


# So many times fewer names are those of the systems.
_TIMES_FEWER = 3
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


def _outcomes(members: Sequence[Entry]) -> RawTable:
    """Examples × systems, of true and false under the names of both: far fewer are the systems'."""
    cells = {(m.key, name): cell(value) or "" for m in members for name, value in m.value.items()}
    systems, examples = (list(dict.fromkeys(own)) for own in zip(*cells, strict=True))
    if len(examples) < len(systems):
        systems, examples = examples, systems
        cells = {(inner, outer): text for (outer, inner), text in cells.items()}
    are_scores = len(systems) > 1 and any(map(names_score, systems))
    if are_scores or _TIMES_FEWER * len(systems) > len(examples):
        raise DataError.of(
            f"The JSON says true or false under {len(systems)} names, such as {listed(systems[:2])}, "
            f"and {len(examples)} others: it is not clear which are systems.",
            "Give each system a file of its own, with {example: true or false}.",
        )
    remark = f"Read as systems: {listed(systems)}; as examples: the {len(examples):,} other names."
    columns = [[cells.get((system, one), "") for one in examples] for system in systems]
    lines = [members[0].line] * len(examples)
    # Under one name stands what is said of each example, of the system that the file is named by.
    remarks = (remark,) if len(systems) > 1 else ()
    return table_of_columns(["example", *systems], [examples, *columns], lines, remarks=remarks)


def _nested_table(members: Sequence[Entry], *, name: str, order: object) -> PutTogether:
    """The table of an object of objects."""
    if {type(own) for m in members for own in m.value.values()} - {type(None)} == {bool}:
        return PutTogether(raw=_outcomes(members))
    one_each = all(
        member.value and all(cell(inner) is not None for inner in member.value.values())
        for member in members
    )
    blocks = _metrics_innermost(_blocks(members, one_each=one_each))
    if one_each and any(heading(name) in _ROW_HEADINGS for m in members for name in m.value):
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
    if not any(block.scores for block in blocks.values()):
        raise DataError.of("The JSON holds no scores.", _SHAPE, line=members[0].line)
    return blocks


def _metrics_innermost(blocks: dict[tuple[str, str], _Block]) -> dict[tuple[str, str], _Block]:
    """The same with names of metrics as the innermost ones, where others of the three are such.

    Not where the innermost ones may be ids of examples, which hold digits.
    """
    keys = {key for block in blocks.values() for key in block.scores}
    if any(block.numbered for block in blocks.values()) or all(map(_DIGIT.search, keys)):
        return blocks
    for place in (0, 1):
        if are_metrics([*{pair[place] for pair in blocks}], fewest=1):
            found: dict[tuple[str, str], _Block] = {}
            for pair, block in blocks.items():
                for key, score in block.scores.items():
                    own = found.setdefault((pair[1 - place], key), _Block(block.line, {}, False))
                    own.scores[pair[place]] = score
            return found
    return blocks


def _fits(blocks: dict[tuple[str, str], _Block]) -> bool:
    """Whether the first of each pair of names may be the dataset: its systems have all examples."""
    ids: dict[str, dict[str, None]] = {}
    for (dataset, _), block in blocks.items():
        ids.setdefault(dataset, {}).update(dict.fromkeys(block.scores))
    systems = {system for _, system in blocks}
    # Gold labels go with systems, not with datasets.
    return (
        len(systems) > 1
        and not any(is_named(name, "gold") for name in ids)
        and len(blocks) == len(ids) * len(systems)
        and all(
            ids[dataset].keys() == block.scores.keys() for (dataset, _), block in blocks.items()
        )
    )


def _grid_problems(blocks: dict[tuple[str, str], _Block]) -> list[Problem]:
    """Datasets that lack a system, or whose systems have different examples."""
    datasets = list(dict.fromkeys(dataset for dataset, _ in blocks))
    systems = list(dict.fromkeys(system for _, system in blocks))
    problems = []
    for dataset in datasets:
        own = {s: blocks[dataset, s] for s in systems if (dataset, s) in blocks}
        lengths = {system: len(block.scores) for system, block in own.items()}
        numbered = all(block.numbered for block in own.values())
        found = {}
        if len(own) < len(systems):
            lacking = listed([system for system in systems if system not in own])
            remedy = "Give every dataset the same systems."
            found[f"There are no scores of {lacking}, which others have."] = remedy
        if numbered and len(set(lengths.values())) > 1:
            counts = ", ".join(f"{quoted(s)} {n:,}" for s, n in list(lengths.items())[:10])
            remedy = "Give each system one score for each example, in the same order."
            found[f"The systems have different numbers of scores: {counts}."] = remedy
        line = next(iter(own.values())).line
        problems += [Problem(what, how, dataset=dataset, line=line) for what, how in found.items()]
    return problems


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
        names += [dataset] * len(ids)
        examples += ids
        lines += [next(iter(own.values())).line] * len(ids)
        positions += range(1, len(ids) + 1)
        for system, block in own.items():
            columns[system] += [block.scores.get(key, "") for key in ids]
    numbered = all(block.numbered for block in blocks.values())
    if not numbered and all(map(names_metric, examples)):
        # {"acc": .9, "f1": .8} are scores of one system on one dataset, and no examples.
        rows = [
            (dataset, system, metric, score, block.line)
            for (dataset, system), block in blocks.items()
            for metric, score in block.scores.items()
        ]
        *cells, own_lines = map(list, zip(*rows, strict=True))
        return table_of_columns(["dataset", "system", "metric", "score"], cells, own_lines)
    header = ["dataset", *systems] if numbered else ["dataset", "example", *systems]
    keys = [names] if numbered else [names, examples]
    return table_of_columns(
        header,
        [*keys, *columns.values()],
        lines,
        # One row each is known by its line.
        origin=_entries(name, positions) if max(positions) > 1 else None,
    )


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
        entries = text.records("Give one array, or one record a line.")
        return PutTogether(raw=_table_of_records(entries))
    members = list(text.items())
    if text.next:
        # The first of many lines.
        return PutTogether(raw=_table_of_records(_lines(JsonText(text.text))))
    return _of_object(members, name=name, order=order)


def _lines(text: JsonText) -> Iterator[Entry]:
    """The records of JSON Lines; in place of a line that is none its problem."""
    while text.next:
        line, start = text.line, text.position
        try:
            entry = Entry(line, "", text.value())
        except DataError as error:
            entry = Entry(line, "", replace(error.problems[0], line=line))
            text.position = start
            text.skip_line()
        yield entry


def _of_object(members: list[Entry], *, name: str, order: object) -> PutTogether:
    """The table of one object: a record, columns, records by dataset, or nested scores."""
    stop_at(named_problems(members))
    kinds = {_kind(member.value) for member in members}
    if kinds == {"value"}:
        if _are_answers(members):
            raw = table_of_columns(
                ["id", "answer"],
                [[m.key for m in members], [cell(m.value) or "" for m in members]],
                [member.line for member in members],
            )
            return PutTogether(raw=raw)
        record = {member.key: member.value for member in members}
        return PutTogether(raw=_table_of_records([Entry(members[0].line, "", record)]))
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
    beside = [member for member in members if member not in of_records]
    alone = len(of_records) == 1 and len(members) > 1
    said = {
        m.key: m.value
        for m in beside
        if cell(m.value) and not roles_named(m.key).isdisjoint({"dataset", "system"})
    }

    def entries() -> Iterator[Entry]:
        for member in of_records:
            own = said if alone else {"dataset": member.key}
            for record in member.value:
                added = {k: v for k, v in own.items() if k not in record}
                yield Entry(member.line, "", {**added, **record})

    raw = _table_of_records(entries())
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
