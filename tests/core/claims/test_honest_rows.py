"""Honest rows are explained by the very test that gave their p-value."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from core.claims.possible import SpeaksFor, Variant
from core.claims.rows import Row
from core.significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_names,
)
from tests.core.claims.made_tables import judge_texts
from tests.core.claims.oracles import correlation_p, mcnemar_p

RNG_SEED = 20170401
SIDES: tuple[SpeaksFor, ...] = ("a", "either")


def honest_rows(variant: Variant) -> Iterator[tuple[tuple[str, str, int, str], Row]]:
    """What is printed of ten datasets, and what it is judged to be."""
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(10):
        n = int(rng.choice([1, 2, 5, 20, 57, 300, 872, 2000, 10_000]))
        share = rng.uniform(0.5, 0.99)
        a = rng.random(n) < share
        b = np.where(
            rng.random(n) < rng.choice([0.1, 0.5]), rng.random(n) < share - rng.choice([0, 0.03]), a
        )
        places, digits = int(rng.integers(2, 5)), int(rng.integers(2, 5))
        p = mcnemar_p(int((a & ~b).sum()), int((b & ~a).sum()), variant.test, variant.alternative)
        in_percent = rng.random() < 0.5 and min(a.mean(), b.mean()) > 0.02
        unit, after = (100, places - 2) if in_percent else (1, places)
        score_a, score_b = (f"{unit * x.mean():.{after}f}" for x in (a, b))
        printed = (score_a, score_b, n, f"{p:.{digits}f}")
        yield printed, judge_texts(*printed, scale="percent" if in_percent else "fraction")


def test_honest_accuracies_always_explain_their_p_value() -> None:
    for test, side in product(significance_test_names(of_outcomes), SIDES):
        variant = Variant(test, side)
        for printed, judged in honest_rows(variant):
            assert judged.no_multiples == (), printed
            assert judged.by_variant[variant].verdict == "attainable", printed


def test_honest_correlations_always_explain_their_p_value() -> None:
    for test, side in product(significance_test_names(of_three_correlations), SIDES):
        variant = Variant(test, side)
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
            p = correlation_p(r[0, 1], r[0, 2], r[1, 2], n, test, variant.alternative)
            places, digits = int(rng.integers(2, 5)), int(rng.integers(2, 5))
            score_a, score_b = (f"{r[0, i]:.{places}f}" for i in (1, 2))
            row = judge_texts(score_a, score_b, n, f"{p:.{digits}f}", metric="correlation")
            found = row.by_variant[variant]
            assert found.verdict == "attainable", (variant, score_a, score_b, n, p)
            implied = found.correlations
            assert any(low - 1e-6 <= r[1, 2] <= high + 1e-6 for low, high in implied), variant
