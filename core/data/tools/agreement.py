"""Whether what tools' files hold fits together: names, repeated files, and the data that systems saw."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...errors import Problem
from ..provenance import Matched
from ..sources.name_grid import NothingToCompare
from ..tables.numbers import NOTHING_WORDS
from ..words import listed, quoted
from .gathered import Averages, Scores
from .naming import IN_FOLDERS

MOST_NAMED = 5
# As cells of text files: control characters are refused, and halves of letters cannot be written.
NOT_ALLOWED = r"[\x00-\x08\x0e-\x1f]"
_NOT_ALLOWED = re.compile(NOT_ALLOWED)


def name_problems(found: Sequence[Scores] | Sequence[Averages]) -> list[Problem]:
    """One problem for each file with a name that cannot be shown or written."""
    problems = []
    for one in found:
        metrics = one.columns if isinstance(one, Scores) else one.scores
        side = one.side if isinstance(one, Scores) else ()
        for name in (one.dataset, one.system, *metrics, *side):
            if not name.strip():
                what = "A dataset, a system or a metric has no name."
            elif not is_plain(name):
                shown = name.encode("ascii", "backslashreplace").decode()
                what = f"The name {quoted(shown)} holds a character that is no letter."
            else:
                continue
            path = one.path.encode("utf-8", "backslashreplace").decode()
            problems.append(
                Problem(what=what, remedy="Give it a name in plain letters.", file=path)
            )
            break
    return problems


def is_plain(text: str) -> bool:
    """Whether a text holds no control character and no half of a letter."""
    if text.isascii():
        return text.isprintable() or _NOT_ALLOWED.search(text) is None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return _NOT_ALLOWED.search(text) is None


def twice_problems(found: Sequence[Scores] | Sequence[Averages]) -> list[Problem]:
    """A problem for each dataset of a system that is told of twice."""
    paths: dict[tuple[str, str], list[str]] = {}
    for one in found:
        paths.setdefault((one.dataset, one.system), []).append(one.path)
    problems = []
    for (dataset, system), own in paths.items():
        files = list(dict.fromkeys(own))
        what = f"{len(files)} files tell of it for the system {quoted(system)}: {listed(files)}."
        remedy = f"Drop all but one of them, or, if they are of different systems: {IN_FOLDERS}"
        if len(files) == 1:
            what = f"The file tells of it twice for the system {quoted(system)}."
            remedy = "Keep one of the two, or give them different names."
        if len(own) > 1:
            file = files[0] if len(files) == 1 else None
            problems.append(Problem(what=what, remedy=remedy, dataset=dataset, file=file))
    return problems


def alone_problems(found: Sequence[Scores] | Sequence[Averages]) -> list[Problem]:
    """A problem where everything is of one system."""
    problem = alone_problem([one.system for one in found])
    return [] if problem is None else [problem]


def alone_problem(named: Sequence[str]) -> NothingToCompare | None:
    """That there is nothing to compare, where all of these are one system."""
    systems = list(dict.fromkeys(named))
    if len(systems) != 1:
        return None
    return NothingToCompare(
        what=f"The files are of one system, {quoted(systems[0])}; a comparison needs two.",
        remedy="Drop the files of both systems together, each system's in a folder or under a "
        "name of its own.",
    )


def content_problems(scores: Sequence[Scores]) -> list[Problem]:
    """A problem for each dataset of which two systems saw different data under the same ids.

    Where only the right answers differ, that is said of systems' pairs; one
    system's own files are compared by their content alone.
    """
    same_answers = "Evaluate both with the same version of the data."
    return [
        *(
            Problem(
                what=_different(a, b, list(examples)),
                remedy="Evaluate both on the same version of the data, with the same settings."
                if a != b
                else "Give the results of one version of the data, each example under an id of "
                "its own.",
                dataset=dataset,
            )
            for (dataset, a, b), examples in _differing(scores, lambda one: one.content).items()
        ),
        *(
            Problem(
                what=f"The systems {quoted(a)} and {quoted(b)} were judged by different right "
                f"answers: those of {_counted(list(examples))}.",
                remedy=same_answers,
                dataset=dataset,
            )
            for (dataset, a, b), examples in _differing(scores, lambda one: one.targets).items()
            if a != b
        ),
    ]


def prompt_remark(scores: Sequence[Scores]) -> tuple[str, ...]:
    """Say where systems were asked in different words, with the numbers of examples."""
    by_dataset: dict[str, set[str]] = {}
    for (dataset, a, b), examples in _differing(scores, lambda one: one.prompts).items():
        if a != b:
            by_dataset.setdefault(dataset, set()).update(examples)
    if not by_dataset:
        return ()
    n = sum(map(len, by_dataset.values()))
    shown = "; ".join(f"{len(own):,} of {dataset}" for dataset, own in by_dataset.items())
    return (
        f"The systems were not asked {n:,} example{'s' if n != 1 else ''} in the same words: "
        f"{shown}. Chat templates of their own, or other numbers of examples in the prompt, may be "
        "why.",
    )


def _differing(
    scores: Sequence[Scores], told: Callable[[Scores], Sequence[str]]
) -> dict[tuple[str, str, str], dict[str, None]]:
    """For each dataset and pair of systems the examples of which something is told otherwise."""
    first: dict[str, dict[str, tuple[str, str]]] = {}
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    whole: dict[str, Scores] = {}
    for one in scores:
        if not told(one):
            continue
        before = whole.setdefault(one.dataset, one)
        if before is not one and (before.examples, told(before)) == (one.examples, told(one)):
            # As in most files: nothing to be looked at one by one.
            continue
        known = first.setdefault(one.dataset, {})
        for example, own in zip(one.examples, told(one), strict=True):
            if own:
                system, seen = known.setdefault(example, (one.system, own))
                if seen != own:
                    found.setdefault((one.dataset, system, one.system), {})[example] = None
    return found


def _different(a: str, b: str, examples: Sequence[str]) -> str:
    if a == b:
        what = f"Under one id the system {quoted(a)} has different examples"
        return f"{what}: {_counted(examples)}."
    return (
        f"The systems {quoted(a)} and {quoted(b)} saw different data: under the same id, "
        f"{_counted(examples)} {'are' if len(examples) > 1 else 'is'} not the same."
    )


def _counted(examples: Sequence[str]) -> str:
    if len(examples) == 1:
        return f"the example {quoted(examples[0])}"
    return f"{len(examples):,} examples, such as {listed(examples[:MOST_NAMED])}"


def unseen_remark(scores: Sequence[Scores]) -> tuple[str, ...]:
    """Name datasets of which no file shows that all systems saw the same under the same ids."""
    held: dict[str, list[Scores]] = {}
    for one in scores:
        held.setdefault(one.dataset, []).append(one)
    uncertain = [
        dataset
        for dataset, own in held.items()
        if len({one.system for one in own}) > 1
        and not all(one.content and all(one.content) for one in own)
    ]
    if not uncertain:
        return ()
    return (
        "Nothing shows whether the systems saw the same data, as their files hold neither texts "
        "nor hashes that could be compared: examples are matched by their ids alone on "
        f"{listed(uncertain)}.",
    )


def matched_examples(scores: Sequence[Scores]) -> list[Matched]:
    """How many examples with scores each system has of each dataset, and which others lack."""
    by_dataset: dict[str, dict[str, dict[str, None]]] = {}
    for one in scores:
        own = by_dataset.setdefault(one.dataset, {}).setdefault(one.system, {})
        own.update(dict.fromkeys(_scored(one)))
    systems = list(dict.fromkeys(one.system for one in scores))
    found = []
    for dataset, held in by_dataset.items():
        # A system without the dataset has none of its examples.
        every = [held.get(system, {}) for system in systems]
        common = set(every[0]).intersection(*every[1:])
        for system, ids in held.items():
            left = [example for example in ids if example not in common]
            found.append(
                Matched(
                    dataset=dataset,
                    system=system,
                    n_examples=len(ids),
                    n_matched=len(common),
                    left_over=tuple(left[:MOST_NAMED]),
                )
            )
    return found


def _scored(one: Scores) -> Sequence[str]:
    """The examples that have a score in every column."""
    lacking: set[int] = set()
    for column in one.columns.values():
        missing = {cell for cell in set(column) if _is_missing(cell)}
        if missing:
            lacking.update(row for row, cell in enumerate(column) if cell in missing)
    if not lacking:
        return one.examples
    return [example for row, example in enumerate(one.examples) if row not in lacking]


def _is_missing(cell: str) -> bool:
    """As the layouts leave it out: empty, or a word for nothing."""
    return not cell or cell.strip().casefold() in NOTHING_WORDS
