"""Claims at a margin, whatever the test."""

import itertools
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from core.comparison import COMPARISONS
from core.data import ResultSet, read_results, samples
from core.data.samples import read_sample
from core.errors import DataError
from core.significance.compare import NO_RESAMPLE, OF_BOOTSTRAP, OF_PSEUDO_MEDIAN
from core.significance.counting import melded_p_values, tango_p_values
from core.significance.run import run_dataset_tests
from core.significance.settings import TestAlternative
from core.significance.single import SignificanceResult, run_significance_test
from core.systems.all_pairs import compare_all_pairs
from core.words.testing import small_bootstrap_sentence
from tests.core.significance.sides import OF_TWO
from tests.read_as import read_as

AT_MARGINS = tuple(one.name for one in COMPARISONS if one.takes_margin)
OF_MEANS = ("approximate-randomization", "paired-t", "paired-bootstrap", "wilcoxon")
OF_OUTCOMES = ("mcnemar", "tango")
not_worse = partial(run_significance_test, claim="not-worse")


def ratings(n: int = 60, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    b = rng.integers(0, 60, n) / 10.0
    return b + rng.integers(-8, 9, n) / 10.0, b


def outcomes(n: int = 300, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    b = (rng.random(n) < 0.8).astype(float)
    return np.where(rng.random(n) < 0.92, b, 1.0 - b), b


def run(test: str, claim: str, margin: float, *, swap: bool = False) -> SignificanceResult:
    a, b = outcomes() if test in (*OF_OUTCOMES, "mcnemar-mid-p") else ratings()
    a, b = (b, a) if swap else (a, b)
    return run_significance_test(
        a, b, test=test, claim=claim, margin=margin, rng=0, with_interval=False
    )


@pytest.mark.parametrize("test", [*OF_MEANS, "sign", "mcnemar", "mcnemar-mid-p"])
def test_without_a_margin_p_values_are_those_of_better_to_the_last_digit(test: str) -> None:
    usual = run(test, "better", 0.0)
    for claim in ("better-by", "not-worse"):
        found = run(test, claim, 0.0)
        assert found.p_value_greater == usual.p_value_greater
        assert found.p_value_less == usual.p_value_less


def test_without_a_margin_every_sample_has_the_p_values_of_better() -> None:
    kinds = set()
    for sample in samples():
        results = read_results(read_sample(sample.key)[1])
        if not isinstance(results, ResultSet):
            continue
        asked: dict[str, Any] = {"a": results.systems[0], "b": results.systems[1]}
        usual = run_dataset_tests(results, n_resamples=19, **asked)
        found = run_dataset_tests(results, n_resamples=19, claim="not-worse", **asked)
        kinds |= {result.test for result in found.results or ()}
        assert found.p_values.tolist() == usual.p_values.tolist(), sample.key
        assert found.p_values_b.tolist() == usual.p_values_b.tolist(), sample.key
    assert kinds == {"mcnemar", "approximate-randomization", "paired-bootstrap"}


@pytest.mark.parametrize("test", [*OF_MEANS, *OF_OUTCOMES])
def test_p_falls_as_the_margin_of_not_worse_grows_and_systems_mirror(test: str) -> None:
    margins = (0.001, 0.01, 0.05, 0.1, 0.3)
    for claim in AT_MARGINS:
        found = np.array([run(test, claim, m).p_value_greater for m in margins])
        other = np.array([run(test, claim, m).p_value_less for m in margins])
        steps = np.diff(np.stack([found, other]))
        assert ((steps if claim == "better-by" else -steps) >= 0.0).all(), claim
        mirrored = [run(test, claim, m, swap=True).p_value_less for m in margins]
        assert mirrored == pytest.approx(found, rel=1e-9, abs=0)


def test_the_t_tests_at_a_margin_are_those_of_statsmodels_and_scipy() -> None:
    a, b = ratings()
    larger, (low, _, _), (high, _, _) = ttost_paired(a, b, -0.25, 0.25)
    assert run("paired-t", "equivalent", 0.25).p_value == pytest.approx(larger, rel=1e-9)
    t, p = stats.ttest_rel(a, b - 0.1, alternative="greater")
    found = run("paired-t", "not-worse", 0.1)
    assert (found.p_value, found.statistic) == pytest.approx((float(p), float(t)), rel=1e-9)
    assert low > 0.0 > high


def test_flips_ranks_and_resamples_are_those_of_the_shifted_differences() -> None:
    a, b = (side[:12] for side in ratings())
    d = np.rint(10.0 * (a - b)) / 10.0 + 0.25
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=d.size)))
    expected = float(np.mean(signs @ d >= d.sum() - 1e-9))
    found = not_worse(a, b, test="approximate-randomization", margin=0.25)
    assert found.exact
    assert found.p_value == pytest.approx(expected, rel=1e-12)
    ranks = stats.rankdata(np.abs(np.round(d, 6)))
    expected = float(np.mean((signs > 0.0) @ ranks >= ranks[d > 0.0].sum() - 1e-9))
    found = not_worse(a, b, test="wilcoxon", margin=0.25)
    assert found.p_value == pytest.approx(expected, rel=1e-12)
    assert OF_PSEUDO_MEDIAN in found.notes
    draws = np.random.default_rng(1).choice(d, size=(200_000, d.size)).sum(axis=1)
    expected = float(np.mean(draws >= 2.0 * d.sum() - 1e-9))
    found = not_worse(a, b, test="paired-bootstrap", margin=0.25)
    assert found.p_value == pytest.approx(expected, abs=4.0 * np.sqrt(expected / 200_000))


