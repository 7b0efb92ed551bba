"""What the files of one evaluation tool hold, before they are put into one table.

Vocabulary
----------
record
    What one file says of one system on one example of one dataset.
scores
    What one file says of one system on each example of one dataset: a score or
    counts in each column.
average
    Scores of one system on one dataset as a whole: one row that is of no example.
"""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal, NamedTuple, TypeVar

from ...errors import DataError, Problem
from ..provenance import FileUse
from ..roles import Roles
from ..sources.files import SourceFile
from ..sources.gold_files import Answers, Placement
from ..tables.limits import CUTTING, Stages, stop_at

Claims = Callable[[Sequence[SourceFile], Roles], Sequence[int]]
Read = TypeVar("Read")
Key = TypeVar("Key", bound=Hashable)

# Of a file so much is looked at to tell whose it is.
HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """One system's results on the examples of one dataset, as the file at `path` says them.

    `system` is '' where the file does not say it: then its path does. `columns` have for each
    metric, or each count, one cell a row as written, '' where there is none; `lines` count from 1.
    `content` (what each example was), `targets` (right answers) and `prompts` (the words in which
    the system was asked) are hashes or texts, '' where one is not known: two systems that give one
    id different content of one `content_kind` saw different data. `runs` are repeats or epochs, `side` describes the
    examples: covariates, a cluster. What nothing is known of is empty, and so are the `examples` of
    an average. `p_values` are two-sided, of an average's difference from the baseline, the system
    against which the dataset's others were tested.
    """

    path: str
    dataset: str
    system: str
    examples: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]
    content: Sequence[str] = ()
    content_kind: str = ""
    targets: Sequence[str] = ()
    prompts: Sequence[str] = ()
    runs: Sequence[str] = ()
    side: Mapping[str, Sequence[str]] = field(default_factory=dict)
    p_values: Mapping[str, str] = field(default_factory=dict)
    is_baseline: bool = False


def average(
    path: str, dataset: str, system: str, scores: Mapping[str, str], *, line: int = 1
) -> Scores:
    """One system's scores on one dataset as a whole, each metric's as written."""
    return Scores(
        path=path,
        dataset=dataset,
        system=system,
        examples=(),
        columns={metric: [cell] for metric, cell in scores.items()},
        lines=[line],
    )


class Record(NamedTuple):
    """One row of `Scores`, as an adapter yields it: `cells` has the metrics that this row has."""

    dataset: str
    system: str
    example: str
    line: int
    cells: Mapping[str, str]
    content: str = ""
    prompt: str = ""
    run: str = ""
    target: str = ""


def scores_of(path: str, records: Iterable[Record], *, numbered: bool = False) -> list[Scores]:
    """The records of one file by dataset and system, in the order of the first of each.

    With `numbered`, records of one example are runs in their order. A file may have very many: each
    record is put into columns at once, and not kept.
    """
    groups: dict[tuple[str, str], tuple[dict[str, list[str]], list[list[Any]]]] = {}
    for dataset, system, example, line, cells, *others in records:
        key = (dataset, system)
        if key not in groups:
            groups[key] = ({}, [[] for _ in (example, line, *others)])
        columns, rows = groups[key]
        for metric, cell in cells.items():
            own = columns.setdefault(metric, [])
            own += [""] * (len(rows[0]) - len(own))
            own.append(cell)
        for held, value in zip(rows, (example, line, *others), strict=True):
            held.append(value)
    return [
        Scores(
            path=path,
            dataset=dataset,
            system=system,
            examples=ids,
            columns={metric: own + [""] * (len(ids) - len(own)) for metric, own in columns.items()},
            lines=lines,
            content=_if_any(content),
            targets=_if_any(targets),
            prompts=_if_any(prompts),
            runs=_if_any(numbered_runs(ids) if numbered else runs),
        )
        for (dataset, system), (
            columns,
            (ids, lines, content, prompts, runs, targets),
        ) in groups.items()
    ]


def _if_any(cells: Sequence[str]) -> Sequence[str]:
    return cells if any(cells) else ()


