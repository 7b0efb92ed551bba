"""The layout of a published table: a row for each dataset, its p-value and perhaps two scores."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from ...errors import Choice, DataError, answers, first_of, listed, quoted
from ...types import Alternative, BoolArray
from ..p_value_table import FurtherPValues, PValueTable
from ..roles import (
    COUNT_AS_ONE,
    DECLARATIONS,
    DIVIDED,
    LAYOUT,
    LEAVE_OUT,
    SCORES,
    SYSTEMS,
    UNUSED,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    several_of,
)
from ..tables.directions import are_metrics
from ..tables.headings import (
    VOCABULARY,
    find_column,
    heading,
    is_adjusted,
    names_p_values,
    p_value_heading,
    says_percent,
    stated_direction,
    stated_sidedness,
)
from ..tables.number_column import NumberColumn, is_numeric, is_textual, numbers_of
from ..tables.numbers import printed_kind
from ..tables.raw_table import RawTable
from .cells import (
    counted_p_values,
    direction_remarks,
    read_p_values,
    read_rows_of_one_metric,
    read_sizes,
    remark_on_notation,
    set_summaries_apart,
    word_for_lower,
)
from .columns import Columns, FileKind, are_probabilities, held, p_value_columns
from .complete_rows import reading_of
from .doubtful_systems import remark_on_columns
from .pairing import counted
from .per_example import ExampleFindings, check_once, remark_on_twins, which_of
from .row_units import has_repeats, stated_metrics
from .score_cells import (
    Extents,
    as_printed,
    check_numbers,
    check_scales,
    check_signs,
    numeric_columns,
)

# "Text" and "Image" may be systems here, as no row is an example.
_score_columns = partial(numeric_columns, of_datasets=True)


def _systems_compared(
    raw: RawTable, given: Roles, p_column: str, scores: Sequence[str]
) -> tuple[str, ...]:
    """The columns of `scores` without a role in the order in which they take the systems' roles."""
    free = [role for role in ("system_a", "system_b") if role not in given]
    known = held(column_of(given, "system_a"), column_of(given, "system_b"))
    named = [c for c in _compared_systems(p_column, [*known, *scores]) if c not in known]
    if len(named) == len(free):
        return tuple(named)
    if not free or len(scores) <= len(free):
        return tuple(scores)
    raise DataError.of(
        f"{listed(scores)} may all be scores, and the heading {quoted(p_column)} does not say which "
        "systems are compared.",
        "Choose the columns of the two systems.",
        answered_by=free[0],
        choices=[
            which_of(role, f"Which column holds the scores of system {role[-1].upper()}?", scores)
            for role in free
        ],
        roles={"layout": "published table", "p_value": p_column},
    )


def _refuse_adjusted(columns: Columns) -> None:
    """Refuse, by a `DataError`, a table whose only p-values were adjusted for their number already."""
    raw, dataset = columns.raw, columns.dataset
    adjusted = [
        column for column in raw.header if is_adjusted(column) and are_probabilities(raw, column)
    ]
    if not adjusted or columns.example is not None or columns.gold is not None:
        return
    if dataset is None or has_repeats(raw, dataset) or columns.has_given(SYSTEMS, SCORES):
        return
    raise DataError.of(
        f"{listed(adjusted)} {'holds' if len(adjusted) == 1 else 'hold'} p-values "
        "that were adjusted for their number, by the heading: counted again, they would "
        "be adjusted twice.",
        "Give the p-values as they were before; if these were not adjusted, choose "
        "the column by hand.",
        column=adjusted[0],
        roles={"layout": "published table", "dataset": dataset},
    )


NAME = "published table"
_DECLARED = ("alternative", "higher_is_better", "zero_reads_below", "metric")
# So a heading begins by which no system is called.
_NAMED_AS_P_VALUES = ("p value ", "p values ", "pvalue ", "pvalues ")
_EFFECTS = {*VOCABULARY["effect"], "coef", "coefficient"}
# Without ids so many rows a dataset are examples, and no repeated mistake.
_ROWS_OF_EXAMPLES = 5


