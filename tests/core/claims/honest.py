"""Honest tables judged with true claims: what a check of them must never doubt."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from core.claims.check import check_claims
from core.claims.claim import Better, Claim
from core.claims.findings import ClaimReport
from core.data import ScoreTable, read_results
from tests.core.claims.made_tables import (
    ALPHA,
    benjamini_hochberg_by_hand,
    fisher_by_hand,
    holm_by_hand,
    table_of,
)
from tests.core.claims.papers import PaperTable, accuracy_table, correlation_table


def judged(
    make: Callable[[np.random.Generator, int], PaperTable],
    rng: np.random.Generator,
    number: int,
) -> tuple[PaperTable, ClaimReport]:
    """One made table with its true claims, in three of four declared as it was tested."""
    table = make(rng, number)
    declared = table.direction if number % 4 else "not-stated"
    read = table_of(table.rows, alternative=declared)
    report = check_claims(read, true_claims(table), metric=table.metric)  # type: ignore[arg-type]
    assert len([found for found in report.rows if found.dataset]) == len(table.rows)
    return table, report


def judged_by_scores(rng: np.random.Generator, number: int) -> tuple[PaperTable, ClaimReport]:
    """Scores and sizes alone, with the true claims for one system or the other."""
    table = accuracy_table(rng, number)
    lines = ["dataset,A,B", *(",".join(row[:3]) for row in table.rows)]
    read = read_results("\n".join(lines).encode())
    assert isinstance(read, ScoreTable)
    claims = [claim for claim in true_claims(table) if claim.better != "differ"]
    sizes = [row[4] for row in table.rows]
    return table, check_claims(read, claims, metric="accuracy", n_examples=sizes)


HONEST: Mapping[str, Callable[..., tuple[PaperTable, ClaimReport]]] = {
    "accuracies": partial(judged, accuracy_table),
    "correlations": partial(judged, correlation_table),
    "scores alone": judged_by_scores,
}


def true_claims(table: PaperTable) -> list[Claim]:
    """What authors who count rightly, from p-values before rounding, say in each way to count."""
    p, lead = table.p_values, table.differences
    if table.direction == "greater":
        return [*_of(table, p, "a"), *_counts(2 * np.minimum(p, 1 - p), "differ")]
    claims: list[Claim] = []
    for better, ahead in (("a", lead > 0), ("b", lead < 0)):
        claims += _where_ahead(table, ahead, better)
        if table.direction == "two-sided":
            one_sided = np.where(ahead, p / 2, 1 - p / 2)
        else:
            # Of a p-value of 1 the complement would be certainty.
            one_sided = np.where(ahead, p, np.where((lead != 0) & (p < 1), 1 - p, 1))
        claims += _of(table, one_sided, better)
    claims += _of(table, p, "differ")
    if table.direction == "toward-higher-score":
        claims += _counts(np.minimum(1, 2 * p), "differ")
    return claims


def _where_ahead(table: PaperTable, ahead: np.ndarray, better: str) -> list[Claim]:
    """P-values as they are, wherever the system is ahead: how most papers count."""
    small = np.flatnonzero((table.p_values <= ALPHA) & ahead)
    named = [i for i in holm_by_hand(table.p_values) if ahead[i]]
    found = [i for i in benjamini_hochberg_by_hand(table.p_values) if ahead[i]]
    return [
        _claim(better, kind="exactly", k=len(small), method="count"),
        _claim(better, kind="at-least", k=len(small), method="count"),
        _claim(better, kind="exactly", k=len(named), method="bonferroni"),
        _listed(table, better, named, "holm"),
        _listed(table, better, found, "benjamini-hochberg"),
        *_significant(table, better, small.tolist()),
    ]


def _of(table: PaperTable, p: np.ndarray, better: str) -> list[Claim]:
    """Counts and names of one set of p-values."""
    fisher = fisher_by_hand(p)
    return [
        *_counts(p, better),
        _claim(better, kind="exactly", k=fisher, method="fisher"),
        _claim(better, kind="at-least", k=fisher, method="fisher"),
        _listed(table, better, holm_by_hand(p), "holm"),
        _listed(table, better, benjamini_hochberg_by_hand(p), "benjamini-hochberg"),
        *_significant(table, better, np.flatnonzero(p <= ALPHA).tolist()),
    ]


def _counts(p: np.ndarray, better: str) -> list[Claim]:
    return [
        _claim(better, kind="exactly", k=int((p <= ALPHA).sum()), method="count"),
        _claim(better, kind="exactly", k=len(holm_by_hand(p)), method="bonferroni"),
        _claim(better, kind="at-least", k=len(holm_by_hand(p))),
    ]


def _listed(table: PaperTable, better: str, named: list[int], method: str) -> Claim:
    names = tuple(table.datasets[i] for i in named)
    return _claim(better, kind="named", datasets=names, method=method)


def _significant(table: PaperTable, better: str, small: list[int]) -> list[Claim]:
    if not small:
        return []
    return [_claim(better, kind="significant", datasets=tuple(table.datasets[i] for i in small))]


def _claim(better: str, **parts: object) -> Claim:
    side: Better = "a" if better == "a" else "b" if better == "b" else "differ"
    return Claim(better=side, **parts)  # type: ignore[arg-type]
