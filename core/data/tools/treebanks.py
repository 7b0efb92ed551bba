"""Treebanks in CoNLL-U: a gold one and several parsers', counted word by word.

Words are those of the syntax: ranges of tokens such as 3-4 and empty nodes such
as 5.1 are passed over, as in the evaluation of the CoNLL 2018 shared task.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..tables.text import decode_text
from ..words import quoted
from .gathered import Gathered, Scores, Tool, ids_or_numbers, needed
from .gold_files import (
    Placement,
    gold_remark,
    note_gold,
    placed_by,
    settle_gold,
    unlike_units,
)

# What follows is not compared; reading it would take longer than all the rest.
_FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
_MOST_PROBLEMS = 20
NAME = "treebanks in CoNLL-U"
METRICS = ("LAS", "UAS", "UPOS")
_ENDINGS = (".conllu", ".conllu.txt")
_ID = re.compile(r"\d+([-.]\d+)?")
_HEAD = re.compile(r"\d+|_")
_N_COLUMNS = 10
_NOTHING = "_"


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
        problems.append(Problem("There is no sentence.", "Give a file with words in ten columns."))
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
                f"{quoted(' '.join(line.split()))} is no word in CoNLL-U.",
                "Give ten columns with tabs between them: the first a number, the seventh "
                "the number of the head or '_'.",
                line=number,
            )
    raise AssertionError(first)


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file is a treebank: by its ending, or by ten columns as they should be."""
    if file.name.lower().endswith(_ENDINGS):
        return True
    for line in head.split(b"\n"):
        cells = line.decode("utf-8", "replace").rstrip("\r").removeprefix("\ufeff").split("\t")
        if not cells[0].strip() or cells[0].startswith("#"):
            continue
        return (
            len(cells) == _N_COLUMNS
            and _ID.fullmatch(cells[0]) is not None
            and _HEAD.fullmatch(cells[6]) is not None
        )
    return False


