"""How a computation is asked to stop."""

from __future__ import annotations

from collections.abc import Callable

KeepGoing = Callable[[], bool] | None


class Stopped(Exception):
    """A computation was asked to stop before it had a result."""


def goes_on(on_progress: Callable[[int, int], object] | None, done: int, total: int) -> bool:
    """Tell how much is done, and whether to go on: whoever looks on stops it by False alone."""
    return on_progress is None or on_progress(done, total) is not False


def check_going(keep_going: KeepGoing) -> None:
    """Ask whether to go on.

    Raises
    ------
    Stopped
        If not.
    """
    if keep_going is not None and not keep_going():
        raise Stopped("The computation was stopped before it had a result.")
