"""Headings that name metric and system together: 'acc_a', 'acc_b', 'f1_a', 'f1_b'."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.data.tables.columns import folded
from core.data.tables.headings import names_metric, words

_BETWEEN = re.compile(r"[\s_\-./:|()\[\]]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricGrid:
    """Columns as metrics × systems.

    Attributes
    ----------
    metrics, systems : tuple of str
        Two or more of each, in the order of the columns.
    columns : mapping of (metric, system) to column
        Complete.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    columns: dict[tuple[str, str], str]


def metric_grid(columns: Sequence[str]) -> MetricGrid | None:
    """The columns as metrics × systems, None unless every heading takes part in a complete grid.

    A heading is cut once, after its first part or before its last; one of the
    metrics must be well known, and of two ways the one with plainer metrics counts.
    """
    grids = []
    for cut in (_before_last, _after_first):
        pairs = [cut(column) for column in columns]
        if any(left == "" or right == "" for left, right in pairs):
            continue
        for metric_first in (True, False):
            split = [(left, right) if metric_first else (right, left) for left, right in pairs]
            found = _complete(columns, split)
            if found is not None:
                grids.append(found)
    # In 'acc_bert_base' the metric is 'acc' and not 'acc_bert'.
    return min(grids, key=_n_other_words, default=None)


def _n_other_words(grid: MetricGrid) -> int:
    """How many words of the metrics' names are not well known to name one."""
    return sum(not names_metric(word) for metric in grid.metrics for word in words(metric))


def _complete(columns: Sequence[str], split: Sequence[tuple[str, str]]) -> MetricGrid | None:
    metrics = tuple(dict.fromkeys(metric for metric, _ in split))
    systems = tuple(dict.fromkeys(system for _, system in split))
    by_pair = dict(zip(split, columns, strict=True))
    if (
        len(metrics) < 2
        or len(systems) < 2
        or len(by_pair) != len(columns)
        or len(columns) != len(metrics) * len(systems)
        or len({folded(name) for name in (*metrics, *systems)}) < len(metrics) + len(systems)
        or not any(names_metric(metric) for metric in metrics)
        or any(names_metric(system) for system in systems)
    ):
        return None
    return MetricGrid(metrics=metrics, systems=systems, columns=by_pair)


def _before_last(heading: str) -> tuple[str, str]:
    return _cut(heading, lambda found: found[-1])


def _after_first(heading: str) -> tuple[str, str]:
    return _cut(heading, lambda found: found[0])


def _cut(heading: str, choose: Callable[[list[re.Match[str]]], re.Match[str]]) -> tuple[str, str]:
    """A heading in two, at one of the places where something stands between its parts."""
    plain = heading.rstrip(")] ")
    found = list(_BETWEEN.finditer(plain))
    if not found:
        return "", ""
    place = choose(found)
    return plain[: place.start()], plain[place.end() :]
