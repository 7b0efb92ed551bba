"""Results kept within one session, bounded; nothing is shared between users."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

from pages.ui.frame import limits

Result = TypeVar("Result")
# Charts and tables that are drawn anew at each look at a page: more than any page has.
_MOST_LATEST = 16


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


class Latest:
    """The last result of each name, for as long as what it was made of stays alike.

    For what is made quickly, but at every look at a page: a chart, a table of text.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Any, Any]] = OrderedDict()

    def result(
        self, name: str, *, made_of: tuple[Any, ...], compute: Callable[[], Result]
    ) -> Result:
        """What is kept under `name`, computed where it was made of something else."""
        now = _as_given(made_of)
        earlier, found = self._kept.pop(name, (None, None))
        if not are_alike(earlier, now):
            found = compute()
        self._kept[name] = (now, found)
        while len(self._kept) > _MOST_LATEST:
            self._kept.popitem(last=False)
        return found  # type: ignore[no-any-return]


def _as_given(value: Any) -> Any:
    """A value whose lists and dictionaries stay as they are now."""
    if isinstance(value, dict):
        return {key: _as_given(one) for key, one in value.items()}
    if type(value) in (list, tuple):
        return tuple(map(_as_given, value))
    return value


def are_alike(one: Any, other: Any) -> bool:
    """Whether two values have one content, as far as that can be known: results never change."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, str | int | float | bool):
        return bool(one == other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(are_alike, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(are_alike(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray):
        # Objects in an array may be anything.
        return bool(
            one.dtype == other.dtype != object
            and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
        )
    if is_dataclass(one):
        return all(
            are_alike(getattr(one, part.name), getattr(other, part.name)) for part in fields(one)
        )
    return False
