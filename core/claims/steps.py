"""How far a check of claims is, and whether it goes on."""

from __future__ import annotations

from collections.abc import Callable

from core.significance.stopping import check_going, goes_on

OnProgress = Callable[[int, int], object] | None


class Steps:
    """Counts what is done; raises `Stopped` where whoever looks on returns False.

    Parameters
    ----------
    on_progress : callable of (done, total) or None
        Told after each step, and asked within long ones.
    total : int
        At most so many steps.
    """

    def __init__(self, on_progress: OnProgress = None, total: int = 0) -> None:
        self._on_progress = on_progress
        self._total = total
        self._done = 0

    def step(self) -> None:
        """Count one step, and ask."""
        self._done = min(self._done + 1, self._total)
        self.ask()

    def ask(self) -> None:
        """Ask whether to go on.

        Raises
        ------
        Stopped
            If not.
        """
        check_going(self._goes_on)

    def _goes_on(self) -> bool:
        return goes_on(self._on_progress, self._done, self._total)


NO_STEPS = Steps()
