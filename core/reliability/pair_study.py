"""What every study of p-values by dataset and choice has: who won by any, who by all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from core.reliability.pair_family import PairFamily, count_pairs
from core.reliability.pairs import LeftOut, TestedPair, p_values_of, pair_frame
from core.replicability.decision import at_most
from core.signature import short_fingerprint, signature_line
from core.validation import check_alpha

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairStudy(ABC):
    """P-values of "A is better" for each dataset and choice, such as a metric or a level.

    Attributes
    ----------
    system_a, system_b : str
        The two systems.
    datasets : tuple of str
        Those asked for.
    alpha : float
        In (0, 1).
    pairs : tuple of TestedPair
        One for each dataset and choice that fits, dataset by dataset.
    left_out : tuple of LeftOut
        Those without any p-value, each with its reason.
    n_asked : int
        How many p-values there were to be.
    n_resamples, seed : int
        Of tests that resample.
    fingerprint : str
        Of the data.
    """

    system_a: str
    system_b: str
    datasets: tuple[str, ...]
    alpha: float
    pairs: tuple[TestedPair, ...]
    left_out: tuple[LeftOut, ...]
    n_asked: int
    n_resamples: int
    seed: int
    fingerprint: str

    @property
    def tests(self) -> frozenset[str]:
        """The tests whose p-values these are."""
        return frozenset(pair.test for pair in self.pairs)

    @property
    def complete(self) -> bool:
        """Whether all tests were run."""
        return len(self.pairs) == self.n_asked

    def _signature(self, study: str, **asked: object) -> str:
        return signature_line(
            study=study,
            a=self.system_a,
            b=self.system_b,
            **asked,
            alpha=self.alpha,
            resamples=self.n_resamples,
            pairs=self.n_asked,
            done=None if self.complete else len(self.pairs),
            seed=self.seed,
            data=short_fingerprint(self.fingerprint),
        )

    @property
    @abstractmethod
    def choices(self) -> Sequence[str]:
        """What each pair was chosen by, in their order."""

    @property
    def family(self) -> PairFamily:
        """All p-values counted as one family, by no count that needs independence."""
        return count_pairs(
            tuple(pair.dataset for pair in self.pairs),
            tuple(self.choices),
            p_values_of(self.pairs),
            alpha=self.alpha,
        )

    @property
    def tested_datasets(self) -> tuple[str, ...]:
        """Those with a p-value."""
        return tuple(dict.fromkeys(pair.dataset for pair in self.pairs))

    @property
    def datasets_by_any(self) -> tuple[str, ...]:
        """Datasets with p <= alpha by at least one choice."""
        found = self._below()
        return tuple(dataset for dataset in self.tested_datasets if any(found[dataset]))

    @property
    def datasets_by_all(self) -> tuple[str, ...]:
        """Datasets with p <= alpha by every choice that there is on them."""
        found = self._below()
        return tuple(dataset for dataset in self.tested_datasets if all(found[dataset]))

    @property
    def datasets_that_differ(self) -> tuple[str, ...]:
        """Datasets on which p <= alpha by some choices and not by others."""
        by_all = set(self.datasets_by_all)
        return tuple(dataset for dataset in self.datasets_by_any if dataset not in by_all)

    def at_level(self, alpha: float) -> Self:
        """The same p-values held against another level of significance.

        Raises
        ------
        ValueError
            If `alpha` does not lie strictly between 0 and 1.
        """
        return replace(self, alpha=check_alpha(alpha))

    def to_frame(self) -> pd.DataFrame:
        """A row for each p-value."""
        return pair_frame(self.pairs, self.family.named.tolist())

    def _below(self) -> dict[str, list[bool]]:
        below = at_most(p_values_of(self.pairs), self.alpha).tolist()
        found: dict[str, list[bool]] = {}
        for pair, is_below in zip(self.pairs, below, strict=True):
            found.setdefault(pair.dataset, []).append(is_below)
        return found
