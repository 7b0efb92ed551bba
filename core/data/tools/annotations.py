"""Sentences annotated token by token, systems' beside gold: entities in columns, and treebanks.

Of entities either every system's file has the gold tags in its last column but one, or a gold
file comes with files whose last column is what each system said; they are counted by
seqeval's rules. Words of treebanks in CoNLL-U are those of the syntax: ranges of tokens such as
3-4 and empty nodes such as 5.1 are passed over, as in the evaluation of the CoNLL 2018 shared
task.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

from ...errors import DataError, Problem, listed, quoted
from ..roles import Roles
from ..sources.given import SourceFile
from ..sources.gold_files import (
    GOLD_FILE,
    IN_COLUMN,
    Placement,
    check_one_gold,
    gold_choice,
    gold_remark,
    named_as_gold,
    place,
    settle_gold,
)
from ..tables.limits import stop_at
from ..tables.text import decode_text
from .gathered import Gathered, Scores, Tool, each, first_lines, needed


class _Sentence(NamedTuple):
    """One sentence: its id where it has one, its lines, and its tokens, each with what it was given."""

    id: str
    lines: tuple[int, ...]
    tokens: tuple[Any, ...]

    def column(self, place: int) -> list[Any]:
        return [token[place] for token in self.tokens]


# Each gold sentence with a system's.
_Pairs = Sequence[tuple[_Sentence, _Sentence]]
# Type, first and last token.
_Entity = tuple[str, int, int]


def _check_alike(
    placed: Placement,
    paths: Sequence[str],
    read: Sequence[Sequence[_Sentence]],
    problems: Sequence[Problem] = (),
    *,
    same_gold: bool = False,
) -> None:
    """Raise a `DataError` with these problems and where files of a dataset differ in their words.

    With `same_gold` each has the gold tags itself, which may not differ either.
    """
    unlike = [
        replace(problem, dataset=dataset, file=paths[position])
        for dataset, first, own in _beside_first(placed)
        for position in own.values()
        for problem in _unlike(read[first], read[position], paths[first], same_gold=same_gold)
    ]
    stop_at([*problems, *unlike])


def _scores(
    placed: Placement,
    paths: Sequence[str],
    read: Sequence[Sequence[_Sentence]],
    counted: Callable[[_Pairs], Mapping[str, list[str]]],
) -> Iterator[Scores]:
    """A row a sentence, with the columns that are counted of each gold sentence and a system's."""
    for dataset, first, own in _beside_first(placed):
        ids = [sentence.id for sentence in read[first]]
        if "" in ids or len(set(ids)) < len(ids):
            ids = [str(number) for number in range(1, len(ids) + 1)]
        for system, position in own.items():
            pairs = _by_ids(read[first], read[position])
            yield Scores(
                path=paths[position],
                dataset=dataset,
                system=system,
                examples=ids,
                columns=counted(pairs),
                lines=[said.lines[0] for _, said in pairs],
            )


def _beside_first(placed: Placement) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Each dataset with the file that others are compared with, gold or the first, and the systems'."""
    for dataset, own in placed.systems.items():
        yield dataset, (*placed.gold[dataset], *own.values())[0], own


def _unlike(
    first: Sequence[_Sentence], own: Sequence[_Sentence], path: str, *, same_gold: bool
) -> Iterator[Problem]:
    """The first place where what has to be the same in both files is not."""
    for number, (a, b) in enumerate(_by_ids(first, own), start=1):
        where = quoted(a.id or str(number))
        here, there = b.column(0), a.column(0)
        if here != there:
            shorter = min(len(here), len(there))
            place = next((i for i in range(shorter) if here[i] != there[i]), shorter)
            said, right = (
                quoted(units[place]) if place < len(units) else "no word" for units in (here, there)
            )
            yield Problem(
                f"In sentence {where}, word {place + 1} is {said}, in {quoted(path)} {right}: words "
                "are compared one by one.",
                "Give the same words in the same order, without cutting the text anew, and a blank "
                "line between sentences.",
                line=b.lines[min(place, len(b.lines) - 1)],
            )
            return
        problem = _other_gold(a, b, where, path) if same_gold else None
        if problem:
            yield problem
            return
    if len(first) != len(own):
        yield Problem(
            f"It has {len(own):,} sentences, {quoted(path)} has {len(first):,}.",
            "Give the same sentences, in the same order or with the same ids, with a blank line "
            "between them.",
        )


