"""Ratios, F1, AER and BLEU of sums: resampled scores against every resample there is."""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.registry import STATISTIC_METRICS
from core.significance import bootstrap
from core.significance.lattice import TOO_MANY_BINS
from core.significance.single import run_significance_test
from tests.core.significance import oracles
from tests.core.significance.sides import RESAMPLING, sides

Rows = Sequence[Sequence[int]]
Score = Callable[[list[int]], Fraction]

shared = st.lists(
    st.integers(1, 6).flatmap(
        lambda t: st.tuples(st.integers(0, t), st.integers(0, t), st.just(t))
    ),
    min_size=1,
    max_size=5,
)
confusions = st.lists(
    st.tuples(*[st.integers(0, 9)] * 6).filter(lambda row: sum(row[:3]) and sum(row[3:])),
    min_size=1,
    max_size=6,
)


def ratio(sums: Sequence[int]) -> Fraction:
    return Fraction(sums[0], sums[1])


def f1(sums: Sequence[int]) -> Fraction:
    return Fraction(2 * sums[0], 2 * sums[0] + sums[1] + sums[2])


def added(rows: Rows) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def by_every_sample(a: Rows, b: Rows, score: Score) -> list[float]:
    return oracles.by_every_draw(
        len(a),
        lambda drawn: score(added([a[i] for i in drawn])) - score(added([b[i] for i in drawn])),
    )


def by_every_swap(a: Rows, b: Rows, score: Score) -> list[float]:
    def delta_of(swapped: Sequence[bool]) -> Fraction:
        x, y = oracles.exchanged(a, b, swapped)
        return score(added(x)) - score(added(y))

    return oracles.by_every_swap(len(a), delta_of)


def counted(metric: str, n: int, *, ahead: float = 0.0) -> list[np.ndarray]:
    """Counts of two systems; `ahead` is how much more often A is right."""
    rng = np.random.default_rng([n, len(metric)])
    size = rng.integers(8, 20, n)
    spurious = rng.binomial(size, 0.2)
    pair = []
    for chance in (0.5 + ahead, 0.5):
        right = rng.binomial(size, chance)
        matches = [rng.binomial(right, 0.6**order) for order in range(6)]
        columns = {
            "ratio": (right, size),
            "aer": (right, right, size, size),
            "ter": (size - right, size),
            "bleu": (size, size, *matches[:4], *(size - order for order in range(4))),
            "chrf": tuple(x for matched in matches for x in (size, size, matched)),
        }.get(metric, (right, spurious, size - right))
        pair.append(np.column_stack(columns).astype(float))
    return pair


@settings(max_examples=40, deadline=None)
@given(rows=shared)
def test_resampling_a_ratio_with_shared_totals_is_exact(rows: list) -> None:
    a, b = [(c, t) for c, _, t in rows], [(c, t) for _, c, t in rows]
    truths = (
        ([1.0, 1.0, 1.0] if a == b else by_every_sample(a, b, ratio)),
        by_every_swap(a, b, ratio),
    )
    for test, truth in zip(RESAMPLING, truths, strict=True):
        result = run_significance_test(a, b, test=test, metric="ratio")
        assert result.exact, test
        assert sides(result) == pytest.approx(truth), test
        assert result.statistic == pytest.approx(float(ratio(added(a)) - ratio(added(b)))), test


@settings(max_examples=150, deadline=None)
@given(rows=confusions)
def test_randomization_of_few_examples_tries_every_swap(rows: list) -> None:
    a, b = [row[:3] for row in rows], [row[3:] for row in rows]
    result = run_significance_test(a, b, test="approximate-randomization", metric="f1")
    assert result.exact
    assert sides(result) == pytest.approx(by_every_swap(a, b, f1))


def test_every_metric_finds_the_better_system_and_none_between_equal_ones() -> None:
    for metric, test in itertools.product(STATISTIC_METRICS, RESAMPLING):
        a, b = counted(metric, 80, ahead=0.25)
        how: dict[str, Any] = {"test": test, "metric": metric, "n_resamples": 999, "rng": 0}
        result, same = run_significance_test(a, b, **how), run_significance_test(a, a, **how)
        case = (metric, test)
        assert result.difference > 0.0, case
        assert result.p_value <= 0.001, case
        assert result.p_value_less > 0.99, case
        assert result.wins > 2 * result.losses, case
        assert result.confidence_interval[0] > 0.0, case
        # AER is an error: A has less of it, and keeps its score as given.
        assert result.higher_is_better == (metric not in ("aer", "ter")), case
        assert (result.score_a > result.score_b) == result.higher_is_better, case
        assert result.kind == result.metric == metric
        assert sides(same) == (1.0, 1.0, 1.0), case
        assert same.notes == ("all differences are zero",), case
        assert (same.wins, same.ties, same.losses) == (0, 80, 0), case
        assert (same.confidence_interval, same.statistic) == (None, 0.0), case


