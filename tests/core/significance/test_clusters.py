"""Clusters: every way to draw and to exchange whole clusters, in fractions."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.data import ResultSet
from core.errors import DataError
from core.significance.known_tests import significance_tests
from core.significance.run import run_dataset_tests
from core.significance.single import run_significance_test
from tests.core.significance import oracles
from tests.core.significance.sides import (
    OF_TWO,
    RESAMPLING,
    of_differences,
    resampling_tests,
    sides,
)

RNG = np.random.default_rng(1989)

# For each cluster, the scores of A and B on its examples, in tenths.
Groups = list[list[tuple[int, int]]]
pair = st.tuples(st.integers(0, 5), st.integers(0, 5))
groups = st.lists(st.lists(pair, min_size=1, max_size=3), min_size=1, max_size=5)
equal_groups = st.integers(1, 3).flatmap(
    lambda size: st.lists(st.lists(pair, min_size=size, max_size=size), min_size=1, max_size=5)
)


@resampling_tests
def test_examples_that_stand_there_twice_say_no_more_than_once(test: Any) -> None:
    rng = np.random.default_rng(8)
    lattices = rng.choice([-0.3, 0.0, 0.1, 0.7], 40), rng.choice([-1.0, 0.0, 1.0], 30)
    for scores in (*lattices, rng.normal(0.2, 1.0, 40)):
        n = scores.size
        single = of_differences(scores, test, n_resamples=99, rng=0)
        twice = np.repeat(np.arange(n), 2)
        pairs = of_differences(scores[twice], test, clusters=twice, n_resamples=99, rng=0)
        assert pairs.exact == single.exact == (np.unique(scores).size < 5)
        assert sides(pairs) == pytest.approx(sides(single), rel=1e-10)
        assert pairs.confidence_interval == pytest.approx(single.confidence_interval, rel=1e-10)
        assert pairs.statistic == pytest.approx(single.statistic, rel=1e-10)


def flat(given_groups: Groups) -> tuple[list[float], list[float], list[str]]:
    """Scores of A and B and labels, the clusters' examples in turn and not side by side."""
    rows = [
        (place, a / 10, b / 10, f"doc{number}")
        for number, group in enumerate(given_groups)
        for place, (a, b) in enumerate(group)
    ]
    rows.sort(key=lambda row: (row[0], row[3]))
    return [row[1] for row in rows], [row[2] for row in rows], [row[3] for row in rows]


def mean_difference(examples: Sequence[tuple[int, int]]) -> Fraction:
    return Fraction(sum(a - b for a, b in examples), len(examples))


def by_every_draw(given_groups: Groups) -> list[float]:
    return oracles.by_every_draw(
        len(given_groups),
        lambda drawn: mean_difference([one for number in drawn for one in given_groups[number]]),
    )


def by_every_exchange(given_groups: Groups) -> list[float]:
    def delta_of(swapped: Sequence[bool]) -> Fraction:
        turned = [[(y, x) for x, y in group] for group in given_groups]
        groups_of_a, _ = oracles.exchanged(given_groups, turned, swapped)
        return mean_difference([one for group in groups_of_a for one in group])

    return oracles.by_every_swap(len(given_groups), delta_of)


ORACLES: dict[str, Callable[[Groups], list[float]]] = {
    "paired-bootstrap": by_every_draw,
    "approximate-randomization": by_every_exchange,
}


@resampling_tests
@settings(max_examples=50, deadline=None)
@given(given_groups=st.one_of(groups, equal_groups), higher=st.booleans())
def test_whole_clusters_are_drawn_and_exchanged(
    test: Any, given_groups: Groups, higher: bool
) -> None:
    a, b, labels = flat(given_groups)
    result = run_significance_test(a, b, test=test, clusters=labels, higher_is_better=higher)
    assert result.exact
    assert result.n_clusters == len(given_groups)
    better_first = (
        given_groups if higher else [[(y, x) for x, y in group] for group in given_groups]
    )
    assert sides(result) == pytest.approx(ORACLES[test](better_first), rel=1e-9)


