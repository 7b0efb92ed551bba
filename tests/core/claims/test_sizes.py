from __future__ import annotations

from itertools import product

import pytest

from core.claims.correlations import correlation_box
from core.claims.possible import Sizes, SpeaksFor, Variant, nearest_sizes
from core.claims.printed_scores import ScoreMetric, read_scores, splits_of
from core.significance.known_tests import of_outcomes, significance_test_names

MCNEMAR_TESTS = significance_test_names(of_outcomes)

SIDES: tuple[SpeaksFor, ...] = ("a", "either")


def nearest(a: str, b: str, n: int, ends: tuple[float, float], test: str, side: SpeaksFor) -> Sizes:
    metric: ScoreMetric = "accuracy" if test in MCNEMAR_TESTS else "correlation"
    score_a, score_b = read_scores(a, b, metric=metric)
    return nearest_sizes(score_a, score_b, n, ends, Variant(test, side))


def is_possible(
    a: str, b: str, n: int, ends: tuple[float, float], test: str, side: SpeaksFor
) -> bool:
    metric: ScoreMetric = "accuracy" if test in MCNEMAR_TESTS else "correlation"
    score_a, score_b = read_scores(a, b, metric=metric)
    if metric == "correlation":
        box = correlation_box(test, score_a, score_b, n)
        assert box is not None
        low, high = box.p_range(two_sided=side == "either")
    elif not all(score.is_multiple_of_one_in(n) for score in (score_a, score_b)):
        return False
    else:
        low, high = splits_of(score_a, score_b, n).p_range(test, Variant(test, side).alternative)
    return ends[0] <= high * (1 + 1e-9) and ends[1] >= low * (1 - 1e-9)


def test_the_nearest_n_are_those_that_trying_every_n_finds() -> None:
    for side, test in product(SIDES, MCNEMAR_TESTS):
        for a, b, n, ends in [
            ("0.70", "0.55", 120, (0.3, 0.31)),
            ("0.555", "0.700", 63, (0.2, 0.21)),
            ("0.8", "0.6", 9, (0.001, 0.002)),
            ("0.60", "0.60", 250, (0.9999, 1.0)),
            ("0.33", "0.66", 50, (0.9999, 1.0)),
        ]:
            below, above = nearest(a, b, n, ends, test, side)
            if is_possible(a, b, n, ends, test, side):
                assert (below, above) == (None, None), (side, test)
                continue
            smaller = (m for m in range(n - 1, 0, -1) if is_possible(a, b, m, ends, test, side))
            assert below == next(smaller, None), (side, test)
            larger = range(n + 1, (2 * n if above is None else above) + 1)
            found = next((m for m in larger if is_possible(a, b, m, ends, test, side)), None)
            assert above == found, (side, test)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("test", ["williams", "steiger", "meng"])
def test_correlations_become_possible_at_the_edge_that_is_named(test: str, side: SpeaksFor) -> None:
    for (a, b, ends), n in product(
        [("0.68", "0.57", (0.21, 0.22)), ("0.57", "0.68", (0.8, 0.81)), ("0.57", "0.68", (0.55, 0.56)),
         ("0.3", "0.8", (1.0, 1.0))],
        (3, 300),
    ):  # fmt: skip
        below, above = nearest(a, b, n, ends, test, side)
        if is_possible(a, b, n, ends, test, side):
            assert (below, above) == (None, None)
            continue
        for edge, step in ((below, 1), (above, -1)):
            if edge is not None:
                assert (edge < n) == (step > 0)
                assert is_possible(a, b, edge, ends, test, side)
                assert not is_possible(a, b, edge + step, ends, test, side)
        for m in (1, 200):
            if is_possible(a, b, m, ends, test, side):
                assert (below if m < n else above) is not None
