"""How much of a difference is run-to-run: several runs of each system on the same examples.

Vocabulary
----------
run
    One training of a system, with its own seed.
pair of runs
    One run of A beside one of B: what a single experiment would have compared.
run-to-run variance
    Of the difference of a pair of runs: how it would vary with other runs on
    endless examples.
example variance
    Of the same difference: how it would vary with other examples, the runs'
    own ups and downs on them included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
import numpy.typing as npt

from core.reliability.run_study import RunStudy
from core.reliability.run_variance import RunVariance, split_variance
from core.reliability.tested_runs import (
    AskedOfRuns,
    PairsOfRuns,
    RunsTogether,
    test_all_together,
    test_each_pair,
    untested_pairs,
)
from core.significance.asked_metric import check_clustered
from core.significance.choose import SignificanceTest, choose_test, suitable_tests
from core.significance.clusters import clusters_of
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.significance.settings import positive_number
from core.significance.stopping import Stopped, goes_on
from core.significance.streams import Rng, seed_of
from core.types import FloatArray
from core.validation import check_alpha, check_choice, check_open_share

# Of so few runs the spread between runs is known roughly. In percent: how often p of all together
# is at most .05 with so many runs of both systems that do not differ, where runs vary three times
# as much as examples do (1,500 draws of 100 normal examples each; 10 runs: 5.5).
_CALIBRATION = {2: 10, 3: 8, 4: 8, 5: 7}


def run_to_run(
    run_scores_a: npt.ArrayLike,
    run_scores_b: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    test: str = "auto",
    alternative: TestAlternative = "greater",
    higher_is_better: bool = True,
    clusters: npt.ArrayLike | None = None,
    n_resamples: int = 9999,
    confidence_level: float = 0.95,
    rng: Rng = 0,
    on_progress: Callable[[int, int], object] | None = None,
) -> RunStudy:
    """Compare every run of A with every run of B, and all of them together.

    All together: a resample draws n examples, R_A runs of A and R_B runs of B,
    each with replacement and independently of the others, and takes the
    difference of the means over what it drew; how far the runs drawn lie from
    all runs counts √(R/(R − 1)) times, as R drawn of R runs vary too little.
    The event is δ* >= 2δ and p = (s + 1)/(b + 1), as for the paired bootstrap. The null hypothesis is
    that the mean difference over further runs and further examples is 0.

    Parameters
    ----------
    run_scores_a, run_scores_b : array_like, shape (n, R_A) and (n, R_B)
        A score for each example and run, averaged over examples; the same
        examples in the same order. With shape (n,), one run.
    alpha : float
        In (0, 1).
    test : str
        Of each pair of runs: one for averaged scores, or "auto" as for
        `run_dataset_tests`. All pairs have the same resamples.
    alternative : {"greater", "less", "two-sided"}
        What p-values speak for.
    higher_is_better : bool
        Whether a higher score is the better one.
    clusters : array_like, shape (n,), optional
        Labels of what examples belong to, such as documents. Whole clusters are
        drawn instead of examples, and pairs of runs are tested with them: by
        approximate randomization, or by the paired bootstrap where it is asked
        for.
    n_resamples : int
        Of Monte Carlo, and of runs and examples together.
    confidence_level : float
        Of the interval.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of pairs and one for
        the resampling of all. Returning False stops; pairs done are kept.

    Raises
    ------
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one pair was done.

    References
    ----------
    Searle, Casella and McCulloch (1992), section 4.2, for the variances; Owen
    (Annals of Applied Statistics 2007) for resampling rows and columns, whose
    variance is somewhat too large where runs and examples interact; for the
    factor, Davison and Hinkley (1997), section 3.8, on resampling a few groups.
    """
    level = check_alpha(alpha)
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    n_resamples = positive_number("n_resamples", n_resamples)
    check_open_share(confidence_level, name="confidence_level")
    a, b = (
        _checked_runs(scores, name=name)
        for name, scores in (("run_scores_a", run_scores_a), ("run_scores_b", run_scores_b))
    )
    if a.shape[0] != b.shape[0]:
        raise ValueError(
            "`run_scores_a` and `run_scores_b` must be of the same examples; got "
            f"{a.shape[0]} and {b.shape[0]}."
        )
    together = None if clusters is None else clusters_of(clusters, n_examples=a.shape[0])
    asked = AskedOfRuns(
        test=_chosen_test(a, b, test, clustered=together is not None),
        alternative=alternative,
        higher_is_better=higher_is_better,
        labels=clusters,
        clusters=together,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        seed=seed_of(rng),
    )
    pairs = untested_pairs(a, b, asked)
    total = pairs.p_values.size + 1

    def keep_going() -> bool:
        return goes_on(on_progress, pairs.n_done, total)

    whole = RunsTogether()
    try:
        test_each_pair(pairs, a, b, asked, keep_going)
        whole = test_all_together(a, b, asked, keep_going)
    except Stopped:
        if pairs.n_done == 0:
            raise Stopped("The study was stopped before one pair of runs was done.") from None
    complete = whole.p_value is not None
    if complete and on_progress is not None:
        on_progress(total, total)
    variance = split_variance(a, b, together)
    n_a, n_b = pairs.p_values.shape
    return RunStudy(
        p_values=pairs.p_values,
        out_of_reach=pairs.out_of_reach,
        differences=pairs.differences,
        difference=float(pairs.differences.mean()),
        p_value=whole.p_value,
        p_value_out_of_reach=whole.out_of_reach,
        confidence_interval=whole.confidence_interval,
        confidence_level=confidence_level,
        variance=variance,
        n_examples=a.shape[0],
        n_runs_a=n_a,
        n_runs_b=n_b,
        n_clusters=None if together is None else together.n_clusters,
        test=asked.test,
        alternative=alternative,
        alpha=level,
        n_resamples=n_resamples,
        seed=asked.seed,
        notes=(
            *_notes_on_runs(n_a, n_b, variance),
            *(() if together is None else together.notes),
            *_notes_on_reach(pairs, whole),
        ),
        complete=complete,
    )


def _chosen_test(a: FloatArray, b: FloatArray, test: str, *, clustered: bool) -> SignificanceTest:
    chosen = test
    if test == "auto":
        chosen, _ = choose_test(a.ravel(), b.ravel(), clustered=clustered)
    zero_one = bool((((a == 0) | (a == 1)).all()) and ((b == 0) | (b == 1)).all())
    check_choice(chosen, suitable_tests("mean", zero_one=zero_one), name="test")
    if clustered:
        check_clustered(chosen)
    return cast(SignificanceTest, chosen)


def _checked_runs(scores: npt.ArrayLike, *, name: str) -> FloatArray:
    try:
        given = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must hold numbers, shape (n, runs).") from None
    runs = given[:, np.newaxis] if given.ndim == 1 else given
    if runs.ndim != 2 or runs.size == 0:
        raise ValueError(
            f"`{name}` must have a row for each example and a column for each run; got shape "
            f"{given.shape}."
        )
    if not bool(np.isfinite(runs).all()):
        raise ValueError(f"`{name}` must hold a finite score for each example and run.")
    return runs


def _notes_on_runs(n_a: int, n_b: int, variance: RunVariance) -> list[str]:
    notes = []
    for system, n_runs in (("A", n_a), ("B", n_b)):
        if n_runs == 1:
            notes.append(
                f"{system} has one run: how it varies from run to run cannot be seen, and p and "
                "interval leave it out"
            )
        elif n_runs in _CALIBRATION:
            notes.append(
                f"{system} has {n_runs} runs: how much it varies from run to run is known roughly. "
                f"With {n_runs} runs of both systems, which do not differ and vary far more by run "
                f"than by example, about {_CALIBRATION[n_runs]}% of p-values of all together are at "
                "most .05"
            )
    if n_a > 1 and n_b > 1 and variance.runs == 0.0:
        notes.append("no variance between runs was found beyond that of examples")
    return notes


def _notes_on_reach(pairs: PairsOfRuns, whole: RunsTogether) -> list[str]:
    notes = []
    if pairs.out_of_reach.any():
        notes.append(
            f"on {int(np.count_nonzero(pairs.out_of_reach))} of {pairs.p_values.size} pairs of runs "
            "no bootstrap sample can be as extreme as asked: their p-values count as 1"
        )
    if whole.out_of_reach:
        notes.append(
            "no resample of runs and examples can be as extreme as asked: p of all together "
            "counts as 1"
        )
    return notes
