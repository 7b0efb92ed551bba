"""Each row's p-value against its scores and number of examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.claims.check_inputs import CheckedTable
from core.claims.explain import RowExplanation, VariantExplanation, explain_table
from core.claims.possible import possible_p_values
from core.claims.printed_scores import Scale, ScoreMetric, decimals_of, is_percent
from core.claims.sentences_possible import (
    SidedVariant,
    SpeaksFor,
    attainable_sentence,
    impossible_sentence,
    lacking_sentence,
    no_multiple_sentence,
    not_attainable_sentence,
    too_many_sentence,
    variants_sentence,
)
from core.claims.sizes import n_at_which_possible
from core.claims.splits import ClaimAlternative
from core.claims.steps import NO_STEPS, Steps
from core.claims.verdicts import Finding
from core.data.digits import said_scores
from core.data.p_value_table import PValueTable
from core.data.tables.numbers import read_number
from core.types import Alternative

_METRIC_NAMES: dict[str, ScoreMetric] = {
    "accuracy": "accuracy",
    "acc": "accuracy",
    "correlation": "correlation",
    "pearson": "correlation",
    "spearman": "correlation",
}
# The variant that a sentence speaks of, where several would do.
_SIDES: tuple[SpeaksFor, ...] = ("either", "a", "b")
_TESTS = (
    "mcnemar",
    "mcnemar-mid-p",
    "mcnemar-chi2",
    "mcnemar-chi2-corrected",
    "williams",
    "steiger",
    "meng",
)
Sided = dict[SidedVariant, VariantExplanation]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """How all score columns are printed: of part of a table it would be read from that part."""

    metric: ScoreMetric
    decimals: int
    scale: Scale


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
    """
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
        found.append(_row_finding(checked, row, sided, i, columns))
    explained = _explained(checked, judged)
    if judged:
        found.append(
            Finding(
                verdict=None,
                check="possible-p-values",
                reason=variants_sentence(explained, len(judged), checked.subject),
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


def _columns_of(table: PValueTable, metric: ScoreMetric) -> _Columns:
    a = said_scores(table.scores_a, table.printed_scores_a) or ()
    b = said_scores(table.scores_b, table.printed_scores_b) or ()
    printed = [text for text in (*a, *b) if text]
    return _Columns(
        metric=metric,
        decimals=max(map(decimals_of, printed), default=0),
        scale="percent" if any(map(is_percent, printed)) else "fraction",
    )


def _lead(checked: CheckedTable, i: int) -> float:
    return 0.0 if checked.signs is None else float(checked.signs[i])


def _exchanged_rows(
    checked: CheckedTable,
    rows: Sequence[RowExplanation | None],
    columns: _Columns,
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
    tests = [test for test in _TESTS if any(test == v.test for _, sided in judged for v in sided)]
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


def _row_finding(
    checked: CheckedTable, row: RowExplanation, sided: Sided, i: int, columns: _Columns
) -> Finding:
    dataset, n, printed = row.dataset, row.n_examples, checked.table.printed[i]
    if row.no_multiples:
        scores = [getattr(row, name).printed for name in row.no_multiples]
        return Finding(
            verdict="impossible",
            check="granularity",
            dataset=dataset,
            reason=no_multiple_sentence(dataset, scores, n),
            details={"n_examples": n, "scores": tuple(scores)},
        )
    by_verdict = {
        verdict: tuple(variant for variant, found in sided.items() if found.verdict == verdict)
        for verdict in ("attainable", "not-attainable", "impossible", "too-many")
    }
    possible_p = [explanation.possible for explanation in sided.values()]
    details: dict[str, object] = {
        "n_examples": n,
        **by_verdict,
        "range": (min(p.low for p in possible_p), max(p.high for p in possible_p)),
    }
    scores_said = checked.scores(dataset)
    if by_verdict["attainable"]:
        shown = _in_front(by_verdict["attainable"])
        attainment = sided[shown].attainment
        details["disagreements"] = attainment.disagreements
        details["correlations"] = attainment.correlations
        return Finding(
            verdict="not-excluded",
            check="possible-p-values",
            dataset=dataset,
            reason=attainable_sentence(
                dataset, printed, n, attainment, shown, by_verdict["attainable"], checked.subject
            ),
            details=details,
        )
    if by_verdict["too-many"]:
        return Finding(
            verdict="cannot-be-decided",
            check="possible-p-values",
            dataset=dataset,
            reason=too_many_sentence(dataset, printed, n, details["range"]),  # type: ignore[arg-type]
            details=details,
        )
    if by_verdict["not-attainable"]:
        shown = _in_front(by_verdict["not-attainable"])
        attainment = sided[shown].attainment
        details |= {"shown": shown, "below": attainment.below, "above": attainment.above}
        return Finding(
            verdict="not-attainable",
            check="possible-p-values",
            dataset=dataset,
            reason=not_attainable_sentence(
                dataset, printed, scores_said, n, attainment, shown, columns.metric, checked.subject
            ),
            details=details,
        )
    shown = _in_front(tuple(sided))
    limits = _limits(sided[shown], shown, row, columns)
    details |= {"shown": shown, **limits}
    return Finding(
        verdict="impossible",
        check="possible-p-values",
        dataset=dataset,
        reason=impossible_sentence(
            dataset, printed, scores_said, n, limits, shown, columns.metric, checked.subject
        ),
        details=details,
    )


def _in_front(variants: Sequence[SidedVariant]) -> SidedVariant:
    return min(variants, key=lambda v: (_SIDES.index(v.speaks_for), _TESTS.index(v.test)))


def _limits(
    explanation: VariantExplanation, shown: SidedVariant, row: RowExplanation, columns: _Columns
) -> Mapping[str, object]:
    """The p-values of one variant, at the scores as printed and within their rounding."""
    possible = explanation.possible
    alternative: ClaimAlternative = "two-sided" if shown.speaks_for == "either" else "greater"
    # Rows that speak for B were judged with the systems exchanged.
    a, b = row.score_a.printed, row.score_b.printed
    if shown.speaks_for == "b":
        a, b = b, a
    low, high = possible.low, possible.high
    if columns.metric == "correlation":
        divisor = 100.0 if columns.scale == "percent" else 1.0
        r_a, r_b = (read_number(text).value / divisor for text in (a, b))
        if max(abs(r_a), abs(r_b)) < 1.0:
            at_printed = possible_p_values(
                r_a, r_b, row.n_examples, metric="correlation", alternative=alternative
            )[shown.test]
            low, high = at_printed.low, at_printed.high
    sizes = n_at_which_possible(
        a,
        b,
        row.n_examples,
        (row.p_low, row.p_high),
        test=shown.test,
        alternative=alternative,
        decimals=columns.decimals,
        scale=columns.scale,
    )
    return {
        "too_high": row.p_low > possible.high,
        "low": low,
        "high": high,
        "low_within_rounding": possible.low,
        "high_within_rounding": possible.high,
        "sizes": (sizes.largest_below, sizes.smallest_above),
        "sizes_tried": sizes.tried,
    }
