"""The page about many systems: what it says of each kind of data, and what follows the settings."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from core.analysis import AnalysisSettings
from core.data import ResultSet, read_sample
from core.effects.friedman import friedman
from core.effects.post_hoc import post_hoc_named, post_hoc_names
from core.sections import systems as words
from core.sections.across import friedman_sentence
from core.sections.parts import Paragraph, Table
from core.sections.systems import claim_parts
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import standings
from core.systems.counting import count_matrix
from pages.ui.systems import comparison
from tests.pages.opened import (
    RolesForm,
    answer,
    drop,
    frame_with,
    go_to,
    of_class,
    of_file,
    open_app,
    open_details,
    press,
    run,
    text,
    when_tested,
)
from tests.read_as import read_as

PAGE = "pages/systems.py"


def outcomes(m: int = 4, n_datasets: int = 6, n: int = 60, seed: int = 0) -> str:
    """0/1 results of systems a:0, b:1, …, later ones better, some datasets harder than others."""
    rng = np.random.default_rng(seed)
    names = [f"{'ab'[k % 2]}:{k}" for k in range(m)]
    lines = ["dataset,example," + ",".join(names)]
    for d in range(n_datasets):
        right = (rng.random((n, 1)) * 0.7 + rng.random((n, m)) * 0.3) < 0.35 + 0.06 * np.arange(m)
        lines += [f"d{d},{i}," + ",".join(str(int(r)) for r in row) for i, row in enumerate(right)]
    return "\n".join(lines) + "\n"


def scored(m: int = 6, n_datasets: int = 8, decimals: int = 1) -> str:
    """Scores for which the recommended test takes long."""
    rng = np.random.default_rng(1)
    lines = ["dataset,example," + ",".join(f"s{k}" for k in range(m))]
    for d in range(n_datasets):
        lines += [
            f"d{d},{i}," + ",".join(f"{value:.{decimals}f}" for value in row)
            for i, row in enumerate(rng.normal(50.0, 9.0, (600, m)))
        ]
    return "\n".join(lines) + "\n"


def opened(content: str) -> AppTest:
    return when_tested(go_to(drop(open_app(), "mine.csv", content.encode()), PAGE))


def resamples_field(app: AppTest) -> NumberInput:
    return next(one for one in app.number_input if one.label == "Resamples")


def choose_pair(app: AppTest, first: str, second: str) -> None:
    app.selectbox(key=of_file(app, "systems-first")).set_value(first)
    run(app)
    app.selectbox(key=of_file(app, "systems-second")).set_value(second)
    run(app)


def results(content: str) -> ResultSet:
    return read_as(ResultSet, content.encode())


def test_the_answer_and_the_leaderboard_are_the_librarys_counts() -> None:
    content = outcomes()
    app = opened(content)
    pairs = compare_all_pairs(results(content))
    counts = count_matrix(pairs, family="all")
    assert answer(app) == words.lead_sentence(counts)
    assert words.claims_sentence(counts) in text(app)
    expected = words.leaderboard(standings(pairs), counts=counts).frame
    better = "better than (on ≥ 1 dataset)"
    shown = frame_with(app, better)
    assert shown[better].tolist() == expected[better].tolist()
    assert shown["letters"].tolist() == expected["letters"].tolist()


@pytest.mark.parametrize("row", [0, 11])
def test_a_text_that_is_longer_than_the_others_of_a_table_is_not_cut(row: int) -> None:
    def page(row: int) -> None:
        import pandas as pd

        from pages.ui.frame import tables

        found = pd.DataFrame({"system": ["s"] * 12, "letters": ["a"] * 12})
        found.loc[row, "letters"] = "abcdefghij"
        tables.pinned(found)
        tables.frame(found)

    for shown in AppTest.from_function(page, args=(row,)).run().dataframe:
        assert json.loads(shown.proto.columns)["letters"]["width"] >= 90


def test_with_too_few_resamples_for_all_claims_together_each_pair_alone_is_preselected() -> None:
    # Nothing is compared, and so nothing preselected, before a test is chosen.
    slow = scored(4, 2, decimals=2)
    app = go_to(drop(open_app(), "mine.csv", slow.encode()), PAGE)
    app.selectbox(key=of_file(app, "systems-test")).set_value("paired-bootstrap")
    resamples_field(app).set_value(199)
    run(app)
    when_tested(press(app, "Compare all pairs"))
    assert "199 resamples are too few for any claim" in answer(app)
    (family,) = [one for one in app.radio if one.label == "What the confidence is about"]
    assert family.value == "pair"
    # That is of these resamples: with enough of them it is all claims together again.
    resamples_field(app).set_value(9_999)
    when_tested(press(run(app), "Compare all pairs"))
    (family,) = [one for one in app.radio if one.label == "What the confidence is about"]
    assert family.value == "all"


def test_resamples_of_all_pairs_stay_where_the_file_is_read_otherwise_and_end_with_it() -> None:
    app = go_to(drop(open_app(), "mine.csv", outcomes().encode()), PAGE)
    usual = resamples_field(app).value
    resamples_field(app).set_value(1_234)
    go_to(run(app), "pages/upload.py")
    (better,) = [one for one in app.checkbox if one.label == "A higher score is better"]
    better.uncheck()
    go_to(RolesForm(app, "loaded").submit(), PAGE)
    assert resamples_field(app).value == 1_234
    drop(go_to(app, "pages/upload.py"), "mine.csv", outcomes(seed=1).encode())
    assert resamples_field(go_to(app, PAGE)).value == usual


def test_long_work_waits_for_its_button_and_keeps_what_was_done_when_stopped() -> None:
    app = go_to(drop(open_app(), "mine.csv", scored().encode()), PAGE)
    assert "all-pairs" not in app.session_state["dashboard"].work
    press(app, "Compare all pairs")
    study = app.session_state["dashboard"].work["all-pairs"]
    while study.done <= 15:
        study.wait(0.02)
    study.stop()
    when_tested(app)
    assert not study.result.complete
    assert answer(app).startswith("So far: ")


def test_sizes_and_calibration_run_on_demand_and_answer_in_a_sentence() -> None:
    app = opened(outcomes(16, 2, 220))
    open_details(app, "systems-gains", "Size of the test set")
    app.number_input(key=of_file(app, "systems-sizes-n_subsets")).set_value(2)
    app.number_input(key=of_file(app, "systems-sizes-n_resamples")).set_value(999)
    run(app)
    when_tested(press(app, "Test parts of this dataset"))
    assert "examples" in frame_with(app, "c/√n").columns
    open_details(app, "systems-gains", "Does p < .05 keep its promise?")
    app.number_input(key=of_file(app, "systems-iid-n_draws")).set_value(3)
    app.number_input(key=of_file(app, "systems-iid-n_resamples")).set_value(999)
    run(app)
    when_tested(press(app, "Draw test sets"))
    assert "in 3 test sets of 200 examples of d0" in text(app)
    assert "d1" in frame_with(app, "sign holds").columns
    tried = app.session_state["dashboard"].tried
    assert {"all pairs compared", "gains by size looked at", "calibration looked at"} <= set(tried)


def test_the_call_that_makes_more_systems_runs_as_it_is_shown() -> None:
    names: dict[str, Any] = {"n_training_examples": 20}
    exec(comparison._SYNTHETIC_CALL.replace("    ...", "    return rng.integers(0, 2, 30)"), names)
    assert (names["pairs"].n_systems, names["pairs"].datasets) == (30, ("my test set",))


def test_a_comparison_that_draws_or_ranks_anew_is_larger_than_one_of_exact_tests() -> None:
    outcome = {f"s{k}": (np.arange(400) % (k + 2) == 0).astype(float) for k in range(6)}
    plain = ResultSet.from_scores({"d": outcome})
    together = ResultSet.from_scores({"d": outcome}, clusters={"d": [k // 2 for k in range(400)]})
    asked: dict[str, Any] = {"metric": "score", "test": "auto", "datasets": ("d",)}
    assert comparison._n_tested(plain, asked) == 15
    assert comparison._n_tested(together, asked) == 15 * 400
    similar = read_as(ResultSet, read_sample("simulated-similarity")[1])
    asked = {"test": "auto", "datasets": similar.datasets[:1], "n_resamples": 9_999}
    n = similar.n_examples(similar.datasets[0])
    for metric, times in (("pearson", 1), ("spearman", 7)):
        assert comparison._n_tested(similar, {**asked, "metric": metric}) == times * n


def test_a_pair_that_is_opened_names_every_setting_that_it_changed_on_the_counting_page() -> None:
    app = opened(outcomes())
    app.selectbox(key=of_file(app, "systems-test")).set_value("paired-bootstrap")
    resamples_field(app).set_value(1_234)
    next(one for one in app.number_input if one.label == "Seed").set_value(7)
    run(app)
    when_tested(press(app, "Compare all pairs"))
    app.session_state["dashboard"].settings = replace(
        app.session_state["dashboard"].settings, estimator="berg-kirkpatrick", zeros="pratt"
    )
    choose_pair(app, "b:3", "a:0")
    app.button(key="systems-open").click()
    run(app)
    assert [title.value for title in app.title] == ["On at least how many datasets?"]
    said = text(app)
    assert "these settings of the session were changed: test to paired bootstrap" in said
    assert "resamples to 1,234; seed to 7; p-values of resamples to the add-one estimator." in said
    # No test of the pair has use for it.
    assert app.session_state["dashboard"].settings.zeros == "pratt"


@pytest.mark.parametrize("test", ["auto", "paired-bootstrap", "sign"])
def test_counting_shows_the_count_that_the_matrix_has(test: str) -> None:
    content = outcomes()
    pairs = compare_all_pairs(results(content), test=test)
    k_hat = int(count_matrix(pairs).k_hat[3, 2])
    assert 0 < k_hat < 6
    app = opened(content)
    app.selectbox(key=of_file(app, "systems-test")).set_value(test)
    run(app)
    if test != "auto":
        when_tested(press(app, "Compare all pairs"))
    choose_pair(app, "b:3", "a:2")
    app.button(key="systems-open").click()
    when_tested(go_to(run(app), "pages/counting.py"))
    better = "tends to score higher" if test == "sign" else "is better"
    assert f"b:3 {better} than a:2 on at least {k_hat} of 6 datasets" in answer(app)
    finished = list(app.session_state["dashboard"].runs.values())[-1].result
    # Tests of outcomes are exact on both pages; the run's A comes first in the file.
    for name, result in zip(finished.datasets, finished.results, strict=True):
        expected = pairs.p_value("b:3", "a:2", name)
        assert result.p_value_less == pytest.approx(expected, rel=1e-9)


def test_at_a_margin_the_matrix_is_of_the_claim_and_says_what_has_no_form_there() -> None:
    content = outcomes()
    app = opened(content)
    assert words.ABOUT_CLAIMS not in text(app)
    app.session_state["dashboard"].settings = replace(
        app.session_state["dashboard"].settings, claim="not-worse", margin=0.1
    )
    app = when_tested(run(app))
    pairs = compare_all_pairs(results(content), claim="not-worse", margin=0.1)
    assert words.ABOUT_CLAIMS in text(app)
    said, matrix, *_ = claim_parts(pairs, results(content), AnalysisSettings(), "all")
    assert isinstance(said, Paragraph)
    assert isinstance(matrix, Table)
    assert said.text in text(app)
    assert matrix.frame.columns[0] == "row not worse than"
    assert "Row not worse than column by more than 10 points" in text(app)
    assert not [one for one in app.button if one.key == "run-all-pairs-at-margin"]


def test_at_a_margin_the_first_page_opens_with_the_pair_and_the_board_says_it_is_without_it():
    app = drop(open_app(claim="better-by", margin="0.1"), "mine.csv", outcomes().encode())
    app = when_tested(when_tested(app))
    (pair,), (board,) = of_class(app, "verdict-sentence"), of_class(app, "lead")
    assert "by at least 10 points" in pair
    places = [text(app).index(said) for said in (pair, words.WITHOUT_MARGIN, board)]
    assert places == sorted(places)


@pytest.mark.parametrize("per_example", [True, False])
def test_all_systems_are_compared_over_datasets_in_every_way(per_example: bool) -> None:
    data = results(outcomes())
    scores = [
        [data.score(one, own, data.metrics[0]) for own in data.systems] for one in data.datasets
    ]
    if per_example:
        app = opened(outcomes())
        open_details(app, "systems", "How ranks are compared")
    else:
        rows = zip(data.datasets, scores, strict=True)
        lines = [",".join(map(str, (name, *own))) for name, own in rows]
        app = opened("\n".join(["dataset," + ",".join(data.systems), *lines]))
        app.session_state["section-systems-how"] = True
        run(app)
    ranked = friedman(scores, datasets=data.datasets, systems=data.systems)
    for procedure in post_hoc_names():
        app.selectbox(key=of_file(app, "systems-post-hoc")).set_value(procedure)
        run(app)
        control = data.systems[0] if post_hoc_named(procedure).needs_control else None
        found = post_hoc_named(procedure).run(ranked, control, 0.05)
        assert friedman_sentence(found) in text(app), procedure
        assert not app.exception
