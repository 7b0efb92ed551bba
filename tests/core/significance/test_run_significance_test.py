"""What holds for every test, whatever its formula."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.significance import Stopped, run_significance_test, significance_tests
from core.significance.choose import SignificanceTest, choose_test, suitable_tests
from core.significance.result import SignificanceResult
from tests.core.significance.sides import sides

ANY_SCORES = suitable_tests("mean", zero_one=False)
RESAMPLING = ("paired-bootstrap", "approximate-randomization")
MOST_SCORES_BETWEEN_QUESTIONS = 20_000_000

# Of scores that are averaged; of counts and of correlations in files of their own.
every_test = pytest.mark.parametrize("test", suitable_tests("mean"))
for_any_scores = pytest.mark.parametrize("test", ANY_SCORES)
resampling_tests = pytest.mark.parametrize("test", RESAMPLING)

outcomes = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=40)
scores = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=25)


def run(pairs: Sequence[tuple[float, float]], test: str, **settings: object) -> SignificanceResult:
    a, b = (np.array([float(pair[side]) for pair in pairs]) for side in (0, 1))
    return run_significance_test(a, b, test=test, **settings)  # type: ignore[arg-type]


def test_the_list_of_tests_is_complete() -> None:
    assert significance_tests == (
        "paired-bootstrap",
        "approximate-randomization",
        "wilcoxon",
        "mcnemar",
        "mcnemar-mid-p",
        "mcnemar-chi2",
        "mcnemar-chi2-corrected",
        "sign",
        "paired-t",
        "steiger",
        "williams",
        "meng",
    )
    kinds = ("mean", "ratio", "spearman")
    assert {t for kind in kinds for t in suitable_tests(kind)} == set(significance_tests)


@every_test
@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_identical_systems_give_one_in_every_direction(
    test: SignificanceTest, n: int, value: float
) -> None:
    for alternative in ("greater", "less", "two-sided"):
        scores = np.full(n, value)
        result = run_significance_test(scores, scores, test=test, alternative=alternative)
        assert sides(result) == (1.0, 1.0, 1.0)
        assert result.notes[0] == "all differences are zero"
        assert result.confidence_interval is None
        assert (result.wins, result.ties, result.losses) == (0, n, 0)


@resampling_tests
def test_identical_systems_give_one_by_monte_carlo_too(test: SignificanceTest) -> None:
    scores = np.random.default_rng(0).normal(size=20)
    result = run_significance_test(scores, scores, test=test, method="monte-carlo", rng=0)
    assert sides(result) == (1.0, 1.0, 1.0)


@every_test
@settings(max_examples=25)
@given(pairs=outcomes)
def test_swapping_the_systems_swaps_greater_and_less(test: str, pairs: list) -> None:
    there, back = run(pairs, test), run([(b, a) for a, b in pairs], test)
    turned = (back.p_value_less, back.p_value_greater, back.p_value_two_sided)
    assert sides(there) == pytest.approx(turned, rel=1e-10, abs=1e-13)
    assert there.difference == -back.difference
    assert (there.wins, there.losses) == (back.losses, back.wins)
    if there.confidence_interval is not None:
        assert back.confidence_interval is not None
        low, high = back.confidence_interval
        assert there.confidence_interval == pytest.approx((-high, -low), abs=1e-12)


@for_any_scores
@settings(max_examples=25)
@given(pairs=scores, shift=st.integers(-30, 30), decimals=st.integers(0, 3))
def test_neither_a_shift_of_both_nor_a_new_unit_changes_anything(
    test: str, pairs: list, shift: int, decimals: int
) -> None:
    plain = run(pairs, test)
    moved = run([((a + shift) / 10**decimals, (b + shift) / 10**decimals) for a, b in pairs], test)
    assert sides(moved) == pytest.approx(sides(plain), rel=1e-10, abs=1e-13)
    assert (moved.wins, moved.ties, moved.losses) == (plain.wins, plain.ties, plain.losses)
    assert moved.difference * 10**decimals == pytest.approx(plain.difference, rel=1e-12)


@every_test
@settings(max_examples=25)
@given(pairs=outcomes, data=st.data())
def test_the_order_of_examples_does_not_matter(test: str, pairs: list, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(pairs))
    assert sides(run(shuffled, test)) == pytest.approx(sides(run(pairs, test)), rel=1e-12)


@every_test
@settings(max_examples=25)
@given(pairs=outcomes)
def test_every_p_value_is_a_probability_and_the_result_is_consistent(
    test: str, pairs: list
) -> None:
    result = run(pairs, test)
    assert all(0.0 <= p <= 1.0 for p in sides(result))
    assert result.wins + result.ties + result.losses == result.n_examples == len(pairs)
    assert result.difference == pytest.approx(result.score_a - result.score_b, abs=1e-12)
    assert result.exact
    assert (result.n_resamples, result.n_extreme, result.monte_carlo_interval) == (None,) * 3
    # One of two opposite one-sided tests does not speak.
    assert max(result.p_value_greater, result.p_value_less) >= 0.5 - 1e-12


@every_test
def test_the_alternative_chooses_among_the_three(test: SignificanceTest) -> None:
    a, b = np.array([1.0, 1, 1, 0, 1, 1, 0]), np.array([0.0, 0, 1, 0, 0, 1, 1])
    chosen = [
        run_significance_test(a, b, test=test, alternative=alternative)
        for alternative in ("greater", "less", "two-sided")
    ]
    assert tuple(result.p_value for result in chosen) == sides(chosen[0])
    assert sides(chosen[0]) == sides(chosen[1]) == sides(chosen[2])


@every_test
def test_a_worse_system_has_a_large_one_sided_p_value(test: SignificanceTest) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.random(300) < 0.4).astype(float), (rng.random(300) < 0.7).astype(float)
    result = run_significance_test(a, b, test=test)
    assert result.p_value > 0.999
    assert result.p_value_less < 1e-6
    assert result.p_value_two_sided < 1e-6


@for_any_scores
def test_a_constant_difference_is_not_certainty(test: SignificanceTest) -> None:
    a = np.array([0.3, 0.5, 0.9, 0.2, 0.7, 0.6])
    result = run_significance_test(a + 0.1, a, test=test)
    expected = {"paired-bootstrap": 0.0, "paired-t": 1.0}.get(test, 1 / 64)
    assert result.p_value == expected
    assert any(result.out_of_reach) == (test == "paired-bootstrap")
    assert result.confidence_interval is None
    assert result.notes


@for_any_scores
def test_one_example_decides_nothing(test: SignificanceTest) -> None:
    result = run_significance_test([0.9], [0.123456789012345], test=test)
    assert result.p_value == {"paired-bootstrap": 0.0, "paired-t": 1.0}.get(test, 0.5)
    assert result.notes


@resampling_tests
def test_zero_is_a_seed_and_a_seed_fixes_everything(test: SignificanceTest) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.1, 1, 60), rng.normal(0, 1, 60)

    def p_values(seed: object) -> tuple[float, float, float]:
        return sides(run_significance_test(a, b, test=test, n_resamples=499, rng=seed))  # type: ignore[arg-type]

    assert p_values(0) == p_values(0) == p_values(np.random.default_rng(0))
    assert p_values(0) != p_values(1)
    # Without a seed no two runs need agree; of ten, some differ.
    assert len({p_values(None) for _ in range(10)}) > 1


def test_the_interval_beside_a_test_does_not_change_its_p_value() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.1, 1, 60), rng.normal(0, 1, 60)
    p_values = {
        run_significance_test(
            a, b, test="approximate-randomization", n_resamples=999, rng=3, confidence_level=level
        ).p_value
        for level in (0.5, 0.9, 0.99)
    }
    assert len(p_values) == 1


def test_gold_labels_make_outcomes() -> None:
    gold = ["x", "y", "x", "z", "x"]
    a, b = ["x", "y", "x", "z", "y"], ["x", "x", "y", "y", "x"]
    result = run_significance_test(a, b, test="mcnemar", metric="accuracy", gold=gold)
    assert (result.wins, result.losses, result.score_a, result.score_b) == (3, 1, 0.8, 0.4)
    assert result.p_value == 5 / 16
    assert result.metric == "accuracy"


def test_a_result_is_frozen_and_survives_pickling() -> None:
    result = run_significance_test([1, 0], [0, 0], test="sign")
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.p_value = 0.0  # type: ignore[misc]
    copy = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert dataclasses.asdict(copy) == dataclasses.asdict(result)


@resampling_tests
def test_asking_to_stop_stops_at_the_next_of_many_questions(test: SignificanceTest) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=20_000), rng.normal(size=20_000)
    asked = 0

    def keep_going() -> bool:
        nonlocal asked
        asked += 1
        return asked < 5

    with pytest.raises(Stopped):
        run_significance_test(a, b, test=test, n_resamples=100_000, rng=0, keep_going=keep_going)
    assert asked == 5
    # Between two questions lies no more work than a person does not notice.
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return True

    n_resamples = 2_000
    run_significance_test(a, b, test=test, n_resamples=n_resamples, rng=0, keep_going=count)
    assert len(a) * n_resamples / asked <= MOST_SCORES_BETWEEN_QUESTIONS


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"test": "ttest"}, r"`test` must be one of 'paired-bootstrap', .* got 'ttest'\."),
        ({"alternative": "larger"}, r"`alternative` must be one of 'greater', 'less', 'two-sided'"),
        ({"method": "fast"}, r"`method` must be one of 'auto', 'exact', .* got 'fast'\."),
        ({"test": "sign", "method": "monte-carlo"}, r"`method` 'monte-carlo' must come with"),
        ({"test": "sign", "method": "normal"}, r"`method` 'normal' must come with `test` 'wilc"),
        ({"test": "paired-t", "method": "exact"}, r"`method` 'exact' must come with another"),
        ({"n_resamples": 0}, r"`n_resamples` must be a whole number of at least 1; got 0\."),
        ({"n_resamples": 10.5}, r"`n_resamples` must be a whole number .* got 10\.5\."),
        ({"n_resamples": True}, r"`n_resamples` must be a whole number .* got True\."),
        ({"resample_size": 0}, r"`resample_size` must be a whole number of at least 1; got 0\."),
        ({"test": "sign", "resample_size": 5}, r"`resample_size` must come with `test` 'paired-b"),
        ({"estimator": "plain"}, r"`estimator` must be one of 'add-one', 'berg-kirkpatrick'"),
        ({"test": "sign", "estimator": "berg-kirkpatrick"}, r"`estimator` .* must come with"),
        ({"zeros": "drop"}, r"`zeros` must be one of 'wilcox', 'pratt', 'zsplit'; got 'drop'\."),
        ({"confidence_level": 95}, r"`confidence_level` must lie strictly .* got 95\."),
        ({"confidence_level": "high"}, r"`confidence_level` must lie strictly .* got 'high'\."),
        ({"rng": "seed"}, r"`rng` must be an integer or a numpy Generator; got 'seed'\."),
        ({"rng": True}, r"`rng` must be an integer or a numpy Generator; got True\."),
        ({"rng": -1}, r"`rng` must be at least 0 where it is a seed; got -1\."),
    ],
)
def test_a_wrong_argument_is_named(settings: dict, message: str) -> None:
    arguments = {"test": "paired-bootstrap", **settings}
    with pytest.raises(ValueError, match=message):
        run_significance_test([1.0, 0.5], [0.0, 0.2], **arguments)


def test_the_rule_for_auto_is_fixed() -> None:
    zero_one, others = np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.5, 1.0])
    assert choose_test(zero_one, zero_one) == (
        "mcnemar",
        "Each score is 0 or 1, so the exact McNemar test is used.",
    )
    for a, b in ((others, zero_one), (zero_one, others)):
        assert choose_test(a, b)[0] == "approximate-randomization"
    # Gold labels were compared already.
    assert choose_test(zero_one, zero_one, gold=["x", "y", "x"])[0] == "mcnemar"
    test, reason = choose_test(others, others, gold=np.array([0.1, 0.7, 0.4]))
    assert test == "approximate-randomization"
    assert "randomization of standings" in reason
    # A metric that correlates is one also where both predictions happen to be 0 or 1.
    for kind in ("spearman", "pearson"):
        assert choose_test(zero_one, zero_one, gold=others, kind=kind)[1] == reason
    for kind in ("ratio", "f1", "precision", "recall", "aer", "bleu"):
        assert choose_test(np.ones((3, 2)), np.ones((3, 2)), kind=kind) == (
            "paired-bootstrap",
            "The metric is computed from sums of counts, so the paired bootstrap is used.",
        )


def test_a_test_takes_what_it_is_offered_for_and_nothing_else() -> None:
    assert suitable_tests("mean")[0] == "mcnemar"
    assert suitable_tests("mean", zero_one=False)[:2] == ("approximate-randomization", "paired-t")
    assert suitable_tests("aer") == ("paired-bootstrap", "approximate-randomization")
    assert suitable_tests("pearson")[0] == "approximate-randomization"
    with pytest.raises(ValueError, match=r"`kind` must be one of 'mean', .* got 'UAS'\."):
        suitable_tests("UAS")
    data: dict[str, tuple[np.ndarray, np.ndarray]] = {
        "mean": (np.array([0.0, 1.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 0.0, 0.0])),
        "ratio": (np.array([[2.0, 3.0]] * 4), np.array([[1.0, 3.0]] * 4)),
        "spearman": (np.array([0.0, 2.0, 1.0, 4.0, 3.0]), np.array([1.0, 0.0, 2.0, 3.0, 5.0])),
    }
    for kind, (a, b) in data.items():
        gold = np.arange(5.0) if kind == "spearman" else None
        for test in significance_tests:
            if test in suitable_tests(kind):
                result = run_significance_test(
                    a, b, test=test, metric=kind, gold=gold, n_resamples=99
                )
                assert result.kind == kind
                continue
            # Tests of correlations make the metric one, which needs gold.
            message = (
                "`gold` must be given" if kind == "mean" else r"`test` must be .* got '" + test
            )
            with pytest.raises(ValueError, match=message):
                run_significance_test(a, b, test=test, metric=kind, gold=gold)
