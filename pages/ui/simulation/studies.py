"""The studies of the simulation page: what was chosen, what runs, one at a time in the background, and its link."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.data import ResultSet
from core.errors import DataError
from core.simulation.like_my_data import LikeMyData, like_my_data
from core.simulation.results import Simulation
from core.simulation.runs import Draw, draw_one, extend_simulation, simulate_k_hat
from core.simulation.sources import PValueSource
from core.words.formatting import display_name, format_level
from pages.ui.frame import prose, state
from pages.ui.simulation.setup import DATA, MOST_STUDIES, OWN, Setup
from pages.ui.work import background
from pages.ui.work.background import Manner, Refusal, Run, Task
from pages.ui.work.jobs import Job, Progress

Result = TypeVar("Result")
Kind = Literal["panel", "studies", "names", "over-claims", "power", "needed"]
BUSY = "A simulation is at work: its bar and its Stop button are at the top of the page."
_SIMULATION = Manner(
    called="The simulation",
    failed="This simulation failed: run it again, or change what is simulated.",
    stop="Stop the simulation",
    alone=True,
)
KIND: Kind = "studies"
_CHOSEN, _LINKED = "simulation-setup", "simulation-linked"


class Source:
    """A scenario, made when it is first asked for, in the background: None before.

    Sources that make the same scenario have one key.
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
class Plan(Task[Result]):
    """A simulation to be run; its context is what the page says about the result."""

    source: Source
    context: Any
    title: str


def plan(
    kind: Kind,
    settings: Mapping[str, Hashable],
    of: Source | Callable[[], PValueSource],
    work: Callable[..., Result],
    *,
    title: str,
    context: Any = None,
    before: Any = None,
) -> Plan[Result]:
    """A simulation to be begun, unless another is at work.

    Its work is called as ``work(scenario, on_progress=progress)`` with the scenario of the source;
    or, of work that makes its own scenarios, without one: `of` makes the first of these beforehand.
    """
    source = of if isinstance(of, Source) else Source(None, lambda _progress: of())
    return Plan(
        kind=kind,
        settings=settings,
        work=partial(_on_scenario, source, work, hands_over=source is of),
        words=partial(_words, kind, source, title),
        manner=_SIMULATION,
        before=before,
        of_data=source.needs_data,
        source=source,
        context=context,
        title=title,
    )


def offer(
    label: str,
    asked: Plan[Result],
    *,
    is_possible: bool = True,
    changes: Callable[[Mapping[str, Any], Mapping[str, Any]], str] | None = None,
    place: DeltaGenerator | None = None,
) -> tuple[Result, Plan[Result]] | None:
    """A button that begins a simulation, and what the one that is shown came to, with its plan.

    `changes` is as `background.ended` takes it, by default what changed and its numbers; `place` is
    where the button stands.
    """
    with place or nullcontext():
        background.button(
            label, asked, key=f"simulate-{asked.kind}", disabled=not is_possible or busy()
        )
    found = background.ended(asked.kind, asked.settings, changes=changes or differing)
    run = background.to_show(asked.kind)
    return None if run is None or found is None else (found, run.task)


def _on_scenario(
    source: Source, work: Callable[..., Any], *, hands_over: bool, on_progress: Progress
) -> Any:
    """The work; what the data do not allow is handed over as a refusal."""
    try:
        scenario = source.made(on_progress)
    except (DataError, ValueError) as error:
        return Refusal(title=f"No scenario can be made of these data: {error}")
    given = (scenario,) if hands_over else ()
    return work(*given, on_progress=on_progress)


# Whether a simulation is at work, so that no other can be started.
busy = partial(background.is_busy, _SIMULATION)


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Studies:
    """Counted studies, and the last one of them to look at."""

    simulation: Simulation
    last: Draw


def chosen() -> Setup:
    """What the form says."""
    setup: Setup = state.value(_CHOSEN) or Setup()
    # What was like the user's data ends with these.
    return replace(setup, name="toy-1") if setup.name == DATA and results() is None else setup


def choose(**changes: Any) -> None:
    """Change what the form says."""
    state.widget(_CHOSEN, replace(chosen(), **changes))


def results() -> ResultSet | None:
    """The loaded results that "like my data" is made of."""
    data = state.results()
    return None if data is None or len(data.systems) < 2 else data


def take_link(setup: Setup | None) -> None:
    """Keep what an address asks for, until the page is opened."""
    if setup is not None:
        state.widget(_CHOSEN, setup)
        state.widget(_LINKED, setup)


