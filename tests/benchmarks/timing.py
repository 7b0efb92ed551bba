"""How two ways of computing one thing are timed side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

ROUNDS = 7


def compare(
    title: str,
    ours: Callable[[], object],
    peer_name: str,
    peer: Callable[[], object],
    *,
    at_least: float | None = None,
    rounds: int = ROUNDS,
) -> float:
    """Time both in turn, print and return the ratio of medians.

    Parameters
    ----------
    at_least : float, optional
        How many times as fast as the peer is asked for; it is printed.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for call in (ours, peer):
        call()
    for _ in range(rounds):
        for call, spent in zip((ours, peer), times, strict=True):
            start = time.perf_counter()
            call()
            spent.append(time.perf_counter() - start)
    own, other = (statistics.median(spent) for spent in times)
    print(
        f"{title:52} {1e3 * own:9.3f} ms   {peer_name:34} {1e3 * other:9.3f} ms   "
        f"{other / own:8.2f} times as fast{_judged(other / own, at_least)}"
    )
    return other / own


def within(title: str, call: Callable[[], object], *, seconds: float) -> None:
    """Print the median time of a call, and whether it is within what is asked for."""
    call()
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        spent.append(time.perf_counter() - start)
    median = statistics.median(spent)
    print(
        f"{title:52} {1e3 * median:9.3f} ms   asked for: {1e3 * seconds:g} ms, "
        f"{'reached' if median <= seconds else 'MISSED'}"
    )


def not_measured(title: str, package: str) -> None:
    """Say that a peer is absent, and how to add it."""
    print(f"{title:52} not measured: {package} is not installed; run ./run.sh bench --with-peers")


def _judged(ratio: float, at_least: float | None) -> str:
    if at_least is None:
        return ""
    return f"   asked for: {at_least:g}, {'reached' if ratio >= at_least else 'MISSED'}"
