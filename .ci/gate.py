"""The step of action.yml: run the gate, tell the summary, the outputs and a comment, and end as asked.

Everything comes from the environment: GATE_* from the action's inputs, the rest from GitHub. The
standard library does; the package is run as a program.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

# A comment may have 65,536 characters.
LONGEST = 65_000
OUTCOMES = {0: "shown", 5: "contradicted", 6: "not decided"}
FAILING = {"contradicted": {5}, "not-shown": {5, 6}, "never": set()}


def decide(folder: Path) -> int:
    """Run the gate; its words go to the log, in which no line of them is taken for a command."""
    given = {name: os.environ.get(f"GATE_{name}", "") for name in ("BASE", "HEAD", "CLAIM")}
    command = [sys.executable, "-m", "replicability", "gate", "--claim", given["CLAIM"]]
    for option, name in (("--margin", "GATE_MARGIN"), ("--at-least", "GATE_AT_LEAST")):
        if os.environ.get(name, "").strip():
            command += [option, os.environ[name]]
    badge = os.environ.get("GATE_BADGE", "").strip()
    if badge:
        Path(badge).mkdir(parents=True, exist_ok=True)
        command += ["--badge", f"{badge}/replicability.svg"]
        command += ["--badge-json", f"{badge}/replicability.json"]
    command += ["--markdown", str(folder / "gate.md"), "--json", str(folder / "gate.json")]
    command += [*shlex.split(os.environ.get("GATE_ARGUMENTS", "")), "--"]
    mark = secrets.token_hex(16)
    print(f"::stop-commands::{mark}", flush=True)
    status = subprocess.run([*command, given["BASE"], given["HEAD"]], check=False).returncode
    print(f"::{mark}::", flush=True)
    return status


def append(variable: str, text: str) -> None:
    """Add to a file that GitHub names; outside of GitHub there is none."""
    if os.environ.get(variable):
        with Path(os.environ[variable]).open("a", encoding="utf-8") as file:
            file.write(text)


def comment(text: str) -> None:
    """Write the one comment of this gate on the pull request, or update it."""
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = event.get("pull_request", {}).get("number")
    if not isinstance(number, int):
        return
    name = "".join(c for c in os.environ.get("GATE_NAME", "") if c.isalnum() or c in "-_ ")
    mark = f"<!-- replicability gate: {name} -->"
    if len(text) > LONGEST:
        text = f"{text.partition('<details>')[0]}The table is in the summary of the job.\n"
    body = {"body": f"{mark}\n{text[:LONGEST]}"}
    repository = f"/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    old = earlier(f"{repository}/{number}/comments", mark)
    if old is None:
        ask("POST", f"{repository}/{number}/comments", body)
    else:
        ask("PATCH", f"{repository}/comments/{old}", body)


def earlier(path: str, mark: str) -> int | None:
    """The comment that this gate wrote before. Another's with its mark is left alone."""
    try:
        login = ask("GET", "/user")["login"]
    except urllib.error.HTTPError as refused:
        # The token of a workflow is no user's.
        if refused.code not in (401, 403, 404):
            raise
        login = None
    page = 1
    while found := ask("GET", f"{path}?per_page=100&page={page}"):
        for one in found:
            user = one["user"] or {}
            own = user.get("type") == "Bot" if login is None else user.get("login") == login
            if own and one["body"].startswith(mark):
                return int(one["id"])
        page += 1
    return None


def ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    """One request to GitHub's API, and its answer."""
    request = urllib.request.Request(
        os.environ.get("GITHUB_API_URL", "https://api.github.com") + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['GATE_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def main() -> int:
    """All of it; the status is the gate's own where it is to fail the job, else 0."""
    fails = FAILING.get(os.environ.get("GATE_FAIL_ON", "contradicted"))
    if fails is None:
        print(f"::error::fail-on must be one of {', '.join(FAILING)}.")
        return 2
    folder = Path(tempfile.mkdtemp(dir=os.environ.get("RUNNER_TEMP")))
    status = decide(folder)
    if status not in OUTCOMES:
        return status
    text = (folder / "gate.md").read_text(encoding="utf-8")
    append("GITHUB_STEP_SUMMARY", text)
    append("GITHUB_OUTPUT", f"outcome={OUTCOMES[status]}\njson={folder / 'gate.json'}\n")
    if os.environ.get("GATE_TOKEN", "").strip():
        try:
            comment(text)
        except (OSError, KeyError, TypeError, ValueError) as failed:
            # What was decided does not depend on a comment, which a fork may not write.
            print(f"::warning::The comment could not be written: {failed}")
    return status if status in fails else 0


if __name__ == "__main__":
    sys.exit(main())
