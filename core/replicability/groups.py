"""Bounds for groups of datasets, valid for all groups at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..validation import check_alpha, check_choice, check_p_values
from .closed_testing import closed_p_values, count_in_group
from .combinations import all_combinations, combination_named
from .decision import at_most
from .joint import JointFlips, count_in_group_by_flips
from .local_tests import BonferroniTest, SimesTest


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
    combination: str = "bonferroni",
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


def count_in_groups_by_flips(
    flips: JointFlips, groups: Mapping[str, Sequence[int]], *, alpha: float = 0.05
) -> tuple[GroupCount, ...]:
    """Count in each of several groups by the closed test of joint flips, as `count_in_groups` does.

    Parameters
    ----------
    flips : JointFlips
        Of ALL datasets.
    groups : mapping of name to positions
        Each position 0..N-1, once within a group.
    alpha : float
        In (0, 1).

    Raises
    ------
    ValueError
        As `count_in_group_by_flips`.
    """
    return tuple(
        GroupCount(
            name=name,
            members=tuple(int(i) for i in members),
            at_least=count_in_group_by_flips(flips, members, alpha=alpha),
        )
        for name, members in groups.items()
    )


def count_groups(
    p_values: npt.ArrayLike,
    labels: Sequence[str],
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
) -> int:
    """Count the groups that hold at least one effect.

    A group without any effect consists of true null hypotheses only, and so does
    the union of all such groups. The closed test leaves the set of all true null
    hypotheses standing with confidence 1 - alpha, and so every set inside it. So
    at most as many groups are without effect as have a union left standing. The
    bound holds together with every count and every name of the same closed test.

    Under Bonferroni a set is left standing exactly where Holm identifies nothing in
    it: the bound is the number of groups with a name. Under Simes, h being
    Hommel's value, a set I is left standing exactly where
    #{i in I : h * p_i <= u * alpha} < u for every u (Goeman et al. 2019). For
    each u alone, no more groups fit than those with the fewest such p-values,
    taken in order; the smallest such number over all u is taken. That is never
    more groups with an effect than the closed test gives, and fewer only where
    two values of u shut out different groups.

    Parameters
    ----------
    p_values : array_like, shape (n,)
        Of ALL null hypotheses, in [0, 1].
    labels : sequence of str, length n
        The group of each.
    alpha : float
        In (0, 1).
    combination : {"bonferroni", "simes"}
        As in `count_datasets`; the assumption concerns all n p-values.

    Returns
    -------
    int
        Between 0 and the number of groups.

    Raises
    ------
    ValueError
        If there is not one label for each p-value, the combination is another,
        or as `count_datasets`.

    References
    ----------
    Goeman and Solari (Statistical Science 2011); Goeman, Meijer, Krebs and
    Solari (Biometrika 2019).
    """
    level = check_alpha(alpha)
    countable = [
        each.name
        for each in all_combinations()
        if isinstance(each.local, (BonferroniTest, SimesTest))
    ]
    check_choice(combination, countable, name="combination")
    local = combination_named(combination).local
    values = check_p_values(p_values)
    if len(labels) != values.size:
        raise ValueError(
            f"`labels` must have one entry for each p-value; got {len(labels)} for {values.size}."
        )
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    group, n_groups = np.array([places[label] for label in labels]), len(places)
    if not isinstance(local, SimesTest):
        named = at_most(closed_p_values(values, combination=combination), level)
        return int(np.unique(group[named]).size)
    scaled = local.hommel_value(values, level) * values
    # Beyond this u no set can have u such p-values.
    last = int(np.count_nonzero(at_most(scaled / values.size, level)))
    u = np.arange(1, last + 1)[:, np.newaxis]
    reached = np.array(
        [
            np.bincount(group[at_most(scaled / of, level)], minlength=n_groups)
            for of in range(1, last + 1)
        ]
    ).reshape(last, n_groups)
    rejected = (reached >= u).any(axis=0)
    fitting = np.cumsum(np.sort(reached[:, ~rejected], axis=1), axis=1) < u
    without = fitting.sum(axis=1).min(initial=n_groups)
    return int(n_groups - without)


def groups_of(labels: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Datasets by label, in the order in which the labels first appear; '' belongs to no group."""
    groups: dict[str, list[int]] = {}
    for position, label in enumerate(labels):
        if label:
            groups.setdefault(label, []).append(position)
    return {label: tuple(members) for label, members in groups.items()}
