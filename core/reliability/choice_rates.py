"""How often the best of several choices is "significant" by chance: by theory, and simulated."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.reliability.pairs import LeftOut
from core.replicability.decision import at_most
from core.signature import short_fingerprint, signature_line
from core.simulation.rates import Rate
from core.types import FloatArray
from core.validation import check_alpha

if TYPE_CHECKING:
    import pandas as pd


def free_choice_rate(m: float, alpha: float) -> float:
    """Chance that the smallest of m independent p-values is at most `alpha` under the null.

    1 − (1 − α)^m.

    Parameters
    ----------
    m : float
        Number of choices, at least 1.
    alpha : float
        In (0, 1).

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> round(free_choice_rate(2, 0.05), 4), round(free_choice_rate(2, 0.01), 4)
    (0.0975, 0.0199)
    """
    level = check_alpha(alpha)
    if not m >= 1:
        raise ValueError(f"`m` must be at least 1; got {m!r}.")
    return -math.expm1(m * math.log1p(-level))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FreeChoice:
    """P-values of every choice while A and B change places at random.

    Attributes
    ----------
    dataset, system_a, system_b : str
        What was flipped.
    choices : tuple of (str, str)
        Metric and test of each.
    alpha : float
        In (0, 1).
    p_values : ndarray, shape (n_repetitions, n_choices)
        Of "A is better", under the null hypothesis that A and B may be exchanged.
    observed : ndarray, shape (n_choices,)
        By the same formulas, of the data as they are.
    n_units : int
        Examples, or clusters, that change places one by one.
    of_clusters : bool
        Which of them.
    n_asked : int
        Repetitions asked for.
    seed : int
        Gives the same again.
    left_out : tuple of LeftOut
        Metrics without a test on this dataset.
    notes : tuple of str
        What is an approximation.
    fingerprint : str
        Of the data.
    """

    dataset: str
    system_a: str
    system_b: str
    choices: tuple[tuple[str, str], ...]
    alpha: float
    p_values: FloatArray
    observed: FloatArray
    n_units: int
    of_clusters: bool
    n_asked: int
    seed: int
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
    fingerprint: str

    @property
    def n_repetitions(self) -> int:
        """How many were done."""
        return int(self.p_values.shape[0])

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def smallest(self) -> FloatArray:
        """The smallest p-value of each repetition, shape (n_repetitions,)."""
        smallest: FloatArray = self.p_values.min(axis=1)
        return smallest

    @property
    def rate(self) -> Rate:
        """How often the smallest p-value is at most alpha though A and B are alike."""
        return self._rate(self.smallest)

    @property
    def rates(self) -> tuple[Rate, ...]:
        """The same of each choice alone, had it been fixed beforehand."""
        return tuple(self._rate(column) for column in self.p_values.T)

    @property
    def rate_if_independent(self) -> float:
        """1 − (1 − α)^m for so many choices."""
        return free_choice_rate(len(self.choices), self.alpha)

    @property
    def n_as_if_independent(self) -> float:
        """So many independent choices would have this rate; infinite where it is 1."""
        share = self.rate.rate
        return math.log1p(-share) / math.log1p(-self.alpha) if share < 1.0 else math.inf

    @property
    def smallest_observed(self) -> float:
        """The smallest p-value of the data as they are."""
        return float(self.observed.min())

    @property
    def adjusted_p_value(self) -> float:
        """How often chance alone makes the smallest p-value as small: (s + 1)/(R + 1).

        A valid p-value of the free choice among all of them (Westfall and Young
        1993): the null hypothesis is that A and B may be exchanged.
        """
        as_small = int(np.count_nonzero(at_most(self.smallest, self.smallest_observed)))
        return (as_small + 1) / (self.n_repetitions + 1)

    @property
    def signature(self) -> str:
        """The one line that names everything the rates depend on."""
        return signature_line(
            study="free-choice",
            dataset=self.dataset,
            a=self.system_a,
            b=self.system_b,
            choices=",".join(f"{metric}/{test}" for metric, test in self.choices),
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint),
        )

    def at_level(self, alpha: float) -> FreeChoice:
        """The same repetitions held against another level.

        Raises
        ------
        ValueError
            If `alpha` does not lie strictly between 0 and 1.
        """
        return replace(self, alpha=check_alpha(alpha))

    def to_frame(self) -> pd.DataFrame:
        """A row for each choice, and one for the smallest p-value of all."""
        import pandas as pd

        labels = [*self.choices, ("any", "smallest p")]
        observed = [*self.observed.tolist(), self.smallest_observed]
        rows = [
            {
                "dataset": self.dataset,
                "metric": metric,
                "test": test,
                "p_value_observed": p,
                "n_at_most_alpha": rate.count,
                "n_repetitions": rate.n,
                "false_positive_rate": rate.rate,
                "low": rate.confidence_interval[0],
                "high": rate.confidence_interval[1],
            }
            for (metric, test), p, rate in zip(
                labels, observed, (*self.rates, self.rate), strict=True
            )
        ]
        return pd.DataFrame(rows)

    def _rate(self, p_values: FloatArray) -> Rate:
        return Rate(
            count=int(np.count_nonzero(at_most(p_values, self.alpha))), n=self.n_repetitions
        )
