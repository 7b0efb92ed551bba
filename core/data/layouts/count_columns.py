"""The kinds of files of counts: what a metric is computed from, and how many examples were right.

A score over examples is then a function of sums, not a mean of scores: every
token counts the same, not every sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...errors import Problem, bounded, listed, quoted
from ...metrics.registry import CHRF_ORDERS, STATISTIC_METRICS
from ...types import FloatArray, IntArray
from ..result_set import ResultSet
from ..roles import (
    COVARIATES,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    lower_is_better_problems,
)
from ..tables.headings import VOCABULARY, find_column, folded, heading
from ..tables.limits import MAX_ROWS
from ..tables.number_column import numbers_of
from ..tables.raw_table import RawTable
from .columns import Columns, FileKind
from .complete_rows import beside_scores, complete_rows, reading_of, refuse_single_examples
from .counts import CountedMetric, are_counts, find_counts, is_length, read_counts
from .doubtful_systems import remark_on_columns
from .pairing import counted, settle_runs
from .per_example import ExampleFindings, check_once, check_systems
from .row_units import has_repeats, stated_metrics
from .score_cells import numeric_columns


def are_scores_beside_lengths(raw: RawTable, metrics: Sequence[CountedMetric]) -> bool:
    """Whether what may be counts of correct tokens is right or wrong, beside a sentence's length."""
    for metric in metrics:
        if metric.kind != "ratio":
            return False
        for named in metric.columns.values():
            total = named.get("total")
            if total is None or not is_length(total):
                return False
            correct = numbers_of(raw, named["correct"]).text_values
            if not bool(np.isin(correct[np.isfinite(correct)], (0.0, 1.0)).all()):
                return False
    return True


def metrics_of(raw: RawTable, roles: Roles) -> list[CountedMetric]:
    """The metrics of the counts beside other columns with these roles, the declared one first."""
    in_rows = column_of(roles, "system") is not None
    metrics = find_counts(raw.header, taken=columns_in_use(roles), in_rows=in_rows)
    stated = stated_metrics(raw)
    declared = roles.get("metric") or (stated[0] if len(stated) == 1 else None)
    if len(metrics) == 1 and isinstance(declared, str):
        return [replace(metrics[0], name=declared)]
    return sorted(metrics, key=lambda metric: metric.name != declared)


def check_columns(
    found: ExampleFindings,
    metrics: Sequence[CountedMetric],
    systems: Sequence[str],
    system: str | None,
) -> None:
    """Every count that the metrics need has its column."""
    if not metrics:
        found.refuse(
            "No columns are recognised as counts.",
            "Name them by what they count, with the system's name after it where systems have "
            "columns of their own, as in 'correct_A' and 'total', or in 'tp_A', 'fp_A' and 'fn_A'.",
        )
        return
    declared = found.roles.get("metric")
    if len(metrics) > 1 and declared is not None and metrics[0].name != declared:
        found.refuse(
            f"The counts give the metrics {listed([m.name for m in metrics])}; there is "
            f"no {quoted(str(declared))}.",
            "Choose one of them, or declare none.",
        )
    stated = stated_metrics(found.raw)
    if len(stated) > 1:
        found.refuse(
            f"The rows are of {len(stated)} metrics, {listed(stated[:3])} among them, "
            "which cannot be summed together.",
            "Keep the rows of one metric in a file.",
            column="metric",
        )
    found.need_two(
        systems,
        "has counts",
        "Name each system in its columns, as in 'correct_A', or, with a row for each example and "
        "system, in a column 'system'.",
    )
    problems: dict[tuple[str, ...], Problem] = {}
    for metric in metrics if len(systems) > 1 else ():
        for name in [""] if system is not None else systems:
            named = metric.columns.get(name, {})
            # Metrics of one family lack the same.
            lacking = tuple(
                "_".join(part for part in (metric.label.lower(), statistic, name) if part)
                for statistic in metric.family.statistics
                if statistic not in named
            )
            problems[lacking] = Problem(
                f"There is no column {listed(lacking)}: the metric is computed from "
                f"{listed(metric.family.statistics)}.",
                "Rename the columns that hold these counts.",
            )
    found.problems.extend(problem for lacking, problem in problems.items() if lacking)


