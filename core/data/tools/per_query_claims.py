"""Which JSON files hold scores by query: told by the names in them, before they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.data.sources.given import SourceFile
from core.data.sources.json_values import is_json
from core.data.tools.gathered import HEAD_BYTES
from core.data.tools.per_query_metrics import (
    is_anybodys,
    is_measure,
    is_no_measure,
    is_plain_measure,
    is_usual_in_tables,
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
        elif (names := _names(head)) is not None:
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


def _names(head: bytes) -> _Names | None:
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
