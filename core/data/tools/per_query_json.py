"""Scores by query in JSON: of ranx, of pytrec_eval, and averages in a report of ranx."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import Choice, DataError, Problem
from ..roles import NAME_ORDERS
from ..sources.given import SourceFile
from ..sources.json_values import (
    Entry,
    cell,
    is_json,
    members_of,
)
from ..sources.name_grid import without_ending
from ..tables.text import decode_text
from ..words import listed, quoted
from .gathered import HEAD_BYTES, Averages, Gathered, Tool
from .trec import (
    QUERIES,
    QueryScores,
    is_anybodys,
    is_measure,
    is_no_measure,
    is_plain_measure,
    is_usual_in_tables,
    lower_is_better,
    name_files,
    stem,
)

# So many names are those of queries; fewer may as well be datasets, of which these are averages.
MANY = 30
_NAME = rb'"((?:[^"\\]|\\.)*)"'
_OBJECT = rb"\s*\{\s*"
_VALUE = rb"(?:-?[0-9]|null|NaN)"
_NESTED = re.compile(_OBJECT + _NAME + rb"\s*:" + _OBJECT + _NAME + rb"\s*:\s*" + _VALUE)
_OF_SYSTEMS = re.compile(
    _OBJECT + _NAME + rb"\s*:" + _OBJECT + rb'"scores"\s*:' + _OBJECT + _NAME + rb"\s*:" + _OBJECT
)
_REPORT_NAMES = (b'"metrics"', b'"model_names"', b'"scores"', b'"comparisons"')
_NAMED = re.compile(_NAME + rb"\s*:\s*(\{)?")
KIND = "scores by query (JSON of ranx or pytrec_eval)"
_EACH_A_DATASET, _EACH_A_QUERY = NAME_ORDERS[2], NAME_ORDERS[3]
_SHAPE = (
    "Write scores by query as {measure: {query: score}}, {query: {measure: score}} or "
    "{system: {'scores': {measure: {query: score}}}}."
)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names at a file's start: the measures and what they were taken of."""

    measures: tuple[str, ...]
    others: tuple[str, ...]
    # Whether each measure stands once, with everything that it was taken of inside.
    measures_outside: bool

    @property
    def kinds(self) -> set[tuple[str, bool]]:
        return {(measure, self.measures_outside) for measure in self.measures}

    @property
    def is_plain(self) -> bool:
        return any(map(is_plain_measure, self.measures))

    @property
    def are_many(self) -> bool:
        return len(self.others) >= MANY


def claims(files: Sequence[SourceFile]) -> list[int]:
    """The positions of files that say themselves what they are, and of several of one kind.

    One file with measures and few names alone may as well be a table of
    systems, which the usual layouts read.
    """
    sure: list[int] = []
    likely: list[int] = []
    named: dict[int, _Names] = {}
    for position, file in enumerate(files):
        head = file.content[:HEAD_BYTES]
        if not is_json(head):
            continue
        if all(name in head for name in _REPORT_NAMES) or _OF_SYSTEMS.match(head):
            sure.append(position)
        elif (names := _names_in(head)) is not None:
            named[position] = names
            alone = names.are_many and (names.is_plain or names.measures_outside)
            if alone and not only_anybodys(names.measures):
                sure.append(position)
            elif _is_likely(names):
                likely.append(position)
    if len(likely) + len(sure) < 2:
        likely = []
    held = {*sure, *likely}
    # A shorter file is of the same kind as those that its measures stand in as well.
    kinds = {kind for position in held & named.keys() for kind in named[position].kinds}
    held |= {position for position, names in named.items() if names.kinds & kinds}
    return sorted(held)


def only_anybodys(measures: Iterable[str]) -> bool:
    """Whether no measure's name says that it is one of retrieval."""
    return all(is_anybodys(measure) for measure in measures)


def _is_likely(names: _Names) -> bool:
    """Whether one of several files with these names is of this kind."""
    if names.is_plain:
        return True
    if not names.are_many:
        return False
    return names.measures_outside or not all(map(is_usual_in_tables, names.measures))


