"""The numbers behind the verdicts, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.claims import Claim, ClaimReport, Finding
from core.claims.attainment import Verdict
from core.claims.correlations import CORRELATION_TESTS
from core.claims.findings import ClaimVerdict
from core.claims.sentences import numbers_in_words, shown_number
from core.claims.sentences_possible import SidedVariant, sidedness
from core.claims.splits import MCNEMAR_TESTS
from core.claims.standing import DENIED, Standing, printed_finding, standing_of
from core.export.claims.rows import PossibleRow, VariantRow
from core.export.claims.words import VERDICT_WORDS
from core.export.content import Grid
from core.report.formatting import display_name, format_p_value, list_names
from core.report.subject import Subject

_SHORT_NAMES = {
    "mcnemar": "McNemar exact",
    "mcnemar-mid-p": "McNemar mid-p",
    "mcnemar-chi2": "McNemar χ²",
    "mcnemar-chi2-corrected": "McNemar χ² corrected",
    "williams": "Williams",
    "steiger": "Steiger",
    "meng": "Meng",
}
_FAMILIES = tuple(
    {_SHORT_NAMES[test] for test in family} for family in (MCNEMAR_TESTS, CORRELATION_TESTS)
)
_NOTHING = "–"
# What is said beside a verdict of the p-values as printed; what allows it goes into the gap.
_BY_DIRECTION: Mapping[Standing, str] = MappingProxyType(
    {
        "possible-if-read": "possible if {}",
        "confirmed-by-direction": "confirmed if {}",
        "at-least-by-direction": "at least that much by direction",
        "denied-as-printed": "undecided by direction",
    }
)


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
                _NOTHING if finding is None else _allowed(finding),
                _turning(hangs, "by_rounding"),
                _turning(hangs, "by_doubling"),
            )
        )
    return Grid(
        header=(
            "claim",
            "verdict",
            "the digits give",
            "turned by rounding of",
            "turned by doubling of",
        ),
        rows=tuple(rows),
        numeric=(False, False, True, False, False),
        caption=(
            "Turned: moving the p-value of any one of these datasets within its rounding, or "
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
            "Possible p: from the smallest to the largest that the scores allow, within their "
            "rounding, whatever the two systems' agreement. It takes: what the printed p-value "
            "says of that agreement. Possible at n: the nearest numbers of examples at which an "
            "impossible p-value would not be. An impossible value may come from another n, test or "
            "rounding than assumed, or averages over runs; it is no sign of misconduct."
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
            "Each test that was tried, for each side that the table may speak for. Not to its "
            "digits: the printed p-value lies within the range, but nothing gives its digits."
        ),
        name="possible-p-values-by-test",
    )


_ATTAINED: Mapping[Verdict, str] = {
    "attainable": "✓ possible",
    "not-attainable": "≠ not to its digits",
    "impossible": "✗ impossible",
    "too-many": "? too many to try",
}


def _claim_verdict(report: ClaimReport, claim: Claim) -> str:
    """The verdict that stands; of what is denied as printed, also what direction makes of it."""
    verdict = dict(zip(report.claims, report.verdicts, strict=True))[claim]
    if verdict not in DENIED:
        return _verdict(verdict)
    beside = _BY_DIRECTION.get(standing_of(report, claim), "").format(report.allowing(claim))
    return f"{_verdict(verdict)} as printed, {beside}" if beside else _verdict(verdict)


def _possible_row(row: PossibleRow, subject: Subject) -> tuple[str, ...]:
    span = _NOTHING
    if row.low is not None and row.high is not None:
        span = f"{_limit(row.low)} to {_limit(row.high)}"
    sizes = [f"{n:,}" for n in row.sizes if n is not None]
    return (
        display_name(row.dataset),
        _row_verdict(row.verdict),
        shown_number(row.printed),
        span,
        _NOTHING if row.shown is None else _variant(row.shown, subject),
        f"{row.n_examples:,}",
        " or ".join(sizes) or _NOTHING,
        _takes(row),
        _explained(row.explained_by, subject),
    )


def _limit(p_value: float) -> str:
    # Tails beyond any table's digits.
    return "0" if p_value < 1e-12 else format_p_value(p_value, digits=2)


def _row_verdict(verdict: ClaimVerdict) -> str:
    # A row is no claim: that it is not excluded means that it is possible.
    return "✓ possible" if verdict == "not-excluded" else _verdict(verdict)


def _verdict(verdict: ClaimVerdict | None) -> str:
    return _NOTHING if verdict is None else " ".join(VERDICT_WORDS[verdict])


def _variant(variant: SidedVariant, subject: Subject) -> str:
    return f"{_SHORT_NAMES[variant.test]}, {sidedness(variant, subject)}"


def _explained(variants: Sequence[SidedVariant], subject: Subject) -> str:
    by_side: dict[str, list[str]] = {}
    for variant in variants:
        by_side.setdefault(sidedness(variant, subject), []).append(_SHORT_NAMES[variant.test])
    said = [
        f"{side}: {'every test tried' if set(tests) in _FAMILIES else ', '.join(tests)}"
        for side, tests in by_side.items()
    ]
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


def _allowed(finding: Finding) -> str:
    details = finding.details
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
