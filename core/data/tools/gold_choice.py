"""Which of several annotated files is the gold one: by its name, else as is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.data.roles import Roles
from core.data.tools.gold_files import Placement, named_as_gold
from core.data.words import listed
from core.errors import Choice, DataError, Problem

# The role "filter" names the gold file so.
GOLD_FILE = "gold:"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledGold:
    """The positions of gold files and of the others.

    Attributes
    ----------
    gold, systems : tuple of int
        Positions.
    roles : dict of str to object
        What was said.
    choices : tuple of Choice
        The question that it answers.
    """

    gold: tuple[int, ...]
    systems: tuple[int, ...]
    roles: dict[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()


def settle_gold(paths: Sequence[str], given: Roles, *, kind: str) -> SettledGold:
    """Tell gold files from those of systems.

    Raises
    ------
    DataError
        If no name says so and nothing was said, with the question.
    """
    choice = gold_choice(paths)
    said = str(given.get("filter") or "").removeprefix(GOLD_FILE)
    if said in paths:
        chosen = paths.index(said)
        return SettledGold(
            gold=(chosen,),
            systems=tuple(p for p in range(len(paths)) if p != chosen),
            roles={"filter": f"{GOLD_FILE}{said}"},
            choices=(choice,),
        )
    gold = tuple(named_as_gold(paths))
    if not gold:
        raise DataError(
            [
                Problem(
                    what=f"None of the {kind} {listed(paths)} is named as the gold standard.",
                    remedy="Say which one it is, or put 'gold' into its name.",
                )
            ],
            choices=(choice,) if len(paths) > 1 else (),
        )
    return SettledGold(gold=gold, systems=tuple(p for p in range(len(paths)) if p not in gold))


def gold_choice(paths: Sequence[str]) -> Choice:
    """The question which file is gold."""
    return Choice(
        role="filter",
        question="Which file is the gold standard?",
        options=tuple((f"{GOLD_FILE}{path}", path) for path in paths),
    )


def check_one_gold(placed: Placement, paths: Sequence[str]) -> None:
    """Raise a `DataError` where a dataset has several gold files."""
    problems = [
        Problem(
            what="Several files are named as its gold standard: "
            f"{listed([paths[position] for position in gold])}.",
            remedy="Keep one, or name the others after the systems that wrote them.",
            dataset=dataset,
        )
        for dataset, gold in placed.gold.items()
        if len(gold) > 1
    ]
    if problems:
        raise DataError(problems, choices=(gold_choice(paths), *placed.choices))


def content_of(placed: Placement, n_units: Sequence[int], unit: str) -> dict[int, str]:
    """For each position what the file holds, in a few words."""
    told = {}
    for dataset, own in placed.systems.items():
        for position in placed.gold[dataset]:
            told[position] = f"{n_units[position]:,} {unit}, gold of {dataset}"
        for system, position in own.items():
            told[position] = f"{n_units[position]:,} {unit}, output of {system} on {dataset}"
    return told
