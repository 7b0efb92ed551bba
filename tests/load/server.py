"""One server under load: started with its probe, asked what it holds, and stopped."""

import json
import signal
import time
from pathlib import Path
from typing import NamedTuple

from tests.browser.server import Server

SECONDS_TO_ANSWER = 60.0


class Rerun(NamedTuple):
    """One run of the script, or of a part of it that looks after a bar."""

    began: float
    part: bool
    seconds: float


class Found(NamedTuple):
    """What the probe has seen: every rerun so far, and the first dataset of each living result set."""

    reruns: tuple[Rerun, ...]
    alive: tuple[str, ...]


class LoadedServer(Server):
    """The app in a process of its own, with the probe in it."""

    def __init__(self, folder: Path, *, base_path: str = "") -> None:
        self._probe = folder / "probe.json"
        super().__init__(
            folder / "server.log",
            environment={"PROBE": str(self._probe)},
            script=Path("app.py"),
            program=("tests.load.serve",),
            base_path=base_path,
        )

    def ask_probe(self) -> Found:
        """What the server has done and holds."""
        self._probe.unlink(missing_ok=True)
        self._process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + SECONDS_TO_ANSWER
        while not self._probe.exists():
            assert time.monotonic() < until, "The server's probe does not answer."
            time.sleep(0.05)
        found = json.loads(self._probe.read_text(encoding="utf-8"))
        return Found(
            reruns=tuple(Rerun(**each) for each in found["reruns"]), alive=tuple(found["alive"])
        )

    def memory(self) -> tuple[float, float]:
        """Resident megabytes: now, and at most."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8").splitlines()
        held = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS", "VmHWM")))
        now, most = (int(held[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
        return now, most
