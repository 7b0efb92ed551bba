"""True claims about honest tables are never contradicted; planted errors are found so often at least.

`./run.sh calibrate claims` does both on many more tables.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from tests.core.claims.honest import HONEST
from tests.core.claims.planted import PLANTED, planted_tables

# Every way of testing in every direction once; of scores alone, every way once.
N_HONEST = {"accuracies": 39, "correlations": 15, "scores alone": 13}
N_PLANTED = 5
# A share is taken to be at least so large unless a binomial test speaks against it this clearly.
MARGIN = 1e-3


def test_honest_tables_and_true_claims_raise_no_doubt() -> None:
    for kind in HONEST:
        rng = np.random.default_rng([2017, len(kind)])
        found = [HONEST[kind](rng, number) for number in range(N_HONEST[kind])]
        for judged in found:
            assert not judged.doubts, (judged.doubts[0].reason, judged.table.rows)
        # Most of what is true is confirmed, and the rest left open: a checker that never decides fails.
        n_holding = sum(judged.n_holding for judged in found)
        least = 0.05 if kind == "scores alone" else 0.5
        assert n_holding > least * sum(len(judged.report.claims) for judged in found), kind


def test_planted_errors_are_found_at_least_so_often() -> None:
    for planted in PLANTED:
        rng = np.random.default_rng(41)
        tables = planted_tables(rng, N_PLANTED)
        n_found = sum(planted.finds(table, rng) for table in tables)
        chance = stats.binom.cdf(n_found, N_PLANTED, planted.least)
        assert chance > MARGIN, (planted.name, n_found)
