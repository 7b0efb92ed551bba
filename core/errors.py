"""What is wrong with a file, said so that its owner can mend it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from .types import grouped

# The role whose value says which rows are left out, by their lines.
LEFT_OUT = "left_out"
# The first and the last of lines that follow upon each other, written "12" or "12-15".
Stretch = tuple[int, int]
_End = TypeVar("_End", int, float)
_STRETCH = re.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?")
# Of more places with one problem these are named.
_MOST_PLACES = 20
# What is shown of a cell or name in a message, and how many of several.
LONGEST = 60
MOST_LISTED = 10
# More problems than anyone mends one by one; the others are counted.
MAX_PROBLEMS = 1_000


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that keeps a file from being read.

    What is wrong and what to change, its remedy, are each one sentence without the place. Lines are
    counted from 1 as an editor does; files are named where several are read together. `answered_by`
    is the role that settles it, where nothing is wrong but a question is open; else ''. `mended_by`
    are roles of the choices that would mend it, and `LEFT_OUT` where leaving its row out would.
    `with_it` has file and line of the other rows of its example, without which none can be paired.
    """

    what: str
    remedy: str
    _: KW_ONLY
    dataset: str | None = None
    column: str | None = None
    line: int | None = None
    file: str | None = None
    answered_by: str = ""
    mended_by: tuple[str, ...] = ()
    with_it: tuple[tuple[str | None, int], ...] = ()

    @property
    def place(self) -> str:
        """Where it is: file, dataset, column and line, as far as they are known."""
        names = {"file": self.file, "dataset": self.dataset, "column": self.column}
        parts = [f"{what} '{name}'" for what, name in names.items() if name is not None]
        parts += [] if self.line is None else [f"line {self.line}"]
        text = ", ".join(parts)
        return text[:1].upper() + text[1:]

    def __str__(self) -> str:
        place = self.place
        return f"{place}: {self.what} {self.remedy}" if place else f"{self.what} {self.remedy}"


def told(problems: Iterable[Problem]) -> list[str]:
    """Each problem once, with every line or dataset that has it, in the order of the first."""
    return [text for text, _ in _told_together(problems)]


def _told_together(problems: Iterable[Problem]) -> list[tuple[str, list[Problem]]]:
    """As `told`, with the problems that each text tells."""
    together: dict[tuple[bool, Problem], list[Problem]] = {}
    for problem in problems:
        # Several lines are told of one dataset, several datasets of what is in no line.
        by_dataset = problem.line is None and problem.dataset is not None
        dataset = None if by_dataset else problem.dataset
        common = replace(problem, line=None, dataset=dataset, with_it=())
        together.setdefault((by_dataset, common), []).append(problem)
    found = []
    for (by_dataset, common), own in together.items():
        kind, text = "lines", str(own[0])
        places = [str(problem.line) for problem in own if problem.line is not None]
        if by_dataset:
            kind = "datasets"
            places = [f"'{name}'" for name in dict.fromkeys(problem.dataset for problem in own)]
        if len(places) > 1:
            before = f"{common.place}, {kind}" if common.place else kind.capitalize()
            text = f"{before} {_listed(places)}: {common.what} {common.remedy}"
        found.append((text, own))
    return found


def _listed(places: Sequence[str]) -> str:
    shown, more = places[:_MOST_PLACES], len(places) - _MOST_PLACES
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question that a file leaves open, the role that answers it, and the answers it allows.

    An option is a value for the role (a text, several, or True or False) and what it means in words.
    """

    role: str
    question: str
    options: tuple[tuple[Any, str], ...]


def answers(question: str, *options: tuple[str, Any, str]) -> tuple[Choice, ...]:
    """One question, as a choice for each role that an answer has: role, value and words."""
    return tuple(
        Choice(
            role=role,
            question=question,
            options=tuple((value, words) for own, value, words in options if own == role),
        )
        for role in dict.fromkeys(role for role, _, _ in options)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is wrong in so many places, as `told` says it.

    Any one of the choices mends it; without any the file itself must be mended.
    """

    text: str
    n_places: int
    choices: tuple[Choice, ...] = ()


