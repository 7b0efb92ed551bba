"""Two systems over N datasets: reference statistics, ties of decimals, and the reasons for no answer."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from core.effects.across import FEWEST_DATASETS, compare_across, too_few_datasets
from core.effects.friedman import friedman, quade
from core.errors import DataError
from core.significance.settings import TestAlternative

# Whole numbers of hundredths, so that ties and zeros are frequent.
SCORES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=5, max_size=30)
SIDES: tuple[tuple[TestAlternative, str], ...] = (
    ("greater", "p_value_greater"),
    ("less", "p_value_less"),
    ("two-sided", "p_value_two_sided"),
)


def columns(pairs):
    return [a / 100 for a, _ in pairs], [b / 100 for _, b in pairs]


@settings(max_examples=40)
@given(SCORES)
def test_swapping_the_systems_mirrors_every_test(pairs):
    a, b = columns(pairs)
    one, other = compare_across(a, b), compare_across(b, a)
    for test, mirrored in zip(one.tests, other.tests, strict=True):
        assert test.p_value_greater == mirrored.p_value_less
        assert test.p_value_less == mirrored.p_value_greater
        assert test.p_value_two_sided == mirrored.p_value_two_sided
        assert test.n_used == mirrored.n_used
        if test.rank_sums is not None and mirrored.rank_sums is not None:
            assert test.rank_sums == mirrored.rank_sums[::-1]
    np.testing.assert_array_equal(one.differences, -other.differences)


def test_averages_of_equally_many_examples_tie_as_the_counts_behind_them_do() -> None:
    # Of 1,473 examples each: rounding makes several floats of one difference of averages.
    rng = np.random.default_rng(8)
    a = rng.integers(600, 1400, 20).astype(np.float64)
    b = a - rng.integers(-3, 6, 20)
    counts, averages = compare_across(a, b), compare_across(a / 1473, b / 1473)
    assert np.unique(np.abs(a / 1473 - b / 1473)).size > np.unique(np.abs(a - b)).size
    for expected, found in zip(counts.tests, averages.tests, strict=True):
        assert found.p_value == pytest.approx(expected.p_value, rel=1e-9), found.variant
    three = np.column_stack([a, b, a - rng.integers(-2, 3, 20)])
    assert quade(friedman(three / 1473)).f == pytest.approx(quade(friedman(three)).f, rel=1e-9)


@settings(max_examples=40)
@given(SCORES)
def test_exact_p_values_without_zeros_equal_an_enumeration_of_all_signs(pairs):
    a, b = columns(pairs[:9])
    differences = np.array([x - y for x, y in pairs[:9]])
    kept = differences[differences != 0]
    result = compare_across(a, b).of("wilcoxon-zeros-dropped")
    if kept.size == 0:
        assert result.p_value is None
        return
    ranks = scipy.stats.rankdata(np.abs(kept))
    signs = (np.arange(2**kept.size)[:, np.newaxis] >> np.arange(kept.size)) & 1
    sums = signs @ ranks
    won = ranks[kept > 0].sum()
    assert result.rank_sums[0] == won
    assert result.p_value_greater == pytest.approx((sums >= won).mean(), rel=1e-12)
    assert result.p_value_less == pytest.approx((sums <= won).mean(), rel=1e-12)


@pytest.mark.parametrize(("alternative", "attribute"), SIDES)
def test_tests_without_ties_agree_with_scipy(alternative, attribute):
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.3, 1.0, 17), rng.normal(size=17)
    tests = compare_across(a, b, alternative=alternative)
    wins = int((a > b).sum())
    expected = {
        "wilcoxon": scipy.stats.wilcoxon(a, b, alternative=alternative, method="exact").pvalue,
        "sign": scipy.stats.binomtest(wins, 17, alternative=alternative).pvalue,
        "paired-t": scipy.stats.ttest_rel(a, b, alternative=alternative).pvalue,
        "wilcoxon-normal": scipy.stats.wilcoxon(
            a, b, alternative=alternative, method="approx"
        ).pvalue,
    }
    for name, p_value in expected.items():
        test = tests.of(name)
        assert test.p_value == pytest.approx(p_value, rel=1e-10), name
        assert test.p_value == getattr(test, attribute)
    assert tests.of("wilcoxon").statistic == scipy.stats.wilcoxon(a, b).statistic
    assert tests.of("paired-t").statistic == pytest.approx(scipy.stats.ttest_rel(a, b).statistic)


def test_differences_that_are_equal_in_decimals_share_a_rank():
    # In floats .768 − .763 and .936 − .931 differ; .002 is smaller than both.
    tests = compare_across(
        [0.768, 0.931, 0.502, 0.6, 0.9], [0.763, 0.936, 0.500, 0.5, 0.6], alternative="two-sided"
    )
    assert tests.of("wilcoxon").rank_sums == (12.5, 2.5)


def test_of_an_odd_number_of_zeros_one_is_left_out_and_the_others_are_split():
    a = ["0.5", "0.5", "0.5", "0.6", "0.7", "0.8"]
    b = ["0.5", "0.50", "0.500", "0.5", "0.5", "0.9"]
    tests = compare_across(a, b)
    # Of two zeros: 1.5 each; then sizes .1, .1, .2 with the ranks 3.5, 3.5, 5.
    assert tests.of("wilcoxon").n_used == 5
    assert tests.of("wilcoxon").rank_sums == (1.5 + 3.5 + 5.0, 1.5 + 3.5)
    assert tests.of("wilcoxon-zeros-dropped").n_used == 3
    assert (tests.of("sign").statistic, tests.of("sign").n_used) == (2.0, 3)
    assert (tests.of("sign-ties-split").statistic, tests.of("sign-ties-split").n_used) == (3.0, 5)


def test_where_nothing_differs_or_varies_there_is_a_reason_and_no_p_value():
    equal = compare_across([0.1, 0.2, 0.3, 0.4, 0.5], ["0.1", "0.2", "0.30", "0.4", "0.5"])
    for test in equal.tests:
        assert test.p_value is test.statistic is test.p_value_two_sided is None, test.name
        assert ("do not vary" if test.name == "paired-t" else "equal on every") in test.reason
    constant = compare_across([0.3, 0.4, 0.5, 0.6, 0.7], [0.2, 0.3, 0.4, 0.5, 0.6])
    assert constant.of("paired-t").p_value is None
    assert constant.of("paired-t").reason
    assert constant.of("wilcoxon").p_value == 1 / 32


def test_the_smallest_attainable_p_value_is_said_where_it_is_large():
    tests = compare_across([2, 3, 4, 5, 6], [1, 1, 1, 1, 1], alternative="two-sided")
    assert tests.of("wilcoxon").p_value == 0.0625
    assert tests.of("wilcoxon").note.endswith("the smallest attainable p is .0625")
    assert compare_across(range(10), [0.5] * 10).of("wilcoxon").note == ""
    # Of four ties two go to either side: where A wins the other three, 5 of 7 are wins.
    tied = compare_across([2, 3, 4, 1, 1, 1, 1], [1] * 7).of("sign-ties-split")
    assert tied.p_value == 29 / 128
    assert tied.note == "3 datasets differ: the smallest attainable p is .2266"


@pytest.mark.parametrize("n", [1, 4])
def test_fewer_than_five_datasets_are_refused_with_what_they_could_reach(n):
    with pytest.raises(ValueError, match="at least 5") as caught:
        compare_across([0.5] * n, [0.4] * n)
    assert f"is {str(2.0**-n).removeprefix('0')} one-sided" in str(caught.value)
    assert str(caught.value) == too_few_datasets(n)
    # The reason for the limit: below it no one-sided p can be at most .05.
    assert 2.0 ** -(FEWEST_DATASETS - 1) > 0.05 >= 2.0**-FEWEST_DATASETS
    assert too_few_datasets(FEWEST_DATASETS) == ""


def test_wrong_arguments_are_refused_and_every_missing_score_is_named():
    with pytest.raises(DataError) as caught:
        compare_across(
            [0.1, math.nan, 0.3, 0.4, 0.5],
            ["0.1", "0.2", "0.3", "", "0.5"],
            datasets=["BC", "MZ", "NW", "BN", "TC"],
            systems=("ours", "theirs"),
        )
    named = [(problem.dataset, problem.column) for problem in caught.value.problems]
    assert named == [("MZ", "ours"), ("BN", "theirs")]
    for b, more, message in (
        ([2] * 5, {"alternative": "better"}, "`alternative`"),
        ([2] * 6, {}, "got 5 and 6"),
        ([2] * 5, {"datasets": ["x"]}, "`datasets` must have 5 names"),
    ):
        with pytest.raises(ValueError, match=message):
            compare_across([1] * 5, b, **more)


def test_lower_scores_may_be_better_and_the_systems_named() -> None:
    z, x = [3, 5, 4, 1, 7], [1, 2, 3, 1, 9]
    tests = compare_across(z, x, higher_is_better=False, alternative="less", systems=("z", "x"))
    assert (tests.system_a, tests.system_b) == ("z", "x")
    np.testing.assert_array_equal(tests.differences, [-2, -3, -1, 0, 2])
