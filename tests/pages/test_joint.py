"""The fourth answer about dependence: datasets that share examples are counted jointly."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from core.words.counting import JOINT_ANSWER
from tests.pages.opened import address, dependence_radio, go_to, open_app, run, text, when_tested

COUNTING = "pages/counting.py"


def when_flipped(app: AppTest) -> AppTest:
    for _ in range(100):
        if "joint flips" in text(run(app)):
            return app
        time.sleep(0.2)
    raise AssertionError("There was no answer by joint flips.")


def test_the_answer_is_counted_jointly_and_stands_in_the_link() -> None:
    app = when_tested(go_to(open_app(sample="simulated-translations"), COUNTING))
    asked = dependence_radio(app)
    assert JOINT_ANSWER in asked.options
    asked.set_value("shared")
    run(app)
    # No texts were given: nothing is matched, which is said before any answer.
    assert "Shared examples are not counted jointly" in text(app)
    units = next(each for each in app.radio if each.label == "Which examples are the same?")
    units.set_value("example-id")
    when_flipped(app)
    assert "at least 7 of 12" in text(app)
    assert address(app)["joint"] == "example-id"
    dependence_radio(app).set_value("independent")
    run(app)
    assert "joint" not in address(app)


def test_a_published_table_does_not_offer_it() -> None:
    app = go_to(open_app(sample="parsing-redshift"), COUNTING)
    assert JOINT_ANSWER not in dependence_radio(app).options
