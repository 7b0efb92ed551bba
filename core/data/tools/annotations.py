"""Sentences annotated token by token, systems' beside gold: entities in columns, and treebanks.

Of entities either every system's file has the gold tags in its last column but one, or a gold
file comes with files whose last column is what each system said; they are counted by
seqeval's rules. Words of treebanks in CoNLL-U are those of the syntax: ranges of tokens such as
3-4 and empty nodes such as 5.1 are passed over, as in the evaluation of the CoNLL 2018 shared
task.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from ...errors import DataError, Problem, quoted, stop_at
from ..sources.files import SourceFile
from ..sources.gold_files import (
    IN_COLUMN,
    Placement,
    SettledGold,
    check_one_gold,
    gold_remark,
    place,
    settle_gold,
)
from ..tables.text import decode_text
from .gathered import Gathered, Scores, Tool, each, first_lines, needed


class _Sentence(NamedTuple):
    """One sentence: its id where it has one, its lines, and its tokens, each with what it was given."""

    id: str
    lines: tuple[int, ...]
    tokens: tuple[Any, ...]

    def column(self, place: int) -> list[Any]:
        return [token[place] for token in self.tokens]


# The sentences of one file, and each gold sentence with a system's.
_Sentences = Sequence[_Sentence]
_Pairs = Sequence[tuple[_Sentence, _Sentence]]
# Type, first and last token.
_Entity = tuple[str, int, int]


def _placed(
    paths: Sequence[str], settled: SettledGold, gathered: Gathered, *, whole: str
) -> Placement:
    """Which file is of which dataset and system, or gold; with what is to be said of it."""
    gathered.settle("filter", settled.answer, settled.choice)
    placed = place(paths, gold=settled.gold, systems=settled.systems, whole=whole, answers=gathered)
    check_one_gold(placed.gold, paths)
    gathered.holds = "counts"
    gathered.note_gold(placed, paths)
    if settled.gold:
        gathered.remarks.append(gold_remark(placed, paths, settled, "gold"))
    return placed


def _beside_first(placed: Placement) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Each dataset with the file that others are compared with, gold or the first, and the systems'."""
    for dataset, own in placed.systems.items():
        yield dataset, (*placed.gold[dataset], *own.values())[0], own


def _unlike(
    placed: Placement, paths: Sequence[str], read: Sequence[_Sentences], same: Mapping[str, int]
) -> Iterator[Problem]:
    """The first place of each file where what has to be the same in all files of a dataset is not."""
    for dataset, first, own in _beside_first(placed):
        for position in own.values():
            problem = _first_difference(read[first], read[position], quoted(paths[first]), same)
            if problem:
                yield replace(problem, dataset=dataset, file=paths[position])


def _first_difference(
    first: _Sentences, own: _Sentences, path: str, same: Mapping[str, int]
) -> Problem | None:
    what = " and ".join(same)
    remedy = (
        f"Give the same {what} in the same order, without cutting the text anew, and a blank line "
        "between sentences."
    )
    for number, (a, b) in enumerate(_by_ids(first, own), start=1):
        right, said = (
            [" ".join(token[place] for place in same.values()) for token in one.tokens]
            for one in (a, b)
        )
        if said != right:
            shorter = min(len(said), len(right))
            at = next((i for i in range(shorter) if said[i] != right[i]), shorter)
            here, there = (quoted(o[at]) if at < len(o) else "no word" for o in (said, right))
            return Problem(
                f"In sentence {quoted(a.id or str(number))}, word {at + 1} is {here}, in {path} "
                f"{there}: {what} are compared one by one.",
                remedy,
                line=b.lines[min(at, len(b.lines) - 1)],
            )
    if len(first) != len(own):
        return Problem(f"It has {len(own):,} sentences, {path} has {len(first):,}.", remedy)
    return None


def _by_ids(gold: _Sentences, said: _Sentences) -> _Pairs:
    """Each gold sentence with a system's: by their ids where both have the same, else in order."""
    own = {sentence.id: sentence for sentence in said}
    ids = {sentence.id for sentence in gold}
    if "" not in ids and len(ids) == len(gold) and len(own) == len(said) and own.keys() == ids:
        return [(sentence, own[sentence.id]) for sentence in gold]
    return list(zip(gold, said, strict=False))


