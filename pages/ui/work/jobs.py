"""Jobs: long work in the background, each in its turn, with a stop and an end in time.

A script run ends with every interaction, so long work runs in a thread of its
own, which knows no Streamlit: it reports to its `Job`, at which the page looks
while it draws. A job needs one of the server's few places in
order to work.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, Literal

from pages.ui.frame import limits

# A page gives Python's lock away at each element that it sends, and waits for it as long as work in
# the background may keep it: by default ten times as long, for a page of fifty elements seconds.
sys.setswitchinterval(0.0005)
_LOG = logging.getLogger("dashboard")
# How often those are looked for who have left.
_SECONDS_BETWEEN_CALLS = 5.0
_SECONDS_TO_END = 3.0
# As `nice` counts it, on top of what the whole server has.
_NICENESS = 10
# How often one that waits looks whether it is still wanted.
_SECONDS_BETWEEN_LOOKS = 0.1


class Line:
    """Who works next: users take turns, however much each of them has asked for.

    A free place goes to the user who has the fewest places, among those to the
    one whose last turn lies furthest back, and there to what was asked first.
    """

    def __init__(self, n_places: int) -> None:
        self.n_places = n_places
        self._changed = threading.Condition()
        self._waiting: list[Any] = []
        self._working: list[Any] = []
        # Number of each user's last turn; 0 of those who have had none since others wait.
        self._turns: dict[Hashable, int] = {}

    def enter(self, job: Any) -> None:
        """Stand in line."""
        with self._changed:
            self._waiting.append(job)
            self._turns.setdefault(job.user, 0)
            self._admit()

    def wait(self, job: Any, seconds: float) -> bool:
        """Wait for a place; whether it is there."""
        with self._changed:
            return self._changed.wait_for(lambda: job in self._working, seconds)

    def leave(self, job: Any) -> None:
        """Give the place back, or no longer wait for one."""
        with self._changed:
            for kept in (self._waiting, self._working):
                if job in kept:
                    kept.remove(job)
            self._admit()
            if not self._waiting:
                # While others wait, who asks again right after a turn is no newcomer.
                self._turns = {one.user: self._turns[one.user] for one in self._working}

    @property
    def jobs(self) -> list[Any]:
        """All that work or wait."""
        with self._changed:
            return [*self._working, *self._waiting]

    @property
    def n_working(self) -> int:
        """How many places are taken."""
        return len(self._working)

    def n_before(self, job: Any) -> int:
        """How many others get a place before this one, if nobody else comes; 0 of one that has one."""
        with self._changed:
            waiting, working, turns = [*self._waiting], [*self._working], {**self._turns}
        n = 0
        while job in waiting:
            if _next(waiting, working, turns) is job:
                return n
            n += 1
        return 0

    def _admit(self) -> None:
        while self._waiting and len(self._working) < self.n_places:
            _next(self._waiting, self._working, self._turns)
        self._changed.notify_all()


def _next(waiting: list[Any], working: list[Any], turns: dict[Hashable, int]) -> Any:
    """Give a place to whoever's turn it is."""
    n_working = Counter(one.user for one in working)
    # Of equals `min` takes the first, which has waited longest.
    found = min(waiting, key=lambda one: (n_working[one.user], turns[one.user]))
    waiting.remove(found)
    working.append(found)
    turns[found.user] = max(turns.values()) + 1
    return found


