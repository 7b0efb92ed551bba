"""Each row's printed p-value beside those that its scores leave possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from ...claims import ClaimReport, Finding, PossibleP
from ...claims.check_rows import in_front
from ...claims.findings import RowKey
from ...claims.possible import possible_of
from ...claims.printed_scores import ScoreMetric, printed_as, read_scores
from ...claims.sentences import SidedVariant
from ...claims.splits import ClaimAlternative
from ...data import PValueTable
from ...data.p_value_table import said_scores


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
    shown : SidedVariant or None
        The test and side that `low` and `high` are of; None where none of those gone
        through gives the printed one, or a score is no share of n.
    low, high : float or None
        The p-values that it can give, within the rounding of the scores.
    ranges : tuple of (float, float)
        Where p-values of tests in use lie, for either system or two-sided, as intervals
        that do not meet, rising; empty where a score is no share of n.
    explained_by : tuple of SidedVariant
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
    shown: SidedVariant | None
    low: float | None
    high: float | None
    ranges: tuple[tuple[float, float], ...] = ()
    explained_by: tuple[SidedVariant, ...] = ()
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
    ranges = _Ranges(table, report.metric)
    position = {dataset: i for i, dataset in enumerate(table.datasets)}
    rows = [_row(finding, position[finding.dataset or ""], table, ranges) for finding in found]
    return tuple(sorted(rows, key=lambda row: position[row.dataset]))


def _judged(report: ClaimReport) -> list[Finding]:
    return [
        finding
        for finding in (*report.of("granularity"), *report.of("possible-p-values"))
        if finding.dataset is not None and finding.key is not None
    ]


class _Ranges:
    """The p-values that a row's scores leave possible, read as the whole columns are printed."""

    def __init__(self, table: PValueTable, metric: str | None) -> None:
        self._metric: ScoreMetric = "correlation" if metric == "correlation" else "accuracy"
        self._a = said_scores(table.scores_a, table.printed_scores_a) or ()
        self._b = said_scores(table.scores_b, table.printed_scores_b) or ()
        self._exchanged = not table.higher_is_better
        self._decimals, self._scale = printed_as((*self._a, *self._b))

    def of(self, i: int, n: int, shown: SidedVariant) -> PossibleP:
        """The p-values of one variant."""
        a, b = self._a[i], self._b[i]
        if self._exchanged != (shown.speaks_for == "b"):
            a, b = b, a
        first, second = read_scores(
            a, b, metric=self._metric, decimals=self._decimals, scale=self._scale
        )
        alternative: ClaimAlternative = "two-sided" if shown.speaks_for == "either" else "greater"
        found = possible_of(first, second, n, metric=self._metric, alternatives=(alternative,))
        return next(possible for possible in found if possible.test == shown.test)


def _row(finding: Finding, i: int, table: PValueTable, ranges: _Ranges) -> PossibleRow:
    details: Mapping[str, object] = finding.details
    n = finding.details["n_examples"]
    explained: tuple[SidedVariant, ...] = finding.details.get("attainable", ())
    shown: SidedVariant | None = finding.details.get("shown")
    if shown is None and explained:
        # As the sentence about the row chooses.
        shown = in_front(explained)
    possible = None if shown is None else ranges.of(i, n, shown)
    bounds = table.p_value_bounds
    return PossibleRow(
        dataset=table.datasets[i],
        n_examples=n,
        printed=table.printed[i],
        p_low=float(bounds[0][i]),
        p_high=float(bounds[1][i]),
        key=cast(RowKey, finding.key),
        shown=shown,
        low=None if possible is None else possible.low,
        high=None if possible is None else possible.high,
        ranges=finding.details.get("ranges", ()),
        explained_by=explained,
        disagreements=details.get("disagreements"),  # type: ignore[arg-type]
        correlations=finding.details.get("correlations") or (),
        sizes=finding.details.get("sizes", (None, None)),
    )
