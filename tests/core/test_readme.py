"""What the README promises."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from core.command_line.options import NOT_DECIDED

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_library_examples() -> None:
    assert len(EXAMPLES) == 4


@pytest.mark.parametrize("program", EXAMPLES)
def test_a_library_example_runs_and_prints_what_its_comments_say(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    printed = io.StringIO()
    # The package as it is called here; tests/test_package.py compares the installed one.
    program = program.replace("from replicability import", "from core import")
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "README.md", "exec"), {})
    promised = [line.rsplit("#", 1)[1].strip() for line in program.splitlines() if "print(" in line]
    assert printed.getvalue().splitlines() == promised


def test_the_lines_for_each_of_three_places_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from core import __version__
    from core.command_line import main
    from tests.pages.opened import answer, open_app

    address = re.search(r"http://127.0.0.1:8501/\?(\S+)", README)
    assert address is not None
    shown = answer(open_app(**dict(parse_qsl(address[1]))))
    assert "at least 5 of 7" in shown
    names: dict[str, Any] = {}
    (program,) = [each for each in EXAMPLES if each.endswith("\nanalysis\n")]
    exec(program.replace("from replicability import", "from core import"), names)
    assert "at least 5 of 7 datasets" in names["analysis"]._repr_html_()
    (step,) = re.findall(r"```yaml\n(.*?)```", README, flags=re.DOTALL)
    assert f"@v{__version__}\n" in step
    given = dict(re.findall(r"^ {4}([\w-]+): (.*)$", step, flags=re.MULTILINE))
    action = (ROOT / "action.yml").read_text(encoding="utf-8").partition("\noutputs:")[0]
    assert given.keys() <= set(re.findall(r"^  ([\w-]+):$", action, flags=re.MULTILINE))
    rows = [f"d{i % 12},{i},{i // 12 % 5 // 4}" for i in range(2_400)]
    for side in ("base", "head"):
        (tmp_path / f"{side}.csv").write_text("\n".join(["dataset,example,score", *rows]))
    asked = [str(tmp_path / "base.csv"), str(tmp_path / "head.csv")]
    asked += ["--margin", given["margin"], "--at-least", given["at-least"]]
    assert main(["gate", *asked]) == NOT_DECIDED
    assert "on any of the 12 datasets; the claim asks for 10" in capsys.readouterr().out


def test_every_file_that_a_readme_names_exists() -> None:
    rooms = (ROOT / room for room in ("core", "pages", "tests", "sample_data"))
    modules = {"app.py", *(path.name for room in rooms for path in room.rglob("*.py"))}
    for readme in (ROOT / "README.md", *ROOT.glob("*/README.md"), *ROOT.glob("core/*/README.md")):
        said = readme.read_text(encoding="utf-8")
        named = re.findall(r"`((?:core|pages|tests|sample_data)(?:/[\w.-]+)+/?)(?:::\w+)?`", said)
        assert named or re.findall(r"\]\(", said), readme
        for target in named:
            assert (ROOT / target).exists() or (ROOT / f"{target}.py").exists(), (readme, target)
        for target in re.findall(r"\]\(([^):#]+)\)", said):
            assert (readme.parent / target).exists(), (readme, target)
        # By its name alone, where the room is told before.
        assert set(re.findall(r"`(\w+\.py)`", said)) <= modules, readme


def test_changelog_and_citation_name_the_version() -> None:
    from core.version import __version__

    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")]
    assert f"\n## {__version__}\n" in texts[0]
    assert f"\nversion: {__version__}\n" in texts[1]
