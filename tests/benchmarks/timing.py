"""How two ways of computing one thing are timed side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

ROUNDS = 7


def compare(
    title: str, ours: Callable[[], object], peer_name: str, peer: Callable[[], object]
) -> float:
    """Time both in turn, print and return the ratio of medians."""
    times: tuple[list[float], list[float]] = ([], [])
    for call in (ours, peer):
        call()
    for _ in range(ROUNDS):
        for call, spent in zip((ours, peer), times, strict=True):
            start = time.perf_counter()
            call()
            spent.append(time.perf_counter() - start)
    own, other = (statistics.median(spent) for spent in times)
    print(
        f"{title:52} {1e3 * own:9.3f} ms   {peer_name:34} {1e3 * other:9.3f} ms   "
        f"{other / own:8.2f} times as fast"
    )
    return other / own
