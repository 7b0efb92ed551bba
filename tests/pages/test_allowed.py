"""The limits of a server: each is met with its remedy, and said beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import ResultSet
from core.data import PValueTable
from pages.ui import allowed, file_limits, limits
from pages.ui.job_progress import Progress
from pages.ui.reading import _read
from pages.ui.session import Source
from tests.pages.opened import answer, drop, open_app, press, problems, run, text, when_tested

RESULTS = b"dataset,ours,base\n" + b"".join(
    b"d%d,%d,%d\n" % (dataset, row % 3 > 0, row % 2) for dataset in range(2) for row in range(40)
)


def test_more_rows_than_the_server_takes_are_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 79)
    app = drop(open_app(), "results.csv", RESULTS)
    assert problems(app) == [
        "results.csv goes beyond 1 limit of this server and is not loaded.",
        "There are more than 79 rows, the most that this server takes. "
        "Leave out rows that are not compared; else whoever runs this server can raise "
        "DASHBOARD_MAX_ROWS; the library has no such limit.",
    ]
    monkeypatch.setattr(limits, "MAX_ROWS", 80)
    app = when_tested(drop(open_app(), "results.csv", RESULTS))
    assert problems(app) == []
    assert "on" in answer(app)


def test_every_limit_that_is_met_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 0.0015)
    monkeypatch.setattr(limits, "MAX_DATASETS", 1)
    title, *found = problems(drop(open_app(), "results.csv", RESULTS))
    assert title == "results.csv goes beyond 2 limits of this server and is not loaded."
    assert found[0].startswith("There are 2 datasets; this server takes 1.")
    assert found[1].startswith("The file and what was read from it take 0.1 MB; this server keeps")


def test_files_that_are_too_much_for_a_session_are_neither_read_nor_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 0)
    app = drop(open_app(), "results.csv", RESULTS)
    _, problem = problems(app)
    assert problem == (
        "These files have 0.1 MB together; this server keeps 0 MB for a session. "
        "Whoever runs this server can raise DASHBOARD_MAX_SESSION_MB; "
        "the library has no such limit."
    )
    session = app.session_state["dashboard"]
    assert session.loaded is None
    assert session.refused.source.files == ()


def test_what_was_read_counts_beside_the_file_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    results = ResultSet.from_scores(
        {"d": {"ours": np.linspace(0, 1, 100_000), "base": np.linspace(1, 0, 100_000)}}
    )
    # Two systems with 100,000 numbers of eight bytes.
    assert allowed.n_bytes(results) == 1_600_000
    source = Source(name="a", files=(("a", bytes(500_000)),))
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 3)
    file_limits.check_what_was_read(source, results)
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 2)
    with pytest.raises(file_limits.BeyondLimits) as refused:
        file_limits.check_what_was_read(source, results)
    (problem,) = refused.value.problems
    assert problem.what == (
        "The file and what was read from it take 2.1 MB; this server keeps 2 MB for a session."
    )


def test_reading_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", -1.0)
    progress = Progress(lambda: True)
    progress.begin()
    source = Source(name="results.csv", files=(("results.csv", RESULTS),))
    found = _read(source, progress)
    assert "Reading took longer than the -1 seconds that this server gives a run." in str(found)
    progress = Progress(lambda: True)
    progress.stop()
    assert "Reading was stopped." in str(_read(source, progress))


def out_of_time_after_a_report(patch: pytest.MonkeyPatch) -> None:
    """Let the time of each run of tests be over as soon as something is done."""
    # But for reading, which tells of hundredths.
    spent = property(lambda progress: 1e9 if progress.done and progress.total < 100 else 0.0)
    patch.setattr(Progress, "seconds_spent", spent)


def tables(app: AppTest) -> list[PValueTable]:
    """What the runs of tests came to, the last used last."""
    return [started.table for started in app.session_state["dashboard"].runs.values()]


def test_testing_that_takes_too_long_keeps_what_is_finished_and_says_why_it_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "TEST_THREADS", 1)
    unbroken = when_tested(drop(open_app(), "results.csv", RESULTS))
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 600.0)
    out_of_time_after_a_report(monkeypatch)
    app = when_tested(drop(open_app(), "results.csv", RESULTS))
    assert (
        "Testing reached this server's limit of 10 minutes for one run and was stopped; what was "
        "finished by then is kept, and testing can go on from there. 1 of 2 datasets are tested."
    ) in text(app)
    when_tested(press(app, "Go on with the other 1"))
    assert "Testing reached" not in text(app)
    assert answer(app) == answer(unbroken)
    ours, theirs = tables(app)[-1], tables(unbroken)[-1]
    assert ours.complete
    assert ours.datasets == theirs.datasets
    assert ours.p_values.tolist() == theirs.p_values.tolist()


def test_testing_that_no_dataset_fits_into_the_time_of_names_what_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", -1.0)
    app = when_tested(drop(open_app(), "results.csv", RESULTS))
    assert (
        "Testing reached this server's limit of -1 seconds for one run and was stopped before a "
        "single dataset was done, and most likely would be again. Ask for fewer resamples, choose "
        "another test, or have whoever runs this server raise its limit (DASHBOARD_MAX_SECONDS); "
        "the library has no such limit. 0 of 2 datasets are tested."
    ) in text(app)
    assert "is kept" not in text(app).partition("0 of 2 datasets")[0]
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 600.0)
    when_tested(press(app, "Run all tests"))
    assert tables(app)[-1].complete


def test_the_limits_are_said_before_they_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 1_234_567)
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 900.0)
    app = open_app()
    assert "1,234,567 rows" in allowed.in_words()
    assert "15 minutes" in allowed.in_words()
    assert allowed.in_words() not in text(app)
    app.session_state["section-templates"] = True
    assert allowed.in_words() in text(run(app))
