"""The limits of a server: each is met with its remedy, and said beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from starlette.formparsers import MultiPartParser

from core import ResultSet
from pages.ui import allowed, limits
from pages.ui.jobs import Progress
from pages.ui.loading import _read
from pages.ui.session import Source
from tests.pages.opened import answer, drop, open_app, problems, run, text, when_tested

RESULTS = b"dataset,ours,base\n" + b"".join(
    b"d%d,%d,%d\n" % (dataset, row % 3 > 0, row % 2) for dataset in range(2) for row in range(40)
)
REMEDY = "or use the library, which has no such limit."


def test_more_rows_than_the_server_takes_are_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 79)
    app = drop(open_app(), "results.csv", RESULTS)
    assert problems(app) == [
        "results.csv could not be read: 1 problem.",
        f"There are 80 examples; this server takes 79. Leave some datasets out, {REMEDY}",
    ]
    monkeypatch.setattr(limits, "MAX_ROWS", 80)
    app = when_tested(drop(open_app(), "results.csv", RESULTS))
    assert problems(app) == []
    assert "on" in answer(app)


def test_every_limit_that_is_met_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 79)
    monkeypatch.setattr(limits, "MAX_DATASETS", 1)
    title, *found = problems(drop(open_app(), "results.csv", RESULTS))
    assert title == "results.csv could not be read: 2 problems."
    assert found[0].startswith("The table has 2 datasets; this server takes 1.")
    assert found[1].startswith("There are 80 examples; this server takes 79.")


def test_files_that_are_too_much_for_a_session_are_neither_read_nor_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 0)
    app = drop(open_app(), "results.csv", RESULTS)
    _, problem = problems(app)
    assert problem == (
        "These files have 0 MB together; this server keeps 0 MB for a session. Give fewer of them "
        f"at a time, {REMEDY}"
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
    assert allowed.too_large_to_keep(source, results) == []
    monkeypatch.setattr(limits, "MAX_SESSION_MEGABYTES", 2)
    (problem,) = allowed.too_large_to_keep(source, results)
    assert problem.what == (
        "The file and what was read from it take 2 MB; this server keeps 2 MB for a session."
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


def test_testing_that_takes_too_long_keeps_what_is_finished_and_says_why_it_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", -1.0)
    app = when_tested(drop(open_app(), "results.csv", RESULTS))
    assert (
        "Testing reached this server's limit of -1 seconds for one run and was stopped; what was "
        "finished by then is kept. Ask for fewer resamples, studies or datasets, or use the "
        "library, which has no such limit. 0 of 2 datasets are tested."
    ) in text(app)


def test_the_limits_are_said_before_they_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 1_234_567)
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 900.0)
    app = open_app()
    assert "1,234,567 rows" in allowed.in_words()
    assert "15 minutes" in allowed.in_words()
    assert allowed.in_words() not in text(app)
    app.session_state["section-templates"] = True
    assert allowed.in_words() in text(run(app))


def test_no_upload_that_is_taken_is_written_to_disk_while_it_arrives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 2**20)
    open_app()
    assert MultiPartParser.spool_max_size > limits.MAX_UPLOAD_MEGABYTES * 2**20
