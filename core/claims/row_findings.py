"""What is found on one row: its p-value is possible, by which tests, or by none in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.claims.check_inputs import CheckedTable
from core.claims.explain import RowExplanation, VariantExplanation
from core.claims.findings import Finding
from core.claims.printed_scores import Scale, ScoreMetric
from core.claims.sentences_possible import (
    SidedVariant,
    SpeaksFor,
    attainable_sentence,
    averaged_sentence,
    impossible_sentence,
    no_multiple_sentence,
    not_by_sentence,
    too_many_sentence,
    unknown_units_sentence,
)
from core.claims.sizes import PossibleSizes, n_at_which_possible
from core.claims.splits import ClaimAlternative
from core.significance.known_tests import significance_test_names
from core.types import Alternative

# The variant that a sentence speaks of, where several would do.
SIDES: tuple[SpeaksFor, ...] = ("either", "a", "b")
Sided = dict[SidedVariant, VariantExplanation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """How all score columns are printed: of part of a table it would be read from that part."""

    metric: ScoreMetric
    decimals: int
    scale: Scale
    averaged: bool = False


def row_finding(
    checked: CheckedTable, row: RowExplanation, sided: Sided, i: int, columns: Columns
) -> Finding:
    """Judge one row by what every variant that is allowed makes of it."""
    dataset, n, printed = row.dataset, row.n_examples, checked.table.printed[i]
    if row.no_multiples:
        scores = [getattr(row, name).printed for name in row.no_multiples]
        if columns.averaged:
            # A mean of several runs' accuracies need be no share of the examples.
            return Finding(
                verdict="cannot-be-decided",
                check="granularity",
                dataset=dataset,
                reason=averaged_sentence(dataset, scores, n),
                details={"n_examples": n, "scores": tuple(scores)},
            )
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
    ranges = apart((found.possible.low, found.possible.high) for found in sided.values())
    details: dict[str, object] = {
        "n_examples": n,
        "printed": printed,
        "p_value": float(checked.table.p_values[i]),
        **by_verdict,
        "ranges": row.in_use.ranges,
    }
    if by_verdict["attainable"]:
        shown = in_front(by_verdict["attainable"])
        attainment = sided[shown].attainment
        details["disagreements"] = attainment.disagreements
        details["correlations"] = attainment.correlations
        return Finding(
            verdict="not-excluded",
            check="possible-p-values",
            dataset=dataset,
            reason=attainable_sentence(
                dataset,
                printed,
                n,
                attainment,
                shown,
                by_verdict["attainable"],
                checked.subject,
                other_sides=_other_sides(by_verdict),
                metric=columns.metric,
            ),
            details=details,
        )
    if row.possible:
        nearest = _nearest(sided)
        within = by_verdict["not-attainable"] or by_verdict["too-many"]
        details |= {"shown": in_front(within or tuple(sided)), **nearest}
        if by_verdict["too-many"]:
            reason = too_many_sentence(dataset, printed, n, ranges, columns.metric)
        else:
            sides = {variant.speaks_for for variant in sided}
            given = {"either" if v.alternative == "two-sided" else "a" for v in row.explained_by}
            reason = not_by_sentence(
                dataset,
                printed,
                nearest,
                ranges,
                columns.metric,
                checked.subject,
                sides=[side for side in SIDES if side in sides],
                given=[side for side in SIDES if side in given - sides],
            )
        return Finding(
            verdict="not-excluded",
            check="possible-p-values",
            dataset=dataset,
            reason=reason,
            details=details,
        )
    if columns.averaged:
        return Finding(
            verdict="cannot-be-decided",
            check="possible-p-values",
            dataset=dataset,
            reason=unknown_units_sentence(dataset, printed, n),
            details=details,
        )
    limits = _limits(sided, row, columns)
    details |= {**limits, "reach": _reach(row, checked.table.alternative)}
    return Finding(
        verdict="impossible",
        check="possible-p-values",
        dataset=dataset,
        reason=impossible_sentence(
            dataset, printed, checked.scores(dataset), n, limits, columns.metric, checked.subject
        ),
        details=details,
    )


def in_front(variants: Sequence[SidedVariant]) -> SidedVariant:
    """The variant that a sentence speaks of, where several would do."""
    return min(
        variants, key=lambda v: (SIDES.index(v.speaks_for), significance_test_names().index(v.test))
    )


def apart(ranges: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Ranges as intervals that do not meet, rising."""
    found: list[tuple[float, float]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def _other_sides(by_verdict: Mapping[str, Sequence[SidedVariant]]) -> tuple[SpeaksFor, ...]:
    """Sides for which the p-value is out of every variant's range, where others give it."""
    out_of_range = {v.speaks_for for v in by_verdict["impossible"]}
    others = {v.speaks_for for k, found in by_verdict.items() if k != "impossible" for v in found}
    return tuple(side for side in SIDES if side in out_of_range - others)


def _nearest(sided: Sided) -> dict[str, object]:
    """The nearest splits below and above what is printed, whatever the variant, with theirs."""
    found: dict[str, object] = {}
    for side, sign in (("below", -1.0), ("above", 1.0)):
        known = [
            (
                sign * split[2],
                SIDES.index(variant.speaks_for),
                significance_test_names().index(variant.test),
                split,
                variant,
            )
            for variant, explanation in sided.items()
            if (split := getattr(explanation.attainment, side)) is not None
        ]
        best = min(known, default=None)
        found[side] = None if best is None else best[3]
        found[f"{side}_by"] = None if best is None else best[4]
    return found


def _limits(sided: Sided, row: RowExplanation, columns: Columns) -> Mapping[str, object]:
    """The p-values of tests in use, and the nearest n at which a variant gives the printed one."""
    most, least = row.in_use.ends
    shown = in_front(tuple(sided))
    own = _sizes(shown, row, columns)
    sizes, by = (own.largest_below, own.smallest_above), shown
    if sizes == (None, None):
        # What this variant gives at no n, another may.
        sizes, by = _nearest_sizes(sided, shown, row, columns)
    return {
        "shown": shown,
        "ahead": row.in_use.ahead,
        "too_high": row.p_low > most,
        "most": most,
        "least": least,
        "smallest": row.in_use.smallest,
        "sizes": sizes,
        "sizes_by": by,
        "sizes_tried": own.tried,
    }


def _reach(row: RowExplanation, alternative: Alternative) -> tuple[float, float]:
    """From the smallest to the largest p-value of tests in use, as the table says it was tested.

    The smallest is 0 for the system ahead: a bootstrap can give that beside any scores.
    """
    most, least = row.in_use.ends
    toward = {"greater": "a", "less": "b"}.get(alternative, row.in_use.ahead)
    if alternative == "not-stated":
        return 0.0, 1.0
    return (0.0, most) if toward == row.in_use.ahead else (least, 1.0)


def _alternative(variant: SidedVariant) -> ClaimAlternative:
    return "two-sided" if variant.speaks_for == "either" else "greater"


def _sizes(variant: SidedVariant, row: RowExplanation, columns: Columns) -> PossibleSizes:
    a, b = row.score_a.printed, row.score_b.printed
    if variant.speaks_for == "b":
        a, b = b, a
    return n_at_which_possible(
        a,
        b,
        row.n_examples,
        (row.p_low, row.p_high),
        test=variant.test,
        alternative=_alternative(variant),
        decimals=columns.decimals,
        scale=columns.scale,
    )


def _nearest_sizes(
    sided: Sided, shown: SidedVariant, row: RowExplanation, columns: Columns
) -> tuple[tuple[int | None, int | None], SidedVariant]:
    """The nearest n over all variants but one, and the variant that is nearest."""
    n = row.n_examples
    found = [
        (size, variant)
        for variant in sided
        if variant != shown
        for sizes in [_sizes(variant, row, columns)]
        for size in (sizes.largest_below, sizes.smallest_above)
        if size is not None
    ]
    if not found:
        return (None, None), shown
    nearest = min(found, key=lambda size: abs(size[0] - n))[1]
    below = max((size for size, variant in found if size < n and variant == nearest), default=None)
    above = min((size for size, variant in found if size > n and variant == nearest), default=None)
    return (below, above), nearest
