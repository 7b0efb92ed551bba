"""The page about how far to trust p-values: what each question shows, and what it follows."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.data import ResultSet, read_sample
from core.reliability.pairs import metric_study
from core.reliability.sample_size import subsample_significance
from core.significance.stopping import Stopped
from pages.ui.work.background import of_each
from pages.ui.work.jobs import Job
from tests.pages.opened import (
    answer,
    drop,
    frame_with,
    go_to,
    leave_out,
    of_file,
    open_app,
    open_details,
    run,
    text,
    when_tested,
)
from tests.read_as import read_as

PAGE = "pages/reliability.py"


def opened(sample: str) -> AppTest:
    return go_to(open_app(sample=sample), PAGE)


@cache
def three_of_labels() -> bytes:
    """Three datasets of a sample: every metric and every test takes its time on each."""
    head, *rows = read_sample("simulated-labels")[1].splitlines()
    kept = [row for row in rows if row.startswith((b"sim-fi,", b"sim-fr,", b"sim-hu,"))]
    return b"\n".join([head, *kept])


def opened_labels() -> AppTest:
    return go_to(drop(open_app(), "labels.csv", three_of_labels()), PAGE)


TABS = {
    "sizes": "More or fewer examples",
    "choices": "Another metric or test",
    "covariates": "Short and long examples",
}


def open_section(app: AppTest, key: str) -> AppTest:
    if key in TABS:
        return open_details(app, "reliability", TABS[key])
    app.session_state[f"section-reliability-{key}"] = True
    return run(app)


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click()
    return when_tested(run(app))


@pytest.fixture(scope="module")
def lengths() -> AppTest:
    """Scores with lengths and genres; tests that change settings put them back."""
    return opened("simulated-lengths")


def test_one_button_looks_at_every_metric_and_test_and_the_lead_tells_what_came_of_it() -> None:
    app = press(opened_labels(), "reliability-begin")
    data = read_as(ResultSet, three_of_labels())
    a, b = data.systems[:2]
    found = metric_study(data, a=a, b=b, tests=("all",))
    assert f"depends on a choice on {len(found.datasets_that_differ)} of 3 datasets" in answer(app)
    tried = app.session_state["dashboard"].tried["every metric and test looked at"]
    assert tried == [f"A “{a}”, B “{b}”, tests “all”, resamples 9999, seed 0"]
    shown = text(open_section(app, "choices"))
    assert f"At least one of {len(found.columns)} metrics and tests" in shown
    assert "Counts that need independent p-values are not offered here" in shown
    press(open_section(app, "free"), "run-free-choice")
    assert "of 1,000 repetitions" in text(app)
    app.text_input(key="alpha").set_value(".01")
    strict = found.at_level(0.01).datasets_that_differ
    assert 0 < len(strict) < len(found.datasets_that_differ)
    assert f"p ≤ .01 depends on a choice on {len(strict)} of 3 datasets" in answer(run(app))


def test_the_report_tells_what_came_of_it_and_only_the_latest() -> None:
    app = press(opened_labels(), "reliability-begin")
    told = answer(app)
    when_tested(app)
    go_to(app, "pages/report.py")
    previewed = ["sensitivity", "reliability", "tried", "methods"]

    def reported() -> str:
        shown = []
        for name in previewed:
            app.selectbox(key="report-preview").set_value(name)
            shown.append(text(run(app)))
        return "\n".join(shown)

    assert reported().count(told.rstrip(".")) == 3
    # The level changes on another page: the sentence must follow it, without a visit in between.
    app.text_input(key="alpha").set_value(".01")
    run(app)
    said = reported()
    assert "Whether p ≤ .05" not in said
    assert said.count("Whether p ≤ .01 depends on a choice") == 3
    # What the page shows of the study stands in the report too.
    assert "metrics and tests gives p ≤ .01 on" in said
    assert ".." not in said
    next(b for b in app.button if b.label == "Swap A and B").click()
    run(app)
    when_tested(app)
    previewed.remove("reliability")
    assert "depends on a choice" not in reported()


def test_the_opening_counts_for_the_system_it_names_after_an_exchange_and_a_leaving_out() -> None:
    app = run(when_tested(opened("simulated-accuracy")))
    table = next(iter(app.session_state["dashboard"].runs.values())).result
    small_b = table.p_values_b <= 0.05
    # Else a count of the wrong direction would not be noticed.
    assert np.count_nonzero(small_b) != np.count_nonzero(table.p_values <= 0.05)
    next(b for b in app.button if b.label == "Swap A and B").click()
    run(app)
    first = f"“{table.system_b} is better than {table.system_a}” has p ≤ .05 on"
    assert f"{first} {np.count_nonzero(small_b)} of 10 datasets" in answer(app)
    gone = table.datasets[int(np.flatnonzero(small_b)[0])]
    go_to(leave_out(go_to(app, "pages/upload.py"), gone), PAGE)
    assert f"{first} {np.count_nonzero(small_b) - 1} of 9 datasets" in answer(app)


def test_parts_of_every_dataset_are_tested_as_the_library_does(lengths: AppTest) -> None:
    app = press(open_section(lengths, "sizes"), "run-subsamples")
    data = read_as(ResultSet, read_sample("simulated-lengths")[1])
    found = subsample_significance(data, a="ours", b="baseline")
    frame = frame_with(app, "p of the whole")
    expected = [100.0 * np.mean(own.points[1].p_values <= 0.05) for own in found.datasets]
    assert [float(cell.rstrip("%")) for cell in frame["25%"]] == pytest.approx(expected)
    app.number_input(key=of_file(app, "reliability-effect-score")).set_value(2.0)
    assert "better by 2" in text(run(app))
    assert "(2014), Table 4, print" in text(app)
    assert "9, 23, 25, 41, 36" in text(app)
    go_to(leave_out(go_to(app, "pages/upload.py"), "sim-short"), "pages/report.py")
    app.selectbox(key="report-preview").set_value("reliability")
    assert "sim-steady: p ≤ .05 in" in text(run(app))
    assert "sim-short: p ≤ .05 in" not in text(app)
    go_to(leave_out(go_to(app, "pages/upload.py")), PAGE)


def test_a_number_that_is_sent_with_the_click_is_the_one_that_runs(lengths: AppTest) -> None:
    app = open_section(go_to(lengths, PAGE), "sizes")
    app.number_input(key=of_file(app, "reliability-sizes-rng")).set_value(7)
    app.number_input(key=of_file(app, "reliability-sizes-n_subsamples")).set_value(20)
    press(app, "run-subsamples")
    asked = app.session_state["dashboard"].work["subsamples"].task.settings
    assert (asked["parts"], asked["seed"]) == (20, 7)


def test_along_a_number_the_planted_cut_off_is_found_and_levels_of_a_category_are_tested(
    lengths: AppTest,
) -> None:
    app = press(open_section(lengths, "covariates"), "run-cut-offs")
    frame = frame_with(app, "depends on it").set_index("dataset")
    assert frame.loc["sim-short", "depends on it"] == "★ yes"
    assert "length on sim-short" in answer(app)
    app.selectbox(key=of_file(app, "reliability-covariate")).set_value("genre")
    press(run(app), "run-levels")
    assert "level of genre" in text(app)
    assert "genre" in answer(app)
    tried = app.session_state["dashboard"].tried["covariates looked at"]
    assert ["covariate “length”" in line for line in tried] == [True, False]
    assert ["covariate “genre”" in line for line in tried] == [False, True]


def test_datasets_that_are_done_when_the_work_is_stopped_are_kept() -> None:
    progress: Job = Job(print, user="")

    def one(name: str, on_progress: Callable[[int, int], bool]) -> str:
        if name == "second":
            progress.stop()
        if not on_progress(5, 10):
            raise Stopped("stopped")
        return name

    assert of_each(["first", "second", "third"], one, on_progress=progress) == {"first": "first"}
    assert (progress.done, progress.total) == (15, 30)
    with pytest.raises(Stopped):
        of_each(["first"], one, on_progress=progress)
