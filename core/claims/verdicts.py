"""One verdict a claim: the most severe that may be said fairly, why, and what would settle it.

Vocabulary
----------
printed
    What the p-values as they stand make of a claim, or scores and sizes alone.
directed
    What they make of it once each is read for the system that it can speak for.
misfit
    A printed p-value that no test in use on its examples gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ..replicability.combinations import combination_named, combination_names
from ..words.formatting import display_name, format_level, list_names
from ..words.subject import Subject
from .check_inputs import WHERE_AHEAD
from .claim import COUNT, Claim, method_name
from .findings import CAVEAT, DENIED, Finding
from .sentences import numbers_in_words

VerdictKey = Literal["impossible", "contradicted", "not-shown", "depends", "holds"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a check comes to for one claim.

    Attributes
    ----------
    claim : Claim
        The claim.
    key : {"impossible", "contradicted", "not-shown", "depends", "holds"}
        The most severe that may be said.
    why : str
        One sentence.
    settle : str
        What would settle it, in a sentence; empty of a claim that holds.
    details : tuple of str
        The numbers behind it, a sentence or two each.
    by_either : bool
        Whether the p-values give a claim that is contradicted, if each may speak for either system.
    """

    claim: Claim
    key: VerdictKey
    why: str
    settle: str
    details: tuple[str, ...] = ()
    by_either: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that is known of one claim.

    Attributes
    ----------
    claim : Claim
        The claim.
    printed : Finding
        By the p-values as they stand, or by scores alone.
    directed : tuple of Finding
        By direction, the claim as a whole first; empty of a claim that is about none.
    subject : Subject
        Names of systems and datasets.
    level : float
        The level of the claim.
    """

    claim: Claim
    printed: Finding
    directed: tuple[Finding, ...]
    subject: Subject
    level: float

    @property
    def by_direction(self) -> Finding | None:
        """What direction makes of the claim as a whole."""
        return self.directed[0] if self.directed else None


def key_of(evidence: Evidence) -> VerdictKey:
    """Judge a claim by its printed and its directed finding.

    It is denied only where every finding denies it. Where direction gives it, gives more, allows
    it under more than is known of the datasets, or cannot be decided, it is not what the numbers
    as printed give, but it is not denied.
    """
    claim, printed, directed = evidence.claim, evidence.printed, evidence.by_direction
    verdict = printed.details.get("denied", printed.verdict)
    if claim.kind == "interval":
        if verdict == "contradicted":
            return "contradicted"
        if printed.details["in_the_middle"]:
            return "holds"
        return "depends" if verdict == "not-excluded" else "not-shown"
    by_direction = None if directed is None else directed.verdict
    if verdict != "confirmed" and by_direction == "confirmed":
        return "holds"
    if verdict != "confirmed" and by_direction == "at-least-that-much":
        # More comes out by every reading, and exactly so many were claimed.
        return "contradicted" if verdict in DENIED else "depends"
    if verdict in DENIED and by_direction in ("not-excluded", "cannot-be-decided"):
        return "depends"
    if verdict in DENIED or by_direction == "not-supported":
        # Of scores alone only some tests can be gone through; a claim without a method is a
        # claim about the systems, which numbers can fail to show.
        open_method = claim.kind == "at-least" and claim.method is None
        return "not-shown" if printed.check == "scores-alone" or open_method else "contradicted"
    if verdict == "cannot-be-decided" or (
        verdict == "not-excluded" and printed.check == "scores-alone"
    ):
        return "not-shown"
    if by_direction in ("cannot-be-decided", "not-excluded") or verdict != "confirmed":
        return "depends"
    return "holds"


def verdict_of(
    evidence: Evidence, misfits: Sequence[Finding] = (), *, without: VerdictKey | None = None
) -> Verdict:
    """Judge one claim by its findings, and by the misfits that it rests on.

    Parameters
    ----------
    evidence : Evidence
        What is known of the claim.
    misfits : sequence of Finding
        Those that decide about it.
    without : str, optional
        What it comes to with possible p-values in their place.
    """
    claim = evidence.claim
    n = len(evidence.subject.datasets)
    total = claim.n_datasets or n
    if claim.k is not None and total and claim.k > total:
        return Verdict(
            claim=claim,
            key="impossible",
            why=f"It speaks of {claim.k} datasets, and there are {total}.",
            settle="The authors could say which datasets they count.",
        )
    key = key_of(evidence)
    names = list_names([f.dataset for f in misfits if f.dataset])
    settle = f"The authors could name the test, and the number of examples, of {names}."
    details = tuple(
        f.why or f.reason for f in (evidence.printed, *evidence.directed) if f.why or f.reason
    )
    if key == "holds" and misfits and claim.of_levels:
        why = f"No test in use on these examples gives such a p-value on {names}."
        return Verdict(claim=claim, key="impossible", why=why, settle=settle, details=details)
    if key == "holds" and misfits and without != "holds":
        why = f"It rests on the printed p-value of {names}, which no test in use gives there."
        return Verdict(claim=claim, key="not-shown", why=why, settle=settle, details=details)
    return Verdict(
        claim=claim,
        key=key,
        why=_why(evidence, key),
        settle=_settle(evidence, key),
        details=details,
        by_either=key == "contradicted" and evidence.printed.verdict == "confirmed",
    )


def deciding_misfits(claim: Claim, rows: Sequence[Finding], level: float) -> list[Finding]:
    """Misfits among a claim's p-values, printed on one side of the level and possible on the other."""
    if claim.kind == "interval":
        return []
    return [
        f
        for f in rows
        if f.verdict == "impossible"
        and f.check == "possible-p-values"
        and (claim.counts or claim.kind == "named" or f.dataset in claim.datasets)
        and _changes_sides(f, level)
    ]


