"""The form of the simulation page: which scenario, how many studies, which seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from core.report.formatting import list_names
from core.report.simulation_words import (
    BLOCKS_HELP,
    EFFECT_HELP,
    ONE_FACTOR_HELP,
    RHO_HELP,
    SCENARIO_WORDS,
    SEED_HELP,
    SHARE_HELP,
    my_data_sentence,
    shift_sentence,
)
from pages.ui import limits, prose, simulation_studies, state
from pages.ui.simulation_setup import (
    DATA,
    LARGEST_SAMPLE,
    LARGEST_SHIFT,
    MOST_ROWS,
    NAMED,
    OWN,
    REPETITIONS,
    Difference,
    Row,
    Setup,
)

_EFFECTS = ("no difference", "A better, by a shift of z", "A better, by a difference in accuracy")


def show() -> None:
    """The scenario, what is true in it, and the button that runs it."""
    setup = simulation_studies.chosen()
    names = [*NAMED, OWN]
    if simulation_studies.results() is not None:
        names.append(DATA)
    st.selectbox(
        "Scenario",
        names,
        format_func=lambda name: SCENARIO_WORDS[name].title,
        key=state.widget("lab-scenario", setup.name),
        on_change=lambda: simulation_studies.choose(name=state.value("lab-scenario")),
    )
    prose.paragraph(SCENARIO_WORDS[setup.name].meaning)
    if setup.name == OWN:
        _rows(setup)
    elif setup.name == DATA:
        _about_my_data()
    elif simulation_studies.results() is None:
        prose.paragraph(
            "With results on every example loaded, there is also a scenario made of your own data.",
            quiet=True,
        )
    if setup.problem:
        prose.notice(setup.problem)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Studies",
            REPETITIONS,
            format_func=lambda n: f"{n:,}",
            key=state.widget("lab-studies", _offered(setup.n_studies)),
            on_change=lambda: simulation_studies.choose(n_studies=state.value("lab-studies")),
            width=150,
        )
        st.number_input(
            "Seed",
            min_value=0,
            max_value=limits.LARGEST_SEED,
            step=1,
            key=state.widget("lab-seed", setup.seed),
            on_change=lambda: simulation_studies.choose(seed=state.value("lab-seed")),
            help=SEED_HELP,
            width=150,
        )
        st.button("Run", type="primary", on_click=_run, disabled=bool(setup.problem))


def _run() -> None:
    simulation_studies.run(_offered(simulation_studies.chosen().n_studies))


def _offered(n_studies: int) -> int:
    """The number itself, or of those offered the next larger one."""
    return next((n for n in REPETITIONS if n >= n_studies), REPETITIONS[-1])


def _about_my_data() -> None:
    made = simulation_studies.chosen_source().of_data
    if made is not None:
        prose.paragraph(
            my_data_sentence(
                n_datasets=made.n_datasets,
                n_shared=made.n_shared,
                n_units=tuple(made.n_units.tolist()),
                n_rounded=int((~made.is_exact).sum()),
            ),
            quiet=True,
        )
    without = state.session().settings.excluded
    if without:
        verb = "is" if len(without) == 1 else "are"
        prose.paragraph(
            f"{list_names(without)} {verb} left out here as on the other pages.", quiet=True
        )


def _rows(setup: Setup) -> None:
    for index, row in enumerate(setup.rows):
        with st.container(border=True):
            _row(index, row)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Add a kind of block",
            on_click=lambda: simulation_studies.choose(rows=(*setup.rows, Row(n_datasets=10))),
            disabled=len(setup.rows) >= MOST_ROWS,
        )
        st.button(
            "Remove the last kind",
            on_click=lambda: simulation_studies.choose(rows=setup.rows[:-1]),
            disabled=len(setup.rows) < 2,
        )
        st.checkbox(
            "One cause moves all blocks",
            key=state.widget("lab-one-factor", setup.one_factor),
            on_change=lambda: simulation_studies.choose(one_factor=state.value("lab-one-factor")),
            help=ONE_FACTOR_HELP,
        )


def _row(index: int, row: Row) -> None:
    number = index + 1
    times, first, second, third = st.columns([0.8, 0.8, 1, 1.4])
    with times:
        _number(
            index,
            f"Blocks of kind {number}",
            row.n_blocks,
            lambda value: {"n_blocks": int(value)},
            low=1,
            high=limits.MAX_DATASETS,
            help=BLOCKS_HELP,
        )
    with first:
        _number(
            index,
            f"Datasets in each, kind {number}",
            row.n_datasets,
            lambda value: {"n_datasets": int(value)},
            low=1,
            high=limits.MAX_DATASETS,
        )
    with second:
        _number(
            index,
            f"Dependence ρ, kind {number}",
            row.rho,
            lambda value: {"rho": float(value)},
            low=0.0,
            high=1.0,
            step=0.1,
            help=RHO_HELP,
        )
    with third:
        kind = effect_kind(row)
        key = state.widget(f"lab-effect-{index}", kind)
        st.selectbox(
            f"What is true, kind {number}",
            _EFFECTS,
            key=key,
            on_change=lambda: _change(index, effect=_usual_effect(state.value(key), row)),
            help=EFFECT_HELP,
        )
    if isinstance(row.effect, Difference):
        _difference(index, row.effect)
    elif kind != _EFFECTS[0]:
        _number(
            index,
            f"Shift of z, kind {number}",
            row.effect,
            lambda value: {"effect": float(value)},
            low=-LARGEST_SHIFT,
            high=LARGEST_SHIFT,
            step=0.5,
        )
    try:
        shift = row.shift
    except ValueError:
        return
    prose.paragraph(shift_sentence(shift, alpha=state.session().settings.alpha), quiet=True)


def _difference(index: int, effect: Difference) -> None:
    number = index + 1
    first, second, third = st.columns(3)
    with first:
        _number(
            index,
            f"A better by, kind {number}",
            effect.d,
            lambda value: {"effect": effect._replace(d=float(value))},
            low=-1.0,
            high=1.0,
            step=0.005,
        )
    with second:
        _number(
            index,
            f"Examples of each, kind {number}",
            effect.n_examples,
            lambda value: {"effect": effect._replace(n_examples=int(value))},
            low=1,
            high=LARGEST_SAMPLE,
            step=100,
        )
    with third:
        _number(
            index,
            f"Share that differs, kind {number}",
            effect.q,
            lambda value: {"effect": effect._replace(q=float(value))},
            low=0.001,
            high=1.0,
            step=0.05,
            help=SHARE_HELP,
        )


def _number(
    index: int,
    label: str,
    value: float,
    changed: Callable[[Any], dict[str, Any]],
    *,
    low: float,
    high: float,
    step: float = 1,
    help: str | None = None,
) -> None:
    key = state.widget(f"lab-{label}", value)
    st.number_input(
        label,
        min_value=low,
        max_value=high,
        step=step,
        format=None if isinstance(low, int) else "%.4g",
        key=key,
        on_change=lambda: _change(index, **changed(state.value(key))),
        help=help,
    )


def _change(index: int, **changes: Any) -> None:
    rows = list(simulation_studies.chosen().rows)
    if index < len(rows):
        rows[index] = replace(rows[index], **changes)
        simulation_studies.choose(rows=tuple(rows))


def effect_kind(row: Row) -> str:
    """How a block's effect is given, as the form calls it."""
    if isinstance(row.effect, Difference):
        return _EFFECTS[2]
    return _EFFECTS[1] if row.effect else _EFFECTS[0]


def _usual_effect(kind: str, row: Row) -> float | Difference:
    if kind == _EFFECTS[0]:
        return 0.0
    if kind == _EFFECTS[1]:
        return 2.0
    return row.effect if isinstance(row.effect, Difference) else Difference()
