"""The limits of a server: each is met with its remedy, and said beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import ResultSet
from core.data import PValueTable
from pages.ui.frame import limits
from pages.ui.frame.session import Source
from pages.ui.intake import reading
from pages.ui.work.jobs import Progress
from tests.pages.opened import answer, drop, open_app, press, problems, text, when_tested

RESULTS = b"dataset,ours,base\n" + b"".join(
    b"d%d,%d,%d\n" % (dataset, row % 3 > 0, row % 2) for dataset in range(2) for row in range(40)
)


def test_more_rows_than_the_server_takes_are_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 79)
    app = drop(open_app(), "results.csv", RESULTS)
    (_, problem) = problems(app)
    assert all(token in problem for token in ("79", "DASHBOARD_MAX_ROWS"))
    monkeypatch.setattr(limits, "MAX_ROWS", 80)
    app = when_tested(drop(open_app(), "results.csv", RESULTS))
    assert problems(app) == []
    assert "on" in answer(app)


def test_what_was_read_counts_beside_the_file_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    results = ResultSet.from_scores(
        {"d": {"ours": np.linspace(0, 1, 100_000), "base": np.linspace(1, 0, 100_000)}}
    )
    # Two systems with 100,000 numbers of eight bytes.
    assert reading.n_bytes(results) == 1_600_000
    source = Source(name="a", files=(("a", bytes(500_000)),))
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 3)
    reading.check_what_was_read(source, results)
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 2)
    with pytest.raises(reading.BeyondLimits) as refused:
        reading.check_what_was_read(source, results)
    (problem,) = refused.value.problems
    assert all(token in problem.what for token in ("2.1 MB", "2 MB"))


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
    assert "10 minutes" in text(app)
    assert "1 of 2 datasets are tested" in text(app)
    when_tested(press(app, "Go on with the other 1"))
    assert "10 minutes" not in text(app)
    assert answer(app) == answer(unbroken)
    ours, theirs = tables(app)[-1], tables(unbroken)[-1]
    assert ours.complete
    assert ours.datasets == theirs.datasets
    assert ours.p_values.tolist() == theirs.p_values.tolist()
