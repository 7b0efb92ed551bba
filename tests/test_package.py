"""The package `replicability`: what the wheel holds is what the repository computes."""

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

import core
from core.command_line import main
from tests.reference import draw

ROOT = Path(__file__).resolve().parents[1]
ASKED = (
    ("--sample", "parsing-redshift", "--json", "a.json", "--report", "r.html"),
    ("--sample", "simulated-sentences", "--resamples", "99", "--json", "b.json"),
)
# Every module's examples, and whatever public function has none; then some commands.
PROGRAM = f"""
import doctest, importlib, inspect, json, pkgutil, replicability
from replicability.command_line import main
tried = failed = 0
for found in pkgutil.walk_packages(replicability.__path__, "replicability."):
    if not found.name.endswith("__main__"):
        done = doctest.testmod(importlib.import_module(found.name))
        tried, failed = tried + done.attempted, failed + done.failed
public = {{name: getattr(replicability, name) for name in replicability.__all__}}
bare = [n for n, v in public.items() if inspect.isfunction(v) and ">>> from replic" not in v.__doc__]
statuses = [main(list(asked)) for asked in {ASKED}]
print(json.dumps([sorted(public), tried, failed, bare, statuses, replicability.__file__]))
"""


def test_the_wheel_has_the_repository_s_names_and_numbers_and_every_example_holds(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = subprocess.run(
        [installed / "python", "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said, _, last = done.stdout.rstrip().rpartition("\n")
    names, tried, failed, bare, statuses, place = json.loads(last)
    assert names == sorted(core.__all__)
    assert (failed, bare) == (0, []), said
    assert tried > 100
    assert place.startswith(str(installed.parent))
    assert Path(place).with_name("py.typed").exists()
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert [main(list(asked)) for asked in ASKED] == statuses == [0, 0]
    for name in ("a.json", "b.json"):
        assert (here / name).read_bytes() == (tmp_path / name).read_bytes(), name
    # The report tells the command that there is where it was made.
    theirs, ours = ((at / "r.html").read_text(encoding="utf-8") for at in (tmp_path, here))
    same = "--sample parsing-redshift --a Mate"
    assert f"<pre>replicability {same}" in theirs
    assert (
        ours.replace(f"python -m core {same}", f"replicability {same}").replace(
            ", in the folder of this program:", ":"
        )
        == theirs
    )


def test_the_installed_command_goes_by_its_own_name(installed: Path, tmp_path: Path) -> None:
    helped = subprocess.run(
        [installed / "replicability", "--help"], cwd=tmp_path, capture_output=True, text=True
    ).stdout
    assert "replicability --sample parsing-redshift" in helped
    assert "python -m core" not in helped


def test_the_reference_has_every_public_name_with_its_example(installed: Path, tmp_path) -> None:
    (packages,) = installed.parent.glob("lib/python*/site-packages")
    page = draw(packages, tmp_path).read_text(encoding="utf-8")
    for name in core.__all__:
        assert f'id="{name}"' in page, name
    assert page.count("&gt;&gt;&gt;") > 60


def test_the_package_asks_for_the_ranges_that_the_app_is_tested_with() -> None:
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    tested = {line.partition("#")[0].strip() for line in lines}
    extras = described["optional-dependencies"]
    asked = {*described["dependencies"], *(one for each in extras.values() for one in each)}
    assert asked == {line for line in tested if line and not line.startswith("streamlit")}
