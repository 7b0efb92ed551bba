"""The layout of numbers to be correlated with gold, such as similarities with human judgements.

F1 or a loss for each example stands beside a label as a predicted rating stands beside a rating
from 1 to 5, so the file's owner is asked which they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from ...errors import Choice, DataError, Problem, listed, quoted
from ...metrics.registry import CORRELATIONS, correlation_with
from ...types import FloatArray
from ..result_set import ResultSet
from ..roles import (
    COVARIATES,
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    declared_direction,
    systems_of,
)
from ..tables.headings import SYSTEM_HEADINGS, heading
from ..tables.limits import bounded
from ..tables.raw_table import RawTable
from .columns import Columns, FileKind, columns_but_passages, held
from .complete_rows import beside_scores, complete_scores
from .mending import ask_for_order
from .pairing import Slots
from .per_example import (
    ExampleFindings,
    check_datasets,
    check_systems,
    remark_on_columns,
)
from .predictions import are_ratings, are_whole_classes
from .row_units import FEW_IN, candidates, combined, n_combinations
from .runs import settle_runs
from .score_cells import notation_remarks, numeric_columns, scores_of

SCORES = "per-example scores"
CORRELATED = "numbers to be correlated with gold"


def ask_what_numbers_are(columns: Columns) -> None:
    """Nothing where the question is answered or none.

    Raises `DataError` with the question, where gold holds few whole numbers and systems hold
    others.
    """
    choice, given = scores_or_correlated(columns), columns.given
    # Who says which column is gold has said what the numbers are for.
    if choice is None or given.get(LAYOUT) is not None or "gold" in given:
        return
    raise DataError.of(
        "It holds few different whole numbers, as classes are written, and the systems' "
        "numbers are no such classes: they may be scores of each example, or numbers to be "
        "correlated with these.",
        "Choose which they are.",
        column=columns.gold,
        columns=columns.raw.header,
        choices=[choice],
    )


def scores_or_correlated(columns: Columns) -> Choice | None:
    """The question what the systems' numbers are; None where gold leaves none."""
    raw, gold = columns.raw, columns.gold
    if gold is None:
        return None
    others = systems_of(columns.given) or candidates(raw, columns.base)
    if not are_ratings(raw, gold, others) or not are_whole_classes(raw, gold):
        return None
    return Choice(
        role=LAYOUT,
        question=f"Are the systems' numbers scores of each example, or numbers like {quoted(gold)}?",
        options=(
            (SCORES, f"They are scores; {quoted(gold)} is not needed"),
            (CORRELATED, f"Correlate them with {quoted(gold)}"),
        ),
    )


NAME = CORRELATED
ROLES = ("dataset", "example", "gold", SYSTEMS, "run", "cluster", COVARIATES, "margin")

# Tests of two correlations have n − 3 degrees of freedom.
FEWEST_EXAMPLES = 4


def recognise(columns: Columns) -> Roles | None:
    """Every role of numbers to be correlated, those given as they are; None for others."""
    raw, given, dataset = columns.raw, columns.given, columns.dataset
    example, gold, systems = columns.example, columns.gold, systems_of(given)
    taken = [*columns.base, *held(column_of(given, "cluster"))]
    if not columns.asks_for(NAME):
        named = columns.system
        if named is not None:
            if example is not None or n_combinations(raw, [*held(dataset), named]) < raw.n_rows:
                # Rows of one system each hold its scores, be they beside a label.
                return None
            example = named
            taken.append(named)
        others = candidates(raw, taken) if systems is None else systems
        if gold is None or not are_ratings(raw, gold, others):
            return None
        ask_what_numbers_are(columns)
    example, run = columns.ids_and_runs(example)
    if "example" not in given and _judged_twice(raw, (dataset, run), example, gold) is not None:
        example = None
    cluster = columns.cluster((run,), (example, gold))
    if systems is None:
        systems = numeric_columns(raw, [*taken, *held(cluster)])
    if gold is not None:
        ask_for_order(columns, systems, one_gold=True)
    return {
        "dataset": dataset,
        "example": example,
        "gold": gold,
        SYSTEMS: systems,
        "run": run,
        "cluster": cluster,
        "metric": given.get("metric") or CORRELATIONS[0],
        "higher_is_better": given.get("higher_is_better", True),
    }


def read(found: ExampleFindings) -> ResultSet:
    """Read gold numbers and each system's, by their roles."""
    example, gold = found.column("example"), found.column("gold")
    systems = systems_of(found.roles) or ()
    # The mean of several predictions is what another system would predict.
    settle_runs(found, averaged=False)
    found.check_shared_roles()
    asked = scores_or_correlated(Columns(found.raw, found.roles))
    found.choices.extend([] if asked is None else [asked])
    _check_roles(found, systems)
    found.stop_at_problems()
    check_systems(found, systems)
    check_datasets(found)
    columns = (cast(str, gold), *systems)
    examples = complete_scores(found, Slots(), columns)
    cells = [scores_of(found.raw, column) for column in columns]
    numbers = np.column_stack([column.values for column in cells])
    per_dataset = cast("list[FloatArray]", found.groups.split(numbers))
    _check_variation(found, columns, per_dataset)
    found.stop_at_problems()

    remark_on_columns(found, systems)
    found.remarks.extend(notation_remarks(dict(zip(columns, cells, strict=True))))
    if example is None:
        _remark_on_ids(found)
    elif heading(example) in SYSTEM_HEADINGS:
        found.remarks.append(
            f"Each row is one system of {quoted(example)}. Compared are {listed(systems)}, by how "
            f"their numbers for these systems correlate with {quoted(str(gold))}."
        )
    _remark_on_sign(found, systems, per_dataset)
    scores = tuple(values[:, 1:] for values in per_dataset)
    metrics = sorted(CORRELATIONS, key=lambda metric: metric != found.roles["metric"])
    no_inputs = columns_but_passages(found.raw, found.roles)
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values=dict.fromkeys(metrics, scores),
        higher_is_better=dict.fromkeys(metrics, True),
        score_decimals=max(int(column.decimals.max()) for column in cells[1:]),
        kinds={metric: metric for metric in metrics},
        gold_scores=tuple(values[:, 0] for values in per_dataset),
        **beside_scores(found, examples, no_inputs=no_inputs),
    )


