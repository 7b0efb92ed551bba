"""What is loaded and what was chosen once for every page."""

import html
from dataclasses import replace

import streamlit as st

from core.analysis.settings import has_margins, margin_in_words, metrics_of
from core.comparison import (
    BETTER,
    BETTER_BY,
    COLUMN,
    comparison_named,
    comparison_names,
    read_margin,
    written_margin,
)
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.types import DEPENDENCES, UNITS_BY
from core.validation import LARGEST_ALPHA, SMALLEST_ALPHA, read_alpha
from core.words.counting import DEPENDENCE_ANSWERS, JOINT_ANSWER, UNITS_WORDS
from core.words.formatting import counted, display_name, format_level, metric_label
from pages.ui.frame import figures, prose, state
from pages.ui.frame.widgets import GLOSSARY
from pages.ui.intake import loading
from pages.ui.work import runs

# The answer that is counted by joint flips, beside those about dependence.
_SHARED = "shared"
# Two systems need no choice, only an exchange.
MOST_SWAPPED = 2


def show() -> None:
    """Draw the sidebar."""
    data = state.data()
    with st.sidebar:
        _loaded()
        _alpha()
        # Of what has no p-values, or where one dataset is compared, nothing is counted.
        if data is None or (
            isinstance(data, PValueTable | ResultSet) and len(state.chosen_datasets(data)) > 1
        ):
            _dependence()


def _loaded() -> None:
    current = state.session()
    if current.loaded is None:
        prose.paragraph("Nothing loaded yet.", quiet=True)
        return
    data, left_out = current.loaded.data, len(current.settings.excluded)
    n_datasets, (first, second) = len(data.datasets), state.systems()
    count = counted(n_datasets, "dataset")
    if left_out:
        count = f"{n_datasets - left_out:,} of {count}, {left_out:,} left out"
    said = [f"<strong>{html.escape(display_name(current.loaded.title))}</strong>", count]
    # A table of effects names no systems.
    if not isinstance(data, EffectTable):
        colours = figures.theme()
        said += [
            f"<span style='color:{colour};font-weight:700'>{letter}</span> "
            f"{html.escape(display_name(name))}"
            for letter, colour, name in (("A", colours.a, first), ("B", colours.b, second))
        ]
    st.html(f"<div style='overflow-wrap:anywhere;line-height:1.5'>{'<br>'.join(said)}</div>")
    if isinstance(data, ResultSet | ScoreTable) and len(data.systems) > MOST_SWAPPED:
        # Both may be chosen before either is drawn: beside each stands what the other is by then.
        of_a = state.choice("system-a", first, lambda a: runs.choose_systems(a, state.systems()[1]))
        of_b = state.choice(
            "system-b", second, lambda b: runs.choose_systems(state.systems()[0], b)
        )
        st.selectbox("A", data.systems, **of_a)
        st.selectbox("B", data.systems, **of_b)
    if isinstance(data, ResultSet) and len(metrics_of(data)) > 1:
        st.selectbox(
            "Metric",
            metrics_of(data),
            format_func=lambda metric: metric_label(metric, data.kind_of(metric)),
            **state.choice("metric", state.metric(), runs.choose_metric),
        )
    if isinstance(data, ResultSet):
        _claim(data)
    with st.container(horizontal=True):
        if not isinstance(data, EffectTable):
            st.button("Swap A and B", on_click=_swap)
        st.button("Remove my data", on_click=loading.remove)


def _swap() -> None:
    # Others may have been chosen, or these swapped, since the button was drawn.
    state.choose(swapped=not state.session().settings.swapped, question="")


def _claim(data: ResultSet) -> None:
    """What is claimed of A and B: one form, as a margin belongs to its claim."""
    settings = state.session().settings
    points = data.points_of(state.metric())
    margin, own = margin_in_words(data, settings), ""
    if has_margins(data, settings):
        own = margin_in_words(data, replace(settings, margin=COLUMN))
    # In the form it is of this claim and metric.
    of = (state.session().n_loaded, state.metric(), settings.claim, settings.margin)
    known = {name: comparison_named(name) for name in comparison_names()}
    claim = known[settings.claim].heading("A", "B", margin)
    with st.expander(f"Claim: {claim}", key="box-claim"), st.form("claim-form", border=False):
        st.selectbox(
            "What is claimed",
            list(known),
            format_func=lambda name: known[name].title,
            key=state.form_widget("asked-claim", settings.claim, of=of),
        )
        st.text_input(
            "Margin" if points is None else "Margin, in points",
            key=state.form_widget("asked-margin", _margin_shown(data), of=of),
            placeholder="from the file" if own else None,
            help="In the metric's units. Fix it before you look: the report lists every claim that "
            "was tried." + (" 1 point is 1% of the examples." if points == 100.0 else ""),
        )
        if own:
            prose.paragraph(f"Left empty, the margin is the file's: {own}.", quiet=True)
        st.form_submit_button("Ask this", on_click=_take_claim)