def _changes_sides(misfit: Finding, level: float) -> bool:
    """Whether the printed p-value and all that are possible lie on two sides of the level."""
    low, high = misfit.details["reach"]
    p_value = misfit.details["p_value"]
    return bool(low > level if p_value <= level else high <= level)


def _why(evidence: Evidence, key: VerdictKey) -> str:
    claim, printed, directed = evidence.claim, evidence.printed, evidence.by_direction
    if claim.kind == "interval" or printed.verdict == "cannot-be-decided":
        return _first_sentence(printed)
    if behind := _behind(evidence, key):
        return behind
    if claim.counts:
        return _why_of_count(evidence, key)
    lower = [f.dataset for f in evidence.directed if f.dataset]
    if key != "holds" and printed.verdict not in DENIED and lower:
        worse = evidence.subject.worse
        return f"On {list_names(lower)} the score of {_system(evidence)} is the {worse} one."
    if key == "holds" and claim.kind == "named":
        return f"{_by(claim)} names exactly {'these' if claim.datasets else 'none'}."
    if key in ("contradicted", "not-shown"):
        as_printed = printed.verdict in DENIED or directed is None
        found = printed if as_printed or directed is None else directed
        never = [
            name
            for kind in ("never", "too_many", "above", "not_above")
            for name in found.details.get(kind, ())
        ]
        level = format_level(evidence.level)
        if never and claim.kind == "not-significant":
            return f"p is at most {level} on {list_names(never)}."
        if never and claim.kind == "significant":
            behind = "" if as_printed else f" for {_system(evidence)}"
            return f"The p-values do not give p ≤ {level}{behind} on {list_names(never)}."
        if never:
            return f"{_by(claim)} does not name {list_names(never)}, however the p-values are read."
        if left := found.details.get("left_out", ()):
            return f"{_by(claim)} names {list_names(left)} as well."
        return _first_sentence(found)
    if directed is not None and directed.verdict in ("confirmed", "not-excluded"):
        return _first_sentence(directed)
    return _first_sentence(printed)


def _behind(evidence: Evidence, key: VerdictKey) -> str:
    """Where tests that were run here speak for a system and its score does not; else empty."""
    directed = evidence.by_direction
    behind = () if directed is None else directed.details.get("behind", ())
    if key == "holds" or not behind:
        return ""
    return (
        f"On {list_names(behind)} p is small for {_system(evidence)}, but its score is not better."
    )


