"""Simulations in the background: one at a time, with what earlier ones came to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from core.errors import DataError
from core.simulation import LikeMyData, PValueSource
from core.words.formatting import format_level
from pages.ui.frame import prose, state
from pages.ui.work import background
from pages.ui.work.background import Manner, Refusal, Task
from pages.ui.work.jobs import Job, Progress

Kind = Literal["panel", "studies", "names", "over-claims", "power", "needed"]
BUSY = "A simulation is at work: its bar and its Stop button are at the top of the page."
_SIMULATION = Manner(
    called="The simulation",
    failed="This simulation failed: run it again, or change what is simulated.",
    stop="Stop the simulation",
    alone=True,
)


class Source:
    """A scenario, made when it is first asked for, in the background.

    Attributes
    ----------
    key : hashable
        The same for sources that make the same scenario.
    scenario : PValueSource or None
        None before it is made.
    needs_data : bool
        Whether it is made of the user's own data.
    """

    def __init__(
        self,
        key: Hashable,
        make: Callable[[Progress], PValueSource],
        *,
        needs_data: bool = False,
    ) -> None:
        self.key = key
        self.scenario: PValueSource | None = None
        self.needs_data = needs_data
        self._make: Callable[[Progress], PValueSource] | None = make

    def made(self, progress: Progress) -> PValueSource:
        """The scenario."""
        make = self._make
        if make is not None:
            self.scenario = make(progress)
            # What it was made of may be large, and outlive its file here.
            self._make = None
        assert self.scenario is not None
        return self.scenario

    @property
    def of_data(self) -> LikeMyData | None:
        """What was made of the user's own data, if so."""
        return self.scenario if isinstance(self.scenario, LikeMyData) else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan(Task):
    """A simulation to be run.

    Attributes
    ----------
    source : Source
        Of its scenario.
    context : object
        What the page says about the result.
    title : str
        What is simulated, for the bar; may hold names from files.
    """

    source: Source
    context: Any
    title: str


def start(
    kind: Kind,
    settings: Mapping[str, Hashable],
    source: Source,
    work: Callable[..., Any],
    *,
    title: str,
    context: Any = None,
    before: Any = None,
    instead: bool = False,
) -> None:
    """Begin, unless a simulation is at work.

    Parameters
    ----------
    kind, settings, before
        Of the task.
    source, title, context
        Of the plan.
    work : callable
        Called as ``work(scenario, on_progress=progress)``.
    instead : bool
        Whether a simulation that is at work is stopped.
    """
    background.start(
        Plan(
            kind=kind,
            settings=settings,
            work=partial(_on_scenario, source, work),
            words=partial(_words, kind, source, title),
            manner=_SIMULATION,
            before=before,
            of_data=source.needs_data,
            source=source,
            context=context,
            title=title,
        ),
        instead=instead,
    )


def _on_scenario(source: Source, work: Callable[..., Any], *, on_progress: Progress) -> Any:
    """The work; what the data do not allow is handed over as a refusal."""
    try:
        scenario = source.made(on_progress)
    except (DataError, ValueError) as error:
        return Refusal(title=f"No scenario can be made of these data: {error}")
    return work(scenario, on_progress=on_progress)


def busy() -> bool:
    """Whether a simulation is at work, so that no other can be started."""
    return background.is_busy(_SIMULATION)


def differing(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Write "ρ 0 → 0.5, α .05 → .01"; what is no number is only named."""
    found = []
    for name, wanted in now.items():
        held = was[name]
        if held != wanted:
            numbers = isinstance(held, int | float) and isinstance(wanted, int | float)
            write = format_level if name == "α" else "{:.10g}".format
            found.append(f"{name} {write(held)} → {write(wanted)}" if numbers else name)
    return ", ".join(found)


def source(
    key: Hashable, make: Callable[[Progress], PValueSource], *, needs_data: bool = False
) -> Source:
    """The source with this key of an earlier run, or a new one."""
    for run in state.session().work.values():
        if isinstance(run.task, Plan) and run.task.source.key == key:
            return run.task.source
    return Source(key, make, needs_data=needs_data)


def _words(kind: Kind, of: Source, title: str, job: Job[Any]) -> str:
    progress = job.progress
    if of.scenario is None:
        return f"Preparing your data: {progress.done:,} of {progress.total:,} datasets"
    # A bar's text is read as Markdown, and data have names of their own.
    what = prose.label(title) if of.needs_data else title
    if kind == "needed":
        # How many numbers a search takes is not known before.
        return f"Searching ({what}): {progress.done:,} simulated studies so far"
    return (
        f"Simulating ({what}): {progress.done:,} of {progress.total:,} studies"
        f"{background.time_left(job)}"
    )