def test_an_example_is_won_where_exchanging_it_would_cost_the_lead() -> None:
    totals = np.array([4.0, 10.0, 7.0, 5.0])
    a = np.column_stack([[4.0, 3.0, 7.0, 2.0], totals])
    b = np.column_stack([[1.0, 5.0, 7.0, 1.0], totals])
    result = run_significance_test(a, b, test="approximate-randomization", metric="ratio")
    # With the same totals that is where more is correct.
    assert (result.wins, result.ties, result.losses) == (2, 1, 1)


def test_systems_that_are_never_right_tie_on_every_example() -> None:
    never = np.column_stack([np.zeros(3), [4.0, 10.0, 7.0]])
    for other in (never, never + np.array([0.0, 1.0])):
        for higher in (True, False):
            result = bootstrapped(never, other, higher_is_better=higher)
            assert (result.wins, result.ties, result.losses) == (0, 3, 0)
            assert sides(result) == (1.0, 1.0, 1.0)
            # And never as −0.0.
            assert str(result.difference) == "0.0"


def test_a_resample_without_a_score_counts_as_extreme_and_is_said() -> None:
    # Precision is undefined where nothing was predicted: all samples without the first example.
    a = np.array([[3.0, 0.0, 0.0]] + [[0.0, 0.0, 1.0]] * 4)
    b = np.array([[2.0, 1.0, 0.0]] + [[0.0, 0.0, 1.0]] * 4)
    result = bootstrapped(a, b, "precision")
    undefined = 0.8**5
    for p in sides(result):
        assert oracles.near([p], [undefined], 9999) or p == 1.0
    assert any("of 9,999 resamples have no defined score" in note for note in result.notes)
    assert result.confidence_interval is None


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_twice_a_large_difference_is_out_of_the_bootstraps_reach(alternative: str) -> None:
    a, b = np.array([[4.0, 5.0], [9.0, 10.0]]), np.array([[1.0, 5.0], [2.0, 10.0]])
    pair = (a, b) if alternative == "greater" else (b, a)
    for result in (bootstrapped(*pair), bootstrapped(*pair, method="monte-carlo")):
        assert result.unreachable == alternative
        assert result.out_of_reach == (alternative == "greater", alternative == "less")
        assert "out of the bootstrap's reach" in result.notes[-1]
        # McNemar's test takes no counts.
        assert result.notes[-1].endswith("; randomization is recommended")
    right, wrong = ([[t, 1, 1]] * 9 for t in (9, 1))
    assert bootstrapped(right, wrong, "f1").unreachable == "greater"


def test_a_wrong_argument_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"test": "wilcoxon"}, r"`test` must be .* got 'wilcoxon'"),
        ({"test": "williams"}, r"`test` must be .* got 'williams'"),
        ({"gold": [1, 2]}, r"`gold` is .* 'ratio'"),
        ({"metric": "f1"}, r"`a` must have shape \(n, 3\) .* got \(2, 2\)"),
        ({"metric": "wer"}, r"`metric` must be one of 'mean', .* got 'wer'"),
    )
    for arguments, message in wrong:
        given = {"test": "paired-bootstrap", "metric": "ratio", **arguments}
        with pytest.raises(ValueError, match=message):
            run_significance_test([[1, 2], [3, 4]], [[1, 2], [2, 4]], **given)


def bootstrapped(a: Any, b: Any, metric: Any = "ratio", **how: Any) -> Any:
    return run_significance_test(a, b, test="paired-bootstrap", metric=metric, rng=0, **how)


def assert_drawn_because(why: str, a: Rows, b: Rows) -> None:
    """Drawn, with the reason, near to every resample there is; and "exact" is refused for it."""
    result = bootstrapped(a, b)
    assert not result.exact
    assert f"Monte Carlo: {why}" in result.notes
    assert oracles.near(sides(result), by_every_sample(a, b, ratio), 9999)
    with pytest.raises(ValueError, match="`method` 'exact' must have") as refused:
        bootstrapped(a, b, method="exact")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("totals", "correct_a", "correct_b"),
    [
        ((2**33,) * 2, (2**33 - 1, 0), (0, 1)),
        ((2**50,) * 3, (5 * 2**46 + 1, 0, 0), (0, 2 * 2**46, 3 * 2**46 + 1)),
        # As floats such totals do not add up exactly: resamples that tie would not.
        ((2**53 + 6,) * 3, (1, 0, 0), (0, 0, 0)),
        # One total is nearly all of them: what is too large is twice the summed difference of it.
        ((2**50, 2**12, 2**12), (2**11 + 1, 2**11, 2**11), (0, 0, 0)),
    ],
)
def test_counts_too_large_for_whole_numbers_are_drawn(
    totals: Sequence[int], correct_a: Sequence[int], correct_b: Sequence[int]
) -> None:
    a, b = (list(zip(of, totals, strict=True)) for of in (correct_a, correct_b))
    assert_drawn_because("the counts are too large", a, b)


