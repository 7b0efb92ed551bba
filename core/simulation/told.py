"""Telling of several runs as of one."""

from __future__ import annotations

from collections.abc import Callable

from core.significance.stopping import goes_on

Progress = Callable[[int, int], object]


class Told:
    """Tells of the progress of several runs as of one."""

    def __init__(self, on_progress: Progress | None, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self.going = True

    def beyond(self, before: int) -> Progress:
        """What one run is to call, after so many repetitions of earlier ones."""

        def tell(done: int, _total: int) -> bool:
            self.going = goes_on(self._on_progress, min(before + done, self._total), self._total)
            return self.going

        return tell

    def finish(self) -> None:
        """Tell that all is done."""
        if self._on_progress is not None:
            self._on_progress(self._total, self._total)
