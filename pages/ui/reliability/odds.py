"""The sections that need no data: prior odds, and toy examples."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.reliability.prior_odds import (
    FURTHER_PRIOR_ODDS,
    PAPER_POWER,
    PAPER_PRIOR_ODDS,
    prior_odds_study,
)
from core.reliability.toys import TOYS, ToyStudy, toy_study
from core.sections import reliability as sections
from core.words import reliability_sizes as words
from core.words.formatting import format_level
from pages.ui.frame import prose, widgets
from pages.ui.frame.widgets import TOOLTIPS
from pages.ui.reliability import data as common
from pages.ui.results import explanations, parts
from pages.ui.work import background

_BESIDE = {"odds": "other prior odds R", "power": "other powers 1 − β"}
_POWERS = (0.2, 0.5, 0.8, 0.95)
# A toy with a choice: what this section is about.
_FIRST_TOY = "two-metrics"


def show() -> None:
    """The share of claims that are true, for what a reader assumes."""
    alpha = common.alpha()
    prose.paragraph(
        "Of all claims that are made at this level, how many are true? It depends on how many of "
        "the ideas that people try have an effect, and how often tests find those."
    )
    with widgets.row():
        odds = widgets.number(
            "Prior odds R",
            key="reliability-odds",
            value=PAPER_PRIOR_ODDS,
            low=0.001,
            high=10.0,
            step=0.05,
            help=TOOLTIPS["prior_odds"],
        )
        power = widgets.number(
            "Power 1 − β",
            key="reliability-power",
            value=PAPER_POWER,
            low=0.01,
            high=1.0,
            step=0.05,
            help=TOOLTIPS["power"],
        )
        beside = widgets.choice(
            "Further curves",
            list(_BESIDE),
            key="reliability-odds-beside",
            words=_BESIDE.__getitem__,
        )
    found = prior_odds_study(
        alpha,
        power=power,
        prior_odds=odds,
        further_prior_odds=() if beside == "power" else FURTHER_PRIOR_ODDS,
        further_powers=_POWERS if beside == "power" else (),
    )
    parts.show(sections.prior_odds_parts(found))
    st.latex(words.FORMULA)
    prose.paragraph(
        f"Ioannidis (2005), as Søgaard et al. (2014), section 2, have it; α = "
        f"{format_level(alpha)} is that of the sidebar.",
        quiet=True,
    )
    explanations.signature(found.signature)


def show_toys() -> None:
    """Two identical systems, and what choosing after looking does to their p-values."""
    prose.paragraph(
        "Two identical systems, so that every small p-value is chance. What does it do to report "
        "the best of several?"
    )
    with widgets.row():
        name = widgets.choice(
            "Example",
            [_FIRST_TOY, *(one for one in TOYS if one != _FIRST_TOY)],
            key="reliability-toy",
            words=lambda key: TOYS[key].title,
        )
        repetitions = widgets.number(
            "Studies",
            key="reliability-toy-repetitions",
            value=10_000,
            low=500,
            high=200_000,
            step=1000,
        )
        seed = widgets.seed("reliability-toy-seed")
    prose.paragraph(TOYS[name].description)
    task = background.task(
        common.TOY,
        {"example": name, "studies": repetitions, "seed": seed},
        partial(toy_study, name, n_repetitions=repetitions, rng=seed),
        doing="Running studies",
        unit="studies",
    )
    found = background.offer("Run these studies", task, ToyStudy, key="run-toy")
    if found is not None:
        parts.show(sections.toy_parts(found))