def test_outcomes_are_tested_by_their_wins_and_losses() -> None:
    a, b = outcomes()
    wins, losses = int((a > b).sum()), int((a < b).sum())
    for test, p_of in (("mcnemar", melded_p_values), ("tango", tango_p_values)):
        for claim in ("not-worse", "better-by"):
            found = run(test, claim, 0.02)
            for p, counts in (
                (found.p_value_greater, (wins, losses)),
                (found.p_value_less, (losses, wins)),
            ):
                expected = float(p_of(*counts, 300, margin=0.02, claim=claim))
                assert p == pytest.approx(expected, rel=1e-10)


def test_what_no_resample_reaches_counts_as_nothing_on_its_own_side_alone() -> None:
    far, near = np.array([3.0, 3.2, 3.1, 3.0, 3.3, 3.1, 3.2, 3.0]), np.full(8, 1.0)
    for a, b, turned in ((far, near, False), (near, far, True)):
        found = not_worse(a, b, test="paired-bootstrap", margin=2.1, rng=0)
        # "Not worse by 2.1" is beyond any resample for the system ahead; the other's is not.
        ahead, behind = found.p_value_greater, found.p_value_less
        if turned:
            ahead, behind = behind, ahead
        assert ahead == 1.0
        assert 0.5 < behind < 0.9
        assert found.notes == (NO_RESAMPLE,)


@pytest.mark.parametrize("test", ["approximate-randomization", "wilcoxon", "paired-bootstrap"])
def test_no_note_speaks_of_the_differences_as_shifted(test: str) -> None:
    # Two differences, 5 and 6; less the margin one of them is 0, plus it both are far from 0.
    a, b = np.array([6.0, 8.0]), np.array([1.0, 2.0])
    for claim in ("better-by", "not-worse", "equivalent"):
        for pair in ((a, b), (b, a)):
            found = run_significance_test(*pair, test=test, claim=claim, margin=5.0, rng=0)
            said = " ".join(found.notes)
            assert "only" not in said
            assert "2δ" not in said
            assert ("smallest attainable p is .25" in said) == (test != "paired-bootstrap")


def test_where_one_side_alone_could_be_exact_both_are_drawn_and_count_alike() -> None:
    # Of 22 differences two are exactly −m: shifted by m 20 are left, by −m all.
    d = np.append(np.random.default_rng(0).normal(0.3, 1.0, 20), [-0.25, -0.25])
    for claim, shift in (("not-worse", 0.25), ("better-by", -0.25)):
        given: dict[str, Any] = {"test": "approximate-randomization", "margin": 0.25, "rng": 1}
        found = run_significance_test(d, 0.0 * d, claim=claim, n_resamples=999, **given)
        assert (found.exact, found.n_resamples) == (False, 999)
        assert OF_BOOTSTRAP in found.notes
        sides: tuple[tuple[TestAlternative, float, int], ...] = (
            ("greater", found.p_value_greater, 1),
            ("less", found.p_value_less, -1),
        )
        for side, p, sign in sides:
            assert found.n_extreme_of(side) == pytest.approx(1000 * p - 1)
            moved = sign * d + shift
            signs = np.random.default_rng(2).choice([-1.0, 1.0], (20_000, d.size))
            assert p == pytest.approx(float(np.mean(signs @ moved >= moved.sum())), abs=0.06)


