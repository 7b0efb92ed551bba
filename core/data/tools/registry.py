"""The evaluation tools whose files are read, and which of several files are whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...errors import DataError, Problem
from ..provenance import FileUse
from ..sources.given import SourceFile, SourceFiles, kind_of_text
from ..sources.name_grid import NothingToCompare
from ..words import listed
from .agreement import MOST_NAMED
from .annotations import ENTITIES, TREEBANKS
from .gathered import HEAD_BYTES, Tool
from .helm import HELM
from .hugging_face import HUGGING_FACE, LIGHTEVAL
from .inspect_logs import INSPECT
from .judged_outputs import EVERY_EVAL_EVER, PROMPTFOO
from .lm_eval import LM_EVAL
from .retrieval import PER_QUERY_JSON, TREC_RUNS, TREC_SCORES
from .sacrebleu_scores import SACREBLEU_SCORES
from .swe_bench import SWE_BENCH, is_lone_map
from .texts import TEXTS

# In the order in which they are asked.
TOOLS: tuple[Tool, ...] = (
    LM_EVAL,
    HELM,
    INSPECT,
    EVERY_EVAL_EVER,
    PROMPTFOO,
    LIGHTEVAL,
    HUGGING_FACE,
    SWE_BENCH,
    SACREBLEU_SCORES,
    TREC_SCORES,
    TREC_RUNS,
    PER_QUERY_JSON,
    TREEBANKS,
    ENTITIES,
    TEXTS,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claimed:
    """Files by the tool that wrote them.

    Attributes
    ----------
    by_tool : tuple of (Tool, tuple of SourceFile)
        Each tool that wrote some, with its files.
    rest : tuple of SourceFile
        Files of no tool.
    """

    by_tool: tuple[tuple[Tool, tuple[SourceFile, ...]], ...]
    rest: tuple[SourceFile, ...]


def claim(files: Sequence[SourceFile], tools: Sequence[Tool] = TOOLS) -> Claimed:
    """Tell which files are of which tool; each is of the first that claims it."""
    left = list(files)
    found: list[tuple[Tool, tuple[SourceFile, ...]]] = []
    for tool in tools:
        if tool.claims is not None:
            held = set(tool.claims(left))
        else:
            held = {
                position
                for position, file in enumerate(left)
                if tool.is_of(file, file.content[:HEAD_BYTES])
            }
        if held:
            found.append((tool, tuple(left[position] for position in sorted(held))))
            left = [file for position, file in enumerate(left) if position not in held]
    if not found and SWE_BENCH in tools and is_lone_map(left):
        found, left = [(SWE_BENCH, tuple(left))], []
    return Claimed(by_tool=tuple(found), rest=tuple(left))


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
        f"Beside files of evaluation tools ({kinds}) other files are not read: {_some(others)}.",
        f"To read these, leave out {_some(theirs)}.",
    )
    return DataError(
        [*error.problems, problem],
        columns=error.columns,
        choices=error.choices,
        roles=error.roles,
    )


def without_tools(unpacked: SourceFiles, claimed: Claimed, error: DataError) -> SourceFiles:
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
