"""What one check of claims finds, the words that checks go by, and how far a check is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from ..significance.stopping import check_going, goes_on
from .claim import Claim

ClaimVerdict = Literal[
    "confirmed",
    "at-least-that-much",
    "not-excluded",
    "not-supported",
    "contradicted",
    "cannot-be-decided",
    "impossible",
]
Check = Literal[
    "arithmetic",
    "direction",
    "granularity",
    "possible-p-values",
    "common-practice",
    "assumption",
    "scores-alone",
]
CHECKS: tuple[Check, ...] = get_args(Check)
# Verdicts that deny a claim.
DENIED: frozenset[ClaimVerdict] = frozenset({"not-supported", "contradicted"})
# Verdicts that a reader of the paper should hear of.
DOUBTS: frozenset[ClaimVerdict] = DENIED | {"impossible"}

HEADINGS: Mapping[Check, str] = MappingProxyType(
    {
        "arithmetic": "The claims, by the p-values as they stand",
        "scores-alone": "The claims, by scores and numbers of examples alone",
        "direction": "Direction",
        "granularity": "Scores and numbers of examples",
        "possible-p-values": "P-values and scores",
        "assumption": "What the methods assume",
        "common-practice": "Common practice",
    }
)
CAVEAT = (
    "What does not fit these inputs may come from another number of examples, another test or "
    "another rounding than assumed here, or from averages over runs; it is no sign of misconduct."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """What one check says of one claim, of one dataset, or of the whole table.

    Attributes
    ----------
    verdict : str or None
        "confirmed", "not-excluded", "not-supported", "contradicted" or
        "cannot-be-decided"; by direction also "at-least-that-much", of a claim of
        exactly so many or exactly these where more hold; of a printed number also "impossible":
        no test in use on these examples gives it. None for a remark.
    check : str
        Which check: "arithmetic", "direction", "granularity",
        "possible-p-values", "common-practice", "assumption" or "scores-alone".
    reason : str
        In plain sentences, as a review could quote them.
    dataset : str or None
        None where it is about no single one.
    claim : Claim or None
        None where it is about the table.
    details : mapping of str to object
        The numbers behind the reason.
    why : str
        The reason without the claim and the verdict that it begins with, for where these
        stand beside it; empty where the reason has no such beginning.
    """

    verdict: ClaimVerdict | None
    check: Check
    reason: str
    dataset: str | None = None
    claim: Claim | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""

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
            self.why,
        )


def _restored(
    verdict: ClaimVerdict | None,
    check: Check,
    reason: str,
    dataset: str | None,
    claim: Claim | None,
    details: Mapping[str, Any],
    why: str,
) -> Finding:
    return Finding(
        verdict=verdict,
        check=check,
        reason=reason,
        dataset=dataset,
        claim=claim,
        details=details,
        why=why,
    )


OnProgress = Callable[[int, int], object] | None


class Steps:
    """Counts what is done; raises `Stopped` where the callback returns False.

    Parameters
    ----------
    on_progress : callable of (done, total) or None
        Told after each step, and asked within long ones.
    total : int
        At most so many steps.
    """

    def __init__(self, on_progress: OnProgress = None, total: int = 0) -> None:
        self._on_progress = on_progress
        self._total = total
        self._done = 0

    def step(self) -> None:
        """Count one step, and ask."""
        self._done = min(self._done + 1, self._total)
        self.ask()

    def ask(self) -> None:
        """Ask whether to go on.

        Raises
        ------
        Stopped
            If not.
        """
        check_going(self._goes_on)

    def _goes_on(self) -> bool:
        return goes_on(self._on_progress, self._done, self._total)


NO_STEPS = Steps()
