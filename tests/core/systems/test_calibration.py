"""How often a sign found at p around .05 holds."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit
from scipy.stats import t, ttest_rel

from core.reliability.across_domains import BINS, across_domains
from core.significance.settings import dataset_stream
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


def test_signs_at_p_around_05_are_held_against_those_of_all_examples_as_by_hand():
    table = two_groups(300, 8, seed=3, spread=0.03)
    # The first four are equal on the whole.
    for k in range(1, 4):
        table[:, k] = np.roll(table[:, 0], k)
    results = result_set(table, higher_is_better=False)
    found = calibrate_iid(results, "d0", 60, 30, test="paired-t", rng=4)
    truth, stream = -table.mean(axis=0), dataset_stream(4, "d0", "calibration|60")
    tested, gains = [], []
    for _ in range(30):
        drawn = table[stream.integers(0, 300, size=60)]
        stream.integers(2**62)
        for i, j in itertools.permutations(range(8), 2):
            if 0.04 < ttest_rel(drawn[:, i], drawn[:, j], alternative="less").pvalue < 0.06:
                gain = (truth[i] - truth[j]) * (max(i, j) > 3)
                gains.append(gain)
                tested += [frozenset((i, j))] if gain else []
    assert (found.agreeing.n, found.n_pairs) == (len(tested), len(set(tested)))
    assert found.agreeing.count == sum(gain > 0.0 for gain in gains)
    assert found.n_without_sign == gains.count(0.0) > 0
    assert found.to_frame()[["low", "high"]].to_numpy().tolist() == [[*found.interval]]


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
    assert interval_of_sets([3] * 9 + [1], [4] * 10) is not None
    assert interval_of_sets([4] * 30, [4] * 30) is interval_of_sets([2] * 30, [4] * 30) is None
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
    assert "done:2" in found.signature
    with pytest.raises(Stopped):
        calibrate_iid(results, "d0", 100, 5, on_progress=lambda _done, _total: False)


def test_test_sets_have_two_examples_or_more_and_are_not_drawn_from_clusters():
    table, labels = two_groups(100, 4), [k // 2 for k in range(100)]
    with pytest.raises(ValueError, match="`size` must be at least 2"):
        calibrate_iid(result_set(table), "d0", 1, 5)
    with pytest.raises(ValueError, match="`dataset` must not come in clusters"):
        calibrate_iid(result_set(table, clusters={"d0": labels}), "d0", 10, 5)
