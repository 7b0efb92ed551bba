"""The simulation page: its form and what the studies came to, histograms, tables, further questions; beside a count."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.analysis.settings import margin_in_words
from core.charts.p_values import draw_chart
from core.comparison import BETTER, comparison_named
from core.sections import simulation as sections
from core.sections.parts import Signature, stopped_parts
from core.simulation.planning import over_claim_curve
from core.simulation.results import Simulation
from core.simulation.runs import simulate_identification, simulate_k_hat
from core.simulation.scenarios import Difference
from core.words.formatting import format_level, list_names
from core.words.simulation import (
    RHO_HELP,
    SCENARIO_WORDS,
    TERMS,
    claim_note,
    draw_alt,
    draw_sentence,
    draw_tiles,
    my_data_sentence,
)
from pages.ui.frame import figures, prose, state, widgets
from pages.ui.frame.widgets import Field, from_the_papers, number
from pages.ui.results import parts
from pages.ui.simulation import studies
from pages.ui.simulation.setup import (
    DATA,
    FIRST_SEED,
    MOST_ROWS,
    MOST_STUDIES,
    OWN,
    PARTS,
    REPETITIONS,
    ROW_FIELDS,
    SEED,
    Numbers,
    OwnBlocks,
    Row,
    Setup,
    SharedSets,
    SmallDatasets,
)
from pages.ui.simulation.studies import KIND, Studies
from pages.ui.work import background
from pages.ui.work.jobs import Job

NAMES, OVER_CLAIMS = "names", "over-claims"
_CLAIM = "simulation-claim"
_RHO = Field("rho", "Dependence ρ of any two datasets", 0.0, 1.0, 0.1, RHO_HELP, 0.0)
# How many studies one button adds to those that are shown.
N_MORE = 1_000
_N_NAMES = 10_000
_N_OVER_CLAIMS = 10_000
_SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 75, 100)


def shown_run() -> Job | None:
    """The run whose studies are shown; None before any."""
    run = background.latest(KIND)
    result = None if run is None else run.result
    return run if isinstance(result, Studies) and result.simulation.n_repetitions else None


def lead() -> None:
    """The answer and its picture, or what the page is for."""
    run, settings = shown_run(), state.session().settings
    if run is None:
        prose.lead(sections.promise_to_come(settings.alpha))
    else:
        simulation: Simulation = run.result.simulation
        prose.lead(sections.promise_sentence(simulation))
        setup, title = run.task.context
        level = format_level(simulation.alpha)
        prose.paragraph(f"Shown: {title}; seed {setup.seed}, α = {level}.", quiet=True)
    background.ended(KIND, studies.settings())
    if run is not None:
        parts.show(stopped_parts(simulation.n_repetitions, simulation.n_asked, "studies"))
    elif studies.waiting_link():
        prose.notice(
            "This link's simulation is made of results on every example: load these on the "
            "Upload page to see it."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        prose.paragraph(TERMS, quiet=True)
        st.page_link("pages/guide.py", label="Why counting needs a guarantee: the Guide →")
    comparison = comparison_named(settings.claim)
    if comparison.takes_margin:
        margin = margin_in_words(state.data(), settings)
        prose.paragraph(claim_note(comparison.heading("A", "B", margin)), quiet=True)
    if run is not None:
        parts.show([sections.histogram(simulation)])


_NO_DIFFERENCE, _BY_SHIFT, _BY_DIFFERENCE = (
    "no difference",
    "A better, by a shift of z",
    "A better, by a difference in accuracy",
)
# What each is in the numbers of a block.
_EFFECTS: Mapping[str, Mapping[str, Any]] = {
    _NO_DIFFERENCE: {"shift": 0.0, **Difference()._asdict()},
    _BY_SHIFT: {"shift": 2.0, **Difference()._asdict()},
    _BY_DIFFERENCE: {"shift": None},
}
# Of a number field: as wide as its label and its numbers need.
_WIDTH = 190


def form() -> None:
    """The scenario, what is true in it, and the button that runs it."""
    setup = studies.chosen()
    st.selectbox(
        "Scenario",
        [name for name in SCENARIO_WORDS if name != DATA or state.results() is not None],
        format_func=lambda name: SCENARIO_WORDS[name].title,
        **state.choice("lab-scenario", setup.name, lambda name: studies.choose(name=name)),
        help="With results on every example loaded, there is also one made of your own data.",
    )
    prose.paragraph(SCENARIO_WORDS[setup.name].meaning)
    part = setup.part
    if isinstance(part, OwnBlocks):
        _rows(part)
    elif isinstance(part, Numbers):
        _numbers(part, PARTS[setup.name])
    elif setup.name == DATA:
        _about_my_data()
    if setup.problem:
        prose.notice(setup.problem)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Studies",
            REPETITIONS,
            format_func=lambda n: f"{n:,}",
            **state.choice(
                "lab-studies",
                _offered(setup.n_studies),
                lambda n: studies.choose(n_studies=n),
            ),
            width=150,
        )
        of_seed = state.choice("lab-Seed", setup.seed, lambda seed: studies.choose(seed=seed))
        number(SEED, width=150, **of_seed)
        st.button(
            "Run",
            type="primary",
            on_click=_run,
            disabled=bool(setup.problem),
        )


def _run() -> None:
    studies.run(_offered(studies.chosen().n_studies))


def _offered(n_studies: int) -> int:
    """The number itself, or of those offered the next larger one."""
    return next((n for n in REPETITIONS if n >= n_studies), REPETITIONS[-1])


def _about_my_data() -> None:
    made = studies.made_of_data()
    if made is not None:
        prose.paragraph(my_data_sentence(made), quiet=True)
    without = state.session().settings.excluded
    if without:
        verb = "is" if len(without) == 1 else "are"
        prose.paragraph(
            f"{list_names(without)} {verb} left out here as on the other pages.", quiet=True
        )


def _rows(own: OwnBlocks) -> None:
    for index, row in enumerate(own.rows):
        with st.container(border=True):
            _row(index, row)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Add a kind of block",
            on_click=_add_row,
            disabled=len(own.rows) >= MOST_ROWS,
        )
        st.button(
            "Remove the last kind",
            on_click=_remove_row,
            disabled=len(own.rows) < 2,
        )
        st.checkbox(
            "One cause moves all blocks",
            **state.choice(
                "lab-one-factor",
                own.one_factor,
                lambda chosen: _choose_own(one_factor=chosen),
            ),
            help="Off: blocks are independent of each other, ρ counts within each. On: one cause moves all "
            "blocks, so that datasets of different blocks are correlated too.",
        )


def _choose_own(**changes: Any) -> None:
    studies.choose(own=replace(studies.chosen().own, **changes))


# With the click a number may be sent that the page was not drawn with, or another click before it.
def _add_row() -> None:
    _choose_own(rows=(*studies.chosen().own.rows, Row(n_datasets=10))[:MOST_ROWS])


def _remove_row() -> None:
    rows = studies.chosen().own.rows
    _choose_own(rows=rows[:-1] or rows)


def _row(index: int, row: Row) -> None:
    take, of = partial(_change, index), f", kind {index + 1}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in ROW_FIELDS:
            _number(field, row, take, of=of)
        kind = effect_kind(row)
        st.selectbox(
            f"What is true{of}",
            _EFFECTS,
            **state.choice(f"lab-effect-{index}", kind, lambda chosen: take(**_EFFECTS[chosen])),
            help="Whether A is better on the datasets of these blocks, and how clearly. A shift of z is the "
            "expected difference in units of its own standard error.",
            width=330,
        )
    if kind != _NO_DIFFERENCE:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for field in row.of_effect:
                _number(field, row, partial(take, by_shift=row.shift is not None), of=of)
    if not row.problem:
        prose.paragraph(row.sentence(alpha=state.session().settings.alpha), quiet=True)


def effect_kind(row: Row) -> str:
    """How a block's effect is given, as the form calls it."""
    if row.shift is None:
        return _BY_DIFFERENCE
    return _BY_SHIFT if row.shift else _NO_DIFFERENCE


