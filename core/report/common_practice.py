"""What the common practice counts and what that is worth: one source for every page and the report."""

from __future__ import annotations

import numpy as np

from ..replicability.assessment import Answer
from ..replicability.practice import CommonPractice
from .formatting import counted, format_level, format_percent
from .questions import Claim
from .subject import Subject


def practice_name(practice: CommonPractice, system: str, *, complement: bool = False) -> str:
    """Write "two-sided p ≤ .05 with Mate ahead", or "one-sided p ≤ .05 for Mate".

    Parameters
    ----------
    practice : CommonPractice
        What is counted.
    system : str
        Whose wins, as sentences write it.
    complement : bool
        Whether 1 - p of the other system's tests stands in for p.
    """
    return f"{_small(practice, complement=complement)}{_whose(practice, system)}"


def _small(practice: CommonPractice, *, complement: bool) -> str:
    sided = "" if practice.sidedness == "not-stated" else f"{practice.sidedness} "
    return f"{sided}{'1 − p' if complement else 'p'} ≤ {format_level(practice.alpha)}"


def _whose(practice: CommonPractice, system: str) -> str:
    if practice.either:
        return ""
    return f" with {system} ahead" if practice.ahead else f" for {system}"


def common_practice_sentence(
    answer: Answer,
    subject: Subject,
    *,
    claim: Claim,
    n_printed: int | None = None,
    of_b: Answer | None = None,
) -> str:
    """State what the common practice counts, and what that count is worth.

    Parameters
    ----------
    answer : Answer
        The count with a guarantee for the same claim.
    subject : Subject
        Systems and datasets; nothing is counted of datasets not tested yet.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    n_printed : int, optional
        How many printed p-values are at most alpha, whichever system is ahead.
    of_b : Answer, optional
        B's, where `answer` is A's and both directions are stated.
    """
    practice = answer.practice
    n, n_tested = practice.wins.size, practice.wins.size - subject.n_untested
    if n == 1:
        return ""
    if n_tested == 0:
        return "No dataset is tested yet."
    wins = practice_counts(answer, subject, claim, of_b)
    count, has = ("This count", "has") if of_b is None else ("These counts", "have")
    of = " of" if of_b is None else ", of"
    if subject.n_untested:
        left = (
            "1 is not tested yet"
            if subject.n_untested == 1
            else f"{subject.n_untested} are not tested yet"
        )
        return (
            f"Common practice so far: {wins}{of} {n_tested} tested; {left}. {count} {has} no "
            "guarantee."
        )
    both = of_b is not None
    same = n_printed is None or (n_printed == practice.n and not both)
    printed = "" if same else f" (as printed, without direction: {n_printed})"
    chance = format_percent(practice.chance_of_a_false_win(of_both=both))
    sentence = (
        f"Common practice: {wins}{of} {n}{printed}. {count} {has} no guarantee: if "
        f"{subject.nowhere}, up to {chance} of studies of {n} independent datasets would still "
        f"show such a “win”{' of either system' if both else ''}"
    )
    if practice.sidedness == "not-stated" and not practice.either:
        other = practice.chance_of_a_false_win(of_both=both, sidedness="two-sided")
        sentence += f" ({format_percent(other)} if the p-values are two-sided)"
    sentence += "."
    if practice.neither is not None and practice.neither.any():
        small = counted(int(np.count_nonzero(practice.neither)), "small p-value")
        sentence += (
            f" Not counted: {small} where the test favours a system whose score is not better."
        )
    answers = [answer] if of_b is None else [answer, of_b]
    if any(_holm_finds_more(each) for each in answers):
        sentence += " Holm can find more than that: it takes one-sided p-values."
    return sentence


def practice_counts(
    answer: Answer, subject: Subject, claim: Claim, of_b: Answer | None = None
) -> str:
    """Write "two-sided p ≤ .05 with Mate ahead on 2", of both systems where both are stated."""
    found = [(answer, claim)] if of_b is None else [(answer, claim), (of_b, "b-better")]
    each: list[str] = []
    before = ""
    for own, whose in found:
        small = _small(own.practice, complement=own.complement)
        said = f"{_whose(own.practice, subject.sides(whose)[0])} on {own.practice.n}"
        each.append(said.lstrip() if small == before else f"{small}{said}")
        before = small
    return " and ".join(each)


def _holm_finds_more(answer: Answer) -> bool:
    """Whether Holm identifies more wins, not counting those where test and score disagree."""
    practice, named = answer.practice, answer.named_by_holm
    agreed = named if practice.neither is None else named & ~practice.neither
    return practice.sidedness != "one-sided" and int(np.count_nonzero(agreed)) > practice.n
