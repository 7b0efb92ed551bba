"""Each row's printed p-value beside those that its scores leave possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from ...claims.findings import ClaimReport, Finding, RowKey
from ...claims.possible import Variant
from ...data import PValueTable


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleRow:
    """One row of a table of p-values with scores and numbers of examples.

    Attributes
    ----------
    dataset : str
        Its name.
    n_examples : int
        n.
    printed : str
        The p-value as printed.
    p_low, p_high : float
        What its digits allow.
    key : str
        "possible", "undecided" or "impossible".
    shown : Variant or None
        The test and side that `low` and `high` are of; None where none of those gone
        through gives the printed one, or a score is no share of n.
    low, high : float or None
        The p-values that it can give, within the rounding of the scores.
    ranges : tuple of (float, float)
        Where p-values of tests in use lie, for either system or two-sided, as intervals
        that do not meet, rising; empty where a score is no share of n.
    explained_by : tuple of Variant
        What gives the printed p-value.
    disagreements : (int, int) or None
        Fewest and most examples on which exactly one system is right.
    correlations : tuple of (float, float)
        Implied correlations between the systems.
    sizes : (int or None, int or None)
        The nearest smaller and larger n at which it is possible.
    """

    dataset: str
    n_examples: int
    printed: str
    p_low: float
    p_high: float
    key: RowKey
    shown: Variant | None
    low: float | None
    high: float | None
    ranges: tuple[tuple[float, float], ...] = ()
    explained_by: tuple[Variant, ...] = ()
    disagreements: tuple[int, int] | None = None
    correlations: tuple[tuple[float, float], ...] = ()
    sizes: tuple[int | None, int | None] = (None, None)


def possible_rows(report: ClaimReport, table: PValueTable) -> tuple[PossibleRow, ...]:
    """Rows of the table that a report was made of, as far as they were judged.

    Parameters
    ----------
    report : ClaimReport
        Of this table, sizes included.
    table : PValueTable
        With scores and numbers of examples.
    """
    found = _judged(report)
    if not found:
        return ()
    position = {dataset: i for i, dataset in enumerate(table.datasets)}
    rows = [_row(finding, position[finding.dataset or ""], table) for finding in found]
    return tuple(sorted(rows, key=lambda row: position[row.dataset]))


def _judged(report: ClaimReport) -> list[Finding]:
    return [
        finding
        for finding in (*report.of("granularity"), *report.of("possible-p-values"))
        if finding.dataset is not None and finding.key is not None
    ]


def _row(finding: Finding, i: int, table: PValueTable) -> PossibleRow:
    details = finding.details
    low, high = details.get("possible", (None, None))
    bounds = table.p_value_bounds
    return PossibleRow(
        dataset=table.datasets[i],
        n_examples=details["n_examples"],
        printed=table.printed[i],
        p_low=float(bounds[0][i]),
        p_high=float(bounds[1][i]),
        key=cast(RowKey, finding.key),
        shown=details.get("shown"),
        low=low,
        high=high,
        ranges=details.get("ranges", ()),
        explained_by=details.get("attainable", ()),
        disagreements=details.get("disagreements"),
        correlations=details.get("correlations") or (),
        sizes=details.get("sizes", (None, None)),
    )
