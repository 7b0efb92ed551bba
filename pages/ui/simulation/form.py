"""The form of the simulation page: which scenario, how many studies, which seed; its number fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.simulation.scenarios import Difference
from core.words.formatting import list_names
from core.words.simulation import SCENARIO_WORDS, my_data_sentence
from pages.ui.frame import prose, state
from pages.ui.frame.widgets import Field, number
from pages.ui.simulation import studies
from pages.ui.simulation.setup import (
    DATA,
    MOST_ROWS,
    NAMED,
    OWN,
    PARTS,
    REPETITIONS,
    ROW_FIELDS,
    SEED,
    Numbers,
    OwnBlocks,
    Row,
    SharedSets,
    SmallDatasets,
)

_NO_DIFFERENCE, _BY_SHIFT, _BY_DIFFERENCE = (
    "no difference",
    "A better, by a shift of z",
    "A better, by a difference in accuracy",
)
# What each is in the numbers of a block.
_EFFECTS: Mapping[str, Mapping[str, Any]] = {
    _NO_DIFFERENCE: {"shift": 0.0, **Difference()._asdict()},
    _BY_SHIFT: {"shift": 2.0, **Difference()._asdict()},
    _BY_DIFFERENCE: {"shift": None},
}
# Of a number field: as wide as its label and its numbers need.
_WIDTH = 190


def show() -> None:
    """The scenario, what is true in it, and the button that runs it."""
    setup = studies.chosen()
    names = [*NAMED, OWN]
    if state.results() is not None:
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
        of_seed = state.choice("lab-Seed", setup.seed, lambda seed: studies.choose(seed=seed))
        number(SEED, width=150, **of_seed)
        st.button(
            "Run",
            type="primary",
            on_click=_run,
            disabled=bool(setup.problem),
        )


def _run() -> None:
    studies.run(_offered(studies.chosen().n_studies))


def _offered(n_studies: int) -> int:
    """The number itself, or of those offered the next larger one."""
    return next((n for n in REPETITIONS if n >= n_studies), REPETITIONS[-1])


def _about_my_data() -> None:
    made = studies.made_of_data()
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
            help="Off: blocks are independent of each other, ρ counts within each. On: one cause moves all "
            "blocks, so that datasets of different blocks are correlated too.",
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
    take, of = partial(_change, index), f", kind {index + 1}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in ROW_FIELDS:
            _number(field, row, take, of=of)
        kind = effect_kind(row)
        st.selectbox(
            f"What is true{of}",
            _EFFECTS,
            **state.choice(f"lab-effect-{index}", kind, lambda chosen: take(**_EFFECTS[chosen])),
            help="Whether A is better on the datasets of these blocks, and how clearly. A shift of z is the "
            "expected difference in units of its own standard error.",
            width=330,
        )
    if kind != _NO_DIFFERENCE:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for field in row.of_effect:
                _number(field, row, partial(take, by_shift=row.shift is not None), of=of)
    if not row.problem:
        prose.paragraph(row.sentence(alpha=state.session().settings.alpha), quiet=True)


def effect_kind(row: Row) -> str:
    """How a block's effect is given, as the form calls it."""
    if row.shift is None:
        return _BY_DIFFERENCE
    return _BY_SHIFT if row.shift else _NO_DIFFERENCE


def _change(index: int, *, by_shift: bool | None = None, **changes: Any) -> None:
    """Change a kind of block as it is by now: several of its fields may have been changed.

    Numbers of an effect `by_shift`, or not, are of no use where it is given otherwise by now.
    """
    rows = list(studies.chosen().own.rows)
    if index < len(rows) and by_shift in (None, rows[index].shift is not None):
        rows[index] = replace(rows[index], **changes)
        _choose_own(rows=tuple(rows))


def _number(field: Field, part: Any, take: Callable[..., None], *, of: str = "") -> None:
    """A number of a part of the scenario, which `take` changes by its name."""
    label = field.label + of
    held = state.choice(
        f"lab-{label}", getattr(part, field.name), lambda chosen: take(**{field.name: chosen})
    )
    number(field, label=label, width=_WIDTH, **held)


def _numbers(given: SmallDatasets | SharedSets, part: str) -> None:
    def take(**changes: Any) -> None:
        studies.choose(**{part: replace(getattr(studies.chosen(), part), **changes)})

    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in given.asked():
            _number(field, given, take)
    sentence = "" if given.problem else given.sentence(alpha=state.session().settings.alpha)
    if sentence:
        prose.paragraph(sentence, quiet=True)
