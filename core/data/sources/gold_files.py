"""Which dataset and system files are of, and which gold files are of which dataset, by their names.

Vocabulary
----------
gold
    What outputs are judged by: references, or annotations by people.
rest
    The words of a gold file's name that do not say that it is one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ..roles import Roles
from ..tables.headings import LANGUAGES
from .name_grid import ONE_DATASET, find_grid, order_remark, stems_of, without_name

GOLD = frozenset(
    {"ref", "refs", "reference", "references", "gold", "golds", "goldstandard", "target",
     "targets", "tgt", "truth", "groundtruth", "label", "labels"}
)  # fmt: skip
SOURCE = frozenset({"src", "srcs", "source", "sources"})
# Several references are told apart by letters too, as in WMT's "refA".
_LETTERED = re.compile(r"(ref|reference)[a-d]")
_NUMBER = re.compile(r"(?<=[a-z])\d+$")
# What gold files hold, and no dataset is called.
_HELD = frozenset({"label", "labels", "answer", "answers", "id", "ids"})
# Beside the word for gold, these number several references of one dataset.
_NUMBERING = re.compile(r"\d+|[a-z]")
# Parts of datasets and kinds of files, which no system is called after.
_PART = re.compile(
    r"\d+|(news|general)?test[a-d]?\d*|(dev|devtest|valid|validation|val|train|eval)\d*"
    r"|datasets?|data|results?|outputs?|preds?|predictions?"
    r"|txt|text|csv|tsv|json|jsonl|ndjson|xlsx|conll|conllu|bio|iob\d?|tok|detok|out"
)


@dataclass(slots=True, kw_only=True, eq=False)
class Answers:
    """What was answered before, and what is settled, asked and remarked while files are read.

    `given` are declarations such as "filter", `roles` those that were settled on the way. `choices`
    are questions left open, with the answer taken in `roles`.
    """

    given: Roles = field(default_factory=dict)
    roles: dict[str, object] = field(default_factory=dict)
    choices: list[Choice] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def settle(self, role: str, answer: object, *told: Choice | str) -> None:
        """A role is settled, where there is an answer; with the question and what is to be said."""
        if answer is not None:
            self.roles[role] = answer
        self.choices += [one for one in told if isinstance(one, Choice)]
        self.remarks += [one for one in told if isinstance(one, str)]


def words_of(path: str) -> list[str]:
    """The words of a name, without what stands between them."""
    return [word for word in re.split(r"[\W_]+", path.casefold()) if word]


def _rest(own: Sequence[str], words: frozenset[str] = GOLD) -> tuple[str, ...]:
    """The words beside the one for gold, without what it holds and what numbers several references."""
    rest: list[str] = []
    after_gold = False
    for word in own:
        is_gold = _bare(word) in words
        if not is_gold and word not in _HELD and not (after_gold and _NUMBERING.fullmatch(word)):
            rest.append(word)
        after_gold = is_gold
    return tuple(rest)


def _bare(word: str) -> str:
    """A word without the number or letter that tells several references apart."""
    return word[:-1] if _LETTERED.fullmatch(word) else _NUMBER.sub("", word)


def named_as(paths: Sequence[str], words: frozenset[str] = GOLD) -> list[int]:
    """The files whose names say that they are gold, or source texts, by a word that not all have."""
    own = [{_bare(word) for word in words_of(path)} for path in paths]
    common = set.intersection(*own) if len(own) > 1 else set()
    return [position for position, held in enumerate(own) if held & words - common]


def plainly_named(paths: Sequence[str], words: frozenset[str] = GOLD) -> list[int]:
    """Those named so after nothing but a number or a dataset; no gold among source texts.

    A system may be called "ref-free" or "target_only": what is joined to the
    word for gold is a dataset's name where two other files have it as well, or
    where it stands in a part of its own before, as in "news.ref".
    """
    gold = named_as(paths)
    named = [p for p in named_as(paths, words) if words is GOLD or p not in gold]
    aside = {*gold, *named_as(paths, SOURCE)}
    # The words, and each two of them as one, as "ende" for "en-de".
    own = [words_of(path) for position, path in enumerate(paths) if position not in aside]
    others = [{*each, *(a + b for a, b in pairwise(each))} for each in own]
    needed = max(1, min(2, len(others)))
    rests: dict[int, tuple[str, ...]] = {}
    for position in named:
        rest = [
            word
            for word in _rest(words_of(paths[position]), words)
            if word not in LANGUAGES and not _PART.fullmatch(word)
        ]
        before = _before(paths[position], words)
        if all(word in before or sum(word in other for other in others) >= needed for word in rest):
            rests[position] = tuple(rest)
    folders = {position: paths[position].rpartition("/")[0] for position in rests}
    # Beside "gold", "gold-trained" is gold of something else, or none.
    alone = {folders[position] for position, rest in rests.items() if not rest}
    return [p for p, rest in rests.items() if not rest or folders[p] not in alone]


def _before(path: str, words: frozenset[str]) -> set[str]:
    """The words of the parts before one that says nothing but that the file is gold."""
    found: set[str] = set()
    for part in re.split(r"[./]", path):
        own = words_of(part)
        if own and not _rest(own, words):
            return found
        found.update(own)
    return set()


# What files of systems' outputs are called, beside the system.
_OUTPUT_WORD = re.compile(r"(?:(?<=[._/-])|^)(?:hyps?|hypos?|hypothes[ie]s)[._-]", re.IGNORECASE)
# The end of "gpt-3.5" and "llama-3.1-instruct" belongs to the system's name.
_VERSION = re.compile(r"[0-9]\.[0-9][^./]*$")
# The role "filter" names the gold file so,
GOLD_FILE = "gold:"
# or says so of several,
_NAMED, _PLAIN = "gold-by-name", "gold-by-plain-name"
# or of none, where each file has the gold itself.
IN_COLUMN = "gold-in-column"


def _without_output_word(stems: Sequence[str]) -> list[str]:
    """The names without "hyp" where all have it."""
    shorter = [_OUTPUT_WORD.sub("", stem, count=1) for stem in stems]
    is_in_all = all(a != b and a for a, b in zip(shorter, stems, strict=True))
    return shorter if is_in_all and len(set(shorter)) == len(shorter) else list(stems)


def _without_common_ending(paths: Sequence[str]) -> list[str]:
    """The names without endings that all of them have, such as ".txt" and ".de"."""
    names = list(paths)
    while len(names) > 1:
        shorter = [name.rpartition(".")[0] for name in names]
        endings = {name.rpartition(".")[2] for name in names}
        if (
            len(endings) > 1
            or "/" in next(iter(endings))
            or not all(name.rpartition("/")[2] for name in shorter)
            or len(set(shorter)) < len(shorter)
            or any(map(_VERSION.search, names))
        ):
            break
        names = shorter
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """For each dataset the positions of its gold files, and of each system's file."""

    gold: dict[str, tuple[int, ...]]
    systems: dict[str, dict[str, int]]


