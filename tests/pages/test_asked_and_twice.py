"""What the first page asks about headings, and what it says of one dataset under two names."""

from __future__ import annotations

import numpy as np

from tests.pages.opened import (
    answer,
    button,
    drop,
    open_app,
    press,
    problems,
    question,
    set_alpha,
    set_dependence,
    text,
    when_tested,
)


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
    assert "all 2" in answer(app)
    assert twice not in text(app)
    assert "are one test made twice" not in text(app)
    assert "You left out hi_copy, which has the same scores as hi." in text(app)
    assert "the guarantee no longer holds" not in text(app)
    assert "This is evidence against the answer" not in text(app)
    assert not [each for each in app.button if each.label == "Leave out hi_copy"]


def test_headings_that_may_name_datasets_are_a_question_and_read_as_answered() -> None:
    columns = {"ar": _rows(40, 1), "cs": _rows(60, 2), "de": _rows(50, 3)}
    lines = [",".join(f"{name}_{system}" for name in columns for system in ("base", "ours"))]
    for row in range(60):
        held = [rows[row] if row < len(rows) else ["", ""] for rows in columns.values()]
        lines.append(",".join(str(cell) for pair in held for cell in pair))
    app = drop(open_app(), "wide.csv", "\n".join(lines).encode())
    assert not problems(app)
    assert "One question before wide.csv can be read." in question(app)[0]
    assert not button(app, "No, 6 systems on one dataset").disabled
    app = when_tested(press(app, "3 datasets × 2 systems (ar, cs, de × base, ours)"))
    assert not app.exception
    assert "3 datasets" in text(app)
    assert "150 examples" in text(app)


def test_what_was_answered_before_a_file_is_meant_for_it_also_where_the_file_asks_something() -> (
    None
):
    lines = ["ar_base,ar_ours,cs_base,cs_ours", *(f"{i % 2},1,{i % 3 // 2},0" for i in range(9))]
    app = set_alpha(set_dependence(open_app(), "independent"), 0.01)
    app = drop(app, "wide.csv", "\n".join(lines).encode())
    app = when_tested(press(app, "2 datasets × 2 systems (ar, cs × base, ours)"))
    settings = app.session_state["dashboard"].settings
    assert (settings.dependence, settings.alpha) == ("independent", 0.01)
    app = drop(app, "other.csv", "\n".join(lines[:-1]).encode())
    app = when_tested(press(app, "2 datasets × 2 systems (ar, cs × base, ours)"))
    settings = app.session_state["dashboard"].settings
    assert (settings.dependence, settings.alpha) == ("not-known", 0.01)
