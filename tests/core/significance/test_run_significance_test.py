"""What holds for every test, whatever its formula."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.significance.choose import choose_test, suitable_tests
from core.significance.known_tests import significance_tests
from core.significance.settings import TEST_ALTERNATIVES
from core.significance.single import SignificanceResult, run_significance_test
from core.significance.stopping import Stopped
from core.types import FloatArray
from tests.calibration.scenarios import KINDS, MEASURES, OUTCOMES, RATINGS
from tests.core.significance.sides import RESAMPLING, resampling_tests, sides

ANY_SCORES = suitable_tests("mean", zero_one=False)
WITHOUT_MARGIN = tuple(test for test in significance_tests if test != "tango")
MOST_SCORES_BETWEEN_QUESTIONS = 20_000_000

# Of scores that are averaged; of counts and of correlations in files of their own.
every_test = pytest.mark.parametrize("test", suitable_tests("mean"))
for_any_scores = pytest.mark.parametrize("test", ANY_SCORES)

outcomes = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=40)
scores = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=25)


def run(pairs: Sequence[tuple[float, float]], test: str, **settings: object) -> SignificanceResult:
    a, b = (np.array([float(pair[side]) for pair in pairs]) for side in (0, 1))
    return run_significance_test(a, b, test=test, **settings)  # type: ignore[arg-type]


@every_test
def test_identical_systems_give_one_in_every_direction(test: str) -> None:
    for n, value, alternative in itertools.product((1, 2, 50), (0.0, 1.0), TEST_ALTERNATIVES):
        scores = np.full(n, value)
        result = run_significance_test(scores, scores, test=test, alternative=alternative)
        assert sides(result) == (1.0, 1.0, 1.0), (n, value)
        assert result.notes[0] == "all differences are zero"
        assert result.confidence_interval is None
        assert (result.wins, result.ties, result.losses) == (0, n, 0)
    if test in RESAMPLING:
        scores = np.random.default_rng(0).normal(size=20)
        drawn = run_significance_test(scores, scores, test=test, method="monte-carlo", rng=0)
        assert sides(drawn) == (1.0, 1.0, 1.0)


@every_test
@settings(max_examples=15)
@given(pairs=outcomes, data=st.data())
def test_any_outcomes_have_consistent_p_values_and_exchanged_ones_the_opposite(
    test: str, pairs: list, data: st.DataObject
) -> None:
    there, back = run(pairs, test), run([(b, a) for a, b in pairs], test)
    turned = (back.p_value_less, back.p_value_greater, back.p_value_two_sided)
    assert sides(there) == pytest.approx(turned, rel=1e-10, abs=1e-13)
    assert there.difference == -back.difference
    assert (there.wins, there.losses) == (back.losses, back.wins)
    if there.confidence_interval is not None:
        low, high = back.confidence_interval
        assert there.confidence_interval == pytest.approx((-high, -low), abs=1e-12)
    assert all(0.0 <= p <= 1.0 for p in sides(there))
    assert there.wins + there.ties + there.losses == there.n_examples == len(pairs)
    assert there.difference == pytest.approx(there.score_a - there.score_b, abs=1e-12)
    assert there.exact
    assert (there.n_resamples, there.n_extreme, there.monte_carlo_interval) == (None,) * 3
    # One of two opposite one-sided tests does not speak.
    assert max(there.p_value_greater, there.p_value_less) >= 0.5 - 1e-12
    alternative = data.draw(st.sampled_from(TEST_ALTERNATIVES))
    shuffled = run(data.draw(st.permutations(pairs)), test, alternative=alternative)
    assert sides(shuffled) == pytest.approx(sides(there), rel=1e-12)
    assert shuffled.p_value == sides(shuffled)[TEST_ALTERNATIVES.index(alternative)]


@for_any_scores
@settings(max_examples=15)
@given(pairs=scores, shift=st.integers(-30, 30), decimals=st.integers(0, 3))
def test_neither_a_shift_of_both_nor_a_new_unit_changes_anything(
    test: str, pairs: list, shift: int, decimals: int
) -> None:
    plain = run(pairs, test)
    moved = run([((a + shift) / 10**decimals, (b + shift) / 10**decimals) for a, b in pairs], test)
    assert sides(moved) == pytest.approx(sides(plain), rel=1e-10, abs=1e-13)
    assert (moved.wins, moved.ties, moved.losses) == (plain.wins, plain.ties, plain.losses)
    assert moved.difference * 10**decimals == pytest.approx(plain.difference, rel=1e-12)


@for_any_scores
def test_a_constant_difference_is_not_certainty(test: str) -> None:
    a = np.array([0.3, 0.5, 0.9, 0.2, 0.7, 0.6])
    result = run_significance_test(a + 0.1, a, test=test)
    expected = {"paired-bootstrap": 0.0, "paired-t": 1.0}.get(test, 1 / 64)
    assert result.p_value == expected
    assert any(result.out_of_reach) == (test == "paired-bootstrap")
    assert result.confidence_interval is None
    assert result.notes


@resampling_tests
def test_zero_is_a_seed_and_a_seed_fixes_everything(test: str) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.1, 1, 60), rng.normal(0, 1, 60)

    def p_values(seed: object) -> tuple[float, float, float]:
        return sides(run_significance_test(a, b, test=test, n_resamples=499, rng=seed))  # type: ignore[arg-type]

    assert p_values(0) == p_values(0) == p_values(np.random.default_rng(0))
    assert p_values(0) != p_values(1)
    # Without a seed no two runs need agree; of ten, some differ. Each tells the one that it had.
    assert len({p_values(None) for _ in range(10)}) > 1
    unasked = run_significance_test(a, b, test=test, n_resamples=499)
    assert unasked.seed is not None
    assert f"|seed:{unasked.seed}|" in unasked.signature
    assert p_values(unasked.seed) == sides(unasked)


@resampling_tests
@pytest.mark.parametrize("clustered", [False, True])
def test_exchanging_the_systems_exchanges_what_the_same_resamples_say(
    test: str, clustered: bool
) -> None:
    rng = np.random.default_rng(6)
    a, b = rng.normal(0.1, 1, 60), rng.normal(0, 1, 60)
    labels = np.arange(60) // 3 if clustered else None

    def drawn(first: FloatArray, second: FloatArray) -> tuple[float, float, float]:
        return sides(
            run_significance_test(
                first, second, test=test, method="monte-carlo", clusters=labels, rng=0
            )
        )

    greater, less, two_sided = drawn(a, b)
    assert drawn(b, a) == (less, greater, two_sided)


@resampling_tests
def test_asking_to_stop_stops_at_the_next_of_many_questions(test: str) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=20_000), rng.normal(size=20_000)
    asked = itertools.count(1)
    with pytest.raises(Stopped):
        run_significance_test(
            a, b, test=test, n_resamples=100_000, rng=0, keep_going=lambda: next(asked) < 5
        )
    assert next(asked) == 6
    # Between two questions lies no more work than a person does not notice.
    asked = itertools.count(1)
    n_resamples = 1_200
    run_significance_test(
        a, b, test=test, n_resamples=n_resamples, rng=0, keep_going=lambda: next(asked) > 0
    )
    assert len(a) * n_resamples / (next(asked) - 1) <= MOST_SCORES_BETWEEN_QUESTIONS


def test_a_wrong_argument_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"test": "ttest"}, "`test` must be one of .* got 'ttest'"),
        ({"alternative": "larger"}, "`alternative` must be one of"),
        ({"method": "fast"}, "`method` must be one of .* got 'fast'"),
        ({"test": "sign", "method": "monte-carlo"}, "`method` 'monte-carlo' must come with"),
        ({"test": "sign", "method": "normal"}, "`method` 'normal' must come with `test` 'wilc"),
        (
            {"test": "paired-t", "method": "exact"},
            "`method` 'exact' must come with `test` 'mcnemar', .*; got 'paired-t'",
        ),
        ({"n_resamples": 0}, "`n_resamples` .* got 0"),
        ({"n_resamples": 10.5}, r"`n_resamples` .* got 10\.5"),
        ({"n_resamples": True}, "`n_resamples` .* got True"),
        ({"resample_size": 0}, "`resample_size` .* got 0"),
        ({"test": "sign", "resample_size": 5}, "`resample_size` 5 must come with `test`"),
        ({"estimator": "plain"}, "`estimator` must be one of"),
        ({"test": "sign", "estimator": "berg-kirkpatrick"}, "`estimator` .* must come with"),
        ({"zeros": "drop"}, "`zeros` must be one of .* got 'drop'"),
        ({"interval": "studentized"}, "`interval` must be one of"),
        ({"confidence_level": 95}, "`confidence_level` must lie strictly .* got 95"),
        ({"confidence_level": "high"}, "`confidence_level` must lie strictly .* got 'high'"),
        ({"rng": "seed"}, "`rng` must be .* got 'seed'"),
        ({"rng": True}, "`rng` must be .* got True"),
        ({"rng": -1}, "`rng` must be a seed of at least 0 .* got -1"),
    )
    for changed, message in wrong:
        with pytest.raises(ValueError, match=message):
            run_significance_test([1.0, 0.5], [0.0, 0.2], **{"test": "paired-bootstrap", **changed})


def test_the_rule_for_auto_is_fixed() -> None:
    zero_one, others = np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.5, 1.0])
    assert choose_test(zero_one, zero_one)[0] == "mcnemar"
    for a, b in ((others, zero_one), (zero_one, others)):
        assert choose_test(a, b)[0] == "approximate-randomization"
    # Gold labels were compared already.
    assert choose_test(zero_one, zero_one, gold=["x", "y", "x"])[0] == "mcnemar"
    test, reason = choose_test(others, others, gold=np.array([0.1, 0.7, 0.4]))
    assert test == "approximate-randomization"
    assert "standings" in reason
    # A metric that correlates is one also where both predictions happen to be 0 or 1.
    for kind in ("spearman", "pearson"):
        assert choose_test(zero_one, zero_one, gold=others, kind=kind)[1] == reason
    for kind in ("ratio", "f1", "precision", "recall", "aer", "bleu"):
        assert choose_test(np.ones((3, 2)), np.ones((3, 2)), kind=kind)[0] == "paired-bootstrap"


def test_a_test_takes_what_it_is_offered_for_and_nothing_else() -> None:
    assert suitable_tests("mean")[0] == "mcnemar"
    assert suitable_tests("aer") == ("paired-bootstrap", "approximate-randomization")
    assert suitable_tests("pearson")[0] == "approximate-randomization"
    with pytest.raises(ValueError, match=r"`kind` must be one of 'mean', .* got 'UAS'\."):
        suitable_tests("UAS")
    data: dict[str, tuple[np.ndarray, np.ndarray]] = {
        "mean": (np.array([0.0, 1.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 0.0, 0.0])),
        "ratio": (np.array([[2.0, 3.0]] * 4), np.array([[1.0, 3.0]] * 4)),
        "spearman": (np.array([0.0, 2.0, 1.0, 4.0, 3.0]), np.array([1.0, 0.0, 2.0, 3.0, 5.0])),
    }
    assert {t for kind in data for t in suitable_tests(kind)} == set(WITHOUT_MARGIN)
    for kind, (a, b) in data.items():
        gold = np.arange(5.0) if kind == "spearman" else None
        for test in WITHOUT_MARGIN:
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


N_DRAWN, N_RESAMPLES = 200, 499
# Errors that were seen in other tools: none of them here, in any test on any kind of scores.
# Every test on every kind of scores that it takes.
CASES = [(test, kind) for kind, own in KINDS.items() for test in own.tests]
every_case = pytest.mark.parametrize(("test", "kind"), CASES)
# Twice what the calibration finds nearly always, from four times as many examples.
AHEAD = {
    kind: own.ahead * (2.0 if kind in (OUTCOMES, RATINGS, MEASURES) else 1.0)
    for kind, own in KINDS.items()
}


def drawn(kind: str, ahead: float, seed: int = 0) -> dict[str, Any]:
    return dict(KINDS[kind].draw(N_DRAWN, ahead, np.random.default_rng([1989, seed])))


def result_of(scores: dict[str, Any], test: Any, **settings: Any) -> SignificanceResult:
    settings = {"n_resamples": N_RESAMPLES, "rng": 0, **settings}
    return run_significance_test(**scores, test=test, **settings)


@every_case
def test_the_better_system_has_the_small_p_value_and_the_worse_one_the_large(
    test: str, kind: str
) -> None:
    for sign in (1, -1):
        result = result_of(drawn(kind, sign * AHEAD[kind]), test)
        better, worse = sides(result)[:2] if sign > 0 else sides(result)[1::-1]
        assert better <= 0.01
        assert worse >= 0.95
        assert result.p_value_two_sided <= 0.02
        assert result.difference * sign > 0
        # What is drawn never gives zero.
        least = 0.0 if result.n_resamples is None else 1.0 / (N_RESAMPLES + 1)
        assert min(sides(result)) >= least
        assert result.exact == (result.n_resamples is None)
        assert 0.0 < min(sides(result)) <= max(sides(result)) <= 1.0


# Of π and √2, sums tie only where they hold as many of each; but for the first, on no lattice.
OF_TWO_MEASURES = {
    "all alike": np.full(8, math.pi),
    "twice just in reach": np.array([math.pi, 0.0]),
    "few": np.array([math.pi, math.pi, math.sqrt(2.0), -math.sqrt(2.0), -math.pi]),
    "many": np.tile([math.pi, math.pi, math.sqrt(2.0), -math.sqrt(2.0), -math.pi, 0.0], 8),
}


@resampling_tests
def test_another_unit_breaks_no_tie_and_puts_nothing_out_of_reach(test: str) -> None:
    estimators = ("add-one", "berg-kirkpatrick") if test == "paired-bootstrap" else ("add-one",)
    for (case, values), estimator, sign in itertools.product(
        OF_TWO_MEASURES.items(), estimators, (1.0, -1.0)
    ):
        plain, small, large = (
            result_of(
                {"a": sign * values * 2.0**exponent, "b": np.zeros(values.size)},
                test,
                estimator=estimator,
                n_resamples=199,
            )
            for exponent in (0, -30, 30)
        )
        for other in (small, large):
            assert sides(other) == sides(plain), (case, estimator)
            assert other.notes == plain.notes, (case, estimator)
            assert other.out_of_reach == plain.out_of_reach, (case, estimator)
            assert other.unreachable == plain.unreachable, (case, estimator)
