"""Planning at a margin: how many examples of a dataset a claim takes."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from core.comparison import COMPARISONS, comparison_named
from core.reliability.power import SizePlan, plan_size
from core.sections import simulation as sections
from core.significance.known_tests import (
    at_a_margin,
    significance_test_named,
    significance_test_names,
)
from core.words import reliability_sizes as words
from core.words.testing import title_of_test
from pages.ui.frame import prose, state
from pages.ui.results import parts
from pages.ui.work import studies

_OUTCOMES, _OTHERS = "0/1 outcomes", "other averaged scores"
# What is true of equal systems stands first.
_AT_MARGINS = tuple(
    one.name for one in sorted(COMPARISONS, key=lambda one: -one.shift) if one.takes_margin
)
_WIDTH = 220
PLAN = "plan-margin"


def show() -> None:
    """The examples needed to show a claim at a margin often enough."""
    prose.paragraph(
        "“Not worse by more than 1 point”: how many examples does that take? State what you "
        "take to be true, rather than what you observed."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        claim = studies.choice(
            "What the examples should show",
            _AT_MARGINS,
            key="plan-margin-claim",
            words=lambda name: comparison_named(name).title,
        )
        scores = studies.choice("Scores", (_OUTCOMES, _OTHERS), key="plan-margin-scores")
    zero_one = scores == _OUTCOMES
    unit, points = (" (points)", 100.0) if zero_one else ("", None)
    kind = "points" if zero_one else "units"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        margin = _number(f"Margin{unit}", f"margin-{kind}", 1.0 if zero_one else 0.1, low=1e-6)
        effect = _number(f"True difference A − B{unit}", f"effect-{kind}", 0.0)
        if zero_one:
            apart = _number("Examples that differ (%)", "differ", 10.0, low=1e-3, high=100.0)
        else:
            apart = _number("Standard deviation of differences", "sd", 1.0, low=1e-6)
        power = _number("In what share of studies", "power", 0.8, low=0.05, high=0.99)
    test = studies.choice(
        "Test",
        tuple(
            name
            for name in significance_test_names(at_a_margin)
            if significance_test_named(name).suits_outcomes_only == zero_one
        ),
        key=f"plan-margin-test-{kind}",
        words=title_of_test,
    )
    scale = points or 1.0
    asked: dict[str, Any] = {
        "effect": effect / scale,
        "test": test,
        "alpha": state.session().settings.alpha,
        "claim": claim,
        "margin": margin / scale,
        "disagreement": apart / 100.0 if zero_one else None,
        "standard_deviation": None if zero_one else apart,
    }
    problem = words.plan_problem(claim, asked["margin"], asked["effect"])
    if zero_one and abs(effect) > apart:
        problem = "The accuracies cannot be farther apart than the share of examples that differ."
    elif zero_one and margin >= 100.0:
        problem = "A margin of 0/1 outcomes lies below 100 points."
    if problem:
        prose.notice(problem)
        return
    task = studies.study(
        PLAN,
        {**asked, "power": power},
        partial(plan_size, power, **asked),
        doing="Searching",
        unit="steps",
    )
    studies.button("Find the number of examples", task, key="plan-margin-run")
    found = studies.answer(task, SizePlan)
    if found is not None:
        parts.show(sections.plan_parts(found))


def _number(
    label: str, key: str, value: float, *, low: float | None = None, high: float | None = None
) -> float:
    return float(
        st.number_input(
            label,
            min_value=low,
            max_value=high,
            value=value,
            format="%.6g",
            key=f"plan-margin-{key}",
            persist_state="session",
            width=_WIDTH,
        )
    )
