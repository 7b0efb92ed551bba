"""The questions that one table of p-values can answer, the headline first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ..replicability.assessment import ONE_SIDED, Answer, Assessment
from ..types import Alternative

Claim = Literal["a-better", "b-better", "differ"]
CLAIMS: tuple[Claim, ...] = get_args(Claim)

READING_WORDS: dict[Alternative, str] = {
    "greater": "as one-sided for {a}",
    "less": "as one-sided for {b}",
    "toward-higher-score": "toward the higher score",
    "two-sided": "as two-sided",
    "not-stated": "as printed",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """One question with its answer.

    Attributes
    ----------
    key : str
        Stable name of the question, for settings and links.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    reading : str
        How the printed p-values are read; "not-stated" for as printed.
    headline : bool
        Whether this is the answer stated first for its claim.
    answer : Answer
        Counts and names.
    """

    key: str
    claim: Claim
    reading: Alternative
    headline: bool
    answer: Answer


def questions(assessment: Assessment) -> tuple[Question, ...]:
    """List what can be asked: both headlines, the other readings, and whether the systems differ.

    A's headline comes first, or B's where only B is shown to be better, so that
    charts and tables begin with the claim that the verdict makes.
    """
    found: list[Question] = []
    headline_a, headline_b = assessment.headline_a, assessment.headline_b
    for reading in assessment.readings:
        found.append(
            Question(
                key=f"a-better/{reading.alternative}",
                claim="a-better",
                reading=reading.alternative,
                headline=reading is headline_a,
                answer=reading.a_better,
            )
        )
        if assessment.shows_both_sides:
            found.append(
                Question(
                    key=f"b-better/{reading.alternative}",
                    claim="b-better",
                    reading=reading.alternative,
                    headline=reading is headline_b,
                    answer=reading.b_better,
                )
            )
    answer_a, answer_b = assessment.answer_a, assessment.answer_b
    only_b = (
        assessment.shows_both_sides
        and answer_a is not None
        and answer_b is not None
        and not answer_a.k_hat
        and answer_b.k_hat > 0
    )
    order: tuple[Claim, ...] = ("b-better", "a-better") if only_b else ("a-better", "b-better")
    found.sort(key=lambda question: (not question.headline, order.index(question.claim)))
    # As printed, p-values declared one-sided say nothing of a difference.
    if assessment.declared not in ONE_SIDED or not assessment.readings:
        found.append(
            Question(
                key="differ",
                claim="differ",
                reading=assessment.declared,
                headline=not assessment.readings,
                answer=assessment.undirected,
            )
        )
    return tuple(found)
