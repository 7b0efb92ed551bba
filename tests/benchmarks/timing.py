"""How two ways of computing one thing are timed side by side, and what one of them holds."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

ROUNDS = 7
# A fresh process, in which a small piece of work comes first, so that imports do not count.
_PEAK = """
import sys
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
{before}
start = peak()
{work}
print(peak() - start)
"""


def grown_by(work: str, *arguments: object, before: str) -> float:
    """By how many MiB the most that a fresh process has held grows by a piece of work.

    Both pieces of the program find the arguments in ``sys.argv``.
    """
    program = _PEAK.format(before=before, work=work)
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def medians(
    *calls: Callable[[], object],
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Time the calls in turn, after one round that does not count; each one's median in seconds."""
    times: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    for _ in range(rounds):
        for call, spent in zip(calls, times, strict=True):
            start = clock()
            call()
            spent.append(clock() - start)
    return [statistics.median(spent) for spent in times]


def verdict(reached: bool) -> str:
    """In the words of every line."""
    return "reached" if reached else "MISSED"


def compare(
    title: str,
    ours: Callable[[], object],
    peer_name: str,
    peer: Callable[[], object],
    *,
    at_least: float | None = None,
    rounds: int = ROUNDS,
) -> None:
    """Time both in turn and print the ratio of medians.

    Parameters
    ----------
    at_least : float, optional
        How many times as fast as the peer is asked for; it is printed.
    """
    own, other = medians(ours, peer, rounds=rounds)
    print(
        f"{title:52} {1e3 * own:9.3f} ms   {peer_name:34} {1e3 * other:9.3f} ms   "
        f"{other / own:8.2f} times as fast{_judged(other / own, at_least)}"
    )


def within(title: str, call: Callable[[], object], *, seconds: float) -> None:
    """Print the median time of a call, and whether it is within what is asked for."""
    (median,) = medians(call)
    print(
        f"{title:52} {1e3 * median:9.3f} ms   asked for: {1e3 * seconds:g} ms, "
        f"{verdict(median <= seconds)}"
    )


def not_measured(title: str, package: str) -> None:
    """Say that a peer is absent, and how to add it."""
    print(f"{title:52} not measured: {package} is not installed; run ./run.sh bench --with-peers")


def _judged(ratio: float, at_least: float | None) -> str:
    if at_least is None:
        return ""
    return f"   asked for: at least {at_least:g}, {verdict(ratio >= at_least)}"


def line(
    title: str,
    own: float,
    ratio: float,
    peer: str,
    *,
    at_most: float | None = None,
    at_least: float | None = None,
) -> None:
    """Print a time, how many times a peer's that is, and whether it is as asked for."""
    asked = _judged(ratio, at_least)
    if at_most is not None:
        asked = f"   asked for: at most {at_most:g}, {verdict(ratio <= at_most)}"
    print(f"{title:66} {1e3 * own:9.1f} ms   {ratio:8.2f} {peer}{asked}", flush=True)
