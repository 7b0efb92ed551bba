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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from core.reliability.run_variance import (
    RunVariance,
    furthest_resamples,
    judged_runs,
    out_of_reach,
    resampled_runs,
    split_variance,
)
from core.replicability.decision import at_most
from core.signature import signature_line
from core.significance.asked_metric import check_clustered
from core.significance.choose import (
    RESAMPLING_TESTS,
    SignificanceTest,
    choose_test,
    suitable_tests,
)
from core.significance.clusters import clusters_of
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.significance.settings import positive_number
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.types import BoolArray, FloatArray
from core.validation import check_alpha, check_choice

if TYPE_CHECKING:
    import pandas as pd

# Of so few runs the spread between runs is known roughly. In percent: how often p of all together
# is at most .05 with so many runs of both systems that do not differ, where runs vary three times
# as much as examples do (1,500 draws of 100 normal examples each; 10 runs: 5.5).
_CALIBRATION = {2: 10, 3: 8, 4: 8, 5: 7}


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
    p_value : float or None
        Resampling runs and examples together; None where it was stopped before,
        1 where it is out of reach.
    p_value_out_of_reach : bool
        Whether no resample of runs and examples can be as extreme as asked.
    confidence_interval : (float, float) or None
        Of `difference`, basic, from the same resamples.
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
        Whether all pairs and resamples are done.
    """

    p_values: FloatArray
    out_of_reach: BoolArray
    differences: FloatArray
    difference: float
    p_value: float | None
    p_value_out_of_reach: bool
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
    if not 0.0 < confidence_level < 1.0:
        raise ValueError(
            f"`confidence_level` must lie strictly between 0 and 1; got {confidence_level!r}."
        )
    a, b = (
        _checked_runs(scores, name=name)
        for name, scores in (("run_scores_a", run_scores_a), ("run_scores_b", run_scores_b))
    )
    if a.shape[0] != b.shape[0]:
        raise ValueError(
            "`run_scores_a` and `run_scores_b` must be of the same examples; got "
            f"{a.shape[0]} and {b.shape[0]}."
        )
    zero_one = bool((((a == 0) | (a == 1)).all()) and ((b == 0) | (b == 1)).all())
    chosen = test
    if test == "auto":
        chosen, _ = choose_test(a.ravel(), b.ravel(), clustered=clusters is not None)
    together = None if clusters is None else clusters_of(clusters, n_examples=a.shape[0])
    check_choice(chosen, suitable_tests("mean", zero_one=zero_one), name="test")
    if together is not None:
        check_clustered(chosen)
    seed = seed_of(rng)
    n_a, n_b = a.shape[1], b.shape[1]
    total = n_a * n_b + 1
    done = 0

    def keep_going() -> bool:
        return on_progress is None or on_progress(done, total) is not False

    sign = 1.0 if higher_is_better else -1.0
    differences = sign * (a.mean(axis=0)[:, np.newaxis] - b.mean(axis=0)[np.newaxis, :])
    p_values = np.full((n_a, n_b), np.nan)
    beyond = np.zeros((n_a, n_b), dtype=np.bool_)
    p_value, interval, all_beyond = None, None, False
    notes: list[str] = []
    complete = False
    try:
        for i in range(n_a):
            for j in range(n_b):
                result = run_significance_test(
                    a[:, i],
                    b[:, j],
                    test=cast(SignificanceTest, chosen),
                    alternative=alternative,
                    higher_is_better=higher_is_better,
                    clusters=clusters,
                    # Of other tests only the interval beside the p-value would be resampled.
                    n_resamples=n_resamples if chosen in RESAMPLING_TESTS else 1,
                    # The same resamples for all pairs: what differs is the runs.
                    rng=dataset_stream(seed, "", f"{chosen}|pairs of runs"),
                    keep_going=keep_going,
                )
                p_values[i, j] = result.p_value
                of_better, of_worse = result.out_of_reach
                beyond[i, j] = {
                    "greater": of_better,
                    "less": of_worse,
                    "two-sided": of_better or of_worse,
                }[alternative]
                differences[i, j] = result.difference
                done += 1
        deltas, delta, room = resampled_runs(
            sign * a,
            sign * b,
            n_resamples=n_resamples,
            rng=dataset_stream(seed, "", "runs and examples together"),
            keep_going=keep_going,
            clusters=together,
        )
        p_value, interval = judged_runs(deltas, delta, room, alternative, confidence_level)
        ends = furthest_resamples(sign * a, sign * b, together)
        all_beyond = out_of_reach(ends, delta, room, alternative)
        p_value = 1.0 if all_beyond else p_value
        done += 1
        complete = True
    except Stopped:
        if done == 0:
            raise Stopped("The study was stopped before one pair of runs was done.") from None
    if complete and on_progress is not None:
        on_progress(total, total)
    variance = split_variance(a, b, together)
    notes += _notes(n_a, n_b, variance)
    if together is not None:
        notes += together.notes
    if beyond.any():
        notes.append(
            f"on {int(np.count_nonzero(beyond))} of {n_a * n_b} pairs of runs no bootstrap sample "
            "can be as extreme as asked: their p-values count as 1"
        )
    if all_beyond:
        notes.append(
            "no resample of runs and examples can be as extreme as asked: p of all together "
            "counts as 1"
        )
    return RunStudy(
        p_values=p_values,
        out_of_reach=beyond,
        differences=differences,
        difference=float(differences.mean()),
        p_value=p_value,
        p_value_out_of_reach=all_beyond,
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
        complete=complete,
    )


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


def _notes(n_a: int, n_b: int, variance: RunVariance) -> list[str]:
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
