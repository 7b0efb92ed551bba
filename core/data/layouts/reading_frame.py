"""What every reader of per-example results begins and ends with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from core.data.covariates import CovariateKind
from core.data.layouts.covariate_columns import kind_of
from core.data.layouts.dataset_labels import label_columns
from core.data.layouts.per_example import ExampleFindings, check_number_of_datasets, group_rows
from core.data.overlap.inputs import input_columns
from core.data.provenance import Reading
from core.data.roles import (
    COVARIATES,
    Roles,
    column_of,
    columns_in_use,
    several_of,
    shared_column_problems,
)
from core.data.tables.raw_table import RawTable
from core.errors import Choice, DataError

_COVARIATE_WORDS: Mapping[CovariateKind, str] = {
    "numeric": "covariate: a number that describes the example",
    "categorical": "covariate: a kind of example",
}


def start(
    raw: RawTable,
    roles: Roles,
    source_name: str,
    choices: Iterable[Choice] = (),
    remarks: Iterable[str] = (),
) -> ExampleFindings:
    """The rows by dataset, with the remarks on how the file was cut and those known so far.

    Raises
    ------
    DataError
        If a column has two roles, or names too many datasets.
    """
    dataset = column_of(roles, "dataset")
    problems = shared_column_problems(roles) + check_number_of_datasets(raw, dataset)
    if problems:
        raise DataError(problems, columns=raw.header)
    found = ExampleFindings(raw=raw, groups=group_rows(raw, dataset, source_name))
    found.remarks.extend((*raw.remarks, *remarks))
    found.choices.extend(choices)
    return found


def stop_at_problems(found: ExampleFindings) -> None:
    """Go on only where there are none.

    Raises
    ------
    DataError
        With every problem, and the questions whose answers would mend some.
    """
    if found.problems:
        raise DataError(found.problems, columns=found.raw.header, choices=found.choices)


def reading_of(
    found: ExampleFindings,
    roles: Roles,
    *,
    layout: str,
    source_name: str,
    counts: Collection[str] = (),
) -> Reading:
    """How the file was read, with every remark; `counts` are columns found by their headings."""
    used = columns_in_use(roles).union(counts)
    texts = input_columns(found.raw, used)
    return Reading(
        source_name=source_name,
        layout=layout,
        roles=roles,
        columns=found.raw.header,
        remarks=tuple(found.remarks),
        separator=found.raw.separator,
        encoding=found.raw.encoding,
        choices=tuple(found.choices),
        dataset_labels=label_columns(found.raw, found.groups.datasets, found.groups.codes, used),
        other_columns={
            **{
                column: _COVARIATE_WORDS[kind_of(found.raw, column)]
                for column in several_of(roles, COVARIATES) or ()
            },
            **dict.fromkeys(counts, "counts"),
            **dict.fromkeys(texts, "texts, to find examples that datasets share"),
        },
    )
