"""Letters of systems that are not told apart, short enough to be read."""

from __future__ import annotations

from collections.abc import Sequence

from ..effects.critical_difference import letters
from ..effects.post_hoc import PostHoc
from ..systems.counting import CountMatrix
from . import across
from .formatting import format_level

_MOST_LETTERS = 26
# A stretch of letters is written as its ends from so many on.
_A_STRETCH = 3
# Longer marks take more time to compare than a look at the matrix.
_LONGEST_MARK = 40
_MARKS_RUN_ON = (
    "After z come aa, ab and so on, and “c–f” stands for c, d, e and f: two systems share a letter "
    "where their stretches overlap."
)
_NOT_EQUAL = "which does not make them equal"


def tier_marks(tiers: Sequence[Sequence[int]], n_systems: int) -> tuple[str, ...]:
    """The letters of each system's tiers, from the 27th tier on aa, ab, …, stretches by their ends.

    Parameters
    ----------
    tiers : sequence of sequence of int
        Each tier's systems, as positions.
    n_systems : int
        How many there are.
    """
    if len(tiers) <= _MOST_LETTERS:
        return letters(tiers, n_systems)
    # The letter of each tier, from a system that is in that tier alone.
    names = letters([(k,) for k in range(len(tiers))], len(tiers))
    held: list[list[int]] = [[] for _ in range(n_systems)]
    for place, tier in enumerate(tiers):
        for system in tier:
            held[system].append(place)
    return tuple(" ".join(_stretch(names[a : b + 1]) for a, b in _stretches(own)) for own in held)


def marks_of_counts(counts: CountMatrix, *, at_least: int = 1) -> dict[str, str] | None:
    """Each system's letters by the counts; None where they are too many to be read."""
    found = counts.tiers(at_least=at_least)
    marks = tier_marks(found.tiers, len(found.systems))
    if max(map(len, marks)) > _LONGEST_MARK:
        return None
    return dict(zip(found.systems, marks, strict=True))


def marks_of_ranks(post_hoc: PostHoc) -> tuple[str, dict[str, str]]:
    """A column's heading and what it says of each system: letters, or from how many not told apart."""
    if post_hoc.lettered is not None:
        return "letters", dict(zip(post_hoc.systems, post_hoc.letters, strict=True))
    try:
        marks = tier_marks(post_hoc.groups, len(post_hoc.systems))
    except ValueError:
        marks = ()
    if not marks or max(map(len, marks)) > _LONGEST_MARK:
        numbers = [str(number) for number in post_hoc.n_not_separated]
        return "not told apart", dict(zip(post_hoc.systems, numbers, strict=True))
    return "letters", dict(zip(post_hoc.systems, marks, strict=True))


def counts_note(counts: CountMatrix, *, at_least: int = 1) -> str:
    """What it is to share a letter, and how letters are written."""
    apart = "not told apart by these counts"
    if at_least > 1:
        apart = (
            f"not told apart on {at_least} of {counts.n_datasets} datasets: neither is better on at "
            f"least {at_least}"
        )
    if marks_of_counts(counts, at_least=at_least) is None:
        start = (
            "There are too many overlapping groups of systems for letters to be read, so the table "
            "has their numbers and the download all letters."
        )
        return f"{start} Not to be told apart does not make systems equal."
    text = f"Two systems that share a letter are {apart}, {_NOT_EQUAL}."
    if len(counts.tiers(at_least=at_least).tiers) > _MOST_LETTERS:
        text += f" {_MARKS_RUN_ON}"
    return text


def ranks_note(post_hoc: PostHoc) -> str:
    """What it is to share a letter by mean ranks, and how letters are written."""
    if post_hoc.lettered is not None or marks_of_ranks(post_hoc)[0] != "letters":
        return across.letters_note(post_hoc)
    level = format_level(post_hoc.alpha)
    return (
        f"Two systems that share a letter are not told apart at level {level}, {_NOT_EQUAL}. "
        f"{_MARKS_RUN_ON}"
    )


def _stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of whole numbers."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and place == found[-1][1] + 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


def _stretch(names: Sequence[str]) -> str:
    return f"{names[0]}–{names[-1]}" if len(names) >= _A_STRETCH else " ".join(names)
