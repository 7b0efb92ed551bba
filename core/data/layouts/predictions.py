"""The layout of predictions: a row for each example, with its gold label and each system's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from ...errors import listed, quoted
from ..result_set import ResultSet
from ..roles import (
    COUNT_WRONG,
    COVARIATES,
    SYSTEMS,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    lower_correctness_problems,
    systems_of,
)
from ..side_data import Labels
from ..tables.headings import folded
from ..tables.number_column import is_numeric, is_textual, numbers_of
from ..tables.raw_table import RawTable
from .columns import Columns, FileKind, columns_but_passages, held
from .complete_rows import beside_scores, complete_rows, count_missing_as_wrong
from .mending import ask_for_order
from .pairing import Slots
from .per_example import (
    ExampleFindings,
    check_datasets,
    check_systems,
    remark_on_columns,
)
from .row_units import blank_rows, candidates
from .runs import kept_runs, mean_of_runs, settle_runs
from .score_cells import numeric_columns

# More different labels than this are free answers: another spelling is another answer.
MOST_LABELS = 10_000


def ever_right(codes: npt.NDArray[np.int32]) -> tuple[bool, ...]:
    """For each system whether it agrees with the gold label anywhere."""
    return tuple(bool((codes[:, j] == codes[:, 0]).any()) for j in range(1, codes.shape[1]))


def coded_together(
    raw: RawTable, columns: Sequence[str]
) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """All labels of these columns, and for each row and column a position among them."""
    positions: dict[str, int] = {}
    codes = np.empty((raw.n_rows, len(columns)), dtype=np.int32, order="F")
    for index, column in enumerate(columns):
        coded = raw.coded(column)
        own = [positions.setdefault(text, len(positions)) for text in coded.texts]
        codes[:, index] = np.array(own, dtype=np.int32)[coded.codes]
    return tuple(positions), codes


def written_differently(raw: RawTable, gold: str, systems: Sequence[str]) -> dict[str, str]:
    """For each system which gold labels it writes otherwise, as `loosely` says, '' if none."""
    if len(raw.coded(gold).array) > MOST_LABELS:
        return dict.fromkeys(systems, "")
    right = raw.coded(gold).texts
    known = set(right)
    alike = {loosely(name): name for name in right if name}
    written = {}
    for system in systems:
        strange = [
            f"{quoted(text)} for {quoted(alike[loose])}"
            for text in raw.coded(system).texts
            if text not in known and (loose := loosely(text)) in alike
        ]
        written[system] = ", ".join(strange[:5]) + (" and more" if len(strange) > 5 else "")
    return written


def remark_on_labels(
    found: ExampleFindings, gold: str, systems: Sequence[str], codes: npt.NDArray[np.int32]
) -> None:
    """Remarks on labels written differently, numbers as labels, and systems never right."""
    strange = written_differently(found.raw, gold, systems)
    for (system, labels), right in zip(strange.items(), ever_right(codes), strict=True):
        if labels:
            found.remarks.append(
                f"Counted as wrong, as labels are compared letter by letter: {quoted(system)} "
                f"writes {labels}."
            )
        elif not right:
            found.remarks.append(f"{quoted(system)} agrees with the gold label nowhere.")
    if not is_numeric(found.raw, gold):
        return
    known = set(found.raw.coded(gold).texts)
    if len(known) > 2:
        found.remarks.append(
            "Gold and predictions are numbers and are compared as labels: right or wrong, however "
            "near."
        )
    digits = {"0", "1"}
    if all(digits >= set(found.raw.coded(system).texts) for system in systems):
        found.remarks.append(
            f"{listed(systems)} hold only 0 and 1, read as predicted classes and compared with "
            f"{quoted(gold)}. If they say already what is right and what is wrong, declare that "
            "there is no gold label."
        )


def loosely(label: str) -> str:
    """A label without case, Unicode form and a needless '.0', with one space for "_" and "-"."""
    return folded(label).replace("_", " ").replace("-", " ").removesuffix(".0")


NAME = "predictions"
ROLES = ("dataset", "example", "gold", SYSTEMS, "run", "cluster", COVARIATES, "margin")

# Stands for a prediction that a system did not give.
_NO_ANSWER = "(no answer)"
# More different whole numbers than this are ratings, not classes.
_MOST_CLASSES = 20


def recognise(columns: Columns) -> Roles | None:
    """Every role of predictions, those that are given as they are; None for another layout."""
    raw, given, dataset, gold = columns.raw, columns.given, columns.dataset, columns.gold
    asked_for = columns.asks_for(NAME) or column_of(given, "gold") is not None
    if gold is None and not asked_for:
        return None
    example, run = columns.ids_and_runs(columns.example)
    cluster = columns.cluster((run,), (example, gold))
    taken = held(dataset, example, gold, run, cluster)
    systems = systems_of(given)
    if systems is None:
        systems = predicting_columns(raw, gold, taken)
    if (
        not asked_for
        and len(systems) < 2 <= len(numeric_columns(raw, taken))
        and gold is not None
        and is_textual(raw, gold)
    ):
        # Scores that stand beside a label.
        return None
    if gold is not None:
        ask_for_order(columns, systems, one_gold=True)
    roles: dict[str, object] = {
        "dataset": dataset,
        "example": example,
        "gold": gold,
        SYSTEMS: systems,
        "run": run,
        "cluster": cluster,
    }
    roles["metric"] = given.get("metric") or "accuracy"
    declared = declared_direction(given, cast(str, roles["metric"]))
    roles["higher_is_better"] = True if declared is None else declared
    return roles


def read(found: ExampleFindings) -> ResultSet:
    """Read predictions by their roles; a prediction that is the gold label scores 1, another 0."""
    gold, systems = found.column("gold"), systems_of(found.roles) or ()
    run = settle_runs(found)
    if found.incomplete == COUNT_WRONG and gold is not None and systems:
        _count_blank_as_wrong(found, gold, systems)
    found.check_shared_roles()
    found.may_be_wrong = True
    _check_roles(found, systems)
    check_systems(found, systems)
    found.stop_at_problems()
    if gold is None:
        raise AssertionError("no gold column is a problem")

    check_datasets(found)
    examples = complete_rows(
        found,
        Slots(run=run),
        missing=lambda raw: blank_rows(raw, (gold, *systems)),
        check=partial(_check_cells, found, gold, systems),
    )
    names, codes = coded_together(found.raw, (gold, *systems))
    if run is not None:
        of_runs = examples.rows[:, 0, 0, :]
        gold_codes = codes[:, 0][of_runs]
        first_line = np.zeros(found.raw.n_rows, dtype=np.intp)
        first_line[of_runs] = found.raw.lines[of_runs[:, :1]]
        found.cell_problems(
            np.sort(of_runs[gold_codes != gold_codes[:, :1]]),
            gold,
            lambda row: (
                f"The gold label differs from that of another run, on line {first_line[row]}.",
                "Give each example the same gold label in every run.",
            ),
        )
        found.stop_at_problems()

    remark_on_columns(found, systems)
    remark_on_labels(found, gold, systems, codes)
    metric = cast(str, found.roles["metric"])
    if run is not None:
        found.remarks.append("The labels themselves are not kept, as runs differ in them.")
    no_inputs = columns_but_passages(found.raw, found.roles)
    sides = beside_scores(found, examples, no_inputs=no_inputs)
    if run is not None:
        right = (codes[:, 1:] == codes[:, :1]).astype(np.float64)
        right_of_runs = np.moveaxis(right[of_runs], 1, -1)
        values = examples.split(np.asfortranarray(mean_of_runs(right_of_runs, 0)))
        each = [right_of_runs[:, index] for index in range(len(systems))]
        sides["repeated_runs"] = kept_runs(found, examples, {metric: each})
    else:
        in_order = codes[examples.first]
        labels = Labels(
            names=names,
            gold=examples.split(in_order[:, 0]),
            predictions=examples.split(in_order[:, 1:]),
        )
        values = labels.correctness()
        sides |= {"labels": labels, "score_decimals": 0}
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={metric: values},
        higher_is_better={metric: True},
        **sides,
    )


def predicting_columns(raw: RawTable, gold: str | None, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns that hold at least one of the gold labels, be it written a little differently."""
    free = candidates(raw, taken)
    if gold is None:
        return tuple(free)
    labels = {text for text in raw.coded(gold).texts if text}
    if is_numeric(raw, gold) and _is_whole(raw, gold):
        # Probabilities and other numbers beside classes in digits.
        free = [column for column in free if not is_numeric(raw, column) or _is_whole(raw, column)]
    return tuple(column for column in free if _holds_any(raw, column, labels))