def _why_of_count(evidence: Evidence, key: VerdictKey) -> str:
    """What the numbers give in place of the count, by every reading of them."""
    printed, directed = evidence.printed, evidence.by_direction
    n = len(evidence.subject.datasets)
    found, spans = printed, list[tuple[int, int]]()
    halved = ""
    if directed is not None and directed.details.get("counts"):
        found, counts = directed, dict(directed.details["counts"])
        k = evidence.claim.k
        if key == "holds" and counts.get(WHERE_AHEAD) == (k, k) != counts.get("two-sided", (k, k)):
            more = numbers_in_words(*counts.pop("two-sided"))
            halved = f", and {more} if each is halved for the system ahead"
        spans = list(counts.values())
    elif "fewest" in printed.details:
        spans = [(printed.details["fewest"], printed.details["most"])]
    if not spans:
        return _first_sentence(directed or printed)
    method = found.details.get("method")
    by = "" if method is None else f" by {'p ≤ α' if method == COUNT else method_name(method)}"
    given = _any_of(spans)
    if needs := found.details.get("needs"):
        more = numbers_in_words(*found.details["others"][needs])
        condition = combination_named(needs).condition
        return f"The numbers give {given} of {n}{by}, and {more} by {method_name(needs)} if {condition}."
    if directed is not None and found is printed and directed.verdict == "cannot-be-decided":
        return f"The numbers give {given} of {n}{by}, and do not say for which system."
    if key == "contradicted" and found is directed and printed.verdict not in DENIED:
        either = numbers_in_words(printed.details["fewest"], printed.details["most"])
        return (
            f"The numbers give {given} of {n}{by} for {_system(evidence)}, and {either} whichever "
            "system they speak for."
        )
    if printed.check == "scores-alone":
        return f"Scores and sizes alone give {given} of {n}{by}."
    over = " over all readings" if key == "depends" else ""
    return f"The numbers give {given} of {n}{by}{halved}{over}."


def _any_of(spans: Sequence[tuple[int, int]]) -> str:
    """Numbers of several ranges in words, such as "3 or 5 to 7"."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return " or ".join(numbers_in_words(*span) for span in joined)


def _settle(evidence: Evidence, key: VerdictKey) -> str:
    claim, printed, directed = evidence.claim, evidence.printed, evidence.by_direction
    if key == "holds":
        return ""
    if claim.kind == "interval":
        return "The authors could say how the interval was made, and give more digits."
    if key == "contradicted":
        most = printed.details.get("most")
        if claim.kind == "exactly" and most is not None and claim.k and most > claim.k:
            return f"“At least {claim.k}” would hold."
        if printed.verdict not in DENIED or (directed and directed.details.get("lower")):
            return "The authors could say which metric was tested, and in which direction."
        return "The authors could say which p-values, level and method the claim is made from."
    if printed.check == "scores-alone":
        return "The p-values themselves would settle it."
    both = [f for f in (printed, directed) if f is not None]
    if needs := next((f.details["needs"] for f in both if f.details.get("needs")), None):
        return (
            f"It would hold if {combination_named(needs).condition}: the authors could say whether "
            "the datasets share examples."
        )
    if _behind(evidence, key):
        return "A test of the mean would settle it."
    if key == "not-shown":
        if printed.verdict == "cannot-be-decided":
            return "The whole table that the claim is about would settle it."
        return "The results on examples, or an argument for independent datasets, could show more."
    if directed is None or directed.verdict == "confirmed":
        return "P-values with more digits would settle it."
    return "The authors could say whether p-values are one- or two-sided, and for which system."


def _by(claim: Claim) -> str:
    method = claim.method or ""
    title = method_name(method)
    return title if method in combination_names() else f"{title[:1].upper()}{title[1:]}"


def _system(evidence: Evidence) -> str:
    subject = evidence.subject
    return display_name(subject.system_b if evidence.claim.better == "b" else subject.system_a)


def _first_sentence(finding: Finding) -> str:
    """The reason up to its first full stop before a blank and a capital letter."""
    text = finding.why or finding.reason
    for end in range(len(text) - 2):
        after = text[end + 1 : end + 3]
        if (text[end] == "." and after[0] == " " and after[1].isupper()) or (
            text[end] == ";" and after[0] == " "
        ):
            text = f"{text[:end]}."
            break
    return text if text.startswith("p ") else f"{text[:1].upper()}{text[1:]}"
