"""Examples of which nothing is missing, in whole clusters, and what is read beside their scores.

Incomplete ones are left out where that was chosen; ids, clusters and covariates describe the others.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...errors import answers, first_of, listed, quoted
from ...types import BoolArray, IntArray
from ..overlap.known_by import input_columns, inputs_of_rows
from ..roles import (
    COUNT_WRONG,
    COVARIATES,
    LAYOUT,
    LEAVE_OUT,
    UNUSED,
    Reading,
    Roles,
    column_of,
    columns_in_use,
    several_of,
    systems_of,
)
from ..side_data import MOST_LEVELS, Covariate, ExampleClusters, numbered_by_first, sorted_distinct
from ..tables.headings import ANSWER_WORDS, heading, is_covariate, is_named
from ..tables.number_column import NumberColumn, is_textual, numbers_of
from ..tables.numbers import NOTHING_WORDS
from ..tables.raw_table import RawTable
from .columns import columns_but_inputs, held
from .pairing import (
    Arranged,
    Pairing,
    arranged,
    counted,
    pair,
    report_rows_apart,
    rows_apart,
    unmatched_problems,
)
from .per_example import ExampleFindings, check_datasets, label_columns
from .row_units import (
    FEW_IN,
    combined,
    first_rows_of,
    incomplete_rows,
    nothing_texts,
    rows_of_examples,
)
from .score_cells import check_numbers, check_signs, scores_of

Missing = Callable[[RawTable, Sequence[str]], BoolArray]
# Under a heading that says nothing a text is a category where few texts stand in many rows each.
_FEW_LEVELS = 20
_ROWS_A_LEVEL = 5
_NO_CATEGORY = ("prediction", "gold", "metric_names", "score", "system")
_SLOT_ROLES = ("system", "metric_names", "run")
# By it the page finds these remarks among all others.
PASSED_OVER = "is not read as describing the examples, as"
_NO_COVARIATE = "or take the column out of the covariates (role covariates)."


def find_covariates(
    raw: RawTable, roles: Roles, *, passed: Collection[str] = (), known_only: bool
) -> tuple[str, ...]:
    """The columns that describe the examples, where nobody said which do.

    A column of numbers does so by its heading alone, as any other may be a
    system. None is found that says the same all through each dataset.

    Columns that are `passed` over are read for something else. With `known_only` a text counts only
    under a known heading, as it may be what a system gave out.
    """
    used = columns_in_use(roles).union(passed)
    # Only where a column may be one.
    units = cache(partial(_units_of_rows, raw, roles))
    found = [
        column
        for column, fault in _headed_like_covariates(raw, used, units)
        if not fault and (_as_numbers(raw, column) or _has_levels(raw, column, MOST_LEVELS))
    ]
    if not known_only:
        passed = used.union(input_columns(raw, used))
        found += [
            column
            for column in raw.header
            if column not in passed
            and _is_category(raw, column)
            and not rows_apart(values_of_rows(raw, column), units()).any()
        ]
    dataset = column_of(roles, "dataset")
    return tuple(c for c in raw.header if c in found and _varies(raw, c, dataset))


def _headed_like_covariates(
    raw: RawTable, used: Collection[str], units: Callable[[], IntArray]
) -> Iterator[tuple[str, str]]:
    """Columns headed like covariates, and why each describes no examples, '' where it does."""
    texts = input_columns(raw, used)
    for column in raw.header:
        if column in used or raw.is_blank(column):
            continue
        if not is_named(column, "measure") and not (
            is_named(column, "category")
            and (column not in texts or _has_levels(raw, column, raw.n_rows // FEW_IN))
        ):
            continue
        odd = _odd_rows(raw, column)
        apart = np.flatnonzero(rows_apart(values_of_rows(raw, column), units()))
        few = (int(units().max(initial=-1)) + 1) // FEW_IN
        if odd.size:
            text = quoted(raw.column(column)[int(odd[0])].as_py())
            yield column, f"{text} on line {int(raw.lines[odd[0]])} is no number"
        elif sorted_distinct(units()[apart]).size > few:
            line = int(raw.lines[int(apart[0])])
            yield column, f"it says different things about one example, first on line {line}"
        else:
            yield column, ""


def _as_numbers(raw: RawTable, column: str) -> tuple[NumberColumn, BoolArray] | None:
    """A covariate's numbers, and which texts are neither number nor nothing; None of categories."""
    if is_named(column, "category"):
        return None
    numbers = numbers_of(raw, column)
    odd: BoolArray = ~np.isfinite(numbers.text_values)
    if not raw.decimal_comma:
        odd |= numbers.is_comma
    # Percent beside fractions are not on one scale.
    fractions = ~numbers.is_percent & (numbers.text_values != 0.0) & ~odd
    if numbers.is_percent.any() and fractions.any():
        odd |= numbers.is_percent
    if odd.any():
        odd &= ~nothing_texts(numbers.coded)
    n_odd = numbers.n_rows(odd)
    # As of every column, one cell may be a mistake.
    few = max(1, (numbers.n_numbers + n_odd) // 5)
    return (numbers, odd) if numbers.n_numbers and n_odd <= few else None


def _odd_rows(raw: RawTable, column: str) -> IntArray:
    """The rows on which a column of numbers holds something that is none."""
    known = _as_numbers(raw, column)
    if known is None:
        return np.zeros(0, dtype=np.intp)
    numbers, odd = known
    return np.flatnonzero(odd[numbers.coded.codes])


def values_of_rows(raw: RawTable, column: str) -> npt.NDArray[np.float64] | npt.NDArray[np.int32]:
    """For each row a number that is equal where a covariate is; nan or −1 where it is missing."""
    known = _as_numbers(raw, column)
    if known is not None:
        return known[0].values
    coded = raw.coded(column)
    missing = np.int32(-1)
    codes: npt.NDArray[np.int32] = np.where(nothing_texts(coded)[coded.codes], missing, coded.codes)
    return codes


def _units_of_rows(raw: RawTable, roles: Roles) -> IntArray:
    """For each row a number of its example."""
    slots = held(*(column_of(roles, role) for role in _SLOT_ROLES))
    within = held(column_of(roles, "dataset"))
    return rows_of_examples(raw, within, column_of(roles, "example"), slots)


def _n_levels(raw: RawTable, column: str) -> int:
    return int(np.count_nonzero(~nothing_texts(raw.coded(column))))


def _has_levels(raw: RawTable, column: str, most: int) -> bool:
    """Whether a column holds from two to so many categories."""
    return raw.is_repetitive(column) and 2 <= _n_levels(raw, column) <= min(most, raw.n_rows - 1)


def _is_category(raw: RawTable, column: str) -> bool:
    """Whether a column under a heading that says nothing holds a few kinds of text."""
    if is_named(column, *_NO_CATEGORY) or is_covariate(column, raw.header):
        return False
    if not raw.is_repetitive(column) or not is_textual(raw, column):
        return False
    coded = raw.coded(column)
    if len(coded.array) > _FEW_LEVELS + len(NOTHING_WORDS):
        return False
    levels = {t.casefold() for t in coded.texts if t} - NOTHING_WORDS
    few = min(_FEW_LEVELS, raw.n_rows // _ROWS_A_LEVEL)
    return 2 <= len(levels) <= few and not levels <= ANSWER_WORDS


def _varies(raw: RawTable, column: str, dataset: str | None) -> bool:
    """Whether a covariate differs between examples of some dataset."""
    values = values_of_rows(raw, column)
    there = np.flatnonzero(~np.isnan(values) & (values != -1 if values.dtype.kind == "i" else True))
    codes = combined(raw, held(dataset))[there]
    first = there[first_rows_of(codes, int(codes.max(initial=-1)) + 1)[codes]]
    return bool((values[there] != values[first]).any())


def check_covariates(found: ExampleFindings, read: BoolArray) -> None:
    """On the rows that are read covariates are numbers, or few enough categories."""
    raw = found.raw

    def explain(column: str, row: int) -> tuple[str, str]:
        return (
            f"{quoted(raw.column(column)[row].as_py())} is not a number, as the others of this "
            "column are.",
            f"Give a number, leave the cell empty where it is not known, {_NO_COVARIATE}",
        )

    for column in several_of(found.roles, COVARIATES) or ():
        odd = _odd_rows(raw, column)
        found.cell_problems(odd[read[odd]], column, partial(explain, column))
        n_levels = 0 if _as_numbers(raw, column) else _n_levels(raw, column)
        if n_levels > MOST_LEVELS:
            found.refuse(
                f"The column holds {n_levels:,} different texts: at most {MOST_LEVELS} are "
                "categories of examples.",
                f"Put examples together under fewer names, {_NO_COVARIATE}",
                column=column,
            )


def covariates_of_examples(
    found: ExampleFindings, examples: Arranged, *, passed: Collection[str] = ()
) -> dict[str, Covariate]:
    """The covariates of the examples that are read, by name, with remarks."""
    raw, columns = found.raw, several_of(found.roles, COVARIATES) or ()
    used = columns_in_use(found.roles).union(passed)
    units = cache(partial(_units_of_rows, raw, found.roles))
    found.remarks.extend(
        f"{quoted(column)} {PASSED_OVER} {fault}."
        for column, fault in _headed_like_covariates(raw, used, units)
        if fault
    )
    covariates: dict[str, Covariate] = {}
    described, lacking = [], []
    for column in columns:
        known = _as_numbers(raw, column)
        if known is not None:
            grouping = known[0].grouping_remark(column)
            found.remarks.extend([] if grouping is None else [grouping])
            own = Covariate(parts=examples.split(known[0].values[examples.first]))
            missing = [np.isnan(part) for part in own.parts]
            described.append(f"{quoted(column)} (numbers)")
        else:
            coded = raw.coded(column)
            is_level = ~nothing_texts(coded)
            positions = np.where(is_level, np.cumsum(is_level) - 1, -1).astype(np.int32)
            levels = tuple(coded.array.take(np.flatnonzero(is_level)).to_pylist())
            parts = examples.split(positions[coded.codes[examples.first]])
            own = Covariate(parts=parts, levels=levels)
            missing = [part < 0 for part in own.parts]
            described.append(f"{quoted(column)} ({counted(len(levels), 'kind')})")
        covariates[column] = own
        counts = [int(part.sum()) for part in missing]
        if n := sum(counts):
            some = [d for d, n_own in zip(found.groups.datasets, counts, strict=True) if n_own]
            lacking.append(
                f"{counted(n, 'example')} of {listed(some)} {'has' if n == 1 else 'have'} no "
                f"{quoted(column)}: the scores are read, and what is missing is not filled in."
            )
    if covariates:
        remark = f"Columns that describe examples, not systems: {', '.join(described)}."
        found.remarks += [remark, *lacking]
    return covariates


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
                column: "covariate: a number that describes the example"
                if _as_numbers(found.raw, column)
                else "covariate: a kind of example"
                for column in several_of(found.roles, COVARIATES) or ()
            },
            **dict.fromkeys(counts, "counts"),
            **dict.fromkeys(texts, "texts, to find examples that datasets share"),
        },
    )


