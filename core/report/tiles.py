"""Tiles: a count as a figure with a heading and a line below it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..replicability.assessment import Answer
from ..replicability.combinations import combination_named
from ..types import Dependence
from .common_practice import practice_name
from .formatting import display_name, format_confidence
from .questions import Claim
from .subject import Subject

_ASSUMED: dict[Dependence, str] = {
    "not-known": "any dependence",
    "independent": "independent datasets",
    "positive": "positive dependence",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One figure of a verdict.

    Attributes
    ----------
    heading : str
        What is counted.
    figure : str
        The answer in a few words.
    detail : str
        Names, or what the figure is worth.
    claim : {"a-better", "b-better", "differ"} or None
        Whose colour and sign it takes.
    guaranteed : bool
        False for the common practice.
    """

    heading: str
    figure: str
    detail: str
    claim: Claim | None
    guaranteed: bool = True


def count_tile(answer: Answer, subject: Subject, *, claim: Claim) -> Tile:
    """The count as a figure, with the names that may stand beside it."""
    n = answer.p_values.size
    detail = _tile_names(answer, subject)
    return Tile(
        heading=f"{subject.heading(claim)} on",
        figure=_figure(answer.k_hat, n),
        detail=f"approximate, from 1 − p; {detail}" if answer.complement else detail,
        claim=claim,
        guaranteed=not answer.complement,
    )


def _tile_names(answer: Answer, subject: Subject) -> str:
    own, holm = answer.named, answer.named_by_holm
    holm_names = subject.names(holm)
    if not holm.any() and not own.any():
        return "none significant after Holm correction"
    if answer.combination == "bonferroni" or np.array_equal(own, holm):
        rest = "; the others depend on how the p-values are read"
        fewer = answer.combination == "bonferroni" and np.count_nonzero(holm) < answer.k_hat
        return f"{holm_names} (Holm){rest if fewer else ''}"
    if np.all(own[holm]):
        word = combination_named(answer.combination).title
        whatever = (
            f"{holm_names} whatever the dependence"
            if holm.any()
            else "none without that assumption"
        )
        return f"{subject.names(own)} under the same assumption ({word}); {whatever} (Holm)"
    return f"{holm_names} (Holm, a separate statement)"


def common_practice_tile(
    answer: Answer, subject: Subject, *, claim: Claim, of_b: Answer | None = None
) -> Tile:
    """What the common practice would count on the datasets that are tested.

    Parameters
    ----------
    answer : Answer
        P-values as read for the claim.
    subject : Subject
        Systems and datasets.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    of_b : Answer, optional
        Those for B, where `answer` is A's and both directions are stated.
    """
    n_tested = answer.p_values.size - subject.n_untested
    counted = str(answer.practice.n)
    system = subject.sides(claim)[0]
    if of_b is not None:
        counted = f"A {counted}, B {of_b.practice.n}"
        system = "that system"
    # Where both are stated and one of them from 1 − p, the sentence says of which.
    stands_in = answer.complement and of_b is None
    name = practice_name(answer.practice, system, complement=stands_in)
    figure = f"{counted} of {n_tested}" if n_tested else "none tested yet"
    if n_tested and subject.n_untested:
        figure += " tested so far"
    return Tile(
        heading=f"Common practice: {name} on",
        figure=figure,
        detail="a count without guarantee",
        claim=None,
        guaranteed=False,
    )


def counting_tiles(
    answer: Answer, subject: Subject, *, claim: Claim, of_b: Answer | None = None
) -> tuple[Tile, ...]:
    """The count by every combination, the valid one in front, and the common practice last.

    Parameters
    ----------
    answer : Answer
        The count.
    subject : Subject
        Systems and datasets.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    of_b : Answer, optional
        The count for B, where `answer` is A's and both directions are stated.
    """
    in_front = [_in_front(answer, subject, claim, both=of_b is not None)]
    if of_b is not None:
        in_front.append(_in_front(of_b, subject, "b-better", both=True))
    others = []
    for name, counting in answer.countings.items():
        if name == answer.combination:
            continue
        k_hat = f"k̂ = {counting.k_hat}"
        if of_b is not None:
            k_hat = f"k̂: A {counting.k_hat}, B {of_b.countings[name].k_hat}"
        others.append(
            Tile(
                heading=_with_condition(name),
                figure=k_hat,
                detail="for comparison",
                claim=None,
                guaranteed=False,
            )
        )
    return (*in_front, *others, common_practice_tile(answer, subject, claim=claim, of_b=of_b))


def _in_front(answer: Answer, subject: Subject, claim: Claim, *, both: bool) -> Tile:
    """The count that the stated dependence allows; where both directions are stated, with whose."""
    valid = _with_condition(answer.combination)
    system = subject.system_a if claim == "a-better" else subject.system_b
    worth = (
        "no guarantee, approximate"
        if answer.complement
        else f"{format_confidence(answer.alpha)} confidence"
    )
    return Tile(
        heading=f"{display_name(system)} {subject.better}, {valid}" if both else valid,
        figure=_figure(answer.k_hat, answer.p_values.size),
        detail=f"the count, k̂ = {answer.k_hat}, with {worth}",
        claim=claim,
        guaranteed=not answer.complement,
    )


def _figure(k_hat: int, n: int) -> str:
    if n == 1:
        return "shown" if k_hat else "not shown"
    if k_hat == 0:
        return f"none shown of {n}"
    return f"all {n}" if k_hat == n else f"at least {k_hat} of {n}"


def _with_condition(name: str) -> str:
    combination = combination_named(name)
    return f"{combination.title}: {_ASSUMED[combination.dependence]}"
