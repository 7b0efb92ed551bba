"""The guide: a talk of seven steps, each a claim, a picture and a control, and the reference below."""

import html
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import charts
from core.analysis import Analysis, AnalysisSettings, Origin, analyse
from core.charts.p_values import draw_chart
from core.claims.desk import sample_claims
from core.data import PValueTable, read_results, read_sample
from core.replicability.combinations import COMBINATIONS, combination_named, usual_combination
from core.replicability.counting import count_by_common_practice, count_datasets
from core.sections import answers
from core.sections.parts import Figure, Grid, Paragraph
from core.simulation.results import Simulation
from core.simulation.runs import Draw, draw_one, simulate_k_hat
from core.simulation.scenarios import TOY_DEPENDENT, TOY_INDEPENDENT, Preset
from core.words import guide
from core.words.counting import DEPENDENCE_ANSWERS, DEPENDENCE_EXAMPLES
from core.words.formatting import format_level, format_p_value
from core.words.glossary import find_terms, glossary
from core.words.simulation import draw_alt, draw_tiles
from core.words.testing import null_hypothesis_lines, recommendation_lines
from core.words.verdicts import verdict
from pages.ui.frame import figures, page, prose, state
from pages.ui.frame.links import N_STEPS
from pages.ui.intake import loading
from pages.ui.results import parts

MOST_STUDIES = 100_000
_ADDED = 10_000
_DRAWN = "guide-studies-drawn"
_APPLICATIONS = (
    ("parsing-spacy", "Mate, SpaCy"),
    ("parsing-redshift", "Mate, Redshift"),
    ("pos-tagging", "POS tagging"),
    ("sentiment", "Sentiment"),
    ("word-similarity", "Word similarity"),
)
_TRAP = "pos-tagging"
# The levels of Table 1 and of its footnote.
_PRINTED_AT = (0.05, 0.01)
_METHODS = ("count", "bonferroni", "fisher")
_SEED = 2017
# Of a chart's text, to be read from the back of a room.
_SIZE = 19
# A step fills the screen: the reference begins below it.
_STYLE = (
    "<style>.st-key-talk-step{min-height:calc(100vh - 11rem)}"
    ".st-key-talk-step h2{font-size:2rem}.st-key-talk-step .reason{font-size:1.35rem}"
    ".st-key-talk-step .verdict-tile{zoom:1.15}"
    ".st-key-talk-step table,.st-key-talk-step ol{font-size:1.15rem}"
    ".st-key-talk-step tbody th{white-space:nowrap}"
    ".st-key-talk-step button p{font-size:1.15rem}</style>"
)


def talk(alpha: float) -> None:
    """The step that the address names, with the ways back and on."""
    number = state.session().step
    step = guide.steps(alpha)[number - 1]
    with st.container(horizontal=True, vertical_alignment="center", key="talk"):
        ways: tuple[tuple[str, int, int, dict[str, Any]], ...] = (
            ("Back", number - 1, 1, {"shortcut": "Left"}),
            ("Next", number + 1, N_STEPS, {"shortcut": "Right", "type": "primary"}),
        )
        for label, to, end, how in ways:
            key = f"talk-{label.lower()}"
            st.button(label, key=key, on_click=go, args=(to,), disabled=number == end, **how)
        st.html(f"<p style='margin:0'>Step {number} of {N_STEPS}</p>", width="content")
        control = st.container(width="content")
    steps: Sequence[Callable[[float, DeltaGenerator], None]] = (
        _one_study,
        partial(_many_studies, TOY_INDEPENDENT),
        _claim_by_claim,
        partial(_many_studies, TOY_DEPENDENT),
        _published,
        _trap,
        _own_data,
    )
    st.html(_STYLE)
    with st.container(key="talk-step"):
        st.header(step.claim, anchor=False)
        st.html(
            f"<p class='reason' style='margin:0;line-height:1.35'>{html.escape(step.reason)}</p>"
        )
        steps[number - 1](alpha, control)


