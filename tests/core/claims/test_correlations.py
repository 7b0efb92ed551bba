import math

import numpy as np
import pytest

from core.claims.correlations import correlation_box
from core.claims.possible import possible_p_values
from core.claims.printed_scores import read_scores
from core.significance.correlation import CorrelationTest
from core.significance.outcome import Outcome
from tests.core.claims.oracles import correlation_p

SIDES = ("greater", "two-sided")
TESTS_OF_CORRELATIONS = ("williams", "steiger", "meng")
EXACT = [
    (0.68, 0.57, 252), (0.48, 0.41, 2034), (0.5, 0.53, 130), (0.82, 0.777, 30), (0.9, 0.1, 20),
    (0.3, -0.3, 50), (-0.6, -0.5, 80), (0.02, 0.0, 40), (0.99, 0.98, 5), (0.95, 0.2, 4),
]  # fmt: skip


def feasible(a: float, b: float, n_points: int = 301) -> np.ndarray:
    half = math.sqrt((1 - a * a) * (1 - b * b))
    # Up to the ends, where the oracle's determinant still has its digits.
    return a * b + half * np.cos(np.linspace(0.003, math.pi - 0.003, n_points))


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("test", TESTS_OF_CORRELATIONS)
@pytest.mark.parametrize(("a", "b", "n"), EXACT)
def test_no_feasible_correlation_leaves_the_range_and_its_ends_are_neared(
    a: float, b: float, n: int, test: str, alternative: str
) -> None:
    found = possible_p_values(a, b, n, metric="correlation", alternative=alternative)[test]  # type: ignore[arg-type]
    p_values = np.array([correlation_p(a, b, c, n, test, alternative) for c in feasible(a, b)])
    p_values = np.maximum(p_values, 5e-308)  # below, floats lose their digits
    assert found.low <= p_values.min() * (1 + 1e-6)
    assert found.high >= p_values.max() * (1 - 1e-6)
    # The end at which A and B differ least lies inside and is met; the other is neared.
    if alternative == "two-sided":
        assert found.high == pytest.approx(p_values.max(), rel=1e-3)
        assert math.log(found.low) <= 0.8 * math.log(p_values.min()) or found.low < 1e-12
    assert found.values is None


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("test", TESTS_OF_CORRELATIONS)
@pytest.mark.parametrize(
    ("a", "b", "n"),
    [
        ("0.68", "0.57", 252),
        ("0.5", "0.5", 30),
        ("0.9", "0.8", 12),
        ("-0.3", "0.3", 40),
        ("0.99", "0.97", 60),
    ],
)
def test_rounded_correlations_open_the_range_to_all_that_they_may_be(
    a: str, b: str, n: int, test: str, alternative: str
) -> None:
    rng = np.random.default_rng(3)
    decimals = len(a.partition(".")[2])
    found = possible_p_values(a, b, n, metric="correlation", alternative=alternative)[test]  # type: ignore[arg-type]
    half = 0.5 * 10.0**-decimals
    for _ in range(150):
        true_a, true_b = (
            float(
                np.clip(float(x) + half * rng.choice([-1, 1, rng.uniform(-1, 1)]), -0.9999, 0.9999)
            )
            for x in (a, b)
        )
        c = true_a * true_b + math.cos(rng.uniform(0.01, math.pi - 0.01)) * math.sqrt(
            (1 - true_a**2) * (1 - true_b**2)
        )
        p = max(correlation_p(true_a, true_b, c, n, test, alternative), 5e-308)
        assert found.low * (1 - 1e-6) <= p <= found.high * (1 + 1e-6), (true_a, true_b, c)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("test", TESTS_OF_CORRELATIONS)
@pytest.mark.parametrize(("a", "b", "n"), EXACT[::2])
def test_the_implied_correlations_are_those_that_give_the_printed_p(
    a: float, b: float, n: int, test: str, alternative: str
) -> None:
    possible = possible_p_values(a, b, n, metric="correlation", alternative=alternative)[test]  # type: ignore[arg-type]
    for share in (0.2, 0.9):
        centre = math.exp(
            (1 - share) * math.log(max(possible.low, 1e-12)) + share * math.log(possible.high)
        )
        low, high = 0.97 * centre, min(1.0, 1.03 * centre)
        found = possible.attains(low, high)
        if not found.correlations:
            assert not any(
                low < correlation_p(a, b, c, n, test, alternative) < high for c in feasible(a, b)
            )
            continue
        for c in feasible(a, b, 101):
            inside = any(least - 1e-9 <= c <= most + 1e-9 for least, most in found.correlations)
            p = correlation_p(a, b, c, n, test, alternative)
            if low * 1.0001 < p < high * 0.9999:
                assert inside, c
            if inside:
                assert low * 0.999 <= p <= high * 1.001, c


def test_equal_exact_correlations_leave_two_p_values_at_most() -> None:
    for alternative, values in (("greater", [0.5, 1.0]), ("two-sided", [1.0])):
        for test, found in possible_p_values(
            0.5,
            0.5,
            40,
            metric="correlation",
            alternative=alternative,  # type: ignore[arg-type]
        ).items():
            assert found.values is not None, test
            np.testing.assert_allclose(found.values, values)
    greater = possible_p_values(0.5, 0.5, 40, metric="correlation")["williams"]
    assert greater.attains(0.6, 0.7).verdict == "not-attainable"
    assert greater.attains(0.1, 0.2).verdict == "impossible"
    assert greater.attains(0.45, 0.55).verdict == "attainable"


def test_of_hundreds_of_correlations_looked_at_the_ends_alone_get_a_p_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[float] = []

    own = CorrelationTest.outcome

    def counting(test: CorrelationTest, a: float, b: float, r_a_b: float, n: int) -> Outcome:
        counted.append(r_a_b)
        return own(test, a, b, r_a_b, n)

    monkeypatch.setattr(CorrelationTest, "outcome", counting)
    score_a, score_b = read_scores("0.68", "0.57", metric="correlation")
    box = correlation_box("williams", score_a, score_b, 300)
    ((low, high),) = box.p_intervals(two_sided=False)
    assert low < high
    assert len(counted) <= 3
