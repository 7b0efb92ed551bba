"""What a check of claims found: in a sentence, in three for a review, and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from ..signature import short_fingerprint, signature_line
from ..types import Dependence
from ..words.formatting import display_name, list_names
from ..words.subject import Subject
from .check_inputs import Made, method_of
from .claim import Claim
from .findings import SEVERE, VERDICTS, Check, Finding, Verdict, VerdictKey

if TYPE_CHECKING:
    import pandas as pd


# Of more, their number is told.
_MOST_IN_FULL = 2
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


def lead_sentence(report: ClaimReport) -> str:
    """The answer first: how many claims have which verdict, and which rows do not fit."""
    n = len(report.claims)
    if not n:
        said = "No claim is entered, so the table alone is checked."
    elif n == 1:
        (verdict,) = report.verdicts
        why = (
            f"{verdict.why[:1].lower()}{verdict.why[1:]}" if _is_plain(verdict.why) else verdict.why
        )
        said = f"The claim {VERDICTS[verdict.key].words}: {why}"
    else:
        said = f"{_numbers(report.verdicts)}."
    said = " ".join((said, *_by_either(report), _about_rows(report)))
    return said.rstrip()


def _by_either(report: ClaimReport) -> list[str]:
    """How many contradicted claims the p-values give ignoring direction."""
    n = sum(verdict.by_either for verdict in report.verdicts)
    if not n:
        return []
    all_of = n == len(report.claims)
    which = "it holds" if all_of and n == 1 else "they hold" if all_of else f"{n} of them hold"
    which = "1 of them holds" if n == 1 and not all_of else which
    return [f"If each p-value may speak for either system, {which}."]


def other_sides(report: ClaimReport) -> list[str]:
    """Where tests that were run here speak for a system and the scores for the other."""
    return [f.reason for f in report.of("direction") if f.details.get("other_side")]


def three_sentences(report: ClaimReport) -> str:
    """What was checked, what does not hold, and what would settle it."""
    order = list(VERDICTS)
    open_ones = sorted(
        (v for v in report.verdicts if v.key != "holds"), key=lambda v: order.index(v.key)
    )
    rows = [f for f in report.rows if f.key == "impossible" and f.dataset]
    return " ".join(
        (_checked(report), _not_held(report, open_ones, rows), _settled(open_ones, rows))
    )


def _numbers(verdicts: Sequence[Verdict]) -> str:
    """Write "Of 3 claims 2 hold and 1 is contradicted", the mildest first."""
    numbers = Counter(verdict.key for verdict in verdicts)
    if len(numbers) == 1:
        n = len(verdicts)
        return f"{'Both' if n == 2 else f'All {n}'} claims {VERDICTS[verdicts[0].key].plural}"
    said = [
        f"{numbers[key]} {words.words if numbers[key] == 1 else words.plural}"
        for key, words in reversed(list(VERDICTS.items()))
        if numbers[key]
    ]
    return f"Of {len(verdicts)} claims {', '.join(said[:-1])} and {said[-1]}"


def _about_rows(report: ClaimReport) -> str:
    rows = [f for f in report.rows if f.dataset]
    odd = [f for f in rows if f.key == "impossible"]
    tested = list_names([f.dataset for f in odd if f.check == "possible-p-values" and f.dataset])
    shares = list_names([f.dataset for f in odd if f.check == "granularity" and f.dataset])
    said = []
    if tested:
        n = sum(f.check == "possible-p-values" for f in odd)
        of = sum(f.check == "possible-p-values" for f in rows)
        verb = "is" if n == 1 else "are"
        said.append(
            f"{n} of {of} p-values {verb} not by a test on the n examples of the scores ({tested})."
        )
    if shares:
        said.append(f"Scores are no share of their examples on {shares}.")
    if said:
        said.append("Another n, test or rounding, or averages over runs could explain that.")
    return " ".join(said)


def _opening(report: ClaimReport) -> str:
    """What was checked against what."""
    n = len(report.claims)
    claims = "claim" if n == 1 else f"{n} claims"
    if not report.subject.datasets:
        interval = "interval and its estimate" if n == 1 else f"{n} intervals and their estimates"
        return f"I checked the printed {interval} against each other"
    a, b = display_name(report.subject.system_a), display_name(report.subject.system_b)
    size = len(report.subject.datasets)
    source = "the printed table" if report.made == "printed" else "the results"
    table = f"{source} of {a} and {b} on {size} dataset{'' if size == 1 else 's'}"
    if not n:
        return f"I checked the numbers in {table} against each other"
    return f"I checked the {claims} against {table}"


def _checked(report: ClaimReport) -> str:
    if not report.claims:
        return f"{_opening(report)}."
    if len(report.claims) == 1:
        return f"{_opening(report)}: it {VERDICTS[report.verdicts[0].key].words}."
    numbers = _numbers(report.verdicts)
    return f"{_opening(report)}: {numbers[:1].lower()}{numbers[1:]}."


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
            each.append(f"and {len(same) - _MOST_IN_FULL} more")
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
    if rows or open_ones[0].key in SEVERE:
        return f"{settle.removesuffix('.')}; {_NO_MISCONDUCT}."
    return settle


def _within(why: str) -> str:
    """A sentence in brackets: without its full stop, and with a small letter where it is no name."""
    text = why.removesuffix(".")
    return f"{text[:1].lower()}{text[1:]}" if _is_plain(text) else text


def _is_plain(text: str) -> bool:
    """Whether a sentence begins with a word that is no name."""
    return text.split(" ", 1)[0] in ("The", "It", "No", "For", "By", "On", "Scores")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClaimReport:
    """Every finding about a table and the claims made of it.

    Attributes
    ----------
    claims : tuple of Claim
        As given.
    findings : tuple of Finding
        The verdicts on the claims first, in their order.
    subject : Subject
        Names of systems and datasets.
    alpha : float
        The level of claims that state none.
    dependence : {"not-known", "positive", "independent"}
        What is known of the datasets.
    metric : str or None
        What the scores were taken to be.
    fingerprint : str
        SHA-256 of the table's content; empty where intervals alone are judged.
    made : {"printed", "computed"}
        How the p-values came to be.
    judged_by : str or None
        SHA-256 of what the fingerprint leaves out: systems, sizes and metric of a table
        without p-values; further columns of p-values where a claim is about them.
    """

    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    subject: Subject
    alpha: float
    dependence: Dependence
    metric: str | None
    fingerprint: str
    judged_by: str | None = None
    made: Made = "printed"

    @property
    def signature(self) -> str:
        """The line that names everything the findings depend on."""
        lines = "\n".join(claim.line() for claim in self.claims)
        return signature_line(
            check="claims",
            claims=sha256(lines.encode()).hexdigest()[:8] if self.claims else None,
            metric=self.metric,
            alpha=self.alpha,
            dependence=self.dependence,
            datasets=len(self.subject.datasets) or None,
            data=short_fingerprint(self.fingerprint) or None,
            judged_by=None if self.judged_by is None else self.judged_by[:8],
        )

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One for each claim: a key, a sentence why, and what would settle it."""
        return tuple(finding for finding in self.findings if isinstance(finding, Verdict))

    @property
    def rows(self) -> tuple[Finding, ...]:
        """What was found on rows and on the table's tests, whatever is claimed."""
        return tuple(
            f
            for f in self.findings
            if f.claim is None and f.check in ("granularity", "possible-p-values")
        )

    @property
    def doubts(self) -> tuple[Finding, ...]:
        """Findings that speak against a claim or a printed number."""
        return tuple(finding for finding in self.findings if finding.key in SEVERE)

    def of(self, check: Check) -> tuple[Finding, ...]:
        """The findings of one check."""
        return tuple(finding for finding in self.findings if finding.check == check)

    def about(self, dataset: str) -> tuple[Finding, ...]:
        """The findings about one dataset."""
        return tuple(finding for finding in self.findings if finding.dataset == dataset)

    def to_frame(self) -> pd.DataFrame:
        """A row for each finding: claim, check, dataset, verdict, reason."""
        import pandas as pd

        rows = [
            {
                "claim": self.words(finding.claim) if finding.claim else "",
                "check": finding.check,
                "dataset": finding.dataset or "",
                "verdict": finding.key or "",
                "reason": finding.reason,
            }
            for finding in self.findings
        ]
        return pd.DataFrame(rows, columns=["claim", "check", "dataset", "verdict", "reason"])

    def lead(self) -> str:
        """The answer in a sentence or two: how many claims have which verdict, which rows do not fit."""
        return lead_sentence(self)

    def paragraph(self) -> str:
        """Three sentences for a review: what was checked, what does not hold, what would settle it."""
        return three_sentences(self)

    def words(self, claim: Claim) -> str:
        """A claim in words, with the names of the systems."""
        return claim.words(
            alpha=self.alpha,
            system_a=self.subject.system_a,
            system_b=self.subject.system_b,
            assumed=method_of(claim, self.dependence),
            is_better=self.subject.is_better,
        )
