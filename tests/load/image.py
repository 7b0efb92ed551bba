"""The container image rehearsed without a container engine.

Packages are installed into a fresh environment as the Dockerfile does, and the
app runs as its user and with its settings, in a mount namespace where the root
file system is read-only and only /tmp can be written to. What this does not
try: the base image itself, and the engine's own network.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Protocol

from tests.browser.server import free_port
from tests.load.dockerfile import command, copied, copy_into, environment, read_dockerfile
from tests.load.protocol import ProtocolUser
from tests.load.space import lay_out
from tests.load.users import make_user

PYTHON = "/usr/bin/python3"
SECONDS_TO_START = 90.0
# Everything that is mounted is made read-only, as with `docker run --read-only --tmpfs /tmp`.
_ALONE = """
set -e
mount --make-rprivate /
mount -o remount,bind,ro /
mount -t tmpfs tmpfs /tmp
cd "$1"
shift
exec setpriv --reuid="$1" --regid="$1" --clear-groups --no-new-privs --bounding-set=-all -- "$2" "$3" $4
"""


class Say(Protocol):
    """How a promise is told of."""

    def __call__(self, what: str, found: str, asked: str, *, reached: bool) -> None:
        """One promise."""


def what_is_missing() -> str:
    """Why this machine cannot rehearse; empty where it can."""
    if os.geteuid() != 0:
        return "only root can make a file system read-only for one process"
    for program in ("unshare", "setpriv", PYTHON):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    tried = subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/tmp"],
        capture_output=True,
        check=False,
    )
    return "" if tried.returncode == 0 else "mounts cannot be changed here"


def rehearse(say: Say, folder: Path) -> None:
    """Install, run, look at the health check, load a file and read the answer."""
    missing = what_is_missing()
    if missing:
        print(f"The image was not rehearsed: {missing}.")
        return
    # Not below /tmp, which is empty inside.
    with tempfile.TemporaryDirectory(prefix="image-", dir="/var/tmp") as made:
        _rehearse_in(Path(made), say, log=folder / "image.log")


def _rehearse_in(home: Path, say: Say, *, log: Path) -> None:
    # From the folder of a Space, which holds no more than the image is made of.
    root = home / "space"
    lay_out(root)
    instructions = read_dockerfile(root / "Dockerfile")
    (user,) = [each.words for each in instructions if each.name == "USER"]
    app = home / "app"
    app.mkdir()
    home.chmod(0o755)
    copy_into(app, copied(instructions), root=root)
    python = home / "venv" / "bin" / "python"
    subprocess.run([PYTHON, "-m", "venv", home / "venv"], check=True)
    install = "pip install -qq --only-binary :all: -r requirements.txt -c tests/constraints.txt"
    subprocess.run([python, "-m", *install.split()], cwd=app, check=True)
    subprocess.run(["chmod", "-R", "a+rX,a-w", home], check=True)

    port = free_port()
    settings = {
        **environment(instructions),
        "STREAMLIT_SERVER_PORT": str(port),
        "PATH": f"{python.parent}:/usr/bin:/bin",
    }
    start = command(instructions, "CMD")
    with log.open("wb") as written:
        process = subprocess.Popen(
            [
                *("unshare", "--mount", "sh", "-c", _ALONE, "sh", str(app), user),
                *(str(python), start[1], " ".join(start[2:])),
            ],
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    try:
        _look(say, port=port, user=user, pid=process.pid, app=app, settings=settings)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
    said = log.read_text(encoding="utf-8", errors="replace")
    clean = "Traceback" not in said and "Error" not in said
    say("image: errors in its log", "0" if clean else "some", "0", reached=clean)
    if not clean:
        print(said[-4000:])


def _look(say: Say, *, port: int, user: str, pid: int, app: Path, settings: dict[str, str]) -> None:
    check = command(read_dockerfile(), "HEALTHCHECK")
    until = time.monotonic() + SECONDS_TO_START
    healthy = False
    while not healthy and time.monotonic() < until:
        done = subprocess.run(check, env=settings, cwd=app, capture_output=True, check=False)
        healthy = done.returncode == 0
        time.sleep(0.5)
    say("image: its health check", "passes" if healthy else "fails", "passes", reached=healthy)
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    runs_as = next(line.split()[1] for line in status.splitlines() if line.startswith("Uid:"))
    say("image: runs as user", runs_as, user, reached=runs_as == user)
    mounts = Path(f"/proc/{pid}/mounts").read_text(encoding="utf-8").splitlines()
    root = [line.split()[3] for line in mounts if line.split()[1] == "/"][-1]
    is_read_only = "ro" in root.split(",")
    say("image: its root file system", root[:24], "ro", reached=is_read_only)
    right = asyncio.run(_visit(port))
    say(
        "image: a file of 3 MB is loaded and answered",
        right,
        "answered",
        reached=right == "answered",
    )


async def _visit(port: int) -> str:
    user = make_user(1, wave=3, megabytes=3)
    client = ProtocolUser(f"127.0.0.1:{port}", query="test=paired-bootstrap&resamples=199")
    try:
        await client.enter()
        await client.drop(user.file_name, user.content)
        await client.see(user.answer)
        return "; ".join(client.faults) or "answered"
    except AssertionError as error:
        return str(error)[:300]
    finally:
        await client.leave()
