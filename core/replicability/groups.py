"""Bounds for groups of datasets, valid for all groups at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy.typing as npt

from core.replicability.closed_testing import count_in_group
from core.types import Combination
from core.validation import check_p_values


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """On at least how many datasets of a group A is better.

    Attributes
    ----------
    name : str
        Of the group.
    members : tuple of int
        Positions of its datasets.
    at_least : int
        The bound d(S), 0..size.
    """

    name: str
    members: tuple[int, ...]
    at_least: int

    @property
    def size(self) -> int:
        """How many datasets it has."""
        return len(self.members)


def count_in_groups(
    p_values: npt.ArrayLike,
    groups: Mapping[str, Sequence[int]],
    *,
    alpha: float = 0.05,
    combination: Combination = "bonferroni",
) -> tuple[GroupCount, ...]:
    """Count in each of several groups, with one confidence for all of them together.

    The bounds come from one closed test of all N datasets, so they hold at once
    for every group that there is, also for groups chosen after looking, and for
    groups that overlap (Goeman and Solari 2011).

    Parameters
    ----------
    p_values : array_like, shape (N,)
        Of ALL datasets.
    groups : mapping of name to positions
        Each position 0..N-1, once within a group.
    alpha, combination
        As in `count_in_group`.

    Returns
    -------
    tuple of GroupCount
        In the order of `groups`.

    Raises
    ------
    ValueError
        As `count_in_group`.
    """
    values = check_p_values(p_values)
    return tuple(
        GroupCount(
            name=name,
            members=tuple(int(i) for i in members),
            at_least=count_in_group(values, members, alpha=alpha, combination=combination),
        )
        for name, members in groups.items()
    )


def groups_of(labels: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Datasets by label, in the order in which the labels first appear; '' belongs to no group."""
    groups: dict[str, list[int]] = {}
    for position, label in enumerate(labels):
        if label:
            groups.setdefault(label, []).append(position)
    return {label: tuple(members) for label, members in groups.items()}
