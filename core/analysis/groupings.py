"""Groups of datasets that the data themselves offer, and what is shown on groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..replicability.closed_testing import groups_of
from ..words.sensitivity import group_sentence
from ..words.subject import Question
from .analysis import Analysis


def groupings(analysis: Analysis) -> dict[str, dict[str, tuple[int, ...]]]:
    """Ways to group the datasets: by the file's columns that label them, and by size."""
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    reading = analysis.data.reading
    for column, labels in ({} if reading is None else reading.dataset_labels).items():
        groups = groups_of([labels.get(name, "") for name in analysis.table.datasets])
        if len(groups) > 1:
            found[column] = groups
    sizes = analysis.table.n_examples
    if sizes is not None and sizes.min() < sizes.max():
        ordered = sorted(sizes.tolist())
        middle = ordered[(len(ordered) - 1) // 2]
        small = tuple(i for i, n in enumerate(sizes.tolist()) if n <= middle)
        large = tuple(i for i, n in enumerate(sizes.tolist()) if n > middle)
        if small and large:
            found["number of examples"] = {
                f"at most {middle:,} examples": small,
                f"more than {middle:,} examples": large,
            }
    return found


def group_sentences(
    analysis: Analysis, question: Question, groups: Mapping[str, Sequence[int]]
) -> list[str]:
    """State the bound of each group, by the closed test behind the count in front.

    Raises
    ------
    ValueError
        If a position is not there, or stands twice in a group.
    """
    return [
        group_sentence(
            group,
            analysis.subject,
            claim=question.claim,
            alpha=question.answer.alpha,
            combination=question.answer.combination,
        )
        for group in analysis.groups(question, groups)
    ]
