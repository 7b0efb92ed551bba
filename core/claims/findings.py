"""What a check of claims found: verdicts, findings, the report in a sentence, in three, and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from ..shown import DataFrame, frame_of
from ..signature import short_fingerprint, signature_line
from ..types import Dependence
from ..words.formatting import counted, display_name, joined, list_names, sentence_case
from ..words.subject import Subject
from .checked import Made
from .claim import Claim

if TYPE_CHECKING:
    from .judging import Outcome
    from .possible import Attainment, Sizes, Variant
    from .printed_scores import Range


VerdictKey = Literal["impossible", "contradicted", "not-shown", "depends", "holds"]
# Of a printed number beside its scores.
RowKey = Literal["impossible", "possible", "undecided"]
Check = Literal[
    "claim",
    "direction",
    "no-p-value",
    "granularity",
    "possible-p-values",
    "common-practice",
    "assumption",
    "scores-alone",
]
# Verdicts that speak against a claim or a printed number.
SEVERE: frozenset[str] = frozenset({"impossible", "contradicted"})

HEADINGS: Mapping[Check, str] = {
    "claim": "The claims",
    "scores-alone": "What scores and numbers of examples leave open",
    "direction": "Direction",
    "no-p-value": "Printed p-values",
    "granularity": "Scores and numbers of examples",
    "possible-p-values": "P-values and scores",
    "assumption": "What the methods assume",
    "common-practice": "Common practice",
}
CAVEAT = (
    "What does not fit these inputs may come from another number of examples, another test or "
    "another rounding than assumed here, or from averages over runs; it is no sign of misconduct."
)

_MISFITS: Mapping[Check, str] = {
    "no-p-value": "no p-value lies outside 0 to 1, but one is printed for",
    "possible-p-values": "no test in use on these examples gives the p-value printed for",
    "granularity": "no number of right examples gives the scores printed for",
}
WHICH_METRIC = "The authors could say which metric was tested, and in which direction."


def say_who_leads(datasets: Sequence[str]) -> str:
    """What would settle small p-values beside equal scores."""
    return f"The authors could say which system is ahead on {list_names(datasets)}, if any."


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictWords:
    """A verdict as it is shown: a sign and words, so that no colour is needed, and when it applies."""

    sign: str
    words: str
    rule: str


_PLURALS = {"is": "are", "depends": "depend", "holds": "hold"}
# The most severe first.
VERDICTS: Mapping[VerdictKey, VerdictWords] = {
    "impossible": VerdictWords(
        sign="✗",
        words="is impossible",
        rule="It speaks of more datasets than there are, or of a p-value that no test in use on "
        "these examples gives: one- or two-sided, for either system, by any rounding and with "
        f"any number of resamples from 100 to 100,000. {CAVEAT}",
    ),
    "contradicted": VerdictWords(
        sign="✗",
        words="is contradicted",
        rule="No reading of sidedness, counting and rounding allows it for the system that it is "
        "about. Where it would hold ignoring which system each p-value is for, that is said.",
    ),
    "not-shown": VerdictWords(
        sign="!",
        words="is not shown by these numbers",
        rule="The numbers do not carry it. That is no evidence against it.",
    ),
    "depends": VerdictWords(
        sign="○",
        words="depends on a reading, a rounding or an assumption",
        rule="Some allow it, and others do not. Each verdict says on what it depends.",
    ),
    "holds": VerdictWords(
        sign="✓",
        words="holds",
        rule="Every reading and rounding that the numbers allow gives it, by a way in which papers "
        "count. Where another way gives another number, that is said.",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """What one check says of one claim, of one dataset, or of the whole table.

    Attributes
    ----------
    key : str or None
        Of a claim that of its `Verdict`. Of a printed number "impossible" (no test in use on
        these examples gives it), "possible" or "undecided". None for a remark.
    check : str
        Which check: "claim", "direction", "no-p-value", "granularity",
        "possible-p-values", "common-practice", "assumption" or "scores-alone".
    reason : str
        In plain sentences, as a review could quote them.
    dataset : str or None
        None where it is about no single one.
    claim : Claim or None
        None where it is about the table.
    details : mapping of str to object
        What sentences on all findings are made from.
    """

    key: VerdictKey | RowKey | None
    check: Check
    reason: str
    dataset: str | None = None
    claim: Claim | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> VerdictKey | RowKey | None:
        """The same as `key`."""
        return self.key


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowFinding(Finding):
    """What was found on one row of a table of p-values with scores and numbers of examples.

    `shown` is a test and side, and `attainment` what it makes of the printed p-value; None where none
    of those gone through gives it, or a score is no share of n. `ranges` are where p-values of tests in
    use lie, for either system or two-sided, as intervals that do not meet, rising, and `reach` the
    smallest and largest of them as the table says it was tested; what is `attainable` gives the printed
    one. `sizes` are the nearest smaller and larger n at which it is possible.
    """

    key: RowKey
    dataset: str
    n_examples: int
    printed: str = ""
    p_value: float = 1.0
    shown: Variant | None = None
    attainment: Attainment | None = None
    ranges: tuple[Range, ...] = ()
    reach: Range = (0.0, 1.0)
    attainable: tuple[Variant, ...] = ()
    sizes: Sizes = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdict(Finding):
    """The one verdict on a claim, the most severe that may be said.

    Attributes
    ----------
    why : str
        One sentence; two where a count holds that has no guarantee.
    settle : str
        What would settle it, in a sentence; empty where it holds.
    behind : tuple of str
        The numbers behind it, a sentence or two each.
    on : str
        What "depends" is on, such as "how the p-values are read"; else empty.
    outcome : Outcome or None
        All that the numbers make of the claim; None where it needs none.
    """

    key: VerdictKey
    claim: Claim
    why: str
    settle: str = ""
    behind: tuple[str, ...] = ()
    on: str = ""
    outcome: Outcome | None = None

    @property
    def by_either(self) -> bool:
        """Whether it is contradicted, and would hold if each p-value may speak for either system."""
        return self.outcome is not None and self.outcome.by_either

    def words(self, *, plural: bool = False) -> str:
        """Verb of a sentence on the claim: "holds", "depends on how the p-values are read"."""
        said = f"depends on {self.on}" if self.on else VERDICTS[self.key].words
        verb, blank, rest = said.partition(" ")
        return f"{_PLURALS[verb]}{blank}{rest}" if plural else said


# Of more, only the number is given.
_MOST_IN_FULL = 2
# The sentence on several claims with one verdict.
_STARTS: dict[VerdictKey, str] = {
    "depends": "It is open whether",
    "not-shown": "The numbers do not show that",
    "contradicted": "No reading of the numbers allows that",
    "impossible": "The numbers rule out that",
}
# What a sentence on a claim may begin with, but for names.
_NO_NAMES = frozenset(["The", "It", "No", "For", "By", "On", "Scores", "Rounded", "Only", "None"])
_WHOEVER = "ignoring which system each p-value is for"


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
        without p-values; else what is declared about the p-values and scores, and further
        columns of p-values where a claim is about them.
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
    def worst_first(self) -> list[Verdict]:
        """The verdicts, the most severe first."""
        return sorted(self.verdicts, key=_severity)

    @property
    def rows(self) -> tuple[Finding, ...]:
        """What was found on rows and on the table's tests, whatever is claimed."""
        return tuple(f for f in self.findings if f.claim is None and f.check in _MISFITS)

    @property
    def judged_rows(self) -> tuple[RowFinding, ...]:
        """What was found on rows with scores and numbers of examples, in their order."""
        return tuple(f for f in self.findings if isinstance(f, RowFinding))

    @property
    def doubts(self) -> tuple[Finding, ...]:
        """Findings that speak against a claim or a printed number."""
        return tuple(finding for finding in self.findings if finding.key in SEVERE)

    @property
    def other_sides(self) -> list[str]:
        """Where tests that were run here speak for a system and the scores for the other."""
        return [f.reason for f in self.of("direction") if f.details.get("other_side")]

    def of(self, check: Check) -> tuple[Finding, ...]:
        """The findings of one check."""
        return tuple(finding for finding in self.findings if finding.check == check)

    def to_frame(self) -> DataFrame:
        """A row for each finding: claim, check, dataset, verdict, reason."""
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
        return frame_of(rows, columns=["claim", "check", "dataset", "verdict", "reason"])

    def lead(self) -> str:
        """The answer in a sentence or two: how many claims have which verdict, which rows do not fit."""
        said = ["There is no claim to check, so only the table is checked"]
        if len(self.claims) == 1:
            (verdict,) = self.verdicts
            said = [f"The claim {verdict.words()}: {_within(verdict.why)}"]
        elif self.claims:
            said = [_numbers(self, alone=True)]
        if not self.claims:
            said.append(_beside_lower_scores(self))
        said += [_by_either(self), *_misfits(self)]
        if any(f.key == "impossible" and f.check != "no-p-value" for f in self.rows):
            said.append("Another n, test or rounding, or averages over runs could explain that")
        return " ".join(f"{sentence_case(part)}." for part in said if part)

    def paragraph(self) -> str:
        """Three sentences for a review: what was checked, what does not hold, what would settle it."""
        open_ones = [verdict for verdict in self.worst_first if verdict.key != "holds"]
        rows = [f for f in self.rows if f.key == "impossible" and f.dataset]
        return " ".join(
            (_checked(self), _not_held(self, open_ones), _settled(self, open_ones, rows))
        )

    def words(self, claim: Claim) -> str:
        """A claim in words, with the names of the systems."""
        return claim.words(self.subject, alpha=self.alpha, dependence=self.dependence)


