"""JSON read value by value, so that each is known by its line and written as in the file.

People's files may hold anything; what a program wrote is read at the speed of the scanner.
"""

import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from ...errors import MAX_PROBLEMS, DataError, Problem, quoted, stop_at
from ..tables.text import CONTROL, decode_text
from .files import SourceFile

_START = re.compile(rb'\s*(\{\s*["}]|\[\s*[\[{"\]])')
_SPACE = re.compile(r"[ \t\n\r]*")
# Two halves of a letter are one; else its number, or another sign.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([0-9a-fA-F]{4})|.)", re.DOTALL
)
AFTER_END = "Something stands after the end of the JSON."
# Numbers stay as they are written.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_SORTED = json.JSONEncoder(sort_keys=True, default=str)
MEND = "Copy the file again as the tool wrote it, or let the tool write it anew."
_LINES_A_STAGE = 2_000
Read = TypeVar("Read")


class Entry(NamedTuple):
    """One value of an array or an object at the top of a file, and its line, counted from 1.

    `key` is '' in an array; `value` is a dict, a list, a str (numbers as they are written), a bool
    or None, or the problem with what cannot be read.
    """

    line: int
    key: str
    value: Any


def is_json(content: bytes) -> bool:
    """Whether UTF-8 begins as JSON does and as no table with separators would."""
    return _START.match(content) is not None


class JsonText:
    """A text that is read from its start to its end."""

    remedy = "Write the file again with a JSON library, or save the table as CSV in UTF-8."

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.position = 0
        self._counted = 0
        self._line = 1
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object, parse_float=str, parse_int=str, parse_constant=str
        )
        self.skip_space()

    @property
    def next(self) -> str:
        """The character that comes next, '' at the end."""
        return self.text[self.position : self.position + 1]

    @property
    def line(self) -> int:
        """Line of the next character."""
        self._line += self.text.count("\n", self._counted, self.position)
        self._counted = self.position
        return self._line

    def skip_space(self) -> None:
        """Go on to what is no white space."""
        found = _SPACE.match(self.text, self.position)
        self.position = found.end() if found else self.position

    def skip_line(self) -> None:
        """Go on to the next line that holds something."""
        end = self.text.find("\n", self.position)
        self.position = len(self.text) if end < 0 else end
        self.skip_space()

    def value(self) -> Any:
        """The value that begins here; a `DataError` where it is no JSON."""
        line = self.line
        try:
            value, self.position = self._decoder.raw_decode(self.text, self.position)
        except json.JSONDecodeError as error:
            raise self._broken(error.msg, error.pos) from None
        except DataError as error:
            raise DataError([replace(problem, line=line) for problem in error.problems]) from None
        except (RecursionError, MemoryError):
            raise DataError.of(
                "The JSON is nested too deeply to hold a table.",
                "Give an array of records, or scores by dataset and system.",
                line=line,
            ) from None
        self.skip_space()
        return value

    def items(self, arrays: Collection[str] = ()) -> Iterator[Entry]:
        """Every element of the array, or member of the object, that begins here.

        Of an object's arrays of these names it is every element.
        """
        is_array = self.next == "["
        end = "]" if is_array else "}"
        self._expect(self.next)
        goes_on = self.next != end
        if not goes_on:
            self._expect(end)
        while goes_on:
            line, key = self.line, ""
            if not is_array:
                if self.next != '"':
                    raise self._broken("Expecting a name in quotation marks", self.position)
                key = str(self.value()).strip()
                self._expect(":")
            if key in arrays and self.next == "[":
                yield from (entry._replace(key=key) for entry in self.items())
            else:
                yield Entry(line, key, self.value())
            goes_on = self.next != end
            self._expect("," if goes_on else end)

    def walk(
        self, arrays: Collection[str] = (), remedy: str = MEND, *, kind: str = "object"
    ) -> Iterator[Entry]:
        """The items of the one object, or "array", that the text is."""
        if self.next != ("{" if kind == "object" else "["):
            raise DataError.of(f"The file holds no JSON {kind}.", remedy, line=1)
        yield from self.items(arrays)
        self.ends(remedy)

    def records(self, remedy: str = MEND) -> Iterator[Entry]:
        """Every element of the one array of the text."""
        return self.walk(remedy=remedy, kind="array")

    def ends(self, remedy: str = MEND) -> None:
        """Raise a `DataError` where something follows."""
        if self.next:
            raise DataError.of(AFTER_END, remedy, line=self.line)

    def _expect(self, mark: str) -> None:
        if self.next != mark:
            raise self._broken(f"Expecting '{mark}'", self.position)
        self.position += 1
        self.skip_space()

    def _broken(self, reason: str, position: int) -> DataError:
        line = 1 + self.text.count("\n", 0, position)
        column = position - self.text.rfind("\n", 0, position)
        what = f"The file is no JSON from character {column:,} of the line on: {_said(reason)}."
        return DataError.of(what, self.remedy, line=line)


class ToolJson(JsonText):
    """The JSON of one file that a program wrote, read from its start to its end.

    No hook looks for names that stand twice in an object; nor are escapes looked at, as
    transcripts hold any. What is no JSON raises a `DataError`.
    """

    remedy = f"It may be cut off. {MEND}"

    def __init__(self, file: SourceFile) -> None:
        super().__init__(decode_text(file.content).text)
        self._decoder = _DECODER

    def entries(self) -> list[Entry]:
        """Every element of the array, or the one value that is none."""
        return [*self.records()] if self.next == "[" else [Entry(1, "", self.whole())]

    def whole(self) -> Any:
        """Everything at once."""
        value = self.value()
        self.ends()
        return value


