"""One pair of many systems: chosen by name or by a click in the matrix of counts, told, and opened on the Counting page."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NoReturn

import numpy as np
import streamlit as st

from core.charts.matrices import MOST_NAMED, MOST_WITH_NUMBERS, pair_matrix
from core.comparison import BETTER
from core.data import ResultSet
from core.errors import DataError
from core.sections import systems as sections
from core.significance.known_tests import is_bootstrap, significance_test_named
from core.significance.plan import planned_tests
from core.systems.comparisons import PairComparisons, Standings
from core.systems.counting import CountMatrix
from core.words.formatting import display_name
from pages.ui.frame import figures, prose, state, tables
from pages.ui.frame.widgets import Part, choice, clicked
from pages.ui.systems import data as systems_data
from pages.ui.work import background, runs

_FEW = 12
# Where cells do not fit beside each other the picture is scrolled.
_NARROWEST_NUMBER, _NARROWEST_COLOUR, _ROOM_FOR_ROWS = 22, 4, 110


def _open(data: ResultSet, pairs: PairComparisons, a: str, b: str) -> NoReturn:
    """Let Counting compare two systems by the test of this page, and what that test depends on."""
    run, before = background.latest(systems_data.PAIRS), state.session().settings
    assert run is not None
    asked = run.task.settings
    # This page asks which of two is better.
    wanted: dict[str, Any] = {"claim": BETTER, "margin": 0.0}
    wanted["test"] = _test(data, pairs, a, b, asked=asked["test"], metric=state.metric())
    bootstrap = any(is_bootstrap(name) for name in pairs.tests)
    # The default's randomization is exact: it has no use for them.
    if bootstrap or any(drawn is not None for drawn in pairs.n_resamples):
        wanted |= {"n_resamples": asked["resamples"], "seed": asked["seed"]}
    if bootstrap:
        wanted["estimator"] = "add-one"
    if any("zeros" in significance_test_named(name).settings for name in pairs.tests):
        wanted["zeros"] = "wilcox"
    if data.clusters is not None:
        wanted["whole_clusters"] = True
    changed = {name: value for name, value in wanted.items() if getattr(before, name) != value}
    if changed:
        state.choose(**changed)
        state.remark(sections.taken_over_sentence(changed))
    runs.choose_systems(a, b)
    st.switch_page("pages/counting.py")


def _test(
    data: ResultSet, pairs: PairComparisons, a: str, b: str, *, asked: str, metric: str
) -> str:
    """The test to ask for, so that the pair gets the tests that all pairs had, where there is one.

    The recommended test looks at all systems there, and at two of them in Counting.
    """
    used = dict(zip(pairs.datasets, pairs.tests, strict=True))
    if asked != "auto" or len(set(pairs.tests)) > 1:
        return asked
    try:
        planned = planned_tests(data, a=a, b=b, test="auto", metric=metric)
    except DataError:
        return pairs.tests[0]
    is_same = all(name in planned and planned[name].test == test for name, test in used.items())
    return asked if is_same else pairs.tests[0]


def show_pair(
    data: ResultSet, counts: CountMatrix, pairs: PairComparisons, ranked: Standings
) -> None:
    """Two systems to choose, what is known of them, and a way to open them in Counting."""
    st.header("One pair", anchor=False)
    order = counts.order
    names = [counts.systems[k] for k in order]
    with st.container(horizontal=True):
        a = choice("First", names, key=state.of_file("systems-first"), words=display_name)
        others = [name for name in names if name != a]
        b = choice("Second", others, key=state.of_file("systems-second"), words=display_name)
    prose.paragraph(sections.pair_sentence(counts, ranked, a, b))
    if clicked("Open this pair in Counting", key="systems-open"):
        _open(data, pairs, a, b)
    prose.paragraph(
        "Counting tests and counts this pair by itself. Exact p-values of the same test are the same there; "
        "those drawn at random may differ a little. The count may be larger than one of all claims together.",
        quiet=True,
    )


def _datasets(pairs: PairComparisons, a: str, b: str) -> None:
    prose.paragraph(f"{display_name(a)} and {display_name(b)}, the pair chosen above.", quiet=True)
    frame = sections.pair_frame(pairs, a, b)
    tables.pinned(frame)
    tables.download(lambda: frame, name="pair-datasets", what="this pair's datasets")


def how_many(m: int) -> int:
    """How many systems are drawn, the best first; asks where they are many."""
    offered = sorted({number for number in (_FEW, MOST_WITH_NUMBERS, MOST_NAMED) if number < m})
    if m <= MOST_NAMED:
        offered.append(m)
    if len(offered) == 1:
        return offered[0]
    return choice(
        "Drawn",
        offered[::-1],
        key=state.of_file("systems-drawn"),
        words=lambda number: f"{'all' if number == m else 'the best'} {number} systems",
    )


def show_matrix(data: ResultSet, counts: CountMatrix, pairs: PairComparisons, most: int) -> None:
    """Row better than column on at least k̂ datasets; of many systems, the best ranked."""
    m = len(counts.systems)
    cell = _NARROWEST_NUMBER if most <= MOST_WITH_NUMBERS else _NARROWEST_COLOUR
    with figures.wide("pair-matrix", _ROOM_FOR_ROWS + cell * most):
        event = figures.show(
            partial(pair_matrix, counts, most=most),
            name="pair-matrix",
            alt=f"Matrix of counts. {sections.claims_sentence(counts)}",
            without=("zoom2d", "pan2d"),
            on_select="rerun",
            selection_mode="points",
        )
    for point in event.selection.points:
        _, better, than = point["customdata"]
        if better != than:
            _open(data, pairs, better, than)
    drawn = "" if m <= most else f"Drawn are the {most} best of {m} systems. "
    order = " Columns stand in the order of the rows." if most > MOST_WITH_NUMBERS else ""
    colour = " In a coloured cell the row is better." if counts.n_datasets == 1 else ""
    prose.paragraph(
        f"{drawn}The best rank stands first.{order}{colour} A click on a cell opens that pair on the Counting "
        "page, the row as A.",
        quiet=True,
    )


def details(
    counts: CountMatrix, pairs: PairComparisons, ranked: Standings
) -> list[Part | Literal[False]]:
    """The pair's datasets; the matrix as a table of many systems; one against each other one."""
    a, b = (state.value(state.of_file(f"systems-{one}")) for one in ("first", "second"))
    return [
        ("The pair by dataset", partial(_datasets, pairs, a, b)),
        len(counts.systems) > _FEW
        and ("All systems", lambda: tables.pinned(sections.matrix_frame(counts))),
        ("One against the others", partial(against, ranked, counts=counts)),
    ]


def against(ranked: Standings, *, counts: CountMatrix | None = None) -> None:
    """One system, to be chosen, against each other one."""
    order = np.argsort(ranked.mean_ranks, kind="stable").tolist()
    system = choice(
        "System",
        [ranked.systems[k] for k in order],
        key=state.of_file("systems-one"),
        words=display_name,
    )
    tables.pinned(sections.against_frame(ranked, system, counts=counts))
