"""Each row's printed p-value beside those that its scores leave possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.claims import ClaimReport, Finding, possible_p_values
from core.claims.correlations import CORRELATION_TESTS
from core.claims.findings import ClaimVerdict
from core.claims.printed_scores import Scale, ScoreMetric, decimals_of, is_percent
from core.claims.sentences_possible import SidedVariant, SpeaksFor
from core.claims.splits import MCNEMAR_TESTS
from core.data import PValueTable
from core.data.digits import said_scores

_SIDES: tuple[SpeaksFor, ...] = ("either", "a", "b")
_TESTS: tuple[str, ...] = (*MCNEMAR_TESTS, *CORRELATION_TESTS)


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
    verdict : str
        "not-excluded", "not-attainable" or "impossible".
    shown : SidedVariant or None
        The test and side that `low` and `high` are of; None where a score is no
        share of n.
    low, high : float or None
        The p-values that it can give, within the rounding of the scores.
    union : (float, float) or None
        The smallest and the largest over every test and side that was tried.
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
    verdict: ClaimVerdict
    shown: SidedVariant | None
    low: float | None
    high: float | None
    union: tuple[float, float] | None = None
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
    found = [
        finding
        for finding in (*report.of("granularity"), *report.of("possible-p-values"))
        if finding.dataset is not None and finding.verdict is not None
    ]
    if not found:
        return ()
    ranges = _Ranges(table, report.metric)
    position = {dataset: i for i, dataset in enumerate(table.datasets)}
    rows = [_row(finding, position[finding.dataset or ""], table, ranges) for finding in found]
    return tuple(sorted(rows, key=lambda row: position[row.dataset]))


class _Ranges:
    """The p-values that a row's scores leave possible, read as the whole columns are printed."""

    def __init__(self, table: PValueTable, metric: str | None) -> None:
        self._metric: ScoreMetric = "correlation" if metric == "correlation" else "accuracy"
        self._a = said_scores(table.scores_a, table.printed_scores_a) or ()
        self._b = said_scores(table.scores_b, table.printed_scores_b) or ()
        self._exchanged = not table.higher_is_better
        printed = [text for text in (*self._a, *self._b) if text]
        self._decimals = max(map(decimals_of, printed), default=0)
        self._scale: Scale = "percent" if any(map(is_percent, printed)) else "fraction"

    def of(self, i: int, n: int, shown: SidedVariant) -> tuple[float, float]:
        """The smallest and the largest p-value of one variant."""
        a, b = self._a[i], self._b[i]
        if self._exchanged != (shown.speaks_for == "b"):
            a, b = b, a
        possible = possible_p_values(
            a,
            b,
            n,
            metric=self._metric,
            alternative="two-sided" if shown.speaks_for == "either" else "greater",
            decimals=self._decimals,
            scale=self._scale,
        )[shown.test]
        return possible.low, possible.high


def _row(finding: Finding, i: int, table: PValueTable, ranges: _Ranges) -> PossibleRow:
    details: Mapping[str, object] = finding.details
    assert finding.verdict is not None
    n = finding.details["n_examples"]
    explained: tuple[SidedVariant, ...] = finding.details.get("attainable", ())
    shown: SidedVariant | None = finding.details.get("shown")
    if shown is None and explained:
        # As the sentence about the row chooses.
        shown = min(explained, key=lambda v: (_SIDES.index(v.speaks_for), _TESTS.index(v.test)))
    low, high = (None, None) if shown is None else ranges.of(i, n, shown)
    bounds = table.p_value_bounds
    return PossibleRow(
        dataset=table.datasets[i],
        n_examples=n,
        printed=table.printed[i],
        p_low=float(bounds[0][i]),
        p_high=float(bounds[1][i]),
        verdict=finding.verdict,
        shown=shown,
        low=low,
        high=high,
        union=details.get("range"),  # type: ignore[arg-type]
        explained_by=explained,
        disagreements=details.get("disagreements"),  # type: ignore[arg-type]
        correlations=finding.details.get("correlations") or (),
        sizes=finding.details.get("sizes", (None, None)),
    )
