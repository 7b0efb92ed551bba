"""The combination that counts is a choice of its own among those that the answer allows."""

from __future__ import annotations

import pytest

from core.replicability.combinations import combination_named, combinations_under
from core.types import Dependence
from tests.pages.opened import (
    address,
    answer,
    choose,
    go_to,
    of_class,
    open_app,
    selectbox,
    set_dependence,
    text,
)

SAMPLE = "parsing-redshift"
COUNTING = "pages/counting.py"


def labels(combinations: tuple[str, ...], usual: str) -> list[str]:
    return [
        f"{combination_named(name).title}{' (usual)' if name == usual else ''}"
        for name in combinations
    ]


@pytest.mark.parametrize(
    ("dependence", "usual"), [("positive", "simes"), ("independent", "fisher")]
)
def test_those_that_hold_are_offered_with_the_usual_one_in_front(
    dependence: Dependence, usual: str
) -> None:
    app = set_dependence(
        go_to(open_app(sample=SAMPLE, dependence="independent"), COUNTING), dependence
    )
    box = selectbox(app, "Counted by")
    assert box.options == labels(combinations_under(dependence), usual)
    assert box.value == usual
    assert "combination" not in address(app)


def test_the_one_chosen_counts_on_every_page_and_what_was_counted_before_is_told() -> None:
    app = go_to(open_app(sample=SAMPLE, dependence="independent"), COUNTING)
    before = answer(app)
    assert "(Fisher)" in before
    choose(app, "Counted by", "Stouffer")
    after = answer(app)
    assert "(Stouffer)" in after
    assert of_class(app, "verdict-tile")[0].startswith("A Stouffer: independent datasets")
    assert "largest of several counts has no guarantee" in text(app)
    assert address(app)["combination"] == "stouffer"
    assert app.session_state["dashboard"].tried["combinations"] == ["fisher", "stouffer"]
    assert "(Stouffer)" in answer(go_to(app, "pages/upload.py"))
    assert answer(go_to(app, "pages/report.py")) == after
    # The address opens the same.
    again = open_app(**address(app))
    assert answer(go_to(again, COUNTING)) == after
    assert selectbox(again, "Counted by").value == "stouffer"
    # The usual one leaves no trace in the address, but what was tried stays told.
    choose(again, "Counted by", "Fisher")
    assert answer(again) == before
    assert "combination" not in address(again)
    assert again.session_state["dashboard"].tried["combinations"] == ["stouffer", "fisher"]


def test_an_answer_under_which_it_does_not_hold_takes_it_back() -> None:
    app = go_to(open_app(sample=SAMPLE, dependence="independent"), COUNTING)
    choose(app, "Counted by", "Stouffer")
    set_dependence(app, "positive")
    assert selectbox(app, "Counted by").value == "simes"
    set_dependence(app, "independent")
    assert selectbox(app, "Counted by").value == "fisher"
    # One that holds under both stays.
    choose(app, "Counted by", "Bonferroni")
    set_dependence(app, "positive")
    assert selectbox(app, "Counted by").value == "bonferroni"