# As seqeval reads tags in its default mode: the place in the entity before its type.
_TAG = re.compile(r"O|[BIES](-.*)?")
# Tags with L and U are refused with what to do.
_LIKE_TAG = re.compile(r"O|[BIESLU](-.*)?")
_SENTENCE_ID = re.compile(r"#\s*(?:sent_)?id\b\s*=?\s*(\S+)")
_DOCUMENT = "-DOCSTART-"
_LINES_LOOKED_AT = 400
_LAST, _BEFORE_LAST = -1, -2


def _is_tagged(file: SourceFile, _: bytes) -> bool:
    """Whether every line of a file's beginning ends in a tag, in as many columns as the others."""
    n_columns: int | None = None
    after_blank = has_break = has_type = False
    for line in first_lines(file)[:_LINES_LOOKED_AT]:
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


def _read_tagged(file: SourceFile) -> list[_Sentence]:
    """Every sentence of a file; lines that begin documents and comments are passed over."""
    sentences: list[_Sentence] = []
    problems: list[Problem] = []
    name = ""
    held: list[tuple[int, tuple[str, ...]]] = []
    n_columns: int | None = None
    for number, line in enumerate([*decode_text(file.content).text.split("\n"), ""], start=1):
        cells = _cells(line)
        if not cells or cells[0] == _DOCUMENT:
            if held:
                numbers, tokens = zip(*held, strict=True)
                sentences.append(_Sentence(name, numbers, tokens))
                name, held = "", []
        elif line.startswith("#") and not _is_token(cells, n_columns):
            found = _SENTENCE_ID.match(line)
            name = found[1] if found else name
        elif n_columns not in (None, len(cells)):
            problems.append(
                Problem(
                    f"The line has {len(cells)} columns, those before it {n_columns}.",
                    "Give every token the same columns, with a blank line between sentences.",
                    line=number,
                )
            )
        elif not _TAG.fullmatch(cells[-1]):
            problems.append(
                Problem(
                    f"{quoted(cells[-1])} is no tag of an entity.",
                    "Give 'O', or 'B-', 'I-', 'E-' or 'S-' and the type of the entity: in tags "
                    "that use 'L-' and 'U-', write 'E-' and 'S-'.",
                    line=number,
                )
            )
        else:
            n_columns = len(cells)
            held.append((number, cells))
    if not sentences and not problems:
        problems.append(Problem("There is no sentence.", "Give one token a line, with its tag."))
    stop_at(problems, of="lines")
    return sentences


def _cells(line: str) -> tuple[str, ...]:
    """A line's columns, between tabs where it has any, else between blanks."""
    bare = line.strip("\r\n \ufeff")
    if "\t" in bare:
        return tuple(cell.strip() for cell in bare.split("\t"))
    return tuple(bare.split())


def _is_token(cells: Sequence[str], n_columns: int | None) -> bool:
    """Whether a line that begins with "#" is a token's nevertheless."""
    return cells[0] == "#" and len(cells) == n_columns and bool(_LIKE_TAG.fullmatch(cells[-1]))


