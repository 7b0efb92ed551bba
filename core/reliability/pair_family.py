"""Pairs of a dataset and a choice (a metric, a test, a level) counted as one family.

Vocabulary
----------
choice
    What a dataset has several p-values by: its metrics and tests, or the levels
    of a covariate.
pair
    A dataset with one of its choices: one p-value.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.replicability.combinations import combination_named
from core.replicability.counting import count_datasets
from core.replicability.groups import count_groups
from core.replicability.identification import Identification, identify_datasets
from core.types import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairFamily:
    """On at least how many pairs, and so on how many datasets, A is better.

    P-values of one dataset depend on each other, as they are of the same
    examples; so no count that needs independence is offered, and Simes' needs its condition.

    Attributes
    ----------
    datasets, choices : tuple of str
        Of each pair.
    p_values : ndarray, shape (n_pairs,)
        As counted.
    alpha : float
        In (0, 1).
    n_pairs_bonferroni, n_pairs_simes : int
        k̂ of the pairs.
    identification : Identification
        Holm's, over all pairs.
    """

    datasets: tuple[str, ...]
    choices: tuple[str, ...]
    p_values: FloatArray
    alpha: float
    n_pairs_bonferroni: int
    n_pairs_simes: int
    identification: Identification

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return self.p_values.size

    @property
    def n_datasets(self) -> int:
        """How many datasets have a pair."""
        return len(set(self.datasets))

    @property
    def most_choices(self) -> int:
        """m: of how many pairs a dataset is at most."""
        return max(Counter(self.datasets).values())

    def n_datasets_by(self, combination: str) -> int:
        """On at least how many datasets there is an effect by at least one choice.

        By Bonferroni the datasets of `named_datasets`: at least ⌈k̂/m⌉, and more
        where k̂ pairs lie on more datasets than could hold them.

        Raises
        ------
        ValueError
            If the combination needs independence, or as `count_groups`.
        """
        if combination_named(combination).dependence == "independent":
            raise ValueError(
                f"`combination` {combination!r} needs independent p-values, and those of one "
                "dataset are of the same examples."
            )
        return count_groups(self.p_values, self.datasets, alpha=self.alpha, combination=combination)

    @property
    def named(self) -> BoolArray:
        """Which pairs Holm's procedure names, shape (n_pairs,)."""
        return self.identification.rejected

    @property
    def named_pairs(self) -> tuple[tuple[str, str], ...]:
        """Dataset and choice of those pairs."""
        pairs = zip(self.datasets, self.choices, self.named.tolist(), strict=True)
        return tuple((dataset, choice) for dataset, choice, named in pairs if named)

    @property
    def named_datasets(self) -> tuple[str, ...]:
        """Datasets of which Holm's procedure names a pair, from Bonferroni's closed test."""
        return tuple(dict.fromkeys(dataset for dataset, _ in self.named_pairs))


def count_pairs(
    datasets: tuple[str, ...],
    choices: tuple[str, ...],
    p_values: npt.ArrayLike,
    *,
    alpha: float = 0.05,
) -> PairFamily:
    """Count pairs as one family.

    Parameters
    ----------
    datasets, choices : tuple of str
        Of each pair.
    p_values : array_like, shape (n_pairs,)
        Of the same claim on each.
    alpha : float
        In (0, 1).

    Raises
    ------
    ValueError
        If there is no pair, or as `count_datasets`.
    """
    counting = count_datasets(p_values, alpha=alpha)
    if not len(datasets) == len(choices) == counting.n_datasets:
        raise ValueError(
            "`datasets`, `choices` and `p_values` must be of the same pairs; got "
            f"{len(datasets)}, {len(choices)} and {counting.n_datasets}."
        )
    return PairFamily(
        datasets=tuple(datasets),
        choices=tuple(choices),
        p_values=np.asarray(counting.p_values),
        alpha=counting.alpha,
        n_pairs_bonferroni=counting.k_hat,
        n_pairs_simes=count_datasets(p_values, alpha=alpha, combination="simes").k_hat,
        identification=identify_datasets(p_values, alpha=alpha),
    )
