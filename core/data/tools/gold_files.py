"""Which dataset and system files are of, and which gold files are of which dataset."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.data.roles import NAME_ORDERS
from core.data.sources.name_grid import SHARED_PART, NameGrid, find_grid
from core.data.sources.name_orders import FILE, order_choice
from core.data.sources.spellings import spelled_otherwise
from core.data.tools.bare_names import bare_names
from core.data.tools.gold_words import names_language, rest_of, words_of
from core.data.words import listed
from core.errors import Choice, DataError, Problem

_DATASET_FIRST, _SYSTEM_FIRST, _, _ONE_DATASET = NAME_ORDERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Which file is which.

    Attributes
    ----------
    gold : dict of str to tuple of int
        For each dataset the positions of its gold files.
    systems : dict of str to dict of str to int
        For each dataset the position of each system's file.
    roles : dict of str to object
        What was settled.
    choices : tuple of Choice
        Where another reading of the names fits as well.
    remarks : tuple of str
        How the names were read.
    """

    gold: dict[str, tuple[int, ...]]
    systems: dict[str, dict[str, int]]
    roles: dict[str, object]
    choices: tuple[Choice, ...]
    remarks: tuple[str, ...]


def place(
    paths: Sequence[str],
    *,
    gold: Sequence[int],
    systems: Sequence[int],
    order: object,
    whole: str,
) -> Placement:
    """Read the names of gold files and systems' files as datasets and systems.

    Parameters
    ----------
    paths : sequence of str
        The names, with folders.
    gold, systems : sequence of int
        Positions; there may be no gold where each system's file holds it.
    order : object
        The role "name_order".
    whole : str
        The dataset's name where the files name none.

    Raises
    ------
    DataError
        If a dataset has no gold, a gold file no dataset, or the names are no grid.
    """
    gold_names, stems = bare_names([paths[p] for p in gold], [paths[p] for p in systems])
    rests = [rest_of(name) for name in gold_names]
    shared = rests[0] if rests and len(set(rests)) == 1 else ()
    cut = _after(stems, shared) if order is None else None
    if cut is not None:
        return _of_one_dataset(cut, gold, systems)
    name = ".".join(shared) or whole
    grids, error = _grids(stems, name, order)
    fitting = [
        (grid, held)
        for grid in grids
        if (held := _gold_of(grid, rests, gold, stems, order)) is not None
    ]
    if not fitting:
        told = [paths[position] for position in (*gold, *systems)]
        otherwise = spelled_otherwise(told, named=FILE)
        if otherwise:
            raise DataError(otherwise, choices=(order_choice(FILE),))
        raise _unmatched(grids, rests, told[: len(gold)], error)
    grid, held = fitting[0]
    is_open = len(fitting) > 1 and any(len(other.datasets) > 1 for other, _ in fitting)
    may_be_cut = grid.order == _ONE_DATASET and any(other.is_doubtful for other, _ in fitting)
    follows = _follows(
        grid, stems, {d: [rests[gold.index(p)] for p in own] for d, own in held.items()}
    )
    called = {name: f"{name}{follows}" for name in grid.datasets}
    short = {system: system[len(follows) :] if follows else system for system in grid.systems}
    remark = f"{grid.remark} {SHARED_PART}" if may_be_cut else grid.remark
    if follows:
        remark = _remark(list(called.values()), list(short.values()))
    return Placement(
        gold={called[dataset]: own for dataset, own in held.items()},
        systems={
            called[dataset]: {
                short[system]: systems[grid.places[dataset, system]]
                for system in grid.systems
                if (dataset, system) in grid.places
            }
            for dataset in grid.datasets
        },
        roles={"name_order": grid.order} if order is not None or len(grid.datasets) > 1 else {},
        choices=(order_choice(FILE),)
        if is_open or may_be_cut or (grid.choices and not gold)
        else (),
        remarks=(remark,),
    )


def _follows(
    grid: NameGrid, stems: Sequence[str], rests: Mapping[str, Sequence[tuple[str, ...]]]
) -> str:
    """What begins every system's name and ends every gold file's: a part of the datasets' names.

    It is told with the mark between it and the dataset, as long as the part of
    the systems' names with the mark after it.
    """
    if not all(rests.values()) or len(grid.datasets) < 2:
        return ""
    common = grid.systems[0]
    while not all(system.startswith(common) for system in grid.systems):
        common = common[:-1]
    marks = {
        stems[place][len(dataset)]
        for (dataset, system), place in grid.places.items()
        if len(stems[place]) == len(dataset) + 1 + len(system) and stems[place].startswith(dataset)
    }
    if len(marks) != 1 or grid.order != _DATASET_FIRST:
        return ""
    for end in sorted((match.start() for match in re.finditer(r"[._-]", common)), reverse=True):
        part = tuple(words_of(common[:end]))
        if part and all(
            rest == (*words_of(dataset), *part) for dataset, own in rests.items() for rest in own
        ):
            return f"{next(iter(marks))}{common[:end]}"
    return ""


