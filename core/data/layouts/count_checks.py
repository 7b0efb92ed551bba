"""What must hold between counts: a part is no larger than its whole, and a score is defined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.statistic_headings import FoundCounts
from core.data.tables.limits import bounded
from core.data.words import listed, quoted
from core.errors import Problem
from core.metrics.registry import CHRF_ORDERS, STATISTIC_METRICS
from core.types import FloatArray

# A part, the whole that holds it, and both in words.
_PARTS = {
    "ratio": (("correct", "total"),),
    "f1": (),
    "aer": (("in_sure", "in_possible"), ("in_possible", "n_proposed"), ("in_sure", "n_sure")),
    "bleu": tuple((f"match{order}", f"total{order}") for order in range(1, 5)),
    "chrf": tuple(
        (f"chrf_char{order}_match", f"chrf_char{order}_{whole}")
        for order in range(1, CHRF_ORDERS + 1)
        for whole in ("sys", "ref")
    ),
    "ter": (),
}
# What of the counts is of the gold standard, so that systems have it in common.
_GOLD_COUNTS = {"f1": ((0, 2), "tp + fn"), "aer": ((3,), "n_sure"), "ratio": ((1,), "total")}


def check_relations(
    found: ExampleFindings, counts: FoundCounts, values: Mapping[str, FloatArray]
) -> None:
    """No part is larger than its whole."""
    done: set[tuple[str, str]] = set()
    for named in counts.columns.values():
        for part, whole in _PARTS[counts.family.kinds[0]]:
            columns = named[part], named[whole]
            if columns in done:
                continue
            done.add(columns)
            low, high = values[columns[0]], values[columns[1]]

            def explain(
                row: int,
                low: FloatArray = low,
                high: FloatArray = high,
                columns: tuple[str, str] = columns,
            ) -> tuple[str, str]:
                return (
                    f"The count is {low[row]:.0f}, more than the {high[row]:.0f} of "
                    f"{quoted(columns[1])}.",
                    "Correct one of them: the first is a part of the second.",
                )

            found.cell_problems(np.flatnonzero(low > high), columns[0], explain)


def defined_metrics(
    found: ExampleFindings,
    arrays: Mapping[str, Sequence[FloatArray]],
    kinds: Mapping[str, str],
    systems: Sequence[str],
) -> tuple[str, ...]:
    """The metrics that every system has a score of on every dataset.

    That the first has none somewhere is a problem; another is then left out,
    with a remark.
    """
    kept: list[str] = []
    for index, (name, per_dataset) in enumerate(arrays.items()):
        metric = STATISTIC_METRICS[kinds[name]]
        undefined = [
            (dataset, system)
            for dataset, counts in zip(found.groups.datasets, per_dataset, strict=True)
            for system, score in zip(systems, metric.score(counts.sum(axis=0)), strict=True)
            if np.isnan(score)
        ]
        if not undefined:
            kept.append(name)
        elif index == 0:
            problems = [
                Problem(
                    what=f"{quoted(name)} of {quoted(system)} is not defined: {metric.formula} "
                    "would divide by 0.",
                    remedy="Leave this dataset out, or correct its counts.",
                    dataset=dataset or None,
                )
                for dataset, system in undefined
            ]
            found.problems.extend(
                bounded(problems, n_problems=len(problems), of="datasets and systems")
            )
        else:
            dataset, system = undefined[0]
            found.remarks.append(
                f"{quoted(name)} is left out: that of {quoted(system)} on {quoted(dataset)} is not "
                "defined, as nothing is counted there."
            )
    return tuple(kept)


def remark_on_gold(
    found: ExampleFindings, arrays: Mapping[str, Sequence[FloatArray]], kinds: Mapping[str, str]
) -> None:
    """Remarks where counts of the gold standard differ between systems, and on examples of size 0."""
    said: set[str] = set()
    for name, per_dataset in arrays.items():
        kind = kinds[name]
        if kind not in _GOLD_COUNTS or kind in said:
            continue
        said.add(kind)
        positions, words = _GOLD_COUNTS[kind]
        sizes = [counts[:, :, list(positions)].sum(axis=2) for counts in per_dataset]
        differ = [int((size != size[:, :1]).any(axis=1).sum()) for size in sizes]
        if any(differ):
            where = [dataset for dataset, n in zip(found.groups.datasets, differ, strict=True) if n]
            found.remarks.append(
                f"{quoted(words)} differs between the systems on {sum(differ):,} examples, of "
                f"{listed(where)}; it usually counts the gold standard and is then the same for "
                "all systems."
            )
        if kind == "ratio":
            n_empty = sum(int((size == 0.0).all(axis=1).sum()) for size in sizes)
            if n_empty:
                found.remarks.append(
                    f"The total is 0 on {n_empty:,} example{'s' if n_empty > 1 else ''}, which "
                    f"count{'' if n_empty > 1 else 's'} for nothing in {quoted(name)}."
                )
