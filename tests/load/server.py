"""One server under load: started with its probe, asked what it holds, and stopped."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 60.0
SECONDS_TO_ANSWER = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """One run of the script, or of a part of it that looks after a bar."""

    session: str
    began: float
    part: bool
    seconds: float
    processor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the probe has seen: every rerun so far, and the first dataset of each living result set."""

    reruns: tuple[Rerun, ...]
    alive: tuple[str, ...]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class LoadedServer:
    """The app in a process of its own."""

    def __init__(
        self, folder: Path, *, base_path: str = "", environment: Iterable[tuple[str, str]] = ()
    ) -> None:
        self.port = free_port()
        self.host = f"127.0.0.1:{self.port}"
        self.base_path = base_path
        self.url = f"http://{self.host}{base_path}"
        self._log = folder / "server.log"
        self._probe = folder / "probe.json"
        arguments = ["--server.port", str(self.port), "--server.address", "127.0.0.1"]
        if base_path:
            arguments += ["--server.baseUrlPath", base_path.strip("/")]
        with self._log.open("wb") as written:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.load.serve", "app.py", *arguments],
                cwd=ROOT,
                env={**os.environ, "PROBE": str(self._probe), **dict(environment)},
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait_until_healthy()
        except BaseException:
            self.stop()
            raise

    @property
    def log(self) -> str:
        """Everything that the server has said."""
        return self._log.read_text(encoding="utf-8", errors="replace")

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
        """Resident megabytes: now, and the most since the last `forget_peak`."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8").splitlines()
        held = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS", "VmHWM")))
        now, most = (int(held[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
        return now, most

    def forget_peak(self) -> None:
        """Let the peak begin anew with what is held now."""
        Path(f"/proc/{self._process.pid}/clear_refs").write_text("5", encoding="ascii")

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_until_healthy(self) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while not self._is_healthy():
            assert self._process.poll() is None, f"The app ended while it started:\n{self.log}"
            assert time.monotonic() < until, f"The app was not healthy in time:\n{self.log}"
            time.sleep(0.1)

    def _is_healthy(self) -> bool:
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            asked.request("GET", f"{self.base_path}/_stcore/health")
            return asked.getresponse().status == 200
        except OSError:
            return False
        finally:
            asked.close()
