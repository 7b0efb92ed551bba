"""What files' names say: which part is the dataset and which the system.

Vocabulary
----------
stem
    A file's name with the folders and without the ending that say nothing.
split
    For each stem its two parts, before and after one separator.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ..roles import NAME_ORDERS
from ..tables.directions import complete_splits
from .files import n_common, shared_folders, without_common_folders

DATASET_FIRST, SYSTEM_FIRST, _, ONE_DATASET = NAME_ORDERS
# What tables or lists of values stand in, one in each.
FILE, SHEET = "file", "sheet"

_WORDS = {
    DATASET_FIRST: "the dataset comes first, then the system",
    SYSTEM_FIRST: "the system comes first, then the dataset",
}


def order_choice(named: str | None) -> Choice:
    """The question which part of the name of a "file" or "sheet" is the dataset.

    With None it is about the outer and inner names of JSON.
    """
    question = "Do the outer names of the JSON name datasets or systems?"
    options = [*_WORDS.items()]
    if named is not None:
        question = f"Which part of the {named}s' names is the dataset?"
        options.append((ONE_DATASET, f"each {named} is a system, all of one dataset"))
    return Choice(role="name_order", question=question, options=tuple(options))


def check_order(
    firsts: Collection[str], seconds: Collection[str], named: str | None, *, always: bool = False
) -> None:
    """Ask which names are datasets where the usual order has fewer of them than systems."""
    if always or len(firsts) < len(seconds):
        raise DataError.of(
            f"Either {listed(tuple(firsts))} are the datasets and {listed(tuple(seconds))} the "
            "systems, or the other way round: nothing here shows which.",
            "Choose which of them are the datasets.",
            answered_by="name_order",
            choices=(order_choice(named),),
        )


def check_folders(grid: NameGrid, stems: Sequence[str], order: object) -> None:
    """Ask, as `check_order`, where folders and names fit both ways and no name says system."""
    said = any(map(says_system, (*grid.datasets, *grid.systems)))
    fits_both_ways = order is None and grid.choices and len(grid.datasets) == len(grid.systems)
    if fits_both_ways and not said and all("/" in stem for stem in stems):
        check_order(grid.datasets, grid.systems, FILE, always=True)


# The most telling first: what stands between folders, then what the names of
# systems themselves hold least often.
_SEPARATORS = "/._-"
_AROUND_NAMES = "_-./ "
# What all names have in common before or after these may belong to the systems' names.
_WITHIN_NAMES = "_-"
_ENDINGS = (
    ".gz", ".txt", ".csv", ".tsv", ".tab", ".dat", ".out", ".log", ".score", ".scores", ".pred",
    ".preds", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".zip", ".eval", ".treceval", ".trec",
    ".run", ".comet", ".parquet",
)  # fmt: skip
_SHARED_PART = "The part that all names share may also name the dataset."
# A grid with fewer of its files is no grid with a few files missing.
_LEAST_FILLED = 0.6

Split = tuple[tuple[str, str], ...]


class NothingToCompare(Problem):
    """Nothing is wrong with the files but that they hold no two systems' results."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NameGrid:
    """Dataset and system of each file, in the files' order.

    `order` is the value of the role "name_order" that names were read by, `remark` says how; there
    are `choices` where another order fits as well.
    """

    pairs: Split
    order: str
    remark: str
    choices: tuple[Choice, ...] = ()

    @property
    def places(self) -> dict[str, dict[str, int]]:
        """For each dataset the position of each system's file."""
        places: dict[str, dict[str, int]] = {}
        for position, (dataset, system) in enumerate(self.pairs):
            places.setdefault(dataset, {})[system] = position
        return places

    @property
    def datasets(self) -> tuple[str, ...]:
        """In the order of the files."""
        return tuple(self.places)

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order of the first dataset's files, then of others'."""
        return tuple(dict.fromkeys(system for own in self.places.values() for system in own))


def without_ending(path: str) -> str:
    """A file's name without endings that are known."""
    stem = path
    while any(stem.lower().endswith(ending) for ending in _ENDINGS):
        shorter = stem[: stem.rindex(".")]
        if not shorter.rpartition("/")[2]:
            break
        stem = shorter
    return stem


def stem_of(path: str) -> str:
    """A file's name without its folders and without endings that are known."""
    return without_ending(path.rpartition("/")[2])


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


