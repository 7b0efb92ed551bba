"""What a check of claims finds, and the report of all findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from core.claims.claim import Claim
from core.report.sentences import Subject
from core.signature import short_fingerprint, signature_line
from core.types import Dependence

if TYPE_CHECKING:
    import pandas as pd

ClaimVerdict = Literal[
    "confirmed",
    "not-excluded",
    "not-supported",
    "contradicted",
    "cannot-be-decided",
    "impossible",
    "not-attainable",
]
Check = Literal[
    "arithmetic",
    "direction",
    "granularity",
    "possible-p-values",
    "common-practice",
    "assumption",
    "sensitivity",
    "scores-alone",
]
CLAIM_VERDICTS: tuple[ClaimVerdict, ...] = get_args(ClaimVerdict)
CHECKS: tuple[Check, ...] = get_args(Check)
# Verdicts that a reader of the paper should hear of.
DOUBTS: frozenset[ClaimVerdict] = frozenset(
    {"not-supported", "contradicted", "impossible", "not-attainable"}
)

HEADINGS: Mapping[Check, str] = MappingProxyType(
    {
        "arithmetic": "The claims, by the p-values as printed",
        "scores-alone": "The claims, by scores and numbers of examples alone",
        "direction": "Direction",
        "granularity": "Scores and numbers of examples",
        "possible-p-values": "P-values and scores",
        "assumption": "What the methods assume",
        "common-practice": "Common practice",
        "sensitivity": "What the claims hang on",
    }
)
_CONFIRMED: Mapping[Check, str] = MappingProxyType(
    {
        "arithmetic": "Confirmed by the printed p-values, whatever their rounding",
        "direction": "By every reading of the direction at least as much holds",
        "scores-alone": "Confirmed by scores and sizes alone",
    }
)
_TURNING = ("by_rounding", "by_doubling")
CAVEAT = (
    "What does not fit these inputs may come from another number of examples, another test or "
    "another rounding than assumed here; it is no sign of misconduct."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """What one check says of one claim, of one dataset, or of the whole table.

    Attributes
    ----------
    verdict : str or None
        "confirmed", "not-excluded", "not-supported", "contradicted" or
        "cannot-be-decided"; of a printed number also "impossible" and
        "not-attainable". None for a remark.
    check : str
        Which check: "arithmetic", "direction", "granularity",
        "possible-p-values", "common-practice", "assumption", "sensitivity" or
        "scores-alone".
    reason : str
        In plain sentences, as a review could quote them.
    dataset : str or None
        None where it is about no single one.
    claim : Claim or None
        None where it is about the table.
    details : mapping of str to object
        The numbers behind the reason.
    """

    verdict: ClaimVerdict | None
    check: Check
    reason: str
    dataset: str | None = None
    claim: Claim | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "details", MappingProxyType(dict(self.details)))

    def __reduce__(self) -> tuple[object, ...]:
        # A mapping that cannot be changed cannot be copied either.
        return _restored, (
            self.verdict,
            self.check,
            self.reason,
            self.dataset,
            self.claim,
            dict(self.details),
        )


def _restored(
    verdict: ClaimVerdict | None,
    check: Check,
    reason: str,
    dataset: str | None,
    claim: Claim | None,
    details: Mapping[str, Any],
) -> Finding:
    return Finding(
        verdict=verdict, check=check, reason=reason, dataset=dataset, claim=claim, details=details
    )


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
        SHA-256 of the table's content.
    """

    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    subject: Subject
    alpha: float
    dependence: Dependence
    metric: str | None
    fingerprint: str

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
            datasets=len(self.subject.datasets),
            data=short_fingerprint(self.fingerprint),
        )

    @property
    def verdicts(self) -> tuple[ClaimVerdict | None, ...]:
        """Of each claim what its arithmetic gives: by the printed p-values, or by scores alone."""
        found: dict[Claim | None, ClaimVerdict | None] = {}
        for finding in self.findings:
            if finding.check in ("arithmetic", "scores-alone") and finding.dataset is None:
                found.setdefault(finding.claim, finding.verdict)
        return tuple(found.get(claim) for claim in self.claims)

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
                "claim": self._words(finding.claim) if finding.claim else "",
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
        if self.doubts:
            sections.append(("How to read this", (CAVEAT,)))
        return tuple(sections)

    def paragraph(self) -> str:
        """One paragraph of plain text, as a review could hold it.

        Claims that are confirmed share a sentence, and what turns none is left out.
        """
        said = []
        for check in HEADINGS:
            found = [finding for finding in self.of(check) if _worth_saying(finding)]
            confirmed = [f.claim for f in found if f.claim and f.verdict == "confirmed"]
            if len(confirmed) > 1 and check in _CONFIRMED:
                listed = [self._words(claim) for claim in confirmed]
                said.append(f"{_CONFIRMED[check]}: {', '.join(listed[:-1])} and {listed[-1]}.")
                found = [f for f in found if f.verdict != "confirmed"]
            if check == "sensitivity":
                found = [f for f in found if any(f.details[key] for key in _TURNING)]
            said += [f.reason for f in found]
        said += [CAVEAT] if self.doubts else []
        return " ".join(dict.fromkeys(said))

    def _words(self, claim: Claim) -> str:
        return claim.words(
            alpha=self.alpha, system_a=self.subject.system_a, system_b=self.subject.system_b
        )


def _worth_saying(finding: Finding) -> bool:
    row = finding.dataset is not None and finding.check in ("possible-p-values", "granularity")
    return not row or finding.verdict in DOUBTS
