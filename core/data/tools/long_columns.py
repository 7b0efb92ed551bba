"""The columns of one long table of everything that tools' files hold for examples."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from core.data.tools.agreement import NOT_ALLOWED, is_plain
from core.data.tools.gathered import Scores
from core.errors import DataError, Problem

# What overlap between datasets is found by: a heading of what systems are given.
INPUT = "input"


def columns_of(
    scores: Sequence[Scores], metrics: Sequence[str]
) -> tuple[list[str], list[pa.Array]]:
    """The header and the columns: ids first, then metrics or counts, then what describes them.

    Where every file says what each of its examples was, a last column passes that on.
    """
    sizes = [len(one.examples) for one in scores]
    measured = list(metrics) or list(dict.fromkeys(name for one in scores for name in one.columns))
    side = list(dict.fromkeys(name for one in scores for name in one.side))
    ids: list[list[Sequence[str]]] = [
        [[one.dataset] * n for one, n in zip(scores, sizes, strict=True)],
        [one.examples for one in scores],
        [[one.system] * n for one, n in zip(scores, sizes, strict=True)],
    ]
    if any(one.runs for one in scores):
        ids.append([one.runs or ["1"] * n for one, n in zip(scores, sizes, strict=True)])
    blank = [[""] * n for n in sizes]
    cells = [
        *ids,
        *([one.columns.get(m, b) for one, b in zip(scores, blank, strict=True)] for m in measured),
        *([one.side.get(s, b) for one, b in zip(scores, blank, strict=True)] for s in side),
    ]
    header = free_names(["dataset", "example", "system", "run"][: len(ids)], measured)
    header += [*measured, *free_names(side, [*header, *measured])]
    if INPUT not in header and all(one.content and all(one.content) for one in scores):
        # One column under such a heading is all that tells examples apart.
        header.append(INPUT)
        cells.append([one.content for one in scores])
    return header, [_column(scores, parts) for parts in cells]


def free_names(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Names for columns, changed where others have them already."""
    free = []
    for name in names:
        while name in taken:
            name = f"{name}_"
        free.append(name)
    return free


def _column(scores: Sequence[Scores], parts: Sequence[Sequence[str]]) -> pa.Array:
    """One column of all files, with nothing in it that no text file may hold."""
    arrays = []
    problems = []
    for one, part in zip(scores, parts, strict=True):
        try:
            array = pa.array(part, type=pa.string())
        except UnicodeEncodeError:
            array = None
        if array is None or _holds_controls(array):
            row = next(row for row, cell in enumerate(part) if not is_plain(cell))
            problems.append(
                Problem(
                    what="A value holds a character that is no letter.",
                    remedy="Write the text anew, without control characters and halves of letters.",
                    line=one.lines[row],
                    file=one.path,
                )
            )
        else:
            arrays.append(array)
    if problems:
        raise DataError(problems)
    return pa.concat_arrays(arrays)


def _holds_controls(array: pa.Array) -> bool:
    return bool(pc.any(pc.match_substring_regex(array, NOT_ALLOWED)).as_py())
