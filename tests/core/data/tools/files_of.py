"""Named files out of texts, as a caller of `read_results` has them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pytest

from core.data import read_results
from core.data.tables.limits import Stages
from core.data.tools.gathered import Gathered
from core.errors import DataError


def named(name: str, content: str | bytes) -> io.BytesIO:
    """One open file with its name, with folders."""
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return file


def nothing_yet(*, holds: Any = "scores", **given: object) -> Gathered:
    """Before a tool's files are read, with these roles given."""
    return Gathered(kind="x", given=given, stages=Stages(), holds=holds)


def read(files: Mapping[str, str | bytes], **named_arguments: Any) -> Any:
    """What several files are read as; without the declared type, which the tests are about."""
    opened = [named(name, content) for name, content in files.items()]
    return read_results(opened if len(opened) > 1 else opened[0], **named_arguments)


def kind_of(results: Any) -> type:
    """The class of what was read, without telling the type checker, so that `reading` is there."""
    return type(results)


def refused(files: Mapping[str, str | bytes], **named_arguments: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read(files, **named_arguments)
    return caught.value
