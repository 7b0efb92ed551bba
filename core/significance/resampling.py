"""The two tests that resample: the paired bootstrap and approximate randomization.

Their kernels bring together what each is of averaged scores (`bootstrap`,
`randomization`), of metrics of summed statistics (`counts`) and of correlations with
gold (`predictions`), where the null hypotheses are told.
"""

from __future__ import annotations

import numpy as np

from ..types import FloatArray, IntArray
from .bootstrap import paired_bootstrap
from .counts import bootstrap_of_counts, randomization_of_counts
from .differences import Differences
from .lattice import SMALLEST, Lattice, spread_of, whole_numbers
from .outcome import Outcome
from .predictions import (
    Predictions,
    bootstrap_of_correlations,
    randomization_of_correlations,
)
from .randomization import approximate_randomization
from .settings import Settings
from .stopping import KeepGoing
from .summed_statistics import SummedStatistics


class PairedBootstrap:
    """The kernel of the paired bootstrap, whose resamples give the interval as well."""

    def of_differences(
        self,
        differences: Differences,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `paired_bootstrap`."""
        return paired_bootstrap(
            differences,
            method=settings.method,
            n_resamples=settings.n_resamples,
            resample_size=settings.resample_size,
            estimator=settings.estimator,
            confidence_level=settings.confidence_level,
            interval=settings.interval,
            rng=rng,
            keep_going=keep_going,
        )

    def of_sums(
        self,
        statistics: SummedStatistics,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `bootstrap_of_counts`."""
        return bootstrap_of_counts(statistics, settings, rng=rng, keep_going=keep_going)

    def of_correlations(
        self,
        predictions: Predictions,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `bootstrap_of_correlations`."""
        return bootstrap_of_correlations(predictions, settings, rng=rng, keep_going=keep_going)

    def p_of_moments(
        self, n: FloatArray, sums: FloatArray, squares: FloatArray, lattice: Lattice
    ) -> FloatArray:
        """P-values of "A is better" that it tends to: normal, with the spread over n.

        The event is that n draws add up to at least twice the observed sum. On a
        lattice the first sum that does counts from half a step before. 1 where
        differences do not vary.
        """
        from scipy.special import ndtr

        spread, varies = spread_of(n, sums, squares)
        beyond = sums
        if lattice.step > 0.0:
            onward = np.mod(n * lattice.first - 2.0 * sums, lattice.step)
            beyond = sums + onward - 0.5 * lattice.step
        tails: FloatArray = np.maximum(ndtr(-beyond / np.sqrt(spread)), SMALLEST)
        return np.where(varies, tails, 1.0)


class Randomization:
    """The kernel of approximate randomization."""

    def of_differences(
        self,
        differences: Differences,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `approximate_randomization`."""
        return approximate_randomization(
            differences,
            method=settings.method,
            n_resamples=settings.n_resamples,
            alternative=settings.alternative,
            rng=rng,
            keep_going=keep_going,
        )

    def of_sums(
        self,
        statistics: SummedStatistics,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `randomization_of_counts`."""
        return randomization_of_counts(statistics, settings, rng=rng, keep_going=keep_going)

    def of_correlations(
        self,
        predictions: Predictions,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `randomization_of_correlations`."""
        return randomization_of_correlations(predictions, settings, rng=rng, keep_going=keep_going)

    def signed_weights(
        self, values: FloatArray, integers: IntArray | None
    ) -> tuple[IntArray, bool]:
        """The differences, rounded to steps where they have very many values; all are counted."""
        return whole_numbers(values, integers)[0], True


PAIRED_BOOTSTRAP = PairedBootstrap()
RANDOMIZATION = Randomization()
