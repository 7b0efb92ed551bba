"""Printed numbers that do not fit the others, as short as a review can hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.claims.findings import Finding
from core.claims.sentences import shown_number
from core.claims.sentences_possible import tests_in_words
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
        said.append(f"Beside their scores and n, no test tried allows these p-values: {each}.")
    unattained = [f for f in rows if f.verdict == "not-attainable"]
    if unattained:
        each = listed([_unattained(f) for f in unattained], "; ", most=_MOST_ROWS)
        said.append(
            f"To the digits printed, {tests_in_words(report.metric, aside=True)} gives these p-values: {each}."
        )
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
    too_high = details["too_high"]
    limit = format_p_value(details["high" if too_high else "low"], digits=2)
    sizes = [f"{n:,}" for n in details["sizes"] if n is not None]
    other = f", or n = {' or '.join(sizes)}" if sizes else ""
    return (
        f"{display_name(finding.dataset or '')}, printed {_printed(finding)} (possible: at "
        f"{'most' if too_high else 'least'} {limit}{other})"
    )


def _unattained(finding: Finding) -> str:
    nearest = [
        format_p_value(found[2], digits=4)
        for found in (finding.details["below"], finding.details["above"])
        if found is not None
    ]
    near = f" (nearest: {' and '.join(nearest)})" if nearest else ""
    return f"{display_name(finding.dataset or '')}, printed {_printed(finding)}{near}"


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
