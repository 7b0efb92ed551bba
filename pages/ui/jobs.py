"""Long work in the background: progress, stop, and an end when its user has left.

A script run ends with every interaction, so long work runs in a thread of its
own, which knows no Streamlit: it gets a `Progress` to report to, and the page
looks at the `Job` while it draws.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pages.ui import limits

Result = TypeVar("Result")
# One machine's work at a time: more threads than cores only slow each other down.
_slots = threading.Semaphore(limits.MAX_BACKGROUND_JOBS)
# What runs when the server ends: a thread inside numpy or pyarrow would be torn out of it.
_running: weakref.WeakSet[Job[Any]] = weakref.WeakSet()
_SECONDS_TO_END = 3.0


class Progress:
    """What a job's work reports to, and asks whether to go on.

    Called as ``progress(done, total)``; returns False when the work shall stop
    and hand over what it has finished.
    """

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted
        self._stop = threading.Event()
        self._unwanted_since: float | None = None
        self.done = 0
        self.total = 0

    def __call__(self, done: int, total: int) -> bool:
        self.done, self.total = done, total
        return self.goes_on()

    def goes_on(self) -> bool:
        """Whether nobody has asked to stop and the user is still there."""
        if self._is_wanted():
            self._unwanted_since = None
        elif self._unwanted_since is None:
            self._unwanted_since = time.monotonic()
        elif time.monotonic() - self._unwanted_since > limits.SECONDS_UNTIL_ABANDONED:
            self._stop.set()
        return not self._stop.is_set()

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
        self._work = work
        self.progress = Progress(is_wanted)
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._finished = threading.Event()
        self._working_since: float | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Job[Result]:
        """Begin, or wait in line for a free place."""
        _running.add(self)
        self._thread.start()
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
        return self._working_since is None and not self.finished

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
    def seconds_left(self) -> float | None:
        """An estimate from what is done, None while nothing is."""
        if self._working_since is None or not self.progress.done:
            return None
        spent = time.monotonic() - self._working_since
        return spent / self.progress.done * (self.progress.total - self.progress.done)

    def _run(self) -> None:
        try:
            while not _slots.acquire(timeout=0.1):
                if not self.progress.goes_on():
                    return
            try:
                if self.progress.goes_on():
                    self._working_since = time.monotonic()
                    self._result = self._work(self.progress)
            finally:
                _slots.release()
        except BaseException as error:  # noqa: BLE001 - kept for the page that asks for the result
            self._error = error
        finally:
            self._finished.set()


@atexit.register
def _end_all() -> None:
    """Ask every job to stop, and give them a moment to do so."""
    until = time.monotonic() + _SECONDS_TO_END
    jobs = [job for job in _running if not job.finished]
    for job in jobs:
        job.stop()
    for job in jobs:
        job.wait(max(0.0, until - time.monotonic()))
