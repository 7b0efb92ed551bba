"""Further questions to a scenario, each run on demand: names, and wins where there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from core.sections import simulation as sections
from core.simulation import (
    Block,
    IdentificationSimulation,
    OverClaimCurve,
    PValueSource,
    Scenario,
    over_claim_curve,
    simulate_identification,
)
from core.words.formatting import format_level
from core.words.simulation import RHO_HELP
from pages.ui.frame import prose, state
from pages.ui.results import parts
from pages.ui.simulation import runs, studies
from pages.ui.simulation.runs import Source
from pages.ui.work import background
from pages.ui.work.jobs import Progress

_N_NAMES = 10_000
_N_OVER_CLAIMS = 10_000
_SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 75, 100)


def family_source(make: Callable[[], PValueSource]) -> Source:
    """A source of work that makes its own scenarios."""
    return Source(None, lambda _progress: make())


def names() -> None:
    """How often each procedure that names datasets names a wrong one."""
    chosen, level = studies.chosen(), format_level(state.session().settings.alpha)
    prose.paragraph(
        "Which datasets? Each procedure names those on which it takes A to be better. The scenario "
        f"chosen above, with seed {chosen.seed} and α = {level}, {_N_NAMES:,} studies."
    )
    st.button(
        "Run the procedures",
        on_click=_run_names,
        disabled=bool(studies.chosen().problem) or runs.busy(),
    )
    found = background.ended("names", studies.settings(), changes=studies.changes)
    run = background.to_show("names")
    if run is not None and isinstance(found, IdentificationSimulation) and found.n_repetitions:
        prose.paragraph(f"Shown: {run.task.title}.", quiet=True)
        parts.show(sections.names_parts(found))


def _run_names() -> None:
    alpha, seed = state.session().settings.alpha, studies.chosen().seed
    work = partial(simulate_identification, n_repetitions=_N_NAMES, alpha=alpha, rng=seed)
    runs.start("names", studies.settings(), studies.chosen_source(), work, title=studies.title())


def over_claims() -> None:
    """How often the common practice finds a win where there is none."""
    prose.paragraph(
        "The more datasets, the more likely it is that at least one p-value lies at or below α by "
        "chance alone."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rho = st.number_input(
            "Dependence ρ of any two datasets",
            min_value=0.0,
            max_value=1.0,
            value=0.0,
            step=0.1,
            format="%.4g",
            key="lab-over-rho",
            help=RHO_HELP,
            persist_state="session",
            width=260,
        )
        wanted = _over_claims_of(rho)
        st.button(
            "Run for 1 to 100 datasets",
            on_click=_run_over_claims,
            disabled=runs.busy(),
        )
    found = background.ended("over-claims", wanted, changes=runs.differing)
    if isinstance(found, OverClaimCurve) and found.n_repetitions:
        parts.show(sections.over_claims_parts(found))


def _over_claims_of(rho: float) -> dict[str, Any]:
    return {"ρ": rho, "α": state.session().settings.alpha, "seed": studies.chosen().seed}


def _run_over_claims() -> None:
    rho = float(state.value("lab-over-rho"))
    settings = _over_claims_of(rho)

    def work(_scenario: PValueSource, on_progress: Progress) -> OverClaimCurve:
        return over_claim_curve(
            _SIZES,
            n_repetitions=_N_OVER_CLAIMS,
            alpha=settings["α"],
            rho=rho,
            rng=settings["seed"],
            on_progress=on_progress,
        )

    runs.start(
        "over-claims",
        settings,
        family_source(lambda: Scenario((Block(_SIZES[-1], rho=rho),))),
        work,
        title=f"no difference, 1 to {_SIZES[-1]} datasets, ρ = {rho:.4g}",
    )
