"""Entities in files with one token a line: counted sentence by sentence, by seqeval's rules.

Either every system's file has the gold tags in its last column but one, or a
gold file stands beside files whose last column is what each system said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...errors import DataError, Problem
from ..roles import Roles
from ..sources.given import SourceFile
from ..tables.text import decode_text
from ..words import listed, quoted
from .gathered import Gathered, Scores, Tool, ids_or_numbers, needed
from .gold_files import (
    GOLD_FILE,
    IN_COLUMN,
    Placement,
    gold_choice,
    gold_remark,
    named_as_gold,
    note_gold,
    placed_by,
    settle_gold,
    unlike_units,
)

# As seqeval reads tags in its default mode: the place in the entity before its type.
_TAG = re.compile(r"O|[BIES](-.*)?")
# Of tags with L and U it is said what to do.
_LIKE_TAG = re.compile(r"O|[BIESLU](-.*)?")
_SENTENCE_ID = re.compile(r"#\s*(?:sent_)?id\b\s*=?\s*(\S+)")
_DOCUMENT = "-DOCSTART-"
_MOST_PROBLEMS = 20
_LINES_LOOKED_AT = 400
NAME = "tagged entities (CoNLL-2003 columns)"
_LAST, _BEFORE_LAST = -1, -2
Entities = Callable[[list[str]], list[tuple[str, int, int]]]


@dataclass(frozen=True, slots=True)
class Tagged:
    """One sentence: its id where it has one, the line of each token, and the tokens' columns."""

    id: str
    lines: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]

    @property
    def tokens(self) -> list[str]:
        """The first column."""
        return [cells[0] for cells in self.cells]

    def tags(self, column: int = -1) -> list[str]:
        """One column, by default the last."""
        return [cells[column] for cells in self.cells]


def is_tagged(head: bytes) -> bool:
    """Whether every line of a file's beginning ends in a tag, in as many columns as the others."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.split("\n")[:_LINES_LOOKED_AT]
    if len(lines) > 1 and not head.endswith(b"\n"):
        lines.pop()
    n_columns: int | None = None
    after_blank = has_break = has_type = False
    for line in lines:
        cells = _cells(line)
        if not cells:
            after_blank = n_columns is not None
            continue
        if cells[0] == _DOCUMENT or (line.startswith("#") and not _is_token(cells, n_columns)):
            continue
        if len(cells) < 2 or not _LIKE_TAG.fullmatch(cells[-1]):
            return False
        if n_columns not in (None, len(cells)):
            return False
        n_columns = len(cells)
        has_break = has_break or after_blank
        has_type = has_type or "-" in cells[-1]
    # Without types and breaks between sentences single letters may be anything: answers, say.
    return n_columns is not None and (has_type or has_break)


def read_tagged(content: bytes) -> list[Tagged]:
    """Every sentence of a file; lines that begin documents and comments are passed over.

    Raises
    ------
    DataError
        With a problem for each line that has other columns than the first, or no tag.
    """
    sentences: list[Tagged] = []
    problems: list[Problem] = []
    name = ""
    held: list[tuple[int, tuple[str, ...]]] = []
    n_columns: int | None = None
    for number, line in enumerate([*decode_text(content).text.split("\n"), ""], start=1):
        cells = _cells(line)
        if not cells or cells[0] == _DOCUMENT:
            if held:
                sentences.append(
                    Tagged(name, tuple(n for n, _ in held), tuple(own for _, own in held))
                )
                name, held = "", []
        elif line.startswith("#") and not _is_token(cells, n_columns):
            found = _SENTENCE_ID.match(line)
            name = found[1] if found else name
        elif n_columns not in (None, len(cells)):
            problems.append(_columns_problem(number, len(cells), n_columns))
        elif not _TAG.fullmatch(cells[-1]):
            problems.append(_tag_problem(cells[-1], number))
        else:
            n_columns = len(cells)
            held.append((number, cells))
    if not sentences and not problems:
        problems.append(Problem("There is no sentence.", "Give one token a line, with its tag."))
    if problems:
        raise DataError(problems[:_MOST_PROBLEMS])
    return sentences


def wrong_tags(sentences: Sequence[Tagged], column: int) -> list[Problem]:
    """A problem for each cell of a column that is no tag."""
    return [
        _tag_problem(cells[column], line)
        for one in sentences
        for line, cells in zip(one.lines, one.cells, strict=True)
        if not _TAG.fullmatch(cells[column])
    ][:_MOST_PROBLEMS]


def are_tags(sentences: Sequence[Tagged], column: int) -> bool:
    """Whether every cell of a column is a tag."""
    return not wrong_tags(sentences, column)


def types_of(sentences: Sequence[Tagged], column: int) -> set[str]:
    """The types that a column's tags name."""
    return {tag[2:] for one in sentences for tag in one.tags(column) if tag != "O"}


