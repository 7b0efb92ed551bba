"""Jobs: long work in the background, each in its turn, with a stop and an end in time.

A script run ends with every interaction, so long work runs in a thread of its
own, which knows no Streamlit: it gets a `Progress` to report to, and the page
looks at the `Job` while it draws. All jobs with equal `is_wanted` are one user's.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from pages.ui.frame import limits
from pages.ui.work import departures
from pages.ui.work.line import Line, Ticket

Result = TypeVar("Result")

# A page gives Python's lock away at each element that it sends, and waits for it as long as work in
# the background may keep it: by default ten times as long, for a page of fifty elements seconds.
sys.setswitchinterval(0.0005)
# One machine's work at a time: more threads than cores only slow each other down.
_line = Line(limits.MAX_BACKGROUND_JOBS)
# What runs when the server ends: a thread inside numpy or pyarrow would be torn out of it.
_running: weakref.WeakSet[Job[Any]] = weakref.WeakSet()
_SECONDS_TO_END = 3.0
# As `nice` counts it, on top of what the whole server has.
_NICENESS = 10
# How often one that waits looks whether it is still wanted.
_SECONDS_BETWEEN_LOOKS = 0.1
# A last report after the end of the time has this long to become a result.
_SECONDS_TO_HAND_OVER = 5.0


class Progress:
    """What a job's work reports to, and asks whether to go on.

    Called as ``progress(done, total)``; returns False when the work shall stop
    and hand over what it has finished.
    """

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._unwanted_since: float | None = None
        self._working_since: float | None = None
        # Since when reports after the end of the time say that everything is done.
        self._all_done_since: float | None = None
        self.done = 0
        self.total = 0
        self.out_of_time = False

    def __call__(self, done: int, total: int) -> bool:
        self.done, self.total = done, total
        return self.goes_on()

    def begin(self) -> None:
        """From now on the time counts that a job may take."""
        self._working_since = time.monotonic()

    @property
    def seconds_spent(self) -> float | None:
        """For how long it has worked; None while it waits."""
        return None if self._working_since is None else time.monotonic() - self._working_since

    @property
    def all_done(self) -> bool:
        """Whether the last report said that everything is done."""
        return 0 < self.total <= self.done

    def goes_on(self) -> bool:
        """Whether nobody has asked to stop, the user is still there, and there is time left."""
        spent = self.seconds_spent
        if spent is not None and spent > limits.MAX_JOB_SECONDS and not self._stop.is_set():
            now = time.monotonic()
            if not self.all_done:
                self._all_done_since = None
            elif self._all_done_since is None:
                self._all_done_since = now
            since = self._all_done_since
            # What is done is no longer cut off; but some work reports so and then does more.
            if since is None or now - since > _SECONDS_TO_HAND_OVER:
                self.out_of_time = True
                self._stop.set()
        self.look()
        return not self._stop.is_set()

    def look(self) -> bool:
        """See whether the user is there; an absence lasts from look to look.

        The work asks too seldom to notice a return: others look as well.
        """
        is_there = self._is_wanted()
        with self._lock:
            if is_there:
                self._unwanted_since = None
            elif self._unwanted_since is None:
                self._unwanted_since = time.monotonic()
            elif time.monotonic() - self._unwanted_since > limits.SECONDS_UNTIL_ABANDONED:
                self._stop.set()
        return is_there

    def stop(self) -> None:
        """Ask the work to stop at its next report."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()


class Job(Generic[Result]):
    """One piece of background work and what has come of it."""

    def __init__(
        self,
        work: Callable[[Progress], Result],
        *,
        is_wanted: Callable[[], bool],
    ) -> None:
        # Given away when it runs: a job outlives its work, and would keep the data that it was of.
        self._work: Callable[[Progress], Result] | None = work
        self._user: Hashable = is_wanted
        self._ticket: Ticket | None = None
        self.progress = Progress(is_wanted)
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Job[Result]:
        """Begin, or wait in line for a free place."""
        _running.add(self)
        self._ticket = _line.enter(self._user)
        try:
            self._thread.start()
        except BaseException as error:
            # Whoever holds a place must work: a machine without threads left would stand still.
            _line.leave(self._ticket)
            self._error = error
            self._finished.set()
            raise
        return self

    def stop(self) -> None:
        """Ask for an early end; what is finished by then becomes the result."""
        self.progress.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; whether it came in time."""
        return self._finished.wait(seconds)

    @property
    def waiting(self) -> bool:
        """Whether it waits for a free place."""
        return self.progress.seconds_spent is None and not self.finished

    @property
    def n_before(self) -> int:
        """How many others have their turn before this one, on the whole server; 0 while it works."""
        return 0 if self._ticket is None or not self.waiting else _line.n_before(self._ticket)

    @property
    def out_of_time(self) -> bool:
        """Whether it was ended for taking longer than a job may, before it had all of its result."""
        if not self.finished or not self.progress.out_of_time:
            return False
        # What was under way at the end may have been the rest.
        whole = self.progress.all_done and getattr(self._result, "complete", True)
        return self._result is None or not whole

    @property
    def finished(self) -> bool:
        """Whether the work has ended, by itself, by a stop or by an error."""
        return self._finished.is_set()

    @property
    def result(self) -> Result | None:
        """What came of it; None while it runs, and where it failed or never began.

        Raises
        ------
        Exception
            The work's own, where it failed: the page's frame reports it.
        """
        if self._error is not None:
            raise self._error
        return self._result

    @property
    def error(self) -> BaseException | None:
        """Why the work failed; None where it did not."""
        return self._error

    @property
    def seconds_left(self) -> float | None:
        """An estimate from what is done, None while nothing is."""
        spent = self.progress.seconds_spent
        if spent is None or not self.progress.done:
            return None
        return spent / self.progress.done * (self.progress.total - self.progress.done)

    def _run(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        assert self._ticket is not None
        _step_back()
        try:
            while not _line.wait(self._ticket, _SECONDS_BETWEEN_LOOKS):
                if not self.progress.goes_on():
                    return
            if self.progress.goes_on():
                self.progress.begin()
                departures.when_gone(self.progress.look, self.progress.stop)
                self._result = work(self.progress)
        except BaseException as error:  # noqa: BLE001 - kept for the page that asks for the result
            self._error = error
        finally:
            departures.forget(self.progress.look)
            _line.leave(self._ticket)
            self._finished.set()


def _step_back() -> None:
    """Let pages come first where they and this thread's work want the same processor."""
    # Elsewhere a thread has no priority of its own, and its number may be that of a process.
    if sys.platform == "linux":
        with suppress(OSError):
            thread = threading.get_native_id()
            before = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, before + _NICENESS)


def n_threads() -> int:
    """How many threads a job may use that begins now: several jobs share the processors."""
    return max(1, limits.TEST_THREADS // max(1, _line.n_working))


@atexit.register
def _end_all() -> None:
    """Ask every job to stop, and give them a moment to do so."""
    until = time.monotonic() + _SECONDS_TO_END
    jobs = [job for job in _running if not job.finished]
    for job in jobs:
        job.stop()
    for job in jobs:
        job.wait(max(0.0, until - time.monotonic()))
