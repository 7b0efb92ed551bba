"""The studies of the simulation page: what was chosen, the run that counts them, and its link."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.data import ResultSet
from core.report.formatting import display_name, format_level
from core.simulation import (
    Draw,
    PValueSource,
    Simulation,
    draw_one,
    extend_simulation,
    like_my_data,
    simulate_k_hat,
)
from pages.ui.frame import state
from pages.ui.simulation import runs
from pages.ui.simulation.runs import Plan, Run, Source
from pages.ui.simulation.setup import DATA, MOST_STUDIES, Setup
from pages.ui.work.job_progress import Progress

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
    run = runs.latest("studies")
    if waiting is not None or run is None:
        return waiting
    if not is_current(run):
        return None
    asked: Setup = run.plan.context
    result = run.result
    if isinstance(result, Studies):
        n_done = result.simulation.n_repetitions
        return replace(asked, n_studies=n_done) if n_done else None
    return None if run.job.finished else asked


def title() -> str:
    """What is chosen, in a few words with its numbers or the systems' names."""
    setup = chosen()
    if setup.name != DATA:
        return setup.line
    first, second = state.systems()
    return f"{setup.title}: {display_name(first)} and {display_name(second)}"


def adopt(simulation: Simulation) -> None:
    """Take over studies that were counted elsewhere, of what is chosen."""
    runs.start(
        Plan(
            kind="studies",
            settings=settings(),
            source=chosen_source(),
            work=lambda scenario, _progress: _studies(simulation, scenario),
            context=replace(chosen(), n_studies=simulation.n_repetitions),
            title=title(),
        )
    )


def run(n_studies: int, *, instead: bool = False) -> None:
    """Count so many studies of what is chosen, from the first one on."""
    setup = replace(chosen(), n_studies=n_studies)
    alpha = state.session().settings.alpha

    def work(scenario: PValueSource, progress: Progress) -> Studies:
        simulation = simulate_k_hat(
            scenario, n_repetitions=n_studies, alpha=alpha, rng=setup.seed, on_progress=progress
        )
        return _studies(simulation, scenario)

    state.widget(_LINKED, None)
    runs.start(
        Plan(
            kind="studies",
            settings=settings(),
            source=chosen_source(),
            work=work,
            context=setup,
            title=title(),
        ),
        instead=instead,
    )


def run_more(n_more: int) -> None:
    """Count further studies of those that are shown, or the first ones of what is chosen."""
    current = runs.to_show("studies")
    before = None if current is None else current.result
    if current is None or not isinstance(before, Studies) or not is_current(current):
        run(n_more)
        return
    n_more = min(n_more, MOST_STUDIES - before.simulation.n_repetitions)
    if n_more < 1:
        return
    earlier = before.simulation

    def work(scenario: PValueSource, progress: Progress) -> Studies:
        simulation = extend_simulation(
            earlier, scenario, n_repetitions=n_more, on_progress=progress
        )
        return _studies(simulation, scenario)

    total = earlier.n_repetitions + n_more
    runs.start(
        replace(
            current.plan,
            work=work,
            before=before,
            context=replace(current.plan.context, n_studies=total),
        )
    )


def settings() -> tuple[Setup, float, Hashable]:
    """Everything that the studies of what is chosen depend on, but for how many they are."""
    setup = replace(chosen().relevant(), n_studies=1)
    return setup, state.session().settings.alpha, _key(setup)


def is_current(run: Run) -> bool:
    """Whether a run is of what is chosen now."""
    return run.plan.settings == settings()


def changes(earlier: Hashable) -> str:
    """What is chosen otherwise than in a run with these settings: "seed 0 → 5, α .05 → .01"."""
    assert isinstance(earlier, tuple)
    (was, was_alpha, was_of), (now, alpha, of) = earlier, settings()
    found = []
    if was.name != now.name:
        found.append(f"scenario “{was.title}” → “{now.title}”")
    elif (was.rows, was.one_factor) != (now.rows, now.one_factor):
        found.append("blocks")
    elif (was.small, was.shared) != (now.small, now.shared):
        found.append("numbers of the scenario")
    elif was.name == DATA and was_of != of:
        found.append("data, systems, metric or datasets left out")
    if was.seed != now.seed:
        found.append(f"seed {was.seed} → {now.seed}")
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
