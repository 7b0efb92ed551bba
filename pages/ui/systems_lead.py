"""The leaderboard that counts: its answer, the matrix, the table, and one pair."""

from __future__ import annotations

import streamlit as st

from core.data import ResultSet
from core.report import systems_leaderboard as words
from core.report import systems_tables
from core.report.testing import TEST_NAMES, TEST_RULES
from core.systems import CountMatrix, PairComparisons
from core.systems.counting import FAMILIES, Family
from pages.ui import explanations, prose, state, systems_data, systems_matrix
from pages.ui.glossary import TOOLTIPS
from pages.ui.reliability_data import datasets as chosen_datasets

_TALL = 25


def promise(data: ResultSet) -> None:
    """Before anything was compared: what will be, and how long it takes."""
    m = len(data.systems)
    n = len(chosen_datasets(data))
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


def show(data: ResultSet, pairs: PairComparisons) -> None:
    """Answer, guarantee, matrix, table."""
    family: Family = state.value("systems-family", "pair")
    counts = systems_data.counts(pairs, family)
    joint = systems_data.counts(pairs, "all")
    prose.lead(words.lead_sentence(joint))
    if family == "pair":
        prose.paragraph(words.alone_sentence(counts))
    prose.paragraph(words.claims_sentence(counts))
    prose.paragraphs(words.guarantee_sentences(counts), quiet=True)
    missing = () if pairs.complete else pairs.notes[-1:]
    for note in dict.fromkeys((*joint.notes, *counts.notes, *missing)):
        prose.notice(note)
    prose.paragraphs(systems_data.not_read(data), quiet=True)
    st.radio(
        "What the confidence is about",
        FAMILIES,
        format_func=lambda name: words.FAMILY_NAMES[name],
        key="systems-family",
        persist_state="session",
        horizontal=True,
        help=TOOLTIPS["family_of_pairs"],
    )
    with st.expander("Another test, resamples or seed"):
        systems_data.form(data)
    systems_matrix.show(counts, systems_data.ranked(pairs))
    _leaderboard(counts, pairs)
    systems_matrix.one_pair(counts, pairs, systems_data.ranked(pairs))


def _leaderboard(counts: CountMatrix, pairs: PairComparisons) -> None:
    st.subheader("Leaderboard", anchor=False)
    ranked = systems_data.ranked(pairs)
    frame = systems_tables.leaderboard_frame(ranked, counts=counts)
    half = words.half_of(counts.n_datasets)
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= _TALL else 600,
        column_config=systems_matrix.columns(half, counts.n_datasets),
    )
    lettered = systems_tables.has_letters(counts)
    prose.paragraph(words.LETTERS if lettered else words.NO_LETTERS, quiet=True)
    if counts.family == "pair":
        prose.paragraph(words.EACH_WAY, quiet=True)
    prose.paragraph(words.RANKS_SAY_NOTHING_OF_CHANCE, quiet=True)
    systems_matrix.downloads(counts, pairs, ranked)


def how(pairs: PairComparisons) -> None:
    """Tests, resamples, and the line that reproduces the comparison."""
    for name in dict.fromkeys(pairs.tests):
        prose.paragraph(f"{TEST_NAMES[name][:1].upper()}{TEST_NAMES[name][1:]}. {TEST_RULES[name]}")
    prose.paragraph(
        "A pair's p-values over the datasets are counted as on the Counting page: k̂ is the largest "
        "number of datasets that the data allow to claim. Of all claims together, Holm goes through "
        "both directions of every pair on every dataset."
    )
    prose.paragraphs(pairs.notes, quiet=True)
    prose.paragraph(
        "Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), An empirical investigation of "
        "statistical significance in NLP.",
        quiet=True,
    )
    family: Family = state.value("systems-family", "pair")
    explanations.signature(systems_data.counts(pairs, family).signature)
