"""The matrix of counts, its families, what they promise, and tiers that nothing separates."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from core.effects.post_hoc import letters
from core.replicability.counting import count_datasets
from core.replicability.identification import identify_datasets
from core.systems.all_pairs import compare_all_pairs
from core.systems.counting import count_matrix
from tests.core.systems.made import result_set, scores_of, two_groups


@pytest.fixture(scope="module")
def pairs():
    tables = [two_groups(90, 8, seed=k, spread=0.25) for k in range(7)]
    return compare_all_pairs(result_set(*tables), test="paired-t")


@pytest.mark.parametrize("combination", ["bonferroni", "fisher", "simes"])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_each_entry_is_the_count_of_its_pair(pairs, combination, alpha):
    found = count_matrix(pairs, alpha=alpha, combination=combination)
    for i, j in itertools.permutations(range(8), 2):
        own = pairs.p_values[:, i, j]
        counted = count_datasets(own, alpha=alpha, combination=combination)
        assert found.k_hat[i, j] == counted.k_hat
    assert found.k_hat.max() > 1
    assert (np.diag(found.k_hat) == 0).all()
    many = len(found.systems) * (len(found.systems) - 1)
    for alpha, said in (
        (1.01 / many, "if all 8 systems were equal, up to about 1 such claim would"),
        (0.99 / many, "guarantee: some of"),
    ):
        assert said in replace(found, alpha=alpha).guarantee
    # Where nothing is claimed nothing can be wrong.
    assert replace(found, k_hat=0 * found.k_hat).guarantee.endswith("no joint guarantee.")


def test_names_come_from_the_closed_test_behind_the_count(pairs):
    procedures: dict[str, str] = {
        "bonferroni": "holm",
        "fisher": "fisher-closed",
        "simes": "hommel",
    }
    for combination, procedure in procedures.items():
        found = count_matrix(pairs, combination=combination)
        for i, j in ((7, 0), (3, 0), (0, 3)):
            named = identify_datasets(pairs.p_values[:, i, j], procedure=procedure).rejected
            assert found.names(f"s{i}", f"s{j}") == tuple(np.array(pairs.datasets)[named])
    bonferroni = count_matrix(pairs)
    assert len(bonferroni.names("s3", "s0")) == bonferroni.k_hat[3, 0]


def test_the_family_of_all_is_holm_over_both_directions_of_all_pairs_on_all_datasets(pairs):
    found = count_matrix(pairs, family="all")
    off = ~np.eye(8, dtype=bool)
    claims = [(d, i, j) for d in range(7) for i, j in itertools.permutations(range(8), 2)]
    values = [float(pairs.p_values[claim]) for claim in claims]
    # Holm, step by step.
    named = set()
    order = sorted(range(len(values)), key=values.__getitem__)
    for place, k in enumerate(order):
        if values[k] * (len(values) - place) > 0.05:
            break
        named.add(claims[k])
    assert named
    assert int(found.k_hat.sum()) == len(named)
    assert {tuple(one) for one in np.argwhere(found.named_of_all).tolist()} == named
    assert (found.k_hat[off] <= count_matrix(pairs).k_hat[off]).all()
    assert f"Holm over {len(values)} claims" in found.guarantee
    assert count_matrix(pairs, family="all", combination="fisher").combination == "bonferroni"


def test_joint_names_are_wrong_no_more_often_than_alpha_where_nothing_differs():
    rng = np.random.default_rng(8)
    wrong = alone = 0
    for k in range(60):
        tables = [rng.normal(size=(40, 5)) for _ in range(2)]
        same = compare_all_pairs(result_set(*tables), test="paired-t", rng=k)
        wrong += bool(count_matrix(same, family="all").k_hat.any())
        alone += bool(count_matrix(same).k_hat.any())
    # At most .05 of 60 is 3 on average; 9 or more has a chance below .005.
    assert wrong <= 8
    assert alone > 15


def test_told_apart_is_counted_at_half_the_level_each_way_and_joint_claims_as_they_are(pairs):
    found = count_matrix(pairs)
    half = count_matrix(pairs, alpha=0.025)
    assert np.array_equal(found.k_hat_both_ways, half.k_hat)
    assert np.array_equal(found.separated(), half.k_hat + half.k_hat.T > 0)
    assert not np.array_equal(found.k_hat_both_ways, found.k_hat)
    for i, j in itertools.permutations(range(8), 2):
        one, other = f"s{i}", f"s{j}"
        assert found.names(one, other, both_ways=True) == half.names(one, other)
    of_all = count_matrix(pairs, family="all")
    assert np.array_equal(of_all.k_hat_both_ways, of_all.k_hat)


def test_what_is_out_of_reach_counts_for_nothing_and_is_said():
    tables = [scores_of("0/1", 60, 3, k) for k in range(4)]
    for table in tables:
        table[:, 0], table[:45, 1] = 1.0, 0.0
    pairs = compare_all_pairs(result_set(*tables), test="paired-bootstrap")
    assert pairs.out_of_reach.size
    found = count_matrix(pairs)
    assert found.k_hat[0, 1] == 0
    assert found.n_not_counted == pairs.out_of_reach.shape[0]
    assert any("count for nothing" in note for note in found.notes)
    # As they stand these p-values would count.
    assert (pairs.p_values[:, 0, 1] < 0.001).all()
    assert "not-counted" in found.signature


def test_tiers_hold_systems_that_no_count_separates(pairs):
    found = count_matrix(pairs)
    marks = letters(found.tiers(at_least=2), 8)
    apart = found.separated(at_least=2)
    assert "a" in marks[int(np.argmin(found.mean_ranks))]
    for i, j in itertools.combinations(range(8), 2):
        assert bool(set(marks[i]) & set(marks[j])) != bool(apart[i, j])
    with pytest.raises(ValueError, match="different systems"):
        found.names("s0", "s0")


def test_resamples_are_too_few_for_entries_at_the_level_and_for_tiers_at_half_of_it():
    rng = np.random.default_rng(0)
    tables = [rng.normal([9.0, 0.0], size=(60, 2)) for _ in range(3)]

    def counted(n_resamples, tables=tables, **settings):
        pairs = compare_all_pairs(
            result_set(*tables), test="approximate-randomization", n_resamples=n_resamples
        )
        return count_matrix(pairs, **settings)

    none, few, enough = counted(58), counted(59), counted(119)
    assert (none.k_hat[0, 1], none.too_few_resamples) == (0, (58,) * 3)
    assert "give no claim, however large the difference; that needs at least 59." in none.notes[0]
    # Every entry is whole, so that nothing may be said to be out of reach but the tiers.
    assert (few.k_hat[0, 1], few.too_few_resamples) == (3, ())
    assert not few.separated().any()
    assert few.notes == (
        "The tiers need at least 119 resamples, because either system of a pair may be the better one.",
    )
    assert enough.separated().any()
    assert not enough.notes
    # All claims together have both directions in them; Fisher's entries have no threshold by Holm.
    assert not counted(119, family="all").notes
    assert not counted(58, combination="fisher").notes
    # One dataset's test is exact: of all claims together it may be named first.
    half_exact = [*tables[:2], np.round(tables[2])]
    for drawn, said in ((tables, True), (half_exact, False)):
        notes = counted(19, drawn, family="all").notes
        assert any("that needs at least 119" in note for note in notes) == said
    mixed = counted(59, half_exact)
    assert mixed.k_hat[0, 1] == 3
    assert mixed.pairs.n_resamples.count(None) == 1
    (note,) = mixed.notes
    assert note.startswith(
        "For the tiers, a dataset tested on 59 resamples is significant only after"
    )
