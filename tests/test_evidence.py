"""The pages of evidence name tests and modules that exist, and leave out no room that makes numbers."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PAGE = (TESTS / "EVIDENCE.md").read_text(encoding="utf-8")
MUTANTS = (TESTS / "MUTANTS.md").read_text(encoding="utf-8")
NAMED = re.findall(r"\| `([\w/]+\.py)(?:::(test_\w+))?` \|", PAGE)
ROOMS = (
    "significance",
    "metrics",
    "replicability",
    "simulation",
    "effects",
    "reliability",
    "systems",
    "claims",
)


def test_every_row_of_evidence_ends_in_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and " held " not in line]
    assert len(rows) == len(NAMED) > 50


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_test_that_is_named_exists(file: str, name: str) -> None:
    path = TESTS / file
    assert path.is_file(), file
    if name:
        assert re.search(rf"^def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE), name


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_that_makes_numbers_lacks_evidence(room: str) -> None:
    assert f"`core/{room}`" in PAGE


def test_what_planted_errors_are_told_of_exists() -> None:
    modules = re.findall(r"^\| `([\w/]+)`", MUTANTS, re.MULTILINE)
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", MUTANTS)
    assert len(modules) > 15
    assert len(named) > 20
    for module in modules:
        assert (TESTS.parent / "core" / f"{module}.py").is_file(), module
    for file, name in named:
        found = [path.read_text(encoding="utf-8") for path in TESTS.rglob(file)]
        assert any(re.search(rf"^def {name}\(", text, re.MULTILINE) for text in found), name
