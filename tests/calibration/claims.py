"""How often a check of claims doubts what is true, and finds what is planted: many made tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import binomtest

from tests.core.claims.honest import HONEST
from tests.core.claims.planted import PLANTED, planted_tables

# Honest tables of each kind, 1,000 together, and tables for each planted error.
N_HONEST = {"accuracies": 850, "correlations": 150}
N_PLANTED = 400
CONFIDENCE = 0.999
Say = Callable[[str], object]


def run(say: Say = print) -> int:
    """Print both tables; the number of rows that are not as promised."""
    return _honest(say) + _planted(say)


def _honest(say: Say) -> int:
    say(
        "Honest tables with true claims, scores and p-values of drawn examples rounded to 2 to 4 "
        f"decimals; at most: Clopper and Pearson's upper end at {CONFIDENCE}."
    )
    say(
        f"{'kind':14}{'tables':>7}{'rows':>7}{'claims':>8}{'confirmed':>11}{'doubted':>9}{'at most':>9}"
    )
    broken = 0
    for number, (kind, judge) in enumerate(HONEST.items()):
        rng = np.random.default_rng([2017, 8, number])
        found = [judge(rng, i) for i in range(N_HONEST[kind])]
        n_doubted = sum(bool(judged.doubts) for judged in found)
        high = binomtest(n_doubted, len(found)).proportion_ci(CONFIDENCE, method="exact").high
        n_claims = sum(judged.n_claims for judged in found)
        share = sum(judged.n_confirmed for judged in found) / n_claims
        mark = "!" if n_doubted else " "
        say(
            f"{kind:14}{len(found):7}{sum(j.n_rows for j in found):7}{n_claims:8}{share:11.3f}"
            f"{n_doubted:8}{mark}{high:9.4f}"
        )
        for judged in [judged for judged in found if judged.doubts][:3]:
            say(f"    {judged.doubts[0].reason} {judged.rows}")
        broken += n_doubted
    return broken


def _planted(say: Say) -> int:
    say(
        f"Planted errors, four decimals, {N_PLANTED} tables each; promised: found at least so often."
    )
    say(f"{'error':44}{'promised':>9}{'found':>8}")
    broken = 0
    for number, planted in enumerate(PLANTED):
        rng = np.random.default_rng([2017, 9, number])
        n_found = sum(planted.finds(table, rng) for table in planted_tables(rng, N_PLANTED))
        low, high = binomtest(n_found, N_PLANTED).proportion_ci(CONFIDENCE, method="exact")
        missed = bool(high < planted.least)
        broken += missed
        say(
            f"{planted.name:44}{planted.least:9.2f}{n_found / N_PLANTED:8.4f} "
            f"[{low:.4f}, {high:.4f}]{'!' if missed else ''}"
        )
    return broken
