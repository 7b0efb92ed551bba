"""The container image, as far as its Dockerfile promises it: `./run.sh load image` runs it."""

import re
from types import SimpleNamespace

import pytest

from tests.load.dockerfile import ROOT, command, copied, environment, read_dockerfile
from tests.load.space import lay_out

INSTRUCTIONS = read_dockerfile()


def positions(name: str) -> list[int]:
    return [place for place, each in enumerate(INSTRUCTIONS) if each.name == name]


def test_it_runs_as_a_user_who_is_not_root_and_nothing_is_changed_after() -> None:
    (user,) = positions("USER")
    assert int(INSTRUCTIONS[user].words) >= 1000
    assert all(place < user for name in ("RUN", "COPY", "ADD") for place in positions(name))


def test_its_health_is_asked_of_the_app_below_whatever_base_path() -> None:
    program = command(INSTRUCTIONS, "HEALTHCHECK")
    assert program[:2] == ["python", "-c"]
    asked: list[str] = []
    urlopen = SimpleNamespace(urlopen=lambda address, timeout: asked.append(address))
    source = program[2].replace("import os, urllib.request as r;", "")
    for base, address in (
        ("", "http://127.0.0.1:8501/_stcore/health"),
        ("/team/app/", "http://127.0.0.1:8501/team/app/_stcore/health"),
    ):
        settings = {**environment(INSTRUCTIONS), "STREAMLIT_SERVER_BASE_URL_PATH": base}
        exec(source.strip(), {"os": SimpleNamespace(environ=settings), "r": urlopen})
        assert asked.pop() == address


def test_it_installs_wheels_only_in_the_versions_that_the_tests_ran_with() -> None:
    (install,) = [each.words for each in INSTRUCTIONS if "pip install" in each.words]
    assert "--only-binary :all:" in install
    assert "-r requirements.txt -c tests/constraints.txt" in install
    assert "apt-get" not in " ".join(each.words for each in INSTRUCTIONS)


def test_everything_that_is_copied_exists_and_the_app_needs_no_more() -> None:
    sources = copied(INSTRUCTIONS)
    assert all((ROOT / source).exists() for source in sources)
    # What lies at the top and is imported or read by the app; the rest is for those who work on it.
    needed = {"app.py", "core", "pages", "sample_data", ".streamlit", "requirements.txt"}
    assert needed <= set(sources)
    assert not set(sources) & {".", ".git", ".venv", "tests"}


def test_no_secret_is_in_it_and_no_foreign_host_is_named() -> None:
    said = " ".join(each.words for each in INSTRUCTIONS)
    assert not re.search(r"(?i)secret|token|password|api.?key", said)
    assert not re.search(r"https?://(?!127\.0\.0\.1)", said)
    assert not re.search(r"--(extra-)?index-url|--find-links|--trusted-host", said)
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in sent if line and not line.startswith("#")]
    # Nothing is sent to the builder but what is named; of the settings not the whole folder.
    assert rules[0] == "*"
    assert "!.streamlit/config.toml" in rules
    assert "!.streamlit" not in rules


def test_the_folder_of_a_space_holds_what_the_image_copies_and_says_how_to_run_it(tmp_path) -> None:
    folder = tmp_path / "space"
    (folder / ".git").mkdir(parents=True)
    lay_out(folder)
    sent = {"Dockerfile", *(source.split("/")[0] for source in copied(INSTRUCTIONS)), ".git"}
    assert {path.name for path in folder.iterdir()} == sent
    assert read_dockerfile(folder / "Dockerfile") == INSTRUCTIONS
    assert (folder / "core/__init__.py").read_bytes() == (ROOT / "core/__init__.py").read_bytes()
    _, header, body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    said = dict(line.split(": ", 1) for line in header.splitlines())
    assert said["sdk"] == "docker"
    assert said["app_port"] == environment(INSTRUCTIONS)["STREAMLIT_SERVER_PORT"]
    assert len(said["short_description"]) <= 60
    assert body.strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    assert not [path for path in folder.rglob("*") if path.name in ("secrets.toml", "__pycache__")]
    with pytest.raises(FileExistsError, match="not empty"):
        lay_out(folder)
