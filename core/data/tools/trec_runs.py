"""Rankings of documents and judgements of them: no scores by query, and what gives these."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.data.provenance import FileUse
from core.data.roles import Roles
from core.data.sources.given import SourceFile
from core.data.sources.name_grid import without_ending
from core.data.sources.stages import Stages
from core.data.tools.gathered import HEAD_BYTES, Gathered, Tool

RUN = "ranking of documents (TREC run)"
JUDGEMENTS = "judgements of documents (qrels)"
_RUN_LINE = re.compile(
    r"\S+[ \t]+(?i:q?0)[ \t]+\S+[ \t]+-?\d+[ \t]+[+-]?(\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t]+\S+"
)
_JUDGEMENT_LINE = re.compile(r"\S+[ \t]+((?i:q)?0)[ \t]+(\S+)[ \t]+-?\d+")
_LINES_LOOKED_AT = 40
# What a file is called that somebody keeps judgements in.
_NAMED_JUDGEMENTS = re.compile(r"qrels?\b|qrels?[._-]|judg(e)?ments", re.IGNORECASE)


def _claims(files: Sequence[SourceFile]) -> list[int]:
    runs = [position for position, file in enumerate(files) if _all_lines(file, _RUN_LINE)]
    judgements = [
        position
        for position, file in enumerate(files)
        if position not in runs
        and _all_lines(file, _JUDGEMENT_LINE)
        and (bool(runs) or _NAMED_JUDGEMENTS.search(file.name) is not None or _has_words(file))
    ]
    return sorted([*runs, *judgements])


def _all_lines(file: SourceFile, pattern: re.Pattern[str]) -> bool:
    """Whether every line at a file's start is of this kind."""
    lines = _start(file)
    return len(lines) > 0 and all(pattern.fullmatch(line) for line in lines)


def _start(file: SourceFile) -> list[str]:
    head = file.content[:HEAD_BYTES]
    if b"\x00" in head:
        return []
    lines = head.decode("utf-8", "replace").splitlines()
    if len(lines) > 1 and len(file.content) > len(head):
        lines.pop()
    return [line.strip() for line in lines if line.strip()][:_LINES_LOOKED_AT]


def _has_words(file: SourceFile) -> bool:
    """Whether documents have names with letters, as no table of numbers has."""
    found = [_JUDGEMENT_LINE.fullmatch(line) for line in _start(file)]
    return all(one is not None and re.search("[A-Za-z]", one[2]) for one in found)


def _gather(files: Sequence[SourceFile], given: Roles, stages: Stages) -> Gathered:
    """Nothing but what each file is, and how it becomes scores."""
    runs = [file for file in files if _all_lines(file, _RUN_LINE)]
    judgements = [file for file in files if file not in runs]
    uses = [
        FileUse(
            path=file.name,
            kind=RUN if file in runs else JUDGEMENTS,
            content=_content(file, is_run=file in runs),
            used=False,
            reason=_run_reason(file, judgements) if file in runs else _judgement_reason(runs),
        )
        for file in files
    ]
    return Gathered(uses=tuple(uses))


def _content(file: SourceFile, *, is_run: bool) -> str:
    lines = [line.split(None, 1)[0] for line in file.content.splitlines() if line.strip()]
    n, n_queries = len(lines), len(set(lines))
    what = "ranked documents" if is_run else "judgements"
    return f"{n:,} {what}, {n_queries:,} quer{'y' if n_queries == 1 else 'ies'}"


def _run_reason(file: SourceFile, judgements: Sequence[SourceFile]) -> str:
    qrels = judgements[0].name if len(judgements) == 1 else "QRELS"
    where = (
        "with the judgements beside it"
        if len(judgements) == 1
        else "with the judgements (qrels) of its collection, in a file QRELS,"
    )
    scores = f"{without_ending(file.name)}.eval"
    return (
        f"A ranking has no score before it is judged: {where} "
        f"'trec_eval -q {qrels} {file.name} > {scores}' writes one for each query, as does "
        "ranx.evaluate(qrels, run, metrics, return_mean=False) in Python; give that file."
    )


def _judgement_reason(runs: Sequence[SourceFile]) -> str:
    if runs:
        return "Judgements say which documents are right; they are no result of a system."
    return (
        "Judgements say which documents are right; they are no result of a system. Give what "
        "'trec_eval -q' prints for each system's run."
    )


TREC_RUNS = Tool(
    name="rankings and judgements (TREC)",
    is_of=lambda file, head: False,
    gather=_gather,
    claims=_claims,
)
