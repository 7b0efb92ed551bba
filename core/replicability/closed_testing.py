"""Closed testing: claims about single datasets and about any groups of them, without a 2^N search.

Vocabulary
----------
closed test
    Rejects "A is better on none of the datasets in S" when every set that
    contains S is rejected by the combination's own test.
d(S)
    A is better on at least d(S) of the datasets in S; holds for all S at once
    with confidence 1 - alpha, also for S chosen after looking.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_alpha, check_choice, check_p_values
from .combinations import all_combinations, combination_named
from .decision import at_most
from .local_tests import BonferroniTest, SimesTest


def closed_p_values(p_values: FloatArray, *, combination: str) -> FloatArray:
    """Adjusted p-value of each single dataset under closed testing.

    The dataset with p-value p_i is identified at level alpha when its entry is
    at most alpha, that is when d({i}) = 1.

    Parameters
    ----------
    p_values : ndarray, shape (N,)
        In [0, 1].
    combination : str
        The local test: Bonferroni's gives Holm, Simes' Hommel.

    Returns
    -------
    ndarray, shape (N,)
        In the order of `p_values`.

    Raises
    ------
    ValueError
        If the combination is unknown.
    """
    ordered = np.sort(p_values)
    adjusted = combination_named(combination).local.adjusted(ordered)
    # Ties share one decision: a set may hold either of two equal p-values.
    return adjusted[np.searchsorted(ordered, p_values, side="left")]


def closed_names(p_values: FloatArray, *, alpha: float, combination: str) -> BoolArray:
    """Which datasets the closed test behind a count names: `identify_datasets` without the rest."""
    return at_most(closed_p_values(p_values, combination=combination), alpha)


def count_in_group(
    p_values: npt.ArrayLike,
    group_indices: Sequence[int] | npt.NDArray[np.integer],
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
) -> int:
    """On at least how many datasets of a group A is better: the bound d(S).

    Holds for all groups at once with confidence 1 - alpha, also for groups
    chosen after looking, provided `alpha` and `combination` were fixed before.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        P-values of ALL datasets, in [0, 1]; those outside the group count too.
    group_indices : sequence of int
        Positions of the group's datasets in `p_values`, each once, 0..N-1.
    alpha : float
        In (0, 1).
    combination : str
        As in `count_datasets`; the assumption concerns all N datasets.

    Returns
    -------
    int
        d(S), between 0 and the size of the group; for the whole it is k_hat.

    Raises
    ------
    ValueError
        If an index is repeated or out of range, or as `count_datasets`.

    References
    ----------
    Goeman, Meijer, Krebs and Solari (Biometrika 2019) for Simes; Goeman and
    Solari (Statistical Science 2011) for closed testing in general.

    Examples
    --------
    >>> from replicability import count_in_group
    >>> count_in_group([.001, .002, .4, .03], [0, 1], combination="fisher")
    2
    """
    level = check_alpha(alpha)
    local = combination_named(combination).local
    values = check_p_values(p_values)
    group = _check_group(group_indices, values.size)
    return local.count_in_group(values, group, level)


def _check_group(group_indices: Sequence[int] | npt.NDArray[np.integer], n: int) -> IntArray:
    raw = np.asarray(group_indices)
    if raw.size == 0:
        return np.empty(0, dtype=np.intp)
    if raw.ndim != 1 or not np.issubdtype(raw.dtype, np.integer):
        raise ValueError(
            f"`group_indices` must be a list of whole numbers; got dtype {raw.dtype} "
            f"with {raw.ndim} dimensions."
        )
    group = raw.astype(np.intp)
    if group.min() < 0 or group.max() >= n:
        raise ValueError(
            f"`group_indices` must lie between 0 and {n - 1}; got {group.min()} to {group.max()}."
        )
    found, times = np.unique(group, return_counts=True)
    if np.any(times > 1):
        repeated = int(found[times > 1][0])
        raise ValueError(f"`group_indices` must name each dataset once; got {repeated} repeatedly.")
    return group


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
    return counted_groups(
        groups,
        lambda members: count_in_group(values, members, alpha=alpha, combination=combination),
    )


def counted_groups(
    groups: Mapping[str, Sequence[int]], bound: Callable[[Sequence[int]], int]
) -> tuple[GroupCount, ...]:
    """Each group with its bound, in their order."""
    return tuple(
        GroupCount(name=name, members=tuple(int(i) for i in members), at_least=bound(members))
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
