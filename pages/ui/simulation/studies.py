"""The studies of the simulation page: what was chosen, the run that counts them, and its link."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.data import ResultSet
from core.simulation import (
    Draw,
    PValueSource,
    Simulation,
    draw_one,
    extend_simulation,
    like_my_data,
    simulate_k_hat,
)
from core.words.formatting import display_name, format_level
from pages.ui.frame import state
from pages.ui.simulation import runs
from pages.ui.simulation.runs import Kind, Plan, Source
from pages.ui.simulation.setup import DATA, MOST_STUDIES, Setup
from pages.ui.work import background
from pages.ui.work.background import Run
from pages.ui.work.jobs import Progress

KIND: Kind = "studies"
_CHOSEN, _LINKED = "simulation-setup", "simulation-linked"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Studies:
    """Counted studies.

    Attributes
    ----------
    last : Draw
        The last one of them, to look at.
    """

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
    loaded = state.session().loaded
    if loaded is None or not isinstance(loaded.data, ResultSet) or len(loaded.data.systems) < 2:
        return None
    return loaded.data


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


def run(n_studies: int, *, instead: bool = False) -> None:
    """Count so many studies of what is chosen, from the first one on."""
    alpha, seed = state.session().settings.alpha, chosen().seed

    def work(scenario: PValueSource, on_progress: Progress) -> Studies:
        simulation = simulate_k_hat(
            scenario, n_repetitions=n_studies, alpha=alpha, rng=seed, on_progress=on_progress
        )
        return _studies(simulation, scenario)

    state.widget(_LINKED, None)
    _start(work, n_studies=n_studies, instead=instead)


def run_more(n_more: int) -> None:
    """Count further studies of those that are shown, or the first ones of what is chosen."""
    current = background.to_show(KIND)
    before = None if current is None else current.result
    if current is None or not isinstance(before, Studies) or not is_current(current):
        run(n_more)
        return
    earlier = before.simulation
    n_more = min(n_more, MOST_STUDIES - earlier.n_repetitions)
    if n_more < 1:
        return

    def work(scenario: PValueSource, on_progress: Progress) -> Studies:
        simulation = extend_simulation(
            earlier, scenario, n_repetitions=n_more, on_progress=on_progress
        )
        return _studies(simulation, scenario)

    _start(work, n_studies=earlier.n_repetitions + n_more, before=before)


def _start(
    work: Callable[[PValueSource, Progress], Studies],
    *,
    n_studies: int,
    before: Studies | None = None,
    instead: bool = False,
) -> None:
    runs.start(
        KIND,
        settings(),
        chosen_source(),
        work,
        title=title(),
        context=replace(chosen(), n_studies=n_studies),
        before=before,
        instead=instead,
    )


def settings() -> dict[str, Any]:
    """Everything that the studies of what is chosen depend on, but for how many they are."""
    setup = replace(chosen().relevant(), n_studies=1)
    return {"scenario": setup, "α": state.session().settings.alpha, "of": _key(setup)}


def is_current(run: Run[Plan]) -> bool:
    """Whether a run is of what is chosen now."""
    return run.task.settings == settings()


def changes(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What is chosen otherwise than in a run with these settings: "seed 0 → 5, α .05 → .01"."""
    (was, was_alpha, was_of), (new, alpha, of) = earlier.values(), now.values()
    found = []
    if was.name != new.name:
        found.append(f"scenario “{was.title}” → “{new.title}”")
    elif (was.rows, was.one_factor) != (new.rows, new.one_factor):
        found.append("blocks")
    elif (was.small, was.shared) != (new.small, new.shared):
        found.append("numbers of the scenario")
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
        return runs.source(_key(setup), lambda _progress: setup.scenario())
    first, second = state.systems()
    metric, without = state.metric(), state.session().settings.excluded

    def make(progress: Progress) -> PValueSource:
        return like_my_data(
            data, a=first, b=second, metric=metric, without=without, on_progress=progress
        )

    return runs.source(_key(setup), make, needs_data=True)


def _key(setup: Setup) -> Hashable:
    data = results()
    if setup.name != DATA or data is None:
        return setup.of_scenario()
    without = state.session().settings.excluded
    return DATA, data.fingerprint, state.systems(), state.metric(), without


def _studies(simulation: Simulation, scenario: PValueSource) -> Studies:
    last = draw_one(
        scenario,
        simulation.seed,
        alpha=simulation.alpha,
        repetition=max(simulation.n_repetitions - 1, 0),
    )
    return Studies(simulation=simulation, last=last)