# A part, the whole that holds it, and both in words.
_PARTS = {
    "ratio": (("correct", "total"),),
    "aer": (("in_sure", "in_possible"), ("in_possible", "n_proposed"), ("in_sure", "n_sure")),
    "bleu": tuple((f"match{order}", f"total{order}") for order in range(1, 5)),
    "chrf": tuple(
        (f"chrf_char{order}_match", f"chrf_char{order}_{whole}")
        for order in range(1, CHRF_ORDERS + 1)
        for whole in ("sys", "ref")
    ),
}
# What of the counts is of the gold standard, so that systems have it in common.
_GOLD_COUNTS = {"f1": ((0, 2), "tp + fn"), "aer": ((3,), "n_sure"), "ratio": ((1,), "total")}


def check_relations(
    found: ExampleFindings, metric: CountedMetric, values: Mapping[str, FloatArray]
) -> None:
    """No part is larger than its whole."""
    parts = _PARTS.get(metric.kind, ())
    both = (
        (named[part], named[whole]) for named in metric.columns.values() for part, whole in parts
    )
    for part, whole in dict.fromkeys(both):
        low, high = values[part], values[whole]
        explain = partial(_larger_than, low, high, whole)
        found.cell_problems(np.flatnonzero(low > high), part, explain)


def _larger_than(low: FloatArray, high: FloatArray, whole: str, row: int) -> tuple[str, str]:
    return (
        f"The count is {low[row]:.0f}, more than the {high[row]:.0f} of {quoted(whole)}.",
        "Correct one of them: the first is a part of the second.",
    )


def defined_metrics(
    found: ExampleFindings,
    arrays: Mapping[str, Sequence[FloatArray]],
    kinds: Mapping[str, str],
    systems: Sequence[str],
) -> tuple[str, ...]:
    """The metrics that every system has a score of on all datasets; the first must be one."""
    kept: list[str] = []
    for index, (name, per_dataset) in enumerate(arrays.items()):
        metric = STATISTIC_METRICS[kinds[name]]
        undefined = [
            (dataset, system)
            for dataset, counts in zip(found.groups.datasets, per_dataset, strict=True)
            for system, score in zip(systems, metric.score(counts.sum(axis=0)), strict=True)
            if np.isnan(score)
        ]
        if not undefined:
            kept.append(name)
        elif index == 0:
            problems = [
                Problem(
                    f"{quoted(name)} of {quoted(system)} is not defined: {metric.formula} "
                    "would divide by 0.",
                    "Leave this dataset out, or correct its counts.",
                    dataset=dataset or None,
                )
                for dataset, system in undefined
            ]
            found.problems.extend(
                bounded(problems, n_problems=len(problems), of="datasets and systems")
            )
        else:
            dataset, system = undefined[0]
            found.remarks.append(
                f"{quoted(name)} is left out: that of {quoted(system)} on {quoted(dataset)} is not "
                "defined, as nothing is counted there."
            )
    return tuple(kept)


def remark_on_gold(
    found: ExampleFindings, arrays: Mapping[str, Sequence[FloatArray]], kinds: Mapping[str, str]
) -> None:
    """Remarks where counts of the gold standard differ between systems."""
    said: set[str] = set()
    for name, per_dataset in arrays.items():
        kind = kinds[name]
        if kind not in _GOLD_COUNTS or kind in said:
            continue
        said.add(kind)
        positions, words = _GOLD_COUNTS[kind]
        sizes = [counts[:, :, list(positions)].sum(axis=2) for counts in per_dataset]
        differ = [int((size != size[:, :1]).any(axis=1).sum()) for size in sizes]
        if any(differ):
            where = [dataset for dataset, n in zip(found.groups.datasets, differ, strict=True) if n]
            found.remarks.append(
                f"{quoted(words)} differs between the systems on {counted(sum(differ), 'example')}, of "
                f"{listed(where)}; it usually counts the gold standard and is then the same for "
                "all systems."
            )


PER_EXAMPLE_COUNTS = "per-example counts"


def recognise_counts(columns: Columns) -> Roles | None:
    """Every role of counts, those that are given as they are; None for another layout."""
    raw, given, system = columns.raw, columns.given, columns.system
    roles: Roles = {**columns.of_examples(columns.example, (system,)), "system": system}
    metrics = metrics_of(raw, {**roles, "metric": given.get("metric")})
    if not columns.asks_for(PER_EXAMPLE_COUNTS) and (
        not metrics or are_scores_beside_lengths(raw, metrics)
    ):
        return None
    return {
        **roles,
        "metric": given.get("metric") or (metrics[0].name if metrics else None),
        "higher_is_better": given.get(
            "higher_is_better",
            STATISTIC_METRICS[metrics[0].kind].higher_is_better if metrics else True,
        ),
    }


