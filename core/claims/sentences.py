"""Every sentence that states what a check of claims found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..replicability.combinations import combination_named
from ..words.formatting import display_name, format_level, format_percent, list_names
from ..words.subject import Subject
from .claim import Claim, Method, method_name

_LEADING_ZERO = re.compile(r"(?P<before>^|[^0-9])0(?=[.,][0-9])")
WITHIN = "within the rounding of the printed p-values"

# What lets a p-value speak for the system whose score is the lower one.
OTHER_UNITS = "another metric or other units, such as sentences where words are scored"


def shown_number(printed: str) -> str:
    """A printed number without the zero before its decimal mark."""
    text = printed.strip()
    is_zero = not text.strip("-0.")
    return text if is_zero else _LEADING_ZERO.sub(r"\g<before>", text)


def printed_p(printed: str) -> str:
    """Write "printed p = .2123" or "printed p < .001"."""
    text = shown_number(printed)
    if text.lower().startswith("p"):
        return f"printed {text}"
    if text[:1] in ("<", "≤", "⩽"):
        return f"printed p {text[:1]} {text[1:].strip()}"
    return f"printed p = {text.removeprefix('=').strip()}"


def whole_number(n: int) -> str:
    """Write 2000 as "2,000"."""
    return f"{n:,}"


def numbers_in_words(fewest: int, most: int) -> str:
    """Write "9", "8 or 9" or "7 to 9"."""
    if fewest == most:
        return str(most)
    return f"{fewest} or {most}" if most == fewest + 1 else f"{fewest} to {most}"


def claim_words(claim: Claim, subject: Subject, alpha: float, assumed: Method | None = None) -> str:
    """A claim in words, with the names of the systems."""
    return claim.words(
        alpha=alpha, system_a=subject.system_a, system_b=subject.system_b, assumed=assumed
    )


def that(words: str, claim: Claim) -> str:
    """A claim in words as the subject of a sentence: a clause with "that"; else as it is."""
    return words if claim.text or claim.interval else f"that {words}"


def claim_sentence(
    words: str, verdict: str, why: str, *, by: str = "by these p-values", more: str = ""
) -> str:
    """A claim, its verdict, with `more` behind it, and why."""
    stated = {
        "confirmed": "holds",
        "not-excluded": "can hold",
        "at-least-that-much": "says less than holds",
        "not-supported": f"is not given {by}",
        "contradicted": "is contradicted",
        "cannot-be-decided": "cannot be decided",
    }[verdict]
    return f"{capital(words)} {stated}{more}: {why}"


def capital(text: str) -> str:
    """Words of a claim as a sentence begins; names keep their first letter."""
    return f"T{text[1:]}" if text.startswith("that ") else text


def count_reason(
    *,
    fewest: int,
    most: int,
    n: int,
    k: int,
    found: bool,
    others: Sequence[int],
    verdict: str,
    rounded: bool = True,
) -> str:
    """State what the p-values make of a count; `rounded` if they are known within rounding only."""
    given = numbers_in_words(fewest, most)
    if others:
        listed = [str(number) for number in others]
        given = " or ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
    values = f"every value {WITHIN} gives {given} of {n}"
    if not rounded:
        values = f"the p-values give {given} of {n}"
    elif fewest != most:
        values = f"values {WITHIN} give {given} of {n}"
    if verdict == "contradicted" and fewest < k < most:
        return f"{values}, but none gives {k}."
    if verdict == "not-excluded":
        return f"{values}, " + (
            f"and some give {k}." if found else f"and none was found that gives {k}."
        )
    return f"{values}."


def least_reason(*, fewest: int, most: int, n: int, method: Method, rounded: bool = True) -> str:
    """State what the p-values make of "at least"."""
    given = numbers_in_words(fewest, most)
    values = f"for values {WITHIN} " if rounded else ""
    return f"{values}the count by {method_name(method)} is {given} of {n}."


def beside_reason(others: Mapping[Method, tuple[int, int]], n: int) -> str:
    """State what methods that assume more count, beside the one that was taken."""
    said = [
        f"{method_name(method)} counts {numbers_in_words(*span)} of {n}, if {combination_named(method).condition}"
        for method, span in others.items()
    ]
    return f"{'; '.join(said)}." if said else ""


def list_reason(
    *,
    always: np.ndarray,
    ever: np.ndarray,
    members: np.ndarray,
    subject: Subject,
    method: Method,
    rounded: bool = True,
) -> str:
    """State whom a procedure names, and how a claimed list differs."""
    name = method_name(method)
    name = name[:1].upper() + name[1:]
    if not rounded:
        given = f"{name} names {_names(always, subject)}"
    elif np.array_equal(always, ever):
        given = f"{name} names {_names(always, subject)} for every value {WITHIN}"
    else:
        given = (
            f"{name} names {_names(always, subject)} for every value {WITHIN}, and "
            f"{_names(ever & ~always, subject)} for some of them"
        )
    parts = [given]
    if (members & ~ever).any():
        parts.append(f"it never names {_names(members & ~ever, subject)}")
    if (always & ~members).any():
        parts.append(f"the claim leaves out {_names(always & ~members, subject)}")
    return f"{'; '.join(parts)}."


def _names(chosen: np.ndarray, subject: Subject) -> str:
    return subject.names(chosen) if chosen.any() else "none"


def levels_reason(
    *,
    sure: np.ndarray,
    never: np.ndarray,
    members: np.ndarray,
    subject: Subject,
    alpha: float,
    small: bool = True,
) -> str:
    """State on which claimed datasets p is at most a level, or above it where `small` is False."""
    level = format_level(alpha)
    claimed, other = ("at most", "above") if small else ("above", "at most")
    if (members & never).any():
        return f"p is {other} {level} on {subject.names(members & never)}."
    if (members & ~sure).any():
        return (
            f"the printed digits leave open whether p is {claimed} {level} on "
            f"{subject.names(members & ~sure)}."
        )
    return f"p is {claimed} {level} on {'it' if members.sum() == 1 else 'all of them'}."


def undirected_remark(why: str, *, made: str) -> str:
    """State what p-values give as they stand, beside a verdict by direction."""
    if made == "computed":
        return f"By the one-sided p-values alone: {why}"
    return f"As {made}, whichever system each p-value speaks for: {why}"


def other_n_sentence(claimed: int, n: int) -> str:
    """State that a claim is about another number of datasets than the table has."""
    return f"it speaks of {claimed} datasets, and the table has {n}."


def common_practice_reason(
    *, n_small: int, n: int, alpha: float, chance: float, k_hat: int, chance_beyond: float
) -> str:
    """State what counting p ≤ alpha would have claimed, and how often it claims too much."""
    level = format_level(alpha)
    verb = "has" if n_small == 1 else "have"
    shows = "1 dataset shows one" if n == 1 else f"{n} independent datasets show at least one"
    sentence = (
        f"{n_small} of {n} datasets {verb} a p ≤ {level}, which a plain count takes "
        f"as so many wins. That count has no guarantee: with no difference anywhere, {shows} such "
        f'"win" in up to {format_percent(chance)} of studies'
    )
    if not 0 < k_hat < n:
        return f"{sentence}."
    only = "the one" if k_hat == 1 else f"the {k_hat}"
    return (
        f"{sentence}; with a difference on only {only} that Bonferroni counts, the count says "
        f"too much in up to {format_percent(chance_beyond)}."
    )


def assumption_reason(
    method: Method, *, needs: str, fewest: int, most: int, n: int, alpha: float
) -> str:
    """State what a method takes for granted and what holds without it."""
    name = method_name(method)
    return (
        f"{name[:1].upper() + name[1:]} holds {needs}, which is not known here. Bonferroni, which "
        f"needs no such assumption, counts {numbers_in_words(fewest, most)} of {n} by these "
        f"p-values at level {format_level(alpha)}."
    )


def beside_lower_sentence(
    system: str, names: Sequence[str], *, n: int, alpha: float, worse: str
) -> str:
    """State where a small p-value goes with a lower score of the system it is claimed for."""
    return (
        f"On {len(names)} of {n} datasets a p ≤ {format_level(alpha)} stands beside a {worse} score "
        f"of {display_name(system)}: {list_names(names, most=len(names))}. If the test compares these "
        f"scores, p does not support {display_name(system)} there. A test of {OTHER_UNITS}, could."
    )


def beside_lower_clause(system: str, names: Sequence[str], *, worse: str) -> str:
    """State that a claim's small p-values go with a lower score of its own system."""
    return (
        f"On {list_names(names)} a small p-value stands beside a {worse} score of "
        f"{display_name(system)}, for which it is declared to speak."
    )


def not_better_clause(system: str, names: Sequence[str]) -> str:
    """State that tests speak for a system where its score is not the better one."""
    return f"On {list_names(names)} p is small for {display_name(system)}, but its score is not better."


def lower_score_sentence(
    dataset: str, *, system: str, own: str, others: str, other: str, worse: str, p: str
) -> str:
    """State that a system is claimed to be better where its score is the worse one.

    `p` is the p-value in words.
    """
    return (
        f"{display_name(dataset)}: claimed for {display_name(system)}, whose score is {worse} "
        f"({shown_number(own)} against {shown_number(others)} of {display_name(other)}). "
        f"If the test compares these scores, {p} does not support {display_name(system)} there. "
        f"A test of {OTHER_UNITS}, could."
    )


def below_half_sentence(n: int, largest: str) -> str:
    """State that p-values which all lie below one half are likely one-sided toward the leader."""
    return (
        f"All {n} p-values lie below .5 (the largest printed is {shown_number(largest)}), which "
        "suggests that each is one-sided toward the higher score."
    )
