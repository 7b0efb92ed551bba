"""What files' names say: which part is the dataset and which the system.

Vocabulary
----------
stem
    A file's name with the folders and without the ending that say nothing.
split
    For each stem its two parts, before and after one separator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.data.roles import NAME_ORDERS
from core.data.sources.given import shared_folders, without_common_folders
from core.data.sources.json_nested import DATASET_FIRST, SYSTEM_FIRST
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

ONE_DATASET = NAME_ORDERS[3]
# The most telling first: what stands between folders, then what the names of
# systems themselves hold least often.
_SEPARATORS = "/._-"
_ENDINGS = (
    ".gz", ".txt", ".csv", ".tsv", ".tab", ".dat", ".out", ".log", ".score", ".scores", ".pred",
    ".preds", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".zip",
)  # fmt: skip
# A grid with fewer of its files is no grid with a few files missing.
_LEAST_FILLED = 0.6

Split = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameGrid:
    """Which file is which.

    Attributes
    ----------
    datasets, systems : tuple of str
        In the order of the files.
    places : dict of (str, str) to int
        Position of the file of each dataset and system.
    order : str
        The value of the role "name_order" that it was read by.
    choices : tuple of Choice
        Where another order fits as well.
    remark : str
        How the names were read.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    places: dict[tuple[str, str], int]
    order: str
    choices: tuple[Choice, ...]
    remark: str


def name_choice() -> Choice:
    """Which part of a name is the dataset."""
    return Choice(
        role="name_order",
        question="Which part of the files' names is the dataset?",
        options=(
            (DATASET_FIRST, "the dataset comes first, then the system"),
            (SYSTEM_FIRST, "the system comes first, then the dataset"),
            (ONE_DATASET, "each file is a system, all of one dataset"),
        ),
    )


def without_ending(path: str) -> str:
    """A file's name without endings that are known."""
    stem = path
    while any(stem.lower().endswith(ending) for ending in _ENDINGS):
        shorter = stem[: stem.rindex(".")]
        if not shorter.rpartition("/")[2]:
            break
        stem = shorter
    return stem


def stems_of(paths: Sequence[str]) -> list[str]:
    """What tells files apart: without common folders, endings, and a name that all have."""
    stems = without_common_folders([without_ending(path).strip() for path in paths])
    folders = [stem.rpartition("/") for stem in stems]
    if len(stems) > 1 and all(f[0] for f in folders) and len({f[2] for f in folders}) == 1:
        stems = [folder for folder, _, _ in folders]
    # Where only their endings tell files apart, the endings say something.
    return stems if len(set(stems)) == len(stems) else list(paths)


def common_folder(paths: Sequence[str]) -> str:
    """The innermost folder that all files are in, '' where there is none."""
    return (shared_folders(paths) or [""])[-1]


def find_grid(
    stems: Sequence[str], sizes: Sequence[int], *, whole: str, order: object = None
) -> NameGrid:
    """Read names as datasets and systems.

    Parameters
    ----------
    stems : sequence of str
        All different.
    sizes : sequence of int
        Number of values in each file: equal within a dataset.
    whole : str
        The dataset's name where all files are of one.
    order : object
        The role "name_order".

    Raises
    ------
    DataError
        If files are missing, or their numbers of values do not fit.
    """
    if order == ONE_DATASET:
        return _one_dataset(stems, sizes, whole)
    splits = _complete_splits(stems)
    orders = (str(order),) if order in (DATASET_FIRST, SYSTEM_FIRST) else NAME_ORDERS[:2]
    for split in splits:
        fitting = [o for o in orders if _fits(split, sizes, o)]
        if fitting:
            return _grid(split, fitting[0], is_open=len(fitting) > 1)
    if splits:
        chosen = orders[0]
        by_dataset = _by_dataset(splits[0], chosen)
        raise DataError(
            _size_problems(by_dataset, stems, sizes) or [_one_system_problem(stems)],
            choices=(name_choice(),),
        )
    missing = _missing_files(stems)
    if missing:
        raise DataError(
            [
                Problem(
                    what=f"The file {quoted(name)} is missing: {why}.",
                    remedy="Add it, or leave out the other files of its dataset or system.",
                )
                for name, why in missing
            ],
            choices=(name_choice(),),
        )
    if len(set(sizes)) == 1 and order is None:
        return _one_dataset(stems, sizes, whole)
    raise DataError([_no_grid_problem(stems)], choices=(name_choice(),))


