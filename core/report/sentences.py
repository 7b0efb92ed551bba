"""Sentences that state a result, each one claim under one assumption.

A count and the datasets in one sentence come from the same closed test; another
test's result is called a separate statement. How printed p-values were read stands
in `core.report.readings`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..replicability.assessment import Answer
from ..replicability.combinations import combination_named
from ..replicability.identification import Identification
from ..replicability.procedures import procedure_named
from ..types import ALTERNATIVES, Alternative, BoolArray
from ..validation import check_choice
from .formatting import (
    display_name,
    format_confidence,
    format_errors,
    format_level,
    p_value_clause,
)
from .questions import Claim, Question
from .subject import Subject

_NO_DIRECTION = "These p-values do not say which system is better."


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An answer in the order in which it is read.

    Attributes
    ----------
    headline : str
        What is shown, with its confidence, in one sentence.
    condition : str
        Under which assumption, or what it does not say.
    footnote : str
        What holds of both directions read together.
    """

    headline: str
    condition: str = ""
    footnote: str = ""

    @property
    def text(self) -> str:
        """All of it, as a paper could quote it."""
        return " ".join(filter(None, (self.headline, self.condition, self.footnote)))


def count_statement(
    answer: Answer, subject: Subject, *, claim: Claim, reading: Alternative = "two-sided"
) -> Statement:
    """State how many, with confidence and assumption.

    Parameters
    ----------
    answer : Answer
        The count.
    subject : Subject
        Systems and datasets.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    reading : str
        How the p-values are read; matters for "differ" where it is not stated.
    """
    check_choice(reading, ALTERNATIVES, name="reading")
    n, k_hat = answer.p_values.size, answer.k_hat
    statement = subject.claim(claim)
    if n == 1:
        return _single_dataset(answer, statement, claim, subject.not_shown)
    title = combination_named(answer.combination).title
    if k_hat == 0:
        if answer.named.any() or answer.named_by_holm.any():
            # The count is 0 but another test of the same level identifies some.
            by = f"The count by {title} gives no evidence"
            return Statement(headline=f"{by} that {statement} on any of the {n} datasets.")
        level = f"α = {format_level(answer.alpha)}"
        return Statement(
            headline=f"No evidence at {level} that {statement} on any of the {n} datasets.",
            condition=subject.not_shown,
        )
    how_many = f"all {n} datasets" if k_hat == n else f"at least {k_hat} of {n} datasets"
    if answer.complement:
        return Statement(
            headline=f"By 1 − p of the other system's tests, {statement} on {how_many}.",
            condition="This is approximate and has no guarantee.",
        )
    headline = f"With {format_confidence(answer.alpha)} confidence, {statement} on {how_many}."
    clause = combination_named(answer.combination).clause
    if claim == "differ":
        taken = " It takes them as two-sided." if reading == "not-stated" else ""
        return Statement(
            headline=headline,
            condition=f"{_NO_DIRECTION} The count holds {clause}.{taken}",
        )
    return Statement(headline=headline, condition=f"This holds {clause}.")


def count_sentence(
    answer: Answer, subject: Subject, *, claim: Claim, reading: Alternative = "two-sided"
) -> str:
    """State how many, as `count_statement` does, in one text."""
    return count_statement(answer, subject, claim=claim, reading=reading).text


def _single_dataset(answer: Answer, statement: str, claim: Claim, not_shown: str) -> Statement:
    p_value = p_value_clause(float(answer.p_values[0]), alpha=answer.alpha)
    level = f"α = {format_level(answer.alpha)}"
    if answer.k_hat == 1:
        ending = f"{_NO_DIRECTION} " if claim == "differ" else ""
        return Statement(
            headline=f"On this one dataset {statement}, significant at {level} ({p_value}).",
            condition=f"{ending}Counting needs several datasets.",
        )
    return Statement(
        headline=f"No evidence at {level} that {statement} on this one dataset ({p_value}).",
        condition=f"{not_shown} Counting needs several datasets.",
    )


