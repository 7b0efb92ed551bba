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

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..shown import DataFrame, frame_of
from ..signature import signature_line
from ..significance.choose import choose_test, suitable_tests
from ..significance.differences import (
    TIE_TOLERANCE,
    Clusters,
    clusters_of,
    few_clusters,
    paired_differences,
)
from ..significance.paired_tests import is_exact
from ..significance.settings import TEST_ALTERNATIVES, Rng, TestAlternative, dataset_stream, seed_of
from ..significance.single import run_significance_test
from ..significance.stopping import Steps, Stopped
from ..types import BoolArray, FloatArray
from ..validation import (
    HeldAgainst,
    at_most,
    check_alpha,
    check_choice,
    check_open_share,
    check_whole,
    check_yes_or_no,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunStudy(HeldAgainst):
    """Every pair of runs, and what all of them say together.

    Of each pair, shape (R_A, R_B): `p_values` are 1 where they are `out_of_reach` of the bootstrap,
    and nan where it was stopped before; `differences` are A − B, higher being better. Of all
    together: `p_value`, 1 without an interval, and `confidence_interval`, None where nothing
    varies, or there is one example or cluster. `variance` is of one pair's difference; `test` is as
    used, not "auto".
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

    @property
    def complete(self) -> bool:
        """Whether all pairs are done."""
        return self.n_pairs == self.p_values.size

    @property
    def n_pairs(self) -> int:
        """Pairs of runs that are done."""
        return int(np.count_nonzero(~np.isnan(self.p_values)))

    @property
    def n_significant(self) -> int:
        """Pairs with p <= alpha."""
        done = self.p_values[~np.isnan(self.p_values)]
        return int(np.count_nonzero(at_most(done, self.alpha)))

    @property
    def n_a_ahead(self) -> int:
        """Pairs that are done in which A has the better score."""
        return int(np.count_nonzero((self.differences > 0.0) & ~np.isnan(self.p_values)))

    @property
    def depends_on_run(self) -> bool:
        """Whether some pairs have p <= alpha and others have not."""
        return 0 < self.n_significant < self.n_pairs

    @property
    def signature(self) -> str:
        """The line that names everything the study depends on, but for the data."""
        return signature_line(
            study="runs",
            test=self.test,
            alt=self.alternative,
            alpha=self.alpha,
            confidence=self.confidence_level,
            runs=f"{self.n_runs_a}x{self.n_runs_b}",
            done=None if self.complete else self.n_pairs,
            resamples=self.n_resamples,
            seed=self.seed,
            n=self.n_examples,
            clusters=self.n_clusters,
        )

    def to_frame(self) -> DataFrame:
        """A row for each pair of runs, counted from 1."""
        rows, columns = np.indices(self.p_values.shape)
        return frame_of(
            {
                "run_a": rows.ravel() + 1,
                "run_b": columns.ravel() + 1,
                "difference": self.differences.ravel(),
                "p_value": self.p_values.ravel(),
                "out_of_reach": self.out_of_reach.ravel(),
            }
        )


# Up to so many runs of a system the 95% quantile of Student's t is above 2.1.
_FEW_RUNS = 5
_NO_SPREAD = "nothing varies: p of all together is 1"
_OF_REACH = (
    "on {} of {} pairs of runs no bootstrap sample can be as extreme as asked: their p-values count "
    "as 1"
)
_NO_SPREAD_OF_ONE = (
    "the spread between examples, or clusters, cannot be estimated from one: p of all together is 1"
)


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

    All together: the mean difference over all runs and examples, both taken as
    drawn at random, is held against Σ t_i² v_i: v_i is what runs of A, runs of B
    and examples (or clusters) each add to its variance, t_i Student's quantile
    with R_A − 1, R_B − 1 and n − 1 degrees of freedom. The null hypothesis is
    that the mean difference over further runs and further examples is 0. Where
    runs and examples vary normally it rejects in at most a share α of studies,
    however they share the variance. Measured at α = .05 with runs that vary 0 to
    10,000 times as much as examples, in both systems or in one: .004 to .05 with
    2 runs of each (conservative: about .01 where the systems vary alike), .02 to .05
    with 3, .03 to .05 with 5, .04 to .05 with 10. A difference of three standard
    errors is found in 21% to 58% of studies with 2 runs of each, 56% to 92% with 3,
    78% to 97% with 5.

    Parameters
    ----------
    run_scores_a, run_scores_b : array_like, shape (n, R_A) and (n, R_B)
        A score for each example and run, averaged over examples; the same
        examples in the same order. With shape (n,), one run.
    alpha : float
        In (0, 1).
    test : str
        Of each pair of runs: one for averaged scores, or "auto" as for
        `run_dataset_tests`, the same test for all pairs: randomization where it
        is exact for each. All pairs have the same resamples.
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
        Of Monte Carlo, in tests of pairs.
    confidence_level : float
        Of the interval of all together.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of pairs. Returning
        False stops; pairs done are kept.

    Raises
    ------
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one pair was done.

    References
    ----------
    Searle, Casella and McCulloch (1992), section 4.2, for the variances; Banerjee
    (Sankhyā 1960) for the test of all together.

    Examples
    --------
    >>> from replicability import run_to_run
    >>> a = [[.9, .8], [.7, .6], [.8, .9], [.6, .8], [.9, .9]]
    >>> b = [[.5, .6], [.6, .5], [.7, .6], [.5, .5], [.4, .6]]
    >>> study = run_to_run(a, b)
    >>> round(study.difference, 3), round(study.p_value, 3)
    (0.24, 0.023)
    """
    level = check_alpha(alpha)
    n_resamples = check_whole(n_resamples, name="n_resamples", least=1)
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
    chosen = _chosen_test(a, b, test, clustered=together is not None)
    seed = seed_of(rng)
    sign = 1.0 if check_yes_or_no(higher_is_better, name="higher_is_better") else -1.0
    differences = sign * (a.mean(axis=0)[:, np.newaxis] - b.mean(axis=0)[np.newaxis, :])
    p_values = np.full(differences.shape, np.nan)
    out_of_reach = np.zeros(differences.shape, dtype=np.bool_)
    steps = Steps(on_progress, total=p_values.size)
    p_value, interval = all_together(
        a,
        b,
        clusters=together,
        higher_is_better=higher_is_better,
        alternative=alternative,
        confidence_level=confidence_level,
    )
    try:
        for i, j in np.ndindex(p_values.shape):
            steps.check()
            result = run_significance_test(
                a[:, i],
                b[:, j],
                test=chosen,
                alternative=alternative,
                higher_is_better=higher_is_better,
                clusters=clusters,
                n_resamples=n_resamples,
                with_interval=False,
                # The same resamples for all pairs: what differs is the runs.
                rng=dataset_stream(seed, "", f"{chosen}|pairs of runs"),
                keep_going=steps.keep_going,
            )
            out_of_reach[i, j] = result.is_out_of_reach(alternative)
            p_values[i, j] = 1.0 if out_of_reach[i, j] else result.p_value
            differences[i, j] = result.difference
            steps.done += 1
    except Stopped:
        pass
    steps.end("The study was stopped before one pair of runs was done.")
    variance = split_variance(a, b, together)
    n_a, n_b = p_values.shape
    notes = _notes_on_runs(n_a, n_b, variance)
    if together is not None:
        notes += few_clusters(together.n_clusters)
    if out_of_reach.any():
        notes.append(_OF_REACH.format(np.count_nonzero(out_of_reach), out_of_reach.size))
    if interval is None:
        n_units = a.shape[0] if together is None else together.n_clusters
        notes.append(_NO_SPREAD_OF_ONE if n_units == 1 else _NO_SPREAD)
    return RunStudy(
        p_values=p_values,
        out_of_reach=out_of_reach,
        differences=differences,
        # Of the means themselves, so that equal systems differ by 0 and no rounding.
        difference=sign * float(a.mean() - b.mean()) + 0.0,
        p_value=p_value,
        confidence_interval=interval,
        confidence_level=confidence_level,
        variance=variance,
        n_examples=a.shape[0],
        n_runs_a=n_a,
        n_runs_b=n_b,
        n_clusters=None if together is None else together.n_clusters,
        test=chosen,
        alternative=alternative,
        alpha=level,
        n_resamples=n_resamples,
        seed=seed,
        notes=tuple(notes),
    )


def _chosen_test(a: FloatArray, b: FloatArray, test: str, *, clustered: bool) -> str:
    chosen = test
    zero_one = bool((((a == 0) | (a == 1)).all()) and ((b == 0) | (b == 1)).all())
    if test == "auto":
        exact = None
        if not clustered and not zero_one:
            exact = all(
                is_exact(paired_differences(first, second)) for first in a.T for second in b.T
            )
        chosen, _ = choose_test(
            a.ravel(), b.ravel(), clustered=clustered, zero_one=zero_one, exact=exact
        )
    check_choice(chosen, suitable_tests("mean", zero_one=zero_one), name="test")
    return chosen


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
    from scipy.special import ndtri, stdtrit

    notes = []
    for system, n_runs in (("A", n_a), ("B", n_b)):
        if n_runs == 1:
            notes.append(
                f"{system} has one run: how it varies from run to run cannot be seen, and p and "
                "interval leave it out"
            )
        elif n_runs <= _FEW_RUNS:
            notes.append(
                f"{system} has {n_runs} runs: the spread between them is known roughly, so p of all "
                f"together allows {stdtrit(n_runs - 1, 0.05) / ndtri(0.05):.2g} times as much for it "
                "as with many runs (at .05)"
            )
    if n_a > 1 and n_b > 1 and variance.runs == 0.0:
        notes.append("no variance between runs was found beyond that of examples")
    return notes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunVariance:
    """Where the variance of a difference between one run of A and one of B comes from.

    From the mean squares of examples × runs, both random, without repetition: σ²_run = (MS_run −
    MS_rest)/n and σ²_rest = MS_rest (with clusters, what clusters × runs add takes the place of
    MS_rest/n). σ²_run of each system is at least 0; None with one run, of which nothing is known.
    `examples`: (σ²_example + σ²_rest(A) + σ²_rest(B))/n.
    """

    run_a: float | None
    run_b: float | None
    examples: float

    @property
    def runs(self) -> float | None:
        """Run-to-run variance of the difference; None where a system has one run."""
        if self.run_a is None or self.run_b is None:
            return None
        return self.run_a + self.run_b

    @property
    def share_of_runs(self) -> float | None:
        """Run-to-run part of that variance, in 0..1.

        None where a system has one run, 0 where nothing varies.
        """
        if self.runs is None:
            return None
        total = self.runs + self.examples
        return self.runs / total if total > 0.0 else 0.0


def _variance_of_mean(centred: FloatArray, clusters: Clusters | None) -> float:
    """Of the means of columns that sum to 0, added up over the columns."""
    sums = centred if clusters is None else clusters.summed(centred)
    n, n_units = int(centred.shape[0]), int(sums.shape[0])
    if n_units == 1:
        return 0.0
    squares = float((sums**2).sum()) / (n * n)
    return squares * n_units / (n_units - 1)


def _run_and_rest(scores: FloatArray, clusters: Clusters | None) -> tuple[float | None, float]:
    """σ²_run before it is kept from being negative, None with one run, and what the rest adds.

    The rest's is its part in the variance of one run's mean, σ²_rest/n.
    """
    n_runs = scores.shape[1]
    if n_runs == 1:
        return None, 0.0
    of_runs, of_examples = scores.mean(axis=0), scores.mean(axis=1)
    grand = float(scores.mean())
    # Runs that are the same vary by nothing, not by a rounding.
    if bool((scores == scores[:, :1]).all()):
        return 0.0, 0.0
    between = float(((of_runs - grand) ** 2).sum()) / (n_runs - 1)
    rest = scores - of_examples[:, np.newaxis] - of_runs + grand
    of_rest = _variance_of_mean(rest, clusters) / (n_runs - 1)
    return between - of_rest, of_rest


def split_variance(a: FloatArray, b: FloatArray, clusters: Clusters | None = None) -> RunVariance:
    """The split, from scores of shape (n, R_A) and (n, R_B); with clusters, those are drawn."""
    (run_a, rest_a), (run_b, rest_b) = _run_and_rest(a, clusters), _run_and_rest(b, clusters)
    averaged = a.mean(axis=1) - b.mean(axis=1)
    spread = _variance_of_mean((averaged - averaged.mean())[:, np.newaxis], clusters)
    # The average over runs has 1/R of what runs add on each example; one pair has all of it.
    of_examples = spread + rest_a * (1.0 - 1.0 / a.shape[1]) + rest_b * (1.0 - 1.0 / b.shape[1])
    return RunVariance(
        run_a=None if run_a is None else max(0.0, run_a),
        run_b=None if run_b is None else max(0.0, run_b),
        examples=of_examples,
    )


def _parts_of_mean_difference(
    a: FloatArray, b: FloatArray, clusters: Clusters | None
) -> list[tuple[float, int]]:
    """Variances of A's runs, of B's runs and of the examples, or clusters, with degrees of freedom.

    With R runs of a system s²/R, s² being the variance between their means; with one run its part
    is left out. What is of neither alone is in both parts, so that the sum is somewhat too large.
    """
    room = TIE_TOLERANCE * max(float(np.abs(a).max()), float(np.abs(b).max()))
    parts = []
    for scores in (a, b):
        means, n_runs = scores.mean(axis=0), scores.shape[1]
        if n_runs > 1:
            variance = float(means.var(ddof=1)) / n_runs if np.ptp(means) > room else 0.0
            parts.append((variance, n_runs - 1))
    averaged = a.mean(axis=1) - b.mean(axis=1)
    n_units = averaged.size if clusters is None else clusters.n_clusters
    if n_units > 1:
        centred = (averaged - averaged.mean())[:, np.newaxis]
        variance = _variance_of_mean(centred, clusters) if np.ptp(averaged) > room else 0.0
        parts.append((variance, n_units - 1))
    return parts


# Farther out SciPy's quantiles of Student's t are lost.
_SMALLEST_P = 1e-200


def all_together(
    a: FloatArray,
    b: FloatArray,
    *,
    clusters: Clusters | None = None,
    higher_is_better: bool = True,
    alternative: TestAlternative = "greater",
    confidence_level: float = 0.95,
) -> tuple[float, tuple[float, float] | None]:
    """P-value and interval of the mean difference over all runs and examples, both being random.

    Where nothing varies, or there is one example or cluster, p is 1, without an interval. The
    squared difference is held against Σ t_i² v_i, where v_i is the part that runs of A, runs of B
    or examples have in its variance, and t_i Student's quantile for its degrees of freedom. With
    normal parts that have shares w_i of the true variance it is at most that with probability E G(Σ
    w_i t_i² v_i/E v_i) >= Σ w_i E G(t_i² v_i/E v_i), as the distribution function G of a squared
    standard normal is concave: so the test rejects in at most a share α of studies, in exactly that
    share where one part is all. p is the smallest level at which it rejects, down to 1e-200.
    """
    from scipy.special import stdtrit

    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    difference = (1.0 if higher_is_better else -1.0) * float(a.mean() - b.mean())
    parts = _parts_of_mean_difference(a, b, clusters)
    deviations = np.sqrt([variance for variance, _ in parts])
    freedom = np.array([degrees for _, degrees in parts], dtype=np.float64)

    def reach(tail: float) -> float:
        """How far above 0 the difference lies with at most this probability."""
        return math.hypot(*(stdtrit(freedom, tail) * deviations))

    n_units = a.shape[0] if clusters is None else clusters.n_clusters
    if n_units == 1 or not deviations.any():
        return 1.0, None
    # Beside the largest, so that the farthest quantiles do not overflow.
    scale = float(deviations.max())
    deviations /= scale
    tail = _smallest_tail(abs(difference) / scale, reach)
    sides = {"greater": tail, "less": 1.0 - tail}
    if difference < 0.0:
        sides = {"greater": 1.0 - tail, "less": tail}
    sides["two-sided"] = 2.0 * tail
    width = scale * reach(0.5 * (1.0 - confidence_level))
    return sides[alternative], (difference - width, difference + width)


def _smallest_tail(distance: float, reach: Callable[[float], float]) -> float:
    """The probability in (0, 1/2] whose reach is this far."""
    from scipy.optimize import brentq

    if distance == 0.0:
        return 0.5
    if reach(_SMALLEST_P) <= distance:
        return _SMALLEST_P
    # In logarithms, so that small tails keep their digits.
    found = brentq(
        lambda log: reach(math.exp(log)) - distance,
        math.log(_SMALLEST_P),
        math.log(0.5),
        xtol=1e-13,
        rtol=1e-13,
    )
    return math.exp(found)