def _ask_about_incomplete(
    found: ExampleFindings, pairing: Pairing, incomplete: BoolArray, missing: Missing
) -> str:
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
    options: list[tuple[str, object, str]] = [("incomplete", LEAVE_OUT, f"Leave out {gone}")]
    lacks = {own: missing(found.raw, (own,)) for own in systems_of(found.roles) or ()}
    may_count = not lacks or any(_asked(found, rows).any() for rows in lacks.values())
    if found.may_be_wrong and may_count and found.incomplete != COUNT_WRONG:
        options.append(("incomplete", COUNT_WRONG, "Count the missing answers as wrong"))
    lacking = tuple(own for own, rows in lacks.items() if rows.any())
    if 0 < len(lacking) < len(lacks) - 1:
        aside = f"Leave {listed(lacking)} aside, and keep every {found.unit}"
        options.append((UNUSED, lacking, aside))
    found.choices += answers(f"A value is missing in {gone}{where}.", *options)
    return (
        f"Left out, as chosen: {gone} without a score of every system{where}; "
        f"{counted(int((~incomplete).sum()), found.unit)} kept."
    )


def _asked(found: ExampleFindings, lacks: BoolArray) -> BoolArray:
    """Those on datasets with other answers: where there is none, nothing says that a system was asked."""
    return lacks & np.isin(found.groups.codes, found.groups.codes[~lacks])


