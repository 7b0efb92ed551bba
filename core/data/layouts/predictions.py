"""The kinds of files with gold: labels that are right or wrong, and numbers to be correlated.

F1 or a loss for each example accompanies a label just as a predicted rating accompanies a rating
from 1 to 5, so the file's owner is asked which they are.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from ...errors import Choice, DataError, Problem, answers, bounded, first_of, listed, quoted
from ...metrics.registry import CORRELATIONS, correlation_with
from ...types import FloatArray
from ..result_set import ResultSet
from ..roles import (
    COUNT_WRONG,
    COVARIATES,
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    lower_is_better_problems,
    systems_of,
)
from ..side_data import Labels
from ..tables.headings import folded, is_named
from ..tables.number_column import is_numeric, is_textual, numbers_of
from ..tables.raw_table import RawTable
from .columns import Columns, FileKind, held
from .complete_rows import (
    beside_scores,
    complete_rows,
    complete_scores,
    count_missing_as_wrong,
    refuse_single_examples,
)
from .doubtful_systems import remark_on_columns
from .mending import ask_for_order
from .pairing import kept_runs, mean_of_runs, settle_runs
from .per_example import ExampleFindings, check_systems
from .row_units import FEW_IN, blank_rows, candidates, combined, n_combinations
from .score_cells import notation_remarks, numeric_columns, scores_of

# What spreadsheets write where a formula fails.
_SHEET_ERROR = re.compile(r"#(N/A|REF!|VALUE!|NAME\?|NUM!|NULL!|DIV/0!)")
# More different labels than this are free answers: another spelling is another answer.
MOST_LABELS = 10_000


def remark_on_labels(
    found: ExampleFindings, gold: str, systems: Sequence[str], codes: npt.NDArray[np.int32]
) -> None:
    """Remarks on labels written differently, numbers as labels, and systems never right.

    That no label is written as gold is, is a problem.
    """
    right = found.raw.coded(gold).texts
    # Of free answers another spelling is another answer.
    alike = {loosely(name): name for name in right if name} if len(right) <= MOST_LABELS else {}
    known = set(right)
    for index, system in enumerate(systems):
        is_right = bool((codes[:, index + 1] == codes[:, 0]).any())
        labels = first_of(
            [
                f"{quoted(text)} for {quoted(alike[loose])}"
                for text in found.raw.coded(system).texts
                if text not in known and (loose := loosely(text)) in alike
            ]
        )
        if labels and not is_right:
            found.refuse(
                f"No prediction agrees with {quoted(gold)} letter by letter, but it "
                f"writes {labels}.",
                "Write predictions as the gold labels are written.",
                column=system,
            )
        elif labels:
            found.remarks.append(
                f"Counted as wrong, as labels are compared letter by letter: {quoted(system)} "
                f"writes {labels}."
            )
        elif not is_right:
            found.remarks.append(f"{quoted(system)} agrees with the gold label nowhere.")
    found.stop_at_problems()
    if not is_numeric(found.raw, gold):
        return
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


PREDICTIONS = "predictions"

# Stands for a prediction that a system did not give.
_NO_ANSWER = "(no answer)"
# More different whole numbers than this are ratings, not classes.
_MOST_CLASSES = 20


def recognise_labels(columns: Columns) -> Roles | None:
    """Every role of predictions, those that are given as they are; None for another layout."""
    raw, given, gold = columns.raw, columns.given, columns.gold
    asked_for = columns.asks_for(PREDICTIONS) or column_of(given, "gold") is not None
    if gold is None and not asked_for:
        return None
    of_examples = columns.of_examples(columns.example, taken=(gold,))
    taken = held(gold, *of_examples.values())
    systems = systems_of(given)
    if systems is None:
        systems = predicting_columns(raw, gold, taken)
        if gold is not None and not asked_for:
            _ask_about_features(raw, gold, systems, taken)
    if (
        not asked_for
        and len(systems) < 2 <= len(numeric_columns(raw, taken))
        and gold is not None
        and is_textual(raw, gold)
        and not any(is_named(column, "prediction") for column in systems)
    ):
        # Scores that go with a label, and with no system's own.
        return None
    if gold is not None:
        ask_for_order(columns, systems)
    metric = given.get("metric") or "accuracy"
    declared = declared_direction(given, cast(str, metric))
    return {
        **of_examples,
        "gold": gold,
        SYSTEMS: systems,
        "metric": metric,
        "higher_is_better": True if declared is None else declared,
    }


# Beside predictions stand a few probabilities, beside outcomes that features happen to equal many.
_MANY_OTHERS, _TIMES_AS_MANY = 8, 3


def _ask_about_features(
    raw: RawTable, gold: str, systems: Sequence[str], taken: Sequence[str]
) -> None:
    """Ask whether columns hold predictions: a few of many, or one beside what may be its texts."""
    others = [c for c in numeric_columns(raw, taken) if c not in systems]
    one = [column for column in systems if is_named(column, "prediction")]
    forms = [column for column in systems if column not in one]
    if len(systems) >= 2 and len(others) >= max(_MANY_OTHERS, _TIMES_AS_MANY * len(systems)):
        what = (
            f"Of {len(systems) + len(others)} columns of numbers only {listed(systems)} hold "
            f"classes as {quoted(gold)} does: the file may hold features of examples, and no "
            "predictions."
        )
    elif one and forms:
        what = (
            f"By its heading {listed(one)} holds what the one system predicted, of which "
            f"{listed(forms)} may be another form."
        )
    else:
        return
    raise DataError.of(
        what,
        f"Give one column of predictions for each system beside {quoted(gold)}, headed by its name.",
        choices=answers(
            f"Do {listed(systems)} hold what different systems predicted?",
            (SYSTEMS, tuple(systems), "Yes, compare them"),
        ),
    )


def read_labels(found: ExampleFindings) -> ResultSet:
    """Read predictions by their roles; a prediction that is the gold label scores 1, another 0."""
    gold, systems = str(found.column("gold")), systems_of(found.roles) or ()
    settle_runs(found)
    if found.incomplete == COUNT_WRONG and systems:
        label = _NO_ANSWER
        while label in found.raw.coded(gold).texts:
            label += "*"
        count_missing_as_wrong(found, dict.fromkeys(systems, label), blank_rows)
    found.may_be_wrong = True
    _check_labels(found, systems)
    check_systems(found, systems)
    found.stop_at_problems()

    check = partial(_check_cells, found, gold, systems)
    examples = complete_rows(found, (gold, *systems), check, missing=blank_rows)
    refuse_single_examples(found, examples)
    # For each row and column a position among all labels.
    positions: dict[str, int] = {}
    codes = np.empty((found.raw.n_rows, 1 + len(systems)), dtype=np.int32, order="F")
    for index, column in enumerate((gold, *systems)):
        coded = found.raw.coded(column)
        own = [positions.setdefault(text, len(positions)) for text in coded.texts]
        codes[:, index] = np.array(own, dtype=np.int32)[coded.codes]
    remark_on_columns(found, systems, of_examples=True)
    remark_on_labels(found, gold, systems, codes)
    metric = cast(str, found.roles["metric"])
    if found.averaged is not None:
        found.remarks.append("The labels themselves are not kept, as runs differ in them.")
    sides = beside_scores(found, examples)
    if found.averaged is not None:
        right = (codes[:, 1:] == codes[:, :1]).astype(np.float64)
        right_of_runs = np.moveaxis(right[examples.rows[:, 0, 0, :]], 1, -1)
        values = examples.split(np.asfortranarray(mean_of_runs(right_of_runs, 0)))
        each = [right_of_runs[:, index] for index in range(len(systems))]
        sides["repeated_runs"] = kept_runs(found, examples, {metric: each})
    else:
        in_order = codes[examples.first]
        labels = Labels(
            names=tuple(positions),
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
    loose = {loosely(label) for label in labels} if len(labels) <= MOST_LABELS else set()

    def holds_any(texts: Sequence[str]) -> bool:
        return not labels.isdisjoint(texts) or any(loosely(text) in loose for text in texts)

    return tuple(column for column in free if holds_any(raw.coded(column).texts))


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


def _check_labels(found: ExampleFindings, systems: Sequence[str]) -> None:
    gold = str(found.column("gold"))
    if not systems and not candidates(found.raw, columns_in_use(found.roles)):
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
    found.problems.extend(lower_is_better_problems(found.roles, of="Correctness"))


def _check_cells(
    found: ExampleFindings, gold: str, systems: Sequence[str], missing_allowed: bool
) -> None:
    """Every cell holds a label."""
    lacks_gold = ("There is no gold label.", "Give it, or leave this example out.")
    lacks_answer = (
        "There is no prediction.",
        "Fill it in, or count it as wrong: write a label that says so, such as 'none'.",
    )
    error = ("A spreadsheet error is not a label.", "Give the label, or leave the cell empty.")
    for column in (gold, *systems):
        if not missing_allowed:
            blank = np.flatnonzero(blank_rows(found.raw, (column,)))
            lacks = lacks_gold if column == gold else lacks_answer
            found.cell_problems(blank, column, lacks, mended_by=("incomplete",))
        coded = found.raw.coded(column)
        errors = [i for i, text in enumerate(coded.texts) if _SHEET_ERROR.fullmatch(text)]
        found.cell_problems(np.flatnonzero(np.isin(coded.codes, errors)), column, error)


LABELS = FileKind(
    name=PREDICTIONS,
    description="One row for each example: its dataset, its id where there is one, the gold "
    "label and the label that each system gave.",
    needs={"gold": "the right labels"},
    roles=("dataset", "example", "gold", SYSTEMS, "run", "cluster", COVARIATES, "margin"),
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
    recognise=recognise_labels,
    read=read_labels,
    declares=("runs", "incomplete"),
)


PER_EXAMPLE_SCORES = "per-example scores"
CORRELATED = "numbers to be correlated with gold"


def scores_or_correlated(columns: Columns) -> tuple[Choice, ...]:
    """The question what the systems' numbers are; () where gold leaves none.

    It does where gold holds few whole numbers and systems hold others.
    """
    raw, gold = columns.raw, columns.gold
    if gold is None:
        return ()
    others = systems_of(columns.given) or candidates(raw, columns.base)
    if not are_ratings(raw, gold, others) or not are_whole_classes(raw, gold):
        return ()
    return answers(
        f"Are the systems' numbers scores of each example, or numbers like {quoted(gold)}?",
        (LAYOUT, PER_EXAMPLE_SCORES, f"They are scores; {quoted(gold)} is not needed"),
        (LAYOUT, CORRELATED, f"Correlate them with {quoted(gold)}"),
    )


# Tests of two correlations have n − 3 degrees of freedom.
FEWEST_EXAMPLES = 4


def recognise_numbers(columns: Columns) -> Roles | None:
    """Every role of numbers to be correlated, those given as they are; None for others."""
    raw, given, dataset = columns.raw, columns.given, columns.dataset
    example, gold, systems = columns.example, columns.gold, systems_of(given)
    taken = [*columns.base, *held(column_of(given, "cluster"))]
    if not columns.asks_for(CORRELATED):
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
        choices = scores_or_correlated(columns)
        # Who says which column is gold has said what the numbers are for.
        if choices and given.get(LAYOUT) is None and "gold" not in given:
            raise DataError.of(
                "It holds few different whole numbers, as classes are written, and the systems' "
                "numbers are no such classes: they may be scores of each example, or numbers to be "
                "correlated with these.",
                "Choose which they are.",
                column=gold,
                choices=choices,
            )
    of_examples = columns.of_examples(example, taken=(gold,))
    within, example = held(dataset, of_examples["run"]), of_examples["example"]
    if "example" not in given and _judged_twice(raw, within, example, gold) is not None:
        of_examples["example"] = None
    if systems is None:
        systems = numeric_columns(raw, [*taken, *held(of_examples["cluster"])])
    if gold is not None:
        ask_for_order(columns, systems)
    return {
        **of_examples,
        "gold": gold,
        SYSTEMS: systems,
        "metric": given.get("metric") or CORRELATIONS[0],
        "higher_is_better": given.get("higher_is_better", True),
    }


def read_numbers(found: ExampleFindings) -> ResultSet:
    """Read gold numbers and each system's, by their roles."""
    example, gold = found.column("example"), found.column("gold")
    systems = systems_of(found.roles) or ()
    # The mean of several predictions is what another system would predict.
    settle_runs(found, averaged=False)
    found.choices += scores_or_correlated(Columns(found.raw, found.roles))
    found.need_two(
        systems,
        "holds numbers to be correlated with gold",
        "Give each system a column of numbers, or choose the columns.",
    )
    metric = found.roles["metric"]
    if metric not in CORRELATIONS:
        found.refuse(
            f"The metric is declared to be {quoted(str(metric))}.",
            f"Correlations with gold are {listed(CORRELATIONS)}.",
        )
    found.problems.extend(lower_is_better_problems(found.roles, of="Correlation with gold"))
    found.stop_at_problems()
    check_systems(found, systems)
    columns = (cast(str, gold), *systems)
    examples = complete_scores(found, columns)
    cells = [scores_of(found.raw, column) for column in columns]
    numbers = np.column_stack([column.values for column in cells])
    per_dataset = examples.split(numbers[examples.first])
    _check_variation(found, columns, per_dataset)
    found.stop_at_problems()

    remark_on_columns(found, systems, of_examples=True)
    found.remarks.extend(notation_remarks(dict(zip(columns, cells, strict=True))))
    if example is None:
        shown = Columns(found.raw, {"dataset": found.column("dataset"), "gold": gold})
        row = _judged_twice(found.raw, held(shown.dataset), shown.example, gold)
        if row is not None:
            text = found.raw.column(str(shown.example))[row].as_py()
            found.remarks.append(
                f"{quoted(str(shown.example))} is not taken for ids, as {quoted(text)} stands again "
                f"with another gold number on {found.place(row)}: both rows count."
            )
    elif is_named(example, "system"):
        found.remarks.append(
            f"Each row is one system of {quoted(example)}. Compared are {listed(systems)}, by how "
            f"their numbers for these systems correlate with {quoted(str(gold))}."
        )
    _remark_on_sign(found, systems, per_dataset)
    scores = tuple(values[:, 1:] for values in per_dataset)
    metrics = sorted(CORRELATIONS, key=lambda name: name != metric)
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values=dict.fromkeys(metrics, scores),
        higher_is_better=dict.fromkeys(metrics, True),
        score_decimals=max(int(column.decimals.max()) for column in cells[1:]),
        kinds={metric: metric for metric in metrics},
        gold_scores=tuple(values[:, 0] for values in per_dataset),
        **beside_scores(found, examples),
    )


def _judged_twice(
    raw: RawTable, within: Sequence[str], example: str | None, gold: str | None
) -> int | None:
    """The first row whose id stands before in its dataset, if a few ids do, each with another gold.

    The same pair of words may be judged twice; the same row twice is a mistake.
    """
    if example is None or gold is None:
        return None
    keys = [*within, example]
    n_again = raw.n_rows - n_combinations(raw, keys)
    if not 0 < n_again <= raw.n_rows // FEW_IN:
        return None
    if n_combinations(raw, [*keys, gold]) < raw.n_rows:
        return None
    _, first = np.unique(combined(raw, keys), return_index=True)
    return int(np.setdiff1d(np.arange(raw.n_rows), first)[0])


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


NUMBERS = FileKind(
    name=CORRELATED,
    description="One row for each example: its dataset, its id where there is one, the gold "
    "number and the number that each system gave, to be compared by their correlations.",
    needs={"gold": "the numbers to correlate with"},
    roles=("dataset", "example", "gold", SYSTEMS, "run", "cluster", COVARIATES, "margin"),
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
    recognise=recognise_numbers,
    read=read_numbers,
    declares=("runs", "incomplete"),
)
