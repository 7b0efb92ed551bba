"""P-values that two scores leave open, against every split enumerated, and the numbers of examples that would."""

from itertools import product

import numpy as np
import pytest

from core.claims.correlations import correlation_box
from core.claims.possible import Sizes, SpeaksFor, Variant, nearest_sizes, possible_p_values
from core.claims.printed_scores import ScoreMetric, mcnemar_p_values, read_scores, splits_of
from core.significance.known_tests import of_outcomes, significance_test_names
from tests.core.claims.made_tables import judge_texts
from tests.core.claims.oracles import TESTS, counts_that_print, mcnemar_p_both_ways, splits

SIDES = ("greater", "two-sided")


def nearest_distance(values: np.ndarray, others: np.ndarray) -> float:
    """The largest relative distance of a value from the nearest of others."""
    return float((np.abs(values[:, None] - others) / values[:, None]).min(axis=1).max())


def test_ranges_and_values_are_those_of_every_split_enumerated() -> None:
    for n, a, b in [
        (1, "0", "1"), (1, "1", "1"), (2, "0.5", "0.5"), (7, "0.43", "0.14"), (12, "0.5", "0.75"),
        (23, "0.4", "0.6"), (31, "0.9", "0.8"), (40, "1.00", "0.9"), (40, "0.0", "0.00"),
        (60, "0.52", "0.47"), (60, "0.6", "0.6"), (57, "0.8", "0.3"), (58, "0.1", "0.9"),
    ]:  # fmt: skip
        every = list(splits(n, counts_that_print(a, n), counts_that_print(b, n)))
        assert every, (n, a, b)
        for alternative, test in product(SIDES, TESTS):
            case = (n, a, b, alternative, test)
            expected = np.unique(
                [p for split in every for p in mcnemar_p_both_ways(*split, test, alternative)]
            )
            found = possible_p_values(a, b, n, alternative=alternative)[test]  # type: ignore[arg-type]
            ends = pytest.approx((expected[0], expected[-1]), rel=1e-10)
            assert (found.low, found.high) == ends, case
            assert found.values is not None, case
            assert nearest_distance(found.values, expected) < 1e-10, case
            assert nearest_distance(expected, found.values) < 1e-10, case
            assert (np.diff(found.values) > 0.0).all(), case


def test_the_implied_splits_are_all_that_give_the_printed_digits() -> None:
    scores = [(60, "0.5", "0.4"), (55, "0.71", "0.65"), (40, ".3", ".6"), (29, "0.6", "0.6")]
    printed = [(0.0, 0.0005), (0.01, 0.02), (0.0355, 0.0365), (0.1, 0.3), (0.4995, 0.5005),
               (0.62, 0.63), (0.95, 1.0)]  # fmt: skip
    for alternative, test, (n, a, b) in product(SIDES, TESTS, scores):
        every = list(splits(n, counts_that_print(a, n), counts_that_print(b, n)))
        each = {split: mcnemar_p_both_ways(*split, test, alternative) for split in every}
        all_p = [p for found in each.values() for p in found]
        possible = possible_p_values(a, b, n, alternative=alternative)[test]  # type: ignore[arg-type]
        for low, high in printed:
            case = (alternative, test, n, a, b, low, high)
            found = possible.attains(low, high)
            giving = {
                split
                for split, found_p in each.items()
                if any(low - 1e-12 <= p <= high + 1e-12 for p in found_p)
            }
            if giving:
                assert found.verdict == "attainable", case
                sums = [b + c for b, c in giving]
                assert found.disagreements == (min(sums), max(sums)), case
            else:
                inside = low <= max(all_p) and high >= min(all_p)
                assert found.verdict == ("not-attainable" if inside else "impossible"), case
                near = (
                    [max(p for p in all_p if p < low), min(p for p in all_p if p > high)]
                    if inside
                    else []
                )
                assert [p for p, _ in found.nearest] == pytest.approx(near, rel=1e-10), case
                for p, s in found.nearest:
                    of_s = [q for (b, c), every_p in each.items() if b + c == s for q in every_p]
                    assert any(q == pytest.approx(p, rel=1e-10) for q in of_s), case


def test_p_moves_in_one_direction_as_disagreements_grow() -> None:
    for alternative, test, d in product(SIDES, TESTS, range(-40, 41)):
        # At a tie mid-p begins anew with the first disagreement.
        s = np.arange(2 if d == 0 and "mid" in test else abs(d), 3000, 2)
        p_values = mcnemar_p_values(np.full(s.shape, d), s, test=test, alternative=alternative)
        steps = np.diff(p_values)
        rising = alternative == "two-sided" or d >= 1
        case = (alternative, test, d)
        assert ((steps if rising else -steps) >= -1e-12 * p_values[1:]).all(), case


def test_a_large_row_lists_no_values_and_still_finds_its_splits() -> None:
    row = judge_texts("85.4", "85.1", 100_000, "0.0312")
    exact = row.by_variant[Variant("mcnemar", "either")]
    assert exact.possible.values is None
    assert exact.verdict == "attainable"


def test_a_tie_with_the_correction_left_uncut_is_possible() -> None:
    # As statsmodels and mlxtend compute it: (|25 − 25| − 1)² / 50 has p = .8875.
    corrected = Variant("mcnemar-chi2-corrected", "either")
    row = judge_texts("0.50", "0.50", 100, "0.8875")
    giving = row.by_variant[corrected]
    assert giving.verdict == "attainable"
    assert giving.disagreements == (50, 50)
    own = judge_texts("0.50", "0.50", 100, "1.0000")
    assert own.by_variant[corrected].verdict == "attainable"
    for p in ("0.20", "0.9990"):
        assert not judge_texts("0.50", "0.50", 100, p).with_verdict("attainable")


MCNEMAR_TESTS = significance_test_names(of_outcomes)

SPEAKS_FOR: tuple[SpeaksFor, ...] = ("a", "either")


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
        intervals = box.p_intervals(two_sided=side == "either")
        low, high = intervals[0][0], intervals[-1][1]
    elif not all(score.is_multiple_of_one_in(n) for score in (score_a, score_b)):
        return False
    else:
        low, high = splits_of(score_a, score_b, n).p_range(test, Variant(test, side).alternative)
    return ends[0] <= high * (1 + 1e-9) and ends[1] >= low * (1 - 1e-9)


def test_the_nearest_n_are_those_that_trying_every_n_finds() -> None:
    for side, test in product(SPEAKS_FOR, MCNEMAR_TESTS):
        for a, b, n, ends in [
            ("0.70", "0.55", 120, (0.3, 0.31)),
            ("0.555", "0.700", 63, (0.2, 0.21)),
            ("0.8", "0.6", 9, (0.001, 0.002)),
            ("0.60", "0.60", 250, (0.9999, 1.0)),
            ("0.33", "0.66", 50, (0.9999, 1.0)),
            ("0.8", "0.6", 4, (0.99, 1.0)),
            ("0.8", "0.6", 6, (0.99, 1.0)),
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


@pytest.mark.parametrize("side", SPEAKS_FOR)
@pytest.mark.parametrize("test", ["williams", "steiger", "meng"])
def test_correlations_become_possible_at_the_edge_that_is_named(test: str, side: SpeaksFor) -> None:
    for (a, b, ends), n in product(
        [("0.68", "0.57", (0.21, 0.22)), ("0.57", "0.68", (0.8, 0.81)), ("0.57", "0.68", (0.55, 0.56)),
         ("0.3", "0.8", (1.0, 1.0)), ("0.57", "0.68", (0.97, 0.98)), ("0.68", "0.57", (1e-9, 2e-9))],
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
