"""Sentences that state a result, each one claim under one assumption.

A count and the names said in one sentence come from the same closed test; what
comes from another test is said to be a separate statement. How printed p-values
were read is said in `core.report.readings` and `core.report.printed`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.replicability.assessment import Answer
from core.replicability.combinations import combination_named
from core.replicability.identification import Identification
from core.replicability.procedures import procedure_named
from core.report.formatting import (
    display_name,
    format_confidence,
    format_errors,
    format_level,
    p_value_clause,
)
from core.report.questions import Claim, Question
from core.report.subject import Subject
from core.types import ALTERNATIVES, Alternative, BoolArray
from core.validation import check_choice


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
        return _single_dataset(answer, statement, claim)
    title = combination_named(answer.combination).title
    if k_hat == 0:
        if answer.named.any() or answer.named_by_holm.any():
            # The count is 0 but another test of the same level names some.
            return Statement(
                headline=f"{title}'s count does not show that {statement} on any of the {n} datasets."
            )
        return Statement(
            headline=f"The data do not show that {statement} on any of the {n} datasets.",
            condition="That is not evidence that they are equal.",
        )
    how_many = f"all {n} datasets" if k_hat == n else f"at least {k_hat} of {n} datasets"
    if answer.complement:
        return Statement(
            headline=f"By 1 − p of the other system's tests, {statement} on {how_many}.",
            condition="That is approximate and carries no guarantee.",
        )
    headline = f"With {format_confidence(answer.alpha)} confidence, {statement} on {how_many}."
    clause = combination_named(answer.combination).clause
    if claim == "differ":
        taken = " It takes the p-values to be two-sided." if reading == "not-stated" else ""
        return Statement(
            headline=headline,
            condition=f"These p-values do not say which is better. The count holds {clause}.{taken}",
        )
    return Statement(headline=headline, condition=f"This holds {clause}.")


def count_sentence(
    answer: Answer, subject: Subject, *, claim: Claim, reading: Alternative = "two-sided"
) -> str:
    """State how many, as `count_statement` does, in one text."""
    return count_statement(answer, subject, claim=claim, reading=reading).text


def _single_dataset(answer: Answer, statement: str, claim: Claim) -> Statement:
    p_value = p_value_clause(float(answer.p_values[0]), alpha=answer.alpha)
    if answer.k_hat == 1:
        ending = "These p-values do not say which is better. " if claim == "differ" else ""
        there = statement if claim == "differ" else f"{statement} there"
        return Statement(
            headline=f"One dataset: {there} at level {format_level(answer.alpha)} ({p_value}).",
            condition=f"{ending}Counting needs several.",
        )
    return Statement(
        headline=f"One dataset: the data do not show that {statement} ({p_value}).",
        condition="That is not evidence that they are equal. Counting needs several.",
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
        f"Holm, a separate {format_confidence(answer.alpha)} statement that needs no independence, "
        f"names {holm_names}."
    )
    if n_holm > k_hat:
        count = (
            f"{combination_named(answer.combination).title}'s count gives "
            f"{f'at least {k_hat} of {n}' if k_hat else 'none'}"
        )
        return f"{count}; {separate.removesuffix(f'{holm_names}.')}{n_holm}: {holm_names}."
    if k_hat == 0:
        return ""
    how_many = f"All {n}" if k_hat == n else f"At least {k_hat} of {n}"
    remaining = k_hat - n_named
    if n_named == 0:
        under_same = "Under the same assumption no single dataset can be named."
    elif n_named == n:
        under_same = "Under the same assumption every one of them is named."
    else:
        rest = f"; the other {remaining} are not identified" if remaining > 1 else ""
        rest = "; the other one is not identified" if remaining == 1 else rest
        under_same = f"Under the same assumption {subject.names(answer.named)} can be named{rest}."
    without = "Without that assumption none can be named (Holm)."
    if n_holm and np.all(answer.named[answer.named_by_holm]):
        without = f"Without that assumption: {holm_names} (Holm)."
    elif n_holm:
        without = separate
    return f"{how_many}, {combination_named(answer.combination).clause}. {under_same} {without}"


def _holm_sentence(answer: Answer, subject: Subject) -> str:
    if not answer.named_by_holm.any():
        return "Holm names none."
    return (
        f"Holm names {subject.names(answer.named_by_holm)}. A list made this way holds a wrong "
        f"name in at most {format_errors(answer.alpha)} of studies, however the datasets depend on "
        "each other, provided each dataset's own test is valid."
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
        f"Bonferroni, a separate {format_confidence(answer.alpha)} statement that needs no "
        f"assumption on dependence, gives at least {without} of {answer.p_values.size}."
    )


def validity_sentence() -> str:
    """State what every count rests on besides its assumption on dependence."""
    return (
        "Every count and list rests on each dataset's own test being valid. Exact tests are; the "
        "bootstrap, mid-p, uncorrected χ² and t are approximate; Wilcoxon and randomization test "
        "symmetry or exchangeability. The claim concerns these trained systems on these kinds of "
        "data."
    )


def identification_sentence(names: Identification, question: Question, subject: Subject) -> str:
    """State which datasets a procedure names."""
    label = procedure_named(names.procedure).title
    label = label[:1].upper() + label[1:]
    n = names.p_values.size
    what = subject.claim(question.claim)
    if n == 1:
        verb = "names" if names.n_rejected else "does not name"
        return f"{label} {verb} the only dataset as one where {what}."
    if names.n_rejected == 0:
        return f"{label} names none of the {n} datasets as one where {what}."
    if names.n_rejected == n:
        return f"{label} names all {n} datasets as ones where {what}."
    kind = "a dataset" if names.n_rejected == 1 else "datasets"
    return (
        f"{label} names {names.n_rejected} of {n} as {kind} where {what}: "
        f"{subject.names(names.rejected)}."
    )


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
