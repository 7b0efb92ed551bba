"""The report of everything that a check of claims found."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from core.claims.check_inputs import Made, method_of
from core.claims.claim import Claim
from core.claims.findings import DOUBTS, Check, Finding
from core.claims.paragraph import lead_sentence, three_sentences
from core.claims.verdicts import Verdict
from core.report.subject import Subject
from core.signature import short_fingerprint, signature_line
from core.types import Dependence

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClaimReport:
    """Every finding about a table and the claims made of it.

    Attributes
    ----------
    claims : tuple of Claim
        As given.
    verdicts : tuple of Verdict
        One for each claim: a key, a sentence why, and what would settle it.
    findings : tuple of Finding
        Those on the claims first, in their order.
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
    verdicts: tuple[Verdict, ...]
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
        return tuple(finding for finding in self.findings if finding.verdict in DOUBTS)

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
                "verdict": finding.verdict or "",
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