def test_metrics_that_are_no_means_are_shifted_in_every_resample() -> None:
    rng = np.random.default_rng(2)
    gold = rng.normal(size=80)
    a, b = gold + rng.normal(size=80), gold + rng.normal(size=80)
    for metric in ("pearson", "spearman"):
        delta = OF_TWO[metric](a, gold)[0] - OF_TWO[metric](b, gold)[0]
        drawn = rng.integers(0, 80, size=(3_000, 80))
        of_a, of_b, right = (scores[drawn] for scores in (a, b, gold))
        if metric == "spearman":
            of_a, of_b, right = (stats.rankdata(x, axis=1) for x in (of_a, of_b, right))
        of_a, of_b, right = (stats.zscore(x, axis=1) for x in (of_a, of_b, right))
        resampled = ((of_a - of_b) * right).mean(axis=1)
        expected = float(np.mean(resampled >= 2.0 * delta + 0.1))
        found = not_worse(
            a, b, gold=gold, metric=metric, test="paired-bootstrap", margin=0.1, rng=0
        )
        assert found.p_value == pytest.approx(expected, abs=0.02)
        assert found.difference == pytest.approx(delta)
        low, high = found.confidence_interval or (0.0, 0.0)
        assert low < delta < high
    counts = np.column_stack([rng.integers(0, 6, 90), np.full(90, 5)]).astype(float)
    fewer = np.column_stack([rng.integers(0, 6, 90), np.full(90, 5)]).astype(float)
    at: dict[str, Any] = {"metric": "ratio", "test": "paired-bootstrap", "rng": 0}
    one = not_worse(counts, fewer, margin=0.04, n_resamples=3_999, **at)
    # Randomization, which has no p-value of them at a margin, is not advised there.
    advised = [
        "andomization" in small_bootstrap_sentence([result], ["d"])
        for result in (one, run_significance_test(counts, fewer, **at))
    ]
    assert advised == [False, True]
    moved = counts + np.array([0.2, 0.0])
    other = run_significance_test(moved, fewer, n_resamples=3_999, **at)
    assert one.p_value == pytest.approx(other.p_value, abs=0.03)


def test_whole_clusters_are_flipped_with_the_margin_of_all_their_examples() -> None:
    rng = np.random.default_rng(8)
    a, b = (rng.random((2, 60)) < 0.6).astype(float)
    labels = np.repeat(np.arange(12), np.tile([3, 7], 6))
    found = not_worse(a, b, test="approximate-randomization", clusters=labels, margin=0.35)
    sums = np.array(
        [(a - b)[labels == one].sum() + 0.35 * (labels == one).sum() for one in range(12)]
    )
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=12)))
    assert found.p_value == pytest.approx(float(np.mean(signs @ sums >= sums.sum() - 1e-9)))


@pytest.mark.parametrize(
    "given",
    [
        {"test": "sign"},
        {"claim": "better"},
        {"claim": "equivalent", "margin": 0.0},
        {"margin": -0.1},
        {"claim": "worse"},
        {"alternative": "two-sided"},
        {"test": "paired-bootstrap", "estimator": "berg-kirkpatrick"},
    ],
)
def test_what_has_no_valid_test_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"`(test|claim|margin|alternative|estimator)` must"):
        not_worse(*ratings(), **{"test": "paired-t", "margin": 0.1, **given})


def test_outcomes_have_no_shifted_tests_and_other_scores_none_of_wins() -> None:
    a, b = outcomes()
    for test in OF_MEANS:
        with pytest.raises(ValueError, match="0/1 outcomes have an exact one"):
            not_worse(a, b, test=test, margin=0.1)
    a, b = ratings()
    for test in OF_OUTCOMES:
        with pytest.raises(ValueError, match="`a` must be 0 or 1"):
            not_worse(a, b, test=test, margin=0.1)
    # Outcomes beside other scores are such scores.
    graded, right = b / 6.0, outcomes(60)[0]
    for a, b in ((graded, right), (right, graded)):
        expected = stats.ttest_rel(a, b - 0.5, alternative="greater").pvalue
        assert not_worse(a, b, test="paired-t", margin=0.5).p_value == pytest.approx(expected)
        results = ResultSet.from_scores({"x": {"ours": a, "baseline": b}})
        for test in ("paired-t", "auto"):
            asked: dict[str, Any] = {"claim": "not-worse", "margin": 0.5, "test": test, "rng": 0}
            table = run_dataset_tests(results, a="ours", b="baseline", **asked)
            assert table.p_values[0] == pytest.approx(expected, rel=0.3)


