"""What can be chosen beside an answer: the claim, how it is counted and named, more resamples, the tests."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.analysis import Analysis, statements
from core.analysis.settings import CHOICES, TEST_CHOICES, margins_of, metric_of
from core.analysis.statements import extensions, open_answers
from core.data import ResultSet
from core.replicability.combinations import combination_named, combinations_under, usual_combination
from core.replicability.identification import procedure_named, procedure_names, usual_procedure
from core.significance.choose import suitable_tests
from core.significance.known_tests import significance_test_named
from core.words import testing
from core.words.counting import CHOOSE_COMBINATION_BEFORE, guarantee_sentence
from core.words.formatting import counted, metric_label, sentence_case
from core.words.subject import Question
from core.words.testing import resamples_sentence
from core.words.verdicts import question_label
from pages.ui.frame import limits, prose, state
from pages.ui.frame.widgets import GLOSSARY, RESAMPLES, SEED, number
from pages.ui.results import parts
from pages.ui.work import background, runs


def _choose(
    setting: str, label: str, titles: Mapping[str, str], now: str, *, usual: str = ""
) -> None:
    """A list of what a setting may be, in words; the usual one is kept as none."""
    st.selectbox(
        label,
        list(titles),
        format_func=titles.__getitem__,
        **state.choice(
            setting,
            now,
            lambda chosen: state.choose(**{setting: "" if chosen == usual else chosen}),
        ),
        help=GLOSSARY["direction" if setting == "question" else setting],
    )


def question(analysis: Analysis) -> Question:
    """Which claim the page looks at, where there is more than one."""
    labels, asked = parts.kept(_labels, analysis), analysis.question
    if len(labels) > 1:
        _choose("question", "Claim", labels, asked.key)
    return asked


def _labels(analysis: Analysis) -> dict[str, str]:
    printed, subject = analysis.printed, analysis.subject
    return {one.key: question_label(one, subject, printed=printed) for one in analysis.questions}


def combination(analysis: Analysis) -> None:
    """How p-values are combined, where the answer about dependence leaves a choice."""
    settings = analysis.settings
    allowed = combinations_under(settings.dependence)
    if len(allowed) == 1 or analysis.table.n_datasets == 1 or analysis.assessment.by_flips:
        return
    usual = usual_combination(settings.dependence)
    titles = {name: combination_named(name).title for name in allowed}
    titles[usual] += " (usual)"
    _choose("combination", "Counted by", titles, settings.counted_by, usual=usual)
    if settings.counted_by != usual:
        prose.paragraph(
            f"{combination_named(settings.counted_by).rule} {CHOOSE_COMBINATION_BEFORE}", quiet=True
        )


def procedure(analysis: Analysis) -> str:
    """How datasets are named: unless chosen otherwise by Holm, or the joint step-down test.

    One dataset leaves no choice: every procedure compares its p-value with α.
    """
    n, by_flips = analysis.table.n_datasets, analysis.assessment.by_flips
    chosen = analysis.procedure
    if n > 1:
        usual = usual_procedure(joint=by_flips)
        names = procedure_names(joint=by_flips)
        titles = {name: sentence_case(procedure_named(name).title) for name in names}
        _choose("procedure", "Identified by", titles, chosen, usual=usual)
        alpha = analysis.settings.alpha
        prose.paragraph(guarantee_sentence(chosen, alpha=alpha, n=n), quiet=True)
    return chosen


def settle(analysis: Analysis, question: Question) -> None:
    """The open decisions, of the other direction as well, and the button that settles them."""
    told, joint = parts.kept(open_answers, analysis), analysis.joint(question)
    if not told:
        return
    prose.notice(" ".join(told))
    if joint is not None:
        # Tenfold, the first of them those drawn already, as far as the limits go.
        n_flips = joint.flips.n_flips
        most = min(limits.MAX_FLIPS, 10 * (n_flips + 1) - 1)
        if most <= n_flips:
            prose.paragraph(f"They are the {n_flips:,} flips that this server takes.", quiet=True)
            return
        what = f"Draws {most:,} flips, and as many resamples for tests that resample."
        st.button("Draw more flips", help=what, on_click=runs.draw, args=(most,))
        return
    due = extensions(analysis, question, most=limits.MAX_RESAMPLES)
    if not due:
        had = f"Their tests have the {limits.MAX_RESAMPLES:,} resamples that this server takes."
        prose.paragraph(had, quiet=True)
        return
    most = max(n_resamples for _, n_resamples in due)
    what = (
        f"Extends {counted(len(due), 'test')} to {most:,} resamples, the first of them those "
        "drawn already."
    )
    st.button("Draw more resamples", help=what, on_click=runs.extend, args=(due,))
    prose.paragraph(
        "A p-value from resamples is an estimate with a Monte Carlo interval; more resamples narrow "
        f"it. This draws up to {most:,}. Do it before you report: stopping at a number of resamples "
        "because of its answer is a choice made after seeing the results.",
        quiet=True,
    )


def other_correlation(analysis: Analysis, question: Question) -> None:
    """Beside a verdict on correlations with gold; nothing beside others."""
    data = analysis.data
    found = runs.other_correlation()
    if found is None or not isinstance(data, ResultSet):
        return
    metric, run = found
    own = metric_of(data, analysis.settings)
    told = f"Compared by {metric_label(own, data.kind_of(own))}."
    other = metric_label(metric, data.kind_of(metric))
    if run is not None and run.finished:
        table = runs.table_of(run)
        by_other = (
            f"The tests by {other} did not end with a result."
            if table is None
            else statements.by_the_other_correlation(analysis, question, table)
        )
        told = f"{told} {by_other}"
    with st.container(horizontal=True, vertical_alignment="center"):
        prose.paragraph(told)
        st.button(
            f"Compare by {other}",
            on_click=runs.choose_metric,
            args=(metric,),
            key="other-correlation",
        )
    if run is not None and not run.finished:
        background.wait_for([run], f"Testing by {other}.")


def tests_form(data: ResultSet) -> None:
    """The form; sending it runs the tests unless they were run so before."""
    settings, metric = state.session().settings, state.metric()
    prose.paragraph(
        "Another test, seed or number of resamples runs the tests anew; moving α, exchanging A and "
        "B or the question of dependence does not.",
        quiet=True,
    )
    suitable = suitable_tests(
        data.kind_of(metric),
        zero_one=data.has_outcomes(metric),
        clustered=data.clusters is not None and settings.whole_clusters,
        margin=bool(settings.margin),
    )
    offered = ["auto", *suitable]
    heard = {name for test in suitable for name in significance_test_named(test).settings}
    # Seldom changed, each where a test on offer has it.
    further: tuple[tuple[str, str, Mapping[Any, str]], ...] = (
        ("interval", "Interval of the difference", testing.INTERVAL_NAMES),
        ("zeros", "Only for Wilcoxon: differences of zero", testing.ZERO_RULES),
        ("estimator", "Only for the bootstrap: p-value formula", testing.ESTIMATOR_RULES),
    )
    with st.form("tests", border=False):
        st.selectbox(
            "Test",
            offered,
            format_func=testing.title_of_test,
            key=state.form_widget("test", settings.test if settings.test in offered else "auto"),
        )
        number(
            RESAMPLES._replace(high=limits.MAX_RESAMPLES),
            label="Resamples, for tests that are not exact on these scores",
            key=state.form_widget("resamples", settings.n_resamples),
        )
        number(SEED, key=state.form_widget("seed", settings.seed))
        for name, label, words in further:
            if name == "interval" or name in heard:
                st.selectbox(
                    label,
                    CHOICES[name].values(),
                    format_func=words.__getitem__,
                    key=state.form_widget(name, getattr(settings, name)),
                )
        if data.clusters is not None:
            st.checkbox(
                "Examples that belong together are resampled together",
                key=state.form_widget("clusters", settings.whole_clusters),
            )
        st.form_submit_button("Run", type="primary", on_click=_run)
    n_datasets = len(state.chosen_datasets(data))
    warning = resamples_sentence(settings.n_resamples, n_datasets, alpha=settings.alpha)
    if warning:
        prose.notice(warning)


def tests_advice(data: ResultSet) -> None:
    """What the data say about tests on them."""
    lines = testing.advice_lines(data, **_asked_of_tests(data))
    prose.bullets(lines)
    if not lines:
        prose.paragraph("Nothing in these data speaks against any test on offer.", quiet=True)


def tests_reason(data: ResultSet) -> str:
    """Which test is recommended on these data, and why, or that another was chosen."""
    chosen = state.session().settings.test
    return state.computed(testing.reason_sentence, data, chosen=chosen, **_asked_of_tests(data))


def _asked_of_tests(data: ResultSet) -> dict[str, Any]:
    """What remarks on tests depend on, but for the data."""
    (a, b), settings = state.systems(), state.session().settings
    return {
        "a": a,
        "b": b,
        "metric": state.metric(),
        "whole_clusters": settings.whole_clusters,
        "margins": margins_of(data, settings),
    }


def _run() -> None:
    settings = state.session().settings
    # Widgets are called as in links; what is not on the page stays as it is.
    chosen = {c.name: state.value(c.link, getattr(settings, c.name)) for c in TEST_CHOICES}
    # What was extended had other settings.
    state.choose(**{**chosen, "extended": (), "question": ""})
    runs.run_tests()
