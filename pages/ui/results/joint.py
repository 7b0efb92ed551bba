"""Joint flips of shared examples: made in the background where they are to count."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.analysis import Analysis
from core.analysis.memory import keeping
from core.significance import Stopped
from core.words.counting import NULL_AND_LIMITS, joint_frame
from core.words.subject import Question
from pages.ui.frame import prose, state, tables
from pages.ui.work import background, studies
from pages.ui.work.background import Task
from pages.ui.work.jobs import Progress

_KIND = "joint flips"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was computed for an analysis, by the keys under which it is remembered."""

    results: dict[Hashable, Any]


def are_made(analysis: Analysis) -> bool:
    """Whether the flips are there that an analysis waits for; else they are begun."""
    if not analysis.awaits_flips:
        return False
    task = _task(analysis)
    studies.begin_by_itself(task)
    run = background.latest(_KIND)
    return run is not None and run.task.settings == task.settings and bool(results())


def results() -> Mapping[Hashable, Any]:
    """What the last flips came to, by the keys of what they were asked for."""
    run = background.latest(_KIND)
    return run.result.results if run is not None and isinstance(run.result, Made) else {}


def tell(analysis: Analysis) -> None:
    """Where an analysis still waits for its flips: that they are made, or why they were not."""
    if analysis.awaits_flips:
        studies.answer(_task(analysis), Made, again=True)


def details(analysis: Analysis, question: Question) -> None:
    """Each dataset by joint flips, and what they rest on."""
    prose.paragraph(NULL_AND_LIMITS)
    found = analysis.joint(question)
    if found is not None:
        tables.frame(
            joint_frame(found.count, found.named, found.step_down, analysis.table.datasets)
        )


def _task(analysis: Analysis) -> Task:
    settings = analysis.settings
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
    return studies.study(_KIND, asked, _work(analysis), doing="Flipping examples", unit="levels")


def _work(analysis: Analysis) -> Callable[..., Made]:
    """Both claims' answers, into a memory of their own: the session's is not for threads."""
    kept: dict[Hashable, Any] = {}
    own = replace(analysis, remember=keeping(kept))

    def work(*, on_progress: Progress) -> Made:
        found = own.counted_jointly()
        if not on_progress(1, 2):
            raise Stopped
        # For both directions at once.
        found.assessed_at(own.settings.alpha / 2.0)
        on_progress(2, 2)
        return Made(results=kept)

    return work