def go(number: int) -> None:
    """Turn to a step."""
    state.session().step = min(max(number, 1), N_STEPS)


def _draw(key: str, n_studies: int) -> None:
    state.widget(key, n_studies)


def _one_study(alpha: float, control: DeltaGenerator) -> None:
    n_drawn = int(state.value(_DRAWN, 1))
    draw, tally = state.computed(_drawn, n_drawn, alpha)
    control.button(
        "Draw another study",
        on_click=_draw,
        args=(_DRAWN, n_drawn + 1),
        disabled=n_drawn >= 2_000,
    )
    prose.tiles(draw_tiles(draw, tally, _METHODS))
    figures.show(
        partial(draw_chart, draw, height=300), name="toy", size=_SIZE, alt=draw_alt(draw, _METHODS)
    )


def _drawn(n_studies: int, alpha: float) -> tuple[Draw, Simulation]:
    """The last of so many studies, and what all of them counted."""
    scenario = TOY_INDEPENDENT.scenario
    return (
        draw_one(scenario, _SEED, alpha=alpha, repetition=n_studies - 1),
        simulate_k_hat(scenario, n_repetitions=n_studies, alpha=alpha, rng=_SEED),
    )


def _many_studies(preset: Preset, alpha: float, control: DeltaGenerator) -> None:
    key = "guide-independent" if preset is TOY_INDEPENDENT else "guide-dependent"
    n_studies = int(state.value(key, _ADDED))
    how: dict[str, Any] = {"n_repetitions": n_studies, "alpha": alpha, "rng": _SEED}
    simulation = state.computed(simulate_k_hat, preset.scenario, **how)
    control.button(
        f"{n_studies:,} studies drawn; draw {_ADDED:,} more",
        key=f"{key}-more",
        on_click=_draw,
        args=(key, n_studies + _ADDED),
        disabled=n_studies >= MOST_STUDIES,
    )
    rates = "; ".join(
        f"{name}: too many in {simulation.overcount(name).rate:.3f} of studies" for name in _METHODS
    )
    figures.show(
        partial(charts.k_hat_histograms, simulation, estimators=_METHODS),
        name=key,
        size=_SIZE,
        alt=f"Histograms of the counts of {n_studies} studies. {rates}.",
    )


def _claim_by_claim(alpha: float, _: DeltaGenerator) -> None:
    question, subject = state.computed(guide.example, alpha=alpha)
    answer = question.answer
    n = answer.p_values.size
    u = st.select_slider(
        f"u: {subject.claim('a-better')} on at least u of {n}",
        list(range(1, n + 1)),
        value=max(1, answer.k_hat),
        key="guide-u",
        persist_state="session",
    )
    order = np.argsort(answer.p_values, kind="stable")
    colours = figures.theme()
    boxes = "".join(
        f"<li style='flex:1 1 5rem;border:2px {'dashed' if rank < u else 'solid'} "
        f"{colours.quiet if rank < u else colours.a};border-radius:.4rem;padding:.4rem .6rem;"
        f"color:{colours.quiet if rank < u else colours.ink}'>"
        f"{html.escape(subject.datasets[i])}<br>"
        f"<strong style='font-size:1.3rem'>{format_p_value(float(answer.p_values[i]))}</strong><br>"
        f"{'set aside' if rank < u else 'evidence'}</li>"
        for rank, i in enumerate(order, start=1)
    )
    st.html(
        "<ol aria-label='p-values, smallest first' style='list-style:none;display:flex;"
        f"flex-wrap:wrap;gap:.4rem;margin:0;padding:0;line-height:1.4'>{boxes}</ol>"
    )
    prose.lead(guide.claim_sentence(answer, u))
    prose.paragraph(
        "Two parsers, Mate and Redshift, on seven genres (Dror et al. 2017, Table 2; p-values read as "
        "one-sided), the smallest p-value first.",
        quiet=True,
    )


