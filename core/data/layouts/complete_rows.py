"""Examples of which nothing is missing, in whole clusters: checked, left out where that was chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...errors import answers, first_of, quoted
from ...types import BoolArray, IntArray
from ..overlap.known_by import input_columns, inputs_of_rows
from ..provenance import Reading
from ..roles import COUNT_WRONG, COVARIATES, LAYOUT, LEAVE_OUT, columns_in_use, several_of
from ..side_data import CovariateKind, ExampleClusters, numbered_by_first
from ..tables.headings import heading
from ..tables.raw_table import RawTable
from .columns import columns_but_inputs, held
from .covariates import (
    NO_COVARIATE,
    check_covariates,
    covariates_of_examples,
    kind_of,
    values_of_rows,
)
from .pairing import (
    Arranged,
    Pairing,
    arranged,
    counted,
    pair,
    report_rows_apart,
    unmatched_problems,
)
from .per_example import ExampleFindings, check_datasets, check_once, label_columns
from .row_units import incomplete_rows, rows_of_examples
from .score_cells import check_numbers, check_signs, scores_of

_COVARIATE_WORDS: Mapping[CovariateKind, str] = {
    "numeric": "covariate: a number that describes the example",
    "categorical": "covariate: a kind of example",
}


def reading_of(found: ExampleFindings, counts: Collection[str] = ()) -> Reading:
    """How the file was read, with every remark; `counts` are columns found by their headings."""
    used = columns_in_use(found.roles).union(counts)
    texts = input_columns(found.raw, used)
    return Reading(
        source_name=found.source_name,
        layout=str(found.roles[LAYOUT]),
        roles=found.roles,
        columns=found.raw.header,
        remarks=tuple(found.remarks),
        separator=found.raw.separator,
        encoding=found.raw.encoding,
        choices=tuple(found.choices),
        evidence=found.raw.evidence,
        dataset_labels=label_columns(found, used),
        other_columns={
            **{
                column: _COVARIATE_WORDS[kind_of(found.raw, column)]
                for column in several_of(found.roles, COVARIATES) or ()
            },
            **dict.fromkeys(counts, "counts"),
            **dict.fromkeys(texts, "texts, to find examples that datasets share"),
        },
    )


def _ask_about_incomplete(found: ExampleFindings, pairing: Pairing, incomplete: BoolArray) -> str:
    """Add the question whether incomplete examples are left out; the remark for where they are."""
    names, of_unit = found.groups.datasets, found.groups.codes[pairing.first_rows]
    counts, every = (
        np.bincount(own, minlength=len(names)) for own in (of_unit[incomplete], of_unit)
    )
    parts = [
        quoted(names[d])
        if found.unit == "dataset"
        else f"{'all ' if counts[d] == every[d] else ''}{counts[d]:,} of {quoted(names[d])}"
        for d in np.flatnonzero(counts)
    ]
    where = f": {first_of(parts)}" if len(names) > 1 else ""
    gone = counted(int(incomplete.sum()), found.unit)
    wrong = (("incomplete", COUNT_WRONG, "Count the missing answers as wrong"),)
    found.choices += answers(
        f"A value is missing in {gone}{where}.",
        ("incomplete", LEAVE_OUT, f"Leave out {gone}"),
        *(wrong if found.may_be_wrong else ()),
    )
    return (
        f"Left out, as chosen: {gone} without a score of every system{where}; "
        f"{counted(int((~incomplete).sum()), found.unit)} kept."
    )


def count_missing_as_wrong(
    found: ExampleFindings,
    wrong: Mapping[str, str],
    missing: Callable[[RawTable, Sequence[str]], BoolArray],
) -> None:
    """Go on with a wrong answer where a system gave none, with a remark and the question.

    A row is added where a system has others on the dataset: of a system that has none, nothing
    says that it was asked.

    `wrong` has for each column the text of a wrong answer, `missing` says which rows lack one.
    """
    raw, n_wrong = found.raw, 0
    columns = {name: raw.column(name) for name in raw.header}
    for name, text in wrong.items():
        lacks = missing(raw, (name,))
        n_wrong += int(lacks.sum())
        columns[name] = pc.if_else(pa.array(lacks), text, columns[name])
    rows, names = _rows_lacked(found)
    n_wrong += rows.size
    if not n_wrong:
        return
    said = {found.column("system"): names}
    said.update((column, [text] * rows.size) for column, text in wrong.items())
    added = {
        name: pa.array(said[name], type=own.type) if name in said else own.take(pa.array(rows))
        for name, own in columns.items()
    }
    every = np.concatenate([np.arange(raw.n_rows), rows])
    longer = replace(
        raw.taken(every),
        columns=tuple(pa.concat_arrays([own, added[name]]) for name, own in columns.items()),
    )
    found.choices += answers(
        f"{counted(n_wrong, 'answer')} {'is' if n_wrong == 1 else 'are'} missing.",
        ("incomplete", LEAVE_OUT, "Leave these examples out"),
        ("incomplete", COUNT_WRONG, "Count the missing answers as wrong"),
    )
    remark = f"Counted as wrong, as chosen: {counted(n_wrong, 'missing answer')}."
    found.go_on_with(longer, remark)


def _rows_lacked(found: ExampleFindings) -> tuple[IntArray, list[str]]:
    """For each answer that a system lacks another row of the example, and the system's name."""
    system, example = found.column("system"), found.column("example")
    if system is None or example is None or found.column("metric_names") or found.column("run"):
        return np.zeros(0, dtype=np.intp), []
    within, coded = found.groups.codes, found.raw.coded(system)
    n_systems = len(coded.array)
    units = rows_of_examples(found.raw, held(found.column("dataset")), example, [system])
    has_any: BoolArray = np.zeros((int(within.max()) + 1, n_systems), dtype=np.bool_)
    has_any[within, coded.codes] = True
    answered: BoolArray = np.zeros((int(units.max()) + 1, n_systems), dtype=np.bool_)
    answered[units, coded.codes] = True
    _, first = np.unique(units, return_index=True)
    lacked = np.argwhere(~answered & has_any[within[first]])
    texts = coded.texts
    return first[lacked[:, 0]], [texts[index] for index in lacked[:, 1].tolist()]


