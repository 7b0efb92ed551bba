"""P-values of all pairs of systems on all datasets, and how systems rank over these.

Scores are equal where they differ by rounding alone: means of the same decimals, added in
another order, do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..comparison import BETTER, margin_of_all
from ..data.score_table import ScoreTable
from ..shown import DataFrame, frame_of
from ..signature import listed, short_fingerprint, signature_line
from ..significance.differences import TIE_TOLERANCE, tied
from ..significance.single import claim_in_signature
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice, check_two_systems

# The level that numbers of resamples are chosen for.
_ALPHA = 0.05


def with_ties(scores: FloatArray) -> FloatArray:
    """Scores of which those within `TIE_TOLERANCE` of the dataset's largest are the same number."""
    return tied(scores, TIE_TOLERANCE * np.abs(scores).max(axis=-1, keepdims=True, initial=0.0))


def differences(scores: FloatArray) -> FloatArray:
    """Row less column; 0 where the two are equal but for rounding."""
    own = with_ties(scores)
    return np.asarray(own[:, np.newaxis] - own)


def ranks_of(oriented: FloatArray) -> FloatArray:
    """Rank of each system on each dataset, shape (n_datasets, m), 1 being the best."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-oriented, axis=1), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairComparisons:
    """One-sided p-values in both directions of every pair of systems on every dataset.

    Attributes
    ----------
    datasets : tuple of str
        Those done, in the order of the set.
    p_values : ndarray, shape (n_datasets, m, m), read-only
        Entry (d, i, j) is the p-value of "system i is better than system j on
        dataset d"; nan where i is j.
    scores : ndarray, shape (n_datasets, m)
        As given.
    metrics, tests, methods : tuple of str
        Of each dataset: the metric, the test, and how p-values were computed:
        "exact", "monte-carlo", "normal", "student", or "mixed" where pairs differ.
    n_resamples : tuple of int or None
        Of each dataset whose p-values are of Monte Carlo.
    shared : tuple of bool
        Of each dataset, whether all pairs were judged on the same resamples.
    out_of_reach : ndarray of int, shape (k, 3)
        Entries of `p_values` that are of a bootstrap which cannot reach twice the
        observed difference: they say nothing of how strong the evidence is.
    n_asked : int
        How many datasets were asked for.
    claim : str
        What small p-values speak for, in the place of "better".
    margins : tuple of float
        Of the claim, in the metric's units.
    """

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    p_values: FloatArray
    scores: FloatArray
    higher_is_better: tuple[bool, ...]
    metrics: tuple[str, ...]
    tests: tuple[str, ...]
    methods: tuple[str, ...]
    n_examples: tuple[int, ...]
    n_resamples: tuple[int | None, ...]
    shared: tuple[bool, ...]
    out_of_reach: IntArray
    n_asked: int
    seed: int
    fingerprint: str = ""
    claim: str = BETTER
    margins: tuple[float, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every dataset asked for was done."""
        return len(self.datasets) == self.n_asked

    @property
    def n_systems(self) -> int:
        """Number of systems, m."""
        return len(self.systems)

    @property
    def n_datasets(self) -> int:
        """Number of datasets done, N."""
        return len(self.datasets)

    @property
    def n_pairs(self) -> int:
        """Pairs without regard to direction, m(m − 1)/2."""
        return self.n_systems * (self.n_systems - 1) // 2

    @property
    def not_counted(self) -> BoolArray | None:
        """Which p-values are out of the bootstrap's reach, so that 1 counts; None where none are."""
        if not self.out_of_reach.size:
            return None
        # A mask in the place of changed p-values, which may fill half of the memory.
        beyond = np.zeros(self.p_values.shape, dtype=np.bool_)
        beyond[tuple(self.out_of_reach.T)] = True
        return beyond

    @property
    def oriented_scores(self) -> FloatArray:
        """`scores` turned so that higher is better, shape (n_datasets, m)."""
        higher = np.array(self.higher_is_better, dtype=np.bool_)[:, np.newaxis]
        return np.where(higher, self.scores, 0.0 - self.scores)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the p-values, a sentence each."""
        found = []
        drawn = [n for n, one in zip(self.n_resamples, self.shared, strict=True) if one and n]
        if drawn:
            b = min(drawn)
            error = monte_carlo_error(0.05, b)
            found.append(
                f"All pairs of a dataset were judged on the same {b:,} resamples, so that their "
                "Monte Carlo errors move together: the standard error of a p-value of .05 is "
                f"{error:.4f}."
            )
        alone = [n for n, one in zip(self.n_resamples, self.shared, strict=True) if n and not one]
        if alone:
            where = f"On {len(alone)} of {self.n_datasets} datasets"
            where = where if self.n_datasets > 1 else "On the dataset"
            found.append(
                f"{where} each pair was tested by itself, with "
                f"{min(alone):,} resamples where it is not exact: the standard error of a p-value of "
                f".05 is {monte_carlo_error(0.05, min(alone)):.4f}."
            )
        n_beyond = self.out_of_reach.shape[0]
        if n_beyond:
            found.append(
                f"{n_beyond:,} p-values are of a bootstrap that cannot reach twice the observed "
                "difference: they say nothing of how strong the evidence is."
            )
        if not self.complete:
            found.append(
                f"Stopped after {self.n_datasets} of {self.n_asked} datasets: the others are missing."
            )
        return tuple(found)

    @property
    def signature(self) -> str:
        """The one line that names everything the p-values depend on."""
        resamples = sorted({n for n in self.n_resamples if n is not None})
        return signature_line(
            analysis="all-pairs",
            systems=listed(self.systems),
            datasets=listed(self.datasets),
            asked=None if self.complete else self.n_asked,
            metric="+".join(dict.fromkeys(self.metrics)),
            test="+".join(dict.fromkeys(self.tests)),
            method="+".join(dict.fromkeys(self.methods)),
            resamples="+".join(map(str, resamples)) or None,
            seed=self.seed if resamples else None,
            **claim_in_signature(self.claim, margin_of_all(self.margins)),
            data=short_fingerprint(self.fingerprint) or None,
        )

    def p_value(self, a: str, b: str, dataset: str) -> float:
        """P-value of "`a` is better than `b`" on one dataset."""
        check_two_systems(a, b, self.systems)
        i, j = (self.systems.index(name) for name in (a, b))
        return float(self.p_values[self._dataset(dataset), i, j])

    def gains(self, dataset: str) -> FloatArray:
        """Score of the row less score of the column, higher being better, shape (m, m)."""
        return differences(self.oriented_scores[self._dataset(dataset)])

    def to_frame(self) -> DataFrame:
        """A row for each pair and dataset, the pair in the order of the systems.

        `gain` is A less B, higher being better, `p_a_better` and `p_b_better` are at a margin `p_a`
        and `p_b`, and `out_of_reach` is "a", "b" or "" for the direction whose p-value says nothing
        of the evidence.
        """
        import pandas as pd

        first, second = np.triu_indices(self.n_systems, 1)
        n, pairs = self.n_datasets, first.size
        names = np.array(self.systems, dtype=object)
        oriented = with_ties(self.oriented_scores)
        beyond = np.full((n, self.n_systems, self.n_systems), "", dtype="U1")
        for d, i, j in self.out_of_reach.tolist():
            beyond[d, min(i, j), max(i, j)] = "a" if i < j else "b"

        def each(values: tuple[object, ...]) -> np.ndarray:
            return np.repeat(np.array(values, dtype=object), pairs)

        better = "_better" if self.claim == BETTER else ""
        asked = {} if better else {"claim": self.claim, "margin": np.repeat(self.margins, pairs)}
        return frame_of(
            {
                "dataset": each(self.datasets),
                "system_a": np.tile(names[first], n),
                "system_b": np.tile(names[second], n),
                "metric": each(self.metrics),
                "test": each(self.tests),
                "method": each(self.methods),
                "n_examples": np.repeat(np.array(self.n_examples, dtype=np.int64), pairs),
                "score_a": self.scores[:, first].ravel(),
                "score_b": self.scores[:, second].ravel(),
                "gain": (oriented[:, first] - oriented[:, second]).ravel(),
                f"p_a{better}": self.p_values[:, first, second].ravel(),
                f"p_b{better}": self.p_values[:, second, first].ravel(),
                "n_resamples": pd.array(
                    [n for one in self.n_resamples for n in [one] * pairs], dtype="Int64"
                ),
                "out_of_reach": beyond[:, first, second].ravel().astype(object),
                **asked,
            }
        )

    def _dataset(self, name: str) -> int:
        return self.datasets.index(check_choice(name, self.datasets, name="dataset"))


def counted_p_values(
    p_values: FloatArray, not_counted: BoolArray | None, i: IntArray | int, j: IntArray | int
) -> FloatArray:
    """P-values of pairs as they are counted, a row a pair."""
    own = np.ascontiguousarray(p_values[:, i, j].T)
    return own if not_counted is None else np.where(not_counted[:, i, j].T, 1.0, own)


def monte_carlo_error(p_value: float, n_resamples: int) -> float:
    """Standard error of a p-value that so many resamples estimate."""
    return float(np.sqrt(p_value * (1.0 - p_value) / n_resamples))


def resamples_needed(n_datasets: int, *, n_systems: int) -> int:
    """How many resamples keep Monte Carlo noise from showing at α = .05, at most 199,999.

    9,999 leave a p-value of .05 a standard error of .0022. Of Holm's first threshold of N datasets,
    α/N, a hundred extreme ones, an error of a tenth; of that of all claims together, α/(m(m − 1)N),
    twice the fewest that can reach it.
    """
    claims = n_systems * (n_systems - 1) * n_datasets
    fewest = math.ceil(max(100.0 * n_datasets, 2.0 * claims) / _ALPHA)
    return min(199_999, -(-fewest // 10_000) * 10_000 - 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standings:
    """How systems rank over datasets, 1 being the best; says nothing of chance.

    Scores, shape (n_datasets, m), are turned so that higher is better, which `higher_is_better` says
    of those given; `wins` and `ties`, shape (m, m), are of the row.
    """

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: FloatArray
    higher_is_better: tuple[bool, ...]
    ranks: FloatArray
    mean_ranks: FloatArray
    wins: IntArray
    ties: IntArray
    fingerprint: str

    @property
    def signature(self) -> str:
        """The one line that names what the ranks depend on."""
        return signature_line(
            analysis="standings",
            systems=listed(self.systems),
            datasets=listed(self.datasets),
            data=short_fingerprint(self.fingerprint) or None,
        )

    def win_tie_loss(self, a: str, b: str) -> tuple[int, int, int]:
        """On how many datasets `a` has the better score, the same, the worse."""
        i, j = self.systems.index(a), self.systems.index(b)
        return int(self.wins[i, j]), int(self.ties[i, j]), int(self.wins[j, i])

    def to_frame(self) -> DataFrame:
        """A row for each system, best mean rank first.

        `n_best` are datasets on which no system is better.
        """
        order = np.argsort(self.mean_ranks, kind="stable")
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        return frame_of(
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
    """Rank all systems on each dataset, and count wins, ties and losses of each two."""
    if isinstance(results, ScoreTable):
        oriented = results.values if results.higher_is_better else 0.0 - results.values
        higher = (results.higher_is_better,) * len(results.datasets)
    else:
        oriented, higher = with_ties(results.oriented_scores), results.higher_is_better
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
        higher_is_better=higher,
        ranks=ranks,
        mean_ranks=np.asarray(ranks.mean(axis=0)),
        wins=wins,
        ties=ties,
        fingerprint=results.fingerprint,
    )
