"""Clicks that come before the page is drawn: nothing is done twice at once, and nothing is lost."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.browser.visit import LOGGED_ERROR
from tests.load.protocol import ProtocolUser
from tests.load.server import LoadedServer
from tests.pages.opened import go_to, open_app, run

N_CLICKS = 25
LONG_TESTS = "test=paired-bootstrap&resamples=1000000"
LONG_SIMULATION = {"of": "own", "blocks": [{"n": 3000, "effect": 1}], "n": 1_000_000, "seed": 0}
PASTE = "Rows from a spreadsheet, a CSV, a Markdown or LaTeX table, or a paper"
PASTED = "dataset\tours\tbase\tp_value\n" + "".join(
    f"pasted-{i}\t{i + 2}\t{i + 1}\t.0{i % 9 + 1}\n" for i in range(40)
)


def long_results() -> bytes:
    """Measurements, so that tests draw: each takes minutes."""
    rng = np.random.default_rng(3)
    scores = rng.normal((0.1, 0.0), 1.0, (20_000, 2)).tolist()
    rows = [f"set-{i % 4},{a!r},{b!r}" for i, (a, b) in enumerate(scores)]
    return "\n".join(["dataset,ours,base", *rows]).encode()


def overtaken() -> None:
    """A page on which a newer click is waiting while a button's callback is at work."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from pages.ui.frame import state

    def pressed() -> None:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        context.script_requests.request_rerun(RerunData())
        state.choose(alpha=0.01)
        state.remark(f"chosen: {state.value('typed')}")

    st.text_input("typed", value="something", key="typed")
    st.button("press", on_click=pressed)
    st.text(f"{state.session().settings.alpha} {state.session().remarks}")


def test_a_newer_click_does_not_end_the_callback_of_the_one_before() -> None:
    app = AppTest.from_function(overtaken, default_timeout=30).run()
    app.button[0].click().run()
    assert not app.exception
    assert app.text[0].value == "0.01 ('chosen: something',)"


def test_a_click_is_forgotten_where_its_page_is_left_before_it_is_drawn() -> None:
    app = go_to(open_app(sample="parsing-redshift"), "pages/counting.py")
    session = app.session_state["dashboard"]
    app.button(key="run-panel").click()
    go_to(app, "pages/guide.py")
    session.clicks.add("run-panel")
    go_to(app, "pages/counting.py")
    assert not session.work
    # On its own page it is told of also where its first run was cut short.
    session.clicks.add("run-panel")
    assert run(app).session_state["dashboard"].work


def test_many_quick_clicks_beside_two_jobs_run_one_after_another(tmp_path: Path) -> None:
    """Two runs of one session at a time change what each other goes through."""
    server = LoadedServer(tmp_path)

    async def hurry() -> ProtocolUser:
        query = f"{LONG_TESTS}&simulation={quote(json.dumps(LONG_SIMULATION))}"
        user = ProtocolUser(server.host, query=query)
        try:
            await user.enter()
            await user.go_to("Simulation")
            await user.go_to("Upload")
            await user.drop("long.csv", long_results())
            for click in range(N_CLICKS):
                await user.hurry(("Level α", (".05", ".01")[click % 2]))
            await user.set_field("Level α", ".02")
            await user.see("Testing: ", "Simulating")
            await user.set_field(PASTE, PASTED)
            for _ in range(3):
                await user.hurry(press="Read the pasted table")
                await user.hurry()
            await user.press("Read the pasted table")
            await user.see("40 datasets")
        finally:
            await user.leave()
        return user

    try:
        # In a thread of its own: a browser that this process drives has a loop here already.
        with ThreadPoolExecutor(1) as pool:
            user = pool.submit(asyncio.run, hurry()).result()
        runs = sorted(server.ask_probe().reruns, key=lambda run: run.began)
    finally:
        server.stop()
    assert user.faults == []
    assert not LOGGED_ERROR.search(server.log)
    assert b"pasted-39" in user.received
    assert len(runs) > N_CLICKS
    at_once = [one for one, later in pairwise(runs) if one.began + one.seconds > later.began]
    assert at_once == []
