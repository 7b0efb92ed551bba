"""Which answers of an analysis hang on Monte Carlo error, and how far to extend the tests."""

from __future__ import annotations

import numpy as np

from ..replicability.sensitivity import Unsettled, find_unsettled
from ..significance.settle import p_value_ends
from ..words.counting import joint_unsettled_sentence
from ..words.subject import Question
from ..words.testing import unsettled_sentences
from .analysis import Analysis
from .memory import key_of


def unsettled_of(analysis: Analysis, question: Question) -> Unsettled | None:
    """Which decisions on a claim more resamples may change.

    None where no test resamples, or joint flips count: these have an error of their own.
    """
    table = analysis.table if question.claim == "a-better" else analysis.table.swapped()
    resampled = any(r is not None and r.n_resamples is not None for r in table.results or ())
    if not resampled or question.claim == "differ" or analysis.joint(question) is not None:
        return None
    low, high = p_value_ends(table)
    settings = analysis.settings
    key = key_of(
        "unsettled", low, high, settings.alpha, question.answer.combination, analysis.procedure
    )
    return analysis.remember(
        key,
        lambda: find_unsettled(
            low,
            high,
            alpha=settings.alpha,
            combination=question.answer.combination,
            procedure=analysis.procedure,
        ),
    )


def unsettled_statements(analysis: Analysis, question: Question) -> tuple[str, ...]:
    """What is not settled, in sentences; empty where all is."""
    joint, found = analysis.joint(question), unsettled_of(analysis, question)
    if joint is not None and not joint.settled:
        return (joint_unsettled_sentence(len(joint.flips.flipped) - 1),)
    if found is None:
        return ()
    names = analysis.identification(question, analysis.procedure)
    return unsettled_sentences(found, names, analysis.table.results or (), analysis.table.datasets)


def unsettled_of_both(analysis: Analysis, question: Question) -> tuple[str, ...]:
    """What is not settled on a claim and on the one about the other system."""
    other = analysis.other_side(question)
    if other is None:
        return unsettled_statements(analysis, question)
    told: list[str] = []
    for each in (question, other):
        sentences = unsettled_statements(analysis, each)
        if sentences:
            told += [f"That {analysis.subject.claim(each.claim)}:", *sentences]
    return tuple(told)


def extensions(analysis: Analysis, question: Question, *, most: int) -> tuple[tuple[str, int], ...]:
    """Which tests to extend for both directions, each tenfold and to `most` at the utmost."""
    asked = (question, analysis.other_side(question))
    found = [unsettled_of(analysis, one) for one in asked if one is not None]
    due = np.zeros(analysis.table.n_datasets, dtype=np.bool_)
    for unsettled in found:
        if unsettled is not None:
            due |= unsettled.to_extend
    wanted = []
    results = analysis.table.results or (None,) * due.size
    for name, result, is_due in zip(analysis.table.datasets, results, due.tolist(), strict=True):
        if not is_due or result is None or result.n_resamples is None:
            continue
        n_resamples = min(most, 10 * (result.n_resamples + 1) - 1)
        if n_resamples > result.n_resamples:
            wanted.append((name, n_resamples))
    return tuple(wanted)


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
