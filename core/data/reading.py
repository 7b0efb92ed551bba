"""Read a file of results: decode, cut into cells, recognise the layout, read by roles."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from core.data.layouts import LAYOUTS, recognise_layout
from core.data.p_value_table import PValueTable
from core.data.provenance import Reading
from core.data.raw_table import split_table
from core.data.result_set import ResultSet
from core.data.roles import Roles, role_problems
from core.data.text import decode_text
from core.errors import DataError, Problem

__all__ = ["Reading", "Source", "read_results"]

Source = bytes | bytearray | str | os.PathLike[str] | BinaryIO


def read_results(
    source: Source | Sequence[Source],
    *,
    name: str | None = None,
    roles: Roles | None = None,
) -> PValueTable | ResultSet:
    """Read a file of results.

    Parameters
    ----------
    source : bytes, path, binary file, or a sequence that holds one of them
        The file.
    name : str, optional
        What to call it; by default the file's own name.
    roles : mapping, optional
        Roles that are known, by name. What is not given is recognised.
        "layout" is a name of `core.data.LAYOUTS`. A column or None for "not
        there" are "dataset", "system_a", "system_b", "p_value", "n_examples",
        "example" and "gold"; a sequence of columns is "systems". Declarations
        are "metric" and "higher_is_better", for published tables also
        "alternative" and "zero_reads_below".

    Returns
    -------
    PValueTable or ResultSet
        A published table, or per-example results; with how it was read in
        `reading`.

    Raises
    ------
    DataError
        If the content cannot be read; with every problem, and with the columns
        where the file has any, so that roles can be given.
    OSError
        If a path cannot be opened.
    TypeError
        If a source is of another kind.
    """
    content, own_name = _content(_single(source))
    raw = split_table(decode_text(content))
    given: Roles = {} if roles is None else roles
    layouts = tuple(layout.name for layout in LAYOUTS)
    problems = role_problems(given, columns=raw.header, layouts=layouts)
    if problems:
        raise DataError(problems, columns=raw.header)
    layout, recognised = recognise_layout(raw, given)
    return layout.read(raw, recognised, own_name if name is None else name)


def _single(source: Source | Sequence[Source]) -> Source:
    if isinstance(source, (bytes, bytearray, str)) or not isinstance(source, Sequence):
        return source
    files = cast("Sequence[Source]", source)
    if len(files) != 1:
        raise DataError(
            [
                Problem(
                    what=f"There are {len(files)} files; one file is read at a time.",
                    remedy="Choose one file that holds every dataset.",
                )
            ]
        )
    return files[0]


def _content(source: Source) -> tuple[bytes, str]:
    """The bytes and the name that the source itself has."""
    if isinstance(source, (bytes, bytearray)):
        return bytes(source), "results"
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        return path.read_bytes(), path.name
    if not hasattr(source, "read"):
        raise TypeError(
            f"`source` must be bytes, a path or a binary file; got {type(source).__name__}."
        )
    content = source.read()
    if not isinstance(content, bytes):
        raise TypeError("`source` must be opened in binary mode; its content came as text.")
    own_name = getattr(source, "name", None)
    return content, Path(own_name).name if isinstance(own_name, str) else "results"
