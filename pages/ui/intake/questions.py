"""Questions that a file leaves open: with a button for each answer, from a list, and with the answer given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import Choice
from pages.ui.frame import prose, state
from pages.ui.intake import loading

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