def test_out_of_reach_is_where_no_cluster_of_any_size_has_twice_the_difference() -> None:
    rng, n_out = np.random.default_rng(0), 0
    for _ in range(40):
        labels = np.repeat(np.arange(4), rng.permutation([1, 2, 3, 5]))
        a, b = rng.integers(0, 6, (2, labels.size)) / 10.0
        a += rng.choice([0.0, 1.0])
        result = run_significance_test(a, b, test="paired-bootstrap", clusters=labels, rng=0)
        assert result.exact
        delta = Fraction(round(10 * float((a - b).sum())), 10 * labels.size)
        # The farthest resample is one cluster drawn each time.
        means = [Fraction(round(10 * float(d.sum())), 10 * d.size) for d in of_each(a - b, labels)]
        out = max(means) < 2 * delta, min(means) > 2 * delta
        assert result.unreachable == (("greater" if out[0] else "less") if any(out) else None)
        n_out += any(out)
    assert 10 < n_out < 30


def of_each(values: np.ndarray, labels: np.ndarray) -> list[np.ndarray]:
    return [values[labels == label] for label in np.unique(labels)]


@resampling_tests
def test_one_cluster_an_example_is_no_cluster(test: Any) -> None:
    a, b = RNG.normal(0.2, 1.0, 60), RNG.normal(0.0, 1.0, 60)
    counts = RNG.integers(1, 9, (2, 60, 3)).astype(float)
    gold, tied_a, tied_b = np.tile([[1.0, 2.0, 3.0], [1.0, 2.0, 2.0], [1.0, 1.0, 2.0]], 20)
    cases: dict[str, Any] = {
        "0/1": ("mean", (a > 0.0) * 1.0, (b > 0.0) * 1.0, None),
        "tenths": ("mean", np.round(a, 1), np.round(b, 1), None),
        "measured": ("mean", a, b, None),
        "ratio": ("ratio", *(counts[:, :, :2] + [0.0, 9.0]), None),
        "f1": ("f1", *counts, None),
        "pearson": ("pearson", a, b, a + 3.0 * b),
        "spearman": ("spearman", counts[0, :, 0], counts[1, :, 0], counts.sum(axis=(0, 2))),
        "spearman of examples alike": ("spearman", tied_a, tied_b, gold),
    }
    for case, (metric, of_a, of_b, of_gold) in cases.items():
        for method in ("auto", "monte-carlo") if metric == "mean" else ("auto",):
            how: dict[str, Any] = {"test": test, "metric": metric, "method": method}
            how |= {"gold": of_gold, "n_resamples": 499, "rng": 3}
            alone = run_significance_test(of_a, of_b, **how)
            each = run_significance_test(of_a, of_b, clusters=np.arange(60), **how)
            assert sides(each) == sides(alone), case
            assert each.confidence_interval == pytest.approx(alone.confidence_interval), case
            assert (each.exact, each.n_extreme) == (alone.exact, alone.n_extreme), case
            assert (alone.n_clusters, each.n_clusters) == (None, 60), case


def predicted() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    labels = np.array([0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4])
    rng = np.random.default_rng(4)
    gold = np.round(rng.normal(size=12), 1)
    a, b = gold + rng.normal(0.0, 0.6, 12), gold + rng.normal(0.0, 0.9, 12)
    return gold, np.round(a, 1), np.round(b, 1), labels


@pytest.mark.parametrize("kind", tuple(OF_TWO))
def test_correlations_are_computed_anew_from_the_clusters_drawn(kind: str) -> None:
    gold, a, b, labels = predicted()
    members = [np.flatnonzero(labels == label) for label in range(5)]

    def delta_of(drawn: Sequence[int]) -> float:
        rows = np.concatenate([members[label] for label in drawn])
        # A single example has no correlation: such a resample counts as extreme.
        if len(set(rows.tolist())) == 1:
            return math.nan
        r_a, r_b = (OF_TWO[kind](gold[rows], x[rows]).statistic for x in (a, b))
        return float(r_a - r_b)

    result = run_significance_test(
        a, b, gold=gold, metric=kind, test="paired-bootstrap", clusters=labels, rng=0
    )
    assert oracles.near(sides(result), oracles.by_every_draw(5, delta_of, room=1e-12), 9999)
    alone = run_significance_test(a, b, gold=gold, metric=kind, test="paired-bootstrap", rng=0)
    assert abs(alone.p_value - result.p_value) > 0.01


