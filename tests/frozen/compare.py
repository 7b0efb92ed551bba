"""Where two collections of facts differ: numbers by more than one part in 10⁹, all else at all."""

import math
from collections.abc import Iterator
from typing import Any

RELATIVE = 1e-9
# What is 0 but for rounding, as a difference of two scores.
ABSOLUTE = 1e-14


def differences(before: Any, now: Any, place: str = "") -> Iterator[str]:
    """A line for each place where the facts differ.

    Parameters
    ----------
    before, now : facts
        As JSON holds them: dicts, lists, strings, numbers, None.
    place : str
        Where in the facts these are.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*before, *(key for key in now if key not in before)]:
            where = f"{place} / {key}" if place else str(key)
            if key not in now:
                yield f"{where}: is gone"
            elif key not in before:
                yield f"{where}: is new"
            else:
                yield from differences(before[key], now[key], where)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for index, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from differences(old, new, f"{place} [{index}]")
    elif not _same(before, now):
        yield f"{place}: was {before!r}, is {now!r}"


def _same(before: Any, now: Any) -> bool:
    numbers = all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (before, now))
    if numbers and (isinstance(before, float) or isinstance(now, float)):
        # Stored numbers are cut to twelve digits, so a tiny p-value still differs by its share.
        return math.isclose(before, now, rel_tol=RELATIVE, abs_tol=0.0) or (
            max(abs(before), abs(now)) < ABSOLUTE and before * now <= 0.0
        )
    return type(before) is type(now) and before == now
