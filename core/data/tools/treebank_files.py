"""Sentences and their words out of a file in CoNLL-U, by the package conllu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.data.tables.text import decode_text
from core.data.words import quoted
from core.errors import DataError, Problem

# What follows is not compared; reading it would take longer than all the rest.
_FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the syntax, with the label of its relation as in all languages."""

    form: str
    upos: str
    head: int | None
    deprel: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its id where it has one, its first line, and its words."""

    id: str
    line: int
    words: tuple[Word, ...]


def read_treebank(content: bytes, conllu: Any) -> list[Sentence]:
    """Every sentence of a file in CoNLL-U.

    Raises
    ------
    DataError
        With a problem for each line that cannot be read.
    """
    sentences: list[Sentence] = []
    problems: list[Problem] = []
    block: list[str] = []
    lines = decode_text(content).text.split("\n")
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append(line)
        elif block:
            first = number - len(block)
            try:
                sentences.append(_sentence(block, first, conllu))
            except conllu.exceptions.ParseException:
                problems.append(_broken(block, first, conllu))
            block = []
    if not sentences and not problems:
        problems.append(
            Problem(what="There is no sentence.", remedy="Give a file with words in ten columns.")
        )
    if problems:
        raise DataError(problems[:_MOST_PROBLEMS])
    return sentences


def _sentence(block: Sequence[str], first: int, conllu: Any) -> Sentence:
    tokens = conllu.parse_token_and_metadata("\n".join(block), fields=_FIELDS)
    words = []
    for token in tokens:
        if token["id"] is None or len(token) < len(_FIELDS):
            raise conllu.exceptions.ParseException("No id, or too few columns.")
        if not isinstance(token["id"], int):
            continue
        words.append(
            Word(
                form=token["form"],
                upos=token["upos"],
                head=token["head"],
                # As the shared task does: nsubj:pass counts as nsubj.
                deprel=token["deprel"].partition(":")[0],
            )
        )
    return Sentence(id=str(tokens.metadata.get("sent_id") or ""), line=first, words=tuple(words))


def _broken(block: Sequence[str], first: int, conllu: Any) -> Problem:
    """The first line of a sentence that cannot be read."""
    for number, line in enumerate(block, start=first):
        try:
            _sentence([line], number, conllu)
        except conllu.exceptions.ParseException:
            return Problem(
                what=f"{quoted(' '.join(line.split()))} is no word in CoNLL-U.",
                remedy="Give ten columns with tabs between them: the first a number, the seventh "
                "the number of the head or '_'.",
                line=number,
            )
    raise AssertionError(first)
