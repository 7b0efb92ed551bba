"""Background work: it tells how far it is, stops when asked, and ends when nobody is there."""

from __future__ import annotations

import threading
from collections.abc import Generator
from types import SimpleNamespace

import pytest

from pages.ui import jobs, limits
from pages.ui.jobs import Job, Progress

SECONDS = 10.0


def always() -> bool:
    return True


class Work:
    """Work in steps that a test lets go on one by one; what is done is its result."""

    def __init__(self, total: int = 1) -> None:
        self.total = total
        self.began = threading.Event()
        self._may_go_on = threading.Semaphore(0)
        self._stepped = threading.Semaphore(0)

    def __call__(self, progress: Progress) -> list[int]:
        self.began.set()
        finished: list[int] = []
        for step in range(self.total):
            assert self._may_go_on.acquire(timeout=SECONDS)
            finished.append(step)
            goes_on = progress(step + 1, self.total)
            self._stepped.release()
            if not goes_on:
                break
        return finished

    def step(self, times: int = 1) -> None:
        """Let the work do some steps, and wait until they are done."""
        for _ in range(times):
            self._may_go_on.release()
            assert self._stepped.acquire(timeout=SECONDS)

    def let_go(self) -> None:
        """Let all steps be done, without waiting."""
        self._may_go_on.release(self.total)


class Starter:
    """Starts jobs, and ends those that a test leaves running."""

    def __init__(self) -> None:
        self._started: list[tuple[Job[list[int]], Work]] = []

    def __call__(self, work: Work) -> Job[list[int]]:
        job = Job(work, is_wanted=always).start()
        self._started.append((job, work))
        return job

    def end_all(self) -> None:
        for job, work in self._started:
            job.stop()
            work.let_go()
        assert all(job.wait(SECONDS) for job, _ in self._started)


@pytest.fixture
def start() -> Generator[Starter]:
    starter = Starter()
    yield starter
    starter.end_all()


def test_a_job_tells_how_far_it_is_and_hands_over_all_it_made(start: Starter) -> None:
    work = Work(total=3)
    job = start(work)
    assert job.result is None
    work.step(2)
    assert (job.progress.done, job.progress.total) == (2, 3)
    assert not job.finished
    assert job.seconds_left is not None
    assert job.seconds_left >= 0.0
    work.step()
    assert job.wait(SECONDS)
    assert job.finished
    assert job.result == [0, 1, 2]
    assert not job.progress.stopped


def test_the_time_left_is_that_of_the_steps_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    seen: list[float | None] = []

    def work(progress: Progress) -> None:
        seen.append(job.seconds_left)
        clock.now += 6.0
        progress(2, 7)
        seen.append(job.seconds_left)

    job: Job[None] = Job(work, is_wanted=always)
    assert job.start().wait(SECONDS)
    # Two steps in 6 s, five to go.
    assert seen == [None, 15.0]


def test_a_stopped_job_ends_within_a_second_and_keeps_what_is_finished() -> None:
    # Steps of no time at all, so that only the stop can end them.
    begun = threading.Event()

    def work(progress: Progress) -> int:
        done = 0
        while progress(done + 1, 10**12):
            done += 1
            if done == 1_000:
                begun.set()
        return done

    job = Job(work, is_wanted=always).start()
    assert begun.wait(SECONDS)
    job.stop()
    assert job.wait(1.0)
    assert job.progress.stopped
    assert job.result is not None
    assert job.result >= 1_000


def test_an_error_of_the_work_reaches_whoever_asks_for_the_result() -> None:
    def work(progress: Progress) -> None:
        progress(1, 2)
        raise ZeroDivisionError("of the work")

    job = Job(work, is_wanted=always).start()
    assert job.wait(SECONDS)
    assert job.finished
    with pytest.raises(ZeroDivisionError, match="of the work"):
        _ = job.result


def test_a_failed_job_gives_its_place_back(start: Starter) -> None:
    def fail(progress: Progress) -> None:
        raise ZeroDivisionError

    for _ in range(limits.MAX_BACKGROUND_JOBS + 1):
        assert Job(fail, is_wanted=always).start().wait(SECONDS)
    work = Work()
    start(work)
    assert work.began.wait(SECONDS)


def test_no_more_jobs_work_at_a_time_than_allowed_and_the_next_begins_when_one_ends(
    start: Starter,
) -> None:
    assert limits.MAX_BACKGROUND_JOBS == 2
    works = [Work() for _ in range(3)]
    first, second = start(works[0]), start(works[1])
    assert works[0].began.wait(SECONDS)
    assert works[1].began.wait(SECONDS)
    third = start(works[2])
    assert not works[2].began.wait(0.3)
    assert (first.waiting, second.waiting, third.waiting) == (False, False, True)
    assert third.seconds_left is None
    works[0].step()
    assert works[2].began.wait(SECONDS)
    assert first.wait(SECONDS)
    assert not third.waiting


def test_a_waiting_job_can_be_stopped_before_it_begins(start: Starter) -> None:
    works = [Work() for _ in range(3)]
    start(works[0])
    start(works[1])
    assert works[0].began.wait(SECONDS)
    assert works[1].began.wait(SECONDS)
    third = start(works[2])
    third.stop()
    assert third.wait(1.0)
    assert third.finished
    assert not third.waiting
    assert third.result is None
    assert not works[2].began.is_set()


def test_a_job_whose_user_has_left_ends_and_keeps_what_is_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "SECONDS_UNTIL_ABANDONED", 0.05)
    is_there = threading.Event()
    is_there.set()

    def work(progress: Progress) -> int:
        done = 0
        while progress(done + 1, 10**12):
            done += 1
        return done

    job = Job(work, is_wanted=is_there.is_set).start()
    assert not job.wait(0.3)
    is_there.clear()
    assert job.wait(SECONDS)
    assert job.result


def test_a_waiting_job_whose_user_has_left_never_begins(
    monkeypatch: pytest.MonkeyPatch, start: Starter
) -> None:
    monkeypatch.setattr(limits, "SECONDS_UNTIL_ABANDONED", 0.05)
    works = [Work() for _ in range(3)]
    start(works[0])
    start(works[1])
    assert works[0].began.wait(SECONDS)
    assert works[1].began.wait(SECONDS)
    left = Job(works[2], is_wanted=lambda: False).start()
    assert left.wait(SECONDS)
    assert not works[2].began.is_set()


def test_only_an_absence_without_interruption_ends_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    here = {"user": True}
    progress = Progress(lambda: here["user"])
    longest = limits.SECONDS_UNTIL_ABANDONED

    def after(seconds: float, *, user: bool) -> bool:
        clock.now += seconds
        here["user"] = user
        return progress(1, 2)

    assert after(0.0, user=False)
    assert after(longest - 1, user=False)
    assert after(0.5, user=True)  # a reload of the page
    assert after(1.0, user=False)
    assert after(longest, user=False)
    assert not after(0.1, user=False)
    assert not after(0.1, user=True)  # what has been stopped stays so
