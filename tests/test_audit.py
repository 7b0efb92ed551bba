"""What `.ci/audit` says and how it ends, with stand-ins for pip-audit."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CLEAN = {"name": "numpy", "version": "2.0", "vulns": []}
FAULTY = {"name": "numpy", "version": "2.0", "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}]}
NO_NETWORK = (
    "ERROR:pip_audit._cli:HTTPSConnectionPool(host='x', port=443): Max retries exceeded with url: / "
    "(Caused by NewConnectionError('Failed to establish a new connection: [Errno -2] Name or "
    "service not known'))"
)
BROKEN = "Traceback (most recent call last):\nImportError: cannot import name 'audit'"

pytestmark = pytest.mark.skipif(shutil.which("timeout") is None, reason="`timeout` is not here")


def audit(folder: Path, script: str, **environment: str) -> tuple[int, str]:
    """The end and the words of an audit by a program that does this."""
    program = folder / "pip-audit"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        [ROOT / ".ci" / "audit"],
        env={**os.environ, "PIP_AUDIT": str(program), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def says(*, found: object = None, log: str = "", status: int = 0) -> str:
    lines = [] if found is None else [f"cat <<'END'\n{json.dumps(found)}\nEND"]
    return "\n".join([*lines, f"cat >&2 <<'END'\n{log}\nEND", f"exit {status}"])


@pytest.mark.parametrize(
    ("script", "status", "words"),
    [
        (says(found={"dependencies": [CLEAN]}), 0, "Dependencies audited: 1, with 0 known faults."),
        (says(found={"dependencies": [FAULTY]}, status=1), 1, "numpy 2.0: X-1, mended in 2.1"),
        (
            says(log=NO_NETWORK, status=1),
            0,
            "Dependencies were NOT audited: the list of known faults could not be reached.",
        ),
    ],
    ids=["no fault", "a fault", "no network"],
)
def test_a_known_fault_fails_and_is_named_and_a_missing_network_is_said_and_passes(
    tmp_path: Path, script: str, status: int, words: str
) -> None:
    found, said = audit(tmp_path, script)
    assert found == status
    assert words in map(str.strip, said.splitlines())


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (says(log=BROKEN, status=1), "ImportError"),
        (says(log="usage: pip-audit: unrecognized arguments: --disable-pip", status=2), "usage"),
        (says(found=["nothing"]), "status 0"),
        (says(found={"dependencies": []}), "status 0"),
        (says(found={"dependencies": [CLEAN]}, log="it broke off", status=1), "it broke off"),
        (says(found={"dependencies": [{"name": "numpy", "vulns": [{}]}]}, status=1), "status 1"),
    ],
    ids=["broken", "usage", "no report", "empty report", "broken off", "other report"],
)
def test_a_broken_audit_fails_and_does_not_pass_for_a_missing_network(
    tmp_path: Path, script: str, why: str
) -> None:
    status, said = audit(tmp_path, script)
    assert status == 1
    assert "no matter of the network" in said
    assert "reached" not in said
    assert why in said