def _names_in(head: bytes) -> _Names | None:
    """The names at a file's start, None where none of them is a measure's."""
    if _NESTED.match(head) is None:
        return None
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for name, opens in _NAMED.findall(head):
        found[0 if opens else 1][name.decode("utf-8", "replace")] = None
    outer, inner = (tuple(names) for names in found)
    outer_are, inner_are = (
        any(map(is_plain_measure, names)) or (bool(names) and all(map(_is_printed, names)))
        for names in (outer, inner)
    )
    if outer_are == inner_are or not any(map(is_measure, outer if outer_are else inner)):
        return None
    return _Names(outer, inner, True) if outer_are else _Names(inner, outer, False)


def _is_printed(name: str) -> bool:
    """Whether trec_eval or another tool prints something under this name."""
    return is_measure(name) or is_no_measure(name)


@dataclass(slots=True)
class _Block(QueryScores):
    """One system's scores by query, in one file."""

    # Whether its file says that names are those of queries.
    is_sure: bool = False


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    blocks: list[_Block] = []
    compared: list[str] = []

    def take(file: SourceFile) -> None:
        members = members_of(decode_text(file.content).text, _SHAPE)
        if not _is_report(members):
            blocks.extend(_blocks(file, members))
            return
        found.averages.extend(_report(file, members))
        if _has_p_values(members):
            compared.append(file.name)

    found.read_each(files, take)
    question, answer = _question(blocks), found.given.get("name_order")
    if question is not None and answer is None:
        raise DataError([_open_problem(blocks)], choices=(question,))
    if question is not None and answer == _EACH_A_DATASET:
        found.averages.extend(one for block in blocks for one in _averages(block))
    elif blocks:
        pairs = _names(blocks, found)
        found.scores += [block.scores(*pair) for block, pair in zip(blocks, pairs, strict=True)]
    if question is not None:
        # It says more than how the files' names were read.
        found.choices = [question]
        if answer in (_EACH_A_DATASET, _EACH_A_QUERY):
            found.roles["name_order"] = answer
    measures = [measure for block in blocks for measure in block.cells]
    measures += [measure for one in found.averages for measure in one.scores]
    found.higher_is_better = {measure: not lower_is_better(measure) for measure in measures}
    found.remarks += _on_p_values(compared)


def _is_report(members: Sequence[Entry]) -> bool:
    """Whether it is what ranx.Report.save writes: averages of each system, with comparisons."""
    names = {member.key: member.value for member in members}
    systems = names.get("model_names")
    if not isinstance(systems, list) or not systems:
        return False
    first = names.get(str(systems[0]))
    scores = first.get("scores") if isinstance(first, dict) else None
    return isinstance(scores, dict) and all(cell(score) is not None for score in scores.values())


def _report(file: SourceFile, members: Sequence[Entry]) -> list[Averages]:
    named = {member.key: member for member in members}
    dataset = without_ending(file.name)
    found = []
    for system in named["model_names"].value:
        member = named.get(str(system))
        scores = member.value.get("scores") if member and isinstance(member.value, dict) else None
        if member is None or not isinstance(scores, dict):
            raise _refused(
                f"The report names the system {quoted(str(system))} and holds no scores of it.",
                named["model_names"].line,
            )
        cells = {measure: cell(score) or "" for measure, score in scores.items()}
        found.append(
            Averages(
                path=file.name,
                dataset=dataset,
                system=str(system),
                scores=cells,
                line=member.line,
            )
        )
    return found


def _has_p_values(members: Sequence[Entry]) -> bool:
    """Whether a report says how its systems' differences were tested."""
    held = [member.value for member in members if isinstance(member.value, dict)]
    return any(value.get("comparisons") for value in held)