class Departures:
    """Notices when a user has been away for so long that nobody will come back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Until when each was seen last, and what to do then.
        self._watched: dict[Callable[[], bool], tuple[float, Callable[[], None]]] = {}
        self._collecting = False
        self._thread: threading.Thread | None = None

    def watch(self, is_there: Callable[[], bool], then: Callable[[], None]) -> None:
        """Call `then`, from another thread, once a user has left and will not come back."""
        with self._lock:
            self._watched[is_there] = (time.monotonic(), then)
            self._begin()

    def collect(self) -> None:
        """Free at the next look what those held who have left: once for all of them."""
        with self._lock:
            self._collecting = True
            self._begin()

    def _begin(self) -> None:
        if self._thread is not None:
            return
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        never = threading.Event()
        while True:
            never.wait(_SECONDS_BETWEEN_CALLS)
            now = time.monotonic()
            with self._lock:
                collecting, self._collecting = self._collecting, False
            if collecting:
                # Everybody waits for this, in whichever thread it is.
                gc.collect()
            with self._lock:
                watched = dict(self._watched)
                for is_there, (seen, then) in watched.items():
                    try:
                        if is_there():
                            self._watched[is_there] = (now, then)
                        elif now - seen > limits.SECONDS_UNTIL_ABANDONED:
                            del self._watched[is_there]
                            then()
                    except Exception as error:  # noqa: BLE001 - of one visitor; others leave too
                        self._watched.pop(is_there, None)
                        _LOG.error("a session could not be ended: %s", type(error).__name__)
                if not self._watched and not self._collecting:
                    self._thread = None
                    return


departures = Departures()
# One machine's work at a time: more threads than cores only slow each other down.
_line = Line(limits.MAX_BACKGROUND_JOBS)


class Job:
    """One piece of background work: whom it reports to, and what has come of it.

    The work calls it as ``job(done, total)``; where that returns False, the work shall stop and hand
    over what it has finished, or what it has put into `so_far`.
    """

    def __init__(
        self,
        work: Callable[[Job], Any],
        *,
        user: Hashable,
        task: Any = None,
        before: Any = None,
    ) -> None:
        # Given away when it runs: a job outlives its work, and would keep the data that it was of.
        self._work: Callable[[Job], Any] | None = work
        self.user = user
        # What it is asked for, for whoever tells of it.
        self.task = task
        self.done = 0
        self.total = 0
        # Replaced whole by the working thread, so that a page never sees half of one.
        self.so_far = before
        # Whether its time was over while it worked.
        self.is_late = False
        self.error: Exception | None = None
        # The page says where it failed; what went wrong is reported once, after all is drawn.
        self.failure: Literal["not seen", "seen", "reported"] = "not seen"
        self._result: Any = None
        self._working_since: float | None = None
        self._stop = threading.Event()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Job:
        """Begin, or wait in line for a free place."""
        _line.enter(self)
        try:
            self._thread.start()
        except BaseException:
            # Whoever holds a place must work: a machine without threads left would stand still.
            _line.leave(self)
            self._finished.set()
            raise
        return self

    def __call__(self, done: int, total: int) -> bool:
        self.done, self.total = done, total
        return self.goes_on()

    def goes_on(self) -> bool:
        """Whether nobody has asked to stop, and there is time left."""
        # What is done is no longer cut off: it has only to be handed over.
        if (self.seconds_spent or 0.0) > limits.MAX_JOB_SECONDS and not (
            self.all_done or self.stopped
        ):
            self.is_late = True
            self._stop.set()
        return not self.stopped

    def stop(self) -> None:
        """Ask for an early end; what is finished by then becomes the result."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; whether it came in time."""
        return self._finished.wait(seconds)

    @property
    def result(self) -> Any:
        """What came of it, also where it was stopped; until then what is done or it went on from."""
        return self.so_far if self._result is None else self._result

    @property
    def stopped(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    @property
    def finished(self) -> bool:
        """Whether the work has ended, by itself, by a stop or by an error."""
        return self._finished.is_set()

    @property
    def all_done(self) -> bool:
        """Whether the last report said that everything is done."""
        return 0 < self.total <= self.done

    @property
    def waiting(self) -> bool:
        """Whether it waits for a free place."""
        return self._working_since is None and not self.finished

    @property
    def n_before(self) -> int:
        """How many others have their turn before this one, on the whole server; 0 while it works."""
        return _line.n_before(self)

    @property
    def out_of_time(self) -> bool:
        """Whether it was ended for taking longer than a job may, before it had all of its result."""
        # What was under way at the end may have been the rest.
        whole = self.all_done and getattr(self._result, "complete", True)
        return self.finished and self.is_late and (self._result is None or not whole)

    @property
    def seconds_spent(self) -> float | None:
        """For how long it has worked, of which waiting is no part; None while it waits."""
        return None if self._working_since is None else time.monotonic() - self._working_since

    @property
    def seconds_left(self) -> float | None:
        """An estimate from what is done, None while nothing is."""
        spent = self.seconds_spent
        return (
            None if spent is None or not self.done else spent / self.done * (self.total - self.done)
        )

    def _run(self) -> None:
        work, self._work = self._work, None
        assert work is not None
        _step_back()
        try:
            while not _line.wait(self, _SECONDS_BETWEEN_LOOKS):
                if not self.goes_on():
                    return
            if self.goes_on():
                self._working_since = time.monotonic()
                self._result = work(self)
        except Exception as error:  # noqa: BLE001 - kept for the page that asks for the result
            self.error = error
        finally:
            _line.leave(self)
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


def stop_all_of(user: Hashable) -> None:
    """Ask every job of a user to stop."""
    for job in _line.jobs:
        if job.user == user:
            job.stop()


@atexit.register
def _end_all() -> None:
    """Ask every job to stop, and give them a moment: a thread inside numpy would be torn out of it."""
    until = time.monotonic() + _SECONDS_TO_END
    jobs = _line.jobs
    for job in jobs:
        job.stop()
    for job in jobs:
        job.wait(max(0.0, until - time.monotonic()))