def _change(index: int, *, by_shift: bool | None = None, **changes: Any) -> None:
    """Change a kind of block as it is by now: several of its fields may have been changed.

    Numbers of an effect `by_shift`, or not, are of no use where it is given otherwise by now.
    """
    rows = list(studies.chosen().own.rows)
    if index < len(rows) and by_shift in (None, rows[index].shift is not None):
        rows[index] = replace(rows[index], **changes)
        _choose_own(rows=tuple(rows))


def _number(field: Field, part: Any, take: Callable[..., None], *, of: str = "") -> None:
    """A number of a part of the scenario, which `take` changes by its name."""
    label = field.label + of
    held = state.choice(
        f"lab-{label}", getattr(part, field.name), lambda chosen: take(**{field.name: chosen})
    )
    number(field, label=label, width=_WIDTH, **held)


def _numbers(given: SmallDatasets | SharedSets, part: str) -> None:
    def take(**changes: Any) -> None:
        studies.choose(**{part: replace(getattr(studies.chosen(), part), **changes)})

    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in given.asked():
            _number(field, given, take)
    sentence = "" if given.problem else given.sentence(alpha=state.session().settings.alpha)
    if sentence:
        prose.paragraph(sentence, quiet=True)


def tables() -> None:
    """Tables of the studies that there are."""
    run = shown_run()
    if run is None:
        return
    simulation, setup = run.result.simulation, run.task.context.setup
    parts.show(sections.evidence_parts(simulation, independent_nulls=setup.independent_nulls))
    _power(simulation)
    loaded = state.session().loaded
    own_file = setup.name == DATA and loaded is not None and loaded.source.sample is None
    if run.finished and studies.is_current(run):
        prose.paragraph(
            "The page's address is a link that runs these studies again"
            + (", once the same file is loaded." if own_file else "."),
            quiet=True,
        )
    if setup.preset is not None:
        printed = parts.shown(partial(sections.printed_parts, preset=setup.preset), simulation)
        from_the_papers([("As the paper prints it", printed)], key="lab-papers")
    parts.show([Signature(line=simulation.signature)])