def _analysis_of(key: str, alpha: float) -> Analysis:
    """A published sample at a level, with the dependence that its paper declares."""
    sample, content = read_sample(key)
    roles = {"alternative": sample.alternative}
    data = read_results(content, name=sample.file_name, roles=roles)
    assert isinstance(data, PValueTable)
    settings = AnalysisSettings(alpha=alpha, dependence=sample.dependence)
    return analyse(data, settings, origin=Origin.of(sample, roles))


def _published(alpha: float, _: DeltaGenerator) -> None:
    heads = (
        "application",
        "N",
        "usual count",
        "Bonferroni",
        "Fisher",
        "the app's counts",
        "better, with direction",
    )
    grid = Grid(
        header=heads,
        rows=tuple(_application(key, title, alpha) for key, title in _APPLICATIONS),
        # Their digits stay together.
        numeric=(False, *(True,) * (len(heads) - 2), False),
        name="Table 1",
    )
    parts.show([grid], is_preview=True)
    if alpha not in _PRINTED_AT:
        levels = " and ".join(map(format_level, _PRINTED_AT))
        prose.paragraph(f"The paper prints its counts at {levels}.", quiet=True)
    _applications("talk")


def _application(key: str, title: str, alpha: float) -> tuple[str, ...]:
    """A row of Table 1: as printed, as the app counts the same p-values, and by direction."""
    analysis = state.computed(_analysis_of, key, alpha)
    p_values = analysis.table.p_values
    printed = {
        claim.method: str(claim.k)
        for claim in sample_claims(key)
        if claim.alpha == alpha and claim.kind == "exactly"
    }
    counted = [
        count_by_common_practice(p_values, alpha=alpha),
        *(count_datasets(p_values, alpha=alpha, combination=m).k_hat for m in _METHODS[1:]),
    ]
    found = verdict(analysis.assessment, analysis.subject)
    by_direction = "; ".join(
        f"{analysis.subject.sides(tile.claim)[0]}: {tile.figure}"
        for tile in found.tiles
        if tile.claim is not None
    )
    return (
        title,
        str(p_values.size),
        *(printed.get(method, "–") for method in _METHODS),
        ", ".join(map(str, counted)),
        by_direction,
    )


def _trap(alpha: float, _: DeltaGenerator) -> None:
    analysis = state.computed(_analysis_of, _TRAP, alpha)
    found = verdict(analysis.assessment, analysis.subject)
    # The common practice is in the table one step before, and a step is one screen.
    prose.tiles([tile for tile in found.tiles if not tile.heading.startswith("Common practice")])
    # Both directions in one picture hold at once, as in the Counting page's.
    for part in answers.both_sides_parts(analysis):
        if isinstance(part, Figure):
            figures.show(part.draw, name="trap", size=_SIZE, alt=part.alt)
        elif isinstance(part, Paragraph):
            prose.paragraph(part.text, quiet=True)


def _own_data(_alpha: float, _: DeltaGenerator) -> None:
    st.page_link("pages/upload.py", label="Load your own data →")
    prose.paragraph("Or begin with a published table:")
    _applications("own")


def _applications(of: str) -> None:
    """A button for each, that opens it on the first page."""
    with st.container(horizontal=True):
        for key, title in _APPLICATIONS:
            if st.button(title, key=f"{of}-{key}", on_click=loading.load_sample, args=(key,)):
                st.switch_page("pages/upload.py")


# The reference


def _definitions(entries: Iterable[tuple[str, str]]) -> None:
    """Terms with their explanations, literally."""
    rows = "".join(
        f"<dt style='font-weight:600'>{html.escape(term)}</dt>"
        f"<dd style='margin:0 0 .6rem 0'>{html.escape(text)}</dd>"
        for term, text in entries
    )
    st.html(f"<dl style='margin:0;padding:0;line-height:1.5;overflow-wrap:anywhere'>{rows}</dl>")


class Topic(NamedTuple):
    """A question of the reference, its answer, what draws the rest, where the thing is done."""

    heading: str
    answer: str
    show: Callable[[], None]
    pages: tuple[str, ...] = ()