def _holds_any(raw: RawTable, column: str, labels: set[str]) -> bool:
    texts = raw.coded(column).texts
    shared = not labels.isdisjoint(texts)
    if shared or len(labels) > MOST_LABELS:
        return shared
    loose = {loosely(label) for label in labels}
    return any(loosely(text) in loose for text in texts)


def are_ratings(raw: RawTable, gold: str, others: Sequence[str]) -> bool:
    """Whether gold and predictions are numbers to be correlated, and no classes in digits."""
    if not is_numeric(raw, gold) or sum(is_numeric(raw, column) for column in others) < 2:
        return False
    if not are_whole_classes(raw, gold):
        return True
    taken = [column for column in raw.header if column not in others]
    return len(predicting_columns(raw, gold, taken)) < 2


def are_whole_classes(raw: RawTable, gold: str) -> bool:
    """Whether gold holds few different numbers, all of them whole."""
    return _is_whole(raw, gold) and len(raw.coded(gold).array) <= _MOST_CLASSES


def _is_whole(raw: RawTable, column: str) -> bool:
    """Whether the numbers of a column are whole ones."""
    values = numbers_of(raw, column).text_values
    return bool((np.isnan(values) | (values == np.floor(values))).all())


def _check_roles(found: ExampleFindings, systems: Sequence[str]) -> None:
    found.problems.extend(KIND.lacking(found.roles))
    gold = column_of(found.roles, "gold")
    if gold is not None and not systems and not candidates(found.raw, columns_in_use(found.roles)):
        found.refuse(
            f"{quoted(gold)} is the only column of labels. They are the right ones, or what one "
            "system gave out.",
            "Give a file for each of two systems and one of the right labels, called 'gold'.",
            column=gold,
        )
        return
    found.need_two(
        systems,
        "holds predictions that agree with the gold label anywhere",
        "Give each system a column of predictions, written as the gold labels are, or choose the "
        "columns.",
    )
    found.problems.extend(lower_correctness_problems(found.roles))


