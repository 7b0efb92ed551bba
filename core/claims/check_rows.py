"""Each row's p-value against its scores and number of examples: possible, by which tests, or by none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..data.p_value_table import PValueTable, said_scores
from ..data.score_table import ScoreTable
from ..significance.known_tests import significance_test_names
from ..types import Alternative
from ..validation import check_choice
from .check_inputs import CheckedTable
from .explain import RowExplanation, VariantExplanation, explain_table
from .findings import NO_STEPS, Finding, Steps
from .printed_scores import METRICS, Scale, ScoreMetric, printed_as
from .sentences import (
    SidedVariant,
    SpeaksFor,
    attainable_sentence,
    averaged_sentence,
    impossible_sentence,
    lacking_sentence,
    no_multiple_sentence,
    not_by_sentence,
    too_many_sentence,
    unknown_units_sentence,
    variants_sentence,
)
from .sizes import PossibleSizes, n_at_which_possible
from .splits import ClaimAlternative

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
                key="undecided",
                check="granularity",
                dataset=dataset,
                reason=averaged_sentence(dataset, scores, n),
                details={"n_examples": n, "scores": tuple(scores)},
            )
        return Finding(
            key="impossible",
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
            key="possible",
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
            key="possible",
            check="possible-p-values",
            dataset=dataset,
            reason=reason,
            details=details,
        )
    if columns.averaged:
        return Finding(
            key="undecided",
            check="possible-p-values",
            dataset=dataset,
            reason=unknown_units_sentence(dataset, printed, n),
            details=details,
        )
    limits = _limits(sided, row, columns)
    details |= {**limits, "reach": _reach(row, checked.table.alternative)}
    return Finding(
        key="impossible",
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
        rows = explain_table(table, metric=metric, on_row=steps.step)
        exchanged = _exchanged_rows(checked, rows, columns, steps)
    except ValueError as error:
        return [_undecided(f"The p-values cannot be checked against the scores: {error}")]
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
                key=None,
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
    return Finding(key="undecided", check="possible-p-values", reason=why)


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
    if isinstance(table, ScoreTable):
        return bool(table.spreads)
    return table.spreads_a is not None or table.spreads_b is not None


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
    return {row.dataset: row for row in explained if row is not None}


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
