"""The gate on the command line, and the action's steps run in a shell, with a GitHub of our own."""

import json
import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from core.command_line import main
from core.command_line.options import BAD_DATA, BAD_USE, CONTRADICTED, DONE, NOT_DECIDED

ROOT = Path(__file__).resolve().parents[1]
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
TASKS = ("arc", "boolq", "piqa", "copa")


def lm_eval(folder: Path, model: str, share: float, seed: int) -> None:
    """Samples as lm-evaluation-harness writes them, with this share of right answers."""
    rng = np.random.default_rng(seed)
    folder = folder / model.replace("/", "__")
    folder.mkdir(parents=True)
    for task in TASKS:
        lines = [
            {
                "doc_id": i,
                "doc": {"question": f"{task} {i}"},
                "target": "0",
                "filter": "none",
                "metrics": ["acc"],
                "filtered_resps": [["-1.0", "False"]],
                "doc_hash": f"{task}{i}",
                "acc": float(i % 100 < 100 * share) if rng.random() < 0.97 else 0.0,
            }
            for i in range(300)
        ]
        path = folder / f"samples_{task}_2026-01-0{seed}T00-00-00.000000.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def long_csv(path: Path, share: float, system: str = "") -> None:
    head = "dataset,example,system,score" if system else "dataset,example,score"
    own = f"{system}," if system else ""
    rows = [f"{t},{i},{own}{int(i % 100 < 100 * share)}" for t in TASKS for i in range(300)]
    path.write_text("\n".join([head, *rows]), encoding="utf-8")


def test_the_head_is_told_from_the_base_whatever_the_files_call_them(tmp_path, capsys):
    asked = ("--margin", "5 points", "--at-least", "3 of 4")
    for models in (("org/m", "org/m"), ("org/b", "org/a"), ("org/a", "org/b")):
        sides = [tmp_path / f"{'-'.join(models).replace('/', '')}{side}" for side in ("0", "1")]
        for side, model, share, seed in zip(sides, models, (0.7, 0.4), (1, 2), strict=True):
            lm_eval(side, model, share, seed)
        base, head = map(str, sides)
        assert main(["gate", base, head, *asked]) == CONTRADICTED, models
        assert main(["gate", head, base, *asked]) == DONE, models
    for system in ("", "the model"):
        base, head = tmp_path / "old.csv", tmp_path / "new.csv"
        long_csv(base, 0.7, system)
        long_csv(head, 0.4, system)
        assert main(["gate", str(base), str(head), *asked]) == CONTRADICTED, system
        assert main(["gate", str(head), str(base), *asked]) == DONE, system
        assert main(["gate", str(base), str(base), "--claim", "better"]) == NOT_DECIDED, system
    capsys.readouterr()
    for more, status, said in (
        (("--at-least", "2 of 3", "--margin", "1 point"), BAD_USE, "needs 3 datasets; there are 4"),
        (("--margin", "1"), BAD_USE, "must say its unit"),
        ((), BAD_USE, "--margin must be given"),
        (("--at-least", "few", "--margin", "1 point"), BAD_USE, "got 'few'"),
        (("--metric", "bleu", "--margin", "1 point"), BAD_USE, "is no metric of these data"),
    ):
        assert main(["gate", str(base), str(head), *more]) == status, more
        assert said in capsys.readouterr().err, more
    empty = tmp_path / "empty"
    empty.mkdir()
    for missing in (empty, tmp_path / "nowhere"):
        assert main(["gate", str(missing), str(head), *asked]) == BAD_DATA, missing


