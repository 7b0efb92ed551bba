"""Background work: it tells how far it is, stops when asked, waits in a fair line, and ends when nobody is there."""

import gc
import threading
from collections.abc import Callable, Hashable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.frame import limits, state
from pages.ui.work import background, jobs
from pages.ui.work.background import Task
from pages.ui.work.jobs import Job, Line

SECONDS = 10.0


class Work:
    """Work in steps that a test lets go on one by one; what is done is its result."""

    def __init__(self, total: int = 1) -> None:
        self.total = total
        self.began = threading.Event()
        self._may_go_on = threading.Semaphore(0)
        self._stepped = threading.Semaphore(0)

    def __call__(self, progress: Job) -> list[int]:
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


Starter = Callable[..., Job]


@pytest.fixture
def start() -> Iterator[Starter]:
    """Starts jobs, and ends those that a test leaves running."""
    started: list[tuple[Job, Work]] = []

    def begin(work: Work, user: str = "") -> Job:
        started.append((Job(work, user=user).start(), work))
        return started[-1][0]

    yield begin
    for job, work in started:
        job.stop()
        work.let_go()
    assert all(job.wait(SECONDS) for job, _ in started)


def test_a_job_tells_how_far_it_is_and_hands_over_all_it_made(start: Starter) -> None:
    work = Work(total=3)
    job = start(work)
    assert job.result is None
    work.step(2)
    assert (job.done, job.total) == (2, 3)
    assert not job.finished
    assert job.seconds_left >= 0.0
    work.step()
    assert job.wait(SECONDS)
    assert job.finished
    assert job.result == [0, 1, 2]
    assert not job.stopped


def test_the_time_left_is_that_of_the_steps_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    seen: list[float | None] = []

    def work(progress: Job) -> None:
        seen.append(job.seconds_left)
        clock.now += 6.0
        progress(2, 7)
        seen.append(job.seconds_left)

    job: Job = Job(work, user="")
    assert job.start().wait(SECONDS)
    # Two steps in 6 s, five to go.
    assert seen == [None, 15.0]


def until_stopped(progress: Job) -> int:
    """Steps of no time at all, so that only their job can end them; how many were done."""
    done = 0
    while progress(done + 1, 10**12):
        done += 1
    return done


def test_a_stopped_job_ends_within_a_second_and_keeps_what_is_finished() -> None:
    job = Job(until_stopped, user="").start()
    while job.done <= 1_000:
        assert not job.wait(0.001)
    job.stop()
    assert job.wait(1.0)
    assert job.stopped
    assert job.result >= 1_000


def test_an_error_of_the_work_is_kept_for_whoever_asks() -> None:
    def work(progress: Job) -> None:
        progress(1, 2)
        raise ZeroDivisionError("of the work")

    job = Job(work, user="").start()
    assert job.wait(SECONDS)
    assert job.finished
    assert job.result is None
    assert isinstance(job.error, ZeroDivisionError)


def test_the_next_job_begins_when_one_of_those_allowed_ends_unless_it_was_stopped_before(
    start: Starter,
) -> None:
    assert limits.MAX_BACKGROUND_JOBS == 2
    works = [Work() for _ in range(4)]
    first, second = start(works[0]), start(works[1])
    assert works[0].began.wait(SECONDS)
    assert works[1].began.wait(SECONDS)
    stopped, third = start(works[3]), start(works[2])
    assert not works[2].began.wait(0.3)
    assert (first.waiting, second.waiting, third.waiting) == (False, False, True)
    assert third.seconds_left is None
    stopped.stop()
    assert stopped.wait(1.0)
    assert (stopped.finished, stopped.waiting, stopped.result) == (True, False, None)
    assert not works[3].began.is_set()
    works[0].step()
    assert works[2].began.wait(SECONDS)
    assert first.wait(SECONDS)
    assert not third.waiting


def test_the_work_of_a_user_who_has_left_is_stopped_and_no_other(start: Starter) -> None:
    works = [Work(total=2) for _ in range(3)]
    theirs, own, waiting = (start(work, user) for work, user in zip(works, "aba", strict=True))
    jobs.stop_all_of("a")
    assert waiting.wait(SECONDS)
    assert theirs.stopped
    assert not own.stopped


def test_jobs_of_several_users_take_turns_and_say_how_many_are_before_them(start: Starter) -> None:
    assert limits.MAX_BACKGROUND_JOBS == 2

    works = [Work() for _ in range(6)]
    own = [start(work) for work in works[:5]]
    assert works[0].began.wait(SECONDS)
    assert works[1].began.wait(SECONDS)
    theirs = start(works[5], "other")
    assert theirs.waiting
    assert theirs.n_before == 0
    assert [job.n_before for job in own] == [0, 0, 1, 2, 3]
    waiting = Task("one", {}, print)
    assert "1 other" in waiting.told(own[2])
    assert "3 others" in waiting.told(own[4])
    works[0].step()
    assert works[5].began.wait(SECONDS)
    assert not works[2].began.is_set()
    assert theirs.n_before == 0


def spending(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock of ours, and a limit of 600 s on a job's time."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(jobs, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 600.0)
    return clock


def test_a_job_that_takes_too_long_stops_keeps_what_is_finished_and_says_so(monkeypatch) -> None:
    clock = spending(monkeypatch)

    def work(progress: Job) -> int:
        done = 0
        while progress(done + 1, 100):
            done += 1
            clock.now += 59.0
        return done

    # Waiting does not count.
    clock.now = 5_000.0
    job = Job(work, user="").start()
    assert job.wait(SECONDS)
    # Ten times 59 s are less than 600 s, eleven are more.
    assert job.result == 11
    assert job.out_of_time
    assert "10 minutes" in background.out_of_time(job, "Testing", kept=True)
    monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 90)
    assert "limit of 90 seconds" in background.out_of_time(job, "Testing", kept=True)


