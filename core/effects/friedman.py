"""Do k systems rank alike over datasets: Friedman's test, its F by Iman and Davenport, Quade's test.

Null hypothesis: on each dataset drawn from the population, every order of the
systems is equally likely. Only the order of the scores on a dataset counts, so
metrics of different scales may stand side by side. In Quade's test datasets on which
scores lie farther apart count more, so that scores must be comparable between datasets.

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
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from ..shown import DataFrame, frame_of
from ..signature import bytes_of_numbers, short_fingerprint, signature_line
from ..significance.lattice import SMALLEST
from ..types import FloatArray, frozen
from ..validation import check_yes_or_no
from .across import given_names, midranks, paired_averages, read_columns, too_few_datasets

FEWEST_SYSTEMS = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Friedman:
    """Mean ranks of k systems over N datasets, and whether they differ.

    Midranks on each dataset, shape (N, k), are 1 for the best; mean ranks add up to k(k + 1)/2. χ²
    with k − 1 degrees of freedom is as Demšar (2006) prints it, F Iman and Davenport's of it; where
    all datasets agree F is infinite, and its p the exact one. The same corrected for ties is None
    where every dataset ties all systems, with a `reason`; `n_tied_datasets` tie at least two.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    mean_ranks: FloatArray
    chi2: float
    p_value: float
    chi2_corrected: float | None
    p_value_corrected: float | None
    f: float
    f_p_value: float
    f_corrected: float | None
    f_p_value_corrected: float | None
    df: int
    f_df: tuple[int, int]
    n_tied_datasets: int
    higher_is_better: tuple[bool, ...]
    metric: str | None = None
    fingerprint: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def n_systems(self) -> int:
        """Number of systems, k."""
        return len(self.systems)

    @property
    def standard_error(self) -> float:
        """Of the difference of two mean ranks under the null hypothesis: √(k(k + 1)/(6N))."""
        k = self.n_systems
        return math.sqrt(k * (k + 1) / (6.0 * self.n_datasets))

    @property
    def order(self) -> tuple[int, ...]:
        """The systems' places, best mean rank first; equal ones as they are given."""
        return tuple(np.argsort(self.mean_ranks, kind="stable").tolist())

    @property
    def signature(self) -> str:
        """The line that names everything the test depends on."""
        directions = "".join("y" if higher else "n" for higher in self.higher_is_better)
        if len(set(directions)) == 1:
            directions = {"y": "yes", "n": "no"}[directions[0]]
        return signature_line(
            across="friedman",
            metric=self.metric,
            higher_is_better=directions,
            datasets=self.n_datasets,
            systems=self.n_systems,
            scores=short_fingerprint(self.content),
            data=short_fingerprint(self.fingerprint) or None,
        )

    @property
    def content(self) -> str:
        """A fingerprint of names, scores and ranks."""
        names = "\x00".join((*self.datasets, "", *self.systems)).encode()
        numbers = bytes_of_numbers(self.scores) + bytes_of_numbers(self.ranks)
        return sha256(names + numbers).hexdigest()

    def to_frame(self) -> DataFrame:
        """A row for each system, best mean rank first."""
        order = list(self.order)
        return frame_of(
            {
                "system": [self.systems[i] for i in order],
                "mean_rank": self.mean_ranks[order],
                "best_on": (self.ranks[:, order] == self.ranks.min(axis=1, keepdims=True)).sum(0),
            }
        )


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

    Examples
    --------
    >>> from replicability import friedman
    >>> found = friedman([[.9, .8, .7], [.85, .8, .6], [.7, .75, .65], [.8, .78, .7], [.6, .5, .4]])
    >>> found.mean_ranks.tolist(), round(found.p_value, 4)
    ([1.2, 1.8, 3.0], 0.015)
    """
    # Of objects, as a text is a score and not a row of characters.
    grid = np.array(scores, dtype=object)
    if grid.ndim != 2:
        raise ValueError("`scores` must have a row for each dataset, all of the same length.")
    n, k = grid.shape
    if reason := too_few_datasets(n):
        raise ValueError(reason)
    if k < FEWEST_SYSTEMS:
        raise ValueError(
            f"Friedman's test needs at least {FEWEST_SYSTEMS} systems; got {k}. "
            "Compare two with `compare_across`."
        )
    dataset_labels = given_names(datasets, n, of="dataset")
    system_labels = given_names(systems, k, of="system")
    values = read_columns(list(grid.T), datasets=dataset_labels, systems=system_labels)
    higher = _higher(higher_is_better, n)
    ranks = midranks(np.where(np.array(higher)[:, np.newaxis], -values, values))
    mean_ranks = ranks.mean(axis=0)
    agree = bool((ranks == ranks[0]).all())
    chi2 = 12.0 * n / (k * (k + 1)) * float(((mean_ranks - (k + 1) / 2.0) ** 2).sum())
    # Of each dataset the squares of its ranks beside those of 1, …, k: ties make them smaller.
    squares = (ranks**2).sum(axis=1)
    most = k * (k + 1) * (2 * k + 1) / 6.0
    untied = 1.0 - 12.0 * float((most - squares).sum()) / (n * k * (k * k - 1.0))
    corrected = None if untied <= 0.0 else chi2 / untied
    p_value, f, f_p_value = _tested(chi2, n, k, ranks[0] if agree and untied == 1.0 else None)
    of_corrected: tuple[float | None, ...] = (None, None, None)
    if corrected is not None:
        of_corrected = _tested(corrected, n, k, ranks[0] if agree else None)
    notes = {
        "every dataset has the same order: F is infinite, its p exact": agree
        and corrected is not None,
        "10 datasets or fewer and 5 systems or fewer: χ² and F are rough approximations": n <= 10
        and k <= 5,
    }
    return Friedman(
        datasets=dataset_labels,
        systems=system_labels,
        scores=frozen(values),
        ranks=frozen(ranks),
        mean_ranks=frozen(mean_ranks),
        chi2=chi2,
        p_value=p_value,
        chi2_corrected=corrected,
        p_value_corrected=of_corrected[0],
        f=f,
        f_p_value=f_p_value,
        f_corrected=of_corrected[1],
        f_p_value_corrected=of_corrected[2],
        df=k - 1,
        f_df=(k - 1, (k - 1) * (n - 1)),
        n_tied_datasets=int(np.count_nonzero(squares < most)),
        higher_is_better=higher,
        metric=metric,
        fingerprint=fingerprint,
        reason=""
        if corrected is not None
        else "every dataset ties all systems: there is no order to correct for ties",
        notes=tuple(note for note, holds in notes.items() if holds),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Quade:
    """Whether k systems rank alike, each dataset weighted by the rank of its range of scores.

    F is infinite with the exact p where all agree; both are None, with the reason, where all tie.
    """

    f: float | None
    p_value: float | None
    f_df: tuple[int, int]
    reason: str = ""


def quade(friedman: Friedman) -> Quade:
    """Weigh datasets by their range; scores must be comparable between them. Quade (JASA 1979)."""
    from scipy.special import fdtrc

    n, k = friedman.n_datasets, friedman.n_systems
    scores = friedman.scores
    # Ranges that are equal in decimals tie.
    ranges = paired_averages(scores.max(axis=1), scores.min(axis=1)).values
    (weights,) = midranks(ranges[np.newaxis, :])
    weighted = weights[:, np.newaxis] * (friedman.ranks - (k + 1) / 2.0)
    total = float((weighted**2).sum())
    between = float((weighted.sum(axis=0) ** 2).sum()) / n
    df = (k - 1, (k - 1) * (n - 1))
    if total == 0.0:
        return Quade(f=None, p_value=None, f_df=df, reason=friedman.reason)
    if total - between <= 1e-12 * total:
        exact = _full_agreement_p_value(friedman.ranks[0], n)
        return Quade(f=math.inf, p_value=exact, f_df=df)
    f = (n - 1) * between / (total - between)
    return Quade(f=f, p_value=max(float(fdtrc(*df, f)), SMALLEST), f_df=df)


def _full_agreement_p_value(ranks: FloatArray, n: int) -> float:
    """The chance that n datasets with these ranks, each in any order, all have the same order."""
    _, ties = np.unique(ranks, return_counts=True)
    orders = math.lgamma(ranks.size + 1.0) - sum(math.lgamma(t + 1.0) for t in ties.tolist())
    return max(math.exp(-(n - 1) * orders), SMALLEST)


def _higher(higher_is_better: bool | Sequence[bool], n: int) -> tuple[bool, ...]:
    if isinstance(higher_is_better, bool | np.bool_):
        return (bool(higher_is_better),) * n
    higher = tuple(check_yes_or_no(each, name="higher_is_better") for each in higher_is_better)
    if len(higher) != n:
        raise ValueError(
            f"`higher_is_better` must be one answer or one for each of {n} datasets; got {len(higher)}."
        )
    return higher


def _tested(chi2: float, n: int, k: int, common: FloatArray | None) -> tuple[float, float, float]:
    """P of χ², and F with its p; where all datasets have the ranks `common`, infinite with the exact p."""
    from scipy.special import chdtrc, fdtrc

    p_value = max(float(chdtrc(k - 1, chi2)), SMALLEST)
    if common is not None:
        return p_value, math.inf, _full_agreement_p_value(common, n)
    f = (n - 1) * chi2 / (n * (k - 1) - chi2)
    return p_value, f, max(float(fdtrc(k - 1, (k - 1) * (n - 1), f)), SMALLEST)
