"""Which of several files are outputs as text and their references."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Sequence

from core.data.sources.given import SourceFile
from core.data.sources.score_list import read_score_list
from core.data.tables.text import decode_text
from core.data.tools.gathered import HEAD_BYTES
from core.data.tools.gold_words import named_as_gold, named_as_source
from core.data.tools.text_scoring import UNSPACED
from core.errors import DataError

# Tables, JSON and marked-up text are read otherwise, if at all.
_OTHER_ENDINGS = (
    ".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".xml", ".sgm",
    ".sgml", ".html", ".conllu", ".conll", ".bio", ".iob", ".iob2", ".md", ".py", ".log",
)  # fmt: skip
# What archives hold besides.
_ABOUT = re.compile(r"(readme|licen[cs]e|changelog)\b", re.IGNORECASE)
# Parts of names such as "card_arrival" are no words.
_WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LINES_LOOKED_AT = 200
_LEAST_PROSE = 0.5
# Labels of several words repeat; segments do not.
_LEAST_DISTINCT = 0.2
_FEW_LINES = 20
# Lines are labels where those of outputs are mostly gold's own, and gold's are mostly repeated.
_MOST_DISTINCT_LABELS = 0.6
_LEAST_FROM_GOLD = 0.8
# Texts without a name for references are taken for texts where all is as in a set of them.
_LEAST_FILES, _LEAST_LINES = 3, 5
_PACKED_MARKS = (b"PK\x03\x04", b"\x1f\x8b", b"%PDF")


def claims(files: Sequence[SourceFile]) -> list[int]:
    """The positions of texts, where some are references by their names and others are not.

    Where none is, all files have to be texts of the same number of lines: then
    it is to be asked which holds the references.
    """
    able = [position for position, file in enumerate(files) if _may_be_text(file)]
    paths = [files[position].name for position in able]
    gold = {able[index] for index in named_as_gold(paths)}
    source = {able[index] for index in named_as_source(paths)} - gold
    if not gold:
        return able if len(able) == len(files) and _are_parallel(files) else []
    if len(gold) + len(source) == len(able):
        return []
    others = [position for position in able if position not in gold | source]
    if are_labels([files[p] for p in gold], [files[p] for p in others]):
        labels = [files[position] for position in (*gold, *others)]
        return [] if _are_read_otherwise(labels) else sorted({*gold, *others})
    prose = {position for position in able if _is_prose(files[position])}
    gold &= prose
    if not gold or _share_a_header([files[place] for place in sorted(prose)]):
        return []
    sizes = {_n_lines(files[position]) for position in gold}
    outputs = {
        position
        for position in able
        if position not in gold | source
        and (
            position in prose
            # Poor outputs are outputs too.
            or (_n_lines(files[position]) in sizes and _has_words(files[position]))
        )
    }
    return sorted(gold | (source & prose) | outputs) if outputs else []


def are_labels(gold: Sequence[SourceFile], outputs: Sequence[SourceFile]) -> bool:
    """Whether lines are labels: outputs say mostly what gold says, again and again."""
    right = [line for file in gold for line in _first_lines(file, most=None)]
    if not _is_repeated(right) or not outputs or _is_table(right):
        return False
    if not _are_texts(right, n_words=0) or 2 * sum(map(_has_letters, right)) < len(right):
        return False
    labels = set(right)
    return all(
        sum(line in labels for line in said) >= _LEAST_FROM_GOLD * len(said) > 0
        for said in (_first_lines(file, most=None) for file in outputs)
    )


def _has_letters(line: str) -> bool:
    return _LETTERS.search(line) is not None


def _are_read_otherwise(files: Sequence[SourceFile]) -> bool:
    """Whether files are read as lists of values without this tool."""
    try:
        return all(read_score_list(decode_text(file.content)) is not None for file in files)
    except DataError:
        return True


def _are_parallel(files: Sequence[SourceFile]) -> bool:
    """Whether files are texts line by line, of which one may be what others are compared with."""
    if len(files) < _LEAST_FILES or len({_n_lines(file) for file in files}) > 1:
        return False
    held = [_first_lines(file) for file in files]
    return (
        not _share_a_header(files)
        and all(_is_prose(file) for file in files)
        and all(len(lines) >= _LEAST_LINES for lines in held)
        and not any(_is_repeated(lines) or _is_table(lines) for lines in held)
    )


def _is_table(lines: Sequence[str]) -> bool:
    """Whether every line has as many marks between columns as the others."""
    return any(
        len(counts := {line.count(mark) for line in lines}) == 1 and counts != {0} for mark in ",;|"
    )


def _is_repeated(lines: Sequence[str]) -> bool:
    return 0 < len(set(lines)) <= _MOST_DISTINCT_LABELS * len(lines)


def _may_be_text(file: SourceFile) -> bool:
    head = file.content[:HEAD_BYTES]
    return (
        bool(head.strip())
        and not file.name.lower().endswith(_OTHER_ENDINGS)
        and not _ABOUT.match(file.name.rpartition("/")[2])
        and not head.startswith(_PACKED_MARKS)
    )


def _n_lines(file: SourceFile) -> int:
    return file.content.count(b"\n") + (not file.content.endswith(b"\n"))


def _is_prose(file: SourceFile) -> bool:
    """Whether most lines hold several words, and no table, list of labels or JSON."""
    held = _first_lines(file)
    if len(held) >= _FEW_LINES and len(set(held)) < _LEAST_DISTINCT * len(held):
        return False
    return _are_texts(held, n_words=2)


def _has_words(file: SourceFile) -> bool:
    """Whether most lines hold a word or more, be they always the same."""
    return _are_texts(_first_lines(file), n_words=1)


def _first_lines(file: SourceFile, most: int | None = _LINES_LOOKED_AT) -> list[str]:
    """The lines of the beginning that are not blank."""
    try:
        lines = decode_text(_whole_lines(file.content)).text.split("\n")
    except DataError:
        return []
    return [line.strip() for line in lines[:most] if line.strip()]


def _are_texts(held: Sequence[str], *, n_words: int) -> bool:
    if not held or _is_json(held[0]) or 2 * sum("\t" in line for line in held) > len(held):
        return False
    words = sum(
        len(_WORD.findall(line)) >= n_words or len(UNSPACED.findall(line)) >= 4 for line in held
    )
    return words >= _LEAST_PROSE * len(held)


def _whole_lines(content: bytes) -> bytes:
    """The beginning, without the part of a line at its end."""
    if len(content) <= HEAD_BYTES:
        return content
    head = content[:HEAD_BYTES]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head
    return head[: head.rfind(b"\n") + 1] or head


def _is_json(line: str) -> bool:
    if line[0] not in "{[":
        return False
    try:
        json.loads(line)
    except ValueError:
        return line in ("{", "[")
    return True


def _share_a_header(files: Sequence[SourceFile]) -> bool:
    """Whether all files begin with the same line of several columns, as tables do."""
    firsts = {file.content[:HEAD_BYTES].strip().split(b"\n")[0].strip() for file in files}
    only = next(iter(firsts))
    return len(firsts) == 1 and len(files) > 1 and any(mark in only for mark in (b",", b";", b"|"))
