"""What a Dockerfile says, as data: enough of its grammar for ours."""

import json
import re
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Instruction(NamedTuple):
    """One instruction, on one line."""

    name: str
    words: str


def read_dockerfile(path: Path = ROOT / "Dockerfile") -> list[Instruction]:
    """Every instruction in order, continued lines joined and comments left out."""
    lines = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    found = []
    for line in joined.splitlines():
        name, _, words = line.partition(" ")
        found.append(Instruction(name.upper(), " ".join(words.split())))
    return found


def environment(instructions: list[Instruction]) -> dict[str, str]:
    """What ENV sets."""
    pairs = [
        pair.partition("=")
        for each in instructions
        if each.name == "ENV"
        for pair in shlex.split(each.words)
    ]
    return {name: value for name, _, value in pairs}


def command(instructions: list[Instruction], name: str) -> list[str]:
    """The words of a CMD, or of the one that a HEALTHCHECK runs."""
    (found,) = [each.words for each in instructions if each.name == name]
    listed = found[found.index("[") :]
    words: list[str] = json.loads(listed)
    return words


def copied(instructions: list[Instruction]) -> list[str]:
    """Every file and folder that is copied into the image."""
    return [
        source
        for each in instructions
        if each.name == "COPY"
        for source in shlex.split(each.words)[:-1]
    ]


def copy_into(folder: Path, sources: Iterable[str], *, root: Path = ROOT) -> None:
    """Copy files and folders of a root, without what is compiled or secret."""
    for source in sources:
        target = folder / source
        target.parent.mkdir(parents=True, exist_ok=True)
        if (root / source).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.pyc", "secrets.toml")
            shutil.copytree(root / source, target, ignore=ignored)
        else:
            shutil.copy2(root / source, target)
