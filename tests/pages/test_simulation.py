"""The simulation page: what it says is what the library counts, and a link says it again."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from streamlit.testing.v1 import AppTest

from core.export.report import SECTION_TITLES
from core.reliability.power import StatedEffect, examples_needed
from core.sections.simulation import informative_claim, promise_sentence
from core.significance.stopping import Stopped
from core.simulation.families import shared_examples, shared_test_sets
from core.simulation.results import Simulation
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import Block, Scenario, mcnemar_datasets, shift_of
from pages.ui.frame import limits
from pages.ui.frame.links import parse
from pages.ui.simulation import planning
from pages.ui.simulation import studies as simulation_studies
from pages.ui.simulation.setup import (
    DATA,
    MOST_ROWS,
    MOST_STUDIES,
    NAMED,
    OWN,
    SHARED,
    SMALL,
    OwnBlocks,
    Row,
    Setup,
    SharedSets,
    SmallDatasets,
    setup_of,
)
from tests.core.simulation.theory import same
from tests.pages.opened import (
    address,
    answer,
    button,
    choose,
    frame_with,
    go_to,
    leave_out,
    load_sample,
    open_app,
    open_details,
    press,
    run,
    selectbox,
    set_alpha,
    text,
    when_tested,
)

PAGE = "pages/simulation.py"
NAME_OF_MINE = "Build your own: one factor over 5 effect=2 + 7 rho=0.4 + 2 effect=-1.5"
MINE = Scenario(
    (Block(5, effect=shift_of(0.02, 1_000, 0.1)), Block(7, rho=0.4), Block(2, effect=-1.5)),
    one_factor=True,
)


def open_page(**parameters: str) -> AppTest:
    return go_to(open_app(**parameters), PAGE)


def last_run(app: AppTest) -> Any:
    """The run that was begun last."""
    return list(app.session_state["dashboard"].work.values())[-1]


def when_run(app: AppTest) -> AppTest:
    """The page once the simulation that was started has ended."""
    assert last_run(app).wait(60)
    return run(app)


def scenario(app: AppTest, name: str) -> AppTest:
    selectbox(app, "Scenario").set_value(name)
    return run(app)


def run_studies(app: AppTest, n: int = 1_000) -> AppTest:
    selectbox(app, "Studies").set_value(n)
    return when_run(press(run(app), "Run"))


def setup_of_page(app: AppTest) -> Setup:
    setup: Setup = app.session_state["simulation-setup"]
    return replace(setup, n_studies=10_000, seed=Setup().seed)


def simulation(app: AppTest) -> Simulation:
    found = last_run(app).result.simulation
    assert isinstance(found, Simulation)
    return found


TABS = {
    "draws": ("lab", "One study at a time"),
    "names": ("lab", "Wrong names"),
    "over-claims": ("lab", "Wins where there are none"),
    "power": ("lab-plan", "How often would a claim be made?"),
    "needed": ("lab-plan", "How many datasets?"),
    "examples-at-margin": ("lab-plan", "How many examples at a margin?"),
}


def opened(app: AppTest, part: str) -> AppTest:
    return open_details(app, *TABS[part])


def test_without_data_the_page_says_what_it_does_and_runs() -> None:
    app = open_page()
    assert DATA not in {one for box in app.selectbox for one in box.options}
    assert len(selectbox(app, "Scenario").options) == len({*NAMED, OWN, SMALL, SHARED})
    # Those with one factor, small datasets or shared test sets are run below.
    for name in ("toy-2", "union"):
        selectbox(app, "Scenario").set_value(name)
        app.number_input(key="lab-Seed").set_value(8)
        run_studies(run(app))
        expected = simulate_k_hat(Setup(name=name).scenario(), n_repetitions=1_000, rng=8)
        assert answer(app) == promise_sentence(expected), name
        assert expected.signature in [code.value for code in app.code], name
        rates = frame_with(app, "promise of ≤ .05")["too many: P(k̂ > 0)"].tolist()
        assert [0.0 if rate == "0" else float(rate) for rate in rates] == pytest.approx(
            [(expected.k_hat[count] > 0).mean() for count in expected.k_hat], abs=1e-9
        ), name


def test_blocks_that_were_built_are_what_is_simulated_and_a_link_simulates_them_again() -> None:
    app = scenario(open_page(), OWN)
    press(app, "Add a kind of block")
    app.number_input(key="lab-Datasets in each, kind 1").set_value(5)
    app.number_input(key="lab-Datasets in each, kind 2").set_value(7)
    app.number_input(key="lab-Datasets in each, kind 3").set_value(2)
    app.number_input(key="lab-Dependence ρ, kind 2").set_value(0.4)
    run(app)
    choose(app, "What is true, kind 1", "A better, by a difference…")
    choose(app, "What is true, kind 3", "A better, by a shift…")
    app.number_input(key="lab-Shift of z, kind 3").set_value(-1.5)
    app.checkbox(key="lab-one-factor").set_value(True)
    app.number_input(key="lab-Seed").set_value(11)
    run_studies(run(app))
    expected = simulate_k_hat(MINE, n_repetitions=1_000, rng=11)
    assert same(simulation(app), expected)
    assert answer(app) == promise_sentence(expected)
    # The claim that is looked at first is true and made in half of the studies.
    assert f"at least {informative_claim(expected)}”" in text(app)
    assert NAME_OF_MINE in text(app)
    # On every other page the link stays what it was.
    link = address(app)
    assert address(go_to(app, "pages/counting.py")) == link
    assert same(simulation(open_page(**link)), expected)
    go_to(app, PAGE)
    app.number_input(key="lab-at-least").set_value(6)
    run(app)
    power = frame_with(app, "P(k̂ ≥ 6)")["P(k̂ ≥ 6)"].tolist()
    assert power == frame_with(app, "promise of ≤ .05")["too many: P(k̂ > 5)"].tolist()


def test_the_effect_of_studies_to_be_planned_may_be_a_shift_of_z() -> None:
    app = opened(open_page(), "needed")
    selectbox(app, "Effect where A is better, as").set_value("shift of z")
    run(app).number_input(key="plan-needed-shift").set_value(2.5)
    assert "z is shifted by 2.5" in text(run(app))


def test_a_number_that_is_sent_with_the_click_on_another_kind_of_block_stays() -> None:
    app = scenario(open_page(), OWN)
    n_rows = len(setup_of_page(app).own.rows)
    for label, more in (("Add a kind of block", 1), ("Remove the last kind", 0)):
        (field,) = (one for one in app.number_input if one.label == "Datasets in each, kind 1")
        field.set_value(30 + more)
        press(app, label)
        rows = setup_of_page(app).own.rows
        assert [len(rows), rows[0].n_datasets] == [n_rows + more, 30 + more], label


numbers = st.floats(0.0, 1.0)
rows = st.builds(
    Row,
    n_datasets=st.integers(1, 80),
    n_blocks=st.integers(1, 5),
    rho=numbers,
    shift=st.floats(-100.0, 100.0),
) | st.builds(
    Row,
    n_datasets=st.integers(1, 80),
    shift=st.none(),
    d=st.floats(0.0, 0.4),
    n_examples=st.integers(1, 10_000),
    q=st.floats(0.5, 1.0),
)
blocks = st.lists(rows, min_size=1, max_size=MOST_ROWS).map(tuple)
small = st.builds(
    SmallDatasets,
    n_datasets=st.integers(5, 90),
    n_examples=st.integers(1, 2_000),
    q=st.floats(0.5, 1.0),
    n_better=st.integers(0, 5),
    d=st.floats(0.01, 0.5),
)
shared = st.builds(
    SharedSets,
    n_test_sets=st.integers(1, 3),
    n_sharing=st.integers(2, 9),
    rho=numbers,
    n_better=st.integers(0, 2),
    shift=st.floats(0.1, 100.0),
    n_examples=st.just(0) | st.integers(10, 2_000),
)
own = st.builds(OwnBlocks, rows=blocks, one_factor=st.booleans())
studies, seeds = st.integers(1, MOST_STUDIES), st.integers(0, limits.LARGEST_SEED)
setups = (
    st.builds(Setup, name=st.just(OWN), own=own, n_studies=studies, seed=seeds)
    | st.builds(Setup, name=st.sampled_from([*NAMED, DATA]), seed=seeds)
    | st.builds(Setup, name=st.just(SMALL), small=small)
    | st.builds(Setup, name=st.just(SHARED), shared=shared)
)


@given(setups)
def test_a_link_is_read_as_it_was_written(setup: Setup) -> None:
    assert setup_of(setup.to_text()) == setup


GOOD: dict[str, object] = {"of": OWN, "blocks": [{"n": 3}], "n": 10, "seed": 0}
BAD: tuple[dict[str, object], ...] = (
    {"n": 0},
    {"n": MOST_STUDIES + 1},
    {"n": True},
    {"n": 10.0},
    {"n": "10"},
    {"seed": -1},
    {"factor": 2},
    {"blocks": []},
    {"blocks": {"n": 3}},
    {"blocks": [{"n": 3}] * (MOST_ROWS + 1)},
    {"blocks": [{"n": 3, "x": 1}]},
    {"blocks": [{"n": limits.MAX_DATASETS}, {"n": 1}]},
    {"blocks": [{"n": 3, "times": 0}]},
    {"blocks": [{"n": 2, "times": limits.MAX_DATASETS}]},
    {"blocks": [{"n": 3, "rho": 1.01}]},
    {"blocks": [{"n": 3, "rho": float("nan")}]},
    {"blocks": [{"n": 3, "effect": float("inf")}]},
    {"blocks": [{"n": 3, "effect": None}]},
    {"blocks": [{"n": 3, "d": 0.1}]},
    {"blocks": [{"n": 3, "d": 0.3, "examples": 10, "q": 0.2}]},
    {"blocks": [{"n": 3, "d": 1, "examples": 10, "q": 1}]},
    {"blocks": [{"n": 3, "d": 0.1, "examples": 10, "q": 0.2, "effect": 1}]},
)


OTHERS: tuple[dict[str, object], ...] = (
    {"of": "toy-3"},
    {"of": ["toy-1"]},
    {"of": "toy-1", "more": 1},
    {"of": "toy-1", "numbers": [20, 30, 0.2, 0, 0.1]},
    {"of": SMALL, "numbers": [20, 30, 0.2, 0]},
    {"of": SMALL, "numbers": [20, 3_000, 0.2, 0, 0.1]},
    {"of": SMALL, "numbers": [20, 30, 0.2, 21, 0.1]},
    {"of": SMALL, "numbers": [20, 30, 0.2, 2, 0.3]},
    {"of": SHARED, "numbers": [4, 3, 1.5, 0, 2.0]},
    {"of": SHARED, "numbers": [limits.MAX_DATASETS, 2, 0.5, 0, 2.0]},
    {"of": "toy-1", "blocks": [{"n": 3}]},
)


def test_an_address_that_the_app_would_not_write_is_not_believed() -> None:
    texts = ("", "null", "[]", "{}", "[" * 5_000)
    for written in (
        *texts,
        *map(json.dumps, OTHERS),
        *(json.dumps({**GOOD, **bad}) for bad in BAD),
    ):
        link = parse({"simulation": written})
        assert link.simulation is None, written
        assert "“simulation”" in link.remarks[0], written
        assert len(link.remarks[0]) < 300, written


def test_a_stopped_run_keeps_what_was_done_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS_TO_WAIT", 0.0)
    app = scenario(open_page(), OWN)
    app.number_input(key="lab-Datasets in each, kind 1").set_value(2_000)
    selectbox(app, "Studies").set_value(1_000_000)
    press(run(app), "Run")
    assert "The simulation is running" in text(app)
    started = last_run(app)
    while not started.done:
        assert not started.wait(0.02)
    press(app, "Stop")
    assert started.wait(20)
    run(app)
    found = simulation(app)
    assert 0 < found.n_repetitions < 1_000_000
    assert f"{found.n_repetitions:,} of 1,000,000 studies" in text(app)
    assert answer(app) == promise_sentence(found)
    rows = (Block(2_000, effect=3.0), Block(50))
    n = min(found.n_repetitions, 100)
    whole = simulate_k_hat(Scenario(rows), n_repetitions=n, rng=2017)
    assert np.array_equal(found.k_hat["fisher"][:n], whole.k_hat["fisher"])


def test_one_study_at_a_time_joins_the_tally() -> None:
    app = opened(open_page(), "draws")
    press(app, "Draw one study")
    for n in (1, 2, 3):
        assert f"Study {n} (seed 2017)" in text(when_run(app))
        assert simulation(app).n_repetitions == n
        press(app, "Draw one more study")
    when_run(press(app, "Run 1,000 more"))
    expected = simulate_k_hat(NAMED["toy-1"], n_repetitions=1_004, rng=2017)
    assert same(simulation(app), expected)
    assert "Study 1,004 (seed 2017)" in text(app)
    assert f"too many in {int((expected.k_hat['fisher'] > 0).sum())} of 1,004 studies" in text(app)
    assert json.loads(address(app)["simulation"])["n"] == 1_004
    press(app, "Begin again with one study")
    assert simulation(when_run(app)).n_repetitions == 1


def test_like_my_data_keeps_every_promise_on_a_sample() -> None:
    app = go_to(load_sample(open_app(), "simulated-accuracy"), PAGE)
    run_studies(scenario(app, DATA), 10_000)
    assert "Like your data: 10 datasets" in text(app)
    found = simulation(app)
    assert (found.k, found.n_datasets, found.n_repetitions) == (0, 10, 10_000)
    for name in ("bonferroni", "fisher", "simes"):
        wrong = int((found.k_hat[name] > 0).sum())
        # So many wrong claims would come up less than once in 10,000 such runs at P = .05.
        assert binom.sf(wrong - 1, 10_000, 0.05) > 1e-4, name
    # Its link carries the data too, where these are a sample.
    again = open_page(**address(app))
    assert same(simulation(when_run(again)), found)
    # A report on fewer of the datasets is not about them, and one on all of them has them back.
    for left_out in ([], ["sim-task-01"], []):
        leave_out(go_to(again, "pages/upload.py"), *left_out)
        go_to(when_tested(again), "pages/report.py")
        sections = again.selectbox(key="report-preview").options
        assert (SECTION_TITLES["simulation"] in sections) is not bool(left_out)
    press(go_to(again, PAGE), "Remove my data")
    assert selectbox(again, "Scenario").value == "toy-1"


def test_data_of_which_no_scenario_can_be_made_are_refused_with_the_reason(monkeypatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("The score is not defined on <b>x</b>.")

    def prepare(*_: object, on_progress: Callable[[int, int], bool], **__: object) -> None:
        while on_progress(1, 10):
            time.sleep(0.01)
        raise Stopped

    monkeypatch.setattr(simulation_studies, "like_my_data", refuse)
    app = go_to(load_sample(open_app(), "simulated-accuracy"), PAGE)
    run_studies(scenario(app, DATA))
    assert "The score is not defined on <b>x</b>." in text(app)
    # Stopping while data are prepared leaves nothing, and says so.
    monkeypatch.setattr(simulation_studies, "like_my_data", prepare)
    press(app, "Run")
    when_run(press(app, "Stop"))
    assert "The simulation was stopped before anything was done" in text(app)


def test_planning_answers_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_STUDIES", (200, 400))
    app = open_page()
    for section, press_this in (
        ("over-claims", "Run for 1 to 100 datasets"),
        ("power", "Draw the curve"),
        ("needed", "Find the number"),
    ):
        opened(app, section)
        if section != "over-claims":
            # Sent with the click.
            app.number_input(key=f"plan-{section}-rng").set_value(7)
        when_run(press(app, press_this))
        assert app.get("plotly_chart"), section
        assert "Settings have changed since this run" not in text(app)
    app.number_input(key="plan-needed-at_least").set_value(4)
    assert text(run(app)).count("Settings have changed since this run") == 1


def test_the_panel_on_the_counting_page_keeps_its_run_apart_and_leads_to_the_page() -> None:
    app = run_studies(open_page(sample="parsing-redshift"))
    go_to(app, "pages/counting.py")
    assert "was too high in" not in text(app)
    when_run(press(app, "Simulate: what if neither system were better?"))
    panel = last_run(app).result
    # Worded as there.
    assert promise_sentence(panel) in text(app)
    assert "10,000 simulated studies of 7 datasets" in text(app)
    set_alpha(app, 0.01)
    assert "(α .05 → .01)" in text(app)
    assert answer(go_to(app, PAGE)).startswith("In 1,000 simulated studies of 100 datasets")
    # The panel leads to the page with as many datasets and its level.
    go_to(app, "pages/counting.py").button(key="simulate-more").click()
    go_to(run(app), PAGE)
    assert setup_of_page(app) == Setup(
        name=OWN, own=OwnBlocks(rows=(Row(n_datasets=7),)), n_studies=10_000
    )
    assert "too many: P(k̂ > 0)" in frame_with(run_studies(app), "promise of ≤ .01")


def test_the_address_carries_a_simulation_only_while_it_gives_what_is_shown() -> None:
    app = go_to(load_sample(open_app(), "simulated-accuracy"), PAGE)
    run_studies(scenario(app, DATA))
    said = "The page's address is a link that runs these studies again"

    def linked() -> bool:
        assert ("simulation" in address(app)) == (said in text(app))
        return said in text(app)

    assert linked()
    set_alpha(app, 0.01)
    assert not linked()
    assert "(α .05 → .01)" in text(app)
    assert "α = .05." in text(app)
    set_alpha(app, 0.05)
    assert linked()
    press(app, "Swap A and B")
    assert not linked()
    assert "(data, systems, metric or datasets left out)" in text(app)
    press(app, "Swap A and B")
    assert linked()
    app.number_input(key="lab-Seed").set_value(3)
    scenario(run(app), "union")
    assert not linked()
    said = "” → “12 datasets, one of them the union of two others”, seed 2017 → 3, data, systems"
    assert said in text(app)


def test_small_datasets_and_shared_test_sets_have_numbers_of_their_own() -> None:
    app = scenario(open_page(), SMALL)
    app.number_input(key="lab-Examples of each").set_value(60)
    run(app)
    app.number_input(key="lab-A better on").set_value(8)
    run_studies(run(app))
    expected = simulate_k_hat(
        mcnemar_datasets(20, 60, 0.2, 0.1, 8), n_repetitions=1_000, rng=Setup().seed
    )
    assert same(simulation(app), expected)
    again = open_page(**address(app))
    assert same(simulation(again), expected)
    app.number_input(key="lab-A better there by").set_value(0.3)
    assert button(run(app), "Run").disabled
    scenario(app, SHARED)
    app.number_input(key="lab-Dependence ρ on one").set_value(0.9)
    run(app)
    app.number_input(key="lab-Test sets").set_value(2)
    run_studies(run(app))
    drawn = shared_examples(n_test_sets=2, rho=0.9)
    expected = simulate_k_hat(drawn, n_repetitions=1_000, rng=Setup().seed)
    assert same(simulation(app), expected)
    assert "joint flips" in frame_with(app, "promise of ≤ .05")["count by"].tolist()
    app.number_input(key="lab-Examples of each test set").set_value(0)
    run_studies(run(app))
    together = shared_test_sets(2, 3, rho=0.9)
    expected = simulate_k_hat(together, n_repetitions=1_000, rng=Setup().seed)
    assert same(simulation(app), expected)
    assert setup_of('{"of":"test-sets","numbers":[2,3,0.9,0,2.0]}') == Setup(
        name=SHARED, shared=SharedSets(2, 3, 0.9, n_examples=0), seed=0
    )


def test_the_examples_that_a_claim_at_a_margin_takes_are_those_of_the_library() -> None:
    app = opened(open_page(), "examples-at-margin")
    selectbox(app, "Scores").set_value("other averaged scores")
    selectbox(app, "What the examples should show").set_value("better-by")
    app = run(app)
    assert "false at this true difference" in text(app)
    selectbox(app, "What the examples should show").set_value("equivalent")
    app = when_run(press(run(app), "Find the number of examples"))
    needed = examples_needed(
        StatedEffect(
            effect=0.0,
            test="approximate-randomization",
            standard_deviation=1.0,
            claim="equivalent",
            margin=0.1,
        ),
        0.8,
    )
    n = f"{needed.n_examples:,}"
    assert f"{n} examples show in 80% of studies that A is equivalent to B" in text(app)
    assert n in frame_with(app, "examples")["examples"].tolist()


def test_at_a_margin_the_page_says_what_its_studies_show_of_the_claim() -> None:
    app = open_page()
    assert "has no form at a margin" not in text(app)
    dashboard = app.session_state["dashboard"]
    dashboard.settings = replace(dashboard.settings, claim="not-worse", margin=0.25)
    assert "“A not worse than B by more than 0.25”" in text(run(app))
