"""The tool that changes a module, one thing at a time, and asks whether a test notices."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import mutants

SOURCE = """
from __future__ import annotations

@decorator(frozen=True)
def f(x: int = 3) -> int | None:
    if x < 2 and not x:
        return x * 2.5
    if x:
        raise ValueError(f"{x + 1} is wrong")
    return None
"""


def test_each_change_is_one_of_its_kind_and_none_is_of_types_decorators_or_messages() -> None:
    found = [(change.was, change.now) for change in mutants.changes(SOURCE)]
    assert sorted(found) == sorted(
        [
            ("3", "4"),
            ("if x < 2 and (not x):", "if False:"),
            ("x < 2 and (not x)", "x < 2 or not x"),
            ("x < 2", "x <= 2"),
            ("2", "3"),
            ("not x", "not not x"),
            ("x * 2.5", "x / 2.5"),
            ("2.5", "3.5"),
            ("if x:", "if False:"),
        ]
    )
    for change in mutants.changes(SOURCE):
        assert change.source != SOURCE
        compile(change.source, "changed", "exec")


def test_a_change_that_a_test_looks_at_is_noticed_and_another_is_printed(tmp_path: Path) -> None:
    tests = tmp_path / "test_shown.py"
    tests.write_text(
        "from core.shown import Shown, shown_by\n\n\n"
        "class Showing:\n    def html_of(self, result):\n        return 'shown'\n\n\n"
        "def test_a_result_is_shown_by_the_room_above():\n    shown_by(Showing)\n"
        "    assert Shown()._repr_html_() == 'shown'\n"
    )
    # Of the large packages these tests need none; the second is one of the project's, with its hooks.
    own = "tests/test_mutants.py::test_without_a_module_it_says_how_to_ask"
    program = "import sys; from tests import mutants as m; m.LARGE = (); m.main(sys.argv[1:])"
    found = subprocess.run(
        [sys.executable, "-c", program, "core/shown.py", str(tests), own],
        cwd=mutants.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    # Of tables and charts nothing was tried, and that is printed.
    assert ": True  ->  False" in found
    assert found.count(": 0  ->  1") == 1
    n, kept = re.search(r"(\d+) changes, (\d+) not noticed by", found).groups()
    assert int(n) == int(kept) + 1


def test_tests_that_do_not_end_have_neither_passed_nor_noticed_anything(tmp_path: Path) -> None:
    tests = tmp_path / "test_endless.py"
    tests.write_text("def test_it_ends() -> None:\n    while True:\n        pass\n")
    module = mutants.ROOT / "core" / "signature.py"
    assert mutants.run(module, module.read_text(), [str(tests)], seconds=1).passed is None


def test_without_a_module_it_says_how_to_ask(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.main(["core/nothing.py"]) == 2
    assert "./run.sh mutants core/significance/outcome.py" in capsys.readouterr().err
