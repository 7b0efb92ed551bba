"""The leaderboard that counts, by whether a claim at a margin holds, and by ranks alone; and one pair of it."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NoReturn

import numpy as np
import streamlit as st

from core.analysis.settings import margin_in_words
from core.charts.matrices import MOST_NAMED, MOST_WITH_NUMBERS, pair_matrix
from core.comparison import BETTER, comparison_named
from core.data import ResultSet, ScoreTable
from core.effects.friedman import Friedman, quade
from core.effects.post_hoc import PostHoc, post_hoc_named, post_hoc_names
from core.errors import DataError
from core.sections import across
from core.sections import systems as sections
from core.sections.parts import Signature, Table
from core.significance.known_tests import significance_test_named
from core.significance.plan import planned_tests
from core.systems.comparisons import PairComparisons, Standings, standings
from core.systems.counting import FAMILIES, CountMatrix
from core.words.formatting import display_name
from core.words.testing import described
from pages.ui.frame import figures, prose, state, tables
from pages.ui.frame.widgets import GLOSSARY, Part, choice, clicked, section
from pages.ui.results import parts
from pages.ui.systems import comparison
from pages.ui.work import background, runs

# On the first page as many rows as leave the pair in sight, and of the columns the first.
_LOW, _LATER = 300, ("… on half", across.NOT_DIFFERENT, "best on", "wins", "ties", "losses")
# P-values of 0/1 outcomes that take about two seconds; what takes longer waits to be asked for.
_BY_ITSELF = 4_000
AT_MARGIN = "all-pairs-at-margin"
_FEW = 12
# Where cells do not fit beside each other the picture is scrolled.
_NARROWEST_NUMBER, _NARROWEST_COLOUR, _ROOM_FOR_ROWS = 22, 4, 110


def promise(data: ResultSet) -> None:
    """Before anything was compared: what will be."""
    m = len(data.systems)
    n = len(state.chosen_datasets(data))
    prose.lead(sections.PROMISE)
    if comparison.too_many(data):
        prose.notice(
            f"{m} systems on {n} datasets have more p-values than fit into memory: leave datasets "
            "out on the Upload page, or load fewer systems."
        )
        return
    prose.paragraph(
        f"{m * (m - 1) // 2:,} pairs of {m} systems on {n} dataset{'s' if n != 1 else ''}."
    )
    comparison.form(data)


def counted(data: ResultSet, pairs: PairComparisons) -> CountMatrix:
    """The answer, the picture, and what both promise; gives the counts that were asked for."""
    # Known before it is asked, since the answer stands first.
    family = comparison.family(pairs)
    counts, joint = comparison.counts(pairs, family), comparison.counts(pairs, "all")
    prose.lead(sections.lead_sentence(joint))
    choose_family = partial(state.widget, state.of_file(comparison.FAMILY))
    n = counts.n_datasets
    where = f" on at least … of {n} datasets" if n > 1 else ""
    together = "all claims together" if counts.is_joint else "each pair alone"
    st.header(
        f"Row better than column{where}, {together}",
        anchor=False,
        help=GLOSSARY["systems that differ"],
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.radio(
            "What the confidence is about",
            tuple(FAMILIES),
            format_func=FAMILIES.__getitem__,
            **state.choice(state.of_file("systems-family"), family, choose_family),
            horizontal=True,
            help=GLOSSARY["family of claims"],
        )
        most = how_many(len(counts.systems))
    show_matrix(data, counts, pairs, most)
    parts.show(sections.promise_parts(pairs, counts, joint))
    prose.paragraphs(comparison.not_read(data), quiet=True)
    with st.expander("Another test, resamples or seed", key="box-run"):
        comparison.form(data)
    return counts


def counted_on_first_page(data: ResultSet, show_pair: Callable[[], None]) -> None:
    """Many systems and the pair among them: all of them first, or the pair if it is asked at a margin."""
    pairs = comparison.current(data)
    at_margin = comparison_named(state.session().settings.claim).takes_margin
    if not at_margin:
        _all_systems(data, pairs)
    st.header("One pair: A and B", anchor=False)
    show_pair()
    if at_margin:
        st.header("All systems", anchor=False)
        prose.paragraphs([sections.WITHOUT_MARGIN] if pairs is not None else [], quiet=True)
        _all_systems(data, pairs)


def _all_systems(data: ResultSet, pairs: PairComparisons | None) -> None:
    """The lead on all pairs, the leaderboard, and a link to the Systems page."""
    m = len(data.systems)
    if pairs is None:
        st.page_link("pages/systems.py", label=f"{m} systems are loaded: compare them all →")
        return
    joint = comparison.counts(pairs, "all")
    prose.lead(sections.lead_sentence(joint))
    ranked = comparison.ranked(pairs)
    board = state.computed(sections.leaderboard_parts, pairs, joint, ranked, at_least=1)[0]
    assert isinstance(board, Table)
    frame = board.frame.drop(columns=[name for name in _LATER if name in board.frame])
    tables.pinned(frame, meanings=board.meanings, height=_LOW)
    st.page_link("pages/systems.py", label=f"All pairs of the {m} systems, and their tiers →")


def how(pairs: PairComparisons) -> None:
    """Tests, resamples, and the line that reproduces the comparison."""
    for name in dict.fromkeys(pairs.tests):
        prose.paragraph(described(name))
    prose.paragraphs(pairs.notes, quiet=True)
    alone, joint = (comparison.counts(pairs, family) for family in ("pair", "all"))
    parts.show(sections.method_parts(pairs, alone, joint))


def leaderboard(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """The table, and on how many datasets one must be better for two to differ."""
    st.header("Leaderboard", anchor=False)
    at_least = _at_least(counts.n_datasets)
    found = state.computed(sections.leaderboard_parts, pairs, counts, ranked, at_least=at_least)
    parts.show(found[:2])
    with st.container(horizontal=True):
        parts.show(found[2:])


def _at_least(n: int) -> int:
    """On how many datasets; 1 where there is one."""
    if n == 1:
        return 1
    return choice(
        "Two systems differ significantly if one is better",
        list(range(1, n + 1)),
        key=state.of_file("systems-at-least"),
        words=lambda k: f"on at least {k} of {n} datasets" if k < n else f"on all {n} datasets",
    )


def meanings(counts: CountMatrix) -> None:
    """What the columns of the leaderboard say."""
    prose.paragraph(GLOSSARY["systems that differ"])
    if not counts.is_joint:
        prose.paragraph(
            "Two systems differ significantly if either is better, so each pair is tested in both "
            "directions at half the level. The numbers of systems it is better or worse than are of "
            "one direction at the whole level."
        )
    prose.paragraph(sections.RANKS_SAY_NOTHING_OF_CHANCE)


def at_margin(data: ResultSet, family: str) -> None:
    """Nothing where the claim is that A is better, which the matrix above is about."""
    settings = state.session().settings
    if not comparison_named(settings.claim).takes_margin:
        return
    margin = margin_in_words(data, settings)
    claim = comparison_named(settings.claim).heading("row", "column", margin)
    st.header(f"The claim of the sidebar: {claim}", anchor=False)
    prose.paragraph(sections.ABOUT_CLAIMS)
    asked = {**comparison.settings(data), "claim": settings.claim, "margin": settings.margin}
    # By the test that is recommended for the claim.
    del asked["test"]
    task = comparison.study(data, AT_MARGIN, asked)
    n_p_values = len(data.systems) ** 2 * len(state.chosen_datasets(data))
    if data.has_outcomes(state.metric()) and n_p_values <= _BY_ITSELF:
        background.begin_by_itself(task)
    run = background.latest(AT_MARGIN)
    found = run.result if run is not None and run.task.settings == task.settings else None
    if not (isinstance(found, PairComparisons) and found.complete):
        background.button("Compare all pairs at the margin", task)
    pairs = background.answer(task)
    if pairs is None:
        return
    parts.show(sections.claim_parts(pairs, data, settings, family))


def of_scores(data: ScoreTable) -> None:
    """One score per dataset and system: ranks, wins, and tiers of mean ranks."""
    ranked, post_hoc = _ranked_scores(data)
    prose.lead(across.scores_lead(ranked))
    parts.show(state.computed(across.ranks_parts, ranked, state.session().settings.alpha))
    prose.paragraph(
        "On how many datasets one system is better than another, beyond chance, needs the results on "
        "every example: one score per dataset carries no sampling error.",
        quiet=True,
    )
    prose.paragraphs(comparison.not_read(data), quiet=True)
    st.header("Leaderboard", anchor=False)
    board = sections.leaderboard(ranked, post_hoc=post_hoc)
    parts.show([board])
    if post_hoc is not None:
        prose.paragraph(across.letters_note(post_hoc), quiet=True)
    prose.paragraph(sections.RANKS_SAY_NOTHING_OF_CHANCE, quiet=True)
    with st.container(horizontal=True):
        tables.download(lambda: board.frame, name="leaderboard", what="the leaderboard")
        if post_hoc is not None:
            tables.download(post_hoc.to_frame, name="pairs-of-mean-ranks", what="every pair")
    section("One system against each other one", lambda: against(ranked), key="systems-against")
    section("How this was computed", lambda: _how_ranked(ranked, post_hoc), key="systems-how")


def ranked_on_first_page(data: ScoreTable) -> None:
    """Who ranks best, and the leaderboard, before any two of the systems."""
    ranked, post_hoc = _ranked_scores(data)
    prose.lead(across.scores_lead(ranked))
    parts.show([sections.leaderboard(ranked, post_hoc=post_hoc)])
    st.page_link(
        "pages/systems.py", label=f"Which of {len(data.systems)} systems differ significantly? →"
    )


def _ranked_scores(data: ScoreTable) -> tuple[Standings, PostHoc | None]:
    ranked = state.computed(standings, state.chosen_rows(data))
    return ranked, state.computed(across.compared_ranks, ranked, state.session().settings.alpha)


def mean_ranks(pairs: PairComparisons) -> None:
    """Beside the counts: what mean ranks say, which is another question."""
    if len(pairs.datasets) == 1:
        return
    st.header("Mean ranks", anchor=False)
    alpha = state.session().settings.alpha
    parts.show(state.computed(across.ranks_parts, comparison.ranked(pairs), alpha))


def ranks_details(pairs: PairComparisons) -> Part | Literal[False]:
    """How mean ranks are compared, where they are."""
    ranked, alpha = comparison.ranked(pairs), state.session().settings.alpha
    found = state.computed(across.compared_ranks, ranked, alpha)
    return found is not None and ("How ranks are compared", partial(_how_ranked, ranked, found))


def _how_ranked(ranked: Standings, found: PostHoc | None) -> None:
    """Systems by their mean ranks or over the datasets, compared in a way that is chosen."""
    if found is None:
        parts.show([Signature(line=ranked.signature)])
        return
    ranks = found.friedman
    with st.container(horizontal=True):
        procedure = choice(
            "Systems compared by",
            post_hoc_names(),
            key=state.of_files("systems-post-hoc"),
            words=lambda name: post_hoc_named(name).title,
        )
        control = None
        if post_hoc_named(procedure).needs_control:
            a, key = state.systems()[0], state.of_file("systems-control")
            # A stands first, as the one that others are compared with unless another is chosen.
            systems = sorted(ranked.systems, key=lambda name: name != a)
            control = choice("Compared with", systems, key=key, words=display_name)
    alpha, meaning = state.session().settings.alpha, post_hoc_named(procedure).meaning
    by = state.computed(_compared, ranks, procedure, control, alpha)
    parts.show(across.how_ranked_parts(by, meaning, state.computed(quade, ranks)))


def _compared(ranks: Friedman, procedure: str, control: str | None, alpha: float) -> PostHoc:
    return post_hoc_named(procedure).run(ranks, control, alpha)


# One pair


def _open(data: ResultSet, pairs: PairComparisons, a: str, b: str) -> NoReturn:
    """Let Counting compare two systems by the test of this page, and what that test depends on."""
    run, before = background.latest(comparison.PAIRS), state.session().settings
    assert run is not None
    asked = run.task.settings
    # This page asks which of two is better.
    wanted: dict[str, Any] = {"claim": BETTER, "margin": 0.0}
    wanted["test"] = _test(data, pairs, a, b, asked=asked["test"], metric=state.metric())
    bootstrap = any(significance_test_named(name).bootstraps for name in pairs.tests)
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


def pair_details(
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