def topics(alpha: float) -> tuple[Topic, ...]:
    """The reference at a level."""
    return (
        Topic(
            "Which dependence do I have?",
            "“Not known” until you have checked what the datasets share; Bonferroni's count then "
            "holds in any case.",
            _find_dependence,
            ("Upload", "Counting"),
        ),
        Topic(
            "How are p-values combined?",
            "If unsure, use Bonferroni. The others often show more, where what they assume is true.",
            lambda: _definitions((each.title, glossary()[each.title]) for each in COMBINATIONS),
        ),
        *map(_words, (guide.names(alpha), guide.POOLING, guide.ACROSS, guide.EQUIVALENCE)),
        Topic(
            "Which test on each dataset?",
            "The kind of scores decides, by one fixed rule that never looks at which system is ahead.",
            _tests,
            ("Tests",),
        ),
        Topic(
            "How do I report it?",
            guide.report_answer(alpha),
            lambda: _report(alpha),
            ("Report", "Counting", "Identification"),
        ),
        _words(guide.LIMITS),
        Topic("Glossary", "", _glossary),
    )


def _words(shown: guide.Section) -> Topic:
    draw = partial(prose.paragraphs, shown.details)
    return Topic(shown.heading, shown.answer, draw, shown.pages)


def reference(alpha: float) -> None:
    """One question at a time, chosen from the list of all."""
    st.header("Reference", anchor=False)
    of_heading = {topic.heading: topic for topic in topics(alpha)}
    beside, place = st.columns([1, 2], gap="large")
    with beside:
        topic = of_heading[
            st.radio(
                "Look up",
                list(of_heading),
                key="guide-topic",
                persist_state="session",
            )
        ]
    with place:
        st.subheader(topic.heading, anchor=False)
        if topic.answer:
            prose.paragraph(topic.answer, strong=True)
        topic.show()
        if topic.pages:
            with st.container(horizontal=True):
                for label in topic.pages:
                    st.page_link(page.entry_of(label).path, label=f"{label} →")


def _tests() -> None:
    prose.bullets(recommendation_lines())
    _definitions(null_hypothesis_lines())


def _report(alpha: float) -> None:
    prose.bullets(guide.CHECKLIST)
    prose.paragraph("An example, with the figures of the two parsers above:")
    prose.notice(guide.example_paragraph(*guide.example(alpha=alpha)))
    prose.paragraph("To avoid:")
    prose.bullets(guide.TO_AVOID)


def _glossary() -> None:
    """Every term, or those that a search finds."""
    query = st.text_input(
        "Search the glossary", key="guide-search", persist_state="session"
    ).strip()
    found = [*find_terms(query).items()]
    if found:
        _definitions(found if query else sorted(found, key=lambda entry: entry[0].casefold()))
    else:
        prose.paragraph(f"No term or explanation holds “{query}”.")


def _find_dependence() -> None:
    """The questions, the answer that follows, and a button that takes it."""

    def reply(question: guide.DependenceQuestion) -> guide.Reply:
        return st.radio(
            question.text,
            guide.REPLIES,
            format_func=lambda reply: guide.REPLY_LABELS[reply],
            horizontal=True,
            key=f"guide-dependence-{question.key}",
            persist_state="session",
        )

    replies = {question.key: reply(question) for question in guide.SHARING_QUESTIONS}
    if guide.implied_dependence(replies)[0] != "independent":
        replies[guide.POSITIVE_QUESTION.key] = reply(guide.POSITIVE_QUESTION)
    dependence, reason = guide.implied_dependence(replies)
    combination = combination_named(usual_combination(dependence)).title
    prose.paragraph(f"Answer: “{DEPENDENCE_ANSWERS[dependence]}” ({combination}).", strong=True)
    prose.paragraph(reason)
    prose.paragraph(DEPENDENCE_EXAMPLES[dependence], quiet=True)
    if state.session().settings.dependence == dependence:
        prose.paragraph("This is what the sidebar says.", quiet=True)
    else:
        st.button(
            "Take this answer for every page",
            on_click=lambda: state.choose(dependence=dependence),
        )
