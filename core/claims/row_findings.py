"""What is found on one row: its p-value is possible, or not to the digits, or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.claims.check_inputs import CheckedTable
from core.claims.explain import RowExplanation, VariantExplanation
from core.claims.findings import Finding
from core.claims.possible import possible_p_values
from core.claims.printed_scores import Scale, ScoreMetric
from core.claims.sentences_possible import (
    SidedVariant,
    SpeaksFor,
    attainable_sentence,
    impossible_sentence,
    no_multiple_sentence,
    not_attainable_sentence,
    too_many_sentence,
)
from core.claims.sizes import n_at_which_possible
from core.claims.splits import ClaimAlternative
from core.data.tables.numbers import read_number

# The variant that a sentence speaks of, where several would do.
_SIDES: tuple[SpeaksFor, ...] = ("either", "a", "b")
TESTS = (
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
class Columns:
    """How all score columns are printed: of part of a table it would be read from that part."""

    metric: ScoreMetric
    decimals: int
    scale: Scale


def row_finding(
    checked: CheckedTable, row: RowExplanation, sided: Sided, i: int, columns: Columns
) -> Finding:
    """Judge one row by what every variant that is allowed makes of it."""
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
        "printed": printed,
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
    return min(variants, key=lambda v: (_SIDES.index(v.speaks_for), TESTS.index(v.test)))


def _limits(
    explanation: VariantExplanation, shown: SidedVariant, row: RowExplanation, columns: Columns
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
