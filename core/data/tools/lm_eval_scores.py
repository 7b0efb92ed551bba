"""The scores of one task and model out of lm-evaluation-harness samples, judged after one filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.data.tools.gathered import Scores
from core.data.tools.lm_eval_samples import OWN_HASH, Samples


def scores_of(one: Samples, task: str, system: str, chosen: str, *, with_content: bool) -> Scores:
    """The rows of one filter, numbered as runs where a document has several."""
    metrics = one.scores(chosen)
    if len(one.metrics) == 1:
        rows: Sequence[int] = range(len(one.examples))
    else:
        rows = [row for row, name in enumerate(one.filters) if name == chosen]
    every = len(rows) == len(one.examples)

    def picked(cells: list[str]) -> list[str]:
        return cells if every else [cells[row] for row in rows]

    examples = picked(one.examples)
    return Scores(
        path=one.path,
        dataset=task,
        system=system,
        examples=examples,
        columns={metric: picked(one.columns[metric]) for metric in metrics},
        lines=one.lines if every else [one.lines[row] for row in rows],
        content=picked(one.content) if with_content else (),
        runs=() if len(set(examples)) == len(examples) else _numbered(examples),
    )


def _numbered(examples: Sequence[str]) -> list[str]:
    """For each row the how manieth it is of its document."""
    seen: dict[str, int] = {}
    runs = []
    for example in examples:
        seen[example] = seen.get(example, 0) + 1
        runs.append(str(seen[example]))
    return runs


def with_comparable_content(samples: Sequence[Samples], tasks: Mapping[str, str]) -> set[str]:
    """Tasks whose files all tell documents apart by hashes of one kind."""
    kinds: dict[str, set[str]] = {}
    for one in samples:
        kinds.setdefault(tasks[one.path], set()).update(
            "" if not content else OWN_HASH if content.startswith(OWN_HASH) else "tool"
            for content in one.content
        )
    return {task for task, own in kinds.items() if len(own) == 1 and "" not in own}
