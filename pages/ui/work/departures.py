"""The watch over users: what is to be done once one has left for good, and freeing what they held."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable

from pages.ui.frame import limits

_LOG = logging.getLogger("dashboard")
_SECONDS_BETWEEN_CALLS = 5.0


class _Departures:
    """Notices when a user has been away for so long that nobody will come back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Until when each was seen last, and what to do then.
        self._watched: dict[Callable[[], bool], tuple[float, Callable[[], None]]] = {}
        self._collecting = False
        self._thread: threading.Thread | None = None

    def watch(self, is_there: Callable[[], bool], then: Callable[[], None]) -> None:
        with self._lock:
            self._watched[is_there] = (time.monotonic(), then)
            self._begin()

    def forget(self, is_there: Callable[[], bool]) -> None:
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


_departures = _Departures()


def when_gone(is_there: Callable[[], bool], then: Callable[[], None]) -> None:
    """Call `then`, from another thread, once a user has left and will not come back."""
    _departures.watch(is_there, then)


def forget(is_there: Callable[[], bool]) -> None:
    """Watch a user no longer."""
    _departures.forget(is_there)


def free_what_was_left() -> None:
    """Free, in a moment and once for all who leave by then, what ended sessions held."""
    _departures.collect()