def recognise(table: Columns) -> Roles | None:
    """Every role of a published table, those that are given as they are; None without p-values."""
    raw, given = table.raw, table.given
    taken = columns_in_use(given)

    def role(name: str, *likely: str | None) -> str | None:
        free = (column for column in likely if column not in (None, *taken))
        column = column_of(given, name) if name in given else next(free, None)
        taken.update(held(column))
        return column

    asked_for = table.asks_for(NAME) or column_of(given, "p_value") is not None
    p_columns = p_value_columns(raw)
    if not asked_for and p_columns and _has_examples(raw, given):
        return None
    # Those of which none is likelier than another to be meant; of one-sided and two-sided p-values
    # the first is read, with a remark.
    asked = [
        column
        for column in p_columns
        if not names_p_values(p_columns[0])
        or (
            p_value_heading(column) == p_value_heading(p_columns[0])
            and stated_sidedness(column) is None
        )
    ]
    if "p_value" not in given and len(asked) > 1:
        scores = _score_columns(raw, {*taken, *p_columns})
        raise DataError.of(
            f"{listed(asked)} may all be p-values; one for each dataset is read.",
            "Choose one of them.",
            answered_by="p_value",
            choices=[_p_value_choice(asked, scores)],
        )
    p_value = role("p_value", *p_columns)
    if p_value is None:
        if "p_value" not in given and given.get(LAYOUT) in (None, NAME):
            _refuse_adjusted(table)
        return None
    _ask_about_percent(raw, given, p_value)
    # Other p-values are no scores, unless there would be no others.
    others = {column for column in p_columns if column not in taken}
    taken |= {column for column in others if heading(column).startswith(_NAMED_AS_P_VALUES)}
    if len(_score_columns(raw, taken | others)) >= 2:
        taken |= others
    texts = (column for column in raw.header if is_textual(raw, column))
    dataset = role("dataset", find_column(raw.header, "dataset", taken=taken), *texts)
    sizes = find_column(raw.header, "n_examples", taken=taken)
    n_examples = role("n_examples", sizes if sizes and is_numeric(raw, sizes) else None)
    # Columns of scores that count the rows are none.
    compared = _systems_compared(raw, given, p_value, _score_columns(raw, taken))
    # Beside p-values an estimate or a metric alone, such as "entropy", is no system.
    if len(compared) == 1 and (heading(compared[0]) in _EFFECTS or are_metrics(compared, fewest=1)):
        compared = ()
    columns: dict[str, object] = {
        "dataset": dataset,
        "system_a": role("system_a", *compared),
        "system_b": role("system_b", *compared),
        "p_value": p_value,
        "n_examples": n_examples,
    }
    declared = {name: given.get(name, DECLARATIONS[name]) for name in _DECLARED}
    direction = declared_direction(given, cast("str | None", declared["metric"]))
    declared["higher_is_better"] = (
        _lower_word(raw, {**columns, **declared}, given) is None if direction is None else direction
    )
    if "alternative" not in given:
        declared["alternative"] = _stated_alternative(raw, {**columns, **declared})
    return {**columns, **declared}


def _ask_about_percent(raw: RawTable, given: Roles, column: str) -> None:
    """Ask, by a `DataError`, about p-values that are percentages by their heading or their signs.

    Those that all lie from 0 to 1 may be p-values under a wrong heading or all below 1%.
    """
    signed = next((row for row, text in enumerate(raw.cells(column)) if "%" in text), None)
    if column in (several_of(given, DIVIDED) or ()) or not (
        says_percent(column) or signed is not None
    ):
        return
    may_be_shares = signed is None and are_probabilities(raw, column)
    if may_be_shares and "p_value" in given:
        return
    said = "their heading" if says_percent(column) else "their signs"
    as_shares = (("p_value", column, "From 0 to 1, as they stand"),)
    raise DataError.of(
        f"The p-values in {quoted(column)} are percentages by {said}"
        + (", and all lie from 0 to 1." if may_be_shares else "."),
        "Write them from 0 to 1, or say how they are written.",
        column=column,
        line=None if signed is None else int(raw.lines[signed]),
        choices=answers(
            f"How are the p-values in {quoted(column)} written?",
            (DIVIDED, (column,), "In percent: divide them by 100"),
            *(as_shares if may_be_shares else ()),
        ),
        roles={LAYOUT: NAME, "p_value": column},
    )


