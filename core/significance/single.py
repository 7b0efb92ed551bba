"""Run one test on one dataset."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.metrics.per_example import Metric, per_example_scores
from core.significance.bootstrap import basic_interval, has_exact_interval, paired_bootstrap
from core.significance.choose import SignificanceTest, significance_tests
from core.significance.differences import Differences, paired_differences
from core.significance.mcnemar import Variant, check_binary, mcnemar
from core.significance.randomization import approximate_randomization
from core.significance.result import (
    ESTIMATORS,
    METHODS,
    TEST_ALTERNATIVES,
    ZEROS,
    Estimator,
    Method,
    Outcome,
    SignificanceResult,
    TestAlternative,
    Zeros,
    confidence_sequence,
)
from core.significance.sign import sign
from core.significance.stopping import KeepGoing
from core.significance.streams import Rng, generator_of
from core.significance.t import paired_t
from core.significance.wilcoxon import EXACT_UP_TO, wilcoxon
from core.validation import check_choice

MCNEMAR_VARIANTS: dict[str, Variant] = {
    "mcnemar": "exact",
    "mcnemar-mid-p": "mid-p",
    "mcnemar-chi2": "chi2",
    "mcnemar-chi2-corrected": "chi2-corrected",
}
_RESAMPLING = ("paired-bootstrap", "approximate-randomization")
# Draws for an interval beside another test's p-value: about two seconds of them.
MAX_INTERVAL_DRAWS = 1 << 28


def run_significance_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test: SignificanceTest,
    metric: Metric = "mean",
    alternative: TestAlternative = "greater",
    gold: npt.ArrayLike | None = None,
    method: Method = "auto",
    n_resamples: int = 9999,
    resample_size: int | None = None,
    estimator: Estimator = "add-one",
    zeros: Zeros = "wilcox",
    confidence_level: float = 0.95,
    rng: Rng | None = None,
    keep_going: KeepGoing = None,
) -> SignificanceResult:
    """Test "A is better than B" on one dataset.

    Each test's own module says what its null hypothesis is. All differences
    zero give p = 1 in each test, in every direction.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores, one an example, in the same order, higher being better; labels
        where `gold` is given.
    test : str
        One of `significance_tests`.
    metric : {"mean", "accuracy"}
        What is averaged: scores as given, or whether a label is the gold one.
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for: A better, B better, either. The other two
        p-values are in the result as well.
    gold : array_like, shape (n,), optional
        The right labels, for "accuracy".
    method : {"auto", "exact", "monte-carlo", "normal"}
        "auto" is exact where the test and the differences allow. "monte-carlo"
        is for the bootstrap and randomization, "normal" for Wilcoxon.
    n_resamples : int
        Of Monte Carlo.
    resample_size : int, optional
        Of the bootstrap, n by default.
    estimator : {"add-one", "berg-kirkpatrick"}
        Of the bootstrap; the second is for reproducing published numbers.
    zeros : {"wilcox", "pratt", "zsplit"}
        Of Wilcoxon.
    confidence_level : float
        Of the basic bootstrap interval of the difference.
    rng : int or Generator, optional
        Seed of the resamples; 0 is one.
    keep_going : callable, optional
        Asked between chunks of work; False stops.

    Returns
    -------
    SignificanceResult

    Raises
    ------
    ValueError
        If an argument is not as described, or the scores do not suit the test.
    Stopped
        If `keep_going` says so.
    """
    check_choice(test, significance_tests, name="test")
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    check_choice(estimator, ESTIMATORS, name="estimator")
    check_choice(zeros, ZEROS, name="zeros")
    _check_method(method, test)
    n_resamples = positive_number("n_resamples", n_resamples)
    if resample_size is not None:
        resample_size = positive_number("resample_size", resample_size)
    _check_only_bootstrap(test, resample_size, estimator)
    level = _checked_level(confidence_level)
    scores_a, scores_b = per_example_scores(a, b, metric=metric, gold=gold)
    if test in MCNEMAR_VARIANTS:
        check_binary(a=scores_a, b=scores_b)
    generator, seed = generator_of(rng)
    differences = paired_differences(scores_a, scores_b)
    if test == "paired-bootstrap":
        outcome = paired_bootstrap(
            differences,
            method=method,
            n_resamples=n_resamples,
            resample_size=resample_size,
            estimator=estimator,
            confidence_level=level,
            rng=generator,
            keep_going=keep_going,
        )
    else:
        outcome = _run_other(
            differences,
            test=test,
            alternative=alternative,
            method=method,
            n_resamples=n_resamples,
            zeros=zeros,
            rng=generator,
            keep_going=keep_going,
        )
        outcome = _with_interval(outcome, differences, level, n_resamples, generator, keep_going)
    return _result(
        outcome,
        differences,
        test=test,
        metric=metric,
        alternative=alternative,
        confidence_level=level,
        method=_method_used(outcome, test, method, differences, zeros),
        estimator=estimator if test == "paired-bootstrap" else None,
        resample_size=resample_size,
        zeros=zeros if test == "wilcoxon" else None,
        seed=seed,
    )


def positive_number(name: str, value: int) -> int:
    """Return `value` if it is a whole number of at least 1.

    Raises
    ------
    ValueError
        If it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"`{name}` must be a whole number of at least 1; got {value!r}.")
    return int(value)


