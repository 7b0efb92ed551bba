"""Dataset and system by the parts of files' names, where files tell neither: asked where both fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.data.roles import Roles
from core.data.sources.name_grid import NameGrid, find_grid, stems_of
from core.data.sources.name_orders import (
    DATASET_FIRST,
    FILE,
    ONE_DATASET,
    SYSTEM_FIRST,
    order_choice,
)
from core.data.tools.gathered import Scores
from core.data.words import listed
from core.errors import Choice, DataError, Problem


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parted:
    """Scores with datasets and systems out of their names, as far as that was settled."""

    scores: list[Scores]
    roles: Mapping[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    remarks: tuple[str, ...] = ()


def parted_by_name(scores: Sequence[Scores], given: Roles) -> Parted:
    """The same where a file says dataset or system; else by `given` "name_order".

    Raises
    ------
    DataError
        Where folders and names may be datasets and systems either way, with
        the question.
    """
    as_they_are = Parted(scores=list(scores))
    paths = [one.path for one in scores]
    if (
        any(one.system for one in scores)
        or len({one.dataset for one in scores}) > 1
        or len(set(paths)) < len(paths)
        or len(paths) < 2
    ):
        return as_they_are
    stems, order = stems_of(paths), given.get("name_order")
    if order == ONE_DATASET:
        return _one_dataset(scores, stems)
    if order in (DATASET_FIRST, SYSTEM_FIRST):
        grid = find_grid(stems, [1] * len(stems), whole=scores[0].dataset, order=order)
        return _by_grid(scores, grid)
    try:
        grid = find_grid(stems, [1] * len(stems), whole=scores[0].dataset)
    except DataError:
        return as_they_are
    if min(len(grid.datasets), len(grid.systems)) < 2:
        return as_they_are
    other = find_grid(stems, [1] * len(stems), whole=scores[0].dataset, order=SYSTEM_FIRST)
    fitting = [one for one in (grid, other) if _have_examples_in_common(scores, one)]
    if len(fitting) == 1:
        return _by_grid(scores, fitting[0])
    if all("/" in stem for stem in stems):
        raise DataError(
            [
                Problem(
                    what="The files' folders and names may be datasets and systems either way: "
                    f"{listed(stems)}.",
                    remedy="Choose which part is the dataset.",
                    answered_by="name_order",
                )
            ],
            choices=(order_choice(FILE),),
        )
    return _one_dataset(scores, stems)


def _by_grid(scores: Sequence[Scores], grid: NameGrid) -> Parted:
    placed = {place: names for names, place in grid.places.items()}
    return Parted(
        scores=[
            replace(one, dataset=placed[place][0], system=placed[place][1])
            for place, one in enumerate(scores)
        ],
        roles={"name_order": grid.order},
        choices=(order_choice(FILE),),
        remarks=(grid.remark,),
    )


def _one_dataset(scores: Sequence[Scores], stems: Sequence[str]) -> Parted:
    return Parted(
        scores=[replace(one, system=stem) for one, stem in zip(scores, stems, strict=True)],
        roles={"name_order": ONE_DATASET},
        choices=(order_choice(FILE),),
        remarks=(f"Each file is read as a system, all of one dataset: {listed(stems)}.",),
    )


def _have_examples_in_common(scores: Sequence[Scores], grid: NameGrid) -> bool:
    """Whether the systems of every dataset have some example in common."""
    for dataset in grid.datasets:
        own = [
            set(scores[place].examples)
            for (name, _), place in grid.places.items()
            if name == dataset
        ]
        if not own[0].intersection(*own[1:]):
            return False
    return True