def _check_cells(
    found: ExampleFindings, gold: str, systems: Sequence[str], missing_allowed: bool
) -> None:
    """Every cell holds a label, and no system writes every label differently from gold."""
    if not missing_allowed:
        _check_given(found, gold, "There is no gold label.", "Give it, or leave this example out.")
        for system in systems:
            _check_given(
                found,
                system,
                "There is no prediction.",
                "Fill it in, or count it as wrong: write a label that says so, such as 'none'.",
            )
    _, codes = coded_together(found.raw, (gold, *systems))
    strange = written_differently(found.raw, gold, systems)
    for (system, labels), right in zip(strange.items(), ever_right(codes), strict=True):
        if labels and not right:
            found.refuse(
                f"No prediction agrees with {quoted(gold)} letter by letter, but it "
                f"writes {labels}.",
                "Write predictions as the gold labels are written.",
                column=system,
            )


def _check_given(found: ExampleFindings, column: str, what: str, remedy: str) -> None:
    blank = np.flatnonzero(blank_rows(found.raw, (column,)))
    found.cell_problems(blank, column, (what, remedy), mended_by=("incomplete",))


def _count_blank_as_wrong(found: ExampleFindings, gold: str, systems: Sequence[str]) -> None:
    """Go on with a label that is never right for each missing prediction."""
    label = _NO_ANSWER
    while label in found.raw.coded(gold).texts:
        label += "*"
    missing = np.column_stack([blank_rows(found.raw, (system,)) for system in systems])
    count_missing_as_wrong(found, missing, dict.fromkeys(systems, label))


KIND = FileKind(
    name=NAME,
    description="One row for each example: its dataset, its id where there is one, the gold "
    "label and the label that each system gave.",
    needs={"gold": "the right labels"},
    roles=ROLES,
    template="""\
dataset,example,gold,Our system,Baseline
SST-2,1,positive,positive,positive
SST-2,2,negative,negative,positive
SST-2,3,negative,positive,positive
SST-2,4,positive,positive,positive
RTE,1,entailment,entailment,not entailment
RTE,2,not entailment,not entailment,not entailment
RTE,3,entailment,not entailment,entailment
""",
    recognise=recognise,
    read=read,
    declares=("runs", "incomplete"),
    signs=("gold",),
)
