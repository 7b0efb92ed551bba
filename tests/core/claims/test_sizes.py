from __future__ import annotations

from itertools import product

import pytest

from core.claims.correlations import correlation_box
from core.claims.printed_scores import ScoreMetric, read_scores
from core.claims.sizes import n_at_which_possible
from core.claims.splits import splits_of
from core.significance.known_tests import of_outcomes, significance_test_names

MCNEMAR_TESTS = significance_test_names(of_outcomes)

SIDES = ("greater", "two-sided")


def is_possible(a: str, b: str, n: int, ends: tuple[float, float], test: str, side: str) -> bool:
    metric: ScoreMetric = "accuracy" if test in MCNEMAR_TESTS else "correlation"
    score_a, score_b = read_scores(a, b, metric=metric)
    if metric == "correlation":
        box = correlation_box(test, score_a, score_b, n)
        assert box is not None
        low, high = box.p_range(side)
    elif not all(score.is_multiple_of_one_in(n) for score in (score_a, score_b)):
        return False
    else:
        low, high = splits_of(score_a, score_b, n).p_range(test, side)
    return ends[0] <= high * (1 + 1e-9) and ends[1] >= low * (1 - 1e-9)


def test_the_nearest_n_are_those_that_trying_every_n_finds() -> None:
    for alternative in SIDES:
        for test in MCNEMAR_TESTS:
            for a, b, n, ends in [
                ("0.70", "0.55", 120, (0.3, 0.31)),
                ("0.555", "0.700", 63, (0.2, 0.21)),
                ("0.8", "0.6", 9, (0.001, 0.002)),
                ("0.60", "0.60", 250, (0.9999, 1.0)),
                ("0.33", "0.66", 50, (0.9999, 1.0)),
            ]:
                found = n_at_which_possible(a, b, n, ends, test=test, alternative=alternative)  # type: ignore[arg-type]
                assert found.possible == is_possible(a, b, n, ends, test, alternative), (
                    alternative,
                    test,
                )
                if found.possible:
                    assert found.largest_below is None, (alternative, test)
                    assert found.smallest_above is None, (alternative, test)
                    continue
                first, last = found.tried
                below = (
                    m for m in range(n - 1, 0, -1) if is_possible(a, b, m, ends, test, alternative)
                )
                assert first == 1, (alternative, test)
                assert found.largest_below == next(below, None), (alternative, test)
                stop = min(last, 2 * n if found.smallest_above is None else found.smallest_above)
                above = (
                    m
                    for m in range(n + 1, stop + 1)
                    if is_possible(a, b, m, ends, test, alternative)
                )
                assert found.smallest_above == next(above, None), (alternative, test)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("test", ["williams", "steiger", "meng"])
def test_correlations_become_possible_at_the_edge_that_is_named(
    test: str, alternative: str
) -> None:
    for (a, b, ends), n in product(
        [("0.68", "0.57", (0.21, 0.22)), ("0.57", "0.68", (0.8, 0.81)), ("0.57", "0.68", (0.55, 0.56)),
         ("0.3", "0.8", (1.0, 1.0))],
        (3, 300),
    ):  # fmt: skip
        found = n_at_which_possible(a, b, n, ends, test=test, alternative=alternative)  # type: ignore[arg-type]
        assert found.possible == is_possible(a, b, n, ends, test, alternative)
        if found.largest_below is not None:
            assert found.largest_below < n
            assert is_possible(a, b, found.largest_below, ends, test, alternative)
            assert not is_possible(a, b, found.largest_below + 1, ends, test, alternative)
        if found.smallest_above is not None:
            assert found.smallest_above > n
            assert is_possible(a, b, found.smallest_above, ends, test, alternative)
            assert not is_possible(a, b, found.smallest_above - 1, ends, test, alternative)
        if not found.possible:
            for m in (1, 200):
                if is_possible(a, b, m, ends, test, alternative):
                    assert (found.largest_below if m < n else found.smallest_above) is not None