def test_counts_whose_exact_distribution_would_be_too_long_are_drawn() -> None:
    a, b = [(9_001, 10_007), (4, 10_009), (5_003, 10_037)], [(8, 10_007), (3, 10_009), (1, 10_037)]
    assert_drawn_because(TOO_MANY_BINS, a, b)


def test_a_metric_without_an_exact_p_value_is_drawn_and_says_so() -> None:
    a, b = np.random.default_rng(4).integers(1, 5, (2, 12, 3)).astype(float)
    why = "this metric has no exact p-value on these counts"
    assert bootstrapped(a, b, "f1").notes[0] == f"Monte Carlo: {why}"
    with pytest.raises(ValueError, match=f"`method` 'exact' must have .*; {why}"):
        bootstrapped(a, b, "f1", method="exact")


def test_totals_that_are_no_whole_numbers_are_drawn() -> None:
    # A ratio of halves is that of whole numbers, which are exact.
    a, b = np.array([(4, 5), (0, 3), (2, 6)]), np.array([(2, 5), (0, 3), (0, 6)])
    halves, whole = bootstrapped(a / 2, b / 2), bootstrapped(a, b)
    assert whole.exact
    assert not halves.exact
    assert "Monte Carlo: the totals are not whole numbers" in halves.notes
    assert oracles.near(sides(halves), sides(whole), 9999)


@pytest.mark.parametrize("estimator", ["add-one", "berg-kirkpatrick"])
def test_examples_with_a_total_of_zero_are_drawn_as_they_may_leave_no_score(estimator: Any) -> None:
    a, b = [(2, 4), (0, 0), (0, 0)], [(1, 4), (0, 0), (0, 0)]
    result = bootstrapped(a, b, estimator=estimator)
    assert not result.exact
    assert result.notes[0].startswith("Monte Carlo: a total is 0 for one of the examples")
    # 8 of 27 samples have no score and count as extreme; all others have the observed difference.
    assert oracles.near(sides(result), (8 / 27, 1.0, 8 / 27), 9999)


def test_no_difference_at_all_is_as_far_on_one_side_as_on_the_other() -> None:
    differences, total = (-5, 2, 3), 10
    a, b = ([(5 + one, total) for one in of] for of in (differences, (0, 0, 0)))
    sums = [sum(drawn) for drawn in itertools.product(differences, repeat=3)]
    above, below, level = (sum(map(event, sums)) for event in ((0).__lt__, (0).__gt__, (0).__eq__))
    strict = bootstrapped(a, b, estimator="berg-kirkpatrick")
    assert strict.exact
    assert sides(strict) == pytest.approx((above / 27, below / 27, (above + below) / 27))
    for pair, (greater, less) in (((a, b), (above, below)), ((b, a), (below, above))):
        loose = bootstrapped(*pair)
        assert sides(loose) == pytest.approx(((greater + level) / 27, (less + level) / 27, 1.0))
        assert loose.unreachable is None


