"""Files that come in, files that are refused, and data that go."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.data import PUBLISHED_TABLE_TEMPLATE, samples
from pages.ui import limits
from pages.ui.frame import PAGES as ENTRIES
from tests.pages.opened import (
    PAGES,
    RolesForm,
    address,
    answer,
    button,
    dependence_radio,
    drop,
    go_to,
    load_sample,
    of_class,
    open_app,
    press,
    problems,
    set_alpha,
    text,
)

BROKEN = b"""dataset,Ours,Theirs,p_value
SST,91.0,90.0,0.01
SST,91.0,90.0,1.5
IMDB,ninety,90.0,0.2
,91.0,90.0,0.3
Yelp,91.0,90.0,tiny
"""
# No column is called a p-value, so it has to be chosen by hand.
UNNAMED = b"""name,Ours,Theirs,prob
SST,91.0,90.0,0.001
IMDB,92.0,90.0,0.2
Yelp,93.0,90.0,0.001
"""


def read_by_hand(app: AppTest) -> None:
    form = RolesForm(app, "refused")
    form.take_for("published table")
    for label, column in (
        ("Datasets", "name"),
        ("Scores of A", "Ours"),
        ("Scores of B", "Theirs"),
        ("p-values", "prob"),
    ):
        form.column(label).set_value(column)
    form.submit()


@pytest.mark.parametrize("path", [entry.path for entry in ENTRIES])
def test_a_page_without_data_has_its_title_and_shows_no_error(path: str) -> None:
    app = go_to(open_app(), path)
    assert [title.value for title in app.title] == [e.heading for e in ENTRIES if e.path == path]
    assert "Nothing loaded yet" in text(app)


@pytest.mark.parametrize("page", ["pages/upload.py", *PAGES.values()])
def test_a_page_that_needs_data_offers_every_sample(page: str) -> None:
    app = go_to(open_app(), page)
    for sample in samples():
        assert button(app, sample.title).key == f"sample-{sample.key}"


@pytest.mark.parametrize("page", PAGES.values())
def test_a_sample_can_be_loaded_from_an_empty_page(page: str) -> None:
    app = go_to(open_app(), page)
    load_sample(app, "parsing-redshift")
    assert "Mate is better than Redshift" in answer(app)
    assert dependence_radio(app).value == "independent"


def test_the_demo_loads_a_sample_with_one_click() -> None:
    app = press(open_app(), "Start the demo")
    assert "Mate is better than Redshift on at least 5 of 7" in answer(app)


def test_the_template_that_is_offered_can_be_read() -> None:
    app = drop(open_app(), "template.csv", PUBLISHED_TABLE_TEMPLATE.encode())
    assert problems(app) == []
    assert of_class(app, "verdict-sentence")


def test_every_problem_of_a_file_is_listed_at_once_with_its_place() -> None:
    title, *found = problems(drop(open_app(), "broken.csv", BROKEN))
    assert "broken.csv could not be read: 5 problems" in title
    assert len(found) == 5
    for place, word in (
        ("line 3", "1.5"),
        ("line 4", "ninety"),
        ("line 5", ""),
        ("line 6", "tiny"),
    ):
        assert any(place in problem and word in problem for problem in found), (place, found)


def test_more_problems_than_are_shown_are_counted() -> None:
    rows = "".join(f"d{i},1,2,wrong{i}\n" for i in range(limits.MAX_PROBLEMS_SHOWN + 7))
    # Some p-values are right, or the column would not be taken for one of p-values.
    good = "".join(f"g{i},1,2,0.5\n" for i in range(500))
    app = drop(open_app(), "long.csv", f"dataset,A,B,p_value\n{rows}{good}".encode())
    title, *found = problems(app)
    assert f"{limits.MAX_PROBLEMS_SHOWN + 7} problems" in title
    assert len(found) == limits.MAX_PROBLEMS_SHOWN
    assert "And 7 more that are not listed." in text(app)


def test_a_refused_file_keeps_what_was_loaded_with_all_its_settings() -> None:
    app = set_alpha(open_app(sample="parsing-redshift"), 0.01)
    press(app, "Swap A and B")
    sentence, link = answer(app), address(app)
    drop(app, "broken.csv", BROKEN)
    assert "What was loaded before stays" in problems(app)[0]
    assert answer(app) == sentence
    assert address(app) == link
    go_to(app, PAGES["Counting"])
    assert "Redshift is better" in answer(app)


def test_a_refused_file_is_forgotten_when_dismissed() -> None:
    app = press(drop(open_app(), "broken.csv", BROKEN), "Dismiss")
    assert problems(app) == []
    assert "broken.csv" not in text(app)


def test_a_good_file_clears_the_problems_of_a_bad_one() -> None:
    app = drop(open_app(), "broken.csv", BROKEN)
    drop(app, "good.csv", PUBLISHED_TABLE_TEMPLATE.encode())
    assert problems(app) == []


def test_a_file_whose_columns_are_not_recognised_can_be_read_by_hand() -> None:
    app = drop(open_app(), "unnamed.csv", UNNAMED)
    assert "prob" in problems(app)[1]
    read_by_hand(app)
    assert problems(app) == []
    assert "Ours is better than Theirs on at least 2 of 3" in answer(app)


def test_a_file_read_by_hand_does_not_inherit_what_was_said_of_the_one_before() -> None:
    app = press(open_app(sample="parsing-redshift"), "Swap A and B")
    drop(app, "unnamed.csv", UNNAMED)
    read_by_hand(app)
    assert "Ours is better than Theirs on at least 2" in answer(app)
    assert dependence_radio(app).value == "not-known"
    assert "swap" not in address(app)


def test_the_form_of_the_loaded_file_is_about_that_file_also_beside_a_refused_one() -> None:
    app = drop(open_app(sample="parsing-redshift"), "unnamed.csv", UNNAMED)
    form = RolesForm(app, "loaded")
    form.direction.set_value("two-sided")
    form.submit()
    assert "at least 6 of 7" in answer(app)


def test_the_form_shows_how_this_file_was_read_not_the_one_before() -> None:
    app = open_app(sample="parsing-redshift")
    form = RolesForm(app, "loaded")
    form.direction.set_value("two-sided")
    form.submit()
    load_sample(app, "parsing-spacy")
    assert RolesForm(app, "loaded").direction.value == "not-stated"


def test_a_file_of_ones_own_is_taken_to_depend_in_an_unknown_way() -> None:
    app = drop(open_app(sample="parsing-redshift"), "own.csv", PUBLISHED_TABLE_TEMPLATE.encode())
    assert dependence_radio(app).value == "not-known"


def test_a_wrong_correction_is_refused_and_what_was_read_stays() -> None:
    app = open_app(sample="parsing-spacy")
    before = answer(app)
    form = RolesForm(app, "loaded")
    form.zero.set_value("a little")
    form.submit()
    assert "a little" in problems(app)[1]
    assert answer(app) == before


def test_a_zero_reads_below_what_its_owner_states() -> None:
    app = open_app(sample="parsing-spacy")
    assert "3 p-values were printed as 0.0. They are read as below .00005" in text(app)
    form = RolesForm(app, "loaded")
    form.zero.set_value("0,0001")
    form.submit()
    assert "They are read as below .0001, as stated for this table" in text(app)


def test_removed_data_leave_nothing_in_the_session_or_on_any_page() -> None:
    app = drop(open_app(), "secret-project.csv", PUBLISHED_TABLE_TEMPLATE.encode())
    set_alpha(app, 0.01)
    go_to(app, PAGES["Identification"])
    press(app, "Remove my data")
    assert "Nothing loaded yet" in text(app)
    for key in app.session_state.keys():  # noqa: SIM118 - AppTest's state iterates otherwise
        assert "secret-project" not in repr(app.session_state[key])
    go_to(app, "pages/upload.py")
    assert "secret-project" not in text(app)
    assert "file" not in address(app)
    assert "data" not in address(app)
