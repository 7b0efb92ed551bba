"""Headings with two parts: metric and system ('acc_a', 'f1_b'), or dataset and system ('ar_mbert').

Of the second a file does not say whether these are systems on one dataset: `stacked_headings` asks,
and reads it as answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..roles import NAME_ORDERS
from ..tables.headings import RUN_HEADINGS, folded, heading, names_metric, words

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


DATASET_FIRST, SYSTEM_FIRST, _, ONE_DATASET = NAME_ORDERS
_SEPARATORS = "|/:._- "
# With such endings headings name variants of a system: 'bert-base', 'bert-large'.
_VARIANTS = frozenset(
    {"tiny", "mini", "small", "medium", "base", "large", "huge", "xl", "xxl", "cased", "uncased"}
)
_NUMBERED = re.compile(r"v?[0-9.]+[bmk]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingGrid:
    """Columns of which each heading is a first part and a second part, on a full grid.

    Attributes
    ----------
    firsts, seconds : tuple of str
        Two or more of each, in the order of the columns.
    columns : dict of (first, second) to column
        Complete.
    """

    firsts: tuple[str, ...]
    seconds: tuple[str, ...]
    columns: dict[tuple[str, str], str]

    def names(self, order: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The datasets and the systems, where they stand in this order."""
        both = (self.firsts, self.seconds)
        return both if order == DATASET_FIRST else both[::-1]

    def column(self, dataset: str, system: str, order: object) -> str:
        """The column of a dataset and a system."""
        return self.columns[(dataset, system) if order == DATASET_FIRST else (system, dataset)]


def heading_grid(columns: Sequence[str]) -> HeadingGrid | None:
    """Headings cut at one separator into parts that all go together; None where no cut does that."""
    if len(columns) < 4 or metric_grid(columns) is not None:
        return None
    return next(_grids(columns), None)


def _grids(columns: Sequence[str]) -> Iterator[HeadingGrid]:
    given = set(columns)
    for separator in _SEPARATORS:
        pieces = columns[0].split(separator)
        for cut in range(1, len(pieces)):
            left, right = separator.join(pieces[:cut]), separator.join(pieces[cut:])
            seconds = [c[len(left) + 1 :] for c in columns if c.startswith(left + separator)]
            firsts = [c[: -len(right) - 1] for c in columns if c.endswith(separator + right)]
            if len(firsts) * len(seconds) != len(columns) or min(len(firsts), len(seconds)) < 2:
                continue
            # What else separates belongs to no name: 'ar | mbert', 'ar__mbert'.
            bare = {part: part.strip(f" {separator}") for part in (*firsts, *seconds)}
            found = {(bare[a], bare[b]): f"{a}{separator}{b}" for a in firsts for b in seconds}
            firsts, seconds = [bare[a] for a in firsts], [bare[b] for b in seconds]
            names = [*firsts, *seconds]
            if set(found.values()) != given or len({folded(name) for name in names}) < len(names):
                continue
            # A part that is empty, as in '_x' and 'ar_x', names nothing.
            if not all(names):
                continue
            if not _are_runs(firsts) and not _are_runs(seconds) and not _are_variants(seconds):
                yield HeadingGrid(firsts=tuple(firsts), seconds=tuple(seconds), columns=found)


def _are_runs(parts: Sequence[str]) -> bool:
    """Whether parts of headings say which run of a system it is: 'seed1', 'seed2'."""
    return all(heading(part).rstrip("0123456789").strip() in RUN_HEADINGS for part in parts)


def _are_variants(parts: Sequence[str]) -> bool:
    """Whether parts of headings number or size a system: '1', 'v2', '7b', 'large'."""
    return all(part.lower() in _VARIANTS or _NUMBERED.fullmatch(part.lower()) for part in parts)
