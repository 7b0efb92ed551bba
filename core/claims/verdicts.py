"""The report of everything that a check of claims found."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from core.claims.check_inputs import Made, method_of
from core.claims.claim import Claim
from core.claims.claim_verdicts import Verdict, verdict_of
from core.claims.findings import CAVEAT, DOUBTS, HEADINGS, Check, ClaimVerdict, Finding
from core.claims.paragraph import review_paragraph
from core.claims.sentences_direction import reading_sentence
from core.claims.standing import readings_that_allow
from core.claims.three_sentences import three_sentences
from core.replicability.combinations import combination_named
from core.report.subject import Subject
from core.signature import short_fingerprint, signature_line
from core.types import Dependence

if TYPE_CHECKING:
    import pandas as pd


_MIXED = "read one way on some datasets and another way on others"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClaimReport:
    """Every finding about a table and the claims made of it.

    Attributes
    ----------
    claims : tuple of Claim
        As given.
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
        return tuple(verdict_of(self, claim) for claim in self.claims)

    @property
    def by_numbers(self) -> tuple[ClaimVerdict | None, ...]:
        """Of each claim what its arithmetic gives: by the p-values as they stand, or scores alone.

        Where the table says itself that its p-values are two-sided or toward the higher
        score, or direction does not deny what the p-values as they stand do, a claim that one
        system is better is judged by direction, and that verdict stands here. A claim that is
        contradicted or not supported here is so by every reading.
        """
        found: dict[Claim | None, ClaimVerdict | None] = {}
        for finding in self.findings:
            judged = finding.check in ("arithmetic", "scores-alone", "direction")
            if judged and finding.dataset is None and finding.verdict is not None:
                found.setdefault(finding.claim, finding.verdict)
        return tuple(found.get(claim) for claim in self.claims)

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

    def parts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Headings with their sentences, in plain text: what a report is laid out from.

        Rows of the table in which nothing is odd are left to `to_frame`. Names
        come from the file: escape them for the format they are written in.
        """
        sections = []
        for check, heading in HEADINGS.items():
            sentences = [f.reason for f in self.of(check) if _worth_saying(f)]
            if sentences:
                sections.append((heading, tuple(dict.fromkeys(sentences))))
        if any(finding.claim is None for finding in self.doubts):
            sections.append(("How to read this", (CAVEAT,)))
        return tuple(sections)

    def paragraph(self) -> str:
        """Three sentences for a review: what was checked, what does not hold, what would settle it."""
        return three_sentences(self)

    def in_detail(self) -> str:
        """One paragraph of plain text with the numbers behind the three sentences: failures first."""
        return review_paragraph(self)

    def allowing(self, claim: Claim | None) -> str:
        """What allows a claim by direction, in words; empty where nothing does.

        Readings of the p-values, with what must hold of the datasets besides.
        """
        found = [f for f in self.of("direction") if f.claim == claim and f.dataset is None]
        readings = dict.fromkeys(r for f in found for r in readings_that_allow(f))
        if len(readings) > 1 and all(f.verdict == "confirmed" for f in found):
            return "read in every way that the numbers allow"
        method = None if claim is None else claim.method
        words = " or ".join(
            reading_sentence(reading, self.subject, method=method, made=self.made)
            for reading in readings
        )
        needs = next((needs for f in found if (needs := f.details.get("needs"))), None)
        if needs:
            return ", and ".join(
                part for part in (words, f"if {combination_named(needs).condition}") if part
            )
        # Each dataset of a list may be allowed by another reading.
        mixed = any(f.verdict == "not-excluded" for f in found)
        return words or (_MIXED if mixed else "")

    def words(self, claim: Claim) -> str:
        """A claim in words, with the names of the systems."""
        return claim.words(
            alpha=self.alpha,
            system_a=self.subject.system_a,
            system_b=self.subject.system_b,
            assumed=method_of(claim, self.dependence),
            is_better=self.subject.is_better,
        )


def _worth_saying(finding: Finding) -> bool:
    row = finding.dataset is not None and finding.check in ("possible-p-values", "granularity")
    return not row or finding.verdict in DOUBTS
