"""What systems are called whose files do not say it, and whether what tools' files hold fits together."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...errors import DataError, Problem, listed, quoted
from ...types import grouped
from ..roles import Matched, matched_of
from ..sources.files import n_common
from ..sources.gold_files import Answers
from ..sources.name_grid import (
    FILE,
    NameGrid,
    NothingToCompare,
    check_folders,
    find_grid,
    order_choice,
    stem_of,
    stems_of,
    systems_of_names,
    without_name,
)
from ..tables.number_column import decimals_of
from ..tables.numbers import NOTHING_WORDS
from .gathered import Gathered, Scores

# As tools write it into names of files; a browser adds a number where it has the name already.
DATE = r"\d{4}-\d\d-\d\d(?:T\d\d[-:_]\d\d[-:_]\d\d(?:[.,]\d+)?)?"
_DATE = re.compile(DATE)
# The second part is what a browser adds to a name that it has already.
_DATED = re.compile(rf"^(?P<before>.*?)_?(?P<date>{DATE})(?: ?\(\d+\))?$")
# As lmms-eval names its files.
_DATE_FIRST = re.compile(r"^(?P<date>\d{8}_\d{4,6})_(?P<before>samples_.+|results)$")
_LETTER = re.compile(r"[^\W_]")
# In place of what joins the parts of a date.
_JOINED = "\0"
# What divides the words of a name. "Online-A" and "gpt-3.5" are kept whole, whatever others begin
# or end with.
_BETWEEN = re.compile(rf"[^\w\-.{_JOINED}]|_|(?<!\d)\.|\.(?!\d)|-(?=\d{{4}}-\d\d-\d)")
IN_FOLDERS = (
    "Put each system's files into a folder named after it, and give the folders as one zip archive."
)


def name_and_date(path: str) -> tuple[str, str]:
    """A file's name without ending and date, and the date, '' where it has none."""
    stem = stem_of(path)
    found = _DATED.match(stem) or _DATE_FIRST.match(stem)
    return (found["before"], found["date"]) if found else (stem, "")


def named_by_path(found: Sequence[Scores], whole: Gathered) -> list[Scores]:
    """The same with every system named, and a remark on it; those that name theirs keep the name."""
    unnamed = dict.fromkeys(one.path for one in found if not one.system)
    if not unnamed:
        return list(found)
    names, how = names_by_path([(one.path, one.dataset) for one in found])
    called = list(dict.fromkeys(names[path] for path in unnamed))
    whole.remarks.append(f"The systems are named {how}: {listed(called)}.")
    if any(_DATE.fullmatch(name) for name in called):
        whole.remarks[-1] += (
            " Only dates tell some of them apart: rename the files, or put them in folders, to "
            "call the systems by their names."
        )
    return [one if one.system else replace(one, system=names[one.path]) for one in found]


def names_by_path(files: Sequence[tuple[str, str]]) -> tuple[dict[str, str], str]:
    """The system of each path of a dataset, by what differs within it; and how that was found."""
    by_dataset = grouped((dataset, path) for path, dataset in dict.fromkeys(files))
    paths = list(dict.fromkeys(path for path, _ in files))
    by_folder = _by_folders(paths, list(by_dataset.values()))
    if by_folder is not None:
        return by_folder, "after the folders of their files"
    names = _by_file_names(paths, by_dataset)
    called = [{names[path] for path in own} for own in by_dataset.values()]
    # Files of several datasets have a name in common, where some could.
    may_recur = len(by_dataset) > 1 and len(paths) > len(by_dataset)
    if may_recur and len(set().union(*called)) == sum(map(len, called)):
        grid = systems_of_names(paths, [*dict(files).values()])
        if not all(grid):
            raise DataError.of(
                "The files' names do not tell which files are of one system: "
                f"{listed(sorted(names))}.",
                IN_FOLDERS,
            )
        names = dict(zip(paths, grid, strict=True))
    return names, "by what differs in the names of their files"


