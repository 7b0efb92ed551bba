"""Which metrics a file of scores holds, and in which of them lower is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.data.layouts.per_example import ExampleFindings
from core.data.roles import Roles, column_of, declared_direction
from core.data.tables.columns import find_column, is_textual
from core.data.tables.headings import METRIC_NAME_HEADINGS, lower_is_better
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Problem

# More different values than this are no names of metrics.
MAX_METRICS = 200


def find_metric_names(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column that names the metric of each row: as given, else by heading and several names."""
    if "metric_names" in given:
        return column_of(given, "metric_names")
    found = find_column(raw.header, METRIC_NAME_HEADINGS, taken=taken)
    if found is None or not is_textual(raw, found):
        return None
    return found if 2 <= len(raw.coded(found).array) <= MAX_METRICS else None


def metrics_in_order(names: Sequence[str], given: Roles) -> tuple[str, ...]:
    """Several metrics, the one that was asked for first."""
    wanted = given.get("metric")
    first = [name for name in names if name == wanted]
    return (*first, *(name for name in names if name != wanted))


def directions_of(
    given: Roles, metrics: Sequence[str], *, columns: Sequence[str] = ()
) -> bool | dict[str, bool]:
    """Whether higher is better: as declared, else by each metric's name.

    One answer for one metric, a mapping for several. `columns` are headings
    whose words speak for a single metric too. What is declared of metrics that
    the file does not have is kept, to be reported.
    """
    resolved = {}
    for metric in metrics:
        declared = declared_direction(given, metric)
        word = lower_is_better((metric,))
        if word is None and len(metrics) == 1 and columns:
            word = lower_is_better(tuple(columns))
        resolved[metric] = word is None if declared is None else declared
    declared_of = given.get("higher_is_better")
    unknown = (
        {metric: higher for metric, higher in declared_of.items() if metric not in resolved}
        if isinstance(declared_of, Mapping)
        else {}
    )
    if len(metrics) == 1 and not unknown:
        return resolved[metrics[0]]
    return {**resolved, **unknown}


def check_metrics(found: ExampleFindings, roles: Roles, metrics: Sequence[str]) -> None:
    """What is declared of metrics is declared of those that the file has."""
    declared = roles.get("higher_is_better")
    named = tuple(declared) if isinstance(declared, Mapping) else ()
    wanted = roles.get("metric")
    for role, names in (("higher_is_better", named), ("metric", (wanted,))):
        for name in names:
            if isinstance(name, str) and name not in metrics:
                found.problems.append(
                    Problem(
                        what=f"`{role}` names the metric {quoted(name)}, which the file does not "
                        "have.",
                        remedy=f"Its metrics are {listed(metrics)}.",
                    )
                )


def remark_on_directions(
    found: ExampleFindings, roles: Roles, metrics: Sequence[str], columns: Sequence[str] = ()
) -> None:
    """Remarks on metrics whose names say that lower is better, followed or not."""
    for metric in metrics:
        word = lower_is_better((metric,))
        if word is None and len(metrics) == 1 and columns:
            word = lower_is_better(tuple(columns))
        if word is None:
            continue
        higher = bool(declared_direction(roles, metric))
        found.remarks.append(direction_remark(word, higher=higher))


def direction_remark(word: str, *, higher: bool) -> str:
    """On a word that says that lower is better, followed or not."""
    if higher:
        return f"{quoted(word)} usually means that lower is better, but higher is declared to be."
    return f"Lower is taken to be better, as the scores are named {quoted(word)}."