class DataError(ValueError):
    """A file cannot be read as it is.

    Attributes
    ----------
    problems : tuple of Problem
        Every problem found, not only the first.
    columns : tuple of str
        The columns of the file where it could be split into columns, else
        empty: with them the roles can be corrected by hand.
    choices : tuple of Choice
        Questions whose answer would mend some of the problems.
    roles : mapping of str to object
        What was recognised before the problems were found; empty where nothing was.
    """

    def __init__(
        self,
        problems: Iterable[Problem],
        *,
        columns: Iterable[str] = (),
        choices: Iterable[Choice] = (),
        roles: Mapping[str, object] | None = None,
    ) -> None:
        self.problems = tuple(problems)
        self.columns = tuple(columns)
        self.choices = tuple(choices)
        self.roles = {} if roles is None else dict(roles)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @staticmethod
    def of(
        what: str,
        remedy: str,
        *,
        columns: Iterable[str] = (),
        choices: Iterable[Choice] = (),
        roles: Mapping[str, object] | None = None,
        **place: Any,
    ) -> DataError:
        """The error of one problem, with its place as `Problem` has it, which the choices mend."""
        choices = tuple(choices)
        if "answered_by" not in place:
            place.setdefault("mended_by", tuple(dict.fromkeys(choice.role for choice in choices)))
        problem = Problem(what, remedy, **place)
        return DataError([problem], columns=columns, choices=choices, roles=roles)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Each problem once with its remedies, the most frequent first."""
        found = []
        for text, problems in _told_together(self.problems):
            first = problems[0]
            roles = {first.answered_by, *first.mended_by} - {""}
            choices = tuple(choice for choice in self.choices if choice.role in roles)
            if rows := rows_choice(problems):
                choices = (*choices, rows)
            found.append(Finding(text=text, n_places=len(problems), choices=choices))
        return tuple(sorted(found, key=lambda finding: -finding.n_places))


def bounded(problems: Iterable[Problem], *, n_problems: int, of: str) -> list[Problem]:
    """The first thousand problems of one kind, and how many more there are."""
    first = list(islice(problems, MAX_PROBLEMS))
    if n_problems > len(first):
        first.append(
            Problem(
                f"There are {n_problems - len(first):,} more {of} with such problems.",
                "Mend those above first.",
            )
        )
    return first


def stop_at(
    problems: Sequence[Problem],
    *,
    of: str = "entries",
    columns: Iterable[str] = (),
    choices: Iterable[Choice] = (),
) -> None:
    """Raise a `DataError` where there are problems, with the first ones of many."""
    if problems:
        first = bounded(problems, n_problems=len(problems), of=of)
        raise DataError(first, columns=columns, choices=choices)


def rows_choice(problems: Iterable[Problem]) -> Choice | None:
    """Leaving out every row with a problem which this mends, each with the others of its example.

    None where there is no such row.
    """
    mended = [problem for problem in problems if LEFT_OUT in problem.mended_by]
    if not mended:
        return None
    places = {(problem.file, problem.line) for problem in mended if problem.line is not None}
    one = len(places) == 1
    words = "Leave out this row" if one else f"Leave out these {len(places):,} rows"
    every = places.union(*(problem.with_it for problem in mended))
    if every > places:
        these = "this example" if one else "these examples"
        words = f"Leave out the {len(every):,} rows of {these}"
    by_file = grouped((file, (line, line)) for file, line in every)
    return Choice(role=LEFT_OUT, question="", options=((lines_in_words(by_file), words),))


def joined_stretches(
    stretches: Iterable[tuple[_End, _End]], *, room: _End
) -> list[tuple[_End, _End]]:
    """Stretches in their order, those that lie no more than `room` apart in one."""
    joined: list[tuple[_End, _End]] = []
    for low, high in sorted(stretches):
        if joined and low <= joined[-1][1] + room:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return joined


def lines_in_words(by_file: Mapping[str | None, Iterable[Stretch]]) -> str:
    """Lines as the role `LEFT_OUT` has them: "3, 7-9", of several files "a.csv: 3; b.csv: 7-9"."""
    parts = []
    for file, stretches in by_file.items():
        joined = joined_stretches(stretches, room=1)
        text = ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in joined)
        parts.append(text if file is None else f"{file}: {text}")
    return "; ".join(parts)


def lines_of_words(text: str) -> dict[str | None, list[Stretch]]:
    """For each file the first and last lines of each stretch; the reverse of `lines_in_words`."""
    found: dict[str | None, list[Stretch]] = {}
    for part in text.split(";"):
        file, colon, lines = part.rpartition(":")
        own = found.setdefault(file.strip() if colon else None, [])
        for stretch in lines.split(","):
            known = _STRETCH.fullmatch(stretch.strip())
            if known is None:
                raise ValueError(f"must be lines such as '3, 7-9'; got {text!r}")
            own.append((int(known[1]), int(known[2] or known[1])))
    return found


def quoted(text: str) -> str:
    """One cell or name; halves of letters, which cannot be written, are question marks."""
    shown = text.encode("utf-8", "replace").decode()
    return f"'{shown}'" if len(shown) <= LONGEST else f"'{shown[:LONGEST]}…'"


def listed(names: Sequence[str]) -> str:
    """Several of them, the first ten by name."""
    return first_of([quoted(name) for name in names])


def first_of(parts: Sequence[str]) -> str:
    """Parts of a list in words, the first ten, and how many more there are."""
    shown, more = ", ".join(parts[:MOST_LISTED]), len(parts) - MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown
