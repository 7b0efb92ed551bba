"""Joint flips of shared examples against every flip and every set of datasets."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from scipy.stats import binomtest

from core.replicability.counting import count_datasets
from core.replicability.joint import (
    JOINT_STATISTICS,
    JointStatistic,
    _Node,
    _Search,
    count_by_flips,
    count_in_group_by_flips,
    flip_jointly,
    identify_by_flips,
    joint_p_values,
    k_hat_by_flips,
)
from core.types import FloatArray
from tests.calibration.joint import SCENARIOS, studies

_Sets = dict[tuple[int, ...], float]


def _by_enumeration(differences: FloatArray, statistic: JointStatistic) -> _Sets:
    """The p-value of every set of datasets, with every flip written out."""
    n_units, n = differences.shape
    signs = np.array(list(product((1.0, -1.0), repeat=n_units)))
    scale = np.array([np.linalg.norm(column) or 1.0 for column in differences.T])
    z = signs @ differences / scale
    p_values: _Sets = {}
    for members in chain.from_iterable(combinations(range(n), size + 1) for size in range(n)):
        own = z[:, members]
        evidence = (
            own.max(axis=1) if statistic == "max" else (np.clip(own, 0.0, None) ** 2).sum(axis=1)
        )
        p_values[members] = float(np.mean(evidence >= evidence[0] - 1e-8))
    return p_values


def _bound(p_values: _Sets, group: tuple[int, ...], alpha: float) -> int:
    standing = (len(set(members) & set(group)) for members, p in p_values.items() if p > alpha)
    return len(group) - max(standing, default=0)


def _differences(rng: np.random.Generator, case: int) -> FloatArray:
    n_units, n = int(rng.integers(2, 10)), int(rng.integers(1, 7 if case % 10 else 9))
    drawn = rng.normal(size=(n_units, n)) + rng.normal(size=(n_units, 1))
    drawn += 0.7 * rng.integers(0, 2, size=n)
    if case % 3 == 0:
        drawn = np.round(drawn)
    if case % 4 == 0:
        drawn[rng.random(drawn.shape) < 0.3] = 0.0
    return drawn


@pytest.mark.parametrize("statistic", JOINT_STATISTICS)
def test_counts_names_and_groups_are_those_of_all_flips_and_all_sets(
    statistic: JointStatistic,
) -> None:
    rng = np.random.default_rng(14)
    for case in range(40):
        differences = _differences(rng, case)
        n = differences.shape[1]
        flips = flip_jointly(differences)
        p_values = _by_enumeration(differences, statistic)
        claims = [
            max(p for members, p in p_values.items() if len(members) > n - u)
            for u in range(1, n + 1)
        ]
        names = [max(p for members, p in p_values.items() if i in members) for i in range(n)]
        counting = count_by_flips(flips, alpha=0.1, statistic=statistic)
        named = identify_by_flips(flips, alpha=0.1, statistic=statistic)
        assert flips.exact, case
        if statistic == "max":
            alone = [p_values[(i,)] for i in range(n)]
            assert joint_p_values(flips) == pytest.approx(alone, abs=1e-12), case
        assert counting.partial_conjunction_p_values == pytest.approx(claims, abs=1e-12), case
        assert named.adjusted_p_values == pytest.approx(names, abs=1e-12), case
        everything = tuple(range(n))
        assert counting.k_hat == _bound(p_values, everything, 0.1), case
        assert counting.k_hat == k_hat_by_flips(flips, alpha=0.1, statistic=statistic), case
        for size in range(1, n + 1):
            for group in combinations(everything, size):
                found = count_in_group_by_flips(flips, group, alpha=0.1, statistic=statistic)
                assert found == _bound(p_values, group, 0.1), (case, group)


def _sets_of(node: _Node) -> list[tuple[int, ...]]:
    """The sets of datasets that a node of the search stands for."""
    parts = (combinations(free, n) for free, n in zip(node.free, node.wanted, strict=True))
    return [tuple(sorted(chain(node.fixed, *chosen))) for chosen in product(*parts)]


def test_a_node_of_the_search_parts_into_nodes_of_its_sets_and_none_exceeds_its_bound() -> None:
    rng = np.random.default_rng(9)
    for size in (1, 2, 3):
        differences = rng.normal(size=(8, 5)) + rng.normal(size=(8, 1))
        p_values = _by_enumeration(differences, "sum")
        search = _Search(flip_jointly(differences, n_flips=1 << 8))
        every = np.arange(1 << 8)
        inside, outside = (0, 1, 3), (2, 4)
        left = [_Node((), (inside, outside), (size, 1), np.zeros(every.size), every)]
        while left:
            node = left.pop()
            sets = _sets_of(node)
            assert max(p_values[own] for own in sets) <= node.rows.size / every.size
            assert search._likely(node) in {p_values[own] for own in sets}
            parts = list(search._split(node))
            if parts:
                assert sorted(own for part in parts for own in _sets_of(part)) == sorted(sets)
            left += parts


def test_drawn_flips_come_near_all_flips() -> None:
    differences = np.random.default_rng(3).normal(0.5, 1.0, size=(12, 5))
    flips = [flip_jointly(differences, n_flips=n, rng=1) for n in (4095, 4094)]
    assert [(each.exact, len(each.flipped)) for each in flips] == [(True, 4096), (False, 4095)]
    every, drawn = map(count_by_flips, flips)
    off = drawn.partial_conjunction_p_values - every.partial_conjunction_p_values
    spread = np.sqrt(every.partial_conjunction_p_values / 4095)
    assert (np.abs(off) <= 5.0 * spread + 0.03 * every.partial_conjunction_p_values).all()


def test_datasets_without_a_common_example_are_named_as_by_a_step_down_permutation_test() -> None:
    """Written out: Westfall and Young's algorithm 4.1 on signs drawn apart for each dataset."""
    rng = np.random.default_rng(8)
    blocks = [rng.normal(shift, 1.0, size=40) for shift in (0.6, 0.5, 0.1, 0.0)]
    differences = np.zeros((160, 4))
    for i, block in enumerate(blocks):
        differences[40 * i : 40 * (i + 1), i] = block
    flips = flip_jointly(differences, n_flips=9999, rng=2)
    signs = rng.choice([-1.0, 1.0], size=(4, 20_000, 40))
    z = np.array(
        [s @ block / np.linalg.norm(block) for s, block in zip(signs, blocks, strict=True)]
    )
    observed = np.array([block.sum() / np.linalg.norm(block) for block in blocks])
    order = np.argsort(-observed)
    adjusted = np.empty(4)
    for place, i in enumerate(order):
        adjusted[i] = np.mean(z[order[place:]].max(axis=0) >= observed[i])
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    named = identify_by_flips(flips, statistic="max").adjusted_p_values
    assert np.abs(named - adjusted).max() < 0.02


def test_names_by_max_are_never_fewer_than_holms_on_average() -> None:
    rng = np.random.default_rng(5)
    by_max = holm = 0
    for study in studies("one strong, ρ = .6", 60, rng):
        flips = flip_jointly(study.differences, n_flips=199, rng=rng)
        by_max += k_hat_by_flips(flips, statistic="max")
        holm += count_datasets(joint_p_values(flips)).k_hat
    assert by_max >= holm


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_count_overstates_at_most_in_a_share_alpha(scenario: str) -> None:
    rng = np.random.default_rng(21)
    n_studies, alpha = 150, 0.05
    wrong = dict.fromkeys(JOINT_STATISTICS, 0)
    for study in studies(scenario, n_studies, rng):
        flips = flip_jointly(study.differences, n_flips=99, rng=rng)
        for statistic in JOINT_STATISTICS:
            wrong[statistic] += k_hat_by_flips(flips, alpha=alpha, statistic=statistic) > study.k
    for statistic, n_wrong in wrong.items():
        low = binomtest(n_wrong, n_studies).proportion_ci(0.999).low
        assert low <= alpha, (statistic, n_wrong)


def test_a_dataset_whose_differences_are_all_zero_is_counted_and_never_named() -> None:
    differences = np.column_stack([np.ones(10), np.zeros(10)])
    flips = flip_jointly(differences)
    for statistic in JOINT_STATISTICS:
        assert count_by_flips(flips, statistic=statistic).n_datasets == 2
        assert identify_by_flips(flips, statistic=statistic).rejected.tolist() == [True, False]


def test_differences_may_be_as_small_as_likelihoods_are() -> None:
    differences = np.random.default_rng(4).normal(0.6, 1.0, size=(12, 4))
    p_values, tiny = (joint_p_values(flip_jointly(differences * by)) for by in (1.0, 2.0**-700))
    assert tiny.tolist() == p_values.tolist() != [1.0] * 4


def test_turned_is_the_other_systems_side() -> None:
    differences = np.random.default_rng(4).normal(-0.6, 1.0, size=(12, 4))
    flips = flip_jointly(differences)
    assert count_by_flips(flips.turned()).k_hat == count_by_flips(flip_jointly(-differences)).k_hat
