"""Several runs of each system: every pair, the variance between them, and all together."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.reliability.repeated_runs import _run_and_rest, all_together, run_to_run, split_variance
from core.sections.runs import dataset_runs_sentence
from core.significance.differences import clusters_of
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from core.types import FloatArray
from tests.calibration import runs as calibration

UNLIKELY = 1e-4


def drawn(
    rng: np.random.Generator,
    *,
    n: int,
    n_runs: int,
    shift: float = 0.0,
    run: float = 0.0,
    rest: float = 0.5,
    examples: FloatArray | None = None,
) -> FloatArray:
    """Scores with known standard deviations of examples, runs and the rest, shape (n, n_runs)."""
    own = rng.normal(0, 1, n) if examples is None else examples
    return (
        shift + own[:, np.newaxis] + rng.normal(0, run, n_runs) + rng.normal(0, rest, (n, n_runs))
    )


def test_the_variance_splits_into_runs_and_examples() -> None:
    rng = np.random.default_rng(1)
    n, n_repetitions = 60, 800
    found: list[list[float]] = []
    pairs: list[float] = []
    for _ in range(n_repetitions):
        shared = rng.normal(0, 1, n)
        a = drawn(rng, n=n, n_runs=4, run=0.2, rest=0.6, examples=shared + rng.normal(0, 0.4, n))
        b = drawn(rng, n=n, n_runs=3, run=0.1, rest=0.5, examples=shared)
        split = split_variance(a, b)
        of_runs = (_run_and_rest(runs, None)[0] for runs in (a, b))
        found.append([*of_runs, split.examples])
        pairs.append(float(a[:, 0].mean() - b[:, 0].mean()))
    means = np.mean(found, axis=0)
    errors = 5 * np.std(found, axis=0) / np.sqrt(n_repetitions)
    # σ²_run of A and of B, and (σ²_example + σ²_rest(A) + σ²_rest(B))/n.
    truth = np.array([0.04, 0.01, (0.16 + 0.36 + 0.25) / n])
    assert (np.abs(means - truth) < errors).all()
    # Law of total variance: one pair's difference varies by the sum of the parts.
    total = float(np.var(pairs, ddof=1))
    freedom = n_repetitions - 1
    low, high = (
        freedom * total / float(stats.chi2.isf(tail, freedom)) for tail in (UNLIKELY, 1 - UNLIKELY)
    )
    assert low < truth.sum() < high


def test_every_pair_of_runs_has_its_own_test() -> None:
    rng = np.random.default_rng(3)
    a = (rng.random((80, 3)) < 0.7).astype(float)
    b = (rng.random((80, 2)) < 0.6).astype(float)
    study = run_to_run(a, b, n_resamples=199)
    assert study.test == "mcnemar"
    assert study.p_values.shape == (3, 2)
    for i in range(3):
        for j in range(2):
            alone = run_significance_test(a[:, i], b[:, j], test="mcnemar")
            assert study.p_values[i, j] == alone.p_value
            assert study.differences[i, j] == alone.difference
    assert study.n_significant == np.count_nonzero(study.p_values <= 0.05)
    assert study.difference == pytest.approx(a.mean() - b.mean(), abs=1e-12)
    assert len(study.to_frame()) == 6


def test_one_run_of_each_is_the_paired_t_test_of_scipy() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.2, 1.0, 70), rng.normal(0.0, 1.0, 70)
    study = run_to_run(a, b, test="paired-t")
    expected = stats.ttest_rel(a, b, alternative="greater")
    assert study.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    two_sided = stats.ttest_rel(a, b)
    assert study.confidence_interval == pytest.approx(two_sided.confidence_interval(), rel=1e-9)
    assert run_to_run(a, b, test="paired-t", alternative="two-sided").p_value == pytest.approx(
        two_sided.pvalue, rel=1e-9
    )
    assert study.variance.runs is None
    assert study.variance.share_of_runs is None
    assert study.variance.examples == pytest.approx(np.var(a - b, ddof=1) / 70)
    assert sum("one run" in note for note in study.notes) == 2


def test_where_runs_alone_vary_they_are_tested_as_scipy_tests_their_means() -> None:
    of_a, of_b = np.array([0.3, 0.9, 0.5, 0.8]), np.array([0.1, 0.35, 0.3, 0.45])
    examples = np.arange(6.0)[:, np.newaxis]
    constant = examples + 0.2
    alone = run_to_run(examples + of_a, constant, test="paired-t")
    expected = stats.ttest_1samp(of_a, 0.2, alternative="greater")
    assert alone.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    lower = run_to_run(examples + of_a, constant, test="paired-t", higher_is_better=False)
    assert (alone.difference, lower.difference) == pytest.approx((0.425, -0.425))
    assert (alone.n_examples, alone.n_runs_a, alone.n_runs_b) == (6, 4, 1)
    # 4 runs of one system beside 1 of the other, counted from 1.
    numbered = alone.to_frame()[["run_a", "run_b"]]
    assert numbered.to_numpy().tolist() == [[1, 1], [2, 1], [3, 1], [4, 1]]
    # As many runs of both: Welch's t, but with the degrees of freedom of one system.
    both = run_to_run(examples + of_a, examples + of_b, test="paired-t")
    welch = stats.ttest_ind(of_a, of_b, equal_var=False)
    assert both.p_value == pytest.approx(stats.t.sf(welch.statistic, 3), rel=1e-9)
    assert both.p_value > welch.pvalue / 2.0
    assert both.variance.share_of_runs == pytest.approx(1.0)
    assert not any("no variance between" in note for note in (*alone.notes, *both.notes))


def test_the_interval_of_all_together_ends_at_zero_where_its_level_is_that_of_the_p_value() -> None:
    rng = np.random.default_rng(8)
    a = drawn(rng, n=200, n_runs=8, run=0.3, rest=0.2, shift=0.2)
    b = drawn(rng, n=200, n_runs=5, run=0.1, rest=0.2)
    for alternative in ("greater", "less"):
        p = run_to_run(a, b, test="paired-t", alternative=alternative).p_value
        level = abs(1.0 - 2.0 * p)
        study = run_to_run(a, b, test="paired-t", confidence_level=level)
        assert min(np.abs(study.confidence_interval)) == pytest.approx(0.0, abs=1e-9)
    for far in (1e3, 1e9):
        assert 0.0 < run_to_run(a + far, b, test="wilcoxon").p_value < 1e-9


def test_runs_that_are_the_same_add_no_variance() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.1, 1, 50), rng.normal(0, 1, 50)
    study = run_to_run(
        np.column_stack([a] * 4), np.column_stack([b] * 3), test="paired-t", n_resamples=499
    )
    assert np.unique(study.p_values).size == 1
    assert study.variance.runs == 0.0
    assert study.variance.share_of_runs == 0.0
    assert study.variance.examples == pytest.approx(np.var(a - b, ddof=1) / 50)
    assert not study.depends_on_run
    assert any("no variance between runs" in note for note in study.notes)


def test_few_runs_reject_no_more_often_than_alpha_however_much_they_vary() -> None:
    n = 400
    cases = list(product(((2, 2), (3, 3)), (1.0, 100.0, 10_000.0), (0.5, 1.0)))
    for case in cases:
        count = calibration.rejected(*case, repetitions=n)
        judged = stats.binomtest(count, n, calibration.ALPHA, alternative="greater")
        assert judged.pvalue > 1e-3 / len(cases), (case, count / n)


def test_whole_clusters_are_drawn_and_tested() -> None:
    rng = np.random.default_rng(13)
    documents = np.repeat(np.arange(30), rng.integers(2, 9, 30))
    shift = rng.normal(0, 1, 30)[documents][:, np.newaxis]
    a = np.round(shift + rng.normal(0.2, 0.3, (documents.size, 3)), 2)
    b = np.round(rng.normal(0, 0.3, (documents.size, 2)), 2)
    names = [f"d{code}" for code in documents]
    study = run_to_run(a, b, clusters=names, n_resamples=999, rng=3)
    assert (study.test, study.n_clusters) == ("approximate-randomization", 30)
    assert "clusters:30" in study.signature
    # Randomization of few sums is Monte Carlo, whose spread is the tolerance.
    alone = run_significance_test(
        a[:, 0], b[:, 0], test="approximate-randomization", clusters=names, rng=1
    )
    assert study.p_values[0, 0] == pytest.approx(alone.p_value, abs=0.06)
    unaware = run_to_run(a, b, test="paired-t", n_resamples=999, rng=3)
    assert unaware.p_value < study.p_value
    # One run of each: about the clustered bootstrap, and the jackknife's variance of a ratio.
    single = run_to_run(a[:, 0], b[:, 0], clusters=names, test="paired-bootstrap", n_resamples=99)
    boot = run_significance_test(
        a[:, 0], b[:, 0], test="paired-bootstrap", clusters=names, n_resamples=9_999, rng=8
    )
    assert single.p_value == pytest.approx(boot.p_value, abs=0.03)
    apart = a[:, 0] - b[:, 0]
    without = np.array([apart[documents != code].mean() for code in range(30)])
    jackknife = 29 / 30 * ((without - without.mean()) ** 2).sum()
    assert single.variance.examples == pytest.approx(jackknife, rel=0.05)


def test_clusters_that_differ_do_not_make_the_joint_p_value_too_sure() -> None:
    rng = np.random.default_rng(15)
    clusters = clusters_of(np.repeat(np.arange(40), 6), n_examples=240)
    aware = unaware = 0
    for _ in range(200):
        shift = rng.normal(0, 1, 40)[clusters.codes][:, np.newaxis]
        a = shift + rng.normal(0, 0.3, (240, 3))
        b = rng.normal(0, 0.3, (240, 3))
        unaware += all_together(a, b)[0] <= 0.05
        aware += all_together(a, b, clusters=clusters)[0] <= 0.05
    assert stats.binomtest(unaware, 200, 0.05).pvalue < UNLIKELY
    assert stats.binomtest(aware, 200, 0.05, alternative="greater").pvalue > 1e-3


def test_what_the_bootstrap_cannot_reach_counts_as_nothing() -> None:
    # The same gain on each example: no resample has another one, let alone twice as much.
    gain = np.full((12, 2), 0.1)
    study = run_to_run(gain, np.zeros((12, 2)), test="paired-bootstrap", n_resamples=999)
    assert study.out_of_reach.all()
    assert (study.p_values == 1.0).all()
    assert (study.n_significant, study.depends_on_run) == (0, False)
    assert (study.p_value, study.confidence_interval) == (1.0, None)
    assert sum("as extreme as asked" in note for note in study.notes) == 1
    assert any("nothing varies" in note for note in study.notes)
    # Such a pair beside one within reach is on the other side of the level, as it counts as 1.
    gain[:7, 1] = 0.0
    mixed = run_to_run(gain, np.zeros((12, 2)), test="paired-bootstrap", n_resamples=999)
    assert mixed.out_of_reach.all(axis=1).tolist() == [True, False]
    assert (mixed.n_significant, mixed.depends_on_run) == (2, True)
    # Student's 95% quantile with one degree of freedom, 6.314, beside the normal 1.645.
    assert any("A has 2 runs" in note and "allows 3.8 times" in note for note in mixed.notes)
    # Of tests that know no such limit the pairs stay as they are.
    gain[:] = 0.1
    tested = run_to_run(gain, np.zeros((12, 2)), test="wilcoxon", n_resamples=999)
    assert not tested.out_of_reach.any()
    assert tested.n_significant == 4
    # One example of 40 has it all, and can be drawn 40 times.
    once = np.zeros((40, 2))
    once[0] = 1.0
    within = run_to_run(once, np.zeros((40, 2)), test="paired-bootstrap", n_resamples=999)
    assert not within.out_of_reach.any()
    assert not any("as extreme as asked" in note for note in (*tested.notes, *within.notes))


def test_runs_of_one_system_differ_from_themselves_by_exactly_nothing() -> None:
    runs = np.random.default_rng(1).normal(size=(30, 3))
    study = run_to_run(runs, runs)
    assert study.difference == 0.0
    assert study.p_value == pytest.approx(0.5)


def test_the_study_depends_on_the_seed_alone() -> None:
    rng = np.random.default_rng(10)
    a, b = rng.normal(0.1, 1, (40, 3)), rng.normal(0, 1, (40, 2))
    one, same, other = (
        run_to_run(a, b, test="paired-bootstrap", n_resamples=99, rng=seed) for seed in (1, 1, 2)
    )
    assert (one.p_values == same.p_values).all()
    assert one.p_value == same.p_value
    assert one.signature == same.signature
    assert not (one.p_values == other.p_values).all()


def test_a_stopped_study_keeps_its_pairs() -> None:
    rng = np.random.default_rng(11)
    a, b = rng.normal(1, 1, (30, 3)), rng.normal(0, 1, (30, 2))
    study = run_to_run(
        a, b, test="paired-t", n_resamples=99, on_progress=lambda done, total: done < 4
    )
    assert not study.complete
    assert study.n_pairs == 4
    # A leads in all six; of those not compared nothing is counted.
    assert "A is ahead in 4 of 4 pairs" in dataset_runs_sentence("x", study)
    assert study.p_value == run_to_run(a, b, test="paired-t").p_value
    # One pair on one side of the level suffices.
    assert study.at_level(float(np.nanmin(study.p_values))).depends_on_run
    with pytest.raises(Stopped):
        run_to_run(a, b, test="paired-t", on_progress=lambda done, total: False)


def test_arguments_out_of_range_are_named() -> None:
    none = np.zeros((3, 2))
    wrong: tuple[tuple[object, object, dict[str, Any], str], ...] = (
        (none, np.zeros((4, 2)), {}, "must be of the same examples"),
        (np.zeros((3, 2, 2)), none, {}, "`run_scores_a` must have a row"),
        (none, np.zeros((3, 0)), {}, "`run_scores_b` must have a row"),
        (np.full((3, 2), np.nan), none, {}, "`run_scores_a` must hold a finite"),
        (["x"], [1.0], {}, "`run_scores_a` must hold numbers"),
        (np.full((3, 2), 0.5), none, {"test": "mcnemar"}, "`test` must be one of"),
        (none, none, {"clusters": [1, 2]}, "one label an example"),
        (none, none, {"clusters": [1, 1, 2], "test": "mcnemar"}, "come in clusters"),
        (none, none, {"alpha": 2}, "`alpha` must lie"),
        (none, none, {"confidence_level": 1.0}, "`confidence_level` must"),
    )
    for a, b, settings, message in wrong:
        with pytest.raises(ValueError, match=message):
            run_to_run(a, b, **settings)  # type: ignore[arg-type]


def test_of_one_example_whose_runs_vary_it_is_not_said_that_nothing_varies() -> None:
    study = run_to_run([[0.1, 0.4, 0.9]], [[0.0, 0.3, 0.2]], test="sign")
    assert (study.p_value, study.confidence_interval) == (1.0, None)
    assert not any("nothing varies" in note for note in study.notes)
    assert any("cannot be estimated from one" in note for note in study.notes)