def _cells(line: str) -> tuple[str, ...]:
    """A line's columns, between tabs where it has any, else between blanks."""
    bare = line.strip("\r\n \ufeff")
    if "\t" in bare:
        return tuple(cell.strip() for cell in bare.split("\t"))
    return tuple(bare.split())


def _is_token(cells: Sequence[str], n_columns: int | None) -> bool:
    """Whether a line that begins with "#" is a token's nevertheless."""
    return cells[0] == "#" and len(cells) == n_columns and bool(_LIKE_TAG.fullmatch(cells[-1]))


def _columns_problem(line: int, n: int, expected: int | None) -> Problem:
    return Problem(
        f"The line has {n} columns, those before it {expected}.",
        "Give every token the same columns, with a blank line between sentences.",
        line=line,
    )


def _tag_problem(tag: str, line: int) -> Problem:
    return Problem(
        f"{quoted(tag)} is no tag of an entity.",
        "Give 'O', or 'B-', 'I-', 'E-' or 'S-' and the type of the entity: in tags that "
        "use 'L-' and 'U-', write 'E-' and 'S-'.",
        line=line,
    )


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file has one token a line and its tag in the last of several columns."""
    return is_tagged(head)


def gather(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Count the entities of each sentence that are right, wrong and missed.

    Raises
    ------
    DataError
        If a file cannot be read, tokens differ, no tags are known as gold, or
        the package seqeval is not installed.
    """
    module = needed(
        "seqeval.metrics.sequence_labeling", package="seqeval", counts="Tagged entities"
    )
    given = gathered.given
    paths = [file.name for file in files]
    read = gathered.read_each(files, lambda file: read_tagged(file.content))
    settled = settle_gold(
        paths,
        given.get("filter"),
        kind="tagged files",
        in_column=_may_hold_gold(paths, read, given),
    )
    gathered.settle("filter", settled.answer, settled.choice)
    gathered.holds = "counts"
    placed = placed_by(settled, paths, whole="entities", gathered=gathered)
    gathered.scores += _counted(placed, paths, read, module.get_entities)
    within = settled.answer == IN_COLUMN
    if not within:
        gathered.remarks.append(gold_remark(placed, paths, settled, "gold"))
    where = "their last column but one" if within else "the gold file's last column"
    gathered.remarks.append(
        f"Gold tags are those of {where}, what a system said is in its file's last column. "
        "Entities are found and compared as seqeval does by default: right are those with the "
        "same tokens and the same type."
    )
    note_gold(placed, paths, gathered)