def grouped(values: Iterable[Read], key: Callable[[Read], Key]) -> dict[Key, list[Read]]:
    """Values that have the same key, in the order of the first of each."""
    groups: dict[Key, list[Read]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return groups


@dataclass(slots=True, kw_only=True, eq=False)
class Gathered(Answers):
    """What the files of one tool hold, put in by its adapter while it reads them.

    `kind` is the tool's name; `stages` stops the work where nobody wants it any more. Of `scores`
    averages are of use where none are by example; their columns are scores, or, where this `holds`
    "counts", the counts that metrics are computed from, under headings that the layout of counts
    knows. `higher_is_better` is known as far as the tool says it; `beside` tells what was made of
    files that hold no results of a system.
    """

    kind: str
    stages: Stages
    scores: list[Scores] = field(default_factory=list)
    holds: Literal["scores", "counts"] = "scores"
    higher_is_better: dict[str, bool] = field(default_factory=dict)
    beside: list[FileUse] = field(default_factory=list)

    def note(self, path: str, content: str) -> None:
        """A file beside the results is used, as it holds this."""
        self.beside.append(FileUse(path=path, kind=self.kind, content=content))

    def note_gold(self, placed: Placement, paths: Sequence[str]) -> None:
        """Tell of each gold file what it is."""
        for dataset, own in placed.gold.items():
            for position in own:
                self.note(paths[position], f"gold of {dataset}")

    def leave(self, path: str, reason: str) -> None:
        """A file is not used, for this reason."""
        self.beside.append(FileUse(path=path, kind=self.kind, used=False, reason=reason))

    def add(self, other: Gathered) -> None:
        """What the files of another tool hold as well."""
        self.scores += other.scores
        self.higher_is_better |= other.higher_is_better
        self.beside += other.beside
        self.roles |= other.roles
        self.choices += other.choices
        self.remarks += other.remarks

    def read_each(
        self, files: Sequence[SourceFile], read: Callable[[SourceFile], Read]
    ) -> list[Read]:
        """What each file holds, with the problems of all of them."""
        found: list[Read] = []
        problems: list[Problem] = []
        for position, file in enumerate(files):
            self.stages.reached(CUTTING, position / len(files))
            try:
                found.append(read(file))
            except DataError as error:
                problems.extend(
                    replace(problem, file=problem.file or file.name) for problem in error.problems
                )
        stop_at(problems, of="places")
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One kind of file that an evaluation tool writes, called as a person calls it.

    `claims` gives the positions of those that are of this kind, which may show only by several,
    such as hypotheses beside a reference; never of one that another layout of `data` reads.
    `gather` reads all its files; it raises a `DataError` with the problems of all of them.
    """

    name: str
    claims: Claims
    gather: Callable[[Sequence[SourceFile], Gathered], None]


def each(is_of: Callable[[SourceFile, bytes], bool]) -> Claims:
    """Claim each file that is of a kind by its name and its first bytes."""
    return lambda files, _: [
        place for place, file in enumerate(files) if is_of(file, file.content[:HEAD_BYTES])
    ]


def first_lines(file: SourceFile) -> list[str]:
    """The lines of a file's beginning, without one that is cut off; none of what is no text."""
    head = file.content[:HEAD_BYTES]
    if b"\x00" in head:
        return []
    lines = head.decode("utf-8", "replace").split("\n")
    return lines if len(lines) == 1 or len(head) == len(file.content) else lines[:-1]


def numbered_runs(ids: Sequence[str]) -> list[str]:
    """For each row its number among those of its example; empty where no example has several."""
    if len(set(ids)) == len(ids):
        return []
    numbers: dict[str, Iterator[int]] = defaultdict(lambda: count(1))
    return [str(next(numbers[example])) for example in ids]


def without_repetition(scores: Sequence[Scores], score: str, outcome: str) -> list[Scores]:
    """The same without `score` where it says of every example what the 0/1 `outcome` says."""

    def as_numbers(cells: Sequence[str]) -> list[float | str]:
        try:
            return [float(cell) if cell else "" for cell in cells]
        except ValueError:
            return list(cells)

    if any(as_numbers(o.columns[score]) != as_numbers(o.columns[outcome]) for o in scores):
        return list(scores)
    return [
        replace(one, columns={k: own for k, own in one.columns.items() if k != score})
        for one in scores
    ]


def needed(module: str, *, package: str, counts: str) -> Any:
    """A module of an optional package, which counts this: "BLEU, chrF and TER", say."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise DataError.of(
            f"{counts} are counted by the package {package}, which is not installed.",
            f"Add it with `pip install {package}`, in this app's folder "
            f"`.venv/bin/pip install {package}`, and read the files again; or count with "
            "another tool and give its scores for each example.",
        ) from None


def left_aside_tool(name: str, claims: Claims, reason: str) -> Tool:
    """Files without results on examples and without any of a system on a dataset, which are named."""

    def gather(files: Sequence[SourceFile], found: Gathered) -> None:
        for file in files:
            found.leave(file.name, reason)

    return Tool(name=name, claims=claims, gather=gather)


TRAINER = left_aside_tool(
    "training logs",
    each(lambda _, head: b'"log_history"' in head and b'"global_step"' in head),
    "It is the log of a training run by Hugging Face's Trainer (trainer_state.json): losses and "
    "averages at each step, no results on examples. To compare two systems, write what "
    "trainer.predict gives for each example, or give eval_results.json of every dataset.",
)
_OF_A_REPORT = (b"precision", b"recall", b"f1-score", b"support")
CLASSIFICATION_REPORTS = left_aside_tool(
    "classification reports",
    each(
        lambda _, head: (
            all(mark in head for mark in _OF_A_REPORT)
            and re.search(rb"(macro|weighted|micro) avg", head) is not None
        )
    ),
    "It is a classification report of scikit-learn: precision, recall and F1 of each class, no "
    "results on examples. Give the labels that it was made of: a row for each example with the "
    "gold label and each system's prediction.",
)
