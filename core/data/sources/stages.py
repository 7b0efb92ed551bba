"""How far reading has come, and stopping it on the way."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[str, float], bool]

OPENING = "opening"
CUTTING = "cutting"
RECOGNISING = "recognising"
READING = "reading"

# Which share of the whole is done when a stage begins; measured on a long CSV
# file, so that a bar of progress moves roughly evenly.
_BEGINS = {OPENING: 0.0, CUTTING: 0.1, RECOGNISING: 0.5, READING: 0.6}
_ENDS = {OPENING: 0.1, CUTTING: 0.5, RECOGNISING: 0.6, READING: 1.0}


class ReadingStopped(Exception):
    """Reading was given up because `on_progress` said so."""


class Stages:
    """Tells a caller how far reading has come."""

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self._on_progress = on_progress
        self._done = 0.0

    def reached(self, stage: str, share: float = 0.0) -> None:
        """Say that a share of a stage is done.

        Raises
        ------
        ReadingStopped
            If the caller wants no more.
        """
        if self._on_progress is None:
            return
        done = _BEGINS[stage] + share * (_ENDS[stage] - _BEGINS[stage])
        # Within one of several files nothing is known of the others.
        self._done = max(self._done, done)
        if self._on_progress(stage, self._done) is False:
            raise ReadingStopped