def _on_p_values(paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    return [
        f"The p-values in ranx's 'comparisons' are not read: {listed(paths)}. The scores are read "
        "as averages; for tests, give the scores by query, or a table with the p-values of one "
        "pair of systems."
    ]


def _blocks(file: SourceFile, members: Sequence[Entry]) -> list[_Block]:
    """The scores of a file, of whichever of the three shapes."""
    systems = [
        member for member in members if isinstance(member.value, dict) and "scores" in member.value
    ]
    if systems and all(isinstance(member.value["scores"], dict) for member in systems):
        return [_of_system(file, member) for member in systems]
    problems = [
        _problem(f"{quoted(member.key)} holds no scores by name.", member.line)
        for member in members
        if not isinstance(member.value, dict)
    ]
    if problems:
        raise DataError(problems[:MANY])
    block = _Block(path=file.name)
    outer_are_measures = all(is_measure(member.key) for member in members)
    for member in members:
        for inner, score in member.value.items():
            measure, query = (member.key, inner) if outer_are_measures else (inner, member.key)
            _put(block, measure, query, score, member.line)
    return [block]


def _of_system(file: SourceFile, member: Entry) -> _Block:
    block = _Block(path=file.name, system=member.key, is_sure=True)
    for measure, scores in member.value["scores"].items():
        if not isinstance(scores, dict):
            what = f"{quoted(measure)} of {quoted(member.key)} is one number, not a score by query."
            raise _refused(what, member.line)
        for query, score in scores.items():
            _put(block, measure, query, score, member.line)
    return block


def _put(block: _Block, measure: str, query: str, score: Any, line: int) -> None:
    if is_no_measure(measure):
        return
    text = cell(score)
    if text is None:
        what = f"{quoted(measure)} of the query {quoted(query)} is no number."
        raise _refused(what, line)
    # A measure that is not defined for a query has no score there.
    held = "" if text in ("NaN", "Infinity", "-Infinity") else text
    block.cells.setdefault(measure, {})[query.strip()] = held
    block.lines.setdefault(query.strip(), line)


def _question(blocks: Sequence[_Block]) -> Choice | None:
    """Whether few names are those of queries or of datasets, where no file says it."""
    unsure = [block for block in blocks if not block.is_sure]
    names = _names_of(unsure)
    measures = {measure for block in unsure for measure in block.cells}
    if not unsure or (len(names) >= MANY and not only_anybodys(measures)):
        return None
    return Choice(
        role="name_order",
        question=f"What do the names in the JSON, such as {listed(names[:2])}, stand for?",
        options=(
            (_EACH_A_QUERY, "Each is a query of one dataset, and each file is a system"),
            (_EACH_A_DATASET, "Each is a dataset, with a system's average, and each file a system"),
        ),
    )


def _open_problem(blocks: Sequence[_Block]) -> Problem:
    names = _names_of([block for block in blocks if not block.is_sure])
    return Problem(
        f"The scores stand under {len(names):,} names, such as {listed(names[:2])}, which "
        "may be queries or datasets.",
        "Say which they are.",
        answered_by="name_order",
    )


def _names_of(blocks: Sequence[_Block]) -> list[str]:
    return list(dict.fromkeys(name for block in blocks for name in block.lines))


def _names(blocks: Sequence[_Block], found: Gathered) -> list[tuple[str, str]]:
    """Dataset and system of each block: files that hold several systems are datasets."""
    named = [block for block in blocks if block.system]
    if not named:
        return name_files(blocks, found)
    paths = list(dict.fromkeys(block.path for block in named))
    systems = [block.system for block in named]
    stem_of = stem if len(paths) > 1 and len(set(systems)) < len(systems) else _queries
    return [(stem_of(block.path), block.called) for block in blocks]


def _queries(path: str) -> str:
    return QUERIES


def _averages(block: _Block) -> list[Averages]:
    """Each name as a dataset."""
    return [
        Averages(
            path=block.path,
            dataset=name,
            system=block.called,
            scores={m: cells[name] for m, cells in block.cells.items() if name in cells},
            line=line,
        )
        for name, line in block.lines.items()
    ]


def _problem(what: str, line: int) -> Problem:
    return Problem(what, _SHAPE, line=line)


def _refused(what: str, line: int) -> DataError:
    return DataError([_problem(what, line)])


PER_QUERY_JSON = Tool(
    name=KIND, is_of=lambda file, head: bool(claims([file])), gather=_gather, claims=claims
)
