"""Ranks and wins of many systems over datasets, from one score each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..data.score_table import ScoreTable
from ..signature import short_fingerprint, signature_line
from ..types import FloatArray, IntArray
from .comparisons import PairComparisons, ranks_of, with_ties

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standings:
    """How systems rank over datasets; says nothing of chance.

    Attributes
    ----------
    systems, datasets : tuple of str
        Their names.
    scores : ndarray, shape (n_datasets, m)
        Turned so that higher is better; means that differ by rounding alone are the
        same number.
    ranks : ndarray, shape (n_datasets, m)
        1 being the best; ties share their mean rank.
    mean_ranks : ndarray, shape (m,)
        Over the datasets.
    wins, ties : ndarray of int, shape (m, m)
        On how many datasets the row has the higher score, and the same one.
    fingerprint : str
        Of the data.
    """

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: FloatArray
    ranks: FloatArray
    mean_ranks: FloatArray
    wins: IntArray
    ties: IntArray
    fingerprint: str
    complete: bool = True

    @property
    def signature(self) -> str:
        """The one line that names what the ranks depend on."""
        return signature_line(
            analysis="standings",
            systems=len(self.systems),
            datasets=len(self.datasets),
            data=short_fingerprint(self.fingerprint) or None,
        )

    def win_tie_loss(self, a: str, b: str) -> tuple[int, int, int]:
        """On how many datasets `a` has the higher score, the same, the lower."""
        i, j = self.systems.index(a), self.systems.index(b)
        return int(self.wins[i, j]), int(self.ties[i, j]), int(self.wins[j, i])

    def to_frame(self) -> pd.DataFrame:
        """A row for each system, best mean rank first.

        Columns: system, mean_rank, n_best (datasets on which no system is better),
        and wins, ties and losses over all other systems and datasets.
        """
        import pandas as pd

        order = np.argsort(self.mean_ranks, kind="stable")
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        return pd.DataFrame(
            {
                "system": [self.systems[k] for k in order.tolist()],
                "mean_rank": self.mean_ranks[order],
                "n_best": best.sum(axis=0)[order],
                "wins": self.wins.sum(axis=1)[order],
                "ties": (self.ties.sum(axis=1) - np.diag(self.ties))[order],
                "losses": self.wins.sum(axis=0)[order],
            }
        )


def standings(results: ScoreTable | PairComparisons) -> Standings:
    """Rank all systems on each dataset, and count wins, ties and losses of each two.

    Parameters
    ----------
    results : ScoreTable or PairComparisons
        One score for each dataset and system. Those of a table are compared as
        given: two are the same where their digits are. Means of examples are the
        same where they differ by rounding alone.
    """
    if isinstance(results, ScoreTable):
        oriented = results.values if results.higher_is_better else 0.0 - results.values
        complete = True
    else:
        oriented, complete = with_ties(results.oriented_scores), results.complete
    n, m = oriented.shape
    wins = np.zeros((m, m), dtype=np.intp)
    ties = np.zeros((m, m), dtype=np.intp)
    for row in oriented:
        wins += row[:, np.newaxis] > row
        ties += row[:, np.newaxis] == row
    np.fill_diagonal(ties, n)
    ranks = ranks_of(oriented)
    return Standings(
        systems=results.systems,
        datasets=results.datasets,
        scores=oriented,
        ranks=ranks,
        mean_ranks=np.asarray(ranks.mean(axis=0)),
        wins=wins,
        ties=ties,
        fingerprint=results.fingerprint,
        complete=complete,
    )
