"""Files that plainly hold no results: told by their names or, where these say little, by their text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.data.provenance import FileUse
from core.data.sources.given import SourceFile
from core.data.sources.score_list import NUMBER_ALONE
from core.data.words import listed

# What each ending stands for; none of these is a table, a list of values or results in JSON.
_ENDINGS = {
    "text about the files": (".md", ".rst", ".license", ".licence", ".bib", ".pdf", ".docx"),
    "program": (".py", ".pyc", ".sh", ".bat", ".ps1", ".ipynb"),
    "settings": (".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".slurm"),
    "picture": (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"),
    "weights of a model": (".pt", ".pth", ".ckpt", ".safetensors", ".onnx", ".gguf"),
}
# Whatever the ending.
_STEMS = {
    "text about the files": ("readme", "license", "licence", "citation", "changelog"),
    "program": ("makefile", "dockerfile"),
}
_NAMES = {
    "text about the files": ("authors", "authors.txt", "notice", "notice.txt", "contributing.txt"),
    "settings": (
        "requirements.txt",
        "config.json",
        "tokenizer_config.json",
        "generation_config.json",
        "training_args.json",
        "hparams.json",
        "hyperparameters.json",
    ),
}
_HIDDEN, LINK = "hidden file", "link"
_LOG, _PROSE = "log", "running text"
_REASONS = {
    "text about the files": "It describes the files and holds no results.",
    "program": "It is a program and holds no results.",
    "settings": "It holds settings and no results.",
    "picture": "It is a picture and holds no results that can be read.",
    "weights of a model": "It holds the weights of a model and no results.",
    _HIDDEN: "Hidden files are not read.",
    LINK: "Links in an archive are not followed.",
    _LOG: "It is a log, no table or list of results.",
    _PROSE: "It is running text, no table or list of results.",
}
_KINDS_OF_TEXT = (".txt", ".text", ".log", ".err", ".out")
_LOG_LINE = re.compile(
    r"\W{0,2}(\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d)"
    # One digit before the %: to look for several takes a line of digits' length squared.
    r"|.*\b(INFO|WARNING|DEBUG|ERROR|CRITICAL|Traceback)\b|.*\bWarning:|.*\d%\|"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_HEAD = 1 << 16
_LINES_LOOKED_AT = 200
# In prose this share of the lines has so many words.
_SHARE, _WORDS = 0.6, 4
# More lines than this that are values, and the text is a list of them with a heading.
_VALUES = 0.2
_REGULAR = 0.9
_ENDS = (".", "!", "?", ":")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """Files that may hold results, and those that plainly do not.

    Attributes
    ----------
    kept : tuple of SourceFile
        In the order given; all of them where nothing else would stay.
    aside : tuple of FileUse
        What the others are.
    remarks : tuple of str
        The names of the others.
    """

    kept: tuple[SourceFile, ...]
    aside: tuple[FileUse, ...] = ()
    remarks: tuple[str, ...] = ()


def kind_of_name(path: str) -> str:
    """What a file without results is by its name; '' where it may hold some."""
    name = path.split("/")[-1].lower()
    if any(part.startswith(".") for part in path.split("/")):
        return _HIDDEN
    for kind, endings in _ENDINGS.items():
        if name.endswith(endings):
            return kind
    for kind, stems in _STEMS.items():
        if name.split(".")[0] in stems:
            return kind
    for kind, names in _NAMES.items():
        if name in names:
            return kind
    return ""


def sort_by_name(files: Sequence[SourceFile]) -> Sorted:
    """Set files aside that by their names hold no results."""
    return _sorted(files, [kind_of_name(file.name) for file in files])


def sort_by_text(files: Sequence[SourceFile]) -> Sorted:
    """Set logs and prose aside; a text that may be a table or a list of values stays."""
    return _sorted(files, [kind_of_text(file) for file in files])


def left_aside(path: str, kind: str) -> FileUse:
    """The report of a file without results."""
    return FileUse(path=path, kind=kind, used=False, reason=_REASONS[kind])


def _sorted(files: Sequence[SourceFile], kinds: Sequence[str]) -> Sorted:
    if all(kinds) or not any(kinds):
        return Sorted(kept=tuple(files))
    pairs = list(zip(files, kinds, strict=True))
    aside = tuple(left_aside(file.name, kind) for file, kind in pairs if kind)
    remark = f"Left aside, as they hold no results: {listed([use.path for use in aside])}."
    if len(aside) == 1:
        remark = f"Left aside, as it holds no results: {listed([aside[0].path])}."
    return Sorted(
        kept=tuple(file for file, kind in pairs if not kind), aside=aside, remarks=(remark,)
    )


def kind_of_text(file: SourceFile) -> str:
    """Whether a file is a log or prose by its text; '' where it may be a table or values."""
    name = file.name.split("/")[-1].lower()
    if not name.endswith(_KINDS_OF_TEXT) and "." in name:
        return ""
    head = file.content[:_HEAD]
    if b"\x00" in head:
        return ""
    lines = [line.strip() for line in head.decode("utf-8", "replace").splitlines()]
    lines = [line for line in lines if line][:_LINES_LOOKED_AT]
    if not lines:
        # A run that failed may leave an empty table behind, but a log is often empty.
        return _LOG if name.endswith((".log", ".err")) else ""
    if sum(NUMBER_ALONE.fullmatch(line) is not None for line in lines) > _VALUES * len(lines):
        return ""
    if sum(_LOG_LINE.match(line) is not None for line in lines) * 2 > len(lines):
        return _LOG
    if _is_table(lines):
        return ""
    wordy = sum(len(_WORD.findall(line)) >= _WORDS for line in lines)
    return _PROSE if wordy >= _SHARE * len(lines) else ""


def _is_table(lines: Sequence[str]) -> bool:
    """Whether some separator cuts nearly all lines alike, into cells that no prose has."""
    for separator in "\t;|,":
        counts = [line.count(separator) for line in lines]
        usual = max(set(counts), key=counts.count)
        regular = [line for line, count in zip(lines, counts, strict=True) if count == usual]
        if usual == 0 or len(lines) < 2 or len(regular) < _REGULAR * len(lines):
            continue
        columns = list(zip(*(line.split(separator) for line in regular), strict=True))
        # Below the header, where there is one.
        below = [[cell.strip() for cell in column[1:]] for column in columns]
        if any(all(map(NUMBER_ALONE.fullmatch, column)) for column in below):
            return True
        n_ended = sum(line.endswith(_ENDS) for line in regular)
        short = any(all(len(cell.split()) < _WORDS for cell in column) for column in below)
        if short and n_ended < _SHARE * len(regular):
            return True
    return False
