"""The form of the simulation page: which scenario, how many studies, which seed; its number fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.words.formatting import list_names
from core.words.simulation import (
    EFFECT_HELP,
    ONE_FACTOR_HELP,
    SCENARIO_WORDS,
    SEED_HELP,
    my_data_sentence,
)
from pages.ui.frame import limits, prose, state
from pages.ui.simulation import studies
from pages.ui.simulation.setup import (
    BLOCKS_OF_ROW,
    DATA,
    DATASETS_OF_ROW,
    DIFFERENCE_FIELDS,
    MOST_ROWS,
    NAMED,
    OWN,
    PARTS,
    REPETITIONS,
    RHO_OF_ROW,
    SHIFT_OF_ROW,
    Difference,
    Field,
    Numbers,
    OwnBlocks,
    Row,
    SharedSets,
    SmallDatasets,
    effect_sentence,
    problem_of,
)

_EFFECTS = ("no difference", "A better, by a shift of z", "A better, by a difference in accuracy")
# Of a number field: as wide as its label and its numbers need.
WIDTH = 190


def difference(
    value: Difference, ask: Callable[[Field, float], float], *, without: str = ""
) -> Difference:
    """Ask for a difference in accuracy, but for the number named `without`.

    `ask` draws a field with a value and returns what it holds.
    """
    found = value
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in DIFFERENCE_FIELDS:
            if field.name != without:
                number = ask(field, getattr(value, field.name))
                found = found._replace(**{field.name: field.read(number)})
    return found


def show() -> None:
    """The scenario, what is true in it, and the button that runs it."""
    setup = studies.chosen()
    names = [*NAMED, OWN]
    if studies.results() is not None:
        names.append(DATA)
    st.selectbox(
        "Scenario",
        names,
        format_func=lambda name: SCENARIO_WORDS[name].title,
        **state.choice("lab-scenario", setup.name, lambda name: studies.choose(name=name)),
        help="With results on every example loaded, there is also one made of your own data.",
    )
    prose.paragraph(SCENARIO_WORDS[setup.name].meaning)
    part = setup.part
    if isinstance(part, OwnBlocks):
        _rows(part)
    elif isinstance(part, Numbers):
        _numbers(part, PARTS[setup.name])
    elif setup.name == DATA:
        _about_my_data()
    if setup.problem:
        prose.notice(setup.problem)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Studies",
            REPETITIONS,
            format_func=lambda n: f"{n:,}",
            **state.choice(
                "lab-studies",
                _offered(setup.n_studies),
                lambda n: studies.choose(n_studies=n),
            ),
            width=150,
        )
        st.number_input(
            "Seed",
            min_value=0,
            max_value=limits.LARGEST_SEED,
            step=1,
            **state.choice("lab-seed", setup.seed, lambda seed: studies.choose(seed=seed)),
            help=SEED_HELP,
            width=150,
        )
        st.button(
            "Run",
            type="primary",
            on_click=_run,
            disabled=bool(setup.problem) or studies.busy(),
        )


def _run() -> None:
    studies.run(_offered(studies.chosen().n_studies))


def _offered(n_studies: int) -> int:
    """The number itself, or of those offered the next larger one."""
    return next((n for n in REPETITIONS if n >= n_studies), REPETITIONS[-1])


def _about_my_data() -> None:
    made = studies.chosen_source().of_data
    if made is not None:
        prose.paragraph(my_data_sentence(made), quiet=True)
    without = state.session().settings.excluded
    if without:
        verb = "is" if len(without) == 1 else "are"
        prose.paragraph(
            f"{list_names(without)} {verb} left out here as on the other pages.", quiet=True
        )


def _rows(own: OwnBlocks) -> None:
    for index, row in enumerate(own.rows):
        with st.container(border=True):
            _row(index, row)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Add a kind of block",
            on_click=_add_row,
            disabled=len(own.rows) >= MOST_ROWS,
        )
        st.button(
            "Remove the last kind",
            on_click=_remove_row,
            disabled=len(own.rows) < 2,
        )
        st.checkbox(
            "One cause moves all blocks",
            **state.choice(
                "lab-one-factor",
                own.one_factor,
                lambda chosen: _choose_own(one_factor=chosen),
            ),
            help=ONE_FACTOR_HELP,
        )


def _choose_own(**changes: Any) -> None:
    studies.choose(own=replace(studies.chosen().own, **changes))


# With the click a number may be sent that the page was not drawn with, or another click before it.
def _add_row() -> None:
    _choose_own(rows=(*studies.chosen().own.rows, Row(n_datasets=10))[:MOST_ROWS])


def _remove_row() -> None:
    rows = studies.chosen().own.rows
    _choose_own(rows=rows[:-1] or rows)


def _row(index: int, row: Row) -> None:
    number = index + 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in (BLOCKS_OF_ROW, DATASETS_OF_ROW, RHO_OF_ROW):
            _row_number(index, field, getattr(row, field.name))
        kind = effect_kind(row)
        st.selectbox(
            f"What is true, kind {number}",
            _EFFECTS,
            **state.choice(
                f"lab-effect-{index}",
                kind,
                lambda chosen: _change(index, partial(_with_effect, kind=chosen)),
            ),
            help=EFFECT_HELP,
            width=330,
        )
    effect = row.effect
    if isinstance(effect, Difference):
        difference(effect, partial(_row_number, index))
    elif kind != _EFFECTS[0]:
        _row_number(index, SHIFT_OF_ROW, effect)
    if not problem_of(effect):
        alpha = state.session().settings.alpha
        prose.paragraph(effect_sentence(effect, alpha=alpha), quiet=True)


def _with_number(row: Row, field: Field, number: float) -> Row:
    changed = {field.name: field.read(number)}
    if field not in DIFFERENCE_FIELDS:
        return replace(row, **changed)
    effect = row.effect
    return (
        replace(row, effect=effect._replace(**changed)) if isinstance(effect, Difference) else row
    )


def _row_number(index: int, field: Field, value: float) -> float:
    return _number(
        field,
        value,
        lambda number: _change(index, lambda row: _with_number(row, field, number)),
        label=f"{field.label}, kind {index + 1}",
    )


def _numbers(given: SmallDatasets | SharedSets, part: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in given.FIELDS:
            _number(
                field,
                getattr(given, field.name),
                partial(_change_part, part, field),
                label=field.label,
            )
    sentence = "" if given.problem else given.sentence(alpha=state.session().settings.alpha)
    if sentence:
        prose.paragraph(sentence, quiet=True)


def _change_part(part: str, field: Field, number: float) -> None:
    given = getattr(studies.chosen(), part)
    studies.choose(**{part: replace(given, **{field.name: field.read(number)})})


def _number(field: Field, value: float, take: Callable[[float], None], *, label: str) -> float:
    found: float = st.number_input(
        label,
        min_value=field.low,
        max_value=field.high,
        step=field.step,
        format=field.number_format,
        **state.choice(f"lab-{label}", value, take),
        help=field.help,
        width=WIDTH,
    )
    return found


def _change(index: int, changed: Callable[[Row], Row]) -> None:
    """Change a kind of block as it is by now: several of its fields may have been changed."""
    rows = list(studies.chosen().own.rows)
    if index < len(rows):
        rows[index] = changed(rows[index])
        _choose_own(rows=tuple(rows))


def _with_effect(row: Row, *, kind: str) -> Row:
    difference = row.effect if isinstance(row.effect, Difference) else Difference()
    return replace(row, effect={_EFFECTS[0]: 0.0, _EFFECTS[1]: 2.0}.get(kind, difference))


def effect_kind(row: Row) -> str:
    """How a block's effect is given, as the form calls it."""
    if isinstance(row.effect, Difference):
        return _EFFECTS[2]
    return _EFFECTS[1] if row.effect else _EFFECTS[0]
