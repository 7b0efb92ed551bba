"""The evaluation tools whose files are read, and which of several files are whose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.data.sources.given import SourceFile
from core.data.tools.entities import ENTITIES
from core.data.tools.gathered import HEAD_BYTES, Tool
from core.data.tools.helm import HELM
from core.data.tools.inspect_logs import INSPECT
from core.data.tools.lm_eval import LM_EVAL
from core.data.tools.per_query_json import PER_QUERY_JSON
from core.data.tools.sacrebleu_scores import SACREBLEU_SCORES
from core.data.tools.swe_bench import SWE_BENCH, is_lone_map
from core.data.tools.texts import TEXTS
from core.data.tools.trec_runs import TREC_RUNS
from core.data.tools.trec_scores import TREC_SCORES
from core.data.tools.treebanks import TREEBANKS

# In the order in which they are asked.
TOOLS: tuple[Tool, ...] = (
    LM_EVAL,
    HELM,
    INSPECT,
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
