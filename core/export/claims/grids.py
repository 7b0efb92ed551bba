"""The numbers behind the verdicts, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.claims import Claim, ClaimReport, Finding
from core.claims.attainment import Verdict
from core.claims.findings import CAVEAT, ClaimVerdict
from core.claims.sentences import numbers_in_words, shown_number
from core.claims.sentences_possible import TINY, SidedVariant, sidedness
from core.claims.standing import directed_finding, printed_finding, standing_of
from core.export.claims.rows import PossibleRow, VariantRow
from core.export.claims.words import VERDICT_WORDS
from core.export.content import Grid
from core.report.formatting import display_name, format_p_value, list_names
from core.report.subject import Subject
from core.significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_named,
    significance_test_names,
)

_NOTHING = "–"


def claims_grid(report: ClaimReport) -> Grid:
    """A row for each claim: what the printed digits allow, and which single p-values turn it."""
    judged = {claim: printed_finding(report, claim) for claim in report.claims}
    turned = {f.claim: f for f in report.of("sensitivity")}
    rows = []
    for claim in report.claims:
        finding, hangs = judged.get(claim), turned.get(claim)
        rows.append(
            (
                report.words(claim),
                _NOTHING if finding is None else _claim_verdict(report, claim),
                _NOTHING if finding is None else _allowed(finding, directed_finding(report, claim)),
                _turning(hangs, "by_rounding"),
                _turning(hangs, "by_doubling"),
            )
        )
    return Grid(
        header=(
            "claim",
            "verdict",
            "the digits give",
            "changed by rounding of",
            "changed by doubling of",
        ),
        rows=tuple(rows),
        numeric=(False, False, True, False, False),
        caption=(
            "Changed: moving the p-value of any one of these datasets within its rounding, or "
            "doubling it from one-sided to two-sided, changes whether the claim holds."
        ),
        name="claims",
    )


def possible_grid(rows: Sequence[PossibleRow], subject: Subject) -> Grid:
    """A row for each dataset: its printed p-value beside those that are possible."""
    return Grid(
        header=(
            "dataset",
            "verdict",
            "printed p",
            "possible p",
            "of the test",
            "n",
            "possible at n",
            "it takes",
            "explained by",
        ),
        rows=tuple(_possible_row(row, subject) for row in rows),
        numeric=(False, False, True, True, False, True, True, False, False),
        caption=(
            "Possible p: from the smallest to the largest of the test named beside it, within the "
            "rounding of the scores, whatever the two systems' agreement. It takes: what the printed "
            "p-value says of that agreement. Possible at n: the nearest numbers of examples at which "
            f"a test gives a p-value that no test on these examples gives. {CAVEAT}"
        ),
        name="possible-p-values",
    )


def variants_grid(rows: Sequence[VariantRow], subject: Subject) -> Grid:
    """A row for each dataset and each test that was tried for one side."""
    return Grid(
        header=("dataset", "test", "possible p", "printed p", "it takes"),
        rows=tuple(
            (
                display_name(row.dataset),
                _variant(row.variant, subject),
                f"{_limit(row.low)} to {_limit(row.high)}",
                _ATTAINED[row.verdict],
                _taken(row.disagreements, row.correlations),
            )
            for row in rows
        ),
        numeric=(False, False, True, False, False),
        caption=(
            "Each test for which every possibility can be gone through, for each side that the table "
            "may speak for. Other tests can give other p-values. Not to its digits: the printed "
            "p-value lies within the range, but nothing gives its digits."
        ),
        name="possible-p-values-by-test",
    )


_ATTAINED: Mapping[Verdict, str] = {
    "attainable": "✓ possible",
    "not-attainable": "≠ not to its digits",
    "impossible": "– outside its range",
    "too-many": "○ within its range",
}


def _claim_verdict(report: ClaimReport, claim: Claim) -> str:
    """The verdict that stands, and by which readings where the p-values as they stand deny it."""
    verdict = _verdict(dict(zip(report.claims, report.by_numbers, strict=True))[claim])
    if standing_of(report, claim) in ("possible-if-read", "confirmed-by-direction"):
        return f"{verdict} if {report.allowing(claim)}"
    return verdict


def _possible_row(row: PossibleRow, subject: Subject) -> tuple[str, ...]:
    span = _NOTHING
    if row.low is not None and row.high is not None:
        span = f"{_limit(row.low)} to {_limit(row.high)}"
    sizes = [f"{n:,}" for n in row.sizes if n is not None]
    return (
        display_name(row.dataset),
        _row_verdict(row),
        shown_number(row.printed),
        span,
        _NOTHING if row.shown is None else _variant(row.shown, subject),
        f"{row.n_examples:,}",
        " or ".join(sizes) or _NOTHING,
        _takes(row),
        _explained(row.explained_by, subject),
    )


def _limit(p_value: float) -> str:
    return "0" if p_value < TINY else format_p_value(p_value, digits=2)


def _row_verdict(row: PossibleRow) -> str:
    if row.verdict == "impossible" and not row.ranges:
        return "✗ no share of n"
    # A row is no claim: that it is not excluded means that it is possible.
    return "✓ possible" if row.verdict == "not-excluded" else _verdict(row.verdict)


def _verdict(verdict: ClaimVerdict | None) -> str:
    return _NOTHING if verdict is None else " ".join(VERDICT_WORDS[verdict])


def _variant(variant: SidedVariant, subject: Subject) -> str:
    return f"{significance_test_named(variant.test).short_title}, {sidedness(variant, subject)}"


def _explained(variants: Sequence[SidedVariant], subject: Subject) -> str:
    by_side: dict[str, list[str]] = {}
    for variant in variants:
        by_side.setdefault(sidedness(variant, subject), []).append(variant.test)
    families = [
        set(significance_test_names(which)) for which in (of_outcomes, of_three_correlations)
    ]
    said = []
    for side, tests in by_side.items():
        titles = ", ".join(significance_test_named(test).short_title for test in tests)
        said.append(f"{side}: {'all of these tests' if set(tests) in families else titles}")
    return "; ".join(said) or _NOTHING


def _takes(row: PossibleRow) -> str:
    return _taken(row.disagreements, row.correlations)


def _taken(
    disagreements: tuple[int, int] | None, correlations: Sequence[tuple[float, float]]
) -> str:
    if disagreements is not None:
        fewest, most = disagreements
        span = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        return f"{span} disagreements"
    spans = [f"{_short(low)} to {_short(high)}" for low, high in correlations]
    return f"r {' or '.join(spans)}" if spans else _NOTHING


def _short(number: float) -> str:
    return f"{number:.3f}".replace("0.", ".", 1)


def _allowed(finding: Finding, directed: Finding | None) -> str:
    """What the digits give, by direction where that is the verdict."""
    details = finding.details
    if finding.verdict is None and directed is not None:
        if counts := directed.details.get("counts"):
            return numbers_in_words(
                min(low for low, _ in counts.values()), max(high for _, high in counts.values())
            )
        if names := directed.details.get("names"):
            return " or ".join(dict.fromkeys(list_names(each) or "none" for each in names.values()))
    if "fewest" in details:
        return numbers_in_words(details["fewest"], details["most"])
    if "always" in details:
        always, ever = details["always"], details["ever"]
        perhaps = [name for name in ever if name not in always]
        more = f"; perhaps {list_names(perhaps)}" if perhaps else ""
        return f"{list_names(always) or 'none'}{more}"
    above = details.get("above", ())
    return f"above the level: {list_names(above)}" if above else _NOTHING


def _turning(finding: Finding | None, how: str) -> str:
    names = () if finding is None else finding.details[how]
    return list_names(names) or "none"