def _severity(verdict: Verdict) -> int:
    """Place among the verdicts, the most severe at 0."""
    return list(VERDICTS).index(verdict.key)


def _beside_lower_scores(report: ClaimReport, *, without: str = "") -> str:
    """On which datasets a small p-value comes with a lower or equal score; empty where none does.

    Left out are datasets on which the text `without` says that the score is the lower one.
    """
    said = []
    for details in (f.details for f in report.of("direction") if f.details.get("datasets")):
        is_a = details["better"] == "a"
        system = report.subject.system_a if is_a else report.subject.system_b
        on = f"on {list_names(details['datasets'])}"
        if f"{on} the score of {display_name(system)} is the" not in without:
            said.append(f"{on} {details['what']}")
    return "; ".join(said)


def _by_either(report: ClaimReport) -> str:
    """How many contradicted claims the p-values give ignoring direction; empty where none."""
    n = sum(verdict.by_either for verdict in report.verdicts)
    if n == len(report.claims):
        claims = "it" if n == 1 else "they"
    else:
        claims = counted(n, "contradicted claim")
    return f"{claims} would hold {_WHOEVER}" if n else ""


def _numbers(report: ClaimReport, *, alone: bool = False) -> str:
    """Write "2 hold and 1 is contradicted", the mildest first; `alone` says of what."""
    n = len(report.claims)
    plurals = {verdict.words(): verdict.words(plural=True) for verdict in report.verdicts}
    if len(plurals) == 1:
        what = " claims" if alone else ""
        return f"{'both' if n == 2 else f'all {n}'}{what} {''.join(plurals.values())}"
    mildest_first = sorted(report.verdicts, key=_severity, reverse=True)
    numbers = Counter(verdict.words() for verdict in mildest_first)
    said = [f"{k} {words if k == 1 else plurals[words]}" for words, k in numbers.items()]
    if alone:
        said[0] = said[0].replace(" ", f" of {n} claims ", 1)
    return joined(said)