def test_mostly_equal_systems_need_enough_examples_for_the_margin() -> None:
    rng = np.random.default_rng(0)
    b = rng.integers(0, 11, 500) / 10.0
    a = np.where(rng.random(500) < 0.2, rng.integers(0, 11, 500) / 10.0, b)
    for margin, refused in ((0.039, True), (0.041, False)):
        given: dict[str, Any] = {"test": "paired-t", "margin": margin}
        if refused:
            with pytest.raises(ValueError, match="too few examples for this margin"):
                not_worse(a, b, **given)
        else:
            assert 0.0 < not_worse(a, b, **given).p_value < 1.0
    # 20 expected losses of the largest size are enough, and one half equal is not most of them.
    half = np.repeat([0.0, 0.25, -0.25, 1.0], [100, 50, 49, 1])
    fewest = np.append(half, 0.0)
    assert not_worse(fewest[1:], 0.0 * half, test="paired-t", margin=0.001).p_value > 0.1
    with pytest.raises(ValueError, match=r"it takes 25,000\."):
        not_worse(fewest, 0.0 * fewest, test="paired-t", margin=0.001)
    mostly = np.tile([0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0], 25)
    assert not_worse(mostly, 0.0 * mostly, test="paired-t", margin=0.1).p_value < 1e-9
    with pytest.raises(ValueError, match=r"too few .* it takes 200\."):
        not_worse(mostly[1:], 0.0 * mostly[1:], test="paired-t", margin=0.1)
    # In another unit it takes as many: 5 losses of the largest size, 1 here and 0.1 or 10 there.
    for unit, least in ((0.1, 0.0), (10.0, 3.0)):
        with pytest.raises(ValueError, match=r"88 of 500 examples, .* it takes 513\."):
            not_worse(a * unit + least, b * unit + least, test="paired-t", margin=0.039 * unit)
    # A cluster of 100 examples beside 400 of one can lose 80 times what a mean one can.
    clusters, right = np.append(np.arange(400), np.full(100, 400)), np.ones(500)
    losing = np.append(np.zeros(10), right[10:])
    with pytest.raises(ValueError, match=r"10 of 401 clusters, .* it takes 32,080\."):
        not_worse(losing, right, test="approximate-randomization", clusters=clusters, margin=0.05)
    with pytest.raises(ValueError, match="how large a loss can be is not known"):
        not_worse(b, b, test="paired-t", margin=0.1)


def test_identical_outcomes_give_the_chance_that_no_loss_was_seen() -> None:
    same = np.ones(40)
    clusters = np.repeat(np.arange(20), 2)
    found = run_significance_test(same, same, test="mcnemar", claim="equivalent", margin=0.05)
    assert found.p_value == pytest.approx(0.95**40)
    swapping = partial(not_worse, same, same, test="approximate-randomization")
    assert swapping(clusters=clusters, margin=0.05).p_value == pytest.approx(0.95**20)
    # A loss on all of the largest cluster, 21 of 40 examples where a mean one has 2, is one of 10.5.
    uneven = np.concatenate([np.zeros(20), np.arange(20)])
    uneven_clusters = swapping(clusters=uneven, margin=0.05)
    assert uneven_clusters.p_value == pytest.approx((1.0 - 0.05 / 10.5) ** 20)
    assert uneven_clusters.confidence_interval == (-1.0, 1.0)
    assert 0.0 < swapping(clusters=clusters, margin=3).p_value < 1e-300
    for found in (
        run_significance_test(same, same, test="mcnemar", claim="better-by", margin=0.1),
        swapping(clusters=clusters, claim="better-by", margin=0.1),
    ):
        assert (found.p_value, found.exact, found.statistic) == (1.0, True, 0.0)


def result_set() -> ResultSet:
    lines = ["dataset,example,ours,baseline"]
    for i in range(4):
        a, b = ratings(40, seed=i)
        lines += [f"d{i},{j},{x:.1f},{y:.1f}" for j, (x, y) in enumerate(zip(a, b, strict=True))]
    return read_as(ResultSet, "\n".join(lines).encode())


