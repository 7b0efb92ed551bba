"""Tests of scores that are averaged over examples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.metrics.per_example import other_than_binary
from core.significance.bootstrap import bootstrap_interval, has_exact_interval, paired_bootstrap
from core.significance.comparison import Comparison, comparison_of_means
from core.significance.differences import Differences, turned_differences
from core.significance.effect_sizes import effect_size_of_means
from core.significance.mcnemar import Variant, mcnemar
from core.significance.randomization import approximate_randomization
from core.significance.result import NO_INTERVAL, Outcome
from core.significance.settings import Settings
from core.significance.sign import sign
from core.significance.stopping import KeepGoing
from core.significance.t import paired_t
from core.significance.wilcoxon import wilcoxon
from core.types import FloatArray

_MCNEMAR_VARIANTS: dict[str, Variant] = {
    "mcnemar": "exact",
    "mcnemar-mid-p": "mid-p",
    "mcnemar-chi2": "chi2",
    "mcnemar-chi2-corrected": "chi2-corrected",
}
# Draws for an interval beside another test's p-value: about two seconds of them.
_MAX_INTERVAL_DRAWS = 1 << 28


def compare_means(
    a: FloatArray,
    b: FloatArray,
    settings: Settings,
    *,
    higher_is_better: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' scores, shape (n,), that are averaged.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    differences = turned_differences(a, b, higher_is_better=higher_is_better)
    comparison = comparison_of_means(differences, higher_is_better=higher_is_better)
    if other_than_binary(a) or other_than_binary(b):
        comparison = replace(comparison, skewness=differences.skewness)
    return comparison, outcome_of_means(differences, settings, rng=rng, keep_going=keep_going)


def outcome_of_means(
    differences: Differences,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome of a test of differences that are averaged, with an interval.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    if settings.test == "paired-bootstrap":
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
    outcome = replace(
        _run_other(differences, settings, rng=rng, keep_going=keep_going),
        effect_size=effect_size_of_means(settings.test, differences, zeros=settings.zeros),
    )
    return _with_interval(outcome, differences, settings, rng=rng, keep_going=keep_going)


def _run_other(
    differences: Differences, settings: Settings, *, rng: np.random.Generator, keep_going: KeepGoing
) -> Outcome:
    test, alternative = settings.test, settings.alternative
    if test == "approximate-randomization":
        return approximate_randomization(
            differences,
            method=settings.method,
            n_resamples=settings.n_resamples,
            alternative=alternative,
            rng=rng,
            keep_going=keep_going,
        )
    if test == "wilcoxon":
        return wilcoxon(
            differences,
            zeros=settings.zeros,
            method=settings.method,
            alternative=alternative,
            keep_going=keep_going,
        )
    if test == "sign":
        return sign(differences, alternative=alternative)
    if test == "paired-t":
        return replace(paired_t(differences), approximation="student")
    outcome = mcnemar(differences, variant=_MCNEMAR_VARIANTS[test], alternative=alternative)
    chi2 = test in ("mcnemar-chi2", "mcnemar-chi2-corrected")
    return replace(outcome, approximation="normal") if chi2 else outcome


def _with_interval(
    outcome: Outcome,
    differences: Differences,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome with an interval; drawn after the p-value, so that it does not change it."""
    if not settings.with_interval:
        return outcome
    draws = differences.n * settings.n_resamples
    if not has_exact_interval(differences) and draws > _MAX_INTERVAL_DRAWS:
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    interval, notes = bootstrap_interval(
        differences,
        confidence_level=settings.confidence_level,
        interval=settings.interval,
        n_resamples=settings.n_resamples,
        rng=rng,
        keep_going=keep_going,
    )
    return replace(outcome, interval=interval, notes=(*outcome.notes, *notes))
