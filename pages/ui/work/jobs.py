"""Jobs: long work in the background, each in its turn, with a stop and an end in time.

A script run ends with every interaction, so long work runs in a thread of its
own, which knows no Streamlit: it gets a `Progress` to report to, and the page
looks at the `Job` while it draws. All jobs with equal `is_wanted` are one user's.

Vocabulary
----------
place
    What a job needs in order to work; a server has few of them.
user
    Whoever a job works for, as `Line.enter` is told.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pages.ui.frame import limits

Result = TypeVar("Result")

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
# A last report after the end of the time has this long to become a result.
_SECONDS_TO_HAND_OVER = 5.0
# What runs when the server ends: a thread inside numpy or pyarrow would be torn out of it.
_running: weakref.WeakSet[Job[Any]] = weakref.WeakSet()


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A job's standing in the line."""

    user: Hashable


class Line:
    """Who works next: users take turns, however much each of them has asked for.

    A free place goes to the user who has the fewest places, among those to the
    one whose last turn lies furthest back, and there to what was asked first.
    """

    def __init__(self, n_places: int) -> None:
        self.n_places = n_places
        self._changed = threading.Condition()
        self._waiting: list[Ticket] = []
        self._working: list[Ticket] = []
        # Number of each user's last turn; 0 of those who have had none since others wait.
        self._turns: dict[Hashable, int] = {}
        self._n_turns = 0

    def enter(self, user: Hashable) -> Ticket:
        """Stand in line."""
        ticket = Ticket(user)
        with self._changed:
            self._waiting.append(ticket)
            self._turns.setdefault(user, 0)
            self._admit()
        return ticket

    def wait(self, ticket: Ticket, seconds: float) -> bool:
        """Wait for a place; whether it is there."""
        with self._changed:
            return self._changed.wait_for(lambda: ticket in self._working, seconds)

    def leave(self, ticket: Ticket) -> None:
        """Give the place back, or no longer wait for one."""
        with self._changed:
            for kept in (self._waiting, self._working):
                if ticket in kept:
                    kept.remove(ticket)
            self._admit()
            if not self._waiting:
                # While others wait, who asks again right after a turn is no newcomer.
                self._turns = {one.user: self._turns[one.user] for one in self._working}

    @property
    def n_working(self) -> int:
        """How many places are taken."""
        with self._changed:
            return len(self._working)

    def n_before(self, ticket: Ticket) -> int:
        """How many others get a place before this one, if nobody else comes; 0 of one that has one."""
        with self._changed:
            waiting = list(self._waiting)
            n_working = Counter(other.user for other in self._working)
            turns, n_turns = dict(self._turns), self._n_turns
        n = 0
        while ticket in waiting:
            following = self._next(waiting, n_working, turns)
            if following is ticket:
                return n
            waiting.remove(following)
            n_turns += 1
            n_working[following.user] += 1
            turns[following.user] = n_turns
            n += 1
        return 0

    def _admit(self) -> None:
        while self._waiting and len(self._working) < self.n_places:
            n_working = Counter(other.user for other in self._working)
            following = self._next(self._waiting, n_working, self._turns)
            self._waiting.remove(following)
            self._working.append(following)
            self._n_turns += 1
            self._turns[following.user] = self._n_turns
        self._changed.notify_all()

    @staticmethod
    def _next(
        waiting: list[Ticket], n_working: Counter[Hashable], turns: dict[Hashable, int]
    ) -> Ticket:
        # Of equals `min` takes the first, which has waited longest.
        return min(waiting, key=lambda one: (n_working[one.user], turns[one.user]))


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

    def forget(self, is_there: Callable[[], bool]) -> None:
        """Watch a user no longer."""
        with self._lock:
            self._watched.pop(is_there, None)

    def collect(self) -> None:
        """Free at the next look what those held who have left: once for all of them."""
        with self._lock:
            self._collecting = True
            self._begin()

    def _begin(self) -> None:
        if self._thread is not None:
            return
        self._thread = threading.Thread(target=self._run, daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            # A machine without threads left: whoever is watched next tries again.
            self._thread = None
            _LOG.error("nobody is watched: %s", type(error).__name__)

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
        """What came of it, None while it runs and where it never began; its error where it failed."""
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
                departures.watch(self.progress.look, self.progress.stop)
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
