"""One pair of many systems: chosen, told in sentences, and opened on the Counting page, tested as here."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from core.comparison import BETTER
from core.data import ResultSet
from core.errors import DataError
from core.sections.parts import Table
from core.significance.known_tests import is_bootstrap, significance_test_named
from core.significance.run import planned_tests
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix
from core.systems.standings import Standings
from core.words import systems_board as words
from core.words.formatting import display_name
from core.words.testing import title_of_test
from pages.ui.frame import prose, state, tables
from pages.ui.frame.sections import section
from pages.ui.systems import data as systems_data
from pages.ui.work import runs
from pages.ui.work.studies import choice

_COUNTING = "pages/counting.py"
# What Counting is to say of a pair that is on its way there.
_SAID = "systems-pair-said"


def open_pair(data: ResultSet, pairs: PairComparisons, a: str, b: str) -> None:
    """Let Counting compare two systems by the test of this page, and what that test depends on."""
    asked = systems_data.compared_with()
    before = state.session().settings
    wanted: dict[str, Any] = {"test": _test(data, pairs, a, b)[0]}
    bootstrap = any(is_bootstrap(name) for name in pairs.tests)
    # The default's randomization is exact: it has no use for them.
    if bootstrap or any(drawn is not None for drawn in pairs.n_resamples):
        wanted["n_resamples"] = int(str(asked["resamples"]))
        wanted["seed"] = int(str(asked["seed"]))
    if bootstrap:
        wanted["estimator"] = "add-one"
    if any("zeros" in significance_test_named(name).settings for name in pairs.tests):
        wanted["zeros"] = "wilcox"
    # This page asks which of two is better.
    wanted |= {"claim": BETTER, "margin": 0.0}
    if data.clusters is not None:
        wanted["whole_clusters"] = True
    changed = {name: value for name, value in wanted.items() if getattr(before, name) != value}
    if changed:
        state.choose(**changed)
        state.widget(_SAID, words.taken_over_sentence(changed))
    runs.choose_systems(a, b)


def go() -> None:
    """To the Counting page, which then says what was taken over: this page's notices have been."""
    said = state.value(_SAID, "")
    if said:
        state.widget(_SAID, "")
        state.remark(said)
    st.switch_page(_COUNTING)


def _test(data: ResultSet, pairs: PairComparisons, a: str, b: str) -> tuple[str, tuple[str, ...]]:
    """The test to ask for, so that the pair gets the tests that all pairs had, and where it does not.

    The recommended test looks at all systems there, and at two of them in Counting.
    """
    asked = str(systems_data.compared_with()["test"])
    if asked != "auto":
        return asked, ()
    used = dict(zip(pairs.datasets, pairs.tests, strict=True))
    try:
        planned = planned_tests(data, a=a, b=b, test="auto", metric=state.metric())
    except DataError:
        planned = {}
    other = tuple(
        name for name, test in used.items() if name not in planned or planned[name].test != test
    )
    if other and len(set(pairs.tests)) == 1:
        return pairs.tests[0], ()
    return "auto", other


def in_words(data: ResultSet, pairs: PairComparisons, family: str, a: str, b: str) -> str:
    """How Counting's numbers of a pair relate to those here."""
    drawn = [n for n in pairs.n_resamples if n is not None]
    _, other = state.kept(("pair-opened", a, b, pairs.signature), lambda: _test(data, pairs, a, b))
    return words.opened_sentence(
        family,
        [title_of_test(name, pairs.claim) for name in dict.fromkeys(pairs.tests)],
        min(drawn) if drawn else None,
        by_itself=bool(drawn),
        other=other,
    )


def show(data: ResultSet, counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """Two systems to choose, what is known of them, and a way to open them in Counting."""
    st.header("One pair", anchor=False)
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
        on_click=open_pair,
        args=(data, pairs, a, b),
    ):
        go()
    prose.paragraph(in_words(data, pairs, counts.family, a, b), quiet=True)


def _datasets(pairs: PairComparisons, a: str, b: str) -> None:
    frame = words.pair_frame(pairs, a, b)
    tables.searched(Table(frame=frame, name="systems-pair", of="dataset"), key="systems-pair")
    tables.download(
        lambda: words.pair_frame(pairs, a, b),
        name="pair-datasets",
        what="this pair's datasets",
    )
