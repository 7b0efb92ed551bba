"""Mean ranks of systems over datasets and Friedman's test of them, as a result.

The words are those of `core.effects.friedman`, which computes it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from core.signature import bytes_of_numbers, short_fingerprint, signature_line
from core.types import FloatArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Friedman:
    """Mean ranks of k systems over N datasets, and whether they differ.

    Attributes
    ----------
    datasets, systems : tuple of str
        Their names.
    scores : ndarray, shape (N, k)
        As given.
    ranks : ndarray, shape (N, k)
        Midranks on each dataset, 1 being the best.
    mean_ranks : ndarray, shape (k,)
        Over the datasets; their sum is k(k + 1)/2.
    chi2, p_value : float
        Friedman's χ² with k − 1 degrees of freedom, as printed by Demšar (2006).
    chi2_corrected, p_value_corrected : float or None
        The same corrected for ties; None where every dataset ties all systems.
    f, f_p_value : float
        Iman and Davenport's F of `chi2`; infinite where all datasets agree, and
        then its p is the exact one.
    f_corrected, f_p_value_corrected : float or None
        The same of `chi2_corrected`.
    df : int
        Degrees of freedom of χ².
    f_df : (int, int)
        Degrees of freedom of F.
    n_tied_datasets : int
        Datasets on which at least two systems tie.
    higher_is_better : tuple of bool, length N
        Whether a higher score is the better one, on each dataset.
    metric : str or None
        Name of the metric, where it is said.
    fingerprint : str
        Of the data, where it is known.
    reason : str
        Why a value is not defined; '' where all are.
    notes : tuple of str
        What to know about the p-values.
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
        return signature_line(
            across="friedman",
            metric=self.metric,
            higher_is_better=_directions(self.higher_is_better),
            datasets=self.n_datasets,
            systems=self.n_systems,
            scores=short_fingerprint(self.content),
            data=short_fingerprint(self.fingerprint) if self.fingerprint else None,
        )

    @property
    def content(self) -> str:
        """A fingerprint of names, scores and ranks."""
        names = "\x00".join((*self.datasets, "", *self.systems)).encode()
        numbers = bytes_of_numbers(self.scores) + bytes_of_numbers(self.ranks)
        return sha256(names + numbers).hexdigest()

    def to_frame(self) -> pd.DataFrame:
        """A row for each system, best mean rank first."""
        import pandas as pd

        order = list(self.order)
        return pd.DataFrame(
            {
                "system": [self.systems[i] for i in order],
                "mean_rank": self.mean_ranks[order],
                "best_on": (self.ranks[:, order] == self.ranks.min(axis=1, keepdims=True)).sum(0),
            }
        )


def _directions(higher: tuple[bool, ...]) -> str:
    if len(set(higher)) == 1:
        return "yes" if higher[0] else "no"
    return "".join("y" if entry else "n" for entry in higher)
