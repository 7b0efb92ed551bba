"""Sentences that state a result, each one claim under one assumption.

A count and the names said in one sentence come from the same closed test; what
comes from another test is said to be a separate statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from core.replicability.assessment import Answer
from core.replicability.counting import chance_of_a_false_win
from core.replicability.identification import Identification
from core.report.formatting import (
    MOST_NAMES,
    display_name,
    format_confidence,
    format_level,
    format_percent,
    list_names,
    p_value_clause,
)
from core.report.questions import Claim, Question, reading_words
from core.types import Alternative, BoolArray, Combination

COMBINATION_NAMES: dict[Combination, str] = {
    "bonferroni": "Bonferroni",
    "fisher": "Fisher",
    "simes": "Simes",
}
PROCEDURE_NAMES: dict[str, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "fisher-closed": "closed Fisher test",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "benjamini-yekutieli": "Benjamini–Yekutieli",
}
ANY_DEPENDENCE = "however the datasets depend on each other (Bonferroni)"
ASSUMPTION_CLAUSES: dict[Combination, str] = {
    "fisher": "if the datasets are independent (Fisher)",
    "simes": "if the tests are independent or positively dependent (Simes)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose datasets are counted.

    Attributes
    ----------
    system_a, system_b : str
        Names as in the file; written short and harmless in sentences.
    datasets : tuple of str
        In the order of the p-values.
    higher_is_better : bool
        Whether a higher score is the better one.
    most_names : int
        Of a longer list of datasets only so many are named.
    n_untested : int
        Datasets whose tests have not been run: their p-value 1 stands for nothing.
    """

    system_a: str
    system_b: str
    datasets: tuple[str, ...]
    higher_is_better: bool = True
    most_names: int = MOST_NAMES
    n_untested: int = 0

    @property
    def in_full(self) -> Subject:
        """The same with every dataset named, for what is taken away."""
        return replace(self, most_names=max(MOST_NAMES, len(self.datasets)))

    def reading(self, reading: Alternative) -> str:
        """How p-values are read, in words."""
        return reading_words(reading, higher_is_better=self.higher_is_better)

    @property
    def worse(self) -> str:
        """Write "lower", or "higher" where lower is better."""
        return "lower" if self.higher_is_better else "higher"

    def claim(self, claim: Claim) -> str:
        """Write "Mate is better than Redshift", or "Mate and Redshift differ"."""
        a, b = display_name(self.system_a), display_name(self.system_b)
        if claim == "differ":
            return f"{a} and {b} differ"
        return f"{a} is better than {b}" if claim == "a-better" else f"{b} is better than {a}"

    def names(self, chosen: Sequence[bool] | np.ndarray) -> str:
        """The chosen datasets' names as a list in words."""
        names = [self.datasets[i] for i in np.flatnonzero(np.asarray(chosen))]
        return list_names(names, most=self.most_names)


