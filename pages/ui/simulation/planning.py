"""Planning: how often a claim would be made, and how many datasets it takes."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.charts.simulation_curves import power_chart
from core.replicability.combinations import combination_names
from core.simulation import (
    DatasetsNeeded,
    PowerCurve,
    PValueSource,
    datasets_needed,
    power_curve,
)
from core.words.simulation import PLAN_WORDS, SEED_HELP, drawing_sentence, estimator_name
from core.words.simulation_results import (
    needed_frame,
    needed_sentence,
    needed_table,
    power_frame,
    power_sentence,
    power_table,
)
from pages.ui.frame import figures, prose, state, tables
from pages.ui.frame.sections import section
from pages.ui.results import explanations
from pages.ui.simulation import families, runs
from pages.ui.simulation.families import AGAINST, CLAIMS, Family, PowerQuestion
from pages.ui.simulation.form import WIDTH
from pages.ui.simulation.questions import family_source
from pages.ui.work import background, studies
from pages.ui.work.jobs import Progress

_STUDIES = (2_000, 10_000, 50_000)
_MOST_DATASETS = 1_000
_TARGET = 0.8


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
    sentence = power_sentence(found, quantity=quantity, target=_TARGET)
    prose.paragraph(sentence, strong=True)
    if found.true_points:
        figures.show(
            partial(power_chart, found, quantity=quantity, target=_TARGET),
            name="power",
            alt=sentence,
        )
    section(
        "This curve as a table",
        lambda: tables.frame(power_table(found, quantity=quantity)),
        key="plan-power-table",
    )
    tables.download(lambda: power_frame(found), name="simulated-power", what="this curve")
    explanations.signature(found.signature)


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
            value=_TARGET,
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
        prose.paragraph(needed_sentence(found), strong=True)
        if found.tried:
            section(
                "Numbers that were tried",
                lambda: tables.frame(needed_table(found)),
                key="plan-needed-table",
            )
            tables.download(lambda: needed_frame(found), name="datasets-needed")
        explanations.signature(found.signature)


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
