"""What was computed of one set of data, kept under keys; who keeps it, and how much, is the caller's matter."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar, cast

import numpy as np

Result = TypeVar("Result")


class Memory(Protocol):
    """Keeps what was computed of one set of data; `forgetful` keeps nothing."""

    def __call__(self, key: Hashable, compute: Callable[[], Result], /) -> Result:
        """What is kept under `key`, computed where there is nothing."""


def forgetful(key: Hashable, compute: Callable[[], Result], /) -> Result:
    """Compute it anew each time."""
    return compute()


def keeping(kept: dict[Hashable, Any]) -> Memory:
    """Keep everything in `kept`, for as long as somebody holds on to it."""

    def remember(key: Hashable, compute: Callable[[], Result], /) -> Result:
        if key not in kept:
            kept[key] = compute()
        return cast("Result", kept[key])

    return remember


def key_of(*parts: object) -> Hashable:
    """A key of arrays and plain values, with every byte of the arrays in it."""
    return tuple(
        (part.dtype.str, part.shape, part.tobytes()) if isinstance(part, np.ndarray) else part
        for part in parts
    )
