"""Which column was taken for what, changeable by hand, and the questions that a file leaves open."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.statements import leaves_direction_open
from core.data import LAYOUTS, EffectTable, PValueTable, ResultSet
from core.data.reading import systems_of_results
from core.data.roles import DIVIDED, NEW_NAMES, UNUSED, several_of
from core.errors import LEFT_OUT, Choice
from core.types import EXCHANGED, Alternative
from core.words.formatting import sentence_case
from core.words.reading import ROLE_WORDS, because, columns_as_understood
from pages.ui.frame import prose, state, tables, widgets
from pages.ui.frame.state import Data, Loaded
from pages.ui.frame.widgets import GLOSSARY
from pages.ui.intake import loading

_UNITS = ("dataset", "system")
# A grid of more names would be looked through by nobody.
_MOST_NAMES = 1_000
_NO_COLUMN = "(none)"
_RECOGNISE = "as recognised"
_SEVERAL = {
    "systems": "Systems, A first",
    "scores": "Scores, one column a metric",
    "covariates": "Covariates: what describes the examples, such as their length",
}
# What was chosen beside a problem, and can be taken back.
_COLUMNS_CHOSEN = {UNUSED: "Columns left aside", DIVIDED: "Columns divided by 100"}
_ROWS_CHOSEN = {
    "copies": "Keep the first of rows that are the same in every column",
    "turned": "Each row is a system, each column a dataset",
}
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
DIRECTION_LABELS: Mapping[Alternative, str] = {
    "not-stated": "not stated",
    "greater": "one-sided, for A better",
    "less": "one-sided, for B better",
    "two-sided": "two-sided",
    "toward-higher-score": "one-sided, toward the better score",
}
# Beyond this many answers a list is easier to choose from than buttons.
_MOST_BUTTONS = 6


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the role, its value and the words of each answer."""

    text: str
    answers: Sequence[tuple[str, Any, str]]

    def in_force(self, roles: Mapping[str, object]) -> int | None:
        """Which answer was given before."""
        return next(
            (
                place
                for place, (role, value, _) in enumerate(self.answers)
                if role in roles and roles[role] == value
            ),
            None,
        )

    def ask(self, *, key: str = "") -> None:
        """A button for each answer, or a list of many."""
        if len(self.answers) > _MOST_BUTTONS:
            name = self.list(f"answers-{self.answers[0][0]}", label_visibility="collapsed")
            st.button("Apply", key=f"{name}-send", on_click=self._send, args=(name, True))
            return
        with st.container(horizontal=True):
            for place, (role, value, words) in enumerate(self.answers):
                st.button(
                    prose.label(words),
                    key=f"answer-{role}-{place}{key}",
                    on_click=loading.answer,
                    args=(role, value),
                    kwargs={"refused": True},
                )

    def change(self, name: str, place: int, *, refused: bool, **how: Any) -> None:
        """The list with the answer it has, from which another one is read at once."""
        args = (state.of_attempt(name), refused)
        self.list(name, index=place, on_change=self._send, args=args, **how)

    def answered(self, place: int) -> None:
        """The question with the answer it has, which can be changed."""
        prose.paragraph(f"{self.text} Answered: {self.answers[place][2]}.", quiet=True)
        if len(self.answers) < 2:
            return
        name = f"answered-{self.answers[place][0]}"
        with st.expander("Change this answer", key=f"box-{state.of_attempt(name)}"):
            self.change(name, place, refused=True, label_visibility="collapsed")

    def list(self, name: str, **how: Any) -> str:
        """Ask for one of the answers, and return the widget's key."""
        key = state.of_attempt(name)
        st.selectbox(
            prose.label(self.text),
            range(len(self.answers)),
            format_func=lambda place: self.answers[place][2],
            key=key,
            **how,
        )
        return key

    def _send(self, key: str, refused: bool) -> None:
        role, value, _ = self.answers[state.value(key)]
        loading.answer(role, value, refused=refused)


def questions_of(choices: Iterable[Choice]) -> list[Question]:
    """Each question once: answers that belong to different roles may answer one."""
    answers: dict[str, list[tuple[str, Any, str]]] = {}
    for choice in choices:
        own = [(choice.role, value, words) for value, words in choice.options]
        answers.setdefault(choice.question, []).extend(own)
    return [Question(text, own) for text, own in answers.items()]


