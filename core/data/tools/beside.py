"""Files of evaluation tools beside other files: which are read, and what is said of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.data.provenance import FileUse
from core.data.sources.foreign_files import kind_of_text
from core.data.sources.name_grid import NothingToCompare
from core.data.sources.opening import UnpackedFiles
from core.data.tools.agreement import MOST_NAMED
from core.data.tools.registry import Claimed
from core.data.words import listed
from core.errors import DataError, Problem


def cannot_compare(error: DataError) -> bool:
    """Whether all is well with tools' files, but for there being too few of them."""
    return all(isinstance(problem, NothingToCompare) for problem in error.problems)


def with_others_named(error: DataError, claimed: Claimed) -> DataError:
    """The same error, naming files that tools' files keep from being read."""
    others = [file.name for file in claimed.rest if not kind_of_text(file)]
    if not others:
        return error
    kinds = listed([tool.name for tool, _ in claimed.by_tool])
    theirs = [file.name for _, files in claimed.by_tool for file in files]
    problem = Problem(
        what=f"Beside files of evaluation tools ({kinds}) other files are not read: "
        f"{_some(others)}.",
        remedy=f"To read these, leave out {_some(theirs)}.",
    )
    return DataError(
        [*error.problems, problem],
        columns=error.columns,
        choices=error.choices,
        roles=error.roles,
    )


def without_tools(unpacked: UnpackedFiles, claimed: Claimed, error: DataError) -> UnpackedFiles:
    """The files of no tool, where those of tools cannot be compared; those are left aside."""
    theirs = [(tool.name, file.name) for tool, files in claimed.by_tool for file in files]
    reason = f"It cannot be compared: {error.problems[0].what}"
    remark = (
        "Left aside, as they cannot be compared by themselves: "
        f"{_some([path for _, path in theirs])}."
    )
    return replace(
        unpacked,
        files=claimed.rest,
        remarks=(*unpacked.remarks, remark),
        aside=(
            *unpacked.aside,
            *(FileUse(path=path, kind=kind, used=False, reason=reason) for kind, path in theirs),
        ),
    )


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return listed(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