def names_sentence(answer: Answer, subject: Subject) -> str:
    """State which datasets, and how that list and the count belong together."""
    n, k_hat = answer.p_values.size, answer.k_hat
    n_named, n_holm = _size(answer.named), _size(answer.named_by_holm)
    if n == 1:
        return ""
    if answer.combination == "bonferroni":
        return _holm_sentence(answer, subject)
    holm_names = subject.names(answer.named_by_holm)
    separate = (
        f"this is a separate {format_confidence(answer.alpha)} statement and needs no independence."
    )
    title = combination_named(answer.combination).title
    if n_holm > k_hat:
        count = f"gives at least {k_hat} of {n}" if k_hat else "gives no evidence on any dataset"
        return f"The count by {title} {count}. Holm identifies {n_holm} ({holm_names}); {separate}"
    if k_hat == 0:
        return ""
    remaining = k_hat - n_named
    if n_named == 0:
        under_same = f"The closed {title} test identifies no single dataset."
    elif n_named == n:
        under_same = "All of them are identified under the same assumption."
    else:
        are = "is" if n_named == 1 else "are"
        rest = f"; the other {remaining} {'is' if remaining == 1 else 'are'} not"
        under_same = (
            f"{subject.names(answer.named)} {are} identified under the same assumption"
            f"{rest if remaining > 0 else ''}."
        )
    without = "Holm, which needs no independence, identifies none."
    if n_holm and np.all(answer.named[answer.named_by_holm]):
        without = f"Without that assumption, Holm identifies {holm_names}."
    elif n_holm:
        without = f"Holm identifies {holm_names}; {separate}"
    return f"{under_same} {without}"


def _holm_sentence(answer: Answer, subject: Subject) -> str:
    if not answer.named_by_holm.any():
        return "No dataset is significant after Holm correction."
    return (
        f"Significant after Holm correction: {subject.names(answer.named_by_holm)}. The chance of "
        f"any false positive is at most {format_errors(answer.alpha)}, however the datasets depend "
        "on each other, if each dataset's own test is valid."
    )


def _size(chosen: BoolArray) -> int:
    return int(np.count_nonzero(chosen))


def weaker_assumption_sentence(answer: Answer) -> str:
    """State it where Bonferroni gives as much as a count that assumes more."""
    without = answer.countings["bonferroni"].k_hat
    if answer.combination == "bonferroni" or without == 0 or without < answer.k_hat:
        return ""
    if answer.p_values.size == 1:
        return ""
    return (
        f"Bonferroni gives at least {without} of {answer.p_values.size}; this is a separate "
        f"{format_confidence(answer.alpha)} statement and needs no assumption on dependence."
    )


def validity_sentence() -> str:
    """State what every count rests on besides its assumption on dependence."""
    return (
        "All counts assume that each dataset's own test is valid. Exact tests are. The bootstrap, "
        "mid-p, uncorrected χ² and t are approximate. Wilcoxon and randomization test symmetry or "
        "exchangeability. The result applies to these trained systems on these kinds of data."
    )


def identification_sentence(names: Identification, question: Question, subject: Subject) -> str:
    """State which datasets are significant by a procedure."""
    by = procedure_named(names.procedure).correction
    level = f"α = {format_level(names.alpha)}"
    n = names.p_values.size
    if n == 1:
        if names.n_rejected:
            return f"{subject.significant(question.claim)} on the only dataset ({level})."
        return f"No evidence at {level} that {subject.claim(question.claim)} on the only dataset."
    if names.n_rejected == 0:
        what = subject.claim(question.claim)
        return f"No evidence {by} ({level}) that {what} on any of the {n} datasets."
    lead = f"{by[:1].upper()}{by[1:]} ({level}), {subject.significant(question.claim)}"
    if names.n_rejected == n:
        return f"{lead} on all {n} datasets."
    return f"{lead} on {names.n_rejected} of {n} datasets: {subject.names(names.rejected)}."


def question_label(question: Question, subject: Subject, *, printed: bool) -> str:
    """A question in a few words, for a list of choices.

    Parameters
    ----------
    printed : bool
        Whether the p-values come from a published table: only these are read one way or another.
    """
    words = {
        "a-better": f"{display_name(subject.system_a)} {subject.better}",
        "b-better": f"{display_name(subject.system_b)} {subject.better}",
        "differ": "The systems differ",
    }[question.claim]
    return f"{words} (p-values read {subject.reading(question.reading)})" if printed else words