def place(
    paths: Sequence[str],
    *,
    gold: Sequence[int],
    systems: Sequence[int],
    whole: str,
    answers: Answers,
) -> Placement:
    """Read the names of gold files and systems' files, at these positions, as datasets and systems.

    There may be no gold where each system's file holds it. `whole` is the dataset's name where the
    files name none; `answers` may hold the role "name_order", and are told how names were read.
    """
    gold_paths, told = [paths[p] for p in gold], [paths[p] for p in systems]
    # As short as they still differ.
    both = _without_common_ending([*gold_paths, *told])
    own_gold, own = map(_without_common_ending, (both[: len(gold)], both[len(gold) :]))
    stems = _without_output_word(stems_of(own))
    rests = [_rest(words_of(name)) for name in own_gold]
    named = _named_by_gold(stems, rests)
    if named is None:
        if len(set(rests)) > 1 and any(map(_names_language, rests)):
            # Gold in two languages is of two datasets, not twice of one.
            raise DataError.of(
                "The names do not tell which dataset each of the gold files is of: "
                f"{listed(gold_paths)}.",
                "Spell each dataset alike in the names of all files, or put its files into a "
                "folder named after it.",
            )
        return _of_one_gold(stems, rests, gold, systems, whole=whole, answers=answers)
    _check_named(named, rests, gold_paths, told)
    of_gold = [one for one in named if one is not None]
    datasets = {one.rest: one.dataset for one in reversed(of_gold)}
    by_dataset: dict[str, dict[str, int]] = {}
    for one, position in zip(of_gold, systems, strict=True):
        by_dataset.setdefault(datasets[one.rest], {})[one.system] = position
    names = list(dict.fromkeys(one.system for one in of_gold))
    answers.remarks.append(order_remark([*by_dataset], names))
    return Placement(
        gold={
            datasets[rest]: tuple(p for p, own in zip(gold, rests, strict=True) if own == rest)
            for rest in dict.fromkeys(one.rest for one in of_gold)
        },
        systems=by_dataset,
    )


