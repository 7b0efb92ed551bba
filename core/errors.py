"""What is wrong with a file, said so that its owner can mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

# Of more places with one problem these are named.
_MOST_PLACES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that keeps a file from being read.

    Attributes
    ----------
    what : str
        What is wrong, as one sentence without the place.
    remedy : str
        What to change, as one sentence.
    dataset, column : str or None
        The names as the file has them.
    line : int or None
        Line of the file, counted from 1 as an editor does.
    file : str or None
        Name of the file, where several are read together.
    answered_by : str
        The role that settles it, where nothing is wrong but a question is
        open; else ''.
    """

    what: str
    remedy: str
    dataset: str | None = None
    column: str | None = None
    line: int | None = None
    file: str | None = None
    answered_by: str = ""

    @property
    def place(self) -> str:
        """Where it is: file, dataset, column and line, as far as they are known."""
        parts = [
            f"file '{self.file}'" if self.file is not None else "",
            f"dataset '{self.dataset}'" if self.dataset is not None else "",
            f"column '{self.column}'" if self.column is not None else "",
            f"line {self.line}" if self.line is not None else "",
        ]
        text = ", ".join(part for part in parts if part)
        return text[:1].upper() + text[1:]

    def __str__(self) -> str:
        place = self.place
        return f"{place}: {self.what} {self.remedy}" if place else f"{self.what} {self.remedy}"


def told(problems: Iterable[Problem]) -> list[str]:
    """Each problem once, with every line or dataset that has it, in the order of the first."""
    by_place: dict[Problem, list[int]] = {}
    for problem in problems:
        lines = by_place.setdefault(replace(problem, line=None), [])
        if problem.line is not None:
            lines.append(problem.line)
    by_what: dict[Problem, list[str]] = {}
    texts: dict[Problem, str] = {}
    for problem, lines in by_place.items():
        if len(lines) > 1:
            own = f"{problem.place}, lines" if problem.place else "Lines"
            texts[problem] = f"{own} {_listed(map(str, lines))}: {problem.what} {problem.remedy}"
        elif lines or problem.dataset is None:
            texts[problem] = str(replace(problem, line=lines[0] if lines else None))
        else:
            by_what.setdefault(replace(problem, dataset=None), []).append(problem.dataset)
    found = []
    said: set[Problem] = set()
    for problem in by_place:
        common = replace(problem, dataset=None)
        datasets = by_what.get(common, [])
        if problem in texts:
            found.append(texts[problem])
        elif len(datasets) == 1:
            found.append(str(problem))
        elif common not in said:
            said.add(common)
            beside = f"{common.place}, datasets" if common.place else "Datasets"
            names = _listed(f"'{name}'" for name in datasets)
            found.append(f"{beside} {names}: {problem.what} {problem.remedy}")
    return found


def _listed(places: Iterable[str]) -> str:
    every = list(places)
    shown, more = every[:_MOST_PLACES], len(every) - _MOST_PLACES
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question that a file leaves open, and the answers that it allows.

    Attributes
    ----------
    role : str
        The role that answers it, given to `read_results`.
    question : str
        For a person, as one sentence.
    options : tuple of (str, str)
        The role's value, and what it means in words.
    """

    role: str
    question: str
    options: tuple[tuple[str, str], ...]


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
