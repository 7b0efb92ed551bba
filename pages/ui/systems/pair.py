"""One pair of many systems: chosen, told in sentences, and opened in Counting."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.data import ResultSet
from core.report import systems_pair as words
from core.report import systems_tables
from core.report.formatting import display_name
from core.systems import CountMatrix, PairComparisons, Standings
from pages.ui.frame import downloads, prose
from pages.ui.frame.sections import section
from pages.ui.systems import opened, table
from pages.ui.work.studies import choice


def show(data: ResultSet, counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """Two systems to choose, what is known of them, and a way to open them in Counting."""
    st.subheader("One pair", anchor=False)
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    names = [counts.systems[k] for k in order]
    with st.container(horizontal=True):
        a = choice("First", names, key="systems-first", words=display_name)
        others = [name for name in names if name != a]
        b = choice("Second", others, key="systems-second", words=display_name)
    prose.paragraph(words.pair_sentence(counts, ranked, a, b))
    section("Its datasets", lambda: _datasets(pairs, a, b), key="systems-pair")
    if st.button(
        "Open this pair in Counting",
        key="systems-open",
        on_click=opened.open_pair,
        args=(data, pairs, a, b),
    ):
        opened.go()
    prose.paragraph(opened.in_words(data, pairs, counts.family, a, b), quiet=True)


def _datasets(pairs: PairComparisons, a: str, b: str) -> None:
    table.show(systems_tables.pair_frame(pairs, a, b), key="systems-pair", of="dataset")
    downloads.table(
        lambda: systems_tables.pair_frame(pairs, a, b),
        name="pair-datasets",
        what="this pair's datasets",
    )
