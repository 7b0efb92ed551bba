"""Entities in files with one token a line: counted sentence by sentence, by seqeval's rules.

Either every system's file has the gold tags in its last column but one, or a
gold file stands beside files whose last column is what each system said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.data.provenance import FileUse
from core.data.roles import Roles
from core.data.sources.given import SourceFile
from core.data.sources.stages import Stages
from core.data.tools.gathered import Gathered, Scores, Tool, ids_or_numbers, read_each
from core.data.tools.gold_choice import (
    GOLD_FILE,
    IN_COLUMN,
    asking,
    content_of,
    gold_choice,
    gold_remark,
    placed_by,
    settle_gold,
)
from core.data.tools.gold_files import Placement
from core.data.tools.gold_words import named_as_gold
from core.data.tools.packages import needed
from core.data.tools.tagged_files import Tagged, are_tags, is_tagged, read_tagged, types_of
from core.data.words import listed, quoted
from core.errors import DataError, Problem

NAME = "tagged entities (CoNLL-2003 columns)"
_LAST, _BEFORE_LAST = -1, -2
_MOST_PROBLEMS = 20

Entities = Callable[[list[str]], list[tuple[str, int, int]]]


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file has one token a line and its tag in the last of several columns."""
    return is_tagged(head)


def gather(files: Sequence[SourceFile], given: Roles, stages: Stages) -> Gathered:
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
    paths = [file.name for file in files]
    read = read_each(files, stages, lambda file: read_tagged(file.content))
    settled = settle_gold(
        paths,
        given.get("filter"),
        kind="tagged files",
        in_column=_may_hold_gold(paths, read, given),
    )
    with asking(settled.choice):
        placed = placed_by(settled, paths, order=given.get("name_order"), whole="entities")
        scores = _counted(placed, paths, read, module.get_entities)
    within = settled.answer == IN_COLUMN
    told = content_of(placed, [len(own) for own in read], "sentences")
    where = "their last column but one" if within else "the gold file's last column"
    return Gathered(
        scores=tuple(scores),
        holds="counts",
        uses=tuple(FileUse(path=path, kind=NAME, content=told[p]) for p, path in enumerate(paths)),
        roles={**placed.roles, "filter": settled.answer},
        choices=(settled.choice, *placed.choices),
        remarks=(
            *placed.remarks,
            *(() if within else (gold_remark(placed, paths, settled, "gold"),)),
            f"Gold tags are those of {where}, what a system said is in its file's last column. "
            "Entities are found and compared as seqeval does by default: right are those with the "
            "same tokens and the same type.",
        ),
    )


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
        raise DataError(
            [
                Problem(
                    what=f"The last column but one has other types, {listed(sorted(gold))}, than "
                    f"the last, {listed(sorted(said))}: it holds no gold tags of these entities.",
                    remedy="Give the gold tags in that column, or in a file of their own with "
                    "'gold' in its name; or say which file is gold.",
                )
            ],
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
        if a.tokens != b.tokens:
            return [_token_problem(a, b, name, path)]
        if gold and a.tags(_BEFORE_LAST) != b.tags(_BEFORE_LAST):
            pairs = zip(a.tags(_BEFORE_LAST), b.tags(_BEFORE_LAST), strict=True)
            place_of = next(i for i, (x, y) in enumerate(pairs) if x != y)
            return [
                Problem(
                    what=f"In sentence {name} the gold tag of {quoted(b.tokens[place_of])} is "
                    f"{quoted(b.tags(_BEFORE_LAST)[place_of])}, in {quoted(path)} "
                    f"{quoted(a.tags(_BEFORE_LAST)[place_of])}.",
                    remedy="Give both systems' files the same gold tags in the last column but one.",
                    line=b.lines[place_of],
                )
            ]
    if len(first) == len(own):
        return []
    return [
        Problem(
            what=f"It has {len(own):,} sentences, {quoted(path)} has {len(first):,}.",
            remedy="Give the same sentences in the same order, with a blank line between them.",
        )
    ]


def _token_problem(a: Tagged, b: Tagged, name: str, path: str) -> Problem:
    here, there = b.tokens, a.tokens
    differ = (i for i, (x, y) in enumerate(zip(here, there, strict=False)) if x != y)
    place_of = next(differ, min(len(here), len(there)))
    said, expected = (
        quoted(own[place_of]) if place_of < len(own) else "no token" for own in (here, there)
    )
    return Problem(
        what=f"In sentence {name}, token {place_of + 1} is {said}, in {quoted(path)} {expected}: "
        "tags are compared token by token.",
        remedy="Tag the same tokens in the same order, with a blank line between sentences.",
        line=b.lines[min(place_of, len(b.lines) - 1)],
    )


ENTITIES = Tool(name=NAME, is_of=is_of, gather=gather)
