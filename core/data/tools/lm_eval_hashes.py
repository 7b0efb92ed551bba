"""Whether models were judged by the same targets, and asked in the same words: by their hashes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.data.tools.agreement import MOST_NAMED
from core.data.tools.lm_eval_samples import Samples
from core.data.words import listed, quoted
from core.errors import Problem

# For each task and pair of systems the documents of which two hashes differ.
_Differing = Mapping[tuple[str, str, str], Collection[str]]


def target_problems(
    samples: Sequence[Samples], tasks: Mapping[str, str], names: Mapping[str, str]
) -> list[Problem]:
    """A problem for each task of which two systems were judged by different right answers."""
    held = [(tasks[one.path], names[one.path], one.examples, one.targets) for one in samples]
    return [
        Problem(
            what=f"The systems {quoted(a)} and {quoted(b)} were judged by different right answers "
            f"('target_hash'): those of {_counted(documents)}.",
            remedy="Evaluate both with the same version of the task.",
            dataset=task,
        )
        for (task, a, b), documents in _differing(held).items()
        # One system's own files are compared by what is said of repeated files.
        if a != b
    ]


def prompt_remarks(
    samples: Sequence[Samples], tasks: Mapping[str, str], names: Mapping[str, str]
) -> list[str]:
    """One remark where models were asked in different words, with the numbers of documents."""
    held = [(tasks[one.path], names[one.path], one.examples, one.prompts) for one in samples]
    by_task: dict[str, set[str]] = {}
    for (task, a, b), documents in _differing(held).items():
        if a != b:
            by_task.setdefault(task, set()).update(documents)
    if not by_task:
        return []
    n = sum(map(len, by_task.values()))
    shown = "; ".join(f"{len(own):,} of {task}" for task, own in by_task.items())
    return [
        f"The systems were not asked {n:,} document{'s' if n != 1 else ''} in the same words "
        f"('prompt_hash' differs): {shown}. Chat templates of their own, or other numbers of "
        "examples in the prompt, may be why."
    ]


def _differing(held: Sequence[tuple[str, str, Sequence[str], Sequence[str]]]) -> _Differing:
    first: dict[str, dict[str, tuple[str, str]]] = {}
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for task, system, examples, hashes in held:
        known = first.setdefault(task, {})
        for example, own in zip(examples, hashes, strict=True):
            if own:
                other, seen = known.setdefault(example, (system, own))
                if seen != own:
                    found.setdefault((task, other, system), {})[example] = None
    return found


def _counted(documents: Collection[str]) -> str:
    if len(documents) == 1:
        return f"the document {quoted(next(iter(documents)))}"
    such = listed(list(documents)[:MOST_NAMED])
    return f"{len(documents):,} documents, such as {such}"