def test_up_to_twenty_examples_that_differ_every_swap_is_tried() -> None:
    right, wrong, both = [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [[1.0, 1.0, 1.0]] * 3
    twenty, more = ([np.array([row] * n + both) for row in (right, wrong)] for n in (20, 21))
    how: dict[str, Any] = {"test": "approximate-randomization", "rng": 0}
    # Each swap takes some of A's lead away: only no swap at all keeps it.
    result = run_significance_test(*twenty, metric="f1", method="exact", **how)
    assert sides(result) == (2.0**-20, 1.0, 2.0**-19)
    with pytest.raises(ValueError, match=r"at most 20 examples that differ, .*; 21 differ\."):
        run_significance_test(*more, metric="f1", method="exact", **how)
    # Of a ratio with the same totals all swaps are counted, however many differ.
    ratios = [np.column_stack([rows[:, 0], rows[:, 0] + rows[:, 2]]) for rows in more]
    counted_all = run_significance_test(*ratios, metric="ratio", **how)
    assert sides(counted_all) == pytest.approx((2.0**-21, 1.0, 2.0**-20), rel=1e-9)


def test_examples_that_are_all_the_same_say_nothing_of_their_spread() -> None:
    result = bootstrapped([(9, 1, 1)] * 9, [(8, 2, 2)] * 9, "f1")
    assert result.difference > 0.0
    assert result.confidence_interval is None


def of_twenty(right: Sequence[int]) -> Rows:
    """Counts whose F1 is the mean of `right`, in tenths."""
    return [(tp, 20 - 2 * tp, 0) for tp in right]


@pytest.mark.parametrize("turned", [False, True])
def test_far_resamples_on_the_other_side_bring_nothing_into_reach(turned: bool) -> None:
    right = [8] * 5 + [2], [5] * 5 + [7]
    differences = [x - y for x, y in zip(*right, strict=True)]
    # 31 of the 46,656 samples lie beyond twice the difference, on the wrong side of zero.
    assert max(differences) * 6 < 2 * sum(differences) < -sum([3, *[-5] * 5])
    a, b = (of_twenty(of) for of in (right[::-1] if turned else right))
    result = bootstrapped(a, b, "f1")
    assert result.out_of_reach == (not turned, turned)
    assert result.unreachable == ("less" if turned else "greater")


@pytest.mark.parametrize("metric", ["ratio", "f1"])
@pytest.mark.parametrize(("estimator", "reached"), [("add-one", True), ("berg-kirkpatrick", False)])
def test_exactly_twice_the_difference_is_in_reach_but_not_under_the_strict_rule(
    metric: str, estimator: Any, reached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reached:
        # Resamples show it without a search.
        monkeypatch.setattr(bootstrap, "has_witness", lambda *_, **__: False)
    right = [7, 5], [5, 5]
    a, b = (of_twenty(of) if metric == "f1" else [(tp, 10) for tp in of] for of in right)
    for pair, direction in (((a, b), "greater"), ((b, a), "less")):
        result = bootstrapped(*pair, metric, estimator=estimator)
        assert result.exact == (metric == "ratio")
        assert result.unreachable == (None if reached else direction)
        p = result.p_value_greater if direction == "greater" else result.p_value_less
        assert (p > 0.2) == reached


@pytest.mark.parametrize("metric", ["ratio", "f1"])
def test_the_strict_rule_finds_in_reach_what_is_beyond_twice_the_difference(metric: str) -> None:
    right = [8, 5, 5, 5], [5, 5, 4, 6]
    a, b = (of_twenty(of) if metric == "f1" else [(tp, 10) for tp in of] for of in right)
    result = bootstrapped(a, b, metric, estimator="berg-kirkpatrick")
    assert result.unreachable is None
    assert min(sides(result)) > 0.0
    assert not any("p = 0" in note for note in result.notes)


def test_identical_systems_are_no_evidence_under_the_strict_rule() -> None:
    for metric in STATISTIC_METRICS:
        a, _ = counted(metric, 12)
        result = bootstrapped(a, a, metric, estimator="berg-kirkpatrick")
        assert sides(result) == (0.0, 0.0, 0.0), metric
        assert (result.exact, result.statistic) == (True, 0.0), metric
        assert (result.out_of_reach, result.unreachable) == ((True, True), None), metric


def test_what_is_counted_out_of_nothing_can_bring_more_into_reach_than_any_example_shows() -> None:
    # Where there is a total, A is ahead by a tenth at most; the last example adds to A alone.
    a, b = [(5, 10), (4, 10), (1, 0)], [(4, 10), (4, 10), (0, 0)]
    result = bootstrapped(a, b)
    assert result.difference == pytest.approx(0.1)
    extreme = 0
    for drawn in itertools.product(range(3), repeat=3):
        of_a, of_b = (added([rows[i] for i in drawn]) for rows in (a, b))
        extreme += not of_a[1] or ratio(of_a) - ratio(of_b) >= Fraction(2, 10)
    assert extreme > 1
    assert oracles.near([result.p_value], [extreme / 27], 9999)
    assert result.unreachable is None


def test_ties_of_a_small_error_rate_are_those_of_the_same_errors_among_fewer_links() -> None:
    # One error of A and three of B: only how many links each sentence has is different.
    def found(n_links: int) -> tuple[float, ...]:
        right = np.full((40, 4), float(n_links))
        a, b = right.copy(), right.copy()
        a[0, :2] -= 1.0
        b[1:4, :2] -= 1.0
        return sides(bootstrapped(a, b, "aer", n_resamples=999))

    few = found(50)
    assert found(2_500) == found(25_000) == found(2_500_000) == few
