"""Simulations in the background: one at a time, with what earlier ones came to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from core.errors import DataError
from core.significance import Stopped
from core.simulation import LikeMyData, PValueSource
from pages.ui.frame import prose, state
from pages.ui.work import allowed, background
from pages.ui.work.background import Work
from pages.ui.work.job_progress import Progress
from pages.ui.work.jobs import Job

Kind = Literal["panel", "studies", "names", "over-claims", "power", "needed"]
# What is quick is shown at once rather than by way of a bar.
_SECONDS_TO_WAIT = 0.5


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
class Plan:
    """Work to be done.

    Attributes
    ----------
    settings : hashable
        Everything the result depends on.
    source : Source
        Of its scenario.
    before : object
        What the work goes on from, and its result until it ends and where it never begins.
    context : object
        What the page says about the result.
    title : str
        What is simulated, for the bar; may hold names from files.
    """

    kind: Kind
    settings: Hashable
    source: Source
    work: Callable[[PValueSource, Progress], Any]
    before: Any = None
    context: Any = None
    title: str = ""

    def run(self, progress: Progress) -> Any:
        """The work, for a thread; what the data do not allow is handed over as a refusal."""
        try:
            return self.work(self.source.made(progress), progress)
        except Stopped:
            # While the scenario was made: half of one is none.
            return None
        except (DataError, ValueError) as error:
            if self.source.scenario is None:
                return Refusal(str(error))
            raise


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no scenario can be made of the data."""

    reason: str

    @property
    def sentence(self) -> str:
        """The same as a sentence."""
        return f"No scenario can be made of these data: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run(Work):
    """A plan at work, the last run of every other kind, and the one before of its own."""

    plan: Plan
    earlier: Run | None = None
    kept: Mapping[Kind, Run] = field(default_factory=dict)

    @property
    def result(self) -> Any:
        """What came of it, also where it was stopped; until then what it went on from, if so."""
        found = self.job.result if self.job.finished and self.error is None else None
        return self.plan.before if found is None else found


BUSY = "A simulation is at work: its bar and its Stop button are at the top of the page."
FAILED = "This simulation failed: run it again, or change what is simulated."


def say_limit(run: Run) -> bool:
    """Where the limit on a run's time ended this one, say so and name it; whether it did."""
    if run.error is not None or isinstance(run.result, Refusal):
        return False
    late = allowed.out_of_time(run.job, "The simulation", kept=_has_any(run.result))
    if late:
        prose.notice(late)
    return bool(late)


def _has_any(result: Any) -> bool:
    """Whether studies were counted: a run that was stopped at once has a result without any."""
    found = getattr(result, "simulation", result)
    if found is None or not getattr(found, "n_repetitions", 1):
        return False
    return all(len(getattr(found, name, "any")) > 0 for name in ("points", "tried"))


def report_failures(*kinds: Kind) -> None:
    """Raise what made a run fail, once, for the page's frame to report: after all forms are shown."""
    for kind in kinds:
        run = latest(kind)
        if run is not None:
            run.report_failure()


def forget_data() -> None:
    """Stop and forget the runs that are made of the user's data; the others stay, also at work."""
    current: Run | None = state.simulation()
    if current is None:
        return
    runs = {current.plan.kind: current, **current.kept}
    for kind, run in runs.items():
        if run.plan.source.needs_data:
            run.job.stop()
        elif run.earlier is not None and run.earlier.plan.source.needs_data:
            runs[kind] = replace(run, earlier=None)
    left = {kind: run for kind, run in runs.items() if not run.plan.source.needs_data}
    if not left:
        state.session().simulation = None
        return
    # The one at work comes first in `runs`.
    first, *others = left
    state.session().simulation = replace(left[first], kept={kind: left[kind] for kind in others})


def latest(kind: Kind) -> Run | None:
    """The last run of a kind, at work or ended."""
    current: Run | None = state.simulation()
    if current is None or current.plan.kind == kind:
        return current
    return current.kept.get(kind)


def to_show(kind: Kind) -> Run | None:
    """The last run of a kind; the one before it until it has a result, and where it failed."""
    run = latest(kind)
    if run is None or run.earlier is None or run.result is not None:
        return run
    return run.earlier if not run.job.finished or run.error is not None else run


def busy() -> bool:
    """Whether a simulation is at work, so that no other can be started."""
    current: Run | None = state.simulation()
    return current is not None and not current.job.finished


def start(plan: Plan, *, instead: bool = False) -> None:
    """Begin, unless a simulation is at work; `instead` of that one, which is stopped."""
    if busy() and not instead:
        return
    current: Run | None = state.simulation()
    earlier = to_show(plan.kind)
    kept = {}
    if current is not None:
        kept = {**current.kept, current.plan.kind: replace(current, kept={})}
        kept.pop(plan.kind, None)
    job = Job(plan.run, is_wanted=state.wanted())
    if earlier is not None:
        earlier = replace(earlier, kept={}, earlier=None)
    state.keep_simulation(Run(plan=plan, job=job, earlier=earlier, kept=kept))
    job.start().wait(_SECONDS_TO_WAIT)


def source(
    key: Hashable, make: Callable[[Progress], PValueSource], *, needs_data: bool = False
) -> Source:
    """The source with this key of an earlier run, or a new one."""
    current: Run | None = state.simulation()
    for run in () if current is None else (current, *current.kept.values()):
        if run.plan.source.key == key:
            return run.plan.source
    return Source(key, make, needs_data=needs_data)


def watch() -> None:
    """The bar of a simulation at work; how it ended is said beside its result."""
    run: Run | None = state.simulation()
    if run is not None and not run.job.finished:
        background.bar(run.job, partial(_words, run), stop_words="Stop the simulation")


def _words(run: Run) -> str:
    progress = run.job.progress
    if run.plan.source.scenario is None:
        return f"Preparing your data: {progress.done:,} of {progress.total:,} datasets"
    # A bar's text is read as Markdown, and data have names of their own.
    what = prose.label(run.plan.title) if run.plan.source.needs_data else run.plan.title
    if run.plan.kind == "needed":
        # How many numbers a search takes is not known before.
        return f"Searching ({what}): {progress.done:,} simulated studies so far"
    return f"Simulating ({what}): {progress.done:,} of {progress.total:,} studies{background.time_left(run.job)}"
