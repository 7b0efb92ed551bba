"""Planning: how often a claim would be made, and how many datasets it takes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.replicability.combinations import combination_names
from core.sections import simulation as sections
from core.simulation import (
    DatasetsNeeded,
    PowerCurve,
    PValueSource,
    datasets_needed,
    power_curve,
)
from core.words.simulation import PLAN_WORDS, SEED_HELP, drawing_sentence, estimator_name
from pages.ui.frame import prose, state
from pages.ui.results import parts
from pages.ui.simulation import families, runs
from pages.ui.simulation.families import AGAINST, CLAIMS, Family, PowerQuestion
from pages.ui.simulation.form import WIDTH
from pages.ui.simulation.questions import family_source
from pages.ui.work import background, studies
from pages.ui.work.jobs import Progress

_STUDIES = (2_000, 10_000, 50_000)
_MOST_DATASETS = 1_000


def power() -> None:
    """Power against the number of datasets, the effect, or the examples of each."""
    prose.paragraph("Power: the share of studies in which a true claim is made.")
    prose.paragraph(PLAN_WORDS, quiet=True)
    against = st.selectbox("Against", AGAINST, key="plan-against", persist_state="session")
    claim = st.selectbox(
        "Statement: on at least", CLAIMS, key="plan-claim", persist_state="session"
    )
    at_least = None
    if claim == CLAIMS[0]:
        at_least = _claimed("plan-power-m")
    family = families.show("plan-power", against=against)
    question = PowerQuestion(family=family, against=against, claim=claim, at_least=at_least)
    alpha = state.session().settings.alpha
    problem = question.problem
    if problem:
        prose.notice(problem)
    elif against == AGAINST[0]:
        prose.paragraph(family.sentence(alpha=alpha), quiet=True)
    elif against in (AGAINST[2], AGAINST[3]):
        prose.paragraph(
            drawing_sentence(rho=family.rho, share_differing=question.share_differing), quiet=True
        )
    n_studies, seed = _studies_and_seed("plan-power")
    wanted = {"what is asked": question, "α": alpha, "studies": n_studies, "seed": seed}
    st.button(
        "Draw the curve",
        on_click=_run_power,
        args=(wanted,),
        disabled=bool(problem) or runs.busy(),
    )
    found = background.ended("power", wanted, changes=runs.differing)
    run = background.to_show("power")
    if run is None or not isinstance(found, PowerCurve) or not found.points:
        return
    quantity: str = run.task.context
    parts.show(sections.power_parts(found, quantity=quantity))


def _run_power(wanted: dict[str, Any]) -> None:
    question: PowerQuestion = wanted["what is asked"]

    def work(_scenario: PValueSource, on_progress: Progress) -> PowerCurve:
        return power_curve(
            question.scenario_at,
            question.values,
            at_least=question.claimed,
            n_repetitions=wanted["studies"],
            alpha=wanted["α"],
            rng=wanted["seed"],
            on_progress=on_progress,
        )

    runs.start(
        "power",
        wanted,
        family_source(lambda: question.scenario_at(question.values[0])),
        work,
        title=f"{question.against}; {question.family.title}",
        context=question.against,
    )


def needed() -> None:
    """The smallest number of datasets with which a claim is made often enough."""
    alpha = state.session().settings.alpha
    prose.paragraph(PLAN_WORDS, quiet=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at_least = _claimed("plan-needed-m")
        power_wanted = st.number_input(
            "In what share of studies",
            min_value=0.05,
            max_value=0.99,
            value=sections.TARGET_POWER,
            step=0.05,
            format="%.4g",
            key="plan-needed-power",
            persist_state="session",
            width=220,
        )
        estimator = st.selectbox(
            "Counted by",
            combination_names(),
            format_func=lambda name: estimator_name(name, alpha=alpha),
            key="plan-needed-count",
            persist_state="session",
            width=220,
        )
    family = families.show("plan-needed", against=AGAINST[0])
    problem = family.problem
    if not problem and (family.share_better == 0.0 or family.shift <= 0.0):
        problem = "A must be better on some datasets for the claim to become true."
    if problem:
        prose.notice(problem)
    else:
        prose.paragraph(family.sentence(alpha=alpha), quiet=True)
    n_studies, seed = _studies_and_seed("plan-needed")
    wanted = {
        "kind of study": family,
        "least number": at_least,
        "share": power_wanted,
        "count": estimator,
        "α": alpha,
        "studies": n_studies,
        "seed": seed,
    }
    st.button(
        "Find the number",
        on_click=_run_needed,
        args=(wanted,),
        disabled=bool(problem) or runs.busy(),
    )
    found = background.ended("needed", wanted, changes=runs.differing)
    if isinstance(found, DatasetsNeeded):
        parts.show(sections.needed_parts(found))


def _run_needed(wanted: dict[str, Any]) -> None:
    family: Family = wanted["kind of study"]

    def work(_scenario: PValueSource, on_progress: Progress) -> DatasetsNeeded:
        return datasets_needed(
            family.scenario,
            wanted["least number"],
            power=wanted["share"],
            estimator=wanted["count"],
            most=max(_MOST_DATASETS, wanted["least number"]),
            n_repetitions=wanted["studies"],
            alpha=wanted["α"],
            rng=wanted["seed"],
            on_progress=on_progress,
        )

    runs.start(
        "needed", wanted, family_source(lambda: family.scenario(1)), work, title=family.title
    )


def _studies_and_seed(prefix: str) -> tuple[int, int]:
    """How often each point is simulated, and from which seed: the same for all."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_studies = st.selectbox(
            "Studies for each point",
            _STUDIES,
            format_func=lambda n: f"{n:,}",
            key=f"{prefix}-studies",
            persist_state="session",
            width=WIDTH,
        )
        seed = studies.seed(prefix, label="Seed, the same for all", help=SEED_HELP, width=WIDTH)
    return int(n_studies), seed


def _claimed(key: str) -> int:
    return studies.number(
        "At least … datasets", key=key, value=5, low=1, high=_MOST_DATASETS, width=220
    )