def _misfits(report: ClaimReport) -> list[str]:
    """On which rows printed numbers do not fit each other, a clause for each kind of misfit."""
    said = []
    for check, start in _MISFITS.items():
        of_rows = [f for f in report.rows if f.dataset and f.check == check]
        odd = [f for f in of_rows if f.key == "impossible"]
        # A number that is no p-value is shown.
        printed = [f" ({f.details['printed']})" if check == "no-p-value" else "" for f in odd]
        if names := [f"{f.dataset}{text}" for f, text in zip(odd, printed, strict=True)]:
            of = f" ({len(names)} of {len(of_rows)})" if len(of_rows) > len(names) else ""
            said.append(f"{start} {list_names(names)}{of}")
    return said


def _checked(report: ClaimReport) -> str:
    """What was checked against what, and of several claims how many have which verdict."""
    n, size = len(report.claims), len(report.subject.datasets)
    a, b = display_name(report.subject.system_a), display_name(report.subject.system_b)
    source = "the printed table" if report.made == "printed" else "the results"
    table = f"{source} of {a} and {b} on {size} dataset{'' if size == 1 else 's'}"
    if not n:
        return f"I checked the numbers in {table} against each other."
    if n == 1:
        words = report.words(report.claims[0])
        if not size:
            return f"I checked whether the numbers agree in {words}."
        that, comma = "" if report.claims[0].text else "that ", "," * ("," in words)
        return f"I checked the claim {that}{words}{comma} against {table}."
    what = f"claims against {table}" if size else "intervals against their estimates"
    hold = _by_either(report)
    either = f"; {hold}" if hold else ""
    return f"I checked {n} {what}: {_numbers(report)}{either}."


