"""Averages of a baseline and one system, with the p-value of their difference, as a published table."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.layouts.registry import PUBLISHED_TABLE
from core.data.roles import LAYOUT
from core.data.sources.column_table import PutTogether, table_of_columns
from core.data.tools.gathered import Averages
from core.data.tools.measures import MeasuredAverages


def published_pairs(settled: MeasuredAverages) -> list[tuple[Averages, Averages]]:
    """System and baseline on each dataset; empty where they are not one pair on all of them."""
    by_dataset: dict[str, list[Averages]] = {}
    for one in settled.averages:
        by_dataset.setdefault(one.dataset, []).append(one)
    pairs = []
    for own in by_dataset.values():
        tested = [one for one in own if settled.metric in one.p_values]
        baselines = [one for one in own if one.is_baseline]
        if len(own) != 2 or len(tested) != 1 or len(baselines) != 1 or tested == baselines:
            return []
        pairs.append((tested[0], baselines[0]))
    return pairs


def published_table(
    pairs: Sequence[tuple[Averages, Averages]],
    settled: MeasuredAverages,
    remarks: tuple[str, ...],
) -> PutTogether:
    """One row for each dataset: the scores of system and baseline, and the two-sided p-value."""
    metric = settled.metric
    system, baseline = (
        _called([pair[place].system for pair in pairs], otherwise)
        for place, otherwise in ((0, "system"), (1, "baseline"))
    )
    if system in ("dataset", "p_value", baseline) or baseline in ("dataset", "p_value"):
        system, baseline = "system", "baseline"
    raw = table_of_columns(
        ["dataset", system, baseline, "p_value"],
        [
            [a.dataset for a, _ in pairs],
            [a.scores[metric] for a, _ in pairs],
            [b.scores[metric] for _, b in pairs],
            [a.p_values[metric] for a, _ in pairs],
        ],
        [a.line for a, _ in pairs],
        remarks=remarks,
    )
    return PutTogether(
        raw=raw,
        roles={},
        declared={
            LAYOUT: PUBLISHED_TABLE,
            "dataset": "dataset",
            "system_a": system,
            "system_b": baseline,
            "p_value": "p_value",
            "alternative": "two-sided",
            "metric": metric,
            "higher_is_better": settled.higher_is_better,
        },
    )


def _called(names: Sequence[str], otherwise: str) -> str:
    """The name that all have, else another."""
    return names[0] if len(set(names)) == 1 else otherwise
