"""Friedman's and Quade's tests."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.effects.friedman import friedman, quade
from core.errors import DataError

GRIDS = st.tuples(st.integers(5, 12), st.integers(3, 6)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 8))
)


@settings(max_examples=40)
@given(GRIDS)
def test_ranks_and_chi2_agree_with_scipy_and_f_with_an_analysis_of_variance(grid):
    result = friedman(grid)
    n, k = grid.shape
    ranks = scipy.stats.rankdata(-grid, axis=1)
    np.testing.assert_array_equal(result.ranks, ranks)
    assert result.df == k - 1
    assert result.p_value == pytest.approx(scipy.stats.chi2.sf(result.chi2, k - 1), rel=1e-9)
    assert result.standard_error == pytest.approx(math.sqrt(k * (k + 1) / (6 * n)))
    if result.chi2_corrected is None:
        assert (grid == grid[:, :1]).all()
        assert result.reason
        return
    reference = scipy.stats.friedmanchisquare(*grid.T)
    assert result.chi2_corrected == pytest.approx(reference.statistic, rel=1e-9, abs=1e-9)
    assert result.p_value_corrected == pytest.approx(reference.pvalue, rel=1e-9)
    # Without ties on any dataset there is nothing to correct.
    assert (result.n_tied_datasets == 0) == (result.chi2 == result.chi2_corrected) or (
        result.chi2 == pytest.approx(0.0, abs=1e-12)
    )
    assert result.f_df == (k - 1, (k - 1) * (n - 1))
    if result.f_corrected == math.inf:
        return
    centred = ranks - ranks.mean()
    between = n * (centred.mean(axis=0) ** 2).sum()
    residual = ((centred - centred.mean(axis=0)) ** 2).sum()
    f = (between / result.f_df[0]) / (residual / result.f_df[1])
    assert result.f_corrected == pytest.approx(f, rel=1e-9, abs=1e-9)
    assert result.f_p_value_corrected == pytest.approx(scipy.stats.f.sf(f, *result.f_df), rel=1e-7)


def test_directions_may_differ_between_datasets():
    grid = np.array([[1, 2, 3], [3, 2, 1], [1, 2, 3], [3, 2, 1], [1, 2, 3]])
    result = friedman(grid, higher_is_better=[True, False, True, False, True])
    np.testing.assert_array_equal(result.mean_ranks, [3, 2, 1])
    with pytest.raises(ValueError, match="one for each of 5"):
        friedman(grid, higher_is_better=[True, False])


def test_full_agreement_has_an_infinite_f_with_the_exact_p_value():
    result = friedman([[1, 2, 3]] * 6)
    assert result.chi2 == 12.0
    assert math.isinf(result.f)
    # All six datasets take the order of the first: each has one of 3! orders.
    assert result.f_p_value == pytest.approx(6.0**-5)
    tied = friedman([[1, 2, 2]] * 6)
    assert math.isfinite(tied.f)
    assert tied.f_corrected == math.inf
    assert tied.f_p_value_corrected == pytest.approx(3.0**-5)
    assert any("exact" in note for note in tied.notes)


def test_all_systems_tied_everywhere_leave_no_corrected_statistic():
    result = friedman([[0.5, 0.5, 0.5]] * 5)
    assert (result.chi2, result.p_value, result.f, result.f_p_value) == (0.0, 1.0, 0.0, 1.0)
    assert result.chi2_corrected is None
    assert result.p_value_corrected is None
    assert result.f_corrected is None
    assert result.f_p_value_corrected is None
    assert "ties all systems" in result.reason


def test_scores_that_roundings_untie_are_ties():
    result = friedman([[0.1 + 0.2, 0.3, 0.2]] * 5)
    np.testing.assert_array_equal(result.ranks[0], [1.5, 1.5, 3.0])
    # A last printed digit is no rounding.
    np.testing.assert_array_equal(friedman([[0.9749, 0.975, 0.972]] * 5).ranks[0], [2, 1, 3])


def test_what_is_missing_or_too_little_is_refused_with_the_reason():
    grid = np.arange(15.0).reshape(5, 3)
    grid[1, 2] = grid[4, 0] = np.nan
    with pytest.raises(DataError) as caught:
        friedman(grid, datasets=["a", "b", "c", "d", "e"], systems=["x", "y", "z"])
    assert {(p.dataset, p.column) for p in caught.value.problems} == {("b", "z"), ("e", "x")}
    for scores, message in (
        (np.ones((4, 3)), "at least 5"),
        (np.ones((6, 2)), r"at least 3 systems; got 2\. Compare two"),
        ([1.0, 2.0, 3.0], "a row for each dataset"),
        ([[1, 2, 3], [1, 2]], "a row for each dataset"),
    ):
        with pytest.raises(ValueError, match=message):
            friedman(scores)
    with pytest.raises(ValueError, match="`systems` must have 3 names"):
        friedman(np.ones((5, 3)), systems=["x"])


RNG = np.random.default_rng(6)
GRID = np.round(RNG.normal(size=(11, 4)) + 0.4 * np.arange(4), 2)


def test_the_unit_of_all_scores_does_not_matter_but_that_of_one_dataset_does():
    one = quade(friedman(GRID))
    assert quade(friedman(100.0 * GRID - 7.0)).f == pytest.approx(one.f, rel=1e-12)
    scaled = GRID.copy()
    scaled[0] /= 1000.0
    assert friedman(scaled).chi2 == friedman(GRID).chi2
    assert quade(friedman(scaled)).f != pytest.approx(one.f, rel=1e-3)


def test_quades_f_of_conovers_stores_is_the_one_that_r_prints():
    # R 4.4's example of quade.test: sales of five brands in seven stores (Conover 1999, p. 375).
    sales = [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
    found = quade(friedman(sales))
    assert found.f_df == (4, 24)
    assert round(found.f, 4) == 3.8293
    assert round(found.p_value, 5) == 0.01519


def test_where_quades_f_has_no_number_its_p_value_is_exact_or_there_is_none():
    # With ranges that are not all equal the weights differ, and F is a number.
    agreed = quade(friedman([[1, 2, 3], [10, 11, 12], [3, 4, 5], [2, 3, 4], [0, 1, 2]]))
    assert agreed.f == math.inf
    # One of 3! orders on the first dataset, and the same one on four more.
    assert agreed.p_value == pytest.approx(6.0**-4)
    tied = friedman([[2, 2, 2]] * 5)
    none = quade(tied)
    assert (none.f, none.p_value, none.reason) == (None, None, tied.reason)
    assert tied.reason


def test_few_datasets_of_few_systems_are_said_to_be_approximate():
    rng = np.random.default_rng(3)
    noted = {
        (n, k): any("rough" in note for note in friedman(rng.random((n, k))).notes)
        for n in (10, 11)
        for k in (5, 6)
    }
    assert noted == {(10, 5): True, (10, 6): False, (11, 5): False, (11, 6): False}


def test_the_signature_tells_directions_scores_and_names_apart():
    grid = [[1.0, 2.0, 3.0]] * 5
    one, other = friedman(grid), friedman(grid, systems=["x", "y", "z"])
    assert "higher-is-better:yes|" in one.signature
    mixed = friedman(grid, higher_is_better=[True, False, True, True, True])
    assert "higher-is-better:ynyyy|" in mixed.signature
    assert len({found.content for found in (one, other, mixed)}) == 3
    assert "data:" not in one.signature
    assert "|data:3f9a1c00|" in friedman(grid, fingerprint="3f9a1c00ffff").signature
    for array in (one.scores, one.ranks, one.mean_ranks):
        assert not array.flags.writeable
