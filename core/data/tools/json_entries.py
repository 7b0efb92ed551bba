"""JSON as evaluation tools write it: entry by entry, at the speed of the scanner, numbers as written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from core.data.provenance import FileUse
from core.data.sources.given import SourceFile
from core.data.sources.json_values import AFTER_END, Entry, JsonText, cell
from core.data.tables.limits import bounded
from core.data.tables.text import decode_text
from core.errors import DataError, Problem

_MEND = "Copy the file again as the tool wrote it, or let the tool write it anew."
_CUT_OFF = f"It may be cut off. {_MEND}"


class ToolJson(JsonText):
    """The JSON of one file, read from its start to its end.

    A program wrote it, so no hook looks for names that stand twice in an
    object; nor are escapes looked at, as transcripts hold any.
    """

    def __init__(self, file: SourceFile) -> None:
        super().__init__(decode_text(file.content).text)
        self._decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)

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
                raise self._broken("Expecting a name in quotation marks", self.line)
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

    def whole(self) -> Any:
        """Everything at once."""
        value = self.value()
        self._ends()
        return value

    @staticmethod
    def _broken(reason: str, line: int) -> DataError:
        what = f"The file is no JSON from here on: {reason}."
        return DataError([Problem(what=what, remedy=_CUT_OFF, line=line)])

    def _begins_with(self, mark: str) -> None:
        if self.next != mark:
            kind = "array" if mark == "[" else "object"
            raise DataError([Problem(what=f"The file holds no JSON {kind}.", remedy=_MEND, line=1)])

    def _ends(self) -> None:
        if self.next:
            raise DataError(
                [
                    Problem(
                        what=AFTER_END,
                        remedy=_MEND,
                        line=self.line,
                    )
                ]
            )


def number_cell(value: Any) -> str:
    """A value where a number should stand as a cell that can be written; '' for none."""
    return (cell(value) or "").encode("utf-8", "replace").decode()


def aside(path: str, kind: str, reason: str) -> FileUse:
    """A file that nothing is taken from."""
    return FileUse(path=path, kind=kind, used=False, reason=reason)


def stop_at(problems: Sequence[Problem]) -> None:
    """Raise a `DataError` where there are problems, with the first ones of many."""
    if problems:
        raise DataError(bounded(problems, n_problems=len(problems), of="entries"))