def read_sums(found: ExampleFindings) -> ResultSet:
    """Read counts by their roles."""
    system = found.column("system")
    # A mean of counts would weigh each example by its runs.
    settle_runs(found, averaged=False)
    metrics = metrics_of(found.raw, found.roles)
    named = (
        (name for metric in metrics for name in metric.columns)
        if system is None
        else found.raw.coded(system).texts
    )
    systems = tuple(dict.fromkeys(name for name in named if name))
    check_columns(found, metrics, systems, system)
    found.stop_at_problems()
    check_systems(found, systems, from_header=False)
    columns = columns_of(metrics)

    def check(missing_allowed: bool) -> None:
        values = {c: read_counts(found, c, missing_allowed=missing_allowed) for c in columns}
        for metric in metrics:
            check_relations(found, metric, values)

    examples = complete_rows(found, columns, check)
    refuse_single_examples(found, examples)
    values = {column: read_counts(found, column) for column in columns}
    rows = examples.rows[:, :, 0, 0]
    arrays = {
        metric.name: examples.split(_stacked(metric, systems, system, values, rows))
        for metric in metrics
    }
    kinds = {metric.name: metric.kind for metric in metrics}
    names = defined_metrics(found, arrays, kinds, systems)
    found.stop_at_problems()
    remark_on_gold(found, arrays, kinds)
    remark_on_columns(found, systems, read=columns, of_examples=True)
    metric, kind = next(iter(kinds.items()))
    higher = STATISTIC_METRICS[kind].higher_is_better
    if declared_direction(found.roles, metric) is not higher:
        found.remarks.append(
            f"{'A higher' if higher else 'A lower'} {metric} is better, whatever is declared: it "
            "follows from the counts."
        )
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={name: arrays[name] for name in names},
        higher_is_better={name: STATISTIC_METRICS[kinds[name]].higher_is_better for name in names},
        score_decimals=0,
        kinds={name: kinds[name] for name in names},
        **beside_scores(found, examples, counts=columns),
    )


def columns_of(metrics: Sequence[CountedMetric]) -> tuple[str, ...]:
    """Every column of counts, each once."""
    named = (own for metric in metrics for own in metric.columns.values())
    return tuple(dict.fromkeys(column for own in named for column in own.values()))


def _stacked(
    metric: CountedMetric,
    systems: Sequence[str],
    system: str | None,
    values: Mapping[str, FloatArray],
    rows: IntArray,
) -> FloatArray:
    """One metric's counts, shape (n, n_systems, s)."""
    statistics = metric.family.statistics
    stacked = np.empty((rows.shape[0], len(systems), len(statistics)), order="F")
    for index, name in enumerate(systems):
        columns = metric.columns["" if system is not None else name]
        own = rows[:, index if system is not None else 0]
        for position, statistic in enumerate(statistics):
            stacked[:, index, position] = values[columns[statistic]][own]
    return stacked


OF_COUNTS = FileKind(
    name=PER_EXAMPLE_COUNTS,
    description="One row for each example, with each system's counts in columns such as "
    "'correct_A' and 'total' or 'tp_A', 'fp_A' and 'fn_A'; or one row for each example and "
    "system, with its name and columns such as 'correct' and 'total'.",
    needs={},
    roles=("dataset", "example", "system", "run", "cluster", COVARIATES, "margin"),
    template="""\
dataset,example,correct_Ours,correct_Baseline,total
English-EWT,1,9,8,10
English-EWT,2,21,21,23
English-EWT,3,4,5,6
Danish-DDT,1,13,11,14
Danish-DDT,2,7,7,7
Danish-DDT,3,17,15,19
""",
    recognise=recognise_counts,
    read=read_sums,
    declares=("runs", "incomplete"),
    shows_by_headings=True,
)