def how_read(data: Data) -> None:
    """How the loaded file was read, with the form to change it."""
    reading = data.reading
    if reading is None:
        return
    with st.expander("How we read your file", key="box-read"):
        prose.paragraph(
            f"Read as {reading.layout}; columns separated by "
            f"{_SEPARATORS.get(reading.separator, reading.separator)}; text in {reading.encoding}.",
            quiet=True,
        )
        found = [
            (column, words, because(reading, column))
            for column, words in columns_as_understood(reading)
        ]
        frame = pd.DataFrame(found, columns=["column", "understood as", "because"])
        tables.frame(frame, height=tables.LOW)
        show(reading.columns, {"layout": reading.layout, **reading.roles}, refused=False)


def names(data: Data) -> None:
    """A grid of the names of datasets and systems, each of which can be another."""
    if data.reading is None:
        return
    held = [data.reading.roles.get(role) for role in NEW_NAMES]
    columns = (data.datasets, systems_of_results(data))
    in_file = [
        {new: old for old, new in given.items()} if isinstance(given, Mapping) else {}
        for given in held
    ]
    rows = [
        (unit, own.get(name, name), name)
        for unit, own, every in zip(_UNITS, in_file, columns, strict=True)
        for name in every
    ]
    if len(rows) > _MOST_NAMES:
        return
    with st.expander("Rename datasets and systems", key="box-names"):
        filled = st.data_editor(
            pd.DataFrame(rows, columns=["of", "in the file", "name"]),
            key=state.of_attempt("names"),
            hide_index=True,
            disabled=["of", "in the file"],
            column_config={
                "of": st.column_config.TextColumn("what"),
                "name": st.column_config.TextColumn("called", required=True),
            },
        )
        if widgets.clicked("Apply names", key=state.of_attempt("apply-names")):
            new: dict[str, dict[str, str]] = {unit: {} for unit in _UNITS}
            for unit, old, name in filled.itertuples(index=False):
                called = str(name or "").strip()
                if called and called != old:
                    new[unit][old] = called
            loading.rename(*new.values())
            st.rerun()


def open_questions(data: Data) -> None:
    """What the file leaves open and could be answered otherwise, with the answers in force."""
    if data.reading is None:
        return
    for choice in data.reading.choices:
        if len(choice.options) > 1:
            (question,) = questions_of([choice])
            place = question.in_force(data.reading.roles) or 0
            question.change(f"choice-{choice.role}", place, refused=False)


def direction(data: Data) -> None:
    """Which score is the better one, where nothing in the file says it."""
    current = state.session()
    if (
        current.loaded is None
        or isinstance(data, EffectTable)
        or not leaves_direction_open(data, current.settings, current.loaded.origin)
    ):
        return
    if isinstance(data, ResultSet):
        higher_is_better = data.is_higher_better(state.metric())
    else:
        higher_is_better = data.higher_is_better
    held = data.reading.roles.get("higher_is_better") if data.reading is not None else True
    key, answers = state.of_attempt("direction"), ["the higher one", "the lower one"]

    def take() -> None:
        higher = state.value(key) == answers[0]
        # One answer for one metric, a mapping for several.
        answered = dict.fromkeys(held, higher) if isinstance(held, Mapping) else higher
        loading.answer("higher_is_better", answered, refused=False)

    st.radio(
        "Which score is better? Nothing in the file says it.",
        answers,
        index=0 if higher_is_better else 1,
        key=key,
        on_change=take,
        horizontal=True,
    )


def leaves_sides_open(loaded: Loaded) -> bool:
    """Whether a user's own table does not say what its p-values speak for: the page asks beside the result."""
    data = loaded.data
    return (
        loaded.source.sample is None
        and isinstance(data, PValueTable)
        and data.alternative == "not-stated"
    )


def sides(table: PValueTable) -> None:
    """What p-values speak for: asked again with the answer in force, on every page."""

    def take(chosen: Alternative) -> None:
        # A and B may be exchanged here, and with them whom a one-sided p-value is for.
        if state.session().settings.swapped:
            chosen = EXCHANGED.get(chosen, chosen)
        loading.answer("alternative", chosen, refused=False)

    ask_sides(horizontal=True, **state.choice(state.of_attempt("sides"), table.alternative, take))


def ask_sides(**how: Any) -> Alternative:
    """What p-values speak for: the one question, wherever it is asked."""
    found: Alternative = st.radio(
        "How were the p-values computed?",
        list(DIRECTION_LABELS),
        format_func=DIRECTION_LABELS.__getitem__,
        help=GLOSSARY["direction"],
        **how,
    )
    return found