def test_a_table_knows_what_its_p_values_claim() -> None:
    results = result_set()
    table = run_dataset_tests(
        results, a="ours", b="baseline", claim="not-worse", margin=0.25, rng=7
    )
    usual = run_dataset_tests(results, a="ours", b="baseline", rng=7)
    assert (table.claim, table.margins.tolist()) == ("not-worse", [0.25] * 4)
    assert (table.p_values <= usual.p_values).all()
    assert table.p_values_two_sided is None
    assert table.fingerprint != usual.fingerprint
    assert {result.test for result in table.results or ()} == {"approximate-randomization"}
    assert all("claim:not-worse|margin:0.25" in r.signature for r in table.results or ())
    with pytest.raises(ValueError, match="`margin` must"):
        run_dataset_tests(results, a="ours", b="baseline", claim="equivalent")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"test": "sign", "margin": 0.1}, "the sign test has no form at a margin"),
        ({"test": "mcnemar", "margin": 1.0}, "must lie below 1 \\(100 points\\), and is 1"),
    ],
)
def test_a_dataset_without_a_test_at_its_margin_is_told_before_any_runs(
    given: dict[str, Any], message: str
) -> None:
    a, b = outcomes()
    results = ResultSet.from_scores({"x": {"ours": a, "baseline": b}})
    with pytest.raises(DataError, match=f"x.*{message}"):
        run_dataset_tests(results, a="ours", b="baseline", claim="not-worse", **given)


