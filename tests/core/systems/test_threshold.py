"""The gain from which on p < .05 is usual, and what is said where there is none."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from core.significance.settings import dataset_stream
from core.systems.all_pairs import compare_all_pairs
from core.systems.gain_confidence import (
    ALL,
    DIFFERENT,
    SAME,
    GainConfidence,
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


@pytest.mark.parametrize("end", [0.04, 0.06])
def test_the_threshold_is_the_quantile_of_the_gains_in_the_band_without_its_ends(end):
    gains, inside = np.random.default_rng(0).random(45), pairs_of(10)[0] > 0
    found = of_all_pairs(gains, np.where(inside, 0.05, end))
    assert found.value == np.quantile(gains[inside], 0.95)
    assert (found.n_pairs, found.n_systems) == (36, 9)
    assert of_all_pairs(gains, np.full(45, 0.04 + 1e-9)).n_pairs == 45


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (1, "Only 19 pairs have .04 < p < .06; a quantile of .95 needs at least 20."),
        (4, "Only 19 different pairs have .04 < p < .06, 76 times in all; a quantile"),
    ],
)
def test_a_pair_that_lies_in_the_band_again_and_again_is_still_one_of_too_few(times, said):
    # Every other time the other system is ahead.
    ways = [pairs_of(10), pairs_of(10)[::-1]] * 2
    first, second = np.concatenate(ways[:times], axis=1)
    for n in (19, 20):
        p = np.tile(np.where(np.arange(45) < n, 0.05, 0.5), times)
        found = threshold(np.ones(45 * times), p, first=first, second=second)
        assert (found.n_pairs, found.n_distinct_pairs) == (n * times, n)
        assert found.value == (None if n < 20 else 1.0)
        assert found.reason.startswith(said) == (n < 20)
        assert found.interval is None


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
    plain, stream = [], dataset_stream(2, "", "threshold")
    for _ in range(999):
        drawn = stream.integers(0, m, m)
        i, j = np.triu_indices(m, 1)
        a, b = drawn[i], drawn[j]
        plain.append(np.quantile(matrix[a, b][a != b], 0.95))
    expected = np.quantile(plain, [0.025, 0.975])
    assert found.interval == pytest.approx(tuple(expected))


def test_monte_carlo_noise_moves_the_band_as_one():
    gains = np.linspace(0.0, 1.0, 66)
    p = 0.065 - 0.03 * gains
    found = partial(of_all_pairs, gains, p, 12)
    assert found().monte_carlo_range is None
    error = 2.0 * binom(9_999, 0.05).std() / 9_999
    ends = [np.quantile(gains[(p - by > 0.04) & (p - by < 0.06)], 0.95) for by in (error, -error)]
    assert ends[0] < ends[1]
    assert found(n_resamples=9_999).monte_carlo_range == pytest.approx(ends)


@pytest.fixture
def points() -> GainConfidence:
    """Of two groups on two datasets, all p-values around .05."""
    tables = [two_groups(60, 20, seed=k) for k in range(2)]
    pairs = compare_all_pairs(
        result_set(*tables, names=[f"{'ab'[k // 10]}/{k}" for k in range(20)])
    )
    p = np.random.default_rng(4).uniform(0.035, 0.065, pairs.p_values.shape)
    drawn = replace(pairs, p_values=p, n_resamples=(9_999, 999))
    return gain_confidence(drawn, groups=groups_before(pairs.systems, "/"))


@pytest.mark.parametrize(("dataset", "b"), [("d0", 9_999), ("d1", 999), (None, 999)])
def test_a_threshold_of_a_class_and_a_dataset_is_that_of_their_points_alone(points, dataset, b):
    for pair_class in (SAME, DIFFERENT, None):
        own = points.to_frame()
        for column, wanted in (("dataset", dataset), ("class", pair_class)):
            own = own if wanted is None else own[own[column] == wanted]
        first, second = (own[name].str[2:].astype(int).to_numpy() for name in ("ahead", "behind"))
        gains, p = own["gain"].to_numpy(), own["p_value"].to_numpy()
        assert np.array_equal(own["confidence"], 1.0 - p)
        alone = threshold(gains, p, first=first, second=second, n_resamples=b)
        assert points.threshold(pair_class=pair_class, dataset=dataset) == alone


def test_datasets_of_twice_as_many_examples_have_no_threshold_in_common(points):
    def of_sizes(*sizes, points=points, **asked):
        return replace(points, pairs=replace(points.pairs, n_examples=sizes)).threshold(**asked)

    alike, near, apart = of_sizes(100, 100), of_sizes(100, 199), of_sizes(100, 200)
    assert near == replace(alike, warnings=(*alike.warnings, near.warnings[-1]))
    assert near.warnings[-1].startswith("The datasets have between 100 and 199 examples")
    assert (apart.value, apart.interval, apart.monte_carlo_range, apart.warnings) == (None,) * 3 + (
        (),
    )
    assert apart.reason.startswith("The datasets have between 100 and 200 examples")
    assert of_sizes(100, 200, dataset="d0").value is not None
    assert of_sizes(100, 199, points=replace(points, p_values=0.0 * points.p_values)).warnings == ()


def test_a_poor_rule_of_thumb_is_called_one():
    first, second = pairs_of(12)
    p = np.full(66, 0.05)
    assert of_all_pairs(1.0 + first / 1e3 + second / 7e5, p, 12).warnings == ()
    for most, n_warned in ((1.9, 0), (2.1, 1)):
        wild = of_all_pairs(np.where(first == 0, 3.0 * most, 3.0), p, 12)
        assert wild.interval == (3.0, 3.0 * most)
        assert sum("no rule of thumb" in text for text in wild.warnings) == n_warned
    for n_missed, warned in ((6, False), (7, True)):
        some = of_all_pairs(np.ones(66), np.where(np.arange(66) < n_missed, 0.5, 0.05), 12)
        assert any("the gain alone does not tell" in text for text in some.warnings) == warned
    star = threshold(np.ones(30), np.full(30, 0.05), first=[0] * 30, second=list(range(1, 31)))
    assert any("One system is part of 30 of the 30 pairs" in text for text in star.warnings)
    # A resample without that system has no pair.
    assert star.interval is None
    assert star.warnings[0].startswith("Too few systems share the band")


@pytest.mark.parametrize("unit", [1.0, 1e-3, 100.0])
def test_no_interval_is_given_that_is_narrower_than_the_steps_of_the_gains(unit):
    first, second = pairs_of(12)
    p = np.full(66, 0.05)
    # Seven steps of .01 in all but one pair in eleven, so that the quantile hardly moves.
    steps = unit * np.where(np.arange(66) % 11, 0.07, 0.03)
    coarse = of_all_pairs(steps, p, 12)
    assert coarse.value == pytest.approx(0.07 * unit)
    assert coarse.interval is None
    assert coarse.step == pytest.approx(0.01 * unit)
    fine = np.append(steps, [0.01 * unit, 0.02 * unit])
    finer = threshold(fine, np.append(p, [0.5, 0.5]), first=[*first, 0, 0], second=[*second, 1, 2])
    # Pairs outside of the band show the steps too.
    assert finer.step == pytest.approx(0.01 * unit)
    assert any(f"Gains come in steps of {0.01 * unit:g}," in text for text in finer.warnings)
    none = of_all_pairs(0.0 * steps, p, 12)
    assert (none.interval, none.step) == (None, None)
    assert none.warnings[0].startswith("Resamples of systems give one and the same gain")


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


def test_ordering_by_the_observed_gain_finds_what_either_direction_finds_so_twice_the_null_rate():
    pairs = compare_all_pairs(result_set(np.random.default_rng(5).normal(size=(60, 40))))
    small = np.count_nonzero(pairs.p_values < 0.05)
    assert np.count_nonzero(gain_confidence(pairs).p_values < 0.05) == small > 0


def test_a_threshold_is_signed_with_its_class_its_dataset_its_groups_and_its_data(points):
    pairs = points.pairs
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
    other = gain_confidence(
        pairs, groups={name: "ab"[k % 2] for k, name in enumerate(pairs.systems)}
    )
    found = points.threshold()
    one, two = (p.signature_of(found, pair_class="same group") for p in (points, other))
    assert one != two
    assert "group" not in gain_confidence(pairs).signature_of(found, pair_class=ALL)
