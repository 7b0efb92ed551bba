"""Headings with two parts, all of which go together: metric and system, dataset and system, system and run.

Of 'acc_a', 'f1_b' the first part is a metric. Of 'ar_mbert', 'ar_xlmr' a file does not say whether
these are systems on one dataset: its owner is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ..roles import DATASET_FIRST
from .directions import names_metric
from .headings import OF_A_SPLIT, VOCABULARY, folded, heading, is_named, words


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingGrid:
    """Columns of which each heading is a first part and a second part, on a full grid."""

    # Two or more of each, in the order of the columns.
    firsts: tuple[str, ...]
    seconds: tuple[str, ...]
    # Complete ((first, second) to column).
    columns: dict[tuple[str, str], str]

    def by_dataset(self, order: object) -> HeadingGrid:
        """The grid whose first parts are the datasets, where they stand in this order."""
        return self if order == DATASET_FIRST else self.turned

    @property
    def turned(self) -> HeadingGrid:
        """The same with the parts of each heading exchanged."""
        columns = {(second, first): column for (first, second), column in self.columns.items()}
        return HeadingGrid(firsts=self.seconds, seconds=self.firsts, columns=columns)


def metric_grid(columns: Sequence[str]) -> HeadingGrid | None:
    """The columns as metrics × systems, in this order; None unless every heading takes part in a complete grid.

    One of the metrics must be well known, and of several ways to cut the headings the one with
    plainer metrics counts: in 'acc_bert_base' the metric is 'acc' and not 'acc_bert'.
    """
    grids = [
        grid
        for grid in _grids(columns)
        if any(map(names_metric, grid.firsts)) and not any(map(names_metric, grid.seconds))
    ]

    def n_other_words(grid: HeadingGrid) -> int:
        return sum(not names_metric(word) for metric in grid.firsts for word in words(metric))

    return min(grids, key=n_other_words, default=None)


_SEPARATORS = "|/:._- (["
# With such endings headings name variants of a system: 'bert-base', 'bert-large'.
_VARIANTS = frozenset(
    {"tiny", "mini", "small", "medium", "base", "large", "huge", "xl", "xxl", "cased", "uncased"}
)
_NUMBERED = re.compile(r"v?[0-9.]+[bmk]?")


def two_parts(columns: Sequence[str]) -> HeadingGrid | None:
    """Headings cut at one separator into parts that all go together; None where no cut does that."""
    if len(columns) < 4 or metric_grid(columns) is not None:
        return None
    for grid in islice(_grids(columns), 0, None, 2):
        # Variants are numbered or sized: '1', 'v2', '7b', 'large'.
        are_variants = all(
            p in _VARIANTS or _NUMBERED.fullmatch(p) for p in map(str.lower, grid.seconds)
        )
        if not (are_variants or _are_runs(grid.firsts) or _are_runs(grid.seconds)):
            return grid
    return None


def complete_splits(
    names: Sequence[str], separators: Sequence[str]
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every separator that splits all names, with first and second parts that all go together."""
    given = set(names)
    for separator in separators:
        for cut in re.finditer(re.escape(separator), names[0]):
            left, right = names[0][: cut.start()], names[0][cut.end() :]
            seconds = [name[len(left) + 1 :] for name in names if name.startswith(left + separator)]
            firsts = [name[: -len(right) - 1] for name in names if name.endswith(separator + right)]
            if not all(firsts) or not all(seconds) or len(firsts) * len(seconds) != len(names):
                continue
            if {f"{one}{separator}{other}" for one in firsts for other in seconds} == given:
                yield separator, firsts, seconds


def _grids(columns: Sequence[str]) -> Iterator[HeadingGrid]:
    """Headings as the grid of each cut that leaves two or more parts on either side, and that grid turned."""
    for separator, firsts, seconds in complete_splits(columns, _SEPARATORS) if columns else ():
        # What else separates belongs to no name: 'ar | mbert', 'ar__mbert', 'ar (mbert)'.
        found = {
            (_bare(first), _bare(second)): f"{first}{separator}{second}"
            for first in firsts
            for second in seconds
        }
        ones, others = (tuple(dict.fromkeys(own)) for own in zip(*found, strict=True))
        # A part that is empty, as in '_x' and 'ar_x', names nothing; two that look alike name one.
        names = {folded(name) for name in (*ones, *others)} - {""}
        is_whole = len(found) == len(columns) and len(names) == len(ones) + len(others)
        if min(len(ones), len(others)) > 1 and is_whole:
            grid = HeadingGrid(firsts=ones, seconds=others, columns=found)
            yield from (grid, grid.turned)


def _bare(part: str) -> str:
    return part.strip(_SEPARATORS + ")]")


def runs_or_splits(columns: Sequence[str]) -> HeadingGrid | None:
    """Headings that all name one of several systems and one of its runs, folds or splits."""
    for grid in _grids(columns):
        known = {heading(part).rstrip("0123456789= ") for part in grid.seconds}
        if known <= {*_RUNS, "split", "s"} or known <= OF_A_SPLIT:
            return grid
    return None


def runs_of_names(names: Sequence[str]) -> HeadingGrid | None:
    """As `runs_or_splits`, where the parts are runs or folds with their numbers: 'ours/seed1'."""
    grid = runs_or_splits(names)
    return grid if grid is not None and slot_of_names(grid.seconds) == "run" else None


_RUNS = (*VOCABULARY["run"], *VOCABULARY["fold"], "rep")


_NAMES_RUN = re.compile(rf"\b({'|'.join(_RUNS)}) ?[0-9]+\b")


def slot_of_names(names: Sequence[str]) -> str | None:
    """What tells files or sheets of these names apart: "run", "metric", or neither."""
    plain = [heading(name) for name in names]
    if all(map(_NAMES_RUN.search, plain)):
        return "run"
    return "metric" if all(map(names_metric, plain)) else None


def _are_runs(parts: Sequence[str]) -> bool:
    """Whether parts of headings say which run of a system it is: 'seed1', 'seed2'."""
    return all(is_named(heading(part).rstrip("0123456789"), "run") for part in parts)