def count_missing_as_wrong(
    found: ExampleFindings, wrong: Mapping[str, str], missing: Missing
) -> None:
    """Go on with a wrong answer, or a row of one, where a system gave none and others on the dataset.

    `wrong` has for each column the text of a wrong answer, `missing` says which rows lack one.
    """
    raw, n_wrong = found.raw, 0
    columns = {name: raw.column(name) for name in raw.header}
    for name, text in wrong.items():
        lacks = _asked(found, missing(raw, (name,)))
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
        remedy = f"Give the same value in every row of an example, {_NO_COVARIATE}"
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
    columns: Sequence[str],
    check: Callable[[bool], None],
    *,
    missing: Missing = incomplete_rows,
) -> Arranged:
    """The rows of complete examples; from here on no others are read.

    `missing` says for each row whether one of these columns lacks a value; `check` adds the problems
    of cells, where missing values are none if it is called with True.
    """
    check_datasets(found)
    pairing = pair(found)
    told_apart = not found.problems
    found.examples = pairing.units
    if pairing.example is None and pairing.n_slots > 1:
        found.remarks.append(
            "No column holds ids of examples: the rows of each "
            f"{' and '.join(found.slots)} are paired in their order."
        )
    incomplete = missing(found.raw, columns)
    # Without slots each row is an example.
    if found.slots:
        present = np.bincount(pairing.units[~incomplete], minlength=pairing.n_units)
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
            _ask_about_incomplete(found, pairing, incomplete, missing)
    found.stop_at_problems()
    if leaving_out:
        remark = _ask_about_incomplete(found, pairing, incomplete, missing)
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

    return complete_rows(found, columns, check)


def beside_scores(
    found: ExampleFindings, examples: Arranged, *, counts: Collection[str] = ()
) -> dict[str, Any]:
    """What a result set has beside its scores: ids, inputs, clusters, covariates, how it was read.

    Columns of `counts` were found by their headings.
    """
    no_inputs = columns_but_inputs(found.raw, found.roles).union(counts)
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