# In place of what no text file may hold: control characters, and halves of letters.
NO_LETTER = "\ufffd"
_NO_TEXT = re.compile(f"{CONTROL.pattern}|[\ud800-\udfff]")


def with_letters(text: str) -> tuple[str, int]:
    """JSON with a sign in place of each escape of what no text file may hold, and their number.

    Those are control characters and halves of letters, as models give them out.
    """
    if "\\u" not in text and "\\b" not in text:
        return text, 0
    n_changed = 0

    def changed(found: re.Match[str]) -> str:
        nonlocal n_changed
        code = int(found[1], 16) if found[1] else (8 if found[0] == "\\b" else 0x20)
        if not (0xD800 <= code < 0xE000 or CONTROL.match(chr(code))):
            return found[0]
        n_changed += 1
        return NO_LETTER

    return _ESCAPE.sub(changed, text), n_changed


def cell(value: Any) -> str | None:
    """A value as a cell of text that can be written, None where it is an array or an object."""
    if isinstance(value, str):
        text = value.strip()
        return text if text.isprintable() else _NO_TEXT.sub(NO_LETTER, text)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return None


def part(value: Any, *keys: str) -> dict[str, Any]:
    """The object that stands under these names, one inside the other; {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def text_at(value: Any, *keys: str) -> str:
    """The cell that stands under these names; '' where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return cell(value) or ""


def list_at(value: Any, key: str) -> list[Any]:
    """The array that stands under a name; [] where there is none."""
    found = part(value).get(key)
    return found if isinstance(found, list) else []


def required(value: Any, *keys: str) -> str:
    """The cell that has to stand under these names; a `DataError` where there is none."""
    text = text_at(value, *keys)
    if not text:
        what = f"There is no text or number under {quoted(' › '.join(keys))}."
        raise DataError.of(what, MEND)
    return text


def each_read(entries: Iterable[Entry], read: Callable[[Entry], Read]) -> Iterator[Read]:
    """What each entry holds, and then the first problems, each with its entry's line."""
    problems: list[Problem] = []
    try:
        for entry in entries:
            try:
                if isinstance(entry.value, Problem):
                    raise DataError([entry.value])
                found = read(entry)
            except DataError as error:
                problems += [replace(one, line=one.line or entry.line) for one in error.problems]
                if len(problems) >= MAX_PROBLEMS:
                    what = "After so many problems the rest was not read."
                    problems[-1] = Problem(what, "See whether the file is another one.")
                    break
            else:
                yield found
    except DataError as error:
        # What is no JSON has no further entries.
        problems += error.problems
    stop_at(problems)


def hash_of(value: Any) -> str:
    """A hash of what JSON holds, whatever the order of its names."""
    return sha256(_SORTED.encode(value).encode()).hexdigest()


def _stands_twice(name: str, line: int | None = None) -> Problem:
    return Problem(
        f"The name {quoted(name)} occurs twice in one object.",
        "Give each value a name of its own.",
        line=line,
    )


def named_problems(members: Sequence[Entry]) -> list[Problem]:
    """One problem for each name that stands twice."""
    problems: list[Problem] = []
    seen: set[str] = set()
    for member in members:
        if member.key in seen:
            problems.append(_stands_twice(member.key, member.line))
        seen.add(member.key)
    return problems


def members_of(text: str, remedy: str) -> list[Entry]:
    """Every member of the one object that a text is; a `DataError` where it is none."""
    members = list(JsonText(with_letters(text)[0]).walk(remedy=remedy))
    stop_at(named_problems(members))
    return members


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {key.strip(): value for key, value in pairs}
    if len(found) < len(pairs):
        n_times = Counter(key.strip() for key, _ in pairs)
        raise DataError([_stands_twice(max(n_times, key=n_times.__getitem__))])
    return found


def records_of(content: bytes, on_bytes: Callable[[int], None] = lambda _: None) -> Iterator[Entry]:
    """The records of JSON Lines, or of one array; in place of one that cannot be read the problem.

    `on_bytes` is called now and then with how much has been read.
    """
    is_array = content[:64].lstrip()[:1] == b"["
    if is_array:
        yield from ToolJson(SourceFile(name="", content=content)).records()
    else:
        yield from _of_lines(content, on_bytes)
    on_bytes(len(content))


def _of_lines(content: bytes, on_bytes: Callable[[int], None]) -> Iterator[Entry]:
    done = 0
    # Only line feeds end a line: documents hold other signs that do elsewhere.
    raw_decode = _DECODER.raw_decode
    for number, line in enumerate(io.BytesIO(content), start=1):
        done += len(line)
        if not number % _LINES_A_STAGE:
            on_bytes(done)
        text = ""
        try:
            text = line.decode("utf-8").strip()
            if not text:
                continue
            record, end = raw_decode(text)
            broken = "" if end == len(text) else _no_json("Extra data", end, text)
        except json.JSONDecodeError as error:
            cut = done == len(content) and not line.endswith(b"\n")
            broken = _no_json(error.msg, error.pos, text, is_cut=cut)
        except UnicodeDecodeError as error:
            broken = f"From byte {error.start + 1:,} of the line on it is no UTF-8."
        except (RecursionError, ValueError, MemoryError):
            broken = "The line is nested too deeply, or holds a number that is too long."
        yield Entry(number, "", Problem(broken, MEND) if broken else record)


def _said(reason: str) -> str:
    """What the scanner says, without the place where it stopped."""
    return reason.removesuffix(":").removesuffix(" at").removesuffix(" starting")


def _no_json(reason: str, position: int, text: str, *, is_cut: bool = False) -> str:
    said = _said(reason)
    where = f"at character {position + 1:,}"
    if is_cut:
        return f"The last line is cut off after {len(text):,} characters ({said} {where})."
    return f"The line is no JSON from character {position + 1:,} on: {said}."
