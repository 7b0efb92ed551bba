"""Results kept within one session, bounded; nothing is shared between users."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from pages.ui import limits

Result = TypeVar("Result")


class Results:
    """The last results of one session by everything they depend on.

    Streamlit's own cache hashes a sample of large inputs and copies results;
    here a key holds every byte of the arrays, and results, which never change,
    are handed out as they are.
    """

    def __init__(self, most: int = limits.MAX_CACHED_RESULTS) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, object] = OrderedDict()

    def remember(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """The result kept under `key`, computed where there is none."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]  # type: ignore[return-value]
        result = compute()
        self._kept[key] = result
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return result

    def copy(self) -> Results:
        """One of its own with what is kept now, for another thread."""
        found = Results(self._most)
        found._kept.update(self._kept)
        return found
