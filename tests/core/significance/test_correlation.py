"""Two correlations with gold: published numbers, every resample there is, and what is refused."""

import itertools
import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.metrics.registry import CORRELATIONS
from core.significance.choose import suitable_tests
from core.significance.known_tests import correlation_test_named
from core.significance.settings import Method
from core.significance.single import run_significance_test
from tests.core.significance import oracles
from tests.core.significance.sides import OF_TWO, sides

FROM_CORRELATIONS: tuple[Any, ...] = ("williams", "steiger", "meng")
EVERY_TEST = suitable_tests("spearman")
every_test = pytest.mark.parametrize("test", EVERY_TEST)
of_correlations = pytest.mark.parametrize("test", FROM_CORRELATIONS)
both_kinds = pytest.mark.parametrize("kind", CORRELATIONS)

few_triples = st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=4, max_size=6)


def drawn(n: int, *, quality_a: float, quality_b: float, seed: int = 0) -> list[np.ndarray]:
    """Predictions of A and B, and gold; a higher quality has less noise."""
    rng = np.random.default_rng([n, seed])
    gold = rng.normal(size=n)
    return [gold * q + rng.normal(size=n) for q in (quality_a, quality_b)] + [gold]


@pytest.mark.parametrize(
    ("test", "r_gold_a", "r_gold_b", "r_a_b", "n", "statistic", "digits", "p_greater"),
    [
        # r.test of the R package psych: n = 103, .4 and .5 with r12 = .1.
        ("williams", 0.4, 0.5, 0.1, 103, -0.89, 2, None),
        # The R package cocor, its own example.
        ("steiger", 0.70, 0.65, 0.80, 353, 2.0976, 4, 0.0180),
        ("williams", 0.70, 0.65, 0.80, 353, 2.1074, 4, 0.0179),
        # Meng, Rosenthal and Rubin (1992), their example.
        ("meng", 0.63, -0.03, -0.19, 15, 1.68, 2, 0.047),
    ],
)
def test_published_numbers(
    test, r_gold_a, r_gold_b, r_a_b, n, statistic, digits, p_greater
) -> None:
    result = correlation_test_named(test).outcome(r_gold_a, r_gold_b, r_a_b, n)
    assert abs(result.statistic - statistic) <= 0.5 * 10.0**-digits
    if p_greater is not None:
        assert result.p_values.greater == pytest.approx(
            p_greater, abs=0.5 * 10.0 ** -(2 + digits // 2)
        )
    assert result.method == ("student" if test == "williams" else "normal")
    back = correlation_test_named(test).outcome(r_gold_b, r_gold_a, r_a_b, n)
    assert back.p_values.less == pytest.approx(result.p_values.greater)


@of_correlations
@both_kinds
def test_scores_give_what_their_correlations_give(test: Any, kind: Any) -> None:
    a, b, gold = drawn(50, quality_a=1.0, quality_b=0.7)
    r_a, r_b, r_ab = (
        float(OF_TWO[kind](x, y).statistic) for x, y in ((gold, a), (gold, b), (a, b))
    )
    alone = correlation_test_named(test).outcome(r_a, r_b, r_ab, 50)
    result = run_significance_test(a, b, test=test, correlation=kind, gold=gold, rng=0)
    assert sides(result) == pytest.approx(alone.p_values, rel=1e-9)
    assert result.statistic == pytest.approx(alone.statistic)
    assert (result.score_a, result.score_b, result.correlation_ab) == pytest.approx(
        (r_a, r_b, r_ab)
    )
    assert result.metric == result.kind == kind
    assert result.method == ("student" if test == "williams" else "normal")
    assert result.exact
    named = run_significance_test(a, b, test=test, metric=kind, gold=gold, rng=0)
    assert sides(named) == sides(result)


def test_the_three_tests_are_one_where_examples_are_many_and_correlations_near() -> None:
    for r_gold, r_a_b in itertools.product(
        (-0.8, -0.3, 0.0, 0.1, 0.5, 0.9), (-0.7, -0.2, 0.0, 0.3, 0.75, 0.95)
    ):
        if 1.0 + r_a_b <= 2.0 * r_gold**2 + 1e-3:
            continue  # No data have these.
        # Each divides by an estimate of the same standard error (Pearson and Filon 1898).
        found = [
            correlation_test_named(test)
            .outcome(r_gold + 1e-5, r_gold - 1e-5, r_a_b, 10**6)
            .statistic
            for test in FROM_CORRELATIONS
        ]
        variance = (
            2.0 * (1.0 - r_gold**2) ** 2
            - 2.0 * r_a_b * (1.0 - 2.0 * r_gold**2)
            + r_gold**2 * (1.0 - 2.0 * r_gold**2 - r_a_b**2)
        )
        expected = 2e-5 * 1e3 / math.sqrt(variance)
        assert found == pytest.approx([expected] * 3, rel=2e-5), (r_gold, r_a_b)


def test_meng_never_takes_the_variance_for_larger_than_that_of_fishers_z_alone() -> None:
    # Far apart from each other, the two are as two independent ones with r(A, B) taken off.
    found = correlation_test_named("meng").outcome(0.5, -0.5, -0.6, 20).statistic
    assert found == pytest.approx(2.0 * math.atanh(0.5) * math.sqrt(17.0 / (2.0 * 1.6)))


@every_test
def test_the_same_order_or_the_same_up_to_scale_is_identical(test: Any) -> None:
    a, _, gold = drawn(25, quality_a=1.0, quality_b=1.0)
    scaled = [("pearson", unit * a + 7.1) for unit in (0.1, 0.3, 0.7, 1.9)]
    for kind, same in (("spearman", np.exp(a)), *scaled):
        result = run_significance_test(a, same, test=test, metric=kind, gold=gold, rng=0)
        assert sides(result) == (1.0, 1.0, 1.0)
        assert (result.exact, result.statistic, result.confidence_interval) == (True, 0.0, None)
        # However either correlation is rounded.
        assert (result.difference, result.correlation_ab) == (0.0, 1.0)
        assert result.notes == ("r(A, B) = 1: the two systems cannot be told apart",)


@every_test
@both_kinds
def test_exchanging_the_systems_exchanges_the_directions(test: Any, kind: Any) -> None:
    a, b, gold = drawn(40, quality_a=1.0, quality_b=0.9)
    how: dict[str, Any] = {"test": test, "metric": kind, "gold": gold, "rng": 5}
    there = run_significance_test(a, b, n_resamples=999, **how)
    back = run_significance_test(b, a, n_resamples=999, **how)
    # A lower correlation may be declared the better one.
    lower = run_significance_test(a, b, n_resamples=999, higher_is_better=False, **how)
    turned = (there.p_value_less, there.p_value_greater, there.p_value_two_sided)
    for other in (back, lower):
        assert sides(other) == pytest.approx(turned, rel=1e-9)
        assert other.difference == pytest.approx(-there.difference)
        assert (other.wins, other.losses) == (there.losses, there.wins)
    assert lower.score_a == pytest.approx(there.score_a)


@both_kinds
def test_the_bootstrap_correlates_anew_in_each_resample(kind: Any) -> None:
    a = np.array([1.0, 3.0, 2.0, 5.0, 4.0])
    b = np.array([2.0, 1.0, 1.0, 3.0, 9.0])
    gold = np.array([1.0, 2.0, 3.0, 4.0, 4.0])
    result = run_significance_test(
        a, b, test="paired-bootstrap", metric=kind, gold=gold, n_resamples=40_000, rng=0
    )

    def delta_of(drawn_examples: Sequence[int]) -> float:
        x, y, right = (scores[list(drawn_examples)] for scores in (a, b, gold))
        if min(np.ptp(right), np.ptp(x), np.ptp(y)) == 0.0:
            return math.nan
        return float(OF_TWO[kind](right, x).statistic - OF_TWO[kind](right, y).statistic)

    assert oracles.near(sides(result), oracles.by_every_draw(5, delta_of, room=1e-9), 40_000)
    assert any("have no defined score and count as extreme" in note for note in result.notes)


@both_kinds
def test_clusters_of_equal_sums_are_resampled_where_the_systems_differ(kind: Any) -> None:
    stream = np.random.default_rng(3)
    gold = np.repeat(stream.normal(size=30), 2)
    a = gold + stream.normal(size=60)
    # Within each cluster the two systems' predictions are exchanged.
    b = a.reshape(-1, 2)[:, ::-1].ravel()
    clusters = np.repeat(np.arange(30), 2)
    common: Any = {"metric": kind, "gold": gold, "clusters": clusters, "n_resamples": 199, "rng": 0}
    for test in ("paired-bootstrap", "approximate-randomization"):
        result = run_significance_test(a, b, test=test, **common)
        assert result.confidence_interval == pytest.approx((0.0, 0.0), abs=1e-12)
    far = run_significance_test(
        a, b, test="paired-bootstrap", claim="not-worse", margin=0.1, **common
    )
    assert not far.exact
    assert any("so that nothing is counted" in note for note in far.notes)


@settings(max_examples=25, deadline=None)
@given(rows=few_triples, kind=st.sampled_from(CORRELATIONS))
def test_randomization_swaps_ranks_or_standardised_scores(rows: list, kind: Any) -> None:
    a, b, gold = (np.array([float(row[i]) for row in rows]) for i in range(3))
    assume(min(np.ptp(a), np.ptp(b), np.ptp(gold)) > 0.0)
    transform = stats.rankdata if kind == "spearman" else stats.zscore
    x, y, g = transform(a), transform(b), transform(gold)
    assume(not np.allclose(x, y))

    def delta_of(swapped: Sequence[bool]) -> float:
        first, second = np.where(swapped, y, x), np.where(swapped, x, y)
        if min(np.ptp(first), np.ptp(second)) < 1e-9:
            return math.nan
        return float(OF_TWO[kind](g, first).statistic - OF_TWO[kind](g, second).statistic)

    expected = oracles.by_every_swap(a.size, delta_of, room=1e-9)
    result = run_significance_test(
        a, b, test="approximate-randomization", metric=kind, gold=gold, rng=0, n_resamples=99
    )
    assert result.exact
    assert sides(result) == pytest.approx(expected)


@of_correlations
@pytest.mark.parametrize("n", [2, 3])
def test_fewer_than_four_examples_decide_nothing(test: Any, n: int) -> None:
    gold, a, b = np.arange(float(n)), np.arange(float(n)), -np.arange(float(n))
    result = run_significance_test(a, b, test=test, gold=gold)
    assert sides(result) == (1.0, 1.0, 1.0)
    assert result.exact
    assert f"n = {n}: " in result.notes[0]
    assert "needs at least 4 examples, p = 1" in result.notes[0]
    for few in (1, n):
        found = correlation_test_named(test).outcome(0.9, 0.1, 0.2, few)
        assert found.p_values == (1.0, 1.0, 1.0)
    assert correlation_test_named(test).outcome(0.9, 0.1, 0.2, 4).p_values.greater < 0.5


@of_correlations
def test_systems_whose_predictions_correlate_fully_cannot_be_told_apart(test: Any) -> None:
    found = correlation_test_named(test).outcome(0.5, 0.5, 1.0, 20)
    assert found.p_values == (1.0, 1.0, 1.0)
    assert found.statistic == 0.0
    assert found.notes == ("r(A, B) = 1: the two systems cannot be told apart, p = 1",)
    assert correlation_test_named(test).statistic(0.5, 0.5, 1.0, 20) == 0.0


@every_test
def test_what_never_varies_is_refused_by_name(test: Any) -> None:
    scores = dict(zip(("a", "b", "gold"), drawn(10, quality_a=1.0, quality_b=1.0), strict=True))
    for constant in scores:
        given: dict[str, Any] = {**scores, constant: np.full(10, 0.1)}
        with pytest.raises(ValueError, match=f"`{constant}` must not be the same number"):
            run_significance_test(test=test, metric="pearson", **given)


def test_of_a_perfect_system_williams_says_that_its_p_is_too_small() -> None:
    _, b, gold = drawn(50, quality_a=1.0, quality_b=0.5)
    perfect = run_significance_test(2.0 * gold, b, test="williams", metric="pearson", gold=gold)
    assert perfect.score_a == pytest.approx(1.0)
    assert any("Williams' p is far too small" in note for note in perfect.notes)
    for test in ("steiger", "meng"):
        with pytest.raises(ValueError, match=r"with gold other than 1 and -1.* Randomization"):
            run_significance_test(gold, b, test=test, gold=gold)


def test_randomization_of_a_perfect_system_counts_swaps_and_no_more() -> None:
    # All swaps of the six that differ are tried, however many do not.
    gold = np.arange(40.0)
    b = gold.copy()
    b[[0, 1, 4, 5, 10, 11]] = b[[1, 0, 5, 4, 11, 10]]
    result = run_significance_test(
        gold, b, test="approximate-randomization", metric="spearman", gold=gold
    )
    williams = run_significance_test(gold, b, test="williams", metric="spearman", gold=gold)
    # Of six examples that differ, in pairs, either both are swapped or the ranks have ties.
    moved = [0, 1, 4, 5, 10, 11]

    def delta_of(swapped: Sequence[bool]) -> float:
        x, y = gold.copy(), b.copy()
        x[moved] = np.where(swapped, b[moved], gold[moved])
        y[moved] = np.where(swapped, gold[moved], b[moved])
        return float(stats.spearmanr(gold, x).statistic - stats.spearmanr(gold, y).statistic)

    share, _, _ = oracles.by_every_swap(6, delta_of, room=1e-9)
    assert result.p_value == pytest.approx(share)
    assert share >= 2.0**-6
    assert williams.p_value < 0.001
    assert result.effect_size is None


@both_kinds
def test_random_swaps_come_near_all_of_them(kind: Any) -> None:
    a, b, gold = drawn(7, quality_a=1.0, quality_b=0.5)
    # Much depends on the first swap.
    a[0], b[0], gold[0] = 3.0, -3.0, 3.0
    how: dict[str, Any] = {"test": "approximate-randomization", "metric": kind, "gold": gold}
    every = run_significance_test(a, b, method="exact", **how)
    found = run_significance_test(a, b, method="monte-carlo", n_resamples=20_000, rng=0, **how)
    assert oracles.near(sides(found), sides(every), 20_000)


@both_kinds
def test_randomization_says_where_resamples_stand_for_all_swaps_unless_they_were_asked_for(
    kind: Any,
) -> None:
    cases: tuple[tuple[int, Method, bool, bool], ...] = (
        (20, "auto", False, True),
        (20, "monte-carlo", False, False),
        (25, "auto", True, False),
        (25, "monte-carlo", False, False),
    )
    for n, method, told, exact in cases:
        a, b, gold = drawn(n, quality_a=1.0, quality_b=0.5)
        how: dict[str, Any] = {"metric": kind, "gold": gold, "n_resamples": 99, "rng": 0}
        result = run_significance_test(a, b, test="approximate-randomization", method=method, **how)
        note = "Monte Carlo: more than 20 examples differ, too many to try all swaps"
        assert ((note in result.notes), result.exact) == (told, exact)


@pytest.mark.parametrize(
    ("given", "test", "what"),
    [
        ((0.998, 0.998, 0.9999999999999815), "steiger", "r(A, B) = 1: Steiger's Z"),
        ((0.5, -0.5, -1.0), "williams", "r(A, B) = -1: Williams' t"),
    ],
)
def test_without_a_variance_a_statistic_is_undefined(
    given: tuple[float, float, float], test: str, what: str
) -> None:
    result = correlation_test_named(test).outcome(*given, 20)
    assert (result.p_values.greater, result.statistic) == (1.0, None)
    assert result.notes == (f"{what} is undefined, p = 1",)


@of_correlations
@settings(max_examples=40)
@given(
    r_a=st.integers(-990, 990).map(lambda i: i / 1000),
    r_b=st.integers(-990, 990).map(lambda i: i / 1000),
    share=st.integers(10, 990).map(lambda i: i / 1000),
    n=st.integers(4, 500),
)
def test_every_possible_triple_has_three_consistent_p_values(
    test: Any, r_a: float, r_b: float, share: float, n: int
) -> None:
    half = math.sqrt((1 - r_a**2) * (1 - r_b**2))
    r_ab = r_a * r_b + (2 * share - 1) * half
    result = correlation_test_named(test).outcome(r_a, r_b, r_ab, n)
    greater, less, two_sided = result.p_values
    assert 0.0 < greater <= 1.0
    if result.statistic:
        of: Any = stats.t(n - 3) if test == "williams" else stats.norm
        # A p-value is at least the smallest float with all its digits, never 0.
        tail = max(of.sf(result.statistic), sys.float_info.min)
        assert greater == pytest.approx(tail, rel=1e-9, abs=0)
        assert greater + less == pytest.approx(1.0)
        assert two_sided == pytest.approx(2 * min(greater, less))
        assert (greater < 0.5) == (r_a > r_b)


def test_a_wrong_argument_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"gold": None}, r"`gold` must be given"),
        ({"gold": [1, 2, 3]}, r"`a` and `gold` .* got 4 and 3\."),
        ({"correlation": "kendall"}, r"`correlation` must be one of 'spearman', 'pearson'"),
        ({"metric": "spearman", "correlation": "pearson"}, r"must agree; got 'spearman' and"),
        ({"metric": "accuracy"}, r"`test` must be .* got 'williams'"),
        ({"test": "sign", "metric": "pearson"}, r"`test` must be .* got 'sign'"),
        ({"method": "exact"}, r"`method` 'exact' must .* 'williams'"),
        ({"method": "monte-carlo"}, r"`method` 'monte-carlo' must come with `test`"),
        (
            {"test": "paired-bootstrap", "metric": "pearson", "method": "exact"},
            r"`method` 'exact' must .* the bootstrap of a correlation has none",
        ),
    )
    for changed, message in wrong:
        arguments = {"test": "williams", "gold": [1, 2, 3, 5], **changed}
        with pytest.raises(ValueError, match=message):
            run_significance_test([1.0, 0.5, 2.0, 4.0], [0.0, 0.2, 0.1, 0.1], **arguments)
