"""Each row's p-value against its scores and number of examples."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.claims.check_inputs import CheckedTable
from core.claims.explain import RowExplanation, explain_table
from core.claims.findings import Finding
from core.claims.printed_scores import METRICS, ScoreMetric, printed_as
from core.claims.row_findings import Columns, Sided, row_finding
from core.claims.sentences_possible import (
    SidedVariant,
    SpeaksFor,
    lacking_sentence,
    variants_sentence,
)
from core.claims.steps import NO_STEPS, Steps
from core.data.p_value_checks import said_scores
from core.data.p_value_table import PValueTable
from core.data.score_table import ScoreTable
from core.significance.known_tests import significance_test_names
from core.types import Alternative
from core.validation import check_choice

# As the remark on what follows numbers quotes it.
_SPREAD = re.compile(r"[0-9]\s*(?:±|\+/-|\+-|\()\s*[0-9.]")
_METRIC_NAMES: dict[str, ScoreMetric] = {
    "accuracy": "accuracy",
    "acc": "accuracy",
    "correlation": "correlation",
    "pearson": "correlation",
    "spearman": "correlation",
}


def metric_of_name(name: str | None) -> ScoreMetric | None:
    """What scores are, if their metric's name says so."""
    return _METRIC_NAMES.get((name or "").strip().lower())


def check_possible(
    checked: CheckedTable, *, metric: ScoreMetric | None, steps: Steps = NO_STEPS
) -> list[Finding]:
    """Judge every row that has scores and a size.

    Parameters
    ----------
    checked : CheckedTable
        Where tests were run here rather than printed, nothing is to be judged.
    metric : {"accuracy", "correlation"} or None
        What the scores are; None where nobody says so.
    steps : Steps
        Counts three a row.

    Raises
    ------
    ValueError
        If there is no such metric.
    """
    if metric is not None:
        check_choice(metric, METRICS, name="metric")
    table = checked.table
    if table.results is not None:
        return []
    lacking = lacking_sentence(table, metric)
    if lacking or metric is None:
        return [_undecided(lacking)]
    columns = _columns_of(table, metric)
    try:
        rows = explain_table(table, metric=metric, on_row=steps.step).rows
        exchanged = _exchanged_rows(checked, rows, columns, steps)
    except ValueError as error:
        return [_undecided(f"The p-values cannot be held against the scores: {error}")]
    found: list[Finding] = []
    judged: list[tuple[int, Sided]] = []
    for i, row in enumerate(rows):
        steps.step()
        if row is None:
            continue
        sided = _sided(row, exchanged.get(row.dataset), i, checked)
        verdicts = {explanation.verdict for explanation in sided.values()}
        if not row.no_multiples and ("attainable" in verdicts or "too-many" not in verdicts):
            judged.append((i, sided))
        found.append(row_finding(checked, row, sided, i, columns))
    explained = _explained(checked, judged)
    if judged:
        found.append(
            Finding(
                verdict=None,
                check="possible-p-values",
                reason=variants_sentence(explained, len(judged), checked.subject, metric),
                details={
                    "n_rows": len(judged),
                    "n_explained": explained,
                    "explaining_all": tuple(
                        v for v, number in explained.items() if number == len(judged)
                    ),
                },
            )
        )
    return found


def _undecided(why: str) -> Finding:
    return Finding(verdict="cannot-be-decided", check="possible-p-values", reason=why)


def _columns_of(table: PValueTable, metric: ScoreMetric) -> Columns:
    a = said_scores(table.scores_a, table.printed_scores_a) or ()
    b = said_scores(table.scores_b, table.printed_scores_b) or ()
    decimals, scale = printed_as((*a, *b))
    return Columns(
        metric=metric,
        decimals=decimals,
        scale=scale,
        averaged=has_spread(table),
    )


def has_spread(table: PValueTable | ScoreTable) -> bool:
    """Whether numbers were read that had a spread behind them, as averages over runs have."""
    remarks = () if table.reading is None else table.reading.remarks
    return any(_SPREAD.search(remark) for remark in remarks if "follows the numbers" in remark)


def _lead(checked: CheckedTable, i: int) -> float:
    return 0.0 if checked.signs is None else float(checked.signs[i])


def _exchanged_rows(
    checked: CheckedTable,
    rows: Sequence[RowExplanation | None],
    columns: Columns,
    steps: Steps,
) -> dict[str, RowExplanation]:
    """Rows judged as tests for B, where those for A and for either do not say enough."""
    table = checked.table
    if table.alternative in ("greater", "two-sided"):
        return {}
    needed = {
        row.dataset
        for i, row in enumerate(rows)
        if row is not None
        and not row.no_multiples
        and (table.alternative == "less" or _lead(checked, i) <= 0.0 or not row.explained_by)
    }
    if not needed:
        return {}
    explained = explain_table(
        table.without(set(table.datasets) - needed).swapped(),
        metric=columns.metric,
        decimals=columns.decimals,
        scale=columns.scale,
        on_row=steps.step,
    )
    return {row.dataset: row for row in explained.rows if row is not None}


def _allowed_sides(alternative: Alternative, lead: float) -> tuple[SpeaksFor, ...]:
    toward: tuple[SpeaksFor, ...] = ("a",) if lead > 0 else ("b",) if lead < 0 else ("a", "b")
    by_alternative: dict[Alternative, tuple[SpeaksFor, ...]] = {
        "greater": ("a",),
        "less": ("b",),
        "two-sided": ("either",),
        "toward-higher-score": toward,
        "not-stated": ("a", "b", "either"),
    }
    return by_alternative[alternative]


def _sided(
    row: RowExplanation, exchanged: RowExplanation | None, i: int, checked: CheckedTable
) -> Sided:
    """Every variant that the table's declaration allows, with the system it speaks for."""
    sides = _allowed_sides(checked.table.alternative, _lead(checked, i))
    found: Sided = {}
    for variant, explanation in row.by_variant.items():
        side: SpeaksFor = "either" if variant.alternative == "two-sided" else "a"
        if side in sides:
            found[SidedVariant(variant.test, side)] = explanation
    if exchanged is not None and "b" in sides:
        for variant, explanation in exchanged.by_variant.items():
            if variant.alternative == "greater":
                found[SidedVariant(variant.test, "b")] = explanation
    return found


def _explained(
    checked: CheckedTable, judged: Sequence[tuple[int, Sided]]
) -> dict[tuple[str, Alternative], int]:
    """How many rows each test explains by each way to read the table."""
    declared = checked.table.alternative
    readings: tuple[Alternative, ...] = (
        ("two-sided", "greater", "toward-higher-score") if declared == "not-stated" else (declared,)
    )
    tests = [
        test
        for test in significance_test_names()
        if any(test == v.test for _, sided in judged for v in sided)
    ]
    found = {}
    for test in tests:
        for reading in readings:
            found[test, reading] = sum(
                any(
                    explanation.verdict == "attainable"
                    for variant, explanation in sided.items()
                    if variant.test == test
                    and variant.speaks_for in _allowed_sides(reading, _lead(checked, i))
                )
                for i, sided in judged
            )
    return found
