"""What work in the background reports to, and who tells it to stop: its user, the time, an absence."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pages.ui.frame import limits

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
