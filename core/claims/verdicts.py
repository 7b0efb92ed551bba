"""What a check of claims finds, and the report of all findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from core.claims.claim import Claim
from core.report.formatting import list_names
from core.report.sentences import Subject
from core.signature import short_fingerprint, signature_line
from core.types import Dependence

if TYPE_CHECKING:
    import pandas as pd

ClaimVerdict = Literal[
    "confirmed",
    "at-least-that-much",
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
_WITHOUT_DOUBT: tuple[tuple[ClaimVerdict, str], ...] = (
    ("confirmed", "confirmed"),
    ("not-excluded", "not excluded"),
    ("cannot-be-decided", "not to be decided"),
)
# Of more claims in one sentence of the paragraph, their number is told.
_MOST_QUOTED = 8
_MOST_ROWS_TOLD = 4
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
        "cannot-be-decided"; by direction also "at-least-that-much", of a claim of
        exactly so many or exactly these where more hold; of a printed number also "impossible" and
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
    judged_by : str or None
        SHA-256 of what the table does not hold: systems, sizes and metric of a table
        without p-values.
    """

    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    subject: Subject
    alpha: float
    dependence: Dependence
    metric: str | None
    fingerprint: str
    judged_by: str | None = None

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
            judged_by=None if self.judged_by is None else self.judged_by[:8],
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

        What speaks against claims and numbers comes first, claims that are confirmed share a
        sentence, and so do those that hang on single p-values.
        """
        said = self._failures()
        said += self._open_and_confirmed()
        hanging = [
            f.claim for f in self.of("sensitivity") if f.claim and any(map(f.details.get, _TURNING))
        ]
        if hanging:
            verb = "hangs" if len(hanging) == 1 else "hang"
            said.append(f"On the value of single p-values {verb} {self._listed(hanging)}.")
        for check in ("scores-alone", "direction", "assumption", "common-practice"):
            table = [f for f in self.of(check) if f.verdict is None and f.claim is None]
            if check != "direction":
                said += [f.reason for f in table[:1]]
            elif not self.claims:
                # What the readings make of claims is told with these.
                said += [f.reason for f in table]
        said += [CAVEAT] if self.doubts else []
        return " ".join(dict.fromkeys(said))

    def _failures(self) -> list[str]:
        """What speaks against claims and numbers; a claim's rows are told with the claim."""
        claims = [f for f in self.doubts if f.claim and f.dataset is None]
        directed = [f for f in claims if f.check == "direction"]
        said = [f"{f.reason}{self._but(f)}" for f in claims if f.check != "direction"]
        if len(directed) > 1:
            each = [f"{self._words(f.claim)} ({_why(f)})" for f in directed if f.claim]
            given = dict(zip(self.claims, self.verdicts, strict=True))
            n_given = sum(given[f.claim] == "confirmed" for f in directed if f.claim)
            though = f", though {n_given} of them follow from the p-values as printed"
            said.append(
                f"Read by direction, {len(directed)} claims are not supported"
                f"{though if n_given else ''}: {'; '.join(each)}."
            )
        else:
            said += [f.reason for f in directed]
        rows = [f for f in self.doubts if f.claim is None]
        said += [f.reason for f in rows[:_MOST_ROWS_TOLD]]
        names = list_names([f.dataset or "" for f in rows[_MOST_ROWS_TOLD:]])
        return [*said, f"The same kind of misfit is found on {names}."] if names else said

    def _open_and_confirmed(self) -> list[str]:
        """A sentence on each verdict that speaks against nothing, and how many claims have it."""
        denied = {f.claim for f in self.doubts if f.claim}
        basis = "by scores and sizes alone" if self.of("scores-alone") else "as printed"
        said = []
        for verdict, words in _WITHOUT_DOUBT:
            claims = [
                claim
                for claim, found in zip(self.claims, self.verdicts, strict=True)
                if found == verdict and claim not in denied
            ]
            if claims:
                verb = "is" if len(claims) == 1 else "are"
                start = f"{len(claims)} of {len(self.claims)} claims"
                if len(self.claims) == 1:
                    start = "The claim"
                said.append(f"{start} {verb} {words} {basis}: {self._listed(claims)}.")
        return said

    def _but(self, finding: Finding) -> str:
        """The readings of the direction that allow what the p-values as printed deny."""
        if finding.check != "arithmetic":
            return ""
        readings = self.allowing(finding.claim)
        return (
            f" That is of the p-values as printed; {readings} it is possible." if readings else ""
        )

    def allowing(self, claim: Claim | None) -> str:
        """The readings of the direction that allow a claim, in words; empty where none does."""
        found = [f for f in self.of("direction") if f.claim == claim and f.dataset is None]
        readings = dict.fromkeys(r for f in found for r in f.details.get("allowed_by", ()))
        return " or ".join(f"read {self.subject.reading(reading)}" for reading in readings)

    def _listed(self, claims: Sequence[Claim]) -> str:
        words = [self._words(claim) for claim in claims[:_MOST_QUOTED]]
        more = len(claims) - len(words)
        words += [f"{more} more"] if more else []
        return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)

    def _words(self, claim: Claim) -> str:
        return claim.words(
            alpha=self.alpha, system_a=self.subject.system_a, system_b=self.subject.system_b
        )


def _why(finding: Finding) -> str:
    """A reason without the claim and the verdict before it."""
    return finding.reason.partition("not supported by these p-values: ")[2].rstrip(".")


def _worth_saying(finding: Finding) -> bool:
    row = finding.dataset is not None and finding.check in ("possible-p-values", "granularity")
    return not row or finding.verdict in DOUBTS
