"""The fourth answer about dependence: datasets that share examples are counted jointly."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from core.words.counting import JOINT_ANSWER
from tests.pages.opened import (
    address,
    dependence_radio,
    go_to,
    open_app,
    open_details,
    run,
    text,
    when_tested,
)

COUNTING = "pages/counting.py"


SHOWN = "ours is better than baseline on at least 7 of 12 datasets"
BY_FLIPS = "depend on each other through their shared examples"


def when_flipped(app: AppTest) -> AppTest:
    for _ in range(100):
        if BY_FLIPS in text(run(app)):
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
    assert SHOWN in text(app)
    assert address(app)["joint"] == "example-id"
    open_details(app, "counting", "Groups")
    group = next(each for each in app.multiselect if each.label == "Datasets of a group")
    group.set_value(["sim-de", "sim-es", "sim-fr"])
    said = text(run(app))
    assert "Your group (3 datasets): ours is better than baseline on at least 2." in said
    # Every page has the same count in front, and names by flips.
    for page in ("pages/upload.py", "pages/report.py"):
        said = text(go_to(app, page))
        assert SHOWN in said, page
        assert BY_FLIPS in said, page
    said = text(go_to(app, "pages/identification.py"))
    assert "By the joint step-down test (α = .05), ours is significantly better" in said
    go_to(app, COUNTING)
    dependence_radio(app).set_value("independent")
    run(app)
    assert "joint" not in address(app)


def test_a_published_table_does_not_offer_it() -> None:
    app = go_to(open_app(sample="parsing-redshift"), COUNTING)
    assert JOINT_ANSWER not in dependence_radio(app).options
