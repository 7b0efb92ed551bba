"""Named files out of texts, as a caller of `read_results` has them."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from core.data import read_results
from core.data.tables.limits import Stages
from core.data.tools.gathered import Gathered
from core.errors import DataError

# A text, bytes, or lines.
Content = str | bytes | Sequence[str]


def named(name: str, content: Content) -> io.BytesIO:
    """One open file with its name, with folders."""
    if not isinstance(content, (str, bytes)):
        content = "".join(line + "\n" for line in content)
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    file.name = name
    return file


def nothing_yet(*, holds: Any = "scores", **given: object) -> Gathered:
    """Before a tool's files are read, with these roles given."""
    return Gathered(kind="x", given=given, stages=Stages(), holds=holds)


def read(files: Mapping[str, Content], **named_arguments: Any) -> Any:
    """What several files are read as; without the declared type, which the tests are about."""
    opened = [named(name, content) for name, content in files.items()]
    return read_results(opened if len(opened) > 1 else opened[0], **named_arguments)


def kind_of(results: Any) -> type:
    """The class of what was read, without telling the type checker, so that `reading` is there."""
    return type(results)


def refused(files: Mapping[str, Content], **named_arguments: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read(files, **named_arguments)
    return caught.value


def remarks(results: Any) -> str:
    """All that is remarked on a reading."""
    return "\n".join(results.reading.remarks)