CELLS = ("both_right", "a_right_b_wrong", "a_wrong_b_right", "both_wrong")
_PLAIN = {
    "both_right": "both right, both correct, n11, n 11",
    "a_right_b_wrong": "only a, a only, only a right, only a correct, n10, n 10, b",
    "a_wrong_b_right": "only b, b only, only b right, only b correct, n01, n 01, c",
    "both_wrong": "both wrong, both incorrect, neither, neither right, neither correct, n00, n 00",
}
# What the letters stand for, where nothing but custom says so.
BY_CUSTOM = frozenset({"n10", "n 10", "b", "n01", "n 01", "c"})
# "ours_right_base_wrong", in either order.
_RIGHT, _WRONG = "(?:right|correct)", "(?:wrong|incorrect)"
_APART = r"[\s_\-]+"
_RIGHT_AND_WRONG, _WRONG_AND_RIGHT = (
    re.compile(rf"(?=(?s:.*){_WRONG})(.+?){_APART}{one}{_APART}(.+){_APART}{other}", re.IGNORECASE)
    for one, other in ((_RIGHT, _WRONG), (_WRONG, _RIGHT))
)
# "ours_only", "only ours right", but not "only ours wrong".
_ALONE = re.compile(
    rf"(?!.*(?:wrong|incorrect|fail|err|miss))(?=only{_APART}|(?=(?s:.*)only$).*{_APART}only$)"
    rf"(?:only{_APART})?(.+?)(?:{_APART}{_RIGHT})?(?:{_APART}only)?",
    re.IGNORECASE,
)


def find_cells(raw: RawTable, dataset: str | None) -> tuple[dict[str, str], tuple[str, str]]:
    """The columns of the four counts, as far as they are there, and the systems' names."""
    free = [column for column in raw.header if column != dataset]
    plain = {name: find_column(free, said.split(", ")) for name, said in _PLAIN.items()}
    columns = {name: column for name, column in plain.items() if column is not None}
    systems = ("A", "B")
    cells: dict[tuple[str, str], str] = {}
    for column in free:
        found = _RIGHT_AND_WRONG.fullmatch(column.strip())
        turned = None if found else _WRONG_AND_RIGHT.fullmatch(column.strip())
        named = found or turned
        if named is None:
            continue
        one, other = named.groups()
        pair = (folded(one), folded(other))
        if not cells:
            # The first system is the one named first.
            cells = dict(zip((pair, pair[::-1]), CELLS[1:3], strict=True))
            systems = systems if pair == ("a", "b") else (one, other)
        if cell := cells.get(pair if found else pair[::-1]):
            columns[cell] = column
    alone = {found[1]: column for column in free if (found := _ALONE.fullmatch(column.strip()))}
    if len(alone) == 2 and columns.keys() == {CELLS[0], CELLS[3]}:
        one, other = alone
        return columns | dict(zip(CELLS[1:3], alone.values(), strict=True)), (one, other)
    return columns, systems


def discordant_columns(raw: RawTable) -> tuple[str, ...]:
    """The two columns of McNemar's b and c, whatever they are called; () where there are none.

    Plain letters count in lower case and without an 'a' beside them, as 'A', 'B' and 'C'
    are systems.
    """
    cells, _ = find_cells(raw, None)
    found = tuple(cells[name] for name in CELLS[1:3] if name in cells)
    if len(found) < 2 or not all(are_counts(raw, column) for column in found):
        return ()
    letters = {"a", "b", "c", "d"}
    if letters.isdisjoint(map(heading, found)):
        return found
    return found if {c for c in raw.header if c.lower() in letters} == {"b", "c"} else ()


def are_shown(columns: Columns) -> bool:
    """Whether these are McNemar's counts, and no scores of systems with such names."""
    raw, dataset = columns.raw, columns.dataset
    cells, _ = find_cells(raw, dataset)
    if dataset is not None and has_repeats(raw, dataset) and len(cells) < len(CELLS):
        return False
    if "both_right" in cells or "both_wrong" in cells:
        return True
    pair, size = discordant_columns(raw), size_column(raw)
    if columns.example is not None or columns.gold is not None:
        return False
    beside = set(numeric_columns(raw, [c for c in (dataset, size) if c])).difference(pair)
    if pair and len(beside) < 2:
        return True
    if size is None or not set("abcd") <= set(raw.header):
        return False
    # a, b, c and d are the four counts, and no systems, where they add up to the size.
    sums = sum(numbers_of(raw, letter).values for letter in "abcd")
    return np.array_equal(sums, numbers_of(raw, size).values)


def size_column(raw: RawTable) -> str | None:
    """The column that says how many examples a dataset has."""
    return find_column(raw.header, (*VOCABULARY["n_examples"], "total"))


# The layout of McNemar's counts: on how many examples of a dataset both, one or none was right. The
# examples are rebuilt from them: no test of right and wrong asks which example was which.
OUTCOMES = "counts of right and wrong"
# Whether A and whether B was right.
_OUTCOMES = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])