def _by_folders(paths: Sequence[str], groups: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """Names by folders, None where folders do not tell systems apart."""
    parts = {path: path.split("/")[:-1] for path in paths}
    depth = max(map(len, parts.values()))
    folders = {path: own + [""] * (depth - len(own)) for path, own in parts.items()}
    compared = [group for group in groups if len(group) > 1] or [list(paths)]
    telling = [
        level
        for level in range(depth)
        if any(len({folders[path][level] for path in group}) > 1 for group in compared)
    ]
    if telling:
        return {
            path: "/".join(filter(None, (own[level] for level in telling))) or stem_of(path)
            for path, own in folders.items()
        }
    if depth and all(len(group) == 1 for group in groups):
        # One system on several datasets.
        return {path: own[-1] for path, own in parts.items()}
    return None


def _by_file_names(paths: Sequence[str], by_dataset: dict[str, list[str]]) -> dict[str, str]:
    """Names by what differs in the names of files beside their datasets'."""
    datasets = grouped((path, dataset) for dataset, own in by_dataset.items() for path in own)
    rests = {
        path: without_name(stem_of(path), datasets[path][0])
        if len(datasets[path]) == 1
        else stem_of(path)
        for path in paths
    }
    if len({*rests.values()}) == 1 or not all(map(_LETTER.search, rests.values())):
        alike = len({*rests.values()}) == 1 and len(by_dataset) == len(paths)
        return {path: (rests[path] if alike else "") or stem_of(path) for path in paths}
    names = [_DATE.sub(lambda date: date[0].replace("_", _JOINED), own) for own in rests.values()]
    for _ in ("from the front", "from the back"):
        ends = (found.end() for found in _BETWEEN.finditer(names[0]))
        n_cut = max((end for end in ends if end <= n_common(names)), default=0)
        names = [name[n_cut:][::-1] for name in names]
    bare = (re.sub(r"^[\W_]+|[\W_]+$", "", name).replace(_JOINED, "_") for name in names)
    return dict(zip(rests, bare, strict=True))


def parted_by_name(scores: Sequence[Scores], whole: Gathered) -> list[Scores]:
    """The same with dataset and system by the parts of files' names, where files tell neither."""
    paths, order = [one.path for one in scores], whole.given.get("name_order")
    is_told = any(one.system for one in scores) or len({one.dataset for one in scores}) > 1
    if is_told or not 1 < len(paths) == len(set(paths)):
        return list(scores)
    kinds = kinds_of([frozenset(one.examples) for one in scores])
    try:
        grid = grid_of_files(paths, kinds, whole=scores[0].dataset, answers=whole)
        check_folders(grid, stems_of(paths), order)
    except DataError as error:
        if order is None and all(one.answered_by != "name_order" for one in error.problems):
            return list(scores)
        raise
    if order is None and min(len(grid.datasets), len(grid.systems)) < 2:
        return list(scores)
    whole.settle("name_order", grid.order, order_choice(FILE), grid.remark)
    return [
        replace(one, dataset=dataset, system=system)
        for one, (dataset, system) in zip(scores, grid.pairs, strict=True)
    ]


def grid_of_files(
    paths: Sequence[str], kinds: Sequence[int], *, whole: str, answers: Answers
) -> NameGrid:
    """Files as datasets and systems by their names; those of one dataset are of one kind."""
    order = answers.given.get("name_order")
    return find_grid(stems_of(paths), kinds, whole=whole, order=order)


# Two systems on one dataset share at least this share of the examples of the shorter file.
_SHARED = 0.5


def kinds_of(examples: Sequence[frozenset[str]]) -> list[int]:
    """A number for each file, the same for files that share most of their examples."""
    kinds: list[int] = []
    firsts: list[frozenset[str]] = []
    for own in examples:
        for kind, other in enumerate(firsts, start=1):
            if len(own & other) > _SHARED * min(len(own), len(other)):
                kinds.append(kind)
                break
        else:
            firsts.append(own)
            kinds.append(len(firsts))
    return kinds


MOST_NAMED = 5
_LEAST_TOLERANCE = 1e-6


def twice_problems(found: Sequence[Scores]) -> list[Problem]:
    """A problem for each dataset of a system that occurs twice."""
    problems = []
    by_system = grouped(((one.dataset, one.system), one) for one in found)
    for (dataset, system), own in by_system.items():
        files = list(dict.fromkeys(one.path for one in own))
        if len(own) > len(files) == 1:
            what = f"The file tells of it twice for the system {quoted(system)}."
            remedy = "Keep one of the two, or give them different names."
            problems.append(Problem(what, remedy, dataset=dataset, file=files[0]))
        elif len(own) > 1:
            what = (
                f"{len(files)} files tell of it for the system {quoted(system)}: {listed(files)}."
            )
            remedy = f"Drop all but one of them, or, if they are of different systems: {IN_FOLDERS}"
            problems.append(Problem(what, remedy, dataset=dataset))
    return problems


def alone_problems(systems: set[str]) -> list[Problem]:
    """That there is nothing to compare, where all of these are one system."""
    what = f"The files are of one system, {listed([*systems])}; a comparison needs two."
    remedy = (
        "Drop the files of both systems together, each system's in a folder or under a name of its "
        "own."
    )
    return [NothingToCompare(what, remedy)] if len(systems) == 1 else []


def other_mean(cells: Iterable[str], told: str, *, least_decimals: int = 0) -> float | None:
    """The mean of these scores where it is not the average that a file tells with so many decimals."""
    as_numbers = {"true": "1", "false": "0"}
    try:
        values = [float(as_numbers.get(cell, cell)) for cell in cells if cell]
        average = float(told)
    except ValueError:
        return None
    decimals = max(decimals_of(told), least_decimals)
    mean = math.fsum(values) / len(values) if values else math.nan
    # However many decimals are written.
    is_other = abs(mean - average) > max(1.01 * 10.0**-decimals, _LEAST_TOLERANCE)
    return mean if is_other else None


def with_comparable_content(scores: Sequence[Scores]) -> list[Scores]:
    """The same without the content of datasets of which files tell it in different ways."""
    kinds: dict[str, set[str]] = {}
    for one in scores:
        kinds.setdefault(one.dataset, set()).update([one.content_kind] if one.content else [])
    return [replace(o, content=()) if len(kinds[o.dataset]) > 1 else o for o in scores]


def content_problems(scores: Sequence[Scores]) -> list[Problem]:
    """A problem for each dataset of which two systems saw different data under the same ids.

    Of right answers that differ alone it is no problem within one system's own files.
    """
    problems = []
    for (dataset, a, b), examples in _differing(scores, lambda one: one.content).items():
        what = f"The systems {quoted(a)} and {quoted(b)} saw different data under the same id: "
        remedy = "Evaluate both on the same version of the data, with the same settings."
        if a == b:
            what = f"Under one id the system {quoted(a)} has different examples: "
            remedy = "Give the results of one version of the data, each example under its own id."
        problems.append(Problem(f"{what}{_counted(examples)}.", remedy, dataset=dataset))
    for (dataset, a, b), examples in _differing(scores, lambda one: one.targets).items():
        what = f"The systems {quoted(a)} and {quoted(b)} were judged by different right answers: "
        remedy = "Evaluate both with the same version of the data."
        if a != b:
            what += f"those of {_counted(examples)}."
            problems.append(Problem(what, remedy, dataset=dataset))
    return problems


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
    """For each dataset and pair of systems the examples on which their files disagree."""
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


def _counted(examples: Iterable[str]) -> str:
    first, *others = examples
    if not others:
        return f"the example {quoted(first)}"
    return f"{1 + len(others):,} examples, such as {listed([first, *others][:MOST_NAMED])}"


def unseen_remark(scores: Sequence[Scores]) -> tuple[str, ...]:
    """Name datasets of which no file shows that all systems saw the same under the same ids."""
    uncertain = [
        dataset
        for dataset, own in grouped((one.dataset, one) for one in scores).items()
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
    by_dataset: dict[str, dict[str, dict[str, str]]] = {}
    for one in scores:
        lacking: set[int] = set()
        for column in one.columns.values():
            # As the layouts leave it out: empty, or a word for nothing.
            missing = {c for c in set(column) if not c or c.strip().casefold() in NOTHING_WORDS}
            if missing:
                lacking.update(row for row, cell in enumerate(column) if cell in missing)
        own = by_dataset.setdefault(one.dataset, {}).setdefault(one.system, {})
        own |= {e: e for row, e in enumerate(one.examples) if row not in lacking}
    systems = list(dict.fromkeys(one.system for one in scores))
    return [
        matched
        for dataset, held in by_dataset.items()
        # A system without the dataset has none of its examples.
        for matched in matched_of(dataset, {**{system: {} for system in systems}, **held})
        if matched.system in held
    ]
