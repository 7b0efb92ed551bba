"""What more resamples may still change in the answers that are taken away."""

from __future__ import annotations

from core.analysis import Analysis
from core.analysis.settling import unsettled_statements


def open_answers(analysis: Analysis) -> tuple[str, ...]:
    """Sentences on what is not settled of the headline, of the other side and of the question asked.

    Empty where all is settled.
    """
    headline = analysis.questions[0]
    said = [*unsettled_statements(analysis, headline)]
    for question in (analysis.other_side(headline), analysis.question):
        if question is not None and question.key != headline.key:
            claim = analysis.subject.claim(question.claim)
            said += [
                f"On whether {claim}: {sentence}"
                for sentence in unsettled_statements(analysis, question)
            ]
    return tuple(dict.fromkeys(said))
