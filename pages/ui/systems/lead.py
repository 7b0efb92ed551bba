"""The leaderboard that counts: its answer, the matrix, the table, and one pair."""

from __future__ import annotations

import streamlit as st

from core.data import ResultSet
from core.sections.systems import method_parts, promise_parts
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix, family_named, family_names
from core.words import systems_board as words
from core.words.testing import described
from pages.ui.frame import prose, state
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.results import parts
from pages.ui.systems import board, matrix
from pages.ui.systems import data as systems_data


def promise(data: ResultSet) -> None:
    """Before anything was compared: what will be, and how long it takes."""
    m = len(data.systems)
    n = len(state.chosen_datasets(data))
    prose.lead(words.PROMISE)
    if systems_data.too_many(data):
        prose.notice(
            f"{m} systems on {n} datasets have more p-values than fit into memory: leave datasets "
            "out on the Upload page, or load fewer systems."
        )
        return
    duration = systems_data.seconds(data)
    about = "a few seconds" if duration < 10 else f"about {_duration(duration)}"
    prose.paragraph(
        f"{m * (m - 1) // 2:,} pairs of {m} systems on {n} dataset{'s' if n != 1 else ''}: {about}."
    )
    systems_data.form(data)


def _duration(duration: float) -> str:
    return f"{duration:.0f} seconds" if duration < 120 else f"{duration / 60:.0f} minutes"


def show(data: ResultSet, pairs: PairComparisons) -> CountMatrix:
    """The answer, the picture, and what both promise; gives the counts that were asked for."""
    matrix.open_clicked()
    # Known before it is asked, since the answer stands first.
    family = systems_data.family(pairs)
    if state.value("systems-family") is None:
        state.widget("systems-family", family)
    counts, joint = systems_data.counts(pairs, family), systems_data.counts(pairs, "all")
    prose.lead(words.lead_sentence(joint))
    n = counts.n_datasets
    where = f" on at least … of {n} datasets" if n > 1 else ""
    st.header(
        f"Row better than column{where}, {family_named(family).heading}",
        anchor=False,
        help=TOOLTIPS["told_apart"],
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.radio(
            "What the confidence is about",
            family_names(),
            format_func=lambda name: family_named(name).title,
            key="systems-family",
            persist_state="session",
            horizontal=True,
            help=TOOLTIPS["family_of_pairs"],
        )
        most = matrix.how_many(len(counts.systems))
    matrix.show(data, counts, pairs, most)
    parts.show(promise_parts(pairs, counts, joint))
    prose.paragraphs(systems_data.not_read(data), quiet=True)
    with st.expander("Another test, resamples or seed", key="box-run"):
        systems_data.form(data)
    return counts


def on_first_page(data: ResultSet) -> None:
    """Many systems before any two of them: who is told apart, the leaderboard, and the way there."""
    pairs = systems_data.current(data)
    m = len(data.systems)
    if pairs is None:
        st.page_link("pages/systems.py", label=f"{m} systems are loaded: compare them all →")
    else:
        joint = systems_data.counts(pairs, "all")
        prose.lead(words.lead_sentence(joint))
        board.short(joint, pairs, systems_data.ranked(pairs))
        st.page_link("pages/systems.py", label=f"All pairs of the {m} systems, and their tiers →")
    st.header("One pair: A and B", anchor=False)


def how(pairs: PairComparisons) -> None:
    """Tests, resamples, and the line that reproduces the comparison."""
    for name in dict.fromkeys(pairs.tests):
        prose.paragraph(described(name))
    prose.paragraphs(pairs.notes, quiet=True)
    alone, joint = (systems_data.counts(pairs, family) for family in ("pair", "all"))
    parts.show(method_parts(pairs, alone, joint))
