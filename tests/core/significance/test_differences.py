"""Differences keep the ties that the digits have."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import skew

from core.significance.differences import paired_differences
from core.significance.single import run_significance_test, too_few_for


@settings(max_examples=80)
@given(
    decimals=st.integers(0, 12),
    pairs=st.lists(
        st.tuples(st.integers(-2000, 2000), st.integers(-2000, 2000)), min_size=1, max_size=30
    ),
)
def test_decimal_scores_give_the_float_nearest_to_the_true_difference(
    decimals: int, pairs: list[tuple[int, int]]
) -> None:
    a, b = (
        np.array([float(Fraction(pair[side], 10**decimals)) for pair in pairs]) for side in (0, 1)
    )
    differences = paired_differences(a, b)
    exact = [Fraction(x - y, 10**decimals) for x, y in pairs]
    assert differences.values.tolist() == [float(d) for d in exact]
    assert differences.mean == pytest.approx(float(sum(exact) / len(exact)), rel=1e-15, abs=0)
    assert (differences.integers * differences.step).tolist() == pytest.approx(
        differences.values.tolist(), rel=1e-15
    )


@pytest.mark.parametrize("denominator", [3, 7, 24, 97, 1000, 1023])
def test_fractions_with_one_denominator_keep_their_ties(denominator: int) -> None:
    rng = np.random.default_rng(denominator)
    a, b = (rng.integers(0, denominator + 1, 200) for _ in range(2))
    differences = paired_differences(a / denominator, b / denominator)
    assert np.array_equal(differences.values, (a - b) / denominator)
    assert differences.integers is not None


def test_sizes_of_computed_scores_tie_where_they_differ_by_rounding_alone() -> None:
    # Right answers of 1,473: no denominator up to 1,024 fits, and 5/1473 comes as several floats.
    right = np.array([600, 605, 742, 703, 900, 1200]), np.array([595, 600, 747, 700, 907, 1200])
    a, b = (counts / 1473 for counts in right)
    assert np.unique(np.abs(a - b)).size > 4
    differences = paired_differences(a, b, room=1e-15)
    by_size = dict(
        zip(np.abs(right[0] - right[1]).tolist(), np.abs(differences.values).tolist(), strict=True)
    )
    assert np.abs(differences.values).tolist() == [
        by_size[int(size)] for size in np.abs(right[0] - right[1])
    ]
    assert differences.values == pytest.approx((right[0] - right[1]) / 1473, rel=1e-12)
    assert (differences.wins, differences.ties, differences.losses) == (3, 1, 2)
    # What is no larger than the room is no difference.
    near = np.array([np.pi, 0.3]), np.array([np.pi * (1.0 + 1e-15), 0.2])
    assert paired_differences(*near).ties == 0
    assert paired_differences(*near, room=1e-14).ties == 1


def test_one_repeated_measurement_lies_on_a_lattice_of_its_own() -> None:
    differences = paired_differences(np.full(9, np.pi), np.zeros(9))
    assert differences.integers.tolist() == [1] * 9
    assert differences.step == np.pi


def test_equal_measurements_differ_by_nothing_and_a_single_other_one_by_itself() -> None:
    same = np.random.default_rng(4).normal(size=9)
    equal = paired_differences(same, same)
    assert (equal.values.tolist(), equal.ties, equal.mean) == ([0.0] * 9, 9, 0.0)
    assert equal.integers.tolist() == [0] * 9
    other = paired_differences(np.append(same, np.pi), np.append(same, 0.0))
    assert other.integers.tolist() == [0] * 9 + [1]
    assert other.step == np.pi


def test_decimals_that_cancel_have_a_mean_difference_of_zero() -> None:
    assert 10.1 + 20.2 - 30.3 != 0.0
    differences = paired_differences(np.array([10.1, 20.2, 0.0]), np.array([0.0, 0.0, 30.3]))
    assert differences.mean == 0.0


def test_a_mean_of_thousands_of_huge_scores_does_not_overflow() -> None:
    differences = paired_differences(np.full(4096, 4e14 + 0.5), np.full(4096, 1e14))
    means = (differences.score_a, differences.score_b, differences.mean)
    assert means == pytest.approx((4e14, 1e14, 3e14), rel=1e-12)


def test_values_that_only_the_last_examples_betray_are_found_without_trying_everything() -> None:
    # The first million values fit every denominator; one does not fit any.
    a = np.zeros(1_000_000)
    a[-1] = np.sqrt(2)
    a[-2] = np.sqrt(3)
    differences = paired_differences(a, np.zeros_like(a))
    assert differences.integers is None
    assert differences.wins == 2


def test_sums_that_no_float_holds_are_left_to_monte_carlo() -> None:
    a = np.array([123456.123456789, 0.5] * 5000)
    assert paired_differences(a, np.zeros_like(a)).integers is None


def test_scores_that_were_computed_keep_their_ties() -> None:
    # 0.7 + 0.1 is 0.7999999999999999: subtracted as it is, t would be 1e15.
    b = np.array([0.3, 0.5, 0.9, 0.2, 0.7, 0.6])
    assert len(set((b + 0.1 - b).tolist())) > 1
    differences = paired_differences(b + 0.1, b)
    assert differences.values.tolist() == [0.1] * 6
    assert differences.constant
    thirds = np.array([1, 2, 0, 1]) / 3
    assert paired_differences(thirds + 1 / 3, thirds).constant
    roots = np.sqrt(np.arange(30.0))
    assert len(set((roots + 0.1 - roots).tolist())) > 1
    for shift, wins in ((0.1, 30), (-1e3, 0), (4e-16, 0)):
        moved = paired_differences(roots + shift, roots)
        assert moved.constant, shift
        assert (moved.wins, moved.losses) == (wins, 30 if shift < 0 else 0), shift
        assert moved.integers is not None, shift


def test_measurements_in_large_units_are_not_taken_for_decimals() -> None:
    rng = np.random.default_rng(3)
    for unit in (1e-6, 1.0, *np.geomspace(2.0, 1e6, 30)):
        for n in (5, 50):
            a, b = unit * rng.normal(size=n), unit * rng.normal(size=n)
            differences = paired_differences(a, b)
            assert np.array_equal(differences.values, a - b)
            assert differences.integers is None


def test_skewness_is_that_of_scipy_at_any_scale_and_none_of_what_does_not_vary() -> None:
    rng = np.random.default_rng(5)
    for values in (rng.normal(size=30), 1.0 - rng.exponential(size=12), rng.integers(-2, 9, 40)):
        for scale in (1.0, 1e-140, 1e140):
            own = paired_differences(
                np.asarray(scale * values, dtype=np.float64), np.zeros(values.size)
            )
            assert own.skewness == pytest.approx(skew(values), rel=1e-9), scale
    assert paired_differences(np.full(5, 0.3), np.zeros(5)).skewness == 0.0
    assert paired_differences(np.zeros(5), np.zeros(5)).skewness == 0.0


@pytest.mark.parametrize(
    ("n", "skewness", "too_few"),
    [(29, 3.0, True), (30, 3.0, False), (30, 0.0, False), (100, -2.0, True), (101, -2.0, False)],
)
def test_fewer_than_30_are_too_few_and_with_skewed_losses_as_many_as_cochrans_rule_has(
    n: int, skewness: float, too_few: bool
) -> None:
    assert too_few_for(n, skewness) == too_few


def test_a_result_tells_the_skewness_of_graded_differences_or_sums_by_tests_of_means() -> None:
    rng = np.random.default_rng(1)
    right, graded = (rng.random(40) < 0.7) * 1.0, rng.integers(0, 5, 40) / 4.0
    other, pairs = (rng.random(40) < 0.4) * 1.0, np.arange(40) // 2
    told = partial(run_significance_test, test="approximate-randomization", n_resamples=19, rng=0)
    for a, b in ((right, graded), (graded, right), (graded, graded[::-1])):
        assert told(a, b).skewness == pytest.approx(skew(a - b))
        assert run_significance_test(a, b, test="paired-t").skewness == pytest.approx(skew(a - b))
        assert run_significance_test(a, b, test="wilcoxon").skewness is None
    assert told(right, other).skewness is None
    sums = (right - other).reshape(20, 2).sum(axis=1)
    assert told(right, other, clusters=pairs).skewness == pytest.approx(skew(sums))
