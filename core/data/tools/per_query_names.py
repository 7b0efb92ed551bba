"""Files of scores by query: what one holds, and which dataset and which system each is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.data.roles import Roles
from core.data.sources.name_grid import common_folder, find_grid, stems_of, without_ending
from core.data.tools.gathered import Scores
from core.errors import Choice, DataError

# What a dataset is called whose name no file says.
QUERIES = "queries"
# Two systems on one dataset share at least this share of the queries of the shorter file.
_SHARED = 0.5


@dataclass(slots=True)
class QueryScores:
    """One system's scores by query, while its file is read."""

    path: str
    system: str = ""
    # By measure, then by query.
    cells: dict[str, dict[str, str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """What its system is called: as the file says, else as the file itself is."""
        return self.system or stem(self.path)

    def scores(self, dataset: str, system: str) -> Scores:
        """A row for each query, of a dataset and a system of these names."""
        queries = list(self.lines)
        return Scores(
            path=self.path,
            dataset=dataset,
            system=system,
            examples=queries,
            columns={
                measure: [cells.get(query, "") for query in queries]
                for measure, cells in self.cells.items()
            },
            lines=list(self.lines.values()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFile:
    """One file of scores by query, as far as it names itself.

    Attributes
    ----------
    path : str
        Its name, with folders.
    queries : frozenset of str
        Which queries it has.
    system : str
        What the file itself calls its system; '' where it does not.
    """

    path: str
    queries: frozenset[str]
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryNames:
    """Dataset and system of each file.

    Attributes
    ----------
    pairs : tuple of (str, str)
        One a file, in their order.
    roles : mapping of str to object
        How the names were read.
    choices : tuple of Choice
        Where they might be read otherwise.
    remarks : tuple of str
        How they were read, as a sentence.
    """

    pairs: tuple[tuple[str, str], ...]
    roles: Mapping[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    remarks: tuple[str, ...] = ()


def stem(path: str) -> str:
    """A file's name without folders and ending."""
    return without_ending(path.rpartition("/")[2])


def name_files(files: Sequence[QueryFile], given: Roles) -> QueryNames:
    """Read files' names as datasets and systems; one file's own name of its system counts more.

    Raises
    ------
    DataError
        If the names do not tell which file is which.
    """
    paths = [file.path for file in files]
    if len(files) == 1:
        return QueryNames(pairs=((QUERIES, files[0].system or stem(paths[0])),))
    stems = stems_of(paths)
    whole = common_folder(paths) or QUERIES
    order = given.get("name_order")
    try:
        grid = find_grid(stems, _kinds(files), whole=whole, order=order)
    except DataError:
        # Whatever is wrong with the queries shows where examples are matched.
        grid = find_grid(stems, [1] * len(files), whole=whole, order=order)
    by_place = {place: pair for pair, place in grid.places.items()}
    pairs = [by_place[position] for position in range(len(files))]
    own = [file.system for file in files]
    remark = grid.remark
    if len(grid.datasets) == 1 and all(own) and len(set(own)) == len(own):
        pairs = [(dataset, system) for (dataset, _), system in zip(pairs, own, strict=True)]
        remark = "Each file is read as a system, by the name of the run that stands in it."
    return QueryNames(
        pairs=tuple(pairs),
        roles={"name_order": grid.order},
        choices=grid.choices,
        remarks=(remark,),
    )


def _kinds(files: Sequence[QueryFile]) -> list[int]:
    """A number for each file, the same for files that share most of their queries."""
    kinds: list[int] = []
    firsts: list[frozenset[str]] = []
    for file in files:
        for kind, queries in enumerate(firsts, start=1):
            shorter = min(len(queries), len(file.queries))
            if len(queries & file.queries) > _SHARED * shorter:
                kinds.append(kind)
                break
        else:
            firsts.append(file.queries)
            kinds.append(len(firsts))
    return kinds