@pytest.mark.parametrize("kind", tuple(OF_TWO))
def test_standings_change_places_on_whole_clusters(kind: str) -> None:
    gold, a, b, labels = predicted()
    standing = stats.rankdata if kind == "spearman" else stats.zscore
    own = [standing(x) for x in (gold, a, b)]

    def delta_of(swapped: Sequence[bool]) -> float:
        swap = np.array(swapped)[labels]
        x, y = np.where(swap, own[2], own[1]), np.where(swap, own[1], own[2])
        return float(np.corrcoef(own[0], x)[0, 1] - np.corrcoef(own[0], y)[0, 1])

    result = run_significance_test(
        a, b, gold=gold, metric=kind, test="approximate-randomization", clusters=labels
    )
    assert result.exact
    assert sides(result) == pytest.approx(oracles.by_every_swap(5, delta_of, room=1e-9))


def test_tests_of_independent_examples_are_refused() -> None:
    for test in set(significance_tests) - {*RESAMPLING, "tango"}:
        gold = [1.0, 2.0, 3.0] if test in ("williams", "steiger", "meng") else None
        with pytest.raises(
            ValueError, match=rf"`test` must .* got '{test}': .* these come in clusters"
        ):
            run_significance_test([1, 0, 1], [0, 0, 1], test=test, gold=gold, clusters=[1, 1, 2])


def test_wrong_labels_are_named() -> None:
    masked = np.ma.masked_array([1, 2, 3], mask=np.array([False, True, False]))
    wrong: tuple[tuple[Any, str], ...] = (
        (["x", "y"], r"3 of them; got 2"),
        ([["x"], ["y"], ["z"]], r"2 dimensions"),
        ([{1}, {2}, {3}], r"got \{1\} at index 0"),
        (["x", None, "y"], r"none at index 1"),
        (["x", "y", ""], r"none at index 2"),
        ([0.0, float("nan"), 1.0], r"none at index 1"),
        (masked, r"none at index 1"),
    )
    for labels, message in wrong:
        with pytest.raises(ValueError, match=f"`clusters` must .*{message}"):
            run_significance_test([1, 0, 1], [0, 0, 1], test="paired-bootstrap", clusters=labels)


@resampling_tests
def test_of_sums_that_are_the_same_in_every_cluster_alone_it_is_said_and_p_is_1(test: Any) -> None:
    same = [1.0, 0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 1.0, 0.0, 1.0]
    other = same[0], [0.0, 0.0, 1.0, 1.0, 1.0]
    for (a, b), labels, told in (
        (same, [0, 0, 1, 1, 2], "add up to the same"),
        (same, [0, 0, 0, 0, 0], "add up to the same"),
        (other, [0, 0, 1, 1, 2], None),
        ((same[0], same[0]), [0, 0, 1, 1, 2], "all differences are zero"),
    ):
        counted = [np.column_stack([x, np.ones(5)]) for x in (a, b)]
        for pair, metric in (((a, b), "mean"), (counted, "ratio")):
            result = run_significance_test(*pair, test=test, metric=metric, clusters=labels)
            assert (sides(result) == (1.0, 1.0, 1.0)) == (told is not None)
            for text in ("add up to the same", "all differences are zero"):
                assert any(text in note for note in result.notes) == (text == told)


SCORES = {
    name: {"ours": RNG.normal(0.3, 1.0, 40), "theirs": RNG.normal(0.0, 1.0, 40)}
    for name in ("A", "B")
}
DOCUMENTS = np.repeat(np.arange(8), 5)


def test_every_problem_with_clusters_is_told_before_any_test_runs() -> None:
    data = ResultSet.from_scores(SCORES)
    with pytest.raises(DataError) as caught:
        run_dataset_tests(
            data,
            a="ours",
            b="theirs",
            test={"A": "mcnemar", "B": "paired-bootstrap"},
            clusters={"A": DOCUMENTS, "B": DOCUMENTS[:-1]},
        )
    problems = caught.value.problems
    for what, problem in zip(("0 or 1", "independent", "got 39"), problems, strict=True):
        assert what in problem.what
    # One test cannot be both the remedy of one problem and refused for the other.
    assert problems[0].remedy == problems[1].remedy
    with pytest.raises(ValueError, match=r"`clusters` must name datasets .* unknown 'C'"):
        run_dataset_tests(data, a="ours", b="theirs", clusters={"C": DOCUMENTS})
