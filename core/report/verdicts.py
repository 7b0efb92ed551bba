"""The verdict that is shown first, and both directions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..replicability.assessment import Answer, Assessment
from ..replicability.combinations import combination_named
from .formatting import (
    display_name,
    format_confidence,
    format_level,
    list_names,
)
from .questions import Claim
from .readings import reading_note
from .sentences import Statement, count_statement, names_sentence
from .subject import Subject
from .tiles import Tile, common_practice_tile, count_tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer of a table: what it states, its figures, and what stands behind them."""

    statement: Statement
    tiles: tuple[Tile, ...]
    notes: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The statement in one text."""
        return self.statement.text


def verdict(assessment: Assessment, subject: Subject) -> Verdict:
    """Compose the answer that is shown first."""
    answer_a, answer_b = assessment.answer_a, assessment.answer_b
    if answer_a is None or answer_b is None:
        return _undirected_verdict(assessment, subject)
    if assessment.shows_both_sides:
        return _two_sided_verdict(assessment, subject, answer_a, answer_b)
    # The tile says which are significant, unless names and count need two sentences.
    more_by_holm = np.count_nonzero(answer_a.named_by_holm) > answer_a.k_hat
    names = names_sentence(answer_a, subject) if more_by_holm else ""
    return Verdict(
        statement=count_statement(answer_a, subject, claim="a-better"),
        tiles=(
            count_tile(answer_a, subject, claim="a-better"),
            common_practice_tile(answer_a, subject, claim="a-better"),
        ),
        notes=_kept([names, reading_note(assessment, subject)]),
    )


def _undirected_verdict(assessment: Assessment, subject: Subject) -> Verdict:
    answer = assessment.undirected
    return Verdict(
        statement=count_statement(answer, subject, claim="differ", reading=assessment.declared),
        tiles=(
            count_tile(answer, subject, claim="differ"),
            common_practice_tile(answer, subject, claim="differ"),
        ),
        notes=_kept([names_sentence(answer, subject)]),
    )


def _two_sided_verdict(
    assessment: Assessment, subject: Subject, answer_a: Answer, answer_b: Answer
) -> Verdict:
    tiles = [
        count_tile(answer_a, subject, claim="a-better"),
        count_tile(answer_b, subject, claim="b-better"),
    ]
    beside = assessment.beside_lower_score.size
    if beside:
        level = format_level(assessment.alpha)
        a = display_name(subject.system_a)
        tiles.append(
            Tile(
                heading=f"p ≤ {level} where {a} has the {subject.worse} score",
                figure=str(beside),
                detail=list_names([subject.datasets[i] for i in assessment.beside_lower_score]),
                claim=None,
                guaranteed=False,
            )
        )
    else:
        tiles.append(common_practice_tile(answer_a, subject, claim="a-better", of_b=answer_b))
    return Verdict(
        statement=_both_sides(assessment, subject, answer_a, answer_b),
        tiles=tuple(tiles),
        notes=_kept([reading_note(assessment, subject)]),
    )


def _both_sides(
    assessment: Assessment, subject: Subject, answer_a: Answer, answer_b: Answer
) -> Statement:
    claims: tuple[tuple[Answer, Claim], ...] = ((answer_a, "a-better"), (answer_b, "b-better"))
    sides = tuple((answer, subject.claim(claim)) for answer, claim in claims)
    n = assessment.n_datasets
    both = format_confidence(2.0 * assessment.alpha)
    if n == 1:
        claim: Claim = "b-better" if answer_b.k_hat else "a-better"
        found = count_statement(answer_b if claim == "b-better" else answer_a, subject, claim=claim)
        if not (answer_a.k_hat or answer_b.k_hat):
            return found
        return replace(
            found,
            footnote=f"{both} confidence if you chose the direction after seeing the data.",
        )
    if not any(answer.k_hat or answer.named_by_holm.any() for answer, _ in sides):
        a, b = subject.sides("a-better")
        level = f"α = {format_level(assessment.alpha)}"
        return Statement(
            headline=(
                f"No evidence at {level} that {a} or {b} {subject.is_better} on any of the {n} datasets."
            ),
            condition=subject.not_shown,
        )
    if any(answer.complement and answer.k_hat for answer, _ in sides):
        # No confidence is common to a test and to what 1 - p says of the other system.
        first, second = (count_statement(answer, subject, claim=claim) for answer, claim in claims)
        return Statement(headline=first.text, condition=second.text)
    shown = [
        f"{statement} on {f'all {n}' if answer.k_hat == n else f'at least {answer.k_hat} of {n}'} "
        "datasets"
        for answer, statement in sides
        if answer.k_hat
    ]
    silent = [_silent_side(a, words, subject) for a, words in sides if not a.k_hat]
    if not shown:
        return Statement(headline=silent[0], condition=silent[1])
    clause = combination_named(assessment.undirected.combination).clause
    confidence = f"{format_confidence(assessment.alpha)} confidence"
    # From .5 on nothing is left of a confidence in both.
    together = f"{both} confidence if you read both directions together."
    footnote = together if assessment.alpha < 0.5 else ""
    if len(shown) == 2:
        return Statement(
            headline=f"{shown[0]}; {shown[1]}.",
            condition=f"Each holds separately with {confidence}, {clause}.",
            footnote=footnote,
        )
    return Statement(
        headline=f"With {confidence}, {shown[0]}.",
        condition=f"This holds {clause}. {silent[0]}",
        footnote=footnote,
    )


def _silent_side(answer: Answer, statement: str, subject: Subject) -> str:
    title = combination_named(answer.combination).title
    if answer.named_by_holm.any():
        return (
            f"The count by {title} gives no evidence that {statement}; Holm identifies "
            f"{subject.names(answer.named_by_holm)}, a separate statement."
        )
    return f"No evidence that {statement} on any."


def _kept(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(note for note in notes if note)


def sides_counts(half: Assessment) -> tuple[int, int] | None:
    """On at least how many A is better, and B, from an assessment at half the level.

    None where nothing tells the directions apart.
    """
    answer_a, answer_b = half.answer_a, half.answer_b
    if answer_a is None or answer_b is None:
        return None
    return answer_a.k_hat, answer_b.k_hat


def sides_sentence(half: Assessment, subject: Subject) -> str:
    """State both counts with one confidence for both, and how many datasets remain undecided.

    Parameters
    ----------
    half : Assessment
        At alpha / 2, alpha being the level of both statements together.
    subject : Subject
        Systems and datasets.
    """
    counts = sides_counts(half)
    if counts is None:
        return ""
    k_a, k_b = counts
    n = half.n_datasets
    said = _counted(k_a, k_b, n, subject)
    answer = half.answer_a
    assert answer is not None
    assert half.answer_b is not None
    confidence = format_confidence(2.0 * half.alpha)
    condition = combination_named(answer.combination).clause
    if answer.complement or half.answer_b.complement:
        return (
            f"{said}. One side uses 1 − p of the other system's tests: this is approximate and has no "
            "guarantee."
        )
    if not k_a and not k_b:
        return f"{said}, at α/2 for each direction. {subject.not_shown}"
    undecided = n - k_a - k_b
    rest = (
        f" The other {undecided} stay undecided."
        if undecided > 1
        else " The other one stays undecided."
        if undecided == 1
        else ""
    )
    return f"{said}; both together with {confidence} confidence (each at α/2), {condition}.{rest}"


def _counted(k_a: int, k_b: int, n: int, subject: Subject) -> str:
    a, b = display_name(subject.system_a), display_name(subject.system_b)
    if k_a and k_b:
        datasets = "1 dataset" if k_a == 1 else f"{k_a} datasets"
        return f"{a} {subject.is_better} on at least {datasets} and {b} on at least {k_b}, of {n}"
    if not k_a and not k_b:
        return f"No evidence that {a} or {b} {subject.is_better} on any of {n} datasets"
    better, other = (a, b) if k_a else (b, a)
    return (
        f"{better} {subject.is_better} on at least {k_a or k_b} of {n} datasets, with no evidence for "
        f"{other}"
    )


def sides_at_alpha_sentence(half: Assessment, whole: Assessment) -> str:
    """State the counts of each side at alpha, where they are others than at half of it."""
    counts = sides_counts(whole)
    if counts is None or counts == sides_counts(half):
        return ""
    together = format_confidence(2.0 * whole.alpha)
    return (
        f"Each direction alone at α: at least {counts[0]} and at least {counts[1]}; both together hold "
        f"with {together} confidence."
    )
