"""What every pair of runs and all runs together show of two systems; made by `repeated_runs`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.reliability.run_variance import RunVariance
from core.replicability.decision import at_most
from core.signature import signature_line
from core.significance.result import TestAlternative
from core.types import BoolArray, FloatArray
from core.validation import check_alpha

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunStudy:
    """Every pair of runs, and what all of them say together.

    Attributes
    ----------
    p_values : ndarray, shape (R_A, R_B)
        Of the test on each pair of runs; nan where it was stopped before.
    out_of_reach : ndarray of bool, shape (R_A, R_B)
        Where the p-value says no more than that the bootstrap cannot reach so
        far; such a pair counts as 1.
    differences : ndarray, shape (R_A, R_B)
        A − B of each pair, higher being better.
    difference : float
        Of the means over all runs.
    p_value : float
        Of all runs and examples together; 1 where nothing varies.
    confidence_interval : (float, float) or None
        Of `difference`, from the same test; None where nothing varies.
    confidence_level : float
        Its level.
    variance : RunVariance
        Of one pair's difference.
    n_examples, n_runs_a, n_runs_b : int
        Sizes.
    n_clusters : int or None
        Of examples, where they come in clusters.
    test, alternative, alpha, n_resamples, seed
        As used; "auto" is resolved.
    notes : tuple of str
        What to know about the numbers.
    complete : bool
        Whether all pairs are done.
    """

    p_values: FloatArray
    out_of_reach: BoolArray
    differences: FloatArray
    difference: float
    p_value: float
    confidence_interval: tuple[float, float] | None
    confidence_level: float
    variance: RunVariance
    n_examples: int
    n_runs_a: int
    n_runs_b: int
    n_clusters: int | None
    test: str
    alternative: TestAlternative
    alpha: float
    n_resamples: int
    seed: int
    notes: tuple[str, ...]
    complete: bool

    @property
    def n_pairs(self) -> int:
        """Pairs of runs that are done."""
        return int(np.count_nonzero(~np.isnan(self.p_values)))

    @property
    def counted_p_values(self) -> FloatArray:
        """As they enter counting: 1 where out of reach."""
        return np.where(self.out_of_reach, 1.0, self.p_values)

    @property
    def n_out_of_reach(self) -> int:
        """Pairs that the bootstrap says nothing about."""
        return int(np.count_nonzero(self.out_of_reach))

    @property
    def n_significant(self) -> int:
        """Pairs with p <= alpha, of those within reach."""
        counted = self.counted_p_values
        done = counted[~np.isnan(counted)]
        return int(np.count_nonzero(at_most(done, self.alpha)))

    @property
    def share_significant(self) -> float:
        """The share of the pairs that are done; pairs share runs and all share examples."""
        return self.n_significant / self.n_pairs if self.n_pairs else float("nan")

    @property
    def n_a_ahead(self) -> int:
        """Pairs in which A has the higher score."""
        return int(np.count_nonzero(self.differences > 0.0))

    @property
    def hangs_on_runs(self) -> bool:
        """Whether some pairs have p <= alpha and others have not; out of reach is neither."""
        return 0 < self.n_significant < self.n_pairs - self.n_out_of_reach

    def at(self, alpha: float) -> RunStudy:
        """The same p-values held against another level.

        Raises
        ------
        ValueError
            If it does not lie strictly between 0 and 1.
        """
        return replace(self, alpha=check_alpha(alpha))

    @property
    def signature(self) -> str:
        """The line that names everything the study depends on, but for the data."""
        return signature_line(
            study="runs",
            test=self.test,
            alt=self.alternative,
            alpha=self.alpha,
            runs=f"{self.n_runs_a}x{self.n_runs_b}",
            resamples=self.n_resamples,
            seed=self.seed,
            n=self.n_examples,
            clusters=self.n_clusters,
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each pair of runs, counted from 1."""
        import pandas as pd

        rows, columns = np.indices(self.p_values.shape)
        return pd.DataFrame(
            {
                "run_a": rows.ravel() + 1,
                "run_b": columns.ravel() + 1,
                "difference": self.differences.ravel(),
                "p_value": self.p_values.ravel(),
                "out_of_reach": self.out_of_reach.ravel(),
            }
        )