@contextmanager
def github(comments: list[dict[str, Any]]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A server that keeps comments as GitHub's API does, and what it was asked."""
    asked: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            asked.append((self.command, self.path))
            assert self.headers["Authorization"] == "Bearer secret"
            given = self.rfile.read(int(self.headers["Content-Length"] or 0))
            status: int = 200
            found: Any = None
            if self.path == "/user":
                status, found = 403, {"message": "Resource not accessible by integration"}
            elif self.command == "GET":
                page = int(self.path.rpartition("=")[2])
                found = comments[100 * (page - 1) : 100 * page]
            elif self.command == "POST":
                status, found = 201, {"id": len(comments), "user": {"type": "Bot"}}
                comments.append({**found, **json.loads(given)})
            else:
                found = comments[int(self.path.rpartition("/")[2])]
                found.update(json.loads(given))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        do_GET = do_POST = do_PATCH = answer

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def decided(inputs: dict[str, str], runner: Path, api: str) -> tuple[int, str]:
    """The step of the action that decides, with these inputs."""
    (step,) = re.findall(r"run: \|\n((?: {8}\S.*\n)+)$", ACTION)
    usual = dict(re.findall(r"(?m)^  ([\w-]+):\n(?: {4}.*\n)*? {4}default: \"?(.*?)\"?$", ACTION))
    values = {**usual, **inputs}
    given = re.findall(r"(GATE_\w+): \$\{\{ inputs\.([\w-]+) \}\}", ACTION)
    assert {name for _, name in given} == set(values)
    event = runner / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7}}), encoding="utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if name in ("PATH", "LANG")},
        **{variable: values[name] for variable, name in given},
        "RUNNER_TEMP": str(runner),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "owner/name",
        "GITHUB_API_URL": api,
    }
    done = subprocess.run(
        ["bash", "-e", "-c", step], cwd=runner, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_a_job_fails_by_what_was_decided_as_it_was_asked_to(tmp_path, monkeypatch) -> None:
    main_of_gate = runpy.run_path(str(ROOT / ".ci" / "gate.py"))["main"]
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path))
    for name in ("GATE_TOKEN", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.delenv(name, raising=False)

    def decide_as(status: int) -> Callable[[Path], int]:
        return lambda folder: (folder / "gate.md").write_text("") or status

    for fails_on, failing in (
        ("contradicted", {CONTRADICTED}),
        ("not-shown", {CONTRADICTED, NOT_DECIDED}),
        ("never", set()),
    ):
        monkeypatch.setenv("GATE_FAIL_ON", fails_on)
        for status in (DONE, CONTRADICTED, NOT_DECIDED):
            monkeypatch.setitem(main_of_gate.__globals__, "decide", decide_as(status))
            assert main_of_gate() == (status if status in failing else DONE), (fails_on, status)


def test_the_action_tells_summary_outputs_badge_and_one_comment_that_is_updated(tmp_path) -> None:
    # That the package can be installed is tried elsewhere: here its modules have its name.
    programs, packages = tmp_path / "replicability" / "bin", tmp_path / "packages"
    programs.mkdir(parents=True)
    packages.mkdir()
    (packages / "replicability").symlink_to(ROOT / "core")
    python = programs / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    long_csv(tmp_path / "base.csv", 0.7)
    long_csv(tmp_path / "worse.csv", 0.4)
    long_csv(tmp_path / "near.csv", 0.69)
    mark = "<!-- replicability gate: replicability -->\n"
    # A page of others' comments, one of which bears the mark.
    comments: list[dict[str, Any]] = [
        {"id": i, "user": {"type": "User", "login": "x"}, "body": mark} for i in range(100)
    ]
    inputs = {"base": "base.csv", "margin": "5 points", "at-least": "3 of 4", "token": "secret"}
    with github(comments) as (api, asked):
        worse = {**inputs, "head": "worse.csv", "badge": "badges"}
        status, said = decided(worse, tmp_path, api)
        assert status == CONTRADICTED, said
        assert len(comments) == 101
        assert comments[-1]["body"].startswith(f"{mark}### ❌ Contradicted: head is not worse")
        assert "outcome=contradicted\n" in (tmp_path / "output").read_text()
        assert "| arc | 300 |" in (tmp_path / "summary.md").read_text()
        shown = json.loads((tmp_path / "badges/replicability.json").read_text())
        assert shown["message"] == "not worse by more than 5 points, 3 of 4: contradicted"
        picture = ET.parse(tmp_path / "badges/replicability.svg").getroot()
        assert shown["message"] in "".join(picture.itertext())
        # Gone over again, the one comment is changed.
        assert decided({**inputs, "head": "near.csv"}, tmp_path, api)[0] == DONE
        assert len(comments) == 101
        assert comments[-1]["body"].startswith(f"{mark}### ✅ Shown")
        assert [method for method, path in asked if path != "/user"] == [
            *("GET", "GET", "POST"),
            *("GET", "GET", "PATCH"),
        ]
    # No server any more: the outcome stands, and the missing comment is said. Nothing else fails.
    open_one = {**inputs, "head": "near.csv", "margin": "1 point", "arguments": "--alpha 0.0001"}
    status, said = decided({**open_one, "fail-on": "not-shown"}, tmp_path, api)
    assert status == NOT_DECIDED, said
    assert "::warning::The comment could not be written" in said
    # An input is no program, and no line of a name is a command to the runner.
    status, said = decided({**inputs, "head": '$(touch "pwned")', "token": ""}, tmp_path, api)
    assert (status, (tmp_path / "pwned").exists()) == (BAD_DATA, False)
    lines = said.splitlines()
    assert lines[0].startswith("::stop-commands::")
    assert f"::{lines[0].rpartition(':')[2]}::" in lines
