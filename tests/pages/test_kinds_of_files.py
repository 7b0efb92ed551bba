"""Whatever people have on disk, or in the clipboard: read, asked about, or refused in words."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.data import read_results
from pages.ui.frame.prose import label
from tests.core.data.layouts.test_mending import MENDED
from tests.pages.opened import (
    address,
    answer,
    drop,
    go_to,
    open_app,
    press,
    problems,
    question,
    run,
    selectbox,
    text,
    when_tested,
)

LONG = "dataset,example,system,score\n" + "".join(
    f"{dataset},{i},{system},{int((i * step) % 5 != 0)}\n"
    for dataset in ("SST", "IMDB", "Yelp")
    for i in range(40)
    for system, step in (("ours", 5), ("base", 3))
)


def paste(app: AppTest, pasted: str) -> AppTest:
    (area,) = app.text_area
    area.set_value(pasted)
    return press(app, "Read the pasted table")


def test_every_remedy_is_a_button_beside_its_problem_that_reads_the_file() -> None:
    app = open_app()
    for name, (content, (role, value), mended) in MENDED.items():
        drop(app, "mine.csv", content.encode())
        refused = app.session_state["dashboard"].refused
        (words,) = {
            words
            for choice in refused.error.findings[0].choices
            for held, words in choice.options
            if (choice.role, held) == (role, value)
        }
        assert len(problems(app)) > 1, name
        press(app, label(words))
        assert problems(app) == [], name
        loaded = app.session_state["dashboard"].loaded
        read = read_results(mended.encode(), name="mine.csv")
        assert loaded.data.fingerprint == read.fingerprint, name
        assert loaded.source.roles == {role: value}, name


def test_a_dataset_renamed_in_the_grid_is_so_in_the_verdict_and_the_link(monkeypatch) -> None:
    app = open_app(sample="parsing-redshift")
    before = app.session_state["dashboard"].loaded.data
    old, a = (
        before.datasets[0],
        before.system_a if hasattr(before, "system_a") else before.systems[0],
    )

    def edited(frame, **_):
        if "name" not in frame:
            return frame
        return frame.assign(name=frame["name"].replace({old: "Web <b>", a: "The parser"}))

    # What is typed into a grid cannot be simulated here.
    monkeypatch.setattr("streamlit.data_editor", edited)
    run(app)
    press(app, "Apply names")
    loaded = app.session_state["dashboard"].loaded
    assert loaded.source.roles["dataset_names"] == {old: "Web <b>"}
    assert loaded.source.roles["system_names"] == {a: "The parser"}
    assert loaded.data.datasets == ("Web <b>", *before.datasets[1:])
    assert "The parser is better" in answer(app)
    assert problems(app) == []
    assert "Web <b>" in address(app)["roles"]


def test_repeated_runs_are_asked_about_and_the_answer_can_be_changed() -> None:
    rows = "".join(
        f"d,{seed},{i},{int(i % 3 != 0)},{int(i % 3 == seed)}\n"
        for seed in (1, 2)
        for i in range(30)
    )
    app = drop(open_app(), "runs.csv", f"dataset,seed,example,ours,base\n{rows}".encode())
    assert problems(app) == []
    assert "2 runs" in " ".join(question(app))
    press(app, "Average the 2 runs of each example")
    assert problems(app) == []
    first = answer(app)
    (choice,) = [box for box in app.selectbox if box.label.endswith("?")]
    choice.select_index(next(i for i, words in enumerate(choice.options) if "run 1" in words))
    run(app)
    assert problems(app) == []
    assert answer(app) != first or "only" in text(app)


def test_several_metrics_are_kept_and_chosen_in_the_sidebar() -> None:
    rows = "".join(
        f"d{d},{i},{system},{int((i + d) % 3 != 0)},{(i % 7) / 10 + (system == 'base')}\n"
        for d in range(3)
        for i in range(30)
        for system in ("ours", "base")
    )
    app = drop(open_app(), "two.csv", f"dataset,example,system,accuracy,loss\n{rows}".encode())
    metric = selectbox(app, "Metric")
    assert list(metric.options) == ["accuracy", "loss"]
    assert "No evidence" in answer(app)
    metric.select("loss")
    run(app)
    assert "ours is better than base on all 3 datasets" in answer(app)
    assert "A lower score is read as better" in text(app)


def test_a_pasted_table_works_like_a_file() -> None:
    app = open_app()
    for pasted in (
        "dataset\tours\tbase\tp_value\nSST\t91\t90\t.001\nIMDB\t92\t90\t.2\n",
        "| dataset | ours | base | p_value |\n|---|---|---|---|\n| SST | 91 | 90 | .001 |\n"
        "| IMDB | 92 | 90 | .2 |\n",
        "dataset & ours & base & p_value \\\\ \\hline\nSST & 91 & 90 & .001 \\\\\n"
        "IMDB & 92 & 90 & .2 \\\\\n",
        "dataset  ours  base  p_value\nSST  91  90  .001\nIMDB  92  90  .2\n",
    ):
        paste(app, pasted)
        assert "ours is better than base on at least 1 of 2" in answer(app), pasted
    # What cannot be read, or is nothing, changes nothing.
    for pasted, n_problems in (("  \n", 0), ("dataset\tours\tp_value\nSST\t91\n", 2)):
        paste(app, pasted)
        assert len(problems(app)) >= n_problems, pasted
        assert "ours is better than base on at least 1 of 2" in answer(app), pasted


def test_a_large_file_is_read_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.ui.frame import limits

    monkeypatch.setattr(limits, "MAX_BYTES_READ_AT_ONCE", 100)
    app = drop(open_app(), "rows.csv", LONG.encode())
    for _ in range(50):
        if any("verdict-sentence" in element.proto.body for element in app.get("html")):
            break
        run(app)
    assert "base" in answer(app)


def test_all_metrics_as_one_family_are_tested_on_demand_and_counted_as_pairs() -> None:
    rows = "".join(
        f"d{d},{i},{system},{int((i + d) % 3 != 0)},{(i % 7) / 10 + (system == 'base')}\n"
        for d in range(3)
        for i in range(30)
        for system in ("ours", "base")
    )
    app = drop(open_app(), "two.csv", f"dataset,example,system,accuracy,loss\n{rows}".encode())
    go_to(app, "pages/counting.py")
    app.session_state["section-counting"] = True
    app.session_state["details-counting"] = "All metrics"
    run(app)
    press(app, "Test every metric")
    when_tested(app)
    # By accuracy the systems never differ; by loss, where lower is better, ours wins everywhere.
    assert "3 datasets × 2 metrics make 6 pairs" in text(app)
    assert (
        "ours is better than base on at least 3 of the 6 pairs, and by at least one metric on at least 3 of 3"
        in text(app)
    )
