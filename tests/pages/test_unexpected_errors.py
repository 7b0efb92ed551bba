"""An error that nobody foresaw: an id for the user, a place for the log, no one's data in either."""

import re
from pathlib import Path
from typing import NoReturn

import pytest

from pages.ui.frame import page as frame
from pages.ui.intake import loading
from tests.pages.opened import PAGES, answer, go_to, open_app, run, set_alpha, text

CELL = "cell-content-of-a-user"


def fail_with_cell_content(*_: object, **__: object) -> NoReturn:
    raise RuntimeError(f"could not compute {CELL}")


def test_on_any_page_the_user_sees_an_id_the_log_the_place_and_neither_what_a_cell_holds(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = set_alpha(open_app(sample="parsing-redshift"), 0.01)
    original = frame.enter

    def fail_within_the_frame() -> None:
        original()
        fail_with_cell_content()

    for page in (entry.path for entry in frame.PAGES):
        caplog.clear()
        # Called by every page itself, before it shows anything.
        with monkeypatch.context() as patch:
            patch.setattr(frame, "enter", fail_within_the_frame)
            app.switch_page(page).run()
        assert not app.exception, page
        (shown,) = app.error
        for hidden in (CELL, "RuntimeError", "Traceback", ".py"):
            assert hidden not in shown.value, page
            assert hidden not in text(app), page
        # The frame around the page stays.
        assert len(app.title) == 1, page
        assert "Mate" in text(app), page
        (reference,) = re.findall(r"error ([0-9a-f]{8})", shown.value)
        (logged,) = [record for record in caplog.records if record.name == "dashboard"]
        for told in (reference, "RuntimeError", "test_unexpected_errors.py", Path(page).name):
            assert told in logged.getMessage(), page
        assert logged.exc_info is None, page
        for hidden in (CELL, "Traceback", "/pages/"):
            assert hidden not in caplog.text, page
    # Data and settings are kept, and the app goes on.
    run(app)
    assert "at least 2 of 7" in answer(go_to(app, PAGES["Counting"]))


def logged_of(error: BaseException, caplog: pytest.LogCaptureFixture) -> str:
    frame.report(error)
    return caplog.records[-1].getMessage().partition(": ")[2]


def fail_deep_down() -> NoReturn:
    raise ZeroDivisionError(CELL)


def test_the_log_has_what_led_to_an_error_too_and_still_no_cell_content(caplog) -> None:
    def caused() -> None:
        try:
            fail_deep_down()
        except ZeroDivisionError as error:
            raise RuntimeError(CELL) from error

    def handled() -> None:
        try:
            caused()
        except RuntimeError:
            # What fails while another error is dealt with.
            {"other": 1}[CELL]

    with pytest.raises(KeyError) as failed:
        handled()
    latest, before, first = logged_of(failed.value, caplog).split("; ")
    assert latest.startswith("KeyError at test_unexpected_errors.py:")
    assert before.startswith("while handling RuntimeError at ")
    assert " caused < " in before
    assert first.startswith("caused by ZeroDivisionError at ")
    assert " fail_deep_down < " in first
    assert CELL not in caplog.text


def test_the_log_leaves_out_what_an_error_was_raised_from_none_for_and_ends_where_causes_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def translated() -> None:
        try:
            fail_deep_down()
        except ZeroDivisionError:
            raise RuntimeError from None

    with pytest.raises(RuntimeError) as failed:
        translated()
    assert "ZeroDivisionError" not in logged_of(failed.value, caplog)
    first, second = KeyError(), IndexError()
    first.__cause__, second.__cause__ = second, first
    assert logged_of(first, caplog) == "KeyError; caused by IndexError"


def test_an_error_in_what_a_click_calls_is_an_id_at_the_next_look_and_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = open_app()
    monkeypatch.setattr(loading, "load_sample", fail_with_cell_content)
    run(app)
    app.button(key="sample-pos-tagging").click()
    app.run()
    # Streamlit's own words, without the error's.
    assert all(CELL not in shown.value for shown in app.exception)
    assert "RuntimeError" in caplog.text
    assert CELL not in caplog.text
    assert "Traceback" not in caplog.text
    (reference,) = re.findall(r"error ([0-9a-f]{8}): RuntimeError", caplog.text)
    run(app)
    assert f"Something went wrong that should not have (error {reference})" in text(app)
    run(app)
    assert "Something went wrong" not in text(app)
