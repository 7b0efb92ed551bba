"""What more resamples may still change in the answers that are taken away."""

from __future__ import annotations

from ..analysis import Analysis
from ..analysis.settling import unsettled_statements


def open_answers(analysis: Analysis) -> tuple[str, ...]:
    """Sentences on what is not settled of the headline, of the other side and of the question asked.

    Empty where all is settled.
    """
    headline = analysis.questions[0]
    other = analysis.other_side(headline)
    said: list[str] = []
    asked = {each.key: each for each in (headline, other, analysis.question) if each is not None}
    for question in asked.values():
        whether = f"On whether {analysis.subject.claim(question.claim)}: " if other else ""
        said += [f"{whether}{each}" for each in unsettled_statements(analysis, question)]
    return tuple(dict.fromkeys(said))