def _run_other(
    differences: Differences,
    *,
    test: SignificanceTest,
    alternative: TestAlternative,
    method: Method,
    n_resamples: int,
    zeros: Zeros,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    if test == "approximate-randomization":
        return approximate_randomization(
            differences,
            method=method,
            n_resamples=n_resamples,
            alternative=alternative,
            rng=rng,
            keep_going=keep_going,
        )
    if test == "wilcoxon":
        return wilcoxon(
            differences,
            zeros=zeros,
            method=method,
            alternative=alternative,
            keep_going=keep_going,
        )
    if test == "sign":
        return sign(differences, alternative=alternative)
    if test == "paired-t":
        return paired_t(differences)
    return mcnemar(differences, variant=MCNEMAR_VARIANTS[test], alternative=alternative)


def _with_interval(
    outcome: Outcome,
    differences: Differences,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome with an interval; drawn after the p-value, so that it does not change it."""
    if not has_exact_interval(differences) and differences.n * n_resamples > MAX_INTERVAL_DRAWS:
        note = "no interval: its resamples would take longer than the test"
        return replace(outcome, notes=(*outcome.notes, note))
    interval = basic_interval(
        differences,
        confidence_level=level,
        n_resamples=n_resamples,
        rng=rng,
        keep_going=keep_going,
    )
    return replace(outcome, interval=interval)


def _result(
    outcome: Outcome,
    differences: Differences,
    *,
    alternative: TestAlternative,
    **settings: Any,
) -> SignificanceResult:
    extreme = None if outcome.n_extreme is None else int(outcome.n_extreme.of(alternative))
    notes = outcome.notes
    if not differences.values.any():
        notes = ("all differences are zero", *notes)
    return SignificanceResult(
        alternative=alternative,
        p_value=outcome.p_values.of(alternative),
        p_value_greater=outcome.p_values.greater,
        p_value_less=outcome.p_values.less,
        p_value_two_sided=outcome.p_values.two_sided,
        exact=outcome.exact,
        n_resamples=outcome.n_resamples,
        n_extreme=extreme,
        monte_carlo_interval=(
            confidence_sequence(extreme, outcome.n_resamples)
            if extreme is not None and outcome.n_resamples is not None
            else None
        ),
        n_examples=differences.n,
        score_a=differences.score_a,
        score_b=differences.score_b,
        difference=differences.mean,
        confidence_interval=outcome.interval,
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        statistic=outcome.statistic,
        notes=notes,
        unreachable=outcome.unreachable,
        **settings,
    )


def _method_used(
    outcome: Outcome, test: str, method: Method, differences: Differences, zeros: Zeros
) -> str:
    if not outcome.exact:
        return "monte-carlo"
    if test == "paired-t":
        return "student"
    if test in ("mcnemar-chi2", "mcnemar-chi2-corrected"):
        return "normal"
    differing = differences.wins + differences.losses
    if test == "wilcoxon" and (
        method == "normal" or (method == "auto" and differing > EXACT_UP_TO)
    ):
        return "normal"
    return "exact"


def _check_method(method: Method, test: str) -> None:
    check_choice(method, METHODS, name="method")
    if method == "monte-carlo" and test not in _RESAMPLING:
        raise ValueError(
            "`method` 'monte-carlo' must come with `test` 'paired-bootstrap' or "
            f"'approximate-randomization'; got {test!r}."
        )
    if method == "normal" and test != "wilcoxon":
        raise ValueError(f"`method` 'normal' must come with `test` 'wilcoxon'; got {test!r}.")
    if method == "exact" and test in ("paired-t", "mcnemar-chi2", "mcnemar-chi2-corrected"):
        raise ValueError(f"`method` 'exact' must come with another `test` than {test!r}.")


def _check_only_bootstrap(test: str, resample_size: int | None, estimator: str) -> None:
    if test == "paired-bootstrap":
        return
    if resample_size is not None:
        raise ValueError(f"`resample_size` must come with `test` 'paired-bootstrap'; got {test!r}.")
    if estimator != "add-one":
        raise ValueError(
            f"`estimator` {estimator!r} must come with `test` 'paired-bootstrap'; got {test!r}."
        )


def _checked_level(confidence_level: float) -> float:
    try:
        level = float(confidence_level)
    except (TypeError, ValueError):
        level = float("nan")
    if not 0.0 < level < 1.0:
        raise ValueError(
            f"`confidence_level` must lie strictly between 0 and 1; got {confidence_level!r}."
        )
    return level
