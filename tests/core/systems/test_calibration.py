"""How often a sign found at p around .05 holds."""

import numpy as np
import pytest

from core.reliability.across_domains import BINS, across_domains
from core.significance.stopping import Stopped
from core.simulation.results import Rate
from core.systems.all_pairs import compare_all_pairs
from core.systems.sizes import calibrate_iid, interval_of_sets
from tests.core.systems.made import result_set, two_groups


def test_bins_and_shares_are_counted_as_by_hand():
    table = [two_groups(150, 16, seed=k, spread=0.1) for k in range(3)]
    pairs = compare_all_pairs(result_set(*table), test="paired-t")
    found = across_domains(pairs, source="d1")
    assert list(found.by_target) == ["d0", "d2"]
    rows = [(int(name[1]), row) for name, bins in found.by_target.items() for row in bins]
    assert len(rows) == 2 * len(BINS)
    means = [one.mean(axis=0) for one in table]
    for place, row in rows:
        n = held = 0
        for i in range(16):
            for j in range(16):
                if i == j or not means[1][i] > means[1][j]:
                    continue
                if row.low < pairs.p_values[1, i, j] <= row.high:
                    n += 1
                    held += means[place][i] > means[place][j]
        assert (row.n, row.count) == (n, held)
    assert sum(row.n for _, row in rows) > 20
    long = found.to_frame()
    # A bin is low < p ≤ high; of no pair there is no interval.
    assert list(long["p_above"]) == [row.low for _, row in rows]
    assert list(long["p_at_most"]) == [row.high for _, row in rows]
    assert (long["low"].isna() == (long["n_cases"] == 0)).all()


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
    again = calibrate_iid(results, "d0", 200, 12, test="paired-t", rng=4)
    assert again.agreeing == found.agreeing
    assert again.signature == found.signature


def test_the_interval_of_a_share_goes_by_test_sets_and_not_by_tests_that_depend_on_each_other():
    rng = np.random.default_rng(2)
    covered = by_cases = tried = 0
    for _ in range(200):
        # All tests of a test set lean the same way.
        n = rng.integers(3, 9, size=20)
        held = rng.binomial(n, rng.beta(2.0, 2.0, size=20))
        found = interval_of_sets(held, n)
        alone = Rate(n=int(n.sum()), count=int(held.sum())).confidence_interval
        tried += 1
        covered += found[0] < 0.5 < found[1]
        by_cases += alone[0] < 0.5 < alone[1]
    assert covered >= 0.92 * tried
    assert by_cases < 0.88 * tried


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
