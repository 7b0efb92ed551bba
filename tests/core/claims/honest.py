"""Honest tables judged with true claims: what a check of them must never doubt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.claims.check import check_claims
from core.claims.claim import Claim
from core.claims.correlations import CORRELATION_TESTS
from core.claims.findings import Finding
from core.claims.splits import MCNEMAR_TESTS
from core.claims.verdicts import ClaimReport
from tests.core.claims.made_tables import (
    Made,
    any_by_hand,
    interval_of,
    made,
    made_correlations,
    table_of,
    true_claims,
)

ALTERNATIVES = ("two-sided", "greater", "toward-higher-score")


@dataclass(frozen=True)
class Judged:
    """What a check made of one honest table."""

    rows: list[tuple[str, str, str, str, int]]
    n_claims: int
    n_confirmed: int
    n_rows: int
    doubts: list[Finding]


def judged_accuracies(rng: np.random.Generator, number: int) -> Judged:
    """Accuracies with one of McNemar's tests, a second test's p-values beside it."""
    alternative = ALTERNATIVES[number % 3]
    honest = made(rng, alternative, test=MCNEMAR_TESTS[number // 3 % 4])
    declared = alternative if number % 4 else "not-stated"
    low, high, estimate = interval_of(honest)
    claims = [
        *true_claims(honest),
        Claim(kind="exactly", k=any_by_hand(honest), method="any", better="differ"),
    ]
    if float(low) < float(high):
        claims.append(Claim(kind="interval", interval=(low, high), estimate=estimate))
    table = table_of(honest.rows, alternative=declared, others=honest.others)
    return _judged(honest, check_claims(table, claims, metric="accuracy"))


def judged_correlations(rng: np.random.Generator, number: int) -> Judged:
    """Correlations with gold, and one of the tests for two that share it."""
    alternative = ALTERNATIVES[number % 3]
    honest = made_correlations(rng, alternative, test=CORRELATION_TESTS[number // 3 % 3])
    declared = alternative if number % 4 else "not-stated"
    table = table_of(honest.rows, alternative=declared)
    return _judged(honest, check_claims(table, true_claims(honest), metric="correlation"))


def _judged(honest: Made, report: ClaimReport) -> Judged:
    rows = [f for f in report.of("possible-p-values") if f.dataset]
    assert len(rows) == len(honest.rows)
    doubts = [
        f for f in report.findings if f.verdict in ("contradicted", "impossible", "not-attainable")
    ]
    # What is not supported by direction may be true of A alone as printed.
    doubts += [
        f for f in report.findings if f.check == "arithmetic" and f.verdict == "not-supported"
    ]
    return Judged(
        rows=honest.rows,
        n_claims=len(report.claims),
        n_confirmed=report.verdicts.count("confirmed"),
        n_rows=len(rows),
        doubts=doubts,
    )


HONEST: Mapping[str, Callable[[np.random.Generator, int], Judged]] = {
    "accuracies": judged_accuracies,
    "correlations": judged_correlations,
}
