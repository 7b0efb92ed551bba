"""How long work tells of its progress and is stopped."""

from __future__ import annotations

from collections.abc import Callable

from ..significance.stopping import Stopped, goes_on

Progress = Callable[[int, int], object]


class Steps:
    """Progress through several pieces of work that are told of as one.

    Attributes
    ----------
    done : int
        Of `total`; set by the work.
    """

    def __init__(self, on_progress: Progress | None, *, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self.done = 0

    def keep_going(self) -> bool:
        """Tell how much is done, and ask whether to go on."""
        return goes_on(self._on_progress, self.done, self._total)

    def check(self) -> None:
        """As `keep_going`.

        Raises
        ------
        Stopped
            If not.
        """
        if not self.keep_going():
            raise Stopped("The computation was stopped before it had a result.")

    def told_within(self, n_steps: int) -> Callable[[float], None]:
        """What a piece of work of so many steps, begun now, tells its share done to."""
        begun = self.done

        def tell(share: float) -> None:
            self.done = begun + int(share * n_steps)

        return tell

    def finish(self) -> None:
        """Tell that all is done."""
        if self._on_progress is not None:
            self._on_progress(self._total, self._total)
