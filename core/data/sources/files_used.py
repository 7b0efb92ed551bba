"""What was made of each of several files, and which of them plainly hold no results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.data.provenance import FileUse
from core.data.sources.foreign_files import sort_by_text
from core.data.sources.given import SourceFile
from core.data.sources.opening import Part, UnpackedFiles
from core.data.sources.score_list import ScoreList
from core.data.words import listed


def without_prose(unpacked: UnpackedFiles) -> UnpackedFiles:
    """The same without logs and other text that plainly holds no results."""
    by_text = sort_by_text(unpacked.files)
    return replace(
        unpacked,
        files=by_text.kept,
        remarks=(*unpacked.remarks, *by_text.remarks),
        aside=(*unpacked.aside, *by_text.aside),
    )


def beside_tools(files: Sequence[SourceFile]) -> list[str]:
    """The remark on files that are left aside because others are those of evaluation tools."""
    if not files:
        return []
    names = listed([file.name for file in files])
    return [f"Left aside, beside the files of evaluation tools: {names}."]


def uses_of(parts: Sequence[Part]) -> list[FileUse]:
    """What was made of files that are no tool's."""
    uses = []
    for part in parts:
        if isinstance(part.content, ScoreList):
            kind, content = "list of values", f"{len(part.content.values):,} values, one a line"
        else:
            kind, content = "table", f"{part.content.n_rows:,} rows"
        uses.append(FileUse(path=part.path, kind=kind, content=content))
    return uses