def _check_clusters(found: ExampleFindings, read: BoolArray) -> None:
    """Every row that is read names its cluster."""
    column = found.column("cluster")
    if column is None:
        return
    explain = (
        "The row does not say which cluster its example is in.",
        f"Give it a name in {quoted(column)}, one of its own where the example belongs to no "
        "other, or declare that no column holds clusters.",
    )
    blank = incomplete_rows(found.raw, (column,))
    found.cell_problems(np.flatnonzero(blank & read), column, explain)


def _check_rows_agree(found: ExampleFindings, pairing: Pairing, read: BoolArray) -> None:
    """All rows of an example that are read say the same of it."""
    raw, cluster, gold = found.raw, found.column("cluster"), found.column("gold")
    if cluster is not None:
        remedy = (
            "Add a column 'example' with an id for each example, bring each system's rows into the "
            "same order,"
            if pairing.example is None
            else "Name the same one in every row of an example,"
        ) + " or declare that no column holds clusters."
        blank = incomplete_rows(raw, (cluster,))
        named = read & ~(blank | blank[pairing.first_rows[pairing.units]])
        codes, what = raw.coded(cluster).codes, "name different clusters"
        report_rows_apart(found, pairing, cluster, codes, named, what, remedy)
    for column in several_of(found.roles, COVARIATES) or ():
        values, what = values_of_rows(raw, column), "say different things"
        remedy = f"Give the same value in every row of an example, {NO_COVARIATE}"
        report_rows_apart(found, pairing, column, values, read, what, remedy)
    if gold is not None:
        codes, what = raw.coded(gold).codes, "give different gold labels"
        remedy = "Give each example the same gold label in every run."
        report_rows_apart(found, pairing, gold, codes, read, what, remedy)


def clusters_of_examples(found: ExampleFindings, examples: Arranged) -> ExampleClusters | None:
    """The clusters of the examples that are read, with a remark on them."""
    column = found.column("cluster")
    if column is None:
        return None
    texts = found.raw.coded(column).codes[examples.first]
    codes = tuple(numbered_by_first(own) for own in examples.split(texts))
    counts = [int(own.max()) + 1 for own in codes]
    if sum(counts) == texts.size:
        found.remarks.append(
            f"No text of {quoted(column)} stands in two examples of a dataset, so it groups none: "
            "each example counts for itself."
        )
        return None
    unit = "document" if heading(column).startswith("doc") else "cluster"
    each = zip(found.groups.datasets, counts, strict=True)
    named = [f"{counted(n, unit)} in {quoted(name)}" for name, n in each]
    found.remarks.append(
        f"Column {quoted(column)} groups the examples: {first_of(named)}; tests take whole {unit}s "
        "unless told to take them apart. If the examples do not depend on each other, declare that "
        "no column holds clusters (role cluster)."
    )
    return ExampleClusters(column=column, codes=codes)