def without_name(stem: str, name: str) -> str:
    """A file's name without another name that stands in it between separators."""
    if not name:
        return stem
    found = re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", stem)
    if found is None:
        return stem
    before, after = stem[: found.start()].rstrip(_AROUND_NAMES), stem[found.end() :]
    after = after.lstrip(_AROUND_NAMES)
    return f"{before}_{after}" if before and after else before or after


def name_in_common(names: Sequence[str]) -> str:
    """The words with which all names begin, or else end; '' where there are none."""
    for forward in (True, False):
        turned = [name if forward else name[::-1] for name in names]
        common = turned[0][: n_common(turned)]
        if not all(re.match(r"[\W_]|$", name[len(common) :]) for name in turned):
            common = re.sub(r"[^\W_]+$", "", common)
        if found := common.strip(_AROUND_NAMES):
            return found if forward else found[::-1]
    return ""


def find_grid(
    stems: Sequence[str],
    sizes: Sequence[int],
    *,
    whole: str,
    order: object = None,
    named: str = FILE,
) -> NameGrid:
    """Read names, all different, as datasets and systems.

    The numbers of values in files, `sizes`, are equal within a dataset. `whole` is the dataset's
    name where all files are of one, `order` the role "name_order". Names such as "Online-A" and
    "Online-G" are kept whole, as systems of one dataset, with the question whether "Online" is the
    dataset.
    """
    if order == ONE_DATASET:
        return _one_dataset(stems, sizes, whole, named)
    telling, doubtful = _complete_splits(stems)
    splits = [*telling, *doubtful]
    is_said = order in (DATASET_FIRST, SYSTEM_FIRST)
    orders = (str(order),) if is_said else (DATASET_FIRST, SYSTEM_FIRST)
    for split in splits if is_said else telling:
        grids = [_grid(split, order, named) for order in orders]
        fitting = [grid for grid in grids if _fits(grid, sizes)]
        firsts, seconds = (any(map(says_system, parts)) for parts in zip(*split, strict=True))
        if len(fitting) > 1 and firsts and not seconds:
            fitting.reverse()
        if fitting:
            grid = fitting[0]
            if len(fitting) > 1:
                check_order(grid.datasets, grid.systems, named)
                both = "The numbers of values would fit the other way as well."
                return replace(grid, choices=(order_choice(named),), remark=f"{grid.remark} {both}")
            return grid
    if doubtful and not telling and not is_said:
        grid = _one_dataset(stems, sizes, whole, named)
        return replace(grid, choices=(order_choice(named),), remark=f"{grid.remark} {_SHARED_PART}")
    if splits:
        places = _grid(splits[0], orders[0], named).places
        # Where all names have one part in common, the others may still be a grid with gaps.
        raise DataError(
            _size_problems(places, stems, sizes, named)
            or _gap_problems(stems, named)
            or [_one_system_problem(stems, named)],
            choices=(order_choice(named),),
        )
    stop_at(_gap_problems(stems, named), choices=(order_choice(named),))
    if len(set(sizes)) == 1 and order is None:
        return _one_dataset(stems, sizes, whole, named)
    raise DataError.of(
        f"The names {listed(stems)} do not tell which dataset and which system each {named} is of.",
        f"Name the {named}s 'dataset.system{'.txt' if named == FILE else ''}', each dataset with "
        "the same systems.",
        choices=(order_choice(named),),
    )


def systems_of_names(paths: Sequence[str], datasets: Sequence[str]) -> list[str]:
    """The system of each path whose dataset is known; '' where names do not tell these apart so."""
    stems = stems_of(paths)
    for order in (SYSTEM_FIRST, DATASET_FIRST) if stems else ():
        try:
            grid = find_grid(stems, [1] * len(stems), whole="", order=order)
        except DataError:
            continue
        pairs = {(named, own) for (named, _), own in zip(grid.pairs, datasets, strict=True)}
        if len(pairs) == len(grid.datasets) == len(set(datasets)):
            return [system for _, system in grid.pairs]
    return [""] * len(paths)


def _complete_splits(stems: Sequence[str]) -> tuple[list[Split], list[Split]]:
    """Every way to split all stems at one separator so that each pair of parts has one file.

    First those that tell datasets from systems: with two or more of both, then
    those in which one part is the same in all. Apart from them the doubtful
    ones, in which the same part may belong to the systems' names.
    """
    found: dict[Split, int] = {}
    for separator, lefts, rights in complete_splits(stems, _SEPARATORS):
        pairs = {f"{one}{separator}{other}": (one, other) for one in lefts for other in rights}
        split = tuple(pairs[stem] for stem in stems)
        is_grid = min(len(lefts), len(rights)) >= 2
        found.setdefault(split, 0 if is_grid else 2 if _is_doubtful(split, separator) else 1)
    telling = sorted((split for split in found if found[split] < 2), key=lambda split: found[split])
    return telling, [split for split in found if found[split] == 2]


