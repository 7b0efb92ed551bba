"""How printed p-values are read: toward whom they point, zeros and bounds, and what that is worth."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from ..replicability.assessment import ONE_SIDED, Answer, Assessment, Reading
from ..types import ALTERNATIVES, Alternative
from ..validation import check_choice
from .common_practice import practice_name
from .formatting import display_name, format_p_value, list_names
from .questions import Claim, Question
from .subject import Subject


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
    condition = f"The p-values are read {subject.reading(question.reading)}"
    if question.answer.k_hat == smallest:
        return (
            f"{condition}, which the table does not state; every other reading gives at least this."
        )
    return (
        f"{condition}, which the table does not state; the most cautious reading gives {smallest}."
    )


def stand_in_sentence(
    answer: Answer, subject: Subject, *, claim: Claim, reading: Alternative, n_other_ahead: int
) -> str:
    """State where 1 - p or 1 - p/2 stands in for a test that was not printed."""
    check_choice(reading, ALTERNATIVES, name="reading")
    if claim == "differ" or answer.complement or n_other_ahead == 0:
        return ""
    formula = {"two-sided": "1 − p/2", "toward-higher-score": "1 − p"}.get(reading)
    if formula is None:
        return ""
    system, other = subject.sides(claim)
    return (
        f"Where {other} is not behind ({n_other_ahead} of {answer.p_values.size}), we use {formula} for "
        f"{system}. This is approximate; for a discrete test it is slightly too small."
    )


def complement_sentence(answer: Answer, subject: Subject, *, claim: Claim) -> str:
    """State it where a claim's p-values are only the complements of the other system's."""
    if not answer.complement:
        return ""
    system, _ = subject.sides(claim)
    return (
        f"The p-values for {system} are 1 − p of the other system's tests. This is approximate: for a "
        f"discrete test they are too small. A guarantee needs tests made for {system}."
    )


def reading_note(assessment: Assessment, subject: Subject) -> str:
    """How the printed p-values were read, and what the other readings would give."""
    parts = [_declared_sentence(assessment, subject)]
    if assessment.declared == "not-stated" or assessment.declared_is_ruled_out:
        parts.append(_readings_sentence(assessment, subject))
    if assessment.declared not in ONE_SIDED and (
        assessment.shows_both_sides or assessment.only_two_sided
    ):
        parts.append(_undirected_sentence(assessment))
    if assessment.answer_a is not None:
        parts.append(complement_sentence(assessment.answer_a, subject, claim="a-better"))
    if assessment.answer_b is not None and assessment.shows_both_sides:
        parts.append(complement_sentence(assessment.answer_b, subject, claim="b-better"))
    return " ".join(part for part in parts if part)


def _undirected_sentence(assessment: Assessment) -> str:
    answer = assessment.undirected
    n_named = int(np.count_nonzero(answer.named_by_holm))
    taken = ", if they are two-sided" if assessment.declared == "not-stated" else ""
    doubled = assessment.declared == "toward-higher-score"
    lead = "Without direction, each p-value doubled" if doubled else "As printed, without direction"
    return (
        f"{lead}: the systems differ on at least {answer.k_hat} of {assessment.n_datasets}{taken}; "
        f"{n_named} {'is' if n_named == 1 else 'are'} significant after Holm correction. The usual "
        f"count, {practice_name(answer.practice, '')}, is {answer.practice.n}, without guarantee."
    )


def _readings_sentence(assessment: Assessment, subject: Subject) -> str:
    """Which reading the figures take, and the counts by the others."""
    used = [assessment.headline_a]
    if assessment.shows_both_sides and assessment.headline_b is not assessment.headline_a:
        used.append(assessment.headline_b)
    headlines = [reading for reading in used if reading is not None]
    others = [
        reading
        for reading in assessment.readings
        if not any(_same_p_values(reading, headline, assessment) for headline in headlines)
    ]
    words = " and ".join(subject.reading(reading.alternative) for reading in headlines)
    if not others:
        return f"We read them {words}."
    counts = "; ".join(
        f"read {subject.reading(reading.alternative)}: {_reading_counts(reading, assessment)}"
        for reading in others
    )
    return f"We read them {words}, the most cautious reading; {counts}."


def _declared_sentence(assessment: Assessment, subject: Subject) -> str:
    if assessment.declared_is_ruled_out:
        declared = {
            "greater": f"one-sided for {display_name(subject.system_a)}",
            "less": f"one-sided for {display_name(subject.system_b)}",
            "toward-higher-score": f"one-sided {subject.reading('toward-higher-score')}",
        }[assessment.declared]
        entry = next(e for e in assessment.ruled_out if e.alternative == assessment.declared)
        system = subject.system_b if assessment.declared == "less" else subject.system_a
        reasons = []
        if entry.small.size:
            i = int(entry.small[np.argmin(assessment.p_values[entry.small])])
            reasons.append(
                f"{_p_on(assessment, subject, i)} goes with a {subject.worse} score of "
                f"{display_name(system)}"
            )
        if entry.large.size:
            i = int(entry.large[np.argmax(assessment.p_values[entry.large])])
            reasons.append(f"{_p_on(assessment, subject, i)} is too large for it")
        remedy = (
            " If test and score use different units, leave the score columns out under “How we "
            "read your file”."
            if assessment.declared in ONE_SIDED
            else ""
        )
        return (
            f"The p-values cannot all be {declared}, as stated: {' and '.join(reasons)}. So the "
            f"other readings count as well.{remedy}"
        )
    if assessment.declared != "not-stated":
        return ""
    if assessment.only_two_sided:
        toward = [e for e in assessment.ruled_out if e.alternative == "toward-higher-score"]
        if toward:
            i = int(toward[0].large[np.argmax(assessment.p_values[toward[0].large])])
            return (
                "The table does not say which way its p-values point; "
                f"{_p_on(assessment, subject, i)} shows that they are two-sided."
            )
    return "The table does not say which way its p-values point."


def _p_on(assessment: Assessment, subject: Subject, i: int) -> str:
    value = format_p_value(float(assessment.p_values[i]))
    return f"{value} on {display_name(subject.datasets[i])}"


def _reading_counts(reading: Reading, assessment: Assessment) -> str:
    if assessment.shows_both_sides:
        return f"at least {reading.a_better.k_hat} and {reading.b_better.k_hat}"
    return f"at least {reading.a_better.k_hat}"


def _same_p_values(reading: Reading, other: Reading, assessment: Assessment) -> bool:
    """Whether two readings have the same p-values on every side that is shown."""
    same = np.array_equal(reading.a_better.p_values, other.a_better.p_values)
    if assessment.shows_both_sides:
        same = same and np.array_equal(reading.b_better.p_values, other.b_better.p_values)
    return bool(same)


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