class _OfGold(NamedTuple):
    """What a name says where it holds all that a gold file's name says: that is the dataset."""

    rest: tuple[str, ...]
    dataset: str
    system: str


def _named_by_gold(
    stems: Sequence[str], rests: Sequence[tuple[str, ...]]
) -> list[_OfGold | None] | None:
    """Dataset and system of each name, None of one that no gold file names; None where all are."""
    words = list(dict.fromkeys(rests))
    whole = [_of_gold(stem, list(zip(words, words, strict=True))) for stem in stems]
    if None not in whole:
        return whole
    # The folder of gold files, or their language behind the pair's, is no part of others' names.
    least = min(map(len, words), default=0) if len(words) > 1 else 0
    for start, end in sorted(((a, b) for a in range(least) for b in range(least - a)), key=sum):
        shorter = [own[start : len(own) - end] for own in words]
        found = [_of_gold(stem, list(zip(shorter, words, strict=True))) for stem in stems]
        # Behind a pair of languages one of them alone names no dataset.
        tells = not all(len(own) == 1 and own[0] in LANGUAGES for own in shorter)
        if tells and len(set(shorter)) == len(words) and None not in found:
            return found
    return whole if any(whole) else None


def _of_gold(stem: str, rests: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> _OfGold | None:
    for own, rest in sorted(rests, key=lambda pair: -len(pair[0])):
        between = r"[\W_]+".join(map(re.escape, own))
        pattern = re.compile(rf"(?<![^\W_]){between}(?![^\W_])", re.IGNORECASE)
        first = pattern.search(stem) if own else None
        if first is None:
            continue
        # Behind a folder's name files may say it once more: 'en-de/news.A.en-de'.
        system = stem
        while held := pattern.search(system):
            system = without_name(system, held[0])
        if system:
            return _OfGold(rest, first[0], system)
    return None


def _check_named(
    named: Sequence[_OfGold | None],
    rests: Sequence[tuple[str, ...]],
    gold: Sequence[str],
    systems: Sequence[str],
) -> None:
    """Raise a `DataError` where a file has no partner by its name, or a system lacks a dataset."""
    known = {one.rest: one.dataset for one in named if one is not None}
    problems = [
        Problem(
            "Its name holds none of the gold files' names: "
            f"{listed(list(dict.fromkeys(known.values())))}.",
            "Add its gold file, with the same words in its name, or leave this file out.",
            file=path,
        )
        for one, path in zip(named, systems, strict=True)
        if one is None
    ]
    problems += [
        Problem(
            "No system's file has its name.",
            "Name it after the dataset that it is the gold of.",
            file=path,
        )
        for rest, path in zip(rests, gold, strict=True)
        if rest not in known
    ]
    places = [(one.rest, one.system) for one in named if one is not None]
    problems += [
        Problem(
            f"{'Several files are' if (rest, system) in places else 'There is no file'} of the "
            f"system {quoted(system)}.",
            "Give one file of each system on each dataset.",
            dataset=dataset,
        )
        for rest, dataset in known.items()
        for system in dict.fromkeys(system for _, system in places)
        if places.count((rest, system)) != 1
    ]
    stop_at(problems)


def _names_language(words: Sequence[str]) -> bool:
    """Whether a word is the code of a language, or of two as in "ende"."""
    return any(
        word in LANGUAGES or (len(word) == 4 and {word[:2], word[2:]} <= LANGUAGES)
        for word in words
    )


def _of_one_gold(
    stems: Sequence[str],
    rests: Sequence[tuple[str, ...]],
    gold: Sequence[int],
    systems: Sequence[int],
    *,
    whole: str,
    answers: Answers,
) -> Placement:
    """Names that no gold file's name is a part of: all are of one dataset, if there is any gold."""
    order = answers.given.get("name_order")
    name = ".".join(rests[0]) if rests and len(set(rests)) == 1 else ""
    grid = find_grid(stems, [1] * len(stems), whole=name or whole, order=order)
    if gold and order is None and len(grid.datasets) > 1:
        grid = find_grid(stems, [1] * len(stems), whole=name or whole, order=ONE_DATASET)
    is_said = order is not None or len(grid.datasets) > 1
    answers.settle("name_order", grid.order if is_said else None, *grid.choices, grid.remark)
    return Placement(
        gold={dataset: tuple(gold) for dataset in grid.datasets},
        systems={
            dataset: {system: systems[place] for system, place in own.items()}
            for dataset, own in grid.places.items()
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledGold:
    """The positions of gold files and of the others.

    `answer` is the value of the role "filter" that says so, `choice` the question that it answers.
    It `is_said`, unless names told it.
    """

    gold: tuple[int, ...]
    systems: tuple[int, ...]
    answer: str
    choice: Choice
    is_said: bool


def settle_gold(
    paths: Sequence[str],
    said: object,
    *,
    kind: str,
    gold: str = "gold standard",
    word: str = "gold",
    in_column: bool = False,
) -> SettledGold:
    """Tell gold files from those of systems: as declared, else by names that say it plainly.

    `said` is the role "filter". `kind`, `gold` and `word` are what the files are, what the gold
    ones among them are, and what to put into a name to say so; with `in_column` every file may hold
    the gold itself.
    """
    named, plain = tuple(named_as(paths)), tuple(plainly_named(paths))
    # First the files that names offer, then each one.
    several = {_NAMED: named} if plain == named else {_PLAIN: plain, _NAMED: named}
    answers = {
        f"{GOLD_FILE}{paths[held[0]]}" if len(held) == 1 else answer: held
        for answer, held in several.items()
        if held
    }
    for position, path in enumerate(paths):
        answers.setdefault(f"{GOLD_FILE}{path}", (position,))
    words = {
        answer: paths[held[0]] if len(held) == 1 else listed([paths[p] for p in held])
        for answer, held in answers.items()
    }
    if in_column:
        answers[IN_COLUMN] = ()
        words[IN_COLUMN] = "none: each file has it in the last column but one"
    question = f"Which file is the {gold}?"
    choice = Choice(role="filter", question=question, options=tuple(words.items()))
    is_said = isinstance(said, str) and said in answers
    if is_said:
        answer = str(said)
    elif in_column and not plain:
        answer = IN_COLUMN
    elif not plain or len(plain) < len(named):
        told = [paths[position] for position in named if position not in plain] or paths
        raise DataError.of(
            f"The names of the {kind} do not plainly say which is the {gold}: {listed(told)}.",
            f"Say which one it is, or call it {quoted(word + '.txt')} and each other file after its "
            "system.",
            answered_by="filter",
            choices=(choice,) if len(paths) > 1 else (),
        )
    else:
        answer = next(answer for answer, held in answers.items() if held == named)
    chosen = answers[answer]
    return SettledGold(
        gold=chosen,
        systems=tuple(p for p in range(len(paths)) if p not in chosen),
        answer=answer,
        choice=choice,
        is_said=is_said and chosen != named,
    )


def gold_remark(placed: Placement, paths: Sequence[str], settled: SettledGold, gold: str) -> str:
    """Which files were taken for gold, and why."""
    told = "; ".join(
        f"{', '.join(quoted(paths[position]) for position in own)} for {quoted(dataset)}"
        for dataset, own in placed.gold.items()
    )
    return f"Taken for {gold} {'as was said' if settled.is_said else 'by name'}: {told}."


def check_one_gold(gold: Mapping[str, Sequence[int]], paths: Sequence[str]) -> None:
    """Every dataset has one gold file at most."""
    problems = [
        Problem(
            "Several files are named as its gold standard: "
            f"{listed([paths[position] for position in own])}.",
            "Keep one, or name the others after the systems that wrote them.",
            dataset=dataset,
        )
        for dataset, own in gold.items()
        if len(own) > 1
    ]
    stop_at(problems)
