"""Honest correlations are explained by the very test that gave their p-value."""

from itertools import product

import numpy as np

from core.claims.possible import SpeaksFor, Variant
from core.significance.known_tests import of_three_correlations, significance_test_names
from tests.core.claims.made_tables import judge_texts
from tests.core.claims.oracles import correlation_p

RNG_SEED = 20170401
SIDES: tuple[SpeaksFor, ...] = ("a", "either")


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
