"""How often a sign found at p around .05 holds."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit
from scipy.stats import t

from core.reliability.across_domains import BINS, across_domains
from core.significance.stopping import Stopped
from core.systems.all_pairs import compare_all_pairs
from core.systems.sizes import calibrate_iid, interval_of_sets
from tests.core.systems.made import result_set, two_groups


def test_bins_and_shares_are_counted_as_by_hand_and_add_up_over_datasets():
    tables = [two_groups(150, 16, seed=k, spread=0.1).round() for k in range(3)]
    pairs = compare_all_pairs(result_set(*tables), test="paired-t")
    means = [table.mean(axis=0) for table in tables]
    sums = np.zeros((len(BINS), 3), dtype=int)
    for source in range(3):
        found = across_domains(pairs, source=f"d{source}")
        targets = [place for place in range(3) if place != source]
        assert list(found.by_target) == [f"d{place}" for place in targets]
        for place in targets:
            for k, row in enumerate(found.by_target[f"d{place}"]):
                gains = [
                    means[place][i] - means[place][j]
                    for i, j in itertools.permutations(range(16), 2)
                    if means[source][i] > means[source][j]
                    and row.low < pairs.p_values[source, i, j] <= row.high
                ]
                own = (len(gains), sum(gain > 0.0 for gain in gains), gains.count(0.0))
                assert (row.n, row.count, row.n_tied) == own
                sums[k] += own
    long = found.to_frame()
    # A bin is low < p ≤ high; of no pair there is no interval.
    assert list(long["p_above"]) == [row.low for bins in found.by_target.values() for row in bins]
    assert (long["low"].isna() == (long["n_cases"] == 0)).all()
    whole = [(row.n, row.count, row.n_tied) for row in across_domains(pairs).bins]
    assert np.array_equal(whole, sums)
    assert (sums.sum(axis=0) > 0).all()


def test_resampled_test_sets_agree_as_often_as_a_normal_posterior_says():
    results = result_set(two_groups(3_000, 20, seed=3, spread=0.03))
    found = calibrate_iid(results, "d0", 200, 12, test="paired-t", rng=4)
    assert found.agreeing.n > 100
    assert found.n_draws == 12
    assert found.complete
    # Quality varies about as much as chance does, so that p = .05 is right in most cases.
    share, interval = found.agreeing.rate, found.interval
    assert 0.75 < share < 1.0
    assert interval[0] < share < interval[1]


def test_the_interval_of_a_share_goes_by_test_sets_and_not_by_tests_that_depend_on_each_other():
    rng = np.random.default_rng(2)
    n = np.append(rng.integers(3, 9, size=12), [0, 0])
    # All tests of a test set lean the same way; two sets have none.
    held = rng.binomial(n, rng.beta(2.0, 2.0, size=14))
    tests = np.concatenate([np.arange(one) < k for one, k in zip(n, held, strict=True)])
    sets = np.repeat(np.arange(14), n)
    # Of generalized estimating equations, whose variance lacks k/(k − 1) for k sets.
    ones, family = np.ones(tests.size), sm.families.Binomial()
    fit = sm.GEE(tests.astype(float), ones, groups=sets, family=family).fit()
    room = t(11).ppf(0.975) * fit.bse[0] * np.sqrt(12 / 11)
    expected = expit(fit.params[0] + room * np.array([-1.0, 1.0]))
    assert interval_of_sets(held, n) == pytest.approx(expected, rel=1e-6)


def test_few_test_sets_or_unanimous_ones_have_no_interval_and_the_note_says_why():
    assert interval_of_sets([3] * 9, [4] * 9) is None
    assert interval_of_sets([4] * 30, [4] * 30) is None
    results = result_set(two_groups(300, 8, spread=0.03))
    few = calibrate_iid(results, "d0", 100, 4, test="paired-t")
    assert few.agreeing.n
    assert few.interval is None
    assert "share systems and examples" in few.notes[0]


def test_stopping_keeps_the_test_sets_that_are_done():
    results = result_set(two_groups(300, 6))
    found = calibrate_iid(
        results, "d0", 100, 5, test="paired-t", on_progress=lambda done, _total: done < 2
    )
    assert found.n_draws == 2
    assert not found.complete
    assert "done:2" in found.signature
    with pytest.raises(Stopped):
        calibrate_iid(results, "d0", 100, 5, on_progress=lambda _done, _total: False)


def test_a_test_set_of_one_example_is_refused():
    with pytest.raises(ValueError, match="`size` must be at least 2"):
        calibrate_iid(result_set(two_groups(100, 4)), "d0", 1, 5)