def _is_doubtful(split: Split, separator: str) -> bool:
    """Whether a part that all names have may belong to the systems': "Online-A", "gpt-3.5"."""
    if separator == ".":
        return any(first[-1].isdigit() and second[0].isdigit() for first, second in split)
    return separator in _WITHIN_NAMES


# So nobody calls a dataset.
_OF_A_SYSTEM = frozenset({"ours", "our", "baseline", "baselines", "proposed"})


def says_system(part: str) -> bool:
    """Whether it is called as systems alone are."""
    return not _OF_A_SYSTEM.isdisjoint(re.findall(r"[^\W_]+", part.casefold()))


def _fits(grid: NameGrid, sizes: Sequence[int]) -> bool:
    return all(
        len(own) >= 2 and len({sizes[position] for position in own.values()}) == 1
        for own in grid.places.values()
    )


def _grid(split: Split, order: str, named: str) -> NameGrid:
    pairs = split if order == DATASET_FIRST else tuple(pair[::-1] for pair in split)
    grid = NameGrid(pairs=pairs, order=order, remark="")
    return replace(grid, remark=order_remark(grid.datasets, grid.systems, order, named))


def order_remark(
    datasets: Sequence[str], systems: Sequence[str], order: str = DATASET_FIRST, named: str = FILE
) -> str:
    """How names were read."""
    are = "datasets are" if len(datasets) > 1 else "dataset is"
    return (
        f"The {named}s' names are read as {' and '.join(order.split(', '))}: the {are} "
        f"{listed(datasets)}, the systems {listed(systems)}."
    )


def _one_dataset(stems: Sequence[str], sizes: Sequence[int], whole: str, named: str) -> NameGrid:
    grid = NameGrid(
        pairs=tuple((whole, stem) for stem in stems),
        order=ONE_DATASET,
        remark=f"Each {named} is read as a system, all of one dataset: {listed(tuple(stems))}.",
    )
    problems = _size_problems(grid.places, stems, sizes, named)
    if len(stems) < 2:
        problems.append(_one_system_problem(stems, named))
    stop_at(problems, choices=(order_choice(named),))
    return grid


def _size_problems(
    by_dataset: dict[str, dict[str, int]], stems: Sequence[str], sizes: Sequence[int], named: str
) -> list[Problem]:
    problems = []
    for dataset, own in by_dataset.items():
        if len({sizes[place] for place in own.values()}) > 1:
            counts = ", ".join(
                f"{quoted(stems[place])} {sizes[place]:,}" for place in list(own.values())[:10]
            )
            problems.append(
                Problem(
                    f"Its {named}s hold different numbers of values: {counts}.",
                    "A paired test needs one value an example from each system, in the same "
                    f"order: complete the {named}s, or say which part of their names is the dataset.",
                    dataset=dataset,
                )
            )
    return problems


def _gap_problems(stems: Sequence[str], named: str) -> list[Problem]:
    """The files that names lack to be a grid; nothing where the names are none.

    Hyphens are left out: the names of systems are full of them.
    """
    best: list[Problem] = []
    best_share = _LEAST_FILLED
    for separator in _SEPARATORS[:3]:
        if not all(separator in stem for stem in stems):
            continue
        for cut in (str.partition, str.rpartition):
            present = {cut(stem, separator)[::2] for stem in stems}
            firsts, seconds = (
                list(dict.fromkeys(cut(s, separator)[i] for s in stems)) for i in (0, 2)
            )
            share = len(stems) / (len(firsts) * len(seconds))
            if min(len(firsts), len(seconds)) >= 2 and best_share <= share < 1:
                best_share = share
                best = [
                    Problem(
                        f"The {named} {quoted(f'{a}{separator}{b}')} is missing: {quoted(a)} and "
                        f"{quoted(b)} stand in others' names.",
                        "Add it, spell it alike where it is there under another name, or leave out "
                        f"the other {named}s of its dataset or system.",
                    )
                    for a in firsts
                    for b in seconds
                    if (a, b) not in present
                ]
    return best


def _one_system_problem(stems: Sequence[str], named: str) -> NothingToCompare:
    return NothingToCompare(
        f"The {named}s {listed(stems)} are of one system; a comparison needs two.",
        f"Add the {named}s of another system, on the same datasets.",
    )