def _scores(
    placed: Placement,
    paths: Sequence[str],
    read: Sequence[_Sentences],
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
    sentences, problems = _tagged(first_lines(file)[:_LINES_LOOKED_AT], _LIKE_TAG)
    # Without types and breaks between sentences single letters may be anything: answers, say.
    has_type = any("-" in tag for one in sentences for tag in one.column(_LAST))
    return not problems and (len(sentences) > 1 or has_type)


def _read_tagged(file: SourceFile) -> list[_Sentence]:
    sentences, problems = _tagged(decode_text(file.content).text.split("\n"), _TAG)
    if not sentences and not problems:
        problems.append(Problem("There is no sentence.", "Give one token a line, with its tag."))
    stop_at(problems, of="lines")
    return sentences


def _tagged(lines: Sequence[str], known: re.Pattern[str]) -> tuple[list[_Sentence], list[Problem]]:
    """Every sentence; lines that begin documents and comments are passed over."""
    sentences: list[_Sentence] = []
    problems: list[Problem] = []
    name = ""
    held: list[tuple[int, tuple[str, ...]]] = []
    n_columns: int | None = None
    for number, line in enumerate([*lines, ""], start=1):
        bare = line.strip("\r\n \ufeff")
        # Between tabs where there are any, else between blanks.
        cells = tuple(map(str.strip, bare.split("\t") if "\t" in bare else bare.split()))
        is_tag = bool(cells) and known.fullmatch(cells[-1]) is not None
        is_token = is_tag and cells[0] == "#" and len(cells) == n_columns
        if not cells or cells[0] == _DOCUMENT:
            if held:
                numbers, tokens = zip(*held, strict=True)
                sentences.append(_Sentence(name, numbers, tokens))
                name, held = "", []
        elif line.startswith("#") and not is_token:
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
        elif not is_tag or len(cells) < 2:
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
    return sentences, problems


def _gather_entities(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Count the entities of each sentence that are right, wrong and missed."""
    module = needed(
        "seqeval.metrics.sequence_labeling", package="seqeval", counts="Tagged entities"
    )
    paths = [file.name for file in files]
    read = gathered.read_each(files, _read_tagged)
    settled = settle_gold(
        paths, gathered.given.get("filter"), kind="tagged files", in_column=_may_hold_gold(read)
    )
    placed = _placed(paths, settled, gathered, whole="entities")
    within = settled.answer == IN_COLUMN
    same = {"words": 0, "gold tags": _BEFORE_LAST} if within else {"words": 0}
    stop_at([*_unlike(placed, paths, read, same)])

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
    where = "their last column but one" if within else "the gold file's last column"
    gathered.remarks.append(
        f"Gold tags are those of {where}, what a system said is in its file's last column. "
        "Entities are found and compared as seqeval does by default: right are those with the "
        "same tokens and the same type."
    )


def _may_hold_gold(read: Sequence[_Sentences]) -> bool:
    """Whether the files may have gold tags themselves, in the last column but one, of the same types."""
    cells = {token[1:] for own in read for one in own for token in one.tokens}
    if not all(len(own) > 1 and _TAG.fullmatch(own[_BEFORE_LAST]) for own in cells):
        return False
    further, gold, said = (
        {own[place][2:] for own in cells if len(own) >= -place and _TAG.fullmatch(own[place])}
        - {""}
        for place in (_BEFORE_LAST - 1, _BEFORE_LAST, _LAST)
    )
    shared = gold & said
    if shared and further >= shared:
        raise DataError.of(
            "The last three columns hold tags of the same types: it is not clear which of them are "
            "the gold tags.",
            "Give one file for each system, with the gold tags in its last column but one, or "
            "with the gold tags in a file of their own.",
        )
    # Chunks, say, are of other types than entities.
    return bool(shared) or not gold or not said


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


def _is_treebank(file: SourceFile, _: bytes) -> bool:
    """Whether a file is a treebank: by its ending, or by ten columns as they should be."""
    rows = (line.rstrip("\r").split("\t") for line in first_lines(file))
    first = next((row for row in rows if row[0].strip() and row[0][0] != "#"), [])
    return file.name.lower().endswith(_ENDINGS) or (
        len(first) == _N_COLUMNS
        and _ID.fullmatch(first[0]) is not None
        and _HEAD.fullmatch(first[6]) is not None
    )


def _read_treebank(file: SourceFile) -> list[_Sentence]:
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


def _gather_treebanks(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Count the words that each parser tagged and attached as the gold treebank does."""
    paths = [file.name for file in files]
    settled = settle_gold(paths, gathered.given.get("filter"), kind="treebanks")
    read = gathered.read_each(files, _read_treebank)
    placed = _placed(paths, settled, gathered, whole="treebank")
    words = [[word for one in own for word in one.tokens] for own in read]
    has_heads = [any(word.head is not None for word in own) for own in words]
    has_tags = [any(word.upos != _NOTHING for word in own) for own in words]
    headless = [
        Problem(
            f"The word {quoted(word.form)} of the gold treebank has no head.",
            "Give every word of the gold treebank a head, or none.",
            file=paths[gold],
            line=sentence.lines[0],
        )
        for (gold, *_) in placed.gold.values()
        for sentence in read[gold]
        for word in sentence.tokens
        if word.head is None and has_heads[gold]
    ]
    stop_at([*headless, *_unlike(placed, paths, read, {"words": 0})])
    used = {p for _, first, own in _beside_first(placed) for p in (first, *own.values())}
    heads, tags = (all(held[p] for p in used) for held in (has_heads, has_tags))
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

    def counted(pairs: _Pairs) -> dict[str, list[str]]:
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

    gathered.scores += _scores(placed, paths, read, counted)
    gathered.remarks.append(
        "Words are compared one by one, ranges of tokens and empty nodes passed over; LAS compares "
        "relations without their subtypes, as the CoNLL 2018 shared task does."
    )


TREEBANKS = Tool(name="treebanks in CoNLL-U", claims=each(_is_treebank), gather=_gather_treebanks)
