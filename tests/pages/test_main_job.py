"""The main job, page by page: a table, its counts and names, and what is asked and chosen beside them."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.data import samples
from core.replicability.combinations import combination_named, combinations_under
from core.types import Dependence
from pages.ui.frame.page import PAGES as ENTRIES
from tests.pages.opened import (
    PAGES,
    RolesForm,
    address,
    answer,
    button,
    choose,
    drop,
    go_to,
    of_class,
    open_app,
    open_details,
    press,
    problems,
    question,
    results,
    run,
    selectbox,
    set_alpha,
    set_dependence,
    text,
    when_tested,
)

SAMPLE = "parsing-redshift"
COUNTING = "pages/counting.py"
SETTINGS = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"


# What a sample's table gives under the dependence its source declares. Counts are from the printed
# p-values of Dror et al. (TACL 2017), Tables 2 to 5, by Fisher where the paper takes the datasets to
# be independent and by Bonferroni elsewhere; each side by the reading of the p-values that gives the
# smaller count. Holm: of the claim that is stated first. Practice: p ≤ α with A ahead (and with B
# ahead, where both are stated; in either direction, where nothing tells which is ahead), by hand from
# the tables. Printed: p ≤ α in either direction, which is the paper's own common practice.
SYSTEMS = {
    "parsing-spacy": ("Mate", "SpaCy", 7),
    "parsing-redshift": ("Mate", "Redshift", 7),
    "pos-tagging": ("MIMICK", "Char→Tag", 23),
    "sentiment": ("AE-SCL-SR", "MSDA", 12),
    "word-similarity": ("W2V", "GloVe", 12),
    "six-p-values": ("A", "B", 6),
}
# Sample, α; A better, B better, the systems differ; Holm; practice; printed.
EXPECTED: tuple[tuple[str, float, int | None, int | None, int, int, tuple[int, ...], int], ...] = (
    ("parsing-spacy", 0.05, 7, None, 7, 7, (7,), 7),
    ("parsing-spacy", 0.01, 7, None, 7, 7, (7,), 7),
    ("parsing-redshift", 0.05, 5, None, 5, 1, (2,), 2),
    ("parsing-redshift", 0.01, 2, None, 2, 0, (1,), 1),
    ("pos-tagging", 0.05, 3, 3, 16, 3, (4, 7), 11),
    ("pos-tagging", 0.01, 2, 2, 13, 3, (4, 3), 7),
    ("sentiment", 0.05, 10, None, 6, 10, (10,), 10),
    ("sentiment", 0.01, 5, None, 2, 5, (6,), 6),
    ("word-similarity", 0.05, 5, 1, 6, 5, (7, 1), 8),
    ("word-similarity", 0.01, 3, 1, 4, 3, (5, 1), 6),
    ("six-p-values", 0.05, None, None, 1, 1, (2,), 2),
    ("six-p-values", 0.01, None, None, 1, 1, (1,), 1),
)


def test_every_published_sample_is_expected_at_both_levels() -> None:
    keys = [sample.key for sample in samples() if "Dror" in sample.source]
    assert {*keys} == {*SYSTEMS}
    assert [row[:2] for row in EXPECTED] == [(key, p) for key in SYSTEMS for p in (0.05, 0.01)]


def tiles_of_practice(app: AppTest) -> str:
    (tile,) = [each for each in of_class(app, "verdict-tile") if "Common practice" in each]
    return tile


def how_many(k_hat: int, n: int) -> str:
    return f"all {n}" if k_hat == n else f"at least {k_hat} of {n}"


def test_each_sample_gives_the_published_counts_on_every_page() -> None:
    app = open_app()
    for sample, alpha, better_a, better_b, differ, holm, practice, printed in EXPECTED:
        case = (sample, alpha)
        if address(app).get("sample") != sample:
            app = open_app(sample=sample)
        set_alpha(go_to(app, "pages/upload.py"), alpha)
        a, b, n = SYSTEMS[sample]
        tiles = of_class(app, "verdict-tile")
        stated = differ if better_a is None else better_a
        sentence = f"{a} and {b} differ on" if better_a is None else f"{a} is better than {b} on"
        assert how_many(stated, n) in tiles[0], case
        assert f"{sentence} {how_many(stated, n)}" in answer(app), case
        if better_b is not None:
            assert f"{b} better on {how_many(better_b, n)}" in tiles[1], case

        go_to(app, PAGES["Counting"])
        in_front = of_class(app, "verdict-tile")[0]
        assert how_many(stated, n) in in_front, case
        assert f"{100 - 100 * alpha:.0f}%" in in_front, case
        said = tiles_of_practice(app)
        assert f"on {', B ahead on '.join(map(str, practice))} of {n}" in said, case
        if len(practice) == 1:
            assert practice == (printed,), case
        else:
            open_details(app, "counting", "What it means")
            assert f"without direction: {printed})" in text(app), case
        if better_a is not None:
            asked = selectbox(app, "Claim").value
            choose(app, "Claim", "The systems differ")
            assert f"differ on {how_many(differ, n)}" in answer(app), case
            selectbox(app, "Claim").set_value(asked)
            run(app)

        go_to(app, PAGES["Identification"])
        assert results(app)["significant"].str.startswith("★").sum() == holm, case


def test_each_reading_of_the_pos_table_gives_its_own_count() -> None:
    app = open_app(sample="pos-tagging")
    for claim, alpha, k_hat, holm in (
        ("MIMICK better…as two-sided", 0.05, 4, 3),
        ("Char→Tag better…toward the higher score", 0.05, 3, 3),
        ("MIMICK better…toward the higher score", 0.01, 2, 3),
        ("Char→Tag better…as two-sided", 0.01, 3, 3),
        ("Char→Tag better…toward the higher score", 0.01, 2, 2),
    ):
        go_to(set_alpha(app, alpha), PAGES["Counting"])
        choose(app, "Claim", claim)
        chosen = selectbox(app, "Claim").value
        assert how_many(k_hat, 23) in answer(app), (claim, alpha)
        go_to(app, PAGES["Identification"])
        assert selectbox(app, "Claim").value == chosen, (claim, alpha)
        assert f"{holm} of 23" in answer(app), (claim, alpha)


def test_a_declared_direction_leaves_only_its_own_reading() -> None:
    app = open_app(sample="parsing-redshift")
    for declared, k_hat, asked in (
        # As printed; and halved, where a two-sided p-value speaks for the system ahead.
        ("greater", 5, 1),
        ("toward-higher-score", 5, 2),
        ("two-sided", 6, 2),
        ("not-stated", 5, 4),
    ):
        form = RolesForm(go_to(app, "pages/upload.py"), "loaded")
        form.direction.set_value(declared)
        form.submit()
        assert how_many(k_hat, 7) in answer(app), declared
        go_to(app, PAGES["Counting"])
        boxes = [box for box in app.selectbox if box.label == "Claim"]
        assert len(boxes[0].options if boxes else [""]) == asked, declared
        assert how_many(k_hat, 7) in answer(app), declared
        open_details(app, "counting", "Copy")
        assert f"stated:{declared}" in app.code[-1].value, declared


def test_a_chosen_procedure_marks_its_own_datasets_and_stays_chosen() -> None:
    app = go_to(open_app(sample="parsing-redshift"), PAGES["Identification"])
    for option, procedure, n_named in (
        ("Holm", "holm", 1),
        ("Closed Fisher", "fisher-closed", 2),
        ("Benjamini–Hochberg", "benjamini-hochberg", 1),
        ("Bonferroni", "bonferroni", 1),
    ):
        choose(app, "Identified by", option)
        assert f"{n_named} of 7" in answer(app), option
        assert results(app)["significant"].str.startswith("★").sum() == n_named, option
        open_details(app, "identification", "Copy")
        assert f"procedure:{procedure}" in app.code[-1].value, option
    go_to(app, PAGES["Counting"])
    open_details(go_to(app, PAGES["Identification"]), "identification", "Copy")
    assert "procedure:bonferroni" in app.code[-1].value


def test_a_sample_of_every_kind_opens_on_every_page() -> None:
    # Of many systems and of what is printed with scores others open them all.
    for key in ("six-p-values", "simulated-parsing", "simulated-labels"):
        app = open_app(sample=key)
        for entry in ENTRIES:
            go_to(app, entry.path)
            assert [title.value for title in app.title] == [entry.heading], key
            assert "Nothing loaded yet" not in text(app), (key, entry.path)


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


def _rows(n: int, seed: int) -> list[list[int]]:
    rows: list[list[int]] = (np.random.default_rng(seed).random((n, 2)) < (0.5, 0.8)).tolist()
    return [[int(score) for score in row] for row in rows]


def _stacked(**datasets: list[list[int]]) -> bytes:
    lines = ["dataset,base,ours"]
    lines += [f"{name},{a},{b}" for name, rows in datasets.items() for a, b in rows]
    return "\n".join(lines).encode()


def test_a_dataset_under_two_names_is_said_before_the_verdict_until_it_is_left_out() -> None:
    hi, ja = _rows(200, 1), _rows(200, 2)
    app = when_tested(drop(open_app(), "mine.csv", _stacked(hi=hi, hi_copy=hi, ja=ja)))
    twice = "hi and hi_copy have the same scores on all 200 examples"
    assert twice in text(app)
    assert "all 3" in answer(app)
    set_dependence(app, "independent")
    assert "This is evidence against the answer" in text(app)
    app = when_tested(press(app, "Leave out hi_copy"))
    assert not app.exception
    assert "both datasets" in answer(app)
    assert twice not in text(app)
    assert "are one test made twice" not in text(app)
    assert "You left out hi_copy, which has the same scores as hi." in text(app)
    assert "the guarantee no longer holds" not in text(app)
    assert "This is evidence against the answer" not in text(app)
    assert not [each for each in app.button if each.label == "Leave out hi_copy"]


def test_headings_that_may_name_datasets_are_a_question_and_what_was_answered_before_it_stays():
    columns = {"ar": _rows(40, 1), "cs": _rows(60, 2), "de": _rows(50, 3)}
    lines = [",".join(f"{name}_{system}" for name in columns for system in ("base", "ours"))]
    for row in range(60):
        held = [rows[row] if row < len(rows) else ["", ""] for rows in columns.values()]
        lines.append(",".join(str(cell) for pair in held for cell in pair))
    app = set_alpha(set_dependence(open_app(), "independent"), 0.01)
    drop(app, "wide.csv", "\n".join(lines).encode())
    assert not problems(app)
    assert "One question before wide.csv can be read." in question(app)[0]
    assert not button(app, "No, 6 systems on one dataset").disabled
    app = when_tested(press(app, "3 datasets × 2 systems (ar, cs, de × base, ours)"))
    assert "3 datasets" in text(app)
    assert "150 examples" in text(app)
    # What was answered before the file is meant for it, and not for the next one.
    settings = app.session_state["dashboard"].settings
    assert (settings.dependence, settings.alpha) == ("independent", 0.01)
    app = drop(app, "other.csv", "\n".join(lines[:-1]).encode())
    app = when_tested(press(app, "3 datasets × 2 systems (ar, cs, de × base, ours)"))
    settings = app.session_state["dashboard"].settings
    assert (settings.dependence, settings.alpha) == ("not-known", 0.01)


def test_no_list_of_files_stands_in_the_sidebar_before_the_menu_is_drawn() -> None:
    """Streamlit lists what lies in pages/ until it is told which pages there are."""
    client = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["client"]
    assert client["showSidebarNavigation"] is False


def test_a_file_of_many_systems_opens_with_their_leaderboard_and_then_offers_a_pair() -> None:
    rows = [f"d{d},{i},{i % 2},{i % 3 > 0:d},1" for d in range(3) for i in range(60)]
    content = "\n".join(["dataset,example,low,middle,high", *rows]).encode()
    app = when_tested(drop(open_app(), "three.csv", content))
    when_tested(run(app))
    assert "systems" in {link.proto.page for link in app.get("page_link")}
    assert of_class(app, "lead")[0].startswith("With 95% confidence in all 18 claims together")
    assert app.dataframe[0].value["system"].tolist() == ["high", "middle", "low"]
    assert app.header[0].value == "One pair: A and B"
    assert "about A and B alone, 2 of 3 systems" in text(app)
    assert "about A and B alone, 2 of 3" in text(when_tested(go_to(app, "pages/effect_size.py")))
    two = when_tested(open_app(sample="simulated-accuracy"))
    assert "systems" not in {link.proto.page for link in two.get("page_link")}


def test_a_table_without_some_values_or_any_has_a_width() -> None:
    def script() -> None:
        import pandas as pd

        from pages.ui.frame import tables

        tables.frame(pd.DataFrame({"dataset": []}))
        tables.frame(pd.DataFrame({"dataset": ["x", None], "score": [0.5, float("nan")]}))

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert len(app.dataframe) == 2


def opened_with(*systems: str) -> AppTest:
    """Four datasets, on two of which the second system is far ahead of the others."""
    lines = [f"dataset,example,{','.join(systems)}"]
    for d, ahead in enumerate((3, 14, 15, 6)):
        for i in range(40):
            scores = [0] * len(systems)
            scores[0] = int(i < 3)
            scores[1] = int(3 <= i < 3 + ahead)
            lines.append(f"w{d},{i},{','.join(map(str, scores))}")
    return when_tested(drop(open_app(), "mine.csv", "\n".join(lines).encode()))


def test_after_an_exchange_it_is_said_what_it_costs_if_it_came_after_the_results() -> None:
    app = press(opened_with("base", "ours"), "Swap A and B")
    assert "You took ours as A, although base comes first" in text(app)
    assert "90%" in text(app)
    assert answer(app).startswith("With 95% confidence, ours is better than base on at least 2")


UNDIRECTED = b"dataset,ours,base,p_value\nx,2,1,.001\ny,3,1,.012\nz,4,1,.08\n"


def test_p_values_that_a_table_leaves_undirected_are_asked_about_and_take_the_answer() -> None:
    app = drop(open_app(), "t.csv", UNDIRECTED)
    (asked,) = [radio for radio in app.radio if radio.label.startswith("How were the p-values")]
    assert "at least 2 of 3" in answer(app)
    asked.set_value("two-sided")
    assert "all 3" in answer(run(app))
    # What is answered can be changed in the form about the file, which did not ask it as well.
    assert "roles-" not in asked.form_id
    (changed,) = [radio for radio in app.radio if radio.label == asked.label]
    assert "roles-" in changed.form_id
    assert changed.value == "two-sided"
    # It is about A and B as they are shown, exchanged or not.
    app = press(drop(open_app(), "t.csv", UNDIRECTED), "Swap A and B")
    next(radio for radio in app.radio if radio.label == asked.label).set_value("greater")
    run(app)
    assert app.session_state["dashboard"].loaded.source.roles["alternative"] == "less"