def _stated_alternative(raw: RawTable, roles: Roles) -> Alternative:
    """What the heading of the p-values says that they speak for."""
    p_column = column_of(roles, "p_value") or ""
    a, b = column_of(roles, "system_a"), column_of(roles, "system_b")
    direction = stated_direction(p_column)
    if stated_sidedness(p_column) == "two-sided":
        return "two-sided"
    # Where lower is better, ">" may mean the higher score or the better one.
    if direction is None or a is None or b is None or not roles["higher_is_better"]:
        return "not-stated"
    ahead = np.sign(numbers_of(raw, a).values - numbers_of(raw, b).values)
    p_values = [one.value for one in read_p_values(ExampleFindings(raw=raw), p_column, as_one=True)]
    if len(p_values) < raw.n_rows:
        return "not-stated"
    # "P(A > B)" may be the probability that A is better too, large where A is ahead.
    speaks_for_a = float(np.nansum(ahead * (0.5 - np.array(p_values))))

    def are_named(*pair: str) -> bool:
        # "A" may be short for "System A".
        both = zip(pair, direction, strict=True)
        return all(f" {_plain(own)}".endswith(f" {_plain(name)}") for own, name in both)

    if are_named(a, b) and speaks_for_a > 0.0:
        return "greater"
    return "less" if are_named(b, a) and speaks_for_a < 0.0 else "not-stated"


def _has_examples(raw: RawTable, given: Roles) -> bool:
    """Whether rows are examples, so that a number 'p' beside their scores is no p-value.

    A dataset that stands twice by mistake is still one of a table.
    """
    dataset = column_of(given, "dataset") or find_column(raw.header, "dataset")
    if dataset is None or not has_repeats(raw, dataset):
        return False
    scores = _score_columns(raw, {dataset})
    if len(scores) < 2:
        return False
    if find_column(raw.header, "example", taken=(dataset,)) is not None:
        return True
    others = [c for c in raw.header if c != dataset and is_textual(raw, c)]
    return not others and raw.n_rows >= _ROWS_OF_EXAMPLES * len(raw.coded(dataset).array)


def read(found: ExampleFindings) -> PValueTable:
    """Read a published table by its roles."""
    roles = found.roles
    dataset_column, p_column = str(found.column("dataset")), str(found.column("p_value"))
    score_a, score_b = found.column("system_a"), found.column("system_b")
    read_rows_of_one_metric(found, has_scores=(score_a or score_b) is not None)
    set_summaries_apart(found, dataset_column)
    _settle_rows_without_p_value(found, dataset_column, p_column)
    raw = found.raw
    if is_adjusted(p_column):
        found.remarks.append(
            f"{quoted(p_column)} is read, as chosen, as if its p-values were not adjusted for their "
            "number."
        )
    further = _further_p_values(raw, p_column, columns_in_use(roles))
    other_columns = {other.name: KEPT_FOR for other in further}
    word = _lower_word(raw, roles, roles)
    _remark(found, p_column, other_columns, word)
    check_once(found)
    alternative = cast(Alternative, roles["alternative"])
    scores = _check_scores(found, alternative)
    if alternative == "toward-higher-score" and None in (score_a, score_b):
        found.refuse(
            "P-values toward the higher score need the scores of both systems.",
            "Choose the two columns of scores, or declare another alternative.",
        )
    if len(scores) > 1 and not found.problems:
        metric = cast("str | None", roles["metric"]) or word
        values = np.column_stack([numbers.values for numbers in scores.values()])
        extents = Extents(
            datasets=found.groups.datasets,
            systems=tuple(scores),
            columns=tuple(scores),
            lowest=values,
            highest=values,
            percent=np.array([numbers.is_percent.any() for numbers in scores.values()]),
        )
        check_scales(found, extents, metric=metric)
    p_values = read_p_values(found, p_column, as_one=found.incomplete == COUNT_AS_ONE)
    sizes = read_sizes(found, found.column("n_examples"))
    found.stop_at_problems()

    printed = raw.cells(p_column)
    remark_on_notation(found, p_column, p_values, scores)
    declared = cast("float | None", roles["zero_reads_below"])
    counted_ones, notes = counted_p_values(p_column, p_values, printed, declared=declared)
    system_a = score_a or ("A" if score_b != "A" else "B")
    system_b = score_b or ("B" if system_a != "B" else "A")
    remark_on_twins(found, "systems", (system_a, system_b))
    p_columns = p_value_columns(raw)
    if p_column in p_columns and len(p_columns) > 1:
        # Another of them may be counted.
        others = _score_columns(raw, set(p_columns))
        found.choices.append(_p_value_choice(p_columns, others))
    printed_scores = {column: as_printed(raw, column) for column in scores}
    digits_a, spreads_a = printed_scores.get(score_a or "", (None, ()))
    digits_b, spreads_b = printed_scores.get(score_b or "", (None, ()))
    return PValueTable(
        datasets=found.groups.datasets,
        p_values=counted_ones.p_values,
        p_value_bounds=counted_ones.p_value_bounds,
        alternative=alternative,
        printed=printed,
        system_a=system_a,
        system_b=system_b,
        metric=cast("str | None", roles["metric"]),
        scores_a=scores[score_a].values if score_a else None,
        scores_b=scores[score_b].values if score_b else None,
        printed_scores_a=digits_a,
        printed_scores_b=digits_b,
        has_spreads=any(spreads_a) or any(spreads_b),
        higher_is_better=cast(bool, roles["higher_is_better"]),
        n_examples=None if sizes is None else np.array(sizes, dtype=np.intp),
        notes=notes,
        reading=replace(reading_of(found), other_columns=other_columns),
        further=further,
    )


