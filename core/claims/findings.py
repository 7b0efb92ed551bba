"""What one check of claims finds, the words that verdicts and checks go by, and how far a check is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from ..significance.stopping import check_going, goes_on
from .claim import Claim

VerdictKey = Literal["impossible", "contradicted", "not-shown", "depends", "holds"]
# Of a printed number beside its scores.
RowKey = Literal["impossible", "possible", "undecided"]
Check = Literal[
    "claim",
    "direction",
    "granularity",
    "possible-p-values",
    "common-practice",
    "assumption",
    "scores-alone",
]
CHECKS: tuple[Check, ...] = get_args(Check)
# Verdicts that speak against a claim or a printed number.
SEVERE: frozenset[str] = frozenset({"impossible", "contradicted"})

HEADINGS: Mapping[Check, str] = MappingProxyType(
    {
        "claim": "The claims",
        "scores-alone": "What scores and numbers of examples leave open",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictWords:
    """A verdict as it is shown: a sign and words, so that no colour is needed.

    Attributes
    ----------
    sign, words, plural : str
        "✓", "holds", and "hold" of several claims.
    rule : str
        When it is said.
    """

    sign: str
    words: str
    plural: str
    rule: str


# The most severe first.
VERDICTS: Mapping[VerdictKey, VerdictWords] = MappingProxyType(
    {
        "impossible": VerdictWords(
            sign="✗",
            words="is impossible",
            plural="are impossible",
            rule="It speaks of more datasets than there are, or of a p-value that no test in use on "
            "these examples gives: one- or two-sided, for either system, by any rounding and with "
            f"any number of resamples from 100 to 100,000. {CAVEAT}",
        ),
        "contradicted": VerdictWords(
            sign="✗",
            words="is contradicted",
            plural="are contradicted",
            rule="No reading of direction, sidedness, counting and rounding allows it.",
        ),
        "not-shown": VerdictWords(
            sign="!",
            words="is not shown by these numbers",
            plural="are not shown by these numbers",
            rule="The numbers do not carry it. That is no evidence against it.",
        ),
        "depends": VerdictWords(
            sign="○",
            words="depends on how the p-values are read",
            plural="depend on how the p-values are read",
            rule="Some reading, rounding or assumption allows it, and others do not.",
        ),
        "holds": VerdictWords(
            sign="✓",
            words="holds",
            plural="hold",
            rule="Every reading and rounding that the numbers allow gives it.",
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """What one check says of one claim, of one dataset, or of the whole table.

    Attributes
    ----------
    key : str or None
        Of a claim that of its `Verdict`. Of a printed number "impossible" (no test in use on
        these examples gives it), "possible" or "undecided". None for a remark.
    check : str
        Which check: "claim", "direction", "granularity", "possible-p-values",
        "common-practice", "assumption" or "scores-alone".
    reason : str
        In plain sentences, as a review could quote them.
    dataset : str or None
        None where it is about no single one.
    claim : Claim or None
        None where it is about the table.
    details : mapping of str to object
        The numbers behind the reason.
    """

    key: VerdictKey | RowKey | None
    check: Check
    reason: str
    dataset: str | None = None
    claim: Claim | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdict(Finding):
    """The one verdict on a claim.

    Attributes
    ----------
    claim : Claim
        The claim.
    key : {"impossible", "contradicted", "not-shown", "depends", "holds"}
        The most severe that may be said.
    why : str
        One sentence.
    settle : str
        What would settle it, in a sentence; empty where it holds.
    behind : tuple of str
        The numbers behind it, a sentence or two each.
    by_either : bool
        Whether the p-values give a claim that is contradicted, if each may speak for either system.
    """

    key: VerdictKey
    claim: Claim
    why: str
    settle: str = ""
    behind: tuple[str, ...] = ()
    by_either: bool = False


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
