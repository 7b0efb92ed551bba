"""Sentences and tables about many systems: the leaderboard, letters of those that do not differ, gains."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet
from core.effects.friedman import friedman
from core.effects.post_hoc import nemenyi
from core.sections import across, systems
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import standings
from core.systems.counting import CountMatrix, count_matrix


def test_too_few_resamples_withhold_the_lead_and_name_how_many_are_needed() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=(200, 1))
    scores = base + 0.1 * rng.normal(size=(200, 5)) + np.arange(5)
    data = ResultSet.from_scores({"d": {f"s{k}": scores[:, k] for k in range(5)}})
    test = {"test": "approximate-randomization", "method": "monte-carlo"}

    def joint(resamples: int) -> CountMatrix:
        pairs = compare_all_pairs(data, n_resamples=resamples, **test)  # type: ignore[arg-type]
        return count_matrix(pairs, family="all")

    # Twenty claims at .05: the smallest p, 1/(b + 1), must be at most .0025.
    few = joint(398)
    assert systems.withheld(few)
    assert all(number in systems.lead_sentence(few) for number in ("398", "20", "399"))
    assert not few.k_hat.any()
    enough = joint(399)
    assert not systems.withheld(enough)
    assert enough.k_hat.any()
    assert systems.lead_sentence(enough).count("s4")


def test_the_lead_has_the_counts_of_the_matrix_and_says_once_who_is_told_apart() -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(60, 3))
    far, near = np.array([3.0, 0.0, 0.0]), np.array([3.0, 3.0, 0.0])
    shifts = [far, far, near]
    data = ResultSet.from_scores(
        {
            f"d{i}": {name: noise[:, k] + shift[k] for k, name in enumerate("abc")}
            for i, shift in enumerate(shifts)
        }
    )
    counts = count_matrix(compare_all_pairs(data), family="all")
    assert counts.k_hat[0].tolist() == [0, 2, 3]
    assert systems.lead_sentence(counts).endswith(
        "a, with the best mean rank, is better than c on all 3 datasets and than b on at least 2."
    )


def test_a_shared_best_score_is_said_with_whom() -> None:
    same = np.arange(40.0)
    scores = {"a": same, "b": same[::-1], "c": same - 50.0}
    counts = count_matrix(compare_all_pairs(ResultSet.from_scores({"d": scores})), family="pair")
    assert "a, with the best score (shared with b) on d," in systems.lead_sentence(counts)


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


def assert_overlap(held: Sequence[set[Any]], apart: np.ndarray) -> None:
    """Marks have something in common exactly where two systems do not differ significantly."""
    for i, own in enumerate(held):
        assert [bool(own & others) for others in held[:i]] == (~apart[i, :i]).tolist()


def test_a_pair_of_equal_means_has_a_gain_of_0_and_not_what_rounding_leaves() -> None:
    a = np.random.default_rng(1).random(50)
    equal = ResultSet.from_scores({"d": {"A": a, "B": np.random.default_rng(2).permutation(a)}})
    pairs = compare_all_pairs(equal, n_resamples=99)
    assert pairs.scores[0, 0] != pairs.scores[0, 1]
    assert systems.pair_frame(pairs, "A", "B")["gain of first"].tolist() == [0.0]


@pytest.mark.parametrize(("higher", "ahead"), [(True, "A"), (False, "B")])
def test_a_pair_is_told_by_name_and_in_the_scores_given_whichever_are_better(
    higher: bool, ahead: str
) -> None:
    noise = np.random.default_rng(5).normal(size=(3, 40, 2)).round(2)
    data = {f"d{d}": {"A": 0.5 + noise[d, :, 0], "B": noise[d, :, 1] - 1.5} for d in range(3)}
    for names in (["d0"], list(data)):
        scores = {name: data[name] for name in names}
        pairs = compare_all_pairs(ResultSet.from_scores(scores, higher_is_better=higher))
        counts, ranked = count_matrix(pairs), standings(pairs)
        sentence = systems.pair_sentence(counts, ranked, "B", "A")
        behind = "AB"["AB".index(ahead) - 1]
        assert f"{ahead} is better than {behind}" in sentence
        a, b = (f"{np.mean(scores['d0'][name]):.4g}" for name in "AB")
        toward = "higher is better" if higher else "lower is better"
        if len(names) > 1:
            wins = {ahead: 3, behind: 0}
            assert sentence.endswith(f"B scores better on {wins['B']}, A on {wins['A']}.")
        else:
            assert sentence.endswith(f"B scores {b}, A {a} ({toward}).")
            board = systems.leaderboard(ranked, counts=counts).frame
            assert board[f"score, {toward}"].tolist() == pytest.approx(
                [np.mean(scores["d0"][name]) for name in (ahead, behind)]
            )


def test_letters_stand_wherever_those_of_each_system_can_be_read_and_all_in_the_download() -> None:
    # More tiers than the alphabet has letters, but few of them for each system.
    many = counted(60, n=900)
    board = systems.leaderboard(standings(many.pairs), counts=many)
    marks = dict(zip(board.frame["system"], board.frame["letters"], strict=True))
    assert len(many.tiers()) > 26
    assert_overlap([set(marks[name].split()) for name in many.systems], many.separated())
    counts = counted(60, n=100, n_datasets=5)
    ranked = standings(counts.pairs)
    assert "letters" not in systems.leaderboard(ranked, counts=counts).frame
    assert "too many overlapping groups" in systems.counts_note(counts)
    every = systems.leaderboard(ranked, counts=counts, most_letters=np.inf).frame["letters"]
    own = dict(zip(ranked.to_frame()["system"], every, strict=True))
    assert_overlap([set(own[name].split()) for name in counts.systems], counts.separated())


def test_mean_ranks_of_many_systems_have_numbers_in_place_of_letters() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(60, 80)) + np.linspace(0.0, 6.0, 80)
    found = nemenyi(friedman(scores, systems=[f"s{k}" for k in range(80)]))
    assert found.lettered is None
    heading, marks = across.marks_of_ranks(found)
    assert heading == "not significantly different"
    assert [int(mark) for mark in marks.values()] == (79 - found.separated.sum(axis=1)).tolist()
    assert "the table counts the systems" in across.letters_note(found)