def gather(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Count the words that each parser tagged and attached as the gold treebank does.

    Raises
    ------
    DataError
        If a file cannot be read, words differ, no file is named as gold, or the
        package conllu is not installed.
    """
    conllu = needed("conllu", package="conllu", counts="Words of treebanks in CoNLL-U")
    paths = [file.name for file in files]
    settled = settle_gold(paths, gathered.given.get("filter"), kind="treebanks")
    read = gathered.read_each(files, lambda file: read_treebank(file.content, conllu))
    gathered.settle("filter", settled.answer, settled.choice)
    placed = placed_by(settled, paths, whole="treebank", gathered=gathered)
    gathered.remarks.append(gold_remark(placed, paths, settled, "gold"))
    gathered.holds = "counts"
    _count(placed, paths, read, gathered)
    note_gold(placed, paths, gathered)


def _count(
    placed: Placement,
    paths: Sequence[str],
    read: Sequence[Sequence[Sentence]],
    gathered: Gathered,
) -> None:
    problems: list[Problem] = []
    for dataset, own in placed.systems.items():
        gold = placed.gold[dataset][0]
        problems += [
            Problem(
                f"The word {quoted(word.form)} of the gold treebank has no head.",
                "Give every word of the gold treebank a head, or none.",
                file=paths[gold],
                line=sentence.line,
            )
            for sentence in read[gold]
            for word in sentence.words
            if word.head is None and _has_heads(read[gold])
        ][:_MOST_PROBLEMS]
        for position in own.values():
            problems += [
                replace(problem, dataset=dataset, file=paths[position])
                for problem in _unlike(read[gold], read[position], paths[gold])
            ]
    if problems:
        raise DataError(problems[:_MOST_PROBLEMS])
    metrics = _metrics(placed, read, gathered)
    for dataset, own in placed.systems.items():
        gold_sentences = read[placed.gold[dataset][0]]
        ids = ids_or_numbers([sentence.id for sentence in gold_sentences])
        for system, position in own.items():
            pairs = _pairs(gold_sentences, read[position])
            gathered.scores.append(
                Scores(
                    path=paths[position],
                    dataset=dataset,
                    system=system,
                    examples=ids,
                    columns=_columns(pairs, metrics),
                    lines=[said.line for _, said in pairs],
                )
            )
    gathered.remarks.append(
        "Words are compared one by one, ranges of tokens and empty nodes passed over; LAS compares "
        "relations without their subtypes, as the CoNLL 2018 shared task does."
    )


def _pairs(gold: Sequence[Sentence], said: Sequence[Sentence]) -> list[tuple[Sentence, Sentence]]:
    """Each gold sentence with the parser's: by their ids where both have the same, else in order."""
    own = {sentence.id: sentence for sentence in said}
    ids = {sentence.id for sentence in gold}
    if "" not in ids and len(ids) == len(gold) and len(own) == len(said) and own.keys() == ids:
        return [(sentence, own[sentence.id]) for sentence in gold]
    return list(zip(gold, said, strict=False))


def _unlike(gold: Sequence[Sentence], said: Sequence[Sentence], path: str) -> list[Problem]:
    """Where a parser's words are not those of the gold treebank."""
    for number, (right, own) in enumerate(_pairs(gold, said), start=1):
        unlike = unlike_units(
            [word.form for word in right.words],
            [word.form for word in own.words],
            where=quoted(right.id or str(number)),
            unit="word",
            path=path,
        )
        if unlike:
            return [
                Problem(
                    f"{unlike[1]}: words are compared one by one.",
                    "Parse the gold treebank's own words, without cutting the text anew.",
                    line=own.line,
                )
            ]
    if len(gold) == len(said):
        return []
    return [
        Problem(
            f"It has {len(said):,} sentences, {quoted(path)} has {len(gold):,}.",
            "Parse the same sentences, in the same order or with the same 'sent_id'.",
        )
    ]


def _has_heads(sentences: Sequence[Sentence]) -> bool:
    return any(word.head is not None for one in sentences for word in one.words)


def _has_tags(sentences: Sequence[Sentence]) -> bool:
    return any(word.upos != _NOTHING for one in sentences for word in one.words)


def _metrics(
    placed: Placement, read: Sequence[Sequence[Sentence]], gathered: Gathered
) -> tuple[str, ...]:
    """What every file holds, and why the rest is left out."""
    used = {p for gold in placed.gold.values() for p in gold}
    used |= {p for own in placed.systems.values() for p in own.values()}
    heads = all(_has_heads(read[position]) for position in used)
    tags = all(_has_tags(read[position]) for position in used)
    if not heads and not tags:
        raise DataError.of(
            "Some files hold no heads and some no tags: nothing can be compared.",
            "Give files that hold what the gold treebank holds.",
        )
    if not heads:
        gathered.remarks.append("LAS and UAS are left out: some file holds no heads.")
    if not tags:
        gathered.remarks.append(
            "UPOS is left out: some file holds no universal part-of-speech tags."
        )
    return (*(METRICS[:2] if heads else ()), *(METRICS[2:] if tags else ()))


def _columns(
    pairs: Sequence[tuple[Sentence, Sentence]], metrics: Sequence[str]
) -> Mapping[str, list[str]]:
    columns: dict[str, list[str]] = {
        f"{metric}_{what}": [] for metric in metrics for what in ("correct", "total")
    }
    for right, own in pairs:
        both = list(zip(right.words, own.words, strict=True))
        attached = [(a, b) for a, b in both if a.head == b.head]
        correct = {
            "LAS": sum(a.deprel == b.deprel for a, b in attached),
            "UAS": len(attached),
            "UPOS": sum(a.upos == b.upos for a, b in both),
        }
        for metric in metrics:
            columns[f"{metric}_correct"].append(str(correct[metric]))
            columns[f"{metric}_total"].append(str(len(both)))
    return columns


TREEBANKS = Tool(name=NAME, is_of=is_of, gather=gather)
