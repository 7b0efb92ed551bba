"""The page about effects: what it says of each kind of data, and what it leaves open."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects
from streamlit.testing.v1 import AppTest

from core.data import read_sample
from core.report.effects import number
from tests.pages.opened import answer, drop, go_to, open_app, run, text

PAGE = "pages/effect_size.py"
GRID = "dataset,first,second,third\n" + "".join(
    f"d{i},{0.5 + i / 50},{0.52 + i / 50 + (i % 3) / 100},{0.9 - i / 70}\n" for i in range(12)
)
EFFECTS = "dataset,effect,standard_error\n" + "".join(
    f"d{i},{effect},{error}\n"
    for i, (effect, error) in enumerate(
        [(0.02, 0.02), (0.05, 0.03), (-0.01, 0.0173), (0.03, 0.0316), (0.08, 0.0447)]
    )
)


def results(n_datasets: int = 4, seed: int = 0) -> str:
    rng = np.random.default_rng(seed)
    lines = ["dataset,example,ours,base"]
    for d in range(n_datasets):
        right = rng.random((60, 2)) < (0.8, 0.65 - 0.12 * (d % 4))
        lines += [f"d{d},{i},{int(a)},{int(b)}" for i, (a, b) in enumerate(right)]
    return "\n".join(lines) + "\n"


def opened(content: str) -> AppTest:
    return go_to(drop(open_app(), "mine.csv", content.encode()), PAGE)


def test_without_data_the_page_says_what_it_will_show_and_offers_samples() -> None:
    app = go_to(open_app(), PAGE)
    assert "how much better one system is" in text(app)
    assert any("POS tagging" in button.label for button in app.button)


def test_results_on_examples_are_combined_as_statsmodels_does() -> None:
    content = results()
    rows = [line.split(",") for line in content.splitlines()[1:]]
    effects, variances = [], []
    for d in range(4):
        own = np.array([(int(a) - int(b)) for name, _, a, b in rows if name == f"d{d}"], float)
        effects.append(own.mean())
        variances.append(own.var(ddof=1) / own.size)
    other = combine_effects(np.array(effects), np.array(variances), method_re="dl")
    app = opened(content)
    frame = app.dataframe[0].value
    random = frame[frame["made by"] == "normal"].iloc[0]
    low, high = other.conf_int()[1]
    width = high - low
    assert random.iloc[1] == number(other.mean_effect_re, width)
    assert random.iloc[2] == f"{number(low, width)} to {number(high, width)}"
    assert "ours is ahead of base" in answer(app)


def test_a_published_table_has_an_average_of_its_scores_and_no_meta_analysis() -> None:
    _, content = read_sample("pos-tagging")
    rows = [line.split(",") for line in content.decode().splitlines()[1:]]
    mean = np.mean([float(row[1]) - float(row[2]) for row in rows])
    app = go_to(open_app(sample="pos-tagging"), PAGE)
    frame = app.dataframe[0].value
    assert list(frame["combined by"]) == ["macro-average"]
    assert float(frame.iloc[0, 1].replace("−", "-")) == pytest.approx(mean, abs=0.006)
    assert "One score a dataset does not say how sure it is" in text(app)


def test_a_table_of_effects_and_errors_is_a_meta_analysis_without_tests_over_scores() -> None:
    app = opened(EFFECTS)
    frame = app.dataframe[0].value
    random = frame[frame["combined by"] == "random effects"].iloc[0]
    assert random.iloc[1].startswith("+0.0217")
    assert "Tests over datasets" not in [heading.value for heading in app.subheader]


def test_many_systems_are_ranked_and_their_letters_shown() -> None:
    app = opened(GRID)
    assert "All 3 systems" in [heading.value for heading in app.subheader]
    frame = next(f.value for f in app.dataframe if "mean rank" in f.value.columns)
    assert frame["system"][0] == "third"
    assert "F of Iman and Davenport" in text(app)


def test_four_datasets_are_too_few_for_tests_over_datasets_with_the_reason() -> None:
    assert "Tests over datasets need at least 5" in text(opened(results(4)))


def test_p_values_without_scores_have_no_effect_and_say_why() -> None:
    app = go_to(open_app(sample="six-p-values"), PAGE)
    assert "does not say how large a difference is" in text(app)


def test_exchanging_the_systems_keeps_the_answer_and_turns_every_number() -> None:
    app = opened(results())
    first = answer(app)
    before = app.dataframe[0].value.iloc[0, 1]
    next(b for b in app.button if b.label == "Swap A and B").click()
    run(app)
    assert answer(app) == first
    after = app.dataframe[0].value.iloc[0, 1]
    assert before.startswith("+")
    assert after == before.replace("+", "−")


def test_datasets_left_out_elsewhere_are_left_out_here() -> None:
    app = opened(GRID)
    session = app.session_state["dashboard"]
    from dataclasses import replace

    session.settings = replace(session.settings, excluded=("d0", "d1"))
    run(app)
    assert "over 10 datasets" in answer(app)
    assert "12 datasets" not in answer(app)


def test_the_level_of_every_interval_follows_alpha() -> None:
    app = opened(results())
    app.text_input(key="alpha").set_value(".1")
    run(app)
    assert "90% interval" in answer(app)


def test_error_reductions_and_standardised_differences_are_offered_for_0_1_scores() -> None:
    app = opened(results())
    app.selectbox(key="effect-kind").set_value("error-reduction")
    run(app)
    assert "as a share of the errors to be saved" in answer(app)
    app.selectbox(key="effect-kind").set_value("standardised")
    run(app)
    assert "standard deviations" in answer(app)


def test_a_bootstrap_runs_in_the_background_and_its_numbers_are_those_of_the_library() -> None:
    from core import read_results
    from core.data import ResultSet
    from core.effects import dataset_effects
    from core.effects.combined import combine_effects as combined

    content = results()
    app = opened(content)
    app.selectbox(key="effect-variance").set_value("bootstrap")
    run(app)
    study = app.session_state["dashboard"].studies["effects"]
    assert study.job.wait(60)
    run(app)
    data = read_results(content.encode())
    assert isinstance(data, ResultSet)
    expected = combined(
        dataset_effects(data, a="ours", b="base", variance="bootstrap", rng=0)
    ).random
    assert expected is not None
    interval = expected.hartung_knapp_interval
    assert interval is not None
    shown = app.dataframe[0].value.iloc[0]
    assert shown.iloc[1] == number(expected.estimate, interval[1] - interval[0])


def test_another_file_forgets_what_was_worked_out() -> None:
    app = opened(results())
    app.selectbox(key="effect-variance").set_value("bootstrap")
    run(app)
    assert app.session_state["dashboard"].studies
    app.switch_page("pages/upload.py").run()
    drop(app, "other.csv", results(5, seed=1).encode())
    assert not app.session_state["dashboard"].studies
