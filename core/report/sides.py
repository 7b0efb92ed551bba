"""Sentences about both directions at once, each taken at half the level."""

from __future__ import annotations

from core.replicability.assessment import Assessment
from core.replicability.combinations import combination_named
from core.report.formatting import display_name, format_confidence
from core.report.subject import Subject


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