def _margin_shown(data: ResultSet) -> str:
    """The margin that stands, as the form shows it; empty where the file gives it."""
    settings = state.session().settings
    if settings.margin == COLUMN:
        return ""
    return margin_in_words(data, settings).removesuffix("s").removesuffix(" point")


def _take_claim() -> None:
    data, settings = state.results(), state.session().settings
    if data is None:
        return
    claim, typed = state.value("asked-claim", BETTER), str(state.value("asked-margin", "")).strip()
    comparison, points = comparison_named(claim), data.points_of(state.metric())
    margin, of_file = 0.0, not typed and has_margins(data, settings)
    problem = f"This claim needs a margin above 0; got “{typed}”."
    if not comparison.takes_margin:
        # The margin of the claim that stands was not typed for this one.
        is_meant = typed not in ("", _margin_shown(data))
        problem = (
            f"“{comparison.title}” takes no margin. For a margin of “{typed}” choose "
            f"“{comparison_named(BETTER_BY).title}”."
            if is_meant
            else ""
        )
    elif of_file:
        problem = ""
    elif typed:
        # The field says the unit.
        unit = " points" if points is not None and typed[-1:].isdigit() else ""
        try:
            margin = read_margin(f"{typed}{unit}", points)
            problem = "" if margin else problem
        except ValueError as error:
            problem = str(error).replace("`margin`", "The margin")
        # A ratio, such as errors for each word, has no largest value.
        is_ratio = data.kind_of(state.metric()) == "ratio"
        if points and margin * points >= 100.0 and not is_ratio:
            problem = f"The margin must lie below 100 points; got “{typed}”."
    if problem:
        state.remark(f"{problem} Nothing was changed.")
        return
    runs.choose_claim(claim, COLUMN if of_file and comparison.takes_margin else margin)
    spread = data.spread_of(state.metric())
    if margin > spread:
        state.remark(
            f"The margin {written_margin(margin, None)} is more than any two scores in the file are "
            f"apart ({spread:.6g}): such a claim may say nothing of the systems."
        )


def _alpha() -> None:
    # Text rather than a number field, which takes an emptied field for its lowest value.
    st.text_input(
        "Level α",
        **state.choice("alpha", format_level(state.session().settings.alpha), _take_alpha),
        help=GLOSSARY["level α"],
    )


def _answer_dependence(chosen: str) -> None:
    """Joint flips need nothing to be known of the datasets, as Bonferroni does."""
    if chosen == _SHARED:
        state.choose(dependence="not-known", joint=UNITS_BY[0])
    else:
        state.choose(dependence=chosen, joint="")


def _take_alpha(typed: str) -> None:
    text = typed.strip()
    alpha = read_alpha(text)
    if alpha is not None:
        state.choose(alpha=alpha)
    else:
        state.remark(
            f"α must be a number from {format_level(SMALLEST_ALPHA)} to "
            f"{format_level(LARGEST_ALPHA)}; got “{text}”. It stays at "
            f"{format_level(state.session().settings.alpha)}."
        )
    state.restate("alpha", format_level(state.session().settings.alpha))


def _dependence() -> None:
    settings = state.session().settings
    loaded = state.session().loaded
    answers: dict[str, str] = {name: DEPENDENCE_ANSWERS[name] for name in DEPENDENCES}
    if loaded is not None and isinstance(loaded.data, ResultSet):
        answers[_SHARED] = JOINT_ANSWER
    st.radio(
        "May the datasets depend on each other?",
        list(answers),
        format_func=answers.__getitem__,
        **state.choice(
            "dependence", _SHARED if settings.joint else settings.dependence, _answer_dependence
        ),
        help=GLOSSARY["dependence"],
    )
    if settings.joint:
        st.radio(
            "Which examples are the same?",
            UNITS_BY,
            format_func=UNITS_WORDS.__getitem__,
            **state.choice("joint", settings.joint, lambda chosen: state.choose(joint=chosen)),
            help=GLOSSARY["joint flips"],
        )
    if loaded is not None and loaded.source.sample is not None:
        prose.paragraph(loaded.source.sample.dependence_reason, quiet=True)
