"""On at least how many datasets A is better: of all, of any group, or of groups; by closed testing.

Vocabulary
----------
partial conjunction p-value
    P-value of the null hypothesis "fewer than u datasets have an effect",
    made of the N - u + 1 largest p-values (Benjamini & Heller 2008).
closed test
    Rejects "A is better on none of the datasets in S" when every set that
    contains S is rejected by the combination's own test; without a 2^N search.
d(S)
    A is better on at least d(S) of the datasets in S; holds for all S at once
    with confidence 1 - alpha, also for S chosen after looking. d(all) is k_hat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..shown import DataFrame, Plotted, frame_of
from ..types import BoolArray, FloatArray, IntArray, frozen, grouped
from ..validation import at_most, check_alpha, check_p_values
from .combinations import combination_named
from .local_tests import SimesTest


def partial_conjunction_p_values(
    p_values: npt.ArrayLike, *, combination: str = "bonferroni"
) -> FloatArray:
    """P-values of "at least u of N datasets", for u = 1, ..., N.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset, each valid for its own null hypothesis; in [0, 1].
    combination : str
        How the N - u + 1 largest p-values are combined: "bonferroni", "fisher", "simes" or
        "stouffer", as in `count_datasets`.

    Returns
    -------
    ndarray, shape (N,)
        Entry ``u - 1`` is p_*^{u/N}: the p-value of the null hypothesis that A is better on fewer
        than u datasets, made monotone in u by the running maximum.

    Raises
    ------
    ValueError
        If `p_values` is empty or holds anything outside [0, 1], or the combination is unknown.

    References
    ----------
    Dror et al. (TACL 2017), sections 4.1 and 4.2, equations 3 to 6; Benjamini
    and Heller (Biometrics 2008).

    Examples
    --------
    >>> from replicability import partial_conjunction_p_values
    >>> partial_conjunction_p_values([.001, .02, .5]).round(3).tolist()
    [0.003, 0.04, 0.5]
    """
    local = combination_named(combination).local
    return np.maximum.accumulate(local.of_largest(np.sort(check_p_values(p_values))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counting(Plotted):
    """On at least how many datasets A is better.

    Attributes
    ----------
    k_hat : int
        Lower bound on the number of datasets with an effect, 0..n_datasets;
        P(k_hat > k) <= alpha, k the true number.
    n_datasets : int
        N.
    alpha : float
        Chance of an overstatement, in (0, 1).
    combination : str
        How p-values were combined; each has its own assumption on dependence.
    p_values : ndarray, shape (n_datasets,)
        As given, in the order given.
    partial_conjunction_p_values : ndarray, shape (n_datasets,)
        With the running maximum; entry ``u - 1`` tests "at least u datasets".
    """

    k_hat: int
    n_datasets: int
    alpha: float
    combination: str
    p_values: FloatArray
    partial_conjunction_p_values: FloatArray

    def to_frame(self) -> DataFrame:
        """One row a claim "at least u of N", with its p-value and whether it holds at alpha."""
        u = np.arange(1, self.n_datasets + 1)
        return frame_of(
            {
                "u": u,
                "p_value": self.partial_conjunction_p_values,
                "holds": u <= self.k_hat,
            }
        )


def count_datasets(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, combination: str = "bonferroni"
) -> Counting:
    """Count, with a guarantee, the datasets on which A is better.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset in [0, 1], each of the null hypothesis "A is not
        better than B here" and valid for it: P(p <= t) <= t.
    alpha : float
        Greatest chance that the count overstates the truth, in (0, 1).
    combination : str
        "bonferroni" holds under any dependence between datasets, "fisher" and "stouffer"
        for independent ones, "simes" for independent or positively dependent tests.

    Returns
    -------
    Counting
        With ``k_hat`` = max{u : p_*^{u/N} <= alpha}, 0 if there is none.

    Raises
    ------
    ValueError
        If there are no p-values, one lies outside [0, 1], `alpha` outside (0, 1), or the
        combination is unknown.

    References
    ----------
    Dror et al. (TACL 2017), section 4.2; Benjamini and Heller (Biometrics 2008).

    Examples
    --------
    >>> from replicability import count_datasets
    >>> count_datasets([.168, .297, .357, .019, .218, .001], combination="fisher").k_hat
    2
    """
    level = check_alpha(alpha)
    values = check_p_values(p_values)
    claims = partial_conjunction_p_values(values, combination=combination)
    return Counting(
        k_hat=int(np.count_nonzero(at_most(claims, level))),
        n_datasets=values.size,
        alpha=level,
        combination=combination,
        p_values=values,
        partial_conjunction_p_values=frozen(claims),
    )


def count_by_common_practice(p_values: npt.ArrayLike, *, alpha: float = 0.05) -> int:
    """Count the p-values at or below `alpha`, as Dror et al. (2017) do, without any guarantee.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset, in [0, 1].
    alpha : float
        The level of each single test, in (0, 1).

    Raises
    ------
    ValueError
        As `count_datasets`.

    Examples
    --------
    >>> from replicability import count_by_common_practice
    >>> count_by_common_practice([.168, .297, .357, .019, .218, .001])
    2
    """
    level = check_alpha(alpha)
    return int(np.count_nonzero(at_most(check_p_values(p_values), level)))


def chance_of_a_false_win(
    n_datasets: int, *, alpha: float = 0.05, two_sided: bool = False, either: bool = False
) -> float:
    """1 - (1 - r)^N: how often counting small p-values finds a "win" where there is none.

    For N independent datasets with uniform p-values. A win of A is a one-sided p <= alpha, r = alpha,
    or a `two_sided` one with A ahead, r = alpha/2; of `either` r is twice as large.
    """
    rate = check_alpha(alpha) * (0.5 if two_sided else 1.0) * (2.0 if either else 1.0)
    return 1.0 if rate >= 1.0 else float(-np.expm1(n_datasets * np.log1p(-rate)))


def closed_p_values(p_values: FloatArray, *, combination: str) -> FloatArray:
    """Adjusted p-value of each dataset under closed testing: Bonferroni's gives Holm's."""
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
    """On at least how many datasets of a group, given by their positions, A is better: d(S)."""

    name: str
    members: tuple[int, ...]
    at_least: int

    @property
    def size(self) -> int:
        """How many datasets it has."""
        return len(self.members)


def counted_groups(
    groups: Mapping[str, Sequence[int]], bound: Callable[[Sequence[int]], int]
) -> tuple[GroupCount, ...]:
    """Each group of positions with its bound; those of one closed test hold at once for all groups."""
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
    """Count the groups that hold at least one effect, under "bonferroni" or "simes".

    The closed test leaves the union of all groups without effect standing with confidence 1 - alpha,
    so that at most as many are without as have a union left standing; this holds together with every
    count and name of the same closed test (Goeman and Solari, Statistical Science 2011).

    Under Bonferroni the bound is the number of groups with a name. Under Simes, h being Hommel's
    value, a set I is left standing exactly where #{i in I : h * p_i <= u * alpha} < u for every u
    (Goeman et al. 2019). For each u alone, no more groups fit than those with the fewest such
    p-values; the smallest such number over all u is taken, which is never too few.
    """
    level = check_alpha(alpha)
    local = combination_named(combination).local
    values = check_p_values(p_values)
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
    groups = grouped((label, position) for position, label in enumerate(labels) if label)
    return {label: tuple(members) for label, members in groups.items()}
