"""Printed numbers that do not fit the others, as short as a review can hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.claims.findings import Finding
from core.claims.sentences import shown_number
from core.report.formatting import display_name, format_p_value

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

# Of more in one sentence, their number is told.
MOST_LISTED = 7
_MOST_ROWS = 6


def rows_in_short(report: ClaimReport) -> list[str]:
    """Sentences on printed numbers that do not fit the others; none where all do."""
    rows = [f for f in report.doubts if f.claim is None and f.dataset]
    said = []
    impossible = [f for f in rows if f.verdict == "impossible" and f.check != "granularity"]
    if impossible:
        each = listed([_impossible(f) for f in impossible], "; ", most=_MOST_ROWS)
        said.append(f"These p-values are not by a test on the n examples of their scores: {each}.")
    shares = [f for f in rows if f.check == "granularity"]
    if shares:
        each = listed(
            [
                f"{display_name(f.dataset or '')} ({' and '.join(map(shown_number, f.details['scores']))}"
                f", n = {f.details['n_examples']:,})"
                for f in shares
            ],
            "; ",
            most=_MOST_ROWS,
        )
        said.append(f"These scores are no share of their n: {each}.")
    return said


def _impossible(finding: Finding) -> str:
    details = finding.details
    possible = f"at least {format_p_value(details['smallest'], digits=2)}"
    if details["too_high"]:
        most, least = (format_p_value(details[end], digits=2) for end in ("most", "least"))
        possible = f"at most {most} or at least {least}"
    return (
        f"{display_name(finding.dataset or '')}, printed {_printed(finding)} (possible: {possible})"
    )


def _printed(finding: Finding) -> str:
    return shown_number(str(finding.details["printed"]))


def listed(parts: Sequence[str], between: str, *, most: int = MOST_LISTED) -> str:
    """Parts in a row, of more than `most` how many there are."""
    shown = list(parts[:most])
    if len(parts) > len(shown):
        shown.append(f"{len(parts) - len(shown)} more")
    if between == "; ":
        return between.join(shown)
    return " and ".join(part for part in (between.join(shown[:-1]), shown[-1]) if part)