def show(columns: Sequence[str], roles: Mapping[str, object], *, refused: bool) -> None:
    """The form for one file: its kind, and what that kind needs to know."""
    key = state.of_attempt("refused" if refused else "loaded")
    kinds = [_RECOGNISE, *(layout.name for layout in LAYOUTS)]
    held = roles.get("layout")
    kind = st.selectbox(
        "Kind of file",
        kinds,
        index=kinds.index(held) if isinstance(held, str) and held in kinds else 0,
        key=f"{key}-layout",
    )
    layout = next((layout for layout in LAYOUTS if layout.name == kind), None)
    if layout is not None:
        prose.paragraph(layout.description, quiet=True)
    wanted = layout.roles if layout is not None else ()
    with st.form(f"roles-{key}-{kind}", border=False):
        asked: dict[str, object] = {"layout": None if layout is None else kind}
        for role in wanted:
            if role in ROLE_WORDS and role not in _SEVERAL:
                asked |= _column(key, role, columns, roles)
        for role, label in _SEVERAL.items():
            if role in wanted:
                asked |= _several(key, role, label, columns, roles)
        for role, label in _COLUMNS_CHOSEN.items():
            if roles.get(role):
                every = dict.fromkeys((*columns, *(several_of(roles, role) or ())))
                asked |= _several(key, role, label, tuple(every), roles)
        asked |= _rows_chosen(key, roles)
        if "p_value" in wanted:
            loaded = state.session().loaded
            if refused or loaded is None or not leaves_sides_open(loaded):
                directions, stated = [*DIRECTION_LABELS], roles.get("alternative")
                place = directions.index(stated) if stated in directions else 0
                asked["alternative"] = ask_sides(index=place, key=f"{key}-alternative")
            zero = roles.get("zero_reads_below")
            typed = st.text_input(
                "A p-value printed as 0 lies below (empty: half a unit of the column's last digit)",
                value="" if zero is None else str(zero),
                key=f"{key}-zero",
                help=GLOSSARY["printed zero"],
            )
            asked["zero_reads_below"] = typed.strip().replace(",", ".") or None
            # What is no number is refused as the file is read.
            with suppress(TypeError, ValueError):
                asked["zero_reads_below"] = float(asked["zero_reads_below"])  # type: ignore[arg-type]
        asked["higher_is_better"] = _higher(key, roles)
        send = st.form_submit_button
        if widgets.clicked("Apply", key=f"{key}-apply", draw=send, type="primary"):
            loading.correct(asked, refused=refused)
            st.rerun()


def _column(
    key: str, role: str, columns: Sequence[str], roles: Mapping[str, object]
) -> dict[str, object]:
    # What was not recognised yet has no role, unless a person gives it one.
    options = [*(() if role in roles else (_RECOGNISE,)), _NO_COLUMN, *columns]
    held = roles.get(role)
    chosen = st.selectbox(
        sentence_case(ROLE_WORDS[role]),
        options,
        index=options.index(held) if isinstance(held, str) and held in options else 0,
        key=f"{key}-{role}",
    )
    if role not in roles and chosen == _RECOGNISE:
        return {}
    return {role: None if chosen == _NO_COLUMN else chosen}


def _several(
    key: str, role: str, label: str, columns: Sequence[str], roles: Mapping[str, object]
) -> dict[str, object]:
    held = roles.get(role)
    chosen = st.multiselect(
        label,
        list(columns),
        default=[name for name in held if name in columns]
        if isinstance(held, list | tuple)
        else [],
        key=f"{key}-{role}",
        placeholder="none" if role in roles else _RECOGNISE,
    )
    return {role: tuple(chosen)} if chosen or role in roles else {}


def _rows_chosen(key: str, roles: Mapping[str, object]) -> dict[str, object]:
    """What was chosen for the rows, where it was, to be kept or taken back."""
    found: dict[str, object] = {}
    for role, words in _ROWS_CHOSEN.items():
        if roles.get(role):
            otherwise = False if role == "turned" else None
            is_kept = st.checkbox(words, value=True, key=f"{key}-{role}")
            found[role] = roles[role] if is_kept else otherwise
    lines = roles.get(LEFT_OUT)
    if isinstance(lines, str):
        typed = st.text_input("Lines left out", value=lines, key=f"{key}-{LEFT_OUT}")
        found[LEFT_OUT] = typed.strip() or None
    return found


def _higher(key: str, roles: Mapping[str, object]) -> bool | dict[str, bool]:
    held = roles.get("higher_is_better", True)
    if not isinstance(held, Mapping):
        return st.checkbox("A higher score is better", value=held is not False, key=f"{key}-higher")
    lower = st.multiselect(
        "Metrics of which lower is better",
        list(held),
        default=[metric for metric, higher in held.items() if higher is False],
        key=f"{key}-lower",
    )
    return {metric: metric not in lower for metric in held}
