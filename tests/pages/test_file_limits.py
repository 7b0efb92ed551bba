"""The limits of a server: each is met with its remedy, and said beforehand."""

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import ResultSet
from core.data import PValueTable, ReadingStopped, read_results
from core.data.tables.limits import TooManyRows, at_most_rows
from core.data.tables.raw_table import RawTable
from core.errors import DataError
from pages.ui.frame import limits
from pages.ui.frame.state import Session, Source
from pages.ui.intake import reading
from pages.ui.work import background
from pages.ui.work.background import Task
from pages.ui.work.jobs import Job
from tests.pages.opened import ROOT, answer, drop, open_app, press, problems, run, text, when_tested

RESULTS = b"dataset,ours,base\n" + b"".join(
    b"d%d,%d,%d\n" % (dataset, row % 3 > 0, row % 2) for dataset in range(2) for row in range(40)
)


def session_of(app: AppTest) -> Session:
    found: Session = app.session_state["dashboard"]
    return found


def padded(n_bytes: int) -> bytes:
    """The results with empty lines behind them."""
    return RESULTS + b"\n" * (n_bytes - len(RESULTS))


def test_what_is_loaded_counts_beside_the_files_that_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 1)
    app = drop(open_app(), "first.csv", padded(600_000))
    assert problems(app) == []
    app = drop(app, "second.csv", padded(500_000))
    title, problem = problems(app)
    assert "second.csv" in title
    assert all(token in problem for token in ("0.5 MB", "0.7 MB", "DASHBOARD_MAX_SESSION_MB"))
    loaded = session_of(app).loaded
    assert loaded.source.name == "first.csv"


def test_reading_again_what_is_loaded_is_no_second_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 1)
    app = drop(open_app(), "first.csv", padded(900_000))
    before = session_of(app).loaded
    script = AppTest.from_function(_read_it_again)
    script.session_state["dashboard"] = session_of(app)
    script.run()
    assert not script.exception
    after = script.session_state["dashboard"]
    assert after.refused is None
    assert after.loaded is not None
    assert after.loaded is not before


def _read_it_again() -> None:
    from pages.ui.intake import loading

    loading.correct({"higher_is_better": False}, refused=False)


def test_rows_are_counted_before_anything_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("It went on with the rows.")

    monkeypatch.setattr(RawTable, "coded", never)
    monkeypatch.setattr(RawTable, "column", never)
    with at_most_rows(79), pytest.raises(TooManyRows):
        read_results(RESULTS)


def test_a_small_file_that_takes_long_is_read_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SECONDS_READ_AT_ONCE", -1.0)
    in_turn: list[str] = []

    begin = background.start

    def noted(task: Task[object], **how: bool) -> None:
        in_turn.append(task.kind)
        begin(task, **how)

    monkeypatch.setattr(background, "start", noted)
    app = open_app()
    app.file_uploader[0].upload("results.csv", RESULTS, "text/csv")
    run(app)
    at_work = session_of(app).work.get("reading")
    if at_work is not None:
        assert at_work.wait(60)
        run(app)
    assert session_of(app).loaded is not None
    assert in_turn == ["reading", "tests"]


def test_reading_says_what_is_read_and_given_up_changes_nothing(monkeypatch) -> None:
    app = drop(open_app(), "first.csv", RESULTS)
    before = session_of(app).loaded
    monkeypatch.setattr(limits, "MAX_BYTES_READ_AT_ONCE", -1)

    def endless(*_: object, on_progress: Callable[[str, float], bool], **__: object) -> None:
        while on_progress("reading", 0.5):
            time.sleep(0.005)
        raise ReadingStopped

    monkeypatch.setattr(reading, "read_named", endless)
    app = drop(app, "second.csv", RESULTS + b"d0,1,1\n" * 200_000)
    at_work = session_of(app).work["reading"]
    assert "Reading second.csv, 1 MB." in text(app)
    press(app, "Stop reading")
    assert at_work.wait(10)
    assert run(app)
    assert "reading" not in session_of(app).work
    assert session_of(app).loaded is before
    assert problems(app) == []


def test_what_is_packed_counts_as_what_it_may_unpack_to() -> None:
    packed = gzip.compress(os.urandom(limits.MAX_BYTES_READ_AT_ONCE // 2))
    assert not reading._is_small(Source(name="a", files=(("a.csv.gz", packed),)))
    assert reading._is_small(Source(name="a", files=(("a.csv", packed[1:]),)))
    assert reading._is_small(Source(name="a", files=(("a.xlsx", b"PK" + bytes(20_000)),)))


def test_the_smallest_of_the_limits_on_uploads_holds() -> None:
    # As `streamlit run` sets its options, from its command line or STREAMLIT_SERVER_….
    program = """
import importlib, os
from streamlit import config
from streamlit.web.bootstrap import load_config_options
from starlette.formparsers import MultiPartParser
from pages.ui.frame import limits
from pages.ui.intake import reading
for name, megabytes, of_streamlit in (("SESSION", "50", 200), ("UPLOAD", "20", 900)):
    os.environ[f"DASHBOARD_MAX_{name}_MB"] = megabytes
    load_config_options({"server_maxUploadSize": of_streamlit})
    importlib.reload(limits)
    reading.keep_in_memory()
    print(limits.MAX_UPLOAD_MEGABYTES, config.get_option("server.maxUploadSize"),
          MultiPartParser.spool_max_size // 2**20)
    del os.environ[f"DASHBOARD_MAX_{name}_MB"]
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["50 50 51", "20 20 21"]


def test_more_rows_than_the_server_takes_are_refused_with_a_remedy(monkeypatch) -> None:
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
    with pytest.raises(DataError) as refused:
        reading.check_what_was_read(source, results)
    (problem,) = refused.value.problems
    assert all(token in problem.what for token in ("2.1 MB", "2 MB"))


def out_of_time_after_a_report(patch: pytest.MonkeyPatch) -> None:
    """Let the time of each run of tests be over as soon as something is done."""
    # But for reading, which tells of hundredths.
    spent = property(lambda progress: 1e9 if progress.done and progress.total < 100 else 0.0)
    patch.setattr(Job, "seconds_spent", spent)


def tables(app: AppTest) -> list[PValueTable]:
    """What the runs of tests came to, the last used last."""
    return [started.result for started in app.session_state["dashboard"].runs.values()]


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
