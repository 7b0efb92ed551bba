"""JSON as evaluation tools write it, entry by entry at the speed of the scanner, numbers as written."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from hashlib import sha256
from typing import Any

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..sources.json_values import AFTER_END, Entry, JsonText, cell
from ..tables.limits import bounded
from ..tables.text import decode_text

# Numbers stay as they are written.
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_MEND = "Copy the file again as the tool wrote it, or let the tool write it anew."
_CUT_OFF = f"It may be cut off. {_MEND}"
_LINES_A_STAGE = 2_000


class ToolJson(JsonText):
    """The JSON of one file, read from its start to its end.

    A program wrote it, so no hook looks for names that stand twice in an
    object; nor are escapes looked at, as transcripts hold any.
    """

    remedy = _CUT_OFF

    def __init__(self, file: SourceFile) -> None:
        super().__init__(decode_text(file.content).text)
        self._decoder = DECODER

    def walk(self, arrays: Collection[str] = ()) -> Iterator[Entry]:
        """Every member of the object, of the arrays of these names every element.

        Raises
        ------
        DataError
            Where it is no JSON, or no object.
        """
        self._begins_with("{")
        for line in self._items("}"):
            if self.next != '"':
                raise self._broken("Expecting a name in quotation marks", self.position)
            key = self.value()
            self._expect(":")
            if key in arrays and self.next == "[":
                for entry in self.elements():
                    yield Entry(entry.line, key, entry.value)
            else:
                yield Entry(line, key, self.value())
        self._ends()

    def records(self) -> Iterator[Entry]:
        """Every element of the array.

        Raises
        ------
        DataError
            Where it is no JSON, or no array.
        """
        self._begins_with("[")
        yield from self.elements()
        self._ends()

    def entries(self) -> list[tuple[int, Any]]:
        """Every element of the array with its line, or the one value that is none."""
        if self.next == "[":
            return [(entry.line, entry.value) for entry in self.records()]
        return [(1, self.whole())]

    def whole(self) -> Any:
        """Everything at once."""
        value = self.value()
        self._ends()
        return value

    def _begins_with(self, mark: str) -> None:
        if self.next != mark:
            kind = "array" if mark == "[" else "object"
            raise DataError.of(f"The file holds no JSON {kind}.", _MEND, line=1)

    def _ends(self) -> None:
        if self.next:
            raise DataError.of(AFTER_END, _MEND, line=self.line)


def hash_of(value: Any) -> str:
    """A hash of what JSON holds, whatever the order of its names."""
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def number_cell(value: Any) -> str:
    """A value where a number should stand as a cell that can be written; '' for none."""
    return (cell(value) or "").encode("utf-8", "replace").decode()


def stop_at(problems: Sequence[Problem]) -> None:
    """Raise a `DataError` where there are problems, with the first ones of many."""
    if problems:
        raise DataError(bounded(problems, n_problems=len(problems), of="entries"))


def records_of(
    content: bytes, on_bytes: Callable[[int], None] = lambda _: None
) -> Iterator[tuple[int, Any, str]]:
    """The records of JSON Lines, or of one array: line, record, and what is wrong with it.

    Parameters
    ----------
    content : bytes
        The file.
    on_bytes : callable (n_bytes)
        Told now and then how much has been read.
    """
    is_array = content[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"["
    return (_array if is_array else _lines)(content, on_bytes)


def _lines(content: bytes, on_bytes: Callable[[int], None]) -> Iterator[tuple[int, object, str]]:
    """Each line's number, its record, and what is wrong with it."""
    done = 0
    # Only line feeds end a line: documents hold other signs that do elsewhere.
    stream = io.BytesIO(content)
    if content.startswith(b"\xef\xbb\xbf"):
        stream.seek(3)
    raw_decode = DECODER.raw_decode
    for number, line in enumerate(stream, start=1):
        done += len(line)
        if not number % _LINES_A_STAGE:
            on_bytes(done)
        text = ""
        try:
            text = line.decode("utf-8").strip()
            if not text:
                continue
            record, end = raw_decode(text)
            broken = "" if end == len(text) else _broken("Extra data", end, text)
        except json.JSONDecodeError as error:
            is_last = done + (3 if content.startswith(b"\xef\xbb\xbf") else 0) >= len(content)
            cut = is_last and not line.endswith(b"\n")
            broken = _broken(error.msg, error.pos, text, is_cut=cut)
        except UnicodeDecodeError as error:
            broken = f"From byte {error.start + 1:,} of the line on it is no UTF-8."
        except (RecursionError, ValueError, MemoryError):
            broken = "The line is nested too deeply, or holds a number that is too long."
        if broken:
            yield number, None, broken
        else:
            yield number, record, ""
    on_bytes(done)


def _array(content: bytes, on_bytes: Callable[[int], None]) -> Iterator[tuple[int, object, str]]:
    """The line at which each record of an array begins, the record, and what is wrong with it."""
    try:
        for entry in ToolJson(SourceFile(name="", content=content)).records():
            yield entry.line, entry.value, ""
    except DataError as error:
        (problem,) = error.problems
        yield problem.line or 1, None, problem.what
    on_bytes(len(content))


def _broken(reason: str, position: int, text: str, *, is_cut: bool = False) -> str:
    said = reason.removesuffix(":").removesuffix(" at").removesuffix(" starting")
    where = f"at character {position + 1:,}"
    if is_cut:
        return f"The last line is cut off after {len(text):,} characters ({said} {where})."
    return f"The line is no JSON from character {position + 1:,} on: {said}."