def _judged_twice(
    raw: RawTable, within: Sequence[str | None], example: str | None, gold: str | None
) -> int | None:
    """The first row whose id stands before in its dataset, if a few ids do, each with another gold.

    The same pair of words may be judged twice; the same row twice is a mistake.
    """
    if example is None or gold is None:
        return None
    keys = held(*within, example)
    n_again = raw.n_rows - n_combinations(raw, keys)
    if not 0 < n_again <= raw.n_rows // FEW_IN:
        return None
    if n_combinations(raw, [*keys, gold]) < raw.n_rows:
        return None
    _, first = np.unique(combined(raw, keys), return_index=True)
    return int(np.setdiff1d(np.arange(raw.n_rows), first)[0])


def _remark_on_ids(found: ExampleFindings) -> None:
    dataset, gold = found.column("dataset"), found.column("gold")
    example = Columns(found.raw, {"dataset": dataset, "gold": gold}).example
    row = _judged_twice(found.raw, (dataset,), example, gold)
    if row is not None and example is not None:
        found.remarks.append(
            f"{quoted(example)} is not taken for ids, as {quoted(found.raw.column(example)[row].as_py())} "
            f"stands again with another gold number on {found.place(row)}: both rows count."
        )


def _check_roles(found: ExampleFindings, systems: Sequence[str]) -> None:
    roles = found.roles
    found.problems.extend(KIND.lacking(roles))
    found.need_two(
        systems,
        "holds numbers to be correlated with gold",
        "Give each system a column of numbers, or choose the columns.",
    )
    if roles["metric"] not in CORRELATIONS:
        found.refuse(
            f"The metric is declared to be {quoted(str(roles['metric']))}.",
            f"Correlations with gold are {listed(CORRELATIONS)}.",
        )
    if declared_direction(roles, str(roles["metric"])) is False:
        found.refuse(
            "A higher correlation with gold is better.",
            "Leave the declaration `higher_is_better` out; where a system gives "
            "distances, turn their sign.",
        )


def _check_variation(
    found: ExampleFindings, columns: Sequence[str], per_dataset: Sequence[FloatArray]
) -> None:
    """Each dataset has examples enough, and no column is the same all through it."""
    problems = []
    for dataset, values in zip(found.groups.datasets, per_dataset, strict=True):
        n = values.shape[0]
        if n < FEWEST_EXAMPLES:
            problems.append(
                Problem(
                    f"The dataset has {n} example{'' if n == 1 else 's'}; two correlations "
                    f"are compared on {FEWEST_EXAMPLES} or more.",
                    "Leave the dataset out.",
                    dataset=dataset,
                )
            )
            continue
        problems.extend(
            Problem(
                f"Every number is {values[0, index]:.10g}: a correlation with it is not defined.",
                "Leave the dataset out, or the system.",
                dataset=dataset,
                column=column,
            )
            for index, column in enumerate(columns)
            if (values[:, index] == values[0, index]).all()
        )
    found.problems.extend(bounded(problems, n_problems=len(problems), of="datasets and columns"))


def _remark_on_sign(
    found: ExampleFindings, systems: Sequence[str], per_dataset: Sequence[FloatArray]
) -> None:
    """A remark on systems whose numbers fall on most datasets where gold rises."""
    for index, system in enumerate(systems, start=1):
        n_negative = sum(
            correlation_with(values[:, 0], values[:, index], kind="pearson") < 0.0
            for values in per_dataset
        )
        if 2 * n_negative > len(per_dataset):
            found.remarks.append(
                f"{quoted(system)} is correlated negatively with gold on {n_negative} of "
                f"{len(per_dataset)} datasets. If it gives distances, turn their sign."
            )


KIND = FileKind(
    name=NAME,
    description="One row for each example: its dataset, its id where there is one, the gold "
    "number and the number that each system gave, to be compared by their correlations.",
    needs={"gold": "the numbers to correlate with"},
    roles=ROLES,
    template="""\
dataset,item,gold,Our system,Baseline
MC-30,car|automobile,3.92,0.91,0.83
MC-30,gem|jewel,3.84,0.78,0.80
MC-30,journey|voyage,3.84,0.69,0.52
MC-30,noon|string,0.08,0.12,0.23
SimLex-999,old|new,1.58,0.44,0.61
SimLex-999,smart|intelligent,9.20,0.82,0.75
SimLex-999,hard|difficult,8.77,0.77,0.58
SimLex-999,happy|cheerful,9.55,0.80,0.71
""",
    recognise=recognise,
    read=read,
    declares=("runs", "incomplete"),
    signs=("gold",),
)