def test_a_whole_result_whose_last_report_comes_too_late_is_not_called_cut_off(monkeypatch) -> None:
    clock = spending(monkeypatch)

    def work(progress: Job) -> str:
        assert progress(1, 2)
        clock.now += 700.0
        # Of a part and of the whole.
        assert progress(2, 2)
        assert progress(2, 2)
        return "whole"

    job = Job(work, user="").start()
    assert job.wait(SECONDS)
    assert job.result == "whole"
    assert not job.out_of_time
    assert background.out_of_time(job, "Testing", kept=True) == ""


def test_a_job_whose_thread_cannot_start_gives_its_place_back(monkeypatch) -> None:
    def refuse(self: object) -> None:
        raise RuntimeError("can't start new thread")

    taken = jobs._line.n_working
    with monkeypatch.context() as patched:
        patched.setattr("threading.Thread.start", refuse)
        job = Job(lambda progress: None, user="")
        with pytest.raises(RuntimeError, match="thread"):
            job.start()
    assert job.finished
    assert jobs._line.n_working == taken


class Ticket:
    """What stands in line for a user."""

    def __init__(self, user: str) -> None:
        self.user: Hashable = user


def entered(line: Line, user: str) -> Ticket:
    ticket = Ticket(user)
    line.enter(ticket)
    return ticket


def has_place(line: Line, ticket: Ticket) -> bool:
    return line.wait(ticket, 0.0)


def order_of(line: Line, waiting: list[Ticket], working: list[Ticket]) -> list[Ticket]:
    """In which order those who wait get places, as those who work leave one after another."""
    served: list[Ticket] = []
    working, waiting = list(working), list(waiting)
    while waiting:
        line.leave(working.pop(0))
        new = [ticket for ticket in waiting if has_place(line, ticket)]
        assert len(new) == 1
        waiting.remove(new[0])
        working += new
        served += new
    return served


def test_users_take_turns_and_each_ones_jobs_keep_their_order() -> None:
    line = Line(1)
    working = entered(line, "x")
    waiting = [entered(line, user) for user in "aaabbc"]
    order = order_of(line, waiting, [working])
    assert [ticket.user for ticket in order] == ["a", "b", "c", "a", "b", "a"]
    assert [waiting.index(ticket) for ticket in order if ticket.user == "a"] == [0, 1, 2]


def test_who_works_already_comes_after_who_does_not() -> None:
    line = Line(2)
    first, _, third = entered(line, "a"), entered(line, "b"), entered(line, "a")
    newcomer = entered(line, "c")
    # User b's place is free: a has one already.
    line.leave(_)
    assert has_place(line, newcomer)
    assert not has_place(line, third)
    line.leave(first)
    assert has_place(line, third)


@given(
    st.integers(1, 3),
    st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=14),
)
def test_the_place_that_is_told_is_the_place_that_comes_true(
    n_places: int, moves: list[tuple[str, bool]]
) -> None:
    line = Line(n_places)
    present: list[Ticket] = []
    for user, leaves in moves:
        present.append(entered(line, user))
        working = [ticket for ticket in present if has_place(line, ticket)]
        # No place stays free while somebody waits, and no more are given than there are.
        assert len(working) == min(n_places, len(present))
        if leaves:
            present.remove(working[0])
            line.leave(working[0])
    working = [ticket for ticket in present if has_place(line, ticket)]
    waiting = [ticket for ticket in present if ticket not in working]
    told = [line.n_before(ticket) for ticket in waiting]
    assert sorted(told) == list(range(len(waiting)))
    # What is told holds if nobody has more than one place: else it depends on who leaves first.
    if n_places == 1:
        order = order_of(line, waiting, working)
        assert told == [order.index(ticket) for ticket in waiting]


def test_who_is_away_for_good_is_told_of_once_and_who_comes_back_is_not(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_CALLS", 0.01)
    monkeypatch.setattr(limits, "SECONDS_UNTIL_ABANDONED", 0.05)
    gone: list[str] = []
    told = threading.Event()
    is_there = threading.Event()
    is_there.set()

    def end(name: str) -> None:
        gone.append(name)
        told.set()

    watcher = jobs.Departures()
    watcher.watch(is_there.is_set, lambda: end("late"))
    watcher.watch(lambda: False, lambda: end("early"))
    assert told.wait(SECONDS)
    assert gone == ["early"]
    told.clear()
    is_there.clear()
    assert told.wait(SECONDS)
    assert gone == ["early", "late"]


def test_what_many_held_who_leave_together_is_freed_once_and_not_by_the_servers_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_CALLS", 0.0)
    watcher = jobs.Departures()
    monkeypatch.setattr(jobs, "departures", watcher)
    # As if it slept: what it does at its next look is called below.
    watcher._thread = threading.current_thread()
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(len(closed)))
    closed: list[str] = []
    ended = SimpleNamespace(
        session=SimpleNamespace(
            session_state=SimpleNamespace(
                clear=lambda: None, _new_widget_state=SimpleNamespace(widget_metadata={})
            ),
            _fragment_storage={},
        )
    )
    server: Any = SimpleNamespace(
        is_active_session=lambda _: False,
        close_session=closed.append,
        _session_mgr=SimpleNamespace(get_session_info=lambda _: ended),
    )
    for number in range(20):
        state._Visitor(str(number))._close(server)
    assert len(closed) == 20
    assert collected == []
    watcher._run()
    assert collected == [20]