def _may_hold_gold(paths: Sequence[str], read: Sequence[Sequence[Tagged]], given: Roles) -> bool:
    """Whether the files may have gold tags themselves, in the last column but one.

    Raises
    ------
    DataError
        If that column may as well hold something else, such as chunks, and no
        file is said or named to be gold.
    """
    if not all(len(own[0].cells[0]) >= 3 and are_tags(own, _BEFORE_LAST) for own in read):
        return False
    gold, said = (
        set().union(*(types_of(own, column) for own in read)) for column in (_BEFORE_LAST, _LAST)
    )
    if gold and said and not gold & said:
        if named_as_gold(paths) or str(given.get("filter") or "").startswith(GOLD_FILE):
            return False
        raise DataError.of(
            f"The last column but one has other types, {listed(sorted(gold))}, than "
            f"the last, {listed(sorted(said))}: it holds no gold tags of these entities.",
            "Give the gold tags in that column, or in a file of their own with "
            "'gold' in its name; or say which file is gold.",
            choices=(gold_choice(paths),),
        )
    return True


def _counted(
    placed: Placement,
    paths: Sequence[str],
    read: Sequence[Sequence[Tagged]],
    entities: Entities,
) -> list[Scores]:
    problems: list[Problem] = []
    for dataset, own in placed.systems.items():
        first = (*placed.gold[dataset], *own.values())[0]
        for position in own.values():
            problems += [
                replace(problem, dataset=dataset, file=paths[position])
                for problem in _unlike(
                    read[first], read[position], paths[first], gold=not placed.gold[dataset]
                )
            ]
    if problems:
        raise DataError(problems[:_MOST_PROBLEMS])
    scores = []
    for dataset, own in placed.systems.items():
        first = (*placed.gold[dataset], *own.values())[0]
        column = _LAST if placed.gold[dataset] else _BEFORE_LAST
        right = [set(entities(one.tags(column))) for one in read[first]]
        ids = ids_or_numbers([sentence.id for sentence in read[first]])
        for system, position in own.items():
            said = [set(entities(one.tags())) for one in read[position]]
            pairs = list(zip(right, said, strict=True))
            scores.append(
                Scores(
                    path=paths[position],
                    dataset=dataset,
                    system=system,
                    examples=ids,
                    columns={
                        "tp": [str(len(a & b)) for a, b in pairs],
                        "fp": [str(len(b - a)) for a, b in pairs],
                        "fn": [str(len(a - b)) for a, b in pairs],
                    },
                    lines=[one.lines[0] for one in read[position]],
                )
            )
    return scores


def _unlike(
    first: Sequence[Tagged], own: Sequence[Tagged], path: str, *, gold: bool
) -> list[Problem]:
    """The first place where tokens, or gold tags within files, differ."""
    for number, (a, b) in enumerate(zip(first, own, strict=False), start=1):
        name = quoted(a.id or str(number))
        unlike = unlike_units(a.tokens, b.tokens, where=name, unit="token", path=path)
        if unlike:
            return [
                Problem(
                    f"{unlike[1]}: tags are compared token by token.",
                    "Tag the same tokens in the same order, with a blank line between sentences.",
                    line=b.lines[min(unlike[0], len(b.lines) - 1)],
                )
            ]
        if gold and a.tags(_BEFORE_LAST) != b.tags(_BEFORE_LAST):
            pairs = zip(a.tags(_BEFORE_LAST), b.tags(_BEFORE_LAST), strict=True)
            place_of = next(i for i, (x, y) in enumerate(pairs) if x != y)
            return [
                Problem(
                    f"In sentence {name} the gold tag of {quoted(b.tokens[place_of])} is "
                    f"{quoted(b.tags(_BEFORE_LAST)[place_of])}, in {quoted(path)} "
                    f"{quoted(a.tags(_BEFORE_LAST)[place_of])}.",
                    "Give both systems' files the same gold tags in the last column but one.",
                    line=b.lines[place_of],
                )
            ]
    if len(first) == len(own):
        return []
    return [
        Problem(
            f"It has {len(own):,} sentences, {quoted(path)} has {len(first):,}.",
            "Give the same sentences in the same order, with a blank line between them.",
        )
    ]


ENTITIES = Tool(name=NAME, is_of=is_of, gather=gather)
