"""Which of several files is the gold standard, and which dataset and system the others are of.

Vocabulary
----------
gold
    What outputs are judged by: references, or annotations by people.
rest
    The words of a gold file's name that do not say that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.data.roles import NAME_ORDERS
from core.data.sources.name_grid import NameGrid, find_grid, stems_of
from core.data.sources.name_orders import FILE, order_choice
from core.data.words import listed
from core.errors import Choice, DataError, Problem

_DATASET_FIRST, _SYSTEM_FIRST, _, _ONE_DATASET = NAME_ORDERS
_GOLD_WORDS = frozenset(
    {"ref", "refs", "reference", "references", "gold", "golds", "goldstandard", "target",
     "targets", "tgt", "truth", "groundtruth"}
)  # fmt: skip
_SOURCE_WORDS = frozenset({"src", "srcs", "source", "sources"})
_NUMBER = re.compile(r"(?<=[a-z])\d+$")
# Beside the word for gold, these number several references of one dataset.
_NUMBERING = re.compile(r"\d+|[a-z]")


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


def named_as_gold(paths: Sequence[str]) -> list[int]:
    """The files whose names say that they are gold, by a word that not all have."""
    return _named(paths, _GOLD_WORDS)


def named_as_source(paths: Sequence[str]) -> list[int]:
    """The files whose names say that they are what systems were given."""
    return _named(paths, _SOURCE_WORDS)


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
    bare = _without_common_ending([paths[position] for position in (*gold, *systems)])
    rests = [_rest(name) for name in bare[: len(gold)]]
    stems = stems_of(bare[len(gold) :])
    shared = rests[0] if rests and len(set(rests)) == 1 else ()
    name = ".".join(shared) or whole
    grids, error = _grids(stems, name, order)
    fitting = [
        (grid, held)
        for grid in grids
        if (held := _gold_of(grid, rests, gold, stems, order)) is not None
    ]
    if not fitting:
        raise _unmatched(grids, rests, [paths[position] for position in gold], error)
    grid, held = fitting[0]
    is_open = len(fitting) > 1 and any(len(other.datasets) > 1 for other, _ in fitting)
    return Placement(
        gold=held,
        systems={
            dataset: {
                system: systems[grid.places[dataset, system]]
                for system in grid.systems
                if (dataset, system) in grid.places
            }
            for dataset in grid.datasets
        },
        roles={"name_order": grid.order} if order is not None or len(grid.datasets) > 1 else {},
        choices=(order_choice(FILE),) if is_open or (grid.choices and not gold) else (),
        remarks=(grid.remark,),
    )


def _grids(
    stems: Sequence[str], name: str, order: object
) -> tuple[list[NameGrid], DataError | None]:
    """Every way to read the systems' names, and why there are no more."""
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
        words = [tuple(_words(stem)) for stem in stems]
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
    words = {dataset: tuple(_words(dataset)) for dataset in datasets}
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


def _named(paths: Sequence[str], words: frozenset[str]) -> list[int]:
    own = [{_NUMBER.sub("", word) for word in _words(path)} for path in paths]
    common = set.intersection(*own) if len(own) > 1 else set()
    return [position for position, held in enumerate(own) if held & words - common]


def _words(path: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", path.casefold()) if word]


def _rest(name: str) -> tuple[str, ...]:
    """The words beside the one for gold, without what numbers several references."""
    rest: list[str] = []
    after_gold = False
    for word in _words(name):
        is_gold = _NUMBER.sub("", word) in _GOLD_WORDS
        if not is_gold and not (after_gold and _NUMBERING.fullmatch(word)):
            rest.append(word)
        after_gold = is_gold
    return tuple(rest)


def _without_common_ending(paths: Sequence[str]) -> list[str]:
    """The names without endings that all of them have, such as ".txt" and ".de"."""
    names = list(paths)
    while True:
        shorter = [name.rpartition(".")[0] for name in names]
        endings = {name.rpartition(".")[2] for name in names}
        if (
            len(endings) > 1
            or "/" in next(iter(endings))
            or not all(name.rpartition("/")[2] for name in shorter)
            or len(set(shorter)) < len(shorter)
        ):
            return names
        names = shorter
