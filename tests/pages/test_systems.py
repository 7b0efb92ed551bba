"""The page about many systems: what it says of each kind of data, and what follows the settings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core import read_results
from core.data import ResultSet, ScoreTable
from core.report import systems_leaderboard as words
from core.report import systems_tables
from core.systems import compare_all_pairs, count_matrix, standings
from tests.pages.opened import (
    answer,
    drop,
    go_to,
    leave_out,
    open_app,
    press,
    run,
    set_alpha,
    set_dependence,
    text,
)

PAGE = "pages/systems.py"
GRID = "dataset,first,second,third\n" + "".join(
    f"d{i},{0.5 + i / 50},{0.52 + i / 50 + (i % 3) / 100},{0.9 - i / 70}\n" for i in range(12)
)


def outcomes(m: int = 4, n_datasets: int = 6, n: int = 60, seed: int = 0) -> str:
    """0/1 results of systems a:0, b:1, …, later ones better, some datasets harder than others."""
    rng = np.random.default_rng(seed)
    names = [f"{'ab'[k % 2]}:{k}" for k in range(m)]
    lines = ["dataset,example," + ",".join(names)]
    for d in range(n_datasets):
        right = (rng.random((n, 1)) * 0.7 + rng.random((n, m)) * 0.3) < 0.35 + 0.06 * np.arange(m)
        lines += [f"d{d},{i}," + ",".join(str(int(r)) for r in row) for i, row in enumerate(right)]
    return "\n".join(lines) + "\n"


def scored(m: int = 6, n_datasets: int = 8) -> str:
    """Scores for which the recommended test takes long."""
    rng = np.random.default_rng(1)
    lines = ["dataset,example," + ",".join(f"s{k}" for k in range(m))]
    for d in range(n_datasets):
        lines += [
            f"d{d},{i}," + ",".join(f"{value:.1f}" for value in row)
            for i, row in enumerate(rng.normal(50.0, 9.0, (600, m)))
        ]
    return "\n".join(lines) + "\n"


def opened(content: str) -> AppTest:
    return when_done(go_to(drop(open_app(), "mine.csv", content.encode()), PAGE))


def when_done(app: AppTest) -> AppTest:
    for study in app.session_state["dashboard"].studies.values():
        assert study.job.wait(60)
    return run(app)


def open_section(app: AppTest, key: str) -> AppTest:
    app.session_state[f"section-{key}"] = True
    return run(app)


def results(content: str) -> ResultSet:
    data = read_results(content.encode())
    assert isinstance(data, ResultSet)
    return data


def frame_with(app: AppTest, column: str) -> pd.DataFrame:
    (found,) = [shown.value for shown in app.dataframe if column in shown.value.columns]
    assert isinstance(found, pd.DataFrame)
    return found


def test_without_data_the_page_says_what_it_is_for_and_offers_a_sample_of_many_systems() -> None:
    app = go_to(open_app(), PAGE)
    assert "compares every pair among three or more systems" in text(app)
    press(app, "Synthetic systems, 60 on handwritten digits")
    when_done(app)
    assert "sharing the best score with ridge:50:9 on handwritten digits" in answer(app)
    assert "of the 59 other systems" in answer(app)


@pytest.mark.parametrize("key", ["pos-tagging", "six-p-values", "simulated-accuracy"])
def test_two_systems_are_sent_to_the_pages_that_compare_them(key: str) -> None:
    app = go_to(open_app(sample=key), PAGE)
    assert "What is loaded has two systems" in text(app)
    assert "sample-synthetic-digits" in [one.key for one in app.button]


def test_the_answer_and_the_leaderboard_are_the_librarys_counts() -> None:
    content = outcomes()
    app = opened(content)
    pairs = compare_all_pairs(results(content))
    counts = count_matrix(pairs)
    assert answer(app) == words.lead_sentence(count_matrix(pairs, family="all"))
    assert words.alone_sentence(counts) in text(app)
    assert words.claims_sentence(counts) in text(app)
    expected = systems_tables.leaderboard_frame(standings(pairs), counts=counts)
    better = "better than (on ≥ 1 dataset)"
    shown = frame_with(app, better)
    assert shown[better].tolist() == expected[better].tolist()
    assert shown["letters"].tolist() == expected["letters"].tolist()


def test_the_level_and_the_question_of_dependence_are_followed() -> None:
    content = outcomes()
    app = opened(content)
    set_alpha(app, 0.2)
    set_dependence(app, "independent")
    pairs = compare_all_pairs(results(content))
    counts = count_matrix(pairs, alpha=0.2, combination="fisher")
    assert answer(app) == words.lead_sentence(count_matrix(pairs, alpha=0.2, family="all"))
    assert words.alone_sentence(counts) in text(app)
    assert "80% confidence in each pair alone" in text(app)
    assert "If the datasets are independent" in text(app)


def test_the_family_is_chosen_openly() -> None:
    content = outcomes()
    app = opened(content)
    assert "no joint guarantee" in text(app)
    app.radio(key="systems-family").set_value("all")
    run(app)
    joint = count_matrix(compare_all_pairs(results(content)), family="all")
    assert answer(app) == words.lead_sentence(joint)
    assert words.claims_sentence(joint) in text(app)
    assert "picked after looking" not in text(app)
    assert "hold together with 95% confidence" in text(app)


def test_datasets_left_out_are_left_out_here() -> None:
    content = outcomes()
    app = drop(open_app(), "mine.csv", content.encode())
    leave_out(app, "d0", "d3")
    when_done(go_to(app, PAGE))
    kept = compare_all_pairs(results(content), datasets=["d1", "d2", "d4", "d5"])
    assert answer(app) == words.lead_sentence(count_matrix(kept, family="all"))


def test_long_work_waits_for_its_button_and_keeps_what_was_done_when_stopped() -> None:
    app = go_to(drop(open_app(), "mine.csv", scored().encode()), PAGE)
    assert "all-pairs" not in app.session_state["dashboard"].studies
    assert "15 pairs of 6 systems on 8 datasets" in text(app)
    press(app, "Compare all pairs")
    study = app.session_state["dashboard"].studies["all-pairs"]
    while study.job.progress.done <= 15:
        study.job.wait(0.02)
    study.job.stop()
    when_done(app)
    assert not study.job.result.complete
    assert answer(app).startswith("So far: ")
    assert "of 8 datasets: the others are missing" in text(app)


def test_a_pair_that_is_opened_is_compared_on_the_counting_page() -> None:
    app = opened(outcomes())
    app.selectbox(key="systems-first").set_value("a:0")
    run(app)
    app.selectbox(key="systems-second").set_value("b:3")
    run(app)
    app.button(key="systems-open").click()
    run(app)
    assert [title.value for title in app.title] == ["On at least how many datasets?"]
    settings = app.session_state["dashboard"].settings
    assert (settings.pair, settings.swapped) == ((0, 3), False)


def test_one_score_a_dataset_gives_ranks_and_says_what_counts_need() -> None:
    app = opened(GRID)
    table = read_results(GRID.encode())
    assert isinstance(table, ScoreTable)
    assert answer(app).startswith("Of 3 systems over 12 datasets, third has the best mean rank, 1")
    assert "needs the results on every example" in text(app)
    shown = frame_with(app, "wins")
    assert shown["wins"].tolist() == standings(table).to_frame()["wins"].tolist()
    assert shown["letters"].tolist()[0] == "a"


def test_three_hundred_systems_have_a_table_and_no_diagram() -> None:
    rng = np.random.default_rng(2)
    header = "dataset," + ",".join(f"s{k}" for k in range(300))
    rows = [
        f"t{d}," + ",".join(f"{value:.2f}" for value in rng.normal(50, 5, 300)) for d in range(57)
    ]
    app = opened("\n".join([header, *rows]) + "\n")
    assert len(frame_with(app, "wins")) == 300
    assert not app.get("plotly_chart")
    assert "could not be read" in text(app)


def test_gains_are_grouped_by_what_stands_before_a_mark_in_every_name() -> None:
    app = open_section(opened(outcomes(16, 1, 200)), "systems-gains")
    groups = app.selectbox(key="systems-groups")
    assert groups.value == ":"
    shown = frame_with(app, "pairs around p = .05")
    assert shown["pairs"].tolist() == ["same group", "different groups"]
    assert "about 10% of such pairs, not 5%" in text(app)


def test_sizes_and_calibration_run_on_demand_and_answer_in_a_sentence() -> None:
    app = opened(outcomes(16, 2, 220))
    for key in ("systems-sizes", "systems-calibration"):
        open_section(app, key)
    app.number_input(key="systems-subsets").set_value(2)
    app.number_input(key="systems-sizes-resamples").set_value(999)
    app.number_input(key="systems-draws").set_value(3)
    app.number_input(key="systems-iid-resamples").set_value(999)
    run(app)
    when_done(press(app, "Test parts of this dataset"))
    assert "examples" in frame_with(app, "c/√n").columns
    when_done(press(app, "Draw test sets"))
    assert "tests with .04 < p < .06 in 3 test sets of 200 examples of d0" in text(app)
    assert frame_with(app, "all others")["p on the first"].iloc[-1] == ".04 ≤ p < .08"
    tried = app.session_state["dashboard"].tried
    assert {"all pairs compared", "gains by size looked at", "calibration looked at"} <= set(tried)


def test_columns_that_were_not_read_are_named_since_they_may_be_systems() -> None:
    lines = outcomes().splitlines()
    told = [f"{lines[0]},Remark", *(f"{line},seen" for line in lines[1:])]
    app = opened("\n".join(told) + "\n")
    assert "Not read: " in text(app)
    assert "Remark" in text(app)


def test_many_outcomes_are_compared_without_being_asked_for() -> None:
    app = go_to(drop(open_app(), "mine.csv", outcomes(60, 3, 40).encode()), PAGE)
    assert "all-pairs" in app.session_state["dashboard"].studies
    when_done(app)
    drawn = app.selectbox(key="systems-drawn")
    assert drawn.options == ["the best 12 systems", "the best 30 systems"]
    assert drawn.value == 12