def recognise_outcomes(columns: Columns) -> Roles | None:
    """Every role of McNemar's counts, those that are given as they are; None for another layout."""
    given = columns.given
    if not columns.asks_for(OUTCOMES) and not are_shown(columns):
        return None
    return {
        "dataset": columns.dataset,
        "metric": given.get("metric") or "accuracy",
        "higher_is_better": given.get("higher_is_better", True),
    }


def read_outcomes(found: ExampleFindings) -> ResultSet:
    """Read McNemar's counts and rebuild the examples."""
    dataset = found.column("dataset")
    cells, systems = find_cells(found.raw, dataset)
    found.problems.extend(_column_problems(found, cells))
    found.stop_at_problems()
    if dataset is not None:
        check_once(found)
    remedy = "Give the count, or leave the dataset out."
    counts = np.column_stack([read_counts(found, cells[name], remedy=remedy) for name in CELLS])
    _check_sizes(found, counts, cells)
    found.stop_at_problems()

    found.remarks.append(
        "The examples are rebuilt from the counts and have no ids: which example is which is not "
        "known."
    )
    one, other = cells["a_right_b_wrong"], cells["a_wrong_b_right"]
    if heading(one) in BY_CUSTOM:
        found.remarks.append(
            f"{quoted(one)} is read as the number of examples that only A got right, "
            f"{quoted(other)} as that of B."
        )
    read = {*cells.values(), size_column(found.raw) or ""}
    remark_on_columns(found, systems, read=read)
    metric = str(found.roles["metric"])
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={metric: tuple(np.repeat(_OUTCOMES, row.astype(np.intp), axis=0) for row in counts)},
        higher_is_better={metric: True},
        score_decimals=0,
        reading=reading_of(found, counts=tuple(cells.values())),
    )


def _column_problems(found: ExampleFindings, cells: Mapping[str, str]) -> Iterator[Problem]:
    lacking = [name for name in CELLS if name not in cells]
    letters = [c for c in cells.values() if heading(c) in ("b", "c")]
    other_reading = (
        f" If {quoted(letters[0])} and {quoted(letters[1])} are systems, choose the layout "
        "'one score for each dataset and system'."
        if len(letters) > 1
        else ""
    )
    if lacking:
        yield Problem(
            f"There is no column of {listed(lacking)}, so the systems' scores are not known.",
            f"McNemar's counts are {listed(CELLS)}, or 'n11', 'n10', 'n01', 'n00'. Without them, give "
            "a p-value for each dataset in a column 'p_value'." + other_reading,
        )
    if found.column("dataset") is None and found.raw.n_rows > 1:
        yield Problem("No column names the datasets.", "Name a column 'dataset' or choose one.")
    yield from lower_is_better_problems(found.roles, of="Correctness")


def _check_sizes(found: ExampleFindings, counts: FloatArray, cells: Mapping[str, str]) -> None:
    """Each dataset has an example, all together are not too many, and a stated number holds."""
    sizes = counts.sum(axis=1)
    column = found.column("dataset") or cells["both_right"]
    found.cell_problems(
        np.flatnonzero(sizes == 0),
        column,
        lambda row: ("All four counts are 0.", "Leave the dataset out."),
    )
    if sizes.sum() > MAX_ROWS:
        found.refuse(
            f"The counts add up to {sizes.sum():,.0f} examples; at most {MAX_ROWS:,} are read.",
            "Read fewer datasets at a time.",
        )
    size = size_column(found.raw)
    if size is None or size in cells.values() or not are_counts(found.raw, size):
        return
    stated = read_counts(found, size)
    found.cell_problems(
        np.flatnonzero(np.isfinite(stated) & (stated != sizes)),
        size,
        lambda row: (
            f"The four counts add up to {sizes[row]:,.0f}, not to {stated[row]:,.0f}.",
            "Correct one of them.",
        ),
    )


OF_OUTCOMES = FileKind(
    name=OUTCOMES,
    description="One row for each dataset: on how many examples both systems were right, only "
    "A, only B, and none, in columns such as 'both_right', 'a_right_b_wrong', "
    "'a_wrong_b_right', 'both_wrong'; 'margin' where each dataset has one of its own.",
    needs={},
    roles=("dataset", "margin"),
    template="""\
dataset,both_right,ours_right_baseline_wrong,ours_wrong_baseline_right,both_wrong,margin
SST-2,790,32,21,29,1 point
MRPC,321,24,16,47,1 point
RTE,115,59,38,65,2 points
""",
    recognise=recognise_outcomes,
    read=read_outcomes,
    shows_by_headings=True,
)