def _not_held(report: ClaimReport, open_ones: Sequence[Verdict]) -> str:
    """What does not hold, and what the numbers give in its place."""
    said = []
    if len(report.claims) == 1:
        (verdict,) = report.verdicts
        either = f", and {_by_either(report)}" if verdict.by_either else ""
        said.append(f"it {verdict.words()}: {_within(verdict.why)}{either}")
    elif open_ones:
        worst = open_ones[0].key
        same = [v for v in open_ones if v.key == worst]
        each = [
            # What stands in brackets goes on.
            f"{words[:-1]}; {why})" if words.endswith(")") else f"{words} ({why})"
            for v in same[:_MOST_IN_FULL]
            for words, why in [(report.words(v.claim), _within(v.why))]
        ]
        more = len(same) - _MOST_IN_FULL
        last = f" and {'whether' if worst == 'depends' else 'that'} ".join(each)
        start = _STARTS[worst]
        if any(v.by_either for v in same):
            start = start.replace(" allows", " for the system claimed allows")
        said.append(f"{start} {last}" + (f", and {more} more" if more > 0 else ""))
    said += _misfits(report)
    if not report.claims and not said:
        said += [
            f"no p-value is impossible beside its scores, but {_within(f.reason)}"
            for f in report.rows
            if "n_explained" in f.details and not any(f.details["n_explained"].values())
        ]
    beside = _beside_lower_scores(report, without="; ".join(said))
    if report.claims and not said:
        none = "Nothing in the numbers speaks against what is claimed"
        said.append(f"No claim is contradicted, but {beside}" if beside else none)
    elif beside:
        said.append(beside)
    plain = [v.outcome.guaranteed for v in report.verdicts if v.outcome and v.outcome.guaranteed]
    if len(report.claims) > 1 and plain:
        held = "the count of p ≤ α that holds has" if len(plain) == 1 else "counts of p ≤ α have"
        counted = f" ({plain[0]})" if len(set(plain)) == 1 else ""
        said.append(f"{held} no guarantee{counted}")
    if not said:
        of_table = [f for f in report.rows if not f.dataset]
        if unchecked := [f.reason for f in of_table if f.key == "undecided"]:
            return unchecked[0]
        return "They do not contradict each other."
    return f"{sentence_case('; '.join(said))}."


def _settled(report: ClaimReport, open_ones: Sequence[Verdict], rows: Sequence[Finding]) -> str:
    """What would settle it, and that what does not fit is no sign of misconduct."""
    if not open_ones and not rows:
        found = [f.details for f in report.of("direction") if f.details.get("datasets")]
        doubtful = [one for one in found if "in_favour_of" not in one]
        if not report.claims and doubtful:
            even = all(one["better"] is None for one in doubtful)
            return say_who_leads(doubtful[-1]["datasets"]) if even else WHICH_METRIC
        return "This is about the printed numbers alone, and not about how they were obtained."
    misfits = [f for f in rows if f.check != "no-p-value"]
    # Of the claims that are quoted in full.
    worst = [verdict.settle for verdict in open_ones if verdict.key == open_ones[0].key]
    texts = dict.fromkeys(text.removesuffix(".") for text in worst[:_MOST_IN_FULL] if text)
    settle = sentence_case("; ".join(f"{text[:1].lower()}{text[1:]}" for text in texts))
    settle += "." if settle else ""
    if misprints := [f.dataset for f in rows if f not in misfits and f.dataset]:
        settle = (
            f"The authors could correct the p-value of {list_names(misprints)}. {settle}".strip()
        )
    settle = settle or "The authors could name the test and the number of examples behind them."
    if not misfits and (not open_ones or open_ones[0].key not in SEVERE):
        return settle
    other = "n, test or rounding" if misfits else "test, method or rounding"
    return (
        f"{settle.removesuffix('.')}; another {other} than assumed here could explain what does not "
        "fit, and it is no sign of misconduct."
    )


def _within(why: str) -> str:
    """A sentence in brackets: without its full stop, and with a small letter where it is no name."""
    text = why.removesuffix(".")
    return f"{text[:1].lower()}{text[1:]}" if text.split(" ", 1)[0] in _NO_NAMES else text
