"""Groups of systems: from their names or as assigned in a grid, and the classes of pairs they make."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.systems.gain_confidence import detail_named, detail_names
from core.words import systems_gains as words
from core.words.formatting import display_name
from pages.ui.frame import prose, state
from pages.ui.frame.widgets import TOOLTIPS, choice

_SEPARATORS = (":", "/", "_", "-", ".", " ")
_NO_GROUPS, _BY_HAND = "", "by hand"
# Of fewer, classes of pairs are too small to say anything.
_FEW_SYSTEMS = 15
KEPT = "systems-groups-kept"
_BASE, _EDITOR = "systems-groups-base", "systems-groups-editor"
_CHOSEN = "systems-groups-chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Each system with its group, none without groups; and which classes of pairs they make."""

    groups: tuple[tuple[str, str], ...]
    detail: str

    @property
    def mapping(self) -> dict[str, str] | None:
        """The group of each system, or None."""
        return dict(self.groups) or None


def choose(systems: tuple[str, ...]) -> Grouping:
    """Ask for the groups of systems, and say which there are."""
    offered = [*_separators(systems), _NO_GROUPS]
    if len(systems) < _FEW_SYSTEMS:
        offered = [_NO_GROUPS, *offered[:-1]]
    detail: str = detail_names()[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        how = choice(
            "Groups of systems",
            [*offered, _BY_HAND],
            key="systems-groups",
            words=lambda mark: _mark(mark, systems),
        )
        if how:
            detail = choice(
                "Colour pairs by",
                detail_names(),
                key="systems-detail",
                words=lambda name: detail_named(name).title,
            )
    almost = _almost(systems)
    if almost and how != _BY_HAND:
        prose.paragraph(words.almost_sentence(*almost), quiet=True)
    groups: dict[str, str] = {}
    if how:
        groups = _by_hand(systems) if how == _BY_HAND else _by_mark(systems, how)
        prose.paragraph(words.groups_sentence(groups), quiet=True)
    found = Grouping(groups=tuple(groups.items()), detail=detail)
    state.widget(_CHOSEN, ((state.session().n_loaded, systems), found))
    return found


def chosen(systems: tuple[str, ...]) -> Grouping:
    """The groups as the Systems page has them, for who tells of them elsewhere."""
    kept = state.value(_CHOSEN)
    if kept is None or kept[0] != (state.session().n_loaded, systems):
        return Grouping(groups=(), detail=detail_names()[0])
    found: Grouping = kept[1]
    return found


def _mark(mark: str, systems: tuple[str, ...]) -> str:
    if mark in (_NO_GROUPS, _BY_HAND):
        return "as I assign them" if mark else "no groups"
    groups = list(dict.fromkeys(name.split(mark, 1)[0] for name in systems))
    shown = ", ".join(display_name(name)[:20] for name in groups[:3])
    word = words.mark_in_words(mark)
    return f"before the first {word}: {shown}{' …' if len(groups) > 3 else ''}"


def _separators(systems: tuple[str, ...]) -> list[str]:
    """Characters that every name has, and that make fewer groups than systems, but several."""
    found = []
    for mark in _SEPARATORS:
        if all(mark in name for name in systems):
            groups = {name.split(mark, 1)[0] for name in systems}
            if 1 < len(groups) < len(systems):
                found.append(mark)
    return found


def _almost(systems: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
    """A mark that most names have, though not all, with the names that have none."""
    found = []
    for mark in _SEPARATORS:
        having = [name for name in systems if mark in name]
        groups = {name.split(mark, 1)[0] for name in having}
        if len(systems) / 2 < len(having) < len(systems) and 1 < len(groups) < len(having):
            found.append((len(having), mark))
    if not found:
        return None
    mark = max(found, key=lambda one: one[0])[1]
    return mark, tuple(name for name in systems if mark not in name)


def _by_mark(systems: tuple[str, ...], mark: str) -> dict[str, str]:
    return {name: name.split(mark, 1)[0] for name in systems}


def _by_hand(systems: tuple[str, ...]) -> dict[str, str]:
    """Groups as written in a grid, which begins with what stands first in each name."""
    of: Hashable = (state.session().n_loaded, systems)
    kept = state.value(KEPT)
    if kept is None or kept[0] != of:
        kept = (of, _guessed(systems))
        state.widget(KEPT, kept)
    base = state.value(_BASE)
    # The grid keeps changes to what it began with; one that was left begins with what is kept.
    if base is None or base[0] != of or state.value(_EDITOR) is None:
        base = kept
        state.widget(_BASE, base)
    prose.paragraph(
        "Write each system's group, or paste a column of them from a spreadsheet. A system without "
        "one is in no group with another.",
        quiet=True,
    )
    edited = st.data_editor(
        pd.DataFrame({"system": list(systems), "group": [base[1][name] for name in systems]}),
        key=_EDITOR,
        hide_index=True,
        disabled=["system"],
        height="content" if len(systems) <= 12 else 420,
        width=520,
        column_config={
            "system": st.column_config.TextColumn(pinned=True),
            "group": st.column_config.TextColumn(help=TOOLTIPS["group_of_systems"], max_chars=60),
        },
    )
    written = ["" if group is None else str(group).strip() for group in edited["group"]]
    groups = dict(zip(systems, written, strict=True))
    state.widget(KEPT, (of, groups))
    return _alone(groups)


def _guessed(systems: tuple[str, ...]) -> dict[str, str]:
    pattern = "[" + re.escape("".join(_SEPARATORS)) + "]"
    return {name: re.split(pattern, name, maxsplit=1)[0] or name for name in systems}


def _alone(groups: dict[str, str]) -> dict[str, str]:
    """A system without a group gets one of its own, which no other has."""
    taken = set(groups.values())
    found = {}
    for system, group in groups.items():
        own = group or system
        while not group and own in taken:
            own += "\u200b"
        taken.add(own)
        found[system] = own
    return found
