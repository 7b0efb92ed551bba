"""What the files of one evaluation tool hold, before they are put into one table.

Vocabulary
----------
scores
    What one file says of one system on each example of one dataset: a score or
    counts in each column.
averages
    What one file says of one system on one dataset as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from core.data.provenance import FileUse
from core.data.roles import Roles
from core.data.sources.given import SourceFile
from core.data.sources.stages import CUTTING, Stages
from core.data.tables.limits import bounded
from core.errors import Choice, DataError, Problem

Read = TypeVar("Read")

# Of a file so much is looked at to tell whose it is.
HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """One system's results on the examples of one dataset.

    Attributes
    ----------
    path : str
        The file that says so.
    dataset : str
        Name of the dataset.
    system : str
        Name of the system, '' where the file does not say: then its path does.
    examples : sequence of str
        Ids, one a row.
    columns : mapping of str to sequence of str
        For each metric, or for each count, one cell a row, as written; '' where there is none.
    lines : sequence of int
        Where each row stands in the file, counted from 1.
    content : sequence of str
        What each example was: a hash or a text. Two systems that give one id
        different content saw different data. Empty where nothing is known.
    runs : sequence of str
        The repeat or epoch that each row is of; empty where there is one.
    side : mapping of str to sequence of str
        What describes the examples: covariates, a cluster.
    """

    path: str
    dataset: str
    system: str
    examples: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]
    content: Sequence[str] = ()
    runs: Sequence[str] = ()
    side: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Averages:
    """One system's scores on one dataset as a whole.

    Attributes
    ----------
    path, dataset, system : str
        As in `Scores`.
    scores : mapping of str to str
        For each metric the score as written.
    line : int
        Where it stands, counted from 1.
    p_values : mapping of str to str
        For each metric the two-sided p-value of the difference from the
        baseline, as written; empty where no test was made.
    is_baseline : bool
        Whether the dataset's other systems were tested against this one.
    """

    path: str
    dataset: str
    system: str
    scores: Mapping[str, str]
    line: int = 1
    p_values: Mapping[str, str] = field(default_factory=dict)
    is_baseline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gathered:
    """Everything that the files of one tool hold.

    Attributes
    ----------
    scores : tuple of Scores
        Results on examples.
    averages : tuple of Averages
        Results on whole datasets; of use where there are no scores.
    holds : {"scores", "counts"}
        What the columns of `scores` are: a score a column, or the counts that
        metrics are computed from, under headings that the layout of counts knows.
    higher_is_better : mapping of str to bool
        The direction of each metric, as far as the tool says.
    uses : tuple of FileUse
        What was made of each file, and why nothing where nothing was.
    roles : mapping of str to object
        Declarations that were settled on the way, such as "filter".
    choices : tuple of Choice
        Questions left open, with the answer taken in `roles`.
    remarks : tuple of str
        What the owner should know.
    """

    scores: tuple[Scores, ...] = ()
    averages: tuple[Averages, ...] = ()
    holds: Literal["scores", "counts"] = "scores"
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    uses: tuple[FileUse, ...] = ()
    roles: Mapping[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One kind of file that an evaluation tool writes.

    Attributes
    ----------
    name : str
        As a person calls it, such as "lm-evaluation-harness samples".
    is_of : callable (file, head) -> bool
        Whether a file is of this kind, by its name and its first bytes; it must
        never claim a file that another layout of `core.data` reads.
    gather : callable (files, given, stages) -> Gathered
        Reads all its files; raises `DataError` with the problems of all of them.
    claims : callable (files) -> sequence of int, or None
        For kinds that show only by several files, such as hypotheses beside a
        reference: the positions of those that are of this kind; `is_of` is then
        not asked.
    """

    name: str
    is_of: Callable[[SourceFile, bytes], bool]
    gather: Callable[[Sequence[SourceFile], Roles, Stages], Gathered]
    claims: Callable[[Sequence[SourceFile]], Sequence[int]] | None = None


def ids_or_numbers(ids: Sequence[str]) -> list[str]:
    """The examples' own ids; their numbers from 1 where one lacks its id or two share one."""
    if "" in ids or len(set(ids)) < len(ids):
        return [str(number) for number in range(1, len(ids) + 1)]
    return list(ids)


def read_each(
    files: Sequence[SourceFile],
    stages: Stages,
    read: Callable[[SourceFile], Read],
    *,
    of: str | None = None,
) -> list[Read]:
    """What each file holds; raises a `DataError` with the problems of all of them.

    Of very many only the first where it is said what they are problems `of`.
    """
    found: list[Read] = []
    problems: list[Problem] = []
    for position, file in enumerate(files):
        stages.reached(CUTTING, position / len(files))
        try:
            found.append(read(file))
        except DataError as error:
            problems.extend(
                replace(problem, file=problem.file or file.name) for problem in error.problems
            )
    if problems:
        raise DataError(
            problems if of is None else bounded(problems, n_problems=len(problems), of=of)
        )
    return found
