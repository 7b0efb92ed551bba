"""Which metrics the counts of a file give, of which systems, and whether a column is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.data.layouts.example_columns import has_repeats, stated_metrics
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.statistic_headings import FAMILIES, FoundCounts, find_counts, is_length
from core.data.roles import Roles, column_of
from core.data.tables.columns import heading
from core.data.tables.headings import SYSTEM_HEADINGS
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable
from core.data.words import MOST, listed, quoted
from core.errors import Problem
from core.metrics.registry import STATISTIC_METRICS


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedMetric:
    """One metric and the counts that it is computed from."""

    name: str
    kind: str
    counts: FoundCounts
    label: str


def find_system(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column that names the system of each row: as given, else by its heading.

    Where no name repeats, there is one example, or headings name the systems.
    """
    if "system" in given:
        return column_of(given, "system")
    for column in raw.header:
        if heading(column) not in SYSTEM_HEADINGS or column in taken:
            continue
        if len(raw.coded(column).array) > 1 and (
            has_repeats(raw, column) or not _names_systems(raw, {*taken, column})
        ):
            return column
    return None


def _names_systems(raw: RawTable, taken: set[str]) -> bool:
    """Whether the headings of counts name two systems."""
    counts = find_counts(raw.header, taken=taken, in_rows=False)
    return len(systems_of_counts(raw, None, counts)) >= 2


def found_counts(raw: RawTable, columns: Sequence[str | None]) -> tuple[FoundCounts, ...]:
    """The counts, where the columns of dataset, example and system are these."""
    taken = {column for column in columns if column is not None}
    return find_counts(raw.header, taken=taken, in_rows=columns[-1] is not None)


def are_scores_beside_lengths(raw: RawTable, counts: Sequence[FoundCounts]) -> bool:
    """Whether what may be counts of correct tokens is right or wrong, beside a sentence's length."""
    for entry in counts:
        if entry.family.kinds != ("ratio",):
            return False
        for named in entry.columns.values():
            total = named.get("total")
            if total is None or not is_length(total):
                return False
            correct = numbers_of(raw, named["correct"]).text_values
            if not bool(np.isin(correct[np.isfinite(correct)], (0.0, 1.0)).all()):
                return False
    return True


def metrics_of(raw: RawTable, given: Roles, counts: Sequence[FoundCounts]) -> list[CountedMetric]:
    """The metrics of the counts, the declared one first."""
    stated = stated_metrics(raw)
    declared = given.get("metric") or (stated[0] if len(stated) == 1 else None)
    metrics = []
    for entry in counts:
        for label in entry.metrics:
            for kind in entry.family.kinds:
                name = STATISTIC_METRICS[kind].name
                if label:
                    name = label if kind == "ratio" else f"{label} {name}"
                metrics.append(CountedMetric(name=name, kind=kind, counts=entry, label=label))
    if len(metrics) == 1 and isinstance(declared, str):
        only = metrics[0]
        return [CountedMetric(name=declared, kind=only.kind, counts=only.counts, label=only.label)]
    return sorted(metrics, key=lambda metric: metric.name != declared)


def systems_of_counts(
    raw: RawTable, system: str | None, counts: Sequence[FoundCounts]
) -> tuple[str, ...]:
    """The systems' names, from the rows or from the headings."""
    if system is not None:
        return tuple(name for name in raw.coded(system).texts if name)
    return tuple(dict.fromkeys(name for entry in counts for name in entry.systems if name))


def check_columns(
    found: ExampleFindings,
    roles: Roles,
    counts: Sequence[FoundCounts],
    metrics: Sequence[CountedMetric],
    systems: Sequence[str],
    system: str | None,
) -> None:
    """Every count that the metrics need has its column."""
    if not counts:
        # Nobody writes by hand the many that texts are counted by.
        families = [family for family in FAMILIES[::-1] if len(family.statistics) <= MOST]
        expected = "; ".join(listed(family.statistics) for family in families)
        found.problems.append(
            Problem(
                what="No columns are recognised as counts.",
                remedy="Name them by what they count, with the system's name after it where "
                f"systems have columns of their own, as in 'correct_A': {expected}.",
            )
        )
        return
    declared = roles.get("metric")
    if len(metrics) > 1 and declared is not None and metrics[0].name != declared:
        found.problems.append(
            Problem(
                what=f"The counts give the metrics {listed([m.name for m in metrics])}; there is "
                f"no {quoted(str(declared))}.",
                remedy="Choose one of them, or declare none.",
            )
        )
    stated = stated_metrics(found.raw)
    if len(stated) > 1:
        found.problems.append(
            Problem(
                what=f"The rows are of {len(stated)} metrics, {listed(stated[:3])} among them, "
                "which cannot be summed together.",
                remedy="Keep the rows of one metric in a file.",
                column="metric",
            )
        )
    if len(systems) < 2:
        some = f"Only {quoted(systems[0])} has counts" if systems else "No system is named"
        found.problems.append(
            Problem(
                what=f"{some}; a comparison needs two systems.",
                remedy="Name each system in its columns, as in 'correct_A', or, with a row for "
                "each example and system, in a column 'system'.",
            )
        )
        return
    found.problems.extend(_missing_columns(counts, systems, in_rows=system is not None))


def _missing_columns(
    counts: Sequence[FoundCounts], systems: Sequence[str], *, in_rows: bool
) -> Iterator[Problem]:
    for entry in counts:
        for label in entry.metrics:
            for system in ("",) if in_rows else systems:
                named = entry.columns.get((label, system), {})
                lacking = [name for name in entry.family.statistics if name not in named]
                if not lacking:
                    continue
                of = f" of {quoted(system)}" if system else ""
                of += f" for {quoted(label)}" if label else ""
                wanted = [
                    "_".join(part for part in (label.lower(), name, system) if part)
                    for name in lacking
                ]
                yield Problem(
                    what=f"There is no column of {listed(lacking)}{of}: the metric is computed "
                    f"from {listed(entry.family.statistics)}.",
                    remedy=f"Name the column{'s' if len(wanted) > 1 else ''} {listed(wanted)}.",
                )


def columns_of(counts: Sequence[FoundCounts]) -> Iterator[str]:
    """Every column of counts."""
    for entry in counts:
        for named in entry.columns.values():
            yield from named.values()
