"""One server, many users: what is promised about load, measured and judged.

Run by ``./run.sh load``; ends with status 1 where a promise is missed.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import find_chromium
from tests.load import image, proxy
from tests.load.server import LoadedServer
from tests.load.users import User, make_user
from tests.load.waves import Wave, median_seconds, run_wave

MOST_TIMES_ONE_USER = 5.0
MOST_GROWTH = 0.10
# Streamlit takes users back for two minutes; then their sessions have ended.
SECONDS_UNTIL_ALL_ENDED = 240.0


class Judge:
    """Prints what was found beside what was asked for, and remembers what was missed."""

    def __init__(self) -> None:
        self.n_missed = 0

    def say(self, what: str, found: str, asked: str, *, reached: bool) -> None:
        """One promise."""
        self.n_missed += not reached
        print(f"{what:58} {found:28} asked for: {asked}, {'reached' if reached else 'MISSED'}")


def _tell(wave: Wave, name: str, judge: Judge) -> None:
    for fault in wave.faults:
        print(f"  {fault}")
    judge.say(
        f"{name}: errors, and answers of another's",
        f"{len(wave.faults)} in {wave.seconds:.0f} s",
        "0",
        reached=not wave.faults,
    )


def _wait_until_ended(server: LoadedServer) -> tuple[str, ...]:
    """Wait until nothing of those who left is alive; what is alive still, at last."""
    until = time.monotonic() + SECONDS_UNTIL_ALL_ENDED
    alive = server.ask_probe().alive
    while alive and time.monotonic() < until:
        time.sleep(5.0)
        alive = server.ask_probe().alive
    return alive


def load(judge: Judge, folder: Path, *, n_users: int, n_browsers: int, megabytes: float) -> None:
    """One user, then two waves."""
    chromium = find_chromium()
    if chromium is None:
        print("No Chromium is found: everybody speaks the protocol.")
        n_browsers = 0

    def users_of(wave: int) -> list[User]:
        return [make_user(number, wave=wave, megabytes=megabytes) for number in range(n_users)]

    server = LoadedServer(folder)
    try:
        # What is loaded at the first visit only, such as modules, is no part of a rerun.
        first = run_wave(server, users_of(0)[:1], chromium="", n_browsers=0)
        _tell(first, "a first user", judge)
        n_before = len(server.ask_probe().reruns)
        alone = run_wave(server, users_of(0)[1:2], chromium="", n_browsers=0)
        _tell(alone, "one user", judge)
        reruns = server.ask_probe().reruns
        one = median_seconds(reruns[n_before:])
        print(f"  resident: {server.memory()[0]:.0f} MB now, {server.memory()[1]:.0f} MB at most")
        peaks = []
        for number in (1, 2):
            n_before = len(server.ask_probe().reruns)
            wave = run_wave(
                server, users_of(number), chromium=chromium or "", n_browsers=n_browsers
            )
            name = f"wave {number} of {n_users} users"
            _tell(wave, name, judge)
            many = median_seconds(server.ask_probe().reruns[n_before:])
            judge.say(
                f"{name}: median rerun on the server",
                f"{1e3 * many:.1f} ms, {many / one:.1f} x {1e3 * one:.1f} ms",
                f"{MOST_TIMES_ONE_USER:g} x",
                reached=many <= MOST_TIMES_ONE_USER * one,
            )
            now, most = server.memory()
            peaks.append(most)
            print(f"  resident: {now:.0f} MB now, {most:.0f} MB at most")
            print(f"  places in the queue shown: {', '.join(sorted(set(wave.waited)))}")
            alive = _wait_until_ended(server)
            judge.say(
                f"{name}: result sets alive of ended sessions",
                f"{len(alive)} {', '.join(alive[:3])}",
                "0",
                reached=not alive,
            )
        growth = peaks[1] / peaks[0] - 1
        judge.say(
            "growth of the peak of memory by the second wave",
            f"{growth:.1%} of {peaks[0]:.0f} MB",
            f"at most {MOST_GROWTH:.0%}",
            reached=growth <= MOST_GROWTH,
        )
        clean = "Traceback" not in server.log and " error " not in server.log
        judge.say("errors in the server's log", "0" if clean else "some", "0", reached=clean)
        if not clean:
            print(server.log)
    finally:
        server.stop()


def main() -> None:
    """Everything, or the parts that are named."""
    parser = argparse.ArgumentParser(prog="./run.sh load", description=__doc__)
    parser.add_argument("parts", nargs="*", help="of users, proxy and image; all by default")
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--browsers", type=int, default=2)
    parser.add_argument("--megabytes", type=float, default=10.0)
    asked = parser.parse_args()
    parts = set(asked.parts) or {"users", "proxy", "image"}
    if unknown := parts - {"users", "proxy", "image"}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    judge = Judge()
    with tempfile.TemporaryDirectory(prefix="load-") as made:
        folder = Path(made)
        if "image" in parts:
            image.rehearse(judge.say, folder)
        if "proxy" in parts:
            proxy.rehearse(judge.say, folder)
        if "users" in parts:
            load(
                judge,
                folder,
                n_users=asked.users,
                n_browsers=asked.browsers,
                megabytes=asked.megabytes,
            )
    sys.exit(1 if judge.n_missed else 0)


if __name__ == "__main__":
    main()
