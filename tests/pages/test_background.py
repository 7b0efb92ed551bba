"""Work in the background, begun and told of in one way whatever it is."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.frame import state
from pages.ui.frame.state import Session
from pages.ui.work import background
from pages.ui.work.background import Refusal, Task
from pages.ui.work.jobs import Job
from tests.pages.opened import text

SECONDS = 10.0


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A session outside any page; what a test leaves at work is stopped."""
    own = Session()
    monkeypatch.setattr(state, "session", lambda: own)
    yield own
    jobs = list(own.work.values())
    background.forget_data(also_others=True)
    assert all(job.wait(SECONDS) for job in jobs)


def task(kind: str, work: Callable[..., Any], **more: Any) -> Task[Any]:
    return Task(kind, {}, work, doing="Trying", unit="steps", **more)


def when_ended(run: Any) -> Any:
    assert run.wait(SECONDS)
    return run


def tried(page: Callable[[], None]) -> AppTest:
    """A page once what its button began has ended."""
    app = AppTest.from_function(page).run()
    app.button(key="run-one").click().run()
    when_ended(app.session_state["dashboard"].work["one"])
    return app


def until_stopped(on_progress: Callable[[int, int], bool]) -> str:
    while on_progress(1, 2):
        threading.Event().wait(0.005)
    return "half"


def at_once(result: object, on_progress: Callable[[int, int], bool]) -> object:
    assert on_progress(1, 1)
    return result


def test_of_a_kind_the_last_is_kept_and_the_one_before_is_stopped(session: Session) -> None:
    background.start(task("one", until_stopped))
    background.start(task("other", until_stopped))
    first = session.work["one"]
    background.start(task("one", partial(at_once, "whole")))
    assert when_ended(first).result == "half"
    assert when_ended(session.work["one"]).result == "whole"
    # Work of another kind is let alone.
    assert not session.work["other"].finished


def test_work_that_goes_on_from_a_result_keeps_it_where_it_is_stopped_before_its_first_step(
    session: Session,
) -> None:
    held = threading.Event()
    kept = [Job(lambda _: held.wait(SECONDS), user=None) for _ in range(4)]
    for job in kept:
        job.start()
    try:
        # Every place is taken: it never has its turn.
        background.start(task("one", partial(at_once, "more"), before="so far"))
        run = session.work["one"]
        assert run.waiting
        run.stop()
        assert when_ended(run).result == "so far"
    finally:
        held.set()
    assert all(job.wait(SECONDS) for job in kept)


def test_what_the_data_made_goes_with_them_and_other_work_stays(session: Session) -> None:
    background.start(task("of data", until_stopped))
    background.start(task("of none", until_stopped, of_data=False))
    gone = session.work["of data"]
    background.forget_data()
    assert list(session.work) == ["of none"]
    assert gone.wait(SECONDS)
    assert not session.work["of none"].finished


def test_a_run_that_is_kept_does_not_keep_what_its_work_was_made_of(session: Session) -> None:
    class Data:
        pass

    data = Data()
    seen = weakref.ref(data)

    def work(given: Data, on_progress: Callable[[int, int], bool]) -> str:
        assert isinstance(given, Data)
        return "done"

    background.start(task("one", partial(work, data)))
    run = when_ended(session.work["one"])
    del data
    gc.collect()
    assert run.result == "done"
    assert seen() is None


def test_what_the_data_do_not_allow_is_a_result_with_its_reasons(session: Session) -> None:
    def refuse(on_progress: Callable[[int, int], bool]) -> None:
        from core.errors import DataError, Problem

        raise DataError([Problem(what="Too few.", remedy="Load more.")])

    background.start(task("one", refuse))
    run = when_ended(session.work["one"])
    assert run.error is None
    assert isinstance(run.result, Refusal)
    (reason,) = run.result.reasons
    assert "Too few." in reason
    assert "Load more." in reason


def _failing_page() -> None:
    import streamlit as st

    from pages.ui.work import background

    def fail(on_progress: object) -> None:
        raise RuntimeError("cell content")

    task = background.Task("one", {"A": "ours"}, fail, doing="Trying", unit="steps")
    background.button("Try", task)
    if st.checkbox("Look", value=False, key="look"):
        background.answer(task)
    try:
        background.report_failures()
    except RuntimeError:
        st.text("reported")


def test_a_failure_is_reported_once_and_where_the_page_tells_of_it() -> None:
    app = tried(_failing_page)
    # Its answer is not looked at.
    assert not app.run().text
    app.checkbox(key="look").set_value(True)
    seen = [[one.value for one in app.run().text] for _ in range(3)]
    assert seen == [["reported"], [], []]
    assert "This failed" in text(app)


def _stopped_page() -> None:
    import streamlit as st

    from core.significance.stopping import Stopped
    from pages.ui.work import background

    def stop(on_progress: object) -> None:
        raise Stopped("Stopped.")

    def work(on_progress: object) -> str:
        return "done"

    works = st.checkbox("Works", key="works")
    task = background.Task("one", {}, work if works else stop, doing="Trying", unit="steps")
    background.button("Try", task)
    st.text(str(background.answer(task, again=True)))


def test_work_stopped_before_anything_was_done_says_so_and_can_be_begun_again() -> None:
    app = tried(_stopped_page)
    assert app.run().text[0].value == "None"
    assert "stopped before anything was done" in text(app)
    app.checkbox(key="works").set_value(True).run()
    app.button(key="again-one").click().run()
    when_ended(app.session_state["dashboard"].work["one"])
    assert app.run().text[0].value == "done"


def _swapped_page() -> None:
    import streamlit as st

    from pages.ui.work import background

    # Unannotated: it is run without what the test imports.
    def task(a, b, seed):
        return background.Task(
            "one",
            {"A": a, "B": b, "seed": seed},
            lambda on_progress: "A is better",
            doing="Trying",
            unit="steps",
        )

    background.button("Try", task("ours", "base", 0))
    pair = ("base", "ours") if st.checkbox("Swap", key="swap") else ("ours", "base")
    seed = 1 if st.checkbox("Another seed", key="seed") else 0
    st.text(str(background.answer(task(*pair, seed))))


def test_an_answer_about_a_and_b_is_not_shown_below_other_names() -> None:
    app = tried(_swapped_page)
    assert app.run().text[0].value == "A is better"
    app.checkbox(key="seed").set_value(True)
    assert app.run().text[0].value == "A is better"
    assert "Settings have changed since this run (seed 0 → 1)" in text(app)
    app.checkbox(key="swap").set_value(True)
    assert app.run().text[0].value == "None"
    assert "ours (A) with base (B) and are not shown" in text(app)


def test_the_settings_of_a_study_are_what_its_work_is_called_with() -> None:
    def work(*given: object, on_progress: object, **named: object) -> dict[str, object]:
        return named

    asked = {"a": "ours", "b": "base", "metric": "f1", "n_resamples": 99, "rng": 3, "alpha": 0.01}
    study = background.study("one", partial(work, "data", **asked), doing="Trying", unit="steps")
    assert study.work(on_progress=None) == asked
    # The level changes no p-value: a study is held against that of the sidebar.
    words = {"A": "ours", "B": "base", "metric": "f1", "resamples": 99, "seed": 3}
    assert list(study.settings.items()) == list(words.items())
