"""The guide in the app: what it draws is what it counts, and what it advises can be taken."""

import json
import re
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Html

from core.replicability.counting import count_datasets
from core.words.glossary import glossary
from tests.pages.opened import (
    ROOT,
    button,
    dependence_radio,
    go_to,
    of_class,
    open_app,
    press,
    run,
    set_alpha,
    text,
)

GUIDE = "pages/guide.py"
DRAW = "Draw another study"


def open_guide(step: int = 1) -> AppTest:
    return go_to(open_app(step=str(step)), GUIDE)


def shown_p_values(app: AppTest) -> list[float]:
    """The p-values of the chart, as they were drawn."""
    (chart,) = app.get("plotly_chart")
    spec = json.loads(chart.proto.spec)
    return [p for trace in spec["data"] for p in trace["y"]]


def _markup(element: object) -> str:
    assert isinstance(element, Html)
    return element.proto.body


def tiles(app: AppTest) -> list[str]:
    return of_class(app, "verdict-tile")


def wrong_so_far(app: AppTest) -> list[tuple[int, int]]:
    """For each count, in how many of how many studies it was wrong."""
    found = [re.search(r"too many in (\d+) of (\d+) stud", tile) for tile in tiles(app)]
    return [(int(one[1]), int(one[2])) for one in found if one]


def wins(p_values: list[float], alpha: float) -> tuple[int, int, int]:
    """What the three tiles should say of a study."""
    common = sum(p <= alpha for p in p_values)
    bonferroni = count_datasets(p_values, alpha=alpha, combination="bonferroni").k_hat
    fisher = count_datasets(p_values, alpha=alpha, combination="fisher").k_hat
    return common, bonferroni, fisher


def test_what_is_counted_are_the_p_values_that_are_shown_and_the_tally_adds_up() -> None:
    for alpha in (0.05, 0.3):
        app = set_alpha(open_guide(), alpha)
        expected = [0, 0, 0]
        for study in range(1, 5):
            shown = shown_p_values(app)
            assert len(shown) == 100
            common, *guaranteed = counts = wins(shown, alpha)
            expected = [
                so_far + (count > 0) for so_far, count in zip(expected, counts, strict=True)
            ]
            assert f" {common} of 100 " in tiles(app)[0]
            for tile, k_hat in zip(tiles(app)[1:], guaranteed, strict=True):
                assert (f" at least {k_hat} " if k_hat else " none shown ") in tile
            assert wrong_so_far(app) == [(count, study) for count in expected]
            press(app, DRAW)


def test_the_claim_that_is_moved_is_the_claim_that_is_judged() -> None:
    app = open_guide(step=3)
    (slider,) = app.select_slider
    assert slider.value == 5
    for u, holds in ((5, True), (6, False), (3, True)):
        app.select_slider[0].set_value(u)
        found = text(run(app))
        assert f"At least {u} of 7: the {u - 1} smallest p-values are set aside" in found
        assert ("by Fisher (holds)" in found) == holds
        assert found.count("set aside") - 1 == u - 1


def test_next_and_back_go_through_seven_steps_that_the_address_names() -> None:
    app = open_guide()
    seen = []
    for step in range(1, 8):
        assert f"Step {step} of 7" in text(app)
        assert app.query_params["step"] == str(step)
        seen.append(app.header[0].value)
        if step < 7:
            press(app, "Next")
    assert len(set(seen)) == 7
    assert button(app, "Next").disabled
    assert "Step 6 of 7" in text(press(app, "Back"))
    assert "step" not in go_to(app, "pages/counting.py").query_params


def test_counts_in_the_table_of_published_applications_are_numbers_whose_digits_stay_together():
    (table,) = [
        one for one in map(_markup, open_guide(step=5).get("html")) if "POS tagging</th>" in one
    ]
    assert "<td class=n>23</td>" in table
    assert "<td class=n>11, 6, 16</td>" in table


def look_up(app: AppTest, topic: str) -> AppTest:
    app.radio(key="guide-topic").set_value(topic)
    return run(app)


def reply(app: AppTest, question: str, said: str) -> None:
    app.radio(key=f"guide-dependence-{question}").set_value(said)
    run(app)


def test_the_answer_about_dependence_can_be_taken_for_every_page() -> None:
    app = look_up(open_guide(), "Which dependence do I have?")
    assert "Answer: “Not known, or yes” (Bonferroni)." in text(app)
    assert "This is what the sidebar says." in text(app)
    for question in ("examples", "union", "metrics"):
        reply(app, question, "no")
    assert "Answer: “No, independent” (Fisher)." in text(app)
    assert dependence_radio(app).value == "not-known"
    press(app, "Take this answer for every page")
    assert dependence_radio(app).value == "independent"
    reply(app, "union", "yes")
    assert "Answer: “Not known, or yes” (Bonferroni)." in text(app)
    reply(app, "positive", "yes")
    assert "Answer: “Only positively” (Simes)." in text(app)


def test_every_tooltip_that_a_page_asks_for_is_in_the_glossary() -> None:
    used = {
        key
        for path in sorted(Path(ROOT).glob("pages/**/*.py"))
        for key in re.findall(r"GLOSSARY\[\"([^\"]+)\"\]", path.read_text(encoding="utf-8"))
    }
    assert len(used) >= 9
    assert used <= set(glossary())