def _settle_rows_without_p_value(found: ExampleFindings, dataset: str, p_column: str) -> None:
    """Go on without rows that have no p-value from 0 to 1, or with 1 for it, or ask."""
    raw = found.raw
    coded = raw.coded(p_column)
    is_none = [printed_kind(text) == "none" for text in coded.texts]
    missing: BoolArray = np.array(is_none, dtype=np.bool_)[coded.codes]
    n = int(missing.sum())
    if not 0 < n < raw.n_rows:
        return
    n_datasets = counted(n, "dataset")
    found.choices += answers(
        f"{n_datasets} {'has' if n == 1 else 'have'} no p-value between 0 and 1.",
        ("incomplete", COUNT_AS_ONE, f"Keep {n_datasets} with a p-value of 1"),
        ("incomplete", LEAVE_OUT, f"Leave out {n_datasets}"),
    )
    if found.incomplete not in (LEAVE_OUT, COUNT_AS_ONE):
        return
    lines, cells, names = raw.lines, raw.cells(p_column), raw.cells(dataset)
    places = [
        f"{quoted(names[i])} (line {lines[i]}: {quoted(cells[i]) if cells[i] else 'blank'})"
        for i in np.flatnonzero(missing).tolist()
    ]
    lack = f"{n_datasets} without a p-value between 0 and 1, {first_of(places)}"
    if found.incomplete == LEAVE_OUT:
        found.go_on_with(raw.kept(~missing), f"Left out, as chosen: {lack}.")
    else:
        found.remarks.append(f"Kept, as chosen, with a p-value of 1 for either system: {lack}.")


def _p_value_choice(p_columns: Sequence[str], scores: Sequence[str]) -> Choice:
    """The question which of these columns is meant, with the scores that its heading names."""
    options = []
    for column in p_columns:
        named = [quoted(name) for name in _compared_systems(column, scores)]
        options.append((column, f"{column}: {' with '.join(named)}" if len(named) == 2 else column))
    return Choice(
        role="p_value", question="Which column holds the p-values?", options=tuple(options)
    )


def _compared_systems(p_column: str, scores: Sequence[str]) -> tuple[str, ...]:
    """The columns of scores that the heading of p-values names, in its order.

    A name within a longer one that is there too does not count: 'BERT' in 'BERT large'.
    """
    text = f" {_plain(p_column)} "
    found: list[tuple[int, str]] = []
    for column in sorted(scores, key=lambda name: -len(_plain(name))):
        name = f" {_plain(column)} "
        place = text.find(name) if name.strip() else -1
        if place >= 0:
            found.append((place, column))
            text = text[:place] + " " + "·" * (len(name) - 2) + " " + text[place + len(name) :]
    return tuple(column for _, column in sorted(found))


def _plain(name: str) -> str:
    """A name's words in small letters, one space between them."""
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))


KEPT_FOR = "further p-values, for claims about several"


