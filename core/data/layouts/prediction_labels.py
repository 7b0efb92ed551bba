"""Gold labels and predictions: compared letter by letter, and what looks odd about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from core.data.layouts.per_example import ExampleFindings
from core.data.tables.columns import folded, is_numeric
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Problem
from core.types import IntArray

# More different labels than this are free answers: another spelling is another answer.
MOST_LABELS = 10_000


def check_gold_of_runs(
    found: ExampleFindings, gold: str, codes: npt.NDArray[np.int32], rows: IntArray
) -> None:
    """An example has the same gold label in every run."""
    differ = codes != codes[:, :1]
    lines = found.raw.lines[rows.reshape(len(rows), -1)[:, 0]]
    first_line = np.zeros(found.raw.n_rows, dtype=np.intp)
    first_line[rows.reshape(len(rows), -1)] = lines[:, np.newaxis]
    found.cell_problems(
        np.sort(rows.reshape(len(rows), -1)[differ]),
        gold,
        lambda row: (
            f"The gold label differs from that of another run, on line {first_line[row]}.",
            "Give each example the same gold label in every run.",
        ),
    )


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
    """For each system which gold labels it writes with other case or '.0', '' if none."""
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


def check_labels(
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
    """A label without case, Unicode form and a needless '.0'."""
    return folded(label).removesuffix(".0")
