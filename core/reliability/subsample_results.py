"""What subsamples of datasets show, and which datasets' significance hangs on their size.

Vocabulary
----------
vanishes
    Of a dataset's significance: the whole dataset has p > alpha, and yet at some
    smaller size at least 2·alpha of the subsamples have p <= alpha, more than alpha
    of them by a one-sided binomial test at level .05, divided by the number of
    smaller sizes. Whoever stopped at such a size would have reported significance
    at least twice as often as with equal systems. It describes the dataset and is no
    test of the systems: the whole's p lies between alpha and some three to five times
    alpha, and of equal systems about one dataset in six bears the mark (with 100
    subsamples at alpha = .05).
fragile
    The whole dataset has p <= alpha, but fewer than half of the subsamples of the
    largest smaller size do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.reliability.power import share_expected
from core.reliability.power_results import ExpectedShares
from core.reliability.subsample_points import SubsamplePoint, shares_given_full
from core.reliability.subsamples import Subsampled
from core.signature import short_fingerprint, signature_line
from core.significance.binomial import binomial_at_least
from core.significance.result import SignificanceResult, TestAlternative
from core.validation import check_alpha

if TYPE_CHECKING:
    import pandas as pd

# Of the marks, over all smaller sizes of one dataset together.
MARK_LEVEL = 0.05
# As often as that beside chance: without it the mark would come of drawing many subsamples.
TIMES_CHANCE = 2.0

Mark = Literal["vanishes", "fragile", ""]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetSubsamples:
    """One dataset's p-value at growing sizes.

    Attributes
    ----------
    dataset, test, metric : str
        Names.
    unit : {"examples", "clusters"}
        What is drawn.
    n_examples, n_units : int
        Of the whole dataset.
    full : SignificanceResult
        The test of the whole dataset.
    points : tuple of SubsamplePoint
        By rising size; the last is the whole dataset.
    alternative : {"greater", "less", "two-sided"}
        What the p-values speak for.
    alpha : float
        The level.
    disagreement : float
        Share of examples on which the two systems differ.
    standard_deviation : float or None
        Of the differences, n − 1 below; None where scores are not averaged or n is 1.
    binary : bool
        Whether the scores are averages of 0 and 1.
    """

    dataset: str
    test: str
    metric: str
    unit: Literal["examples", "clusters"]
    n_examples: int
    n_units: int
    full: SignificanceResult
    points: tuple[SubsamplePoint, ...]
    alternative: TestAlternative
    alpha: float
    disagreement: float
    standard_deviation: float | None
    binary: bool

    @classmethod
    def of(
        cls,
        own: Subsampled,
        full: SignificanceResult,
        points: tuple[SubsamplePoint, ...],
        *,
        alternative: TestAlternative,
        alpha: float,
    ) -> DatasetSubsamples:
        """Add the whole dataset to the points of its subsamples."""
        whole = SubsamplePoint(
            share=1.0,
            n_units=own.n_units,
            n_examples=own.n_examples,
            p_values=np.array([full.p_value_of(alternative)]),
            out_of_reach=np.array([full.is_out_of_reach(alternative)]),
            method=full.method,
            alpha=alpha,
        )
        values = own.differences.values if own.averaged and own.differences is not None else None
        spread = None if values is None or values.size < 2 else float(values.std(ddof=1))
        return cls(
            dataset=own.dataset,
            test=full.test,
            metric=full.metric,
            unit="examples" if own.clusters is None else "clusters",
            n_examples=own.n_examples,
            n_units=own.n_units,
            full=full,
            points=(*points, whole),
            alternative=alternative,
            alpha=alpha,
            disagreement=(full.wins + full.losses) / full.n_examples,
            standard_deviation=spread if own.clusters is None else None,
            binary=own.binary,
        )

    @property
    def p_value(self) -> float:
        """Of the whole dataset."""
        return float(self.points[-1].p_values[0])

    @property
    def significant(self) -> bool:
        """Whether the whole dataset has p <= alpha."""
        return self.points[-1].n_significant == 1

    @property
    def vanishes_from(self) -> tuple[SubsamplePoint, ...]:
        """The smaller sizes at which more are significant than chance gives, where the whole is not."""
        if self.significant:
            return ()
        smaller = self.points[:-1]
        return tuple(
            point
            for point in smaller
            if point.share_significant >= TIMES_CHANCE * self.alpha
            and binomial_at_least(point.n_significant, point.n_subsamples, self.alpha)
            <= MARK_LEVEL / len(smaller)
        )

    @property
    def mark(self) -> Mark:
        """How the significance hangs on the size: "vanishes", "fragile", or '' where it does not.

        The module says what the words mean.
        """
        if self.vanishes_from:
            return "vanishes"
        if self.significant and len(self.points) > 1:
            before = self.points[-2]
            return "fragile" if 2 * before.n_significant < before.n_subsamples else ""
        return ""

    @property
    def shares_given_full(self) -> tuple[float, ...]:
        """What share of each size is significant by the whole dataset's p-value alone.

        Subsamples of a share s have about z_s = √s·z + √(1 − s)·e, z being the
        normal quantile of the whole's p-value and e a standard normal number:
        the observed curve is nearly this, whatever the truth about the systems.
        """
        return shares_given_full(
            self.p_value,
            [point.share for point in self.points],
            alpha=self.alpha,
            two_sided=self.alternative == "two-sided",
        )

    def expected(self, effect: float | None) -> ExpectedShares:
        """What share of independent test sets of each size chance or a stated effect makes significant.

        The disagreement, or the standard deviation, is the dataset's own; the
        effect never is.

        Raises
        ------
        ValueError
            If the effect is out of its range, or nothing is known of the test's
            power on such scores.
        """
        if self.unit == "clusters":
            raise ValueError(
                "`effect` must be of examples that are independent; these come in clusters, "
                "for which the power depends on how alike a cluster's examples are."
            )
        return share_expected(
            [point.n_examples for point in self.points],
            effect=effect,
            test=self.test,
            alpha=self.alpha,
            alternative=self.alternative,
            disagreement=self.disagreement if self.binary else None,
            standard_deviation=None if self.binary else self.standard_deviation,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsampleStudy:
    """Each dataset's p-value at growing sizes.

    Attributes
    ----------
    datasets : tuple of DatasetSubsamples
        Those that are done, in the order asked for.
    system_a, system_b : str
        Names of the systems.
    alternative : {"greater", "less", "two-sided"}
        What the p-values speak for.
    alpha : float
        The level.
    shares : tuple of float
        Rising, to 1.
    n_subsamples, n_resamples, seed : int
        As asked for.
    fingerprint : str
        Of the results, '' where they have none.
    complete : bool
        Whether every dataset asked for is done.
    """

    datasets: tuple[DatasetSubsamples, ...]
    system_a: str
    system_b: str
    alternative: TestAlternative
    alpha: float
    shares: tuple[float, ...]
    n_subsamples: int
    n_resamples: int
    seed: int
    fingerprint: str
    complete: bool

    def at(self, alpha: float) -> SubsampleStudy:
        """The same p-values held against another level.

        Raises
        ------
        ValueError
            If it does not lie strictly between 0 and 1.
        """
        alpha = check_alpha(alpha)
        return replace(
            self,
            alpha=alpha,
            datasets=tuple(
                replace(
                    own,
                    alpha=alpha,
                    points=tuple(replace(point, alpha=alpha) for point in own.points),
                )
                for own in self.datasets
            ),
        )

    def marked(self, mark: Mark) -> tuple[str, ...]:
        """Names of the datasets with a mark."""
        return tuple(own.dataset for own in self.datasets if own.mark == mark)

    @property
    def significant(self) -> tuple[str, ...]:
        """Names of the datasets that as a whole have p <= alpha."""
        return tuple(own.dataset for own in self.datasets if own.significant)

    @property
    def signature(self) -> str:
        """The line that names everything the study depends on."""
        tests = sorted({own.test for own in self.datasets})
        monte_carlo = any(
            point.method in ("monte-carlo", "one-by-one")
            for own in self.datasets
            for point in own.points
        )
        return signature_line(
            study="subsamples",
            test=",".join(tests),
            alt=self.alternative,
            alpha=self.alpha,
            shares=",".join(f"{share:g}" for share in self.shares),
            subsamples=self.n_subsamples,
            resamples=self.n_resamples if monte_carlo else None,
            seed=self.seed,
            datasets=len(self.datasets),
            data=short_fingerprint(self.fingerprint) if self.fingerprint else None,
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each dataset and size."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "dataset": own.dataset,
                    "test": own.test,
                    "metric": own.metric,
                    "share": point.share,
                    "n_examples": point.n_examples,
                    "n_units": point.n_units,
                    "n_subsamples": point.n_subsamples,
                    "p_low": point.band[0],
                    "p_median": point.median,
                    "p_high": point.band[1],
                    "n_significant": point.n_significant,
                    "share_significant": point.share_significant,
                    "method": point.method,
                    "n_undefined": point.n_undefined,
                    "n_out_of_reach": point.n_out_of_reach,
                    "mark": own.mark,
                }
                for own in self.datasets
                for point in own.points
            ]
        )