def _complete_splits(stems: Sequence[str]) -> list[Split]:
    """Every way to split all stems at one separator so that each pair of parts has one file.

    Those with two or more datasets and systems come first, then those in which
    one part is the same in all.
    """
    found: dict[Split, bool] = {}
    given = set(stems)
    for separator in _SEPARATORS:
        pieces = stems[0].split(separator)
        for cut in range(1, len(pieces)):
            left, right = separator.join(pieces[:cut]), separator.join(pieces[cut:])
            rights = [s[len(left) + 1 :] for s in stems if s.startswith(left + separator)]
            lefts = [s[: -len(right) - 1] for s in stems if s.endswith(separator + right)]
            if not all(lefts) or not all(rights) or len(lefts) * len(rights) != len(stems):
                continue
            pairs = {f"{one}{separator}{other}": (one, other) for one in lefts for other in rights}
            if pairs.keys() == given:
                split = tuple(pairs[stem] for stem in stems)
                found.setdefault(split, min(len(lefts), len(rights)) >= 2)
    return sorted(found, key=lambda split: not found[split])


def _by_dataset(split: Split, order: str) -> dict[str, dict[str, int]]:
    by_dataset: dict[str, dict[str, int]] = {}
    for position, (first, second) in enumerate(split):
        dataset, system = (first, second) if order == DATASET_FIRST else (second, first)
        by_dataset.setdefault(dataset, {})[system] = position
    return by_dataset


def _fits(split: Split, sizes: Sequence[int], order: str) -> bool:
    by_dataset = _by_dataset(split, order)
    return all(
        len(own) >= 2 and len({sizes[position] for position in own.values()}) == 1
        for own in by_dataset.values()
    )


def _grid(split: Split, order: str, *, is_open: bool) -> NameGrid:
    by_dataset = _by_dataset(split, order)
    systems = tuple(dict.fromkeys(system for own in by_dataset.values() for system in own))
    first, second = order.split(", ")
    remark = (
        f"The files' names are read as {first} and {second}: the datasets are "
        f"{listed(tuple(by_dataset))}, the systems {listed(systems)}."
    )
    if is_open:
        remark += " The numbers of values would fit the other way as well."
    return NameGrid(
        datasets=tuple(by_dataset),
        systems=systems,
        places={(d, s): place for d, own in by_dataset.items() for s, place in own.items()},
        order=order,
        choices=(name_choice(),) if is_open else (),
        remark=remark,
    )


def _one_dataset(stems: Sequence[str], sizes: Sequence[int], whole: str) -> NameGrid:
    by_dataset = {whole: {stem: position for position, stem in enumerate(stems)}}
    problems = _size_problems(by_dataset, stems, sizes)
    if len(stems) < 2:
        problems.append(_one_system_problem(stems))
    if problems:
        raise DataError(problems, choices=(name_choice(),))
    return NameGrid(
        datasets=(whole,),
        systems=tuple(stems),
        places={(whole, stem): position for position, stem in enumerate(stems)},
        order=ONE_DATASET,
        choices=(),
        remark=f"Each file is read as a system, all of one dataset: {listed(tuple(stems))}.",
    )


def _size_problems(
    by_dataset: dict[str, dict[str, int]], stems: Sequence[str], sizes: Sequence[int]
) -> list[Problem]:
    problems = []
    for dataset, own in by_dataset.items():
        if len({sizes[place] for place in own.values()}) > 1:
            counts = ", ".join(
                f"{quoted(stems[place])} {sizes[place]:,}" for place in list(own.values())[:10]
            )
            problems.append(
                Problem(
                    what=f"Its files hold different numbers of values: {counts}.",
                    remedy="A paired test needs one value an example from each system, in the same "
                    "order: complete the files, or say which part of their names is the dataset.",
                    dataset=dataset,
                )
            )
    return problems


def _missing_files(stems: Sequence[str]) -> list[tuple[str, str]]:
    """Names that would complete the grid, and why; nothing where the names are no grid.

    Hyphens are left out: the names of systems are full of them.
    """
    best: list[tuple[str, str]] = []
    best_share = _LEAST_FILLED
    for separator in _SEPARATORS[:3]:
        if not all(separator in stem for stem in stems):
            continue
        for pairs in (
            [stem.partition(separator) for stem in stems],
            [stem.rpartition(separator) for stem in stems],
        ):
            firsts = list(dict.fromkeys(pair[0] for pair in pairs))
            seconds = list(dict.fromkeys(pair[2] for pair in pairs))
            share = len(stems) / (len(firsts) * len(seconds))
            if min(len(firsts), len(seconds)) >= 2 and best_share <= share < 1:
                present = {(pair[0], pair[2]) for pair in pairs}
                best_share = share
                best = [
                    (f"{a}{separator}{b}", f"{quoted(a)} and {quoted(b)} stand in others' names")
                    for a in firsts
                    for b in seconds
                    if (a, b) not in present
                ]
    return best


def _one_system_problem(stems: Sequence[str]) -> Problem:
    return Problem(
        what=f"The files {listed(stems)} are of one system; a comparison needs two.",
        remedy="Add the files of another system, on the same datasets.",
    )


def _no_grid_problem(stems: Sequence[str]) -> Problem:
    return Problem(
        what=f"The names {listed(stems)} do not tell which dataset and which system each file is "
        "of.",
        remedy="Name the files 'dataset.system.txt', each dataset with the same systems.",
    )