def _remark(datasets: Sequence[str], systems: Sequence[str]) -> str:
    many = len(datasets) > 1
    return (
        f"The files' names are read as dataset and system: the dataset{'s are' if many else ' is'} "
        f"{listed(datasets)}, the systems {listed(systems)}."
    )


def _after(stems: Sequence[str], shared: Sequence[str]) -> tuple[str, list[str]] | None:
    """What all names begin with, if it is all that the gold files' names say, and what follows."""
    if not shared or len(stems) < 2:
        return None
    pattern = r"[\W_]*" + r"[\W_]+".join(map(re.escape, shared)) + r"(?=[._/-])"
    found = [re.match(pattern, stem, re.IGNORECASE) for stem in stems]
    starts = {match[0] for match in found if match is not None}
    if None in found or len(starts) != 1:
        return None
    start = starts.pop()
    names = [stem[len(start) + 1 :] for stem in stems]
    return (start, names) if all(names) and len(set(names)) == len(names) else None


def _of_one_dataset(
    cut: tuple[str, list[str]], gold: Sequence[int], systems: Sequence[int]
) -> Placement:
    dataset, names = cut
    return Placement(
        gold={dataset: tuple(gold)},
        systems={dataset: dict(zip(names, systems, strict=True))},
        roles={},
        choices=(),
        remarks=(_remark([dataset], names),),
    )


def _grids(
    stems: Sequence[str], name: str, order: object
) -> tuple[list[NameGrid], DataError | None]:
    """Every way to read the systems' names, doubtful ones last, and why there are no more."""
    orders = (order,) if order is not None else (_DATASET_FIRST, _SYSTEM_FIRST, _ONE_DATASET)
    found: list[NameGrid] = []
    errors: list[DataError] = []
    for each in orders:
        try:
            grid = find_grid(stems, [1] * len(stems), whole=name, order=each)
        except DataError as error:
            errors.append(error)
        else:
            if all(grid.places != other.places for other in found):
                found.append(grid)
    found.sort(key=lambda grid: grid.is_doubtful)
    if len(stems) < 2:
        # That there is one system is said of a dataset alone.
        return found, errors[-1]
    return found, errors[0] if errors else None


def _gold_of(
    grid: NameGrid,
    rests: Sequence[tuple[str, ...]],
    gold: Sequence[int],
    stems: Sequence[str],
    order: object,
) -> dict[str, tuple[int, ...]] | None:
    """Each dataset's gold files, None where the grid does not fit them."""
    if not gold:
        return dict.fromkeys(grid.datasets, ())
    if len(grid.datasets) == 1:
        if len(set(rests)) > 1 and any(map(names_language, rests)):
            # References into two languages are of two datasets, not two of one.
            return None
        words = [tuple(words_of(stem)) for stem in stems]
        # A gold file that names some of the systems' files is not of all of them.
        of_some = any(
            any(held) and not all(held)
            for rest in rests
            if rest and (held := [_holds(own, rest) for own in words])
        )
        return None if of_some and order is None else {grid.datasets[0]: tuple(gold)}
    found = _within(rests, grid.datasets)
    held_by = {
        dataset: tuple(p for p, named in zip(gold, found, strict=True) if named == dataset)
        for dataset in grid.datasets
    }
    return held_by if all(found) and all(held_by.values()) else None


def _within(rests: Sequence[tuple[str, ...]], datasets: Sequence[str]) -> list[str]:
    """For each gold file the dataset that its name names, '' where it names none."""
    words = {dataset: tuple(words_of(dataset)) for dataset in datasets}
    found = []
    for rest in rests:
        named = [dataset for dataset, own in words.items() if own and _holds(rest, own)]
        found.append(max(named, key=lambda dataset: len(words[dataset]), default=""))
    return found


def _holds(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    n = len(part)
    return any(words[start : start + n] == part for start in range(len(words) - n + 1))


def _unmatched(
    grids: Sequence[NameGrid],
    rests: Sequence[tuple[str, ...]],
    gold: Sequence[str],
    error: DataError | None,
) -> DataError:
    choices = (order_choice(FILE),)
    for grid in grids:
        own = _within(rests, grid.datasets)
        if len(grid.datasets) < 2 or not any(own):
            continue
        lacking = [dataset for dataset in grid.datasets if dataset not in own]
        problems = [
            Problem(
                what="The systems' outputs are there, and no gold file beside them.",
                remedy="Add its gold file, with the dataset in its name as in the others', or "
                "leave the dataset out.",
                dataset=dataset,
            )
            for dataset in lacking
        ] or [
            Problem(
                what=f"Its name tells none of the datasets {listed(grid.datasets)}.",
                remedy="Name it after the dataset that it is the gold of.",
                file=path,
            )
            for path, found in zip(gold, own, strict=True)
            if not found
        ]
        return DataError(problems, choices=choices)
    if error is not None:
        return DataError(error.problems, choices=choices)
    return DataError(
        [
            Problem(
                what=f"The names do not tell which dataset each of the gold files {listed(gold)} "
                "is of.",
                remedy="Put the files of each dataset into a folder named after it.",
            )
        ],
        choices=choices,
    )
