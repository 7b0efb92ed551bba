"""The app as a user's computer runs it: a process of its own on a free port."""

import http.client
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 60


def free_port(port: int = 0) -> int:
    """A port that nobody listens on: this one, or any."""
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))
        found: int = free.getsockname()[1]
        return found


class Server:
    """One running app, with everything it has written to its log."""

    def __init__(
        self,
        log: Path,
        *,
        port: int = 0,
        environment: Mapping[str, str] | None = None,
        script: Path = ROOT / "app.py",
        program: Sequence[str] = ("streamlit", "run"),
        base_path: str = "",
    ) -> None:
        self.port = free_port(port)
        self.host = f"127.0.0.1:{self.port}"
        self.base_path = base_path
        self.url = f"http://{self.host}{base_path}"
        self._log_path = log
        with log.open("wb") as written:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", *program, str(script)),
                    *("--server.port", str(self.port), "--server.address", "127.0.0.1"),
                    *(("--server.baseUrlPath", base_path.strip("/")) if base_path else ()),
                ],
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
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
        return self._log_path.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """End it at once, as a machine does that fails."""
        self._process.kill()
        self._process.wait()

    def _wait_until_healthy(self) -> None:
        # Waiting for the process to end is a pause that is over at once if it does.
        for _ in range(SECONDS_TO_START * 10):
            if self._is_healthy():
                return
            try:
                self._process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue
            raise AssertionError(f"The app ended while it started:\n{self.log}")
        raise AssertionError(f"The app was not healthy in time:\n{self.log}")

    def _is_healthy(self) -> bool:
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            asked.request("GET", f"{self.base_path}/_stcore/health")
            return asked.getresponse().status == 200
        except OSError:
            return False
        finally:
            asked.close()
