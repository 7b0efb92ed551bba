"""How often a check of claims doubts what is true, and finds what is planted: many made tables."""

from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np
from scipy.stats import binomtest

from core.claims.findings import ClaimReport
from tests.core.claims.honest import HONEST
from tests.core.claims.made_tables import keys, made
from tests.core.claims.planted import PLANTED

# Honest tables of each kind, 10,000 with p-values, and tables for each planted error.
N_HONEST = {"accuracies": 9_000, "correlations": 1_000, "scores alone": 1_000}
N_PLANTED = 400
CONFIDENCE = 0.999
Say = Callable[[str], object]


def run(say: Say = print) -> int:
    """Print both tables; the number of rows that are not as promised."""
    return _honest(say) + _planted(say)


def _honest(say: Say) -> int:
    say(
        "Honest tables with true claims, made as papers make them: ways of testing, directions, and "
        "ways to print p-values and scores. Rows not by a test on their examples and claims called "
        f"contradicted or impossible, and tables with either; at most: Clopper and Pearson's upper end at "
        f"{CONFIDENCE}."
    )
    say(
        f"{'way':34}{'tables':>7}{'rows':>7}{'claims':>8}{'holding':>11}{'impossible':>12}"
        f"{'denied':>8}{'tables':>8}{'at most':>9}"
    )
    broken = 0
    for number, (kind, judge) in enumerate(HONEST.items()):
        rng = np.random.default_rng([2017, 8, number])
        ways: dict[str, Counter[str]] = defaultdict(Counter)
        for i in range(N_HONEST[kind]):
            table, report = judge(rng, i)
            for way in (table.way, "all"):
                ways[way] += _counted(report)
            if report.doubts and ways["all"]["doubted"] <= 3:
                say(f"    {report.doubts[0].reason} {table.rows}")
        for way, total in sorted(ways.items(), key=lambda each: each[0] == "all"):
            say(_line(f"{kind}: {way}", total))
        broken += ways["all"]["doubted"]
    return broken


def _counted(report: ClaimReport) -> Counter[str]:
    """One table's part in the sums over tables made in one way."""
    return Counter(
        tables=1,
        rows=sum(bool(f.dataset) for f in report.rows),
        claims=len(report.claims),
        holding=keys(report).count("holds"),
        impossible=sum(f.claim is None for f in report.doubts),
        denied=len({f.claim for f in report.doubts} - {None}),
        doubted=bool(report.doubts),
    )


def _line(name: str, of: Counter[str]) -> str:
    judged = binomtest(of["doubted"], of["tables"])
    high = judged.proportion_ci(CONFIDENCE, method="exact").high
    return (
        f"{name:34}{of['tables']:7}{of['rows']:7}{of['claims']:8}"
        f"{of['holding'] / max(1, of['claims']):11.3f}{of['impossible']:12}{of['denied']:8}"
        f"{of['doubted']:7}{'!' if of['doubted'] else ' '}{high:9.4f}"
    )


def _planted(say: Say) -> int:
    say(
        f"Planted errors, four decimals, {N_PLANTED} tables each; promised: found at least so often."
    )
    say(f"{'error':44}{'promised':>9}{'found':>8}")
    broken = 0
    for number, (error, finds, least) in enumerate(PLANTED):
        rng = np.random.default_rng([2017, 9, number])
        tables = [made(rng, "two-sided", decimals=4) for _ in range(N_PLANTED)]
        n_found = sum(finds(table, rng) for table in tables)
        low, high = binomtest(n_found, N_PLANTED).proportion_ci(CONFIDENCE, method="exact")
        missed = bool(high < least)
        broken += missed
        say(
            f"{error:44}{least:9.2f}{n_found / N_PLANTED:8.4f} "
            f"[{low:.4f}, {high:.4f}]{'!' if missed else ''}"
        )
    return broken
