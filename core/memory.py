"""Results that are made once and found again by all that they depend on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, ParamSpec, TypeVar

import numpy as np

Result = TypeVar("Result")
Given = ParamSpec("Given")


class Memory:
    """What was computed of one set of data, the last `most` results, for one user or analysis.

    Streamlit's own cache hashes a sample of large inputs and copies results; here a key holds every
    byte of the arrays, and results, which never change, are handed out as they are.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def computed(
        self, make: Callable[Given, Result], /, *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """The result of a function of nothing but its arguments, all of which are its key."""
        # A function that is made anew at each call would never be found again.
        if "<" in getattr(make, "__qualname__", "<"):
            raise TypeError("What is computed once needs a function of its module, with a name.")
        return self.remember((make, key_of(given), key_of(named)), partial(make, *given, **named))

    def remember(self, key: Hashable, compute: Callable[[], Result]) -> Result:
        """The result kept under a key of its own, computed where there is none."""
        if key not in self._kept:
            # What is computed may compute and keep other results.
            self._kept[key] = compute()
        self._kept.move_to_end(key)
        result: Result = self._kept[key]
        while self._most is not None and len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return result

    def known(self, key: Hashable) -> Any:
        """The result kept under a key; None where there is none."""
        return self.remember(key, lambda: None) if key in self._kept else None

    def take(self, other: Memory) -> None:
        """Keep what another one has as well."""
        for key, result in other._kept.items():
            self._kept.setdefault(key, result)
            self._kept.move_to_end(key)

    def copy(self) -> Memory:
        """One of its own with what is kept now, for another thread."""
        found = Memory(self._most)
        found._kept = self._kept.copy()
        return found


def key_of(value: Any) -> Hashable:
    """What tells two arguments of a function apart."""
    if isinstance(value, dict):
        return (dict, *((key, key_of(one)) for key, one in value.items()))
    if type(value) in (list, tuple):
        return (type(value), *(value if set(map(type, value)) == {str} else map(key_of, value)))
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    # Equal numbers of two types are printed differently. Results, frozen with large arrays, are
    # compared by identity and stay in the key for as long as it is kept.
    return type(value), value
