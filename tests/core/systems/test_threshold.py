"""The gain from which on p < .05 is usual, and what is said where there is none."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from core.systems.all_pairs import compare_all_pairs
from core.systems.gain_confidence import (
    ALL,
    DIFFERENT,
    Threshold,
    gain_confidence,
    groups_before,
    threshold,
)
from tests.core.systems.made import result_set, two_groups


def pairs_of(m: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(m, 1)


def of_all_pairs(gains: Any, p: Any, m: int = 10, **settings: Any) -> Threshold:
    """The threshold of the gains of all pairs of m systems, in their order."""
    first, second = pairs_of(m)
    return threshold(gains, p, first=first, second=second, **settings)


def test_the_threshold_is_the_quantile_of_the_gains_in_the_band():
    _, second = pairs_of(10)
    rng = np.random.default_rng(0)
    gains, p = rng.random(45), np.where(np.arange(45) < 30, 0.05, 0.5)
    found = of_all_pairs(gains, p)
    assert found.value == np.quantile(gains[:30], 0.95)
    assert found.n_pairs == 30
    assert found.n_systems == 10 - 1 + (9 in second[:30])


def test_the_ends_of_the_band_are_outside():
    for p, n_pairs in ((0.04, 0), (0.06, 0), (0.04 + 1e-9, 45)):
        assert of_all_pairs(np.ones(45), np.full(45, p)).n_pairs == n_pairs, p


def test_too_few_pairs_give_no_threshold_and_a_reason():
    found = of_all_pairs(np.ones(45), np.where(np.arange(45) < 19, 0.05, 0.5))
    assert found.value is None
    assert found.interval is None
    assert found.reason.startswith("Only 19 pairs")
    enough = np.where(np.arange(45) < 20, 0.05, 0.5)
    assert of_all_pairs(np.ones(45), enough).value == 1.0


def test_a_pair_that_lies_in_the_band_again_and_again_is_still_one_pair():
    first, second = pairs_of(10)
    p = np.where(np.arange(45) < 19, 0.05, 0.5)
    # The same pairs on four datasets, the other system ahead on two of them.
    one = np.concatenate([first, second, first, second])
    other = np.concatenate([second, first, second, first])
    found = threshold(np.ones(180), np.tile(p, 4), first=one, second=other)
    assert (found.n_pairs, found.n_distinct_pairs) == (76, 19)
    assert found.value is None
    assert found.reason.startswith("Only 19 different pairs")
    assert " 76 times" in found.reason
    enough = np.where(np.arange(45) < 20, 0.05, 0.5)
    assert threshold(np.ones(180), np.tile(enough, 4), first=one, second=other).value == 1.0


def test_the_interval_resamples_systems_and_is_wider_than_one_of_pairs():
    # Gains that depend on one of the two systems: pairs of one system stand and fall together.
    m = 16
    first, second = pairs_of(m)
    own = np.random.default_rng(1).normal(size=m)
    gains = np.abs(own[first] + own[second])
    p = np.full(gains.size, 0.05)
    found = of_all_pairs(gains, p, m, rng=2)
    rng = np.random.default_rng(3)
    of_pairs = [np.quantile(rng.choice(gains, gains.size), 0.95) for _ in range(999)]
    low, high = np.quantile(of_pairs, [0.025, 0.975])
    assert found.interval[1] - found.interval[0] > 1.3 * (high - low)
    # By the plain way: copies of systems, and every pair of two different ones.
    matrix = np.zeros((m, m))
    matrix[first, second] = matrix[second, first] = gains
    plain = []
    for _ in range(999):
        drawn = rng.integers(0, m, m)
        i, j = np.triu_indices(m, 1)
        a, b = drawn[i], drawn[j]
        plain.append(np.quantile(matrix[a, b][a != b], 0.95))
    expected = np.quantile(plain, [0.025, 0.975])
    assert found.interval == pytest.approx(tuple(expected), rel=0.1)


def test_monte_carlo_noise_moves_the_band_as_one():
    gains = np.linspace(0.0, 1.0, 66)
    found = partial(of_all_pairs, gains, 0.065 - 0.03 * gains, 12)
    assert found().monte_carlo_range is None
    drawn = found(n_resamples=9_999)
    low, high = drawn.monte_carlo_range
    assert low <= drawn.value <= high
    assert low < high


def test_a_poor_rule_of_thumb_is_called_one():
    first, second = pairs_of(12)
    p = np.full(66, 0.05)
    assert of_all_pairs(1.0 + first / 1e3 + second / 7e5, p, 12).warnings == ()
    wild = of_all_pairs(np.where(first == 0, 10.0, 0.1), p, 12)
    assert any("no rule of thumb" in text for text in wild.warnings)
    half = of_all_pairs(np.ones(66), np.where(np.arange(66) % 2, 0.05, 0.5), 12)
    assert any("the gain alone does not tell" in text for text in half.warnings)
    star = threshold(np.ones(30), np.full(30, 0.05), first=[0] * 30, second=list(range(1, 31)))
    assert any("One system is part of 30 of the 30 pairs" in text for text in star.warnings)


def test_no_interval_is_given_that_is_narrower_than_the_steps_of_the_gains():
    first, second = pairs_of(12)
    p = np.full(66, 0.05)
    # Seven steps of .01 in all but one pair in eleven, so that the quantile hardly moves.
    steps = np.where(np.arange(66) % 11, 0.07, 0.03)
    coarse = of_all_pairs(steps, p, 12)
    assert coarse.value == pytest.approx(0.07)
    assert coarse.interval is None
    assert coarse.step == pytest.approx(0.01)
    fine = np.append(steps, [0.01, 0.02])
    finer = threshold(fine, np.append(p, [0.5, 0.5]), first=[*first, 0, 0], second=[*second, 1, 2])
    # Pairs outside of the band show the steps too.
    assert finer.step == pytest.approx(0.01)
    assert any("Gains come in steps of 0.01" in text for text in finer.warnings)
    wide = of_all_pairs(0.01 * (1 + first), p, 12)
    assert wide.step is None
    assert wide.interval[1] - wide.interval[0] >= 0.01


def test_groups_come_from_a_mapping_or_a_prefix():
    results = result_set(two_groups(50, 4), names=["x-1", "x-2", "y-1", "z-1"])
    pairs = compare_all_pairs(results)
    by_prefix = gain_confidence(
        pairs, groups=groups_before(pairs.systems, "-"), detail="each-group"
    )
    assert by_prefix.classes == ("x", "y", "z", DIFFERENT)
    assert np.bincount(by_prefix.class_of, minlength=4).tolist() == [1, 0, 0, 5]
    mapped = gain_confidence(pairs, groups={"x-1": "p", "x-2": "q", "y-1": "p", "z-1": "q"})
    assert np.bincount(mapped.class_of).tolist() == [2, 4]
    assert gain_confidence(pairs).classes == (ALL,)


def test_ordering_by_the_observed_gain_doubles_the_null_rate():
    rng = np.random.default_rng(5)
    small = 0
    for k in range(40):
        results = result_set(rng.normal(size=(60, 8)))
        pairs = compare_all_pairs(results, test="paired-t", rng=k)
        small += int((gain_confidence(pairs).p_values < 0.05).sum())
    assert small / (40 * 28) == pytest.approx(0.10, abs=0.03)


def test_a_threshold_is_signed_with_its_class_its_dataset_its_groups_and_its_data():
    names = [f"{'ab'[k // 8]}/{k}" for k in range(16)]
    tables = [two_groups(120, 16, seed=k) for k in range(2)]
    pairs = compare_all_pairs(result_set(*tables, names=names), test="paired-t")
    points = gain_confidence(pairs, groups=groups_before(names, "/"))
    lines = {
        points.signature_of(own, pair_class=name, dataset=dataset)
        for dataset in (None, "d0")
        for name, own in points.thresholds(dataset=dataset).items()
    }
    assert len(lines) == 4
    for line in lines:
        assert f"data:{pairs.fingerprint[:8]}" in line
        assert "test:paired-t" in line
        assert "groups:a+b" in line
        assert line.count("|v:") == 1
    other = gain_confidence(pairs, groups={name: "ab"[k % 2] for k, name in enumerate(names)})
    found = points.threshold()
    one, two = (p.signature_of(found, pair_class="same group") for p in (points, other))
    assert one != two
