"""The tool that changes a module, one thing at a time, and asks whether a test notices."""

from __future__ import annotations

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
    tests = tmp_path / "test_fingerprint.py"
    tests.write_text(
        "from core.signature import short_fingerprint\n\n\n"
        "def test_eight_characters_are_shown() -> None:\n"
        "    assert short_fingerprint('0123456789') == '01234567'\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "tests.mutants", "core/signature.py", str(tests)],
        cwd=mutants.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    # Of the other functions nothing was tried, and that is printed.
    assert "8  ->  9" not in found
    assert ": values is None  ->  values is not None" in found
    (counted,) = re.findall("([0-9]+) changes, ([0-9]+) not noticed by", found)
    assert int(counted[0]) == int(counted[1]) + 1 > 8


def test_tests_that_do_not_end_have_neither_passed_nor_noticed_anything(tmp_path: Path) -> None:
    tests = tmp_path / "test_endless.py"
    tests.write_text("def test_it_ends() -> None:\n    while True:\n        pass\n")
    module = mutants.ROOT / "core" / "signature.py"
    assert mutants.run(module, module.read_text(), [str(tests)], seconds=1).passed is None


def test_without_a_module_it_says_how_to_ask(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.main(["core/nothing.py"]) == 2
    assert "./run.sh mutants core/significance/means.py" in capsys.readouterr().err