def run_linked() -> None:
    """Run what the address asked for, once, and draw anew; what needs data waits for these."""
    setup: Setup | None = state.value(_LINKED)
    if setup is not None and (setup.name != DATA or results() is not None):
        state.widget(_LINKED, None)
        # The data may have come after the link.
        state.widget(_CHOSEN, setup)
        run(setup.n_studies, instead=True)
        st.rerun()


def waiting_link() -> bool:
    """Whether a link waits for data."""
    return state.value(_LINKED) is not None


def in_address() -> Setup | None:
    """What a link to this session should carry: the studies that are shown, if it gives them.

    Of a run that is only beginning, what it was asked for.
    """
    waiting: Setup | None = state.value(_LINKED)
    run = background.latest(KIND)
    if waiting is not None or run is None:
        return waiting
    if not is_current(run):
        return None
    asked: Setup = run.task.context
    result = run.result
    if isinstance(result, Studies):
        n_done = result.simulation.n_repetitions
        return replace(asked, n_studies=n_done) if n_done else None
    return asked if run.at_work else None


def title() -> str:
    """What is chosen, in a few words with its numbers or the systems' names."""
    setup = chosen()
    if setup.name != DATA:
        return setup.line
    first, second = state.systems()
    return f"{setup.title}: {display_name(first)} and {display_name(second)}"


def run(n_studies: int, *, further: bool = False, instead: bool = False) -> None:
    """Count so many studies of what is chosen, from the first one on.

    Or `further` ones of those that are shown, if these are of what is chosen.
    """
    alpha, seed = state.session().settings.alpha, chosen().seed
    current = background.to_show(KIND) if further else None
    before = current.result if current is not None and is_current(current) else None
    if isinstance(before, Studies):
        n_before = before.simulation.n_repetitions
        n_studies = min(n_studies, MOST_STUDIES - n_before)
        if n_studies < 1:
            return
        count = partial(extend_simulation, before.simulation)
    else:
        before, n_before = None, 0
        count = partial(simulate_k_hat, alpha=alpha, rng=seed)
        state.widget(_LINKED, None)

    def work(scenario: PValueSource, on_progress: Progress) -> Studies:
        simulation = count(scenario, n_repetitions=n_studies, on_progress=on_progress)
        last = draw_one(
            scenario,
            simulation.seed,
            alpha=simulation.alpha,
            repetition=max(simulation.n_repetitions - 1, 0),
        )
        return Studies(simulation=simulation, last=last)

    asked = plan(
        KIND,
        settings(),
        chosen_source(),
        work,
        title=title(),
        context=replace(chosen(), n_studies=n_before + n_studies),
        before=before,
    )
    background.start(asked, instead=instead)


def settings() -> dict[str, Any]:
    """Everything that the studies of what is chosen depend on, but for how many they are."""
    setup = replace(chosen().relevant(), n_studies=1)
    return {"scenario": setup, "α": state.session().settings.alpha, "of": _key(setup)}


def is_current(run: Run[Plan[Any]]) -> bool:
    """Whether a run is of what is chosen now."""
    return run.task.settings == settings()


def is_of_these_data(run: Run[Plan[Any]]) -> bool:
    """Whether a run "like my data" is of what is compared now; any other run is of no data."""
    source = run.task.source
    return not source.needs_data or source.key == _key(Setup(name=DATA))


def changes(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What is chosen otherwise than in a run with these settings: "seed 0 → 5, α .05 → .01"."""
    (was, was_alpha, was_of), (new, alpha, of) = earlier.values(), now.values()
    found = []
    if was.name != new.name:
        found.append(f"scenario “{was.title}” → “{new.title}”")
    elif was.part != new.part:
        found.append("blocks" if new.name == OWN else "numbers of the scenario")
    elif was.name == DATA and was_of != of:
        found.append("data, systems, metric or datasets left out")
    if was.seed != new.seed:
        found.append(f"seed {was.seed} → {new.seed}")
    if was_alpha != alpha:
        found.append(f"α {format_level(was_alpha)} → {format_level(alpha)}")
    return ", ".join(found)


def chosen_source() -> Source:
    """The scenario of what is chosen; its own data make it in the background."""
    setup = chosen()
    data = results()
    if setup.name != DATA or data is None:
        return source(_key(setup), lambda _progress: setup.scenario())
    first, second = state.systems()
    metric, without = state.metric(), state.session().settings.excluded

    def make(progress: Progress) -> PValueSource:
        return like_my_data(
            data, a=first, b=second, metric=metric, without=without, on_progress=progress
        )

    return source(_key(setup), make, needs_data=True)


def _key(setup: Setup) -> Hashable:
    data = results()
    if setup.name != DATA or data is None:
        return setup.of_scenario()
    without = state.session().settings.excluded
    return DATA, data.fingerprint, state.systems(), state.metric(), without
