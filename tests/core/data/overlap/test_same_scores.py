"""Datasets with the same scores are one dataset under two names, where chance is ruled out."""

import numpy as np

from core.data.overlap.find import find_overlap
from core.data.overlap.signs import find_same_scores
from core.data.result_set import ResultSet
from core.data.side_data import Inputs
from tests.core.made import set_of


def drawn(n, seed, *, share=0.7):
    return (np.random.default_rng(seed).random((n, 3)) < share).astype(float)


def results(scores, *, ids=None, inputs=None):
    codes = tuple(np.array(c, dtype=np.int32) for c in inputs or ())
    return set_of(
        "mean",
        *scores.values(),
        datasets=scores,
        systems="ABC",
        example_ids=ids,
        inputs=Inputs(columns=("text",), codes=codes) if inputs else None,
    )


def same(**scores):
    return find_same_scores(results(scores))


def test_a_copy_under_another_name_is_found_in_its_place():
    one, other = drawn(500, 1), drawn(500, 2)
    assert same(ja=other, hi=one, ja_2=other, de=drawn(500, 3), hi_copy=one, hi_3=one) == (
        (0, 2),
        (1, 4, 5),
    )


def test_it_speaks_against_independence_where_nothing_else_was_compared():
    one = drawn(500, 1)
    found = find_overlap(results({"hi": one, "hi_copy": one, "ja": drawn(500, 2)}))
    assert found.reason == "same-scores"
    assert found.dependence == "not-known"
    assert found.basis == "none"


def test_one_score_that_differs_is_another_dataset():
    for place in [(0, 0), (499, 2), (250, 1)]:
        one = drawn(500, 1)
        changed = one.copy()
        changed[place] = 1.0 - changed[place]
        assert same(hi=one, hi_copy=changed) == (), place
    # Nor do the same scores in another order say anything.
    assert same(hi=one, hi_copy=one[::-1]) == ()


def test_every_metric_must_agree():
    one, other = drawn(500, 1), drawn(500, 2)
    found = ResultSet(
        datasets=("hi", "hi_copy"),
        systems=("A", "B", "C"),
        values={"first": (one, one), "second": (one, other)},
        higher_is_better={"first": True, "second": True},
    )
    assert find_same_scores(found) == ()


def test_scores_that_may_agree_by_chance_are_not_called_the_same():
    kinds = np.array([[0.0, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 1]])
    for case, scores in {
        "few": drawn(8, 1),
        "all right": np.ones((5_000, 3)),
        "nearly all right": drawn(300, 1, share=0.995),
        "sorted": np.sort(drawn(5_000, 1), axis=0),
        "a few rows over and over": np.tile(drawn(4, 1), (500, 1)),
        "in blocks": np.repeat(drawn(6, 1), 500, axis=0),
        # In no order of a score: one kind of examples after the other.
        "one kind after the other": np.repeat(kinds, (700, 1300, 900, 1600), axis=0),
        "a short count": np.arange(36.0).reshape(12, 3),
    }.items():
        assert same(x=scores, y=scores.copy()) == (), case


def test_among_more_datasets_chance_makes_more_pairs_so_more_is_asked():
    # Four rows, nearly as frequent as each other: 2 bits a row, 43 in all.
    rows = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], dtype=float)
    codes = np.random.default_rng(5).permutation(np.arange(22) % 4)
    one = rows[codes]
    assert same(x=one, y=one) == ((0, 1),)
    others = {f"other {i}": drawn(30, i) for i in range(10)}
    assert same(x=one, y=one, **others) == ()


def test_the_rule_keeps_its_promise_on_datasets_drawn_at_random():
    # A rule that forgot how frequent the rows are would call most of these the same.
    for seed in range(300):
        one, other = drawn(40, 2 * seed, share=0.99), drawn(40, 2 * seed + 1, share=0.99)
        assert same(x=one, y=other) == ()


def test_what_is_sorted_by_distinct_scores_counts_without_its_order():
    numbers = np.sort(np.random.default_rng(1).normal(size=(200, 3)), axis=0)
    assert same(x=numbers, y=numbers) == ((0, 1),)
    assert same(x=numbers[:20], y=numbers[:20]) == ()
    # Of equal rows no order is one of several.
    pairs = np.repeat(numbers[:100], 2, axis=0)
    assert same(x=pairs, y=pairs) == ((0, 1),)


def test_rows_far_down_are_looked_at_where_the_first_say_nothing():
    one = np.concatenate([np.ones((25_000, 3)), drawn(500, 1)])
    assert same(x=one, y=one) == ((0, 1),)


def test_texts_that_differ_win_over_equal_scores():
    one = drawn(500, 1)
    scores = {"x": one, "y": one, "z": one}
    inputs = [range(500), range(500, 1_000), range(500)]
    assert find_same_scores(results(scores, inputs=inputs)) == ((0, 2),)


def test_ids_that_are_words_win_over_equal_scores_and_counts_do_not():
    one = drawn(500, 1)
    scores = {"x": one, "y": one}
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [first + second for first in letters for second in letters]
    assert find_same_scores(results(scores, ids=(words[:500], words[100:600]))) == ()
    assert find_same_scores(results(scores, ids=(words[:500], words[:500]))) == ((0, 1),)
    counts = [[str(i) for i in range(start, start + 500)] for start in (1, 501)]
    assert find_same_scores(results(scores, ids=tuple(counts))) == ((0, 1),)