def complete_rows(
    found: ExampleFindings,
    *,
    missing: Callable[[RawTable], BoolArray],
    check: Callable[[bool], None],
) -> Arranged:
    """The rows of complete examples; from here on no others are read.

    `missing` says for each row whether it lacks a value; `check` adds the problems of cells, where
    missing values are none if it is called with True.
    """
    if found.unit == "example":
        check_datasets(found)
    else:
        check_once(found)
    pairing = pair(found)
    told_apart = not found.problems
    if pairing.n_slots > 1:
        found.examples = pairing.units
    if pairing.example is None and pairing.n_slots > 1:
        found.remarks.append(
            "No column holds ids of examples: the rows of each "
            f"{' and '.join(found.slots)} are paired in their order."
        )
    present = np.bincount(pairing.units[~missing(found.raw)], minlength=pairing.n_units)
    incomplete = present != pairing.n_slots
    # None is left out where no example would stay, or others would be paired.
    may_be_left_out = not (incomplete.all() or pairing.is_uneven)
    leaving_out = found.incomplete == LEAVE_OUT and bool(incomplete.any()) and may_be_left_out
    check(leaving_out)
    read = ~incomplete[pairing.units] if leaving_out else np.ones_like(pairing.units, np.bool_)
    _check_clusters(found, read)
    check_covariates(found, read)
    if told_apart and pairing.n_slots > 1 and not pairing.is_uneven:
        _check_rows_agree(found, pairing, read)
    if told_apart and incomplete.any() and not leaving_out:
        found.problems.extend(unmatched_problems(found, pairing))
        if may_be_left_out:
            _ask_about_incomplete(found, pairing, incomplete)
    found.stop_at_problems()
    if leaving_out:
        remark = _ask_about_incomplete(found, pairing, incomplete)
        found.go_on_with(found.raw.kept(read), remark)
    return arranged(found, pairing, read)


def refuse_single_examples(found: ExampleFindings, examples: Arranged) -> None:
    """Refuse, by a `DataError`, datasets of one row each, where nothing says that rows are examples."""
    dataset, n_examples = found.column("dataset"), len(examples.rows)
    if found.column("example") or dataset is None or n_examples > len(found.groups.datasets):
        return
    found.refuse(
        f"Each dataset of {quoted(dataset)} has a single example: nothing can be tested within a "
        "dataset.",
        "Give a row for each example, or a p-value for each dataset in a column 'p_value'. If the "
        "rows are examples, choose their column for the ids, and another or none for the datasets.",
        column=dataset,
    )
    found.stop_at_problems()


def complete_scores(found: ExampleFindings, columns: Sequence[str]) -> Arranged:
    """The rows of examples with every score, paired."""
    slots = found.slots

    def check(missing_allowed: bool) -> None:
        metrics = found.raw.coded(slots["metric"]).codes if "metric" in slots else None
        for column in columns:
            numbers = scores_of(found.raw, column)
            # Rows of several metrics may be on several scales.
            check_signs(found, column, numbers, metrics)
            check_numbers(
                found,
                column,
                numbers,
                missing_allowed=missing_allowed,
                give=f"Give the score, or leave this {found.unit} out for every system.",
                is_metric="system" in slots,
            )

    return complete_rows(found, missing=lambda raw: incomplete_rows(raw, columns), check=check)


def beside_scores(
    found: ExampleFindings,
    examples: Arranged,
    *,
    read: Collection[str] = (),
    counts: Collection[str] = (),
) -> dict[str, Any]:
    """What a result set has beside its scores: ids, inputs, clusters, covariates, how it was read.

    Columns that are `read` hold no texts which systems were given; `counts` were found by their
    headings.
    """
    no_inputs = columns_but_inputs(found.raw, found.roles).union(read, counts)
    return {
        "example_ids": ids_of(found, examples),
        "inputs": inputs_of_rows(found.raw, examples.first, examples.ends, no_inputs),
        "clusters": clusters_of_examples(found, examples),
        "covariate_values": covariates_of_examples(found, examples, passed=counts),
        "reading": reading_of(found, counts),
    }


def ids_of(found: ExampleFindings, examples: Arranged) -> tuple[pa.Array, ...] | None:
    """For each dataset the ids of its examples, None where there are none."""
    pairing, ends = examples.pairing, examples.ends
    if pairing.example is None:
        return None
    ids = found.raw.column(pairing.example)
    if pairing.n_slots > 1 or not found.groups.is_contiguous:
        ids = ids.take(pa.array(examples.first))
    starts = [0, *ends[:-1].tolist()]
    return tuple(
        ids.slice(start_of, end - start_of)
        for start_of, end in zip(starts, ends.tolist(), strict=True)
    )