def _gather_entities(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Count the entities of each sentence that are right, wrong and missed."""
    module = needed(
        "seqeval.metrics.sequence_labeling", package="seqeval", counts="Tagged entities"
    )
    paths = [file.name for file in files]
    read = gathered.read_each(files, _read_tagged)
    settled = settle_gold(
        paths,
        gathered.given.get("filter"),
        kind="tagged files",
        in_column=_may_hold_gold(paths, read, gathered.given),
    )
    gathered.settle("filter", settled.answer, settled.choice)
    gathered.holds = "counts"
    placed = place(
        paths, gold=settled.gold, systems=settled.systems, whole="entities", answers=gathered
    )
    check_one_gold(placed.gold, paths)
    within = settled.answer == IN_COLUMN
    _check_alike(placed, paths, read, same_gold=within)

    # Most of a system's sentences are tagged as in the gold file, with which all systems are compared.
    @cache
    def entities(tags: tuple[str, ...]) -> frozenset[_Entity]:
        return frozenset(module.get_entities(list(tags)))

    def counted(pairs: _Pairs) -> dict[str, list[str]]:
        gold = _BEFORE_LAST if within else _LAST
        found = [
            (entities(tuple(a.column(gold))), entities(tuple(b.column(_LAST)))) for a, b in pairs
        ]
        return {
            "tp": [str(len(a & b)) for a, b in found],
            "fp": [str(len(b - a)) for a, b in found],
            "fn": [str(len(a - b)) for a, b in found],
        }

    gathered.scores += _scores(placed, paths, read, counted)
    if not within:
        gathered.remarks.append(gold_remark(placed, paths, settled, "gold"))
    where = "their last column but one" if within else "the gold file's last column"
    gathered.remarks.append(
        f"Gold tags are those of {where}, what a system said is in its file's last column. "
        "Entities are found and compared as seqeval does by default: right are those with the "
        "same tokens and the same type."
    )
    gathered.note_gold(placed, paths)


def _may_hold_gold(paths: Sequence[str], read: Sequence[Sequence[_Sentence]], given: Roles) -> bool:
    """Whether the files may have gold tags themselves, in the last column but one, and not something else."""
    if not all(
        len(own[0].tokens[0]) >= 3
        and all(_TAG.fullmatch(tag) for one in own for tag in one.column(_BEFORE_LAST))
        for own in read
    ):
        return False
    gold, said = (
        {tag[2:] for own in read for one in own for tag in one.column(place) if tag != "O"}
        for place in (_BEFORE_LAST, _LAST)
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
    further = {
        cells[_BEFORE_LAST - 1] for own in read for one in own for cells in one.tokens if cells[3:]
    }
    if gold and {tag[2:] for tag in further if _TAG.fullmatch(tag)} - {""} >= gold & said:
        raise DataError.of(
            "The last three columns hold tags of the same types: it is not clear which of them are "
            "the gold tags.",
            "Give one file for each system, with the gold tags in its last column but one, or "
            "with the gold tags in a file of their own.",
        )
    return True


def _other_gold(first: _Sentence, own: _Sentence, where: str, path: str) -> Problem | None:
    """The first token whose gold tag is not that of the first file."""
    tags = zip(first.column(_BEFORE_LAST), own.column(_BEFORE_LAST), strict=True)
    for number, (right, said) in enumerate(tags):
        if right != said:
            return Problem(
                f"In sentence {where} the gold tag of {quoted(own.tokens[number][0])} is "
                f"{quoted(said)}, in {quoted(path)} {quoted(right)}.",
                "Give both systems' files the same gold tags in the last column but one.",
                line=own.lines[number],
            )
    return None


ENTITIES = Tool(
    name="tagged entities (CoNLL-2003 columns)", claims=each(_is_tagged), gather=_gather_entities
)


_ENDINGS = (".conllu", ".conllu.txt")
_ID = re.compile(r"0|[1-9][0-9]*(-[1-9][0-9]*)?|[0-9]+\.[1-9][0-9]*")
# Some parsers write -1 for a word that they give no head.
_HEAD = re.compile(r"0|-?[1-9][0-9]*|_")
_OWN_ID = re.compile(r"#\s*sent_id\s*=\s*(.+)")
# In some files wide spaces stand for tabs.
_BETWEEN = re.compile(r"\t| {2,}")
# What stands behind the label of the relation is not compared.
_N_COLUMNS, _N_COMPARED = 10, 8
_NOTHING = "_"


class _Word(NamedTuple):
    """One word of the syntax, with the label of its relation as in all languages."""

    form: str
    upos: str
    head: int | None
    deprel: str


def _read_treebank(file: SourceFile) -> list[_Sentence]:
    """Every sentence of a file in CoNLL-U."""
    sentences: list[_Sentence] = []
    problems: list[Problem] = []
    name, first = "", 0
    words: list[_Word] = []
    for number, raw in enumerate([*decode_text(file.content).text.split("\n"), ""], start=1):
        line = raw.strip()
        first = first or number
        cells = _BETWEEN.split(line)
        begins, _, ends = cells[0].partition("-")
        if not line:
            if first < number:
                sentences.append(_Sentence(name, (first,), tuple(words)))
            name, first, words = "", 0, []
        elif line.startswith("#"):
            found = _OWN_ID.match(line)
            name = found[1] if found else name
        elif (
            len(cells) < _N_COMPARED
            or not _ID.fullmatch(cells[0])
            or not _HEAD.fullmatch(cells[6])
            # No token is of words from the last to the first: '3-2'.
            or (ends and int(ends) < int(begins))
        ):
            problems.append(
                Problem(
                    f"{quoted(' '.join(line.split()))} is no word in CoNLL-U.",
                    "Give ten columns with tabs between them: the first a number, the seventh "
                    "the number of the head or '_'.",
                    line=number,
                )
            )
        elif cells[0].isdecimal():
            head = None if cells[6] == _NOTHING else int(cells[6])
            # As the shared task does: nsubj:pass counts as nsubj.
            words.append(_Word(cells[1], cells[3], head, cells[7].partition(":")[0]))
    if not sentences and not problems:
        problems.append(Problem("There is no sentence.", "Give a file with words in ten columns."))
    stop_at(problems, of="lines")
    return sentences


def _is_treebank(file: SourceFile, _: bytes) -> bool:
    """Whether a file is a treebank: by its ending, or by ten columns as they should be."""
    if file.name.lower().endswith(_ENDINGS):
        return True
    for line in first_lines(file):
        cells = line.rstrip("\r").split("\t")
        if not cells[0].strip() or cells[0].startswith("#"):
            continue
        return (
            len(cells) == _N_COLUMNS
            and _ID.fullmatch(cells[0]) is not None
            and _HEAD.fullmatch(cells[6]) is not None
        )
    return False


def _gather_treebanks(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Count the words that each parser tagged and attached as the gold treebank does."""
    paths = [file.name for file in files]
    settled = settle_gold(paths, gathered.given.get("filter"), kind="treebanks")
    read = gathered.read_each(files, _read_treebank)
    gathered.settle("filter", settled.answer, settled.choice)
    placed = place(
        paths, gold=settled.gold, systems=settled.systems, whole="treebank", answers=gathered
    )
    check_one_gold(placed.gold, paths)
    gathered.remarks.append(gold_remark(placed, paths, settled, "gold"))
    gathered.holds = "counts"
    headless = [
        Problem(
            f"The word {quoted(word.form)} of the gold treebank has no head.",
            "Give every word of the gold treebank a head, or none.",
            file=paths[gold],
            line=sentence.lines[0],
        )
        for (gold, *_) in placed.gold.values()
        if _have_heads(read[gold])
        for sentence in read[gold]
        for word in sentence.tokens
        if word.head is None
    ]
    _check_alike(placed, paths, read, headless)
    used = {position for gold in placed.gold.values() for position in gold}
    used |= {position for own in placed.systems.values() for position in own.values()}
    heads, tags = (all(held(read[p]) for p in used) for held in (_have_heads, _have_tags))
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
    metrics = ("LAS", "UAS") * heads + ("UPOS",) * tags
    gathered.scores += _scores(placed, paths, read, partial(_count_words, metrics))
    gathered.remarks.append(
        "Words are compared one by one, ranges of tokens and empty nodes passed over; LAS compares "
        "relations without their subtypes, as the CoNLL 2018 shared task does."
    )
    gathered.note_gold(placed, paths)


def _by_ids(gold: Sequence[_Sentence], said: Sequence[_Sentence]) -> _Pairs:
    """Each gold sentence with a system's: by their ids where both have the same, else in order."""
    own = {sentence.id: sentence for sentence in said}
    ids = {sentence.id for sentence in gold}
    if "" not in ids and len(ids) == len(gold) and len(own) == len(said) and own.keys() == ids:
        return [(sentence, own[sentence.id]) for sentence in gold]
    return list(zip(gold, said, strict=False))


def _have_heads(sentences: Sequence[_Sentence]) -> bool:
    return any(word.head is not None for one in sentences for word in one.tokens)


def _have_tags(sentences: Sequence[_Sentence]) -> bool:
    return any(word.upos != _NOTHING for one in sentences for word in one.tokens)


def _count_words(metrics: Sequence[str], pairs: _Pairs) -> dict[str, list[str]]:
    columns: dict[str, list[str]] = {
        f"{metric}_{what}": [] for metric in metrics for what in ("correct", "total")
    }
    for right, own in pairs:
        both = list(zip(right.tokens, own.tokens, strict=True))
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


TREEBANKS = Tool(name="treebanks in CoNLL-U", claims=each(_is_treebank), gather=_gather_treebanks)
