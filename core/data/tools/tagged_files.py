"""Sentences out of files with one token a line and tags of entities in its last columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.data.tables.text import decode_text
from core.data.words import quoted
from core.errors import DataError, Problem

# As seqeval reads tags in its default mode: the place in the entity before its type.
_TAG = re.compile(r"O|[BIES](-.*)?")
# Of tags with L and U it is said what to do.
_LIKE_TAG = re.compile(r"O|[BIESLU](-.*)?")
_SENTENCE_ID = re.compile(r"#\s*(?:sent_)?id\b\s*=?\s*(\S+)")
_DOCUMENT = "-DOCSTART-"
_MOST_PROBLEMS = 20
_LINES_LOOKED_AT = 400


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
        problems.append(
            Problem(what="There is no sentence.", remedy="Give one token a line, with its tag.")
        )
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
        what=f"The line has {n} columns, those before it {expected}.",
        remedy="Give every token the same columns, with a blank line between sentences.",
        line=line,
    )


def _tag_problem(tag: str, line: int) -> Problem:
    return Problem(
        what=f"{quoted(tag)} is no tag of an entity.",
        remedy="Give 'O', or 'B-', 'I-', 'E-' or 'S-' and the type of the entity: in tags that "
        "use 'L-' and 'U-', write 'E-' and 'S-'.",
        line=line,
    )
