"""Three sentences for a review: what was checked, what does not hold, and what would settle it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.claims.claim_verdicts import Verdict, VerdictKey, in_order_of_severity
from core.claims.findings import Finding
from core.claims.paragraph import opening
from core.claims.paragraph_rows import listed
from core.report.formatting import list_names

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

# Of more, their number is told.
_MOST_IN_FULL = 2
_SEVERE: frozenset[VerdictKey] = frozenset({"impossible", "contradicted"})
# For one claim, and for more.
_VERBS: dict[VerdictKey, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "depends": ("depends on how the p-values are read", "depend on how the p-values are read"),
    "not-shown": ("is not shown by these numbers", "are not shown by these numbers"),
    "contradicted": ("is contradicted", "are contradicted"),
    "impossible": ("is impossible", "are impossible"),
}
_STARTS: dict[VerdictKey, str] = {
    "depends": "It depends on how the p-values are read",
    "not-shown": "The numbers do not show",
    "contradicted": "No reading of the numbers allows",
    "impossible": "The numbers rule out",
}
_NO_MISCONDUCT = (
    "another n, test or rounding than assumed here could explain what does not fit, and it is no "
    "sign of misconduct"
)


def three_sentences(report: ClaimReport) -> str:
    """What a review can say of the claims, fair to the authors; the findings have the numbers."""
    open_ones = [v for v in in_order_of_severity(report.verdicts) if v.key != "holds"]
    rows = [f for f in report.rows if f.verdict == "impossible" and f.dataset]
    return " ".join(
        (_checked(report), _not_held(report, open_ones, rows), _settled(open_ones, rows))
    )


def _checked(report: ClaimReport) -> str:
    numbers = Counter(verdict.key for verdict in report.verdicts)
    said = [
        f"{numbers[key]} {verbs[min(1, numbers[key] - 1)]}"
        for key, verbs in _VERBS.items()
        if numbers[key]
    ]
    if not said:
        return opening(report)
    if len(report.claims) == 1:
        said = [f"it {_VERBS[key][0]}" for key in numbers]
    return f"{opening(report).removesuffix('.')}: {listed(said, ', ')}."


def _not_held(report: ClaimReport, open_ones: Sequence[Verdict], rows: Sequence[Finding]) -> str:
    said = []
    if open_ones:
        worst = open_ones[0].key
        same = [v for v in open_ones if v.key == worst]
        each = [
            f"{'whether' if worst == 'depends' else 'that'} {report.words(v.claim)} "
            f"({_within(v.why)})"
            for v in same[:_MOST_IN_FULL]
        ]
        if len(same) > _MOST_IN_FULL:
            each.append(f"{len(same) - _MOST_IN_FULL} more")
        said.append(f"{_STARTS[worst]} {'; '.join(each)}")
    if rows:
        names = list_names([f.dataset for f in rows if f.dataset])
        start = "no test in use on these examples gives the numbers printed for"
        said.append(f"{start} {names}")
    if not said:
        return "Nothing in the numbers speaks against " + (
            "what is claimed." if report.claims else "themselves."
        )
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _settled(open_ones: Sequence[Verdict], rows: Sequence[Finding]) -> str:
    if not open_ones and not rows:
        return "This is about the printed numbers alone, and not about how they were obtained."
    settle = open_ones[0].settle if open_ones else ""
    settle = settle or "The authors could name the test and the number of examples behind them."
    if rows or open_ones[0].key in _SEVERE:
        return f"{settle.removesuffix('.')}; {_NO_MISCONDUCT}."
    return settle


def _within(why: str) -> str:
    """A sentence in brackets: without its full stop, and with a small letter where it is no name."""
    text = why.removesuffix(".")
    first = text.split(" ", 1)[0]
    return f"{text[:1].lower()}{text[1:]}" if first in ("The", "It", "No") else text
