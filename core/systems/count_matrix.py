"""From the p-values of all pairs to the counts of each ordered pair."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from core.replicability.combinations import combination_names
from core.replicability.decision import at_most
from core.simulation.batch import PART_ENTRIES, BatchCounter
from core.systems.comparisons import PairComparisons
from core.systems.counting import FAMILIES, CountMatrix, Family, counted_p_values
from core.systems.equal_scores import mean_ranks_of, with_ties
from core.types import BoolArray, FloatArray
from core.validation import check_alpha, check_choice

OutOfReach = Literal["not-counted", "as-it-is"]
OUT_OF_REACH: tuple[OutOfReach, ...] = get_args(OutOfReach)


def count_matrix(
    pairs: PairComparisons,
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
    family: Family = "pair",
    out_of_reach: OutOfReach = "not-counted",
) -> CountMatrix:
    """Count, for each ordered pair, the datasets on which the row is better than the column.

    Parameters
    ----------
    pairs : PairComparisons
        Of at least one dataset.
    alpha : float
        Level in (0, 1).
    combination : str
        Any dependence between datasets; independent ones; positively dependent.
    family : {"pair", "all"}
        "pair": each entry has its own confidence 1 − alpha, as if it alone had been
        asked for. "all": Holm over both directions of all pairs on all datasets;
        an entry counts the names, and all names hold together. With "bonferroni"
        only.
    out_of_reach : {"not-counted", "as-it-is"}
        What becomes of p-values of a bootstrap that cannot reach twice the
        observed difference: they are taken as 1, or as they are.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    level = check_alpha(alpha)
    check_choice(combination, combination_names(), name="combination")
    check_choice(family, FAMILIES, name="family")
    check_choice(out_of_reach, OUT_OF_REACH, name="out_of_reach")
    if family == "all" and combination != "bonferroni":
        raise ValueError(
            "`combination` must be 'bonferroni' with `family` 'all', which is Holm over all pairs "
            f"and datasets; got {combination!r}."
        )
    not_counted: BoolArray | None = None
    if out_of_reach == "not-counted" and pairs.out_of_reach.size:
        # A mask in the place of changed p-values, which may fill half of the memory.
        not_counted = np.zeros(pairs.p_values.shape, dtype=np.bool_)
        not_counted[tuple(pairs.out_of_reach.T)] = True
    m, n = pairs.n_systems, pairs.n_datasets
    rows, columns = np.nonzero(~np.eye(m, dtype=np.bool_))
    k_hat, both_ways = np.zeros((m, m), dtype=np.intp), np.zeros((m, m), dtype=np.intp)
    named: BoolArray | None = None
    if family == "all":
        named = _named_of_all(pairs.p_values, not_counted, level)
        k_hat[:] = both_ways[:] = named.sum(axis=0)
    else:
        counter, half = BatchCounter(n, alpha=level), BatchCounter(n, alpha=level / 2.0)
        step = max(1, PART_ENTRIES // n)
        for start in range(0, rows.size, step):
            i, j = rows[start : start + step], columns[start : start + step]
            table = counted_p_values(pairs.p_values, not_counted, i, j)
            k_hat[i, j] = counter.k_hat(table, (combination,))[combination]
            both_ways[i, j] = half.k_hat(table, (combination,))[combination]
    k_hat.flags.writeable = both_ways.flags.writeable = False
    return CountMatrix(
        systems=pairs.systems,
        datasets=pairs.datasets,
        k_hat=k_hat,
        k_hat_both_ways=both_ways,
        alpha=level,
        combination=combination,
        family=family,
        n_not_counted=0 if not_counted is None else pairs.out_of_reach.shape[0],
        p_values=pairs.p_values,
        not_counted=not_counted,
        named_of_all=named,
        mean_ranks=mean_ranks_of(with_ties(pairs.oriented_scores)),
        n_resamples=pairs.n_resamples,
        pairs_signature=pairs.signature,
        complete=pairs.complete,
    )


def _named_of_all(p_values: FloatArray, not_counted: BoolArray | None, alpha: float) -> BoolArray:
    """Holm's names among all claims: both directions of all pairs on all datasets.

    p-values above alpha are never named, so only the others are sorted.
    """
    n, m, _ = p_values.shape
    # nan, on the diagonal, is not at most anything.
    small = at_most(p_values, alpha)
    if not_counted is not None:
        small &= ~not_counted
    ordered = np.sort(p_values[small])
    left = n * m * (m - 1) - np.arange(ordered.size)
    holds = at_most(left * ordered, alpha)
    n_named = ordered.size if bool(holds.all()) else int(np.argmin(holds))
    if not n_named:
        return np.zeros(p_values.shape, dtype=np.bool_)
    # Ties share one decision.
    return np.asarray(small & (p_values <= ordered[n_named - 1]))
