"""Marks that hang on Monte Carlo error are said to, and settle on request."""

from __future__ import annotations

import numpy as np
from streamlit.testing.v1 import AppTest

from core import read_results, run_dataset_tests
from pages.ui.frame import limits
from pages.ui.work import jobs
from tests.pages.opened import button, drop, go_to, open_app, press, run, text, when_tested

TESTS = "pages/per_dataset_tests.py"
SEED = 3
OPEN = "Monte Carlo interval contains .05, so"


def scores() -> str:
    """Real-valued scores, so that tests resample; some p-values lie near .05."""
    rng = np.random.default_rng(5)
    lines = ["dataset,ours,base"]
    for name, shift in {"none": 0.0, "little": 0.17, "some": 0.19, "much": 0.8}.items():
        a, b = rng.normal(size=90) + shift, rng.normal(size=90)
        lines += [f"{name},{x:.9f},{y:.9f}" for x, y in zip(a, b, strict=True)]
    return "\n".join(lines) + "\n"


def opened() -> AppTest:
    """The file's tests with few resamples."""
    app = when_tested(drop(open_app(), "mine.csv", scores().encode()))
    app = go_to(app, TESTS)
    app.selectbox(key="test").set_value("approximate-randomization")
    app.number_input(key="resamples").set_value(199)
    app.number_input(key="seed").set_value(SEED)
    return when_tested(press(app, "Run"))


def test_an_open_mark_is_said_on_every_page_and_settles_by_its_button() -> None:
    app = opened()
    for page in (TESTS, "pages/counting.py", "pages/identification.py"):
        app = go_to(app, page)
        assert OPEN in text(app)
        assert not button(app, "Draw more resamples").disabled
    app = go_to(app, TESTS)
    for _ in range(4):
        if not [one for one in app.button if one.label == "Draw more resamples"]:
            break
        app = when_tested(press(app, "Draw more resamples"))
    assert OPEN not in text(app)
    extended = dict(app.session_state["dashboard"].settings.extended)
    assert extended
    data = read_results(scores().encode(), name="mine.csv")
    expected = run_dataset_tests(
        data,  # type: ignore[arg-type]
        a="ours",
        b="base",
        test="approximate-randomization",
        n_resamples={name: extended.get(name, 199) for name in data.datasets},
        rng=SEED,
    )
    kept = [run.table for run in app.session_state["dashboard"].runs.values()][-1]
    assert kept.p_values.tolist() == expected.p_values.tolist()


def test_what_was_extended_is_tried_is_in_the_link_and_is_found_again_by_it() -> None:
    app = when_tested(press(opened(), "Draw more resamples"))
    session = app.session_state["dashboard"]
    assert any("extended: " in line for line in session.tried["tests"])
    p_values = [run.table for run in session.runs.values()][-1].p_values.tolist()
    link = dict(app.query_params)
    again = open_app(**link)
    again = when_tested(drop(again, "mine.csv", scores().encode()))
    session = again.session_state["dashboard"]
    assert [run.table for run in session.runs.values()][-1].p_values.tolist() == p_values


def test_a_stopped_extension_keeps_what_it_reached_in_settings_table_and_address() -> None:
    app = opened()
    session = app.session_state["dashboard"]
    before = [one.table for one in session.runs.values()][-1].p_values.tolist()
    button(app, "Draw more resamples").click()
    # Stopped before it can begin: every place for background work is taken.
    taken = [jobs._line.enter(object()) for _ in range(limits.MAX_BACKGROUND_JOBS)]
    try:
        app = run(app)
        press(app, "Stop")
    finally:
        for ticket in taken:
            jobs._line.leave(ticket)
    app = when_tested(app)
    session = app.session_state["dashboard"]
    assert session.settings.extended == ()
    assert "extended" not in app.query_params
    assert [one.table for one in session.runs.values()][-1].p_values.tolist() == before
    assert "Testing was stopped" not in text(app)
    assert button(app, "Draw more resamples")  # type: ignore[truthy-bool]
