"""Honest tables judged with true claims: what a check of them must never doubt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.claims.check import check_claims
from core.claims.findings import ClaimReport, Finding
from core.data import ScoreTable, read_results
from tests.core.claims.made_tables import keys, table_of
from tests.core.claims.papers import PaperTable, accuracy_table, correlation_table
from tests.core.claims.true_claims import true_claims


@dataclass(frozen=True)
class Judged:
    """What a check made of one honest table."""

    table: PaperTable
    report: ClaimReport

    @property
    def rows(self) -> list[Finding]:
        """Its rows."""
        return [f for f in self.report.rows if f.dataset]

    @property
    def doubts(self) -> list[Finding]:
        """Whatever speaks against a row or a claim."""
        return list(self.report.doubts)

    @property
    def n_holding(self) -> int:
        """Claims that hold."""
        return keys(self.report).count("holds")


def judged(
    make: Callable[[np.random.Generator, int], PaperTable],
    rng: np.random.Generator,
    number: int,
) -> Judged:
    """One made table with its true claims, in three of four declared as it was tested."""
    table = make(rng, number)
    declared = table.direction if number % 4 else "not-stated"
    read = table_of(table.rows, alternative=declared)
    report = check_claims(read, true_claims(table), metric=table.metric)  # type: ignore[arg-type]
    found = Judged(table, report)
    assert len(found.rows) == len(table.rows)
    return found


def judged_by_scores(rng: np.random.Generator, number: int) -> Judged:
    """Scores and sizes alone, with the true claims for one system or the other."""
    table = accuracy_table(rng, number)
    lines = ["dataset,A,B", *(",".join(row[:3]) for row in table.rows)]
    read = read_results("\n".join(lines).encode())
    assert isinstance(read, ScoreTable)
    claims = [claim for claim in true_claims(table) if claim.better != "differ"]
    report = check_claims(read, claims, metric="accuracy", n_examples=[r[4] for r in table.rows])
    return Judged(table, report)


HONEST: Mapping[str, Callable[..., Judged]] = {
    "accuracies": partial(judged, accuracy_table),
    "correlations": partial(judged, correlation_table),
    "scores alone": judged_by_scores,
}
