"""Do k systems rank alike over datasets: Friedman's test and its F by Iman and Davenport.

Null hypothesis: on each dataset drawn from the population, every order of the
systems is equally likely. Only the order of the scores on a dataset counts, so
metrics of different scales may stand side by side.

Vocabulary
----------
midrank
    Of equal scores on a dataset, the mean of the ranks that they share; 1 is best.
corrected
    For ties: a dataset with ties varies less than one without. Demšar (2006) prints
    χ² and F without the correction, software mostly with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.data.names import checked_names
from core.effects.friedman_result import Friedman
from core.effects.score_columns import (
    dataset_names,
    midranks,
    score_grid,
    score_matrix,
    too_few_datasets,
)
from core.significance.lattice import SMALLEST
from core.types import FloatArray
from core.validation import check_choice

if TYPE_CHECKING:
    import numpy.typing as npt

    from core.data.score_table import ScoreTable

FEWEST_SYSTEMS = 3


def friedman(
    scores: npt.ArrayLike | Sequence[Sequence[str]],
    *,
    higher_is_better: bool | Sequence[bool] = True,
    datasets: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    metric: str | None = None,
    fingerprint: str = "",
) -> Friedman:
    """Rank k systems on each of N datasets and test whether their mean ranks differ.

    Parameters
    ----------
    scores : array_like, shape (N, k)
        A row for each dataset, as numbers or in the digits printed.
    higher_is_better : bool or sequence of bool, length N
        Whether a higher score is the better one, on all datasets or on each.
    datasets, systems : sequence of str, optional
        Their names, for messages and tables.
    metric, fingerprint : str, optional
        Of the scores, for the signature.

    Raises
    ------
    ValueError
        If there are fewer than 5 datasets or 3 systems, or a score is no finite
        number.
    DataError
        If a score is missing; every one is named.

    References
    ----------
    Friedman (JASA 1937); Iman and Davenport (1980); Demšar (JMLR 2006), section 3.2.2.
    """
    grid = score_grid(scores)
    n, k = grid.shape
    if reason := too_few_datasets(n):
        raise ValueError(reason)
    if k < FEWEST_SYSTEMS:
        raise ValueError(
            f"Friedman's test needs at least {FEWEST_SYSTEMS} systems; got {k}. "
            "Compare two with `compare_across`."
        )
    dataset_labels = dataset_names(datasets, n)
    system_labels = _system_names(systems, k)
    values = score_matrix(grid, dataset_labels, system_labels)
    higher = _higher(higher_is_better, n)
    ranks, tied = midranks(np.where(np.array(higher)[:, np.newaxis], -values, values))
    for array in (values, ranks):
        array.flags.writeable = False
    mean_ranks = ranks.mean(axis=0)
    mean_ranks.flags.writeable = False
    agree = bool((ranks == ranks[0]).all())
    chi2 = 12.0 * n / (k * (k + 1)) * float(((mean_ranks - (k + 1) / 2.0) ** 2).sum())
    untied = 1.0 - float(tied.sum()) / (n * k * (k * k - 1.0))
    corrected = None if untied <= 0.0 else chi2 / untied
    f = _iman_davenport(chi2, n, ranks[0] if agree and untied == 1.0 else None, k)
    f_corrected = (
        (None, None)
        if corrected is None
        else _iman_davenport(corrected, n, ranks[0] if agree else None, k)
    )
    return Friedman(
        datasets=dataset_labels,
        systems=system_labels,
        scores=values,
        ranks=ranks,
        mean_ranks=mean_ranks,
        chi2=chi2,
        p_value=_chi2_tail(chi2, k - 1),
        chi2_corrected=corrected,
        p_value_corrected=None if corrected is None else _chi2_tail(corrected, k - 1),
        f=f[0],
        f_p_value=f[1],
        f_corrected=f_corrected[0],
        f_p_value_corrected=f_corrected[1],
        df=k - 1,
        f_df=(k - 1, (k - 1) * (n - 1)),
        n_tied_datasets=int(np.count_nonzero(tied)),
        higher_is_better=higher,
        metric=metric,
        fingerprint=fingerprint,
        reason=""
        if corrected is not None
        else "every dataset ties all systems: there is no order to correct for ties",
        notes=_notes(n, k, agree and corrected is not None),
    )


def friedman_of(
    table: ScoreTable,
    systems: Sequence[str] | None = None,
    *,
    datasets: Sequence[str] | None = None,
) -> Friedman:
    """Friedman's test of a table's systems, in the digits that it prints.

    Parameters
    ----------
    table : ScoreTable
        Scores paired by the names of datasets and systems.
    systems, datasets : sequence of str, optional
        Which of them, in which order; by default all.

    Raises
    ------
    ValueError
        If a name is not in the table, or as `friedman`.
    """
    columns = _places(systems, table.systems, name="systems")
    rows = _places(datasets, table.datasets, name="datasets")
    return friedman(
        [[table.printed[i][j] for j in columns] for i in rows],
        higher_is_better=table.higher_is_better,
        datasets=[table.datasets[i] for i in rows],
        systems=[table.systems[j] for j in columns],
        metric=table.metric,
        fingerprint=table.fingerprint,
    )


def full_agreement_p_value(ranks: FloatArray, n: int) -> float:
    """The chance that n datasets with these ranks, each in any order, all have the same order."""
    _, ties = np.unique(ranks, return_counts=True)
    orders = math.lgamma(ranks.size + 1.0) - sum(math.lgamma(t + 1.0) for t in ties.tolist())
    return max(math.exp(-(n - 1) * orders), SMALLEST)


def _higher(higher_is_better: bool | Sequence[bool], n: int) -> tuple[bool, ...]:
    if isinstance(higher_is_better, bool | np.bool_):
        return (bool(higher_is_better),) * n
    higher = tuple(bool(entry) for entry in higher_is_better)
    if len(higher) != n:
        raise ValueError(
            f"`higher_is_better` must be one answer or one for each of {n} datasets; got {len(higher)}."
        )
    return higher


def _system_names(systems: Sequence[str] | None, k: int) -> tuple[str, ...]:
    if systems is None:
        return tuple(f"system {j + 1}" for j in range(k))
    names = checked_names(systems, name="systems")
    if len(names) != k:
        raise ValueError(f"`systems` must have {k} names; got {len(names)}.")
    return names


def _places(asked: Sequence[str] | None, names: tuple[str, ...], *, name: str) -> list[int]:
    if asked is None:
        return list(range(len(names)))
    return [names.index(check_choice(entry, names, name=name)) for entry in asked]


def _chi2_tail(chi2: float, df: int) -> float:
    from scipy.special import chdtrc

    return max(float(chdtrc(df, chi2)), SMALLEST)


def _iman_davenport(chi2: float, n: int, common: FloatArray | None, k: int) -> tuple[float, float]:
    """F and its p; where all datasets have the ranks `common`, infinite with the exact p."""
    if common is not None:
        return math.inf, full_agreement_p_value(common, n)
    from scipy.special import fdtrc

    f = (n - 1) * chi2 / (n * (k - 1) - chi2)
    return f, max(float(fdtrc(k - 1, (k - 1) * (n - 1), f)), SMALLEST)


def _notes(n: int, k: int, agree: bool) -> tuple[str, ...]:
    notes = []
    if agree:
        notes.append("every dataset has the same order: F is infinite, its p exact")
    if n <= 10 and k <= 5:
        notes.append(
            "10 datasets or fewer and 5 systems or fewer: χ² and F are rough approximations"
        )
    return tuple(notes)
