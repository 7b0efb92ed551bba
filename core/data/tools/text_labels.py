"""Labels, one a line: whether each line of an output is the one that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.data.tools.gold_files import Placement
from core.data.tools.text_scoring import Scored, Texts
from core.data.words import listed
from core.errors import DataError, Problem

_MOST_PROBLEMS = 20


def check_labels(
    placed: Placement, paths: Sequence[str], lines: Mapping[int, Sequence[str]]
) -> None:
    """Raise a `DataError` where a line has several right labels, or none."""
    problems: list[Problem] = []
    for dataset, gold in placed.gold.items():
        if len(gold) > 1:
            problems.append(
                Problem(
                    what=f"It has several right labels a line, in {listed([paths[p] for p in gold])}.",
                    remedy="Say which file holds the right ones, or leave the others out.",
                    dataset=dataset,
                )
            )
        problems += [
            Problem(
                what="There is no gold label.",
                remedy="Give it, or leave this line out of every file.",
                dataset=dataset,
                file=paths[position],
                line=number,
            )
            for position in gold
            for number, line in enumerate(lines[position], start=1)
            if not line
        ][:_MOST_PROBLEMS]
    if problems:
        raise DataError(problems)


def accuracy_of_labels(texts: Sequence[Texts]) -> Scored:
    """1 for each line that is the reference's, else 0."""
    return Scored(
        columns={
            (own.dataset, system): {
                "accuracy": [
                    "1" if said == right else "0"
                    for said, right in zip(output, own.references[0], strict=True)
                ]
            }
            for own in texts
            for system, output in own.outputs.items()
        },
        remarks=("A line is right where it is the reference's, letter by letter.",),
        higher_is_better={"accuracy": True},
    )