def test_few_losses_of_outcomes_are_refused_in_clusters_alone_before_any_runs() -> None:
    a, asked = np.ones(100), {"a": "ours", "b": "baseline", "claim": "not-worse", "margin": 0.01}
    scores = {"x": {"ours": a, "baseline": np.where(np.arange(100) < 3, 0.0, a)}}
    alone: dict[str, Any] = {**asked, "test": "mcnemar"}
    assert run_dataset_tests(ResultSet.from_scores(scores), **alone).p_values[0] < 1.0
    pairs = ResultSet.from_scores(scores, clusters={"x": [str(i // 2) for i in range(100)]})
    with pytest.raises(DataError, match="too few clusters for this margin"):
        run_dataset_tests(pairs, **{**alone, "test": "approximate-randomization"})


def test_each_dataset_is_tested_at_its_own_margin() -> None:
    results = result_set()
    own = dict(zip(results.datasets, (0.1, 0.25, 0.05, 0.4), strict=True))
    column = replace(results, margins=np.array(list(own.values())))
    asked: dict[str, Any] = {"a": "ours", "b": "baseline", "claim": "not-worse", "rng": 7}
    table = run_dataset_tests(results, margin=own, **asked)
    assert table.margins.tolist() == table.to_frame()["margin"].tolist() == list(own.values())
    for i, margin in enumerate(own.values()):
        alone = run_dataset_tests(results, margin=margin, **asked)
        assert table.p_values[i] == alone.p_values[i]
        assert table.fingerprint != alone.fingerprint
    from_file = run_dataset_tests(column, margin="column", **asked)
    assert from_file.fingerprint == table.fingerprint
    assert (from_file.p_values == table.p_values).all()
    # "Not worse by 0" is "better", with its p-values.
    usual = run_dataset_tests(results, a="ours", b="baseline", rng=7)
    by_0 = run_dataset_tests(results, margin={**own, "d2": 0.0}, **asked)
    assert by_0.p_values[2] == usual.p_values[2]
    with pytest.raises(ValueError, match="`margins` must be finite numbers above 0"):
        replace(results, margins=np.zeros(4))
    with pytest.raises(DataError, match="no column of margins"):
        run_dataset_tests(results, margin="column", **asked)
    with pytest.raises(ValueError, match="no margin for 'd3'"):
        run_dataset_tests(results, margin=dict.fromkeys(results.datasets[:3], 0.1), **asked)
    pairs = compare_all_pairs(column, claim="not-worse", margin="column", rng=7)
    assert pairs.margins == tuple(own.values())
    found = [pairs.p_value("ours", "baseline", dataset) for dataset in own]
    assert found == pytest.approx(table.p_values.tolist(), rel=1e-9)


def test_the_own_interval_lies_on_the_better_side_of_the_margin_just_where_p_is_small() -> None:
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(15), np.tile([2, 4, 3], 5))
    decided = dict.fromkeys(AT_MARGINS, 0)
    for round_, level in enumerate((0.1, 0.01)):
        a, b = ratings(45, seed=round_)
        zero_one = (rng.random((2, 45)) < 0.7).astype(float)
        zero_one[1, 5:40] = zero_one[0, 5:40]
        cases: list[tuple[str, Any, dict[str, Any]]] = [
            *((test, (a, b), {}) for test in OF_MEANS[:2] + OF_MEANS[3:]),
            *((test, zero_one, {}) for test in OF_OUTCOMES),
            ("approximate-randomization", (a, b), {"clusters": labels}),
            ("approximate-randomization", (a[:18] + np.pi / 9, b[:18]), {}),
            # The bootstrap's basic interval, which is exact on a lattice.
            ("paired-bootstrap", (a, b), {}),
        ]
        for test, (x, y), given in cases:
            observed = abs(float(np.mean(x - y)))
            for claim, m in itertools.product(AT_MARGINS, (0.03, observed + 0.05, 0.3)):
                found = run_significance_test(
                    x, y, test=test, claim=claim, margin=m, confidence_level=1.0 - 2.0 * level,
                    **given,
                )  # fmt: skip
                assert found.interval == ("basic" if test == "paired-bootstrap" else "own")
                low, high = found.confidence_interval
                inside = {
                    "better-by": (low >= m, high <= -m),
                    "not-worse": (low >= -m, high <= m),
                    "equivalent": (low >= -m and high <= m,) * 2,
                }[claim]
                small = found.p_value_greater <= level, found.p_value_less <= level
                assert inside == small, (test, claim, m, level, found.confidence_interval)
                decided[claim] += sum(small)
    assert min(decided.values()) > 5


def test_the_own_intervals_are_those_of_student_of_melding_and_of_subset_means() -> None:
    a, b = ratings()
    at = partial(not_worse, margin=0.1, confidence_level=0.9)
    found = at(a, b, test="paired-t").confidence_interval
    error = float(np.std(a - b, ddof=1)) / np.sqrt(60)
    expected = float(np.mean(a - b)) + error * stats.t.ppf([0.05, 0.95], 59)
    assert found == pytest.approx(expected, abs=1e-3 * error)
    # What no flips reject: the mean of a random subset is at most the bound (Hartigan 1969).
    d = np.rint(10.0 * (a - b)[:13]) / 10.0
    subsets = np.array(list(itertools.product((0.0, 1.0), repeat=13)))[1:]
    means = np.sort(subsets @ d / subsets.sum(axis=1))
    within = at(a[:13], b[:13], test="approximate-randomization")
    kept = int(0.05 * 2**13) - 1
    assert within.confidence_interval == pytest.approx((means[kept], means[-1 - kept]), abs=0.01)
    for wins, losses, n in ((12, 15, 300), (40, 12, 300), (3, 41, 90), (0, 0, 50), (5, 0, 5)):
        scores = np.zeros((2, n))
        scores[0, :wins] = scores[1, wins : wins + losses] = 1.0
        for test, p_of in (("mcnemar", melded_p_values), ("tango", tango_p_values)):
            found = at(*scores, test=test).confidence_interval
            low, high = found
            assert -1.0 <= low <= (wins - losses) / n <= high <= 1.0
            for end, counts in ((low, (wins, losses)), (-high, (losses, wins))):
                claim = "not-worse" if end < 0.0 else "better-by"
                if abs(end) < 0.999:
                    p = float(p_of(*counts, n, margin=abs(end), claim=claim))
                    assert p == pytest.approx(0.05, abs=2e-3), (wins, losses, n, test)
    same = np.ones(40)
    apart = at(same, same, test="approximate-randomization", clusters=np.arange(40) // 2)
    assert apart.confidence_interval == pytest.approx((0.05**0.05 - 1.0, 1.0 - 0.05**0.05))


@pytest.mark.parametrize("test", OF_OUTCOMES)
def test_the_statistic_of_outcomes_at_a_margin_is_the_number_of_wins(test: str) -> None:
    a, b = [1, 1, 1, 0, 1, 0], [0, 0, 1, 1, 1, 0]
    found = run_significance_test(a, b, test=test, claim="not-worse", margin=0.1)
    assert found.statistic == found.wins == 2
