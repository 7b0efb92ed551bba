"""What is counted of wins on one dataset that are looked for on another.

The words are those of `core.reliability.across_domains`, which counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.signature import signature_line
from core.simulation.rates import Rate
from core.types import IntArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementBin(Rate):
    """Wins whose p-value lies in one bin.

    Attributes
    ----------
    low, high : float
        Ends of the bin: low < p <= high.
    n_wins : int
        Wins, each counted once.
    count, n : int
        In `count` of `n` cases the win holds; a case is a win and another
        dataset. With n = 0 `rate` is nan, and the interval all of 0 to 1.
    n_tied : int
        Cases with equal scores on the other dataset; they do not hold.
    """

    low: float
    high: float
    n_wins: int
    n_tied: int

    @property
    def rate(self) -> float:
        """The share of cases in which the win holds."""
        return self.count / self.n if self.n else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DomainAgreement:
    """How often a win on one dataset holds on another.

    Attributes
    ----------
    datasets : tuple of str
        Their names.
    edges : tuple of float
        Ends of the bins, from 0.
    bins : tuple of AgreementBin
        Over all ordered pairs of datasets; the first holds every p up to the
        smallest end that was asked for.
    counts, held : ndarray of int, shape (N, N, bins)
        Of each ordered pair of datasets [won on, looked for on]: cases, and those
        that hold.
    n_pairs : int
        Pairs of systems.
    n_without_winner : int
        Pairs of systems and datasets with equal scores: no wins.
    n_beyond : int
        Wins with p above the last bin.
    notes : tuple of str
        What to know about the numbers.
    """

    datasets: tuple[str, ...]
    edges: tuple[float, ...]
    bins: tuple[AgreementBin, ...]
    counts: IntArray
    held: IntArray
    n_pairs: int
    n_without_winner: int
    n_beyond: int
    notes: tuple[str, ...]

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def complete(self) -> bool:
        """Always: it is counted at once."""
        return True

    @property
    def signature(self) -> str:
        """The line that names everything the counts depend on, but for the data."""
        return signature_line(
            study="across-datasets",
            datasets=self.n_datasets,
            pairs=self.n_pairs,
            bins=",".join(f"{edge:g}" for edge in self.edges[1:]),
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each bin, over all ordered pairs of datasets."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "p_above": own.low,
                    "p_at_most": own.high,
                    "n_wins": own.n_wins,
                    "n_cases": own.n,
                    "n_held": own.count,
                    "n_tied": own.n_tied,
                    "share_held": own.rate,
                    "low": own.confidence_interval[0],
                    "high": own.confidence_interval[1],
                }
                for own in self.bins
            ]
        )

    def to_pairs_frame(self) -> pd.DataFrame:
        """A row for each ordered pair of datasets and bin with any case."""
        import pandas as pd

        rows = [
            (
                self.datasets[i],
                self.datasets[j],
                own.low,
                own.high,
                int(self.counts[i, j, k]),
                int(self.held[i, j, k]),
            )
            for i in range(self.n_datasets)
            for j in range(self.n_datasets)
            for k, own in enumerate(self.bins)
            if self.counts[i, j, k]
        ]
        columns = ["won_on", "looked_for_on", "p_above", "p_at_most", "n_cases", "n_held"]
        return pd.DataFrame(rows, columns=columns)
