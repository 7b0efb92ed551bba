"""Counting shared examples jointly: the answer where it was asked for, made in the background."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from core.analysis import Analysis, statements
from core.words.counting import NULL_AND_LIMITS, joint_frame
from core.words.subject import Question
from pages.ui.frame import prose, state, tables
from pages.ui.work import studies
from pages.ui.work.jobs import Progress

_KIND = "joint flips"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was computed for an analysis, by the keys under which the session keeps it."""

    results: dict[Hashable, Any]


def answer(analysis: Analysis, question: Question) -> None:
    """The count by joint flips, its names, and what stands beside it."""
    if _found(analysis, question):
        first, *others = statements.joint(analysis, question)
        with st.container(border=True):
            prose.paragraph(first, strong=True)
            prose.paragraphs(others)


def details(analysis: Analysis, question: Question) -> None:
    """Each dataset by joint flips, and what they rest on."""
    prose.paragraph(NULL_AND_LIMITS)
    found = analysis.joint(question) if _found(analysis, question) else None
    if found is not None:
        tables.frame(
            joint_frame(found.count, found.named, found.step_down, analysis.table.datasets)
        )


def _found(analysis: Analysis, question: Question) -> bool:
    """Whether there is an answer; where there is none yet, it is begun."""
    settings = analysis.settings
    if not settings.joint or analysis.joint_refused is not None or question.claim == "differ":
        return False
    asked: dict[str, Hashable] = {
        "A": analysis.table.system_a,
        "B": analysis.table.system_b,
        "metric": state.metric(),
        "examples": settings.joint,
        "α": settings.alpha,
        "flips": settings.n_resamples,
        "seed": settings.seed,
        "datasets": analysis.table.datasets,
        "clusters whole": settings.whole_clusters,
    }
    work = _work(analysis)
    task = studies.study(_KIND, asked, work, doing="Flipping examples", unit="claims")
    studies.begin_by_itself(task)
    made = studies.answer(task, Made, again=True)
    if made is None:
        return False
    for key, result in made.results.items():
        analysis.remember(key, partial(_as_made, result))
    return True


def _as_made(result: Any) -> Any:
    return result


def _work(analysis: Analysis) -> Callable[..., Made]:
    """Both claims' answers, into a memory of their own: the session's is not for threads."""
    kept: dict[Hashable, Any] = {}

    def remember(key: Hashable, compute: Callable[[], Any], /) -> Any:
        if key not in kept:
            kept[key] = compute()
        return kept[key]

    own = replace(analysis, remember=remember)

    def work(*, on_progress: Progress) -> Made:
        questions = [each for each in own.questions if each.claim != "differ"]
        for place, each in enumerate(questions, start=1):
            own.joint(each)
            on_progress(place, len(questions))
        return Made(results=dict(kept))

    return work
