"""The layout of predictions: a row for each example, with its gold label and each system's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from core.data.columns import folded, is_numeric, is_textual
from core.data.number_column import numbers_of
from core.data.per_example import (
    ExampleFindings,
    base_columns,
    candidates,
    check_datasets,
    check_examples,
    check_number_of_datasets,
    check_systems,
    group_rows,
    remark_on_columns,
)
from core.data.provenance import Reading
from core.data.raw_table import RawTable
from core.data.result_set import Labels, ResultSet
from core.data.roles import (
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    shared_column_problems,
    systems_of,
)
from core.data.score_columns import numeric_columns
from core.data.words import listed, quoted
from core.errors import DataError, Problem

NAME = "predictions"
ROLES = ("dataset", "example", "gold", SYSTEMS)

# More different labels than this are free answers: another spelling is another answer.
_MOST_LABELS = 10_000
# More different whole numbers than this are ratings, not classes.
_MOST_CLASSES = 20


def recognise(raw: RawTable, given: Roles) -> Roles | None:
    """Every role of predictions, those in `given` as they are; None for another layout."""
    dataset, example, gold = base_columns(raw, given)
    asked_for = given.get(LAYOUT) == NAME or column_of(given, "gold") is not None
    if gold is None and not asked_for:
        return None
    taken = [column for column in (dataset, example, gold) if column is not None]
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
    return {
        LAYOUT: NAME,
        "dataset": dataset,
        "example": example,
        "gold": gold,
        SYSTEMS: systems,
        "metric": given.get("metric") or "accuracy",
        "higher_is_better": given.get("higher_is_better", True),
    }


def read(raw: RawTable, roles: Roles, source_name: str) -> ResultSet:
    """Read predictions by their roles; a prediction that is the gold label scores 1, another 0.

    Raises
    ------
    DataError
        With every problem of every column.
    """
    dataset, example = column_of(roles, "dataset"), column_of(roles, "example")
    gold, systems = column_of(roles, "gold"), systems_of(roles) or ()
    problems = shared_column_problems(roles) + check_number_of_datasets(raw, dataset)
    if problems:
        raise DataError(problems, columns=raw.header)
    found = ExampleFindings(raw=raw, groups=group_rows(raw, dataset, source_name))
    found.remarks.extend(raw.remarks)
    _check_roles(found, roles, systems)
    check_systems(found, systems)
    if gold is None or found.problems:
        raise DataError(found.problems, columns=raw.header)

    check_datasets(found, dataset)
    check_examples(found, example)
    _check_given(found, gold, "There is no gold label.", "Give it, or leave this example out.")
    for system in systems:
        _check_given(
            found,
            system,
            "There is no prediction.",
            "Give it; where the system gave no answer, write a label that says so, such as 'none'.",
        )
    names, codes = _coded_together(raw, (gold, *systems))
    strange = _written_differently(raw, gold, systems)
    right = tuple(bool((codes[:, j] == codes[:, 0]).any()) for j in range(1, codes.shape[1]))
    _check_labels(found, gold, strange, right)
    if found.problems:
        raise DataError(found.problems, columns=raw.header)

    remark_on_columns(found, roles, systems)
    _remark_on_labels(found, gold, strange, right)
    labels = Labels(
        names=names,
        gold=tuple(found.groups.split(codes[:, 0])),
        predictions=tuple(found.groups.split(codes[:, 1:])),
    )
    metric = cast(str, roles["metric"])
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={metric: labels.correctness()},
        higher_is_better={metric: True},
        example_ids=None if example is None else found.groups.split_text(raw.column(example)),
        labels=labels,
        score_decimals=0,
        reading=Reading(
            source_name=source_name,
            layout=NAME,
            roles=roles,
            columns=raw.header,
            remarks=tuple(found.remarks),
            separator=raw.separator,
            encoding=raw.encoding,
        ),
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
    if shared or len(labels) > _MOST_LABELS:
        return shared
    loose = {_loosely(label) for label in labels}
    return any(_loosely(text) in loose for text in texts)


def are_ratings(raw: RawTable, gold: str, others: Sequence[str]) -> bool:
    """Whether gold and predictions are numbers to be correlated, and no classes in digits."""
    if not is_numeric(raw, gold) or sum(is_numeric(raw, column) for column in others) < 2:
        return False
    if not _is_whole(raw, gold) or len(raw.coded(gold).array) > _MOST_CLASSES:
        return True
    taken = [column for column in raw.header if column not in others]
    return len(predicting_columns(raw, gold, taken)) < 2


def _is_whole(raw: RawTable, column: str) -> bool:
    """Whether the numbers of a column are whole ones."""
    values = numbers_of(raw, column).text_values
    return bool((np.isnan(values) | (values == np.floor(values))).all())


def _check_roles(found: ExampleFindings, roles: Roles, systems: Sequence[str]) -> None:
    if column_of(roles, "gold") is None:
        found.problems.append(
            Problem(
                what="No column is recognised for the role 'gold'.",
                remedy="Name the column of the right labels 'gold' or choose it.",
            )
        )
    if len(systems) < 2:
        some = f"Only {quoted(systems[0])} holds" if systems else "No column holds"
        found.problems.append(
            Problem(
                what=f"{some} predictions that agree with the gold label anywhere; a comparison "
                "needs two systems.",
                remedy="Give each system a column of predictions, written as the gold labels are, "
                "or choose the columns.",
            )
        )
    if roles["higher_is_better"] is not True:
        found.problems.append(
            Problem(
                what="Correctness is better where it is higher.",
                remedy="Leave the declaration `higher_is_better` out.",
            )
        )


def _check_given(found: ExampleFindings, column: str, what: str, remedy: str) -> None:
    blank = pc.equal(found.raw.column(column), "").to_numpy(zero_copy_only=False)
    found.cell_problems(np.flatnonzero(blank), column, lambda row: (what, remedy))


def _coded_together(
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


def _written_differently(raw: RawTable, gold: str, systems: Sequence[str]) -> dict[str, str]:
    """For each system which gold labels it writes with other case or '.0', '' if none."""
    if len(raw.coded(gold).array) > _MOST_LABELS:
        return dict.fromkeys(systems, "")
    right = raw.coded(gold).texts
    known = set(right)
    alike = {_loosely(name): name for name in right if name}
    written = {}
    for system in systems:
        strange = [
            f"{quoted(text)} for {quoted(alike[loose])}"
            for text in raw.coded(system).texts
            if text not in known and (loose := _loosely(text)) in alike
        ]
        written[system] = ", ".join(strange[:5]) + (" and more" if len(strange) > 5 else "")
    return written


def _check_labels(
    found: ExampleFindings, gold: str, strange: Mapping[str, str], ever_right: Sequence[bool]
) -> None:
    """No system writes every label differently from gold."""
    for (system, labels), right in zip(strange.items(), ever_right, strict=True):
        if labels and not right:
            found.problems.append(
                Problem(
                    what=f"No prediction agrees with {quoted(gold)} letter by letter, but it "
                    f"writes {labels}.",
                    remedy="Write predictions as the gold labels are written.",
                    column=system,
                )
            )


def _remark_on_labels(
    found: ExampleFindings, gold: str, strange: Mapping[str, str], ever_right: Sequence[bool]
) -> None:
    systems = tuple(strange)
    for (system, labels), right in zip(strange.items(), ever_right, strict=True):
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


def _loosely(label: str) -> str:
    """A label without case, Unicode form and a needless '.0'."""
    return folded(label).removesuffix(".0")