def _further_p_values(
    raw: RawTable, p_column: str, used: Collection[str]
) -> tuple[FurtherPValues, ...]:
    """The p-values of every other column that holds them; none of a column with one unreadable.

    A column that says how many sides it has is the same test again.
    """
    columns = p_value_columns(raw)
    if p_column not in columns or stated_sidedness(p_column) is not None:
        return ()
    kept = []
    for column in columns:
        if column in used or stated_sidedness(column) is not None:
            continue
        scratch = ExampleFindings(raw=raw)
        p_values = read_p_values(scratch, column)
        if scratch.problems:
            continue
        own, _ = counted_p_values(column, p_values, raw.cells(column), declared=None)
        kept.append(own)
    return tuple(kept)


def _remark(found: ExampleFindings, p_column: str, kept: Collection[str], word: str | None) -> None:
    """Remarks on the sides of p-values, on columns that are not read, and on the better score."""
    roles = found.roles
    alternative, stated = roles["alternative"], _stated_alternative(found.raw, roles)
    if alternative == stated != "not-stated":
        system = column_of(roles, "system_a" if stated == "greater" else "system_b")
        way = "Two-sided" if stated == "two-sided" else f"One-sided for {quoted(system or '')}"
        found.remarks.append(f"{way}, as the table says: {quoted(p_column)}.")
    elif alternative == "not-stated" and (
        stated_sidedness(p_column) is not None or stated_direction(p_column) is not None
    ):
        found.remarks.append(
            f"The heading {quoted(p_column)} leaves open for which system the p-values speak. Declare "
            "it: 'greater' for the first, or 'toward-higher-score'."
        )
    systems = held(found.column("system_a"), found.column("system_b"))
    remark_on_columns(found, systems, read=kept)
    up = bool(roles["higher_is_better"])
    found.remarks += direction_remarks(found, word, higher=up, systems=systems) if systems else []


def _lower_word(raw: RawTable, roles: Roles, given: Roles) -> str | None:
    """The word that says that a lower score is the better one; None where nothing says so."""
    scores = tuple(held(column_of(roles, "system_a"), column_of(roles, "system_b")))
    metric = roles.get("metric")
    named = (metric,) if isinstance(metric, str) else ()
    own = stated_metrics(raw)
    stated = named if metric in own else own
    dataset = column_of(roles, "dataset") if scores else None
    return word_for_lower(raw, dataset, given, named, scores, stated)


def _check_scores(found: ExampleFindings, alternative: Alternative) -> dict[str, NumberColumn]:
    """The systems' columns of scores as numbers; cells that hold none are problems."""
    named = held(found.column("system_a"), found.column("system_b"))
    both = {column: numbers_of(found.raw, column) for column in named}
    blank_allowed = alternative in ("greater", "less")
    for column, numbers in both.items():
        check_numbers(
            found,
            column,
            numbers,
            missing_allowed=blank_allowed,
            give=f"Give it, leave {quoted(column)} aside, or declare p-values one-sided ('greater').",
            is_metric=len(both) == 1,
        )
        missing = np.flatnonzero(np.isnan(numbers.values)).tolist()
        if missing and blank_allowed:
            lacking = [found.dataset(row) for row in missing]
            found.remarks.append(f"No score of {quoted(column)} is given for {listed(lacking)}.")
        elif any(p.column == column and UNUSED in p.mended_by for p in found.problems):
            aside = (UNUSED, (column,), f"Leave {quoted(column)} aside")
            found.choices += answers(f"{quoted(column)} lacks scores.", aside)
        # Rows of several metrics may have scales of their own.
        if len(stated_metrics(found.raw)) < 2:
            check_signs(found, column, numbers)
    return both


KIND = FileKind(
    name=NAME,
    description="One row for each dataset: its name, the scores of both systems and the "
    "p-value, with the number of examples where it is known.",
    needs={"dataset": "the datasets", "p_value": "the p-values"},
    roles=("dataset", "system_a", "system_b", "p_value", "n_examples"),
    template="""\
dataset,Our system,Baseline,p_value,n_examples
SST-2,93.46,92.89,0.0412,872
MRPC,87.25,86.03,0.1687,408
RTE,68.95,66.43,0.0093,277
QNLI,91.20,90.98,0.2460,5463
MultiNLI,84.57,83.80,1.8e-5,9815
""",
    recognise=recognise,
    read=read,
    declares=("incomplete", "scales", "averages"),
    shows_by_headings=True,
)