def _power(simulation: Simulation) -> None:
    # Kept beside the widget, which forgets on a page switch; of another scenario it may be too large.
    kept = state.value(_CLAIM)
    usual = sections.informative_claim(simulation)
    at_least = kept if kept is not None and kept <= simulation.n_datasets else usual
    st.number_input(
        "A claim to look at: on at least … datasets",
        min_value=1,
        max_value=simulation.n_datasets,
        step=1,
        **state.choice("lab-at-least", at_least, lambda chosen: state.widget(_CLAIM, chosen)),
        width=300,
    )
    parts.show(sections.claim_parts(simulation, at_least=at_least))


def draws() -> None:
    """Buttons that draw, and the last study drawn."""
    run = shown_run()
    found: Studies | None = None if run is None else run.result
    current = run is not None and studies.is_current(run)
    full = found is not None and found.simulation.n_repetitions >= MOST_STUDIES
    impossible = bool(studies.chosen().problem) or (current and full)
    prose.paragraph("Each study drawn joins the histograms and tables above.", quiet=True)
    with st.container(horizontal=True):
        st.button(
            "Draw one more study" if current else "Draw one study",
            on_click=partial(studies.run, 1, further=True),
            disabled=impossible,
        )
        st.button(
            f"Run {N_MORE:,} more",
            on_click=partial(studies.run, N_MORE, further=True),
            disabled=impossible,
        )
        st.button(
            "Begin again with one study",
            on_click=studies.run,
            args=(1,),
            key="lab-again",
            disabled=not current,
        )
    if found is None:
        return
    sentence = draw_sentence(found.last)
    prose.paragraph(sentence, strong=True)
    prose.tiles(draw_tiles(found.last, found.simulation))
    figures.show(
        partial(draw_chart, found.last),
        name="one-study",
        alt=draw_alt(found.last),
    )


