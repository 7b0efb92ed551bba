"""The rows of examples of which nothing is missing, paired by example."""

from __future__ import annotations

from collections.abc import Callable

from core.data.layouts.clusters import check_clusters
from core.data.layouts.covariates import check_covariates
from core.data.layouts.incomplete import (
    incomplete_units,
    left_out,
    report_incomplete,
)
from core.data.layouts.pairing import Pairing, Slots, pair
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.reading_frame import start, stop_at_problems
from core.data.layouts.unmatched import uneven_counts
from core.data.roles import Roles, column_of
from core.data.tables.raw_table import RawTable
from core.types import BoolArray


def complete_rows(
    found: ExampleFindings,
    roles: Roles,
    slots: Slots,
    source_name: str,
    *,
    missing: Callable[[RawTable], BoolArray],
    check: Callable[[ExampleFindings, bool], None],
) -> tuple[ExampleFindings, Pairing]:
    """The rows of complete examples, paired.

    Parameters
    ----------
    missing : callable (raw) -> ndarray of bool, shape (n_rows,)
        For each row whether a value of it is missing.
    check : callable (found, missing_allowed)
        Adds the problems of cells; missing values are none where they are
        left out afterwards.

    Raises
    ------
    DataError
        With every problem of every cell, row and example; incomplete examples
        are none where it was chosen to leave them out.
    """
    example = column_of(roles, "example")
    pairing = pair(found, example, slots)
    if pairing is None:
        check(found, False)
        stop_at_problems(found)
        raise AssertionError("rows that cannot be paired are a problem")
    told_apart = not found.problems
    if example is None and pairing.n_slots > 1:
        units = [unit for unit, _ in slots.columns]
        found.remarks.append(
            "No column holds ids of examples: the rows of each "
            f"{' and '.join(units)} are paired in their order."
        )
    incomplete, leaving_out = incomplete_units(pairing, missing(found.raw), roles)
    check(found, leaving_out)
    dropped = incomplete if leaving_out else None
    check_clusters(found, roles, pairing, left_out=dropped, paired=told_apart)
    check_covariates(found, roles, pairing, left_out=dropped, paired=told_apart)
    if leaving_out:
        found.problems.extend(uneven_counts(found, pairing))
    elif told_apart:
        report_incomplete(found, pairing, incomplete)
    stop_at_problems(found)
    if not leaving_out:
        return found, pairing
    kept, remarks, choices = left_out(found, pairing, incomplete)
    again = start(kept, roles, source_name)
    again.remarks[:] = [*found.remarks, *remarks]
    again.choices[:] = [*found.choices, *choices]
    paired = pair(again, example, slots, order=pairing)
    if paired is None:
        raise AssertionError("rows that were paired stay so")
    return again, paired
