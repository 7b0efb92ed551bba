"""Claims against scores and sizes alone, against going through every split by brute force."""

from __future__ import annotations

import numpy as np

from core.claims.check import check_claims
from core.claims.no_p_values import possible_box
from core.data import ScoreTable, read_results
from tests.core.claims.made_tables import holm_by_hand, keys, made


def score_table(*rows: tuple[str, str]) -> ScoreTable:
    lines = ["dataset,A,B", *(f"x{i},{a},{b}" for i, (a, b) in enumerate(rows))]
    read = read_results("\n".join(lines).encode())
    assert isinstance(read, ScoreTable)
    return read


SCORES = score_table(("0.90", "0.50"), ("0.70", "0.50"), ("0.45", "0.50"))
SIZES = [20, 20, 20]


def splits(wins_less_losses: int, right_a: int, right_b: int, n: int) -> list[tuple[int, int]]:
    """Every (b, c) that so many right examples leave open, counted example by example."""
    found = []
    for both in range(min(right_a, right_b) + 1):
        b, c = right_a - both, right_b - both
        if both + b + c <= n:
            assert b - c == wins_less_losses
            found.append((b, c))
    return found


def test_the_box_holds_every_p_value_of_every_split() -> None:
    from scipy import stats

    box = possible_box(SCORES, "A", "B", n_examples=SIZES, metric="accuracy")
    for i, (right_a, right_b) in enumerate([(18, 10), (14, 10), (9, 10)]):
        exact = [
            float(stats.binom.sf(b - 1, b + c, 0.5)) if b + c else 1.0
            for b, c in splits(right_a - right_b, right_a, right_b, 20)
        ]
        assert box.low[i] <= min(exact) * (1 + 1e-9)
        assert box.high[i] >= max(exact) * (1 - 1e-9)


def test_counts_and_names_that_scores_leave_open() -> None:
    report = check_claims(SCORES, "at least 1 for A", metric="accuracy", n_examples=SIZES)
    (whole,) = [f for f in report.of("scores-alone") if f.claim is None]
    box = possible_box(SCORES, "A", "B", n_examples=SIZES, metric="accuracy")
    assert whole.details["holm_always"] == tuple(f"x{i}" for i in holm_by_hand(box.high))
    assert whole.details["holm_ever"] == tuple(f"x{i}" for i in holm_by_hand(box.low))
    low, high = whole.details["counts"]["if one-sided"]["count"]
    assert (low, high) == ((box.high <= 0.05).sum(), (box.low <= 0.05).sum())


def test_verdicts_hold_for_every_possible_p_value() -> None:
    for line, expected in [
        ("at least 1 by count for A", "holds"),
        ("at least 1 for A", "not-shown"),
        ("at least 3 for A", "not-shown"),
        # Right on 1 of 20 more, where a bootstrap may never see A ahead.
        ("at least 1 for B", "not-shown"),
        ("at least 2 for B", "not-shown"),
        ("exactly 3 by count for A", "not-shown"),
        ("named x0; x1 by holm for A", "not-shown"),
        ("named x2 by holm for A", "not-shown"),
        ("significant x0 for A", "holds"),
        ("significant x2 for A", "not-shown"),
        ("at least 1 for differ", "not-shown"),
        ("at least 1 of 4 for A", "not-shown"),
    ]:
        report = check_claims(SCORES, line, metric="accuracy", n_examples=SIZES)
        assert keys(report) == (expected,), (line, expected)


def test_honest_p_values_lie_within_what_their_scores_leave_open() -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        honest = made(rng, "greater")
        table = score_table(*((row[1], row[2]) for row in honest.rows))
        sizes = [row[4] for row in honest.rows]
        box = possible_box(table, "A", "B", n_examples=sizes, metric="accuracy")
        assert (box.low <= honest.p_values * (1 + 1e-9)).all()
        assert (honest.p_values <= box.high * (1 + 1e-9)).all()
        assert box.misfits == ()


def test_scores_that_fit_no_number_of_examples_are_told_and_leave_everything_open() -> None:
    report = check_claims(SCORES, "at least 1 for A", metric="accuracy", n_examples=[20, 20, 19])
    (found,) = report.of("granularity")
    assert (found.dataset, found.key) == ("x2", "impossible")
    (whole,) = [f for f in report.of("scores-alone") if f.claim is None]
    assert (whole.details["low"][2], whole.details["high"][2]) == (0.0, 1.0)


def test_a_verdict_must_hold_whether_the_paper_tested_one_sided_or_two_sided() -> None:
    table = score_table(("70.4", "65.0"))
    box = possible_box(table, "A", "B", n_examples=[1000], metric="accuracy")
    assert box.high[0] < 0.05 < 2 * box.high[0]
    report = check_claims(table, "at least 1 by count", metric="accuracy", n_examples=[1000])
    assert keys(report) == ("not-shown",)
    assert all(t in report.verdicts[0].reason for t in ("1 of 1 (if one", "0 or 1 of 1 (if two"))
