"""What is wrong with a file, said so that its owner can mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


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
    """

    what: str
    remedy: str
    dataset: str | None = None
    column: str | None = None
    line: int | None = None
    file: str | None = None

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
