"""What the README promises."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_library_examples() -> None:
    assert len(EXAMPLES) == 3


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


def test_every_file_the_readme_links_to_exists() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_changelog_and_citation_name_the_version() -> None:
    from core.version import __version__

    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")]
    assert f"\n## {__version__}\n" in texts[0]
    assert f"\nversion: {__version__}\n" in texts[1]
