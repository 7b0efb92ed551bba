"""Letters of systems that are not told apart, when there are more than the alphabet has."""

from __future__ import annotations

import numpy as np

from core.data import ResultSet
from core.effects.friedman import friedman
from core.effects.post_hoc import nemenyi
from core.systems.all_pairs import compare_all_pairs
from core.systems.counting import CountMatrix, count_matrix
from core.words import systems_board as systems_tables


def counted(m: int, *, n: int = 400, n_datasets: int = 1, seed: int = 0) -> CountMatrix:
    rng = np.random.default_rng(seed)
    ability = np.linspace(0.2, 0.9, m)
    return count_matrix(
        compare_all_pairs(
            ResultSet.from_scores(
                {
                    f"d{d}": {f"s{k}": (rng.random(n) < ability[k]).astype(float) for k in range(m)}
                    for d in range(n_datasets)
                }
            )
        )
    )


def places(mark: str) -> set[int]:
    """Which tiers a mark stands for, read as a person would."""

    def number(letters: str) -> int:
        found = 0
        for letter in letters:
            found = 26 * found + ord(letter) - ord("a") + 1
        return found

    held: set[int] = set()
    for part in mark.split():
        first, _, last = part.partition("–")
        held |= set(range(number(first), number(last or first) + 1))
    return held


def test_after_z_come_aa_and_ab_and_stretches_are_written_by_their_ends() -> None:
    # System 0 is in tiers 1 to 28, system 1 in the 25th to the 27th, system 2 in the first and third.
    groups = [(0, 2), (0,), (0, 2), *((0,) for _ in range(21)), (0, 1), (0, 1), (0, 1), (0,)]
    assert systems_tables.tier_marks(groups, 3) == ("a–ab", "y–aa", "a c")


def test_marks_of_many_systems_overlap_exactly_where_two_are_not_told_apart() -> None:
    counts = counted(60, n=900)
    assert len(counts.tiers().tiers) > 26
    marks = systems_tables.marks_of_counts(counts)
    assert marks is not None
    apart = counts.separated()
    held = [places(marks[name]) for name in counts.systems]
    for i, own in enumerate(held):
        for j, others in enumerate(held[:i]):
            assert bool(own & others) != bool(apart[i, j])


def test_more_datasets_to_be_told_apart_make_fewer_tiers_apart() -> None:
    counts = counted(8, n=150, n_datasets=4)
    strict, usual = counts.separated(at_least=3), counts.separated()
    assert strict.sum() < usual.sum()
    marks = systems_tables.marks_of_counts(counts, at_least=3)
    assert marks is not None
    # Letters stand side by side without spaces.
    for i, one in enumerate(counts.systems):
        for j, other in enumerate(counts.systems):
            if i != j:
                assert bool(set(marks[one]) & set(marks[other])) != bool(strict[i, j])
    assert "neither is better on at least 3" in systems_tables.counts_note(counts, at_least=3)


def test_mean_ranks_of_many_systems_have_stretches_of_letters() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(60, 80)) + np.linspace(0.0, 6.0, 80)
    found = nemenyi(friedman(scores, systems=[f"s{k}" for k in range(80)]))
    assert found.lettered is None
    heading, marks = systems_tables.marks_of_ranks(found)
    assert heading == "letters"
    for i in range(0, 80, 7):
        for j in range(i + 1, 80):
            shared = bool(places(marks[f"s{i}"]) & places(marks[f"s{j}"]))
            assert shared != bool(found.separated[i, j])
    assert "“c–f” stands for" in systems_tables.ranks_note(found)
