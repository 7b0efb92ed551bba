"""Honest rows are never called impossible; planted errors are found at a stated least rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from core.claims.possible import Variant
from core.claims.printed_scores import Scale
from core.claims.rows import Row as Judged
from core.claims.rows import judge_row
from core.significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_names,
)
from core.significance.significance_test import SignificanceTest
from tests.core.claims.oracles import correlation_p
from tests.core.claims.planted import other_digit

RNG_SEED = 20170401


@dataclass(frozen=True)
class Row:
    score_a: str
    score_b: str
    n: int
    p_value: str

    def explained(self) -> Judged:
        return judge_row(self.score_a, self.score_b, self.n, self.p_value, scale=self.scale)

    @property
    def scale(self) -> Scale:
        return "percent" if float(self.score_a) > 1 or float(self.score_b) > 1 else "fraction"


def scipy_p(b: int, c: int, variant: Variant) -> float:
    """The p-value as a paper's author would compute it with SciPy."""
    s = b + c
    two_sided = variant.alternative == "two-sided"
    if s == 0:
        return 1.0
    if variant.test.startswith("mcnemar-chi2"):
        correction = 1 if variant.test.endswith("corrected") else 0
        if two_sided:
            return float(stats.chi2.sf(max(abs(b - c) - correction, 0) ** 2 / s, 1))
        return float(stats.norm.sf((b - c - correction) / math.sqrt(s)))
    tail = float(stats.binom.sf(b - 1, s, 0.5))
    if variant.test == "mcnemar" and two_sided:
        return float(stats.binomtest(b, s).pvalue)
    if variant.test == "mcnemar":
        return tail
    middle = 0.5 * float(stats.binom.pmf(b, s, 0.5))
    upper = tail - middle
    return 2 * min(upper, 1 - upper) if two_sided else upper


def variants_of(which: Callable[[SignificanceTest], bool]) -> list[Variant]:
    return [
        Variant(test, side) for test in significance_test_names(which) for side in ("a", "either")
    ]


def honest_rows(
    variant: Variant, number: int, seed: int, *, decimals: int | None = None
) -> list[Row]:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(number):
        n = int(
            rng.choice([1, 2, 5, 20, 57, 300, 872, 2000, 10_000])
            if decimals is None
            else rng.integers(500, 3000)
        )
        share = rng.uniform(0.5, 0.99)
        a = rng.random(n) < share
        b = np.where(
            rng.random(n) < rng.choice([0.1, 0.5]), rng.random(n) < share - rng.choice([0, 0.03]), a
        )
        wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
        places = int(rng.integers(2, 5)) if decimals is None else decimals
        digits = int(rng.integers(2, 5)) if decimals is None else decimals
        p = scipy_p(wins, losses, variant)
        unit = 100 if rng.random() < 0.5 and min(a.mean(), b.mean()) > 0.02 else 1
        after = places - 2 if unit == 100 else places
        rows.append(
            Row(
                f"{unit * a.mean():.{after}f}", f"{unit * b.mean():.{after}f}", n, f"{p:.{digits}f}"
            )
        )
    return rows


def test_honest_accuracies_always_explain_their_p_value() -> None:
    for variant in variants_of(of_outcomes):
        for row in honest_rows(variant, 16, RNG_SEED):
            explanation = row.explained()
            assert explanation.no_multiples == (), row
            assert explanation.by_variant[variant].verdict == "attainable", row


def test_honest_correlations_always_explain_their_p_value() -> None:
    for variant in variants_of(of_three_correlations):
        rng = np.random.default_rng(RNG_SEED)
        for _ in range(5):
            n = int(rng.choice([5, 12, 30, 200, 2000]))
            gold = rng.normal(size=n)
            shared = rng.normal(size=n)
            noise = rng.uniform(0.2, 2)
            a, b = (
                gold + noise * (shared + rng.uniform(0.05, 1) * rng.normal(size=n)) for _ in "ab"
            )
            r = np.corrcoef([gold, a, b])
            p = correlation_p(r[0, 1], r[0, 2], r[1, 2], n, variant.test, variant.alternative)
            places, digits = int(rng.integers(2, 5)), int(rng.integers(2, 5))
            score_a, score_b = (f"{r[0, i]:.{places}f}" for i in (1, 2))
            row = judge_row(score_a, score_b, n, f"{p:.{digits}f}", metric="correlation")
            found = row.by_variant[variant]
            assert found.verdict == "attainable", (score_a, score_b, n, p)
            assert any(low - 1e-6 <= r[1, 2] <= high + 1e-6 for low, high in found.correlations), (
                variant
            )


def share_found(rows: list[Row], variant: Variant) -> float:
    return float(
        np.mean([variant not in row.explained().with_verdict("attainable") for row in rows])
    )


@pytest.mark.parametrize(
    "variant", [Variant("mcnemar", "either"), Variant("mcnemar-chi2", "either")]
)
def test_planted_errors_are_found_at_least_so_often(variant: Variant) -> None:
    """500 to 3,000 examples, scores and p with four decimals, the variant being known."""
    rows = honest_rows(variant, 45, 5, decimals=4)
    assert share_found(rows, variant) == 0.0
    rng = np.random.default_rng(6)
    planted = {
        "n a tenth too large": [Row(r.score_a, r.score_b, round(1.1 * r.n), r.p_value) for r in rows],
        "n a tenth too small": [Row(r.score_a, r.score_b, round(0.9 * r.n), r.p_value) for r in rows],
        "p of the next row": [Row(r.score_a, r.score_b, r.n, other.p_value) for r, other in zip(rows, rows[1:] + rows[:1], strict=True) if other.p_value != r.p_value],
        "a digit of the score": [Row(other_digit(r.score_a, rng), r.score_b, r.n, r.p_value) for r in rows],
        "a digit of p": [Row(r.score_a, r.score_b, r.n, other_digit(r.p_value, rng)) for r in rows],
    }  # fmt: skip
    shares = {name: share_found(wrong, variant) for name, wrong in planted.items()}
    least = {
        "n a tenth too large": 0.93,
        "n a tenth too small": 0.93,
        "p of the next row": 0.8,
        "a digit of the score": 0.8,
        "a digit of p": 0.85,
    }
    assert shares.keys() == least.keys()
    assert {name: share for name, share in shares.items() if share < least[name]} == {}
