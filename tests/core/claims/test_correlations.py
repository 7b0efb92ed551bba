import math
from itertools import pairwise

import numpy as np
import pytest

from core.claims.correlations import correlation_box
from core.claims.possible import possible_p_values
from core.claims.printed_scores import ClaimAlternative, Range, read_scores
from core.significance.correlation import CorrelationTest
from core.significance.outcome import Outcome
from tests.core.claims.oracles import correlation_p

SIDES: tuple[ClaimAlternative, ...] = ("greater", "two-sided")
TESTS_OF_CORRELATIONS = ("williams", "steiger", "meng")
# As printed, or exact where a number is given.
SCORES: list[tuple[str | float, str | float, int]] = [
    ("0.68", "0.57", 252), ("0.480", "0.412", 2034), ("0.5", "0.5", 30), ("0.8", "0.9", 12),
    ("-0.3", "0.3", 40), ("-0.6", "-0.5", 80), ("0.95", "0.2", 4), ("0.99", "0.97", 60),
    (0.9, 0.1, 20), (0.02, 0.0, 40), (0.99, 0.98, 5), (1.0, 0.9, 20),
]  # fmt: skip


def on_a_grid(c: float, range_a: Range, range_b: Range) -> tuple[np.ndarray, np.ndarray]:
    """Correlations with gold that the digits allow and that are possible beside r(A, B) = c.

    With the edge of what is possible, where angles add or subtract.
    """
    a, b = (x.ravel() for x in np.meshgrid(np.linspace(*range_a, 15), np.linspace(*range_b, 15)))
    edge_a, edge_b = (np.arccos(np.linspace(*ends, 100)) for ends in (range_a, range_b))
    turns = np.array([math.acos(c), -math.acos(c)])[:, np.newaxis]
    a = np.cos([*np.arccos(a), *edge_a, *edge_a, *(edge_b + turns).ravel()])
    b = np.cos([*np.arccos(b), *(edge_a + turns).ravel(), *edge_b, *edge_b])
    slack = 1e-12
    fit = 1 + 2 * a * b * c - a * a - b * b - c * c >= -slack
    for x, (low, high) in ((a, range_a), (b, range_b)):
        fit &= (low - slack <= x) & (x <= high + slack)
    return a[fit], b[fit]


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("test", TESTS_OF_CORRELATIONS)
@pytest.mark.parametrize(("score_a", "score_b", "n"), SCORES)
def test_p_values_and_the_correlations_that_they_imply_are_those_of_a_fine_grid(
    score_a: str | float, score_b: str | float, n: int, test: str, alternative: ClaimAlternative
) -> None:
    tests = possible_p_values(score_a, score_b, n, metric="correlation", alternative=alternative)
    # Of exactly 1 there is no Fisher's z.
    assert (test in tests) == (test == "williams" or score_a != 1.0)
    if test not in tests:
        return
    possible = tests[test]
    read = read_scores(score_a, score_b, metric="correlation")
    range_a, range_b = ((float(score.low), float(score.high)) for score in read)
    turns = [sign * math.acos(b) for b in range_b for sign in (-1, 1)]
    # The least and the largest r(A, B) of all corners are among what is looked at.
    corners = np.cos(np.add.outer(np.arccos(range_a), turns)).ravel()
    grid = {*np.cos(np.linspace(0.0, math.pi, 120)), *corners}

    def p_range(c: float) -> Range | None:
        """The smallest and the largest p-value with r(A, B) = c; None where it is impossible."""
        if c > 1.0 - 1e-9:
            return (1.0, 1.0) if range_a[0] <= range_b[1] and range_b[0] <= range_a[1] else None
        a, b = on_a_grid(c, range_a, range_b)
        with np.errstate(invalid="ignore"):
            p = correlation_p(a, b, c, n, test, alternative)
        p = p[~np.isnan(p)]
        return (max(p.min(), 5e-308), max(p.max(), 5e-308)) if p.size else None

    known = {c: found for c in grid if c > -1 + 1e-6 and (found := p_range(c)) is not None}
    least, most = min(low for low, _ in known.values()), max(high for _, high in known.values())
    assert possible.low <= least * (1 + 1e-6)
    assert possible.low >= 0.4 * least or least < 1e-30
    assert most * (1 - 1e-6) <= possible.high <= most * 1.01
    for share in (0.4, 0.7, 0.95, 1.0):
        centre = max(possible.low, 1e-9) ** (1 - share) * possible.high**share
        low, high = 0.97 * centre, min(1.0, 1.03 * centre)
        implied = possible.attains(low, high).correlations
        assert all(last < first for (_, last), (first, _) in pairwise(implied))
        ends = [end + step for ends in implied for end in ends for step in (-3e-3, 3e-3)]
        for c in [*known, *(end for end in ends if -1 < end < 1)]:
            smallest, largest = known.get(c) or p_range(c) or (math.inf, -math.inf)
            slack = 1e-7 if c < 1.0 else 0.0
            if any(first - slack <= c <= last + slack for first, last in implied):
                assert smallest <= high * 1.01, c
                assert largest >= low * 0.99, c
            else:
                assert (smallest >= high * 0.99 and high < 1.0) or largest <= low * 1.01, c


def test_equal_exact_correlations_leave_two_p_values_at_most_and_three_examples_one() -> None:
    values: dict[ClaimAlternative, list[float]] = {"greater": [0.5, 1.0], "two-sided": [1.0]}
    for alternative in SIDES:
        for n, expected in ((40, values[alternative]), (3, [1.0])):
            for test, found in possible_p_values(
                0.5, 0.5, n, metric="correlation", alternative=alternative
            ).items():
                assert found.values is not None, test
                np.testing.assert_allclose(found.values, expected)
    greater = possible_p_values(0.5, 0.5, 40, metric="correlation")["williams"]
    assert greater.attains(0.6, 0.7).verdict == "not-attainable"
    assert greater.attains(0.1, 0.2).verdict == "impossible"
    assert greater.attains(0.45, 0.55).verdict == "attainable"
    few = possible_p_values("0.9", "0.1", 3, metric="correlation")["meng"]
    assert few.attains(0.99, 1.0).correlations == ((-1.0, 1.0),)


def test_what_is_rounded_to_1_leaves_p_values_near_0_and_no_infinite_statistic() -> None:
    for test, found in possible_p_values("1.0", "-1.0", 8, metric="correlation").items():
        assert 0.0 < found.low < 1e-40, test


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