def count_sentence(
    answer: Answer, subject: Subject, *, claim: Claim, reading: Alternative = "two-sided"
) -> str:
    """State how many, with confidence and assumption, as a paper could quote it.

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
    n, k_hat = answer.p_values.size, answer.k_hat
    statement = subject.claim(claim)
    if n == 1:
        return _single_dataset_sentence(answer, statement, claim)
    if k_hat == 0:
        if answer.named.any() or answer.named_by_holm.any():
            # The count is 0 but another test of the same level names some.
            return (
                f"{COMBINATION_NAMES[answer.combination]}'s count does not show that {statement} "
                f"on any of the {n} datasets."
            )
        return (
            f"The data do not show that {statement} on any of the {n} datasets. That is not "
            "evidence that they are equal."
        )
    how_many = f"all {n} datasets" if k_hat == n else f"at least {k_hat} of {n} datasets"
    if answer.complement:
        return (
            f"By 1 − p of the other system's tests, {statement} on {how_many}. That is "
            "approximate and carries no guarantee."
        )
    lead = f"With {format_confidence(answer.alpha)} confidence, {statement} on {how_many}"
    if claim == "differ":
        taken = " It takes the p-values to be two-sided." if reading == "not-stated" else ""
        lead = f"{lead}. These p-values do not say which is better."
        if answer.combination == "bonferroni":
            condition = ANY_DEPENDENCE
        else:
            condition = ASSUMPTION_CLAUSES[answer.combination]
        return f"{lead} The count holds {condition}.{taken}"
    if answer.combination == "bonferroni":
        return f"{lead}, however they depend on each other (Bonferroni)."
    return f"{lead}. This holds {ASSUMPTION_CLAUSES[answer.combination]}."


def _single_dataset_sentence(answer: Answer, statement: str, claim: Claim) -> str:
    p_value = p_value_clause(float(answer.p_values[0]), alpha=answer.alpha)
    if answer.k_hat == 1:
        ending = " These p-values do not say which is better." if claim == "differ" else ""
        there = statement if claim == "differ" else f"{statement} there"
        return (
            f"One dataset: {there} at level {format_level(answer.alpha)} ({p_value})."
            f"{ending} Counting needs several."
        )
    return (
        f"One dataset: the data do not show that {statement} ({p_value}). "
        "That is not evidence that they are equal. Counting needs several."
    )


def reading_sentence(question: Question, subject: Subject, *, smallest: int | None) -> str:
    """State the condition on the reading, where the table does not say how to read its p-values.

    Parameters
    ----------
    question : Question
        With the reading it takes.
    subject : Subject
        Whose scores are read.
    smallest : int or None
        The smallest count for this claim over all readings that the numbers
        allow; None where there is only one.
    """
    if smallest is None or question.claim == "differ":
        return ""
    condition = f"This reads the p-values {subject.reading(question.reading)}"
    if question.answer.k_hat == smallest:
        return f"{condition}; the table does not say so, but no other possible reading gives less."
    return (
        f"{condition}, which the table does not say. The smallest count over its possible readings "
        f"is {smallest}."
    )


def stand_in_sentence(answer: Answer, reading: Alternative, n_other_ahead: int) -> str:
    """State where 1 - p or 1 - p/2 stands in for a test that was not printed."""
    if answer.complement or n_other_ahead == 0:
        return ""
    formula = {"two-sided": "1 − p/2", "toward-higher-score": "1 − p"}.get(reading)
    if formula is None:
        return ""
    return (
        f"Where the other system is not behind ({n_other_ahead} of {answer.p_values.size}), "
        f"{formula} stands in for a test in this direction: approximate, and for a discrete test a "
        "little too small."
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
            f"{COMBINATION_NAMES[answer.combination]}'s count gives "
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
    return f"{how_many}, {ASSUMPTION_CLAUSES[answer.combination]}. {under_same} {without}"


def _holm_sentence(answer: Answer, subject: Subject) -> str:
    if not answer.named_by_holm.any():
        return "Holm names none."
    return (
        f"Holm names {subject.names(answer.named_by_holm)}. A list made this way holds a wrong "
        f"name in at most {100.0 * answer.alpha:.10g}% of studies, however the datasets depend on "
        "each other, provided each dataset's own test is valid."
    )


def _size(chosen: BoolArray) -> int:
    return int(np.count_nonzero(chosen))


def common_practice_sentence(
    answer: Answer, *, n_printed: int | None = None, n_untested: int = 0
) -> str:
    """State what counting p <= alpha would say, and what that is worth.

    Parameters
    ----------
    answer : Answer
        P-values as read for one claim.
    n_printed : int, optional
        How many are at most alpha as printed, where the reading turns some.
    n_untested : int
        Datasets without a p-value as yet: nothing is counted of them.
    """
    n = answer.p_values.size
    if n == 1:
        return ""
    if n_untested == n:
        return "No dataset is tested yet."
    if n_untested:
        left = "1 is not tested yet" if n_untested == 1 else f"{n_untested} are not tested yet"
        return (
            f"So far p ≤ {format_level(answer.alpha)} on {answer.n_common_practice} of "
            f"{n - n_untested} tested; {left}. That count has no guarantee."
        )
    chance = format_percent(chance_of_a_false_win(n, alpha=answer.alpha))
    verb = "has" if answer.n_common_practice == 1 else "have"
    counted = (
        f"{answer.n_common_practice} of {n} {verb} p ≤ {format_level(answer.alpha)}"
        if n_printed in (None, answer.n_common_practice)
        else f"As read here {answer.n_common_practice} of {n} {verb} "
        f"p ≤ {format_level(answer.alpha)} (as printed: {n_printed})"
    )
    return (
        f"{counted}. That count has no guarantee: with no difference anywhere, {n} independent "
        f'datasets show at least one such "win" in up to {chance} of studies.'
    )


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


def zeros_sentence(
    printed: Sequence[str],
    read_below: float | None,
    *,
    declared: bool = False,
    alpha: float | None = None,
) -> str:
    """State how p-values printed as zero are read; empty where there are none.

    Parameters
    ----------
    printed : sequence of str
        The zeros as printed.
    read_below : float or None
        The upper end of what they stand for.
    declared : bool
        Whether that end was stated by the table's owner.
    alpha : float, optional
        Where that end lies above it, the sentence says what to do.
    """
    if not printed:
        return ""
    texts = list_names(sorted(set(printed)))
    subject = (
        f"1 p-value was printed as {texts}. It is"
        if len(printed) == 1
        else f"{len(printed)} p-values were printed as {texts}. They are"
    )
    if not read_below:
        return f"{subject} read as exactly 0."
    below = format(Decimal(repr(read_below)), "f").removeprefix("0")
    reason = "as stated for this table" if declared else "half a unit of the table's last digit"
    above = ""
    if alpha is not None and read_below > alpha:
        above = (
            " That is above α, so they can show nothing until it is declared below what they lie "
            "(role zero_reads_below)."
        )
    return f"{subject} read as below {below}, {reason}.{above}"


def bounds_sentence(printed: Sequence[str]) -> str:
    """State how p-values printed as a bound are read; empty where there are none."""
    texts = [text for text in printed if "<" in text or "≤" in text]
    if not texts:
        return ""
    listed = list_names(sorted(set(texts)))
    if len(texts) == 1:
        return f"1 p-value was printed as {listed} and is taken at that bound."
    return f"{len(texts)} p-values were printed as {listed} and are taken at those bounds."


def complement_sentence(answer: Answer, subject: Subject, *, claim: Claim) -> str:
    """State it where a claim's p-values are only the complements of the other system's."""
    if not answer.complement:
        return ""
    system = display_name(subject.system_a if claim == "a-better" else subject.system_b)
    return (
        f"For {system} the p-values are 1 − p of the other system's tests. That is approximate: "
        f"for a discrete test it is too small. A guarantee needs {system}'s own tests."
    )


def identification_sentence(names: Identification, question: Question, subject: Subject) -> str:
    """State which datasets a procedure names."""
    label = PROCEDURE_NAMES[names.procedure]
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


def question_label(question: Question, subject: Subject) -> str:
    """A question in a few words, for a list of choices."""
    words = {
        "a-better": f"{display_name(subject.system_a)} better",
        "b-better": f"{display_name(subject.system_b)} better",
        "differ": "The systems differ",
    }[question.claim]
    return f"{words} (p-values read {subject.reading(question.reading)})"