def names() -> None:
    """How often each procedure that names datasets names a wrong one."""
    chosen, alpha = studies.chosen(), state.session().settings.alpha
    prose.paragraph(
        "Which datasets? Each procedure names those on which it takes A to be better. The scenario "
        f"chosen above, with seed {chosen.seed} and α = {format_level(alpha)}, "
        f"{_N_NAMES:,} studies."
    )
    work = partial(simulate_identification, n_repetitions=_N_NAMES, alpha=alpha, rng=chosen.seed)
    asked = studies.of_chosen(NAMES, work)
    asked = replace(asked, parts=partial(sections.names_parts, title=asked.context.title))
    background.offer("Run the procedures", asked, disabled=bool(chosen.problem))


def over_claims() -> None:
    """How often the common practice finds a win where there is none."""
    prose.paragraph(
        "The more datasets, the more likely it is that at least one p-value lies at or below α by "
        "chance alone."
    )
    row = widgets.row()
    with row:
        asked_rho = widgets.ask("lab-over", _RHO)
    how: dict[str, Any] = {
        **asked_rho,
        "alpha": state.session().settings.alpha,
        "rng": studies.chosen().seed,
    }
    asked = studies.task(
        OVER_CLAIMS,
        {"ρ": how["rho"], "α": how["alpha"], "seed": how["rng"]},
        partial(over_claim_curve, _SIZES, n_repetitions=_N_OVER_CLAIMS, **how),
        f"no difference, 1 to {_SIZES[-1]} datasets, ρ = {how['rho']:.4g}",
        parts=sections.over_claims_parts,
    )
    with row:
        background.button("Run for 1 to 100 datasets", asked)
    background.show(asked)


def beside_count(*, n_datasets: int, alpha: float) -> None:
    """The button and, once run, what it came to; and the way to the page with all scenarios."""
    setup = Setup(
        name=OWN,
        own=OwnBlocks(rows=(Row(n_datasets=n_datasets),)),
        n_studies=REPETITIONS[1],
        seed=FIRST_SEED,
    )
    at_margin = state.session().settings.claim != BETTER
    how: dict[str, Any] = {"n_repetitions": setup.n_studies, "alpha": alpha, "rng": setup.seed}
    asked = studies.task(
        "panel",
        {"setup": setup, "α": alpha},
        partial(simulate_k_hat, setup.scenario(), **how),
        setup.line,
    )
    with st.container(horizontal=True):
        background.button(
            "Simulate: what if the claim were true nowhere?"
            if at_margin
            else "Simulate: what if neither system were better?",
            asked,
        )
        if st.button("With dependence: Simulation →", type="tertiary", key="simulate-more"):
            studies.choose(name=OWN, n_studies=setup.n_studies, seed=setup.seed, own=setup.own)
            st.switch_page("pages/simulation.py")
    run = background.latest("panel")
    if run is None or run.task.settings["setup"] != setup:
        # Of another number of datasets.
        return
    simulation = background.ended("panel", {"α": alpha})
    if not isinstance(simulation, Simulation):
        return
    prose.paragraph(sections.promise_sentence(simulation), strong=True)
    parts.show(stopped_parts(simulation.n_repetitions, simulation.n_asked, "studies"))
    parts.show([sections.histogram(simulation, name="k-hat-histograms")])
    boundary = " P-values as at the boundary of each null hypothesis: uniform." if at_margin else ""
    prose.paragraph(f"Independent datasets; seed {simulation.seed}.{boundary}", quiet=True)
