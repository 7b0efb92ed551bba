"""Where files come from: bytes, paths, open files, or several of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from core.data.words import NO_NAME, listed
from core.errors import DataError, Problem

Source = bytes | bytearray | str | os.PathLike[str] | BinaryIO
# Beyond this, results are one row each in a table.
MAX_FILES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file as it was given.

    Attributes
    ----------
    name : str
        Its name, with the folders by which it differs from the others.
    content : bytes
        All of it.
    """

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFiles:
    """All files of a source.

    Attributes
    ----------
    files : tuple of SourceFile
        At least one.
    folder : str
        The innermost folder that several are in, '' where none is known.
    """

    files: tuple[SourceFile, ...]
    folder: str = ""


def source_files(source: Source | Sequence[Source]) -> SourceFiles:
    """Every file of a source, with the name that it has itself.

    Raises
    ------
    DataError
        If there is no file, or there are too many.
    OSError
        If a path cannot be opened.
    TypeError
        If a source is of another kind.
    """
    several = not isinstance(source, (bytes, bytearray, str)) and isinstance(source, Sequence)
    sources = tuple(cast("Sequence[Source]", source)) if several else (cast("Source", source),)
    if not 0 < len(sources) <= MAX_FILES:
        none = "There is no file." if not sources else f"There are {len(sources):,} files."
        raise DataError(
            [Problem(what=none, remedy=f"Give one file or several, at most {MAX_FILES:,}.")]
        )
    files = [_file(source) for source in sources]
    if len(files) == 1:
        only = files[0]
        name = only.name.rpartition("/")[2] or NO_NAME
        return SourceFiles(files=(SourceFile(name=name, content=only.content),))
    named = [
        SourceFile(name=file.name or f"file {position}", content=file.content)
        for position, file in enumerate(files, start=1)
    ]
    paths = [file.name for file in named]
    names = without_common_folders(paths)
    return SourceFiles(
        files=tuple(
            SourceFile(name=name, content=file.content)
            for name, file in zip(names, named, strict=True)
        ),
        folder=(shared_folders(paths) or [""])[-1],
    )


def clean_path(path: str) -> str:
    """A path as a name: with "/" between folders, and no way out of any folder."""
    parts = path.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part.strip() not in ("", ".", ".."))


def without_common_folders(paths: Sequence[str]) -> list[str]:
    """The paths without the folders that all of them are in."""
    n_common = len(shared_folders(paths))
    return ["/".join(path.split("/")[n_common:]) for path in paths]


def shared_folders(paths: Sequence[str]) -> list[str]:
    """The folders that all files are in, from the outermost on."""
    shared: list[str] = []
    for folders in zip(*(path.split("/")[:-1] for path in paths), strict=False):
        if len(set(folders)) > 1:
            break
        shared.append(folders[0])
    return shared


def check_names_differ(names: Sequence[str]) -> None:
    """Raise a `DataError` where two files have the same name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(
            [
                Problem(
                    what=f"Several files have the same name: {listed(repeated)}.",
                    remedy="Give each file a name of its own.",
                )
            ]
        )


def _file(source: Source) -> SourceFile:
    """The bytes and the name that the source itself has, with all its folders."""
    if isinstance(source, (bytes, bytearray)):
        return SourceFile(name="", content=bytes(source))
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        return SourceFile(name=clean_path(str(path)), content=path.read_bytes())
    if not hasattr(source, "read"):
        raise TypeError(
            f"`source` must be bytes, a path or a binary file; got {type(source).__name__}."
        )
    content = source.read()
    if not isinstance(content, bytes):
        raise TypeError("`source` must be opened in binary mode; its content came as text.")
    own_name = getattr(source, "name", None)
    return SourceFile(
        name=clean_path(own_name) if isinstance(own_name, str) else "", content=content
    )
