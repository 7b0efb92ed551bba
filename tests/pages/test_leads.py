"""The answer in front: the same words on every page, and the questions that stand beside it."""

from __future__ import annotations

import numpy as np
from streamlit.testing.v1 import AppTest

from core.claims.desk import ClaimDesk
from tests.pages.opened import (
    answer,
    choose,
    drop,
    go_to,
    of_class,
    open_app,
    press,
    run,
    text,
    when_tested,
)


def of_examples(*systems: str, n: int = 40) -> str:
    """Four datasets, on two of which the second system is far ahead of the others."""
    lines = [f"dataset,example,{','.join(systems)}"]
    for d, ahead in enumerate((3, 14, 15, 6)):
        for i in range(n):
            scores = [0] * len(systems)
            scores[0] = int(i < 3)
            scores[1] = int(3 <= i < 3 + ahead)
            lines.append(f"w{d},{i},{','.join(map(str, scores))}")
    return "\n".join(lines) + "\n"


def loaded(content: str, name: str = "mine.csv") -> AppTest:
    return when_tested(drop(open_app(), name, content.encode()))


def test_upload_counting_and_report_lead_with_the_same_sentence() -> None:
    app = loaded(of_examples("ours", "base"))
    first = answer(app)
    assert "base is better than ours on at least 2 of 4 datasets" in first.partition(". ")[0]
    tiles = of_class(app, "verdict-tile")
    assert tiles[-1].startswith("Common practice: two-sided p ≤ .05 with A ahead on 0, B on 2 of 4")
    assert answer(go_to(app, "pages/counting.py")) == first
    tiles = of_class(app, "verdict-tile")
    assert tiles[0].startswith("A ours better, Bonferroni: any dependence none shown of 4")
    assert tiles[1].startswith("B base better, Bonferroni: any dependence at least 2 of 4")
    assert tiles[-1].startswith("Common practice: two-sided p ≤ .05 with A ahead on 0, B on 2 of 4")
    assert answer(go_to(app, "pages/report.py")) == first
    # A claim that was chosen is answered by itself.
    go_to(app, "pages/counting.py")
    (asked,) = [box for box in app.selectbox if box.label == "Claim"]
    assert asked.value == "b-better/greater"
    asked.set_value("a-better/greater")
    assert answer(run(app)).startswith("No evidence at α = .05 that ours is better than base")


def test_after_an_exchange_one_asks_who_was_a_and_takes_the_answer() -> None:
    app = press(loaded(of_examples("base", "ours")), "Swap A and B")
    said = text(app)
    assert "90%" in said
    before = answer(app)
    assert before.startswith("With 95% confidence, ours is better than base on at least 2 of 4")
    when_tested(press(app, "Yes, ours was A before looking"))
    assert "You took ours as A" not in text(app)
    assert answer(app) == before
    assert "A ours B base" in text(app)
    assert not app.session_state["dashboard"].settings.swapped


def test_the_declaration_keeps_which_of_several_systems_are_compared_and_the_claims() -> None:
    app = loaded(of_examples("first", "ours", "base", "last"))
    choose(app, "B", "base")
    choose(app, "A", "last")
    assert "You took last as A" in text(app)
    app.session_state["dashboard"].claims = ClaimDesk(lines="at least 1 for A", swapped=True)
    when_tested(press(app, "Yes, last was A before looking"))
    assert "A last B base" in " ".join(text(app).split())
    # They are about the same system as before.
    claims = app.session_state["dashboard"].claims
    assert (claims.lines, claims.swapped) == ("at least 1 for A", False)
    assert "You took last as A" not in text(app)


def test_scores_that_nothing_names_ask_openly_which_is_better_and_take_the_answer() -> None:
    rng = np.random.default_rng(7)
    rows = ["dataset,example,ours,base"]
    for d in range(6):
        for i in range(30):
            errors = rng.gamma(4.0, 0.1)
            rows.append(f"d{d},{i},{errors * 0.7:.4f},{errors:.4f}")
    app = loaded("\n".join(rows) + "\n")
    assert "base is better than ours on all 6" in answer(app).partition(". ")[0]
    (asked,) = [radio for radio in app.radio if radio.label.startswith("Which score is better?")]
    assert asked.value == "the higher one"
    when_tested(run_with(app, asked, "the lower one"))
    assert "ours is better than base on all 6" in answer(app)
    (asked,) = [radio for radio in app.radio if radio.label.startswith("Which score is better?")]
    assert asked.value == "the lower one"


def test_p_values_that_a_table_leaves_undirected_are_asked_about_and_take_the_answer() -> None:
    app = loaded("dataset,ours,base,p_value\nx,2,1,.001\ny,3,1,.012\nz,4,1,.08\n")
    (asked,) = [radio for radio in app.radio if radio.label.startswith("How were the p-values")]
    assert "at least 2 of 3" in answer(app)
    run_with(app, asked, "two-sided")
    assert "all 3" in answer(app)
    # What is answered can be changed in the form about the file, which did not ask it as well.
    assert "roles-" not in asked.form_id
    (changed,) = [radio for radio in app.radio if radio.label == asked.label]
    assert "roles-" in changed.form_id
    assert changed.value == "two-sided"


def run_with(app: AppTest, widget: object, value: str) -> AppTest:
    widget.set_value(value)  # type: ignore[attr-defined]
    return run(app)


def test_a_named_dataset_whose_mean_says_the_opposite_is_said_before_every_answer() -> None:
    lines = ["dataset,example,small,base"]
    for d in range(4):
        for i in range(60):
            gain = -0.5 if i % 10 == 0 else 0.01 * (1 + (i + d) % 4)
            lines.append(f"d{d},{i},{0.6 + gain:.2f},0.60")
    app = loaded("\n".join(lines) + "\n")
    # By default the mean is tested, and small's is the lower one.
    assert "No evidence at α = .05 that small is better than base" in answer(app)
    go_to(app, "pages/per_dataset_tests.py")
    app.selectbox(key="test").set_value("wilcoxon")
    (start,) = [button for button in app.button if button.label == "Run"]
    start.click()
    when_tested(run(app))
    front = "On all 4 datasets with p ≤ .05 for small, its mean score is worse than that of base"
    claim = "small tends to score higher than base"
    for page in ("upload", "counting", "identification", "report"):
        said = text(go_to(app, f"pages/{page}.py"))
        assert claim in answer(app).replace(" significantly", ""), page
        assert said.index(front) < said.index(answer(app)), page
    said = text(go_to(app, "pages/per_dataset_tests.py"))
    assert said.index(front) < said.index(answer(app))
    go_to(app, "pages/check_a_claim.py")
    (lines_box,) = [one for one in app.text_area if one.label == "One claim per line"]
    lines_box.set_value("at least 4 for small")
    said = text(run(app))
    assert said.index(front) < said.index(answer(app))
    assert said.count(front) == 1
    assert "depends" in answer(app)
    blocks = " ".join(of_class(app, "claim-verdict"))
    assert claim.removesuffix(" than base") in blocks
    assert "is better on" not in blocks


def test_the_reports_table_says_that_it_scrolls_where_a_telephone_cuts_its_last_heading() -> None:
    for sample, hint in (
        ("pos-tagging", ["This table scrolls sideways: it has 7 columns."]),
        ("parsing-redshift", []),
    ):
        app = go_to(open_app(sample=sample), "pages/report.py")
        assert of_class(app, "sideways") == hint, sample
